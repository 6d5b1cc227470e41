"""Bytes that wait in memory, or in a temporary file once they are many; errors name the folder of that file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from urlset.formats.vocabulary.errors import WriteError


class Temporary(tempfile.SpooledTemporaryFile[bytes]):
    """A file of bytes that is gone once it is closed; more than ``in_memory`` of them are on disk.

    Raises WriteError, with the folder (TMPDIR), if they can't be written there or read back.
    """

    def __init__(self, in_memory: int) -> None:
        super().__init__(max_size=in_memory)

    def rollover(self) -> None:
        """Go to disk."""
        with _told():
            super().rollover()

    def write(self, s: Any) -> int:
        """Add bytes."""
        with _told():
            return super().write(s)

    def writelines(self, iterable: Iterable[Any]) -> None:
        """Add several pieces; an error of their iterator is its own."""
        for piece in iterable:
            self.write(piece)

    def flush(self) -> None:
        """Give what is buffered to the file."""
        with _told():
            super().flush()

    # What was buffered is written before anything is read.

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        with _told():
            return super().seek(offset, whence)

    def read(self, *size: int) -> bytes:
        """So many bytes, or all that are left."""
        with _told():
            return super().read(*size)

    def close(self) -> None:
        """Let go of it; what could not be written, and was told, is tried once more by the file and fails again."""
        with suppress(OSError):
            super().close()

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except WriteError:
        raise
    except OSError as error:
        raise failure(error.strerror or str(error)) from error


def failure(reason: str, folder: str | None = None) -> WriteError:
    """The error for a folder of temporary files that can't be used; the usual folder if none is named."""
    place = folder if folder is not None else _folder()
    # In the message too, since a report names the document as the place.
    return WriteError(f"no room for temporary files: {reason}; set TMPDIR to another folder than {place}", source=place)


def _folder() -> str:
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:  # none of those that there might be
        return os.environ.get("TMPDIR", os.curdir)
