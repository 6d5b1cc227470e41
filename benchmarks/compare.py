"""What became faster or slower between two saved runs.

python -m benchmarks.compare OLD.json NEW.json
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import machine, report, saved
from benchmarks.saved import Row, Run, Table

NOISE = 1.05
"""A change of less than this is not called one."""

COMPARED: dict[Table, dict[str, str]] = {
    "speed": {"ratio": "time × scan", "peak_mb": "peak MB"},
    "peers": {"ratio": "its time ÷ ours"},
    "memory": {"large_mb": "peak MB"},
    "growth": {"ratio": "time × scan", "peak_mb": "peak MB"},
}
"""The figures that are compared. Times are held against the scan of the same run, so that machines matter less."""


def compared(old: Run, new: Run) -> Iterator[str]:
    """A table of what both have, then what only one has, then whether the machines differ."""
    before = {row.key: row for row in old.rows}
    pairs = [(before[row.key], row) for row in new.rows if row.key in before]
    head = ("job", "entries", "figure", "old", "new", "new ÷ old", "change")
    yield from report.markdown(head, [line for one, other in pairs for line in _lines(one, other)], left=(0, 2, 6))
    yield ""
    after = {row.key for row in new.rows}
    for title, rows in (("old", [row for row in old.rows if row.key not in after]), ("new", new.rows)):
        for row in rows:
            if title == "old" or row.key not in before:
                yield f"Only in the {title} run: {_name(row)}, {row.entries:,} entries"
    yield from _machines(old, new)


def _lines(old: Row, new: Row) -> Iterator[tuple[str, ...]]:
    for figure, title in COMPARED[new.table].items():
        before, now = old.figures[figure], new.figures[figure]
        times = now / before
        yield _name(new), f"{new.entries:,}", title, f"{before:.2f}", f"{now:.2f}", f"{times:.2f}", _word(title, times)


def _word(title: str, times: float) -> str:
    """A peer's time in ours grows as we become faster."""
    if 1 / NOISE < times < NOISE:
        return ""
    if title == "peak MB":
        return "more" if times > 1 else "less"
    return "slower" if (times > 1) != title.startswith("its") else "faster"


def _name(row: Row) -> str:
    return f"{row.job} beside {row.peer}" if row.peer else row.job


def _machines(old: Run, new: Run) -> Iterator[str]:
    if old.machine != new.machine:
        yield f"The machines differ: {', '.join(old.machine)}, then {', '.join(new.machine)}. Ratios are a hint then."
    names = [name for name in new.about if name in old.about and name not in machine.MACHINE]
    changed = [f"{name} {old.about[name]} → {new.about[name]}" for name in names if old.about[name] != new.about[name]]
    if changed:
        yield f"The versions differ: {', '.join(changed)}."


def main() -> None:
    """Compare two files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("old", type=Path, metavar="OLD.json")
    parser.add_argument("new", type=Path, metavar="NEW.json")
    given = parser.parse_args()
    sys.stdout.write("\n".join(compared(saved.load(given.old), saved.load(given.new))) + "\n")


if __name__ == "__main__":
    main()
