"""Measuring by turns: floor, rivals, job, and again, so that a machine that slows down slows them all.

What counts are the ratios within one round; the seconds tell only about the machine at that moment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.baselines import Floor

T = TypeVar("T")

TIMER = time.process_time


@dataclass(frozen=True)
class Rival:
    """What another reader does: on a document of ``entries`` entries, of which ``run`` says how many it found."""

    name: str
    entries: int
    run: Callable[[], int]


@dataclass(frozen=True)
class Job:
    """What is measured. ``run`` gives the number of entries, which must be ``expected``; ``records`` were in it."""

    name: str
    records: int
    expected: int
    size: int
    run: Callable[[], int]
    floor: Floor
    rivals: Sequence[Rival] = ()


@dataclass(frozen=True)
class Contest:
    """A rival beside a job: entries a second, and how many times as long it takes for an entry."""

    name: str
    rate: float
    ratio: float
    found: str


@dataclass(frozen=True)
class Row:
    """One job as measured; ``seconds`` is the median, ``ratio`` that of the rounds' ratios to the floor."""

    name: str
    records: int
    size: int
    seconds: float
    floor: str
    ratio: float
    contests: Sequence[Contest]


@dataclass
class _Rounds:
    """The seconds of what runs before each round of the job."""

    job: Job
    floor: list[float] = field(default_factory=list)
    rivals: list[list[float]] = field(default_factory=list)
    found: list[int] = field(default_factory=list)

    def prepare(self) -> None:
        self.floor.append(_timed(self.job.floor.scan)[0])
        outcomes = [_timed(rival.run) for rival in self.job.rivals]
        self.rivals.append([seconds for seconds, _ in outcomes])
        self.found = [number for _, number in outcomes]


def measure(benchmark: BenchmarkFixture, job: Job, *, rounds: int, warm: bool = True) -> Row | None:
    """Run a job ``rounds`` times; None if benchmarks are switched off, after one run."""
    before = _Rounds(job)
    pedantic: Any = benchmark.pedantic
    found = pedantic(job.run, setup=before.prepare, rounds=rounds, warmup_rounds=int(warm))
    assert found == job.expected, f"{job.name}: {found} entries instead of {job.expected}"
    if benchmark.stats is None:
        return None
    own: list[float] = list(benchmark.stats.stats.data)
    benchmark.extra_info.update(entries=job.records, bytes=job.size)
    floor = median(mine / base for mine, base in zip(own, before.floor[-rounds:], strict=True))
    contests = [
        _contest(rival, before.found[number], job.records, own, [times[number] for times in before.rivals[-rounds:]])
        for number, rival in enumerate(job.rivals)
    ]
    return Row(job.name, job.records, job.size, median(own), job.floor.name, floor, contests)


def _contest(rival: Rival, found: int, records: int, own: list[float], theirs: list[float]) -> Contest:
    ratio = median(their / rival.entries / (mine / records) for mine, their in zip(own, theirs, strict=True))
    missing = "" if found == rival.entries else f"found {found:,} of {rival.entries:,}"
    return Contest(rival.name, rival.entries / median(theirs), ratio, missing)


def _timed(run: Callable[[], T]) -> tuple[float, T]:
    start = TIMER()
    result = run()
    return TIMER() - start, result
