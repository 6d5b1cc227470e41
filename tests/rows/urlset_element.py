"""SET: the urlset and its urls."""

from __future__ import annotations

from rows import Case, sitemap, url
from urlset.converters.checks import Bounds

LOC = "<loc>https://example.com/</loc>"
DATE = "<lastmod>2024-05-06</lastmod>"
RATE = "<changefreq>daily</changefreq>"
PRIORITY = "<priority>0.5</priority>"


def record(*children: str) -> bytes:
    """A sitemap with one url, each of its children on its own line, the first on line 4."""
    return sitemap("<url>", *children, "</url>")


def pages(*paths: str) -> bytes:
    """A sitemap of these pages."""
    return sitemap(*(url(f"https://example.com{path}") for path in paths))


CASES = [
    Case(
        "SET-001",
        "too-many-urls",
        hit=pages("/1", "/2", "/3", "/4"),
        miss=pages("/1", "/2", "/3"),
        line=6,
        says="4 URLs",
        options={"bounds": Bounds(max_urls=3)},
    ),
    Case("SET-002", "missing-loc", hit=record(DATE), miss=record(LOC, DATE), line=3, says="has no loc"),
    Case(
        "SET-003",
        "repeated-element",
        hit=record(LOC, "<loc>https://example.com/b</loc>"),
        miss=sitemap(url(), url("https://example.com/b")),
        line=5,
        says="loc occurs again",
    ),
    Case(
        "SET-004",
        "repeated-element",
        hit=record(LOC, DATE, RATE, PRIORITY, RATE),
        miss=record(LOC, DATE, RATE, PRIORITY),
        line=8,
        says="changefreq",
    ),
    Case(
        "SET-005",
        "unexpected-element",
        hit=record(LOC, "<expires>2024-05-06</expires>"),
        miss=record(LOC, '<own:expires xmlns:own="https://example.com/ns">2024-05-06</own:expires>'),
        line=5,
        says="<expires>",
    ),
    Case("SET-006", "element-order", hit=record(DATE, LOC), miss=record(LOC, DATE, RATE, PRIORITY), line=3, says="url"),
    Case("SET-007", "stray-text", hit=record(LOC, "daily"), miss=record(LOC, "<!-- daily -->"), line=5, says="daily"),
    Case("SET-008", "duplicate-loc", hit=pages("/a", "/b", "/a"), miss=pages("/a", "/b", "/A"), line=5, says="line 3"),
    Case(
        "SET-009",
        "duplicate-loc",
        hit=pages("/a", "/b", "/%61"),
        miss=pages("/a", "/b", "/a/"),
        line=5,
        says="in another spelling",
    ),
]
