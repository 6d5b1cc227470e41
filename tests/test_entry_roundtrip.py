"""What the writers write: recognised, well formed, and the same when it is read, down to single characters.

That whole entries come back from every format, test_roundtrips.py tells.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently
from source_documents import read_as, written

import urlset
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import FIELDS

pytestmark = pytest.mark.usefixtures("parquet_read_here")

WRITABLE = [one for one in urlset.registry() if one.write is not None]
every_writer = pytest.mark.parametrize("target", WRITABLE, ids=lambda one: one.name)


# --- the properties


@every_writer
@patiently(40)
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_what_is_written_is_recognised(found: list[urlset.Entry], target: urlset.Format) -> None:
    ledger = urlset.Ledger()
    assert len(list(urlset.read(written(found, target.name), ledger=ledger, follow=False))) == len(found)
    assert [account.format for account in ledger.accounts] == [read_as(target.name)]


@patiently(40)
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_xml_is_well_formed_and_escapes_the_five_characters(found: list[urlset.Entry]) -> None:
    data = written(found, "sitemap")
    root = etree.fromstring(data)
    assert [loc.text for loc in root.iterfind("{*}url/{http://www.sitemaps.org/schemas/sitemap/0.9}loc")] == [
        urls.to_uri(entry.loc) for entry in found
    ]
    between = data.decode().split(">")
    assert all("'" not in text.partition("<")[0] and '"' not in text.partition("<")[0] for text in between[1:])


@patiently(40)
@given(entry=entries)
def test_the_strategy_reaches_every_field(entry: urlset.Entry) -> None:
    assert set(entry.as_dict()) <= set(FIELDS)
    assert urlset.Entry.model_validate(entry.as_dict()) == entry


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\x0bb", id="control"),
        pytest.param("a\x00b", id="nul"),
        pytest.param("a\ud800b", id="lone-surrogate"),
        pytest.param("a\ufffeb", id="noncharacter"),
    ],
)
def test_what_xml_can_not_hold_is_left_out_of_a_text(text: str) -> None:
    entry = urlset.Entry(loc="https://example.com/", images=(urlset.Image(loc="https://example.com/i", title=text),))
    (again,) = urlset.read(written([entry], "sitemap"))
    assert again.images[0].title == "ab"


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("text", ["a\x0bb", "a\x00b", "a\ufffeb", "a\u2028b", "a\x1cb"])
def test_lossless_formats_keep_any_character(text: str, name: str) -> None:
    entry = urlset.Entry(loc="https://example.com/", title=text)
    (again,) = urlset.read(written([entry], name), from_=read_as(name))
    assert again == entry


# --- single cases that the properties reach by chance only

BREAKS = ["a\tb", "a\nb", "a\rb", "a\r\nb", "a  b"]
ADDRESS = "https://www.example.com/"


def again(entry: urlset.Entry, name: str) -> urlset.Entry:
    (found,) = urlset.read(written([entry], name), from_=read_as(name))
    return found


@pytest.mark.parametrize("name", ["sitemap", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_a_text_stay(text: str, name: str) -> None:
    entry = urlset.Entry(loc=ADDRESS, images=(urlset.Image(loc="https://www.example.com/i", title=text),))
    assert again(entry, name) == entry


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_a_title_stay(text: str, name: str) -> None:
    """But for line ends in a cell, which a table has of one kind."""
    entry = urlset.Entry(loc=ADDRESS, title=text)
    stays = text if name == "jsonl" else re.sub("\r\n?", "\n", text)
    assert again(entry, name).title == stays


@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_an_attribute_stay(text: str) -> None:
    """XML 1.0 3.3.3 turns a raw one into a blank; a character reference keeps it."""
    videos = (urlset.Video(gallery_loc="https://www.example.com/g", gallery_loc_title=text),)
    entry = urlset.Entry(loc=ADDRESS, videos=videos, alternates=(urlset.Alternate(hreflang=text, href=ADDRESS),))
    assert again(entry, "sitemap") == entry


@pytest.mark.parametrize("name", ["sitemap", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("priority", [0.0, 1e-06, 7.5e-05, 0.0001, 0.1, 0.333333333333, 0.999999, 1.0])
def test_a_priority_of_any_size_stays(priority: float, name: str) -> None:
    entry = urlset.Entry(loc=ADDRESS, priority=priority)
    assert again(entry, name) == entry


@pytest.mark.parametrize("name", ["rating", "title", "tag", "uploader", "publication_date"])
def test_a_foreign_element_in_a_block_is_not_taken_for_one_of_its_own(name: str) -> None:
    foreign = f'<ext:{name} xmlns:ext="urn:example:ext">5</ext:{name}>'
    entry = urlset.Entry(loc=ADDRESS, videos=(urlset.Video(title="V", extra=(foreign,)),))
    assert again(entry, "sitemap") == entry


@pytest.mark.parametrize(
    "locs",
    [
        pytest.param(["https://www.example.com/a,", "https://www.example.com/b,"], id="comma-at-the-end"),
        pytest.param(["https://www.example.com/a;x", "https://www.example.com/b;y"], id="semicolons"),
        pytest.param(["https://www.example.com/a,b,c", "https://www.example.com/d,e,f"], id="commas"),
    ],
)
def test_a_list_of_addresses_with_delimiters_in_them_is_still_a_text_list(locs: list[str]) -> None:
    data = written([urlset.Entry(loc=loc) for loc in locs], "text")
    assert [entry.loc for entry in urlset.read(data)] == locs
