"""SQLite's temporary database: tables beyond memory, on disk, and gone when the job ends, however it ends.

On Unix its files lose their names as soon as they are open, so that nothing is left of a job that was killed.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path

from urlset.formats.vocabulary.temporary import failure

CACHE = 64 * 1024
"""KiB of a database that stay in memory, and as many again while it sorts."""

_is_posix = os.name == "posix"
_VARIABLES = ("SQLITE_TMPDIR", "TMPDIR")
_FOLDERS = ("/var/tmp", "/usr/tmp", "/tmp")  # noqa: S108 - where SQLite looks (sqlite.org/tempfiles.html, 5)


@contextmanager
def temporary(cache: int = CACHE) -> Iterator[sqlite3.Connection]:
    """An empty database. Raises WriteError, with the folder, if its files can't be written there."""
    _folder()
    with failing_with_folder(), closing(connect(cache)) as connection:
        yield connection


def connect(cache: int) -> sqlite3.Connection:
    """An empty database of which so many KiB stay in memory: with less in it, no file is made."""
    connection = sqlite3.connect("", isolation_level=None)
    # Nothing of it is worth keeping, so nothing is synced, rolled back or wiped.
    for pragma in (
        f"cache_size=-{cache}",
        "temp_store=FILE",
        "journal_mode=OFF",
        "synchronous=OFF",
        "locking_mode=EXCLUSIVE",
        "secure_delete=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN")
    return connection


@contextmanager
def failing_with_folder() -> Iterator[None]:
    """Raise WriteError, with the folder, where a database can't write there."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise failure(str(error), _folder()) from error


def _folder() -> str:
    """Where SQLite puts temporary files; it would pass over a folder of the user's choice that it can't use."""
    if not _is_posix:
        return tempfile.gettempdir()
    chosen = next((folder for name in _VARIABLES if (folder := os.environ.get(name))), None)
    if chosen is None:
        return next((folder for folder in _FOLDERS if _usable(folder)), os.curdir)
    if not _usable(chosen):
        raise failure("it is no folder that can be written to", chosen)
    return chosen


def _usable(folder: str) -> bool:
    return Path(folder).is_dir() and os.access(folder, os.W_OK | os.X_OK)


def encoded(text: str) -> bytes:
    """A text as the database holds it: bytes in the order of code points, halves of surrogate pairs too."""
    return text.encode("utf-8", "surrogatepass")


def digest(key: str) -> bytes:
    """128 bits that stand for a key: of 10 million keys two are alike once in 10^24 runs."""
    return blake2b(encoded(key), digest_size=16).digest()
