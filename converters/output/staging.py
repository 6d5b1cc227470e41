"""Files that appear at once or not at all.

What is written goes to temporary files first, in a hidden folder beside the target. Only when all of it is there, and
on the disk, do the names change, in the order that the caller gives; if one change fails, those before it are undone,
and if the process is killed, the next run finishes them. Whatever ends the job before that leaves the old files
untouched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, NamedTuple, Self

from urlset.converters.output.durability import sync_file, sync_folders
from urlset.converters.output.journal import Journal, Step
from urlset.converters.output.workspace import Place, Workspace, claim, settle, sweep
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.ledger import Ledger


class Move(NamedTuple):
    """A temporary file and the name that it gets; ``backup`` is a name under which the file that was there stays."""

    temporary: Path
    final: Path
    backup: Path | None = None


class Staging:
    """The temporary files of one job. Use as a context manager: leaving it removes those that were not moved.

    ``place`` is where they lie, and all targets are below its folder. What a run left there that was killed is settled
    first, and told in the ledger. Raises OptionError if another run is at work there.
    """

    def __init__(self, place: Place, ledger: Ledger) -> None:
        self._place = place
        self._ledger = ledger
        self._space: Workspace | None = None
        self._count = 0
        self._far: list[Path] = []  # beside targets on other file systems
        settle(place, ledger)
        sweep(place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        space, self._space = self._space, None
        if space is None:
            return
        for path in self._far if not space.pending else ():
            path.unlink(missing_ok=True)
        space.close()

    @property
    def folder(self) -> Path:
        """The folder of the temporary files, which is made when it is first asked for."""
        if self._space is None:
            self._place.folder.mkdir(parents=True, exist_ok=True)
            self._space = claim(self._place, self._ledger)
        return self._space.folder

    def create(self, beside: Path) -> tuple[Path, IO[bytes]]:
        """A new file for a target, with the rights that a new file gets there. Raises WriteError."""
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            path = self._new(beside)
            return path, path.open("xb")
        except OSError as error:
            if isinstance(error, WriteError):
                raise
            raise WriteError(f"can't be written: {error.strerror}", source=str(beside)) from error

    def _new(self, beside: Path) -> Path:
        """A name on the file system of the target, since files are not renamed from one to another."""
        folder = self.folder
        self._count += 1
        if folder.stat().st_dev == beside.parent.stat().st_dev:
            return folder / f"{self._count}.tmp"
        path = beside.with_name(f".{beside.name}.{os.getpid()}-{id(self):x}-{self._count}.tmp")
        self._far += [path, path.with_suffix(".old")]
        return path

    def move(self, moves: Sequence[Move], stale: Iterable[Path] = ()) -> None:
        """Give the files their names, one after the other, and remove what is ``stale``: all of it or nothing.

        A file that is replaced keeps its rights. Raises OptionError for a target that is no file, else WriteError.
        """
        for move in moves:
            check_target(move.final)
        try:
            for move in moves:
                _make_ready(move)
            steps = [*map(_step, moves), *(self._removal(path) for path in stale if os.path.lexists(path))]
            if len(steps) == 1 and steps[0].made is not None and steps[0].backup is None:
                steps[0].made.replace(steps[0].final)  # one rename is whole or absent as it is
                sync_folders([steps[0].final.parent])
            elif steps:
                Journal(self.folder, self._place.folder, steps).carry_out()
        except OSError as error:
            where = error.filename2 or error.filename or (moves[-1].final if moves else None)
            raise WriteError(f"can't be moved into place: {error.strerror}", source=str(where)) from error

    def put(self, moves: Sequence[Move]) -> None:
        """Give the files their names in a folder that nobody sees yet, so that there is no way back to keep open."""
        for move in moves:
            sync_file(move.temporary)
            move.temporary.replace(move.final)
        inside = (folder for move in moves for folder in move.final.parents)
        sync_folders(folder for folder in inside if folder.is_relative_to(self.folder))

    def _removal(self, path: Path) -> Step:
        self._count += 1
        return Step(None, path, self.folder / f"{self._count}.old")


def _make_ready(move: Move) -> None:
    sync_file(move.temporary)  # before its rights become those of a file that may not be read
    if move.final.exists():
        move.temporary.chmod(stat.S_IMODE(move.final.stat().st_mode))


def _step(move: Move) -> Step:
    there = os.path.lexists(move.final)
    kept = move.temporary.with_suffix(".old") if there else None
    return Step(move.temporary, move.final, kept, move.backup if there else None)


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
