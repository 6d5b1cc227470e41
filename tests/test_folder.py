"""Folders: which files are listed, under which address, with which time; and what is left out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.converters.own_files import own_files
from urlset.formats.vocabulary.errors import OptionError, SourceError, StrictError

BASE = "https://example.com/"
WHEN = 1_714_979_289
"""2024-05-06T07:08:09Z."""

posix = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are no arbitrary bytes here")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def put(folder: Path, *names: str, when: float = WHEN) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (0, when))


def listed(folder: Path, **options: Any) -> list[str]:
    return [entry.loc.removeprefix(BASE) for entry in urlset.read(folder, base_url=BASE, **options)]


def found(folder: Path, **options: Any) -> tuple[list[urlset.Entry], urlset.Ledger]:
    ledger = urlset.Ledger()
    entries = list(urlset.read(folder, base_url=BASE, ledger=ledger, **options))
    ledger.counts.written = len(entries)
    ledger.check()
    return entries, ledger


# --- addresses


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("a.html", "a.html"),
        ("two words.html", "two%20words.html"),
        ("naïve.html", "na%C3%AFve.html"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("50%.html", "50%25.html"),
        ("a%2Fb", "a%252Fb"),
        ("q?a=1&b=2", "q%3Fa=1&b=2"),
        ("a#b", "a%23b"),
        ("-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@"),
        ('<">[]{}|^`\\', "%3C%22%3E%5B%5D%7B%7D%7C%5E%60%5C"),
        ("line\nbreak\ttab", "line%0Abreak%09tab"),
        ("https:", "https:"),
    ],
)
@posix
def test_a_name_becomes_a_segment(name: str, segment: str, site: Path) -> None:
    put(site, name)
    assert listed(site) == [segment]


@posix
def test_bytes_that_are_not_utf_8_are_kept(site: Path) -> None:
    put(site, os.fsdecode(b"caf\xe9.html"), os.fsdecode(b"\xff/x"))
    assert listed(site) == ["caf%E9.html", "%FF/x"]


@given(name=st.binary(min_size=1, max_size=12))
@posix
def test_an_address_holds_the_bytes_of_the_name(name: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    from urllib.parse import unquote_to_bytes

    if name.startswith(b".") or b"/" in name or b"\0" in name:
        return
    folder = tmp_path_factory.mktemp("site")
    put(folder, os.fsdecode(name))
    (entry,) = urlset.read(folder, base_url=BASE)
    assert unquote_to_bytes(entry.loc.removeprefix(BASE)) == name
    assert not any(problem.rule != "double-escaped" for problem in inspected(entry.loc))


def inspected(loc: str) -> Any:
    from urlset.formats.vocabulary.urls import inspect

    return inspect(loc)


@pytest.mark.parametrize("base", ["https://example.com/shop", "https://example.com/shop/"])
def test_the_base_is_the_root_with_or_without_its_slash(base: str, site: Path) -> None:
    put(site, "index.html", "a.html")
    assert [entry.loc for entry in urlset.read(site, base_url=base)] == [
        "https://example.com/shop/",
        "https://example.com/shop/a.html",
    ]


def test_a_base_is_needed(site: Path, tmp_path: Path) -> None:
    put(site, "a.html")
    with pytest.raises(OptionError, match=r"give the address with --base-url https://example\.com/") as refused:
        urlset.convert(site, tmp_path / "out.xml")
    assert (refused.value.source, refused.value.format) == (str(site), "folder")
    assert not (tmp_path / "out.xml").exists()


@pytest.mark.parametrize("base", ["https://example.com/?a=1", "https://example.com/#top"])
def test_the_base_is_the_address_of_a_folder(base: str, site: Path) -> None:
    with pytest.raises(OptionError, match="must be the address of a folder"):
        list(urlset.read(site, base_url=base))


# --- what is listed


def test_a_folder_comes_before_what_is_in_it_and_names_are_in_order(site: Path) -> None:
    put(site, "b/2.html", "b/10.html", "b/index.html", "b/!first.html", "B.html", "b.html", "index.html", "é.html")
    assert listed(site) == ["", "B.html", "b/", "b/!first.html", "b/10.html", "b/2.html", "b.html", "%C3%A9.html"]


def test_a_folder_is_listed_if_it_has_the_default_file(site: Path) -> None:
    put(site, "with/index.html", "without/a.html", "INDEX/INDEX.HTML")
    (site / "empty").mkdir()
    (site / "folder" / "index.html").mkdir(parents=True)
    assert listed(site) == ["INDEX/INDEX.HTML", "with/", "without/a.html"]


def test_another_default_file(site: Path) -> None:
    put(site, "home.php", "index.html", "a/home.php")
    assert listed(site, default_file="home.php") == ["", "a/", "index.html"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/index.html", "a\\b", "a\0"])
def test_the_default_file_is_a_name(name: str, site: Path) -> None:
    with pytest.raises(OptionError, match="default_file"):
        list(urlset.read(site, base_url=BASE, default_file=name))
    with pytest.raises(OptionError, match="default_file"):
        urlset.validate(site, base_url=BASE, default_file=name)


def test_depth_is_no_recursion(site: Path) -> None:
    path = site
    try:
        for _ in range(1_200):
            path = path / "d"
            path.mkdir()
        (path / "x.html").touch()
    except OSError:
        pytest.skip("paths are not that long here")
    try:
        assert listed(site) == ["d/" * 1_200 + "x.html"]
    finally:
        # pytest removes old folders by recursion, and would stumble over this one in a later run.
        (path / "x.html").unlink()
        while path != site:
            path.rmdir()
            path = path.parent


# --- time


@pytest.mark.parametrize(
    ("when", "lastmod"),
    [
        (WHEN, "2024-05-06T07:08:09Z"),
        (WHEN + 0.999, "2024-05-06T07:08:09Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (4_102_444_800, "2100-01-01T00:00:00Z"),
    ],
)
def test_the_time_of_a_file_in_utc(when: float, lastmod: str, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    put(site, "a.html", when=when)
    (entry,), ledger = found(site)
    assert (str(entry.lastmod), ledger.findings) == (lastmod, [])


def test_a_folder_has_the_time_of_its_default_file(site: Path) -> None:
    put(site, "a/index.html")
    put(site, "a/b.html", when=WHEN + 86_400)
    os.utime(site / "a", (0, WHEN + 1_000_000))
    assert [str(entry.lastmod) for entry in urlset.read(site, base_url=BASE)] == [
        "2024-05-06T07:08:09Z",
        "2024-05-07T07:08:09Z",
    ]


def test_a_time_that_was_never_set_is_remarked_on(site: Path) -> None:
    put(site, "a.html", when=0)
    (entry,), ledger = found(site)
    assert str(entry.lastmod) == "1970-01-01T00:00:00Z"
    assert [finding.rule for finding in ledger.findings] == ["date-implausible"]


def test_a_time_beyond_all_calendars_is_left_out() -> None:
    from urlset.formats.folder import _in_utc
    from urlset.formats.vocabulary.dates import read_w3c

    for seconds in (253_402_300_800, 10**17, 10**30, -(10**12)):
        assert read_w3c(_in_utc(seconds * 10**9), None)[0] is None


# --- what is left out


def test_hidden_names_are_filtered_and_told_once(site: Path) -> None:
    put(site, "a.html", ".htaccess", ".git/HEAD", ".git/index.html", "b/.x", "b/..y")
    entries, ledger = found(site)
    assert [entry.loc for entry in entries] == [f"{BASE}a.html"]
    (finding,) = ledger.findings
    assert (finding.rule, finding.severity, finding.count, finding.value) == (
        "hidden-file",
        "info",
        4,
        str(site / ".git"),
    )
    assert (ledger.counts.read, ledger.counts.filtered) == (5, 4)


def test_a_hidden_folder_can_be_given_itself(site: Path) -> None:
    put(site, ".well-known/security.txt")
    assert listed(site / ".well-known") == ["security.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_is_no_file_is_filtered(site: Path) -> None:
    os.mkfifo(site / "pipe")
    entries, ledger = found(site)
    assert (entries, ledger.counts.filtered) == ([], 1)
    assert [finding.rule for finding in ledger.findings] == ["not-a-page"]


def test_links(site: Path, tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/index.html", "elsewhere/b.html", "bare/c.html", "file.html")
    (site / "elsewhere").symlink_to(tmp_path / "elsewhere")
    (site / "bare").symlink_to(tmp_path / "bare")
    (site / "file.html").symlink_to(tmp_path / "file.html")
    (site / "self").symlink_to(site)
    assert listed(site) == ["elsewhere/", "file.html"]


def test_a_link_to_a_folder_can_be_given_itself(site: Path, tmp_path: Path) -> None:
    put(site, "index.html", "a/b.html")
    (tmp_path / "link").symlink_to(site)
    assert listed(tmp_path / "link") == ["", "a/b.html"]


def test_a_link_that_leads_nowhere_is_rejected(site: Path) -> None:
    put(site, "a.html")
    (site / "gone.html").symlink_to("nowhere")
    entries, ledger = found(site)
    assert [entry.loc for entry in entries] == [f"{BASE}a.html"]
    (finding,) = ledger.findings
    assert (finding.rule, finding.severity, finding.action) == ("unreadable-file", "error", "rejected")
    assert "leads nowhere" in finding.message
    with pytest.raises(StrictError, match="leads nowhere"):
        found(site, strict=True)


def test_a_folder_that_may_not_be_read_is_a_finding(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(site, "a/x.html", "b/y.html", "c/z.html")
    scan = os.scandir

    def guarded(path: Any) -> Any:
        if os.fsdecode(path).endswith("b"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    entries, ledger = found(site)
    assert [entry.loc.removeprefix(BASE) for entry in entries] == ["a/x.html", "c/z.html"]
    (finding,) = ledger.findings
    assert (finding.rule, finding.value) == ("unreadable-file", str(site / "b"))
    assert finding.message == f"{site / 'b'} can't be read: Permission denied"
    assert ledger.has_errors
    with pytest.raises(SourceError, match="can't be read: Permission denied"):
        found(site / "b")


# --- the files of the job


def test_the_job_does_not_list_its_own_files(site: Path) -> None:
    put(site, "index.html", *(f"{number}.html" for number in range(5)))
    (site / "sub").mkdir()
    put(site, "sub/sitemap.xml", "sitemap-x.xml", "sitemap-01.xml", "sitemap.xml.bak")
    options: dict[str, Any] = {
        "base_url": BASE,
        "max_urls": 3,
        "rejects": site / "rejects.jsonl",
        "own_files": [site / "report.json"],
    }
    put(site, "report.json")
    first = urlset.convert(site, site / "sitemap.xml", **options)
    assert [Path(one.path).name for one in first.outputs] == [
        "sitemap-1.xml",
        "sitemap-2.xml",
        "sitemap-3.xml",
        "sitemap-4.xml",
        "sitemap.xml",
    ]
    before = {path: path.read_bytes() for path in site.rglob("*.xml")}
    put(site, "sitemap-9.xml", "sitemap.xml.gz", "sitemap-9.xml.gz")
    second = urlset.convert(site, site / "sitemap.xml", **options)
    assert second.ledger.counts == first.ledger.counts
    assert {path: path.read_bytes() for path in before} == before
    locs = [entry.loc.removeprefix(BASE) for entry in urlset.read(site / "sitemap.xml")]
    assert [one for one in locs if "sitemap" in one] == [
        "sitemap-01.xml", "sitemap-x.xml", "sitemap.xml.bak", "sub/sitemap.xml",
    ]  # fmt: skip
    assert not {"report.json", "rejects.jsonl"} & set(locs)


@pytest.mark.parametrize("given", [".", "site", "site/", "./site/../site"])
def test_own_files_are_known_however_the_folder_is_called(
    given: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(site, "a/b/index.html")
    monkeypatch.chdir(site if given == "." else site.parent)
    for _ in range(2):
        urlset.convert(given, site / "a" / "b" / "pages.csv", base_url=BASE)
    assert listed(site) == ["a/b/", "a/b/pages.csv"]
    assert [entry.loc for entry in urlset.read(site / "a" / "b" / "pages.csv")] == [f"{BASE}a/b/"]


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("sitemap.xml", True),
        ("sitemap.xml.gz", True),
        ("sitemap-12.xml", True),
        ("sitemap-12.xml.gz", True),
        (".sitemap.xml.77-7f00-0.tmp", True),
        ("report.json", True),
        (".report.json.77.tmp", True),
        ("report-1.json", False),
        ("sitemap-0.xml", False),
        ("sitemap-1a.xml", False),
        ("sitemapxml", False),
        ("my-sitemap.xml", False),
        ("sitemap.xml.tmp", False),
    ],
)
def test_names_of_own_files(name: str, own: bool, tmp_path: Path) -> None:
    (pattern,) = own_files(tmp_path / "sitemap.xml", [tmp_path / "report.json", None]).values()
    assert bool(pattern.fullmatch(name)) == own


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "sitemap-1.xml.gz", ".sitemap.xml.gz.7-7-0.tmp"])
def test_names_of_compressed_own_files(name: str, tmp_path: Path) -> None:
    (pattern,) = own_files(tmp_path / "sitemap.xml.gz").values()
    assert pattern.fullmatch(name)


def test_what_is_no_path_is_no_file() -> None:
    assert own_files("-", [None, print]) == {}


# --- as a source


def test_a_folder_is_known_by_being_one(site: Path) -> None:
    put(site, "robots.txt", "sitemap.xml")
    entries, ledger = found(site)
    assert len(entries) == 2
    (account,) = ledger.accounts
    assert (account.name, account.format, account.read) == (str(site), "folder", 2)


def test_another_format_can_not_be_asked_of_it(site: Path) -> None:
    with pytest.raises(SourceError, match="it is a folder; name its files"):
        listed(site, from_="sitemap")


@pytest.mark.parametrize("source", [b"https://example.com/\n", "no-such-thing"])
def test_what_is_no_folder_is_not_read_as_one(source: bytes | str) -> None:
    with pytest.raises(SourceError, match="it is no folder"):
        list(urlset.read(source, base_url=BASE, from_="folder"))


def test_an_index_lists_no_folders(site: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="it is a folder; name its files"):
        urlset.index([site], tmp_path / "index.xml", base_url=BASE)


def test_a_registry_without_folders_says_so(site: Path) -> None:
    from urlset.formats.vocabulary.registry import Registry

    known = Registry(one for one in urlset.registry() if not one.of_folders)
    with pytest.raises(ValueError, match="it is a folder; name its files"):
        listed(site, registry=known)


def test_folders_and_files_can_be_read_together(site: Path, tmp_path: Path) -> None:
    put(site, "a.html")
    (tmp_path / "urls.txt").write_text("https://example.com/b\n")
    found = urlset.read([site, tmp_path / "urls.txt"], base_url=BASE)
    assert [entry.loc for entry in found] == [f"{BASE}a.html", f"{BASE}b"]


def test_info_and_validate_take_folders(site: Path) -> None:
    put(site, "index.html", "a.html", ".x")
    assert urlset.info(site, base_url=BASE).urls == 2
    findings = urlset.validate(site, base_url=BASE, now="2024-06-01T00:00:00Z")
    assert {finding.rule for finding in findings} <= {"hidden-file", "lastmod-all-equal"}


def test_the_command_line_lists_none_of_its_files(site: Path, run_urlset: Any) -> None:
    put(site, "index.html", "home.htm")
    command = ("convert", "site", "-o", "site/out.xml", "--base-url", BASE, "--report", "site/report.json")
    for _ in range(2):
        assert run_urlset(*command, "--default-file", "home.htm", cwd=site.parent).returncode == 0
    report = json.loads((site / "report.json").read_text())
    assert report["counts"]["read"] == 2
    assert report["sources"][0]["format"] == "folder"
    assert [entry.loc for entry in urlset.read(site / "out.xml")] == [BASE, f"{BASE}index.html"]
