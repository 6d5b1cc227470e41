"""For each of the 143 rows of the protocol: a document that triggers its rule, and one that just doesn't.

One module for each group of rows, each with its ``CASES``; ``test_rows.py`` runs them all and misses none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HOME = "https://example.com/"
CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
NAMESPACES = (
    f'xmlns="{CORE}" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

Documents = bytes | Mapping[str, bytes]
"""One document; or several by file name or address, of which the first is validated and the others are there."""


@dataclass(frozen=True)
class Case:
    """A row, the rule that carries it, a document that triggers it and one that just doesn't.

    ``line`` is where the finding stands, ``says`` what its message or value must say, so that a rule which carries
    several rows is held to the right one. ``severity`` is given where it is not the rule's own. ``miss_options`` are
    used for the near miss in place of ``options``.
    """

    row: str
    rule: str
    hit: Documents
    miss: Documents
    line: int | None = None
    says: str = ""
    severity: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    miss_options: Mapping[str, Any] | None = None


def url(loc: str = HOME, more: str = "") -> str:
    """A url element on one line."""
    return f"<url><loc>{loc}</loc>{more}</url>"


def sitemap(*urls: str, namespaces: str = NAMESPACES) -> bytes:
    """A urlset with one url a line, the first on line 3."""
    rows = "".join(f"{one}\n" for one in urls)
    return f"{DECLARATION}<urlset {namespaces}>\n{rows}</urlset>\n".encode()


def index(*sitemaps: str, namespaces: str = NAMESPACES) -> bytes:
    """A sitemapindex with one sitemap a line, the first on line 3."""
    rows = "".join(f"{one}\n" for one in sitemaps)
    return f"{DECLARATION}<sitemapindex {namespaces}>\n{rows}</sitemapindex>\n".encode()


def child(loc: str, more: str = "") -> str:
    """A sitemap element on one line."""
    return f"<sitemap><loc>{loc}</loc>{more}</sitemap>"
