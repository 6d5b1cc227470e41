"""What is looked at line by line in one go is what is looked at one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.vocabulary import dates as dates_module
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.date_columns import Dates, newest, plain_dates
from urlset.formats.vocabulary.dates import LastMod, is_implausible, read_w3c
from urlset.formats.vocabulary.url_columns import plain_lines

SITE = "https://example.com/"
LOCS = [
    "https://example.com",
    "https://example.com/",
    "https://example.com/a?b=1&c=(d)",
    "https://example.com?x",
    "https://example.com#x",
    "https://example.com/ü",
    "https://example.com/%C3%BC",
    "https://example.com/%2520",
    "https://example.com/#a#b",
    "https://example.comx/",
    "http://example.com/",
    "https://EXAMPLE.com/",
    "https://example.com:8080/",
    "https://10.1/x",
    "https://a..b/",
    "",
    " ",
    "/a",
    "https://example.com/;",
    "https://example.com/&amp;",
    "https://example.com/\u2028",
    "https://" + "x" * 70 + "/",
]
DATES = [
    "",
    "2024-05-06",
    "2024-02-29",
    "2023-02-29",
    "2024-04-31",
    "2024-12-31",
    "2024-05-06T07:08:09Z",
    "2024-05-06T07:08:09-00:00",
    "2024-05-06T07:08:09.1230+14:00",
    "2024-05-06T07:08:09-13:59",
    "2024-05-06T07:08Z",
    "2024-05",
    "2024",
    "1970-01-01",
    "9999-01-01",
    "2024-00-10",
    "2024-01-00",
    "2024-01-30",
    "2024-02-30",
    "2024-05-06T24:00:00Z",
    "2024-05-06T07:08:09",
    "2024-05-06 ",
    "now",
]


@given(st.lists(st.sampled_from(LOCS), min_size=1, max_size=6))
def test_lines_are_plain_only_if_there_is_nothing_to_say_of_any(locs: list[str]) -> None:
    if plain_lines("\n".join(locs), len(locs)):
        assert not any(map(urls.inspect, locs))


@pytest.mark.parametrize(
    "loc", [loc for loc in LOCS if loc[:20] == "https://example.com/" and not urls.inspect(loc) and ";" not in loc]
)
def test_lines_of_one_origin_are_plain_if_there_is_nothing_to_say(loc: str) -> None:
    assert plain_lines(loc, 1)
    assert plain_lines(f"https://example.com/a\n{loc}\nhttps://example.com/z", 3)


@pytest.mark.parametrize("text", ["https://example.com/\nhttps://example.com/", "https://example.com/\n", ""])
def test_a_line_end_inside_a_loc_is_none_between_two(text: str) -> None:
    assert not plain_lines(text, 1)


@given(st.lists(st.sampled_from(DATES), min_size=1, max_size=6))
def test_dates_are_those_that_are_read_one_by_one(texts: list[str]) -> None:
    found = plain_dates(texts)
    readings = [read_w3c(text) if text else None for text in texts]
    odd = [
        reading
        for reading in readings
        if reading and (reading.problem or is_implausible(reading.value or LastMod("0001")))
    ]
    if found is None:
        assert odd or any(map(str.isspace, "".join(texts)))
        return
    values = found.values()
    assert values == [reading and reading.value for reading in readings]
    assert [value and value.precision for value in values] == [
        one and one.value and one.value.precision for one in readings
    ]


@pytest.mark.parametrize("text", ["2024-05-06\n2024-05-07", "2024-05-06\n", "\n"])
def test_a_line_end_inside_a_date_is_none_between_two(text: str) -> None:
    assert plain_dates([text]) is None


@given(st.lists(st.sampled_from([None, *(value for text in DATES if (value := read_w3c(text).value))])))
def test_the_newest_is_the_first_of_the_latest_instants(values: list[LastMod | None]) -> None:
    known = [value for value in values if value is not None]
    latest = max((value.instant for value in known), default=None)
    expected = next((value for value in known if value.instant == latest), None)
    found = newest(values)
    assert found is None if expected is None else found is not None and found.instant == latest
    assert expected is None or expected.precision < 3 or found == expected


ZONED = ["", "2024-05-05", "2024-05-06", "2024-05-08", "2024-05-06T13:00:00-13:59", "2024-05-08T01:00:00+13:59"]


@given(st.lists(st.sampled_from(ZONED)), st.sampled_from([None, "2024-05-07T02:59:00Z", "2024", "2024-05-06"]))
def test_the_newest_of_a_column_is_that_of_its_values(texts: list[str], other: str | None) -> None:
    known = LastMod(other) if other else None
    dates = plain_dates(texts)
    assert dates is not None
    assert dates.newest(known) == newest([known, *dates.values()])
    assert Dates(texts, dates.values()).newest(known) == newest([known, *dates.values()])


@given(st.lists(st.sampled_from(DATES)))
def test_a_column_prints_what_its_values_print(texts: list[str]) -> None:
    if (found := plain_dates(texts)) is not None:
        printed = ["" if value is None else str(value) for value in found.values()]
        assert [*found.printed()] == printed
        assert found.present() == len(printed) - printed.count("")


def test_days_are_held_once_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (plain_dates(["2031-02-03", "2031-02-03T04:05:06Z"]) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.values() == second.values() == [LastMod("2031-02-03"), LastMod("2031-02-03T04:05:06Z")]
    assert first.values()[0] is second.values()[0]
    monkeypatch.setattr(dates_module, "_MOST_DAYS", len(dates_module._DAYS))
    full = plain_dates(["2031-02-04"])
    assert full is not None
    assert full.values() == [LastMod("2031-02-04")]
    assert "2031-02-04" not in dates_module._DAYS
