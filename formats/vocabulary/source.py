"""A named document that can be opened again: a file, bytes in memory, an open stream, standard input.

What it is decides how it is read, not its name: gzip is known by its first two bytes and unpacked, and what
can't be a list of URLs at all (archives, pictures, other compressions) is refused by name.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeAlias, TypedDict, Unpack, cast
from urllib.parse import urlsplit

from urlset.formats.vocabulary.errors import OptionError, ReadError
from urlset.formats.vocabulary.gzip_stream import GZIP_MAGIC, ByteStream, Readable, inflate
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.refused import REFUSED_HEAD, refused
from urlset.formats.vocabulary.reporting import Report, silent
from urlset.formats.vocabulary.storage import (
    SPOOL_MEMORY,
    File,
    Guarded,
    Memory,
    Spool,
    Storage,
    Window,
    is_seekable,
    standard_input,
)
from urlset.formats.vocabulary.temporary import Temporary

Openable: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | Readable | Source"
"""What ``Source.of`` takes."""

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
        origin: Storage,
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
            return cls.from_stream(standard_input(), name or "<stdin>", **about)
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
        return cls(File(Path(path)), name or os.fspath(path), path=Path(path), **about)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str = "<bytes>", **about: Unpack[About]) -> Source:
        """Make a source of bytes in memory."""
        return cls(Memory(bytes(data)), name, **about)

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
        if is_seekable(stream):
            return cls(Window(stream, owned), label, **about)
        return cls(Spool(stream, cast("IO[bytes]", stream) if owned else None), label, **about)

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
        with Temporary(SPOOL_MEMORY) as kept:
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
        raw = Guarded(self._origin, self.name, self._reach)
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


def _is_text(head: bytes) -> bool:
    """Whether bytes may be text in some encoding: packed ones have control characters from the start."""
    return not any(byte < 9 or 13 < byte < 27 for byte in head.replace(b"\0", b""))
