"""ROB: robots.txt."""

from __future__ import annotations

from rows import Case

MOST = 512_000
"""Bytes that Google reads."""
LINE = b"Sitemap: https://example.com/a.xml"
ALONE = {"follow": False}
AT_HOME = {**ALONE, "url": "https://example.com/robots.txt"}


def robots(*rules: str) -> bytes:
    """A robots.txt whose rules for all crawlers begin on line 2."""
    return "".join(f"{one}\n" for one in ("User-agent: *", *rules)).encode()


def ending(place: int) -> bytes:
    """A robots.txt whose last line is a Sitemap line that ends with that byte."""
    comment = b"#" + b"." * (place - len(LINE) - 2) + b"\n"
    return comment + LINE + b"\n"


CASES = [
    Case(
        "ROB-001",
        "not-absolute",
        hit=robots("Sitemap: /a.xml"),
        miss=robots("Sitemap: https://example.com/a.xml"),
        line=2,
        options=ALONE,
    ),
    Case(
        "ROB-002",
        "unexpected-element",
        hit=robots("SITEMAP: https://example.com/a.xml", "Sitemap https://example.com/b.xml"),
        miss=robots("SITEMAP : https://example.com/a.xml", "sitemap:https://example.com/b.xml"),
        line=3,
        says="colon",
        options=ALONE,
    ),
    Case(
        "ROB-003",
        "resource-limit",
        hit=ending(MOST + 1),
        miss=ending(MOST),
        line=2,
        says="512,000",
        severity="warning",
        options={**ALONE, "from_": "robots"},
    ),
    Case(
        "ROB-004",
        "sitemap-disallowed",
        hit=robots("Disallow: /maps", "Sitemap: https://example.com/maps/a.xml"),
        # The longer of two rules counts, and those for one crawler don't bind the others.
        miss=robots(
            "Disallow: /maps",
            "Allow: /maps/a.xml",
            "User-agent: examplebot",
            "Disallow: /",
            "Sitemap: https://example.com/maps/a.xml",
        ),
        line=3,
        options=ALONE,
    ),
    Case(
        "ROB-005",
        "duplicate-loc",
        hit=robots("Sitemap: https://example.com/a.xml", "sitemap: https://EXAMPLE.com/a.xml"),
        miss=robots("Sitemap: https://example.com/a.xml", "sitemap: https://example.com/A.xml"),
        line=3,
        says="listed again",
        options=ALONE,
    ),
    Case(
        "ROB-006",
        "cross-submitted",
        hit=robots("Sitemap: https://cdn.example.com/a.xml"),
        miss=robots("Sitemap: https://EXAMPLE.com:443/a.xml"),
        line=2,
        says="cdn.example.com",
        options=AT_HOME,
    ),
]
