"""Entries to files: one file, or numbered parts and an index, moved into place as one set.

Everything is written beside its target under a temporary name first; only when all of it is there do the names
change, the index last. Whatever ends the job before that leaves the old set untouched. The same entries give the same
bytes: no name and no time stand in a gzip header.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, Self

from urlset.converters.gzip_output import GzipOrPlain
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format, Frame, Piece, Writer
from urlset.formats.vocabulary.ledger import Ledger, Output
from urlset.formats.vocabulary.source import Source

Target = str | os.PathLike[str] | BinaryIO


class Limits(NamedTuple):
    """What one file may hold: entries and uncompressed bytes; None as the format has it."""

    max_urls: int | None = None
    max_bytes: int | None = None


class _Finished(NamedTuple):
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


class FileSet:
    """Writes entries to a path: to that file, or, when they outgrow one, to parts beside it and an index in its place.

    ``base_url`` is the address of the folder where the files will live; an index needs it. ``index`` is the format
    of that index. Use as a context manager: leaving it without :meth:`commit` removes everything that was written.
    """

    def __init__(
        self,
        path: Path,
        target: Format,
        index: Format,
        ledger: Ledger,
        *,
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        gzipped: bool = False,
        base_url: str | None = None,
        keep: Iterable[Path] = (),
    ) -> None:
        assert target.write is not None and index.write is not None  # noqa: S101 - the registry hands out writers
        _check_target(path)
        self._path = path
        self._target = target
        self._index = index
        self._ledger = ledger
        self._writer: Writer = target.write
        self._max_urls = limits.max_urls or self._writer.max_entries
        self._max_bytes = limits.max_bytes or self._writer.max_bytes
        self._gzipped = gzipped or path.suffix.lower() == ".gz"
        self._base_url = base_url
        self._origin = _OneOrigin()
        self._keep = {path.resolve() for path in keep}
        self._part = _Part()
        self._finished: list[_Finished] = []
        self._temporary: list[Path] = []
        self._frames: dict[frozenset[str], Frame] = {}
        self._stream: GzipOrPlain | None = None
        self.written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if self._stream is not None:
                self._stream.close()
        except OSError:
            # Closing writes the rest, which fails again where writing failed; what failed first is on its way.
            if kind is None:
                raise
        finally:
            for path in self._temporary:
                with suppress(FileNotFoundError):
                    path.unlink()

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it, OptionError if no file can hold it."""
        piece = self._writer.encode(entry)
        if self._max_urls is None and self._max_bytes is None:
            self._append(entry, piece)
        else:
            if self._base_url is None:
                self._origin.see(entry.loc)
            if not self._fits(entry, piece):
                self._next_part(entry, piece)
            self._part.add(entry, piece)
        self.written += 1

    # --- parts

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
        with self._temporary_file() as (path, stream):
            stream.write(frame.head)
            stream.writelines(part.pieces)
            stream.write(frame.tail)
        size = len(frame.head) + part.size + len(frame.tail)
        self._check_limits(part.urls, size)
        self._finished.append(_Finished(path, part.urls, size, part.newest))

    def _check_limits(self, number: int, size: int) -> None:
        """The caller may set other limits than the format's; consumers keep to the format's."""
        most, most_bytes = self._writer.max_entries, self._writer.max_bytes
        if (most is not None and number > most) or (most_bytes is not None and size > most_bytes):
            message = f"a file has {number:,} entries and {size:,} bytes; consumers read {most:,} and {most_bytes:,}"
            self._ledger.add(Finding("too-many-urls", "warning", message))

    def _append(self, entry: Entry, piece: Piece) -> None:
        """Formats without a limit are written as they come."""
        if self._stream is None:
            path, raw = self._create()
            self._stream = GzipOrPlain(path, raw, self._gzipped)
            self._stream.write(self._frame(frozenset()).head)
        self._stream.write(piece.data)

    @contextmanager
    def _temporary_file(self, gzipped: bool | None = None) -> Iterator[tuple[Path, IO[bytes]]]:
        path, raw = self._create()
        stream = GzipOrPlain(path, raw, self._gzipped if gzipped is None else gzipped)
        with stream:
            yield path, stream.file

    def _create(self) -> tuple[Path, IO[bytes]]:
        """A new file beside the target, with the rights that a new file gets here."""
        number = len(self._temporary)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            while True:
                path = self._path.with_name(f".{self._path.name}.{os.getpid()}-{id(self):x}-{number}.tmp")
                try:
                    raw = path.open("xb")
                    break
                except FileExistsError:
                    number += 1
        except OSError as error:
            raise WriteError(f"can't be written: {error.strerror}", source=str(self._path)) from error
        self._temporary.append(path)
        return path, raw

    # --- the end

    def commit(self) -> None:
        """Move everything into place, the index last, and note the outputs in the ledger."""
        moves = self._streamed() if self._stream is not None else self._parts()
        stale = self._stale({final for _, final, _ in moves})
        for _, final, _ in moves:
            _check_target(final)
        try:
            for temporary, final, output in moves:
                if final.exists():
                    temporary.chmod(stat.S_IMODE(final.stat().st_mode))
                temporary.replace(final)
                self._ledger.outputs.append(output)
            for path in stale:
                path.unlink(missing_ok=True)
                message = f"{path}, a part of an earlier run, is removed"
                self._ledger.add(Finding("part-removed", "info", message, value=str(path)))
        except OSError as error:
            raise WriteError(f"can't be moved into place: {error.strerror}", source=str(self._path)) from error

    def _streamed(self) -> list[tuple[Path, Path, Output]]:
        assert self._stream is not None  # noqa: S101
        self._stream.write(self._frame(frozenset()).tail)
        self._stream.close()
        final = self._gz_name(self._path)
        return [(self._stream.path, final, self._output(final, self.written, self._stream.size))]

    def _parts(self) -> list[tuple[Path, Path, Output]]:
        if self._part.urls or not self._finished:
            self._finish_part()
        if len(self._finished) == 1:
            (part,) = self._finished
            final = self._gz_name(self._path)
            return [(part.path, final, self._output(final, part.urls, part.size))]
        names = [self._part_name(number) for number in range(1, len(self._finished) + 1)]
        moves = [
            (part.path, final, self._output(final, part.urls, part.size))
            for part, final in zip(self._finished, names, strict=True)
        ]
        return [*moves, self._index_file(names)]

    def _index_file(self, names: list[Path]) -> tuple[Path, Path, Output]:
        writer = self._index.write
        assert writer is not None  # noqa: S101
        if writer.max_entries is not None and len(names) > writer.max_entries:
            message = f"{len(names):,} parts are more than the {writer.max_entries:,} that an index may list"
            raise OptionError(f"{message}; raise --max-urls or --max-bytes")
        base = self._folder()
        frame = writer.frame(frozenset())
        children = [
            writer.encode(Entry(loc=base + name.name, lastmod=part.newest)).data
            for name, part in zip(names, self._finished, strict=True)
        ]
        body = b"".join([frame.head, *children, frame.tail])
        gzipped = self._path.suffix.lower() == ".gz"
        with self._temporary_file(gzipped) as (path, stream):
            stream.write(body)
        output = Output(str(self._path), self._index.name, len(names), len(body), gzipped)
        return path, self._path, output

    def _folder(self) -> str:
        """The address of the folder where the parts will live."""
        if self._base_url is not None:
            if urls.split(self._base_url).query is not None or urls.split(self._base_url).fragment is not None:
                message = "the parts need the address of a folder, and this one has a query or fragment"
                raise OptionError(message, value=self._base_url)
            return self._base_url.rstrip("/") + "/"
        origin = self._origin.value
        if origin is None:
            message = "an index needs the address of its parts, and the entries are on several hosts"
            raise OptionError(f"{message}; name it with --base-url")
        message = f"the parts are taken to live at {origin}/; name another place with --base-url"
        self._ledger.open(str(self._path)).find("base-url-assumed", message, value=f"{origin}/")
        self._ledger.accounts.pop()
        return f"{origin}/"

    def _output(self, final: Path, number: int, size: int) -> Output:
        return Output(str(final), self._target.name, number, size, self._gzipped)

    def _gz_name(self, path: Path) -> Path:
        return path.with_name(f"{path.name}.gz") if self._gzipped and path.suffix.lower() != ".gz" else path

    def _part_name(self, number: int) -> Path:
        plain = self._path.name.removesuffix(".gz")
        name = Path(plain)
        return self._gz_name(self._path.with_name(f"{name.stem}-{number}{name.suffix}"))

    def _stale(self, written: set[Path]) -> list[Path]:
        """Parts of an earlier, longer run: what the old index here lists under our names, and we did not write."""
        stem = Path(self._path.name.removesuffix(".gz")).stem
        ours = re.compile(re.escape(stem) + r"-[1-9][0-9]*\.[a-z]+(?:\.gz)?")
        names = {name for name in self._listed_before() if ours.fullmatch(name)}
        found = [path for name in sorted(names) if (path := self._path.with_name(name)) not in written]
        return [path for path in found if path.resolve() not in self._keep]

    def _listed_before(self) -> Iterator[str]:
        if self._index.read is None or not self._path.is_file():
            return
        with Source.from_path(self._path) as old:
            head = old.head()
            if b"<sitemapindex" in head:
                from urlset.formats.vocabulary.format import ReadOptions

                account = Ledger().open(str(self._path))
                for child in self._index.read(old, account, ReadOptions()):
                    yield child.loc.rpartition("/")[2]


def _check_target(path: Path) -> None:
    """Raise OptionError unless the path is that of a file, or of nothing yet: a device or a pipe is never replaced."""
    try:
        mode = path.stat().st_mode if path.name not in ("", "..") else stat.S_IFDIR
    except FileNotFoundError:
        return
    except OSError as error:
        raise OptionError(f"can't be written: {error.strerror}", source=str(path)) from error
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe; write to - instead"
        raise OptionError(f"the output must be a file, and this is {what}", source=str(path))


class _OneOrigin:
    """The origin of all entries seen, as long as it is one."""

    def __init__(self) -> None:
        self.value: str | None = None
        self._prefix = ""
        self._several = False

    def see(self, loc: str) -> None:
        if self._several or (self._prefix and loc.startswith(self._prefix)):
            return
        origin = urls.origin(urls.to_uri(loc))
        if self.value is None:
            self.value = origin
            self._prefix = f"{origin}/"
        elif origin != self.value:
            self.value, self._several = None, True
