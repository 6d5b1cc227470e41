"""Entries many at a time, so that the layers between a reader and a writer cost little for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import length_hint
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from urlset.formats.vocabulary.entry import Entry
    from urlset.formats.vocabulary.ledger import Account

Batches: TypeAlias = "Iterator[Iterator[Entry]]"
"""Entries, many at a time; each batch is used up before the next one is asked for."""

SIZE = 64
"""Entries of a batch that is made of single ones."""


def gathered(entries: Iterable[Entry], account: Account) -> Batches:
    """Entries that a reader gives one by one; what it gave before it raised an error is handed out first."""
    batch: list[Entry] = []
    try:
        for entry in entries:
            batch.append(entry)
            if len(batch) == SIZE:
                yield from handed_out(batch, account)
                batch.clear()
    except Exception:
        yield from handed_out(batch, account)
        raise
    yield from handed_out(batch, account)


def handed_out(batch: Sequence[Entry], account: Account) -> Batches:
    """A batch whose entries were counted; whoever stops early has read no more than what was handed out."""
    waiting = iter(batch)
    try:
        yield waiting
    finally:
        account.count(-length_hint(waiting))


def one_by_one(batches: Batches, account: Account) -> Iterator[Entry]:
    """The entries of batches, each counted when it is handed out."""
    for batch in batches:
        entries = [*batch]
        account.count(-len(entries))
        for entry in entries:
            account.count()
            yield entry
