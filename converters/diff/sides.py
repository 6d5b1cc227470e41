"""One of the two inventories: read, and walked through in the order of its keys beside the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias, TypeVar, cast

from urlset.converters.diff.values import present
from urlset.converters.explore.frames import Frame, entries_of, is_frame
from urlset.converters.given import checked
from urlset.converters.options import Options, Sources, listed
from urlset.converters.spill import IN_MEMORY, ordered
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.source import Source
from urlset.formats.vocabulary.urls import dedupe_key

Inventory: TypeAlias = "Sources | Iterable[Entry] | Frame"
"""A document, several, entries, or the rows of a DataFrame."""

Pair = tuple[str, Entry]
_T = TypeVar("_T")

ROOM = IN_MEMORY // 4
"""Bytes of entries of one side that stay in memory."""

CACHE = 24 * 1024
"""KiB of the database of one side that stay in memory, and as many again while it sorts."""


class Side:
    """One side. ``pages`` and ``duplicates`` are counted while it is walked through."""

    def __init__(self, what: Inventory, name: str, options: Options, ledger: Ledger) -> None:
        self._what = what
        self._name = name
        self._options = options
        self._ledger = ledger
        self._holds: dict[str, frozenset[str]] = {}
        self.accounts: list[Account] = []
        self.pages = 0
        self.duplicates = 0

    def walk(self, room: int | None = None) -> Iterator[Pair]:
        """Read all of it, and give its pages back in the order of their keys; of several for one key, the first.

        Raises UrlsetError if nothing of it could be read.
        """
        before = len(self._ledger.accounts)
        keyed = ((dedupe_key(entry.loc), entry) for entry in self._watched(self._entries()))
        pairs = primed(ordered(keyed, ROOM if room is None else room, CACHE))
        self.accounts = self._ledger.accounts[before:]
        return self._counted(firsts(pairs, self._repeated))

    @property
    def title(self) -> str:
        """What its documents are, for people."""
        kinds = {self._kind(account, account.format) for account in self.accounts if account.format}
        return " or ".join(sorted(kinds - {""})) or "this frame"

    def holds(self, entry: Entry) -> frozenset[str]:
        """The fields that the document of an entry can hold, or does: a format's, a table's columns, attributes."""
        return self._holds[_source(entry)]

    def _entries(self) -> Iterator[Entry]:
        if is_frame(self._what):
            return self._rows()
        if is_entries(self._what):
            return checked(cast("Iterable[Entry]", self._what), self._ledger.open(self._name), None)
        return self._options.documents().read(listed(cast("Sources", self._what)), self._ledger)

    def _rows(self) -> Iterator[Entry]:
        from urlset.converters.explore.inventory import Inventory as Columns  # needs pyarrow for some

        account = self._ledger.open(self._name)
        if isinstance(self._what, Columns):
            return checked(self._what, account, None)
        return entries_of(self._what, account, self._options.documents().options)

    def _watched(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        source: str | None = None
        missing: list[str] = []
        for entry in entries:
            # Documents are read one after another.
            if (name := _source(entry)) != source:
                source = name
                holds = self._holds.setdefault(name, self._carried(name))
                missing = [field for field in FIELDS if field not in holds]
            if missing and (met := [field for field in missing if present(getattr(entry, field))]):
                self._holds[name] |= frozenset(met)
                missing = [field for field in missing if field not in met]
            yield entry

    def _carried(self, name: str) -> frozenset[str]:
        account = next((one for one in reversed(self._ledger.accounts) if one.name == name), None)
        if account is not None and account.columns is not None:
            return frozenset(field for _, field in account.columns if field in FIELDS)
        if account is None or account.format is None:
            return frozenset(FIELDS)
        return self._options.registry[account.format].carries

    def _kind(self, account: Account, format_: str) -> str:
        if account.listing:
            return ""
        title = self._options.registry[format_].title
        return title if account.columns is None else f"this {title}"

    def _counted(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        for pair in pairs:
            self.pages += 1
            yield pair

    def _repeated(self, _: Pair) -> None:
        self.duplicates += 1
        self._ledger.counts.duplicates += 1


def _source(entry: Entry) -> str:
    return entry.origin.source if entry.origin else ""


def is_entries(what: object) -> bool:
    """Whether an inventory is entries, and no document or list of documents."""
    if isinstance(what, str | os.PathLike | bytes | bytearray | memoryview | Source) or hasattr(what, "read"):
        return False
    if isinstance(what, list | tuple):
        return not what or isinstance(cast("Sequence[object]", what)[0], Entry)
    if is_frame(what):
        return True
    return isinstance(what, Iterable)


def primed(pairs: Iterator[Pair]) -> Iterator[Pair]:
    """The same, but read and sorted now, and not when the first one is asked for."""
    first = next(pairs, None)
    return iter(()) if first is None else chain((first,), pairs)


def firsts(pairs: Iterable[Pair], repeated: Callable[[Pair], None]) -> Iterator[Pair]:
    """Of pairs in the order of their keys the first of each key; the others are handed to ``repeated``."""
    last: str | None = None
    for pair in pairs:
        if pair[0] == last:
            repeated(pair)
        else:
            last = pair[0]
            yield pair


def joined(old: Iterator[tuple[str, _T]], new: Iterator[tuple[str, _T]]) -> Iterator[tuple[str, _T | None, _T | None]]:
    """Each key of two walks, with what either has for it."""
    mine, its = next(old, None), next(new, None)
    while mine is not None or its is not None:
        if its is None or (mine is not None and mine[0] < its[0]):
            assert mine is not None  # noqa: S101 - one of the two is there
            yield mine[0], mine[1], None
            mine = next(old, None)
        elif mine is None or its[0] < mine[0]:
            yield its[0], None, its[1]
            its = next(new, None)
        else:
            yield mine[0], mine[1], its[1]
            mine, its = next(old, None), next(new, None)
