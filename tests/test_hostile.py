"""Inputs that mean harm, or might as well: each ends in bounded time and memory, with its rule and exit status."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import random
import socket
import struct
import tarfile
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import urlset
from urlset.converters.convert import run

GOOD = "https://example.com/good"
NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
SECRET = "root:x:0:0"  # noqa: S105 - what no output may hold
MEBIBYTE = 1 << 20


class Outcome(NamedTuple):
    """What a conversion to JSON lines came to; ``exit`` is what the command line ends with."""

    locs: list[str]
    rules: set[str]
    exit: int
    error: urlset.UrlsetError | None
    ledger: urlset.Ledger

    @property
    def said(self) -> str:
        """Everything that a user could be shown."""
        return json.dumps(self.ledger.report()) + str(self.error)


def nothing_there(address: str) -> bytes:
    raise OSError("HTTP status 404")


def attempt(data: Any, *, to: str = "jsonl", **options: Any) -> Outcome:
    ledger, output, error = urlset.Ledger(), io.BytesIO(), None
    try:
        run(data, output, urlset.Options(**{"to": to, "fetch": nothing_there, **options}), ledger)
    except urlset.UrlsetError as caught:
        error = caught
    ledger.check()
    status = error.exit_code if error is not None else int(ledger.has_errors)
    locs = [json.loads(line)["loc"] for line in output.getvalue().split(b"\n") if line] if to == "jsonl" else []
    rules = {finding.rule for finding in ledger.findings}
    return Outcome(locs, rules, status, error, ledger)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """A guard against work that is worse than linear: six times what is wanted."""
    begin = time.process_time()
    yield
    assert time.process_time() - begin < 6 * seconds


@contextmanager
def memory_below(size: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()


def sitemap(*records: str, before: str = "") -> bytes:
    body = "".join(f"<url>{record}</url>\n" for record in (*records, f"<loc>{GOOD}</loc>"))
    return f'<?xml version="1.0"?>\n{before}<urlset xmlns="{NS}">\n{body}</urlset>\n'.encode()


def rss(*records: str, before: str = "") -> bytes:
    body = "".join(f"<item>{record}</item>\n" for record in (*records, f"<link>{GOOD}</link>"))
    return f'<?xml version="1.0"?>\n{before}<rss version="2.0"><channel>\n{body}</channel></rss>\n'.encode()


def atom(*records: str, before: str = "") -> bytes:
    body = "".join(f"<entry>{record}</entry>\n" for record in (*records, f'<link href="{GOOD}"/>'))
    return f'<?xml version="1.0"?>\n{before}<feed xmlns="http://www.w3.org/2005/Atom">\n{body}</feed>\n'.encode()


DIALECTS = [
    pytest.param(sitemap, "<loc>https://example.com/@</loc>", id="sitemap"),
    pytest.param(rss, "<link>https://example.com/@</link>", id="rss"),
    pytest.param(atom, '<link href="https://example.com/@"/><title>@</title>', id="atom"),
]
every_dialect = pytest.mark.parametrize(("document", "record"), DIALECTS)
Document = Callable[..., bytes]


# --- entities


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "passwd"
    path.write_text(SECRET)
    return path


@pytest.mark.untraced
@every_dialect
@pytest.mark.parametrize(
    ("doctype", "reference"),
    [
        pytest.param('<!DOCTYPE x [<!ENTITY a SYSTEM "@">]>', "&a;", id="general"),
        pytest.param('<!DOCTYPE x [<!ENTITY % p SYSTEM "@"> %p;]>', "&a;", id="parameter"),
        pytest.param('<!DOCTYPE x SYSTEM "@">', "&a;", id="dtd"),
        pytest.param('<!DOCTYPE x PUBLIC "p" "@" [<!ENTITY a PUBLIC "q" "@">]>', "&a;", id="public"),
        pytest.param(
            "", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="@" parse="text"/>', id="xinclude"
        ),
    ],
)
def test_a_local_file_is_never_read(
    document: Document, record: str, doctype: str, reference: str, secret: Path
) -> None:
    uri = secret.as_uri()
    inside = record.replace("@", reference if "<" not in reference else "")
    if "<" in reference:
        inside += reference.replace("@", uri)
    with within(2):
        found = attempt(document(inside, before=doctype.replace("@", uri)))
    assert SECRET not in found.said
    assert GOOD in found.locs
    if "ENTITY a" in doctype:
        assert "entity-declaration" in found.rules
        assert found.exit == 1


@every_dialect
def test_nothing_is_fetched(document: Document, record: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        doctype = f'<!DOCTYPE x SYSTEM "{address}.dtd" [<!ENTITY % p SYSTEM "{address}"> %p;]>'
        attempt(document(record.replace("@", "&p;"), before=doctype))
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.untraced
@every_dialect
def test_billion_laughs(document: Document, record: str) -> None:
    names = [f"l{number}" for number in range(10)]
    laughs = '<!ENTITY l0 "lol">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in itertools.pairwise(names)
    )
    with within(2), memory_below(20 * MEBIBYTE):
        found = attempt(document(record.replace("@", "&l9;"), before=f"<!DOCTYPE x [{laughs}]>"))
    assert found.locs == [GOOD]
    assert "entity-declaration" in found.rules
    assert found.exit == 1


@pytest.mark.untraced
@every_dialect
def test_quadratic_blowup(document: Document, record: str) -> None:
    doctype = f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>'
    with within(10), memory_below(40 * MEBIBYTE):
        found = attempt(document(record.replace("@", "&a;" * 20_000), before=doctype))
    assert found.locs == [GOOD]
    assert "entity-declaration" in found.rules


# --- compression


def lines(number: int) -> bytes:
    return "".join(f"https://example.com/{n}\n" for n in range(number)).encode()


def bomb(size: int = 64 * MEBIBYTE) -> bytes:
    return gzip.compress(lines(10) + b"\n" * size, 9)


@pytest.mark.untraced
@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(urlset.Limits(max_inflated=MEBIBYTE), id="size"),
        pytest.param(urlset.Limits(max_ratio=10, ratio_from=65_536), id="ratio"),
    ],
)
def test_gzip_bomb(limits: urlset.Limits) -> None:
    with within(2):
        found = attempt(bomb(), limits=limits)
    assert (len(found.locs), found.rules, found.exit) == (10, {"size-limit"}, 1)


@pytest.mark.untraced
def test_a_bomb_within_gzip_counts_by_its_outermost_bytes() -> None:
    limits = urlset.Limits(max_ratio=100, ratio_from=65_536)
    with within(2):
        found = attempt(gzip.compress(bomb()), limits=limits)
    assert (len(found.locs), found.rules, found.exit) == (10, {"size-limit", "double-compression"}, 1)


def test_several_members_are_one_document() -> None:
    data = lines(30)
    found = attempt(b"".join(gzip.compress(data[at : at + 100]) for at in range(0, len(data), 100)))
    assert (len(found.locs), found.rules, found.exit) == (30, set(), 0)


@pytest.mark.untraced
def test_ten_thousand_members() -> None:
    with within(5):
        found = attempt(b"".join(gzip.compress(line + b"\n") for line in lines(10_000).split()))
    assert (len(found.locs), found.rules, found.exit) == (10_000, set(), 0)


@pytest.mark.parametrize("lost", [1, 8, 9, 100, 1_000])
def test_truncated_gzip_gives_whole_addresses_only(lost: int) -> None:
    locs = lines(2_000).decode().split()
    found = attempt(gzip.compress(lines(2_000).rstrip(b"\n"))[:-lost])
    assert found.locs == locs[: len(found.locs)]
    assert "compression-truncated" in found.rules
    assert found.exit == 1


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_a_wrong_checksum_costs_no_record(ending: bytes) -> None:
    data = bytearray(gzip.compress(lines(20).rstrip(b"\n") + ending))
    data[-8] ^= 1
    found = attempt(bytes(data))
    assert (len(found.locs), found.rules, found.exit) == (20, {"compression-error"}, 1)


def test_double_gzip() -> None:
    found = attempt(gzip.compress(gzip.compress(lines(20))))
    assert (len(found.locs), found.rules, found.exit) == (20, {"double-compression"}, 0)


def test_gzip_four_deep_is_refused() -> None:
    data = lines(20)
    for _ in range(4):
        data = gzip.compress(data)
    found = attempt(data)
    assert (found.locs, found.exit) == ([], 2)
    assert "double-compression" in found.rules


# --- what is no list of addresses


def archive_zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("sitemap.xml", sitemap())
    return stream.getvalue()


def archive_tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo("sitemap.xml")
        info.size = len(sitemap())
        archive.addfile(info, io.BytesIO(sitemap()))
    return stream.getvalue()


def picture() -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")]
    parts = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


STRANGERS = [
    pytest.param(archive_zip(), "ZIP", "unsupported-compression", id="zip"),
    pytest.param(archive_tar(), "tar", "unsupported-compression", id="tar"),
    pytest.param(gzip.compress(archive_tar()), "tar", "unsupported-compression", id="tar-gz"),
    pytest.param(lzma.compress(sitemap()), "xz", "unsupported-compression", id="xz"),
    pytest.param(bz2.compress(sitemap()), "bzip2", "unsupported-compression", id="bz2"),
    pytest.param(b"\x28\xb5\x2f\xfd\x04\x58\x09\0\0a\n\x8d", "Zstandard", "unsupported-compression", id="zstd"),
    pytest.param(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "PDF", "not-text", id="pdf"),
    pytest.param(picture(), "PNG", "not-text", id="png"),
]


@pytest.mark.parametrize(("data", "name", "rule"), STRANGERS)
@pytest.mark.parametrize("from_", [None, "sitemap", "text", "csv"])
def test_a_stranger_is_named(data: bytes, name: str, rule: str, from_: str | None) -> None:
    found = attempt(data, from_=from_)
    assert found.error is not None and name in str(found.error)
    assert (found.exit, found.error.rule, found.rules) == (2, rule, {rule})


READABLE = sorted(one.name for one in urlset.registry() if one.read is not None)


@pytest.mark.untraced
@pytest.mark.parametrize("from_", [None, *READABLE])
@pytest.mark.parametrize("number", range(4))
def test_binary_noise(number: int, from_: str | None) -> None:
    data = random.Random(number).randbytes(200_000)  # noqa: S311
    with within(5):
        found = attempt(data, from_=from_, follow=False)
    assert found.locs == []
    assert found.exit in (1, 2)
    assert found.ledger.has_errors


@pytest.mark.untraced
@pytest.mark.parametrize("from_", [None, *READABLE])
def test_nothing_but_zero_bytes(from_: str | None) -> None:
    with within(5):
        found = attempt(bytes(MEBIBYTE), from_=from_, follow=False)
    assert found.locs == []
    # As a list or as JSON lines, that is one record, which is rejected.
    assert found.exit == (1 if from_ in ("jsonl", "text") else 2)


def test_zero_bytes_between_all_elements() -> None:
    found = attempt(sitemap("<loc>https://example.com/a</loc>").replace(b"><", b">\0<"))
    assert found.locs == ["https://example.com/a", GOOD]
    assert "illegal-xml-character" in found.rules
    assert found.exit == 1


# --- without end


class Endless:
    """A head, then one record for ever; seekable, so that nothing need be kept of it."""

    def __init__(self, head: bytes, record: bytes) -> None:
        self._head = head
        self._block = record * 4_000
        self._at = 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, place: int) -> int:
        self._at = place
        return place

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "an endless stream can't be read to its end"
        inside = self._at - len(self._head)
        data = self._head[self._at :] if inside < 0 else self._block[inside % len(self._block) :]
        self._at += len(data[:size])
        return data[:size]


_RECORD = "https://example.com/a?b=1"
ENDLESS = [
    pytest.param(f'<urlset xmlns="{NS}">', f"<url><loc>{_RECORD}</loc></url>\n", id="sitemap"),
    pytest.param(
        f'<!DOCTYPE urlset><urlset xmlns="{NS}">', f"<url><loc>{_RECORD}</loc></url>\n", id="sitemap-repaired"
    ),
    pytest.param('<rss version="2.0"><channel>', f"<item><link>{_RECORD}</link></item>\n", id="rss"),
    pytest.param(
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f'<entry><link href="{_RECORD}"/><updated>2024-05-06T07:08:09Z</updated></entry>\n',
        id="atom",
    ),
    pytest.param("", f"{_RECORD}\n", id="text"),
    pytest.param("url,title\r\n", f'{_RECORD},"a ""b"""\r\n', id="csv"),
    pytest.param("", f'{{"loc": "{_RECORD}"}}\n', id="jsonl"),
    pytest.param("", 'h - - [06/May/2024:07:08:09 +0200] "GET /a?b=1 HTTP/1.1" 200 5\n', id="access-log"),
]


