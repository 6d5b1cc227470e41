"""Memory: the peak of a process that does one job, at two sizes, one ten times the other."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import case_of
from benchmarks.conftest import Documents, Results
from benchmarks.memory import Growth
from benchmarks.ours import command
from benchmarks.process import Outcome, run

TIMES = 10
MOST = 1_000_000
SMALL = 20
"""Entries of the larger document, unless more are asked for."""


@pytest.mark.parametrize(
    ("what", "source", "target"),
    [
        ("read", "sitemap", ""),
        ("read", "rss", ""),
        ("validate", "sitemap", ""),
        ("convert", "text", "sitemap.xml"),
        ("convert", "csv", "out.jsonl"),
    ],
    ids=["read-sitemap", "read-rss", "validate-sitemap", "convert-text-to-sitemap", "convert-csv-to-jsonl"],
)
def test_memory(
    what: str,
    source: str,
    target: str,
    document: Documents,
    entries: int,
    benchmark: BenchmarkFixture,
    results: Results,
) -> None:
    case = case_of(source)
    large = min(entries * TIMES, max(entries, MOST))

    def peak(count: int) -> Outcome:
        job = f"{what}={target}" if target else what
        found = run((*command(job), str(document(case, count)), str(document(case, SMALL))))
        assert found.entries == count
        return found

    small = peak(max(1, large // TIMES))
    name = f"{what} {source}{f' to {target}' if target else ''}"
    pedantic: Any = benchmark.pedantic
    results.growths.append(Growth(name, small, pedantic(peak, (large,), rounds=1)))
