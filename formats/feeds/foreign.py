"""Feeds in a dialect that the XML lanes do not know, read by feedparser.

feedparser knows the Channel Definition Format and the odd corners of a hundred others; it reads a document whole and
keeps no lines, so it is asked last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from typing import TYPE_CHECKING

from urlset.formats.vocabulary.decode import declared_encoding, sniff_encoding
from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.errors import LimitError
from urlset.formats.vocabulary.feed_dates import read_any
from urlset.formats.vocabulary.record import date_of, usable_loc
from urlset.formats.vocabulary.urls import trim

if TYPE_CHECKING:
    from urlset.formats.vocabulary.format import Head, ReadOptions
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.source import Source


_HREF = re.compile(r"""href\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


def _written(data: bytes) -> set[str]:
    """The addresses that stand in the document: feedparser mends damaged ones without a word."""
    encoding = sniff_encoding(data[: 1 << 16], declared_encoding(data[: 1 << 16]))
    text = data[encoding.bom :].decode(encoding.name, "replace")
    return {trim(unescape(match[1] or match[2] or "")) for match in _HREF.finditer(text)}


def is_cdf(head: Head) -> bool:
    """Whether this is Microsoft's Channel Definition Format of 1997: a bare channel whose items have an HREF."""
    prolog = head.prolog
    if prolog is None or prolog.root.lower() != "channel":
        return False
    text = head.text.lower()
    return (
        "<item href" in text or "<channel href" in text or ("<item" in text and "href=" in text and "<link" not in text)
    )


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries that feedparser finds. Raises LimitError for a document too large to be held whole."""
    import feedparser

    most = source.limits.max_record
    with closing(source.open(account.report)) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        message = f"a feed of this kind is read whole, and may have {most} bytes"
        raise LimitError(message, source=account.name, format="rss", rule="size-limit")
    account.version = "cdf"
    written = _written(data)
    for item in feedparser.parse(data, sanitize_html=False, resolve_relative_uris=False).entries:
        account.count()
        link = item.get("link", "")
        if link and trim(link) not in written:
            message = "feedparser gives an address that the document does not have; what stands there is damaged"
            account.reject("missing-link", message, value=link)
            continue
        loc = usable_loc(account, options, link, None)
        if loc is not None:
            lastmod = date_of(account, options, item.get("updated"), None, read=read_any, blank_is_absent=True)
            yield Entry(loc=loc, lastmod=lastmod, title=item.get("title") or None, origin=Origin(account.name))
