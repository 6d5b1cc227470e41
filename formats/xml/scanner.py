"""Tokens of damaged XML: start and end tags, text, with their places, and what is wrong with them.

The scanner decides where a tag or a text begins and ends, never what belongs into what. Every decision is local, so
that one fault costs one token.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from urlset.formats.xml.attributes import TYPOGRAPHIC, attributes
from urlset.formats.xml.buffer import Buffer
from urlset.formats.xml.faults import Fault, Faults
from urlset.formats.xml.references import ODD, Flaw, decode, illegal_characters


class Start(NamedTuple):
    """A start tag; ``closed`` for an empty-element tag, ``last_line`` is that of its end."""

    name: str
    attributes: dict[str, str]
    closed: bool
    line: int
    column: int
    last_line: int


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
# No tag runs over a "<", so that what is unclosed ends there.
_TAG = re.compile(
    rf"""<({_NAME})((?:\s++[^\s<>/='"{TYPOGRAPHIC}]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*)\s*+(/?)>|</({_NAME})\s*+>"""
)
_SOUP = re.compile(rf"<(/?)({_NAME})([^<>]*+)(>?)")
# The slash of an empty element; one behind an unquoted value is the value's own, as in HTML.
_SLASH = re.compile(rf"""(?:(?<=[\s"'{TYPOGRAPHIC}])|\A)/\Z""")
# An apostrophe may be one; what stands where a value begins is a quote.
_TYPOGRAPHIC = re.compile(f"[“”„‟″]|(?<==)[{TYPOGRAPHIC}]")
_ENTITY = re.compile(r"<!ENTITY\s+(?:%\s+)?([^\s>]+)")
_SUBSET_END = re.compile(r"\]\s*>")
_DECLARATION = re.compile(r"<\?xml\s", re.IGNORECASE)
_RUN = re.compile("<+")
_LOST_INSTRUCTION = re.compile(r"<\?[^<>]*+(?:>|(?=<))")

LOOK_AHEAD = 1 << 22
"""Characters within which a tag, a CDATA section, an instruction or a DOCTYPE must end, else it counts as unclosed."""
_CDATA = "<![CDATA["
_REFERENCE_MAX = 80
_RULE = "xml-not-well-formed"


class Scanner(Buffer):
    """Cuts chunks of text into tokens.

    ``known`` are the element names of the format: a ``<`` before another word in a text is taken for a character.
    ``records`` are the names of its records: a CDATA section does not run over their end tags. ``faults`` collects what
    is wrong; whoever reads the tokens takes it.
    """

    def __init__(self, chunks: Iterable[str], known: Collection[str], records: Iterable[str]) -> None:
        super().__init__(chunks)
        self._known = known
        names = "|".join(map(re.escape, known))
        self._stray = re.compile(
            rf"<(?!\?|!--|!\[CDATA\[|!DOCTYPE|/?(?:[^\s<>/:]*:)?(?:{names})(?![\w.-]))[^<>]*+(?=<)", re.IGNORECASE
        )
        self._record_end = re.compile(rf"</(?:{'|'.join(map(re.escape, records))})\s*>")
        self.entities: set[str] = set()
        self.faults = Faults()

    def tokens(self) -> Iterator[Token]:
        """All tokens in document order."""
        self._check_start()
        while self._position < len(self._buffer) or self._fill():
            if self._position >= len(self._buffer):
                continue  # the chunk was no more than half a line end
            if self._buffer[self._position] != "<":
                yield self._text()
            elif (token := self._markup()) is not None:
                yield token

    # --- faults

    def _fault(self, message: str, *, value: str | None = None, cause: str | None = None) -> None:
        """Note that the document is not well-formed at the position."""
        self.faults.add(Fault(_RULE, message, self._line, self._column(), value, cause))

    def _row(self, what: re.Pattern[str], end: int) -> int:
        """Where a row of the same faults ends that nobody will list: once there are too many, they are counted."""
        if self.faults.flooded(_RULE):
            times = 0
            while match := what.match(self._buffer, end):
                end, times = match.end(), times + 1
            if times:
                self.faults.add(Fault(_RULE, "faults in a row", self._line, self._column(), times=times))
        return end

    def _note(self, flaws: Iterable[Flaw]) -> None:
        """Note flaws, in the order of their offsets from the position."""
        place, line, start = self._position, self._line, self._line_start
        for offset, rule, message, value, cause, times in flaws:
            at = self._position + offset
            if newlines := self._buffer.count("\n", place, at):
                line += newlines
                start = self._buffer.rfind("\n", place, at) + 1
            place = at
            self.faults.add(Fault(rule, message, line, at - start + 1, value, cause, times))

    def _shown(self) -> str:
        return self._buffer[self._position : self._position + 40].split("\n", 1)[0]

    def _check_start(self) -> None:
        """What precedes the XML declaration is against XML 1.0 2.8."""
        while self._available() < 4096 and not self._ended:
            self._fill()
        place = self._buffer.find("<?xml", 0, 4096)
        before = self._buffer[: max(place, 0)]
        if before and not before.strip("\ufeff \t\n"):
            message = "white space precedes the XML declaration"
            self.faults.add(Fault("leading-whitespace", message, self._line, self._column()))

    # --- text

    def _text(self, skip: int = 0) -> Text:
        """The text up to the next markup; ``skip`` characters are text whatever they are."""
        while True:
            end = self._buffer.find("<", self._position + skip)
            if end >= 0 or self._ended:
                return self._take_text(end if end >= 0 else len(self._buffer))
            # A reference may go on in the next chunk, so the text is cut before a late ampersand.
            ampersand = self._buffer.rfind("&", max(self._position, len(self._buffer) - _REFERENCE_MAX))
            if ampersand != self._position:
                return self._take_text(ampersand if ampersand >= 0 else len(self._buffer))
            self._fill()

    def _take_text(self, end: int, *, raw: bool = False) -> Text:
        """The text up to ``end``; a raw one holds no references."""
        text, doubt = self._buffer[self._position : end], None
        if ODD.search(text):
            text, flaws, doubt = self._decoded(text, raw=raw)
            self._note(flaws)
        token = Text(text, self._line, self._position - self._line_start + 1, doubt)
        self._advance(end)
        return token

    def _decoded(self, source: str, *, raw: bool = False) -> tuple[str, list[Flaw], str | None]:
        illegal = illegal_characters(source)
        if raw or "&" not in source:
            return source, illegal, None
        text, flaws, doubt = decode(source, self.entities)
        return text, sorted([*illegal, *flaws]) if illegal else flaws, doubt

    def _literal(self) -> Text:
        """A ``<`` that is a character, or several in a row, with the text that follows."""
        run = _RUN.match(self._buffer, self._position)
        end = self._row(self._stray, run.end() - 1 if run else self._position)
        return self._text(skip=max(end - self._position, 1))

    # --- markup

    def _markup(self) -> Token | None:
        match = _TAG.match(self._buffer, self._position)
        return self._tag(match) if match is not None else self._odd_markup()

    def _tag(self, match: re.Match[str]) -> Token:
        line, column = self._line, self._column()
        name, raw, closed, end_name = match.groups()
        parsed = self._attributes(raw, match.start(2), proper=True) if raw else {}
        self._advance(match.end())
        if end_name:
            return End(end_name, line, column)
        return Start(name, parsed, bool(closed), line, column, self._line)

    def _odd_markup(self) -> Token | None:
        while self._available() < len(_CDATA) and not self._ended:
            self._fill()
        opening = self._buffer[self._position : self._position + len(_CDATA)]
        if opening == _CDATA:
            return self._cdata()
        if opening.startswith("<!--"):
            self._comment()
        elif opening.upper() == "<!DOCTYPE":
            return self._doctype()
        elif opening.startswith("<?"):
            return self._instruction()
        else:
            return self._declaration() if opening.startswith("<!") else self._soup()
        return None

    def _comment(self) -> None:
        line = self._line
        self._advance(self._position + 4)
        while (end := self._buffer.find("-->", self._position)) < 0:
            # What a comment hides is not kept, only its end may be split between two chunks.
            self._advance(max(self._position, len(self._buffer) - 2))
            if not self._fill():
                self.faults.add(Fault("unexpected-end", "a comment is never closed", line))
                self._advance(len(self._buffer))
                return
        self._advance(end + 3)

    def _cdata(self) -> Text:
        begin, end = self._find("]]>", self._position + len(_CDATA), LOOK_AHEAD)
        start = self._position + len(_CDATA)
        record_end, _ = self._next(self._record_end, start)
        if begin >= 0 and not 0 <= record_end < begin:
            self._advance(start)
            text = self._take_text(begin, raw=True)
            self._advance(end)
            return text
        # An unclosed section ends at the next end tag: it was meant to hold one value.
        self._fault("a CDATA section is never closed", value=_CDATA)
        self._advance(start)
        stop, _ = self._next("</", self._position)
        return self._take_text(stop if stop >= 0 else len(self._buffer), raw=True)

    def _instruction(self) -> Text | None:
        _, end = self._find("?>", self._position + 2, LOOK_AHEAD)  # "<?>" is none
        bracket, _ = self._next(">", self._position)
        lost, _ = self._next("<", self._position + 2)
        record_end, _ = self._next(self._record_end, self._position)
        declaration = _DECLARATION.match(self._buffer, self._position) is not None
        # What begins as the declaration holds no other tag, and nothing runs over the end of a record.
        lost_end = end < 0 or (declaration and 0 <= bracket < end - 1) or 0 <= record_end < end
        if lost_end:
            self._fault("a processing instruction is not closed with ?>")
            end = bracket + 1 if bracket >= 0 else len(self._buffer)
            end = lost if 0 <= lost < end else end
            end = self._row(_LOST_INSTRUCTION, end) if self._next("?>", end)[0] < 0 else end
        body = self._buffer[self._position : end]
        if declaration:
            self._check_declaration(body)
        self._advance(end)
        return self._doubtful("a processing instruction is not closed") if lost_end else None

    def _doubtful(self, why: str) -> Text:
        """What was passed over may be a piece of the text that it stands in."""
        return Text("", self._line, self._column(), why)

    def _check_declaration(self, body: str) -> None:
        if self._before + self._position and not self.faults.any("leading-whitespace"):
            self._fault("the XML declaration must stand at the very start")
        if match := _TYPOGRAPHIC.search(body):
            self._typographic(match.start(), match[0])

    def _typographic(self, offset: int, quote: str) -> None:
        message = "typographic quotes stand where XML needs straight ones"
        self._note([Flaw(offset, _RULE, message, quote, "typographic quotes")])

    def _doctype(self) -> Text:
        close, end = self._find(">", self._position, LOOK_AHEAD)
        subset = self._buffer.find("[", self._position, close if close >= 0 else len(self._buffer))
        closed = close >= 0
        if subset >= 0:
            offset = subset - self._position
            _, subset_end = self._find(_SUBSET_END, subset, LOOK_AHEAD)
            closed = subset_end >= 0
            end = subset_end if closed else self._next(">", self._position + offset)[1]
            self._declared_entities(end if end >= 0 else len(self._buffer))
        if not closed:
            self._fault("the DOCTYPE is not closed")
        self._advance(end if end >= 0 else len(self._buffer))
        return self._doubtful("a DOCTYPE stands in it")

    def _declared_entities(self, end: int) -> None:
        found = list(_ENTITY.finditer(self._buffer, self._position, end))
        self.entities.update(match[1] for match in found)
        if found:
            message = "the document declares entities; they are not expanded"
            self._note([Flaw(found[0].start() - self._position, "entity-declaration", message, found[0][1])])

    def _declaration(self) -> Text:
        """``<!`` followed by something else: a stray declaration, or just two characters."""
        self._find(">", self._position, LOOK_AHEAD)
        _, end = self._next(">", self._position)
        lost, _ = self._next("<", self._position + 1)
        word = self._buffer[self._position + 2 : self._position + 3]
        self._fault("a declaration stands where none may", value=self._shown())
        if end < 0 or 0 <= lost < end or not (word.isalpha() or word == "["):
            return self._literal()
        self._advance(end)
        return self._doubtful("a declaration stands in it")

    # --- tag soup

    def _soup(self) -> Token:
        self._find("<", self._position + 1, LOOK_AHEAD)
        if match := _TAG.match(self._buffer, self._position):
            return self._tag(match)  # its end stood in another chunk
        match = _SOUP.match(self._buffer, self._position)
        if match is None or not self._is_tag(match):
            self._fault("a raw < stands for itself; it must be written &lt;", value=self._shown())
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
            self._typographic(quote.start(), quote[0])
        else:
            what = "is not closed with >" if not bracket else "has malformed attributes"
            self._fault(f"the tag {name} {what}", value=self._shown())
        parsed = self._attributes(_SLASH.sub("", rest), match.start(3), proper=False) if not slash else {}
        self._advance(match.end())
        if slash:
            return End(name, line, column)
        return Start(name, parsed, _SLASH.search(rest) is not None, line, column, self._line)

    def _attributes(self, raw: str, place: int, *, proper: bool) -> dict[str, str]:
        """The attributes in the piece of a tag that stands at ``place``."""
        found: dict[str, str] = {}
        flaws: list[Flaw] = []
        offset = place - self._position
        for name, written, start, value_start, whole in attributes(raw, proper=proper):
            if name in found:
                message = f"the attribute {name} occurs twice; the first is kept"
                flaws.append(Flaw(offset + start, _RULE, message, whole))
            elif written is None:
                # An empty href would be a reference to the base.
                message = f"the value of the attribute {name} is missing or can't be read; it is left out"
                flaws.append(Flaw(offset + start, _RULE, message, whole))
            elif (value := self._attribute_value(written, offset + value_start, flaws)) is not None:
                found[name] = value
        self._note(flaws)
        return found

    def _attribute_value(self, raw: str, offset: int, flaws: list[Flaw]) -> str | None:
        # White space becomes blanks, but for what is written as a reference (XML 1.0 3.3.3).
        value = raw.replace("\n", " ").replace("\t", " ")
        if not ODD.search(raw):
            return value
        text, own, doubt = self._decoded(value)
        flaws += (flaw._replace(offset=offset + flaw.offset) for flaw in own)
        return None if doubt else text
