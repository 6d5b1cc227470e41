"""What of the entries a target can't hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Literal

from urlset.formats.catalogue import Severity
from urlset.formats.vocabulary.entry import FIELDS, Core, Entry
from urlset.formats.vocabulary.errors import WriteError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger

OnLoss = Literal["warn", "fail", "ignore"]


class Losses:
    """Counts the fields that the target can't hold, and says so before anything is moved into place."""

    def __init__(self, target: Format) -> None:
        self._target = target
        self._missing = {name: attrgetter(name) for name in FIELDS if name not in target.carries}
        self._lost = dict.fromkeys(self._missing, 0)

    def see(self, some: Sequence[Entry] | Core) -> None:
        """Count what entries would lose."""
        for name, value_of in self._missing.items():
            if isinstance(some, Core):
                self._lost[name] += some.present(name)
            else:
                # Absent is None or an empty tuple; "" and 0.0 are values.
                self._lost[name] += sum(value is not None and value != () for value in map(value_of, some))

    @property
    def names(self) -> list[str]:
        """The fields that were met and can't be held."""
        return [name for name, count in self._lost.items() if count]

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Pass entries through and count."""
        for entry in entries:
            self.see((entry,))
            yield entry

    def report(self, ledger: Ledger, on_loss: OnLoss) -> None:
        """One finding for each lost field. Raises WriteError if losses are to fail."""
        lost = {name: count for name, count in self._lost.items() if count}
        if on_loss == "ignore" or not lost:
            return
        for name, count in lost.items():
            # A title was never a sitemap's business; whoever converts a feed knows.
            severity: Severity = "info" if name == "title" and on_loss == "warn" else "warning"
            entries = "1 entry" if count == 1 else f"{count:,} entries"
            message = f"{self._target.title} cannot hold {name}; it is dropped from {entries}"
            ledger.add(Finding("field-not-carried", severity, message, value=name, action="dropped-value", count=count))
        if on_loss == "fail":
            names = ", ".join(lost)
            raise WriteError(f"{self._target.title} cannot hold {names}", rule="field-not-carried")
