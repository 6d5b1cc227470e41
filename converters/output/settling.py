"""What a run left that was killed: its journal is read, distrusted, and carried out or taken back.

A folder may come from elsewhere, out of an archive, with a workspace and a journal in it. So nothing in a journal is
believed: before anything is touched, every path must be one that a run at this place could have written down.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from urlset.converters.output.journal import JOURNAL, UNDO, Journal, Step
from urlset.formats.vocabulary.findings import Finding

_MADE = re.compile(r"[1-9][0-9]*\.tmp")
_REMOVED = re.compile(r"[1-9][0-9]*\.old")
_FAR = re.compile(r"\..+\.[0-9]+-[0-9a-f]+-[1-9][0-9]*\.tmp", re.DOTALL)
_BACKUP = re.compile(r"\.bak[0-9]*")


class UnsafeJournalError(ValueError):
    """A journal that no run at this place has written."""


class Scope(NamedTuple):
    """What a run may change: files in ``root`` whose names match; if ``tree``, any file below it can be replaced."""

    room: Path
    root: Path
    names: re.Pattern[str]
    tree: bool

    def in_set(self, path: Path) -> bool:
        """Whether a file may belong to the set of the target."""
        return path.parent == self.root and self.names.fullmatch(path.name) is not None

    def shown(self, path: Path) -> str:
        """A path for a message."""
        return repr(path.relative_to(self.root).as_posix())


def settled(scope: Scope) -> Finding | None:
    """Finish what the journal of a run that was killed says, or take it back if the run was about to.

    Raises UnsafeJournalError, and nothing is touched then.
    """
    for name, ending in ((JOURNAL, "its set is finished"), (UNDO, "what it had done is taken back")):
        if not os.path.lexists(scope.room / name):
            continue
        steps = _steps(_content(scope.room / name), scope)
        journal = Journal(scope.room, scope.root, steps)
        journal.forward() if name == JOURNAL else journal.back()
        message = f"an earlier run was stopped while it moved files into place; {ending}"
        return Finding("set-recovered", "info", message, value=str(steps[-1].final))
    return None


def _content(path: Path) -> object:
    try:
        # A pipe would keep the run waiting, and a link would lead it elsewhere.
        if not stat.S_ISREG(path.lstat().st_mode):
            raise UnsafeJournalError("it is no file")
        with open(path, "rb", opener=_at_once) as stream:
            return json.loads(stream.read().decode("ascii"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnsafeJournalError):
            raise
        raise UnsafeJournalError("it is no list of changes") from error


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def _steps(found: object, scope: Scope) -> list[Step]:
    if not isinstance(found, list) or not found:
        raise UnsafeJournalError("it is no list of changes")
    try:
        steps = [_step(names, scope.root) for names in found]
        for step in steps:
            _check(step, scope)
    except (ValueError, OSError) as error:
        if isinstance(error, UnsafeJournalError):
            raise
        raise UnsafeJournalError("it names what can't be a file") from error
    return steps


def _step(names: object, root: Path) -> Step:
    if not isinstance(names, list) or len(names) != len(Step._fields):
        raise UnsafeJournalError("it is no list of changes")
    made, final, kept, backup = (None if name is None else _within(root, name) for name in names)
    if final is None:
        raise UnsafeJournalError("it has a change of no file")
    return Step(made, final, kept, backup)


def _within(root: Path, name: object) -> Path:
    """A path that is written as ours are; what is on the way to it is no link."""
    if not isinstance(name, str):
        raise UnsafeJournalError("it is no list of changes")
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or pure.as_posix() != name or "\0" in name:
        raise UnsafeJournalError(f"it names a file elsewhere, {name!r}")
    folder = root
    for part in pure.parts[:-1]:
        folder /= part
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise UnsafeJournalError(f"it names a file elsewhere, {name!r}")
    return root / pure


def _check(step: Step, scope: Scope) -> None:
    for path in filter(None, step):
        if path.is_dir() and not path.is_symlink():
            raise UnsafeJournalError(f"it names a folder, {scope.shown(path)}")
    _check_final(step, scope)
    for temporary in filter(None, (step.made, step.kept)):
        _check_place(temporary, step.final, scope)
    if not _is_ours(step):
        raise UnsafeJournalError("it names a temporary file that is none of ours")
    if step.backup is not None and not (scope.tree and _is_backup(step.backup, step.final)):
        raise UnsafeJournalError(f"it names a backup that is none, {scope.shown(step.backup)}")


def _check_final(step: Step, scope: Scope) -> None:
    final = step.final
    if not scope.in_set(final) and not (scope.tree and step.made is not None and scope.room not in final.parents):
        message = f"it names a file that is no part of the set, {scope.shown(final)}"
        raise UnsafeJournalError(message if scope.tree else f"{message} (if a migration was stopped, run that again)")
    # A link that is replaced is an output of that name; one that is removed was never a part.
    if step.made is None and final.is_symlink():
        raise UnsafeJournalError(f"it removes a link, {scope.shown(final)}")


def _check_place(path: Path, final: Path, scope: Scope) -> None:
    """Temporary files lie in the workspace; those of a migration beside the target if that is on another disk."""
    far = scope.tree and path.parent == final.parent and _FAR.fullmatch(path.with_suffix(".tmp").name)
    if path.parent != scope.room and not far:
        raise UnsafeJournalError(f"it names a temporary file outside the workspace, {scope.shown(path)}")


def _is_ours(step: Step) -> bool:
    """Whether temporary files have the names that we give them, and are files."""
    made, kept = step.made, step.kept
    if made is None:
        return kept is not None and _REMOVED.fullmatch(kept.name) is not None
    named = _MADE.fullmatch(made.name) or _FAR.fullmatch(made.name)
    is_file = not os.path.lexists(made) or (made.is_file() and not made.is_symlink())
    return bool(named) and is_file and kept in (None, made.with_suffix(".old"))


def _is_backup(path: Path, final: Path) -> bool:
    same = path.parent == final.parent and path.name.startswith(final.name)
    return same and _BACKUP.fullmatch(path.name, len(final.name)) is not None
