"""How full a file is, to the byte, and what one may hold."""

from __future__ import annotations

import sys
from typing import NamedTuple

from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.format import Frame, Piece, Writer

_NONE: frozenset[str] = frozenset()


class Limits(NamedTuple):
    """What one file may hold: entries and uncompressed bytes; None as the format has it."""

    max_urls: int | None = None
    max_bytes: int | None = None

    def or_those_of(self, writer: Writer) -> Limits:
        """These, and the format's where there is none."""
        return Limits(self.max_urls or writer.max_entries, self.max_bytes or writer.max_bytes)


class Frames:
    """The frames of a format, each made once."""

    def __init__(self, writer: Writer) -> None:
        self._make = writer.frame
        self._made: dict[frozenset[str], Frame] = {}

    def of(self, needs: frozenset[str]) -> Frame:
        """The frame that declares ``needs``."""
        frame = self._made.get(needs)
        if frame is None:
            frame = self._made[needs] = self._make(needs)
        return frame


class Fill:
    """What stands in one file so far, and whether another entry fits.

    ``size`` is in bytes without the frame, ``needs`` what the frame has to declare, ``newest`` the newest lastmod.
    """

    __slots__ = ("_frames", "_max_bytes", "_most", "_most_news", "_news", "_room", "needs", "newest", "size", "urls")

    def __init__(self, frames: Frames, limits: Limits, max_news: int | None) -> None:
        self._frames = frames
        self._most = limits.max_urls or sys.maxsize
        self._max_bytes = limits.max_bytes or sys.maxsize
        self._most_news = max_news
        self._news = 0
        self.needs = _NONE
        self.size = 0
        self.urls = 0
        self.newest: LastMod | None = None
        self._room = self._beside_frame(_NONE)

    def take(self, entry: Entry, piece: Piece) -> bool:
        """Count an entry in; False, and nothing is counted, if a limit is in the way."""
        # Called for every entry of every output: attributes are looked up once, and most entries need nothing declared.
        data, needs = piece
        size = self.size + len(data)
        room = self._room
        if needs and not needs <= self.needs:
            needs = self.needs | needs
            room = self._beside_frame(needs)
        else:
            needs = self.needs
        urls = self.urls
        if size > room or urls >= self._most:
            return False
        if self._most_news is not None and entry.news is not None:
            if self._news >= self._most_news:
                return False
            self._news += 1
        self.size, self.urls, self.needs, self._room = size, urls + 1, needs, room
        lastmod = entry.lastmod
        if lastmod is not None and (self.newest is None or lastmod > self.newest):
            self.newest = lastmod
        return True

    def take_plain(self, core: Core, size: int) -> bool:
        """Count in many entries that need nothing declared; False, and nothing is counted, if a limit is in the way."""
        if not self.fits(len(core.locs), size):
            return False
        self.size += size
        self.urls += len(core.locs)
        self.newest = core.lastmods.newest(self.newest)
        return True

    def fits(self, number: int, size: int) -> bool:
        """Whether so many entries of so many bytes, which need nothing declared, are still within the limits."""
        return self.size + size <= self._room and self.urls + number <= self._most

    @property
    def frame(self) -> Frame:
        """The frame for what stands in the file."""
        return self._frames.of(self.needs)

    @property
    def total(self) -> int:
        """Uncompressed bytes of the file, the frame included."""
        frame = self.frame
        return len(frame.head) + self.size + len(frame.tail)

    def _beside_frame(self, needs: frozenset[str]) -> int:
        """Bytes for entries, beside a frame."""
        frame = self._frames.of(needs)
        return self._max_bytes - len(frame.head) - len(frame.tail)
