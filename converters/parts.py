"""Entries to one file after another, each as full as its limits allow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from urlset.converters.gzip_output import GzipOrPlain
from urlset.converters.staging import Staging
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Frame, Piece, Writer
from urlset.formats.vocabulary.ledger import Ledger


class Limits(NamedTuple):
    """What one file may hold: entries and uncompressed bytes; None as the format has it."""

    max_urls: int | None = None
    max_bytes: int | None = None

    def or_those_of(self, writer: Writer) -> Limits:
        """These, and the format's where there is none."""
        return Limits(self.max_urls or writer.max_entries, self.max_bytes or writer.max_bytes)


class Finished(NamedTuple):
    """A part that is written, under its temporary name."""

    path: Path
    urls: int
    size: int
    newest: LastMod | None


@dataclass
class _Part:
    """The file that is being filled."""

    pieces: list[bytes] = field(default_factory=list)
    needs: frozenset[str] = frozenset()
    size: int = 0
    urls: int = 0
    news: int = 0
    newest: LastMod | None = None
    room: int | None = None  # bytes for pieces, beside the frame that ``needs`` ask for; None until it is asked

    def add(self, entry: Entry, piece: Piece) -> None:
        self.pieces.append(piece.data)
        if not piece.needs <= self.needs:
            self.needs |= piece.needs
        self.size += len(piece.data)
        self.urls += 1
        self.news += entry.news is not None
        if entry.lastmod is not None and (self.newest is None or entry.lastmod > self.newest):
            self.newest = entry.lastmod


class Parts:
    """Writes entries to temporary files beside ``path``: one, or as many as the limits ask for.

    A format without limits is written as it comes; one with limits waits for the end of its file, since the frame names
    what stands in it.
    """

    def __init__(
        self, path: Path, writer: Writer, staging: Staging, ledger: Ledger, limits: Limits, gzipped: bool
    ) -> None:
        self._path = path
        self._writer = writer
        self._staging = staging
        self._ledger = ledger
        self._max_urls, self._max_bytes = limits.or_those_of(writer)
        self._gzipped = gzipped
        self._part = _Part()
        self._finished: list[Finished] = []
        self._frames: dict[frozenset[str], Frame] = {}
        self._stream: GzipOrPlain | None = None
        self.written = 0

    @property
    def limited(self) -> bool:
        """Whether there may be more than one."""
        return self._max_urls is not None or self._max_bytes is not None

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it, OptionError if no file can hold it."""
        piece = self._writer.encode(entry)
        if not self.limited:
            self._append(piece)
        else:
            if not self._fits(entry, piece):
                self._next_part(entry, piece)
            self._part.add(entry, piece)
        self.written += 1

    def finish(self) -> list[Finished]:
        """The files, in order; one without entries if there were none."""
        if self._stream is not None:
            self._stream.write(self._frame(frozenset()).tail)
            self._stream.close()
            self._finished.append(Finished(self._stream.path, self.written, self._stream.size, None))
        elif self._part.urls or not self._finished:
            self._finish_part()
        return self._finished

    def close(self) -> None:
        """Close what is open."""
        if self._stream is not None:
            self._stream.close()

    def _fits(self, entry: Entry, piece: Piece) -> bool:
        part, writer = self._part, self._writer
        if self._max_urls is not None and part.urls >= self._max_urls:
            return False
        if writer.max_news is not None and entry.news is not None and part.news >= writer.max_news:
            return False
        if self._max_bytes is None:
            return True
        if part.room is None or not piece.needs <= part.needs:
            frame = self._frame(part.needs | piece.needs)
            room = self._max_bytes - len(frame.head) - len(frame.tail)
        else:
            room = part.room
        fits = part.size + len(piece.data) <= room
        part.room = room if fits else None
        return fits

    def _frame(self, needs: frozenset[str]) -> Frame:
        frame = self._frames.get(needs)
        if frame is None:
            frame = self._frames[needs] = self._writer.frame(needs)
        return frame

    def _next_part(self, entry: Entry, piece: Piece) -> None:
        if self._part.urls:
            self._finish_part()
        if not self._fits(entry, piece):
            message = f"{self._max_bytes} bytes can't hold the entry {entry.loc}"
            raise OptionError(f"{message}; raise --max-bytes", value=str(self._max_bytes))

    def _finish_part(self) -> None:
        part, self._part = self._part, _Part()
        frame = self._frame(part.needs)
        with written(self._staging, self._path, self._gzipped) as (path, stream):
            stream.write(frame.head)
            stream.writelines(part.pieces)
            stream.write(frame.tail)
        size = len(frame.head) + part.size + len(frame.tail)
        self._check_limits(part.urls, size)
        self._finished.append(Finished(path, part.urls, size, part.newest))

    def _check_limits(self, number: int, size: int) -> None:
        """The caller may set other limits than the format's; consumers keep to the format's."""
        most, most_bytes = self._writer.max_entries, self._writer.max_bytes
        if (most is not None and number > most) or (most_bytes is not None and size > most_bytes):
            message = f"a file has {number:,} entries and {size:,} bytes; consumers read {most:,} and {most_bytes:,}"
            self._ledger.add(Finding("too-many-urls", "warning", message))

    def _append(self, piece: Piece) -> None:
        """Formats without a limit are written as they come."""
        if self._stream is None:
            path, raw = self._staging.create(self._path)
            self._stream = GzipOrPlain(path, raw, self._gzipped)
            self._stream.write(self._frame(frozenset()).head)
        self._stream.write(piece.data)


@contextmanager
def written(staging: Staging, path: Path, gzipped: bool) -> Iterator[tuple[Path, IO[bytes]]]:
    """A temporary file beside a target, compressed or not, to be written in one go."""
    temporary, raw = staging.create(path)
    stream = GzipOrPlain(temporary, raw, gzipped)
    with stream:
        yield temporary, stream.file
