"""The attributes of damaged tags: what can be read in one way is read, the rest is left out and said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlset.formats.xml.attributes import TYPOGRAPHIC_DOUBLE, TYPOGRAPHIC_SINGLE
from urlset.formats.xml.faults import Fault
from urlset.formats.xml.scanner import Scanner, Start


def scan(raw: str) -> tuple[Start, list[Fault]]:
    """The start tag of a link with these attributes, and its faults."""
    scanner = Scanner([f"<link {raw}/>\n<b>"], {"link"}, ["item"])
    start = next(token for token in scanner.tokens() if isinstance(token, Start))
    return start, scanner.faults.take()


def left_out(faults: list[Fault]) -> list[str | None]:
    return [fault.value for fault in faults if fault.message.endswith("it is left out")]


@pytest.mark.parametrize("raw", ['href="x"', "href='x'", "href = \n'x'", 'href="x" '])
def test_a_proper_tag_has_no_faults(raw: str) -> None:
    start, faults = scan(raw)
    assert (start.attributes, start.closed, faults) == ({"href": "x"}, True, [])


@pytest.mark.parametrize(
    "raw",
    [
        "href=“x”", "href=”x”", "href=„x“", "href=″x″", "href=«x»", "href=»x«",
        "href=‘x’", "href=’x’", "href=‚x‘", "href=‹x›", "href=′x′",
        'href=“x"', 'href="x”', "href=‘x'", "href='x’",
        'href=“"x"', 'href=“"x"”', 'href=""x""', 'href="x"”', "href=‘'x'’", "href=''x''",
        "href=x", "href=“x”rel=“y”", 'href=“x” rel="y"', 'href=“x” nofollow rel="y"',
    ],
)  # fmt: skip
def test_a_value_between_quotes_of_one_kind_is_read(raw: str) -> None:
    start, faults = scan(raw if raw != "href=x" else "href=x ")
    assert start.attributes["href"] == "x"
    assert start.attributes.get("rel", "y") == "y"
    assert start.closed
    assert faults


@pytest.mark.parametrize(
    ("raw", "others", "lost"),
    [
        ('href="x hreflang="de" rel="y"', {"hreflang": "de", "rel": "y"}, ['href="x']),  # no closing quote
        ("href=“x hreflang=“de” rel=“y”", {"hreflang": "de", "rel": "y"}, ["href=“x"]),
        ('href="x rel="" a="b"', {"a": "b"}, ['href="x rel=""']),
        ('href=“x rel="" a="b"', {"a": "b"}, ['href=“x rel=""']),
        ('href="x” rel=“y"z=1 ', {"z": "1"}, ['href="x” rel=“y"']),
        ('href="x', {}, ['href="x/']),
        ('href=x" rel="y"', {"rel": "y"}, ['href=x"']),  # no opening quote
        ("href=x” rel=“y”", {"rel": "y"}, ["href=x”"]),
        ("href='x\" rel=\"y\"", {"rel": "y"}, ["href='x\""]),  # quotes of two kinds
        ("href=“x' rel=\"y\"", {"rel": "y"}, ["href=“x'"]),
        ('href="a "b" c" rel="y"', {"rel": "y"}, ['href="a "b" c"']),  # quotes in the value
        ('href="5" screen" rel="y"', {"rel": "y"}, ['href="5" screen"']),
        ('href=“a " c” rel="y"', {"rel": "y"}, ['href=“a " c”']),
        ('href=“a " c d” rel="y"', {"rel": "y"}, ['href=“a " c d”']),
        ('href=“" rel="y"', {"rel": "y"}, ['href=“"']),
        ("rel=“y” href ", {"rel": "y"}, ["href"]),
        ("href=x z rel=“y”", {"rel": "y"}, ["href=x z"]),  # blanks without quotes
        ('href=..."../e" rel=“y”', {"rel": "y"}, ['href=..."../e"']),
        ("href=“x” href=“z” rel=y ", {"href": "x", "rel": "y"}, []),
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_left_out(raw: str, others: dict[str, str], lost: list[str]) -> None:
    start, faults = scan(raw)
    assert start.attributes == others
    assert left_out(faults) == lost


def test_an_attribute_that_occurs_again_is_shown() -> None:
    start, faults = scan('href="x" href="z"')
    assert start.attributes == {"href": "x"}
    assert [fault.value for fault in faults] == ['href="z"']


DOUBLE, SINGLE = '"' + TYPOGRAPHIC_DOUBLE, "'" + TYPOGRAPHIC_SINGLE
WORDS = st.text("ab:/.?&#=-é", min_size=1, max_size=6)
# What looks like another attribute in a value without quotes is one.
VALUES = (
    st.lists(WORDS, min_size=1, max_size=3)
    .map(" ".join)
    .filter(lambda text: not re.search(r"(?:^|\s)[\w:.-]+\s*=", text))
)


@given(st.text("ab =/:.“”„″«»‘’‚'", max_size=12), st.text("ab =/:.“”„″«»‘’‚'", max_size=12))
def test_a_straight_value_stays_as_it_is(first: str, second: str) -> None:
    start, faults = scan(f'href="{first}" rel="{second}"')
    assert start.attributes == {"href": first, "rel": second}
    assert faults == []


@st.composite
def quoted(draw: st.DrawFn, inside: str) -> str:
    """A value with quotes of all sorts: paired or not, doubled, or missing at either end."""
    quotes = draw(st.sampled_from([DOUBLE, SINGLE]))
    some = st.text(quotes, max_size=2)
    return draw(some) + inside + draw(some | st.text(DOUBLE + SINGLE, max_size=1))


@settings(max_examples=400)
@given(st.data(), VALUES, VALUES)
def test_a_value_is_whole_or_left_out(data: st.DataObject, first: str, second: str) -> None:
    raw = f"href={data.draw(quoted(first))} rel={data.draw(quoted(second))} title=“t”"
    start, faults = scan(raw)
    told = " ".join(value or "" for value in left_out(faults))
    for name, value in (("href", first), ("rel", second)):
        if name in start.attributes:
            # Other quotes between straight ones are a part of the value.
            assert start.attributes[name].strip(DOUBLE + SINGLE) == value
        else:
            assert value.split()[0] in told
