"""The README tells the truth: its transcripts, its table of formats, its Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import urlset
from urlset.formats.vocabulary.entry import FIELDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    return tmp_path


def said(command: str, folder: Path) -> str:
    """What a command of the README prints, standard error first."""
    words = [sys.executable, "-m", "urlset", *command.split()[1:]] if command.startswith("urlset ") else command.split()
    plain = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, encoding="utf-8", env=plain)
    return done.stderr + done.stdout


@pytest.mark.parametrize("block", CONSOLE, ids=range(len(CONSOLE)))
def test_transcripts(block: str, folder: Path) -> None:
    commands = COMMAND.findall(block)
    assert commands
    for command, expected in commands:
        assert said(command, folder) == expected


def test_there_are_four_everyday_jobs() -> None:
    jobs = README.partition("## Everyday jobs")[2].partition("\n## ")[0]
    assert jobs.count("```console") == 4


def test_table_of_formats() -> None:
    rows = re.findall(r"^\| `([a-z0-9.-]+)` \| (yes|no) \| (yes|no) \|", README, re.MULTILINE)
    built_in = [(one.name, one.read is not None, one.write is not None) for one in urlset.registry()]
    assert [(name, reads == "yes", writes == "yes") for name, reads, writes in rows] == built_in


def test_table_of_what_formats_carry() -> None:
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z0-9.-]+)` \| ([^|]+) \|", text, re.MULTILINE))
    for one in urlset.registry():
        missing = [name for name in FIELDS if name not in one.carries]
        words = {0: "everything", 1: f"all but {missing[0] if missing else ''}"}
        assert rows[one.name] == words.get(len(missing), ", ".join(name for name in FIELDS if name in one.carries))


def test_python_example(folder: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=folder, capture_output=True, check=True, encoding="utf-8"
    )
    assert "8 ['sitemap.xml']" in done.stdout
    assert (folder / "pages.xml").is_file()


def test_two_commands_do_all_the_setting_up() -> None:
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert "urlset convert samples/" in commands[0]
    assert commands[1].endswith("pytest -q")


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).exists(), target
