"""PRI: priorities."""

from __future__ import annotations

from rows import Case, sitemap, url


def rated(*priorities: str) -> bytes:
    """A sitemap of pages with these priorities."""
    pages = (
        url(f"https://example.com/{number}", f"<priority>{one}</priority>") for number, one in enumerate(priorities)
    )
    return sitemap(*pages)


CASES = [
    Case("PRI-001", "invalid-priority", hit=rated("0,5"), miss=rated("0.5", ".5", "+0.5"), line=3, says="0,5"),
    Case("PRI-002", "invalid-priority", hit=rated("1.1"), miss=rated("0.0", "1.0"), line=3, says="1.1"),
    Case("PRI-003", "priority-all-equal", hit=rated(*["0.8"] * 10), miss=rated(*["0.8"] * 9, "0.7"), says="0.8"),
    Case(
        "PRI-004",
        "ignored-by-engine",
        hit=rated("0.8"),
        miss=rated("0.8"),
        line=3,
        says="priority",
        options={"engines": ["bing"]},
        miss_options={"engines": ["yandex"]},
    ),
]
