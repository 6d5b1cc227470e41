"""Documents that list documents, and feeds: robots.txt, and versions that nobody asks for."""

from __future__ import annotations

from urlset.converters.checks.document import Document, OneByOne, Page
from urlset.formats.robots import MAX_BYTES
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.format import Head

PATIENCE = 500_000
"""Rules times sitemaps that are compared; each sitemap is held against every rule."""


class Disallowed(OneByOne):
    """``sitemap-disallowed``: a sitemap that the robots.txt which names it forbids everybody to fetch.

    Where the robots.txt lives may be unknown; then it is taken for that of the sitemap's host. Of very many sitemaps
    beside very many rules only the first are looked at.
    """

    def __init__(self, document: Document) -> None:
        from protego import Protego  # needed for a robots.txt only

        super().__init__(document)
        text = Head(document.source.head(MAX_BYTES)).text
        self._rules = Protego.parse(text)
        self._origin = urls.origin(document.address) if document.address else None
        self._left = max(PATIENCE // (text.count("\n") + 1), 10)

    def look(self, page: Page) -> None:
        """The next sitemap."""
        if self._origin is not None and urls.origin(page.entry.loc) != self._origin:
            return
        self._left -= 1
        if self._left < 0:
            return
        if not self._rules.can_fetch(page.key, "*"):
            message = "the sitemap is disallowed by the robots.txt that names it, so crawlers do not fetch it"
            self._document.find("sitemap-disallowed", message, page)


class Itself(OneByOne):
    """``sitemap-cycle`` of an index whose children are not read; where they are, whoever reads them says so."""

    def __init__(self, document: Document, address: str) -> None:
        super().__init__(document)
        self._own = urls.dedupe_key(address)

    def look(self, page: Page) -> None:
        """The next sitemap."""
        if page.key == self._own:
            self._document.find("sitemap-cycle", "the index lists itself", page)


def remark_on_heading(document: Document) -> None:
    """``not-a-url``: a text list that begins with a heading is a table of one column to whoever reads it."""
    name, columns = document.source.name.lower(), document.account.columns
    if document.format.name == "csv" and columns and len(columns) == 1 and name.endswith((".txt", ".txt.gz")):
        message = "the first line is a heading; in a text list for search engines each line is a URL"
        document.account.find("not-a-url", message, line=1, value=columns[0][0])


def remark_on_version(document: Document) -> None:
    """``feed-version``: RSS 1.0 and 0.9x are in no search engine's list."""
    version = document.account.version
    if document.format.name == "rss" and version is not None and not version.startswith("2"):
        message = f"RSS {version} is in no search engine's list of formats; RSS 2.0 is"
        document.account.find("feed-version", message, value=version)