@pytest.mark.parametrize(("head", "record"), ENDLESS)
def test_an_endless_stream_is_read_lazily_in_flat_memory(head: str, record: str) -> None:
    entries = urlset.read(Endless(head.encode(), record.encode()), base_url="https://example.com/")
    assert next(entries).loc == _RECORD
    for _ in itertools.islice(entries, 2_000):
        pass
    with memory_below(2 * MEBIBYTE):
        assert sum(1 for _ in itertools.islice(entries, 4_000)) == 4_000


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("from_", "head", "record"),
    [
        pytest.param("sitemap", f'<urlset xmlns="{NS}">', "<url><loc>nonsense</loc></url>\n", id="sitemap"),
        pytest.param("text", "", "nonsense\n", id="text"),
    ],
)
def test_endless_rejects_do_not_pile_up(from_: str, head: str, record: str) -> None:
    """Findings of one rule are kept up to ten thousand; then they are counted."""
    ledger = urlset.Ledger()
    with within(30):
        assert not list(urlset.read(head.encode() + record.encode() * 30_000, from_=from_, ledger=ledger))
    assert len(ledger.findings) < 10_100
    assert ledger.counts.rejected == 30_000


# --- too deep, too long, too many


@pytest.mark.untraced
@pytest.mark.parametrize("closed", [True, False])
def test_nesting_of_a_hundred_thousand(closed: bool) -> None:
    deep = "<a>" * 100_000 + ("</a>" * 100_000 if closed else "")
    with within(10), memory_below(100 * MEBIBYTE):
        found = attempt(sitemap(f"<loc>https://example.com/a</loc>{deep}", "<loc>https://example.com/b</loc>"))
    assert found.locs[-2:] == ["https://example.com/b", GOOD]
    assert "resource-limit" in found.rules
    assert found.exit == 1


