from __future__ import annotations

import codecs
import io
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.vocabulary.decode import (
    Encoding,
    LineCounter,
    TextReader,
    declared_encoding,
    iter_lines,
    normalise_newlines,
    sniff_encoding,
)
from urlset.formats.vocabulary.errors import OptionError, StrictError
from urlset.formats.vocabulary.reporting import silent

DECLARED = '<?xml version="1.0" encoding="{}"?>\n<urlset/>'
UTF8 = Encoding("utf-8", 0, False, "assumed")
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
LINE_TEXT = st.text(st.sampled_from("ab\r\n\x0b\x0c\x1c\x85\u2028\u2029é"))


class Findings(list[dict[str, Any]]):
    """Keeps what was reported."""

    def __call__(self, rule: str, message: str, **about: Any) -> None:
        self.append({"rule": rule, "message": message, **about})

    @property
    def rules(self) -> list[str]:
        return [finding["rule"] for finding in self]


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def read(data: bytes, encoding: Encoding, chunk: int = 65_536, declared: str | None = None) -> tuple[str, Findings]:
    findings = Findings()
    chunks = list(TextReader(io.BytesIO(data), encoding, findings, declared=declared, chunk=chunk))
    assert all(chunks)
    return "".join(chunks), findings


def physical(text: str) -> list[str]:
    """The lines by the rule itself."""
    lines = re.split("\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


# --- which encoding ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "name", "bom"),
    [
        pytest.param(b"", "utf-8", 0, id="empty"),
        pytest.param(b"https://example.com/", "utf-8", 0, id="ASCII"),
        pytest.param(b"\xef\xbb\xbf<?xml", "utf-8", 3, id="R02 UTF-8 mark"),
        pytest.param(b"\xef\xbb\xbf", "utf-8", 3, id="mark alone"),
        pytest.param(b"\xff\xfe" + "<é".encode("utf-16-le"), "utf-16-le", 2, id="R22 UTF-16 LE mark"),
        pytest.param(b"\xfe\xff" + "<é".encode("utf-16-be"), "utf-16-be", 2, id="UTF-16 BE mark"),
        pytest.param(b"\xff\xfe", "utf-16-le", 2, id="UTF-16 mark alone"),
        pytest.param(b"\xff\xfe\0\0" + "<é".encode("utf-32-le"), "utf-32-le", 4, id="UTF-32 LE mark"),
        pytest.param(b"\0\0\xfe\xff" + "<é".encode("utf-32-be"), "utf-32-be", 4, id="UTF-32 BE mark"),
        pytest.param(b"\xff\xfe<?xml version", "utf-8", 2, id="UTF-16 LE mark before ASCII"),
        pytest.param(b"\xfe\xff" + "https://example.com/é".encode(), "utf-8", 2, id="UTF-16 BE mark before UTF-8"),
        pytest.param("<?xml é".encode("utf-16-le"), "utf-16-le", 0, id="UTF-16 LE, no mark"),
        pytest.param("<?xml é".encode("utf-16-be"), "utf-16-be", 0, id="UTF-16 BE, no mark"),
        pytest.param("<?xml é".encode("utf-32-le"), "utf-32-le", 0, id="UTF-32 LE, no mark"),
        pytest.param("<?xml é".encode("utf-32-be"), "utf-32-be", 0, id="UTF-32 BE, no mark"),
        pytest.param("https://example.com/".encode("utf-16-le"), "utf-16-le", 0, id="list, UTF-16 LE, no mark"),
        pytest.param("日本,https://example.com/".encode("utf-16-be"), "utf-16-be", 0, id="CJK first, no mark"),
        pytest.param(b"https://example.com/a\0b\0\n", "utf-8", 0, id="stray zero bytes"),
        pytest.param(bytes(64), "utf-8", 0, id="only zero bytes"),
        pytest.param(b"caf\xe9\n", "utf-8", 0, id="odd bytes"),
    ],
)
def test_bytes_decide(head: bytes, name: str, bom: int) -> None:
    encoding = sniff_encoding(head)
    assert (encoding.name, encoding.bom) == (name, bom)
    assert sniff_encoding(head, declared="bogus") == encoding


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("UTF-8", "utf-8"),
        ("utf8", "utf-8"),
        ("us-ascii", "utf-8"),
        (" utf-8 ", "utf-8"),
        ("ISO-8859-1", "iso8859-1"),
        ("windows-1252", "cp1252"),
        ("big5", "big5"),
        ("Shift_JIS", "shift_jis"),
        ("utf-16", "utf-8"),  # contradicted by the bytes
        ("UTF-32BE", "utf-8"),
        ("cp037", "utf-8"),  # EBCDIC, in which an ASCII declaration is none
        ("bogus", "utf-8"),
        ("", "utf-8"),
        ("\0", "utf-8"),
        ("ü", "utf-8"),
        ("zlib", "utf-8"),  # codecs to Python, not encodings of text
        ("rot13", "utf-8"),
        ("base64", "utf-8"),
        ("idna", "utf-8"),
        ("punycode", "utf-8"),
        ("unicode_escape", "utf-8"),
        ("raw-unicode-escape", "utf-8"),
        ("undefined", "utf-8"),
        ("utf-7", "utf-8"),
    ],
)
def test_declaration_counts_if_it_can_be_true(declared: str, name: str) -> None:
    assert sniff_encoding(b"<?xml version='1.0'?>", declared=declared).name == name


