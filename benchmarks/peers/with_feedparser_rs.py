"""feedparser-rs: the entries of bytes, of which it gives 10,000 unless told otherwise."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

feedparser_rs = import_module("feedparser_rs")
LIMITS = feedparser_rs.ParserLimits(max_feed_size_bytes=1_000_000_000, max_entries=1_000_000)


def parse(path: Path) -> int:
    """The number of entries found."""
    return len(feedparser_rs.parse_with_limits(path.read_bytes(), limits=LIMITS).entries)


if __name__ == "__main__":
    report(parse, "feedparser-rs", *sys.argv[1:])
