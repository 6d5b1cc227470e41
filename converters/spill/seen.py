"""Whether a key was met before, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from urlset.converters.spill.weight import IN_MEMORY

_KEY = 150  # bytes of a short string and its slot in a set
_CACHE = 192 * 1024  # KiB: every key looks into the tree at a place of its own
_INSERT = "INSERT INTO seen VALUES (?) ON CONFLICT DO NOTHING"


@contextmanager
def first_seen(room: int = IN_MEMORY) -> Iterator[Callable[[str], bool]]:
    """A function that takes a key and says whether it is the first time.

    Beyond ``room`` bytes of keys, digests of them are on disk. Raises WriteError if that can't be written.
    """
    with ExitStack() as stack:
        yield _Seen(room, stack).add


class _Seen:
    def __init__(self, room: int, stack: ExitStack) -> None:
        self._room = room
        self._stack = stack
        self._keys: set[str] = set()
        self._stored: Callable[[str], bool] | None = None

    def add(self, key: str) -> bool:
        if self._stored is not None:
            return self._stored(key)
        if key in self._keys:
            return False
        self._keys.add(key)
        self._room -= _KEY + len(key)
        if self._room < 0:
            self._stored = self._on_disk()
        return True

    def _on_disk(self) -> Callable[[str], bool]:
        from urlset.converters.spill.database import digest, temporary  # few conversions need it

        cursor = self._stack.enter_context(temporary(_CACHE)).cursor()
        cursor.execute("CREATE TABLE seen (key BLOB PRIMARY KEY) WITHOUT ROWID")
        # In order, each goes to the end of the tree.
        cursor.executemany(_INSERT, sorted((digest(key),) for key in self._keys))
        self._keys.clear()
        return lambda key: cursor.execute(_INSERT, (digest(key),)).rowcount > 0
