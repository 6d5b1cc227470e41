"""A file whose beginning is known last: what its frame declares depends on the entries in it."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

from urlset.converters.output.compression import GzipOrPlain
from urlset.converters.output.staging import Staging
from urlset.formats.vocabulary.format import Frame

BLOCK = 1 << 16
"""Bytes of entries that are gathered before they are written, and that are copied at a time."""


class PartFile:
    """Takes blocks of entries and, at the end, the frame round them; memory does not grow with the file.

    A plain file begins with the frame as it is known at the first block. If it is another one in the end, the entries
    are copied behind the right one. Entries that are to be compressed wait in a plain file, so that the compressed
    bytes depend on nothing but the contents. ``settled``: the frame hardly ever changes, so those are compressed as
    they come.
    """

    def __init__(self, staging: Staging, beside: Path, gzipped: bool, settled: bool) -> None:
        self._staging = staging
        self._beside = beside
        self._gzipped = gzipped
        self._waits = gzipped and not settled
        self._stream: GzipOrPlain | None = None
        self._head = b""

    def write(self, block: bytes, frame: Frame) -> None:
        """Write entries; ``frame`` is the one that those so far need."""
        if self._stream is None:
            self._stream = self._open(self._gzipped and not self._waits)
            if not self._waits:
                self._head = frame.head
                self._stream.write(frame.head)
        self._stream.write(block)

    def finish(self, block: bytes, frame: Frame) -> Path:
        """Write the last entries and the frame; where the file is."""
        first, self._stream = self._stream, None
        if first is None:
            return self._whole(iter((block,)), frame)
        with first:
            first.write(block)
            if not self._waits and self._head == frame.head:
                first.write(frame.tail)
                return first.path
        packed = self._gzipped and not self._waits
        path = self._whole(_behind(first.path, len(self._head), packed), frame)
        first.path.unlink()
        return path

    def close(self) -> None:
        """Close what is open."""
        if self._stream is not None:
            self._stream.close()

    def _open(self, gzipped: bool) -> GzipOrPlain:
        path, raw = self._staging.create(self._beside)
        return GzipOrPlain(path, raw, gzipped)

    def _whole(self, blocks: Iterator[bytes], frame: Frame) -> Path:
        with self._open(self._gzipped) as stream:
            stream.write(frame.head)
            for block in blocks:
                stream.write(block)
            stream.write(frame.tail)
        return stream.path


def _behind(path: Path, start: int, packed: bool) -> Iterator[bytes]:
    """What stands in a file behind its beginning."""
    with gzip.open(path) if packed else path.open("rb") as stream:
        stream.seek(start, os.SEEK_SET)
        while block := stream.read(BLOCK):
            yield block
