"""Checking sitemaps against the schemas in ``schemas``: every fault with its line, in a stream.

libxml2 is the judge, but not of a stream: there it knows no lines, keeps all that it has said, and once a child of the
root is wrong it looks at none of those that follow. So a document is cut up, and the children of its root are judged
in documents of their own. That also makes the lines right: beyond 65,535 libxml2 has to guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import as_file, files
from threading import Lock
from typing import TYPE_CHECKING, cast
from xml.parsers import expat

from urlset.formats.vocabulary.decode import normalise_newlines
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, escape_attribute
from urlset.formats.xml.pieces import PORTION, Cutter, Piece, Root
from urlset.formats.xml.schema_words import Complaint, SchemaFault, shown, told

if TYPE_CHECKING:
    from lxml import etree

_RECORDS = {
    f"{{{space}}}{root}": f"{{{space}}}{record}"
    for space in (ns.SITEMAP, ns.SITEMAP_084)
    for root, record in (("urlset", "url"), ("sitemapindex", "sitemap"))
}
"""The roots that have a schema, and the records of each, in Clark notation."""


LONGEST_TAG = 1 << 14
"""Bytes of the root's start tag, which is read again with every part that is judged."""


def faults(chunks: Iterable[bytes]) -> Iterator[SchemaFault]:
    """What the schemas do not allow in a UTF-8 document, one fault for a wrong element or attribute.

    They come in the order of the document; that it has no records is said last. Ends without a word where the document
    is not well-formed. A child that may not stand where it stands hides its later siblings, but for the children of
    the root, which are judged one by one.

    Memory is that of the largest child of the root. In one of over 65,535 lines, libxml2's guess of the line has to do.
    In one of over 262,144 bytes and 1,000 faults, all of them have the line on which it begins.
    """
    cutter = Cutter(_RECORDS)
    judge: _Judge | None = None
    for portion in _portions(chunks):
        cutter.feed(portion)
        if judge is None and cutter.root is not None:
            if len(cutter.root.tag) > LONGEST_TAG:
                yield SchemaFault(f"the root's start tag has over {LONGEST_TAG:,} bytes", cutter.root.line, None)
                return
            judge = _Judge(cutter.root)
            yield from judge.root()
        if judge is not None:
            if not judge.is_able:
                return
            yield from judge.children(cutter.pieces())
            if cutter.is_whole and not cutter.has_record:
                yield from judge.no_record()
        if cutter.has_ended:
            return