@pytest.mark.untraced
def test_records_nested_a_hundred_thousand_times() -> None:
    with within(20):
        found = attempt(sitemap("<url>" * 100_000 + "</url>" * 100_000))
    assert found.locs == [GOOD]
    assert found.exit == 1


@pytest.mark.untraced
@every_dialect
def test_a_text_of_twenty_megabytes(document: Document, record: str) -> None:
    with within(20):
        found = attempt(document(record.replace("@", "a" * 20 * MEBIBYTE), record.replace("@", "b")))
    assert found.locs == ["https://example.com/b", GOOD]
    assert "resource-limit" in found.rules
    assert found.exit == 1


def long_line(opening: bytes, filling: bytes, closing: bytes) -> Endless | io.BytesIO:
    return io.BytesIO(opening + filling * (50 * MEBIBYTE // len(filling)) + closing)


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("from_", "opening", "filling", "good"),
    [
        pytest.param("text", b"https://example.com/", b"a", GOOD, id="text"),
        pytest.param("csv", b"loc,title\nhttps://example.com/", b"a", f"{GOOD},x", id="csv"),
        pytest.param("csv", b"loc,title\nhttps://example.com/,", b"a,", f"{GOOD},x", id="csv-cells"),
        pytest.param("jsonl", b'{"loc": "https://example.com/', b"a", json.dumps({"loc": GOOD}), id="jsonl"),
        pytest.param("jsonl", b'{"loc": ', b"[", json.dumps({"loc": GOOD}), id="jsonl-nested"),
        pytest.param("access-log", b"h - - ", b"[", f"{GOOD}", id="access-log"),
        pytest.param("robots", b"Sitemap: https://example.com/", b"a", f"Sitemap: {GOOD}", id="robots"),
    ],
)
def test_a_line_of_fifty_megabytes(from_: str, opening: bytes, filling: bytes, good: str) -> None:
    source = long_line(opening, filling, b"\n" + good.encode() + b"\n")
    with within(10):
        found = attempt(source, from_=from_, follow=False, base_url="https://example.com/")
    assert "resource-limit" in found.rules
    assert found.locs == ([] if from_ == "access-log" else [GOOD])
    assert found.exit >= 1


@pytest.mark.untraced
def test_a_quote_that_never_closes_costs_its_row() -> None:
    rows = "".join(f"https://example.com/{n},t\n" for n in range(20_000))
    with within(10):
        found = attempt(f'url,title\nhttps://example.com/x,"open\n{rows}'.encode())
    assert len(found.locs) == 20_000
    assert (found.rules, found.exit) == ({"csv-malformed"}, 1)


@pytest.mark.untraced
@pytest.mark.parametrize("cell", ['"', '""', 'a"', '" "', ',"', '"a",'])
def test_a_table_of_quotes(cell: str) -> None:
    with within(10):
        found = attempt(f"url,title\n{GOOD},x\n{cell * 200_000}\n{cell * 200_000}\n".encode(), from_="csv")
    assert found.locs[:1] == [GOOD]


@pytest.mark.untraced
def test_a_hundred_thousand_columns() -> None:
    names = ",".join(f"c{number}" for number in range(100_000))
    cells = ",".join("x" * 100_000)
    with within(10):
        found = attempt(f"url,{names}\n{GOOD},{cells}\n{GOOD},{cells},surplus\n".encode())
    assert (found.locs, found.rules, found.exit) == ([GOOD], {"row-width", "unknown-column"}, 1)


@pytest.mark.untraced
def test_a_hundred_thousand_columns_of_addresses() -> None:
    names = ",".join(f"url_{number}" for number in range(100_000))
    with within(10):
        found = attempt(f"{names}\n{','.join([GOOD] * 100_000)}\n".encode(), from_="csv")
    assert found.exit == 2
    assert len(str(found.error)) < 1_000


@pytest.mark.untraced
@pytest.mark.parametrize("nest", ["[", '{"a":', '{"loc":'])
def test_json_nested_a_hundred_thousand_times(nest: str) -> None:
    line = '{"loc": "https://example.com/a", "extra": ' + nest * 100_000
    with within(5):
        found = attempt(f"{json.dumps({'loc': GOOD})}\n{line}\n".encode())
    assert (found.locs, found.rules, found.exit) == ([GOOD], {"invalid-json"}, 1)


@pytest.mark.untraced
def test_json_numbers_of_a_hundred_thousand_digits() -> None:
    line = '{"loc": "https://example.com/a", "priority": ' + "9" * 100_000 + "}"
    with within(5):
        found = attempt(f"{json.dumps({'loc': GOOD})}\n{line}\n".encode())
    assert found.locs[0] == GOOD
    assert found.rules & {"invalid-json", "invalid-priority"}


def test_json_with_half_a_pair() -> None:
    found = attempt(b'{"loc": "https://example.com/\\ud800"}\n{"loc": "%s", "title": "\\udfff"}\n' % GOOD.encode())
    assert (found.locs, found.exit) == ([GOOD], 1)


MARKUP = [
    pytest.param("<", id="less-than"),
    pytest.param("&", id="ampersand"),
    pytest.param("&a", id="reference"),
    pytest.param("&#", id="number"),
    pytest.param("<a ", id="open-tag"),
    pytest.param("</a", id="open-end-tag"),
    pytest.param("</a>", id="end-tag"),
    pytest.param("<a/>", id="empty-tag"),
    pytest.param("<a b='", id="open-attribute"),
    pytest.param("<a b=“c", id="typographic"),
    pytest.param("<!", id="declaration"),
    pytest.param("<!--", id="comment"),
    pytest.param("<!-", id="half-comment"),
    pytest.param("<![CDATA[", id="cdata"),
    pytest.param("]]>", id="cdata-end"),
    pytest.param("<!DOCTYPE a [", id="doctype"),
    pytest.param("<!DOCTYPE a>", id="closed-doctype"),
    pytest.param("<!DOCTYPE a [<!ENTITY b 'c'>]>", id="entity"),
    pytest.param("<?", id="instruction"),
    pytest.param("<?a?>", id="closed-instruction"),
    pytest.param("<?xml", id="xml-declaration"),
    pytest.param("<url>", id="url"),
    pytest.param("<url><loc>", id="url-loc"),
    pytest.param("<loc>", id="loc"),
    pytest.param("</loc><loc>", id="loc-again"),
    pytest.param("<x:a>", id="unbound"),
    pytest.param("<a xmlns='b'>", id="namespaces"),
    pytest.param("\0", id="zero"),
    pytest.param("\ufffe", id="fffe"),
    pytest.param("\r", id="cr"),
]


@pytest.mark.untraced
@pytest.mark.parametrize("unit", MARKUP)
@pytest.mark.parametrize("place", ["in-loc", "in-record", "beside", "before"])
def test_markup_over_and_over(unit: str, place: str) -> None:
    flood = unit * (40_000 // len(unit))
    records = {
        "in-loc": sitemap(f"<loc>https://example.com/{flood}</loc>"),
        "in-record": sitemap(f"<loc>https://example.com/</loc>{flood}"),
        "beside": sitemap(f"<loc>https://example.com/</loc></url>{flood}<url>"),
        "before": sitemap(before=flood),
    }
    with within(5):
        attempt(records[place], from_="sitemap")
        attempt(records[place], from_="sitemap", strict=True)


@pytest.mark.untraced
def test_a_hundred_thousand_attributes() -> None:
    attributes = " ".join(f'a{number}="b"' for number in range(100_000))
    with within(1):
        found = attempt(sitemap(f"<loc {attributes}>https://example.com/a</loc>"))
    assert found.locs[-1] == GOOD


@pytest.mark.untraced
@pytest.mark.parametrize("name", ["q", "p{0}:q"])
def test_thousands_of_namespaces_in_a_foreign_element(name: str) -> None:
    declared = "xmlns:p{0}" if ":" in name else "xmlns"
    inner = "".join(f'<{name} {declared}="u{{0}}"/>'.format(number) for number in range(16_000))
    with within(1):
        found = attempt(sitemap(f'<loc>https://example.com/a</loc><z:z xmlns:z="urn:z">{inner}</z:z>'))
    assert found.locs == ["https://example.com/a", GOOD]


@pytest.mark.untraced
def test_a_hundred_thousand_namespaces() -> None:
    declared = " ".join(f'xmlns:a{number}="urn:{number}"' for number in range(100_000))
    records = [f"<loc>https://example.com/{number}</loc>" for number in range(50)]
    with within(10):
        found = attempt(sitemap(f"<loc {declared}>https://example.com/a</loc>", *records))
    assert found.locs[-51:] == [*(f"https://example.com/{number}" for number in range(50)), GOOD]


# --- lists of lists


def index(*locs: str) -> bytes:
    body = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
    return f'<sitemapindex xmlns="{NS}">\n{body}</sitemapindex>'.encode()


@pytest.mark.untraced
def test_an_index_that_lists_itself() -> None:
    home = "https://example.com/index.xml"
    served = {home: index(home, "HTTPS://EXAMPLE.com:443/index.xml", "https://example.com/a.xml")}
    served["https://example.com/a.xml"] = sitemap()
    with within(2):
        found = attempt(home, fetch=served.__getitem__)
    assert (found.locs, found.rules, found.exit) == ([GOOD], {"sitemap-cycle"}, 0)


def test_an_index_that_lists_nothing_but_itself() -> None:
    home = "https://example.com/index.xml"
    found = attempt(home, fetch={home: index(home)}.__getitem__)
    assert found.exit == 2
    assert "sitemap-cycle" in found.rules


@pytest.mark.untraced
def test_indexes_that_list_one_another_for_ever() -> None:
    asked = itertools.count()

    def fetch(address: str) -> bytes:
        return index(f"https://example.com/{next(asked)}.xml", f"https://example.com/{next(asked)}.xml")

    with within(5):
        found = attempt("https://example.com/index.xml", fetch=fetch)
    assert found.exit == 2
    assert {"nested-sitemap-index", "depth-limit"} <= found.rules
    assert next(asked) < 1_000


@pytest.mark.untraced
def test_ten_thousand_children_that_are_missing() -> None:
    locs = [f"https://example.com/{number}.xml" for number in range(10_000)]
    with within(20):
        found = attempt(index(*locs, "https://example.com/here.xml"), fetch=only_here)
    assert (found.locs, found.rules, found.exit) == ([GOOD], {"child-unavailable"}, 1)
    assert sum(one.count for one in found.ledger.findings) == 10_000


def only_here(address: str) -> bytes:
    return sitemap() if address.endswith("here.xml") else nothing_there(address)


@pytest.mark.untraced
def test_a_robots_txt_that_lists_itself() -> None:
    home = "https://example.com/robots.txt"
    served = {home: f"Sitemap: {home}\nSitemap: https://example.com/a.xml\n".encode()}
    served["https://example.com/a.xml"] = sitemap()
    with within(2):
        found = attempt(home, fetch=served.__getitem__)
    assert (found.locs, found.rules, found.exit) == ([GOOD], {"sitemap-cycle"}, 0)


def test_a_child_that_lies_outside_the_folder(tmp_path: Path, secret: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.xml").write_bytes(
        index(*(f"https://example.com/{path}" for path in ("../passwd", "%2e%2e%2fpasswd", "..%5cpasswd", "..", "%00")))
    )
    found = attempt(folder / "index.xml")
    assert SECRET not in found.said
    assert (found.locs, found.exit) == ([], 2)
    assert "child-unavailable" in found.rules


# --- addresses

UNITS = (
    "a", "%", "%4", "%41", "%25", "/", "/..", "/.", "?", "&", "&amp;", "é", "\U0001f600", ":", "@", "[", "]", "#", "=",
    " ", "\\", "\u202e", "a.", "xn--", "1.", "-",
)  # fmt: skip
MEGABYTE_ADDRESSES = [
    *(("https://example.com/", unit) for unit in UNITS),
    *(("https://", unit) for unit in ("a", "%41", "a.", "1.", "-", ":", "@", "[", "é")),
    *(("https://a@", unit) for unit in ("a", "@", "é")),
    *(("https://example.com:", unit) for unit in ("1", ":", "é")),
]


@pytest.mark.untraced
@pytest.mark.parametrize(("before", "unit"), MEGABYTE_ADDRESSES)
def test_an_address_of_a_megabyte(before: str, unit: str) -> None:
    address = before + unit * (1_000_000 // len(unit))
    with within(10):
        found = attempt(f"{GOOD}\n{address}\n".encode(), from_="text", to="sitemap", dedupe="first")
    assert found.ledger.counts.read == 2
    if unit == " ":
        assert (found.rules, found.exit) == (set(), 0)
    else:
        assert found.rules & {"loc-too-long", "invalid-host", "not-absolute"}
        assert found.exit == 1
    assert len(found.said) < 50_000


HOSTS = [
    pytest.param("ａ" * 100_000, id="full-width"),
    pytest.param("ü" * 100_000, id="one-label"),
    pytest.param("ü." * 50_000, id="labels"),
    pytest.param("\u0345\u0301" * 50_000, id="combining"),
    pytest.param("ﷺ" * 30_000, id="long-mapping"),
    pytest.param("\u1100" * 60 + "\u1161", id="jamo"),
    pytest.param("۰" * 1_000 + "a", id="digits"),
    pytest.param("\u200d" * 1_000, id="joiners"),
    pytest.param("א" * 500 + "a", id="directions"),
]


@pytest.mark.untraced
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("to", ["jsonl", "sitemap"])
def test_a_host_that_idna_would_choke_on(host: str, to: str) -> None:
    lines_ = "".join(f"https://{host}/{number}\n" for number in range(20))
    with within(5):
        found = attempt(f"{GOOD}\n{lines_}".encode(), from_="text", to=to, dedupe="first")
    assert "invalid-host" in found.rules
    assert (found.ledger.counts.rejected, found.exit) == (20, 1)


@pytest.mark.untraced
def test_a_host_name_that_is_too_long_is_remarked_on() -> None:
    with within(5):
        found = attempt(f"https://xn--{'a' * 100_000}/\n".encode(), to="sitemap")
    assert (found.rules, found.exit) == ({"unusual-host", "loc-too-long"}, 1)


# --- what a document smuggles into the output


@pytest.mark.parametrize(
    "piece",
    [
        "<a/b.example>", "<a", "a", "<a></b>", "<a/><b/>", "</url><url>", "<!-- x", "<?xml version='1.0'?><a/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<x:a/>", "<loc>https://evil.example/</loc>", "<a>\u0001</a>", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["extra", "videos"])
def test_a_foreign_piece_is_one_element_or_is_left_out(piece: str, where: str) -> None:
    value: object = [piece] if where == "extra" else [{"title": "t", "extra": [piece]}]
    record = {"loc": "https://example.com/a", where: value}
    found = attempt(f"{json.dumps({'loc': GOOD})}\n{json.dumps(record)}\n".encode(), to="sitemap")
    assert (found.rules, found.ledger.counts.written, found.exit) == ({"invalid-json"}, 2, 0)
