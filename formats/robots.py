"""robots.txt: the sitemaps that a site names in it.

Specifications: RFC 9309 2.2.4 (Sitemap is one of the "other records"),
https://www.sitemaps.org/protocol.html#submit_robots, and where these are silent what Google reads
(https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt): a field that begins with
"sitemap" or "site-map", and one without colon before a single value.

Its entries are sitemaps, not pages: whoever wants the pages follows them. The rules for crawlers are passed over.
Carries: loc, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.decode import Encoding, LineCounter, TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import usable_loc
from urlset.formats.vocabulary.source import Source

MAX_BYTES = 512_000
"""Bytes that Google reads (500 KiB); RFC 9309 2.5 asks a crawler for at least as much."""

_SITEMAP = ("sitemap", "site-map")
_FIELDS = ("user-agent", "disallow", "allow", "crawl-delay", "host")
_FIELD = re.compile(r"([A-Za-z][A-Za-z-]{0,40})(?:[ \t]{0,8}:(?!//)|[ \t]{1,8}[^\s:]++\Z)")
_COLONLESS = re.compile(r"site-?map[\w-]{0,40}[ \t]{1,8}https?://\S++\Z", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_SEVERAL = re.compile(r"\shttps?://", re.IGNORECASE)
_BEFORE_ADDRESS = re.compile(r"\shttps?\Z", re.IGNORECASE)
_SAMPLE = 50


class _Field(NamedTuple):
    """One line without its comment; ``colon`` is False where a blank stood in for it."""

    name: str
    value: str
    colon: bool


def sniff(head: Head) -> bool:
    """The name is robots.txt and the content may be; or all lines are fields, the first one of robots.txt."""
    listed = [line for line in head.lines[:_SAMPLE] if not line.startswith("#")]
    if re.split(r"[/\\]", re.split(r"[?#]", head.name, maxsplit=1)[0])[-1].lower() == "robots.txt":
        return not head.lines or (bool(listed) and _may_be_rules(head, listed[0]))
    return (
        bool(listed) and _is_known(listed[0]) and all(_FIELD.match(line) or _COLONLESS.match(line) for line in listed)
    )


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a Sitemap line, in the order of the file.

    A relative value is resolved against the address of the document, else ``base_url``, else rejected.
    """
    encoding = sniff_encoding(source.head(), None, options.encoding)
    beyond = _first_beyond(source, encoding)
    with closing(source.open(account.report)) as stream:
        chunks = TextReader(stream, encoding, account.report)
        for line, text in iter_lines(chunks, source.limits.max_record, account.report):
            field = _field(text)
            if field is None or not field.name.lower().startswith(_SITEMAP):
                if options.remark and field is not None:
                    _remark_on_unknown(account, field, text, line)
                continue
            account.count()
            _remark(account, field, text, line)
            if beyond is not None and line >= beyond:
                _remark_beyond(account, text, line)
            if (loc := _loc(account, options, source, field, text, line)) is not None:
                yield Entry(loc=loc, origin=Origin(account.name, line))


def _may_be_rules(head: Head, first: str) -> bool:
    """Whether this is neither markup, JSON, a list of addresses nor binary, whatever else it is."""
    return first[0] not in "<{[" and not _ADDRESS.match(first) and "\0" not in head.text


def _is_known(line: str) -> bool:
    name, colon, _ = line.partition(":")
    key = name.rstrip().lower()
    return bool(colon) and (key in _FIELDS or key.startswith(_SITEMAP))


def _field(text: str) -> _Field | None:
    """The field on the line; everything from a ``#`` is comment, in an address too."""
    kept = urls.trim(text.partition("#")[0])
    name, colon, value = kept.partition(":")
    # The colon of an address is not the one that is missing before it.
    if colon and not (value.startswith("//") and _BEFORE_ADDRESS.search(name)):
        return _Field(name.rstrip(), value.lstrip(), True)
    tokens = kept.split(None, 2)
    return _Field(tokens[0], tokens[1], False) if len(tokens) == 2 else None


def _loc(account: Account, options: ReadOptions, source: Source, field: _Field, text: str, line: int) -> str | None:
    if _SEVERAL.search(field.value):
        account.reject("not-a-url", "several addresses stand on one line", line=line, value=field.value, raw=text)
        return None
    return usable_loc(account, options, field.value, line, raw=text, base=source.location)


def _remark(account: Account, field: _Field, text: str, line: int) -> None:
    if field.name.lower() != "sitemap":
        message = f"the field is called {field.name[:60]!r}; read as Sitemap, as Google does"
        _repaired(account, message, text, line)
    if not field.colon:
        _repaired(account, "the colon after the field's name is missing; read as if it were there", text, line)
    before, mark, _ = text.partition("#")
    if mark and field.value and not before[-1].isspace():
        message = "a # begins a comment, even inside an address; it was cut there"
        account.find("unexpected-element", message, line=line, value=text, severity="info", action="dropped-value")


def _remark_on_unknown(account: Account, field: _Field, text: str, line: int) -> None:
    """A field that nobody reads and that holds an address: as a rule a Sitemap with a slip of the pen."""
    if _ADDRESS.match(field.value) and field.name.lower() not in _FIELDS:
        message = f"nobody reads the field {field.name[:60]!r}; Sitemap may be meant"
        account.find("unexpected-element", message, line=line, value=text, severity="warning")


def _repaired(account: Account, message: str, text: str, line: int) -> None:
    account.find("unexpected-element", message, line=line, value=text, action="repaired", severity="warning")


def _remark_beyond(account: Account, text: str, line: int) -> None:
    message = f"the line ends beyond the first {MAX_BYTES:,} bytes, all that Google reads; it was read here"
    account.find_cause("resource-limit", "beyond", message, line=line, value=text, severity="warning")


def _first_beyond(source: Source, encoding: Encoding) -> int | None:
    """The first line that does not end within MAX_BYTES; None if all do."""
    # One byte more, for a line whose end begins right behind its last byte is whole.
    data = source.head(MAX_BYTES + 1)
    if len(data) <= MAX_BYTES:
        return None
    return LineCounter().after(data[encoding.bom :].decode(encoding.name, "replace"))


ROBOTS = Format(
    name="robots",
    title="robots.txt",
    specification="https://www.rfc-editor.org/rfc/rfc9309",
    suffixes=(),
    media_types=(),
    carries=frozenset({"loc"}),
    sniff=sniff,
    read=read,
    lists_sources=True,
)
