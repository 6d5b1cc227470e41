"""The peak memory of one job in a process of its own.

    python benchmarks/memory.py read SRC
    python benchmarks/memory.py validate SRC
    python benchmarks/memory.py convert SRC DST

prints the entries and the peak before and after as JSON.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import urlset

BASE_URL = "https://example.com/"
_STATUS = Path("/proc/self/status")


class Peak(NamedTuple):
    """What a process reports: entries, and bytes of resident memory at its peak, before and after the job."""

    entries: int
    before: int
    after: int


class Growth(NamedTuple):
    """One job at two sizes."""

    name: str
    small: Peak
    large: Peak

    @property
    def per_entry(self) -> float:
        """Bytes that a further entry adds to the peak."""
        return (self.large.after - self.small.after) / max(1, self.large.entries - self.small.entries)


def peak_of(*job: str) -> Peak:
    """Run a job in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *job], check=True, capture_output=True, text=True)
    return Peak(**json.loads(done.stdout))


def _resident() -> int:
    """The peak so far, in bytes.

    Linux lets a child begin with its parent's ru_maxrss, so its own high-water mark is read where there is one.
    """
    if _STATUS.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text())):
        return int(found[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _main(what: str, source: str, *target: str) -> None:
    convert, validate = urlset.convert, urlset.validate  # loaded before the first look
    before = _resident()
    if what == "read":
        entries = sum(1 for _ in urlset.read(source, base_url=BASE_URL))
    elif what == "validate":
        ledger = urlset.Ledger()
        validate(source, ledger=ledger)
        entries = ledger.counts.written
    else:
        entries = convert(source, target[0], base_url=BASE_URL).ledger.counts.written
    sys.stdout.write(json.dumps(Peak(entries, before, _resident())._asdict()))


if __name__ == "__main__":
    _main(*sys.argv[1:])
