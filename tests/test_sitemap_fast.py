"""The fast lane gives what the other lanes give: entries, findings, lines and rejects."""

from __future__ import annotations

import gzip
from itertools import islice
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.formats import registry
from urlset.formats.vocabulary import batches
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import StrictError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import sitemap_fast

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
LOCATION = f'xsi:schemaLocation="{SPACE[7:-1]} {SPACE[7:-1]}/sitemap.xsd"'

Outcome = tuple[list[tuple[Any, ...]], list[Any], list[Reject], Any, str | None]


def outcome(document: bytes, fast: bool, **options: Any) -> tuple[Outcome, int]:
    """Everything that reading a document tells, and how many records the fast lane read."""
    rejects: list[Reject] = []
    ledger = Ledger(strict=options.pop("strict", False), rejects=rejects.append)
    account = ledger.open("s.xml")
    name = options.pop("name", "sitemap")
    with pytest.MonkeyPatch.context() as patch:
        taken = [0]
        whole = sitemap_fast.FastLane.batches

        def some_batches(self: sitemap_fast.FastLane) -> Any:
            yield from whole(self) if fast else ()
            taken[0] = self.taken

        patch.setattr(sitemap_fast.FastLane, "batches", some_batches)
        patch.setattr(sitemap_fast, "BLOCK", options.pop("block", 1 << 14))
        patch.setattr(batches, "SIZE", options.pop("at_once", 128))
        read = registry().reader(name).read
        assert read is not None
        entries, failure, remark = [], None, options.get("remark")
        try:
            for entry in read(Source.from_bytes(document, "s.xml"), account, ReadOptions(**options)):
                assert entry.origin is not None
                precision = entry.lastmod and entry.lastmod.precision
                # Only remarks need the lines of fields; who has them without being asked depends on the way.
                lines = {name: line for name, line in entry.origin.lines.items() if name != "loc"}
                entries.append((entry, entry.origin.line, lines if remark else {}, precision))
        except StrictError as error:
            failure = str(error)
    return (entries, ledger.findings, rejects, ledger.counts, failure), taken[0]


def alike(document: str | bytes, **options: Any) -> int:
    """Check that both ways tell the same; the number of records that the fast lane read."""
    data = document if isinstance(document, bytes) else document.encode("utf-8", "surrogatepass")
    quick, taken = outcome(data, True, **options)
    slow, _ = outcome(data, False, **options)
    assert quick == slow
    return taken


def record(*fields: str, layout: tuple[str, str, str] = ("\n", "", "")) -> str:
    before, inside, end = layout
    return f"{before}<url>{''.join(inside + one for one in fields)}{end}</url>"


def sitemap(
    *records: str, root: str = f"<urlset {SPACE}>", head: str = '<?xml version="1.0" encoding="UTF-8"?>\n'
) -> str:
    return f"{head}{root}{''.join(records)}\n</urlset>\n"


def loc(address: str) -> str:
    return f"<loc>{address}</loc>"


STYLE = '<?xml-stylesheet type="text/xsl" href="//e.com/a.xsl"?>'
PLAIN = [record(loc(f"https://example.com/{n}"), "<lastmod>2024-05-06</lastmod>") for n in range(5)]


@pytest.mark.parametrize(
    "document",
    [
        sitemap(*PLAIN),
        sitemap(*PLAIN, head=""),
        sitemap(*PLAIN, head="\ufeff<?xml version='1.0'?>"),
        sitemap(*PLAIN, head=f'<?xml version="1.0"?>{STYLE}\n<!-- made - by us -->'),
        sitemap(*PLAIN, root=f"<urlset {XSI}\n  {LOCATION}\n  {SPACE}>"),
        sitemap(*PLAIN, root="<urlset>"),
        sitemap(*PLAIN, root='<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/">'),
        sitemap(*PLAIN).replace("\n", "\r\n"),
        sitemap(*PLAIN).replace("\n", ""),
        sitemap(*(record(loc(f"https://example.com/{n}"), layout=("\n  ", "\n    ", "\n  ")) for n in range(4))),
        sitemap(record("<priority>0.5</priority>", loc("https://example.com/a")), *PLAIN[:0]),
        sitemap(*(record(loc(f"https://example.com/?a={n}&amp;b=é"), "<priority>0.64</priority>") for n in range(4))),
    ],
)
def test_sitemaps_as_they_are_written_are_read_by_it_to_the_end(document: str) -> None:
    assert alike(document) == document.count("<url>")


