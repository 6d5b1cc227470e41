"""A line in a notebook that counts while something long is read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeAlias

from urlset.converters.progress import OnProgress, Progress

Wanted: TypeAlias = bool | OnProgress | None

PATIENCE = 1.0
"""Seconds after which the line appears, and between two changes of it."""


@contextmanager
def shown(wanted: Wanted) -> Iterator[OnProgress | None]:
    """A function that shows how far a job is: the caller's, or one that keeps a line in a notebook.

    None without a notebook, and where the line is not wanted.
    """
    if callable(wanted):
        yield wanted
        return
    display = None if wanted is False else _notebook_display()
    if display is None:
        yield None
        return
    line = _Line(display)
    try:
        yield line.tell
    finally:
        line.clear()


def _notebook_display() -> Any:
    """IPython's display function, if a kernel of a notebook runs; IPython is never imported for it."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display


class _Line:
    """One line of output that is changed in place, and empty in the end."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None
        self._start = self._last = monotonic()

    def tell(self, so_far: Progress) -> None:
        now = monotonic()
        if now - self._last < PATIENCE:
            return
        self._last = now
        self._show(f"{so_far.entries:,} URLs read, {so_far.entries / (now - self._start):,.0f} a second")

    def clear(self) -> None:
        if self._handle is not None:
            self._show("")

    def _show(self, text: str) -> None:
        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)
