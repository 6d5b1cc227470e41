"""A site that moves: which addresses of an entry ``rewrite`` changes, and which it leaves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently

import urlset
from urlset.converters.steps import rewritten
from urlset.formats.vocabulary.entry import Entry

OLD, NEW, OTHER = "https://old.example/", "https://new.example/", "https://cdn.example/"
RULE = f"{OLD}={NEW}"
FOREIGN = f'<a:b xmlns:a="https://ns.example/">{OLD}x</a:b>'


def after(entry: Entry, *rules: str) -> tuple[Entry, urlset.Ledger]:
    ledger = urlset.Ledger()
    (found,) = rewritten(rules or (RULE,), ledger)([entry])
    return found, ledger


def page(base: str, other: str = OTHER) -> Entry:
    """A page with an address in each field that may hold one, and one elsewhere in each kind of block."""
    values: dict[str, Any] = {
        "loc": f"{base}page",
        "title": f"{OLD} is old",
        "images": [{"loc": f"{base}1.png", "license": f"{base}l", "caption": f"{OLD}c"}, {"loc": f"{other}2.png"}],
        "videos": [
            {
                "title": f"{OLD}t",
                "thumbnail_loc": f"{base}t.png",
                "content_loc": f"{base}v.mp4",
                "player_loc": f"{base}p",
                "gallery_loc": f"{base}g",
                "uploader_info": f"{base}u",
                "content_segments": [{"loc": f"{base}s"}, {"loc": f"{other}s"}],
            }
        ],
        "news": {"title": f"{OLD}n"},
        "alternates": [{"hreflang": "de", "href": f"{base}de"}, {"hreflang": "fr", "href": f"{other}fr"}],
        "pagemaps": [
            {"template_src": f"{base}m", "data_objects": [{"attributes": [{"name": "src", "value": f"{base}a"}]}]}
        ],
    }
    return Entry.model_validate(values)


def test_all_addresses_of_an_entry_move_and_no_text() -> None:
    found, ledger = after(page(OLD))
    assert found == page(NEW)
    (finding,) = ledger.findings
    assert (finding.rule, finding.severity) == ("blocks-rewritten", "info")
    assert finding.message.endswith("1 in alternates, 2 in images, 2 in pagemaps, 6 in videos")


def test_blocks_move_although_the_page_stays() -> None:
    entry = Entry(loc=f"{OTHER}x", alternates=(urlset.Alternate(hreflang="de", href=f"{OLD}de"),))
    found, _ = after(entry)
    assert (found.loc, found.alternates[0].href) == (entry.loc, f"{NEW}de")


def test_what_has_no_such_address_is_left_as_it_is() -> None:
    entry = page(OTHER)
    found, ledger = after(entry)
    assert found is entry
    assert [one.rule for one in ledger.findings] == ["rewrite-unused"]


def test_rules_follow_each_other_and_the_line_of_a_block_stays() -> None:
    entry = Entry(loc=f"{OLD}x", images=(urlset.Image(loc=f"{OLD}1.png", line=7),))
    found, _ = after(entry, RULE, f"{NEW}={OTHER}")
    assert (found.loc, found.images[0].loc, found.images[0].line) == (f"{OTHER}x", f"{OTHER}1.png", 7)


def test_foreign_elements_stay_and_are_told() -> None:
    entry = Entry(
        loc=f"{OLD}x",
        extra=(
            FOREIGN,
            FOREIGN.replace(OLD, OTHER),
        ),
        videos=(urlset.Video(extra=(FOREIGN,)),),
    )
    found, ledger = after(entry)
    assert (found.extra, found.videos) == (entry.extra, entry.videos)
    (finding,) = ledger.findings
    assert (finding.rule, finding.severity) == ("extra-not-rewritten", "warning")
    assert "2 in all" in finding.message


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        pytest.param(Entry(loc=f"{OLD}x"), "rewritten to 'nowherex'", id="loc"),
        pytest.param(
            Entry(
                loc=f"{OTHER}x",
                images=(
                    urlset.Image(loc=f"{OLD}1"),
                    urlset.Image(loc=f"{OLD}2"),
                ),
            ),
            "in images, rewritten to 'nowhere1'",
            id="block",
        ),
    ],
)
def test_an_address_that_is_none_rejects_the_entry(entry: Entry, where: str) -> None:
    ledger = urlset.Ledger()
    account = ledger.open("<entries>")
    fine = Entry(loc=f"{OTHER}fine", images=(urlset.Image(loc=f"{OTHER}1"),))
    assert list(rewritten([f"{OLD}=nowhere"], ledger)([entry, fine])) == [fine]
    assert (account.rejected, ledger.findings[0].rule) == (1, "not-a-url")
    assert where in ledger.findings[0].message


def test_an_address_of_no_use_before_is_no_reason() -> None:
    entry = Entry(loc=f"{OTHER}x", images=(urlset.Image(loc="/old/1.png"),))
    found, _ = after(entry, "/old/=/new/")
    assert found.images[0].loc == "/new/1.png"


@patiently(100)
@given(entries)
def test_there_and_back(entry: Entry) -> None:
    there, _ = after(entry.model_copy(update={"loc": f"{OLD}x"}))
    back, _ = after(there, f"{NEW}={OLD}")
    assert back == entry.model_copy(update={"loc": f"{OLD}x"})


@pytest.mark.parametrize(
    ("address", "rule", "new"),
    [
        ("https://Old.example/1", RULE, f"{NEW}1"),
        ("HTTPS://old.example/1", RULE, f"{NEW}1"),
        ("https://old.example:443/3", RULE, f"{NEW}3"),
        ("https://old.example", RULE, NEW),
        ("https://old.example?q=1", RULE, f"{NEW}?q=1"),
        ("https://old.example//1", RULE, f"{NEW}/1"),
        ("https://old.example/1", "https://OLD.example:443=https://new.example", f"{NEW}1"),
        ("https://old.example", "https://old.example=https://new.example", "https://new.example"),
        ("https://b\u00fccher.example/1", "https://xn--bcher-kva.example/=https://new.example/", f"{NEW}1"),
        ("http://old.example:8080/1", "http://old.example:8080=https://new.example", f"{NEW}1"),
        # Another origin, or no origin but a text.
        ("http://old.example/1", RULE, None),
        ("https://old.example:8443/1", RULE, None),
        ("https://old.example.org/1", "https://old.example=https://new.example", None),
        ("https://me@old.example/1", RULE, None),
        ("https://Old.example/a/1", f"{OLD}a/={NEW}", None),
        ("https://old.example:443/a/1", f"{OLD}a={NEW}a", None),
    ],
)
def test_a_site_is_meant_however_it_is_written(address: str, rule: str, new: str | None) -> None:
    found, ledger = after(Entry(loc=address), rule)
    assert found.loc == (new or address)
    assert [one.rule for one in ledger.findings] == ([] if new else ["rewrite-unused"])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("https://ex.co=https://new.example", "no address is on https://ex.co, as scheme, host and port compare"),
        ("https://ex.com/b=https://new.example", "no address begins with https://ex.com/b"),
    ],
)
def test_a_rule_for_nothing_says_what_it_is_for(rule: str, words: str) -> None:
    (finding,) = after(Entry(loc="https://ex.com/a"), rule)[1].findings
    assert finding.message == f"{words}; nothing is rewritten to https://new.example"
