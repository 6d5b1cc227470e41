"""Rules of practice: what search engines object to in a list that is well written as such.

A check looks at the entries of one document, one after the other, and says at the end what only the end can tell.
Conversions don't ask for any of this; ``validate`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from urlset.formats.sitemap import MAX_BYTES, MAX_NEWS, MAX_URLS
from urlset.formats.sitemap_index import MAX_SITEMAPS
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import Instant, LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.reporting import silent
from urlset.formats.vocabulary.rules import Severity
from urlset.formats.vocabulary.source import Source

SITEMAPS = frozenset({"sitemap", "sitemap-0.84", "sitemap-index", "text"})
SUBMITTED = SITEMAPS | {"rss", "atom"}
"""Formats that search engines take as sitemaps, so that the limits of one file bind them."""

READ = 1 << 18
"""Bytes that are read at once."""

NEWS_SECONDS = 48 * 3600
"""Age up to which an article belongs in a news sitemap (Google news sitemaps)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one sitemap may hold: entries of a urlset or an index, uncompressed bytes, and blocks.

    Defaults are those of sitemaps.org and of Google's extensions. ``max_images`` is that of one URL, ``max_tags`` that
    of one video.
    """

    max_urls: int = MAX_URLS
    max_sitemaps: int = MAX_SITEMAPS
    max_bytes: int = MAX_BYTES
    max_news: int = MAX_NEWS
    max_images: int = 1_000
    max_tags: int = 32


@dataclass(frozen=True, slots=True)
class Document:
    """A document that is being read.

    ``address`` is where it lives, as far as that is known and matters. ``vouched`` is the origin of the robots.txt that
    led here: that host may be listed wherever the sitemap lives (sitemaps.org, "Sitemaps & Cross Submits").
    """

    account: Account
    format: Format
    address: str | None = None
    vouched: str = ""

    @property
    def vouches(self) -> bool:
        """Whether it may list sitemaps of any host, and speaks for its own (robots.txt)."""
        return self.format.name == "robots"

    def find(
        self,
        rule: str,
        message: str,
        page: Page,
        *,
        value: str | None = None,
        line: int | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Report a finding about a page: its address, at its line, unless something closer is known."""
        line = page.line if line is None else line
        self.account.find(rule, message, line=line, value=page.entry.loc if value is None else value, severity=severity)


class Page(NamedTuple):
    """An entry, and the key by which its address compares (``urls.dedupe_key``)."""

    entry: Entry
    key: str

    @property
    def line(self) -> int | None:
        """Where the entry stands."""
        return self.entry.origin.line if self.entry.origin else None


class Check(Protocol):
    """One rule, or a few that look at the same field."""

    def look(self, page: Page, /) -> None:
        """The next entry of the document."""
        ...

    def finish(self) -> None:
        """There are no more entries."""
        ...


class _OneByOne:
    """A check that has all it needs in each entry."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def finish(self) -> None:
        """Nothing is left to say."""


class Addresses(_OneByOne):
    """``duplicate-loc``, ``fragment-in-loc``. Holds the key of every address of the document."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        # A list that is followed is told about its repeats where it is followed; a log repeats by nature.
        self._repeats = not document.account.listing and document.format.name != "access-log"
        self._lines: dict[str, int | None] = {}

    @property
    def keys(self) -> Mapping[str, int | None]:
        """The addresses, each with the line where it was listed first."""
        return self._lines

    def look(self, page: Page) -> None:
        """The next entry."""
        key = page.key
        if "#" in page.entry.loc:
            message = "the URL has a #fragment, which is never sent to a server"
            self._document.find("fragment-in-loc", message, page)
        if not self._repeats:
            return
        if key not in self._lines:
            self._lines[key] = page.line
            return
        first = self._lines[key]
        where = "there" if first is None else f"on line {first}"
        self._document.find("duplicate-loc", f"the address is listed again; it stands {where} already", page)


class Scope(_OneByOne):
    """``different-host``, ``different-protocol``, ``outside-sitemap-path`` (sitemaps.org, "Sitemap file location").

    Default ports and upper case in scheme and host make no difference. Feeds have no say about folders: they rarely lie
    above what they list.
    """

    def __init__(self, document: Document, address: str) -> None:
        super().__init__(document)
        self._folder = urls.directory(address)
        self._origin = urls.origin(address)
        self._own = urls.split(self._origin)
        self._folders_count = document.format.name not in SUBMITTED - SITEMAPS

    def look(self, page: Page) -> None:
        """The next entry."""
        loc = page.entry.loc
        # No dot segment leads out of the folder, not even an escaped one.
        if loc.startswith(self._folder) and "/." not in loc and "/%2" not in loc:
            return
        origin = urls.origin(loc)
        if origin == self._document.vouched or urls.directory(loc).startswith(self._folder):
            return
        if origin != self._origin:
            self._other_origin(page, urls.split(origin))
        elif self._folders_count:
            message = f"the URL lies outside {self._folder}, the folder of the sitemap that lists it"
            self._document.find("outside-sitemap-path", message, page)

    def _other_origin(self, page: Page, found: urls.UrlParts) -> None:
        own = self._own
        if found.host != own.host:
            rule, message = "different-host", f"the URL is on {found.host}, its sitemap on {own.host}"
        elif found.scheme != own.scheme:
            rule, message = "different-protocol", f"the URL has {found.scheme}, its sitemap {own.scheme}"
        else:
            ports = [f"port {parts.port}" if parts.port else "the default port" for parts in (found, own)]
            rule, message = "different-host", f"the URL is on {ports[0]}, its sitemap on {ports[1]}"
        self._document.find(rule, message, page)


