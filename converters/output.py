"""Entries to files: one file, or numbered parts and an index, moved into place as one set.

Everything is written beside its target under a temporary name first; only when all of it is there do the names
change, the index last. Whatever ends the job before that leaves the old set untouched. The same entries give the same
bytes: no name and no time stand in a gzip header.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Self

from urlset.converters.parts import Finished, Limits, Parts, written
from urlset.converters.sheets import Sheets
from urlset.converters.staging import Move, Staging, check_target
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger, Output
from urlset.formats.vocabulary.source import Source

Target = str | os.PathLike[str] | BinaryIO


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
        assert target.write is not None  # noqa: S101 - the registry hands out writers
        check_target(path)
        self._path = path
        self._target = target
        self._index = index
        self._ledger = ledger
        self._gzipped = gzipped or path.suffix.lower() == ".gz"
        self._base_url = base_url
        self._origin = _OneOrigin()
        self._keep = {path.resolve() for path in keep}
        self._staging = Staging()
        self._parts = (
            Parts(path, target.write, self._staging, ledger, limits, self._gzipped)
            if target.write.sheet is None
            else Sheets(path, target.write, self._staging, limits, self._gzipped)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *details: object) -> None:
        try:
            self._parts.close()
        except OSError:
            # Closing writes the rest, which fails again where writing failed; what failed first is on its way.
            if kind is None:
                raise
        finally:
            self._staging.__exit__(kind, *details)

    @property
    def written(self) -> int:
        """Entries that were written so far."""
        return self._parts.written

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it, OptionError if no file can hold it."""
        self._parts.add(entry)
        if self._base_url is None and self._parts.limited:
            self._origin.see(entry.loc)

    def commit(self) -> None:
        """Move everything into place, the index last, and note the outputs in the ledger."""
        files = self._named(self._parts.finish())
        stale = self._stale({move.final for move, _ in files})
        self._staging.move([move for move, _ in files], stale)
        self._ledger.outputs.extend(output for _, output in files)
        for path in stale:
            message = f"{path}, a part of an earlier run, is removed"
            self._ledger.add(Finding("part-removed", "info", message, value=str(path)))

    def _named(self, parts: list[Finished]) -> list[tuple[Move, Output]]:
        if len(parts) == 1:
            return [self._file(parts[0], self._gz_name(self._path))]
        names = [self._part_name(number) for number in range(1, len(parts) + 1)]
        return [*map(self._file, parts, names), self._index_file(parts, names)]

    def _file(self, part: Finished, final: Path) -> tuple[Move, Output]:
        return Move(part.path, final), Output(str(final), self._target.name, part.urls, part.size, self._gzipped)

    def _index_file(self, parts: list[Finished], names: list[Path]) -> tuple[Move, Output]:
        writer = self._index.write
        assert writer is not None  # noqa: S101
        if writer.max_entries is not None and len(names) > writer.max_entries:
            message = f"{len(names):,} parts are more than the {writer.max_entries:,} that an index may list"
            raise OptionError(f"{message}; raise --max-urls or --max-bytes")
        base = self._folder()
        frame = writer.frame(frozenset())
        children = [
            writer.encode(Entry(loc=base + name.name, lastmod=part.newest)).data
            for name, part in zip(names, parts, strict=True)
        ]
        body = b"".join([frame.head, *children, frame.tail])
        gzipped = self._path.suffix.lower() == ".gz"
        with written(self._staging, self._path, gzipped) as (path, stream):
            stream.write(body)
        return Move(path, self._path), Output(str(self._path), self._index.name, len(names), len(body), gzipped)

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
