"""Counts of names in bounded memory."""

from __future__ import annotations

from collections import Counter

KEPT = 100_000
"""Names that are kept when there are twice as many."""


class Tally:
    """How often each name occurred; beyond 200,000 names the rarest are forgotten.

    Then ``exact`` is False, and a count is the least that the name can have occurred: a frequent name is not forgotten.
    """

    def __init__(self) -> None:
        self.exact = True
        self._counts: Counter[str] = Counter()

    def add(self, name: str, times: int = 1) -> None:
        """Count a name."""
        self._counts[name] += times
        if len(self._counts) >= 2 * KEPT:
            self._counts = Counter(dict(_ranked(self._counts)[:KEPT]))
            self.exact = False

    def __len__(self) -> int:
        return len(self._counts)

    def top(self, number: int) -> dict[str, int]:
        """The most frequent names, the first of the alphabet first where they are equal."""
        return dict(_ranked(self._counts)[:number])


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))
