"""Limits of single search engines, asked for by name.

Sources: Yandex Webmaster ("Using the Sitemap file", and its dictionary of errors), Bing's webmaster blog (July 2025),
and what is reprinted of Baidu's help.
"""

from __future__ import annotations

from urlset.converters.checks.document import FEEDS, Document, OneByOne, Page
from urlset.formats.catalogue import Engine
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.iri import to_uri

BAIDU_BYTES = 10_485_760
BAIDU_LOC = 256
"""Bytes of a URL."""
YANDEX_LOC = 1_024
"""Characters of a URL."""


class Lengths(OneByOne):
    """``loc-too-long-for-engine``."""

    def __init__(self, document: Document, engine: Engine) -> None:
        super().__init__(document)
        self._engine = engine

    def look(self, page: Page) -> None:
        """The next entry."""
        loc = page.entry.loc
        if self._engine == "yandex" and len(loc) > YANDEX_LOC:
            message = f"the URL has {len(loc):,} characters; Yandex takes {YANDEX_LOC:,}"
            self._document.find("loc-too-long-for-engine", message, page)
        elif self._engine == "baidu" and (number := _bytes(loc)) > BAIDU_LOC:
            message = f"the URL has {number:,} bytes; Baidu takes {BAIDU_LOC}"
            self._document.find("loc-too-long-for-engine", message, page)


def _bytes(loc: str) -> int:
    try:
        return len(to_uri(loc))
    except ValueError:  # reported when it was read
        return len(loc)


class Times(OneByOne):
    """``date-without-time``: Bing asks for date and time."""

    def look(self, page: Page) -> None:
        """The next entry."""
        lastmod = page.entry.lastmod
        if lastmod is not None and lastmod.precision <= Precision.DAY:
            message = "lastmod is a date without a time; Bing asks for both"
            self._document.find_cause(
                "date-without-time", "", message, page, value=str(lastmod), line=page.line_of("lastmod")
            )


def remark_on_format(document: Document) -> None:
    """``format-not-supported``: Yandex takes no feeds for sitemaps."""
    if "yandex" in document.engines and document.format.name in FEEDS:
        message = f"Yandex does not take feeds for sitemaps; this is {document.format.title}"
        document.account.find("format-not-supported", message, value=document.format.name)
