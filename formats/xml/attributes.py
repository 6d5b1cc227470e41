"""The attributes in a start tag, in damaged XML too: quotes of other kinds, none, or unpaired ones.

A value is taken where it can be read in one way: between quotes of one kind, single or double, with nothing behind them
but the next attribute or the end of the tag. Any other is left out, for half a value is a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# What word processors make of " and ', guillemets and primes among it.
TYPOGRAPHIC_DOUBLE = "“”„‟″«»"
TYPOGRAPHIC_SINGLE = "‘’‚‛′‹›"
TYPOGRAPHIC = TYPOGRAPHIC_DOUBLE + TYPOGRAPHIC_SINGLE


class Attribute(NamedTuple):
    """An attribute: its name, its value as it is written, and their places in the piece of the tag.

    ``value`` is None where there is none, or none that can be read: then ``raw`` is all up to the next one.
    """

    name: str
    value: str | None
    start: int
    value_start: int
    raw: str


_NAME = r"[^\W\d][\w:.-]*+"
_PROPER = re.compile(r"""([^\s<>/='"]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")

_DOUBLE = f'["{TYPOGRAPHIC_DOUBLE}]'
_NO_DOUBLE = f'[^"{TYPOGRAPHIC_DOUBLE}]'
_SINGLE = f"['{TYPOGRAPHIC_SINGLE}]"
_NO_SINGLE = f"[^'{TYPOGRAPHIC_SINGLE}]"
# Behind a value stands the next attribute, be there names without a value before it, or nothing.
_BEHIND = rf"(?=\s*+\Z|{_NAME}\s*+=|(?:\s++{_NAME})+\s*+(?:=|\Z))"
_ANY = re.compile(
    rf"""(?:\A|(?<=[\s"'{TYPOGRAPHIC}]))"""
    rf"({_NAME})(?:\s*+=\s*+(?:"
    rf""""([^"]*+)"{_BEHIND}|'([^']*+)'{_BEHIND}"""
    # A typographic quote beside a straight one, or twice the same, means one.
    rf"|{_DOUBLE}++({_NO_DOUBLE}++){_DOUBLE}++{_BEHIND}|{_SINGLE}++({_NO_SINGLE}++){_SINGLE}++{_BEHIND}"
    rf"|(?:[{TYPOGRAPHIC_DOUBLE}]()[{TYPOGRAPHIC_DOUBLE}]|[{TYPOGRAPHIC_SINGLE}]()[{TYPOGRAPHIC_SINGLE}])"
    rf"(?=\s|\Z){_BEHIND}"
    rf"""|([^\s"'<>{TYPOGRAPHIC}]++)(?=\s*+\Z|\s++{_NAME}\s*+=)))?"""
)
# What is in a value if its closing quote is missing or of another kind, so that one of the next attribute was taken.
_NEXT = re.compile(rf"[\s{TYPOGRAPHIC}]{_NAME}\s*+=")


def attributes(raw: str, *, proper: bool) -> Iterator[Attribute]:
    """The attributes in a piece of a tag, in order; ``proper``: it is as XML has it, and every value is quoted."""
    if proper:
        yield from map(_taken, _PROPER.finditer(raw))
        return
    lost: re.Match[str] | None = None
    for match in _ANY.finditer(raw):
        group = match.lastindex or 1
        if group > 1 and not _NEXT.search(match[group]):
            if lost is not None:
                yield _left_out(lost, raw[: match.start()])
            lost = None
            yield _taken(match)
        else:
            lost = lost or match  # with the words behind it: they may be pieces of the value
    if lost is not None:
        yield _left_out(lost, raw)


def _taken(match: re.Match[str]) -> Attribute:
    group = match.lastindex or 1
    return Attribute(match[1], match[group], match.start(), match.start(group), match[0])


def _left_out(match: re.Match[str], before_next: str) -> Attribute:
    return Attribute(match[1], None, match.start(), match.start(), before_next[match.start() :].strip())
