"""Pages that went to another origin: recognised by their paths, and taken for moved instead of removed and added.

An origin of the old side has moved to one of the new side if more than half of all its pages, and at least LEAST, are
gone from it and stand under the other with the same path and query, where they are new. Of several the one with most
of them counts, and of equal ones that on the same host, ``www.`` aside, then the first by alphabet. A new page stands
for one old page at most; further ones are removed.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby, product
from operator import itemgetter
from typing import NamedTuple

from urlset.converters.diff.rows import Rows
from urlset.converters.diff.sides import CACHE, ROOM, Pair, firsts, joined, primed
from urlset.converters.spill import ordered
from urlset.formats.vocabulary.entry import Entry, Origin, sound
from urlset.formats.vocabulary.urls import dedupe_key

LEAST = 3
"""Pages that must have moved together: of fewer, chance is as likely."""

ORIGINS = 1_000
"""Origins of a side that are looked at, those with most pages."""

_CROWD = 10_000  # pairs of origins that one path may speak for; of more, only those of one host are counted
_NOWHERE = Origin("")


class Move(NamedTuple):
    """An origin, such as ``http://example.com/``, that moved to another: ``pages`` of its ``of`` pages did."""

    old: str
    new: str
    pages: int
    of: int

    @property
    def rule(self) -> str:
        """The move as ``convert --rewrite`` takes it."""
        return f"{self.old}={self.new}"


def prefix(key: str) -> str:
    """The beginning of a key up to the path, with its slash; empty if it has none."""
    return key[: key.find("/", key.find("://") + 3) + 1]


class Origins:
    """Counts the pages of each origin, for keys in their order: only the largest that may have moved are kept."""

    def __init__(self) -> None:
        self._prefix = ""
        self._pages = 0
        self._gone = 0
        self._kept: list[tuple[int, str, int]] = []

    def see(self, key: str, gone: bool) -> None:
        """One more page; ``gone`` if the other side does not have it."""
        if not self._prefix or not key.startswith(self._prefix):
            self._next(prefix(key))
        self._pages += 1
        self._gone += gone

    def moving(self) -> dict[str, int]:
        """The origins that may have moved, with the number of all their pages."""
        self._next("")
        return {name: pages for _, name, pages in self._kept}

    def _next(self, name: str) -> None:
        if self._prefix and self._gone >= LEAST and self._gone * 2 > self._pages:
            heapq.heappush(self._kept, (self._gone, self._prefix, self._pages))
            if len(self._kept) > ORIGINS:
                heapq.heappop(self._kept)
        self._prefix, self._pages, self._gone = name, 0, 0


def keyed(entries: Iterable[Entry]) -> Iterator[Pair]:
    """Entries with their keys."""
    return ((dedupe_key(entry.loc), entry) for entry in entries)


def recognise(gone: Collection[Entry], fresh: Collection[Entry], old: Origins) -> list[Move]:
    """The moves, by the prefixes of keys. ``gone`` and ``fresh`` are in the order of their keys."""
    leaving = old.moving()
    if not leaving or len(fresh) < LEAST:
        return []
    new = Origins()
    for key, _ in keyed(fresh):
        new.see(key, gone=True)
    found = _evidence(_by_path(gone, leaving), _by_path(fresh, new.moving()))
    best: dict[str, Move] = {}
    for (mine, its), pages in sorted(
        found.items(), key=lambda one: (-one[1], _bare(one[0][0]) != _bare(one[0][1]), one)
    ):
        if pages >= LEAST and pages * 2 > leaving[mine]:
            best.setdefault(mine, Move(mine, its, pages, leaving[mine]))
    # One that goes where another one left comes after it, so that rewriting in this order takes no page twice.
    return sorted(best.values(), key=lambda move: (move.new in best, move))


def _by_path(entries: Iterable[Entry], origins: Collection[str]) -> Iterator[Pair]:
    """For each page of one of the origins its path, and the origin for an entry; in the order of the paths."""
    pairs = (
        (key[len(start) :], sound(start, _NOWHERE, {}))
        for key, _ in keyed(entries)
        if (start := prefix(key)) in origins
    )
    return _ordered(pairs, origins)


def _ordered(pairs: Iterator[Pair], origins: Collection[str]) -> Iterator[Pair]:
    """What was in the order of its keys, in that of its paths: for one origin they are the same."""
    return pairs if len(origins) == 1 else primed(ordered(pairs, ROOM, CACHE))


def _evidence(old: Iterator[Pair], new: Iterator[Pair]) -> Counter[tuple[str, str]]:
    """How many paths went from one origin to another, for each two."""
    found: Counter[tuple[str, str]] = Counter()
    for _, mine, its in joined(_grouped(old), _grouped(new)):
        if mine is not None and its is not None:
            crowded = len(mine) * len(its) > _CROWD
            found.update(_of_one_host(mine, its) if crowded else product(mine, its))
    return found


def _grouped(pairs: Iterable[Pair]) -> Iterator[tuple[str, list[str]]]:
    for path, group in groupby(pairs, itemgetter(0)):
        yield path, [entry.loc for _, entry in group]


def _of_one_host(old: Iterable[str], new: Iterable[str]) -> Iterator[tuple[str, str]]:
    hosts: dict[str, list[str]] = {}
    for name in new:
        hosts.setdefault(_bare(name), []).append(name)
    return ((mine, its) for mine in old for its in hosts.get(_bare(mine), ()))


def _bare(name: str) -> str:
    """The host of an origin without scheme, ``www.`` and port."""
    return name.partition("://")[2].rstrip("/").partition(":")[0].removeprefix("www.")


def settle(
    gone: Iterable[Entry],
    fresh: Iterable[Entry],
    moves: Iterable[Move],
    *,
    removed: Rows[Entry],
    added: Rows[Entry],
    moved: Callable[[Entry, Entry], None],
    leftover: Rows[Entry],
) -> list[Move]:
    """Hand what has moved to ``moved`` as pairs, and the rest to ``removed`` and ``added``, in the order of its keys.

    The moves come back with their origins as the entries spell them.
    """
    targets = {move.old: move.new for move in moves}
    spelled: dict[str, tuple[str, str]] = {}
    arrivals = firsts(_ordered(_carried(gone, targets), targets), lambda pair: leftover.add(pair[1]))
    for _, mine, its in joined(arrivals, keyed(fresh)):
        if mine is None:
            assert its is not None  # noqa: S101 - one of the two is there
            added.add(its)
        elif its is None:
            leftover.add(mine)
        else:
            spelled.setdefault(prefix(dedupe_key(mine.loc)), (_spelled(mine.loc), _spelled(its.loc)))
            moved(mine, its)
    staying = (pair for pair in keyed(gone) if prefix(pair[0]) not in targets)
    for _, entry in heapq.merge(staying, ordered(keyed(leftover), ROOM, CACHE), key=itemgetter(0)):
        removed.add(entry)
    return [
        move._replace(old=spelled[move.old][0], new=spelled[move.old][1]) if move.old in spelled else move
        for move in moves
    ]


def _carried(gone: Iterable[Entry], targets: dict[str, str]) -> Iterator[Pair]:
    """The pages of the origins that moved, each with the key that it has at its new place."""
    for key, entry in keyed(gone):
        start = prefix(key)
        if start in targets:
            yield targets[start] + key[len(start) :], entry


def _spelled(loc: str) -> str:
    """The origin of an address as it is written there, with a slash."""
    start = loc.find("://") + 3
    end = min((place for mark in "/?#" if (place := loc.find(mark, start)) >= 0), default=len(loc))
    return f"{loc[:end]}/"
