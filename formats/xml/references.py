"""Character and entity references in damaged XML."""

from __future__ import annotations

import re
from collections.abc import Container
from html.entities import html5
from typing import NamedTuple

ODD = re.compile("[&\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What makes a text worth a closer look."""

_ILLEGAL = re.compile("([\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff])\\1*+")

# A name of more than 64 characters is nobody's entity; the bound keeps the search linear.
_REFERENCE = re.compile(r"&+(?=&)|&(?:#(?:[xX]([0-9A-Fa-f]{1,8})|([0-9]{1,9}));|([A-Za-z][A-Za-z0-9._-]{0,63});)?")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class Flaw(NamedTuple):
    """Something wrong with a text: its offset in it, the rule, the message, the raw value, and how often in a row.

    ``cause`` is as in Fault.
    """

    offset: int
    rule: str
    message: str
    value: str
    cause: str | None = None
    times: int = 1


class Decoded(NamedTuple):
    """Text with its references resolved, what was wrong, and why it is not to be trusted (None: it is)."""

    text: str
    flaws: list[Flaw]
    doubt: str | None


def illegal_characters(text: str) -> list[Flaw]:
    """The characters that XML 1.0 can't hold in any spelling (2.2)."""
    return [_illegal(match) for match in _ILLEGAL.finditer(text)]


def _illegal(match: re.Match[str]) -> Flaw:
    code = f"U+{ord(match[1]):04X}"
    message = f"{code} is no XML character"
    return Flaw(match.start(), "illegal-xml-character", message, code, code, len(match[0]))


def decode(raw: str, declared: Container[str] = ()) -> Decoded:
    """Resolve the references of a text.

    A bare ``&`` stands for itself; an HTML entity for its character; an entity that the document declares is never
    expanded (entity bombs, external files), so the text around it becomes doubtful; an unknown one stays as written.
    """
    if "&" not in raw:
        return Decoded(raw, [], None)
    flaws: list[Flaw] = []
    doubts: list[str] = []

    def replace(match: re.Match[str]) -> str:
        hexadecimal, decimal, name = match.groups()
        if name in _PREDEFINED:
            return _PREDEFINED[name]
        if name:
            return _named(match, name, declared, flaws, doubts)
        if hexadecimal or decimal:
            return _numbered(match, int(hexadecimal, 16) if hexadecimal else int(decimal), flaws)
        message = "a raw & stands for itself; it must be written &amp;"
        flaws.append(Flaw(match.start(), "xml-not-well-formed", message, "&", None, len(match[0])))
        return match[0]

    text = _REFERENCE.sub(replace, raw)
    return Decoded(text, flaws, doubts[0] if doubts else None)


def _named(match: re.Match[str], name: str, declared: Container[str], flaws: list[Flaw], doubts: list[str]) -> str:
    if name in declared:
        message = f"the entity {name} is declared by the document; such entities are not expanded"
        doubts.append(message)
        flaws.append(Flaw(match.start(), "entity-declaration", message, name))
        return match[0]
    character = html5.get(f"{name};")
    outcome = f"read as the HTML entity, {character!r}" if character else "kept as it is written"
    flaws.append(Flaw(match.start(), "undefined-entity", f"the entity {name} is not declared; {outcome}", name))
    return character or match[0]


def _numbered(match: re.Match[str], code: int, flaws: list[Flaw]) -> str:
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        flaws.append(
            Flaw(
                match.start(),
                "illegal-xml-character",
                f"{match[0]} is no character; kept as written",
                match[0],
            )
        )
        return match[0]
    character = chr(code)
    if _ILLEGAL.match(character):
        flaws.append(Flaw(match.start(), "illegal-xml-character", f"{match[0]} is no XML character", f"U+{code:04X}"))
    return character
