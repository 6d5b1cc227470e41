"""The lines that findings name, to be shown beside them.

A file is read once and no further than to the last line asked for; of a line no more is kept than will be shown, so a
sitemap of one line may have any length.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from types import MappingProxyType

from urlset.converters.sources.fetch import is_address
from urlset.formats.vocabulary.decode import LineCounter, TextReader, declared_encoding, sniff_encoding
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.reporting import silent
from urlset.formats.vocabulary.source import Openable, Source

CHUNK = 1 << 16
"""Bytes that are read at once."""

LEAST = 3
"""The smallest width: one character and a ``…`` on either side."""

_NO_SOURCES: Mapping[str, Openable] = MappingProxyType({})
_PIECE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")
_LINE_END = re.compile(r"[\r\n]")
# Besides control characters what would reorder or break the line that it is shown in, and lone surrogates.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def excerpts(
    findings: Iterable[Finding],
    sources: Mapping[str, Openable] = _NO_SOURCES,
    *,
    width: int = 100,
    limits: Limits | None = None,
    encoding: str | None = None,
) -> dict[tuple[str, int], str]:
    """The physical line that each finding names, by source name and line number.

    A source is the file of its name, or what ``sources`` has for it; gzip is unpacked. A line of more than ``width``
    characters is cut round the column of the first finding that names it, or round its value, with ``…`` where it was
    cut (counted in the width). Tabs become blanks, control characters ``\\x1f``. ``encoding`` is the one that the user
    asked for. There is no excerpt, and no error, where a source is no regular file, can't be read as text or has no
    such line. Addresses are never fetched.
    """
    shown: dict[tuple[str, int], str] = {}
    for name, cuts in _by_source(findings, width).items():
        # The file may be gone or changed since it was read: no excerpt is the answer then.
        with suppress(OSError, UrlsetError):
            source = _source(name, sources, limits)
            if source is not None:
                _read(source, cuts, encoding)
        shown.update(((name, line), cut.text()) for line, cut in cuts.items() if cut.met)
    return shown


def _by_source(findings: Iterable[Finding], width: int) -> dict[str, dict[int, _Cut]]:
    found: dict[str, dict[int, _Cut]] = {}
    for finding in findings:
        if finding.source is None or finding.line is None or finding.line < 1:
            continue
        cuts = found.setdefault(finding.source, {})
        if finding.line not in cuts:
            cuts[finding.line] = _Cut(finding, max(width, LEAST))
    return found


def _source(name: str, sources: Mapping[str, Openable], limits: Limits | None) -> Source | None:
    thing = sources.get(name, name)
    if not isinstance(thing, str | os.PathLike):
        return Source.of(thing, limits=limits)
    # A named pipe was read to its end already, and opening it could wait for ever.
    if is_address(thing) or not Path(thing).is_file():
        return None
    return Source.from_path(thing, limits=limits)


def _read(source: Source, cuts: Mapping[int, _Cut], encoding: str | None) -> None:
    with source.open(silent) as stream:
        head = stream.peek(CHUNK)
        used = sniff_encoding(head, declared_encoding(head), encoding)
        _feed(TextReader(stream, used, silent, chunk=CHUNK), cuts)


def _feed(chunks: Iterable[str], cuts: Mapping[int, _Cut]) -> None:
    """Give each cut what stands on its line."""
    lines, wanted = LineCounter(), sorted(cuts, reverse=True)
    for chunk in _whole_line_ends(chunks):
        if lines.after(chunk) < wanted[-1]:
            lines.feed(chunk)
            continue
        for piece in _PIECE.findall(chunk):
            if cut := cuts.get(lines.line):
                cut.add(piece.rstrip("\r\n"))
            lines.feed(piece)
        while wanted and wanted[-1] < lines.line:
            wanted.pop()
        if not wanted:
            return


def _whole_line_ends(chunks: Iterable[str]) -> Iterator[str]:
    """The same text, no CRLF parted."""
    held = ""
    for chunk in chunks:
        text = held + chunk
        held = "\r" if text.endswith("\r") else ""
        yield text[:-1] if held else text
    if held:
        yield held


class _Cut:
    """The part of one line that is shown, caught while the line goes by in pieces."""

    def __init__(self, finding: Finding, width: int) -> None:
        self.met = False
        self._width = width
        self._needles = _needles(finding.value, width)
        self._reach = width + max(map(len, self._needles), default=0)
        self._place: int | None = None
        if finding.column is not None and finding.column > 0:
            self._place = finding.column - 1
        elif not self._needles:
            self._place = 0
        self._size = 0
        self._head = ""
        # What is kept of the line round the place, and the number of characters before that.
        self._kept, self._before = "", 0

    def add(self, piece: str) -> None:
        """Take the next characters of the line."""
        self.met = True
        if len(self._head) < self._width:
            self._head += piece[: self._width - len(self._head)]
        self._size += len(piece)
        self._kept += piece
        if self._place is None and self._size > self._width:
            self._look()
        self._forget()

    def text(self) -> str:
        """The excerpt, once the line is over."""
        if self._size <= self._width:
            return _printable(self._head)
        if self._place is None or self._place > self._size:
            return _printable(self._head[:-1]) + "…"
        start = max(0, min(self._place - self._width // 3, self._size - self._width))
        part = self._kept[start - self._before : start - self._before + self._width]
        left, right = start > 0, start + self._width < self._size
        return "…" * left + _printable(part[left : len(part) - right]) + "…" * right

    def _look(self) -> None:
        places = [place for needle in self._needles if (place := self._kept.find(needle)) >= 0]
        if places:
            self._place = self._before + min(places)

    def _forget(self) -> None:
        """Drop what can't be shown any more, and what lies too far behind the place."""
        first = self._size - self._reach if self._place is None else self._place - self._width
        last = None if self._place is None else max(self._place + self._width - self._before, 0)
        drop = min(max(first - self._before, 0), len(self._kept))
        self._kept = self._kept[drop:last]
        self._before += drop


def _needles(value: str | None, width: int) -> tuple[str, ...]:
    """How a value may stand on its line: as it is, or with the references of XML."""
    raw = _LINE_END.split((value or "").strip(), maxsplit=1)[0][:width]
    written = escape(raw, quote=False)
    return () if not raw else (raw,) if raw == written else (raw, written)


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(_escaped, text.replace("\t", " "))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
