"""Scrapy: its Sitemap over the bytes of a document, as its SitemapSpider has it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.process import report

scrapy = import_module("scrapy.utils.sitemap")


def parse(path: Path) -> int:
    """The number of entries found."""
    return sum(1 for _ in scrapy.Sitemap(path.read_bytes()))


if __name__ == "__main__":
    report(parse, "scrapy", *sys.argv[1:])
