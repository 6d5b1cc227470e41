"""The fast lane of feeds: items of which there is nothing to say, many at once, by one regular expression.

What stands before the end of the first item is read by the strict lane, which tells the namespaces and what items
stand in. Those behind it are taken as long as they follow each other and are well-formed and as usual. At the first
character that it does not know it stops, and the other lanes read the document from the top and pass over what was
handed out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from urlset.formats.feeds.shape import Shape, Writer, all_decoded, sound_end
from urlset.formats.vocabulary.batches import Batch, Batches, slices
from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.url_columns import plain_text
from urlset.formats.xml import strict
from urlset.formats.xml.fast_rows import Rows, Texts
from urlset.formats.xml.items import Vocabulary
from urlset.formats.xml.node import Element, Node, attributes_of, escape_attribute, local_name, outwards
from urlset.formats.xml.tree import NotWellFormed, name_of

if TYPE_CHECKING:
    from urlset.formats.vocabulary.dates import LastMod
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.source import Source
    from urlset.formats.xml.lanes import Document

BLOCK = 1 << 14
"""Characters that are looked at together, at least; what has longer items behind the first ones is left to others."""
FIRST = 1 << 18
"""Characters that are looked at before anything is read, if there are as many."""
SMALL = 1 << 16
"""Bytes of a document that is worth a look."""
LEAST = 128
"""Items that must be among them: to make the pattern takes as long as the other lanes take for a few hundred."""


class Feed(Protocol):
    """What a format does with the elements of one document."""

    def look_at(self, element: Element) -> None:
        """Learn from the first element what the document is."""
        ...

    def stray(self, element: Element) -> None:
        """Read an element beside the items."""
        ...

    def entry(self, element: Element, /) -> Entry | None:
        """The entry of an item."""
        ...

    def shape(self, item: Element) -> Shape | None:
        """What the items that follow this one look like; None if only the other lanes can read them."""
        ...


class FastLane:
    """Reads the items of one document as far as it knows them.

    ``taken`` are the items that were handed out; ``finished`` says that there is nothing after them.
    """

    def __init__(
        self,
        source: Source,
        document: Document,
        account: Account,
        options: ReadOptions,
        vocabulary: Vocabulary,
        feed: Feed,
    ) -> None:
        self._document = document
        self._account = account
        self._remark = options.remark
        usual = options.paper is None and options.pages is None  # which need more of an item than most jobs
        self._usual = usual and document.plain and len(source.head()) >= SMALL
        self._texts = Texts(document, BLOCK, FIRST, checked=True)
        self._vocabulary = vocabulary
        self._feed = feed
        self.taken = 0
        self.finished = False

    def batches(self) -> Batches:
        """The entries of the items that are known. Raises StrictError as the other lanes do."""
        if not self._usual:
            return
        self._document.report_encoding()
        texts = iter(self._texts)
        text = next(texts, "")
        end = self._end_of_first(text)
        if not end or not text[end:].count(text[text.rindex("</", 0, end) : end]) >= LEAST - 1:
            return
        for item in strict.items([text[:end].encode()], self._vocabulary):
            element = cast(Element, item.element)
            self._feed.look_at(element)
            if item.record:
                break
            self._feed.stray(element)
        else:
            return
        shape, names = self._feed.shape(element), [*map(name_of, element)]
        yield from self._first(element)
        if shape is not None:
            place = _Place.of(element)
            rows = _Rows(self._account, self._feed, self._remark, shape, place, text.count("\n", 0, end) + 1)
            pattern = Writer(place.spaces, self._vocabulary).record(shape, names)
            pieces = (text[start : start + BLOCK] for start in range(end, len(text), BLOCK))
            yield from self._read(pattern, rows, chain(pieces, texts))

    def _end_of_first(self, text: str) -> int:
        """Where the first item ends, if that is plain to see; else 0."""
        for name in self._vocabulary.records:
            found, end, _ = text.partition(f"</{name}>")
            if end and self._kinds(head := found + end)[-1:] == [True]:
                return len(head)
        return 0

    def _kinds(self, head: str) -> list[bool]:
        """What the strict lane finds in a head: for each element whether it is a record, if only the last one is."""
        kinds: list[bool] = []
        with suppress(NotWellFormed):  # the end is missing, if nothing else
            kinds.extend(item.record for item in strict.items([head.encode()], self._vocabulary))
        return kinds if sum(kinds) == 1 else []

    def _first(self, element: Element) -> Batches:
        self._account.count()
        self.taken = 1
        entry = self._feed.entry(element)
        if entry is not None:
            yield Batch([entry])

    def _read(self, pattern: re.Pattern[str], rows: _Rows, texts: Iterator[str]) -> Batches:
        rest = ""
        for more in texts:
            text = rest + more
            found = [*pattern.finditer(text)]
            rest = found.pop()[0] if found and found[-1].lastgroup == "rest" else ""
            sound = sound_end(text, 0, len(text) - len(rest))
            whole = sound == len(text) - len(rest)
            if not whole:
                found = [row for row in found if row.end() <= sound]
            for some in slices(found):
                yield from rows.batches(some)
            self.taken = rows.taken
            if not (rows.known and whole and self._texts.readable) or (not found and len(rest) >= BLOCK):
                return
        self.finished = self._texts.readable and rows.place.ends(rest)


class _Place(NamedTuple):
    """What the items of a document stand in, from the inside out: copies, the names of the end tags, and namespaces."""

    outer: Node
    names: Sequence[str]
    spaces: Mapping[str | None, str]

    @classmethod
    def of(cls, item: Element) -> _Place:
        """The place of an item that lxml read, and that is no root."""
        around = [*outwards(item)]
        outer: Node | None = None
        for element in reversed(around):
            attributes = dict(attributes_of(element))
            outer = Node(element.tag, local_name(element), attributes, element.sourceline or 0, outer, element.nsmap)
        return cls(cast(Node, outer), [name_of(element) for element in around], around[0].nsmap)

    def ends(self, text: str) -> bool:
        """Whether a text is the end of the document."""
        blanks = r"[ \t\n]*+"
        return bool(re.fullmatch(blanks + "".join(rf"</{re.escape(name)}>{blanks}" for name in self.names), text))

    def element(self, record: str, line: int) -> Node:
        """A record that begins on a line, as the repair lane would give it."""
        from lxml import etree

        declared = "".join(
            f' xmlns{":" + prefix if prefix else ""}="{escape_attribute(space)}"'
            for prefix, space in self.spaces.items()
            if prefix != "xml"
        )
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        whole = etree.fromstring(f"<x{declared}>{record}</x>".encode(), parser)
        return _copied(cast(Element, whole[0]), self.outer, line - 1)


def _copied(element: Element, parent: Node, lines: int) -> Node:
    """A copy of an element in another place, so many lines further down."""
    line = (element.sourceline or 0) + lines
    copy = Node(element.tag, local_name(element), dict(attributes_of(element)), line, parent, parent.nsmap)
    copy.text = element.text
    for child in element:
        inner = _copied(child, copy, lines)
        inner.tail = child.tail
        copy.append_child(inner)
    return copy


class _Rows(Rows[re.Match[str]]):
    """The items of one document; see :class:`Rows`."""

    def __init__(self, account: Account, feed: Feed, remark: bool, shape: Shape, place: _Place, line: int) -> None:
        super().__init__(account, line, taken=1)
        self._feed = feed
        self._remark = remark
        self._shape = shape
        self.place = place

    def _together(self, rows: Sequence[re.Match[str]]) -> Core | None:
        number = len(rows)
        raw_locs, raw_titles, *dates = zip(
            *(row.group("loc", "title", *self._shape.dates) for row in rows), strict=True
        )
        text = _locs(raw_locs)
        lastmods = self._lastmods(dates) if text else None
        if text is None or lastmods is None:
            return None
        titles = [title.strip() or None for title in all_decoded([title or "" for title in raw_titles])]
        absent = [None] * number
        dates_ = Dates((), lastmods)
        places = self._places(rows) if self._remark else None
        lines = self._lines(rows)
        names, locs = [self._account.name] * number, text.split("\n")
        return Core(names, locs, dates_, absent, absent, lines, places, titles, text)

    def _lastmods(self, columns: Sequence[Sequence[str | None]]) -> Sequence[LastMod | None] | None:
        """The best date of each item, if nothing is to be said of any."""
        found: list[Sequence[LastMod | None]] = []
        for texts, read in zip(columns, self._shape.dates.values(), strict=True):
            if any(texts):
                values = read(texts)
                if values is None:
                    return None
                found.append(values)
            elif "" in texts:
                return None
        if self._shape.ordered:
            return found[0] if None not in columns[0] and _is_ordered(*found) else None
        if len(found) == 1:
            return found[0]
        return [next(filter(None, values), None) for values in zip(*found, strict=True)] or [None] * len(columns[0])

    def _lines(self, rows: Sequence[re.Match[str]]) -> list[int]:
        """The lines of the addresses; moves on behind the items."""
        text, line, number = rows[0].string, self.line, len(rows)
        ends = text.count("\n", rows[0].start(), rows[-1].end())
        if not ends:
            return [line] * number
        if ends == number and all(text[row.start()] == "\n" for row in rows):
            self.line += number  # each on a line of its own
            return [*range(line + 1, line + number + 1)]
        lines: list[int] = []
        for row in rows:
            start, loc, end = row.start(), row.start("loc"), row.end()
            line += text.count("\n", start, loc)
            lines.append(line)
            line += text.count("\n", loc, end)
        self.line = line
        return lines

    def _places(self, rows: Sequence[re.Match[str]]) -> list[Mapping[str, int | None]]:
        """The lines of the dates."""
        found: list[Mapping[str, int | None]] = []
        line = self.line
        for row in rows:
            start, end = row.span()
            group = next((name for name in self._shape.dates if row[name] is not None), None)
            found.append({"lastmod": line + row.string.count("\n", start, row.start(group))} if group else {})
            line += row.string.count("\n", start, end)
        return found

    def _looked_at(self, row: re.Match[str]) -> Iterator[Entry]:
        element = self.place.element(row[0], self.line)
        self.line += row[0].count("\n")
        self._account.count()
        self.taken += 1
        entry = self._feed.entry(element)
        if entry is not None:
            yield entry


def _locs(raws: Sequence[str | None]) -> str | None:
    """The addresses, one a line, if each is one that there is nothing to say of."""
    if None in raws:
        return None
    return plain_text([loc.strip() for loc in all_decoded(cast("Sequence[str]", raws))])


def _is_ordered(best: Sequence[LastMod | None], *others: Sequence[LastMod | None]) -> bool:
    """Whether no other date of an item is later than the best."""
    return not any(later and date and later > date for other in others for date, later in zip(best, other, strict=True))
