"""Sitemap 0.84, the format that Google launched in June 2005 and 0.9 replaced in November 2006.

Specification: http://www.google.com/schemas/sitemap/0.84/sitemap.xsd (2005-05-24). The vocabulary is that of 0.9 in
another namespace, without extensions; blocks that are met all the same are read.

Read only: what is read is written as 0.9.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlset.formats.vocabulary.batches import Batches
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import sitemap_document


def sniff(head: Head) -> bool:
    """A urlset in a namespace of 0.84."""
    return sitemap_document.looks_like(head, "urlset", legacy=True)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries of a urlset."""
    return sitemap_document.read(source, account, options, "urlset")


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The entries of a urlset, in batches."""
    return sitemap_document.batches(source, account, options, "urlset")


SITEMAP_084 = Format(
    name="sitemap-0.84",
    title="Google Sitemap 0.84",
    specification="http://www.google.com/schemas/sitemap/0.84/sitemap.xsd",
    suffixes=(),
    media_types=(),
    carries=frozenset(FIELDS) - {"title"},
    sniff=sniff,
    read=read,
    batches=batches,
)
