from __future__ import annotations

import bz2
import gzip
import io
import os
import re
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlset
from urlset.converters import excerpts as module
from urlset.converters.excerpts import excerpts
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.source import Source

NAME = "<bytes>"


def at(line: int | None, column: int | None = None, value: str | None = None, source: str | None = NAME) -> Finding:
    return Finding("not-a-url", "warning", "a message", source, line, column, value)


def line_of(data: bytes, one: Finding, **options: Any) -> str | None:
    return excerpts([one], {NAME: data}, **options).get((NAME, one.line or 0))


# --- which line


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\nb\nc", ["a", "b", "c"]),
        (b"a\r\nb\r\nc\r\n", ["a", "b", "c", None]),
        (b"a\rb\rc\r", ["a", "b", "c", None]),
        (b"a\n\rb\r\n\nc", ["a", "", "b", "", "c"]),
        (b"\n\n", ["", "", None]),
        (b"\r\n", ["", None]),
        (b"", [None]),
        ("a\x0bb\x0cc\x1cd\u0085e\u2028f".encode(), [r"a\x0bb\x0cc\x1cd\x85e\u2028f", None]),  # no line ends, here
    ],
    ids=repr,
)
@pytest.mark.parametrize("chunk", [1, 2, 3, 1 << 16])
def test_lines_end_with_lf_crlf_and_cr(
    monkeypatch: pytest.MonkeyPatch, data: bytes, lines: list[str | None], chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    found = excerpts([at(number) for number in range(1, len(lines) + 1)], {NAME: data})
    assert [found.get((NAME, number)) for number in range(1, len(lines) + 1)] == lines


@pytest.mark.parametrize("line", [None, 0, -1, 4, 10**9])
def test_lines_that_are_not_there(line: int | None) -> None:
    assert excerpts([at(line)], {NAME: b"a\nb\nc"}) == {}


@pytest.mark.parametrize(
    "data",
    [
        "https://example.com/ü\n/no\n".encode(),
        "\ufeffhttps://example.com/ü\n/no\n".encode(),
        "\ufeffhttps://example.com/ü\n/no\n".encode("utf-16-le"),
        "\ufeffhttps://example.com/ü\r\n/no\r\n".encode("utf-16-be"),
        "https://example.com/ü\r/no\r".encode("utf-32-le"),
        "https://example.com/ü\n/no\n".encode("cp1252"),
        gzip.compress("https://example.com/ü\n/no\n".encode(), mtime=0),
        gzip.compress(gzip.compress("https://example.com/ü\n/no\n".encode(), mtime=0), mtime=0),
        gzip.compress("https://example.com/ü\n/no\n".encode(), mtime=0)[:-4],
    ],
)
def test_encodings_and_gzip(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(data)
    name = str(path)
    assert excerpts([at(2, source=name), at(1, source=name)]) == {(name, 1): "https://example.com/ü", (name, 2): "/no"}


def test_declared_and_asked_encoding() -> None:
    declared = '<?xml version="1.0" encoding="koi8-r"?>\n<loc>https://example.com/я</loc>'.encode("koi8-r")
    assert line_of(declared, at(2)) == "<loc>https://example.com/я</loc>"
    assert line_of("https://example.com/я".encode("cp1251"), at(1), encoding="cp1251") == "https://example.com/я"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    "text",
    [
        # the strict lane, the repair lane, text, a table
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n\n<url><loc>\nHERE/a</loc></url>\n</urlset>\n',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url>\n<loc>HERE/?a=1&b=2</loc></url>\n</urlset>',
        "https://example.com/\n\n\nHERE/a\n",
        "url,lastmod\nhttps://example.com/,\nHERE/a,\n",
    ],
)
def test_readers_and_excerpts_count_alike(tmp_path: Path, text: str, encoding: str, end: str) -> None:
    path = tmp_path / "source"
    path.write_bytes(text.replace("\n", end).replace("HERE", "ftp://example.com").encode(encoding))
    ledger = urlset.Ledger()
    urlset.validate(path, ledger=ledger)
    (one,) = (one for one in ledger.findings if one.rule == "unsupported-scheme")
    shown = excerpts([one])[str(path), one.line or 0]
    # A reader of XML names the line of the element, its text may begin on the next one.
    assert "ftp://example.com" in shown or shown.endswith("<loc>")


# --- what there is no excerpt of


def test_what_can_not_be_read_has_none(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "archive.xml.gz").write_bytes(bz2.compress(b"a\nb\n"))
    (tmp_path / "picture.xml").write_bytes(b"\x89PNG\r\n\x1a\n\nb\n")
    (tmp_path / "loop").symlink_to("loop")
    names = ["gone.xml", "folder", "archive.xml.gz", "picture.xml", "loop", "a\0b", "\ud800", "n" * 5000]
    paths = [str(tmp_path / name) for name in names]
    assert excerpts(at(1, source=path) for path in [*paths, "", "-", "<stdin>", "<bytes>"]) == {}
    assert excerpts([at(1, source=None)]) == {}


def test_a_file_that_may_not_be_read_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n")

    def refused(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    assert excerpts([at(1, source=str(path))]) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    assert excerpts([at(1, source=pipe)], {"<stdin>": pipe}) == {}


def test_addresses_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "https:" / "example.com").mkdir(parents=True)
    (tmp_path / "https:" / "example.com" / "a.txt").write_bytes(b"no such thing")
    address = "https://example.com/a.txt"
    assert excerpts([at(1, source=address)]) == {}
    assert excerpts([at(1)], {NAME: address}) == {}
    assert excerpts([at(1, source=address)], {address: b"fetched before"}) == {(address, 1): "fetched before"}


def test_one_file_that_is_gone_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"b\n")
    gone, there = str(tmp_path / "a.txt"), str(tmp_path / "b.txt")
    assert excerpts([at(1, source=gone), at(1, source=there)]) == {(there, 1): "b"}


