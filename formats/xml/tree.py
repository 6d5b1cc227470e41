"""libxml2's parser, fed in chunks, as the strict lane needs it: it says where the first fault is, and knows every line.

libxml2 counts lines up to 65,535; of what stands further down it knows those of texts, and guesses the others by them.
So a parser reads no more lines than that: behind a record the next one goes on, inside the same open elements.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, attributes_of, escape_attribute, local_name, outwards

if TYPE_CHECKING:
    from lxml import etree

LONG = 1 << 15
"""Lines of a parser after which the next one begins as soon as a record has ended."""

_A_LINE = re.compile(" line ([0-9]+)")
_END_OF_LINE = re.compile(rb"</[^<>]+>[ \t]*+\n")


class NotWellFormed(Exception):  # noqa: N818 - what the document is, and no end of the job
    """libxml2's first objection to a document: its message, its place, and the number that it has there."""

    def __init__(self, message: str, line: int, column: int | None, code: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.code = code


class Tree:
    """A parser that tells of elements with these names, and of no others.

    It begins inside ``open_`` elements, and with a line of the document. ``may_end`` says that it has read very many
    lines, and last an end tag by itself: if that was a record's, the next parser may go on. Raises NotWellFormed at the
    first fault.
    """

    def __init__(self, names: Sequence[str], open_: Sequence[Element] = (), first: int = 1) -> None:
        from lxml import etree

        self._names = names
        self._begun: list[tuple[str, Element]] = []
        self._open: list[int] = []  # the lines of what is open, by those that it has in this parser
        self._beyond = first - 1 - len(open_)
        self._fed = first - 1
        self._first = first
        self.may_end = False
        self._parser = etree.XMLPullParser(
            events=("start", "end"),
            tag=[f"{{*}}{name}" for name in names],
            encoding="utf-8",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
        )
        if open_:
            self._begin(open_)

    def _begin(self, open_: Sequence[Element]) -> None:
        # Each start tag ends on a line of its own, which stands for that of the document.
        self._open = [0, 0, *(element.sourceline or 0 for element in open_)]
        self._parser.set_element_class_lookup(_placed(self._placed))
        self._parser.feed("".join(map(_start_tag, open_)).encode())
        self._begun = [*self._read()]
        # What is held stays of this class, and all other elements become of that one.
        self._held = [outer for _, element in self._begun for outer in (element, *outwards(element))]
        self._parser.set_element_class_lookup(_placed(lambda line: line + self._beyond))

    def events(self) -> Iterator[tuple[str, Element]]:
        """The elements that began or ended since the last call."""
        begun, self._begun = self._begun, []
        return chain(begun, self._read())

    def _read(self) -> Iterator[tuple[str, Element]]:
        return cast("Iterator[tuple[str, Element]]", self._parser.read_events())

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """A chunk; if it takes the parser beyond very many lines, its last end tag at the end of a line by itself."""
        found = None
        if self._fed + chunk.count(b"\n") - self._first >= LONG:
            found = deque(_END_OF_LINE.finditer(chunk), maxlen=1)
        if found:
            start, end = found[0].span()
            yield from filter(None, (chunk[:start], chunk[start:end], chunk[end:]))
        else:
            yield chunk

    def feed(self, piece: bytes) -> None:
        """Read on."""
        from lxml import etree

        self._fed += piece.count(b"\n")
        self.may_end = self._fed - self._first >= LONG and _END_OF_LINE.fullmatch(piece) is not None
        try:
            self._parser.feed(piece)
        except etree.XMLSyntaxError as error:
            raise self._objection(error) from error
        # Faults that libxml2 gets over lxml raises only at the end.
        for fault in self._parser.feed_error_log.filter_from_errors():
            raise self._fault(fault.message, fault.line, fault.column, fault.type)

    def close(self) -> Element:
        """The root, when the document has ended."""
        from lxml import etree

        try:
            return cast(Element, self._parser.close())
        except etree.XMLSyntaxError as error:
            raise self._objection(error) from error

    def beyond(self, record: Element) -> Tree:
        """A parser for what follows a record, which is the last that this one has read."""
        return Tree(self._names, [*outwards(record)][::-1], self._fed + 1)

    def _objection(self, error: etree.XMLSyntaxError) -> NotWellFormed:
        line, column = error.position or (None, None)
        message = (error.msg or "not well-formed").split(", line ")[0]
        return self._fault(message, line or 1, column, getattr(error, "code", 0))

    def _fault(self, message: str, line: int, column: int | None, code: int) -> NotWellFormed:
        # The line where the document goes on begins with the end of the last start tag.
        before = 1 if self._open and line == len(self._open) - 1 else 0
        message = _A_LINE.sub(self._renamed, message)
        return NotWellFormed(message, line + self._beyond, column and column - before, code)

    def _renamed(self, found: re.Match[str]) -> str:
        # libxml2 names the line where a start tag begins: of an open element that is the one before its last.
        line = int(found[1])
        return f" line {self._placed(line + 1 if line < len(self._open) - 1 else line)}"

    def _placed(self, line: int) -> int:
        """The line in the document; where an open element begins on the line, the element's."""
        return self._open[line] if line < len(self._open) else line + self._beyond


def _placed(place: Callable[[int], int]) -> Any:
    """A lookup of elements that know their line in the document from that in their parser."""
    from lxml import etree

    counted = cast("Any", etree._Element).sourceline.__get__

    class Placed(etree.ElementBase):
        """An element of a document that several parsers read."""

        @property
        def sourceline(self) -> int:  # type: ignore[override]
            """The line in the document."""
            return place(counted(self))

    return etree.ElementDefaultClassLookup(element=Placed)


def _start_tag(element: Element) -> str:
    """The start tag of an element, over two lines."""
    prefixes = {space: prefix for prefix, space in element.nsmap.items() if prefix}
    attributes = {f"xmlns:{prefix}" if prefix else "xmlns": space for prefix, space in element.nsmap.items()}
    for key, value in attributes_of(element):
        space, name = ns.split(key)
        attributes[f"{'xml' if space == ns.XML else prefixes[space]}:{name}" if space else name] = value
    written = "".join(f' {name}="{escape_attribute(value)}"' for name, value in attributes.items())
    return f"<{name_of(element)}{written}\n>"


def name_of(element: Element) -> str:
    """The name of an lxml element as it stands in the document."""
    prefix = cast("etree._Element", element).prefix
    return f"{prefix}:{local_name(element)}" if prefix else local_name(element)
