"""Calls of the system that change something on the disk, and what happens at the N-th of them.

A fault kills the process, reports a full disk, or is Ctrl-C. What it strikes is not done, or half of it (a write), or
done just before (``after``).
"""

from __future__ import annotations

import errno
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Literal, Self
from unittest import mock

Kind = Literal["none", "kill", "full", "interrupt", "after"]
KINDS: tuple[Kind, ...] = ("kill", "full", "interrupt", "after")

_CALLS = ("mkdir", "open", "fsync", "replace", "rename", "link", "unlink", "remove", "rmdir", "chmod")


class Faults:
    """Counts the calls, and strikes at the N-th; ``then``: so many calls later, the process is killed as well."""

    def __init__(self, kind: Kind, at: int = 0, then: int = 0) -> None:
        self.kind = kind
        self.at = at
        self.then = then
        self.count = 0
        self.struck = ""

    def call(self, name: str, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
        """Do it, unless its turn has come."""
        self.count += 1
        if self.then and self.count == self.at + self.then:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "none" or self.count != self.at:
            return function(*given, **more)
        self.struck = name
        if name == "write":
            half = given[0][: len(given[0]) // 2]
            function(half)
        elif self.kind == "after" or name == "close":
            function(*given, **more)
        return self._strike(name)

    def _strike(self, name: str) -> Any:
        if self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        raise KeyboardInterrupt

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Everything in the process goes through them meanwhile."""
        real_open = io.open

        def open_file(file: Any, mode: str = "r", *given: Any, **more: Any) -> Any:
            if not set(mode) & set("wxa+"):
                return real_open(file, mode, *given, **more)
            return _File(self, self.call("open", real_open, file, mode, *given, **more))

        # Killing a process loses nothing that the system has taken, so that there is no need to wait for the disk.
        calls = {name: getattr(os, name) for name in _CALLS} | {"fsync": lambda descriptor: None}
        with ExitStack() as stack:
            for name, function in calls.items():
                stack.enter_context(mock.patch.object(os, name, self._through(name, function)))
            stack.enter_context(mock.patch.object(io, "open", open_file))
            yield

    def _through(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **more: self.call(name, function, *given, **more)


class _File:
    """A file open for writing, whose calls are counted."""

    def __init__(self, faults: Faults, raw: Any) -> None:
        self._faults = faults
        self._raw = raw

    def write(self, data: Any) -> Any:
        return self._faults.call("write", self._raw.write, data)

    def close(self) -> None:
        if not self._raw.closed:
            self._faults.call("close", self._raw.close)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
