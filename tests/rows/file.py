"""FILE: the file as such."""

from __future__ import annotations

import bz2
import gzip

from rows import CORE, DECLARATION, Case, sitemap, url
from urlset.converters.checks import Bounds

SOUND = sitemap(url())
PACKED = gzip.compress(SOUND)
CRC = slice(-8, -4)
DAMAGED = PACKED[: CRC.start] + bytes(4) + PACKED[CRC.stop :]
LATIN = sitemap(url("https://example.com/café")).replace(b"UTF-8", b"ISO-8859-1").decode().encode("latin-1")
BAIDU_BYTES = 10_485_760
HTML = b"<!DOCTYPE html>\n<html><head><title>Not found</title></head><body/></html>\n"
FEED = '<rss version="2.0"><channel><title>News</title>{}</channel></rss>'


def padded(size: int) -> bytes:
    """A sitemap of so many bytes."""
    return SOUND.replace(b"</urlset>", b"</urlset>".rjust(size - len(SOUND) + len("</urlset>"), b"\n"))


def rooted(tag: str, namespace: str = CORE) -> bytes:
    """A document whose root, with a url in it, is on line 3."""
    return f'{DECLARATION}<!-- pages -->\n<{tag} xmlns="{namespace}">{url()}</{tag}>'.encode()


CASES = [
    Case(
        "FILE-001",
        "xml-not-well-formed",
        hit=sitemap(url(), url("https://example.com/?a=1&b=2")),
        miss=sitemap(url(), url("https://example.com/?a=1&amp;b=2")),
        line=4,
        says="&amp;",
    ),
    Case(
        "FILE-002",
        "encoding-not-utf8",
        hit=LATIN,
        miss=sitemap(url("https://example.com/café")),
        line=1,
        says="iso8859-1",
    ),
    Case(
        "FILE-003",
        "encoding-mismatch",
        hit=SOUND.replace(b"UTF-8", b"UTF-16"),
        miss=SOUND.replace(b' encoding="UTF-8"', b""),
        line=1,
        says="UTF-16",
    ),
    Case("FILE-004", "leading-whitespace", hit=b"\n" + SOUND, miss=b"\xef\xbb\xbf" + SOUND, line=1),
    Case("FILE-005", "byte-order-mark", hit=b"\xef\xbb\xbf" + SOUND, miss=SOUND, line=1),
    Case(
        "FILE-006",
        "file-too-large",
        hit=gzip.compress(padded(1001)),
        miss=padded(1000),
        says="1,000 bytes",
        options={"bounds": Bounds(max_bytes=1000)},
    ),
    Case(
        "FILE-007",
        "file-too-large-for-engine",
        hit=padded(BAIDU_BYTES + 1),
        miss=padded(BAIDU_BYTES),
        says="Baidu",
        options={"engines": ["baidu"]},
    ),
    Case(
        "FILE-008",
        "compression-error",
        hit=DAMAGED,
        miss=gzip.compress(SOUND[:50]) + gzip.compress(SOUND[50:]),
        says="CRC-32",
    ),
    Case(
        "FILE-009",
        "gzip-name-mismatch",
        hit={"sitemap.xml.gz": SOUND},
        miss={"sitemap.xml.gz": PACKED},
        says="is not gzip",
    ),
    Case("FILE-010", "unknown-format", hit=rooted("urls"), miss=rooted("urlset"), line=3, says="<urls>"),
    Case("FILE-011", "document-is-html", hit=HTML, miss=b"<!-- <html> -->" + rooted("urlset")[39:], line=1),
    Case(
        "FILE-012",
        "doctype",
        hit=SOUND.replace(b"<urlset", b"<!DOCTYPE urlset>\n<urlset"),
        miss=SOUND.replace(b"<urlset", b"<!-- <!DOCTYPE urlset> -->\n<urlset"),
        line=2,
    ),
    Case(
        "FILE-013",
        "empty-sitemap",
        hit=FEED.format("").encode(),
        miss=FEED.format("<item><link>https://example.com/</link></item>").encode(),
        line=1,
        says="item",
    ),
    Case("FILE-014", "empty-file", hit=b"", miss=b"https://example.com/", line=1),
    Case("FILE-015", "unsupported-compression", hit=bz2.compress(SOUND), miss=PACKED, says="bzip2"),
]
