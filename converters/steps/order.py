"""Entries in the order of their addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlset.converters.spill import IN_MEMORY, ordered
from urlset.formats.vocabulary.entry import Entry


def in_order(entries: Iterable[Entry], room: int = IN_MEMORY) -> Iterator[Entry]:
    """All entries by the code points of their loc; those of one loc stay in the order of their coming.

    More than ``room`` bytes of them go to disk. Raises WriteError if that can't be done.
    """
    for _, entry in ordered(((entry.loc, entry) for entry in entries), room):
        yield entry
