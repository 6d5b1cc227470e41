"""Parquet files read in a process of their own, which may break off without taking this one with it.

pyarrow ends its process for some damaged files, and allocates whatever a file claims to need; see docs/decisions.md.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from urlset.formats.arrow import worker
from urlset.formats.arrow.library import arrow, optional
from urlset.formats.arrow.worker import TOO_MUCH, Bounds, TooMuchError
from urlset.formats.vocabulary.errors import LimitError, ReadError, SourceError
from urlset.formats.vocabulary.temporary import Temporary

_SAID = 65_536
"""Bytes of what the process said that are looked at, from the end."""


@contextmanager
def opened(stream: IO[bytes], bounds: Bounds, name: str) -> Iterator[tuple[Any, Iterator[Any]]]:
    """The schema of a Parquet file and its batches, which are sound; the process ends with the block.

    Raises ReadError for a broken file, LimitError for one that asks for too much, SourceError if no process can be
    started. Where there are none (a frozen program, WebAssembly), the file is read in this one.
    """
    if not _has_processes():
        with explained(name):
            sheet = worker.Sheet(stream, bounds)
        yield sheet.schema, _each(sheet.batches(), name)
        return
    # What it says goes to a file: a pipe that nobody reads could fill up.
    with Temporary(1) as said, _started(stream, said, bounds, name) as process:
        try:
            found = _received(process, said, name)
            yield next(found), found
        finally:
            process.kill()


def _has_processes() -> bool:
    return bool(sys.executable) and not getattr(sys, "frozen", False) and sys.platform not in ("emscripten", "wasi")


def _started(stream: IO[bytes], said: IO[bytes], bounds: Bounds, name: str) -> subprocess.Popen[bytes]:
    # Without the module site, which takes time: it is told where this process imports from.
    places = [place for place in sys.path if isinstance(place, str)]
    command = [sys.executable, "-P", "-S", worker.__file__, json.dumps(places), json.dumps(bounds)]
    file = stream.fileno()  # bytes that were in memory go to a temporary file
    stream.seek(0)
    try:
        return subprocess.Popen(  # noqa: S603 - our own file
            command,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=said.fileno(),
            # Ctrl-C is for this process, which ends the other.
            start_new_session=True,
            # The pool of the system keeps to limits without a word; others print what they could not have.
            env=os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system"},
        )
    except OSError as error:
        raise SourceError(f"no process could be started to read it: {error}", source=name) from error


def _received(process: subprocess.Popen[bytes], said: IO[bytes], name: str) -> Iterator[Any]:
    """The schema, and the batches."""
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    cause: Exception | None = None
    whole = False
    ipc = optional("pyarrow.ipc", "arrow", "columns and Parquet files")
    try:
        with ipc.open_stream(process.stdout) as reader:
            yield reader.schema
            for batch in reader:
                whole = not batch.num_rows
                if not whole:
                    yield batch
    except (arrow().ArrowException, OSError) as error:  # a stream that ends too soon
        cause = error
    process.stdout.close()
    status = process.wait()
    if whole and cause is None:
        return
    # The status is not known where someone else has asked for it, or children are ignored (SIGCHLD).
    if status:
        raise _failure(status, said, name) from cause
    raise broken((_lines(said) or [str(cause or "reading it broke off")])[-1], name) from cause


def _failure(status: int, said: IO[bytes], name: str) -> ReadError | SourceError:
    lines = _lines(said)
    if status == TOO_MUCH:
        return _too_much(lines[-1], name)
    if status == -getattr(signal, "SIGXCPU", 0):
        return _too_much(f"a batch of rows takes more than {worker.SECONDS} seconds of computing", name)
    if status > 0:
        return broken(lines[-1] if lines else f"reading it ended with status {status}", name)
    if -status in (getattr(signal, "SIGKILL", 0), signal.SIGTERM):
        return SourceError(f"the process that read it was ended by {signal.Signals(-status).name}", source=name)
    reasons = [line.partition("what():")[2].strip() for line in lines if "what():" in line]
    return broken(": ".join([f"pyarrow broke off with {signal.Signals(-status).name}", *reasons[-1:]]), name)


def _lines(said: IO[bytes]) -> list[str]:
    said.seek(max(0, said.seek(0, os.SEEK_END) - _SAID))
    return [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]


def _each(batches: Iterator[Any], name: str) -> Iterator[Any]:
    """The batches that are read in this process."""
    while True:
        with explained(name):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


@contextmanager
def explained(name: str) -> Iterator[None]:
    """What pyarrow says of a broken file, as an error of ours."""
    try:
        yield
    except TooMuchError as error:
        raise _too_much(str(error), name) from error
    except (arrow().ArrowException, UnicodeDecodeError, OverflowError, OSError) as error:
        raise broken(str(error), name) from error


def broken(reason: str, name: str) -> ReadError:
    """The error for a file that is none, or not a whole one."""
    text = reason.partition("\n")[0]
    return ReadError(f"it is no sound Parquet file: {text}", source=name, rule="document-refused")


def _too_much(message: str, name: str) -> LimitError:
    return LimitError(message, source=name, rule="resource-limit")
