"""Lines are those of the file, also beyond the 65,535 that libxml2 counts: parsers go on where others ended."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import urlset
from urlset.formats.xml import sitemap_fast, tree

XML = '<?xml version="1.0"?>\n'
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

SITEMAP = f"{XML}<urlset {SPACE}\n  {IMAGE} xmlns:z='urn:z'>\n", "</urlset>\n"
RSS = (
    f'{XML}<rss version="2.0"><channel>\n<title>x</title>\n<link>https://example.com/</link>\n',
    "</channel></rss>\n",
)
ATOM = f'{XML}<feed xmlns="http://www.w3.org/2005/Atom">\n<title>x</title>\n', "</feed>\n"
INDEX = f"{XML}<sitemapindex {SPACE}>\n", "</sitemapindex>\n"
OLD = f'{XML}<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">\n', "</urlset>\n"

RECORDS = {
    "loc-on-a-line": (SITEMAP, "<url>\n<loc>\n  https://example.com/%d\n</loc>\n<lastmod>\n\nx</lastmod>\n</url>\n"),
    "empty-image": (SITEMAP, "<url><loc>https://example.com/%d</loc>\n<image:image>\n\n</image:image>\n</url>\n"),
    "relative-image": (SITEMAP, "<url><loc>https://example.com/%d</loc>\n<image:image><image:loc>\n\nrel</image:loc></image:image></url>\n"),
    "stray": (SITEMAP, "<url>\n<loc>https://example.com/%d</loc></url>\n<bar/>\n\n"),
    "no-loc": (SITEMAP, "<url>\n<lastmod>2024</lastmod></url>\n<url>\n<loc>https://example.com/%d</loc>\n</url>\n"),
    "comment": (SITEMAP, "<url>\n<loc>https://example.com/%d</loc></url><!--<url>\n</url>\n--><url>\n<loc/>\n</url>\n"),
    "rss": (RSS, "<item>\n<title>x</title>\n<link>\nhttps://example.com/%d</link>\n<pubDate>\nx</pubDate>\n</item>\n"),
    "atom": (ATOM, "<entry><id>urn:x</id>\n<link\n\n href='https://example.com/%d'/>\n<updated>x</updated>\n</entry>\n"),
    "index": (INDEX, "<sitemap>\n<loc>\n\n https://example.com/%d.xml</loc>\n<lastmod>\nx</lastmod>\n</sitemap>\n"),
    "0.84": (OLD, "<url>\n<loc>\n\n https://example.com/%d</loc>\n<lastmod>x</lastmod>\n</url>\n"),
}  # fmt: skip


def read(data: bytes) -> tuple[list[int | None], list[urlset.Finding]]:
    ledger = urlset.Ledger()
    entries = list(urlset.read(data, ledger=ledger, follow=False))
    return [entry.origin.line if entry.origin else None for entry in entries], ledger.findings


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_has_its_line(name: str) -> None:
    (head, end), record = RECORDS[name]
    number, height = 70_000 // record.count("\n") + 1, record.count("\n")
    lines, findings = read((head + "".join(record % n for n in range(number)) + end).encode())
    assert lines == [head.count("\n") + height * n + _loc(record) for n in range(number)]
    # A finding of each record stands where that of the one before stands, a record further down.
    for rule in {finding.rule for finding in findings}:
        places = [finding.line for finding in findings if finding.rule == rule and finding.line]
        assert {b - a for a, b in pairwise(places)} <= {height}


def _loc(record: str) -> int:
    """The line of the first one of a record, where an attribute's start tag ends or the loc's begins."""
    place = record.index("<link") if "<link" in record else record[: record.index("%d")].rindex("<loc>")
    return record.count("\n", 0, place if "href" not in record else record.index("href")) + 1


def outcome(data: bytes, **options: Any) -> Any:
    """All that reading and checking a document tells."""
    told: list[Any] = []
    for validating in (False, True):
        ledger = urlset.Ledger()
        try:
            if validating:
                urlset.validate(data, ledger=ledger, follow=False)
            else:
                found = urlset.read(data, ledger=ledger, follow=False, **options)
                told.append([(entry, entry.origin.line) for entry in found if entry.origin])
        except urlset.UrlsetError as error:
            told.append(str(error))
        told += [ledger.findings, ledger.counts]
    return told


ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for folder in (ROOT / "samples", ROOT / "tests" / "data")
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".xml", ".rss", ".atom")
]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_parsers_that_go_on_after_each_record_tell_the_same(path: Path) -> None:
    data = path.read_bytes()
    with mock.patch.object(sitemap_fast.FastLane, "batches", lambda _: iter(())):
        expected = outcome(data, base_url="https://example.com/")
        with mock.patch.object(tree, "LONG", 0):
            assert outcome(data, base_url="https://example.com/") == expected


ODD = f'<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" {SPACE}\n xml:lang="&lt;&#10;&quot;">\n'


@pytest.mark.parametrize(
    "document",
    [
        f"{ODD}<s:url><loc>https://e.com/1</loc></s:url>\n<url><s:loc>https://e.com/2</s:loc></url>\n</s:urlset>",
        f"{ODD}<url><loc>https://e.com/1</loc></url>\n<url><loc>https://e.com/2</loc></url>\n<z:y/></s:urlset>",
        f"{ODD}<url><loc>https://e.com/1</loc></url>\n</urlset>".replace("\n xml", " xml"),
        f"{ODD}<url><loc>https://e.com/1</loc></url>\nstray\n<url><loc>https://e.com/2</loc></url>\n",
        f"<a><b/>\n<urlset {SPACE}>\n<url><loc>https://e.com/1</loc></url>\n<c/><url><loc>/</loc></url>\n</urlset></a>",
        '<a xmlns="urn:a" b="c"><urlset xmlns="">\n<url><loc>https://e.com/1</loc></url>\n<url/>\n</urlset></a>',
        "<rss><foo/>\n<channel>\n<item><link>https://e.com/1</link></item>\n<ttl>1</ttl>\n<item/>\n</channel>\n<b/></rss>",
        f"{ODD}<url><loc>https://e.com/1</loc><!--\n</url>\n--></url>\n<url><![CDATA[\n</url>\n]]></url>\n</s:urlset>",
    ],
)
def test_whatever_is_open_stays_open(document: str) -> None:
    expected = outcome(document.encode())
    with mock.patch.object(tree, "LONG", 0):
        assert outcome(document.encode()) == expected
