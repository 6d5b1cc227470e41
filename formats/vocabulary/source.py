"""A named document that can be opened again: a file, bytes in memory, an open stream, standard input.

What it is decides how it is read, not its name: gzip is known by its first two bytes and unpacked, and what
can't be a list of URLs at all (archives, pictures, other compressions) is refused by name.
"""

from __future__ import annotations

import io
import os
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self, TypeAlias, TypedDict, Unpack, cast
from urllib.parse import urlsplit

from urlset.formats.vocabulary.errors import OptionError, ReadError, SourceError
from urlset.formats.vocabulary.gzip_stream import GZIP_MAGIC, ByteStream, Readable, inflate
from urlset.formats.vocabulary.limits import MIB, Limits
from urlset.formats.vocabulary.refused import REFUSED_HEAD, refused
from urlset.formats.vocabulary.reporting import Report, silent

SPOOL_MEMORY = 8 * MIB
"""Bytes of a stream that can't be rewound that are kept in memory; more go to a temporary file."""

Openable: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | Readable | Source"
"""What ``Source.of`` takes."""

_CAUSES: dict[type[Exception], str] = {
    FileNotFoundError: "there is no such file",
    IsADirectoryError: "it is a folder, not a file",
    PermissionError: "permission denied",
}


_PACKED = "unsupported-compression"


class About(TypedDict, total=False):
    """What a caller may know about a source beside its bytes."""

    location: str | None
    media_type: str | None
    coding: str | None
    limits: Limits | None


