"""The commands of the benchmarks that measure in processes of their own: on a few entries, and on figures made up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
Tools = Callable[[str], ModuleType]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tools]:
    """Imports a module by the name that it has in the repository."""
    monkeypatch.syspath_prepend(str(ROOT))
    yield lambda name: import_module(f"benchmarks.{name}")
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def call(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def cells(text: str, first: str) -> list[list[str]]:
    """The rows of tables that begin with a cell."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return [row for row in rows if row[0] == first]


def executable(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


# --- the commands, on a few entries


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--peers={}/none", "there is no peers.json in it; make it with 'python -m benchmarks.peers install"),
        ("--entries=abc", "'abc' is not one or several numbers from 1 on"),
        ("--entries=10,", "'10,' is not one or several numbers"),
        ("--entries=0", "'0' is not one or several numbers"),
        ("--memory=1,2,3", "takes two sizes"),
    ],
)
def test_options_that_can_not_be_are_said(option: str, said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.table", option.format(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_one_command_measures_us_and_the_peers_and_saves_the_figures(tmp_path: Path, tool: Tools) -> None:
    peers = tmp_path / "peers"
    executable(peers / "feedparser" / "bin" / "python", f'exec {sys.executable} "$@"')
    executable(peers / "scrapy" / "bin" / "python", "echo 'no such module' >&2; exit 1")
    (peers / "peers.json").write_text(json.dumps({"feedparser": "6", "Scrapy": "2"}))
    options = ["--entries=30", "--rounds=1", f"--peers={peers}", "--save=few", f"--into={tmp_path}"]
    printed = call("benchmarks.table", *options)
    run = tool("saved").load(tmp_path / "few.json")
    assert {row.job for row in run.of("speed")} == {*tool("table").SPEED, "read rss"}
    ((feedparser,), (shown,)) = run.of("peers"), [row for row in cells(printed, "read rss") if "feedparser" in row[1]]
    assert (feedparser.peer, feedparser.job, feedparser.entries, feedparser.remark) == (
        "feedparser",
        "read rss",
        30,
        "",
    )
    assert (shown[2], shown[5]) == ("30", f"{feedparser.figures['ratio']:.2f}")
    assert run.left_out == ["Scrapy, read sitemap, 30 entries: no such module"]
    assert "Left out: Scrapy, read sitemap, 30 entries: no such module" in printed
    assert {"cpu", "cores", "Python", "lxml", "pydantic", "expat"} <= run.about.keys()


def test_growth_is_measured_saved_and_told_in_words(tmp_path: Path, tool: Tools) -> None:
    printed = call("benchmarks.growth", "--sizes=40,20", "--holding", "--save=grown", f"--into={tmp_path}")
    rows = tool("saved").load(tmp_path / "grown.json").of("growth")
    jobs = ["read", "convert", "validate", "dedupe and sort"]
    assert [(row.job, row.entries) for row in rows] == [(job, size) for size in (20, 40) for job in jobs]
    assert printed.count("from 20 to 40 entries") == 4
    page = call("benchmarks.results", str(tmp_path / "grown.json"))
    assert page.startswith("# Results\n")
    assert len(cells(page, "dedupe and sort")) == 2


def test_memory_is_measured_for_each_reader_and_writer(monkeypatch: pytest.MonkeyPatch, tool: Tools) -> None:
    table, run = tool("table"), tool("saved").begin()
    monkeypatch.setattr(table, "READERS", ("text",))
    monkeypatch.setattr(table, "WRITERS", {"csv": "out.csv"})
    table.memory((10, 20), 2, run)
    assert [row.job for row in run.rows] == ["read text", "validate text", "convert text to csv"]
    for row in run.of("memory"):
        assert row.entries == 20
        assert row.figures["growth"] == row.figures["large_mb"] / row.figures["small_mb"]


def test_a_job_that_fails_says_why(tool: Tools) -> None:
    process = tool("process")
    with pytest.raises(process.JobFailedError, match=r"^the last line$"):
        process.run([sys.executable, "-c", "import sys; sys.exit('the first line\\nthe last line')"])
    with pytest.raises(process.JobFailedError, match="status 3"):
        process.run([sys.executable, "-c", "raise SystemExit(3)"])


# --- peers


def test_a_peer_that_cannot_be_installed_is_left_out_with_a_line(
    tmp_path: Path, tool: Tools, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installing, peers = tool("peers.__main__"), tool("peers")

    def refused(*command: str) -> str:
        if command[0] == "npm":
            raise FileNotFoundError(2, "No such file", "npm")
        if command[-1] == "scrapy":
            raise subprocess.CalledProcessError(1, command, stderr="long\nERROR: no such package\n")
        return "1.2\n"

    monkeypatch.setattr(installing, "_call", refused)
    found = installing.install(tmp_path)
    told = capsys.readouterr().err
    assert "Scrapy: left out, it can't be installed: ERROR: no such package\n" in told
    assert "sitemap.js: left out, there is no npm\n" in told
    assert "advertools 1.2\n" in told
    assert found == json.loads((tmp_path / "peers.json").read_text())
    assert found.keys() == {peer.name for peer in peers.PEERS} - {"Scrapy", "sitemap.js"}
    assert set(peers.installed(tmp_path, "rss")) == {
        "ultimate-sitemap-parser", "feedparser", "fastfeedparser", "feedparser-rs"
    }  # fmt: skip
    assert peers.installed(None, "rss") == {}


def test_every_peer_has_an_adapter(tool: Tools) -> None:
    folder = ROOT / "benchmarks" / "peers"
    named = {peer.adapter for peer in tool("peers").PEERS}
    assert named == {path.name for path in folder.glob("with_*")}


# --- the arithmetic


def outcome(seconds: float, entries: int = 10) -> list[Any]:
    return [entries, seconds, 2 * seconds, 50.0, "1"]


def test_ratios_are_those_of_each_round(tool: Tools) -> None:
    rounds, process = tool("rounds"), tool("process")

    def measured(own: list[float], scans: list[float]) -> Any:
        make = process.Outcome._make
        return rounds.Measured([make(outcome(one)) for one in own], [make(outcome(one)) for one in scans])

    # 2, 4 and 3 times the scan: the median of the ratios is 3, while the ratio of the medians would be 4.
    one = measured([2.0, 4.0, 9.0], [1.0, 1.0, 3.0])
    figures = {"seconds": 4.0, "wall": 8.0, "peak_mb": 50.0, "scan": 1.0, "ratio": 3.0}
    assert one.figures() == figures
    assert measured([4.0, 4.0, 90.0], [1.0, 1.0, 1.0]).times(one) == 2.0


def test_a_scaled_rate_is_that_of_a_machine_that_scans_an_entry_in_1500_ns(tool: Tools) -> None:
    rounds, process, run = tool("rounds"), tool("process"), tool("saved").begin()
    make = process.Outcome._make
    # 1,000 entries in 50 ms; the scan took 3 µs for each, so this machine is half as fast as the reference.
    found = rounds.Measured([make(outcome(0.05, 1_000))], [make(outcome(0.003, 1_000))])
    tool("table")._keep_speed("job", 1_000, found, run)
    (row,) = run.rows
    assert row.figures["rate"] == pytest.approx(20_000)
    assert row.figures["scaled"] == pytest.approx(40_000)


def test_a_job_that_finds_another_number_of_entries_ends_the_run(tool: Tools) -> None:
    rounds, process, table = tool("rounds"), tool("process"), tool("table")
    found = rounds.Measured([process.Outcome._make(outcome(1.0, 9))], [process.Outcome._make(outcome(1.0))])
    with pytest.raises(SystemExit, match="9 entries instead of 10"):
        table._keep_speed("job", 10, found, tool("saved").begin())
    own = rounds.Measured([process.Outcome._make(outcome(2.0))], [process.Outcome._make(outcome(1.0))])
    run = tool("saved").begin()
    table._keep_peer("read", 10, "peer", found, own, run)
    assert (run.rows[0].remark, run.rows[0].figures["ratio"]) == ("found 9", 0.5)
    failed = rounds.Measured(failure="it broke")
    with pytest.raises(SystemExit, match="it broke"):
        table._keep_speed("job", 10, failed, run)


ABOUT = {"cpu": "a", "cores": "2", "system": "Linux", "Python": "3.11", "urlset": "1"}


def speed_run(tool: Tools, ratio: float, peak: float = 50.0, **about: str) -> Any:
    saved = tool("saved")
    figures = {"seconds": 1.0, "wall": 1.0, "scan": 0.1, "ratio": ratio, "rate": 100.0, "scaled": 90.0, "peak_mb": peak}
    return saved.Run("2026-11-30", {**ABOUT, **about}, [saved.Row("speed", "read", 100, figures)])


def test_a_comparison_says_what_became_faster_or_slower(tool: Tools) -> None:
    saved, compare = tool("saved"), tool("compare")
    old, new = speed_run(tool, 20.0), speed_run(tool, 10.0, 60.0)
    for run, ratio in ((old, 2.0), (new, 4.0)):
        run.rows.append(saved.Row("peers", "read", 100, {"ratio": ratio}, "other"))
    old.rows.append(saved.Row("growth", "gone", 5, {}))
    text = "\n".join(compare.compared(old, new))
    assert cells(text, "read") == [
        ["read", "100", "time × scan", "20.00", "10.00", "0.50", "faster"],
        ["read", "100", "peak MB", "50.00", "60.00", "1.20", "more"],
    ]
    assert cells(text, "read beside other") == [
        ["read beside other", "100", "its time ÷ ours", "2.00", "4.00", "2.00", "faster"]
    ]
    assert "Only in the old run: gone, 5 entries" in text
    assert "differ" not in text


@pytest.mark.parametrize(("now", "word"), [(20.5, ""), (22.0, "slower"), (19.0, "faster"), (19.1, "")])
def test_small_changes_are_not_called_any(tool: Tools, now: float, word: str) -> None:
    text = "\n".join(tool("compare").compared(speed_run(tool, 20.0), speed_run(tool, now)))
    assert cells(text, "read")[0][-1] == word


def test_a_comparison_says_when_machines_or_versions_differ(tool: Tools) -> None:
    old, new = speed_run(tool, 20.0), speed_run(tool, 20.0, cpu="b", urlset="2")
    text = "\n".join(tool("compare").compared(old, new))
    assert "The machines differ: a, 2, Linux, then b, 2, Linux." in text
    assert "The versions differ: urlset 1 → 2." in text


def test_the_page_of_results_has_the_medians_of_runs_on_one_machine(tool: Tools) -> None:
    results, runs = tool("results"), [speed_run(tool, ratio) for ratio in (9.0, 2.0, 5.0)]
    text = "\n".join(results.page(runs))
    assert cells(text, "read")[0][4] == "5.0"
    assert "Measured 2026-11-30 in 3 runs" in text
    assert "Linux; Python 3.11, urlset 1. Others worked here too.\n" in "\n".join(
        results.page(runs, "Others worked here too.")
    )
    with pytest.raises(SystemExit, match="different machines"):
        list(results.page([*runs, speed_run(tool, 1.0, cores="64")]))


def test_saved_runs_are_read_back_as_they_were(tool: Tools, tmp_path: Path) -> None:
    saved, run = tool("saved"), speed_run(tool, 3.0)
    saved.save(run, tmp_path / "new" / "run.json")
    assert saved.load(tmp_path / "new" / "run.json") == run


def grown(tool: Tools) -> list[Any]:
    sizes = (1_000, 10_000, 100_000)
    row = tool("saved").Row
    return [row("growth", "read", size, {"seconds": size * 2e-5, "peak_mb": 40 + size / 1e4}) for size in sizes]


def test_a_line_is_told_as_one(tool: Tools) -> None:
    (sentence,) = tool("growth").in_words(grown(tool))
    assert sentence == (
        "read: from 1,000 to 100,000 entries the time grows with the power 1.00 of their number (1 is a line), by "
        "20.0 µs for each further one; the peak of memory is 40 → 41 → 50 MB, by 100.0 bytes for each entry beyond "
        "10,000."
    )
    assert list(tool("growth").in_words(grown(tool)[:1])) == []


def test_the_picture_is_small_and_the_same_each_time(tool: Tools, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    for path in (one, other):
        tool("plot").draw(grown(tool), path)
    assert one.read_bytes() == other.read_bytes()
    assert one.stat().st_size < 60_000
    assert b"peak of memory, MB" in one.read_bytes()


def test_a_picture_without_matplotlib_says_what_to_install(
    tool: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit, match=r"\[bench\]"):
        tool("plot").draw(grown(tool), tmp_path / "one.svg")
