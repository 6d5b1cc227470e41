"""Entries to standard output, or to a stream of the caller's: all of them at the end, or nothing."""

from __future__ import annotations

import shutil
import sys
import tempfile
from typing import IO, BinaryIO, Self, cast

from urlset.converters.gzip_output import gzip_or_plain
from urlset.converters.parts import Limits
from urlset.converters.sheets import check_limits
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.format import Format, Piece, Sheet
from urlset.formats.vocabulary.ledger import Ledger, Output

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
        self._max_urls, self._max_bytes = limits.or_those_of(target.write)
        self._gzipped = gzipped
        self._spool = tempfile.SpooledTemporaryFile(SPOOL)  # noqa: SIM115 - closed in __exit__
        self._needs: frozenset[str] = frozenset()
        self._size = 0
        opened = self._writer.sheet
        self._sheet: Sheet | None = None if opened is None else opened(cast("IO[bytes]", self._spool))
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sheet is not None:
            self._sheet.discard()
        self._spool.close()

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises OptionError where it would take a second file."""
        piece = self._piece(entry)
        self._needs |= piece.needs
        self._size += len(piece.data)
        self.written += 1
        frame = self._writer.frame(self._needs)
        size = len(frame.head) + self._size + len(frame.tail)
        too_many = self._max_urls is not None and self.written > self._max_urls
        if too_many or (self._max_bytes is not None and size > self._max_bytes):
            raise OptionError("the output does not fit into one file; write to a path, so that it can be split")
        self._spool.write(piece.data)

    def _piece(self, entry: Entry) -> Piece:
        """The entry as bytes; nothing where a sheet writes it."""
        if self._sheet is None:
            return self._writer.encode(entry)
        self._sheet.add(entry)
        return Piece(b"")

    def commit(self) -> None:
        """Copy everything to the stream. A reader that went away ends it quietly: BrokenPipeError is the caller's."""
        if self._sheet is not None:
            self._sheet.close()
            self._size = self._spool.tell()
        frame = self._writer.frame(self._needs)
        if self._stream is None and sys.stdout is None:
            raise WriteError("it is closed", source="standard output")
        stream = sys.stdout.buffer if self._stream is None else self._stream
        with gzip_or_plain(stream, self._gzipped) as out:
            out.write(frame.head)
            self._spool.seek(0)
            shutil.copyfileobj(self._spool, out, 1 << 16)
            out.write(frame.tail)
        stream.flush()
        size = len(frame.head) + self._size + len(frame.tail)
        self._ledger.outputs.append(Output("-", self._target.name, self.written, size, self._gzipped))
