"""Feeds that go on in other documents: paged and archived feeds (RFC 5005), and entries that were deleted (RFC 6721).

Of several entries of one id the one updated last is kept, at the place of the first; all entries of a feed are held
until its last page was read, since that may have a newer one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlset.converters.sources.following import Visited, line_of
from urlset.converters.sources.opening import Opened, Opener, key_of
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import SourceError, StrictError, UrlsetError
from urlset.formats.vocabulary.feed_pages import FeedPages, PageLink
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.source import Source

OLDER = ("next", "prev-archive")
"""Relations that lead from the newest document of a feed to all others."""


class Page(NamedTuple):
    """One document of a feed: its entries, and what it says of the others once these were read."""

    source: Source
    account: Account
    entries: Iterator[Entry]
    pages: FeedPages


class _Next(NamedTuple):
    link: PageLink
    source: Source
    account: Account


Begin = Callable[[Opened, Account], Page]


class Feed:
    """One feed with all its pages. ``begin`` makes a page of an open document, or raises UrlsetError if it is none."""

    def __init__(self, opener: Opener, ledger: Ledger, visited: Visited, limits: Limits, begin: Begin) -> None:
        self._opener = opener
        self._ledger = ledger
        self._visited = visited
        self._limits = limits
        self._begin = begin
        self._kept: dict[object, Entry] = {}
        self._deleted: dict[str, LastMod | None] = {}
        self._next: deque[_Next] = deque()
        self._seen: set[str] = set()

    def entries(self, first: Page, key: str) -> Iterator[Entry]:
        """The entries of the feed that begins here. Raises UrlsetError if the first page can't be read to its end."""
        self._visited.done.add(key)
        self._seen.add(key)
        try:
            self._read(first)
            while self._next:
                self._follow(self._next.popleft())
        except UrlsetError:
            yield from self._live()
            raise
        yield from self._live()

    def _read(self, page: Page) -> None:
        for entry in page.entries:
            self._keep(entry)
        self._visited.any_read = True
        self._deleted.update(page.pages.deleted)
        if page.pages.complete:
            return
        addresses = set()
        for link in page.pages.links:
            if link.relation in OLDER and link.address not in addresses:
                addresses.add(link.address)
                self._next.append(_Next(link, page.source, page.account))

    def _keep(self, entry: Entry) -> None:
        name = entry.origin.id if entry.origin else None
        key: object = name if name is not None else id(entry)
        before = self._kept.get(key)
        if before is not None:
            self._ledger.counts.duplicates += 1
        if before is None or _is_newer(entry, before):
            self._kept[key] = entry

    def _follow(self, following: _Next) -> None:
        account = following.account
        try:
            opened = self._opened(following)
        except SourceError as error:
            self._lost(following, error.message)
            return
        if opened is None:
            return
        inner = self._ledger.open(opened.source.name, account.name)
        with opened.source:
            try:
                self._read(self._begin(opened, inner))
            except StrictError:
                raise
            except UrlsetError as error:
                inner.fail(error)
                self._lost(following, error.message)

    def _opened(self, following: _Next) -> Opened | None:
        """The next page; None if it is one of those before. Raises SourceError if it is not to be had."""
        if len(self._seen) > self._limits.max_pages:
            self._next.clear()
            raise SourceError(f"{self._limits.max_pages:,} pages and archives of one feed are followed, and no more")
        opened = self._opener.child(following.link.address, following.source)
        key = key_of(opened.source)
        if key not in self._seen:
            self._seen.add(key)
            self._visited.done.add(key)
            return opened
        opened.source.close()
        link = following.link
        message = f"{link.address} ({link.relation}) was read as a page of this feed; it is not read again"
        following.account.find("sitemap-cycle", message, line=link.line, value=link.address)
        return None

    def _lost(self, following: _Next, why: str) -> None:
        link = following.link
        message = f"{link.address} ({link.relation}) can't be read: {why}; the feed is incomplete"
        following.account.find("child-unavailable", message, line=link.line, value=link.address)

    def _live(self) -> Iterator[Entry]:
        """The entries that were kept and not deleted since."""
        for entry in self._kept.values():
            name = entry.origin.id if entry.origin else None
            if name is None or name not in self._deleted or not _is_older(entry, self._deleted[name]):
                yield entry
                continue
            account = self._account(entry)
            message = f"the feed says that the entry {name} was deleted; it is left out"
            account.find("deleted-entry", message, line=line_of(entry), value=name)
            account.filter()

    def _account(self, entry: Entry) -> Account:
        name = entry.origin.source if entry.origin else ""
        return next(one for one in reversed(self._ledger.accounts) if one.name == name)


def _is_newer(entry: Entry, other: Entry) -> bool:
    return entry.lastmod is not None and (other.lastmod is None or entry.lastmod > other.lastmod)


def _is_older(entry: Entry, when: LastMod | None) -> bool:
    """Whether an entry was last changed before it was deleted: what is changed later lives again (RFC 6721 4)."""
    return when is None or entry.lastmod is None or entry.lastmod < when