class Source:
    """A document with a name, to be opened as often as needed.

    ``Source.of`` takes whatever a caller has; ``from_path``, ``from_bytes`` and ``from_stream`` are for one
    kind each. ``name`` appears in findings. ``location`` is the address that the document came from, where
    there is one; ``media_type`` is what a server said it was, ``coding`` how it said the bytes are packed for the way
    (Content-Encoding, of which gzip is known); ``path`` is the file, for sources that are one.
    ``compression`` is ``"gzip"`` or None, and known once ``head`` or ``open`` was called. ``on_read`` is told how
    many bytes, as they are stored, each block has that is read for the first time.
    """

    def __init__(
        self,
        origin: _Origin,
        name: str,
        *,
        path: Path | None = None,
        location: str | None = None,
        media_type: str | None = None,
        coding: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.location = location
        self.media_type = media_type
        self.coding = coding
        self.limits = limits or Limits()
        self.compression: str | None = None
        self.on_read: Callable[[int], None] | None = None
        self._origin = origin
        self._reached = 0
        self._head = b""
        self._head_asked = 0

    @property
    def is_folder(self) -> bool:
        """Whether the path is that of a folder, which has no bytes to open."""
        try:
            return self.path is not None and self.path.is_dir()
        except OSError:  # a path that the system can't have, such as one that is too long
            return False

    @property
    def size(self) -> int | None:
        """Bytes as they are stored, packed ones where they are packed; None for a pipe, a folder, a missing file."""
        return self._origin.size()

    @classmethod
    def of(cls, thing: Openable, name: str | None = None, **about: Unpack[About]) -> Source:
        """Make a source of a path, bytes, a binary stream, or ``"-"`` (standard input); keep a Source.

        ``about`` takes ``location``, ``media_type``, ``coding`` and ``limits``. Raises OptionError for anything else,
        text streams included.
        """
        if isinstance(thing, Source):
            return thing
        if isinstance(thing, str) and thing == "-":
            return cls.from_stream(_standard_input(), name or "<stdin>", **about)
        if isinstance(thing, (str, os.PathLike)):
            return cls.from_path(thing, name, **about)
        if isinstance(thing, (bytes, bytearray, memoryview)):
            return cls.from_bytes(thing, name or "<bytes>", **about)
        if hasattr(thing, "read"):
            return cls.from_stream(thing, name, **about)
        raise OptionError(f"expected a path, bytes or a binary stream, found {type(thing).__name__}")

    @classmethod
    def from_path(cls, path: str | os.PathLike[str], name: str | None = None, **about: Unpack[About]) -> Source:
        """Make a source of a file. It is looked at when it is opened, and may be a named pipe."""
        return cls(_File(Path(path)), name or os.fspath(path), path=Path(path), **about)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str = "<bytes>", **about: Unpack[About]) -> Source:
        """Make a source of bytes in memory."""
        return cls(_Memory(bytes(data)), name, **about)

    @classmethod
    def from_stream(
        cls, stream: Readable, name: str | None = None, *, owned: bool = False, **about: Unpack[About]
    ) -> Source:
        """Make a source of an open binary stream, which stays the caller's to close, or is closed with it (``owned``).

        A seekable one is used from where it stands, and put back there whenever reading ends. Any other is
        read once, and kept in a temporary file for the next time. Raises OptionError for a text stream.
        """
        if isinstance(stream, io.TextIOBase):
            raise OptionError("expected a binary stream, found one of text; open the file with mode 'rb'")
        own_name = getattr(stream, "name", None)
        label = name or (own_name if isinstance(own_name, str) else "<stream>")
        if _seekable(stream):
            return cls(_Window(stream, owned), label, **about)
        return cls(_Spool(stream, cast("IO[bytes]", stream) if owned else None), label, **about)

    def open(self, report: Report) -> ByteStream:
        """Open the document from its beginning: bytes, unpacked if they are gzip, within the limits.

        Faults of the compression go to ``report`` (see ``gzip_stream.inflate``). Raises SourceError if the
        document can't be opened, and ReadError (rule ``unsupported-compression``, ``not-text`` or
        ``double-compression``) if it is an archive, a picture or the like.
        """
        stream = self._unpacked(report)
        try:
            self._refuse(stream.peek(REFUSED_HEAD))
        except BaseException:
            stream.close()
            raise
        return stream

    @contextmanager
    def seekable(self, report: Report) -> Iterator[IO[bytes]]:
        """Open the document as a file in which one can go back and forth; raises as ``open`` does.

        A file that is not packed is opened itself, everything else goes to a temporary file first.
        """
        self.head(len(GZIP_MAGIC))
        if self.path is not None and self.compression is None and self.path.is_file():
            with self.path.open("rb") as file:
                yield file
            return
        with tempfile.SpooledTemporaryFile(max_size=SPOOL_MEMORY) as kept:
            with self.open(report) as stream:
                kept.writelines(stream.chunks())
            kept.seek(0)
            yield kept

    def head(self, size: int = 65_536) -> bytes:
        """Give the first ``size`` unpacked bytes and consume nothing.

        Faults are left for ``open`` to report: what comes before them is given. Raises SourceError.
        """
        if size > self._head_asked:
            with self._unpacked(silent) as stream:
                self._head, self._head_asked = stream.peek(size), size
        return self._head[:size]

    def close(self) -> None:
        """Drop what was kept for reading again. The caller's own stream stays open."""
        self._origin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Source({self.name!r})"

    def _unpacked(self, report: Report) -> ByteStream:
        raw = _Guarded(self._origin, self.name, self._reach)
        plain = ByteStream(raw, raw.close)
        try:
            packed = plain.peek(2) == GZIP_MAGIC
            self.compression = "gzip" if packed else None
            if self.coding is not None:
                return self._decoded(plain, packed, report)
            return inflate(plain, self.limits, report, on_close=plain.close) if packed else plain
        except BaseException:
            plain.close()
            raise

    def _reach(self, position: int) -> None:
        """A document is often read from its beginning again; only what is new is told."""
        if self.on_read is not None and position > self._reached:
            number, self._reached = position - self._reached, position
            self.on_read(number)

    def _decoded(self, plain: ByteStream, packed: bool, report: Report) -> ByteStream:
        """The document of a body that was packed for the way, or of which its server said so."""
        if not packed:
            message = f"the server says that the body is packed ({self.coding})"
            if not _is_text(plain.peek(REFUSED_HEAD)):
                raise ReadError(f"{message}, which is none that was asked for", source=self.name, rule=_PACKED)
            report("content-encoding-mismatch", f"{message}, and it is not; read as it is", value=self.coding)
            return plain
        stream = inflate(plain, self.limits, report, expected=2, on_close=plain.close)
        if not stream.nested and not self._is_called_gz():
            self.compression = None
        return stream

    def _is_called_gz(self) -> bool:
        """Whether the file itself is meant to be packed: many servers say of such files that they pack them."""
        return urlsplit(self.location or self.name).path.lower().endswith(".gz")

    def _refuse(self, head: bytes) -> None:
        if (found := refused(head)) is not None:
            inside = "holds" if self.compression else "is"
            raise ReadError(f"the document {inside} {found.what}", source=self.name, rule=found.rule)


