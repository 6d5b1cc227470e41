"""What a server says of a document, held against the document: its charset (RFC 7303) and its packing (RFC 9110)."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.formats.vocabulary.charset import heard
from urlset.formats.vocabulary.errors import ReadError
from urlset.formats.vocabulary.reporting import silent
from urlset.formats.vocabulary.source import Source

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import body, serving, sitemap

CYRILLIC = "https://example.com/кот\n"


@pytest.mark.parametrize(
    ("head", "charset", "encoding", "contradicts"),
    [
        # the document says nothing of itself
        (CYRILLIC.encode("cp1251"), "windows-1251", "cp1251", False),
        (b"https://example.com/\n", "koi8-r", "koi8-r", False),
        (b"https://example.com/\n", "utf-8", None, False),
        (b"https://example.com/\n", "us-ascii", None, False),
        # where servers call all files Latin-1, UTF-8 is known by its bytes, and what is none is read as Windows-1252
        (b"https://example.com/\n", "iso-8859-1", None, False),
        ("https://example.com/é\n".encode("latin-1"), "iso-8859-1", None, False),
        ("https://example.com/é\n".encode(), "iso-8859-1", None, True),
        (CYRILLIC.encode(), "windows-1251", None, True),
        (CYRILLIC.encode()[:-2], "windows-1251", None, True),  # a head that ends within a character
        (CYRILLIC.encode(), "utf-8", None, False),
        # it does
        (b'<?xml version="1.0" encoding="windows-1251"?>', "windows-1251", None, False),
        (b'<?xml version="1.0" encoding="windows-1251"?>', "utf-8", None, True),
        (b'<?xml version="1.0" encoding="UTF-8"?>', "iso-8859-1", None, True),
        (b"\xef\xbb\xbf<a/>", "utf-8", None, False),
        (b"\xef\xbb\xbf<a/>", "windows-1251", None, True),
        ("<a/>".encode("utf-16"), "utf-16", None, False),
        ("<a/>".encode("utf-16"), "utf-8", None, True),
        # the server says what nobody knows
        (b"<a/>", "utf-9", None, True),
        (b"<a/>", "rot13", None, True),
    ],
)
def test_which_one_counts(head: bytes, charset: str, encoding: str | None, contradicts: bool) -> None:
    found = heard(head, charset)
    assert (found.encoding, found.contradiction is not None) == (encoding, contradicts)
    assert charset in (found.contradiction or charset)


@given(st.binary(max_size=80), st.sampled_from(["utf-8", "latin-1", "cp1251", "utf-16", "shift_jis", "x"]))
def test_a_charset_that_contradicts_is_not_used(head: bytes, charset: str) -> None:
    found = heard(head, charset)
    assert found.encoding is None or found.contradiction is None


def test_the_charset_of_a_list() -> None:
    with serving({"/a": body(CYRILLIC.encode("cp1251"), Content_Type="text/plain; charset=windows-1251")}) as server:
        ledger = urlset.Ledger()
        assert [one.loc for one in urlset.read(f"{server.base}/a", ledger=ledger)] == [CYRILLIC.strip()]
        assert [one.rule for one in ledger.findings] == ["encoding-not-utf8"]
        assert [one.loc for one in urlset.read(f"{server.base}/a", encoding="koi8-r")] != [CYRILLIC.strip()]


def test_the_media_type_of_a_table() -> None:
    with serving({"/export": body(b"url;title\nhttps://example.com/a;A\n", Content_Type="text/csv")}) as server:
        ledger = urlset.Ledger()
        list(urlset.read(f"{server.base}/export", ledger=ledger, follow=False))
        assert ledger.accounts[0].format == "csv"


# --- packing

SOUND = sitemap("https://example.com/a")
ONE, TWO = gzip.compress(SOUND), gzip.compress(gzip.compress(SOUND))
THREE = gzip.compress(TWO)


@pytest.mark.parametrize(
    ("data", "coding", "name", "compression", "rules"),
    [
        (SOUND, None, "a.xml", None, []),
        (ONE, None, "a.xml.gz", "gzip", []),
        (TWO, None, "a.xml.gz", "gzip", ["double-compression"]),
        (ONE, "gzip", "a.xml", None, []),  # packed for the way
        (ONE, "gzip", "a.xml.gz", "gzip", []),  # a packed file, of which the server says the same once
        (TWO, "gzip", "a.xml.gz", "gzip", []),  # a packed file, packed for the way
        (TWO, "gzip", "a.xml", "gzip", []),
        (THREE, "gzip", "a.xml.gz", "gzip", ["double-compression"]),
        (SOUND, "gzip", "a.xml", None, ["content-encoding-mismatch"]),
        (SOUND, "utf-8", "a.xml", None, ["content-encoding-mismatch"]),
        (SOUND.decode().encode("utf-16"), "br", "a.xml", None, ["content-encoding-mismatch"]),
        (ONE, "gzip, gzip", "a.xml", None, []),
    ],
)
def test_packed_for_the_way(
    data: bytes, coding: str | None, name: str, compression: str | None, rules: list[str]
) -> None:
    found: list[str] = []
    source = Source.from_bytes(data, name, location=f"https://example.com/{name}?x=.gz", coding=coding)
    with source.open(lambda rule, message, **_: found.append(rule)) as stream:
        text = stream.read()
    assert text in (SOUND, SOUND.decode().encode("utf-16"))
    assert (found, source.compression) == (rules, compression)
    assert source.head() == text


def test_packed_in_a_way_that_nobody_asked_for() -> None:
    source = Source.from_bytes(b"\x28\xb5\x2f\xfd\x04\x00", "a.xml", coding="zstd")
    with pytest.raises(ReadError, match="zstd"):
        source.open(silent)


@pytest.mark.parametrize(("coding", "path"), [("gzip", "/a.xml"), ("gzip", "/a.xml.gz"), ("x-gzip", "/a.xml.gz")])
def test_the_name_of_what_was_packed_for_the_way(coding: str, path: str) -> None:
    with serving({path: body(ONE, Content_Encoding=coding)}) as server:
        found = urlset.validate(f"{server.base}{path}")
    assert "gzip-name-mismatch" not in [one.rule for one in found]


def test_an_owned_stream_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"https://example.com/\n")
    for wrap in (lambda file: file, _Unseekable):
        stream: Any = path.open("rb")
        with Source.from_stream(wrap(stream), owned=True) as source:
            assert source.head()
        assert stream.closed


class _Unseekable:
    """A stream that can be read once."""

    def __init__(self, stream: Any) -> None:
        self.read, self.close = stream.read, stream.close
