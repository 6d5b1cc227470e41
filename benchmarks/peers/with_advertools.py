"""advertools: a DataFrame of a document, which urllib fetches by its file: address."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

advertools = import_module("advertools")


def parse(path: Path) -> int:
    """The number of entries found."""
    return len(advertools.sitemap_to_df(path.resolve().as_uri()))


if __name__ == "__main__":
    report(parse, "advertools", *sys.argv[1:])