def test_the_mark_and_the_pattern_beat_the_declaration() -> None:
    assert sniff_encoding(b"\xef\xbb\xbf<", declared="iso-8859-1").name == "utf-8"
    assert sniff_encoding("<urlset".encode("utf-16-le"), declared="utf-8").name == "utf-16-le"


@pytest.mark.parametrize(
    ("head", "asked", "expected"),
    [
        (b"caf\xe9", "latin-1", ("iso8859-1", 0)),
        (b"\xef\xbb\xbfx", "utf8", ("utf-8", 3)),
        (b"x", "ascii", ("utf-8", 0)),
        (b"\xff\xfex\0y\0", "utf-16", ("utf-16-le", 2)),
        (b"\xfe\xff\0x\0y", "UTF16", ("utf-16-be", 2)),
        (b"\0x\0y", "utf-16", ("utf-16-be", 0)),
        (b"\xe5\x65\x2c\x67", "utf-16", ("utf-16-le", 0)),
        (b"\x4c\x6f", "cp037", ("cp037", 0)),
    ],
)
def test_what_is_asked_for_is_used(head: bytes, asked: str, expected: tuple[str, int]) -> None:
    encoding = sniff_encoding(head, declared="koi8-r", asked=asked)
    assert (encoding.name, encoding.bom) == expected
    assert encoding.certain


@pytest.mark.parametrize("asked", ["", "bogus", "zlib", "utf-7", "\0"])
def test_asking_for_what_is_no_encoding(asked: str) -> None:
    with pytest.raises(OptionError, match="no text encoding"):
        sniff_encoding(b"x", asked=asked)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-32-le"])
@pytest.mark.parametrize("name", ["utf-8", "ISO-8859-1", "bogus"])
def test_declared_encoding(name: str, encoding: str) -> None:
    assert declared_encoding(DECLARED.format(name).encode(encoding)) == name


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"", None),
        (b"<urlset/>", None),
        (b"<?xml version='1.0'?><a encoding='x'/>", None),
        (b"<?xml version='1.0' encoding=''?>", None),
        (b"<?xml version='1.0' encoding=' '?>", None),
        (b"\n <?xml version = '1.0'\tencoding = 'koi8-r' standalone='no' ?>", "koi8-r"),
        (b"<?xml encoding='koi8-r'?>", "koi8-r"),
        (b"<?xml-stylesheet encoding='koi8-r'?>", None),
        (b"\xff\xfe<?xml version='1.0' encoding='UTF-8'?>", "UTF-8"),
    ],
)
def test_declared_encoding_of_odd_heads(head: bytes, name: str | None) -> None:
    assert declared_encoding(head) == name


