"""RESULTS.md from saved runs, each figure the median of those that have it.

python -m benchmarks.results benchmarks/saved/*.json > benchmarks/RESULTS.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import machine, report, saved
from benchmarks.growth import in_words
from benchmarks.saved import Run


def page(runs: Sequence[Run], note: str = "") -> Iterator[str]:
    """The page, line by line; ``note`` is a sentence about the runs.

    Raises SystemExit for runs of different machines, whose medians would say nothing.
    """
    if len({run.machine for run in runs}) > 1:
        raise SystemExit("these runs are from different machines; write a page for each")
    rows = list(saved.medians(runs))
    yield "# Results"
    yield ""
    yield "Written by `python -m benchmarks.results`; [README.md](README.md) says what is measured and how to read it."
    yield ""
    yield f"{_dates(runs)}. {machine.line(runs[-1].about)}.{f' {note}' * bool(note)}"
    yield ""
    yield from report.tables(rows)
    yield from (f"* {sentence}" for sentence in in_words([row for row in rows if row.table == "growth"]))
    for one in dict.fromkeys(one for run in runs for one in run.left_out):
        yield f"* Left out: {one}"


def _dates(runs: Sequence[Run]) -> str:
    dates = sorted({run.date for run in runs})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    number = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
    return f"Measured {when} in {number}; each figure is the median of the runs that have it"


def main() -> None:
    """Print the page of some files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.results", description=__doc__)
    parser.add_argument("saved", type=Path, nargs="+", metavar="SAVED.json")
    parser.add_argument("--note", default="", metavar="TEXT", help="a sentence about the runs, put behind the machine")
    given = parser.parse_args()
    sys.stdout.write("\n".join(page([saved.load(path) for path in given.saved], given.note)) + "\n")


if __name__ == "__main__":
    main()
