"""Tokens of damaged XML: start and end tags, text, with their places, and what is wrong with them.

The scanner decides where a tag or a text begins and ends, never what belongs into what. Every decision is local, so
that one fault costs one token. Line ends are folded to LF before (XML 1.0 2.11), which keeps physical lines.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from urlset.formats.xml.references import ILLEGAL, decode


class Fault(NamedTuple):
    """One violation of XML; ``cause`` is set where one cause makes many (it is then reported once and counted)."""

    rule: str
    message: str
    line: int
    column: int | None = None
    value: str | None = None
    cause: str | None = None


class Start(NamedTuple):
    """A start tag; ``closed`` for an empty-element tag."""

    name: str
    attributes: dict[str, str]
    closed: bool
    line: int
    column: int


class End(NamedTuple):
    """An end tag."""

    name: str
    line: int
    column: int


class Text(NamedTuple):
    """A piece of text, references resolved; ``doubt`` says why it is not to be trusted."""

    text: str
    line: int
    column: int
    doubt: str | None = None


Token = Start | End | Text

_NAME = r"""[^\s<>/=&'"!?“”„‟″;,(){}|]+"""
# Possessive repeats of single characters keep the matching linear; those of groups are broken before Python 3.11.5.
_TAG = re.compile(rf"""<({_NAME})((?:\s++[^\s<>/='"]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*)\s*+(/?)>|</({_NAME})\s*+>""")
_SOUP = re.compile(rf"<(/?)({_NAME})([^<>]*+)(>?)")
_ATTRIBUTE = re.compile(
    r"""([^\s<>/='"“”„‟″]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|[“”„‟″"]([^“”‟″"]*+)[“”‟″"]|([^\s"'<>]++)))?"""
)
_TYPOGRAPHIC = re.compile("[“”„‟″]")
_ENTITY = re.compile(r"<!ENTITY\s+(?:%\s+)?([^\s>]+)")
_SUBSET_END = re.compile(r"\]\s*>")

LOOK_AHEAD = 1 << 20
"""Characters within which a CDATA section, an instruction or a DOCTYPE must end, else it counts as unclosed."""
_TAG_MAX = 1 << 16


class Scanner:
    """Cuts chunks of text into tokens.

    ``known`` are the element names of the format: a ``<`` before another word in a text is taken for a character.
    ``records`` are the names of its records: a CDATA section does not run over their end tags. ``faults`` collects what
    is wrong; whoever reads the tokens empties it.
    """

    def __init__(self, chunks: Iterable[str], known: Container[str], records: Iterable[str]) -> None:
        self._chunks = iter(chunks)
        self._known = known
        self._record_end = re.compile(rf"</(?:{'|'.join(map(re.escape, records))})\s*>")
        self._buffer = ""
        self._position = 0
        self._line = 1
        self._line_start = 0  # where the current line begins, relative to the buffer; may be negative
        self._held_cr = False
        self._ended = False
        self.entities: set[str] = set()
        self.faults: list[Fault] = []

    @property
    def line(self) -> int:
        """The physical line where the scanner stands."""
        return self._line

    def tokens(self) -> Iterator[Token]:
        """All tokens in document order."""
        self._fill()
        self._check_start()
        while True:
            if self._position >= len(self._buffer) and not self._fill():
                return
            if self._buffer[self._position] != "<":
                yield self._text()
            elif (token := self._markup()) is not None:
                yield token

    # --- the buffer

    def _fill(self) -> bool:
        """Get one more chunk; False at the end of the input."""
        chunk = next(self._chunks, None)
        if chunk is None:
            self._ended = True
            chunk = "\r" if self._held_cr else ""
        if self._held_cr:
            chunk = "\r" + chunk if not self._ended else chunk
        self._held_cr = not self._ended and chunk.endswith("\r")
        chunk = chunk[:-1] if self._held_cr else chunk
        if "\r" in chunk:
            chunk = chunk.replace("\r\n", "\n").replace("\r", "\n")
        self._line_start -= self._position
        self._buffer = self._buffer[self._position :] + chunk
        self._position = 0
        return not self._ended or bool(chunk)

    def _available(self) -> int:
        return len(self._buffer) - self._position

    def _find(self, what: re.Pattern[str] | str, within: int) -> int:
        """Where ``what`` ends after the position, reading on as needed; -1 if not within so many characters."""
        start = 0
        while True:
            offset = self._position + start
            if isinstance(what, str):
                found = self._buffer.find(what, offset)
                end = found + len(what) if found >= 0 else -1
            else:
                match = what.search(self._buffer, offset)
                end = match.end() if match else -1
            if end >= 0:
                return end
            # The rest of a delimiter may stand in the next chunk.
            start = max(start, self._available() - 256)
            if self._ended or self._available() >= within:
                return -1
            self._fill()

    def _advance(self, end: int) -> None:
        newlines = self._buffer.count("\n", self._position, end)
        if newlines:
            self._line += newlines
            self._line_start = self._buffer.rfind("\n", self._position, end) + 1
        self._position = end

    def _column(self) -> int:
        return self._position - self._line_start + 1

    def _fault(
        self, rule: str, message: str, *, offset: int = 0, value: str | None = None, cause: str | None = None
    ) -> None:
        """Note a fault ``offset`` characters after the position."""
        place = self._position + offset
        line = self._line + self._buffer.count("\n", self._position, place)
        start = self._buffer.rfind("\n", self._position, place) + 1 or self._line_start
        self.faults.append(Fault(rule, message, line, place - start + 1, value, cause))

    # --- the tokens

    def _check_start(self) -> None:
        """What precedes the XML declaration is against XML 1.0 2.8."""
        place = self._buffer.find("<?xml", 0, 4096)
        before = self._buffer[: max(place, 0)]
        if before and not before.strip("\ufeff \t\n"):
            self._fault("leading-whitespace", "white space precedes the XML declaration")

    def _text(self) -> Text:
        end = self._buffer.find("<", self._position)
        if end < 0 and not self._ended:
            # A reference may go on in the next chunk, so the text is cut before a late ampersand.
            ampersand = self._buffer.rfind("&", max(self._position, len(self._buffer) - 80))
            end = ampersand if ampersand > self._position else -1
            if ampersand == self._position:
                self._fill()
                return self._text()
        return self._take_text(end if end >= 0 else len(self._buffer))

    def _take_text(self, end: int, *, raw: bool = False) -> Text:
        """The text up to ``end``; a raw one holds no references."""
        source = self._buffer[self._position : end]
        self._check_characters(source)
        line, column = self._line, self._column()
        if raw or "&" not in source:
            text, doubt = source, None
        else:
            text, flaws, doubt = decode(source, self.entities)
            for flaw in flaws:
                self._fault(flaw.rule, flaw.message, offset=flaw.offset, value=flaw.value)
        self._advance(end)
        return Text(text, line, column, doubt)

    def _check_characters(self, source: str) -> None:
        for match in ILLEGAL.finditer(source):
            code = f"U+{ord(match[0]):04X}"
            self._fault(
                "illegal-xml-character",
                f"{code} is no XML character",
                offset=match.start(),
                value=code,
                cause=code,
            )

    def _markup(self) -> Token | None:
        if self._available() < _TAG_MAX and not self._ended and self._buffer.find(">", self._position) < 0:
            self._fill()
        match = _TAG.match(self._buffer, self._position)
        if match is None:
            return self._odd_markup()
        line, column = self._line, self._column()
        name, attributes, closed, end_name = match.groups()
        if end_name:
            self._advance(match.end())
            return End(end_name, line, column)
        parsed = self._attributes(attributes) if attributes else {}
        self._advance(match.end())
        return Start(name, parsed, bool(closed), line, column)

    def _odd_markup(self) -> Token | None:
        while self._available() < 9 and not self._ended:
            self._fill()
        opening = self._buffer[self._position : self._position + 9]
        if opening == "<![CDATA[":
            return self._cdata()
        if opening.startswith("<!--"):
            self._comment()
            return None
        if opening.upper() == "<!DOCTYPE":
            self._doctype()
            return None
        if opening.startswith("<?"):
            self._instruction()
            return None
        if opening.startswith("<!"):
            return self._declaration()
        return self._soup()

    def _comment(self) -> None:
        line = self._line
        self._advance(self._position + 4)
        while (end := self._buffer.find("-->", self._position)) < 0:
            # What a comment hides is not kept, only its end may be split between two chunks.
            self._advance(max(self._position, len(self._buffer) - 2))
            if not self._fill():
                self.faults.append(Fault("unexpected-end", "a comment is never closed", line))
                self._advance(len(self._buffer))
                return
        self._advance(end + 3)

    def _cdata(self) -> Text:
        end = self._find("]]>", LOOK_AHEAD)
        start = self._position + 9
        record_end = self._record_end.search(self._buffer, start, max(end, start))
        if end >= 0 and record_end is None:
            self._advance(start)
            text = self._take_text(end - 3, raw=True)
            self._advance(end)
            return text
        # An unclosed section ends at the next end tag: it was meant to hold one value.
        self._fault("xml-not-well-formed", "a CDATA section is never closed", value="<![CDATA[")
        self._advance(start)
        stop = self._buffer.find("</", self._position)
        return self._take_text(stop if stop >= 0 else len(self._buffer), raw=True)

    def _instruction(self) -> None:
        end = self._find("?>", LOOK_AHEAD)
        bracket = self._buffer.find(">", self._position)
        lost = self._buffer.find("<", self._position + 2, end if end >= 0 else len(self._buffer))
        if end < 0 or (0 <= bracket < end - 1 and lost >= 0):
            self._fault("xml-not-well-formed", "a processing instruction is not closed with ?>")
            end = bracket + 1 if bracket >= 0 else len(self._buffer)
        body = self._buffer[self._position : end]
        if body.lower().startswith("<?xml") and body[5:6].isspace():
            self._check_declaration(body)
        self._advance(end)

    def _check_declaration(self, body: str) -> None:
        before = self._position or self._line > 1
        if before and not any(f.rule == "leading-whitespace" for f in self.faults):
            self._fault("xml-not-well-formed", "the XML declaration must stand at the very start")
        if match := _TYPOGRAPHIC.search(body):
            self._typographic(match)

    def _typographic(self, match: re.Match[str]) -> None:
        message = "typographic quotes stand where XML needs straight ones"
        self._fault("xml-not-well-formed", message, offset=match.start(), value=match[0], cause="typographic quotes")

    def _doctype(self) -> None:
        end = self._find(">", LOOK_AHEAD)
        subset = self._buffer.find("[", self._position, end if end >= 0 else len(self._buffer))
        if subset >= 0:
            end = self._find(_SUBSET_END, LOOK_AHEAD)
            self._declared_entities(end if end >= 0 else len(self._buffer))
        if end < 0:
            self._fault("xml-not-well-formed", "the DOCTYPE is not closed")
            end = len(self._buffer)
        self._advance(end)

    def _declared_entities(self, end: int) -> None:
        found = list(_ENTITY.finditer(self._buffer, self._position, end))
        self.entities.update(match[1] for match in found)
        if found:
            message = "the document declares entities; they are not expanded"
            self._fault("entity-declaration", message, offset=found[0].start() - self._position, value=found[0][1])

    def _declaration(self) -> Text | None:
        """``<!`` followed by something else: a stray declaration, or just two characters."""
        end = self._find(">", _TAG_MAX)
        word = self._buffer[self._position + 2 : self._position + 3]
        self._fault("xml-not-well-formed", "a declaration stands where none may", value=self._shown())
        if end < 0 or not (word.isalpha() or word == "["):
            return self._literal()
        self._advance(end)
        return None

    def _literal(self) -> Text:
        text = Text("<", self._line, self._column())
        self._advance(self._position + 1)
        return text

    def _shown(self) -> str:
        return self._buffer[self._position : self._position + 40].split("\n", 1)[0]

    def _soup(self) -> Token:
        match = _SOUP.match(self._buffer, self._position)
        if match and not match[4] and not self._ended and self._available() < _TAG_MAX:
            self._fill()
            return self._markup() or Text("", self._line, self._column())
        if match is None or not self._is_tag(match):
            self._fault(
                "xml-not-well-formed",
                "a raw < stands for itself; it must be written &lt;",
                value=self._shown(),
            )
            return self._literal()
        return self._soup_tag(match)

    def _is_tag(self, match: re.Match[str]) -> bool:
        """Whether what looks like a tag is one: it is closed, or its name is one of the format's."""
        slash, name, _, bracket = match.groups()
        known = name.rpartition(":")[2].lower() in self._known
        return known or (bool(bracket) and (bool(slash) or name[0].isalpha() or name[0] == "_"))

    def _soup_tag(self, match: re.Match[str]) -> Token:
        slash, name, rest, bracket = match.groups()
        line, column = self._line, self._column()
        if quote := _TYPOGRAPHIC.search(match[0]):
            self._typographic(quote)
        else:
            what = "is not closed with >" if not bracket else "has malformed attributes"
            self._fault("xml-not-well-formed", f"the tag {name} {what}", value=self._shown())
        attributes = self._attributes(rest.rstrip("/")) if not slash else {}
        # An unclosed tag keeps no attributes: where the tag stops and the text begins can't be known.
        self._advance(match.end())
        if slash:
            return End(name, line, column)
        return Start(name, attributes, rest.endswith("/"), line, column)

    def _attributes(self, raw: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(raw):
            name, *values = match.groups()
            value = next((one for one in values if one is not None), "")
            if name in found:
                self._fault("xml-not-well-formed", f"the attribute {name} occurs twice", value=name)
                continue
            found[name] = self._attribute_value(value)
        return found

    def _attribute_value(self, raw: str) -> str:
        self._check_characters(raw)
        text, flaws, doubt = decode(raw, self.entities)
        for flaw in flaws:
            self._fault(flaw.rule, flaw.message, value=flaw.value)
        # White space in attribute values is folded to blanks, XML 1.0 3.3.3.
        return "" if doubt else text.replace("\n", " ").replace("\t", " ")
