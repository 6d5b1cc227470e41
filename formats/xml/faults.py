"""What is wrong with a document as XML, collected until somebody reports it."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

LISTED = 10_000
"""Faults of one rule that are kept one by one; those beyond are counted, so that a hostile file costs no memory."""


class Fault(NamedTuple):
    """One violation of XML; ``cause`` is set where one cause makes many (it is then reported once and counted)."""

    rule: str
    message: str
    line: int
    column: int | None = None
    value: str | None = None
    cause: str | None = None
    times: int = 1


class Faults:
    """The faults met since somebody last took them."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []
        self._met: Counter[str] = Counter()
        self._beyond: dict[tuple[str, str | None], list[int]] = {}  # place in ``_waiting`` and count

    def add(self, fault: Fault) -> None:
        """Take a fault."""
        rule = fault.rule
        self._met[rule] += 1
        if self._met[rule] <= LISTED:
            self._waiting.append(fault)
        elif (beyond := self._beyond.get((rule, fault.cause))) is not None:
            beyond[1] += fault.times
        else:
            self._beyond[rule, fault.cause] = [len(self._waiting), fault.times]
            self._waiting.append(fault)

    def flooded(self, rule: str) -> bool:
        """Whether faults of that rule are only counted by now."""
        return self._met[rule] > LISTED

    def take(self) -> list[Fault]:
        """Hand over the faults in the order in which they were met."""
        taken, self._waiting = self._waiting, []
        for place, times in self._beyond.values():
            taken[place] = taken[place]._replace(times=times)
        self._beyond.clear()
        return taken

    def any(self, rule: str) -> bool:
        """Whether a fault of that rule waits."""
        return any(fault.rule == rule for fault in self._waiting)
