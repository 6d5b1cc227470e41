"""Files that appear at once or not at all.

What is written goes to temporary files beside the targets first. Only when all of it is there do the names change, in
the order that the caller gives; if one change fails, those before it are undone. Whatever ends the job before that
leaves the old files untouched.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, NamedTuple, Self

from urlset.formats.vocabulary.errors import OptionError, WriteError


class Move(NamedTuple):
    """A temporary file and the name that it gets; ``backup`` is a name under which the file that was there stays."""

    temporary: Path
    final: Path
    backup: Path | None = None


class Staging:
    """The temporary files of one job. Use as a context manager: leaving it removes those that were not moved."""

    def __init__(self) -> None:
        self._temporary: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clean()

    def clean(self) -> None:
        """Remove the files that were not moved."""
        for path in self._temporary:
            with suppress(FileNotFoundError):
                path.unlink()
        self._temporary.clear()

    def create(self, beside: Path) -> tuple[Path, IO[bytes]]:
        """A new file beside a target, with the rights that a new file gets there. Raises WriteError."""
        number = len(self._temporary)
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            while True:
                path = beside.with_name(f".{beside.name}.{os.getpid()}-{id(self):x}-{number}.tmp")
                try:
                    raw = path.open("xb")
                    break
                except FileExistsError:
                    number += 1
        except OSError as error:
            raise WriteError(f"can't be written: {error.strerror}", source=str(beside)) from error
        self._temporary.append(path)
        return path, raw

    def move(self, moves: Sequence[Move], stale: Iterable[Path] = ()) -> None:
        """Give the files their names, one after the other, and remove what is ``stale``: all of it or nothing.

        A file that is replaced keeps its rights. Raises OptionError for a target that is no file, else WriteError.
        """
        for move in moves:
            check_target(move.final)
        with ExitStack() as undo:
            done = _Undoable(undo, self)
            try:
                for move in moves:
                    done.replace(move)
                for path in stale:
                    done.remove(path)
            except OSError as error:
                where = error.filename2 or error.filename or (moves[-1].final if moves else None)
                raise WriteError(f"can't be moved into place: {error.strerror}", source=str(where)) from error
            undo.pop_all()

    def aside(self, path: Path) -> Path:
        """A second name for a file, beside it, that is removed in the end."""
        number = len(self._temporary)
        aside = path.with_name(f".{path.name}.{os.getpid()}-{id(self):x}-{number}.old")
        self._temporary.append(aside)
        _double(path, aside)
        return aside


class _Undoable:
    """Changes of names, each with the way back on a stack."""

    def __init__(self, undo: ExitStack, staging: Staging) -> None:
        self._undo = undo
        self._staging = staging

    def replace(self, move: Move) -> None:
        """Put a file in the place of another one, or of none."""
        if move.final.exists():
            move.temporary.chmod(stat.S_IMODE(move.final.stat().st_mode))
            if move.backup is not None:
                _double(move.final, move.backup)
                self._undo.callback(move.backup.unlink, missing_ok=True)
            self._keep(move.final)
        else:
            self._undo.callback(move.final.unlink, missing_ok=True)
        move.temporary.replace(move.final)

    def remove(self, path: Path) -> None:
        """Remove a file that may be there."""
        if path.exists():
            self._keep(path)
            path.unlink()

    def _keep(self, path: Path) -> None:
        aside = self._staging.aside(path)
        self._undo.callback(aside.replace, path)


def _double(path: Path, second: Path) -> None:
    """A second name for a file, or a copy where the file system has one name for each."""
    try:
        second.hardlink_to(path)
    except OSError:
        shutil.copy2(path, second)


def check_target(path: Path) -> None:
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
