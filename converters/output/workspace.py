"""The hidden folder beside a target in which one run at a time keeps its files until all of them are there.

A run makes a folder of a random name, locks a file in it, and renames it to the one name that belongs to the target.
Of several runs one succeeds; the others find the lock held. A lock that is free in that folder is that of a run that
was killed: its folder is settled (see journal.py) and removed. Where files can't be locked, the random name stays, and
nothing of others is touched.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from urlset.converters.output.journal import JOURNAL, UNDO
from urlset.converters.output.names import set_pattern
from urlset.converters.output.settling import Scope, UnsafeJournalError, settled
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.ledger import Ledger

if sys.platform != "win32":
    import fcntl

_LOCK = "lock"
_IN_USE = {errno.ENOTEMPTY, errno.EEXIST}
_ATTEMPTS = 100
_LONGEST = 255 - len("..urlset-") - 8
"""Bytes of a target's name for which a workspace of a random name is one that file systems take."""


class Place(NamedTuple):
    """Where the workspaces of a target lie: in which folder, and under which name.

    ``tree``: the target is not a set of one name but whatever files lie below the folder.
    """

    folder: Path
    name: str
    tree: bool = False

    @classmethod
    def beside(cls, target: Path) -> Place:
        """The place of a file; compressed or not, it is the same set."""
        return cls(target.parent.absolute(), target.name.removesuffix(".gz"))

    @property
    def held(self) -> Path:
        """The workspace of the run that holds the target."""
        return self.folder / workspace_name(self.name)

    @property
    def scope(self) -> Scope:
        """What a run at this place may change."""
        return Scope(self.held, self.folder, re.compile(set_pattern(self.name), re.DOTALL), self.tree)


def workspace_name(name: str) -> str:
    """The name of the workspace of a target; that of a long one is cut, since names have 255 bytes at most."""
    data = os.fsencode(name)
    if len(data) > _LONGEST:
        digest = hashlib.sha256(data).hexdigest()[:16]
        name = f"{data[: _LONGEST // 2].decode('utf-8', 'ignore')}~{digest}"
    return f".{name}.urlset"


def is_workspace(name: str) -> bool:
    """Whether a folder has the name of a workspace, of whatever target."""
    return re.fullmatch(r"\..+\.urlset(?:-[a-z0-9_]+)?", name, re.DOTALL) is not None


class Workspace:
    """A folder for the files of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: int | None = None

    def lock(self, flags: int = 0) -> bool:
        """Lock it; False where files can't be locked. Raises OSError as :func:`_locked` does."""
        self._lock = _locked(self.folder, flags)
        return self._lock is not None

    @property
    def pending(self) -> bool:
        """Whether there is a journal that is still to be carried out."""
        return any(os.path.lexists(self.folder / name) for name in (JOURNAL, UNDO))

    def become(self, name: Path) -> bool:
        """Take a name that nothing has, or an empty folder; False if something has it."""
        try:
            self.folder.replace(name)
        except OSError as error:
            if error.errno in _IN_USE:
                return False
            raise
        self.folder = name
        return True

    def close(self) -> None:
        """Remove the folder, unless a journal is pending, and unlock it."""
        try:
            if not self.pending:
                _remove(self.folder)
        finally:
            if self._lock is not None:
                os.close(self._lock)


def claim(place: Place, ledger: Ledger) -> Workspace:
    """A workspace for a target. Raises OptionError if a run that is alive has one, OSError if none can be made."""
    for _ in range(_ATTEMPTS):
        space = Workspace(Path(mkdtemp(prefix=f"{place.held.name}-", dir=place.folder)))
        try:
            if not space.lock(os.O_CREAT) or space.become(place.held):
                return space
            settle(place, ledger)
        except (FileNotFoundError, BlockingIOError):
            pass  # one that tidies up took the folder for left over, in the moment between making and locking it
        except BaseException:
            space.close()
            raise
        space.close()
    raise OptionError("it is in the way, and no workspace of urlset", source=str(place.held))


def settle(place: Place, ledger: Ledger) -> None:
    """Finish, take back or remove what a run left that was killed.

    Raises OptionError if it is alive, or another's, or if its journal is not one that a run here has written.
    """
    held = place.held
    if not held.is_dir() or sys.platform == "win32":
        return
    space = Workspace(held)
    try:
        locked = space.lock()
    except FileNotFoundError:
        with suppress(OSError):  # an empty folder is no hindrance, and one that is not empty may be a live one by now
            held.rmdir()
        return
    except BlockingIOError as error:
        raise OptionError("another run is writing it; try again when that is done", source=_target(place)) from error
    except PermissionError as error:
        message = f"a run of another user has not finished it; what it made is in {held}"
        raise OptionError(message, source=_target(place)) from error
    if not locked:
        return
    try:
        finding = settled(place.scope)
    except UnsafeJournalError as error:
        message = f"{held} holds a journal that is not to be trusted: {error}; look at that folder and remove it"
        raise OptionError(message, source=_target(place)) from error
    except OSError as error:
        where = f"a run that was stopped can't be finished: {error.strerror or error}"
        raise WriteError(where, source=_target(place)) from error
    finally:
        space.close()
    if finding is not None:
        ledger.add(finding)


def sweep(place: Place) -> None:
    """Remove what runs left that were killed before they held the target."""
    if sys.platform == "win32" or not place.folder.is_dir():
        return
    beginning = f"{place.held.name}-"
    try:
        names = [name for name in os.listdir(place.folder) if name.startswith(beginning) and is_workspace(name)]  # noqa: PTH208
    except PermissionError:
        return  # whoever may write into a folder need not be allowed to list it
    for space in (Workspace(place.folder / name) for name in names):
        try:
            if space.lock():
                space.close()
        except FileNotFoundError:
            with suppress(OSError):
                space.folder.rmdir()
        except (BlockingIOError, PermissionError):
            continue  # alive, or another user's


def _target(place: Place) -> str:
    return str(place.folder / place.name)


def _locked(folder: Path, flags: int = 0) -> int | None:
    """The lock file of a workspace, open and locked; None where files can't be locked.

    Raises BlockingIOError if another has it, PermissionError if it is another user's: what stands there is not to be
    trusted. Raises FileNotFoundError if there is none, or none any more.
    """
    if sys.platform == "win32":
        return None
    path = folder / _LOCK
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | flags, 0o600)
    try:
        _check_owner(folder, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # the file system has no locks
            os.close(descriptor)
            return None
        # Between opening and locking it, the one who had it may have removed it.
        if not os.path.samestat(os.fstat(descriptor), path.stat()):
            raise FileNotFoundError(errno.ENOENT, "the lock is another one by now", str(path))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_owner(folder: Path, descriptor: int) -> None:
    user = os.geteuid()
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != user or os.fstat(descriptor).st_uid != user:
        raise PermissionError(errno.EPERM, "it is another user's", str(folder))


def _remove(folder: Path) -> None:
    """Remove a workspace, the lock last: without one it must be empty. What resists is left to the next run."""
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name == _LOCK:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (folder / _LOCK).unlink(missing_ok=True)
        folder.rmdir()