# --- text ----------------------------------------------------------------------------------------------


@given(
    ANY_TEXT,
    st.integers(1, 7),
    st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]),
)
def test_any_text_comes_back(text: str, chunk: int, name: str) -> None:
    got, findings = read(text.encode(name), Encoding(name, 0, True, "given"), chunk)
    assert got == text
    assert findings.rules == ([] if name == "utf-8" else ["encoding-not-utf8"])


@given(ANY_TEXT, st.integers(1, 7), st.sampled_from(["utf-8-sig", "utf-16", "utf-32"]))
def test_a_list_with_a_mark_comes_back_without_it(text: str, chunk: int, name: str) -> None:
    data = ("https://example.com/" + text).encode(name)
    got, _ = read(data, sniff_encoding(data), chunk)
    assert got == "https://example.com/" + text


@given(st.binary(max_size=200), st.integers(1, 7))
def test_any_bytes_give_text_and_the_chunks_do_not_matter(data: bytes, chunk: int) -> None:
    assert read(data, UTF8, chunk) == read(data, UTF8)


@given(st.lists(st.one_of(ANY_TEXT, st.binary(max_size=3))), st.integers(1, 7))
def test_odd_bytes_are_counted(parts: list[str | bytes], chunk: int) -> None:
    data = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    text, findings = read(data, UTF8, chunk)
    odd = len(re.findall("[\udc80-\udcff]", data.decode("utf-8", "surrogateescape")))
    assert sum(finding["count"] for finding in findings) == odd
    assert "\ufffd" not in text or "\ufffd".encode() in data


@pytest.mark.parametrize("chunk", [1, 2, 3, 4, 5, 6, 7, 65_536])
@pytest.mark.parametrize(
    ("data", "text", "line", "value", "count"),
    [
        pytest.param(b"a\nb\x9fc\n", "a\nb\u0178c\n", 2, "0x9F", 1, id="one"),
        pytest.param(b"\xe9", "é", 1, "0xE9", 1, id="alone"),
        pytest.param(b"\r\n\r\r\n\n\xe9\n\xe8", "\r\n\r\r\n\né\nè", 5, "0xE9", 2, id="all line ends"),
        pytest.param("ü€\n".encode() + b"\x80\x81\n", "ü€\n€\x81\n", 2, "0x80", 2, id="undefined in cp1252"),
        pytest.param(b"a\nb\xc3", "a\nbÃ", 2, "0xC3", 1, id="cut character at the end"),
        pytest.param(b"\xe2\x82x", "â\u201ax", 1, "0xE2", 2, id="cut character before ASCII"),
        pytest.param(b"\xed\xa0\x80", "í\xa0€", 1, "0xED", 3, id="surrogate"),
        pytest.param(b"\xc0\xaf", "À¯", 1, "0xC0", 2, id="overlong"),
    ],
)
def test_odd_bytes_are_read_as_cp1252(data: bytes, text: str, line: int, value: str, count: int, chunk: int) -> None:
    got, findings = read(data, UTF8, chunk)
    assert got == text
    assert [(f["rule"], f["line"], f["value"], f["count"]) for f in findings] == [
        ("encoding-mismatch", line, value, count)
    ]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 65_536])
