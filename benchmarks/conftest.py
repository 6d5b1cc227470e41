from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import machine, report
from benchmarks.cases import Case
from benchmarks.measuring import TIMER, Job, Row, measure
from benchmarks.memory import Growth
from urlset.formats.vocabulary.errors import MissingDependencyError

LARGE = 200_000
"""Entries from which jobs run without a warm-up."""

Documents: TypeAlias = Callable[[Case, int], Path]
Measured: TypeAlias = Callable[[Job], None]


@dataclass
class Results:
    """What the tables at the end are made of."""

    rows: list[Row] = field(default_factory=list)
    growths: list[Growth] = field(default_factory=list)


RESULTS = pytest.StashKey[Results]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("urlset")
    group.addoption("--entries", type=int, default=20_000, metavar="N", help="entries of each document; 20,000")
    group.addoption("--rounds", type=int, metavar="N", default=3, help="rounds of each job; 3")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RESULTS] = Results()
    # Our own tables take the place of the plugin's, which come back with -v.
    config.option.benchmark_quiet = config.option.verbose <= 0
    # The processor's seconds: other programs on the machine count less than with a clock on the wall.
    config.option.benchmark_timer = f"time.{TIMER.__name__}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash[RESULTS]
    contests = [(row, contest) for row in found.rows for contest in row.contests]
    tables = [
        report.table(report.SPEED, found.rows),
        report.table(report.RIVALS, contests),
        report.table(report.MEMORY, found.growths),
    ]
    for table in tables:
        if lines := list(table):
            terminalreporter.write("\n".join(["", *lines, ""]))
    if found.rows or found.growths:
        terminalreporter.write(f"\n{machine.line(machine.about())}\n")


@pytest.fixture(scope="session")
def entries(pytestconfig: pytest.Config) -> int:
    return int(pytestconfig.getoption("entries") or 0)


@pytest.fixture(scope="session")
def results(pytestconfig: pytest.Config) -> Results:
    return pytestconfig.stash[RESULTS]


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A folder that is gone at the end, since pytest would keep its own for three runs."""
    with TemporaryDirectory(prefix="urlset-") as path:
        yield Path(path)


@pytest.fixture
def document(folder: Path) -> Documents:
    """Makes the document of a case, unless its format needs a library that is not installed."""

    def made(case: Case, count: int) -> Path:
        try:
            return case.make(folder, count)
        except MissingDependencyError as error:
            pytest.skip(str(error))

    return made


@pytest.fixture
def measured(benchmark: BenchmarkFixture, results: Results, pytestconfig: pytest.Config, entries: int) -> Measured:
    """Measures a job by turns with its floor and its rivals, and keeps the row."""
    is_small = entries < LARGE
    rounds = int(pytestconfig.getoption("rounds") or 1)

    def run(job: Job) -> None:
        row = measure(benchmark, job, rounds=rounds, warm=is_small)
        if row is not None:
            results.rows.append(row)

    return run
