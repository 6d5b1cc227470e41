"""One job in a process of its own: what it prints when it is done, and how it is started.

Other libraries' processes load this module too, so it needs the standard library alone.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
MB = 1_000_000
_STATUS = Path("/proc/self/status")


class Outcome(NamedTuple):
    """What a job prints: entries found, seconds of the processor and of the wall, and the process's peak in MB.

    The seconds are those of the job alone: reading the file is in them, loading the library is not. The peak is of
    resident memory and holds everything, the interpreter too.
    """

    entries: int
    seconds: float
    wall: float
    peak_mb: float
    version: str


class JobFailedError(RuntimeError):
    """A process did not end well; the message has the last line that it printed."""


def report(job: Callable[[Path], int], distribution: str, document: str, small: str) -> None:
    """Do a job on a document and print its outcome as JSON, once it was done on a small one.

    The first time loads and prepares what the second then uses. ``job`` gives the number of entries.
    """
    job(Path(small))
    wall, start = time.perf_counter(), time.process_time()
    entries = job(Path(document))
    seconds = time.process_time() - start
    done = Outcome(entries, seconds, time.perf_counter() - wall, peak() / MB, version(distribution))
    sys.stdout.write(json.dumps(done._asdict()))


def run(command: Sequence[str]) -> Outcome:
    """Start a job that ends with :func:`report`, or with what looks like it. Raises JobFailedError."""
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    try:
        return Outcome(**json.loads(done.stdout.rpartition("\n")[2]))
    except ValueError as error:
        said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise JobFailedError(said or f"it ended with status {done.returncode}") from error


def peak() -> int:
    """The most memory that this process has held so far, in bytes.

    Linux lets a child begin with its parent's ru_maxrss, so its own high-water mark is read where there is one.
    """
    if _STATUS.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text())):
        return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
