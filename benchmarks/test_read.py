"""Reading: from the file to the last entry, its format detected, its entries looked at and let go."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import urlset
from benchmarks import by_hand, cases
from benchmarks.baselines import floor_of
from benchmarks.cases import Case
from benchmarks.conftest import Documents, Measured
from benchmarks.measuring import Job, Rival


def count_entries(path: Path) -> tuple[int, int]:
    """Records met and entries given."""
    ledger = urlset.Ledger()
    found = sum(1 for _ in urlset.read(path, ledger=ledger, base_url=cases.BASE_URL, follow=False))
    return ledger.counts.read, found


@pytest.mark.parametrize("case", cases.readable())
def test_read(case: Case, document: Documents, entries: int, measured: Measured) -> None:
    count = case.count(entries)
    path = document(case, count)
    assert count_entries(path) == (count, case.expected(count))
    measured(
        Job(
            name=f"read {case}",
            records=count,
            expected=case.expected(count),
            size=path.stat().st_size,
            run=lambda: count_entries(path)[1],
            floor=floor_of([document(case.sound, count)]),
            rivals=rivals(case, path, count),
        )
    )


def rivals(case: Case, path: Path, count: int) -> list[Rival]:
    """The loops by hand over a plain sitemap."""
    if str(case) != "sitemap":
        return []
    return [Rival(name, count, partial(loop, path)) for name, loop in by_hand.LOOPS.items()]
