"""feedparser: the entries of an open file."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

feedparser = import_module("feedparser")


def parse(path: Path) -> int:
    """The number of entries found."""
    with path.open("rb") as file:
        return len(feedparser.parse(file).entries)


if __name__ == "__main__":
    report(parse, "feedparser", *sys.argv[1:])
