"""Sitemap index, 0.9 and 0.84: a list of sitemaps.

Specification: https://www.sitemaps.org/protocol.html#index

Its entries are sitemaps, not pages: whoever wants the pages follows them.
Carries: loc and lastmod, which is when the sitemap file changed, not its pages.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlset.formats.vocabulary.batches import Batches
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Format, Head, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import emit, sitemap_document

MAX_SITEMAPS = 50_000
MAX_BYTES = 52_428_800


def sniff(head: Head) -> bool:
    """A sitemapindex in any namespace."""
    return sitemap_document.looks_like(head, "sitemapindex", legacy=None)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The children of a sitemapindex, one entry each."""
    return sitemap_document.read(source, account, options, "sitemapindex")


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The children of a sitemapindex, one entry each, in batches."""
    return sitemap_document.batches(source, account, options, "sitemapindex")


SITEMAP_INDEX = Format(
    name="sitemap-index",
    title="Sitemap index",
    specification="https://www.sitemaps.org/protocol.html#index",
    suffixes=(),
    media_types=(),
    carries=frozenset({"loc", "lastmod"}),
    sniff=sniff,
    read=read,
    batches=batches,
    write=Writer(emit.sitemap, emit.sitemap_frame, MAX_SITEMAPS, MAX_BYTES),
    lists_sources=True,
)
