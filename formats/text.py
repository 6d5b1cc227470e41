"""Text: one URL a line.

Specification: https://www.sitemaps.org/protocol.html#otherformats; the attributes of the urllist of Google's
sitemap_gen.py (2005), ``URL lastmod=… changefreq=… priority=…``; and ``#`` comments are read too.

Carries: loc, and nothing else. Plain text has no escapes: an ``&amp;`` in it is remarked on and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from urlset.formats.tables.dialect import goes_on_in_cells
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches, counted, gathered, line_slices, one_by_one
from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.decode import TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import Core, Entry, Origin, sound
from urlset.formats.vocabulary.format import Format, Head, Piece, ReadOptions, Writer
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import changefreq_of, date_of, priority_of, usable_loc
from urlset.formats.vocabulary.source import Source
from urlset.formats.vocabulary.url_columns import plain_text, plain_uris

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_SEVERAL = re.compile(r"\shttps?://", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(lastmod|changefreq|priority)=(\S*)")
_SAMPLE = 50


def sniff(head: Head) -> bool:
    """The first line is a URL and so are most of the sample; or all is comment, with a URL in it."""
    if head.prolog is not None and head.prolog.root:
        return False
    lines = head.lines[:_SAMPLE]
    listed = [line for line in lines if not line.startswith("#")]
    if not listed:
        return any(_ADDRESS.search(line) for line in lines) and not lines[0].startswith(
            ("#Fields", "#Version", "#Software")
        )
    addresses = sum(_ADDRESS.match(line) is not None for line in listed)
    return _ADDRESS.match(listed[0]) is not None and 2 * addresses >= len(listed) and not goes_on_in_cells(listed)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a line; a line that is no absolute URL is rejected."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches."""
    encoding = sniff_encoding(source.head(), None, options.encoding)
    with closing(source.open(account.report)) as stream:
        chunks = TextReader(stream, encoding, account.report)
        for lines in line_slices(iter_lines(chunks, source.limits.max_record, account.report)):
            numbers, texts = zip(*lines, strict=True)
            text = plain_text(texts)
            if text is not None:
                absent, name = [None] * len(texts), [account.name] * len(texts)
                yield from counted(Core(name, texts, Dates((), absent), absent, absent, numbers, text=text), account)
            else:
                yield from gathered(_listed(lines, account, options), account)


def _listed(lines: Iterable[tuple[int, str]], account: Account, options: ReadOptions) -> Iterator[Entry]:
    for line, text in lines:
        stripped = urls.trim(text)
        if options.remark and (stripped != text or not stripped):
            _remark_on_blanks(account, text, line, blank=not stripped)
        if not stripped:
            continue
        if stripped[0] == "#":
            _comment(account, stripped, line)
            continue
        account.count()
        if (entry := _entry(account, options, line, stripped)) is not None:
            yield entry


def encode(entry: Entry) -> Piece:
    """The URI on a line of its own. Raises ValueError if the host can't be expressed in DNS."""
    return Piece(to_uri(entry.loc).encode("ascii") + b"\n")


def encode_plain(core: Core) -> bytes | None:
    """Many URIs at once, as :func:`encode` writes each; None if any may need a closer look."""
    locs = plain_uris(core.locs, core.text)
    return None if locs is None else locs.encode("ascii") + b"\n"


def _remark_on_blanks(account: Account, text: str, line: int, *, blank: bool) -> None:
    if blank:
        account.find_cause("blank-line", "blank", "the line is blank; some count it as one of the 50,000", line=line)
    else:
        message = "white space stands round the address; readers may take it for a part of it"
        account.find_cause("invalid-url-character", "blanks", message, line=line, value=text)


def _comment(account: Account, text: str, line: int) -> None:
    message = "comment lines are passed over; the protocol knows none"
    account.find_cause("not-a-url", "comment", message, line=line, value=text, severity="info")


def _entry(account: Account, options: ReadOptions, line: int, text: str) -> Entry | None:
    if " " not in text and "\t" not in text:
        loc = usable_loc(account, options, text, line)
        return None if loc is None else sound(loc, Origin(account.name, line), {})
    address, attributes = _fields(account, text, line) if options.urllist else _split(text)
    if _SEVERAL.search(address):
        account.reject("not-a-url", "several addresses stand on one line", line=line, value=text)
        return None
    if attributes and options.remark:
        message = "attributes stand behind the address, as in sitemap_gen.py; the protocol knows none in a text list"
        account.find_cause("not-a-url", "attributes", message, line=line, value=text)
    loc = usable_loc(account, options, address, line, raw=text, fields={"loc": address, **attributes})
    if loc is None:
        return None
    return sound(loc, Origin(account.name, line), _values(account, options, attributes, line))


def _split(text: str) -> tuple[str, dict[str, str]]:
    """The address and the attributes behind it; blanks that no attribute explains are the address's own."""
    tokens = text.split()
    found: dict[str, str] = {}
    kept = len(text)
    for token in reversed(tokens[1:]):
        match = _ATTRIBUTE.fullmatch(token)
        if match is None:
            break
        # The last of several equal names wins, as in sitemap_gen.py.
        found.setdefault(match[1], match[2])
        kept = text.rindex(token, 0, kept)
    return text[:kept].rstrip(), found


def _fields(account: Account, text: str, line: int) -> tuple[str, dict[str, str]]:
    """The address and the attributes of a line of sitemap_gen.py's, which is fields between single blanks."""
    address, *fields = text.split(" ")
    found: dict[str, str] = {}
    for field in filter(None, fields):
        name, mark, value = field.partition("=")
        if mark and name == "loc":
            address = value
        elif _ATTRIBUTE.fullmatch(field):
            found[name] = value
        else:
            message = f"{field[:60]!r} is no attribute (lastmod, changefreq, priority); it is left out"
            account.find("not-a-url", message, line=line, value=field, action="dropped-value")
    return address, found


def _values(account: Account, options: ReadOptions, attributes: dict[str, str], line: int) -> dict[str, Any]:
    return {
        "lastmod": date_of(account, options, attributes.get("lastmod"), line),
        "changefreq": changefreq_of(account, attributes.get("changefreq"), line),
        "priority": priority_of(account, attributes.get("priority"), line),
    }


TEXT = Format(
    name="text",
    title="Text list",
    specification="https://www.sitemaps.org/protocol.html#otherformats",
    suffixes=(".txt", ".urls", ".list"),
    media_types=("text/plain",),
    carries=frozenset({"loc"}),
    sniff=sniff,
    read=read,
    batches=batches,
    write=Writer(encode, encode_plain=encode_plain),
)
