"""Results as a JSON file: what was measured when, on what machine, and rows of figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

from benchmarks import machine

FOLDER = Path(__file__).parent / "saved"
Table = Literal["speed", "peers", "memory", "growth"]


class Key(NamedTuple):
    """What two runs have in common: the row of a table."""

    table: Table
    job: str
    peer: str
    entries: int


@dataclass(frozen=True)
class Row:
    """One line of a table; the figures have names, and units as ``report`` gives them."""

    table: Table
    job: str
    entries: int
    figures: dict[str, float]
    peer: str = ""
    version: str = ""
    remark: str = ""

    @property
    def key(self) -> Key:
        """What tells it from others."""
        return Key(self.table, self.job, self.peer, self.entries)


@dataclass(frozen=True)
class Run:
    """All rows of one call of a command; ``about`` is the machine and the versions."""

    date: str
    about: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def machine(self) -> tuple[str, ...]:
        """What must be the same for seconds to be compared."""
        return tuple(self.about.get(name, "") for name in machine.MACHINE)

    def of(self, table: Table) -> list[Row]:
        """The rows of a table."""
        return [row for row in self.rows if row.table == table]


def begin() -> Run:
    """A run of today on this machine, without rows yet."""
    return Run(datetime.now(UTC).date().isoformat(), machine.about())


def save(run: Run, path: Path) -> None:
    """Write a run as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(path: Path) -> Run:
    """Read what :func:`save` wrote."""
    known = json.loads(path.read_text("utf-8"))
    return Run(**{**known, "rows": [Row(**row) for row in known["rows"]]})


def medians(runs: Sequence[Run]) -> Iterator[Row]:
    """One row for each that any run has, its figures the medians; of words the last run's."""
    gathered: dict[Key, list[Row]] = {}
    for row in (row for run in runs for row in run.rows):
        gathered.setdefault(row.key, []).append(row)
    for rows in gathered.values():
        yield Row(**{**asdict(rows[-1]), "figures": _medians(row.figures for row in rows)})


def _medians(figures: Iterable[dict[str, float]]) -> dict[str, float]:
    gathered: dict[str, list[float]] = {}
    for name, value in (item for one in figures for item in one.items()):
        gathered.setdefault(name, []).append(value)
    return {name: median(values) for name, values in gathered.items()}
