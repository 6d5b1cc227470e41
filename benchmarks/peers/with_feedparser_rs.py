"""feedparser-rs: the entries of bytes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

feedparser_rs = import_module("feedparser_rs")


def parse(path: Path) -> int:
    """The number of entries found."""
    return len(feedparser_rs.parse(path.read_bytes()).entries)


if __name__ == "__main__":
    report(parse, "feedparser-rs", *sys.argv[1:])
