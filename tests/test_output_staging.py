"""The hidden folder of a run, its lock and its journal."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.converters.output import durability
from urlset.converters.output.journal import Journal, Step
from urlset.converters.output.staging import Move, Staging
from urlset.converters.output.workspace import Place, claim, is_workspace, settle, sweep
from urlset.formats.vocabulary.errors import OptionError, WriteError

posix = pytest.mark.skipif(os.name != "posix", reason="there is no flock")
SITE = "https://example.com/"


def place(folder: Path) -> Place:
    return Place.beside(folder / "sitemap.xml")


def entries(*pages: int) -> list[urlset.Entry]:
    return [urlset.Entry(loc=f"{SITE}{page}") for page in pages]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def dead(folder: Path, journal: object = None, name: str = "journal") -> Path:
    """What a run leaves that is killed."""
    space = place(folder).held
    space.mkdir()
    (space / "lock").touch()
    (space / "1.tmp").write_bytes(b"new")
    if journal is not None:
        (space / name).write_text(json.dumps(journal))
    return space


# --- two runs at once


@posix
@pytest.mark.parametrize("other", ["sitemap.xml", "sitemap.xml.gz"])
def test_a_second_run_on_a_target_is_refused(other: str, tmp_path: Path) -> None:
    first = claim(place(tmp_path), urlset.Ledger())
    with pytest.raises(OptionError, match="another run is writing it"):
        urlset.write(entries(1), tmp_path / other)
    assert names(tmp_path) == [".sitemap.xml.urlset"]
    first.close()
    urlset.write(entries(1), tmp_path / other)
    assert names(tmp_path) == [other]


@posix
def test_of_two_runs_that_begin_at_once_one_is_refused(tmp_path: Path) -> None:
    with Staging(place(tmp_path), urlset.Ledger()) as one, Staging(place(tmp_path), urlset.Ledger()) as other:
        one.create(tmp_path / "sitemap.xml")[1].close()
        with pytest.raises(OptionError, match="another run"):
            other.create(tmp_path / "sitemap.xml")
        assert names(tmp_path) == [".sitemap.xml.urlset"]


def test_another_target_in_the_folder_is_free(tmp_path: Path) -> None:
    claimed = claim(place(tmp_path), urlset.Ledger())
    urlset.write(entries(1), tmp_path / "other.xml")
    claimed.close()
    assert names(tmp_path) == ["other.xml"]


@posix
def test_many_processes_at_once_write_one_set_or_are_refused(tmp_path: Path) -> None:
    code = f"""
import sys, urlset
from urlset.formats.vocabulary.errors import OptionError
pages = [urlset.Entry(loc="{SITE}%s/%d" % (sys.argv[1], page)) for page in range(40)]
try:
    urlset.write(pages, "sitemap.xml", base_url="{SITE}", max_urls=10)
except OptionError as error:
    assert "another run" in str(error), error
