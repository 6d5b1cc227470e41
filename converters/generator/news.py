"""The lists of news of sitemap_gen.py 1.5: cells between tabs, in the order that the configuration gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from urlset.formats.vocabulary.decode import TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import Entry, News, Origin, sound
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import changefreq_of, date_of, priority_of, usable_loc
from urlset.formats.vocabulary.source import Source


def news_list(columns: Sequence[str]) -> Format:
    """The format of a list of news with these columns.

    Lines that are blank or begin with ``#`` are passed over. Cells beyond the columns are ignored, as sitemap_gen.py
    does; a line is not trimmed at its tabs, so an empty first cell stays one.
    """

    def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
        encoding = sniff_encoding(source.head(), None, options.encoding)
        with closing(source.open(account.report)) as stream:
            chunks = TextReader(stream, encoding, account.report)
            for line, text in iter_lines(chunks, source.limits.max_record, account.report):
                if not text.strip() or text.lstrip().startswith("#"):
                    continue
                account.count()
                pairs = zip(columns, text.split("\t"), strict=False)
                cells = {name: cell.strip() for name, cell in pairs if cell.strip()}
                if (entry := _entry(account, options, cells, line, text)) is not None:
                    yield entry

    return Format(
        name="news-list",
        title="News list of Google's Sitemap Generator",
        specification="https://www.sitemaps.org/protocol.html#otherformats",
        suffixes=(),
        media_types=(),
        carries=frozenset({"loc", "lastmod", "changefreq", "priority", "news"}),
        sniff=lambda head: False,
        read=read,
    )


def _entry(account: Account, options: ReadOptions, cells: dict[str, str], line: int, text: str) -> Entry | None:
    loc = usable_loc(account, options, cells.get("loc", ""), line, raw=text, fields=cells)
    if loc is None:
        return None
    values: dict[str, Any] = {
        "lastmod": date_of(account, options, cells.get("lastmod"), line),
        "changefreq": changefreq_of(account, cells.get("changefreq"), line),
        "priority": priority_of(account, cells.get("priority"), line),
    }
    news = News(
        publication_date=date_of(account, options, cells.get("publication_date"), line, what="news:publication_date"),
        keywords=cells.get("keywords"),
        stock_tickers=cells.get("stock_tickers"),
        line=line,
    )
    return sound(loc, Origin(account.name, line), {**values, "news": None if news == News() else news})