class _Handle(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...
    def close(self) -> None: ...


class _Origin(Protocol):
    """Where the bytes of a source lie. ``open`` gives them from the beginning, ``size`` says how many there are."""

    def open(self) -> _Handle: ...
    def size(self) -> int | None: ...
    def close(self) -> None: ...


class _Memory:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self) -> _Handle:
        return io.BytesIO(self._data)

    def size(self) -> int:
        return len(self._data)

    def close(self) -> None:
        pass


class _File:
    """A path. What is no regular file (a named pipe, ``/dev/fd/63``) can be read once and goes to a spool."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pipe: _Spool | None = None

    def open(self) -> _Handle:
        if self._pipe:
            return self._pipe.open()
        file = self._path.open("rb", buffering=0)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        self._pipe = _Spool(file, owned=file)
        return self._pipe.open()

    def size(self) -> int | None:
        try:
            found = self._path.stat()
        except (OSError, ValueError):  # opening it says what is wrong
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def close(self) -> None:
        if self._pipe:
            self._pipe.close()


_CHEAP_TO_SEEK = (io.BytesIO, io.FileIO, io.BufferedReader, io.BufferedRandom)
"""A GzipFile, say, would have to be unpacked to find its end."""


class _Window:
    """A seekable stream from where it stood. Each handle has its own position in it; an owned one is closed with it."""

    def __init__(self, stream: Any, owned: bool = False) -> None:
        self._stream = stream
        self._owned = owned
        self._start: int = stream.tell()

    def open(self) -> _Handle:
        return _Cursor(self)

    def read_at(self, position: int, size: int) -> bytes:
        self._stream.seek(self._start + position)
        return _some_bytes(self._stream.read(size))

    def size(self) -> int | None:
        if not isinstance(self._stream, _CHEAP_TO_SEEK):
            return None
        end = self._stream.seek(0, io.SEEK_END)
        self.rewind()
        return max(0, end - self._start)

    def rewind(self) -> None:
        if not getattr(self._stream, "closed", False):
            self._stream.seek(self._start)

    def close(self) -> None:
        if self._owned:
            self._stream.close()
        else:
            self.rewind()


class _Spool:
    """A stream that can be read once, kept in a temporary file while it is read."""

    def __init__(self, stream: Readable, owned: IO[bytes] | None = None) -> None:
        self._stream = stream
        self._kept = tempfile.SpooledTemporaryFile(max_size=SPOOL_MEMORY)  # noqa: SIM115 - closed below
        self._length = 0
        # Many a source is made in passing and never closed.
        self._close = weakref.finalize(self, _close_both, self._kept, owned)

    def open(self) -> _Handle:
        return _Cursor(self)

    def read_at(self, position: int, size: int) -> bytes:
        if position < self._length:
            self._kept.seek(position)
            return self._kept.read(min(size, self._length - position))
        data = _some_bytes(self._stream.read(size))
        self._kept.seek(self._length)
        self._kept.write(data)
        self._length += len(data)
        return data

    def size(self) -> None:
        return None

    def rewind(self) -> None:
        """Nothing to put back: what was read of the stream is gone from it."""

    def close(self) -> None:
        self._close()


def _close_both(kept: _Handle, owned: _Handle | None) -> None:
    kept.close()
    if owned:
        owned.close()


class _Cursor:
    """A reading position of its own in something shared."""

    def __init__(self, shared: _Window | _Spool) -> None:
        self._shared = shared
        self._position = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._shared.read_at(self._position, size)
        self._position += len(data)
        return data

    def close(self) -> None:
        self._shared.rewind()


class _Guarded:
    """A handle whose failures name the source, and which says how far it has come."""

    def __init__(self, origin: _Origin, name: str, reached: Callable[[int], None]) -> None:
        self._name = name
        self._reached = reached
        self._position = 0
        try:
            self._handle = origin.open()
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL, a closed stream
            raise self._failure(error, "opened") from error

    def read(self, size: int = -1, /) -> bytes:
        try:
            data = self._handle.read(size)
        except OSError as error:
            raise self._failure(error, "read") from error
        self._position += len(data)
        self._reached(self._position)
        return data

    def close(self) -> None:
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


def _is_text(head: bytes) -> bool:
    """Whether bytes may be text in some encoding: packed ones have control characters from the start."""
    return not any(byte < 9 or 13 < byte < 27 for byte in head.replace(b"\0", b""))


def _seekable(stream: Readable) -> bool:
    ask = getattr(stream, "seekable", None)
    return bool(ask and ask())


def _standard_input() -> IO[bytes]:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise SourceError("standard input is not available", source="<stdin>")
    return stream  # type: ignore[no-any-return]  # sys.stdin may have been replaced by anything
