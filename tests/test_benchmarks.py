from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import urlset
from urlset import Ledger

ROOT = Path(__file__).parents[1]
NAMES = [one.name for one in urlset.registry() if one.read is not None and not one.of_folders]


@pytest.fixture
def generators(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module, found by the name that it has in the repository."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import generators

    yield generators
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def read_back(document: bytes, name: str) -> tuple[Ledger, list[urlset.Entry]]:
    ledger = Ledger()
    options: dict[str, Any] = {"from_": name, "follow": False, "base_url": "https://example.com/"}
    return ledger, list(urlset.read(document, ledger=ledger, **options))


@pytest.mark.parametrize("count", [1, 700])
@pytest.mark.parametrize("name", NAMES)
def test_a_generated_document_is_sound_and_has_as_many_entries_as_asked_for(
    generators: ModuleType, name: str, count: int
) -> None:
    if name not in generators.DIALECTS:
        pytest.skip("this format's own writer makes its documents")
    ledger, entries = read_back(b"".join(generators.chunks(generators.DIALECTS[name], count)), name)
    assert len(entries) == count
    assert {one.rule for one in ledger.findings} <= {"namespace-legacy"}


def test_documents_are_the_same_each_time_and_longer_ones_go_on(generators: ModuleType) -> None:
    text = generators.DIALECTS["text"]
    short, again, long = (b"".join(generators.chunks(text, count)) for count in (600, 600, 1_200))
    assert short == again
    assert long.startswith(short)
    assert short != b"".join(generators.chunks(text, 600, seed=1))


def test_a_million_entries_are_not_made_before_they_are_asked_for(generators: ModuleType) -> None:
    pieces = list(islice(generators.chunks(generators.DIALECTS["sitemap"], 1_000_000), 3))
    assert max(map(len, pieces)) < 200_000


@pytest.mark.parametrize("name", ["sitemap", "text", "csv", "rss", "jsonl"])
def test_damaged_entries_are_rejected_exactly_where_they_have_no_address(generators: ModuleType, name: str) -> None:
    dialect = generators.DIALECTS[name]
    assert dialect.may_be_damaged
    ledger, entries = read_back(b"".join(generators.chunks(dialect, 500, damage=0.2)), name)
    usable = generators.usable(500, damage=0.2)
    assert (ledger.counts.read, ledger.counts.rejected, len(entries)) == (500, 500 - usable, usable)
    assert 0 < usable < 500


def test_documents_and_entries_say_the_same(generators: ModuleType) -> None:
    for dialect, blocks in ((generators.DIALECTS["sitemap"], False), (generators.WITH_BLOCKS, True)):
        _, found = read_back(b"".join(generators.chunks(dialect, 200)), "sitemap")
        expected = [one.model_copy(update={"title": None}) for one in generators.entries(200, blocks=blocks)]
        assert found == expected


@pytest.mark.parametrize("name", ["sitemap", "csv", "jsonl"])
def test_a_complete_document_has_all_four_tags(generators: ModuleType, name: str) -> None:
    dialect = generators.FOUR_COLUMNS if name == "csv" else generators.DIALECTS[name]
    ledger, found = read_back(b"".join(generators.chunks(dialect, 300, complete=True)), name)
    assert (len(found), ledger.findings) == (300, [])
    assert all(one.lastmod and one.changefreq and one.priority is not None for one in found)


def test_one_round_of_the_benchmarks_ends_with_its_tables(tmp_path: Path) -> None:
    jobs = ("test_read.py::test_read[sitemap]", "test_write.py::test_write[text]")
    more = ("test_convert.py::test_from_sitemap[sitemap-gzip]", "test_memory.py::test_memory[read-sitemap]")
    chosen = [f"benchmarks/{one}" for one in (*jobs, *more)]
    options = ["--benchmark-only", "-q", "--entries=20", "--rounds=1", "-p", "no:cacheprovider"]
    # A folder of its own: pytest tidies the one that all runs share, and two runs that tidy at once trip over each
    # other.
    command = [sys.executable, "-m", "pytest", *chosen, *options, f"--basetemp={tmp_path / 'inner'}"]
    # Whoever runs this one on several cores does not want that measured.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    for job in ("read sitemap", "write text", "convert sitemap to sitemap, gzip"):
        assert re.search(rf"^\| {job} +\| +20 \|", done.stdout, re.MULTILINE), done.stdout
    assert "bytes/further entry" in done.stdout
    assert re.search(r"^\| read sitemap +\| expat by hand +\|", done.stdout, re.MULTILINE)
