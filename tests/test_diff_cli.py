"""``urlset diff``: what is printed for people and for programs, what is written, and how it ends."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

LOC = "https://example.com/"
OLD = "".join(f"{LOC}{number}\n" for number in range(8))
NEW = "".join(f"{LOC}{number}\n" for number in range(3, 20))


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """A folder with two lists: 3 pages go, 12 come, 5 stay."""
    (tmp_path / "old.txt").write_text(OLD)
    (tmp_path / "new.txt").write_text(NEW)
    return tmp_path


def printed(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode()


# --- the exit status


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        pytest.param(OLD, OLD, 0, id="equal"),
        pytest.param(OLD, f"{OLD}{OLD}", 0, id="duplicates are no difference"),
        pytest.param(OLD, NEW, 1, id="different"),
        pytest.param(OLD, f"{OLD}/relative\n", 1, id="equal, with errors"),
    ],
)
def test_exit_status(old: str, new: str, status: int, tmp_path: Path, run_urlset: Run) -> None:
    (tmp_path / "old.txt").write_text(old)
    (tmp_path / "new.txt").write_text(new)
    assert run_urlset("diff", "old.txt", "new.txt", cwd=tmp_path).returncode == status


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["old.txt", "nowhere.txt"], "no such file"),
        (["nowhere.txt", "new.txt"], "no such file"),
        (["old.txt"], "NEW"),
        (["-", "-"], "not both"),
        (["old.txt", "new.txt", "--fields", "last-modified"], "there is no field 'last-modified'"),
        (["old.txt", "new.txt", "--ignore", "x"], "there is no field 'x'"),
        (["old.txt", "new.txt", "--limit", "-1"], "--limit"),
        (["old.txt", "new.txt", "--from-old", "nonsense"], "nonsense"),
        (["old.txt", "new.txt", "--added", "old.txt"], "the same file"),
        (["old.txt", "new.txt", "--added", "x.xml", "--removed", "x.xml"], "the same file"),
        (["old.txt", "new.txt", "--changed", "-"], "--changed names a file"),
        (["old.txt", "new.txt", "--csv", "-"], "--csv names a file"),
        (["old.txt", "new.txt", "--removed", "nowhere/x.xml"], "there is no folder nowhere"),
        (["old.txt", "new.txt", "--added", "x.doc"], "x.doc"),
        (["old.txt", "new.txt", "--report", "."], "folder"),
    ],
)
def test_what_cant_be_done_ends_with_2_and_writes_nothing(
    arguments: list[str], says: str, lists: Path, run_urlset: Run
) -> None:
    done = run_urlset("diff", *arguments, cwd=lists)
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert done.stdout == b""
    assert sorted(path.name for path in lists.iterdir()) == ["new.txt", "old.txt"]


def test_strict_ends_with_2(lists: Path, run_urlset: Run) -> None:
    (lists / "new.txt").write_text(f"{NEW}/relative\n")
    done = run_urlset("diff", "old.txt", "new.txt", "--strict", cwd=lists)
    assert (done.returncode, done.stdout) == (2, b"")


def test_no_room_on_disk_ends_with_2(lists: Path, run_urlset: Run) -> None:
    many = "".join(f"{LOC}{number}\n" for number in range(80_000))
    (lists / "new.txt").write_text(many)
    env = {"TMPDIR": str(lists / "nowhere")}
    done = run_urlset("diff", "old.txt", "new.txt", cwd=lists, env=env)
    assert done.returncode == 2
    assert b"set TMPDIR" in done.stderr


# --- for people


def test_the_first_pages_of_each_kind(lists: Path, run_urlset: Run) -> None:
    lines = printed(run_urlset("diff", "old.txt", "new.txt", cwd=lists)).splitlines()
    assert lines[:6] == ["12 added", " 3 removed", " 0 changed", " 0 moved", " 5 unchanged", ""]
    added = lines[lines.index("added") + 1 : lines.index("removed") - 1]
    assert len(added) == 11
    assert added[0] == f"  {LOC}10"  # by code points
    assert added[-1] == "  … and 2 more; --all lists them"
    assert lines[lines.index("removed") + 1 :] == [f"  {LOC}{number}" for number in range(3)]


@pytest.mark.parametrize(("options", "number"), [(["--limit", "0"], 0), (["--limit", "1"], 2), (["--all"], 15)])
def test_how_many_are_listed(options: list[str], number: int, lists: Path, run_urlset: Run) -> None:
    out = printed(run_urlset("diff", "old.txt", "new.txt", *options, cwd=lists))
    assert out.count(f"  {LOC}") == number
    assert ("more" in out) == (number == 2)


def test_results_are_printed_when_quiet_and_findings_are_not(lists: Path, run_urlset: Run) -> None:
    (lists / "new.txt").write_text(f"{NEW}/relative\n")
    done = run_urlset("diff", "old.txt", "new.txt", "--quiet", cwd=lists)
    assert b"12 added" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize("path", ["a\x1b[31m\x07", "\u202egnp.exe", "a\u2028b"])
def test_nothing_steers_the_terminal(path: str, tmp_path: Path, run_urlset: Run) -> None:
    for name, priority in (("old.jsonl", 0.1), ("new.jsonl", 0.2)):
        lines = [{"loc": f"{LOC}{path}", "priority": priority, "title": f"{path}{priority}"}]
        lines.append({"loc": f"{LOC}{path}{name}"})
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
    for options in ([], ["--json"]):
        done = run_urlset("diff", "old.jsonl", "new.jsonl", *options, cwd=tmp_path)
        assert done.returncode == 1
        out = printed(done)
        assert "title" in out
        assert all(char.isprintable() or char == "\n" for char in out)


def test_long_addresses_and_values_are_shortened_for_people_only(tmp_path: Path, run_urlset: Run) -> None:
    long = "a" * 1_000_000
    (tmp_path / "old.jsonl").write_text(json.dumps({"loc": LOC, "title": "A"}))
    new = [{"loc": LOC, "title": long}, {"loc": f"{LOC}{long}"}]
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, new)))
    people = printed(run_urlset("diff", "old.jsonl", "new.jsonl", cwd=tmp_path))
    assert len(people) < 2_000
    assert "(1,000,020 characters)" in people
    programs = json.loads(run_urlset("diff", "old.jsonl", "new.jsonl", "--json", cwd=tmp_path).stdout)
    assert programs["added"] == [{"loc": f"{LOC}{long}"}]


def test_blocks_are_shown_with_their_number(tmp_path: Path, run_urlset: Run) -> None:
    image, extra = {"loc": f"{LOC}1.jpg"}, '<x:y xmlns:x="urn:x"/>'
    news = {"title": "A"}
    (tmp_path / "old.jsonl").write_text(json.dumps({"loc": LOC, "extra": [extra], "news": news}))
    (tmp_path / "new.jsonl").write_text(json.dumps({"loc": LOC, "images": [image]}))
    out = printed(run_urlset("diff", "old.jsonl", "new.jsonl", cwd=tmp_path))
    assert '    images: absent → 1: [{"loc": "https://example.com/1.jpg"}]\n' in out
    assert '    news: {"title": "A"} → absent\n' in out
    assert f"    extra: 1: {json.dumps([extra])} → absent\n" in out


# --- for programs


def test_json_is_the_object_of_to_dict(samples: Path, run_urlset: Run) -> None:
    done = run_urlset("diff", "urls.txt", "museum.xml", "--json", cwd=samples)
    assert json.loads(done.stdout) == urlset.diff(samples / "urls.txt", samples / "museum.xml").to_dict()


def test_json_of_what_is_equal(samples: Path, run_urlset: Run) -> None:
    done = run_urlset("diff", "urls.txt", "urls.txt", "--json", cwd=samples)
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "added": [], "removed": [], "changed": [], "moved": [], "moves": [], "unchanged": 6,
        "duplicates": {"old": 0, "new": 0},
    }  # fmt: skip


def test_one_side_may_be_standard_input(samples: Path, run_urlset: Run) -> None:
    data = (samples / "museum.xml").read_bytes()
    named = run_urlset("diff", "urls.txt", "museum.xml", "--json", cwd=samples)
    assert run_urlset("diff", "urls.txt", "-", "--json", cwd=samples, stdin=data).stdout == named.stdout
    back = json.loads(run_urlset("diff", "-", "urls.txt", "--json", cwd=samples, stdin=data).stdout)
    assert back["added"] == json.loads(named.stdout)["removed"]


def test_the_report_has_both_sides(samples: Path, run_urlset: Run) -> None:
    run_urlset("diff", "urls.txt", "museum.xml", "--report", "report.json", "--added", "added.xml", cwd=samples)
    report: Any = json.loads((samples / "report.json").read_text("utf-8"))
    assert [(one["name"], one["format"], one["read"]) for one in report["sources"]] == [
        ("urls.txt", "text", 6),
        ("museum.xml", "sitemap", 6),
    ]
    assert report["counts"]["read"] == report["counts"]["written"] == 12
    assert [(one["path"], one["urls"]) for one in report["outputs"]] == [("added.xml", 1)]


def test_a_report_tells_of_a_side_that_cant_be_read(lists: Path, run_urlset: Run) -> None:
    done = run_urlset("diff", "old.txt", "nowhere.txt", "--report", "report.json", "--quiet", cwd=lists)
    assert done.returncode == 2
    assert b"no such file" in done.stderr
    assert json.loads((lists / "report.json").read_text("utf-8"))["sources"][1]["status"] == "failed"


# --- what is written


def test_entries_are_written_in_the_format_of_the_name(samples: Path, run_urlset: Run) -> None:
    outputs = ["--added", "added.jsonl", "--removed", "removed.txt", "--changed", "changed.xml.gz", "--csv", "diff.csv"]
    done = run_urlset("diff", "urls.txt", "museum.xml", *outputs, cwd=samples)
    assert done.returncode == 1
    (added,) = urlset.read(samples / "added.jsonl")
    assert added == urlset.Entry(
        loc="https://museum.example.com/exhibitions/globes", lastmod=urlset.LastMod("2024-06-01")
    )
    assert (samples / "removed.txt").read_text() == "https://museum.example.com/exhibitions/maps?year=2024&lang=en\n"
    (changed,) = urlset.read(samples / "changed.xml.gz")
    assert (changed.loc, changed.changefreq) == ("https://museum.example.com/visit", "weekly")
    assert gzip.decompress((samples / "changed.xml.gz").read_bytes()).startswith(b"<?xml")
    assert len((samples / "diff.csv").read_text().splitlines()) == 4
    assert "field-not-carried" in done.stderr.decode()  # the list drops a date


def test_what_moved_and_changed_is_among_the_changed(tmp_path: Path, run_urlset: Run) -> None:
    rows = [f"{name},2024-05-0{number}\n" for number, name in enumerate("abc", 1)]
    (tmp_path / "old.csv").write_text("loc,lastmod\n" + "".join(f"http://old.example/{row}" for row in rows))
    rows[1] = "b,2024-06-01\n"
    (tmp_path / "new.csv").write_text("loc,lastmod\n" + "".join(f"https://new.example/{row}" for row in rows))
    done = run_urlset("diff", "old.csv", "new.csv", "--changed", "changed.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    assert (tmp_path / "changed.jsonl").read_text() == '{"loc": "https://new.example/b", "lastmod": "2024-06-01"}\n'


@pytest.mark.parametrize("name", ["x.parquet", "x.parquet.gz"])
def test_no_entries_make_an_empty_sheet(name: str, samples: Path, run_urlset: Run) -> None:
    (samples / name).write_text("of yesterday")
    done = run_urlset("diff", "urls.txt", "urls.txt", "--changed", name, cwd=samples)
    assert done.returncode == 0
    assert list(urlset.read(samples / name)) == []


@pytest.mark.parametrize("last", ["folder.xml", "part.xml"])
def test_where_one_output_fails_none_is_replaced(last: str, lists: Path, run_urlset: Run) -> None:
    many = "".join(f"https://{host}.example/{number}\n" for number in range(26_000) for host in "ab")
    (lists / "new.txt").write_text(many)
    (lists / "added.csv").write_text("of yesterday")
    (lists / "diff.csv").write_text("of yesterday")
    (lists / "folder.xml").mkdir()  # and part.xml needs an index, whose folder nothing tells
    outputs = ["--csv", "diff.csv", "--removed", "added.csv", "--added", last]
    done = run_urlset("diff", "old.txt", "new.txt", *outputs, cwd=lists)
    assert done.returncode == 2
    assert (lists / "added.csv").read_text() == (lists / "diff.csv").read_text() == "of yesterday"
    assert not [path for path in lists.iterdir() if path.name.startswith(".")]


def test_no_entries_make_an_empty_file(samples: Path, run_urlset: Run) -> None:
    (samples / "added.xml").write_text("of yesterday")
    done = run_urlset("diff", "urls.txt", "urls.txt", "--added", "added.xml", "--removed", "r.csv", cwd=samples)
    assert done.returncode == 0
    assert list(urlset.read(samples / "added.xml")) == []
    assert (samples / "r.csv").read_text("utf-8").startswith("loc,")


def test_what_outgrows_a_file_is_written_in_parts(tmp_path: Path, run_urlset: Run) -> None:
    (tmp_path / "old.txt").write_text(LOC)
    (tmp_path / "new.txt").write_text("".join(f"{LOC}{number}\n" for number in range(50_001)))
    options = ["--added", "added.xml", "--base-url", LOC, "--limit", "1"]
    done = run_urlset("diff", "old.txt", "new.txt", *options, cwd=tmp_path)
    assert done.returncode == 1
    assert sum(1 for _ in urlset.read(tmp_path / "added.xml")) == 50_001
    assert sorted(path.name for path in tmp_path.glob("added*")) == ["added-1.xml", "added-2.xml", "added.xml"]


def test_an_entry_that_a_format_cant_express_is_an_error(tmp_path: Path, run_urlset: Run) -> None:
    (tmp_path / "old.txt").write_text(LOC)
    (tmp_path / "new.jsonl").write_text('{"loc": "https://example.com/", "title": "A"}\n{"loc": "https://ex/\\ud800"}')
    done = run_urlset("diff", "old.txt", "new.jsonl", "--added", "added.xml", cwd=tmp_path)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_file_that_cant_be_written_ends_with_2(lists: Path, run_urlset: Run) -> None:
    (lists / "folder.xml").mkdir()
    done = run_urlset("diff", "old.txt", "new.txt", "--added", "folder.xml", cwd=lists)
    assert done.returncode == 2
    assert b"must be a file" in done.stderr


# --- sources


def test_indexes_are_followed_or_compared_themselves(samples: Path, run_urlset: Run) -> None:
    index = "legacy/sitemap_index.xml"
    done = run_urlset("diff", index, index, "--json", "--no-follow", cwd=samples)
    assert (done.returncode, json.loads(done.stdout)["unchanged"]) == (0, 2)
    done = run_urlset("diff", index, index, "--json", cwd=samples)
    assert (done.returncode, json.loads(done.stdout)["unchanged"]) == (0, 6)


def test_a_folder_against_its_sitemap(tmp_path: Path, run_urlset: Run) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("index.html", "a.html", "b.html"):
        (site / name).write_text("<p>")
    (site / "sitemap.txt").write_text(f"{LOC}\n{LOC}a.html\n{LOC}gone.html\n")
    done = run_urlset("diff", "site/sitemap.txt", "site", "--base-url", LOC, "--json", "--report", "site/r.json",
                      cwd=tmp_path)  # fmt: skip
    found = json.loads(done.stdout)
    assert [one["loc"] for one in found["removed"]] == [f"{LOC}gone.html"]
    assert f"{LOC}b.html" in [one["loc"] for one in found["added"]]
    assert found["unchanged"] == 2


def test_formats_may_be_named_for_each_side(tmp_path: Path, run_urlset: Run) -> None:
    (tmp_path / "old").write_text("URL\n")
    (tmp_path / "new").write_text(f"URL\n{LOC}\n")
    done = run_urlset("diff", "old", "new", "--from-old", "csv", "--from-new", "csv", "--json", cwd=tmp_path)
    assert [one["loc"] for one in json.loads(done.stdout)["added"]] == [LOC]


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text(LOC)
    (tmp_path / "new.txt").write_text("".join(f"{LOC}{number}\n" for number in range(50_000)))
    command = [sys.executable, "-m", "urlset", "diff", "old.txt", "new.txt", "--json", "--no-progress"]
    job = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert job.stdout is not None and job.stderr is not None
    assert job.stdout.readline() == b"{\n"
    job.stdout.close()
    stderr = job.stderr.read()
    job.stderr.close()
    assert b"Traceback" not in stderr and b"BrokenPipe" not in stderr
    assert job.wait(timeout=60) in (0, 141)
