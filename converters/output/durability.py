"""What outlasts a power cut: bytes and names that are on the disk, and copies that are whole or absent."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM}
"""What is said of folders that can't be synced: file systems that have no such thing, folders that can't be read."""


def sync_file(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    # Windows syncs only what is open for writing; elsewhere a file without that right can be synced too.
    _sync(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)


def sync_folders(folders: Iterable[Path]) -> None:
    """Wait until the names in folders are on the disk, as far as the system can tell."""
    for folder in sorted(set(folders)) if os.name != "nt" else ():
        try:
            _sync(folder, os.O_RDONLY)
        except OSError as error:
            if error.errno not in _NO_SYNC:
                raise


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def second_name(path: Path, second: Path, room: Path) -> None:
    """Give a file a second name, unless something has it; a copy, made in ``room``, where files have one name each."""
    if os.path.lexists(second):
        return
    try:
        second.hardlink_to(path)
    except OSError:
        copy = room / f"{second.name}.copy"
        shutil.copy2(path, copy, follow_symlinks=False)
        if not copy.is_symlink():
            sync_file(copy)
        copy.replace(second)
