"""Writing: from entries in memory to files in place; all that can be written, by the registry."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

import urlset
from benchmarks import cases, generators
from benchmarks.baselines import floor_of
from benchmarks.conftest import Measured
from benchmarks.measuring import Job
from urlset import Format, Result

HELD = 20_000
"""Entries that are held in memory, and gone through again and again for more."""


def writable() -> list[object]:
    """The formats that write, plain and with blocks where they can hold some."""
    found = [one for one in urlset.registry() if one.write is not None]
    plain = [pytest.param(one, False, id=one.name) for one in found]
    return [
        *plain,
        *(pytest.param(one, True, id=f"{one.name}-with-blocks") for one in found if "videos" in one.carries),
    ]


@pytest.fixture
def target(folder: Path) -> Iterator[Path]:
    """A folder to write to."""
    path = folder / "written"
    path.mkdir()
    yield path
    shutil.rmtree(path)


@pytest.mark.parametrize(("target_format", "blocks"), writable())
def test_write(target_format: Format, blocks: bool, entries: int, target: Path, measured: Measured) -> None:
    count = min(entries, 50_000) if target_format.lists_sources else entries
    held = list(generators.entries(min(count, HELD), blocks=blocks))
    path = target / f"pages{(*target_format.suffixes, '.xml')[0]}"

    def write() -> Result:
        path.unlink(missing_ok=True)  # an old index would be read for parts that are no longer needed
        given = islice(cycle(held), count)
        return urlset.write(given, path, to=target_format.name, base_url=cases.BASE_URL, on_loss="ignore")

    written = write()
    files = [one for one in written.outputs if one.format == target_format.name]
    assert sum(one.urls for one in files) == count
    measured(
        Job(
            name=f"write {target_format.name}{' with blocks' * blocks}",
            records=count,
            expected=count,
            size=sum(one.bytes for one in files),
            run=lambda: write().ledger.counts.written,
            floor=floor_of([Path(one.path) for one in files]),
        )
    )
