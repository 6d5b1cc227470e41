"""Reading: from the file to the last entry, its format detected, its entries looked at and let go."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import urlset
from benchmarks import cases, peers
from benchmarks.baselines import floor_of
from benchmarks.cases import Case
from benchmarks.conftest import Documents, Measured
from benchmarks.measuring import Job, Rival

PEER_ENTRIES = 5_000
"""Entries of the documents that peers get at most: some take twenty times as long as urlset."""


def count_entries(path: Path) -> tuple[int, int]:
    """Records met and entries given."""
    ledger = urlset.Ledger()
    found = sum(1 for _ in urlset.read(path, ledger=ledger, base_url=cases.BASE_URL, follow=False))
    return ledger.counts.read, found


@pytest.mark.parametrize("case", cases.readable())
def test_read(case: Case, document: Documents, entries: int, peers_wanted: bool, measured: Measured) -> None:
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
            rivals=rivals(case, min(count, PEER_ENTRIES), document) if peers_wanted else (),
        )
    )


def rivals(case: Case, count: int, document: Documents) -> list[Rival]:
    """The peers that read this format, each on a document of its own size."""
    if case.damage or case.blocks:
        return []
    found = peers.readers(case.format)
    return [Rival(one.name, count, partial(one.read, document(case, count))) for one in found if one.read is not None]
