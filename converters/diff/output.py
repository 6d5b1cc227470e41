"""Parts of a comparison as files: entries in any format that is written, and a table of everything."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Self

from urlset.converters import steps
from urlset.converters.convert import add_each
from urlset.converters.diff.rows import Change
from urlset.converters.output import FileSet
from urlset.converters.output.compression import GzipOrPlain
from urlset.converters.output.staging import Move, Staging, check_target
from urlset.converters.output.workspace import Place
from urlset.formats.tables.rows import join_row
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, UrlsetError, WriteError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.record import decimal_text
from urlset.formats.vocabulary.registry import Registry

COLUMNS = ("kind", "loc", "old_loc", "field", "old", "new")


def check_file(path: str | os.PathLike[str], flag: str) -> None:
    """Raise OptionError unless the path can be that of a file."""
    if os.fspath(path) == "-":
        raise OptionError(f"{flag} names a file; standard output has the comparison", value="-")
    check_target(Path(path))


@dataclass
class Files:
    """The files of one comparison: all are written aside first, and :meth:`commit` moves them into place.

    Use as a context manager: leaving it without that leaves what was there before.
    """

    ledger: Ledger
    _moves: list[tuple[str | os.PathLike[str], Callable[[], None]]] = field(default_factory=list)
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self._stack.__exit__(*details)  # type: ignore[arg-type]

    def add_entries(
        self, entries: Iterable[Entry], path: str | os.PathLike[str], registry: Registry, base_url: str | None
    ) -> None:
        """Write entries in the format that the name tells, in parts if they outgrow one file.

        None of them make an empty file, so that those of an earlier comparison are not taken for these. What the format
        can't hold is said in the ledger. Raises UrlsetError.
        """
        target = registry.for_target(os.fspath(path))
        own, losses = Ledger(), steps.Losses(target)
        with _explained(path):
            index = registry.writer("sitemap-index")
            files = self._stack.enter_context(FileSet(Path(path), target, index, own, base_url=base_url))
            add_each(files, losses.watch(entries), target, own)
            losses.report(own, "warn")
            files.prepare()

        def move() -> None:
            files.commit()
            self.ledger.outputs.extend(own.outputs)
            for finding in own.findings:
                self.ledger.add(finding)

        self._moves.append((path, move))

    def add_csv(self, path: str | os.PathLike[str], rows: Iterable[tuple[str, ...]]) -> None:
        """Write the rows of a table under COLUMNS. Raises WriteError, OptionError."""
        final = Path(path)
        check_file(final, "csv (--csv)")
        with _explained(path):
            staging = self._stack.enter_context(Staging(Place.beside(final), self.ledger))
            temporary, raw = staging.create(final)
            with GzipOrPlain(temporary, raw, final.suffix.lower() == ".gz") as stream:
                stream.file.writelines(map(_line, chain([COLUMNS], rows)))
        self._moves.append((path, lambda: staging.move([Move(temporary, final)])))

    def commit(self) -> None:
        """Move the files into place, one output after the other. Raises UrlsetError."""
        for path, move in self._moves:
            with _explained(path):
                move()


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _failure(error, path) from error


def _failure(error: OSError, path: str | os.PathLike[str]) -> UrlsetError:
    if isinstance(error, UrlsetError):
        return error
    return WriteError(f"can't be written: {error.strerror or error}", source=os.fspath(path))


def _line(cells: tuple[str, ...]) -> bytes:
    return f"{join_row(cells)}\r\n".encode("utf-8", "backslashreplace")


def entry_rows(kind: str, entries: Iterable[Entry]) -> Iterator[tuple[str, ...]]:
    """A row for each entry of one side."""
    for entry in entries:
        yield kind, entry.loc, "" if kind == "added" else entry.loc, "", "", ""


def change_rows(kind: str, changes: Iterable[Change]) -> Iterator[tuple[str, ...]]:
    """A row for each field that differs, or one without a field if none does."""
    for change in changes:
        old, new = change.old.as_dict(), change.new.as_dict()
        for name in change.names or ("",):
            yield kind, change.loc, change.old.loc, name, _cell(old.get(name)), _cell(new.get(name))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return decimal_text(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