# --- sources that are no files


@pytest.mark.parametrize("kind", ["bytes", "stream", "pipe", "source", "path"])
def test_sources_by_name(tmp_path: Path, kind: str) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    path = tmp_path / "a.txt"
    path.write_bytes(b"a\nb\n")
    things: dict[str, Any] = {
        "bytes": b"a\nb\n",
        "stream": io.BytesIO(b"a\nb\n"),
        "pipe": Pipe(b"a\nb\n"),
        "source": Source.from_bytes(b"a\nb\n"),
        "path": path,
    }
    assert excerpts([at(2)], {NAME: things[kind]}) == {(NAME, 2): "b"}


def test_a_stream_of_the_caller_is_put_back() -> None:
    stream = io.BytesIO(b"0123a\nb\n")
    stream.seek(4)
    assert excerpts([at(1)], {NAME: stream}) == {(NAME, 1): "a"}
    assert stream.tell() == 4


# --- how a line is cut

DIGITS = "".join(str(place % 10) for place in range(100))


@pytest.mark.parametrize(
    ("one", "width", "shown"),
    [
        (at(1), 100, DIGITS),
        (at(1), 10, "012345678…"),
        (at(1, 1), 10, "012345678…"),
        (at(1, 4), 10, "012345678…"),
        (at(1, 5), 10, "…23456789…"),
        (at(1, 51), 10, "…89012345…"),
        (at(1, 93), 10, "…01234567…"),
        (at(1, 94), 10, "…123456789"),
        (at(1, 100), 10, "…123456789"),
        (at(1, 101), 10, "…123456789"),
        (at(1, 102), 10, "012345678…"),  # no such column: the line is another now
        (at(1, 51), 3, "…0…"),
        (at(1, 51), 0, "…0…"),
        (at(1, None, "90123"), 10, "…78901234…"),
        (at(1, None, "  90123\n4"), 10, "…78901234…"),
        (at(1, None, "absent"), 10, "012345678…"),
        (at(1, None, " \n "), 10, "012345678…"),
        (at(1, 51, "90123"), 10, "…89012345…"),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 1 << 16])
