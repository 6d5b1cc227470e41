"""Validating: from the file to the last finding, beside a plain read of the same file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import urlset
from benchmarks.baselines import floor_of
from benchmarks.cases import case_of
from benchmarks.conftest import Documents, Measured
from benchmarks.measuring import Job, Rival
from benchmarks.test_read import count_entries


def count_validated(path: Path, xsd: bool) -> int:
    """Entries that were checked."""
    ledger = urlset.Ledger()
    urlset.validate(path, ledger=ledger, xsd=xsd, follow=False)
    return ledger.counts.written


@pytest.mark.parametrize(("name", "xsd"), [("sitemap", False), ("sitemap", True), ("text", False), ("rss", False)])
def test_validate(name: str, xsd: bool, document: Documents, entries: int, measured: Measured) -> None:
    case = case_of(name)
    path = document(case, entries)
    read: Callable[[], int] = lambda: count_entries(path)[1]  # noqa: E731 - it is one of two jobs, side by side
    measured(
        Job(
            name=f"validate {case}{' with its schema' if xsd else ''}",
            records=entries,
            expected=case.expected(entries),
            size=path.stat().st_size,
            run=partial(count_validated, path, xsd),
            floor=floor_of([path]),
            rivals=[Rival("urlset's own plain read", entries, read)],
        )
    )
