"""What a rule is, and the sources that rules name.

A rule's id is a kebab-case name; a severity means:

* ``error``: a record or a document could not be used as it stands;
* ``warning``: a value was dropped or repaired, or consumers will object;
* ``info``: worth knowing, nothing to mend.

``rows`` are the checks that a rule makes, by their ids in the list of 143 checks (``LOC-005``, ``IMG-002``). Each of
them stands under one rule; a rule without rows shares that of another, or is about something that is not in the list.

``breaks_format`` marks the faults of the container itself (XML, encoding, compression, quoting): ``strict`` stops at
them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
Engine = Literal["google", "bing", "yandex", "baidu"]

PROTOCOL = "sitemaps.org protocol"
FAQ = "sitemaps.org FAQ"
SCHEMA = "sitemaps.org schema"
ROBOTS_TXT = "RFC 9309, Google robots.txt specification"
XML = "XML 1.0"
XML_NAMES = "Namespaces in XML"
XML_MEDIA_TYPES = "RFC 7303"
HTTP = "RFC 9110"
GZIP = "RFC 1952"
URI = "RFC 3986"
IRI = "RFC 3987"
HOSTS = "RFC 5891, RFC 3986"
HOST_NAMES = "RFC 1123, RFC 5891"
DATES = "W3C NOTE-datetime, RFC 822, RFC 3339"
CSV = "RFC 4180"
JSON = "RFC 8259"
FEEDS = "RSS 2.0, RFC 4287"
ATOM = "RFC 4287"
ATOM_PUBLISHING = "RFC 5023"
FEED_HISTORY = "RFC 5005"
TOMBSTONES = "RFC 6721"
GOOGLE = "Google help: Build and submit a sitemap"
GOOGLE_LARGE = "Google help: Manage large sitemaps"
GOOGLE_COMBINED = "Google help: Combine sitemap extensions"
GOOGLE_PRACTICE = "Google Search Central blog, October 2014"
GOOGLE_DEPRECATED = "Google Search Central blog, 6 May 2022"
GOOGLE_CONSOLE = "Google Search Console, messages of the sitemaps report"
GOOGLE_IMAGE = "Google image sitemaps"
GOOGLE_VIDEO = "Google video sitemaps"
GOOGLE_NEWS = "Google news sitemaps"
GOOGLE_HREFLANG = "Google localized versions"
GOOGLE_PAGEMAP = "Google PageMap schema"
BING = "Bing Webmaster blog, July 2025"
BING_HELP = "Bing Webmaster help: Sitemaps"
BING_LIMITS = "Bing Webmaster blog, June 2009"
YANDEX = "Yandex Webmaster help: Using the Sitemap file"
YANDEX_ERRORS = "Yandex Webmaster help: Sitemap errors"
BAIDU = "Baidu help, as reprinted by others"
GENERATOR = "Google Sitemap Generator, sitemap_gen.py 1.5"
HOUSE = "urlset"


class Row(NamedTuple):
    """One demand of the protocol that a rule checks: its id in the list of checks, and a short sentence."""

    id: str
    text: str


class Rule(NamedTuple):
    """One rule.

    ``severity`` is the default; a finding may be louder or quieter. ``meaning`` says in one sentence what is the case,
    ``mend`` what to do about it, ``source`` who says so. A rule with ``engines`` concerns only these, and is asked for
    only with ``--engine`` of that name.
    """

    id: str
    severity: Severity
    meaning: str
    mend: str
    source: str
    rows: tuple[Row, ...] = ()
    breaks_format: bool = False
    engines: tuple[Engine, ...] = ()