"""
    jobs = [subprocess.Popen([sys.executable, "-c", code, str(number)], cwd=tmp_path) for number in range(6)]
    assert [job.wait(timeout=60) for job in jobs] == [0] * 6
    found = list(urlset.read(tmp_path / "sitemap.xml"))
    assert len(found) == 40
    assert len({entry.loc.rsplit("/", 1)[0] for entry in found}) == 1
    assert names(tmp_path) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap-4.xml", "sitemap.xml"]


# --- what a run leaves that is killed


@posix
def test_without_a_journal_it_is_removed_without_a_word(tmp_path: Path) -> None:
    dead(tmp_path)
    random_name = tmp_path / ".sitemap.xml.urlset-abcd1234"
    random_name.mkdir()
    (random_name / "lock").touch()
    (tmp_path / ".sitemap.xml.urlset-empty").mkdir()
    (tmp_path / ".sitemap.xml.urlset.keep").mkdir()
    result = urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert names(tmp_path) == [".sitemap.xml.urlset.keep", "sitemap.xml"]
    assert result.ledger.findings == []


@posix
def test_with_a_journal_it_is_finished_and_told(tmp_path: Path) -> None:
    (tmp_path / "sitemap-1.xml").write_bytes(b"stale")
    room = ".sitemap.xml.urlset"
    steps = [[f"{room}/1.tmp", "sitemap.xml", None, None], [None, "sitemap-1.xml", f"{room}/2.old", None]]
    dead(tmp_path, steps)
    ledger = urlset.Ledger()
    settle(place(tmp_path), ledger)
    assert names(tmp_path) == ["sitemap.xml"]
    assert (tmp_path / "sitemap.xml").read_bytes() == b"new"
    assert [(one.rule, one.severity) for one in ledger.findings] == [("set-recovered", "info")]


@posix
def test_a_journal_that_was_turned_over_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"half")
    space = dead(tmp_path, [[".sitemap.xml.urlset/9.tmp", "sitemap.xml", ".sitemap.xml.urlset/9.old", None]], "undo")
    (space / "9.old").write_bytes(b"old")
    ledger = urlset.Ledger()
    settle(place(tmp_path), ledger)
    assert (tmp_path / "sitemap.xml").read_bytes() == b"old"
    assert "taken back" in ledger.findings[0].message


ROOM = ".sitemap.xml.urlset"
TAMPERED = [
    pytest.param([None, "/etc/passwd", f"{ROOM}/2.old", None], "elsewhere", id="absolute"),
    pytest.param([None, "../sitemap.xml", f"{ROOM}/2.old", None], "elsewhere", id="above"),
    pytest.param([None, "link/sitemap.xml", f"{ROOM}/2.old", None], "elsewhere", id="through-a-link"),
    pytest.param([f"{ROOM}/1.tmp", "link/sitemap.xml", None, None], "elsewhere", id="into-a-link"),
    pytest.param([None, "./sitemap.xml", f"{ROOM}/2.old", None], "elsewhere", id="not-normal"),
    pytest.param([None, "sitemap.xml\0", f"{ROOM}/2.old", None], "elsewhere", id="nul"),
    pytest.param([None, "sitemap-2.xml", f"{ROOM}/2.old", None], "removes a link", id="removes-a-link"),
    pytest.param([None, "mine.xml", f"{ROOM}/2.old", None], "no part of the set", id="removes-another"),
    pytest.param([f"{ROOM}/1.tmp", "mine.xml", None, None], "no part of the set", id="replaces-another"),
    pytest.param([f"{ROOM}/1.tmp", ".htaccess", None, None], "no part of the set", id="hidden"),
    pytest.param([f"{ROOM}/1.tmp", f"{ROOM}/lock", None, None], "no part of the set", id="in-the-workspace"),
    pytest.param([f"{ROOM}/1.tmp", "sitemap-3.xml", None, None], "a folder", id="folder"),
    pytest.param(["mine.xml", "sitemap.xml", None, None], "outside the workspace", id="takes-another"),
    pytest.param([f"{ROOM}/1.tmp", "sitemap.xml", "mine.xml", None], "outside the workspace", id="keeps-elsewhere"),
    pytest.param([f"{ROOM}/5.tmp", "sitemap.xml", None, None], "none of ours", id="temporary-link"),
    pytest.param([f"{ROOM}/lock", "sitemap.xml", None, None], "none of ours", id="lock"),
    pytest.param([f"{ROOM}/1.tmp", "sitemap.xml", f"{ROOM}/7.old", None], "none of ours", id="another-kept"),
    pytest.param([None, "sitemap.xml", None, None], "none of ours", id="removed-for-good"),
    pytest.param([f"{ROOM}/1.tmp", "sitemap.xml", None, "mine.xml"], "a backup", id="backup-of-a-set"),
    pytest.param([f"{ROOM}/1.tmp", "x" * 5000 + "/sitemap.xml", None, None], "can't be a file", id="too-long"),
    pytest.param([f"{ROOM}/1.tmp", "\ud800/sitemap.xml", None, None], "can't be a file", id="surrogate"),
]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def site_with_traps(tmp_path: Path, journal: object, name: str) -> Path:
    folder = tmp_path / "site"
    (folder / "sitemap-3.xml").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (folder / "link").symlink_to("../elsewhere")
    (folder / "sitemap-2.xml").symlink_to("../sitemap.xml")
    for path in ("site/mine.xml", "site/.htaccess", "site/sitemap.xml", "sitemap.xml", "elsewhere/sitemap.xml"):
        (tmp_path / path).write_bytes(b"precious")
    space = dead(folder, journal, name)
    (space / "5.tmp").symlink_to("../../sitemap.xml")
    return folder


@posix
@pytest.mark.parametrize("name", ["journal", "undo"])
@pytest.mark.parametrize(("step", "says"), TAMPERED)
def test_a_journal_that_no_run_has_written_is_refused(step: object, says: str, name: str, tmp_path: Path) -> None:
    good = [f"{ROOM}/1.tmp", "sitemap.xml", f"{ROOM}/1.old", None]
    folder = site_with_traps(tmp_path, [good, step], name)
    before = everything(tmp_path)
    for _ in range(2):
        with pytest.raises(OptionError, match=f"(?s){ROOM} holds a journal.*{says}.*remove it"):
            urlset.write(entries(1), folder / "sitemap.xml")
    assert everything(tmp_path) == before


BROKEN = [
    b"", b"{", b"[]", b'[["a"]]', b"5", b"[[null,5,null,null]]", b"[[null,null,null,null]]", b"\xff", b"[" * 100_000,
    b'["abcd"]', b"{}", b"null",
]  # fmt: skip


@posix
@pytest.mark.parametrize("name", ["journal", "undo"])
@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_journal_that_is_broken_is_refused(text: bytes, name: str, tmp_path: Path) -> None:
    (dead(tmp_path) / name).write_bytes(text)
    for _ in range(2):
        with pytest.raises(OptionError, match="holds a journal that is not to be trusted"):
            urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert names(tmp_path) == [ROOM]


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "dangling"])
def test_a_journal_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = dead(tmp_path) / "journal"
    (tmp_path / "other").write_text("[]")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("../other" if kind == "link" else "nowhere")
    with pytest.raises(OptionError, match="it is no file"):
        urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert (tmp_path / ROOM).is_dir()


@posix
@pytest.mark.parametrize(
    ("step", "says"),
    [
        ([f"{ROOM}/1.tmp", "sub/b.xml", f"{ROOM}/1.old", "sub/b.xml.bak"], None),
        ([f"{ROOM}/1.tmp", "sub/b.xml", None, "sub/b.xml.bak2"], None),
        (["sub/.b.xml.12-a3-1.tmp", "sub/b.xml", "sub/.b.xml.12-a3-1.old", None], None),
        ([f"{ROOM}/1.tmp", "sub/b.xml", None, "sub/c.bak"], "a backup"),
        ([f"{ROOM}/1.tmp", "sub/b.xml", None, "b.xml.bak"], "a backup"),
        ([None, "sub/b.xml", f"{ROOM}/2.old", None], "no part of the set"),
        ([f"{ROOM}/1.tmp", f"{ROOM}/b.xml", None, None], "no part of the set"),
        (["sub/b.xml", "b.xml", None, None], "outside the workspace"),
    ],
)
def test_a_migration_replaces_files_below_its_folder(step: object, says: str | None, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.xml").write_bytes(b"old")
    (tmp_path / "sub" / ".b.xml.12-a3-1.tmp").write_bytes(b"new")
    dead(tmp_path, [step])
    migration = place(tmp_path)._replace(tree=True)
    if says is None:
        settle(migration, urlset.Ledger())
        assert (tmp_path / "sub" / "b.xml").read_bytes() == b"new"
        return
    with pytest.raises(OptionError, match=says):
        settle(migration, urlset.Ledger())
    assert (tmp_path / "sub" / "b.xml").read_bytes() == b"old"


@posix
def test_what_another_user_left_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead(tmp_path, [[None, "b.xml", None, None]])
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    (tmp_path / ".sitemap.xml.urlset-abcd1234").mkdir()
    (tmp_path / ".sitemap.xml.urlset-abcd1234" / "lock").touch()
    with pytest.raises(OptionError, match="another user"):
        urlset.write(entries(1), tmp_path / "sitemap.xml")
    sweep(place(tmp_path))
    assert names(tmp_path) == [".sitemap.xml.urlset", ".sitemap.xml.urlset-abcd1234"]


@posix
def test_a_folder_of_that_name_that_is_none_of_ours_is_in_the_way(tmp_path: Path) -> None:
    place(tmp_path).held.mkdir()
    (place(tmp_path).held / "precious").touch()
    with pytest.raises(OptionError, match="in the way"):
        urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert names(tmp_path) == [".sitemap.xml.urlset"]


# --- systems that lack something


@posix
def test_where_files_can_not_be_locked_nothing_of_others_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    dead(tmp_path)
    monkeypatch.setattr("fcntl.flock", no_locks)
    urlset.write(entries(1, 2, 3), tmp_path / "sitemap.xml", base_url=SITE, max_urls=1)
    assert names(tmp_path) == [
        ".sitemap.xml.urlset", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml",
    ]  # fmt: skip


def test_where_files_have_one_name_each_copies_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    urlset.write(entries(1, 2, 3), tmp_path / "sitemap.xml", base_url=SITE, max_urls=1)
    monkeypatch.setattr(os, "link", no_links)
    urlset.write(entries(1, 2), tmp_path / "sitemap.xml", base_url=SITE, max_urls=1)
    assert names(tmp_path) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]


def test_folders_that_can_not_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(number: int) -> Any:
        def fsync(_: int) -> None:
            raise OSError(number, os.strerror(number))

        return fsync

    monkeypatch.setattr(os, "fsync", refusing(errno.EINVAL))
    durability.sync_folders([tmp_path])
    monkeypatch.setattr(os, "fsync", refusing(errno.EIO))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)) as caught:
        durability.sync_folders([tmp_path])
    assert caught.value.errno == errno.EIO


def test_a_target_on_another_file_system_has_its_temporary_files_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.xml").write_bytes(b"old")
    with Staging(place(tmp_path), urlset.Ledger()) as staging:
        assert staging.folder.is_dir()
        stat = Path.stat
        far = tmp_path / "far"

        def elsewhere(self: Path, **more: Any) -> os.stat_result:
            found = stat(self, **more)
            return os.stat_result((*found[:2], -1, *found[3:])) if self == far else found

        monkeypatch.setattr(Path, "stat", elsewhere)
        moves = []
        for name in ("far/a.xml", "far/b.xml"):
            path, raw = staging.create(tmp_path / name)
            with raw:
                raw.write(b"new")
            assert path.parent == tmp_path / "far"
            moves.append(Move(path, tmp_path / name))
        monkeypatch.undo()
        staging.move(moves)
    assert names(tmp_path / "far") == ["a.xml", "b.xml"]
    assert names(tmp_path) == ["far"]


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refused)
    with pytest.raises(WriteError, match="can't be written: Permission denied") as caught:
        urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert caught.value.source == str(tmp_path / "sitemap.xml")


def test_a_folder_that_may_not_be_listed_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "listdir", refused)
    sweep(place(tmp_path))
    monkeypatch.undo()
    urlset.write(entries(1), tmp_path / "sitemap.xml")
    assert names(tmp_path) == ["sitemap.xml"]


# --- the journal


def test_every_step_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "made").write_bytes(b"new")
    (tmp_path / "final").write_bytes(b"old")
    step = Step(tmp_path / "made", tmp_path / "final", tmp_path / "kept", tmp_path / "backup")
    for _ in range(2):
        step.forward(tmp_path)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
            "final": b"new", "kept": b"old", "backup": b"old",
        }  # fmt: skip
    for _ in range(2):
        step.back()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"final": b"old"}


def test_a_journal_is_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "made").touch()
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        Journal(tmp_path, tmp_path, [Step(tmp_path / "made", tmp_path / "final", None)]).carry_out()
    assert names(tmp_path) == ["made"]


def test_rights_of_a_file_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "sitemap.xml"
    target.touch()
    target.chmod(0o640)
    urlset.write(entries(1), target)
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        (".sitemap.xml.urlset", True),
        (".sitemap.xml.urlset-a1_b2c3d", True),
        (".migration.urlset", True),
        (".urlset", False),
        ("sitemap.xml.urlset", False),
        (".sitemap.xml.urlset.bak", False),
    ],
)
def test_names_of_workspaces(name: str, is_one: bool) -> None:
    assert is_workspace(name) == is_one