@pytest.mark.parametrize("block", [400, 1 << 14])
def test_records_may_lack_a_field_or_have_one_that_the_first_has_not(block: int) -> None:
    fields = ("<lastmod>2024-05-06</lastmod>", "<changefreq>daily</changefreq>", "<priority>0.5</priority>")
    chosen = [(0, 1), (0, 1), (0,), (0, 1), (), (0, 1, 2), (2,), (0, 1), (1,), (0, 1)]
    some = [
        record(loc(f"https://example.com/{n}?a&amp;b"), *(fields[place] for place in places))
        for n, places in enumerate(chosen * 3)
    ]
    assert alike(sitemap(*some), block=block) == len(some)
    assert alike(sitemap(*some), block=block, remark=True) == len(some)
    assert alike(sitemap(*some, record(loc("https://example.com/x"), fields[2], fields[0]), *some), block=block) == 30


@pytest.mark.parametrize("address", ["https://example.com/?a&lt;b", "https://example.com/?a&amp;lt;b", "&amp;"])
def test_references_among_escaped_ampersands(address: str) -> None:
    some = [record(loc(f"https://example.com/?n={n}&amp;m")) for n in range(40)]
    assert alike(sitemap(*some, record(loc(address)), *some)) == 81


@pytest.mark.parametrize("layout", [("\n", "\n", "\n"), ("\n  ", "\n\n", ""), ("\n", "", "")])
def test_lines_where_fields_stand_before_the_loc(layout: tuple[str, str, str]) -> None:
    before = ("<lastmod>2024-05-06</lastmod>", "<priority>0.5</priority>")
    some = [
        record(*before[: n % 3], loc(f"https://example.com/{n}"), "<changefreq>daily</changefreq>", layout=layout)
        for n in (2, 2, 1, 0, 2, 1, 1, 0, 2)
    ]
    assert alike(sitemap(*some)) == len(some)


@pytest.mark.parametrize(
    "declaration",
    [
        "version=\"1.0'",
        "version='1.0\"",
        'version="1.0" encoding="UTF-8\'',
        "version='1.0' standalone='yes\"",
        'version="1.0" encoding="-x"',
        'version="1.0" encoding="8"',
    ],
)
def test_a_declaration_that_is_none_is_left_to_the_others(declaration: str) -> None:
    assert alike(sitemap(*PLAIN, head=f"<?xml {declaration}?>\n")) == 0


def test_a_record_of_another_layout_is_left_to_the_others_with_all_that_follow() -> None:
    assert alike(sitemap(*PLAIN, record(loc("https://example.com/x"), layout=(" ", "", "")), *PLAIN)) == 5
    assert alike(sitemap(*PLAIN, "<!-- half -->", *PLAIN)) == 5
    assert alike(sitemap(*PLAIN, record(loc("https://example.com/x"), "<image/>"), *PLAIN)) == 5
    assert alike(sitemap(*PLAIN) + "<p/>") == 5


@pytest.mark.parametrize(
    "root",
    [
        f'<urlset {SPACE} xmlns:xml="http://www.w3.org/XML/1998/namespace">',
        f"<urlset {SPACE} {LOCATION}>",  # its prefix is not declared
        f"<urlset {SPACE} {SPACE}>",
        f'<urlset {SPACE} version="1">',
        f'<s:urlset xmlns:s="{SPACE[7:-1]}">',
        f'<urlset {SPACE} xmlns:a="http://www.w3.org/XML/1998/namespace">',
        f'<urlset {SPACE} xmlns:a="http://www.w3.org/2000/xmlns/">',
        '<urlset xmlns="http://www.w3.org/XML/1998/namespace">',
        '<urlset xmlns="http://www.w3.org/2000/xmlns/">',
        '<urlset xmlns="">',
        '<urlset xmlns="sitemap">',
        f"<urlset {SPACE} >\n<urlset>",
    ],
)
def test_an_unusual_root_is_left_to_the_others(root: str) -> None:
    assert alike(sitemap(*PLAIN, root=root)) == 0


