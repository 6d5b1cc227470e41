"""Entries to one file after another, each as full as its limits allow."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from urlset.converters.output.fill import Fill, Frames, Limits
from urlset.converters.output.part_file import BLOCK, PartFile
from urlset.converters.output.staging import Staging
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Piece, Writer
from urlset.formats.vocabulary.ledger import Ledger


class Finished(NamedTuple):
    """A part that is written, under its temporary name; ``size`` is in bytes before compression."""

    path: Path
    urls: int
    size: int
    newest: LastMod | None


class Parts:
    """Writes entries to temporary files: one, or as many as the limits ask for.

    A part ends before the entry that would be one too many, or take one byte too many (escapes and the end of the file
    counted; sitemaps.org), or hold one news block too many (Google news sitemaps). The limit of 1,000 images is one of
    a URL, not of a file (Google image sitemaps): an entry beyond it is written and gets a finding.
    """

    def __init__(
        self, path: Path, writer: Writer, staging: Staging, ledger: Ledger, limits: Limits, gzipped: bool
    ) -> None:
        self._path = path
        self._writer = writer
        self._encode = writer.encode
        self._encode_plain = writer.encode_plain
        self._staging = staging
        self._ledger = ledger
        self._limits = limits.or_those_of(writer)
        self._gzipped = gzipped
        self._frames = Frames(writer)
        self._finished: list[Finished] = []
        self._before = 0
        self._begin()

    def _begin(self) -> None:
        self._fill = Fill(self._frames, self._limits, self._writer.max_news)
        self._file = PartFile(self._staging, self._path, self._gzipped, settled=not self.limited)
        self._waiting: list[bytes] = []
        self._ahead = BLOCK  # the size of the part at which what waits is written

    @property
    def limited(self) -> bool:
        """Whether there may be more than one."""
        return self._limits != (None, None)

    @property
    def written(self) -> int:
        """Entries so far."""
        return self._before + self._fill.urls

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it, OptionError if no file can hold it."""
        piece = self._encode(entry)
        if not self._fill.take(entry, piece):
            self._next_part(entry, piece)
        self._waiting.append(piece[0])
        if piece[1]:
            look_at_images(entry, self._writer, self._ledger)
        if self._fill.size >= self._ahead:
            self._write()

    def add_plain(self, core: Core) -> bool:
        """Write many entries at once, if all of them are plain and fit into the file; else write nothing."""
        data = self._encode_plain(core) if self._encode_plain is not None else None
        if data is None or not self._fill.take_plain(core, len(data)):
            return False
        self._waiting.append(data)
        if self._fill.size >= self._ahead:
            self._write()
        return True

    def finish(self) -> list[Finished]:
        """The files, in order; one without entries if there were none."""
        if self._fill.urls or not self._finished:
            self._finish_part()
        return self._finished

    def close(self) -> None:
        """Close what is open."""
        self._file.close()

    def _write(self) -> None:
        self._file.write(b"".join(self._waiting), self._fill.frame)
        self._waiting.clear()
        self._ahead = self._fill.size + BLOCK

    def _next_part(self, entry: Entry, piece: Piece) -> None:
        if self._fill.urls:
            self._finish_part()
        if not self._fill.take(entry, piece):
            most = self._limits.max_bytes
            message = f"{most} bytes can't hold the entry {entry.loc}"
            raise OptionError(f"{message}; raise --max-bytes", value=str(most))

    def _finish_part(self) -> None:
        fill = self._fill
        path = self._file.finish(b"".join(self._waiting), fill.frame)
        self._check_limits(fill.urls, fill.total)
        self._finished.append(Finished(path, fill.urls, fill.total, fill.newest))
        self._before += fill.urls
        self._begin()

    def _check_limits(self, number: int, size: int) -> None:
        """The caller may set other limits than the format's; consumers keep to the format's."""
        most, most_bytes = self._writer.max_entries, self._writer.max_bytes
        if (most is not None and number > most) or (most_bytes is not None and size > most_bytes):
            message = f"a file has {number:,} entries and {size:,} bytes; consumers read {most:,} and {most_bytes:,}"
            self._ledger.add(Finding("too-many-urls", "warning", message))


def look_at_images(entry: Entry, writer: Writer, ledger: Ledger) -> None:
    """Tell of an entry that has more images than one may."""
    if writer.max_images is not None and len(entry.images) > writer.max_images:
        message = f"the URL has {len(entry.images):,} images; search engines take {writer.max_images:,} of one"
        source, line = (entry.origin.source, entry.origin.line) if entry.origin else (None, None)
        ledger.add(Finding("too-many-images", "warning", message, source, line, value=entry.loc))
