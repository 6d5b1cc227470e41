"""Checking sitemaps against the schemas in ``schemas``: every fault with its line, in a stream.

libxml2 is the judge, but not of a stream: there it knows no lines, keeps all that it has said, and once a child of the
root is wrong it looks at none of those that follow. So a document is cut up, and the children of its root are judged
in documents of their own. That also makes the lines right: beyond 65,535 libxml2 has to guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import as_file, files
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, cast
from xml.parsers import expat

from urlset.formats.vocabulary.decode import normalise_newlines
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, escape_attribute
from urlset.formats.xml.pieces import PORTION, Cutter, Piece, Root

if TYPE_CHECKING:
    from lxml import etree

_RECORDS = {
    f"{{{space}}}{root}": f"{{{space}}}{record}"
    for space in (ns.SITEMAP, ns.SITEMAP_084)
    for root, record in (("urlset", "url"), ("sitemapindex", "sitemap"))
}
"""The roots that have a schema, and the records of each, in Clark notation."""


class SchemaFault(NamedTuple):
    """One thing that the schemas do not allow.

    ``line`` is where the start tag of the element ends, counted from 1; for text between the records it is where that
    text begins. ``value`` is the text that is wrong, if the fault is in a text.
    """

    message: str
    line: int
    value: str | None


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
        yield from _told(complaints, self._root.line)

    def children(self, pieces: list[Piece]) -> Iterator[SchemaFault]:
        """The faults of children of the root, and of what stands between them."""
        complaints = self._inside(pieces)
        if complaints is not None:
            yield from _told(complaints, pieces[0].line if pieces else 0)
            return
        for piece in pieces:
            yield from self._faults(piece)

    def no_record(self) -> Iterator[SchemaFault]:
        """The fault of a root without any record."""
        return _told(_heard(self._head + self._close)[1], self._line)

    def _inside(self, pieces: list[Piece]) -> list[_Complaint] | None:
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
        yield from _told([one for one in complaints if _level(one) != 1], piece.line)
        # That is all that the root can have against it, and libxml2 knows no line of it, or hides it.
        for line, text in _text_between(document):
            yield SchemaFault(f"text stands between the records: {_shown(text)}", piece.line + line - 1, text)

    def _document(self, data: bytes, is_late: bool) -> bytes:
        """A part as a document, in which a record stands before it if one did, and else after it."""
        before, after = (self._right, b"") if is_late else (b"", self._right)
        return b"".join((self._head, before, data, after, self._close))


def _level(complaint: _Complaint) -> int:
    """1 is the root; 0 is not known."""
    return complaint.path.count("/")


def _is_inside(complaint: _Complaint) -> bool:
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


class _Complaint(NamedTuple):
    """What libxml2 says of a node: its words, the line in what it was given, and the place in the tree."""

    message: str
    line: int
    path: str


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


def _heard(document: bytes) -> tuple[Element, list[_Complaint]]:
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
        return cast(Element, root), [_Complaint(one.message, one.line, one.path or "") for one in log]


def _unplaced(document: bytes) -> list[_Complaint]:
    """What libxml2 has against a document, said while it parses, when it knows no places: all is on the first line."""
    from lxml import etree

    parser = etree.XMLParser(encoding="utf-8", resolve_entities=False, schema=_libxml2()[0])
    with suppress(etree.XMLSyntaxError):  # that is the first complaint of the log
        etree.fromstring(document, parser)
    log = cast(Iterable[etree._LogEntry], parser.error_log)
    return [_Complaint(one.message, 1, str(number)) for number, one in enumerate(log)]


# --- its words, and ours

_QUOTED = r"'((?:\{[^}]*\})?[^']*)'"  # a namespace may hold anything
_SUBJECT = re.compile(rf"Element {_QUOTED}(?:, attribute {_QUOTED})?: (?:\[facet '\w+'\] )?")
_ATTRIBUTE = re.compile(rf"The attribute {_QUOTED} is (not allowed|required but missing)\.")
_TEXT = re.compile(r"Character content other than whitespace is not allowed")
_CHOICE = re.compile(r"(##other)\{[^}]*\}\*|(?:\{[^}]*\})?[^\s,]+")
_CLARK = re.compile(r"\{[^{}\s]*\}([^\s'{}]+)")

_BREAKS = str.maketrans("\t\n\r", "   ")
_TYPES = {
    "Amount": "xsd:decimal does",
    "DateOrDateTime": "xsd:date and xsd:dateTime do",
    "LastMod": "xsd:date, xsd:dateTime, xsd:gYear and xsd:gYearMonth do",
    "Loc": "xsd:anyURI does",
    "Priority": "xsd:decimal does",
    "Rating": "xsd:decimal does",
    "Seconds": "xsd:nonNegativeInteger does",
}
"""What the types of our schemas are made of."""

_PREFIXES = {ns.IMAGE: "image:", ns.NEWS: "news:", ns.VIDEO: "video:"}

_Told = tuple[str, str | None]
"""What comes after the name of the element, and the wrong value."""


def _told(complaints: list[_Complaint], line: int) -> Iterator[SchemaFault]:
    """Complaints as faults, of what begins on a line; libxml2 says more than once what is wrong with a value."""
    told: set[tuple[str, str]] = set()
    for complaint in complaints:
        subject, rest = _subject(complaint.message)
        if (complaint.path, subject) not in told:
            told.add((complaint.path, subject))
            words, value = _phrase(rest)
            yield SchemaFault(f"{subject} {words}", line + complaint.line - 1, value)


def _subject(message: str) -> tuple[str, str]:
    """What a message is about, and the rest of it."""
    match = _SUBJECT.match(message)
    if match is None:
        return "libxml2:", message
    rest = message[match.end() :]
    about = _ATTRIBUTE.match(rest)
    attribute = about[1] if about else match[2]
    subject = f"<{_name(match[1])}>"
    return (f"{_name(attribute)} of {subject}" if attribute else subject), rest


def _name(clark: str) -> str:
    """A name as it is customary to write it."""
    space, local = ns.split(clark)
    return _PREFIXES.get(space, "") + local


def _shown(value: str) -> str:
    """A value in one line, and not too long."""
    line = value[:100].translate(_BREAKS)
    return f"'{line[:99]}…'" if len(value) > 100 else f"'{line}'"


def _phrase(rest: str) -> _Told:
    for pattern, tell in _PHRASES:
        if match := pattern.fullmatch(rest):
            return tell(match)
    words = _CLARK.sub(r"\1", rest)
    return f"is wrong: {words}", None


def _of_type(match: re.Match[str]) -> _Told:
    kind = ns.split(match[2] or "").local
    types = _TYPES.get(kind) or (f"{kind.replace('xs:', 'xsd:')} does" if kind else "its type does")
    return f"is {_shown(match[1])}, which {types} not allow", match[1]


def _of_length(match: re.Match[str]) -> _Told:
    return f"has a length of {match[1]}, and the {match[2]} is {match[3]}", None


def _of_range(match: re.Match[str]) -> _Told:
    return f"is {_shown(match[1])}, and the {match[2]} is {match[3]}", match[1]


def _of_set(match: re.Match[str]) -> _Told:
    return f"is {_shown(match[1])}, which is none of {match[2]}", match[1]


def _of_pattern(match: re.Match[str]) -> _Told:
    return f"is {_shown(match[1])}, which is not of the form {match[2]}", match[1]


def _of_place(match: re.Match[str]) -> _Told:
    return f"may not stand here; {_expected(match[1])}", None


def _of_end(match: re.Match[str]) -> _Told:
    return f"ends too early; {_expected(match[1])}", None


def _of_text(_match: re.Match[str]) -> _Told:
    return "holds text between its elements", None


def _of_attribute(match: re.Match[str]) -> _Told:
    return f"is {match[2]}", None


def _expected(choice: str | None) -> str:
    """What libxml2 would have liked better."""
    found = [
        "an element of another namespace" if one[1] else f"<{_name(one[0])}>" for one in _CHOICE.finditer(choice or "")
    ]
    *others, last = sorted(found, key=lambda one: not one.startswith("<")) or ["its end"]
    return f"expected is {', '.join(others)}{' or ' if others else ''}{last}"


_PHRASES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Told]], ...] = tuple(
    (re.compile(pattern, re.DOTALL), tell)
    for pattern, tell in (
        (r"'(.*)' is not a valid value of the (?:local )?(?:union|atomic) type(?: '([^']*)')?\.", _of_type),
        (r"The value has a length of '(\d+)'; this .* allowed (minimum|maximum) length of '(\d+)'\.", _of_length),
        (r"The value '(.*)' is \w+ than the (minimum|maximum) value allowed \('([^']*)'\)\.", _of_range),
        (r"The value '(.*)' is not an element of the set \{([^}]*)\}\.", _of_set),
        (r"The value '(.*)' is not accepted by the pattern '([^']*)'\.", _of_pattern),
        (r"This element is not expected\.(?: Expected is (?:one of )?\( (.*) \)\.)?", _of_place),
        (r"Missing child element\(s\)\.(?: Expected is (?:one of )?\( (.*) \)\.)?", _of_end),
        (_TEXT.pattern + ".*", _of_text),
        (_ATTRIBUTE.pattern, _of_attribute),
    )
)
