"""An output that grows: what it holds is read again, wholly, before anything is moved into place."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.vocabulary.errors import OptionError, ReadError, SourceError
from urlset.formats.vocabulary.registry import Registry

SITE = "https://example.com/"
OLD = urlset.LastMod("2024-05-02T07:00:00Z")


def feed(*pages: tuple[str, str]) -> bytes:
    items = "".join(
        f"<item><title>{name}</title><link>{SITE}{name}</link><pubDate>{day} May 2024 07:00:00 +0000</pubDate></item>"
        for name, day in pages
    )
    return f'<rss version="2.0"><channel><title>T</title>{items}</channel></rss>'.encode()


def grow(folder: Path, *pages: tuple[str, str], dst: str = "sitemap.xml", **options: Any) -> urlset.Result:
    options = {"base_url": SITE, "on_loss": "ignore", "update": True} | options
    return urlset.convert(feed(*pages), folder / dst, **options)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def held(path: Path) -> list[str]:
    return [entry.loc.removeprefix(SITE) for entry in urlset.read(path)]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        pytest.param({}, ["sitemap.xml"], id="file"),
        pytest.param({"dst": "sitemap.xml.gz"}, ["sitemap.xml.gz"], id="gz"),
        pytest.param({"gzip": True}, ["sitemap.xml.gz"], id="gzip"),
        pytest.param({"max_urls": 2}, ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"], id="set"),
        pytest.param(
            {"max_urls": 2, "gzip": True}, ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml"], id="set-gzip"
        ),
        pytest.param(
            {"max_urls": 2, "dst": "sitemap.xml.gz"},
            ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml.gz"],
            id="set-gz",
        ),
        pytest.param({"dst": "list.txt"}, ["list.txt"], id="text"),
        pytest.param({"dst": "list.jsonl"}, ["list.jsonl"], id="jsonl"),
        pytest.param({"dst": "list.csv"}, ["list.csv"], id="csv"),
    ],
)
def test_it_grows_and_running_twice_changes_nothing(options: dict[str, Any], names: list[str], tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), **options)
    result = grow(tmp_path, ("d", "04"), ("c", "03"), ("b", "02"), **options)
    assert result.ok
    after = files(tmp_path)
    assert sorted(after) == sorted(names)
    index = tmp_path / (options.get("dst") or names[-1])
    assert held(index) == ["b", "a", "d", "c"]
    again = grow(tmp_path, ("d", "04"), ("c", "03"), ("b", "02"), **options)
    assert again.ok
    assert files(tmp_path) == after
    assert again.ledger.counts.written == 4


@pytest.mark.parametrize("gzipped", [False, True])
def test_the_output_may_be_among_the_sources(gzipped: bool, tmp_path: Path) -> None:
    dst = tmp_path / ("sitemap.xml.gz" if gzipped else "sitemap.xml")
    options: dict[str, Any] = {"base_url": SITE, "on_loss": "ignore", "dedupe": "newest", "max_urls": 2}
    urlset.convert(feed(("e", "05"), ("d", "04"), ("c", "03"), ("b", "02"), ("a", "01")), dst, **options)
    urlset.convert([feed(("f", "06"), ("a", "07")), dst], dst, **options)
    assert held(dst) == ["f", "a", "e", "d", "c", "b"]
    before = files(tmp_path)
    urlset.convert([feed(("f", "06"), ("a", "07")), dst], dst, **options)
    assert files(tmp_path) == before
    # A set that shrinks is read before its parts are removed.
    urlset.convert([dst], dst, **options | {"exclude": [f"{SITE}[a-d]"]})
    assert list(files(tmp_path)) == [dst.name]
    assert held(dst) == ["f", "e"]


def test_of_two_equally_new_entries_the_old_one_stays_and_a_newer_one_replaces_it_whole(tmp_path: Path) -> None:
    rich = [
        urlset.Entry(loc=f"{SITE}{name}", lastmod=OLD, images=(urlset.Image(loc=f"{SITE}1.png"),))
        for name in ("same", "newer")
    ]
    urlset.write(rich, tmp_path / "sitemap.xml")
    grow(tmp_path, ("same", "02"), ("newer", "03"))
    same, newer = urlset.read(tmp_path / "sitemap.xml")
    assert (same, newer.images, str(newer.lastmod)) == (rich[0], (), "2024-05-03T07:00:00Z")


@pytest.mark.parametrize(("dedupe", "day"), [("first", "02"), ("last", "01"), ("newest", "02"), ("none", "02")])
def test_another_way_of_merging_can_be_chosen(dedupe: str, day: str, tmp_path: Path) -> None:
    grow(tmp_path, ("a", "02"))
    grow(tmp_path, ("a", "01"), dedupe=dedupe)
    assert [str(one.lastmod)[8:10] for one in urlset.read(tmp_path / "sitemap.xml")] == [day]


def test_entries_can_be_written_into_an_output(tmp_path: Path) -> None:
    for name in "ab":
        result = urlset.write([urlset.Entry(loc=f"{SITE}{name}")], tmp_path / "sitemap.xml", update=True)
        assert result.ok
    assert held(tmp_path / "sitemap.xml") == ["a", "b"]


def test_options_for_sources_do_not_bear_on_the_output(tmp_path: Path) -> None:
    """It is no feed, is written in UTF-8, is followed, and its pages become no articles."""
    options: dict[str, Any] = {"from_": "rss", "encoding": "latin-1", "follow": False, "max_urls": 1, "indexable": True}
    options |= {"news_name": "The Paper", "news_language": "en", "now": "2024-05-05T00:00:00Z"}
    urlset.write([urlset.Entry(loc=f"{SITE}é{name}") for name in "ab"], tmp_path / "sitemap.xml", max_urls=1)
    grow(tmp_path, ("c", "04"), **options)
    found = list(urlset.read(tmp_path / "sitemap.xml"))
    assert [one.loc.removeprefix(SITE) for one in found] == ["%C3%A9a", "%C3%A9b", "c"]
    assert [one.news is not None for one in found] == [False, False, True]


def test_an_index_of_addresses_is_not_followed(tmp_path: Path) -> None:
    for name in ("posts.xml", "pages.xml"):
        source = f"{SITE}{name}\n".encode()
        urlset.convert(source, tmp_path / "index.xml", from_="text", to="sitemap-index", update=True)
    assert [one.loc for one in urlset.read(tmp_path / "index.xml", follow=False)] == [
        f"{SITE}posts.xml",
        f"{SITE}pages.xml",
    ]


# --- where the parts live

MAPS = f"{SITE}maps/"


def children(index: Path) -> list[str]:
    return [one.loc for one in urlset.read(index, follow=False)]


def test_the_parts_stay_in_the_folder_that_the_old_index_names(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), max_urls=1, base_url=MAPS)
    result = grow(tmp_path, ("d", "04"), ("c", "03"), max_urls=1, base_url=None)
    assert children(tmp_path / "sitemap.xml") == [f"{MAPS}sitemap-{number}.xml" for number in (1, 2, 3, 4)]
    assert result.sitemap_addresses == [f"{MAPS}sitemap.xml"]
    assert result.ledger.findings == []
    # Another place can be named, and a shorter set stays where it is, too.
    moved = grow(tmp_path, ("e", "05"), max_urls=3, base_url=f"{SITE}new")
    assert children(tmp_path / "sitemap.xml") == [f"{SITE}new/sitemap-{number}.xml" for number in (1, 2)]
    assert told(moved) == [("part-left", "warning")]
    shorter = grow(tmp_path, ("e", "05"), base_url=None, robots_line=True)
    assert shorter.sitemap_addresses == [f"{SITE}new/sitemap.xml"]
    assert "sitemap-1.xml" not in files(tmp_path)


def test_a_folder_is_kept_whatever_the_hosts_of_the_pages(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), max_urls=1, base_url="https://cdn.example/maps/")
    urlset.convert(b"https://other.example/\n", tmp_path / "sitemap.xml", from_="text", update=True, max_urls=1)
    assert children(tmp_path / "sitemap.xml")[2:] == ["https://cdn.example/maps/sitemap-3.xml"]


def test_of_several_folders_one_has_to_be_named(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), max_urls=1, base_url=MAPS)
    index = tmp_path / "sitemap.xml"
    index.write_bytes(index.read_bytes().replace(f"{MAPS}sitemap-2".encode(), f"{SITE}sitemap-2".encode()))
    before = files(tmp_path)
    with pytest.raises(OptionError, match=f"several folders, {MAPS}, {SITE}; name the one .* --base-url"):
        grow(tmp_path, ("c", "03"), max_urls=1, base_url=None)
    assert files(tmp_path) == before
    grow(tmp_path, ("c", "03"), max_urls=1, base_url=MAPS)
    assert children(index) == [f"{MAPS}sitemap-{number}.xml" for number in (1, 2, 3)]
    # One file needs no address of a part.
    index.write_bytes(index.read_bytes().replace(f"{MAPS}sitemap-2".encode(), f"{SITE}sitemap-2".encode()))
    grow(tmp_path, ("c", "03"), base_url=None)
    assert held(index) == ["b", "a", "c"]


def test_an_index_of_files_of_others_names_no_folder_of_ours(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"), dst="posts.xml")
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex><sitemap><loc>{MAPS}posts.xml</loc></sitemap></sitemapindex>")
    result = grow(tmp_path, ("b", "02"), max_urls=1, base_url=None)
    assert children(tmp_path / "sitemap.xml") == [f"{SITE}sitemap-1.xml", f"{SITE}sitemap-2.xml"]
    assert ("base-url-assumed", "warning") in told(result)


# --- the set alone is the state


def told(result: urlset.Result) -> list[tuple[str, str]]:
    return [(one.rule, one.severity) for one in result.ledger.findings]


def test_a_compressed_file_that_has_become_a_set_is_gone(tmp_path: Path) -> None:
    options: dict[str, Any] = {"gzip": True, "max_urls": 2}
    grow(tmp_path, ("b", "02"), ("a", "01"), **options)
    assert list(files(tmp_path)) == ["sitemap.xml.gz"]
    result = grow(tmp_path, ("c", "03"), **options)
    assert list(files(tmp_path)) == ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml"]
    (finding,) = result.ledger.findings
    assert (finding.rule, finding.value) == ("part-removed", str(tmp_path / "sitemap.xml.gz"))
    again = grow(tmp_path, ("c", "03"), **options)
    assert again.ledger.counts.read == 4
    # And back: fewer pages are one file again.
    grow(tmp_path, ("c", "03"), exclude=[f"{SITE}a"], **options)
    assert list(files(tmp_path)) == ["sitemap.xml.gz"]
    assert held(tmp_path / "sitemap.xml.gz") == ["b", "c"]


def test_what_lies_beside_the_set_from_before_is_read_once_and_goes(tmp_path: Path) -> None:
    """A version that left the compressed file did so after its entries were in the set."""
    options: dict[str, Any] = {"gzip": True, "max_urls": 2}
    grow(tmp_path, ("c", "03"), ("b", "02"), ("a", "01"), **options)
    grow(tmp_path / "old", ("z", "02"), **options)
    (tmp_path / "old" / "sitemap.xml.gz").rename(tmp_path / "sitemap.xml.gz")
    (tmp_path / "old").rmdir()
    result = grow(tmp_path, ("c", "03"), **options)
    assert result.ledger.counts.read == 5
    assert held(tmp_path / "sitemap.xml") == ["c", "b", "a", "z"]
    assert list(files(tmp_path)) == ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml"]


def test_a_compressed_file_that_was_not_read_stays(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"), dst="sitemap.xml.gz")
    grow(tmp_path, ("c", "03"), ("b", "02"), gzip=True, max_urls=1, update=False)
    assert "sitemap.xml.gz" in files(tmp_path)
    grow(tmp_path, ("c", "03"), max_urls=1)
    assert "sitemap.xml.gz" in files(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_compressed_file_that_is_a_link_stays_and_is_told(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"), dst="real.xml.gz")
    (tmp_path / "sitemap.xml.gz").symlink_to("real.xml.gz")
    result = grow(tmp_path, ("c", "03"), gzip=True, max_urls=1)
    assert told(result) == [("part-left", "warning")]
    assert held(tmp_path / "sitemap.xml") == ["a", "c"]
    assert (tmp_path / "sitemap.xml.gz").is_symlink()


def test_a_compressed_file_that_is_a_source_stays(tmp_path: Path) -> None:
    options: dict[str, Any] = {"base_url": SITE, "gzip": True, "update": True}
    grow(tmp_path, ("b", "02"), ("a", "01"), gzip=True)
    urlset.convert(tmp_path / "sitemap.xml.gz", tmp_path / "sitemap.xml", max_urls=1, **options)
    assert sorted(files(tmp_path)) == ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml", "sitemap.xml.gz"]


# --- the same name, compressed and not

TWINS = [
    pytest.param("s.xml", True, "s.xml.gz", "s.xml", id="gzip"),
    pytest.param("s.xml", False, "s.xml", "s.xml.gz", id="plain"),
    pytest.param("s.xml.gz", False, "s.xml.gz", "s.xml", id="gz"),
    pytest.param("k.csv", True, "k.csv.gz", "k.csv", id="table-gzip"),
    pytest.param("k.csv", False, "k.csv", "k.csv.gz", id="table"),
    pytest.param("k.parquet", True, "k.parquet.gz", "k.parquet", id="parquet-gzip"),
]


@pytest.mark.parametrize(("dst", "gzipped", "own", "twin"), TWINS)
def test_an_update_starts_from_the_twin_once(dst: str, gzipped: bool, own: str, twin: str, tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), dst=twin)
    before = files(tmp_path)[twin]
    first = grow(tmp_path, ("c", "03"), dst=dst, gzip=gzipped, exclude=[f"{SITE}a"])
    (finding,) = first.ledger.findings
    assert (finding.rule, finding.severity, finding.source) == ("output-twin", "info", str(tmp_path / twin))
    assert finding.message == f"there is no {own} yet; the update starts from what {twin} holds"
    assert held(tmp_path / own) == ["b", "c"]
    # From then on it is not read: what was excluded does not come back.
    second = grow(tmp_path, ("d", "04"), dst=dst, gzip=gzipped)
    (finding,) = second.ledger.findings
    assert finding.message == f"{twin} lies beside the output, {own}, and is not read"
    assert held(tmp_path / own) == ["b", "c", "d"]
    assert files(tmp_path)[twin] == before
    # Without it, nothing is said.
    (tmp_path / twin).unlink()
    assert grow(tmp_path, ("d", "04"), dst=dst, gzip=gzipped).ledger.findings == []


@pytest.mark.parametrize("dst", ["s.xml", "s.xml.gz"])
def test_an_empty_twin_is_none(dst: str, tmp_path: Path) -> None:
    (tmp_path / ("s.xml" if dst == "s.xml.gz" else "s.xml.gz")).touch()
    assert grow(tmp_path, ("a", "01"), dst=dst).ledger.findings == []


def test_a_set_of_compressed_parts_is_the_state_of_its_index(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), gzip=True, max_urls=1)
    result = grow(tmp_path, ("c", "03"), max_urls=1)
    assert {rule for rule, _ in told(result)} == {"part-removed"}
    assert sorted(files(tmp_path)) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"]
    back = grow(tmp_path, ("c", "03"), gzip=True, max_urls=1)
    assert back.ledger.counts.read == 4
    assert held(tmp_path / "sitemap.xml") == ["b", "a", "c"]


def test_an_update_starts_from_a_compressed_index_and_its_parts(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), dst="s.xml.gz", max_urls=1)
    before = files(tmp_path)
    assert told(grow(tmp_path, ("c", "03"), dst="s.xml")) == [("output-twin", "info")]
    assert held(tmp_path / "s.xml") == ["b", "a", "c"]
    assert files(tmp_path).items() >= before.items()


def test_a_set_starts_from_the_plain_file_that_its_index_replaces(tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"))
    grow(tmp_path, ("c", "03"), gzip=True, max_urls=1)
    assert held(tmp_path / "sitemap.xml") == ["b", "a", "c"]
    assert grow(tmp_path, ("c", "03"), gzip=True, max_urls=1).ledger.findings == []


def test_an_index_does_not_replace_a_plain_file_that_was_not_read(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"), gzip=True)
    grow(tmp_path / "old", ("z", "02"))
    (tmp_path / "old" / "sitemap.xml").rename(tmp_path / "sitemap.xml")
    (tmp_path / "old").rmdir()
    before = files(tmp_path)
    with pytest.raises(OptionError, match=r"sitemap\.xml: it was not read, since sitemap\.xml\.gz is the output"):
        grow(tmp_path, ("b", "02"), gzip=True, max_urls=1)
    assert files(tmp_path) == before
    # Named as a source, it is in the set.
    sources: list[Any] = [tmp_path / "sitemap.xml", feed(("b", "02"))]
    options: dict[str, Any] = {"gzip": True, "max_urls": 1, "base_url": SITE, "update": True, "on_loss": "ignore"}
    urlset.convert(sources, tmp_path / "sitemap.xml", **options)
    assert held(tmp_path / "sitemap.xml") == ["a", "z", "b"]


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_another_name_of_the_output_is_no_twin(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"), dst="s.xml.gz")
    (tmp_path / "s.xml").symlink_to("s.xml.gz")
    assert grow(tmp_path, ("b", "02"), dst="s.xml.gz").ledger.findings == []
    assert held(tmp_path / "s.xml.gz") == ["a", "b"]


@pytest.mark.parametrize("gzipped", [False, True])
@pytest.mark.parametrize("to", ["sitemap", "sitemap-index"])
def test_further_indexes_are_read_too(gzipped: bool, to: str, tmp_path: Path) -> None:
    index = urlset.registry().writer("sitemap-index")
    assert index.write is not None
    small = replace(index, write=replace(index.write, max_entries=2))
    known = Registry([small if one.name == index.name else one for one in urlset.registry()])
    options: dict[str, Any] = {"to": to, "registry": known, "gzip": gzipped, "update": True, "base_url": SITE}
    for names in ("abcde", "f", ""):
        entries = [urlset.Entry(loc=f"{SITE}{name}") for name in names]
        urlset.write(entries, tmp_path / "s.xml", max_urls=1 if to == "sitemap" else None, **options)
    ending = ".gz" if gzipped and to == "sitemap-index" else ""
    indexes = [tmp_path / f"{name}.xml{ending}" for name in ("s", "s-index-2", "s-index-3")]
    found = urlset.read(indexes, follow=None if to == "sitemap" else False)
    assert [one.loc.removeprefix(SITE) for one in found] == list("abcdef")


# --- an empty start


@pytest.mark.parametrize("dst", ["s.xml", "s.xml.gz", "s.txt", "s.csv", "s.jsonl"])
def test_a_file_of_no_bytes_is_an_empty_start(dst: str, tmp_path: Path) -> None:
    (tmp_path / dst).touch()
    result = grow(tmp_path, ("a", "01"), dst=dst)
    assert result.ok
    (finding,) = result.ledger.findings
    assert (finding.rule, finding.severity, finding.source) == ("empty-output", "warning", str(tmp_path / dst))
    assert held(tmp_path / dst) == ["a"]
    assert grow(tmp_path, ("a", "01"), dst=dst).ledger.findings == []


@pytest.mark.parametrize(
    "data", [b"\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), b"<urlset>"], ids=["line", "mark", "gzip", "element"]
)
def test_one_of_few_bytes_is_damaged(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(data)
    with pytest.raises(urlset.UrlsetError, match=r"nothing is written|the output lists it|is empty"):
        grow(tmp_path, ("a", "01"))
    assert (tmp_path / "sitemap.xml").read_bytes() == data


@pytest.mark.parametrize("what", ["sitemap.xml", "sitemap-2.xml"])
def test_a_set_of_which_a_file_was_emptied_is_left_alone(what: str, tmp_path: Path) -> None:
    grow(tmp_path, ("b", "02"), ("a", "01"), max_urls=1)
    (tmp_path / what).write_bytes(b"")
    before = files(tmp_path)
    with pytest.raises(ReadError, match="nothing is written"):
        grow(tmp_path, ("c", "03"))
    assert files(tmp_path) == before


# --- nothing is lost


def test_a_feed_that_fails_leaves_the_output_alone(tmp_path: Path) -> None:
    grow(tmp_path, ("a", "01"))
    before = files(tmp_path)
    with pytest.raises(SourceError):
        urlset.convert(tmp_path / "none.rss", tmp_path / "sitemap.xml", update=True)
    assert files(tmp_path) == before


@pytest.mark.parametrize("damage", ["missing", "unreadable"])
def test_a_set_that_lacks_a_part_is_left_alone(damage: str, tmp_path: Path) -> None:
    grow(tmp_path, ("c", "03"), ("b", "02"), ("a", "01"), max_urls=1)
    part = tmp_path / "sitemap-2.xml"
    part.unlink() if damage == "missing" else part.write_bytes(gzip.compress(b"")[:9])
    before = files(tmp_path)
    with pytest.raises(ReadError, match=r"sitemap-2\.xml: the output lists it, and it can't be read"):
        grow(tmp_path, ("d", "04"), max_urls=1)
    assert files(tmp_path) == before


def test_an_output_that_can_not_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(urlset.UrlsetError, match=r"sitemap\.xml"):
        grow(tmp_path, ("d", "04"))
    assert (tmp_path / "sitemap.xml").read_bytes() == b"\x89PNG\r\n\x1a\n"


def damaged(kind: str, folder: Path) -> Path:
    """An output of which a part can still be read."""
    dst = folder / ("sitemap.xml.gz" if kind == "gz" else "list.csv" if kind == "row" else "sitemap.xml")
    grow(folder, ("c", "03"), ("b", "02"), ("a", "01"), dst=dst.name, max_urls=2 if kind == "part" else None)
    path = folder / "sitemap-1.xml" if kind == "part" else dst
    data = path.read_bytes()
    if kind == "gz":
        path.write_bytes(data[:-12])
    elif kind == "row":
        path.write_bytes(data.replace(f"{SITE}b".encode(), b"no address"))
    elif kind == "loc":
        path.write_bytes(data.replace(f"<loc>{SITE}b</loc>".encode(), b"<loc></loc>"))
    else:
        path.write_bytes(data[:-40])
    return dst


@pytest.mark.parametrize("kind", ["gz", "xml", "part", "loc", "row"])
def test_a_damaged_output_is_left_alone(kind: str, tmp_path: Path) -> None:
    dst = damaged(kind, tmp_path)
    before = files(tmp_path)
    with pytest.raises(ReadError, match="nothing is written"):
        grow(tmp_path, ("d", "04"), dst=dst.name, max_urls=2 if kind == "part" else None)
    assert files(tmp_path) == before


@pytest.mark.parametrize(
    ("header", "lost"),
    [
        ("loc,lastmod,Owner,Notes", "'Owner', 'Notes'"),
        ("loc,status,lastmod,title", "'status'"),
        ("loc,,lastmod,title", "'column 2'"),
    ],
)
def test_a_table_with_columns_that_are_no_fields_is_left_alone(header: str, lost: str, tmp_path: Path) -> None:
    table = f"{header}\r\n{SITE}a,200,2024-05-01,x\r\n"
    (tmp_path / "list.csv").write_text(table)
    with pytest.raises(OptionError, match=f"columns that an update would lose: .*{lost}"):
        grow(tmp_path, ("d", "04"), dst="list.csv")
    assert (tmp_path / "list.csv").read_text() == table.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("dst", "data", "words"),
    [
        pytest.param(
            "list.txt",
            f"{SITE}a\n{SITE}b lastmod=2024-05-01 priority=0.4\n".encode(),
            r"list\.txt:2: the output has lastmod, priority here, which Text list cannot hold",
            id="attributes",
        ),
        pytest.param("sitemap.xml", feed(("a", "01")), r"the output has title here, which Sitemap", id="feed"),
        pytest.param(
            "list.csv", b"loc,title\r\nhttps://example.com/,T\r\n", r"has title here, which Sitemap", id="format"
        ),
    ],
)
@pytest.mark.parametrize("on_loss", ["warn", "ignore"])
def test_fields_that_the_target_can_not_hold_are_not_lost(
    dst: str, data: bytes, words: str, on_loss: str, tmp_path: Path
) -> None:
    (tmp_path / dst).write_bytes(data)
    with pytest.raises(OptionError, match=words):
        grow(tmp_path, ("c", "03"), dst=dst, to="text" if dst.endswith("txt") else "sitemap", on_loss=on_loss)
    assert (tmp_path / dst).read_bytes() == data


@pytest.mark.parametrize("dst", ["list.parquet", "list.parquet.gz"])
def test_the_columns_of_ours_are_no_loss(dst: str, tmp_path: Path) -> None:
    for name in "aba":
        assert grow(tmp_path, (name, "02"), dst=dst).ok
    assert held(tmp_path / dst) == ["a", "b"]
    assert [str(one.lastmod) for one in urlset.read(tmp_path / dst)] == [str(OLD)] * 2


@pytest.mark.parametrize("to", ["-", "stream"])
def test_standard_output_has_nothing_to_update(to: str, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as stream, pytest.raises(OptionError, match="--update"):
        urlset.convert(feed(("a", "01")), stream if to == "stream" else to, to="sitemap", update=True)
