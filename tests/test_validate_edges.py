"""Beside the rows: what validation says where two readings of a document lie close together."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.converters.checks.kept import Addresses, Database, Kept
from urlset.formats.vocabulary.errors import UrlsetError

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
PAGE = "<url><loc>https://example.com/</loc><lastmod>2024-05-06</lastmod></url>"


def sitemap(*rows: str, namespaces: str = f'xmlns="{CORE}"') -> bytes:
    """One row a line, the first on line 3."""
    lines = "".join(f"{row}\n" for row in rows)
    return f"{DECLARATION}<urlset {namespaces}>\n{lines}</urlset>\n".encode()


def page(loc: str, more: str = "<lastmod>2024-05-06</lastmod>") -> str:
    return f"<url><loc>{loc}</loc>{more}</url>"


def told(source: Any) -> list[tuple[str, int | None]]:
    ledger = urlset.Ledger()
    with suppress(UrlsetError):  # it is among the findings
        urlset.validate(source, ledger=ledger, now="2024-06-01T00:00:00Z")
    return [(one.rule, one.line) for one in ledger.findings]


SOUND = sitemap(PAGE)
IN_BLOCKS = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
IN_BLOCKS += 'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'


@pytest.mark.parametrize(
    ("data", "findings"),
    [
        # the declared encoding, also where the bytes are UTF-8 all the same
        (SOUND.replace(b"UTF-8", b"klingon"), [("encoding-mismatch", 1)]),
        (SOUND.replace(b"UTF-8", b"US-ASCII"), []),
        (
            sitemap("<!-- a -- b -->", PAGE).replace(b"UTF-8", b"UTF-16"),
            [("encoding-mismatch", 1), ("xml-not-well-formed", 3)],
        ),
        (
            sitemap("<!-- a -- b -->", PAGE).replace(b"UTF-8", b"ISO-8859-1"),
            [("encoding-not-utf8", 1), ("xml-not-well-formed", 3)],
        ),
        # gzip data of which nothing can be unpacked
        (gzip.compress(SOUND, mtime=0)[:6], [("compression-truncated", None)]),
        (b"\x1f\x8b\x07" + gzip.compress(SOUND, mtime=0)[3:], [("compression-error", None)]),
        (gzip.compress(b"", mtime=0), [("empty-file", 1)]),
        # where the root stands
        (b"\n\n<html><body/></html>", [("document-is-html", 3)]),
        (f'{DECLARATION}\n<urlset xmlns="{CORE}"/>'.encode(), [("empty-sitemap", 3)]),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', [("empty-sitemap", 1)]),
        # elements of other vocabularies, and of none
        (sitemap('<x:a xmlns:x="urn:x">1</x:a>', PAGE), [("namespace-unknown", 3)]),
        (sitemap("<a>1</a>", PAGE), [("unexpected-element", 3)]),
        (sitemap(page("https://example.com/", "<lastmod>2024-05-06\n<b>x</b></lastmod>")), [("unexpected-element", 4)]),
        # white space and what looks like none
        (sitemap(page("https://example.com/a\u200b")), [("invalid-url-character", 3)]),
        (sitemap(page("\ufeffhttps://example.com/a")), [("invalid-url-character", 3)]),
        # a host in capitals, and userinfo, outside ASCII
        (sitemap(page("https://MÜNCHEN.example/")), [("non-ascii-host", 3)]),
        (sitemap(page("https://é@example.com/")), [("non-ascii-loc", 3), ("userinfo-in-loc", 3)]),
        # dates between the start of 1970 and the web
        (sitemap(page("https://example.com/", "<lastmod>1970-01-01T12:00:00Z</lastmod>")), [("date-implausible", 3)]),
        (
            sitemap(page("https://example.com/", "<lastmod>1970-01</lastmod>")),
            [("date-implausible", 3), ("date-not-xsd", 3)],
        ),
        # a schema of another version
        (
            sitemap(
                PAGE,
                namespaces=f'xmlns="{CORE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
                f'xsi:schemaLocation="{CORE} http://www.google.com/schemas/sitemap/0.84/sitemap.xsd"',
            ),
            [("schema-location", 2)],
        ),
    ],
)
def test_findings(data: bytes, findings: list[tuple[str, int | None]]) -> None:
    assert sorted(told(data), key=str) == sorted(findings, key=str)


@pytest.mark.parametrize(
    ("block", "rule", "says"),
    [
        ("<image:image>\n<loc>https://example.com/1.png</loc></image:image>", "missing-prefix", "image:loc"),
        ("<video:video>\n<title>T</title></video:video>", "missing-prefix", "video:title"),
        ('<image:image>\n<x:a xmlns:x="urn:x">1</x:a></image:image>', "unexpected-element", "urn:x"),
        ("<image:image>\n<y:a>1</y:a></image:image>", "unexpected-element", "not declared"),
        ("<image:image>\n<image:size>1</image:size></image:image>", "unexpected-element", "image:size"),
    ],
)
def test_children_of_blocks_that_are_not_theirs(block: str, rule: str, says: str) -> None:
    data = sitemap(page("https://example.com/", block), namespaces=f'xmlns="{CORE}" {IN_BLOCKS}')
    (found,) = (one for one in urlset.validate(data) if one.rule == rule)
    assert found.line == 4
    assert says in found.message
    assert "\0" not in found.message


def stamped(path: Path, written: int, *seconds: int) -> list[str]:
    """What is said of equal dates in a file with pages of these seconds, written at some second of the same minute."""
    times = (f"<lastmod>2024-05-06T07:08:{one:02}Z</lastmod>" for one in seconds)
    path.write_bytes(sitemap(*(page(f"https://example.com/{n}", one) for n, one in enumerate(times))))
    moment = urlset.LastMod("2024-05-06T07:08:00Z").instant[0] + written
    os.utime(path, (moment, moment))
    return [one.message for one in urlset.validate(path, select=["lastmod-all-equal"])]


def test_all_dates_are_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    (message,) = stamped(path, 30, *range(12))
    assert message.endswith("a lastmod about 2024-05-06T07:08:00Z, which is when the file was written")
    assert stamped(path, 3600, *range(12)) == []
    (message,) = stamped(path, 3600, *[0] * 12)
    assert message.endswith("the lastmod 2024-05-06T07:08:00Z")
    assert stamped(path, 30, *range(9)) == []


SMALL_DISK = """
import resource, urlset
from urlset.converters.checks import kept
from urlset.formats.vocabulary.errors import WriteError
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
kept.CACHE = 10  # KiB
kept.Addresses.__init__.__defaults__ = (0,)
try:
    urlset.validate(b"".join(b"https://example.com/%d\\n" % at for at in range(20_000)))
except WriteError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="a limit on the size of files stands for the end of the disk")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    env = {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SMALL_DISK], env=env, capture_output=True, text=True)
    assert done.stdout.startswith(f"{tmp_path}: no room for temporary files: "), done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("in_memory", [0, 1, 10])
def test_first_spelling(in_memory: int) -> None:
    database = Database()
    addresses = Addresses(database, in_memory)
    for place, (key, spelling) in enumerate([("k", "K"), ("l", "l"), ("m", "\ud800")]):
        assert addresses.first(key, place, spelling) is None
    assert addresses.first("k", 9, "k") == Kept(0, "K")
    assert addresses.first("l", 9, "L") == Kept(1, "l")
    assert addresses.first("m", None, "m") == Kept(2, "\ud800")
    addresses.close()
    assert addresses.first("k", 9, "k") is None
    database.close()