@pytest.mark.parametrize(
    ("name", "data", "text", "line", "value", "count"),
    [
        ("cp1252", b"a\n\x81\x8d\xe9", "a\n\ufffd\ufffdé", 2, "0x81", 2),
        ("big5", b"a\r\n\xa4\xa4\xff\n", "a\r\n中\ufffd\n", 2, "0xFF", 1),
        ("utf-16-le", b"a\0\n\0\x00\xd8b\0", "a\n\ufffdb", 2, "0x00D8", 1),
        ("utf-16-le", "\ufffd".encode("utf-16-le") + b"\n\0x", "\ufffd\n\ufffd", 2, "0x78", 1),
        ("utf-32-be", b"\0\0\0a\x7f\0\0\0\0\0\0b", "a\ufffdb", 1, "0x7F000000", 1),
    ],
)
def test_odd_bytes_in_other_encodings(
    name: str, data: bytes, text: str, line: int, value: str, count: int, chunk: int
) -> None:
    got, findings = read(data, Encoding(name, 0, True, "declared"), chunk)
    assert got == text
    assert findings.rules == ["encoding-not-utf8", "encoding-mismatch"]
    assert (findings[1]["line"], findings[1]["value"], findings[1]["count"]) == (line, value, count)


@pytest.mark.parametrize(
    ("encoding", "declared", "rules"),
    [
        pytest.param("utf-8", None, [], id="assumed"),
        pytest.param("utf-8", "UTF-8", [], id="UTF-8"),
        pytest.param("utf-8-sig", "utf8", [], id="R02 with mark"),
        pytest.param("utf-8", "US-ASCII", [], id="ASCII"),
        pytest.param("utf-16", "UTF-16", ["encoding-not-utf8"], id="R22 UTF-16"),
        pytest.param("utf-16", None, ["encoding-not-utf8"], id="R84 UTF-16 not declared"),
        pytest.param("utf-16-be", "utf-16", ["encoding-not-utf8"], id="UTF-16 BE"),
        pytest.param("utf-32", "utf-32", ["encoding-not-utf8"], id="UTF-32"),
        pytest.param("iso-8859-1", "latin1", ["encoding-not-utf8"], id="latin-1"),
        pytest.param("utf-16", "utf-8", ["encoding-not-utf8", "encoding-mismatch"], id="UTF-16 called UTF-8"),
        pytest.param("utf-16-be", "utf-16le", ["encoding-not-utf8", "encoding-mismatch"], id="wrong order"),
        pytest.param("utf-8", "utf-16", ["encoding-mismatch"], id="UTF-8 called UTF-16"),
        pytest.param("utf-8-sig", "iso-8859-1", ["encoding-mismatch"], id="mark beats latin-1"),
        pytest.param("utf-8", "bogus", ["encoding-mismatch"], id="unknown name"),
    ],
)
def test_what_is_said_about_the_encoding(encoding: str, declared: str | None, rules: list[str]) -> None:
    data = "<urlset>é</urlset>".encode(encoding)
    text, findings = read(data, sniff_encoding(data, declared), declared=declared)
    assert text == "<urlset>é</urlset>"
    assert findings.rules == rules
    assert all(finding["line"] == 1 for finding in findings)


def test_a_utf16_mark_before_utf8_is_dropped_and_told() -> None:
    data = codecs.BOM_UTF16_LE + b"https://example.com/\n"
    text, findings = read(data, sniff_encoding(data))
    assert text == "https://example.com/\n"
    assert findings.rules == ["encoding-mismatch"]


def test_the_encoding_is_told_before_any_text() -> None:
    findings = Findings()
    data = "x\n".encode("utf-16")
    next(iter(TextReader(io.BytesIO(data), sniff_encoding(data), findings)))
    assert findings.rules == ["encoding-not-utf8"]


def test_close_tells_of_odd_bytes_once() -> None:
    findings = Findings()
    reader = TextReader(io.BytesIO(b"\xe9\nx\ny"), UTF8, findings, chunk=2)
    assert next(iter(reader)) == "é\n"
    assert findings == []
    reader.close()
    reader.close()
    assert findings.rules == ["encoding-mismatch"]


