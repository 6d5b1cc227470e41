"""Rows in the order in which they were added, to be gone through as often as one likes; beyond memory, on disk."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from urlset.converters.spill import IN_MEMORY
from urlset.converters.spill.weight import weight
from urlset.formats.vocabulary.entry import Entry

if TYPE_CHECKING:
    import sqlite3

ROOM = IN_MEMORY // 16
"""Bytes of rows of one kind that stay in memory: some 15,000 entries without blocks."""

_CACHE = 4 * 1024  # KiB: rows are written and read one after another
_Row = TypeVar("_Row")


class Change(NamedTuple):
    """One page that both sides have: its two entries, and the ``names`` of the fields in which they differ."""

    old: Entry
    new: Entry
    names: tuple[str, ...] = ()

    @property
    def loc(self) -> str:
        """The address of the page, as the new side has it."""
        return self.new.loc

    @property
    def fields(self) -> Mapping[str, tuple[Any, Any]]:
        """The old and the new value of each field that differs."""
        return {name: (getattr(self.old, name), getattr(self.new, name)) for name in self.names}

    def as_dict(self) -> dict[str, Any]:
        """The change as JSON values; ``old_loc`` is there if the address was written otherwise."""
        old, new = self.old.as_dict(), self.new.as_dict()
        fields = {name: {"old": old.get(name), "new": new.get(name)} for name in self.names}
        other = {} if self.old.loc == self.new.loc else {"old_loc": self.old.loc}
        return {"loc": self.new.loc, **other, "fields": fields}


class Kind(NamedTuple, Generic[_Row]):
    """How rows of one kind are packed, and what one takes in memory."""

    pack: Callable[[_Row], bytes]
    unpack: Callable[[bytes], _Row]
    weight: Callable[[_Row], int]


class Rows(Collection[_Row]):
    """Rows that are added first and read afterwards. What is on disk goes when ``stack`` is closed."""

    def __init__(self, kind: Kind[_Row], stack: ExitStack, room: int | None = None) -> None:
        self._kind = kind
        self._stack = stack
        self._room = ROOM if room is None else room
        self._held: list[_Row] = []
        self._stored: sqlite3.Connection | None = None
        self._number = 0

    def add(self, row: _Row) -> None:
        """One more row. Raises WriteError, when ``stack`` is closed, if it can't be written."""
        self._number += 1
        if self._stored is not None:
            self._stored.execute("INSERT INTO entries (data) VALUES (?)", (self._kind.pack(row),))
            return
        self._held.append(row)
        self._room -= self._kind.weight(row)
        if self._room < 0:
            self._stored = self._on_disk()

    def _on_disk(self) -> sqlite3.Connection:
        from urlset.converters.spill.database import temporary  # few comparisons need it

        # Held, so that the database lives as long as the rows do, if nobody closes it.
        self._database = temporary(_CACHE)
        connection = self._stack.enter_context(self._database)
        connection.execute("CREATE TABLE entries (place INTEGER PRIMARY KEY, data BLOB)")
        rows = ((self._kind.pack(row),) for row in self._held)
        connection.executemany("INSERT INTO entries (data) VALUES (?)", rows)
        self._held = []
        return connection

    def finished(self) -> Collection[_Row]:
        """The rows as a list, if they are in memory."""
        return self if self._stored is not None else self._held

    def __iter__(self) -> Iterator[_Row]:
        if self._stored is None:
            yield from self._held
            return
        for (data,) in self._read(self._stored):
            yield self._kind.unpack(data)

    def _read(self, stored: sqlite3.Connection) -> Iterable[tuple[bytes]]:
        from sqlite3 import ProgrammingError

        try:
            return stored.execute("SELECT data FROM entries ORDER BY place")
        except ProgrammingError as error:
            raise ValueError(f"these entries were on disk, and can't be read any more: {error}") from error

    def __len__(self) -> int:
        return self._number

    def __contains__(self, row: object) -> bool:
        return any(one == row for one in self)

    def __repr__(self) -> str:
        return f"<{self._number:,} rows on disk>"


def _packed(entry: Entry) -> bytes:
    from urlset.converters.spill.packing import packed

    return packed(entry)


def _unpacked(data: bytes) -> Entry:
    from urlset.converters.spill.packing import unpacked

    return unpacked(data)


def _packed_change(change: Change) -> bytes:
    return marshal.dumps((_packed(change.old), _packed(change.new), change.names))


def _unpacked_change(data: bytes) -> Change:
    old, new, names = marshal.loads(data)  # noqa: S302 - written by this job
    return Change(_unpacked(old), _unpacked(new), names)


ENTRIES = Kind(_packed, _unpacked, weight)
CHANGES = Kind(_packed_change, _unpacked_change, lambda change: weight(change.old) + weight(change.new))
