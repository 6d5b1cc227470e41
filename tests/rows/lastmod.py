"""MOD: dates of modification; now is 2024-06-01T00:00:00Z."""

from __future__ import annotations

from rows import Case, sitemap, url


def dated(*dates: str) -> bytes:
    """A sitemap of pages with these dates, each on a line of its own, the first on line 4."""
    pages = (url(f"https://example.com/{number}", f"\n<lastmod>{one}</lastmod>") for number, one in enumerate(dates))
    return sitemap(*pages)


CASES = [
    Case("MOD-001", "invalid-date", hit=dated("06.05.2024"), miss=dated("2024-05-06"), line=4, says="06.05.2024"),
    Case(
        "MOD-002",
        "date-not-xsd",
        hit=dated("2024-05-06T07:08Z"),
        miss=dated("2024-05-06T07:08:09Z", "2024-05-06"),
        line=4,
        says="without seconds",
    ),
    Case(
        "MOD-003",
        "invalid-date",
        hit=dated("2024-05-06T07:08:09"),
        miss=dated("2024-05-06T07:08:09+02:00"),
        line=4,
        says="without a zone",
    ),
    Case(
        "MOD-004", "invalid-date", hit=dated("2023-02-29"), miss=dated("2024-02-29"), line=4, says="no day 2023-02-29"
    ),
    Case(
        "MOD-005",
        "date-in-future",
        hit=dated("2024-06-01T00:00:01Z"),
        miss=dated("2024-06-01T00:00:00Z", "2024-06-01T01:59:59+02:00", "2024-06-01"),
        line=4,
        says="2024-06-01T00:00:01Z",
    ),
    Case(
        "MOD-006",
        "date-implausible",
        hit=dated("1970-01-01T00:00:01Z"),
        miss=dated("1990-01-01T00:00:00Z"),
        line=4,
        says="1970",
    ),
    Case(
        "MOD-007", "lastmod-all-equal", hit=dated(*["2024-05-06"] * 10), miss=dated(*["2024-05-06"] * 9, "2024-05-07")
    ),
    Case(
        "MOD-008",
        "date-without-time",
        hit=dated("2024-05-06"),
        miss=dated("2024-05-06T07:08Z"),
        line=4,
        says="Bing",
        options={"engines": ["bing"]},
    ),
    Case(
        "MOD-009",
        "lastmod-missing",
        hit=sitemap(url(), url("https://example.com/a")),
        miss=sitemap(url(), url("https://example.com/a", "<lastmod>2024-05-06</lastmod>")),
    ),
]
