"""Each address as such, and addresses that are listed again."""

from __future__ import annotations

import re

from urlset.converters.checks.document import Document, OneByOne, Page
from urlset.converters.checks.kept import Addresses, Database, Kept
from urlset.formats.vocabulary import urls

SHORTEST = 12
"""Characters of the shortest loc that sitemap.xsd takes."""

_PAGES = frozenset({"sitemap", "sitemap-0.84", "text", "rss", "atom"})
_DEFAULT_PORT = re.compile(r"(?:http://[^/?#]*:0*80|https://[^/?#]*:0*443)(?=[/?#]|\Z)", re.IGNORECASE)
# Names that the common servers and shops give to the identity of a visit.
_SESSION = re.compile(
    r"[?&;](?:phpsessid|jsessionid|aspsessionid\w{0,20}|sessionid|session_id|sessid|oscsid|zenid|xtcsid|cfid|cftoken|sid)"
    r"=[a-z0-9_.~-]{6,}|/\(s\([a-z0-9]{20,}\)\)",
    re.IGNORECASE,
)


class Repeats:
    """``duplicate-loc``, ``both-protocols``: what a document lists again, as it stands or in another spelling."""

    def __init__(self, document: Document, database: Database) -> None:
        self._document = document
        # A list that is followed is told about its repeats where it is followed; a log repeats by nature.
        self._counts = not document.account.listing and document.format.name != "access-log"
        self.addresses = Addresses(database)
        self._scheme, self._both = "", False

    def look(self, page: Page) -> None:
        """The next entry."""
        if not self._counts:
            return
        key = page.key
        earlier = self.addresses.first(key, page.line, page.entry.loc)
        if earlier is not None:
            self._again(page, earlier)
        if self._scheme != key[:5]:
            self._scheme, self._both = key[:5], bool(self._scheme)
        if self._both:
            self._look_for_other_scheme(page, key)

    def _again(self, page: Page, earlier: Kept) -> None:
        where = "there" if earlier.line is None else f"on line {earlier.line}"
        message = f"the address is listed again; it stands {where} already"
        if earlier.spelling != page.entry.loc:
            message = f"the address is listed again in another spelling; {earlier.spelling} stands {where} already"
        self._document.find("duplicate-loc", message, page)

    def _look_for_other_scheme(self, page: Page, key: str) -> None:
        other = f"https{key[4:]}" if key.startswith("http:") else f"http{key[5:]}"
        if other in self.addresses:
            message = f"both http and https forms of a page are listed; {other} stands there already"
            self._document.find_cause("both-protocols", "", message, page)

    def finish(self) -> None:
        """Nothing is left to say; whoever shares the addresses closes them."""


class Oddities(OneByOne):
    """Fragments, user information, session ids, default ports, names and lengths that some consumers trip over."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._lists_pages = document.format.name in _PAGES
        self._dotted = "\n"  # an origin that was looked at; no address begins so
        self._own = urls.dedupe_key(document.address) if document.address else None

    def look(self, page: Page) -> None:
        """The next entry. Nearly all are ordinary, so the closer looks come behind cheap ones."""
        loc = page.entry.loc
        if not SHORTEST <= len(loc) < urls.MAX_LENGTH:
            self._length(page)
        if "#" in loc:
            message = "the URL has a #fragment, which is never sent to a server"
            self._document.find("fragment-in-loc", message, page)
        if not loc.startswith(self._dotted):
            self._host(page)
        if not loc.isascii():
            self._not_ascii(page)
        if "@" in loc or ":" in loc[6:]:
            self._authority(page)
        if "?" in loc or ";" in loc or "(" in loc:
            self._session(page)
        if self._lists_pages and (".xml" in loc or ".XML" in loc or page.key == self._own):
            self._sitemap(page)

    def _length(self, page: Page) -> None:
        number = len(page.entry.loc)
        if number < SHORTEST:
            message = f"the URL has {number} characters; sitemap.xsd asks for {SHORTEST}"
            self._document.find("loc-too-short", message, page)
        elif number == urls.MAX_LENGTH:  # of longer ones all readers speak
            message = f"the URL has {number:,} characters, which sitemap.xsd takes; the protocol asks for fewer"
            self._document.find("loc-too-long", message, page, severity="warning")

    def _session(self, page: Page) -> None:
        loc = page.entry.loc
        low = loc.lower()
        # One of these is in every name that the expression knows.
        if not ("sid" in low or "sess" in low or "cf" in low or "zenid" in low or "(s(" in low):
            return
        if match := _SESSION.search(loc):
            message = f"the URL seems to hold the id of a visit, {match[0][:60]}"
            self._document.find("session-id-in-loc", message, page)

    def _host(self, page: Page) -> None:
        """A host that differs from the one before."""
        origin = urls.origin(page.entry.loc)
        host = urls.split(origin).host
        if "." in host.rstrip(".") or host.startswith("["):
            self._dotted = origin
        else:
            message = f"the host {host!r} has no dot; no public host is called so"
            self._document.find_cause("unusual-host", host, message, page)

    def _not_ascii(self, page: Page) -> None:
        loc = page.entry.loc
        _, authority, host, *_ = urls.split(loc)
        if not host.isascii():
            try:
                mapped = urls.split(urls.to_uri(loc)).host
            except ValueError:  # reported when it was read
                return
            message = f"the host {host} is not in ASCII; DNS knows it as {mapped}"
            self._document.find_cause("non-ascii-host", host, message, page)
        userinfo = authority.rpartition("@")[0]
        if not (userinfo + loc.partition(authority)[2]).isascii():
            message = "the URL holds characters beyond ASCII; as a URI they are percent-encoded"
            self._document.find_cause("non-ascii-loc", "", message, page)

    def _authority(self, page: Page) -> None:
        loc = page.entry.loc
        if "@" in urls.split(loc).authority:
            message = "the URL holds user information before its host; everybody who reads the list sees it"
            self._document.find("userinfo-in-loc", message, page)
        if _DEFAULT_PORT.match(loc):
            message = "the URL names the default port of its scheme; it is the same address without"
            self._document.find_cause("default-port", "", message, page)

    def _sitemap(self, page: Page) -> None:
        loc = page.entry.loc
        if page.key == self._own:
            self._document.find("sitemap-as-page", "the sitemap lists itself as a page", page)
            return
        in_text_list = self._document.format.name == "text" and loc.lower().endswith((".xml", ".xml.gz"))
        name = re.split("[?#]", loc, maxsplit=1)[0].rpartition("/")[2].lower()
        if in_text_list or ("sitemap" in name and name.endswith((".xml", ".xml.gz"))):
            message = "a sitemap is listed as if it were a page; sitemaps belong in an index"
            self._document.find("sitemap-as-page", message, page)