def test_an_exception_of_the_report_passes() -> None:
    def refuse(rule: str, message: str, **_: Any) -> None:
        raise StrictError(message, rule=rule)

    with pytest.raises(StrictError):
        list(TextReader(io.BytesIO(b"\xe9"), UTF8, refuse))


# --- lines ---------------------------------------------------------------------------------------------


@given(LINE_TEXT, st.integers(1, 7))
def test_lines_are_those_of_the_rule(text: str, size: int) -> None:
    chunks = (text[at : at + size] for at in range(0, len(text), size))
    assert list(iter_lines(chunks, 1000, silent)) == list(enumerate(physical(text), 1))


@given(LINE_TEXT, st.integers(1, 7), st.integers(1, 4))
def test_long_lines_are_left_out_and_told(text: str, size: int, most: int) -> None:
    findings = Findings()
    chunks = (text[at : at + size] for at in range(0, len(text), size))
    lines = list(enumerate(physical(text), 1))
    assert list(iter_lines(chunks, most, findings)) == [line for line in lines if len(line[1]) <= most]
    assert [f["line"] for f in findings] == [number for number, line in lines if len(line) > most]


def test_a_long_line_is_told_with_its_length() -> None:
    findings = Findings()
    assert list(iter_lines(["a\n", "bcd", "ef\nx"], 4, findings)) == [(1, "a"), (3, "x")]
    assert findings.rules == ["resource-limit"]
    assert "5 characters, more than 4" in findings[0]["message"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [(1, "")]),
        ("a", [(1, "a")]),
        ("a\n", [(1, "a")]),
        ("a\r\nb\rc\nd", [(1, "a"), (2, "b"), (3, "c"), (4, "d")]),
        ("\r\r\n\n", [(1, ""), (2, ""), (3, "")]),
        ("a\u2028b\x0bc\x0cd\x85e\n", [(1, "a\u2028b\x0bc\x0cd\x85e")]),
    ],
)
def test_line_numbers(text: str, lines: list[tuple[int, str]]) -> None:
    for size in range(1, 8):
        assert list(iter_lines((text[at : at + size] for at in range(0, len(text), size)), 99, silent)) == lines


def test_lines_come_as_soon_as_they_end() -> None:
    taken = []

    def chunks() -> Iterator[str]:
        for chunk in ("a\r", "\nb\n", "c"):
            taken.append(chunk)
            yield chunk

    lines = iter_lines(chunks(), 99, silent)
    assert next(lines) == (1, "a")
    assert taken == ["a\r"]
    assert list(lines) == [(2, "b"), (3, "c")]


def test_a_line_without_end_takes_linear_time_and_no_memory() -> None:
    findings = Findings()
    start = time.perf_counter()
    assert list(iter_lines(("x" * 1000 for _ in range(100_000)), 16_777_216, findings)) == []
    assert time.perf_counter() - start < 100
    assert findings.rules == ["resource-limit"]


@given(LINE_TEXT, st.integers(1, 7))
def test_newlines_are_normalised(text: str, size: int) -> None:
    data = text.encode()
    chunks = list(normalise_newlines(pieces(data, size)))
    assert all(chunks)
    assert b"".join(chunks) == re.sub(rb"\r\n|\r", b"\n", data)


def test_chunks_without_cr_pass_as_they_are() -> None:
    chunk = b"a\nb\n"
    assert next(normalise_newlines([chunk])) is chunk


def test_empty_chunks_change_nothing() -> None:
    assert list(normalise_newlines([b"a\r", b"", b"\nb", b""])) == [b"a\n", b"b"]
    assert list(iter_lines(["a\r", "", "\nb", ""], 99, silent)) == [(1, "a"), (2, "b")]


@given(LINE_TEXT, st.integers(1, 7))
def test_line_counter(text: str, size: int) -> None:
    counter = LineCounter()
    for at in range(0, len(text), size):
        counter.feed(text[at : at + size])
    assert counter.line == len(re.split("\r\n|\r|\n", text))
