"""Files in stores, through fsspec: read, written as sets with the index last, and what is said when that can't be."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec  # type: ignore[import-untyped]
import pytest

import urlset
from urlset.converters.sources import remote
from urlset.formats.vocabulary.errors import MissingDependencyError, OptionError, SourceError, WriteError

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import index, sitemap

HOME = "https://example.com/"


@pytest.fixture
def store() -> Iterator[Any]:
    """The store in memory, empty before and after."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pseudo_dirs[:] = [""]
    yield files
    files.store.clear()


def names(store: Any) -> list[str]:
    return sorted(store.store)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("s3://bucket/a.xml", True),
        ("gs://bucket/a.xml", True),
        ("memory://a.xml", True),
        ("https://example.com/a.xml", False),
        ("HTTP://example.com/a.xml", False),
        ("C://a.xml", False),
        ("a.xml", False),
        ("/tmp/s3://a.xml", False),  # noqa: S108
        (Path("s3:/a.xml"), False),
        (b"s3://a", False),
    ],
)
def test_what_is_remote(name: object, expected: bool) -> None:
    assert remote.is_remote(name) is expected


def test_reading(store: Any) -> None:
    store.pipe("/site/a.xml", sitemap(HOME + "a"))
    ledger = urlset.Ledger()
    assert [one.loc for one in urlset.read("memory://site/a.xml", ledger=ledger)] == [HOME + "a"]
    assert ledger.accounts[0].name == "memory://site/a.xml"


def test_children_lie_beside_their_list(store: Any) -> None:
    store.pipe("/site/index.xml", index(HOME + "maps/a.xml", HOME + "b.xml", HOME + "a.xml", "file:///etc/passwd"))
    store.pipe("/site/a.xml", sitemap(HOME + "a"))
    ledger = urlset.Ledger()
    assert [one.loc for one in urlset.read("memory://site/index.xml", ledger=ledger)] == [HOME + "a"]
    assert [(one.rule, one.line) for one in ledger.findings if one.severity == "error"] == [
        ("unsupported-scheme", 5),
        ("child-unavailable", 3),
    ]


def test_passwords_are_not_shown(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They reach the store, for a list and for what lies beside it."""
    store.pipe("/site/index.xml", index(HOME + "a.xml", HOME + "b.xml"))
    store.pipe("/site/a.xml", sitemap(HOME + "a"))
    asked = []

    def opened(name: str) -> tuple[Any, str]:
        asked.append(name)
        return store, "/" + name.partition("example.com/")[2]

    monkeypatch.setattr("fsspec.core.url_to_fs", opened)
    ledger = urlset.Ledger()
    folder = "ftp://cat:s3cr3t@example.com/site"
    assert [one.loc for one in urlset.read(f"{folder}/index.xml", ledger=ledger)] == [HOME + "a"]
    assert asked == [f"{folder}/{name}.xml" for name in ("index", "a", "b")]
    result = urlset.convert(f"{HOME}c\n".encode(), f"{folder}/c.xml")
    assert store.cat("/site/c.xml")
    said = f"{ledger.report()}{result.report()}"
    assert "ftp://example.com/site/c.xml" in said
    assert "s3cr3t" not in said
    with pytest.raises(SourceError) as caught:
        list(urlset.read(f"{folder}/d.xml"))
    assert "s3cr3t" not in str(caught.value)


def test_a_file_that_is_not_there(store: Any) -> None:
    with pytest.raises(SourceError, match="there is no such file"):
        list(urlset.read("memory://site/a.xml"))


def test_writing_one_file(store: Any) -> None:
    result = urlset.convert(f"{HOME}a\n".encode(), "memory://site/sitemap.xml.gz")
    assert names(store) == ["/site/sitemap.xml.gz"]
    assert store.cat("/site/sitemap.xml.gz")[:2] == b"\x1f\x8b"
    assert [one.path for one in result.outputs] == ["memory://site/sitemap.xml.gz"]


def test_a_set_is_put_with_its_index_last(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put = []
    put_file = type(store).put_file

    def noted(self: Any, local: str, path: str) -> None:
        put.append(path)
        put_file(self, local, path)

    monkeypatch.setattr(type(store), "put_file", noted)
    entries = [urlset.Entry(loc=f"{HOME}{number}") for number in range(5)]
    result = urlset.write(entries, "memory://site/sitemap.xml", max_urls=2)
    parts = [f"/site/sitemap-{number}.xml" for number in (1, 2, 3)]
    assert put == [*parts, "/site/sitemap.xml"]
    assert [one.path for one in result.outputs] == [f"memory:/{path}" for path in put]
    assert b"https://example.com/sitemap-3.xml" in store.cat("/site/sitemap.xml")
    assert [one.loc for one in urlset.read("memory://site/sitemap.xml")] == [one.loc for one in entries]
    report = str(result.report())
    assert "urlset-" not in report.replace("urlset-fetch", "")


def test_the_same_as_on_disk(store: Any, tmp_path: Path) -> None:
    entries = [urlset.Entry(loc=f"{HOME}{number}") for number in range(5)]
    urlset.write(entries, "memory://site/sitemap.xml", max_urls=2, gzip=True)
    urlset.write(entries, tmp_path / "sitemap.xml", max_urls=2, gzip=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name.rpartition("/")[2]: store.cat(name) for name in names(store)
    }


def test_a_job_that_fails_puts_nothing(store: Any) -> None:
    with pytest.raises(urlset.UrlsetError):
        urlset.convert(b"nonsense\n", "memory://site/sitemap.xml", from_="text")
    with pytest.raises(OptionError, match="no file name"):
        urlset.convert(f"{HOME}\n".encode(), "memory://site/", to="sitemap")
    assert names(store) == []


def test_a_store_that_takes_nothing(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was put before stays, and the old index is as it was."""
    store.pipe("/site/sitemap.xml", b"old")
    put_file = type(store).put_file

    def fails(self: Any, local: str, path: str) -> None:
        if path.endswith("-2.xml"):
            raise PermissionError("quota")
        put_file(self, local, path)

    monkeypatch.setattr(type(store), "put_file", fails)
    entries = [urlset.Entry(loc=f"{HOME}{number}") for number in range(5)]
    with pytest.raises(WriteError, match="quota") as caught:
        urlset.write(entries, "memory://site/sitemap.xml", max_urls=2)
    assert caught.value.source == "memory://site/sitemap-2.xml"
    assert store.cat("/site/sitemap.xml") == b"old"
    assert names(store) == ["/site/sitemap-1.xml", "/site/sitemap.xml"]


def test_a_store_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingDependencyError, match=r"urlset\[cloud\]"):
        list(urlset.read("s3://bucket/a.xml"))
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingDependencyError, match=r"urlset\[cloud\]"):
        urlset.convert(f"{HOME}\n".encode(), "memory://a.xml")


@pytest.mark.parametrize("name", ["file:///etc/passwd", "local://etc/passwd", "nowhere://a.xml"])
def test_what_is_no_store(name: str) -> None:
    with pytest.raises(OptionError):
        list(urlset.read(name))
    with pytest.raises(OptionError):
        urlset.convert(f"{HOME}\n".encode(), name, to="text")


def test_parents_of_the_output_are_no_files_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
    """Neither a source nor an output in a store is taken for a path."""
    monkeypatch.chdir(tmp_path)
    store.pipe("/a.txt", f"{HOME}a\n".encode())
    urlset.convert("memory://a.txt", "memory://a.xml", rejects=tmp_path / "rejects.jsonl")
    assert names(store) == ["/a.txt", "/a.xml"]
    assert [path.name for path in tmp_path.iterdir()] == ["rejects.jsonl"]