def _portions(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in pieces of a bounded size, and an empty one at the end."""
    for chunk in normalise_newlines(chunks):
        for start in range(0, len(chunk), PORTION):
            yield chunk[start : start + PORTION]
    yield b""


# --- judging


class _Judge:
    """Judges the parts of one document; it is not able to if it has no schema for the root, or can't read its tag."""

    def __init__(self, root: Root) -> None:
        self.is_able = root.name in _RECORDS
        self._root = root
        self._line = root.line + root.tag.count(b"\n")
        self._name = _raw_name(root.tag)
        self._head = b""
        self._close = f"</{self._name}>".encode()
        space, record = ns.split(_RECORDS.get(root.name, ""))
        # A right record, so that the rest of a part can be judged as if the document were there.
        self._right = f'<{record} xmlns="{space}"><loc>http://www.example.com/</loc></{record}>'.encode()

    def root(self) -> Iterator[SchemaFault]:
        """The faults of the root itself: its name and its attributes."""
        if not self.is_able:
            space, local = ns.split(self._root.name)
            where = f"the namespace {space}" if space else "no namespace"
            yield SchemaFault(f"no schema has a root <{local}> in {where}", self._line, space or None)
            return
        start = self._root.tag.removesuffix(b"/>").removesuffix(b">") + b">"
        try:
            root, complaints = _heard(start + self._right + self._close)
        except _NotTakenError as error:
            self.is_able = False
            yield SchemaFault(f"the root's tag can't be judged: {error}", self._line, None)
            return
        # The parts get a root without attributes, so that its faults are not those of every part.
        self._head = f"<{self._name}{_declarations(root)}>".encode()
        yield from told(complaints, self._root.line)

    def children(self, pieces: list[Piece]) -> Iterator[SchemaFault]:
        """The faults of children of the root, and of what stands between them."""
        complaints = self._inside(pieces)
        if complaints is not None:
            yield from told(complaints, pieces[0].line if pieces else 0)
            return
        for piece in pieces:
            yield from self._faults(piece)

    def no_record(self) -> Iterator[SchemaFault]:
        """The fault of a root without any record."""
        return told(_heard(self._head + self._close)[1], self._line)

    def _inside(self, pieces: list[Piece]) -> list[Complaint] | None:
        """What is wrong inside the children, if nothing else is, so that libxml2 saw all; else None."""
        data = b"".join(piece.data for piece in pieces)
        if not data or data.count(b"\n") > _LINES:
            return None
        try:
            complaints = _heard(self._document(data, pieces[0].is_late))[1]
        except _NotTakenError:
            return None
        return complaints if all(map(_is_inside, complaints)) else None

    def _faults(self, piece: Piece) -> Iterator[SchemaFault]:
        document = self._document(piece.data, piece.is_late)
        try:
            complaints = _heard(document)[1]
        except _NotTakenError as error:
            yield SchemaFault(f"<{_raw_name(piece.data) or self._name}> can't be judged: {error}", piece.line, None)
            return
        yield from told([one for one in complaints if _level(one) != 1], piece.line)
        # That is all that the root can have against it, and libxml2 knows no line of it, or hides it.
        for line, text in _text_between(document):
            yield SchemaFault(f"text stands between the records: {shown(text)}", piece.line + line - 1, text)

    def _document(self, data: bytes, is_late: bool) -> bytes:
        """A part as a document, in which a record stands before it if one did, and else after it."""
        before, after = (self._right, b"") if is_late else (b"", self._right)
        return b"".join((self._head, before, data, after, self._close))


def _level(complaint: Complaint) -> int:
    """1 is the root; 0 is not known."""
    return complaint.path.count("/")


def _is_inside(complaint: Complaint) -> bool:
    level = _level(complaint)
    return level > 2 or (level == 2 and "element is not expected" not in complaint.message)


def _raw_name(tag: bytes) -> str:
    match = re.match(rb"<([^\s/>]+)", tag)
    return match[1].decode() if match else ""


def _declarations(element: Element) -> str:
    return "".join(
        f' xmlns{":" if prefix else ""}{prefix or ""}="{escape_attribute(space)}"'
        for prefix, space in element.nsmap.items()
    )


def _text_between(document: bytes) -> list[tuple[int, str]]:
    """The first text in the root of a document that is not blank, and before it its line; nothing if there is none."""
    depth = 0
    found: list[tuple[int, str]] = []
    parser = expat.ParserCreate("utf-8")

    def start(_name: str, _attributes: object) -> None:
        nonlocal depth
        depth += 1

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def text(data: str) -> None:
        if depth == 1 and data.strip(" \t\r\n"):
            found.append((parser.CurrentLineNumber, data.strip(" \t\r\n")))

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.Parse(document, True)
    return found[:1]


# --- libxml2


class _NotTakenError(Exception):
    """libxml2 does not take what is well-formed: an entity, too many levels, an endless text."""


_LOCK = Lock()
"""A schema keeps what it said last; nobody may ask it in between."""

_LINES = 65_000
"""Up to here libxml2 knows lines."""

_HUGE = 1 << 18
_PLACED = 1_000
"""In a part of more bytes than _HUGE no more complaints than these are looked up: to say where a node stands takes
lxml time that grows with the number of its siblings."""


@cache
def _libxml2() -> tuple[etree.XMLSchema, etree.XMLParser]:
    from lxml import etree

    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False)
    with as_file(files("urlset.formats.xml") / "schemas") as folder:
        return etree.XMLSchema(etree.parse(str(folder / "all.xsd"), parser)), parser


def _heard(document: bytes) -> tuple[Element, list[Complaint]]:
    """A document's root, and what libxml2 has against it. Raises _NotTakenError."""
    from lxml import etree

    schema, parser = _libxml2()
    try:
        root = etree.fromstring(document, parser)
    except etree.XMLSyntaxError as error:
        raise _NotTakenError((error.msg or "").split(", line ")[0]) from error
    if len(document) > _HUGE and len(complaints := _unplaced(document)) > _PLACED:
        return cast(Element, root), complaints
    with _LOCK:
        log = [] if schema.validate(root) else cast(Iterable[etree._LogEntry], schema.error_log)
        return cast(Element, root), [Complaint(one.message, one.line, one.path or "") for one in log]


def _unplaced(document: bytes) -> list[Complaint]:
    """What libxml2 has against a document, said while it parses, when it knows no places: all is on the first line."""
    from lxml import etree

    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, schema=_libxml2()[0])
    with suppress(etree.XMLSyntaxError):  # that is the first complaint of the log
        etree.fromstring(document, parser)
    log = cast(Iterable[etree._LogEntry], parser.error_log)
    return [Complaint(one.message, 1, str(number)) for number, one in enumerate(log)]
