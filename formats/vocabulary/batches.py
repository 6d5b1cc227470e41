"""Entries many at a time, so that the layers between a reader and a writer cost little for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter, length_hint
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.entry import Core, Entry, Origin, has_blocks

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account


SIZE = 128
"""Things of a batch, such as lines and what is made of them. So few are gone before the garbage collector looks at
them, which takes a quarter of the time."""


class Batch:
    """Some entries, to be taken once: one by one, or as columns where a reader has them so."""

    __slots__ = ("_made", "_some", "_unmade", "_waiting")

    def __init__(self, some: Sequence[Entry] | Core) -> None:
        self._some = some
        self._waiting: Iterator[Entry] | None = None
        self._made: Iterator[Entry] = iter(())
        self._unmade = len(some.locs if isinstance(some, Core) else some)

    def __iter__(self) -> Iterator[Entry]:
        if self._waiting is None:
            self._waiting = chain.from_iterable(self._pieces())
        return self._waiting

    def _pieces(self) -> Iterator[Iterator[Entry]]:
        some, number = self._some, self._unmade
        if not isinstance(some, Core) or some.held is not None or number <= SIZE:
            yield self._piece(entries_of(some))
            return
        for start in range(0, number, SIZE):
            yield self._piece(some.part(start, start + SIZE).entries())

    def _piece(self, entries: Sequence[Entry]) -> Iterator[Entry]:
        self._made = iter(entries)
        self._unmade -= len(entries)
        return self._made

    def columns(self) -> Core | None:
        """All of them as columns, which takes them; None, and nothing is taken, if they have more than core fields."""
        core = self._some if isinstance(self._some, Core) else columns_of(self._some)
        if core is not None:
            self._unmade = 0
            self._waiting = self._made = iter(())
        return core

    @property
    def left(self) -> int:
        """Entries that were not taken."""
        return self._unmade + length_hint(self._made)


def entries_of(some: Sequence[Entry] | Core) -> Sequence[Entry]:
    """The entries, of columns too."""
    return some.entries() if isinstance(some, Core) else some


def columns_of(entries: Sequence[Entry]) -> Core | None:
    """Entries as columns; None if there are none, or any has more than core fields and a title."""
    # A class of the caller's may have fields of its own.
    if {*map(type, entries)} != {Entry} or any(map(has_blocks, entries)):
        return None
    fields = [*map(attrgetter("__dict__"), entries)]
    lastmods = [one["lastmod"] for one in fields]
    origins = [one["origin"] or _NOWHERE for one in fields]
    return Core(
        [origin.source for origin in origins],
        [one["loc"] for one in fields],
        Dates((), lastmods),
        [one["changefreq"] for one in fields],
        [one["priority"] for one in fields],
        [origin.line for origin in origins],
        titles=[one["title"] for one in fields],
        held=entries,
    )


_NOWHERE = Origin("")

Batches: TypeAlias = Iterator[Batch]
"""Entries, many at a time; each batch is used up before the next one is asked for."""

T = TypeVar("T")


def slices(things: Iterable[T], size: int = SIZE) -> Iterator[list[T]]:
    """Things in lists of a size; what came before an error is handed out first."""
    stream = iter(things)
    while True:
        some: list[T] = []
        try:
            some.extend(islice(stream, size))
        except Exception:
            if some:
                yield some
            raise
        if not some:
            return
        yield some


LINES = 256
"""Lines of a list."""

LONG = 1 << 16
"""Characters of a line that ends its list, so that a list of long ones takes little memory."""


def line_slices(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines in lists, as :func:`slices` gives them."""
    some: list[tuple[int, str]] = []
    try:
        for line in lines:
            some.append(line)
            if len(some) >= LINES or len(line[1]) >= LONG:
                yield some
                some = []
    except Exception:
        if some:
            yield some
        raise
    if some:
        yield some


def gathered(entries: Iterable[Entry], account: Account) -> Batches:
    """Entries that a reader gives one by one."""
    for some in slices(entries):
        yield from handed_out(some, account)


def handed_out(some: Sequence[Entry] | Core, account: Account) -> Batches:
    """A batch whose entries were counted; whoever stops early has read no more than what was handed out."""
    batch = Batch(some)
    try:
        yield batch
    finally:
        account.count(-batch.left)


def counted(some: Core, account: Account) -> Batches:
    """A batch whose entries are counted here."""
    account.count(len(some.locs))
    return handed_out(some, account)


def one_by_one(batches: Batches, account: Account) -> Iterator[Entry]:
    """The entries of batches, each counted when it is handed out."""
    for batch in batches:
        entries = [*batch]
        account.count(-len(entries))
        for entry in entries:
            account.count()
            yield entry
