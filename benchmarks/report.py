"""The tables that are printed at the end, as Markdown."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from xml.parsers import expat

from lxml import etree

from benchmarks.measuring import Row
from benchmarks.memory import Growth

MB = 1_000_000


def speed(rows: Sequence[Row]) -> Iterator[str]:
    """Each job: how much, how long, how many, and how many times the floor."""
    head = ("job", "entries", "MB", "median CPU s", "entries/s", "× floor", "floor")
    body = [
        (
            row.name,
            f"{row.records:,}",
            f"{row.size / MB:.1f}",
            f"{row.seconds:.3f}",
            f"{row.records / row.seconds:,.0f}",
            f"{row.ratio:.1f}",
            row.floor,
        )
        for row in rows
    ]
    return _table(head, body, left=(0, 6)) if body else iter(())


def peers(rows: Sequence[Row]) -> Iterator[str]:
    """Each peer beside the job that it does too."""
    head = ("job", "peer", "peer's entries/s", "peer's time ÷ ours", "remark")
    body = [
        (row.name, contest.name, f"{contest.rate:,.0f}", f"{contest.ratio:.2f}", contest.found)
        for row in rows
        for contest in row.contests
    ]
    return _table(head, body, left=(0, 1, 4)) if body else iter(())


def memory(growths: Sequence[Growth]) -> Iterator[str]:
    """The peak of each job at two sizes."""
    head = ("job", "entries", "peak MB", "entries", "peak MB", "growth MB", "bytes/further entry")
    body = [
        (
            one.name,
            f"{one.small.entries:,}",
            f"{one.small.after / MB:.1f}",
            f"{one.large.entries:,}",
            f"{one.large.after / MB:.1f}",
            f"{(one.large.after - one.small.after) / MB:+.1f}",
            f"{one.per_entry:.1f}",
        )
        for one in growths
    ]
    return _table(head, body, left=(0,)) if body else iter(())


def versions() -> str:
    """What was measured, and with what."""
    names = ("urlset", "pydantic", "lxml", "pytest-benchmark")
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    libxml2 = ".".join(map(str, etree.LIBXML_VERSION))
    return (
        f"Python {platform.python_version()}, {libraries}, libxml2 {libxml2}, {expat.EXPAT_VERSION.replace('_', ' ')}; "
        f"{platform.system()} on {platform.machine()}"
    )


def _table(head: Sequence[str], body: Iterable[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    rows = [head, *body]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for number, row in enumerate(rows):
        cells = (
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            rules = ("-" * width if column in left else "-" * (width - 1) + ":" for column, width in enumerate(widths))
            yield f"| {' | '.join(rules)} |"
