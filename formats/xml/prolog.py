"""What stands before and in the root's start tag, as far as it tells the format and the lane.

This looks at a bounded head only and reports nothing: the lanes do. It must make sense of broken files too, since what
they are is decided here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANK = re.compile(r"\s+")
_DECLARATION = re.compile(r"<\?xml(?=\s)([^<>]*)>", re.IGNORECASE)
_ENCODING = re.compile(r"""encoding\s*=\s*["'“”„‟″]?\s*([A-Za-z][A-Za-z0-9._:-]*)""")
_DOCTYPE = re.compile(r"<!DOCTYPE\s+([^\s>\[]+)", re.IGNORECASE)
_START = re.compile(r"""<([A-Za-z_][^\s<>/=&'"]*)((?:[^<>"'“”″]|"[^"]*"|'[^']*'|[“”″„][^“”″"<>]*[“”″"])*)>?""")
_XMLNS = re.compile(r"""\bxmlns(?::([^\s=:]+))?\s*=\s*["'“”„‟″]([^"'“”„‟″]*)["'“”‟″]""")
_DOCUMENT = re.compile(r"<\?xml\b|<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed|rdf)\b", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_JSON = re.compile(r'\{\s*"')
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


class Prolog(NamedTuple):
    """The head of an XML document.

    ``root`` is the local name of the first element as written ("" if there is none in sight), ``namespace`` its
    namespace, ``attributes`` the raw text of its attributes, ``line`` where its start tag begins. ``regular`` is False
    where XML 1.0 2.8 is broken or a DOCTYPE stands: such a document goes to the repair lane at once. ``doctype`` is the
    line of that DOCTYPE, or None.
    """

    root: str
    namespace: str
    attributes: str
    declared: str | None
    regular: bool
    html: bool
    line: int = 1
    doctype: int | None = None

    def line_of(self, text: str) -> int | None:
        """The line on which a text stands in the root's start tag; None if it does not stand there as it is."""
        place = self.attributes.find(text) if text else -1
        return None if place < 0 else self.line + _line(self.attributes, place) - 1


def declared_encoding(text: str) -> str | None:
    """The encoding that the XML declaration names."""
    match = _DECLARATION.search(text[:1024])
    found = _ENCODING.search(match[1]) if match else None
    return found[1] if found else None


def scan(text: str) -> Prolog | None:
    """Look at the head of a document; None if it is no markup at all.

    Text before the first tag is junk before a document only if a document begins after it: URLs, cells and JSON may
    hold a ``<`` too.
    """
    if not _begins_as_markup(text):
        return None
    start, doctype, junk = _to_root(text)
    match = _START.match(text, start) if start >= 0 else None
    if match is None:
        return None if "<" not in text else Prolog("", "", "", declared_encoding(text), False, _is_html(text))
    prefix, _, local = match[1].rpartition(":")
    spaces = {found[1] or "": found[2].strip() for found in _XMLNS.finditer(match[2])}
    regular = not junk and doctype < 0 and not re.search("[“”„‟″]", text[:start] + match[2])
    found = Prolog(local, spaces.get(prefix, ""), match[2], declared_encoding(text), regular, _is_html(text))
    return found._replace(line=_line(text, start), doctype=_line(text, doctype) if doctype >= 0 else None)


def _line(text: str, position: int) -> int:
    """The physical line of a place: LF, CRLF and CR end one."""
    return len(_LINE_END.findall(text, 0, position)) + 1


def _begins_as_markup(text: str) -> bool:
    start = text.lstrip("\ufeff\0 \t\r\n")
    if start.startswith("<"):
        return True
    return _DOCUMENT.search(text) is not None and not _JSON.match(start)


def _is_html(text: str) -> bool:
    """Whether the first markup that is neither comment nor instruction is HTML's."""
    position, last = 0, _last_ends(text)
    while end := _skipped(text, position, last) or _declaration_end(text, position):
        position = end
    return _HTML.match(text, position) is not None


def _to_root(text: str) -> tuple[int, int, bool]:
    """Where the root's start tag and a DOCTYPE before it begin (-1: nowhere), and whether junk stands before it."""
    position, doctype, junk, last = 0, -1, False, _last_ends(text)
    while position < len(text):
        if end := _skipped(text, position, last):
            position = end
        elif end := _declaration_end(text, position):
            junk = junk or position > 0
            position = end
        elif match := _DOCTYPE.match(text, position):
            doctype, position = position, _doctype_end(text, match.end())
        elif _START.match(text, position):
            return position, doctype, junk
        else:
            junk, position = True, text.find("<", position + 1)
            if position < 0:
                break
    return -1, doctype, junk


def _last_ends(text: str) -> dict[str, int]:
    """Where comments and instructions end for the last time, so that nobody looks for an end that isn't there."""
    return {"-->": text.rfind("-->"), "?>": text.rfind("?>")}


def _skipped(text: str, position: int, last: dict[str, int]) -> int:
    """Where blanks, a comment or an instruction at the position end; 0 if none stands there, or one without an end."""
    if match := _BLANK.match(text, position):
        return match.end()
    for opening, closing in (("<!--", "-->"), ("<?", "?>")):
        start = position + len(opening)
        if text.startswith(opening, position) and last[closing] >= start and not _declaration_end(text, position):
            return text.index(closing, start) + len(closing)
    return 0


def _declaration_end(text: str, position: int) -> int:
    """Where the XML declaration at the position ends; 0 if none stands there."""
    match = _DECLARATION.match(text, position)
    return match.end() if match else 0


def _doctype_end(text: str, position: int) -> int:
    """The place after a DOCTYPE, its internal subset included."""
    close, subset = text.find(">", position), text.find("[", position)
    if 0 <= subset < close:
        end = re.compile(r"\]\s*>").search(text, subset)
        return end.end() if end else len(text)
    return close + 1 if close >= 0 else len(text)
