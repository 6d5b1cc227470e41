"""Sets of files: split to the byte, indexed, named, and nothing left of the set before."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tracemalloc
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlset
from urlset.converters.cli import show
from urlset.converters.output.part_file import PartFile
from urlset.converters.output.staging import Staging
from urlset.converters.output.workspace import Place
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.format import Frame
from urlset.formats.vocabulary.ledger import Output
from urlset.formats.vocabulary.registry import Registry

SITE = "https://example.com/"
NEWS = {
    "publication": {"name": "Paper", "language": "en"},
    "publication_date": "2024-05-06",
    "title": "Swifts",
}


def entry(**fields: Any) -> urlset.Entry:
    return urlset.Entry(**fields)


def pages(number: int, **fields: Any) -> list[urlset.Entry]:
    return [entry(loc=f"{SITE}{one}", **fields) for one in range(number)]


def write(entries: Iterable[urlset.Entry], path: Path, **options: Any) -> urlset.Result:
    return urlset.write(entries, path, **{"base_url": SITE, **options})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def listed(path: Path) -> list[tuple[str, str | None]]:
    """The children of an index: names and dates."""
    found = urlset.read(path, follow=False)
    return [(one.loc.removeprefix(SITE), str(one.lastmod) if one.lastmod else None) for one in found]


def told(result: urlset.Result) -> list[tuple[str, str]]:
    return [(one.rule, one.severity) for one in result.ledger.findings]


def small_indexes(most: int) -> Registry:
    """The formats, with an index that lists fewer sitemaps."""

    def small(one: Any) -> Any:
        return replace(one, write=replace(one.write, max_entries=most)) if one.name == "sitemap-index" else one

    return Registry(map(small, urlset.registry()))


# --- where a file ends


@pytest.mark.parametrize(("number", "files"), [(1, 1), (5, 1), (6, 3), (10, 3), (11, 4)])
def test_a_file_takes_exactly_max_urls(number: int, files: int, tmp_path: Path) -> None:
    result = write(pages(number), tmp_path / "sitemap.xml", max_urls=5)
    assert len(result.outputs) == files
    assert sum(one.urls for one in result.outputs if one.format == "sitemap") == number
    assert max(one.urls for one in result.outputs) <= 5


def test_fifty_thousand_are_one_file_and_one_more_are_two(tmp_path: Path) -> None:
    assert len(write(pages(50_000), tmp_path / "one.xml").outputs) == 1
    assert [one.urls for one in write(pages(50_001), tmp_path / "two.xml").outputs] == [50_000, 1, 2]


MIXED = [
    entry(loc=f"{SITE}a?b=1&c='2'"),
    entry(loc=f"{SITE}%C3%A4", lastmod="2024-05-06"),
    entry(loc=f"{SITE}1", images=[{"loc": f"{SITE}1.png"}]),
    entry(loc=f"{SITE}2", news=NEWS),
    entry(loc=f"{SITE}3", alternates=[{"hreflang": "de", "href": f"{SITE}3?x&y"}]),
]


@pytest.mark.parametrize("gzipped", [False, True])
@pytest.mark.parametrize("entries", [MIXED, MIXED[::-1], MIXED[:1], pages(3)], ids=["up", "down", "one", "plain"])
def test_max_bytes_is_met_to_the_byte(entries: list[urlset.Entry], gzipped: bool, tmp_path: Path) -> None:
    whole = write(entries, tmp_path / "whole.xml").outputs[0].bytes
    assert whole == (tmp_path / "whole.xml").stat().st_size
    assert len(write(entries, tmp_path / "fits.xml", max_bytes=whole, gzip=gzipped).outputs) == 1
    if len(entries) == 1:
        with pytest.raises(OptionError, match=f"{whole - 1} bytes can't hold the entry"):
            write(entries, tmp_path / "none.xml", max_bytes=whole - 1, gzip=gzipped)
        return
    result = write(entries, tmp_path / "s.xml", max_bytes=whole - 1, gzip=gzipped)
    parts = [one for one in result.outputs if one.format == "sitemap"]
    assert [one.urls for one in parts] == [len(entries) - 1, 1]
    for one in parts:
        data = Path(one.path).read_bytes()
        assert one.bytes == len(gzip.decompress(data) if gzipped else data) < whole


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(MIXED), min_size=1, max_size=30), st.integers(700, 3000), st.integers(1, 9))
def test_parts_are_as_full_as_they_can_be(entries: list[urlset.Entry], most: int, urls: int) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        folder = Path(name)
        result = write(entries, folder / "s.xml", max_bytes=most, max_urls=urls)
        parts = [one for one in result.outputs if one.format == "sitemap"]
        files = [list(urlset.read(one.path)) for one in parts]
        assert [one for file in files for one in file] == entries
        for one, file, following in zip(parts, files, files[1:], strict=False):
            assert Path(one.path).stat().st_size == one.bytes <= most
            more = write([*file, following[0]], folder / "more.xml").outputs[0]
            assert len(file) == urls or more.bytes > most


def test_a_file_takes_a_thousand_news_blocks(tmp_path: Path) -> None:
    assert len(write(pages(1_000, news=NEWS), tmp_path / "one.xml").outputs) == 1
    result = write([*pages(5), *pages(1_001, news=NEWS)], tmp_path / "two.xml")
    assert [one.urls for one in result.outputs] == [1_005, 1, 2]
    with pytest.raises(OptionError, match="does not fit into one file"):
        urlset.write(pages(1_001, news=NEWS), io.BytesIO(), to="sitemap")


@pytest.mark.parametrize("stream", [False, True])
def test_a_url_takes_a_thousand_images_and_more_are_told(stream: bool, tmp_path: Path) -> None:
    def many(number: int) -> urlset.Result:
        images = [{"loc": f"{SITE}{one}.png"} for one in range(number)]
        return urlset.write(pages(1, images=images), io.BytesIO() if stream else tmp_path / "s.xml", to="sitemap")

    assert told(many(1_000)) == []
    result = many(1_001)
    assert told(result) == [("too-many-images", "warning")]
    assert result.ledger.findings[0].value == f"{SITE}0"
    assert result.outputs[0].urls == 1


def test_the_same_entries_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write([*pages(4000), *MIXED], tmp_path / name / "s.xml.gz", max_urls=3000)
    for name in names(tmp_path / "a"):
        data = (tmp_path / "a" / name).read_bytes()
        assert data == (tmp_path / "b" / name).read_bytes()
        assert data[3:8] == b"\0" * 5  # no name, no time (RFC 1952, 2.3)


# --- a part on its way to disk


@pytest.mark.parametrize("gzipped", [False, True])
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("blocks", [1, 2, 3])
@pytest.mark.parametrize("grows", [False, True])
def test_the_frame_is_the_last_one(blocks: int, grows: bool, settled: bool, gzipped: bool, tmp_path: Path) -> None:
    with Staging(Place.beside(tmp_path / "s.xml"), urlset.Ledger()) as staging:
        file = PartFile(staging, tmp_path / "s.xml", gzipped, settled)
        for _ in range(blocks - 1):
            file.write(b"x" * 100_000, Frame(b"<a>", b"</a>"))
        head = b"<a and more>" if grows else b"<a>"
        data = file.finish(b"yy", Frame(head, b"</a>")).read_bytes()
        assert len(list(staging.folder.glob("*.tmp"))) == 1
    assert (gzip.decompress(data) if gzipped else data) == head + b"x" * 100_000 * (blocks - 1) + b"yy</a>"


@pytest.mark.parametrize("gzipped", [False, True])
def test_memory_does_not_grow_with_a_part(gzipped: bool, tmp_path: Path) -> None:
    def peak(number: int) -> int:
        last = entry(loc=f"{SITE}last", images=[{"loc": f"{SITE}1.png"}])
        long = "x" * 1000
        entries = (entry(loc=f"{SITE}{one}/{long}") if one else last for one in range(number, -1, -1))
        tracemalloc.start()
        try:
            assert len(write(entries, tmp_path / "s.xml", gzip=gzipped).outputs) == 1
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)
    assert peak(8_000) < peak(400) + (1 << 20)


# --- indexes


@pytest.mark.parametrize("target", ["sitemap.xml", "list.csv", "list.jsonl"])
@pytest.mark.parametrize(
    ("dates", "newest"),
    [
        (["2024-05-06", "2023", "2024-05"], "2024-05-06"),
        (["2024-05-06T01:00:00+02:00", "2024-05-05T23:30:00Z"], "2024-05-05T23:30:00Z"),
        ([None, "2005-01-01", None], "2005-01-01"),
        ([None, None], None),
    ],
)
def test_an_index_has_the_newest_instant_of_a_part(
    dates: list[str | None], newest: str | None, target: str, tmp_path: Path
) -> None:
    entries = [entry(loc=f"{SITE}{row}", lastmod=date) for row, date in enumerate(dates)]
    write([*entries, *pages(1, lastmod="1999-12-31")], tmp_path / target, max_urls=len(dates))
    assert [date for _, date in listed(tmp_path / target)] == [newest, "1999-12-31"]


@pytest.mark.parametrize(
    ("source", "newest"),
    [
        (b'{"loc": "https://example.com/", "lastmod": "2024-05-06"}\n{"loc": "https://example.com/2"}\n', "2024-05-06"),
        (b"url,lastmod\nhttps://example.com/,2024-05-06\nhttps://example.com/2,\n", "2024-05-06"),
        (b"https://example.com/ lastmod=2024-05-06\nhttps://example.com/2\n", "2024-05-06"),
        (
            (
                b'<rss version="2.0"><channel><item><link>https://example.com/</link>'
                b"<pubDate>Mon, 06 May 2024 07:00:00 GMT</pubDate></item><item><link>https://example.com/2</link></item>"
                b"</channel></rss>"
            ),
            "2024-05-06T07:00:00Z",
        ),
        (
            (
                b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.com/"/>'
                b'<updated>2024-05-06T07:00:00Z</updated></entry><entry><link href="https://example.com/2"/></entry></feed>'
            ),
            "2024-05-06T07:00:00Z",
        ),
        (
            (
                b'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://example.com/</loc><lastmod>'
                b"2024-05-06</lastmod></url><url><loc>https://example.com/2</loc></url></urlset>"
            ),
            "2024-05-06",
        ),
    ],
    ids=["jsonl", "csv", "text", "rss", "atom", "sitemap-0.84"],
)
def test_an_index_has_no_time_of_the_clock_whatever_was_read(source: bytes, newest: str, tmp_path: Path) -> None:
    urlset.convert(source, tmp_path / "s.xml", base_url=SITE, max_urls=1)
    assert listed(tmp_path / "s.xml") == [("s-1.xml", newest), ("s-2.xml", None)]


@pytest.mark.parametrize(
    ("number", "indexes"),
    [
        (2, {"s.xml": ["s-1.xml", "s-2.xml"]}),
        (3, {"s.xml": ["s-1.xml", "s-2.xml"], "s-index-2.xml": ["s-3.xml"]}),
        (5, {"s.xml": ["s-1.xml", "s-2.xml"], "s-index-2.xml": ["s-3.xml", "s-4.xml"], "s-index-3.xml": ["s-5.xml"]}),
    ],
)
def test_more_parts_than_an_index_may_list_take_several(
    number: int, indexes: dict[str, list[str]], tmp_path: Path
) -> None:
    result = write(pages(number), tmp_path / "s.xml", max_urls=1, registry=small_indexes(2))
    assert {name: [child for child, _ in listed(tmp_path / name)] for name in indexes} == indexes
    assert names(tmp_path) == sorted([*indexes, *(f"s-{part + 1}.xml" for part in range(number))])
    assert result.sitemap_addresses == [f"{SITE}{name}" for name in indexes]
    assert result.ok
    if len(indexes) > 1:
        (finding,) = result.ledger.findings
        assert (finding.rule, finding.severity) == ("too-many-sitemaps", "warning")
        assert all(f"{SITE}{name}" in finding.message for name in indexes)


def test_a_message_names_ten_addresses_at_most(tmp_path: Path) -> None:
    result = write(pages(30), tmp_path / "s.xml", max_urls=1, registry=small_indexes(2))
    (finding,) = result.ledger.findings
    assert f"{SITE}s-index-9.xml, …, {SITE}s-index-15.xml" in finding.message
    assert "s-index-10.xml" not in finding.message
    assert len(result.sitemap_addresses) == 15


def test_further_indexes_are_compressed_as_the_first_one_is(tmp_path: Path) -> None:
    write(pages(3), tmp_path / "s.xml.gz", max_urls=1, registry=small_indexes(2))
    assert names(tmp_path) == ["s-1.xml.gz", "s-2.xml.gz", "s-3.xml.gz", "s-index-2.xml.gz", "s.xml.gz"]


@pytest.mark.parametrize("gzipped", [False, True])
def test_a_list_of_sitemaps_is_never_an_index_of_indexes(gzipped: bool, tmp_path: Path) -> None:
    result = urlset.write(pages(3), tmp_path / "i.xml", to="sitemap-index", gzip=gzipped, registry=small_indexes(2))
    ending = ".gz" if gzipped else ""
    assert names(tmp_path) == [f"i-index-2.xml{ending}", f"i.xml{ending}"]
    assert listed(tmp_path / f"i.xml{ending}") == [("0", None), ("1", None)]
    assert told(result) == [("too-many-sitemaps", "warning")]
    assert str(tmp_path / f"i-index-2.xml{ending}") in result.ledger.findings[0].message


def test_names_are_escaped_in_addresses(tmp_path: Path) -> None:
    result = write(pages(2), tmp_path / "a b#1%ä.xml", max_urls=1)
    assert result.sitemap_addresses == [f"{SITE}a%20b%231%25%C3%A4.xml"]
    assert [name for name, _ in listed(tmp_path / "a b#1%ä.xml")] == [f"a%20b%231%25%C3%A4-{n}.xml" for n in (1, 2)]
    write(pages(1), tmp_path / "a b#1%ä.xml")
    assert names(tmp_path) == ["a b#1%ä.xml"]


# --- what an earlier run left


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ({}, {"number": 4}, ["s-1.xml", "s-2.xml", "s.xml"]),
        ({}, {"number": 2}, ["s.xml"]),
        ({}, {"number": 4, "gzip": True}, ["s-1.xml.gz", "s-2.xml.gz", "s.xml"]),
        ({"gzip": True}, {"number": 4}, ["s-1.xml", "s-2.xml", "s.xml"]),
        ({"gzip": True}, {"number": 2}, ["s.xml"]),
        ({}, {"number": 2, "gzip": True}, ["s.xml.gz"]),
        ({"registry": small_indexes(2)}, {"number": 4}, ["s-1.xml", "s-2.xml", "s.xml"]),
        ({"registry": small_indexes(1)}, {"number": 2, "gzip": True}, ["s.xml.gz"]),
    ],
)
def test_parts_of_an_earlier_run_are_removed(
    first: dict[str, Any], then: dict[str, Any], left: list[str], tmp_path: Path
) -> None:
    write(pages(6), tmp_path / "s.xml", max_urls=2, **first)
    before = names(tmp_path)
    result = write(pages(then.pop("number")), tmp_path / "s.xml", max_urls=2, **then)
    assert names(tmp_path) == left
    removed = {Path(str(one.value)).name for one in result.ledger.findings if one.rule == "part-removed"}
    assert removed == set(before) - set(left)


def test_only_what_the_old_index_lists_under_our_names_is_removed(tmp_path: Path) -> None:
    write(pages(6), tmp_path / "s.xml", max_urls=2)
    for name in ("s-4.xml", "s-0.xml", "s-old.xml", "s-1.txt", "other-1.xml", "s-index-2.xml"):
        (tmp_path / name).write_text("mine")
    write(pages(2), tmp_path / "s.xml")
    assert names(tmp_path) == ["other-1.xml", "s-0.xml", "s-1.txt", "s-4.xml", "s-index-2.xml", "s-old.xml", "s.xml"]


def test_an_index_of_others_stays_with_what_it_lists_where_it_is_not_replaced(tmp_path: Path) -> None:
    write(pages(4), tmp_path / "s.xml", max_urls=2)
    index = (tmp_path / "s.xml").read_text()
    other = index.replace("</sitemapindex>", f"<sitemap><loc>{SITE}mine.xml</loc></sitemap></sitemapindex>")
    (tmp_path / "s.xml").write_text(other)
    write(pages(2), tmp_path / "s.xml", gzip=True)
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s.xml", "s.xml.gz"]


def test_a_source_is_not_removed_with_its_parts(tmp_path: Path) -> None:
    write(pages(4), tmp_path / "s.xml", max_urls=2)
    urlset.convert(tmp_path / "s.xml", tmp_path / "s.xml", base_url=SITE, gzip=True)
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s.xml", "s.xml.gz"]


def index_of(*locs: str) -> str:
    children = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{children}</sitemapindex>'


FOREIGN = "https://other.example/deep/path/"
URLSET = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'


@pytest.mark.parametrize("base", [None, SITE])
@pytest.mark.parametrize(
    ("locs", "content", "why"),
    [
        pytest.param([f"{FOREIGN}s-1.xml"], URLSET, "another address", id="foreign"),
        pytest.param([f"{SITE}s-1.xml", f"{SITE}sub/s-2.xml"], URLSET, "another address", id="folders"),
        pytest.param([f"{SITE}s-1.xml"], "mine", "is no sitemap", id="content"),
        pytest.param([f"{SITE}s-1.xml"], "<html/>", "is no sitemap", id="html"),
        pytest.param([f"{SITE}s-1.xml?s%2d1.xml"], URLSET, None, id="query"),
        pytest.param([f"{SITE}s%2D1.xml"], URLSET, None, id="escaped"),
        pytest.param([f"{SITE}..%2Fs-1.xml"], URLSET, None, id="slash"),
    ],
)
def test_what_a_foreign_index_lists_is_left(
    locs: list[str], content: str, why: str | None, base: str | None, tmp_path: Path
) -> None:
    (tmp_path / "s.xml").write_text(index_of(*locs))
    for name in ("s-1.xml", "s-2.xml"):
        (tmp_path / name).write_text(content)
    result = urlset.write(pages(1), tmp_path / "s.xml", base_url=base)
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s.xml"]
    assert told(result) == ([("part-left", "warning")] if why else [])
    assert all(str(why) in one.message for one in result.ledger.findings)


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_in_the_place_of_a_part_is_left(tmp_path: Path) -> None:
    write(pages(4), tmp_path / "s.xml", max_urls=2)
    (tmp_path / "s-1.xml").rename(tmp_path / "real.xml")
    (tmp_path / "s-1.xml").symlink_to("real.xml")
    assert told(write(pages(1), tmp_path / "s.xml")) == [("part-left", "warning")]
    assert names(tmp_path) == ["real.xml", "s-1.xml", "s-2.xml", "s.xml"]


def test_parts_that_moved_to_another_address_are_left_and_replaced(tmp_path: Path) -> None:
    write(pages(6), tmp_path / "s.xml", max_urls=2)
    moved = write(pages(4), tmp_path / "s.xml", max_urls=2, base_url="https://new.example/")
    assert told(moved) == [("part-left", "warning")]
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s-3.xml", "s.xml"]


def test_parts_that_were_not_read_are_not_removed_with_those_that_were(tmp_path: Path) -> None:
    write(pages(6), tmp_path / "s.xml", max_urls=2)
    sources = [tmp_path / "s-1.xml", tmp_path / "s-2.xml"]
    result = urlset.convert(sources, tmp_path / "s.xml", base_url=SITE)
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s-3.xml", "s.xml"]
    (finding,) = (one for one in result.ledger.findings if one.rule == "part-left")
    assert "s-1.xml is a source" in finding.message
    assert finding.value == str(tmp_path / "s-3.xml")


@pytest.mark.parametrize("there", ["s-1.xml", "s-2.xml", "s-index-2.xml"])
@pytest.mark.parametrize("before", [None, URLSET, index_of(f"{SITE}other.xml")])
def test_a_part_does_not_replace_a_file_that_nobody_named(before: str | None, there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine")
    if before is not None:
        (tmp_path / "s.xml").write_text(before)
    with pytest.raises(OptionError, match="choose another name for the output, or remove the file") as caught:
        write(pages(6), tmp_path / "s.xml", max_urls=2, registry=small_indexes(2))
    assert caught.value.source == str(tmp_path / there)
    assert names(tmp_path) == sorted([there] if before is None else [there, "s.xml"])
    assert (tmp_path / there).read_text() == "mine"


def test_a_source_is_not_replaced_by_a_part(tmp_path: Path) -> None:
    write(pages(4), tmp_path / "s-1.xml")
    before = (tmp_path / "s-1.xml").read_bytes()
    with pytest.raises(OptionError, match="in the way of a part"):
        urlset.convert(tmp_path / "s-1.xml", tmp_path / "s.xml", base_url=SITE, max_urls=2)
    assert (tmp_path / "s-1.xml").read_bytes() == before


@pytest.mark.parametrize(
    "options", [{}, {"gzip": True}, {"to": "sitemap-index"}, {"to": "sitemap-index", "gzip": True}]
)
def test_a_set_is_written_again(options: dict[str, Any], tmp_path: Path) -> None:
    for number in (5, 5, 7, 3, 6):
        write(pages(number), tmp_path / "s.xml", max_urls=2, registry=small_indexes(2), **options)


@pytest.mark.parametrize("damaged", [b"\x1f\x8bnonsense", b"<sitemapindex><sitemap", b"", b"\0\0\0"])
def test_a_damaged_file_in_the_place_of_the_target_is_no_hindrance(damaged: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_bytes(damaged)
    write(pages(4), tmp_path / "s.xml", max_urls=2)
    assert names(tmp_path) == ["s-1.xml", "s-2.xml", "s.xml"]


# --- targets


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    (tmp_path / "real.xml").write_text("precious")
    for name, leads in (("s.xml", "real.xml"), ("t.xml", "nowhere")):
        (tmp_path / name).symlink_to(leads)
        write(pages(4), tmp_path / name, max_urls=2)
        assert not (tmp_path / name).is_symlink()
    assert (tmp_path / "real.xml").read_text() == "precious"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_loop_of_links_is_no_target_and_no_source(tmp_path: Path) -> None:
    loop = tmp_path / "loop.xml"
    loop.symlink_to("loop.xml")
    for source, target in ((f"{SITE}\n".encode(), loop), (loop, tmp_path / "s.xml"), (loop, loop)):
        with pytest.raises(urlset.UrlsetError) as caught:
            urlset.convert(source, target)
        assert caught.value.exit_code == 2
    assert names(tmp_path) == ["loop.xml"]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes")
def test_a_name_need_not_be_utf_8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.xml")
    result = write(pages(4), path, max_urls=2)
    assert result.sitemap_addresses == [f"{SITE}a%FF.xml"]
    assert [name for name, _ in listed(path)] == ["a%FF-1.xml", "a%FF-2.xml"]
    write(pages(1), path)
    assert names(tmp_path) == [path.name]


def test_the_closing_line_prints_no_escape_of_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    ledger = urlset.Ledger()
    ledger.outputs.append(Output("a\x1b[31m\u202e.xml", "sitemap", 1, 1, False))
    show.summary(ledger)
    said = capsys.readouterr().err
    assert said.rstrip("\n").endswith("a\\x1b[31m\\u202e.xml")
    assert "\x1b" not in said


@pytest.mark.parametrize("char", ["n", "ä", "漢"])
def test_a_name_may_be_as_long_as_file_systems_take(char: str, tmp_path: Path) -> None:
    size = len(char.encode())
    for length in range(232, 252):
        path = tmp_path / f"{char * (length // size)}.xml"
        for _ in range(2):
            write(pages(2), path, max_urls=1 if length < 250 else None)
        assert path.exists()
        assert not list(tmp_path.glob(".*"))


def test_what_was_killed_under_a_long_name_is_found(tmp_path: Path) -> None:
    place = Place.beside(tmp_path / f"{'n' * 251}.xml")
    assert len(place.held.name) < 240
    assert place.held != Place.beside(tmp_path / f"{'n' * 250}.xml").held
    (place.held).mkdir()
    (place.held / "lock").touch()
    write(pages(1), tmp_path / f"{'n' * 251}.xml")
    assert names(tmp_path) == [f"{'n' * 251}.xml"]


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="this is a folder"):
        write(pages(1), tmp_path, to="sitemap")


# --- addresses for robots.txt


def test_addresses_are_known_by_the_base_or_by_one_origin(tmp_path: Path) -> None:
    path = tmp_path / "s.xml"
    assert write(pages(1), path).sitemap_addresses == [f"{SITE}s.xml"]
    assert urlset.write(pages(1), path).sitemap_addresses == []
    assert urlset.write(pages(1), path, robots_line=True).sitemap_addresses == [f"{SITE}s.xml"]
    assert write(pages(1), path, base_url=f"{SITE}?q").sitemap_addresses == []
    assert write(pages(1), tmp_path / "s.csv").sitemap_addresses == []
    assert write(pages(1), path, gzip=True).sitemap_addresses == [f"{SITE}s.xml.gz"]
    assert write(pages(1), path, base_url="https://bücher.example").sitemap_addresses == [
        "https://xn--bcher-kva.example/s.xml"
    ]


@pytest.mark.parametrize(
    ("entries", "name", "options", "says"),
    [
        ([*pages(1), entry(loc="https://other.example/")], "s.xml", {}, "the address can't be known"),
        (pages(1), "s.xml", {"base_url": f"{SITE}?q"}, "the address of a folder"),
        (pages(1), "s.csv", {"base_url": SITE}, "read no CSV"),
    ],
)
def test_nothing_is_written_where_an_address_is_asked_for_and_not_known(
    entries: list[urlset.Entry], name: str, options: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match=says):
        urlset.write(entries, tmp_path / name, robots_line=True, **options)
    assert names(tmp_path) == []


def test_a_stream_has_no_address() -> None:
    with pytest.raises(OptionError, match="standard output has no address"):
        urlset.write(pages(1), io.BytesIO(), to="sitemap", robots_line=True)
