"""fastfeedparser: the entries of a text."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

fastfeedparser = import_module("fastfeedparser")


def parse(path: Path) -> int:
    """The number of entries found."""
    return len(fastfeedparser.parse(path.read_text("utf-8")).entries)


if __name__ == "__main__":
    report(parse, "fastfeedparser", *sys.argv[1:])
