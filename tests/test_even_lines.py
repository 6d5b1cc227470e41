"""Text lists and tables are read many lines at a time where there is nothing to say, and then tell the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats import csv_table, jsonl, registry
from urlset.formats.tables import rows
from urlset.formats.vocabulary import batches, url_columns
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.source import Source

ADDRESSES = [
    "https://example.com/a",
    "https://example.com/?b=1&c",
    "https://example.com/ü",
    "https://other.example/",
    "/x",
    "",
    "# no",
    "https://example.com/ lastmod=2024-05-06",
    " https://example.com/",
    "https://example.com/;",
    "ftp://example.com/",
    "-",
]
DATES = [
    "",
    "2024-05-06",
    "2024-05-06T07:08:09Z",
    "06/05/2024",
    "2024-05-06 07:08:09",
    "2024",
    "2024-05",
    "45000",
    " ",
    "x",
    "20240506",
]
REST = {
    "changefreq": ["", "daily", "Daily", "x", " "],
    "priority": ["", "0.5", "1", "7", "0.55", "0,5"],
    "title": ["", "a", " a ", "a, b", 'say "a"', "two\nlines", " ", '"'],
    "status code": ["200", "404", ""],
    "images": ["", "[]", '[{"loc": "https://example.com/i"}]', "{"],
    "other": ["", "x"],
}


def outcome(name: str, document: bytes, even: bool, size: int, **options: Any) -> Any:
    """Everything that reading a document tells."""
    rejects: list[Reject] = []
    ledger = Ledger(rejects=rejects.append)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "SIZE", size)
        patch.setattr(batches, "LINES", size)
        patch.setattr(batches, "slices", lambda things, _=0: slices(things, size))
        if not even:
            for module in (csv_table, jsonl):
                patch.setattr(module, "_even", lambda *_: None)
            patch.setattr(url_columns, "plain_lines", lambda *_: False)
        read = registry().reader(name).read
        assert read is not None
        entries = [*read(Source.from_bytes(document, "s"), ledger.open("s"), ReadOptions(**options))]
    places = [(entry.origin.line, entry.lastmod and entry.lastmod.precision) for entry in entries if entry.origin]
    return entries, places, ledger.findings, rejects, ledger.counts


slices = batches.slices


@given(st.lists(st.sampled_from(ADDRESSES), min_size=1, max_size=30), st.sampled_from([1, 3, 128]), st.booleans())
def test_lists(lines: list[str], size: int, remark: bool) -> None:
    document = "\n".join(lines).encode()
    ways = [outcome("text", document, even, size, remark=remark) for even in (True, False)]
    assert ways[0] == ways[1]


@st.composite
def tables(draw: st.DrawFn) -> str:
    names = draw(st.lists(st.sampled_from(sorted(REST)), unique=True, max_size=4))
    header = ["url", *(["lastmod"] if draw(st.booleans()) else []), *names]
    delimiter = draw(st.sampled_from(",;\t"))
    usual = draw(st.integers(0, 2))
    found = [delimiter.join(header)] if draw(st.integers(0, 4)) else []
    for number in range(draw(st.integers(1, 20))):
        values = {"url": ADDRESSES, "lastmod": DATES, **REST}
        odd = draw(st.integers(0, 9)) < usual
        cells = [draw(st.sampled_from(values[name])) if odd else values[name][0] for name in header]
        cells[0] = cells[0] if odd else f"https://example.com/{number}"
        whole = rows.join_row(cells, delimiter) if draw(st.integers(0, 9)) else delimiter.join(cells)
        found.append(
            whole
            if draw(st.integers(0, 15))
            else draw(st.sampled_from(["", delimiter, whole + delimiter, '"' + whole]))
        )
    return draw(st.sampled_from(["\n", "\r\n"])).join(found)


@given(tables(), st.sampled_from([1, 3, 128]), st.booleans(), st.booleans())
def test_tables(document: str, size: int, remark: bool, indexable: bool) -> None:
    ways = []
    for even in (True, False):
        try:
            ways.append(outcome("csv", document.encode(), even, size, remark=remark, indexable=indexable))
        except ValueError as error:
            ways.append(str(error))
    assert ways[0] == ways[1]


@pytest.mark.parametrize(("name", "head"), [("text", ""), ("csv", "url,lastmod\n")])
def test_whoever_stops_early_has_read_no_more(name: str, head: str) -> None:
    document = head + "".join(
        f"https://example.com/{n}\n" if not head else f"https://example.com/{n},\n" for n in range(9)
    )
    ledger = Ledger()
    read = registry().reader(name).read
    assert read is not None
    entries = read(Source.from_bytes(document.encode()), ledger.open("s"), ReadOptions())
    assert len(list(islice(entries, 3))) == 3
    del entries
    assert ledger.counts.read == 3


def test_what_came_before_an_error_is_handed_out_first() -> None:
    def failing() -> Any:
        yield from range(5)
        raise OSError("gone")

    found: list[Any] = []
    with pytest.raises(OSError, match="gone"):
        found.extend(batches.slices(failing(), 3))
    assert found == [[0, 1, 2], [3, 4]]


LINES = [
    "",
    " ",
    "{",
    "[]",
    '{"loc": "https://example.com/1"}, {"loc": "https://example.com/2"}',
    '{"loc": "https://example.com/", "loc": "https://example.com/b"}',
    '{"loc": "https://example.com/", "priority": NaN}',
    '{"loc": "https://example.com/", "priority": -0.0}',
    '{"loc": "https://example.com/", "rejected": {"rule": "x"}}',
    '{"loc": "https://example.com/", "title": "\\ud800"}',
]
VALUES: dict[str, list[Any]] = {
    "loc": [*ADDRESSES, None, 7],
    "lastmod": [*DATES, None, 20240506],
    "changefreq": [*REST["changefreq"], None, 1],
    "priority": [*REST["priority"], 0, 1, 0.5, 0.55, 0.123456789012345678, 1.5, True, None],
    "title": [*REST["title"], None, 4],
    "images": [None, [], [{"loc": "https://example.com/i"}], "x"],
    "other": [None, 1],
}
objects = st.fixed_dictionaries(
    {"loc": st.sampled_from(ADDRESSES[:3]) | st.sampled_from(VALUES["loc"])},
    optional={name: st.sampled_from(values) for name, values in VALUES.items() if name != "loc"},
).map(json.dumps)
usual = st.builds(
    lambda number, date: json.dumps({"loc": f"https://example.com/{number}", "lastmod": date}),
    st.integers(0, 9),
    st.sampled_from(["2024-05-06", "2024-05-06T07:08:09Z", None, ""]),
)


@given(st.lists(usual | objects | st.sampled_from(LINES), min_size=1, max_size=20), st.sampled_from([1, 3, 128]))
def test_json_lines(lines: list[str], size: int) -> None:
    document = "\n".join(lines).encode()
    ways = [outcome("jsonl", document, even, size) for even in (True, False)]
    assert ways[0] == ways[1]


def test_a_long_line_ends_its_list() -> None:
    lines = [(1, "a"), (2, "b" * batches.LONG), (3, "c"), (4, "d")]
    assert list(batches.line_slices(lines)) == [lines[:2], lines[2:]]


def test_lines_before_an_error_are_handed_out() -> None:
    def failing() -> Iterator[tuple[int, str]]:
        yield 1, "a"
        raise ValueError

    some = batches.line_slices(failing())
    assert next(some) == [(1, "a")]
    with pytest.raises(ValueError):
        next(some)
