"""From the address of a site to its sitemaps: what the address itself is, robots.txt, then the usual names.

robots.txt is the one place that the protocol knows (sitemaps.org, "Submitting your Sitemap"); the names are practice.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from urlset.converters.sources.fetch import UnreachableError, is_address
from urlset.converters.sources.opening import Opened, Opener
from urlset.formats.vocabulary.errors import DetectionError, ReadError, SourceError
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.redact import without_credentials
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Source

ROBOTS = "robots.txt"
USUAL = ("sitemap.xml", "sitemap_index.xml", "sitemap.xml.gz", "sitemap.txt")
"""Names under which sitemaps lie at the root of a site that names none, the most frequent first."""

NO_LIST = (SourceError, DetectionError, ReadError)


class Site(NamedTuple):
    """What stands for a site: a document, open, and what to say of the way there (None: it is the address itself)."""

    opened: Opened
    found: str | None = None


def is_site(thing: object) -> bool:
    """Whether this is the bare address of a site: http(s), and nothing behind the host but a slash."""
    if not isinstance(thing, str) or not is_address(thing):
        return False
    try:
        parts = urlsplit(thing)
    except ValueError:
        return False
    return parts.path in ("", "/") and not parts.query


def searched(address: str, opener: Opener, formats: Registry) -> Site:
    """The document to read for a site. Raises SourceError, with all that was tried, if there is none."""
    tried: list[str] = []
    root = address if address.endswith("/") else f"{address}/"
    try:
        return Site(_usable(opener.given(address), formats))
    except UnreachableError:
        raise  # what else may lie there is as far away
    except NO_LIST as error:
        tried.append(f"the address itself ({error.message})")
    for name in (ROBOTS, *USUAL):
        try:
            opened = _usable(opener.fetched(urljoin(root, name)), formats, name)
        except NO_LIST as error:
            tried.append(f"/{name} ({error.message})")
        else:
            return Site(opened, f"{opened.source.name} is read for the site; tried before: {'; '.join(tried)}")
    message = f"no sitemap was found; tried: {'; '.join(tried)}"
    raise SourceError(message, source=without_credentials(address), rule="no-sitemap-found")


def _usable(opened: Opened, formats: Registry, name: str = "") -> Opened:
    """An open document, if its content is that of a list. Raises UrlsetError, and closes it, if it is not.

    A page that says "not found" may come with the name and the media type of a list: these count for nothing here.
    """
    with ExitStack() as stack:
        stack.enter_context(opened.source)
        found = formats.detect(Head(opened.source.head(), name if name == ROBOTS else ""))
        if name == ROBOTS:
            _check_robots(found, opened.source)
        stack.pop_all()
    return opened


def _check_robots(found: Format, source: Source) -> None:
    """Raise SourceError unless a robots.txt names a sitemap."""
    if found.name != "robots" or found.read is None:
        raise SourceError(f"it is no robots.txt but {found.title}")
    if not any(found.read(source, Ledger().open(source.name), ReadOptions(base_url=source.location))):
        raise SourceError("it names no sitemap")
