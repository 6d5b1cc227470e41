"""FRQ: how often pages change."""

from __future__ import annotations

from rows import Case, sitemap, url


def changing(*words: str) -> bytes:
    """A sitemap of pages with these frequencies, each on a line of its own, the first on line 4."""
    pages = (
        url(f"https://example.com/{number}", f"\n<changefreq>{one}</changefreq>") for number, one in enumerate(words)
    )
    return sitemap(*pages)


SEVEN = changing("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

CASES = [
    Case("FRQ-001", "invalid-changefreq", hit=changing("often"), miss=SEVEN, line=4, says="'often', not one of"),
    Case("FRQ-002", "invalid-changefreq", hit=changing("daily", " daily"), miss=SEVEN, line=6, says="white space"),
    Case(
        "FRQ-003",
        "ignored-by-engine",
        hit=changing("daily"),
        miss=changing("daily"),
        line=4,
        says="changefreq",
        options={"engines": ["google"]},
        miss_options={"engines": ["yandex"]},
    ),
]
