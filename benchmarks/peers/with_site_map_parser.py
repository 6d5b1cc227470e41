"""site-map-parser: its front door fetches over HTTP; these are the two steps behind it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

helpers, url_set = import_module("sitemapparser.data_helpers"), import_module("sitemapparser.url_set")


def parse(path: Path) -> int:
    """The number of entries found."""
    return sum(1 for _ in url_set.UrlSet(helpers.data_to_element(path.read_bytes())))


if __name__ == "__main__":
    report(parse, "site-map-parser", *sys.argv[1:])
