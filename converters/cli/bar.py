"""The bar that shows how far a job has come: on standard error, only on a terminal, and gone when the job is done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from urlset.converters.cli import show
from urlset.converters.progress import OnProgress, Progress

REFRESHED = 2.0
"""Times a second that the bar is drawn, which takes 2 ms each time."""
SETTLED = 1.0
"""Seconds after which the speed so far says something about the time that is left."""


@contextmanager
def bar(wanted: bool | None, quiet: bool) -> Iterator[OnProgress | None]:
    """A bar while a job runs, and what tells it how far the job is; None where no bar is shown."""
    if wanted is False or quiet or not _is_terminal():
        yield None
        return
    from rich import progress as rich_progress  # only a terminal needs it

    columns = (rich_progress.BarColumn(20), rich_progress.TextColumn("{task.description}"))
    start = time.monotonic()
    with rich_progress.Progress(
        *columns, console=show.stderr, transient=True, refresh_per_second=REFRESHED, redirect_stdout=False
    ) as drawn:
        task = drawn.add_task("reading", total=None)

        def update(now: Progress) -> None:
            text = described(now, time.monotonic() - start)
            drawn.update(task, completed=now.bytes, total=now.total, description=text)

        yield update


def _is_terminal() -> bool:
    """Rich takes FORCE_COLOR for a terminal, and can't move about on a dumb one."""
    return show.stderr.is_interactive and not show.stderr.is_dumb_terminal and show.stderr.file.isatty()


def described(now: Progress, seconds: float) -> str:
    """Entries, entries a second, bytes read, and the time left where the size is known and the speed has settled.

    Sorted and merged entries are written when everything was read; how long that takes is not known.
    """
    parts = [f"{now.entries:,} URLs"]
    if seconds > 0:
        parts.append(f"{now.entries / seconds:,.0f}/s")
    if now.total is not None:
        parts.append(f"{_megabytes(now.bytes)} of {_megabytes(now.total)} MB")
    elif now.bytes:
        parts.append(f"{_megabytes(now.bytes)} MB")
    if now.total is not None and now.bytes and seconds >= SETTLED:
        left = seconds * (now.total - now.bytes) / now.bytes
        parts.append(f"{_clock(left)} left" if left > 0 else "all read, writing")
    return ", ".join(parts)


def _megabytes(number: int) -> str:
    return f"{number / 1_000_000:,.1f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