class Size:
    """``too-many-urls``, ``too-many-sitemaps``, ``news-too-many``, ``file-too-large``: each once.

    The line is that of the first entry beyond the limit.
    """

    def __init__(self, document: Document, bounds: Bounds, source: Source) -> None:
        self._account = document.account
        self._source = source
        self._most_bytes = bounds.max_bytes
        self._index = document.format.name == "sitemap-index"
        self._most = bounds.max_sitemaps if self._index else bounds.max_urls
        self._most_news = bounds.max_news
        self._news = 0
        self._line: int | None = None
        self._news_line: int | None = None

    def look(self, page: Page) -> None:
        """The next entry."""
        if self._line is None and self._account.read > self._most:
            self._line = page.line
        if page.entry.news is not None:
            self._news += 1
            if self._news == self._most_news + 1:
                self._news_line = page.line

    def finish(self) -> None:
        """Say what is too much, now that the number is known; rejected records count."""
        number = self._account.read
        if number > self._most:
            rule, what = ("too-many-sitemaps", "sitemaps") if self._index else ("too-many-urls", "URLs")
            message = f"the file lists {number:,} {what}; at most {self._most:,} are allowed"
            self._account.find(rule, message, line=self._line)
        if self._news > self._most_news:
            message = f"the file has {self._news:,} articles; at most {self._most_news:,} are allowed"
            self._account.find("news-too-many", message, line=self._news_line)
        if _is_longer(self._source, self._most_bytes):
            message = f"the file has more than the {self._most_bytes:,} bytes that are allowed, uncompressed"
            self._account.find("file-too-large", message)


def _is_longer(source: Source, most: int) -> bool:
    """Whether a document has more bytes, unpacked; it is read again up to there, which costs little beside parsing."""
    with source.open(silent) as stream:
        while stream.count <= most and stream.read(READ):
            pass
        return stream.count > most


class Images(_OneByOne):
    """``too-many-images``, once for a URL."""

    def __init__(self, document: Document, bounds: Bounds) -> None:
        super().__init__(document)
        self._most = bounds.max_images

    def look(self, page: Page) -> None:
        """The next entry."""
        number = len(page.entry.images)
        if number > self._most:
            message = f"the URL has {number:,} images; at most {self._most:,} are allowed"
            self._document.find("too-many-images", message, page)


class Articles(_OneByOne):
    """``news-missing-language``, ``news-missing-title``, ``news-too-old``.

    Age is a difference of instants, a date without a time being its first midnight in UTC.
    """

    def __init__(self, document: Document, now: LastMod) -> None:
        super().__init__(document)
        self._now = now
        seconds, fraction = now.instant
        self._oldest: Instant = (seconds - NEWS_SECONDS, fraction)

    def look(self, page: Page) -> None:
        """The next entry."""
        news = page.entry.news
        if news is None:
            return
        if news.publication is None or not news.publication.language:
            self._document.find("news-missing-language", "the article has no news:language", page)
        if not news.title:
            self._document.find("news-missing-title", "the article has no news:title", page)
        date = news.publication_date
        if date is not None and date.instant < self._oldest:
            message = f"the article of {date} is more than 48 hours older than {self._now}"
            self._document.find("news-too-old", message, page, value=str(date))


class Videos(_OneByOne):
    """``video-missing-thumbnail``, ``video-missing-location``, ``video-too-many-tags``."""

    def __init__(self, document: Document, bounds: Bounds) -> None:
        super().__init__(document)
        self._most_tags = bounds.max_tags

    def look(self, page: Page) -> None:
        """The next entry."""
        for video in page.entry.videos:
            name = f"the video {video.title[:60]!r}" if video.title else "a video"
            if not video.thumbnail_loc:
                self._document.find("video-missing-thumbnail", f"{name} has no video:thumbnail_loc", page)
            if not video.content_loc and not video.player_loc:
                message = f"{name} has neither video:content_loc nor video:player_loc"
                self._document.find("video-missing-location", message, page)
            if len(video.tags) > self._most_tags:
                message = f"{name} has {len(video.tags)} tags; at most {self._most_tags} are allowed"
                self._document.find("video-too-many-tags", message, page)
