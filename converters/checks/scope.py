"""What a sitemap at its address may list (sitemaps.org, "Sitemap file location", "Sitemaps & Cross Submits")."""

from __future__ import annotations

from urlset.converters.checks.document import SITEMAPS, SUBMITTED, Document, OneByOne, Page
from urlset.formats.vocabulary import urls


class Scope(OneByOne):
    """``different-host``, ``different-protocol``, ``outside-sitemap-path``, ``cross-submitted``.

    Default ports and upper case in scheme and host make no difference. Feeds have no say about folders: they rarely lie
    above what they list. A robots.txt may list sitemaps of any host.
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
        if self._document.vouches:
            self._listed_by_robots(page, urls.split(origin))
        elif urls.directory(loc).startswith(self._folder):
            return
        elif origin == self._document.vouched:
            message = f"the URL is out of the sitemap's own scope; the robots.txt of {origin} vouches for it"
            self._document.find_cause("cross-submitted", origin, message, page)
        elif origin != self._origin:
            self._other_origin(page, urls.split(origin))
        elif self._folders_count:
            message = f"the URL lies outside {self._folder}, the folder of the sitemap that lists it"
            self._document.find("outside-sitemap-path", message, page)

    def _listed_by_robots(self, page: Page, found: urls.UrlParts) -> None:
        if found.host != self._own.host:
            message = f"the sitemap is on {found.host}; there it may list the pages of {self._own.host}"
            self._document.find("cross-submitted", message, page)

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
