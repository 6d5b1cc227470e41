"""Fields that one side has and the format of the other can't hold: no change, and said once."""

from __future__ import annotations

from collections.abc import Iterable

from urlset.converters.diff.sides import Side
from urlset.converters.diff.values import present
from urlset.formats.catalogue import Severity
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger


class Uncompared:
    """Such fields, as they are met. They are worth a warning if they were ``asked`` for."""

    def __init__(self, asked: bool) -> None:
        self._asked = asked
        self._old: set[str] = set()
        self._new: set[str] = set()

    def see(
        self, old: Entry, new: Entry, names: Iterable[str], old_holds: frozenset[str], new_holds: frozenset[str]
    ) -> None:
        """Two entries that are compared by some of the fields."""
        for name in names:
            if name not in old_holds and name not in self._old and (self._asked or present(getattr(new, name))):
                self._old.add(name)
            if name not in new_holds and name not in self._new and (self._asked or present(getattr(old, name))):
                self._new.add(name)

    def report(self, old: Side, new: Side, ledger: Ledger) -> None:
        """A finding for each side that can't hold some."""
        for side, missing in ((old, self._old), (new, self._new)):
            if missing:
                names = ", ".join(name for name in FIELDS if name in missing)
                message = (
                    f"{names} can't be compared: {side.title} does not hold {'it' if len(missing) == 1 else 'them'}"
                )
                severity: Severity = "warning" if self._asked else "info"
                source = side.accounts[0].name if side.accounts else None
                ledger.add(Finding("fields-not-compared", severity, message, source))
