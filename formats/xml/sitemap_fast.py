"""The fast lane: sitemaps as nearly everyone writes them, many records at once, by one regular expression.

It takes a strict subset: UTF-8, a root with namespaces and little else, and records of core fields that follow each
other in one layout, which the first record tells. At the first character that it does not know it stops, and the other
lanes read the document from the top and pass over what was handed out here. The entries, findings and lines are the
same, at a fraction of the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, cast

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches
from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.record import PLAIN_NUMBERS, PLAIN_WORDS
from urlset.formats.vocabulary.url_columns import plain_lines
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.fast_rows import Rows, Texts
from urlset.formats.xml.node import Node
from urlset.formats.xml.sitemap_layout import Finder, Layout, Records, layout_of
from urlset.formats.xml.sitemap_names import KINDS

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.lanes import Document
    from urlset.formats.xml.sitemap_record import RecordReader

BLOCK = 1 << 15
"""Characters that are looked at together, at least; a document with longer records is left to the other lanes."""

_QUOTED = r"""(?:"[^"<&]*+"|'[^'<&]*+')"""
_PROLOG = re.compile(
    r"""(?:<\?xml[ \t\n]++version=(?:"1\.0"|'1\.0')"""
    r"""(?:[ \t\n]++encoding=(?:"[A-Za-z][A-Za-z0-9._-]*+"|'[A-Za-z][A-Za-z0-9._-]*+'))?"""
    r"""(?:[ \t\n]++standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*+\?>)?"""
    r"(?:[ \t\n]++|<\?xml-stylesheet[ \t\n][^?<>]*+\?>|<!--[^<>-]*+(?:-[^<>-]++)*-->)*"
)
_ROOT = re.compile(rf"<(urlset|sitemapindex)((?:[ \t\n]++[A-Za-z][A-Za-z0-9:_-]*+={_QUOTED})*)[ \t\n]*+>")
_ATTRIBUTE = re.compile(rf"([A-Za-z0-9:_-]++)=({_QUOTED})")
_ABSOLUTE = re.compile(r"https?://[A-Za-z0-9./_~-]++")  # of others libxml2 may have something to say
_XMLNS = re.compile(r"xmlns(?::(?!xml)[A-Za-z][A-Za-z0-9_-]*+)?")
_RESERVED = frozenset({ns.XML, ns.XMLNS})  # no prefix of a document's own may stand for them
_LOCATION = "xsi:schemaLocation"

_BLANK = re.compile(r"[ \t\n]*+")
# What makes a text other than its characters, or the document no XML.
_ODD = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)|[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\]\]>")
_NAMED = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class FastLane:
    """Reads the records of one document as far as it knows them.

    ``taken`` are the records that were handed out; ``finished`` says that there is nothing after them.
    """

    def __init__(
        self, document: Document, account: Account, options: ReadOptions, root: str, records: RecordReader
    ) -> None:
        self._document = document
        self._account = account
        self._remark = options.remark
        self._root = root
        self._records = records
        self._texts = Texts(document, BLOCK)
        self.taken = 0
        self.finished = False

    def batches(self) -> Batches:
        """The entries of the records that are known. Raises StrictError as the other lanes do."""
        if not self._document.plain:
            return
        texts = iter(self._texts)
        text = next(texts, "")
        top = _top(text, self._root)
        layout = layout_of(text, _end_of_blanks(text, top.end), KINDS[self._root]) if top else None
        if top is None or layout is None or (self._remark and layout.order != orders.URL):
            return
        self._document.report_encoding()
        start = _end_of_blanks(text, top.end)
        # The first record may stand on the line of the root's start tag; all others have the same blanks before them.
        line = text.count("\n", 0, start) + 1 - layout.before_record.count("\n")
        rows = _Rows(self._account, self._records, self._remark, top.node, layout, line)
        yield from self._read(rows, layout.before_record + text[start:], texts)

    def _read(self, rows: _Rows, text: str, texts: Iterator[str]) -> Batches:
        find = Finder(rows.layout).find
        more: str | None = ""
        while more is not None:
            found, text = find(text)
            for some in found:
                yield from rows.batches(some)
            self.taken = rows.taken
            if not rows.known or (not any(found) and len(text) >= BLOCK):
                return
            more = next(texts, None)
            text += more or ""
        self.finished = self._texts.readable and text.strip(" \t\n") == f"</{self._root}>"


