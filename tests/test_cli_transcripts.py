"""The command line as it is seen: the transcripts in ``transcripts/*.md``, run again and compared.

In a block fenced as ``console`` a line after ``% `` is a command. What follows is its standard output, then its
standard error (``2> ``), then its exit status (``=> ``, left out for 0 of other commands). A block runs in a
folder of its own with copies of the samples; ``VERSION`` stands for the version. Run as a script, this module writes
the transcripts anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
TRANSCRIPTS = sorted((HERE / "transcripts").glob("*.md"))
SAMPLES = HERE.parent / "samples"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the transcripts use a POSIX shell")


class Block(NamedTuple):
    path: Path
    heading: str
    text: str

    @property
    def commands(self) -> list[str]:
        return [line[2:] for line in self.text.splitlines() if line.startswith("% ")]


def blocks_of(path: Path) -> Iterator[Block]:
    text = path.read_text("utf-8")
    for match in _BLOCK.finditer(text):
        headings = re.findall(r"^#+ (.+)$", text[: match.start()], re.MULTILINE)
        yield Block(path, headings[-1] if headings else "", match[1])


BLOCKS = [block for path in TRANSCRIPTS for block in blocks_of(path)]


def version() -> str:
    from importlib.metadata import version as installed

    return installed("urlset")


def run(command: str, folder: Path, shims: Path) -> str:
    """What the transcript says of a command."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONPATH")}
    fixed = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    env = {**kept, **fixed, "PATH": f"{shims}{os.pathsep}{kept.get('PATH', '')}"}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, capture_output=True, timeout=60)
    lines = [f"% {command}", *done.stdout.decode().splitlines()]
    lines += [f"2> {line}".rstrip() for line in done.stderr.decode().splitlines()]
    if done.returncode or command.startswith("urlset"):
        lines.append(f"=> {done.returncode}")
    return "\n".join(line.rstrip() for line in lines).replace(f"urlset {version()}", "urlset VERSION") + "\n"


def replay(block: Block, folder: Path) -> str:
    """The block as it is today."""
    work, shims = folder / "work", folder / "bin"
    shutil.copytree(SAMPLES, work)
    shims.mkdir()
    shim = shims / "urlset"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m urlset "$@"\n')
    shim.chmod(0o755)
    return "".join(run(command, work, shims) for command in block.commands)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.path.stem}: {block.heading}")
def test_transcript(block: Block, tmp_path: Path) -> None:
    assert replay(block, tmp_path) == block.text


def test_every_command_occurs() -> None:
    from typer.main import get_command

    from urlset.converters.cli.app import app

    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    shown = {word for block in BLOCKS for command in block.commands for word in re.findall(r"urlset ([a-z]+)", command)}
    assert shown >= commands


# --- what a transcript can't show


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["convert", "urls.txt", "-o", "out.xml", "--dedupe", "sometimes"], "newest", id="value"),
        pytest.param(["convert", "urls.txt", "-o", "out.xml", "--on-loss", "cry"], "ignore", id="value-2"),
        pytest.param(["convert", "urls.txt", "-o", "out.xml", "--max-urls", "many"], "--max-urls", id="number"),
        pytest.param(["convert", "urls.txt", "-o", "out.xml", "--no-such-option"], "--no-such-option", id="option"),
        pytest.param(["convert", "urls.txt"], "--output", id="no-output"),
        pytest.param(["convert", "-o", "out.xml"], "SRC", id="no-source"),
        pytest.param(["no-such-command"], "no-such-command", id="command"),
    ],
)
def test_usage_errors_end_with_2_and_write_nothing(
    arguments: list[str], says: str, samples: Path, run_urlset: Run
) -> None:
    before = sorted(samples.iterdir())
    done = run_urlset(*arguments, cwd=samples)
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert done.stdout == b""
    assert sorted(samples.iterdir()) == before


def test_no_arguments_show_the_help(samples: Path, run_urlset: Run) -> None:
    done = run_urlset(cwd=samples)
    assert b"convert" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_a_broken_pipe_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("".join(f"https://www.example.com/{number}\n" for number in range(200_000)))
    command = [sys.executable, "-m", "urlset", "convert", "urls.txt", "-o", "-", "--to", "jsonl", "--no-progress"]
    job = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert job.stdout is not None and job.stderr is not None
    assert json.loads(job.stdout.readline()) == {"loc": "https://www.example.com/0"}
    job.stdout.close()
    stderr = job.stderr.read()
    job.stderr.close()
    assert b"Traceback" not in stderr and b"BrokenPipe" not in stderr
    assert job.wait(timeout=60) in (0, 141)


@pytest.mark.parametrize("command", [["formats"], ["info", "urls.txt"], ["info", "urls.txt", "--json"], ["--version"]])
def test_a_reader_that_went_away_before_the_start_is_no_error(command: list[str], samples: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "urlset", *command], cwd=samples, stdout=writer, stderr=subprocess.PIPE, timeout=60
        )
    finally:
        os.close(writer)
    assert b"Traceback" not in done.stderr and b"BrokenPipe" not in done.stderr
    assert done.returncode in (0, 141)


def test_reports_and_summaries_stay_off_standard_output(samples: Path, run_urlset: Run) -> None:
    done = run_urlset("convert", "feed.atom", "-o", "-", "--to", "jsonl", "--report", "report.json", cwd=samples)
    assert [json.loads(line)["loc"] for line in done.stdout.decode().splitlines()] == [
        "https://notes.example.com/2024/counting-swifts",
        "https://notes.example.com/2024/moss-and-lichen",
        "https://notes.example.com/2023/first-frost",
    ]
    report = json.loads((samples / "report.json").read_text("utf-8"))
    assert sorted(report) == ["counts", "findings", "outputs", "sources"]
    assert sorted(report["counts"]) == ["duplicates", "filtered", "read", "rejected", "repaired", "written"]


@pytest.mark.parametrize(
    "path",
    sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.name != "config.xml"),  # which is no list
    ids=lambda path: path.name,
)
def test_standard_input_gives_the_same_as_the_file(path: Path, samples: Path, run_urlset: Run) -> None:
    name = str(path.relative_to(SAMPLES))
    options = ["-o", "-", "--to", "jsonl", "--no-follow", "--base-url", "https://www.example.com/"]
    by_name = run_urlset("convert", name, *options, cwd=samples)
    by_pipe = run_urlset("convert", "-", *options, cwd=samples, stdin=path.read_bytes())
    assert by_name.stdout != b""
    assert by_pipe.stdout == by_name.stdout
    assert by_pipe.stderr.replace(b"<stdin>", name.encode()) == by_name.stderr
    assert by_pipe.returncode == by_name.returncode


def accept() -> None:
    """Write all transcripts anew."""
    for path in TRANSCRIPTS:
        text = path.read_text("utf-8")
        for block in blocks_of(path):
            with tempfile.TemporaryDirectory() as folder:
                text = text.replace(f"```console\n{block.text}```", f"```console\n{replay(block, Path(folder))}```", 1)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    accept()
