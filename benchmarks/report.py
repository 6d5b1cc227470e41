"""The tables as Markdown: those at the end of the pytest suite, and those of saved results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from benchmarks import machine
from benchmarks.measuring import Contest
from benchmarks.measuring import Row as SuiteRow
from benchmarks.memory import Growth
from benchmarks.process import MB
from benchmarks.saved import Row, Run, Table

R = TypeVar("R")


class Column(NamedTuple, Generic[R]):
    """A column of a table: what stands above it, and what stands there of a row; ``words`` are flush left."""

    head: str
    cell: Callable[[R], str]
    words: bool = False


# --- the pytest suite

SPEED: tuple[Column[SuiteRow], ...] = (
    Column("job", lambda row: row.name, words=True),
    Column("entries", lambda row: f"{row.records:,}"),
    Column("MB", lambda row: f"{row.size / MB:.1f}"),
    Column("median CPU s", lambda row: f"{row.seconds:.3f}"),
    Column("entries/s", lambda row: f"{row.records / row.seconds:,.0f}"),
    Column("× floor", lambda row: f"{row.ratio:.1f}"),
    Column("floor", lambda row: row.floor, words=True),
)
"""Each job: how much, how long, how many, and how many times the floor."""

RIVALS: tuple[Column[tuple[SuiteRow, Contest]], ...] = (
    Column("job", lambda pair: pair[0].name, words=True),
    Column("rival", lambda pair: pair[1].name, words=True),
    Column("its entries/s", lambda pair: f"{pair[1].rate:,.0f}"),
    Column("its time ÷ ours", lambda pair: f"{pair[1].ratio:.2f}"),
    Column("remark", lambda pair: pair[1].found, words=True),
)
"""Each rival beside the job that it does too."""

MEMORY: tuple[Column[Growth], ...] = (
    Column("job", lambda one: one.name, words=True),
    Column("entries", lambda one: f"{one.small.entries:,}"),
    Column("peak MB", lambda one: f"{one.small.peak_mb:.1f}"),
    Column("entries", lambda one: f"{one.large.entries:,}"),
    Column("peak MB", lambda one: f"{one.large.peak_mb:.1f}"),
    Column("bytes/further entry", lambda one: f"{one.per_entry:.1f}"),
)
"""The peak of each job at two sizes."""


# --- saved results


def _figure(head: str, name: str, shown: str) -> Column[Row]:
    """A column of figures, in a format; empty where there is none."""
    return Column(head, lambda row: format(row.figures[name], shown) if name in row.figures else "")


_JOB = Column[Row]("job", lambda row: row.job, words=True)
_ENTRIES = Column[Row]("entries", lambda row: f"{row.entries:,}")

SAVED: dict[Table, tuple[Column[Row], ...]] = {
    "speed": (
        _JOB,
        _ENTRIES,
        _figure("CPU s", "seconds", ".3f"),
        _figure("wall s", "wall", ".3f"),
        _figure("× scan", "ratio", ".1f"),
        _figure("entries/s", "rate", ",.0f"),
        _figure("scaled entries/s", "scaled", ",.0f"),
        _figure("peak MB", "peak_mb", ".0f"),
    ),
    "peers": (
        _JOB,
        Column("peer", lambda row: f"{row.peer} {row.version}", words=True),
        _ENTRIES,
        _figure("CPU s", "seconds", ".3f"),
        _figure("wall s", "wall", ".3f"),
        _figure("its time ÷ ours", "ratio", ".2f"),
        _figure("peak MB", "peak_mb", ".0f"),
        Column("remark", lambda row: row.remark, words=True),
    ),
    "memory": (
        _JOB,
        _figure("entries", "small", ",.0f"),
        _figure("peak MB", "small_mb", ".1f"),
        _ENTRIES,
        _figure("peak MB", "large_mb", ".1f"),
        Column("growth", lambda row: f"× {row.figures['growth']:.2f}"),
    ),
    "growth": (
        _JOB,
        _ENTRIES,
        _figure("CPU s", "seconds", ".2f"),
        Column("µs/entry", lambda row: f"{row.figures['seconds'] / row.entries * 1e6:.1f}"),
        _figure("× scan", "ratio", ".1f"),
        _figure("peak MB", "peak_mb", ".1f"),
    ),
}
"""The tables in their order."""


def of_run(run: Run) -> Iterator[str]:
    """The tables of a run, and what measured."""
    yield from tables(run.rows)
    for one in run.left_out:
        yield f"Left out: {one}"
    if run.left_out:
        yield ""
    yield f"{run.date}: {machine.line(run.about)}."


def tables(rows: Sequence[Row]) -> Iterator[str]:
    """The tables that there are rows for, each with an empty line behind it."""
    for name, columns in SAVED.items():
        if lines := list(table(columns, [row for row in rows if row.table == name])):
            yield from (*lines, "")


# --- Markdown


def table(columns: Sequence[Column[R]], rows: Iterable[R]) -> Iterator[str]:
    """Rows under the heads of columns; nothing without a row."""
    body = [[column.cell(row) for column in columns] for row in rows]
    left = [number for number, column in enumerate(columns) if column.words]
    return markdown([column.head for column in columns], body, left)


def markdown(head: Sequence[str], body: Iterable[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    """A table, its columns as wide as they must be, those of ``left`` flush left; nothing without a row."""
    rows = [head, *body]
    if len(rows) == 1:
        return
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
