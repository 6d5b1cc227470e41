"""Addresses: form, scope, repeats."""

from __future__ import annotations

from urlset.formats.catalogue.rule import (
    BAIDU,
    FAQ,
    HOST_NAMES,
    HOSTS,
    HOUSE,
    IRI,
    PROTOCOL,
    SCHEMA,
    URI,
    YANDEX_ERRORS,
    Row,
    Rule,
)

ADDRESSES = (
    # whether it is one
    Rule(
        "missing-loc",
        "error",
        "A record has no address.",
        mend="Give the record its address, or remove it.",
        source=PROTOCOL,
        rows=(
            Row("SET-002", "Each url has a loc."),
            Row("LOC-001", "A loc is not empty."),
            Row("IDX-003", "Each entry of an index has exactly one loc."),
        ),
    ),
    Rule(
        "not-a-url",
        "warning",
        "The text is no URL, or it is more than a URL.",
        mend="Write one whole URL there and nothing else. A text list has one a line, without headings and comments.",
        source=URI,
        rows=(
            Row("TXT-001", "Each line of a text list is an absolute URL."),
            Row("TXT-002", "A line of a text list has no comment, no heading and nothing beside the URL."),
        ),
    ),
    Rule(
        "not-absolute",
        "error",
        "The URL lacks scheme or host.",
        mend="Write the address whole, from https:// on. Conversions resolve a relative one against --base-url.",
        source=PROTOCOL,
        rows=(
            Row("LOC-002", "A loc is an absolute URL."),
            Row("LOC-004", "A loc has a host."),
            Row("FED-003", "The link of a feed item is an absolute URL, not one that had to be resolved."),
            Row("ROB-001", "The value of a Sitemap line is an absolute URL."),
            Row("HRF-002", "The href of an alternate is an absolute URL."),
        ),
    ),
    Rule(
        "unsupported-scheme",
        "warning",
        "The scheme is neither http nor https.",
        mend="List the page under its http or https address, or leave it out.",
        source=PROTOCOL,
        rows=(Row("LOC-003", "The scheme of a loc is http or https."),),
    ),
    Rule(
        "invalid-host",
        "error",
        "The host name or port is impossible; the record is rejected.",
        mend="Correct the host or the port. A blank or a backslash in the host often belongs to a path without its "
        "slash.",
        source=HOSTS,
        rows=(Row("LOC-013", "A host can be expressed in DNS, and a port is a number up to 65535."),),
    ),
    Rule(
        "unusual-host",
        "warning",
        "The host has a name that hosts in DNS do not have, such as one with an underscore; the address is kept.",
        mend="Check the host for typing errors: underscore, hyphen at an end, empty or too long part. Leave it if it "
        "answers.",
        source=HOST_NAMES,
    ),
    Rule(
        "non-ascii-host",
        "warning",
        "The host is written with characters outside ASCII.",
        mend="Write the host in its ASCII form, which begins with xn--. Conversions to sitemaps and text lists do so.",
        source=HOSTS,
        rows=(Row("LOC-012", "A host is written in ASCII."),),
    ),
    # its characters
    Rule(
        "non-ascii-loc",
        "info",
        "The URL has characters outside ASCII that are not escaped.",
        mend="Nothing needs to be done for readers that know IRIs. Conversions to sitemaps and text lists escape them.",
        source=f"{FAQ}; {IRI}",
        rows=(Row("LOC-011", "A loc with raw characters outside ASCII is remarked on."),),
    ),
    Rule(
        "invalid-url-character",
        "warning",
        "A character stands raw in a URL that may not.",
        mend="Write it as a percent escape, such as %20 for a blank, or remove it if it is not part of the address.",
        source=f"{URI}; {IRI}",
        rows=(
            Row("LOC-010", "A loc has no raw character that neither a URI nor an IRI may hold."),
            Row("LOC-021", "No white space stands around or inside a loc."),
        ),
    ),
    Rule(
        "malformed-percent-escape",
        "warning",
        "A % is not followed by two hexadecimal digits.",
        mend="Write %25 if a percent sign is meant; otherwise complete the escape.",
        source=URI,
        rows=(Row("LOC-009", "Two hexadecimal digits follow each % of a loc."),),
    ),
    Rule(
        "double-escaped",
        "warning",
        "After decoding the text still looks escaped.",
        mend="Escape once: leave it to the XML writer, and in text lists do not escape for XML. The message says what "
        "the address seems to be.",
        source=HOUSE,
        rows=(
            Row("LOC-019", "A loc is escaped for XML once, not twice."),
            Row("TXT-004", "A text list has no escapes of XML."),
        ),
    ),
    Rule(
        "fragment-in-loc",
        "warning",
        "The URL carries a #fragment, which is never sent to a server.",
        mend="List the address without its fragment, once.",
        source=URI,
        rows=(Row("LOC-014", "A loc has no fragment."),),
    ),
    Rule(
        "userinfo-in-loc",
        "warning",
        "The URL carries a user name or a password.",
        mend="Remove what stands before the @. Change the password, if there was one: it has been published.",
        source=URI,
        rows=(Row("LOC-015", "A loc has no user information."),),
    ),
    Rule(
        "session-id-in-loc",
        "warning",
        "The URL seems to carry a session id.",
        mend="List the address without the session id, so that one page has one address.",
        source=FAQ,
        rows=(Row("LOC-020", "A loc has no session id."),),
    ),
    Rule(
        "default-port",
        "warning",
        "The URL names the port that its scheme has anyway.",
        mend="Remove :80 from http and :443 from https addresses.",
        source=URI,
        rows=(Row("LOC-023", "A loc does not spell out the default port."),),
    ),
    # its length
    Rule(
        "loc-too-long",
        "error",
        "The URL has 2,048 characters or more.",
        mend="Shorten the address, or leave it out; parameters for tracking and sorting can usually go.",
        source=f"{PROTOCOL}; {SCHEMA}",
        rows=(Row("LOC-005", "A loc has fewer than 2,048 characters."),),
    ),
    Rule(
        "loc-too-long-for-engine",
        "warning",
        "The URL is longer than the engine takes: 1,024 characters for Yandex, 256 bytes for Baidu.",
        mend="Shorten the address, or expect this engine to pass over it.",
        source=f"{YANDEX_ERRORS}; {BAIDU}",
        rows=(
            Row("LOC-007", "For Yandex a loc has 1,024 characters or fewer."),
            Row("LOC-008", "For Baidu a loc has 256 bytes or fewer."),
        ),
        engines=("yandex", "baidu"),
    ),
    Rule(
        "loc-too-short",
        "info",
        "The URL has fewer than 12 characters, the least that the schema allows.",
        mend="Nothing needs to be done for search engines. It matters where files are checked against the schema.",
        source=SCHEMA,
        rows=(Row("LOC-006", "A loc has 12 characters or more."),),
    ),
    # what a sitemap may list
    Rule(
        "different-host",
        "warning",
        "The URL is on another host or port than the sitemap that lists it.",
        mend="List it in a sitemap on its own host, or name this sitemap in the robots.txt of that host.",
        source=PROTOCOL,
        rows=(
            Row("LOC-016", "A loc has the scheme, host and port of its sitemap."),
            Row("IDX-004", "An index lists sitemaps of its own host, unless another host's robots.txt names them."),
        ),
    ),
    Rule(
        "different-protocol",
        "warning",
        "The URL and the sitemap that lists it differ in http and https.",
        mend="List the address under the scheme that the site uses, and serve the sitemap under the same.",
        source=PROTOCOL,
    ),
    Rule(
        "outside-sitemap-path",
        "warning",
        "The URL lies outside the folder of the sitemap that lists it.",
        mend="Move the sitemap to the root of the site, or to a folder above all that it lists.",
        source=PROTOCOL,
        rows=(
            Row("LOC-017", "A loc lies in the folder of its sitemap, or below."),
            Row("IDX-005", "A sitemap lies in the folder of the index that lists it, or below."),
        ),
    ),
    Rule(
        "cross-submitted",
        "info",
        "The URL is out of the scope of the document that lists it, and a robots.txt of its host vouches for it.",
        mend="Nothing needs to be done. It matters when the robots.txt changes: the line there has to stay.",
        source=PROTOCOL,
        rows=(
            Row("LOC-018", "A loc on another host is allowed if that host's robots.txt names the sitemap."),
            Row("ROB-006", "A sitemap on another host may be named in robots.txt, and is remarked on."),
        ),
    ),
    # the same page again
    Rule(
        "duplicate-loc",
        "warning",
        "The same address is listed again.",
        mend="Keep one entry for each address; conversions do so with --dedupe.",
        source=PROTOCOL,
        rows=(
            Row("SET-008", "No loc occurs twice, letter for letter."),
            Row("SET-009", "No two loc are one address in two spellings."),
            Row("IDX-008", "An index lists no sitemap twice, nor itself."),
            Row("ROB-005", "A robots.txt names no sitemap twice."),
        ),
    ),
    Rule(
        "both-protocols",
        "info",
        "A page is listed under http and under https.",
        mend="List the one that the site redirects to. It matters if both answer, since the page then has two "
        "addresses.",
        source=FAQ,
        rows=(Row("LOC-022", "A page that is listed under http and https both is remarked on."),),
    ),
    Rule(
        "sitemap-as-page",
        "info",
        "A sitemap lists itself or another sitemap as if it were a page.",
        mend="List sitemaps in an index. Nothing needs to be done if the file is meant to be found as a page.",
        source=HOUSE,
        rows=(Row("LOC-024", "A sitemap file that is listed as a page is remarked on."),),
    ),
)
