"""The catalogue of rules: what a finding may be about, how loud it is by default, and who says so.

A rule's id is a kebab-case name; a severity means:

* ``error``: a record or a document could not be used as it stands;
* ``warning``: a value was dropped or repaired, or consumers will object;
* ``info``: worth knowing, nothing to mend.

``breaks_format`` marks the faults of the container itself (XML, encoding, compression, quoting): ``strict`` stops at
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]

PROTOCOL = "sitemaps.org protocol"
XML = "XML 1.0"
GZIP = "RFC 1952"
URI = "RFC 3986"
DATES = "W3C NOTE-datetime, RFC 822, RFC 3339"
GOOGLE_IMAGE = "Google image sitemaps"
GOOGLE_VIDEO = "Google video sitemaps"
GOOGLE_NEWS = "Google news sitemaps"
GOOGLE_HREFLANG = "Google localized versions"
HOUSE = "urlset"


class Rule(NamedTuple):
    """One rule: its id, default severity, a sentence for the user, and the source of the rule."""

    id: str
    severity: Severity
    meaning: str
    source: str
    breaks_format: bool = False


_ALL = (
    # the container: bytes, compression, encoding
    Rule(
        "compression-error",
        "error",
        "The gzip data are damaged: header, deflate stream, length or CRC-32.",
        GZIP,
        True,
    ),
    Rule("compression-truncated", "error", "The gzip data end before their trailer.", GZIP, True),
    Rule("double-compression", "warning", "Inside the gzip data there are gzip data again.", GZIP, True),
    Rule("trailing-data", "info", "Bytes follow the end of the gzip stream.", GZIP),
    Rule(
        "unsupported-compression",
        "error",
        "The input is compressed or packed with something other than gzip.",
        PROTOCOL,
        True,
    ),
    Rule("not-text", "error", "The input is a binary file, not a list of URLs.", HOUSE, True),
    Rule("size-limit", "error", "The input, once unpacked, exceeds the configured ceiling.", HOUSE),
    Rule("resource-limit", "error", "A limit of the parser was reached: length of one record, depth.", HOUSE),
    Rule("encoding-mismatch", "warning", "The declared encoding is not the one that the bytes have.", XML, True),
    Rule(
        "encoding-not-utf8",
        "warning",
        "The file can be read, but is not UTF-8 as the protocol demands.",
        PROTOCOL,
        True,
    ),
    # XML
    Rule("xml-not-well-formed", "error", "The document is not well-formed XML.", XML, True),
    Rule(
        "undefined-entity",
        "error",
        "A reference names an entity that the document does not declare.",
        XML,
        True,
    ),
    Rule(
        "entity-declaration",
        "error",
        "The document declares entities of its own; they are not expanded.",
        XML,
        True,
    ),
    Rule("illegal-xml-character", "error", "A character outside XML 1.0 stands in the document.", XML, True),
    Rule(
        "unbound-prefix",
        "error",
        "A namespace prefix is used without declaration.",
        "Namespaces in XML",
        True,
    ),
    Rule("unexpected-end", "error", "The document ends in the middle.", XML, True),
    Rule("leading-whitespace", "warning", "White space precedes the XML declaration.", XML, True),
    Rule("document-is-html", "error", "The document is an HTML page, not a sitemap or feed.", HOUSE),
    Rule("namespace-incorrect", "warning", "A namespace differs from the documented one.", PROTOCOL),
    Rule("namespace-legacy", "info", "The namespace is documented, but superseded.", PROTOCOL),
    Rule("namespace-missing", "warning", "The root element is in no namespace.", PROTOCOL),
    Rule("misplaced-element", "warning", "A known element stands in the wrong parent.", PROTOCOL),
    Rule("unexpected-element", "warning", "An element stands where none of that name is allowed.", PROTOCOL),
    Rule("repeated-element", "warning", "An element that may occur once occurs again.", PROTOCOL),
    # tables and lists
    Rule("csv-malformed", "error", "The quoting of a table is broken.", "RFC 4180", True),
    Rule("row-width", "error", "A row has more or fewer fields than the header.", "RFC 4180"),
    Rule("non-200", "warning", "A crawl export says that the page did not answer 200.", HOUSE),
    Rule("noindex", "warning", "A crawl export marks the page noindex.", HOUSE),
    Rule("not-canonical", "warning", "A crawl export names another address as the canonical one.", HOUSE),
    Rule("not-a-page", "info", "A crawl export says that the address is no page: an image, a script.", HOUSE),
    Rule("unparsed-line", "warning", "A line of an access log matches no known format.", HOUSE),
    Rule("invalid-json", "error", "A line is not a JSON object that describes an entry.", "RFC 8259"),
    # addresses
    Rule("missing-loc", "error", "A record has no address.", PROTOCOL),
    Rule("missing-link", "warning", "No page address can be taken from a feed item.", "RSS 2.0, RFC 4287"),
    Rule("not-a-url", "warning", "The text is no URL at all.", URI),
    Rule("not-absolute", "error", "The URL lacks scheme or host.", PROTOCOL),
    Rule("unsupported-scheme", "warning", "The scheme is neither http nor https.", PROTOCOL),
    Rule(
        "invalid-host",
        "warning",
        "The host name or port is impossible or unusual; a record without a possible host is rejected.",
        "RFC 5891, RFC 3986",
    ),
    Rule("invalid-url-character", "warning", "A character stands raw in a URL that may not.", URI),
    Rule("malformed-percent-escape", "warning", "A % is not followed by two hexadecimal digits.", URI),
    Rule("double-escaped", "warning", "After decoding the text still looks escaped.", HOUSE),
    Rule("loc-too-long", "error", "The URL has more than 2,048 characters.", PROTOCOL),
    Rule("duplicate-loc", "warning", "The same address is listed again.", PROTOCOL),
    Rule("fragment-in-loc", "warning", "The URL carries a #fragment, which is never sent to a server.", URI),
    Rule("different-host", "warning", "The URL is on another host or port than the sitemap that lists it.", PROTOCOL),
    Rule("different-protocol", "warning", "The URL and the sitemap that lists it differ in http and https.", PROTOCOL),
    Rule("outside-sitemap-path", "warning", "The URL lies outside the folder of the sitemap that lists it.", PROTOCOL),
    # values
    Rule("invalid-date", "warning", "A date is not in the form that its format demands.", DATES),
    Rule("date-implausible", "warning", "A well-formed date lies far outside what a page can have.", HOUSE),
    Rule("invalid-changefreq", "warning", "changefreq is not one of the seven words.", PROTOCOL),
    Rule("invalid-priority", "warning", "priority is not a decimal number from 0.0 to 1.0.", PROTOCOL),
    Rule("missing-updated", "info", "An Atom entry has no updated.", "RFC 4287"),
    Rule("date-order", "warning", "An entry was updated before it was published.", "RFC 4287"),
    Rule("draft-entry", "warning", "An entry is marked as a draft; it is left out.", "RFC 5023"),
    Rule("deleted-entry", "info", "The feed says that an entry was deleted.", "RFC 6721"),
    Rule(
        "video-incomplete",
        "info",
        "A feed's video lacks what a sitemap requires; it is left out.",
        GOOGLE_VIDEO,
    ),
    Rule("image-missing-loc", "warning", "An image has no address.", GOOGLE_IMAGE),
    Rule("missing-href", "warning", "A link element has no href.", GOOGLE_HREFLANG),
    Rule("video-invalid-duration", "warning", "A duration is not an integer from 1 to 28,800.", GOOGLE_VIDEO),
    Rule("video-invalid-rating", "warning", "A rating is not a number from 0.0 to 5.0.", GOOGLE_VIDEO),
    Rule("video-invalid-value", "warning", "A video value lies outside its enumeration.", GOOGLE_VIDEO),
    Rule("video-missing-thumbnail", "warning", "A video has no thumbnail_loc.", GOOGLE_VIDEO),
    Rule("video-missing-location", "warning", "A video has neither content_loc nor player_loc.", GOOGLE_VIDEO),
    Rule("video-too-many-tags", "warning", "A video has more than 32 tags.", GOOGLE_VIDEO),
    Rule("news-missing-language", "warning", "An article does not name the language of its paper.", GOOGLE_NEWS),
    Rule("news-missing-title", "warning", "An article has no title.", GOOGLE_NEWS),
    Rule("news-too-old", "warning", "An article is more than 48 hours old.", GOOGLE_NEWS),
    Rule(
        "hreflang-invalid-code",
        "warning",
        "An hreflang is no language, language-Script, language-REGION or x-default.",
        GOOGLE_HREFLANG,
    ),
    Rule("hreflang-conflict", "warning", "One page names two addresses for one language.", GOOGLE_HREFLANG),
    Rule("hreflang-no-self", "warning", "A page with alternates does not list itself among them.", GOOGLE_HREFLANG),
    Rule("hreflang-no-return-link", "warning", "An alternate does not name the page in turn.", GOOGLE_HREFLANG),
    # sets and jobs
    Rule("empty-sitemap", "warning", "A urlset or sitemapindex has no children.", PROTOCOL),
    Rule("empty-inventory", "error", "A conversion has no entry to write.", HOUSE),
    Rule("too-many-urls", "error", "A sitemap has more URLs than one file may hold.", PROTOCOL),
    Rule("too-many-sitemaps", "error", "An index lists more sitemaps than one file may hold.", PROTOCOL),
    Rule("too-many-images", "error", "One URL has more than 1,000 images.", GOOGLE_IMAGE),
    Rule("news-too-many", "error", "One file has more than 1,000 articles.", GOOGLE_NEWS),
    Rule("file-too-large", "error", "A sitemap has more than 52,428,800 bytes, uncompressed.", PROTOCOL),
    Rule("feed-incomplete", "info", "The feed has further pages that are not in this file.", "RFC 5005"),
    Rule("child-unavailable", "error", "A sitemap that an index lists can't be read.", PROTOCOL),
    Rule("nested-sitemap-index", "warning", "An index lists an index.", PROTOCOL),
    Rule("sitemap-cycle", "warning", "A sitemap that is already being read is listed again.", HOUSE),
    Rule("depth-limit", "warning", "Following indexes stopped at the nesting limit.", HOUSE),
    Rule("field-not-carried", "warning", "The target format cannot hold a field; it is dropped.", HOUSE),
    Rule("part-removed", "info", "A part of an earlier, longer run is removed.", HOUSE),
    Rule("base-url-assumed", "warning", "The address of the output was taken from its entries.", HOUSE),
    Rule("document-refused", "error", "The document could not be read.", HOUSE),
    Rule("plugin-broken", "warning", "A third-party format could not be loaded.", HOUSE),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in _ALL})
"""All rules by id."""
