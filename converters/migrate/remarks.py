"""Comments and processing instructions of a document: what stands before the root, and where others stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlset.formats.xml.prolog import scan

_OPENINGS = re.compile(r"<!--|<\?|<!\[CDATA\[")
_CLOSINGS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
_LONGEST = max(map(len, _OPENINGS.pattern.replace("\\", "").split("|")))
_KEPT = 500
"""Characters of one that are kept."""

_TARGET = re.compile(r"<\?(?!xml[\s?])[A-Za-z_][\w.-]*[\s?]", re.IGNORECASE)


class Remark(NamedTuple):
    """A comment or a processing instruction: its beginning, and the physical line on which it stands."""

    text: str
    line: int


def remarks(chunks: Iterable[str]) -> Iterator[Remark]:
    """Every comment and processing instruction of a document whose lines end in LF, the XML declaration left out.

    They are found in damaged documents too; one that never ends is none.
    """
    line, rest, opening, kept, began = 1, "", "", "", 1
    for chunk in chunks:
        text, rest = rest + chunk, ""
        position = 0
        while True:
            if not opening:
                match = _OPENINGS.search(text, position)
                if match is None:
                    keep = max(position, len(text) - _LONGEST + 1)
                    line += text.count("\n", position, keep)
                    rest = text[keep:]
                    break
                line += text.count("\n", position, match.start())
                opening, began, kept, position = match[0], line, match[0], match.end()
            end = text.find(_CLOSINGS[opening], position)
            if end < 0:
                keep = max(position, len(text) - 2)
                kept = (kept + text[position:keep])[: _KEPT + 1]
                line += text.count("\n", position, keep)
                rest = text[keep:]
                break
            kept += text[position:end][: _KEPT + 1]
            line += text.count("\n", position, end)
            position = end + len(_CLOSINGS[opening])
            if opening != "<![CDATA[" and not kept.lower().startswith("<?xml "):
                yield Remark(kept[:_KEPT] + _CLOSINGS[opening], began)
            opening = ""


def before_root(head: str) -> list[str]:
    """What stands before the root and can be written again as it is."""
    prolog = scan(head)
    if prolog is None:
        return []
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # On the root's own line everything up to its start tag counts.
    before = "\n".join([*lines[: prolog.line - 1], lines[prolog.line - 1].partition(f"{prolog.root}")[0]])
    return [one.text for one in remarks([before]) if is_sound(one.text)]


def is_sound(text: str) -> bool:
    """Whether a comment or an instruction may stand in a document as it is (XML 1.0 2.5, 2.6)."""
    if len(text) > _KEPT or any(ord(char) < 0x20 and char not in "\t\n" for char in text):
        return False
    if text.startswith("<!--"):
        return "--" not in text[4:-3] and not text.endswith("--->")
    return _TARGET.match(text) is not None
