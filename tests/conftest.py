"""What several test modules share: reading with its findings, and the command line in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import urlset
from urlset.formats.arrow import apart

# A busy machine is no fault of the code, and no test here asserts a time.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")

SAMPLES = Path(__file__).parents[1] / "samples"

Reading = tuple[list[dict[str, Any]], list[str]]
"""Entries as JSON values, and findings as ``rule:line`` in the order of their lines."""
Read = Callable[..., Reading]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Keep coverage out of a test that is marked as untraced; its own mark does nothing in workers of xdist."""
    trace = sys.gettrace()
    if item.get_closest_marker("untraced"):
        sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)


@pytest.fixture(scope="session")
def reading() -> Read:
    """Reads a source without following lists; checks on the way that every record is accounted for."""

    def read(source: object, **options: Any) -> Reading:
        ledger = urlset.Ledger()
        entries = list(urlset.read(source, ledger=ledger, follow=False, **options))  # type: ignore[arg-type]
        ledger.counts.written = len(entries)
        ledger.check()
        placed = sorted((finding.line or 0, finding.rule) for finding in ledger.findings)
        return [entry.as_dict() for entry in entries], [f"{rule}:{line}" for line, rule in placed]

    return read


@pytest.fixture(scope="module")
def parquet_read_here() -> Iterator[None]:
    """Parquet is read as where there are no processes; for hundreds of small documents they take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "_has_processes", lambda: False)
        yield


@pytest.fixture
def samples(tmp_path: Path) -> Iterator[Path]:
    """A folder with a copy of the samples, to work in."""
    for path in SAMPLES.rglob("*"):
        if path.is_file():
            target = tmp_path / path.relative_to(SAMPLES)
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(path.read_bytes())
    yield tmp_path


@pytest.fixture(scope="session")
def run_urlset() -> Run:
    """Runs the command line; its width, colours and encoding do not depend on the terminal."""

    def run(*arguments: str, cwd: Path, stdin: bytes = b"", env: Mapping[str, str] = {}) -> Any:
        surroundings = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONPATH")}
        fixed = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1", "TZ": "UTC"}
        command = [sys.executable, "-m", "urlset", *arguments]
        return subprocess.run(
            command, cwd=cwd, input=stdin, env={**surroundings, **fixed, **env}, capture_output=True, timeout=60
        )

    return run
