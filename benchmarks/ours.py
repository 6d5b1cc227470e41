"""What urlset does, and the bare scan, each as a process of its own.

    python -m benchmarks.ours JOB DOCUMENT SMALL

prints a line as ``benchmarks.process`` has it. JOB is ``scan``, ``read``, ``load``, ``validate``, or ``convert=NAME``
and ``dedupe-sort=NAME``, where NAME is that of the output and so tells its format.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.baselines import floor_of
from benchmarks.process import report

BASE_URL = "https://example.com/"


def command(job: str) -> tuple[str, ...]:
    """How a job is started; a document and a small one follow."""
    return (sys.executable, "-m", "benchmarks.ours", job)


def scan(path: Path) -> int:
    """Nothing but a scan, in a process that loads nothing else."""
    floor_of([path]).scan()
    return 0


def read(path: Path) -> int:
    """Each entry once, and let go."""
    import urlset

    return sum(1 for _ in urlset.read(path, base_url=BASE_URL))


def load(path: Path) -> int:
    """All entries as columns in memory."""
    import urlset

    return len(urlset.load(path, progress=False, base_url=BASE_URL))


def validate(path: Path) -> int:
    """Every rule; the number of sound entries."""
    import urlset

    ledger = urlset.Ledger()
    urlset.validate(path, ledger=ledger)
    return ledger.counts.written


def convert(path: Path, name: str, **options: Any) -> int:
    """Into files in place, which are removed again; the number of entries that were written."""
    import urlset

    with TemporaryDirectory(prefix="urlset-") as folder:
        done = urlset.convert(path, Path(folder, name), base_url=BASE_URL, on_loss="ignore", **options)
        return done.ledger.counts.written


def job_of(text: str) -> Callable[[Path], int]:
    """The job of a name. Raises KeyError for another one."""
    what, _, name = text.partition("=")
    jobs: dict[str, Callable[[Path], int]] = {
        "scan": scan,
        "read": read,
        "load": load,
        "validate": validate,
        "convert": partial(convert, name=name),
        "dedupe-sort": partial(convert, name=name, dedupe="first", sort=True),
    }
    return jobs[what]


if __name__ == "__main__":
    report(job_of(sys.argv[1]), "urlset", *sys.argv[2:])
