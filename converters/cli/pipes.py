"""A reader that went away (``urlset … | head``) has what it wanted: the command ends quietly."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import NoReturn, ParamSpec, TypeVar

from rich.console import Console

from urlset.formats.vocabulary.errors import UrlsetError, WriteError

P = ParamSpec("P")
R = TypeVar("R")


class ReaderGone(Exception):  # noqa: N818 - what happened, and no error
    """Standard output is closed. Not an OSError, which the command-line library would turn into status 1."""


class PipedConsole(Console):
    """A console that leaves a broken pipe to :func:`ends_quietly`."""

    def on_broken_pipe(self) -> NoReturn:
        """Rich would end the program here with status 1."""
        raise BrokenPipeError


def silence() -> None:
    """Nothing more is written to standard output, so that Python does not complain when it flushes at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def ends_quietly(command: Callable[P, R]) -> Callable[P, R]:
    """Let a command raise ReaderGone where it met a broken pipe."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            try:
                return command(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except BrokenPipeError as error:
            raise ReaderGone from error
        except OSError as error:
            if isinstance(error, UrlsetError):
                raise
            silence()
            raise WriteError(f"can't be written: {error.strerror or error}", source="standard output") from error

    return wrapped
