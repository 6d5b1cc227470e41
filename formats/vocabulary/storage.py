"""Where the bytes of a source lie: memory, a file, a stream that can be rewound, or one that can't and is kept."""

from __future__ import annotations

import io
import os
import stat
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from urlset.formats.vocabulary.errors import OptionError, SourceError, UrlsetError
from urlset.formats.vocabulary.gzip_stream import Readable
from urlset.formats.vocabulary.limits import MIB
from urlset.formats.vocabulary.temporary import Temporary

SPOOL_MEMORY = 8 * MIB
"""Bytes of a stream that can't be rewound that are kept in memory; more go to a temporary file."""

_CAUSES: dict[type[Exception], str] = {
    FileNotFoundError: "there is no such file",
    IsADirectoryError: "it is a folder, not a file",
    PermissionError: "permission denied",
}


class Handle(Protocol):
    """An open document."""

    def read(self, size: int = -1, /) -> bytes:
        """So many bytes; fewer, but one, may come."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class Storage(Protocol):
    """Where the bytes of a source lie. ``open`` gives them from the beginning, ``size`` says how many there are."""

    def open(self) -> Handle:
        """A handle of its own."""
        ...

    def size(self) -> int | None:
        """Bytes, where that is known without reading them."""
        ...

    def close(self) -> None:
        """Close what it holds."""
        ...


class Memory:
    """Bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self) -> Handle:
        """A handle at the beginning."""
        return io.BytesIO(self._data)

    def size(self) -> int:
        """How many bytes there are."""
        return len(self._data)

    def close(self) -> None:
        """There is nothing to close."""


class File:
    """A path. What is no regular file (a named pipe, ``/dev/fd/63``) can be read once and goes to a spool."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pipe: Spool | None = None

    def open(self) -> Handle:
        """A handle at the beginning."""
        if self._pipe:
            return self._pipe.open()
        file = self._path.open("rb", buffering=0)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        self._pipe = Spool(file, owned=file)
        return self._pipe.open()

    def size(self) -> int | None:
        """How many bytes there are, if that is known."""
        try:
            found = self._path.stat()
        except (OSError, ValueError):  # opening it says what is wrong
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def close(self) -> None:
        """Close what is open."""
        if self._pipe:
            self._pipe.close()


_CHEAP_TO_SEEK = (io.BytesIO, io.FileIO, io.BufferedReader, io.BufferedRandom)
"""A GzipFile, say, would have to be unpacked to find its end."""


class Window:
    """A seekable stream from where it stood. Each handle has its own position in it; an owned one is closed with it."""

    def __init__(self, stream: Any, owned: bool = False) -> None:
        self._stream = stream
        self._owned = owned
        self._start: int = stream.tell()

    def open(self) -> Handle:
        """A handle at the beginning."""
        return _Cursor(self)

    def read_at(self, position: int, size: int) -> bytes:
        """Bytes from a place on."""
        self._stream.seek(self._start + position)
        return _some_bytes(self._stream.read(size))

    def size(self) -> int | None:
        """How many bytes there are, if that is known."""
        if not isinstance(self._stream, _CHEAP_TO_SEEK):
            return None
        end = self._stream.seek(0, io.SEEK_END)
        self.rewind()
        return max(0, end - self._start)

    def rewind(self) -> None:
        """Put a stream of the caller's back where it stood."""
        if not getattr(self._stream, "closed", False):
            self._stream.seek(self._start)

    def close(self) -> None:
        """Close what is open."""
        if self._owned:
            self._stream.close()
        else:
            self.rewind()


class Spool:
    """A stream that can be read once, kept in a temporary file while it is read."""

    def __init__(self, stream: Readable, owned: IO[bytes] | None = None) -> None:
        self._stream = stream
        self._kept = Temporary(SPOOL_MEMORY)
        self._length = 0
        # Many a source is made in passing and never closed.
        self._close = weakref.finalize(self, _close_both, self._kept, owned)

    def open(self) -> Handle:
        """A handle at the beginning."""
        return _Cursor(self)

    def read_at(self, position: int, size: int) -> bytes:
        """Bytes from a place on."""
        if position < self._length:
            self._kept.seek(position)
            return self._kept.read(min(size, self._length - position))
        data = _some_bytes(self._stream.read(size))
        self._kept.seek(self._length)
        self._kept.write(data)
        self._length += len(data)
        return data

    def size(self) -> None:
        """Nobody knows before the end."""
        return

    def rewind(self) -> None:
        """Nothing to put back: what was read of the stream is gone from it."""

    def close(self) -> None:
        """Close what is open."""
        self._close()


def _close_both(kept: Handle, owned: Handle | None) -> None:
    kept.close()
    if owned:
        owned.close()


class _Cursor:
    """A reading position of its own in something shared."""

    def __init__(self, shared: Window | Spool) -> None:
        self._shared = shared
        self._position = 0

    def read(self, size: int = -1, /) -> bytes:
        """So many bytes. Raises SourceError."""
        data = self._shared.read_at(self._position, size)
        self._position += len(data)
        return data

    def close(self) -> None:
        """Close what is open."""
        self._shared.rewind()


class Guarded:
    """A handle whose failures name the source, and which says how far it has come."""

    def __init__(self, origin: Storage, name: str, reached: Callable[[int], None]) -> None:
        self._name = name
        self._reached = reached
        self._position = 0
        try:
            self._handle = origin.open()
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL, a closed stream
            raise self._failure(error, "opened") from error

    def read(self, size: int = -1, /) -> bytes:
        """So many bytes. Raises SourceError, or WriteError if they can't be kept."""
        try:
            data = self._handle.read(size)
        except UrlsetError:  # of a temporary file, say
            raise
        except OSError as error:
            raise self._failure(error, "read") from error
        self._position += len(data)
        self._reached(self._position)
        return data

    def close(self) -> None:
        """Close what is open."""
        self._handle.close()

    def _failure(self, error: OSError | ValueError, what: str) -> SourceError:
        cause = _CAUSES.get(type(error)) or getattr(error, "strerror", None) or str(error)
        return SourceError(f"{self._name} can't be {what}: {cause}", source=self._name)


def _some_bytes(data: object) -> bytes:
    """Check what a stream of the caller's gave: it may be one of text, or one that does not wait."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    if data is None:
        raise BlockingIOError("the stream does not wait for its data")
    raise OptionError(f"expected a binary stream, found one that gives {type(data).__name__}")


def is_seekable(stream: Readable) -> bool:
    """Whether a stream of the caller's can be rewound."""
    ask = getattr(stream, "seekable", None)
    return bool(ask and ask())


def standard_input() -> IO[bytes]:
    """Standard input, in bytes. Raises SourceError."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise SourceError("standard input is not available", source="<stdin>")
    return stream  # type: ignore[no-any-return]  # sys.stdin may have been replaced by anything
