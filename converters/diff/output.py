"""Parts of a comparison as files: entries in any format that is written, and a table of everything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

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


def write_entries(
    entries: Iterable[Entry], path: str | os.PathLike[str], ledger: Ledger, registry: Registry, base_url: str | None
) -> None:
    """Write entries in the format that the name tells, in parts if they outgrow one file.

    None of them make an empty file, so that those of an earlier comparison are not taken for these. What the format
    can't hold is said in the ledger. Raises UrlsetError.
    """
    target = registry.for_target(os.fspath(path))
    own, losses = Ledger(), steps.Losses(target)
    try:
        with FileSet(Path(path), target, registry.writer("sitemap-index"), own, base_url=base_url) as files:
            add_each(files, losses.watch(entries), target, own)
            losses.report(own, "warn")
            files.commit()
    except OSError as error:
        raise _failure(error, path) from error
    ledger.outputs.extend(own.outputs)
    for finding in own.findings:
        ledger.add(finding)


def write_csv(path: str | os.PathLike[str], rows: Iterable[tuple[str, ...]], ledger: Ledger) -> None:
    """Write the rows of a table under COLUMNS. Raises WriteError, OptionError."""
    final = Path(path)
    check_file(final, "csv (--csv)")
    try:
        with Staging(Place.beside(final), ledger) as staging:
            temporary, raw = staging.create(final)
            with GzipOrPlain(temporary, raw, final.suffix.lower() == ".gz") as stream:
                stream.file.writelines(map(_line, chain([COLUMNS], rows)))
            staging.move([Move(temporary, final)])
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
