"""What comes of a comparison."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Self

from urlset.converters.diff.moves import Move
from urlset.converters.diff.rows import Change
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.ledger import Ledger, ReportDict


@dataclass(frozen=True, eq=False)
class Diff:
    """The difference of two inventories; true if there is one.

    ``added`` and ``removed`` are entries, ``changed`` and ``moved`` changes, all in the order of their addresses. They
    are lists, or, of many pages, collections that read from disk each time they are gone through, in the thread that
    made them. ``with`` or :meth:`close` drops what is on disk; else it goes with the object. ``moves`` are the origins
    that moved, ``pages_old`` and ``pages_new`` the different pages of either side, ``duplicates_old`` and
    ``duplicates_new`` its further entries for pages that it had already.
    """

    added: Collection[Entry]
    removed: Collection[Entry]
    changed: Collection[Change]
    moved: Collection[Change]
    moves: tuple[Move, ...]
    unchanged: int
    pages_old: int
    pages_new: int
    duplicates_old: int
    duplicates_new: int
    ledger: Ledger = field(repr=False)
    _stack: ExitStack = field(repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """The number of pages by what became of them, and of duplicates."""
        return {
            "added": len(self.added),
            "removed": len(self.removed),
            "changed": len(self.changed),
            "moved": len(self.moved),
            "unchanged": self.unchanged,
            "duplicates_old": self.duplicates_old,
            "duplicates_new": self.duplicates_new,
        }

    def changed_entries(self) -> Iterator[Entry]:
        """Every entry of NEW that says something else than OLD: those of changed pages, then of moved ones."""
        return (change.new for change in chain(self.changed, self.moved) if change.names)

    def to_dict(self) -> dict[str, Any]:
        """The object of ``--json``, all of it in memory."""
        return {
            "added": [entry.as_dict() for entry in self.added],
            "removed": [entry.as_dict() for entry in self.removed],
            "changed": [change.as_dict() for change in self.changed],
            "moved": [change.as_dict() for change in self.moved],
            **self.totals(),
        }

    def totals(self) -> dict[str, Any]:
        """What the object of ``--json`` holds beside the pages."""
        return {
            "moves": [{"old": one.old, "new": one.new, "pages": one.pages, "of": one.of} for one in self.moves],
            "unchanged": self.unchanged,
            "duplicates": {"old": self.duplicates_old, "new": self.duplicates_new},
        }

    def report(self) -> ReportDict:
        """The object of ``--report``: counts of records, sources and findings of both sides."""
        return self.ledger.report()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table with a row for each page added or removed and each field changed; ``.gz`` compresses it.

        Its columns are kind, loc, old_loc, field, old and new; blocks are JSON. Raises WriteError, OptionError.
        """
        from urlset.converters.diff.output import Files

        with Files(self.ledger) as files:
            files.add_csv(path, self.rows())
            files.commit()

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The rows of the table of ``--csv``, below its header."""
        from urlset.converters.diff.output import change_rows, entry_rows

        added, removed = entry_rows("added", self.added), entry_rows("removed", self.removed)
        changed, moved = change_rows("changed", self.changed), change_rows("moved", self.moved)
        return chain(added, removed, changed, moved)

    def close(self) -> None:
        """Drop what is on disk; what is in memory stays."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.moved)

    def __repr__(self) -> str:
        return f"<Diff: {', '.join(f'{number:,} {name}' for name, number in self.counts.items())}>"
