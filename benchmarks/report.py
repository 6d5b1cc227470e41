"""The tables as Markdown: those at the end of the pytest suite, and those of saved results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchmarks import machine
from benchmarks.measuring import Row as SuiteRow
from benchmarks.memory import Growth
from benchmarks.process import MB
from benchmarks.saved import Row, Run

# --- the pytest suite


def suite_speed(rows: Sequence[SuiteRow]) -> Iterator[str]:
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
    return markdown(head, body, left=(0, 6))


def suite_rivals(rows: Sequence[SuiteRow]) -> Iterator[str]:
    """Each rival beside the job that it does too."""
    head = ("job", "rival", "its entries/s", "its time ÷ ours", "remark")
    body = [
        (row.name, contest.name, f"{contest.rate:,.0f}", f"{contest.ratio:.2f}", contest.found)
        for row in rows
        for contest in row.contests
    ]
    return markdown(head, body, left=(0, 1, 4))


def suite_memory(growths: Sequence[Growth]) -> Iterator[str]:
    """The peak of each job at two sizes."""
    head = ("job", "entries", "peak MB", "entries", "peak MB", "bytes/further entry")
    body = [
        (
            one.name,
            f"{one.small.entries:,}",
            f"{one.small.peak_mb:.1f}",
            f"{one.large.entries:,}",
            f"{one.large.peak_mb:.1f}",
            f"{one.per_entry:.1f}",
        )
        for one in growths
    ]
    return markdown(head, body, left=(0,))


# --- saved results


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
    parts = {name: [row for row in rows if row.table == name] for name in ("speed", "peers", "memory", "growth")}
    for table in (_speed(parts["speed"]), _peers(parts["peers"]), _memory(parts["memory"]), _sizes(parts["growth"])):
        if lines := list(table):
            yield from (*lines, "")


def _speed(rows: Sequence[Row]) -> Iterator[str]:
    head = ("job", "entries", "CPU s", "wall s", "× scan", "entries/s", "scaled entries/s", "peak MB")
    body = [
        (
            row.job,
            f"{row.entries:,}",
            f"{row.figures['seconds']:.3f}",
            f"{row.figures['wall']:.3f}",
            f"{row.figures['ratio']:.1f}",
            f"{row.figures['rate']:,.0f}",
            f"{row.figures['scaled']:,.0f}" if "scaled" in row.figures else "",
            f"{row.figures['peak_mb']:.0f}",
        )
        for row in rows
    ]
    return markdown(head, body, left=(0,))


def _peers(rows: Sequence[Row]) -> Iterator[str]:
    head = ("job", "peer", "entries", "CPU s", "wall s", "its time ÷ ours", "peak MB", "remark")
    body = [
        (
            row.job,
            f"{row.peer} {row.version}",
            f"{row.entries:,}",
            f"{row.figures['seconds']:.3f}",
            f"{row.figures['wall']:.3f}",
            f"{row.figures['ratio']:.2f}",
            f"{row.figures['peak_mb']:.0f}",
            row.remark,
        )
        for row in rows
    ]
    return markdown(head, body, left=(0, 1, 7))


def _memory(rows: Sequence[Row]) -> Iterator[str]:
    head = ("job", "entries", "peak MB", "entries", "peak MB", "growth")
    body = [
        (
            row.job,
            f"{row.figures['small']:,.0f}",
            f"{row.figures['small_mb']:.1f}",
            f"{row.entries:,}",
            f"{row.figures['large_mb']:.1f}",
            f"× {row.figures['growth']:.2f}",
        )
        for row in rows
    ]
    return markdown(head, body, left=(0,))


def _sizes(rows: Sequence[Row]) -> Iterator[str]:
    head = ("job", "entries", "CPU s", "µs/entry", "× scan", "peak MB")
    body = [
        (
            row.job,
            f"{row.entries:,}",
            f"{row.figures['seconds']:.2f}",
            f"{row.figures['seconds'] / row.entries * 1e6:.1f}",
            f"{row.figures['ratio']:.1f}",
            f"{row.figures['peak_mb']:.1f}",
        )
        for row in rows
    ]
    return markdown(head, body, left=(0,))


# --- Markdown


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
