"""What a check knows of the document at hand, and how it reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from urlset.formats.catalogue import Engine, Severity
from urlset.formats.sitemap import MAX_BYTES, MAX_NEWS, MAX_URLS
from urlset.formats.sitemap_index import MAX_SITEMAPS
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source

SITEMAPS = frozenset({"sitemap", "sitemap-0.84", "sitemap-index", "text"})
FEEDS = frozenset({"rss", "atom"})
SUBMITTED = SITEMAPS | FEEDS
"""Formats that search engines take as sitemaps, so that the limits of one file bind them."""


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


class Listed(NamedTuple):
    """How a document is listed in the one that led to it: by which account, and what it says of it."""

    account: Account
    entry: Entry


@dataclass(frozen=True, slots=True)
class Document:
    """A document that is being read.

    ``address`` is where it lives, as far as that is known and matters. ``vouched`` is the origin of the robots.txt that
    led here: that host may be listed wherever the sitemap lives (sitemaps.org, "Sitemaps & Cross Submits"). ``now`` is
    what ages are measured from.
    """

    account: Account
    format: Format
    source: Source
    now: LastMod
    address: str | None = None
    vouched: str = ""
    listed: Listed | None = None
    engines: frozenset[Engine] = field(default_factory=frozenset)

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
        line = line or page.line
        self.account.find(rule, message, line=line, value=page.entry.loc if value is None else value, severity=severity)

    def find_cause(
        self, rule: str, cause: str, message: str, page: Page, *, value: str | None = None, line: int | None = None
    ) -> None:
        """Report what is the same in many pages once, at the first of them, and count the others."""
        value = page.entry.loc if value is None else value
        self.account.find_cause(rule, cause, message, line=line or page.line, value=value)


class Page(NamedTuple):
    """An entry, the key by which its address compares (``urls.dedupe_key``), and the line where it stands."""

    entry: Entry
    key: str
    line: int | None = None

    @classmethod
    def of(cls, entry: Entry) -> Page:
        """The page of an entry."""
        return cls(entry, urls.dedupe_key(entry.loc), entry.origin.line if entry.origin else None)

    def line_of(self, name: str) -> int | None:
        """Where a field of the entry stands, as far as its reader says."""
        return self.entry.origin.lines.get(name) if self.entry.origin else None


class Check(Protocol):
    """One rule, or a few that look at the same field."""

    def look(self, page: Page, /) -> None:
        """The next entry of the document."""
        ...

    def finish(self) -> None:
        """There are no more entries."""
        ...


class OneByOne:
    """A check that has all it needs in each entry."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def finish(self) -> None:
        """Nothing is left to say."""
