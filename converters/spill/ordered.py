"""Entries in the order of a key, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter

from urlset.converters.spill.weight import IN_MEMORY, weight
from urlset.formats.vocabulary.entry import Entry

Pair = tuple[str, Entry]


def ordered(pairs: Iterable[Pair], room: int = IN_MEMORY, cache: int | None = None) -> Iterator[Pair]:
    """Pairs of key and entry, by the code points of the keys; where these are equal, in the order of their coming.

    More than ``room`` bytes of entries go to disk, of which ``cache`` KiB stay in memory, and as many while it sorts.
    Raises WriteError if that can't be done.
    """
    held: list[Pair] = []
    source = iter(pairs)
    for pair in source:
        held.append(pair)
        room -= weight(pair[1]) + len(pair[0])
        if room < 0:
            yield from _by_database(chain(_drained(held), source), cache)
            return
    held.sort(key=itemgetter(0))
    yield from held


def _drained(held: list[Pair]) -> Iterator[Pair]:
    held.reverse()
    while held:
        yield held.pop()


def _by_database(pairs: Iterable[Pair], cache: int | None) -> Iterator[Pair]:
    from urlset.converters.spill.database import encoded, temporary  # few conversions need it
    from urlset.converters.spill.packing import packed, unpacked

    with temporary() if cache is None else temporary(cache) as connection:
        connection.execute("CREATE TABLE entries (place INTEGER PRIMARY KEY, key BLOB, data BLOB)")
        rows = ((encoded(key), packed(entry)) for key, entry in pairs)
        connection.executemany("INSERT INTO entries (key, data) VALUES (?, ?)", rows)
        # Sorting is an external merge sort there, and reads and writes in long strokes; an index would not.
        for key, data in connection.execute("SELECT key, data FROM entries ORDER BY key, place"):
            yield key.decode("utf-8", "surrogatepass"), unpacked(data)
