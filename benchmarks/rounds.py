"""Measuring by turns, each job in a process of its own: a machine that slows down slows what is compared alike."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.process import JobFailedError, Outcome, run


@dataclass
class Measured:
    """The outcomes of a job, and of the scan before each of them; ``failure`` is why it was given up."""

    outcomes: list[Outcome] = field(default_factory=list)
    scans: list[Outcome] = field(default_factory=list)
    failure: str = ""

    @property
    def last(self) -> Outcome:
        """The outcome of the last round."""
        return self.outcomes[-1]

    @property
    def seconds(self) -> float:
        """The median of the processor's seconds."""
        return median(one.seconds for one in self.outcomes)

    def figures(self) -> dict[str, float]:
        """The medians; ``scan`` is the seconds of the scan, ``ratio`` the median of the rounds' ratios to it."""
        return {
            "seconds": self.seconds,
            "wall": median(one.wall for one in self.outcomes),
            "peak_mb": median(one.peak_mb for one in self.outcomes),
            "scan": median(one.seconds for one in self.scans),
            "ratio": median(mine.seconds / base.seconds for mine, base in zip(self.outcomes, self.scans, strict=True)),
        }

    def times(self, other: Measured) -> float:
        """How many times as long as another job this one took: the median of the rounds' ratios."""
        return median(mine.seconds / its.seconds for mine, its in zip(self.outcomes, other.outcomes, strict=True))


def measure(scan: Sequence[str], jobs: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Measured]:
    """Run scan, job, scan, next job, and so on; a job that fails is left out of the further rounds."""
    found = {name: Measured() for name in jobs}
    for number in range(1, rounds + 1):
        for name, command in jobs.items():
            if not found[name].failure:
                sys.stderr.write(f"round {number} of {rounds}: {name}\n")
                _once(scan, command, found[name])
    return found


def _once(scan: Sequence[str], command: Sequence[str], measured: Measured) -> None:
    base = run(scan)
    try:
        outcome = run(command)
    except JobFailedError as error:
        measured.failure = str(error)
        return
    measured.scans.append(base)
    measured.outcomes.append(outcome)
