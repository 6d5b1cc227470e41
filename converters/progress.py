"""How far a job has come: records, bytes of the sources, and how many bytes there are.

Nothing is counted twice and nothing is asked for each entry: sources say when a block of theirs was read, and the
ledger knows the number of records by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from urlset.converters.sources.fetch import is_address
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Openable, Source

INTERVAL = 0.1
"""Seconds between two calls, at least."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come.

    ``entries`` is the number of records read, rejected ones included. ``bytes`` were read of the sources as they are
    stored, that is packed where they are packed; ``total`` is how many there are, or None where nobody can know: an
    address, a pipe, a folder, or a list whose documents are read.
    """

    entries: int
    bytes: int
    total: int | None


OnProgress: TypeAlias = Callable[[Progress], None]
"""Called at most ten times a second while a job reads, and once when everything was read."""


class Meter:
    """Watches the sources of one job for ``call``."""

    def __init__(self, call: OnProgress, ledger: Ledger, sources: Iterable[Openable] = ()) -> None:
        self._call = call
        self._ledger = ledger
        self._bytes = 0
        self._total = _total(sources)
        self._next = time.monotonic() + INTERVAL

    def watch(self, source: Source) -> None:
        """Count what is read of a source from now on."""
        source.on_read = self._add

    def forget_total(self) -> None:
        """There are more documents than those that were named."""
        self._total = None

    def tick(self) -> None:
        """Call, unless the last time was a moment ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + INTERVAL
            self.finish()

    def finish(self) -> None:
        """Call with how things stand."""
        self._call(Progress(self._ledger.counts.read, self._bytes, self._total))

    def _add(self, number: int) -> None:
        self._bytes += number
        self.tick()


def _total(sources: Iterable[Openable]) -> int | None:
    sizes = [_size(one) for one in sources]
    known = [size for size in sizes if size is not None]
    return sum(known) if sizes and len(known) == len(sizes) else None


def _size(thing: Openable) -> int | None:
    if is_address(thing):
        return None
    try:
        return Source.of(thing).size
    except UrlsetError:
        return None  # what is no source is refused, with its place, when it is opened
