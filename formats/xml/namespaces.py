"""The namespaces that sitemaps and feeds use, and the near misses that are met in files.

A namespace name is compared character by character (Namespaces in XML 2.3), so a near miss is wrong; but what it stands
for is plain, so readers accept it and say so once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
SITEMAP_084 = "http://www.google.com/schemas/sitemap/0.84"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
MOBILE = "http://www.google.com/schemas/sitemap-mobile/1.0"
PAGEMAP = "http://www.google.com/schemas/sitemap-pagemap/1.0"
XHTML = "http://www.w3.org/1999/xhtml"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
ATOM = "http://www.w3.org/2005/Atom"
ATOM_03 = "http://purl.org/atom/ns#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RSS_10 = "http://purl.org/rss/1.0/"
RSS_090 = "http://my.netscape.com/rdf/simple/0.9/"
DC = "http://purl.org/dc/elements/1.1/"
DCTERMS = "http://purl.org/dc/terms/"
MEDIA = "http://search.yahoo.com/mrss/"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
HISTORY = "http://purl.org/syndication/history/1.0"
TOMBSTONES = "http://purl.org/atompub/tombstones/1.0"
APP = "http://www.w3.org/2007/app"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
FEEDBURNER = "http://rssnamespace.org/feedburner/ext/1.0"

UNBOUND = "\0unbound"
"""Stands in for the namespace of a prefix that nothing declares; never leaves this package."""

CUSTOMARY = {
    "app": APP,
    "atom": ATOM,
    "content": CONTENT,
    "dc": DC,
    "dcterms": DCTERMS,
    "feedburner": FEEDBURNER,
    "fh": HISTORY,
    "image": IMAGE,
    "itunes": ITUNES,
    "media": MEDIA,
    "mobile": MOBILE,
    "news": NEWS,
    "rdf": RDF,
    "video": VIDEO,
    "xhtml": XHTML,
    "xml": XML,
    "xsi": XSI,
}
"""What an undeclared prefix means to everybody who writes it."""

# The names that crawlers accept for the core vocabulary, see the sitemap readers of crawler-commons and USP.
_CORE = re.compile(
    r"https?://(?:www\.)?(?:sitemaps\.org|google\.com)/schemas/sitemap/(?:0\.9|0\.90|0\.84|\.84)(?:/(?:sitemap|siteindex)\.xsd)?/?"
)
_EXTENSION = re.compile(r"https?://(?:www\.)?google\.com/schemas/sitemap-(image|video|news|mobile|pagemap)/[0-9.]*/?")
_EXTENSIONS = {"image": IMAGE, "video": VIDEO, "news": NEWS, "mobile": MOBILE, "pagemap": PAGEMAP}
_XHTML = re.compile(r"https?://www\.w3\.org/1999/xhtml/?")
_FEED_VARIANTS = {
    "http://search.yahoo.com/mrss": MEDIA,
    "https://search.yahoo.com/mrss/": MEDIA,
    "http://www.itunes.com/DTDs/Podcast-1.0.dtd": ITUNES,
    "https://www.itunes.com/dtds/podcast-1.0.dtd": ITUNES,
    "http://www.w3.org/2005/atom": ATOM,
    "https://www.w3.org/2005/Atom": ATOM,
    "http://www.w3.org/2005/Atom/": ATOM,
    "http://purl.org/dc/elements/1.0/": DC,
    "https://purl.org/dc/elements/1.1/": DC,
    "http://purl.org/net/rss1.1#": RSS_10,
    "http://backend.userland.com/rss2": "",
    "http://backend.userland.com/RSS2": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://my.netscape.com/publish/formats/rss-0.91.dtd": "",
}


EXTENSIONS = frozenset(
    (*_EXTENSIONS.values(), XHTML, "http://www.google.com/geo/schemas/sitemap/1.0", XSI, XML, MEDIA, DC, DCTERMS)
)
"""Vocabularies that an entry of a sitemap may hold and that somebody reads, or once did."""


class Name(NamedTuple):
    """An element name: namespace ("" for none) and local name."""

    namespace: str
    local: str


def split(tag: str) -> Name:
    """The parts of a name in Clark notation, ``{namespace}local``."""
    if tag[:1] == "{":
        namespace, _, local = tag[1:].rpartition("}")
        return Name(namespace, local)
    return Name("", tag)


def is_core(namespace: str) -> bool:
    """Whether this is the sitemap vocabulary, however spelled; no namespace counts."""
    return not namespace or _CORE.fullmatch(namespace) is not None


def is_legacy(namespace: str) -> bool:
    """Whether this is the 0.84 vocabulary of 2005, spelled as it was documented."""
    return namespace == SITEMAP_084


def is_084(namespace: str) -> bool:
    """Whether this stands for the 0.84 vocabulary, near misses included."""
    return "google.com/schemas/sitemap/" in namespace and ".84" in namespace


def canonical(namespace: str) -> str:
    """The documented spelling of an extension's or a feed module's namespace; others come back unchanged."""
    if match := _EXTENSION.fullmatch(namespace):
        return _EXTENSIONS[match[1]]
    if _XHTML.fullmatch(namespace):
        return XHTML
    return _FEED_VARIANTS.get(namespace, namespace)
