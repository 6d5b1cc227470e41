"""What libxml2 says of a document that breaks a schema, in words for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlset.formats.xml import namespaces as ns


class SchemaFault(NamedTuple):
    """One thing that the schemas do not allow.

    ``line`` is where the start tag of the element ends, counted from 1; for text between the records it is where that
    text begins. ``value`` is the text that is wrong, if the fault is in a text.
    """

    message: str
    line: int
    value: str | None


class Complaint(NamedTuple):
    """What libxml2 says of a node: its words, the line in what it was given, and the place in the tree."""

    message: str
    line: int
    path: str


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


def told(complaints: list[Complaint], line: int) -> Iterator[SchemaFault]:
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


def shown(value: str) -> str:
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
    return f"is {shown(match[1])}, which {types} not allow", match[1]


def _of_length(match: re.Match[str]) -> _Told:
    return f"has a length of {match[1]}, and the {match[2]} is {match[3]}", None


def _of_range(match: re.Match[str]) -> _Told:
    return f"is {shown(match[1])}, and the {match[2]} is {match[3]}", match[1]


def _of_set(match: re.Match[str]) -> _Told:
    return f"is {shown(match[1])}, which is none of {match[2]}", match[1]


def _of_pattern(match: re.Match[str]) -> _Told:
    return f"is {shown(match[1])}, which is not of the form {match[2]}", match[1]


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
