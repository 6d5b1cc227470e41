"""IDX: indexes and their children."""

from __future__ import annotations

from rows import HOME, Case, child, index, sitemap, url
from urlset.converters.checks import Bounds

HERE = "https://example.com/index.xml"
A, B = child("https://example.com/a.xml"), child("https://example.com/b.xml")
ALONE = {"follow": False}


def children(number: int) -> bytes:
    """An index of so many sitemaps."""
    return index(*(child(f"https://example.com/{one}.xml") for one in range(number)))


CASES = [
    Case(
        "IDX-001",
        "too-many-sitemaps",
        hit=children(4),
        miss=children(3),
        line=6,
        says="lists 4 sitemaps",
        options={**ALONE, "bounds": Bounds(max_sitemaps=3)},
    ),
    Case(
        "IDX-002",
        "many-sitemaps",
        hit=children(1_001),
        miss=children(1_000),
        line=1_003,
        says="1,001",
        options=ALONE,
    ),
    Case(
        "IDX-003",
        "missing-loc",
        hit=index(A, "<sitemap><lastmod>2024-05-06</lastmod></sitemap>"),
        miss=index(A, "<sitemap><lastmod>2024-05-06</lastmod><loc>https://example.com/b.xml</loc></sitemap>"),
        line=4,
        says="<sitemap>",
        options=ALONE,
    ),
    Case(
        "IDX-004",
        "different-host",
        hit={
            HERE: index(A, child("https://www.example.com/b.xml")),
            "https://example.com/a.xml": sitemap(url()),
            "https://www.example.com/b.xml": sitemap(url("https://www.example.com/")),
        },
        # The robots.txt of the other host vouches for the index.
        miss={
            "https://www.example.com/robots.txt": f"Sitemap: {HERE}\n".encode(),
            HERE: index(child("https://EXAMPLE.com:443/a.xml"), child("https://www.example.com/b.xml")),
            "https://EXAMPLE.com:443/a.xml": sitemap(url()),
            "https://www.example.com/b.xml": sitemap(url("https://www.example.com/")),
        },
        line=4,
        says="www.example.com",
    ),
    Case(
        "IDX-005",
        "outside-sitemap-path",
        hit=index(child("https://example.com/maps/a.xml"), child("https://example.com/mapsite/b.xml")),
        miss=index(child("https://example.com/maps/a.xml"), child("https://example.com/maps/site/b.xml")),
        line=4,
        says="https://example.com/mapsite/b.xml",
        options={**ALONE, "url": "https://example.com/maps/index.xml"},
    ),
    Case(
        "IDX-006",
        "nested-sitemap-index",
        hit={
            "outer.xml": index(A, child("https://example.com/inner.xml")),
            "a.xml": sitemap(url()),
            "inner.xml": index(A),
        },
        # A robots.txt may name an index.
        miss={
            "robots.txt": b"Sitemap: https://example.com/inner.xml\nSitemap: https://example.com/b.xml\n",
            "a.xml": sitemap(url()),
            "b.xml": sitemap(url()),
            "inner.xml": index(A),
        },
        line=4,
        says="https://example.com/inner.xml",
    ),
    Case(
        "IDX-007",
        "unexpected-element",
        hit=index(A, child("https://example.com/b.xml", "<changefreq>daily</changefreq>")),
        miss={
            "index.xml": index(child("https://example.com/a.xml", "<lastmod>2024-05-06</lastmod>")),
            "a.xml": sitemap(url(HOME, "<changefreq>daily</changefreq><priority>0.5</priority>")),
        },
        line=4,
        says="has no changefreq",
        options=ALONE,
        miss_options={},
    ),
    Case(
        "IDX-008",
        "duplicate-loc",
        hit={"index.xml": index(A, B, A), "a.xml": sitemap(url()), "b.xml": sitemap(url())},
        miss={
            HERE: index(child("https://example.com/a.xml?part=1"), child("https://example.com/a.xml?part=2")),
            "https://example.com/a.xml?part=1": sitemap(url()),
            "https://example.com/a.xml?part=2": sitemap(url()),
        },
        line=5,
        says="it is read once",
    ),
    Case(
        "IDX-009",
        "lastmod-older-than-child",
        hit={
            "index.xml": index(child("https://example.com/a.xml", "<lastmod>2024-05-05</lastmod>")),
            "a.xml": sitemap(url(HOME, "<lastmod>2024-05-06</lastmod>")),
        },
        # The day in the index may be any time of that day.
        miss={
            "index.xml": index(child("https://example.com/a.xml", "<lastmod>2024-05-06</lastmod>")),
            "a.xml": sitemap(url(HOME, "<lastmod>2024-05-06T23:59:59Z</lastmod>")),
        },
        line=3,
        says="2024-05-05",
    ),
    Case(
        "IDX-010",
        "unexpected-element",
        hit=index(A, url("https://example.com/page")),
        miss={"index.xml": index(A), "a.xml": sitemap(url("https://example.com/page"))},
        line=4,
        says="<url> stands in a sitemapindex",
        options=ALONE,
        miss_options={},
    ),
]
