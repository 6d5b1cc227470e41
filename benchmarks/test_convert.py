"""Converting: from one file to others in place, with the report of losses and the check of the counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

import urlset
from benchmarks import cases
from benchmarks.baselines import floor_of
from benchmarks.cases import Case, case_of
from benchmarks.conftest import Documents, Measured
from benchmarks.measuring import Job
from urlset import Result


@dataclass(frozen=True)
class Task:
    """A sitemap into ``to`` with options; ``label`` says what they are."""

    to: str
    label: str = ""
    options: dict[str, object] = field(default_factory=dict)


TASKS = [
    Task("sitemap", ", gzip", {"gzip": True}),
    Task("sitemap", ", dedupe first", {"dedupe": "first"}),
    Task("sitemap", ", sort", {"sort": True}),
    Task(
        "sitemap", ", include and rewrite", {"include": ["*"], "rewrite": ["https://example.com/=https://example.org/"]}
    ),
]


def from_sitemap() -> list[object]:
    """A sitemap into every other format that writes, and the options that cost time."""
    others = [one for one in urlset.registry() if one.write and not one.lists_sources and one.name != "sitemap"]
    tasks = [*(Task(one.name) for one in others), *TASKS]
    return [pytest.param(task, id=f"{task.to}{task.label}".replace(", ", "-").replace(" ", "-")) for task in tasks]


@pytest.mark.parametrize("case", cases.readable(lists=False))
def test_into_sitemap(case: Case, document: Documents, entries: int, tmp_path: Path, measured: Measured) -> None:
    convert(case, Task("sitemap"), document, entries, tmp_path, measured)


@pytest.mark.parametrize("task", from_sitemap())
def test_from_sitemap(task: Task, document: Documents, entries: int, tmp_path: Path, measured: Measured) -> None:
    convert(case_of("sitemap"), task, document, entries, tmp_path, measured)


def convert(case: Case, task: Task, document: Documents, entries: int, tmp_path: Path, measured: Measured) -> None:
    count = case.count(entries)
    source = document(case, count)
    target = tmp_path / f"out{(*urlset.registry()[task.to].suffixes, '')[0]}"

    def run() -> Result:
        return urlset.convert(source, target, to=task.to, base_url=cases.BASE_URL, on_loss="ignore", **task.options)

    done = run()
    expected = case.expected(count)
    assert (done.ledger.counts.read, done.ledger.counts.written) == (count, expected)
    assert sum(one.urls for one in done.outputs if one.format == task.to) == expected
    measured(
        Job(
            name=f"convert {case} to {task.to}{task.label}",
            records=count,
            expected=expected,
            size=source.stat().st_size,
            run=lambda: run().ledger.counts.written,
            floor=floor_of([document(case.sound, count)]),
        )
    )
