"""What a step is, and how an entry is left out on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.ledger import Ledger

Step = Callable[[Iterable[Entry]], Iterator[Entry]]


def reject(entry: Entry, rule: str, message: str, ledger: Ledger) -> None:
    """Leave out an entry that was read well and can't be written."""
    source = entry.origin.source if entry.origin else "<entries>"
    account = next((one for one in ledger.accounts if one.name == source), None) or ledger.open(source)
    line = entry.origin.line if entry.origin else None
    account.reject(rule, message, line=line, value=entry.loc, fields=entry.as_dict())
