"""A document cut into the start tag of its root and the children of the root, as they are written, in a stream.

expat does it: it knows the byte and the line of every tag. It is told to expand nothing, and it fetches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple
from xml.parsers import expat

PORTION = 1 << 14
"""Bytes that make it worth the while to hand out pieces."""


class Root(NamedTuple):
    """The root's name in Clark notation, the bytes of its start tag, and the line on which that begins."""

    name: str
    tag: bytes
    line: int


class Piece(NamedTuple):
    """A child of the root with what follows it, up to the next one; the first piece is what precedes them all.

    ``line`` is where it begins. ``is_late``: a record began before it.
    """

    data: bytes
    line: int
    is_late: bool


class _Cut(NamedTuple):
    """Where a piece begins."""

    place: int
    line: int
    is_late: bool


_START_TAG = re.compile(rb"""<[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*>""")


class Cutter:
    """Takes the start tag of the root and its children out of a document, as they are.

    ``has_ended``: nothing more is to come, be it that the root has ended (``is_whole``) or that the document is not
    well-formed. ``has_record``: a record of the root's kind has begun; which kind that is, ``records`` says by root,
    in Clark notation.
    """

    def __init__(self, records: Mapping[str, str]) -> None:
        self._records = records
        self.root: Root | None = None
        self.has_record = self.is_whole = self.has_ended = False
        self._record = ""
        self._depth = 0
        self._closed = 0  # the place that expat gives for the end of the last child
        self._cuts: list[_Cut] = []  # those of the pieces that were not handed out, and where the last of them ends
        self._waiting = bytearray()
        self._passed = 0  # bytes before the waiting ones
        self._parser = expat.ParserCreate("utf-8", "}")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, portion: bytes) -> None:
        """Take the next bytes; none are the end."""
        self._waiting += portion
        try:
            self._parser.Parse(portion, not portion)
        except expat.ExpatError:
            self._break()
        self.has_ended = self.has_ended or self.is_whole or not portion

    def pieces(self) -> list[Piece]:
        """The pieces that are finished; before the end of the document, none until they are worth the while."""
        cuts = self._cuts
        if not self.has_ended and (not cuts or cuts[-1].place - self._passed < PORTION):
            return []
        found = [
            Piece(bytes(self._waiting[cut.place - self._passed : after.place - self._passed]), cut.line, cut.is_late)
            for cut, after in pairwise(cuts)
        ]
        self._cuts = cuts[-1:]
        del self._waiting[: cuts[-1].place - self._passed]
        self._passed = cuts[-1].place
        return found

    def _start(self, name: str, _attributes: object) -> None:
        self._depth += 1
        if self._depth == 2:
            self._cut(self._parser.CurrentByteIndex, self._parser.CurrentLineNumber)
            self.has_record = self.has_record or name == self._record
        elif self._depth == 1:
            self._begin(f"{{{name}" if "}" in name else name)

    def _begin(self, name: str) -> None:
        start, line = self._parser.CurrentByteIndex, self._parser.CurrentLineNumber
        tag = self._tag_at(start)
        self.root = Root(name, tag, line)
        self._record = self._records.get(name, "")[1:]  # as expat will give it
        self._cut(start + len(tag), line + tag.count(b"\n"))

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if self._depth == 1:
            self._closed = self._parser.CurrentByteIndex
        elif self._depth == 0:
            self.is_whole = True
            self._cut(self._parser.CurrentByteIndex, self._parser.CurrentLineNumber)

    def _break(self) -> None:
        """The document is not well-formed from here on. The last child may be finished."""
        self.has_ended = True
        if self._depth == 1 and self._closed:
            tag = self._tag_at(self._cuts[-1].place)
            is_empty = tag.endswith(b"/>") and self._cuts[-1].place + len(tag) == self._closed
            after = self._waiting.find(b">", self._closed - self._passed) + 1 + self._passed
            self._cut(self._closed if is_empty else after, 0)

    def _cut(self, place: int, line: int) -> None:
        self._cuts.append(_Cut(place, line, self.has_record))

    def _tag_at(self, place: int) -> bytes:
        match = _START_TAG.match(self._waiting, place - self._passed)
        return bytes(match[0]) if match else b""

    def _doctype(self, _name: str, _system: str | None, _public: str | None, has_subset: bool) -> None:
        if has_subset:  # expat expands no entity that it can hand on as it is
            self._parser.DefaultHandler = _pass_over


def _pass_over(_markup: str) -> None:
    return
