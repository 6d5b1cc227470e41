"""Ordered filters: the first rule that matches decides (the filters of Google's sitemap_gen.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.converters.steps import filtered
from urlset.formats.vocabulary.errors import EmptyInventoryError, OptionError

PAGE = "https://example.com/a/b.html?sid=7"


def kept(rules: Sequence[str], *locs: str) -> list[str]:
    ledger = urlset.Ledger()
    entries = [urlset.Entry(loc=loc) for loc in locs]
    found = [entry.loc for entry in filtered(rules, ledger)(entries)]
    assert ledger.counts.filtered == len(locs) - len(found)
    return found


@pytest.mark.parametrize(
    ("rules", "stays"),
    [
        pytest.param([], True, id="no-rule"),
        pytest.param(["-*.png"], True, id="none-matches"),
        pytest.param(["-*"], False, id="drop"),
        pytest.param(["+*"], True, id="keep"),
        pytest.param(["+*/a/*", "-*"], True, id="keep-first"),
        pytest.param(["-*", "+*/a/*"], False, id="drop-first"),
        pytest.param(["+*.png", "-*/a/*", "+*"], False, id="the-first-that-matches"),
        pytest.param(["-/a/"], True, id="whole-address"),
        pytest.param(["-*/A/*"], True, id="case-sensitive"),
        pytest.param(["-https://example.com/[ab]/?.html*"], False, id="sets-and-single-characters"),
        pytest.param([r"-~\?sid="], False, id="expression"),
        pytest.param(["-~/a/"], False, id="expression-anywhere"),
        pytest.param(["-~^/a/"], True, id="expression-with-anchor"),
        pytest.param(["-~/A/"], True, id="expression-case-sensitive"),
        pytest.param(["-~(?i)/A/"], False, id="expression-with-flag"),
        pytest.param(["+~sid", "-*"], True, id="expression-and-pattern"),
        pytest.param(["-~a|sid"], False, id="bar"),
    ],
)
def test_the_first_rule_that_matches_decides(rules: list[str], stays: bool) -> None:
    assert kept(rules, PAGE) == ([PAGE] if stays else [])


RULE = st.tuples(st.sampled_from("+-"), st.text("ab*?", min_size=1, max_size=4)).map("".join)


@given(st.lists(RULE, max_size=4), st.text("ab", max_size=4))
def test_wildcards_are_those_of_fnmatch(rules: list[str], end: str) -> None:
    loc = f"a{end}"
    sign = next((rule[0] for rule in rules if fnmatchcase(loc, rule[1:])), "+")
    assert kept(rules, loc) == ([loc] if sign == "+" else [])


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("", "filter rule 2 begins with"),
        ("*.png", "filter rule 2 begins with"),
        ("~x", "filter rule 2 begins with"),
        ("-", "filter rule 2, '-', has no pattern"),
        ("+~", "filter rule 2, '+~', has no pattern"),
        (
            "-~a(b",
            "filter rule 2, '-~a(b', is no regular expression: missing ), unterminated",
        ),
        ("-~*", "filter rule 2, '-~*', is no regular expression: nothing to repeat at character 3"),
    ],
)
def test_a_bad_rule_is_named_with_its_place(rule: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=re.escape(says)) as refused:
        urlset.convert(PAGE.encode(), tmp_path / "out.xml", from_="text", filters=["-*.png", rule])
    assert refused.value.value == rule
    assert list(tmp_path.iterdir()) == []


def test_filters_work_beside_include_and_exclude(tmp_path: Path) -> None:
    text = "".join(f"https://example.com/{name}\n" for name in ("a.html", "b.html", "c.html", "d.png"))
    result = urlset.convert(
        text.encode(),
        tmp_path / "out.txt",
        include=["*.html"],
        exclude=["*/b.html"],
        filters=["+*/b.html", "+*.png", "-*/c.html"],
    )
    assert (tmp_path / "out.txt").read_text() == "https://example.com/a.html\n"
    assert result.ledger.counts.filtered == 3


def test_include_and_exclude_know_regular_expressions_too(tmp_path: Path) -> None:
    text = "".join(f"https://example.com/{name}\n" for name in ("a", "b", "ab", "x?sid=1"))
    urlset.convert(text.encode(), tmp_path / "out.txt", include=[r"~/a?b?$", "*sid*"], exclude=[r"~[?&]sid="])
    assert (tmp_path / "out.txt").read_text() == "".join(f"https://example.com/{name}\n" for name in ("a", "b", "ab"))


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("", "the pattern '' is empty"),
        ("~", "the pattern '~' is empty"),
        ("~*", "the pattern '~*' is no regular expression: nothing to repeat at character 2"),
    ],
)
@pytest.mark.parametrize("option", ["include", "exclude"])
def test_a_bad_pattern_is_named(pattern: str, says: str, option: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=re.escape(says)):
        urlset.convert(PAGE.encode(), tmp_path / "out.txt", **{option: [pattern]})
    assert list(tmp_path.iterdir()) == []


def test_filters_see_the_address_before_it_is_rewritten(tmp_path: Path) -> None:
    data = b"https://old.example.com/a\nhttps://old.example.com/b\n"
    rewrite = ["https://old.example.com/=https://example.com/"]
    urlset.convert(data, tmp_path / "out.txt", filters=["-https://old*/b", "-https://example.com/*"], rewrite=rewrite)
    assert (tmp_path / "out.txt").read_text() == "https://example.com/a\n"


def test_all_filtered_is_an_empty_inventory(tmp_path: Path) -> None:
    with pytest.raises(EmptyInventoryError, match="1 filtered"):
        urlset.convert(PAGE.encode(), tmp_path / "out.txt", filters=["-*"])


def test_reading_filters_too() -> None:
    found = urlset.read(b"https://example.com/a\nhttps://example.com/b\n", filters=["-*/a"])
    assert [entry.loc for entry in found] == ["https://example.com/b"]
