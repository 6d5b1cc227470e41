"""Entries to standard output, or to a stream of the caller's: all of them at the end, or nothing."""

from __future__ import annotations

import shutil
import sys
from typing import IO, BinaryIO, Self, cast

from urlset.converters.output.compression import gzip_or_plain
from urlset.converters.output.fill import Fill, Frames, Limits
from urlset.converters.output.part_file import BLOCK
from urlset.converters.output.parts import look_at_images
from urlset.converters.output.sheets import check_limits
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.format import Format, Piece, Sheet
from urlset.formats.vocabulary.ledger import Ledger, Output
from urlset.formats.vocabulary.temporary import Temporary

SPOOL = 8 << 20
"""Bytes for standard output that are held in memory; more go to a temporary file until the job is done."""


class StandardOutput:
    """Writes entries to a binary stream: all of them at the end, or nothing."""

    def __init__(
        self, stream: BinaryIO | None, target: Format, ledger: Ledger, *, limits: Limits, gzipped: bool
    ) -> None:
        assert target.write is not None  # noqa: S101
        if target.write.sheet is not None:
            check_limits(limits)
        self._stream = stream
        self._target = target
        self._ledger = ledger
        self._writer = target.write
        self._fill = Fill(Frames(target.write), limits.or_those_of(target.write), target.write.max_news)
        self._gzipped = gzipped
        self._spool = Temporary(SPOOL)
        opened = self._writer.sheet
        self._sheet: Sheet | None = None if opened is None else opened(cast("IO[bytes]", self._spool))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sheet is not None:
            self._sheet.discard()
        self._spool.close()

    @property
    def written(self) -> int:
        """Entries so far."""
        return self._fill.urls

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises OptionError where it would take a second file."""
        piece = self._piece(entry)
        if not self._fill.take(entry, piece):
            raise OptionError("the output does not fit into one file; write to a path, so that it can be split")
        if piece[1]:
            look_at_images(entry, self._writer, self._ledger)
        self._spool.write(piece[0])

    def add_plain(self, core: Core) -> bool:
        """Write many entries at once, if all of them are plain and fit; else write nothing."""
        if self._sheet is not None:
            fits = self._fill.fits(len(core.locs), 0)
            return fits and self._sheet.add_plain(core) and self._fill.take_plain(core, 0)
        data = self._writer.encode_plain(core) if self._writer.encode_plain is not None else None
        if data is None or not self._fill.take_plain(core, len(data)):
            return False
        self._spool.write(data)
        return True

    def _piece(self, entry: Entry) -> Piece:
        """The entry as bytes; nothing where a sheet writes it."""
        if self._sheet is None:
            return self._writer.encode(entry)
        self._sheet.add(entry)
        return Piece(b"")

    def commit(self) -> None:
        """Copy everything to the stream. A reader that went away ends it quietly: BrokenPipeError is the caller's."""
        frame, size = self._fill.frame, self._fill.total
        if self._sheet is not None:
            self._sheet.close()
            size = self._spool.tell()
        if self._stream is None and sys.stdout is None:
            raise WriteError("it is closed", source="standard output")
        stream = sys.stdout.buffer if self._stream is None else self._stream
        with gzip_or_plain(stream, self._gzipped) as out:
            out.write(frame.head)
            self._spool.seek(0)
            shutil.copyfileobj(self._spool, out, BLOCK)
            out.write(frame.tail)
        stream.flush()
        self._ledger.outputs.append(Output("-", self._target.name, self.written, size, self._gzipped))
