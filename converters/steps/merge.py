"""Several entries of one address become one."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter
from typing import Literal, NamedTuple

from urlset.converters.spill import IN_MEMORY, first_seen
from urlset.converters.spill.weight import weight
from urlset.converters.steps.step import Step
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.urls import dedupe_key

Dedupe = Literal["none", "first", "last", "newest"]
_Pairs = Iterable[tuple[str, Entry]]


def deduplicated(keep: Dedupe, ledger: Ledger, room: int = IN_MEMORY) -> Step:
    """One entry for each address, after safe normalisation, in the place of the first.

    ``newest`` keeps the one with the latest lastmod by instant, and of several such the earliest. ``first`` gives
    entries back as they come, ``last`` and ``newest`` when all were seen. More than ``room`` bytes of what has to be
    kept go to disk. Raises WriteError if that can't be done.
    """

    def first(entries: Iterable[Entry]) -> Iterator[Entry]:
        with first_seen(room) as is_first:
            for entry in entries:
                if is_first(dedupe_key(entry.loc)):
                    yield entry
                else:
                    ledger.counts.duplicates += 1

    def merged(entries: Iterable[Entry]) -> Iterator[Entry]:
        kept: dict[str, Entry] = {}
        left = room
        source = ((dedupe_key(entry.loc), entry) for entry in entries)
        for key, entry in source:
            if (known := kept.get(key)) is None:
                kept[key] = entry
                left -= weight(entry) + len(key)
            else:
                ledger.counts.duplicates += 1
                if keep == "last" or _newer(entry.lastmod, known.lastmod):
                    kept[key] = entry
                    left -= weight(entry) - weight(known)
            if left < 0:
                yield from _by_database(chain(_drained(kept), source), keep, ledger)
                return
        yield from kept.values()

    return first if keep == "first" else merged


def _newer(date: LastMod | None, known: LastMod | None) -> bool:
    if date is None:
        return False
    return known is None or date > known


def _drained(kept: dict[str, Entry]) -> Iterator[tuple[str, Entry]]:
    for key in list(kept):
        yield key, kept.pop(key)


# --- beyond memory


class _Row(NamedTuple):
    """What is asked of an entry in the database; its date is looked at only if it is not alone."""

    key: bytes
    place: int
    date: str | None

    @property
    def lastmod(self) -> LastMod | None:
        return None if self.date is None else LastMod(self.date)


_TABLES = (
    "CREATE TABLE entries (place INTEGER PRIMARY KEY, key BLOB, date TEXT, data BLOB)",
    # What does not stay where it is: it goes to another place, or, without one, nowhere.
    "CREATE TABLE moved (place INTEGER PRIMARY KEY, target INTEGER)",
)
_FILL = "INSERT INTO entries (key, date, data) VALUES (?, ?, ?)"
_GROUPED = "SELECT key, place, date FROM entries ORDER BY key, place"
_DROPPED = "SELECT count(*) FROM moved WHERE target IS NULL"
_UNMOVED = """
SELECT place, data FROM entries
WHERE NOT EXISTS (SELECT 1 FROM moved WHERE moved.place = entries.place) ORDER BY place
"""
_MOVED = """
SELECT target, data FROM moved CROSS JOIN entries ON entries.place = moved.place
WHERE target IS NOT NULL ORDER BY target
"""


def _by_database(pairs: _Pairs, keep: Dedupe, ledger: Ledger) -> Iterator[Entry]:
    """The same by sorting: entries are appended, and their keys sorted to find those of one address.

    No entry is looked up by its key, which on disk would mean to read and write a page for each.
    """
    from urlset.converters.spill.database import temporary  # few conversions need it
    from urlset.converters.spill.packing import unpacked

    with temporary() as connection:
        for table in _TABLES:
            connection.execute(table)
        connection.executemany(_FILL, _filling(pairs))
        rows = map(_Row._make, connection.execute(_GROUPED))
        connection.executemany("INSERT INTO moved VALUES (?, ?)", _moves(rows, keep))
        ledger.counts.duplicates += connection.execute(_DROPPED).fetchone()[0]
        for _, data in heapq.merge(connection.execute(_UNMOVED), connection.execute(_MOVED)):
            yield unpacked(data)


def _filling(pairs: _Pairs) -> Iterator[tuple[bytes, str | None, bytes]]:
    from urlset.converters.spill.database import digest
    from urlset.converters.spill.packing import packed

    for key, entry in pairs:
        yield digest(key), None if entry.lastmod is None else str(entry.lastmod), packed(entry)


def _moves(rows: Iterable[_Row], keep: Dedupe) -> Iterator[tuple[int, int | None]]:
    """Each entry that another one of its address takes the place of, and then that one with its new place."""
    for _, group in groupby(rows, itemgetter(0)):
        first = best = next(group)
        for row in group:  # noqa: B031 - the rest of them
            better = keep == "last" or _newer(row.lastmod, best.lastmod)
            loser, best = (best, row) if better else (row, best)
            yield loser.place, None
        if best is not first:
            yield best.place, first.place