class _Rows(Rows[tuple[str, ...]]):
    """The records of one document, as the texts of their fields; see :class:`Rows`."""

    def __init__(
        self, account: Account, records: RecordReader, remark: bool, top: Node, layout: Layout, line: int
    ) -> None:
        super().__init__(account, line, taken=0)
        self._records = records
        self._remark = remark
        self._top = top
        self.layout = layout
        self._optional = [name for name in layout.order if name != "loc"]
        self._to_loc = (layout.before_record + layout.before_field).count("\n")
        self._a_field = layout.before_field.count("\n")
        self._to_end = layout.before_end.count("\n")
        self._before_loc = layout.order[: layout.order.index("loc")] if self._a_field else ()

    def _together(self, rows: Sequence[tuple[str, ...]]) -> Core | None:
        columns = dict(zip(self.layout.order, cast("Records", rows).columns, strict=True))
        try:
            words = [*map(PLAIN_WORDS.__getitem__, columns["changefreq"])]
            numbers = [*map(PLAIN_NUMBERS.__getitem__, columns["priority"])]
        except KeyError:
            return None
        if self.layout.record == "sitemap" and any((*columns["changefreq"], *columns["priority"])):
            return None  # an index has neither
        locs, text = _unescaped(columns["loc"])
        lastmods = plain_dates(columns["lastmod"]) if text else None
        if lastmods is None:
            return None
        lines = self._lines(columns, len(rows))
        places = self._places(columns, lines) if self._remark else None
        names = [self._account.name] * len(rows)
        return Core(names, locs, lastmods, words, numbers, lines, places, text=text)

    def _lines(self, columns: Mapping[str, Sequence[str]], number: int) -> Sequence[int]:
        """The lines of the locs of rows whose texts have no line ends; moves on behind them."""
        record = self._to_loc + self._to_end + self._a_field * len(self._optional)
        first = self.line + self._to_loc
        if self._a_field and any("" in columns[name] for name in self._optional):
            absent = [row.count("") for row in zip(*(columns[name] for name in self._optional), strict=True)]
            lines = list(accumulate((record - self._a_field * fields for fields in absent), initial=first))
        elif record:
            lines = [*range(first, first + record * number + 1, record)]
        else:
            lines = [first] * (number + 1)
        self.line = lines.pop() - self._to_loc
        if self._before_loc:
            before = zip(*(columns[name] for name in self._before_loc), strict=True)
            return [line + self._a_field * sum(map(bool, row)) for line, row in zip(lines, before, strict=True)]
        return lines

    def _places(self, columns: Mapping[str, Sequence[str]], lines: Sequence[int]) -> list[Mapping[str, int | None]]:
        """The lines of the fields behind each loc."""
        found: list[Mapping[str, int | None]] = []
        for line, row in zip(lines, zip(*(columns[name] for name in self._optional), strict=True), strict=True):
            present = [name for name, text in zip(self._optional, row, strict=True) if text]
            found.append({name: line + self._a_field * place for place, name in enumerate(present, 1)})
        return found

    def _looked_at(self, row: tuple[str, ...]) -> Iterator[Entry]:
        if any(map(_ODD.search, row)):
            self.known = False
            return
        element = self._element(row)
        self._account.count()
        self.taken += 1
        yield from self._records.entries(element)

    def _element(self, row: tuple[str, ...]) -> Node:
        layout = self.layout
        self.line += layout.before_record.count("\n")
        element = self._node(layout.record, self._top)
        element.text = layout.before_field
        for name, text in zip(layout.order, row, strict=True):
            if text or name == "loc":
                self.line += self._a_field
                child = self._node(name, element)
                child.text, child.tail = _plain_text(text) or None, layout.before_field
                self.line += text.count("\n")
                element.append_child(child)
        element.children[-1].tail = layout.before_end
        self.line += self._to_end
        return element

    def _node(self, name: str, parent: Node) -> Node:
        space = self._top.tag[: self._top.tag.find("}") + 1]
        return Node(f"{space}{name}", name, {}, self.line, parent, self._top.nsmap)


class _Top(NamedTuple):
    """The root's start tag, and the place behind it."""

    node: Node
    end: int


def _top(text: str, root: str) -> _Top | None:
    """The root of a document, if there is nothing in or before its start tag but what everybody writes."""
    prolog = _PROLOG.match(text)
    start = _ROOT.match(text, prolog.end()) if prolog else None
    if start is None or start[1] != root or _ODD.search(text, 0, start.end()):
        return None
    attributes = [(name, value[1:-1]) for name, value in _ATTRIBUTE.findall(start[2])]
    spaces = {name: value for name, value in attributes if name != _LOCATION}
    usual = all(_XMLNS.fullmatch(name) and _ABSOLUTE.fullmatch(value) for name, value in spaces.items())
    repeated = len(spaces) + (_LOCATION in dict(attributes)) < len(attributes)
    if not usual or repeated or not _RESERVED.isdisjoint(spaces.values()):
        return None
    if _LOCATION in dict(attributes) and spaces.get("xmlns:xsi") != ns.XSI:
        return None
    namespaces = {name.partition(":")[2] or None: value for name, value in spaces.items()}
    space = f"{{{namespaces[None]}}}" if None in namespaces else ""
    line = text.count("\n", 0, start.end()) + 1
    return _Top(Node(f"{space}{root}", root, {}, line, None, namespaces), start.end())


def _end_of_blanks(text: str, start: int) -> int:
    blanks = _BLANK.match(text, start)
    return blanks.end() if blanks else start


def _unescaped(texts: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """The locs of texts; and all of them, one a line, if each is one that there is nothing to say of."""
    locs = [text.replace("&amp;", "&") if "&" in text else text for text in texts]
    joined = "\n".join(locs)
    if max(map(len, texts)) >= urls.MAX_LENGTH or not plain_lines(joined, len(locs)):
        return locs, None
    # Every & must have been written as such, and not as another reference.
    escapes = len("\n".join(texts)) - len(joined)
    return locs, joined if escapes == 4 * joined.count("&") else None


def _plain_text(text: str) -> str:
    """The characters that a text stands for."""
    if "&" in text:
        for reference, character in _NAMED:
            text = text.replace(reference, character)
    return text
