"""A format of another package: found by its entry point, listed, detected, read and written like the built-in ones."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import urlset
from urlset.formats import BUILT_IN

PLUGIN = Path(__file__).with_name("plugin")
LIST = """# two pages
[[url]]
loc = "https://www.example.com/a"
lastmod = "2024-05-06"

[[url]]
loc = "https://www.example.com/b"
title = "B"
"""

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def installed(folder: Path, name: str, point: str, code: str) -> Path:
    """What an installer leaves behind of a package with one module and one entry point."""
    (folder / f"{name}.py").write_text(code, "utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[urlset.formats]\n{point}\n")
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH in which the plugin is installed."""
    points = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]["entry-points"]["urlset.formats"]
    ((name, value),) = points.items()
    folder = tmp_path / "site"
    folder.mkdir()
    code = (PLUGIN / "urlset_toml_list.py").read_text("utf-8")
    return installed(folder, "urlset_toml_list", f"{name} = {value}", code)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "list.toml").write_text(LIST)
    return folder


def names(listing: bytes) -> list[str]:
    rows = [line for line in listing.decode().splitlines()[1:] if line.startswith(" ") and line[1:2].strip()]
    return [row.split()[0] for row in rows]


def test_without_the_plugin_its_format_is_unknown(run_urlset: Run, work: Path) -> None:
    listed = run_urlset("formats", cwd=work)
    assert names(listed.stdout) == [one.name for one in BUILT_IN]
    assert run_urlset("convert", "list.toml", "-o", "out.xml", cwd=work).returncode == 2


def test_the_plugin_is_listed(run_urlset: Run, site: Path, work: Path) -> None:
    listed = run_urlset("formats", cwd=work, env={"PYTHONPATH": str(site)})
    assert names(listed.stdout) == [*(one.name for one in BUILT_IN), "toml-list"]
    assert (listed.returncode, listed.stderr) == (0, b"")


def test_the_plugin_reads(run_urlset: Run, site: Path, work: Path) -> None:
    done = run_urlset("convert", "list.toml", "-o", "-", "--to", "jsonl", cwd=work, env={"PYTHONPATH": str(site)})
    assert done.returncode == 0
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"loc": "https://www.example.com/a", "lastmod": "2024-05-06"},
        {"loc": "https://www.example.com/b", "title": "B"},
    ]


def test_the_plugin_writes_what_its_suffix_asks_for(run_urlset: Run, site: Path, work: Path) -> None:
    (work / "urls.txt").write_text("https://www.example.com/a\n")
    done = run_urlset("convert", "urls.txt", "-o", "out.toml", cwd=work, env={"PYTHONPATH": str(site)})
    assert done.returncode == 0
    assert (work / "out.toml").read_text() == '[[url]]\nloc = "https://www.example.com/a"\n'


def test_what_the_plugin_can_not_carry_is_named(run_urlset: Run, site: Path, work: Path) -> None:
    (work / "urls.txt").write_text("https://www.example.com/a priority=0.5\n")
    done = run_urlset("convert", "urls.txt", "-o", "out.toml", cwd=work, env={"PYTHONPATH": str(site)})
    assert b"TOML list cannot hold priority" in done.stderr


def test_a_fault_in_the_plugin_s_document_is_told_like_any_other(run_urlset: Run, site: Path, work: Path) -> None:
    (work / "list.toml").write_text("[[url]]\nloc = \n")
    done = run_urlset("convert", "list.toml", "-o", "out.xml", cwd=work, env={"PYTHONPATH": str(site)})
    assert done.returncode == 2
    assert b"list.toml" in done.stderr and b"not a TOML list" in done.stderr
    assert b"Traceback" not in done.stderr


BROKEN = {
    "raises": ("broken = broken_plugin:FORMAT", "raise RuntimeError('out of order')\n"),
    "exits": ("broken = broken_plugin:FORMAT", "import sys\nsys.exit('out of order')\n"),
    "no-such-name": ("broken = broken_plugin:FORMAT", "OTHER = 1\n"),
    "no-such-module": ("broken = broken_plugin.inner:FORMAT", ""),
    "no-format": ("broken = broken_plugin:FORMAT", "FORMAT = 'a format'\n"),
    "taken-name": (
        "broken = broken_plugin:FORMAT",
        "from urlset.formats.text import TEXT as FORMAT\n",
    ),
}
broken_in_every_way = pytest.mark.parametrize(("point", "code"), BROKEN.values(), ids=BROKEN.keys())


@broken_in_every_way
def test_a_broken_plugin_is_reported_and_harms_nobody(
    point: str, code: str, run_urlset: Run, site: Path, work: Path
) -> None:
    installed(site, "broken_plugin", point, code)
    env = {"PYTHONPATH": str(site)}
    listed = run_urlset("formats", cwd=work, env=env)
    assert names(listed.stdout) == [*(one.name for one in BUILT_IN), "toml-list"]
    assert listed.returncode == 0
    assert b"broken" in listed.stderr or b"already" in listed.stderr
    assert b"Traceback" not in listed.stderr
    done = run_urlset("convert", "list.toml", "-o", "out.xml", cwd=work, env=env)
    assert done.returncode == 0
    assert (work / "out.xml").exists()


@broken_in_every_way
def test_a_broken_plugin_is_in_the_report_of_a_conversion(
    point: str, code: str, run_urlset: Run, site: Path, work: Path
) -> None:
    installed(site, "broken_plugin", point, code)
    env = {"PYTHONPATH": str(site)}
    run_urlset("convert", "list.toml", "-o", "out.xml", "--report", "report.json", cwd=work, env=env)
    findings = json.loads((work / "report.json").read_text("utf-8"))["findings"]
    assert [finding["rule"] for finding in findings if finding["rule"] == "plugin-broken"] == ["plugin-broken"]


def test_a_plugin_whose_sniff_raises_harms_nobody(run_urlset: Run, site: Path, work: Path) -> None:
    code = (PLUGIN / "urlset_toml_list.py").read_text("utf-8")
    code = code.replace('name="toml-list"', 'name="toml-list-2"').replace("sniff=sniff", "sniff=lambda head: 1 / 0")
    installed(site, "broken_plugin", "broken = broken_plugin:TOML_LIST", code)
    done = run_urlset("convert", "list.toml", "-o", "out.xml", cwd=work, env={"PYTHONPATH": str(site)})
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


def test_the_plugin_s_own_description_is_sound() -> None:
    """The module is what its project file names, and nothing of urlset's own tests imports it."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["py-modules"] == ["urlset_toml_list"]
    assert "toml-list" not in urlset.registry()
