"""A reader that went away (``urlset … | head``) has what it wanted: the command ends quietly."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import NoReturn, ParamSpec, TypeVar

from rich.console import Console

P = ParamSpec("P")
R = TypeVar("R")


class ReaderGone(Exception):  # noqa: N818 - what happened, and no error
    """Standard output is closed. Not an OSError, which the command-line library would turn into status 1."""


class PipedConsole(Console):
    """A console that leaves a broken pipe to :func:`ends_quietly`."""

    def on_broken_pipe(self) -> NoReturn:
        """Rich would end the program here with status 1."""
        raise BrokenPipeError


def ends_quietly(command: Callable[P, R]) -> Callable[P, R]:
    """Let a command raise ReaderGone where it met a broken pipe."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            try:
                return command(*args, **kwargs)
            finally:
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise ReaderGone from error

    return wrapped
