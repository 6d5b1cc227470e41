"""Ctrl-C at any moment ends the command line with 130 and without a word, also while modules are still imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent to a process")

MOMENTS = 12
FIRST = "urlset.converters.cli"
"""The module whose function the command line begins with: before that Python starts, which nothing of ours bears on."""


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """A process that waits for its input, and tells on standard error of each module that it has imported."""
    command = [sys.executable, "-X", "importtime", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        try:
            yield process, process.stderr
        finally:
            process.kill()


def module(line: str) -> str:
    return line.rpartition("|")[2].strip()


@pytest.fixture(scope="module")
def number() -> int:
    """The modules that are imported after the first one, before the command is looked at."""
    with started("-c", "import urlset.converters.cli; import urlset.converters.cli.app") as (process, _):
        _, said = process.communicate(timeout=60)
    names = [module(line) for line in said.splitlines()]
    return len(names) - names.index(FIRST) - 1


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_an_interrupt_while_modules_are_imported(moment: int, number: int) -> None:
    assert number > 10 * MOMENTS
    with started("-m", "urlset", "info", "-") as (process, said):
        while module(said.readline()) != FIRST:
            assert process.poll() is None
        for _ in range(1 + moment * number // MOMENTS):
            said.readline()
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert [line for line in rest.splitlines() if not line.startswith("import time:")] == []


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    """A shell starts a job in the background with interrupts ignored."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); sys.argv[1:] = ['info', '-'];"
        "from urlset.converters.cli import main; main()"
    )
    with started("-c", code) as (process, said):
        while module(said.readline()) != "typer":
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate("https://example.com/\n", timeout=60)
    assert process.returncode == 0
    assert "example.com" in out
