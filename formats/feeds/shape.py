"""The regular expression that knows the records of one feed: what they are made of where there is nothing to say.

It takes well-formed XML and nothing else: texts with predefined entities and references to characters that XML has,
CDATA, attributes in double quotes on one line and each once, prefixes that are declared. Every piece can be read in one
way only, so that it takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.xml import references
from urlset.formats.xml.items import Vocabulary, spellings

if TYPE_CHECKING:
    from urlset.formats.vocabulary.dates import LastMod

_CDATA = r"<!\[CDATA\[[^\]]*+(?:\](?!\]>)[^\]]*+)*\]\]>"
BODY = rf"[^<]*+(?:{_CDATA}[^<]*+)*"
"""What an element without children holds, references not looked at."""
BARE = "[^<&]*+"
"""The same, where it needs no decoding."""
VALUE = r"[^\"<>\t\n]*+"
"""An attribute's value, references not looked at."""
AMONG = rf"(?: [^\"=<>]++=\"{VALUE}\")*? "
"""The attributes before one that is looked for."""

# Of the references to characters those that are legal whatever the digits (XML 1.0 2.2), line ends left out.
_NO_REFERENCE = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos|#(?:3[2-9]|[4-9][0-9]|[1-9][0-9]{2,3}|[1-4][0-9]{4}|[1-9][0-9]{5}"
    r"|x(?:[2-9A-Fa-f][0-9A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f]{2}|[1-9A-Ca-c][0-9A-Fa-f]{3}|[1-9A-Fa-f][0-9A-Fa-f]{4})));)"
)
_SUSPECT = re.compile(rf"{_CDATA}|(?P<fault>{_NO_REFERENCE.pattern}|\]\]>)")
_BLANKS = r"[ \t\n]*+"
_LOCAL = r"[A-Za-z_][A-Za-z0-9_.-]{0,99}+"
_MOST_ATTRIBUTES = 8
_MOST_USUAL = 32
_PIECES = re.compile(r"<!\[CDATA\[([\s\S]*?)\]\]>")
_NAMED = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))

ReadDates: TypeAlias = "Callable[[Sequence[str | None]], list[LastMod | None] | None]"
"""Reads many dates, None being none; None if there is something to say of any."""


class Shape(NamedTuple):
    """The records of a document: their name in it, and what they are made of.

    ``fields`` write the patterns of the elements that matter: ``loc``, ``title``, and dates. ``barred`` is a pattern
    of the names that no other element of a record may have if it is to be read here, ``odd`` are patterns of names and
    of what may not follow them in the start tag. ``dates`` are the readers by the group of the date, the best one
    first. ``ordered``: that one must be there, and not before any other.
    """

    record: str
    fields: Sequence[Callable[[Writer], str]]
    barred: str
    odd: tuple[str, str]
    dates: Mapping[str, ReadDates]
    ordered: bool = False


