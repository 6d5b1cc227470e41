"""A window on text that comes in chunks: searching ahead in it, and the place where one stands.

Every search remembers what it found, so that the same stretch is never searched twice for the same thing: whatever
the document holds, reading it takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_LONGEST_END = 256
"""Characters that what is searched for may have: its beginning may stand in one chunk and its end in the next."""


class _Search(NamedTuple):
    """What a search from ``since`` came to: the next hit, or none (``start`` is -1) before ``end``. Absolute places."""

    since: int
    start: int
    end: int


class Buffer:
    """Text in chunks, of which the part from ``_position`` on is still to be read.

    Line ends are folded to LF (XML 1.0 2.11), which keeps physical lines.
    """

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = iter(chunks)
        self._buffer = ""
        self._position = 0
        self._before = 0  # characters that were dropped before the buffer
        self._line = 1
        self._line_start = 0  # where the current line begins, relative to the buffer; may be negative
        self._held_cr = False
        self._ended = False
        self._searches: dict[object, _Search] = {}

    @property
    def line(self) -> int:
        """The physical line of the position."""
        return self._line

    def _fill(self) -> bool:
        """Get one more chunk; False at the end of the input."""
        chunk = next(self._chunks, None)
        if chunk is None:
            if self._ended:
                return False
            self._ended, chunk = True, "\n" if self._held_cr else ""
        else:
            chunk = self._fold(chunk)
        self._line_start -= self._position
        self._before += self._position
        self._buffer = self._buffer[self._position :] + chunk
        self._position = 0
        return not self._ended or bool(chunk)

    def _fold(self, chunk: str) -> str:
        if self._held_cr:
            chunk = "\r" + chunk
        self._held_cr = chunk.endswith("\r")
        chunk = chunk[:-1] if self._held_cr else chunk
        return chunk.replace("\r\n", "\n").replace("\r", "\n") if "\r" in chunk else chunk

    def _available(self) -> int:
        return len(self._buffer) - self._position

    def _find(self, what: re.Pattern[str] | str, start: int, within: int) -> tuple[int, int]:
        """Where ``what`` next begins and ends from ``start`` on, reading on as needed; -1 if not within so much."""
        offset = start - self._position
        while True:
            found = self._next(what, self._position + offset)
            if found[0] >= 0:
                return found
            if self._ended or self._available() >= within:
                return -1, -1
            self._fill()

    def _next(self, what: re.Pattern[str] | str, start: int) -> tuple[int, int]:
        """Where ``what`` next begins and ends in the buffer, from ``start`` on; -1 if nowhere."""
        asked = self._before + start
        known = self._searches.get(what)
        if known is not None and known.since <= asked:
            if known.start >= asked:
                return known.start - self._before, known.end - self._before
            if known.start < 0:
                start = max(start, known.end - self._before)
        found, end = self._search(what, start)
        if found >= 0:
            self._searches[what] = _Search(asked, self._before + found, self._before + end)
        else:
            frontier = self._before + max(start, len(self._buffer) - _LONGEST_END)
            self._searches[what] = _Search(asked, -1, frontier)
        return found, end

    def _search(self, what: re.Pattern[str] | str, start: int) -> tuple[int, int]:
        if isinstance(what, str):
            found = self._buffer.find(what, start)
            return (found, found + len(what)) if found >= 0 else (-1, -1)
        match = what.search(self._buffer, start)
        return match.span() if match else (-1, -1)

    def _advance(self, end: int) -> None:
        newlines = self._buffer.count("\n", self._position, end)
        if newlines:
            self._line += newlines
            self._line_start = self._buffer.rfind("\n", self._position, end) + 1
        self._position = end

    def _column(self) -> int:
        return self._position - self._line_start + 1
