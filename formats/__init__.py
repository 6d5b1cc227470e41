"""How lists of URLs are written down: the typed entry, and one module per format.

    vocabulary/   what all formats share: entry, dates, URLs, findings, ledger, source, the format descriptor, the
    registry xml/          sitemap XML, damaged or not: the two lanes, the blocks, the writing
    arrow/        entries as columns
    feeds/        what RSS and Atom share
    tables/       dialect, rows and columns of delimited tables
    *.py          one format each; its facts stand in a frozen value at the end

A format imports what is shared and never another format. Adding one costs its module and a line in BUILT_IN; a
package of its own adds one through the entry-point group ``urlset.formats``.
"""

from __future__ import annotations

from functools import cache

from urlset.formats.access_log import ACCESS_LOG
from urlset.formats.atom import ATOM
from urlset.formats.csv_table import CSV
from urlset.formats.folder import FOLDER
from urlset.formats.jsonl import JSONL
from urlset.formats.parquet import PARQUET
from urlset.formats.robots import ROBOTS
from urlset.formats.rss import RSS
from urlset.formats.sitemap import SITEMAP
from urlset.formats.sitemap_084 import SITEMAP_084
from urlset.formats.sitemap_index import SITEMAP_INDEX
from urlset.formats.text import TEXT
from urlset.formats.tsv_table import TSV
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.registry import Registry, installed_plugins

BUILT_IN: tuple[Format, ...] = (
    SITEMAP, SITEMAP_084, SITEMAP_INDEX, TEXT, CSV, TSV, RSS, ATOM, JSONL, PARQUET, ACCESS_LOG, FOLDER, ROBOTS,
)  # fmt: skip


@cache
def registry() -> Registry:
    """The formats of this installation, plugins included."""
    return Registry(BUILT_IN, installed_plugins())