class Writer:
    """Writes the pattern of records that stand where these namespaces are declared, by prefix."""

    def __init__(self, spaces: Mapping[str | None, str], vocabulary: Vocabulary) -> None:
        prefixes = [re.escape(f"{prefix}:") for prefix in sorted(filter(None, spaces))]
        prefix = f"(?:{'|'.join([*prefixes, ''])})"
        # Whether two prefixes of one namespace make one attribute of two is not for a pattern to find out.
        alike = len({*spaces.values()}) < len(spaces)
        self._of_attribute = f"(?:{'|'.join([*([] if alike else prefixes), 'xml:(?=lang=|base=)', ''])})"
        elsewhere = "|".join(sorted(spellings(vocabulary.records | vocabulary.roots)))
        self._name_elsewhere = f"{prefix}(?!(?:{elsewhere})[ />]){_LOCAL}"
        self._groups = 0

    def record(self, shape: Shape, names: Iterable[str] = ()) -> re.Pattern[str]:
        """One record, with the blanks before it and a group for each field; or, as ``rest``, all that is left.

        No character is passed over: what is no record goes, with everything behind it, to ``rest``. Elements of these
        ``names`` are found faster.
        """
        start = f"{_BLANKS}<{shape.record}{self.attributes()} *+>"
        fields = [write(self) for write in shape.fields]
        content = "|".join([*fields, self._element(self._other(shape, {*names}), holds=True)])
        end = f"{_BLANKS}</{shape.record}>"
        return re.compile(rf"{start}(?:{_BLANKS}(?:{content}))*{end}|(?P<rest>[\s\S]++)")

    def field(self, group: str, name: str, body: str, *, attributes: bool = False) -> str:
        """An element that matters."""
        start = f"<{name}{self.attributes()} *+>" if attributes else f"<{name}>"
        return f"{start}{self.once(group, body)}</{name}>"

    def once(self, group: str, body: str) -> str:
        """A group that may match once in a record."""
        self._groups += 1
        return f"(?({self._groups})(?!))(?P<{group}>{body})"

    def attributes(self) -> str:
        """The attributes of a start tag, each of them once."""
        # To ask for the first one apart is faster where there is none.
        return f"(?: {self.attribute()}(?: {self.attribute()}){{0,{_MOST_ATTRIBUTES}}}|)"

    def attribute(self) -> str:
        """An attribute whose name no later one of the same tag has."""
        name = self._name()
        start = f"(?P<{name}>(?!xmlns){self._of_attribute}{_LOCAL})"
        return f'{start}="{VALUE}"(?!{AMONG}(?P={name})=)'

    def _other(self, shape: Shape, names: Iterable[str]) -> str:
        """The name of an element of a record that does not matter."""
        name, rest = shape.odd
        fits = re.compile(f"(?!(?:{shape.barred}|{name})>){self._name_elsewhere}>")
        usual = "|".join(map(re.escape, sorted(name for name in names if fits.fullmatch(f"{name}>"))[:_MOST_USUAL]))
        if not usual:
            return f"(?!(?:{shape.barred})[ />]|{name}(?=[ />]){rest}){self._name_elsewhere}"
        barred = f"(?!(?:{usual}|{shape.barred})[ />]|{name}(?=[ />]){rest})"
        return f"(?:{usual})(?=[ />])|{barred}{self._name_elsewhere}"

    def _element(self, name: str, *, holds: bool = False) -> str:
        """An element of a pattern of names that does not matter, and if it ``holds`` others, these too."""
        group = self._name()
        start = f"<(?P<{group}>{name}){self.attributes()} *+"
        inner = f"|(?:{_BLANKS}{self._element(self._name_elsewhere)})+{_BLANKS}</(?P={group})>" if holds else ""
        return f"{start}(?:>(?:{BODY}</(?P={group})>{inner})|/>)"

    def _name(self) -> str:
        self._groups += 1
        return f"name_{self._groups}"


def read_moments(texts: Sequence[str | None]) -> list[LastMod | None] | None:
    """Dates of RFC 3339, as :data:`ReadDates`; one without a time or seconds there is something to say of."""
    if all(text is None or text[16:17] == ":" for text in texts):
        return read_days(texts)
    return None


def read_days(texts: Sequence[str | None]) -> list[LastMod | None] | None:
    """Dates of W3C Datetime, as :data:`ReadDates`."""
    found = None if "" in texts else plain_dates([text or "" for text in texts])
    return None if found is None else [*found.values()]


def sound_end(text: str, start: int, end: int) -> int:
    """Where the first thing stands that a matched piece of a text may not hold; its end if all is sound."""
    if "]]>" not in text:
        fault = _NO_REFERENCE.search(text, start, end)
        return fault.start() if fault else end
    return next((found.start() for found in _SUSPECT.finditer(text, start, end) if found["fault"]), end)


def decoded(raw: str) -> str:
    """The characters that the content of an element stands for."""
    if "<" in raw:
        pieces = _PIECES.split(raw)
        pieces[::2] = map(decoded, pieces[::2])
        return "".join(pieces)
    if "&#" in raw:
        return references.decode(raw).text
    if "&" in raw:
        for reference, character in _NAMED:
            raw = raw.replace(reference, character)
    return raw


def all_decoded(raws: Sequence[str]) -> Sequence[str]:
    """The same of many; a text of XML holds no NUL."""
    joined = "\0".join(raws)
    if "<" in joined or "&#" in joined:
        return [decoded(raw) for raw in raws]
    return decoded(joined).split("\0") if "&" in joined else raws