def test_a_long_line_is_cut_round_its_place(
    monkeypatch: pytest.MonkeyPatch, one: Finding, width: int, shown: str, chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    assert line_of(DIGITS.encode(), one, width=width) == shown
    assert line_of(b"first\n" + DIGITS.encode() + b"\r\nlast", at(2, one.column, one.value), width=width) == shown


def test_a_value_is_found_where_xml_escapes_it() -> None:
    line = f"<loc>{'-' * 200}https://example.com/?a=1&amp;b=2{'-' * 200}</loc>"
    shown = line_of(line.encode(), at(1, None, "https://example.com/?a=1&b=2"), width=60)
    assert shown is not None
    assert "https://example.com/?a=1&amp;b=2" in shown


def test_a_value_longer_than_the_width_is_found_by_its_beginning() -> None:
    value = "https://example.com/" + "a" * 1000
    shown = line_of(f"{'-' * 200}{value}".encode(), at(1, None, value[:500]), width=40)
    assert shown == "…" + "-" * 12 + "https://example.com/" + "a" * 6 + "…"


def test_the_first_finding_of_a_line_says_where_it_is_cut() -> None:
    found = excerpts([at(1, 51), at(1, 1)], {NAME: DIGITS.encode()}, width=10)
    assert found == {(NAME, 1): "…89012345…"}


def test_tabs_and_what_can_not_be_shown() -> None:
    line = "a\tb\0c\x1b[31md\x7fe\x9bf\u202eg\u2028h"
    assert line_of(line.encode(), at(1)) == r"a b\x00c\x1b[31md\x7fe\x9bf\u202eg\u2028h"


characters = st.text(st.sampled_from("ab1é😀<&>\t\r\n\0\u2028"), max_size=60)


def expected(text: str, one: Finding, width: int) -> str | None:
    """The same by holding everything."""
    lines = re.split(r"\r\n|\r|\n", text)
    if lines[-1] == "":
        lines.pop()
    if one.line is None or one.line > len(lines):
        return None
    line, place = lines[one.line - 1], (one.column or 1) - 1
    start = 0 if place > len(line) else max(0, min(place - width // 3, len(line) - width))
    part = list(line[start : start + width])
    if start > 0:
        part[0] = "…"
    if start + width < len(line):
        part[-1] = "…"
    return "".join(part).replace("\t", " ").replace("\0", r"\x00").replace("\u2028", r"\u2028")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(characters, st.integers(1, 12), st.none() | st.integers(1, 70), st.integers(3, 40), st.integers(1, 9))
def test_reading_in_pieces_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, text: str, line: int, column: int | None, width: int, chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    one = at(line, column)
    assert line_of(text.encode(), one, width=width, encoding="utf-8") == expected(text, one, width)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("ab<&", max_size=80), st.text("ab<&", min_size=1, max_size=8), st.integers(30, 50), st.integers(1, 9))
def test_a_value_that_stands_there_is_shown(
    monkeypatch: pytest.MonkeyPatch, before: str, value: str, width: int, chunk: int
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    shown = line_of(f"{before}{value}{before}".encode(), at(1, None, value), width=width, encoding="utf-8")
    assert shown is not None
    assert value in shown
    assert len(shown) <= width


@settings(deadline=None)
@given(st.binary(max_size=200), st.lists(st.tuples(st.integers(-1, 9), st.none() | st.integers(-1, 300))))
def test_no_bytes_raise(data: bytes, places: list[tuple[int, int | None]]) -> None:
    for shown in excerpts([at(line, column) for line, column in places], {NAME: data}, width=20).values():
        assert shown.isprintable() or all(char.isprintable() or ord(char) > 0x9F for char in shown)


# --- how much is read and held


class Counted(io.RawIOBase):
    """A file of so many equal lines that counts what is read of it."""

    def __init__(self, line: bytes, lines: int) -> None:
        self._line, self._left = line, lines
        self.taken = 0

    def read(self, size: int = -1, /) -> bytes:
        number = min(self._left, max(1, size // len(self._line)))
        self._left -= number
        self.taken += number * len(self._line)
        return self._line * number

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return 0

    def seek(self, *_: int) -> int:
        return 0


def test_a_file_is_read_no_further_than_needed() -> None:
    file = Counted(b"https://example.com/\n", 10_000_000)
    found = excerpts([at(50_000), at(3), at(10_000)], {NAME: file})
    assert set(found.values()) == {"https://example.com/"}
    assert len(found) == 3
    assert file.taken < 50_000 * 21 + 1_000_000


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n" * 1000)
    opened: list[Path] = []
    plain = Path.open

    def counting(self: Path, *arguments: Any, **options: Any) -> Any:
        opened.append(self)
        return plain(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", counting)
    assert len(excerpts([at(line, source=str(path)) for line in range(1000, 0, -1)])) == 1000
    assert opened == [path]


def peak(findings: Iterable[Finding], file: Counted) -> int:
    tracemalloc.start()
    try:
        assert excerpts(findings, {NAME: file})
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("line", "one"),
    [
        (b"<url><loc>https://example.com/</loc></url>", at(1, 30_000_000)),
        (b"<url><loc>https://example.com/</loc></url>", at(1, None, "absent")),
        (b"<url><loc>https://example.com/</loc></url>", at(1)),
        (b"https://example.com/\n", at(1_500_000)),
    ],
)
def test_memory_is_flat(line: bytes, one: Finding) -> None:
    assert peak([one], Counted(line, 32_000_000 // len(line))) < 3_000_000
