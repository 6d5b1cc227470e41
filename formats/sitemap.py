"""Sitemap 0.9, as all search engines read it.

Specification: https://www.sitemaps.org/protocol.html, with Google's image 1.1, video 1.1, news 0.9 and xhtml:link
blocks.

Reads every namespace that stands for 0.9 in practice, and none; writes the documented one.
Cannot carry: a title.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlset.formats.vocabulary.batches import Batches
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.format import Format, Head, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import emit, sitemap_document

MAX_URLS = 50_000
MAX_BYTES = 52_428_800
"""50 × 1,048,576, uncompressed; this size is still allowed (sitemaps.org; Bing, November 2016)."""
MAX_NEWS = 1_000
"""news:news blocks of one file (Google news sitemaps)."""
MAX_IMAGES = 1_000
"""image:image blocks of one url (Google image sitemaps)."""


def sniff(head: Head) -> bool:
    """A urlset, or a piece of one, in any namespace but that of 0.84."""
    return sitemap_document.looks_like(head, "urlset", legacy=False)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries of a urlset."""
    return sitemap_document.read(source, account, options, "urlset")


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The entries of a urlset, in batches."""
    return sitemap_document.batches(source, account, options, "urlset")


SITEMAP = Format(
    name="sitemap",
    title="Sitemap 0.9",
    specification="https://www.sitemaps.org/protocol.html",
    suffixes=(".xml",),
    media_types=(),
    carries=frozenset(FIELDS) - {"title"},
    sniff=sniff,
    read=read,
    batches=batches,
    write=Writer(emit.url, emit.url_frame, MAX_URLS, MAX_BYTES, MAX_NEWS, MAX_IMAGES, encode_plain=emit.plain_urls),
)
