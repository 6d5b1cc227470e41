"""Time and memory against the number of entries: measured, saved, drawn, and a line fitted to them.

    python -m benchmarks.growth --sizes 10000,100000,1000000 --save NAME
    python -m benchmarks.growth --draw benchmarks/saved/NAME.json --plot docs/images/growth.svg

The first measures and, with ``--plot FILE``, draws; the second draws what was saved.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory

from benchmarks import documents, ours, report, saved
from benchmarks.plot import draw
from benchmarks.process import MB
from benchmarks.rounds import measure
from benchmarks.saved import Row

JOBS = {
    "read": "read",
    "convert": "convert=out.xml",
    "validate": "validate",
}
HOLDING = {"dedupe and sort": "dedupe-sort=out.xml"}
"""What must hold all entries, and is measured when asked for."""


def grow(sizes: Sequence[int], jobs: dict[str, str], rounds: int, run_: saved.Run) -> None:
    """Each job on a sitemap of each size."""
    for size in sizes:
        with TemporaryDirectory(prefix="urlset-") as name:
            pair = documents.pair("sitemap", Path(name), size)
            commands = {job: (*ours.command(what), *pair) for job, what in jobs.items()}
            sys.stderr.write(f"{size:,} entries\n")
            for job, found in measure((*ours.command("scan"), *pair), commands, rounds).items():
                if found.failure or found.last.entries != size:
                    raise SystemExit(f"{job}: {found.failure or f'{found.last.entries} entries instead of {size}'}")
                run_.rows.append(Row("growth", job, size, found.figures()))


def in_words(rows: Sequence[Row]) -> Iterator[str]:
    """A sentence for each job: the line that fits its times, and what memory does."""
    for job in dict.fromkeys(row.job for row in rows):
        points = sorted((row for row in rows if row.job == job), key=lambda row: row.entries)
        if len(points) > 1:
            yield f"{job}: {_time(points)}; {_memory(points)}."


def _time(points: Sequence[Row]) -> str:
    sizes = [row.entries for row in points]
    seconds = [row.figures["seconds"] for row in points]
    power = log(seconds[-1] / seconds[0]) / log(sizes[-1] / sizes[0])
    slope = linear_regression(sizes, seconds).slope
    return (
        f"from {sizes[0]:,} to {sizes[-1]:,} entries the time grows with the power {power:.2f} of their number (1 is a "
        f"line), by {slope * 1e6:.1f} µs for each further one"
    )


def _memory(points: Sequence[Row]) -> str:
    peaks = [row.figures["peak_mb"] for row in points]
    before, last = points[-2:]
    further = round((peaks[-1] - peaks[-2]) * MB / (last.entries - before.entries), 1) + 0.0  # and no -0.0
    shown = " → ".join(f"{peak:.0f}" for peak in peaks)
    return f"the peak of memory is {shown} MB, by {further:.1f} bytes for each entry beyond {before.entries:,}"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(part.replace("_", "")) for part in text.split(",")))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--sizes", type=_numbers, default=(10_000, 100_000, 1_000_000), metavar="N,…")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds of each job; 1")
    parser.add_argument("--holding", action="store_true", help="dedupe and sort too, which hold all entries")
    parser.add_argument("--save", metavar="NAME", help="save the figures under this name")
    parser.add_argument("--into", type=Path, default=saved.FOLDER, metavar="DIR", help="where; benchmarks/saved")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="measure nothing, take what was saved in FILE")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw an SVG; needs matplotlib (the extra bench)")
    return parser.parse_args()


def main() -> None:
    """Measure or load, save, draw and print."""
    given = _arguments()
    if given.draw is not None:
        run_ = saved.load(given.draw)
    else:
        run_ = saved.begin()
        grow(given.sizes, {**JOBS, **(HOLDING if given.holding else {})}, given.rounds, run_)
    if given.save:
        saved.save(run_, given.into / f"{given.save}.json")
    if given.plot is not None:
        draw(run_.of("growth"), given.plot)
    sys.stdout.write("\n".join([*report.of_run(run_), "", *in_words(run_.of("growth"))]) + "\n")


if __name__ == "__main__":
    main()
