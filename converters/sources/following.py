"""Lists of documents and what they list: indexes and robots.txt.

A list is read to its end before its children are, so that it is whole and its limits are known; of the children only
what the list says is kept. One set of visited documents spans a job, so cycles end and nothing is read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from urlset.converters.sources.opening import Opened, Opener, key_of
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import ReadError, SourceError, StrictError, UrlsetError
from urlset.formats.vocabulary.format import Format, Head
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.redact import without_credentials
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Source

T = TypeVar("T")

AHEAD = 8
"""Children after the one that is read of which some may be fetched meanwhile."""

ReadDocument = Callable[[Opened, Account, str], Batches]
"""Reads an open document under a key, and whatever it leads to."""


@dataclass
class Visited:
    """The documents of a job: keys of the lists that are being read, outermost first, and of what was read."""

    open: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    documents: int = 0
    any_read: bool = False


@dataclass(frozen=True)
class Parent:
    """A list whose children are read."""

    source: Source
    account: Account
    format: Format


class Following:
    """Reads what lists name."""

    def __init__(
        self,
        opener: Opener,
        ledger: Ledger,
        visited: Visited,
        limits: Limits,
        formats: Registry,
        read: ReadDocument,
    ) -> None:
        self._opener = opener
        self._ledger = ledger
        self._visited = visited
        self._limits = limits
        self._formats = formats
        self._read = read

    def children(self, parent: Parent, entries: Iterator[Entry], key: str) -> Batches:
        """The entries of all documents that a list names in its ``entries``, in its order."""
        children = self._listed(parent, entries)
        self._visited.open.append(key)
        try:
            keys = [urls.dedupe_key(child.loc) for child in children]
            listed: set[str] = set()
            for number, child in enumerate(children):
                is_new = self._is_new(child, keys[number], parent.account, listed)
                listed.add(keys[number])
                self._expect(children, keys, number, listed, parent.source)
                if is_new:
                    yield from self.child(child, keys[number], parent)
                else:
                    self._opener.forget(child.loc)
        finally:
            self._visited.open.pop()
            self._visited.done.add(key)

    def child(self, child: Entry, key: str, parent: Parent) -> Batches:
        """The entries of one document that a list names; what is wrong with it is reported and nothing raised."""
        account = parent.account
        if self._visited.documents >= self._limits.max_documents:
            message = f"lists led to {self._limits.max_documents:,} documents already; no further one is read"
            self._lost(child, account, message, "resource-limit")
            return
        self._visited.documents += 1
        try:
            opened = self._opener.child(child.loc, parent.source)
        except SourceError as error:
            self._lost(child, account, f"{child.loc} can't be read: {error.message}")
            return
        with opened.source:
            if self._is_other(opened.source, child, account):
                yield from self._document(child, key, opened, parent)

    def _listed(self, parent: Parent, entries: Iterator[Entry]) -> list[Entry]:
        """The children, as many as may be followed."""
        most = self._limits.max_children
        children = []
        for child in islice(entries, most):
            self._visited.any_read = True
            children.append(child)
        if beyond := sum(1 for _ in entries):
            message = f"{beyond:,} documents beyond the first {most:,} are listed; they are not read"
            parent.account.find("resource-limit", message, count=beyond)
        return children

    def _expect(
        self, children: Sequence[Entry], keys: Sequence[str], number: int, listed: set[str], parent: Source
    ) -> None:
        visited, span = self._visited, slice(number + 1, number + 1 + AHEAD)
        ahead = {
            key: child.loc
            for key, child in zip(keys[span], children[span], strict=True)
            if key not in visited.done and key not in visited.open and key not in listed
        }
        self._opener.expect(ahead.values(), parent)

    def _is_new(self, child: Entry, key: str, account: Account, listed: set[str]) -> bool:
        if key in self._visited.open:
            self._cycle(child, account)
            return False
        if key in listed:
            message = f"{child.loc} is listed again; it is read once"
            account.find("duplicate-loc", message, line=line_of(child), value=child.loc)
        return key not in self._visited.done and key not in listed

    def _is_other(self, source: Source, child: Entry, account: Account) -> bool:
        """Whether what was opened is none of the documents before, known by another name or after redirects."""
        own = key_of(source)
        if own in self._visited.open:
            self._cycle(child, account)
            return False
        if own in self._visited.done:
            message = f"{child.loc} is a document that was read already; it is read once"
            account.find("duplicate-loc", message, line=line_of(child), value=child.loc, severity="info")
            return False
        self._visited.done.add(own)
        return True

    def _cycle(self, child: Entry, account: Account) -> None:
        message = f"{child.loc} is being read already; it is not read again"
        account.find("sitemap-cycle", message, line=line_of(child), value=child.loc)

    def _lost(self, child: Entry, account: Account, message: str, rule: str = "child-unavailable") -> None:
        account.find(rule, message, line=line_of(child), value=child.loc)
        self._ledger.open(without_credentials(child.loc), account.name, child).status = "failed"

    def _document(self, child: Entry, key: str, opened: Opened, parent: Parent) -> Batches:
        account = self._ledger.open(opened.source.name, parent.account.name, child)
        try:
            if self._is_too_deep(opened.source, child, account, parent):
                return
            yield from self._read(opened, account, key)
        except StrictError:
            raise
        except UrlsetError as error:
            account.fail(error)
            if isinstance(error, SourceError):
                message = f"{child.loc} can't be read: {error.message}"
                parent.account.find("child-unavailable", message, line=line_of(child), value=child.loc)

    def _is_too_deep(self, source: Source, child: Entry, account: Account, parent: Parent) -> bool:
        """Remark on an index inside an index, and stop at the limit of nesting."""
        index = next((one for one in self._formats if one.name == "sitemap-index" and one.lists_sources), None)
        if parent.format.name != "sitemap-index" or index is None or not index.sniff(Head.of(source)):
            return False
        message = f"{child.loc} is an index inside an index, which search engines do not follow"
        parent.account.find("nested-sitemap-index", message, line=line_of(child), value=child.loc)
        limit = self._limits.max_index_depth
        if len(self._visited.open) < limit:
            return False
        message = f"indexes are followed {limit} deep; {child.loc} is not read"
        account.status = "failed"
        parent.account.find("depth-limit", message, line=line_of(child), value=child.loc, severity="error")
        return True


def line_of(entry: Entry) -> int | None:
    """Where an entry stands."""
    return entry.origin.line if entry.origin else None


def reading(found: Format, source: Source, entries: Iterator[T]) -> Iterator[T]:
    """The entries, or batches of them, that a format reads; its errors say where they come from."""
    try:
        yield from entries
    except UrlsetError as error:
        error.source = error.source or source.name
        error.format = error.format or found.name
        raise


def refuse_unreadable(source: Source) -> None:
    """Raise ReadError for what can't be a list at all, or was packed and can't be unpacked."""
    faults: list[tuple[str, str]] = []
    with source.open(lambda rule, message, **_: faults.append((rule, message))) as stream:
        if not stream.read(1) and faults:
            rule, message = faults[0]
            raise ReadError(message, source=source.name, rule=rule)
