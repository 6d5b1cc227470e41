"""ultimate-sitemap-parser: its tree of one document, whose text it takes."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

usp = import_module("usp.tree")


def parse(path: Path) -> int:
    """The number of entries found."""
    return sum(1 for _ in usp.sitemap_from_str(path.read_text("utf-8")).all_pages())


if __name__ == "__main__":
    report(parse, "ultimate-sitemap-parser", *sys.argv[1:])