@pytest.mark.parametrize(
    "field",
    [
        "<lastmod>2024-02-29</lastmod>",
        "<lastmod>2023-02-29</lastmod>",
        "<lastmod>2024-05-06T07:08Z</lastmod>",
        "<lastmod>2024-05-06T07:08:09.500-00:00</lastmod>",
        "<lastmod>2024</lastmod>",
        "<lastmod>0001-01-01</lastmod>",
        "<lastmod>yesterday</lastmod>",
        "<lastmod>2024-05-06T07:08:09</lastmod>",
        "<lastmod>\n2024-05-06\n</lastmod>",
        "<changefreq>Daily</changefreq>",
        "<changefreq>sometimes</changefreq>",
        "<priority>2</priority>",
        "<priority>0,5</priority>",
        "<priority>1</priority>",
    ],
)
@pytest.mark.parametrize("remark", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_an_odd_value_is_met_where_it_stands(field: str, remark: bool, strict: bool) -> None:
    odd = record(loc("https://example.com/odd"), field, layout=("\n ", "\n  ", "\n "))
    usual = [record(loc(f"https://example.com/{n}"), layout=("\n ", "\n  ", "\n ")) for n in range(20)]
    taken = alike(sitemap(*usual, odd, *usual), remark=remark, strict=strict)
    assert strict or taken == 41


@pytest.mark.parametrize(
    "address",
    [
        "/relative",
        "ftp://example.com/",
        "",
        " https://example.com/ ",
        "https://example.com/ü?a=%20#x",
        "https://example.com/&lt;",
        "https://a.example/;",
        "https://example.com/" + "x" * 2_100,
        "https://example.com/\nhttps://example.com/",
        "mailto:a@b",
    ],
)
@pytest.mark.parametrize("remark", [False, True])
def test_an_odd_address_is_met_where_it_stands(address: str, remark: bool) -> None:
    usual = [record(loc(f"https://example.com/{n}")) for n in range(9)]
    assert alike(sitemap(*usual, record(loc(address)), *usual), remark=remark) == 19


@pytest.mark.parametrize(
    "text", ["https://e.com/?a=1&b=2", "https://e.com/&eacute;", "https://e.com/\x01", "a]]>b", "&#65;"]
)
def test_what_needs_a_parser_is_left_to_one(text: str) -> None:
    assert alike(sitemap(*PLAIN, record(loc(text), "<lastmod>2024-05-06</lastmod>"), *PLAIN)) == 5


def test_bytes_that_are_not_utf8_are_left_to_the_others() -> None:
    assert alike(sitemap(*PLAIN, record(loc("https://example.com/ß")), *PLAIN).encode("latin-1")) in (0, 5)
    assert alike(sitemap(*PLAIN).encode("utf-16")) == 0
    alike(sitemap(*PLAIN).encode() + b"\xc3")


def test_a_document_that_is_cut_off() -> None:
    whole = sitemap(*PLAIN)
    for end in range(len(whole)):
        alike(whole[:end], block=64, at_once=2)


@pytest.mark.parametrize(
    "root", [f"<urlset {SPACE}>", f'<urlset {SPACE} xml:space="default">', f"<urlset {SPACE}><!-- x -->"]
)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", ["sitemap", "rss"])
def test_packed_data_that_are_cut_off(root: str, strict: bool, name: str) -> None:
    items = "".join(f"<item><link>https://example.com/{n}</link></item>" for n in range(3_000))
    feed = f'<rss version="2.0"><channel>{root if "!" in root else ""}{items}</channel></rss>'
    whole = gzip.compress((feed if name == "rss" else sitemap(*PLAIN * 9, root=root)).encode(), mtime=0)
    for cut in (4, 12, 40):
        alike(whole[:-cut], strict=strict, name="sitemap" if name == "sitemap" else name)


def test_an_index_has_no_changefreq() -> None:
    children = [f"\n<sitemap>{loc(f'https://example.com/{n}.xml')}</sitemap>" for n in range(9)]
    odd = f"\n<sitemap>{loc('https://example.com/x.xml')}<priority>0.5</priority></sitemap>"
    document = f"<sitemapindex {SPACE}>{''.join([*children, odd, *children])}</sitemapindex>"
    assert alike(document, name="sitemap-index") == 19


def test_records_that_all_need_a_closer_look_are_not_looked_at_twice_for_long() -> None:
    taken = alike(sitemap(*[record(loc(f"https://example.com/{n}"), "<priority>5</priority>") for n in range(300)]))
    assert 1 <= taken < 30


def test_whoever_stops_early_has_read_no_more() -> None:
    ledger = Ledger()
    read = registry().reader("sitemap").read
    assert read is not None
    source = Source.from_bytes(sitemap(*PLAIN).encode())
    entries = read(source, ledger.open("s"), ReadOptions())
    assert len(list(islice(entries, 3))) == 3
    del entries
    assert ledger.counts.read == 3


def test_columns_take_what_is_left_of_a_batch() -> None:
    core = batches.columns_of([Entry(loc=f"https://example.com/{n}") for n in range(300)])
    assert core is not None
    batch = batches.Batch(core._replace(held=None))
    assert (next(iter(batch)).loc, batch.left) == ("https://example.com/0", 299)
    assert (batch.columns() is not None, batch.left, [*batch]) == (True, 0, [])


@pytest.mark.parametrize("number", [1, 128, 129, 300])
def test_whoever_takes_a_part_of_a_batch_has_read_no_more(number: int) -> None:
    ledger = Ledger()
    read = registry().reader("sitemap").batches
    assert read is not None
    records = [record(loc(f"https://example.com/{n}")) for n in range(400)]
    some = read(Source.from_bytes(sitemap(*records).encode()), ledger.open("s"), ReadOptions())
    taken = [*islice((entry for batch in some for entry in batch), number)]
    del some
    assert [entry.loc for entry in taken] == [f"https://example.com/{n}" for n in range(number)]
    assert ledger.counts.read == number


# --- at random

_LAYOUTS = [("\n", "", ""), ("\n  ", "\n    ", "\n  "), ("", "", ""), ("\n\n", "\n", " "), (" ", "\t", "\n")]
_LOCS = [
    "https://example.com/",
    "https://example.com/a?b=1&amp;c=2",
    "https://example.com/ü",
    "http://other.example/x",
    "/relative",
    "",
    "https://example.com/?a&b",
    "https://example.com/%zz",
    "\n  https://example.com/padded\n",
]
_FIELDS = {
    "lastmod": [
        "2024-05-06",
        "2024-05-06T07:08:09Z",
        "2024-05-06T07:08:09.123+02:00",
        "2024-13-01",
        "1970-01-01",
        "",
        " 2024-05-06",
    ],
    "changefreq": ["daily", "never", "Daily", "x"],
    "priority": ["0.5", "1.0", "0.55", "7", "-0.1"],
}


@st.composite
def records(draw: st.DrawFn, layout: tuple[str, str, str]) -> str:
    names = draw(st.lists(st.sampled_from(sorted(_FIELDS)), unique=True, max_size=3).map(sorted))
    if draw(st.integers(0, 9)) == 0:
        names.reverse()
    usual = draw(st.booleans())
    values = {name: _FIELDS[name][0] if usual else draw(st.sampled_from(_FIELDS[name])) for name in names}
    address = _LOCS[0] if usual else draw(st.sampled_from(_LOCS))
    order = {"lastmod": 0, "changefreq": 1, "priority": 2}
    chosen = sorted(names, key=order.__getitem__) if draw(st.integers(0, 9)) else names
    return record(loc(address), *(f"<{name}>{values[name]}</{name}>" for name in chosen), layout=layout)


@st.composite
def documents(draw: st.DrawFn) -> str:
    layout = draw(st.sampled_from(_LAYOUTS))
    text = sitemap(
        *draw(st.lists(records(layout), min_size=1, max_size=12)),
        root=draw(st.sampled_from([f"<urlset {SPACE}>", f"<urlset\n {XSI} {SPACE} {LOCATION}>", "<urlset>"])),
    )
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 6))
        piece = draw(
            st.sampled_from(
                ["", "<", "&", "]]>", "<!-- -->", "</url>", "<url>", "\r", "\r\n", "\x00", "é", "<loc>", "x", " ", "\n"]
            )
        )
        text = text[:place] + piece + text[place + cut :]
    return text


@given(documents(), st.sampled_from([16, 64, 200, 1 << 14]), st.sampled_from([1, 2, 128]), st.booleans(), st.booleans())
@example(sitemap("", root="<urlset>"), 64, 2, True, False)
@example(sitemap("", root=f"<urlset {XSI.replace('www', 'ww')} {SPACE} {LOCATION}>"), 1 << 14, 1, False, False)
def test_it_tells_what_the_others_tell(document: str, block: int, at_once: int, remark: bool, strict: bool) -> None:
    alike(document, block=block, at_once=at_once, remark=remark, strict=strict)
