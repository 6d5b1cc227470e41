"""Files that are written gzipped or plain.

No name and no time stand in a header, so the same content gives the same bytes.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self

LEVEL = 6


class GzipOrPlain:
    """A temporary file that is open for writing, compressed or not."""

    def __init__(self, path: Path, raw: IO[bytes], gzipped: bool) -> None:
        self.path = path
        self.size = 0
        self._raw = raw
        self._context = gzip_or_plain(raw, gzipped)
        self.file = self._context.__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, data: bytes) -> None:
        """Write, and count what was written before compression."""
        self.size += len(data)
        self.file.write(data)

    def close(self) -> None:
        """Finish the compression and the file."""
        if not self._raw.closed:
            try:
                self._context.__exit__(None, None, None)
            finally:
                self._raw.close()


@contextmanager
def gzip_or_plain(raw: IO[bytes], gzipped: bool) -> Iterator[IO[bytes]]:
    """A stream that writes to ``raw``, through gzip or not."""
    if not gzipped:
        yield raw
        return
    with gzip.GzipFile("", "wb", LEVEL, raw, mtime=0) as packed:
        yield packed  # type: ignore[misc]
