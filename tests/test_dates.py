"""W3C Datetime: the value, its order, and what becomes of texts that are nearly in the grammar."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from urlset.formats.vocabulary.dates import (
    DateReading,
    LastMod,
    Precision,
    is_implausible,
    parse_zone,
    read_w3c,
)
from urlset.formats.vocabulary.errors import OptionError

BERLIN = ZoneInfo("Europe/Berlin")

# id, text, printed value
VALID = [
    ("W1", "1997", "1997"),
    ("W2", "1997-07", "1997-07"),
    ("W3", "1997-07-16", "1997-07-16"),
    ("W4", "1997-07-16T19:20+01:00", "1997-07-16T19:20:00+01:00"),
    ("W5", "1997-07-16T19:20Z", "1997-07-16T19:20:00Z"),
    ("W6", "1997-07-16T19:20:30+01:00", "1997-07-16T19:20:30+01:00"),
    ("W7", "1997-07-16T19:20:30.45+01:00", "1997-07-16T19:20:30.45+01:00"),
    ("W8", "1997-07-16T19:20:30Z", "1997-07-16T19:20:30Z"),
    ("W11", "1997-07-16T19:20:30-00:00", "1997-07-16T19:20:30Z"),
    ("W27", "1996-02-29", "1996-02-29"),
    ("W41", "1997-07-16T19:20:30+14:00", "1997-07-16T19:20:30+14:00"),
    ("W47", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("W48", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
    ("W49", "2999-01-01", "2999-01-01"),
    ("W53", "2024-02-02T09:01:33.169382938Z", "2024-02-02T09:01:33.169382938Z"),
    ("W57", "2005-01-01T00:00:00+00:00", "2005-01-01T00:00:00+00:00"),
    ("leap-2000", "2000-02-29", "2000-02-29"),
    ("west", "1997-07-16T19:20:30-14:00", "1997-07-16T19:20:30-14:00"),
    ("minute-00:00", "1997-07-16T19:20-00:00", "1997-07-16T19:20:00Z"),
    ("fraction-00:00", "1997-07-16T19:20:30.450-00:00", "1997-07-16T19:20:30.450Z"),
]

# id, text, printed value, a word of the problem
REPAIRED = [
    ("W12", "1997-07-16T19:20:30+0100", "1997-07-16T19:20:30+01:00", "'+0100'"),
    ("W13", "1997-07-16T19:20:30+01", "1997-07-16T19:20:30+01:00", "'+01'"),
    ("W14", "1997-07-16T19:20:30+1:00", "1997-07-16T19:20:30+01:00", "'+1:00'"),
    ("W15", "1997-07-16t19:20:30z", "1997-07-16T19:20:30Z", "capital T"),
    ("W16", "1997-07-16 19:20:30Z", "1997-07-16T19:20:30Z", "capital T"),
    ("W18", "1997-07-16T19:20:30 +01:00", "1997-07-16T19:20:30+01:00", "' +01:00'"),
    ("W19", "1997-07-16T19:20:30 GMT", "1997-07-16T19:20:30Z", "GMT"),
    ("W19-UTC", "1997-07-16 19:20:30 UTC", "1997-07-16T19:20:30Z", "UTC"),
    ("W20", "1997-07-16T24:00:00Z", "1997-07-17T00:00:00Z", "24:00"),
    ("W20-year", "1997-12-31T24:00:00+02:00", "1998-01-01T00:00:00+02:00", "24:00"),
    ("W20-minute", "1996-02-28T24:00Z", "1996-02-29T00:00:00Z", "24:00"),
    ("W20-fraction", "1997-07-16T24:00:00.000Z", "1997-07-17T00:00:00.000Z", "24:00"),
    ("W22", "2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z", "60"),
    ("W30", "1997-7-16", "1997-07-16", "two digits"),
    ("W30-day", "1997-07-6", "1997-07-06", "two digits"),
    ("W30-month", "1997-7", "1997-07", "two digits"),
    ("W31", "19970716", "1997-07-16", "hyphens"),
    ("W32", "19970716T192030Z", "1997-07-16T19:20:30Z", "hyphens"),
    ("W32-minute", "19970716T1920+0100", "1997-07-16T19:20:00+01:00", "hyphens"),
    ("W36", "1997-07-16Z", "1997-07-16", "no zone"),
    ("W37", "1997-07-16+02:00", "1997-07-16", "no zone"),
    ("W38", "1997-07-16T19:20:30,45+01:00", "1997-07-16T19:20:30.45+01:00", "point"),
    ("W39", "1997-07-16T19:20:30.Z", "1997-07-16T19:20:30Z", "point"),
    ("W40", "1997-07-16T19Z", "1997-07-16T19:00:00Z", "hh:mm:ss"),
    ("W40-offset", "1997-07-16T19+01:00", "1997-07-16T19:00:00+01:00", "hh:mm:ss"),
    ("W54", "2005-05-10T17:33:30+08:00[Asia/Shanghai]", "2005-05-10T17:33:30+08:00", "Shanghai"),
    ("W54-round", "2005-05-10T17:33:30Z (UTC)", "2005-05-10T17:33:30Z", "(UTC)"),
    ("W56", "1997-07-16T19:20:30\u221205:00", "1997-07-16T19:20:30-05:00", "\u221205:00"),
    ("blank-Z", "1997-07-16T19:20:30 Z", "1997-07-16T19:20:30Z", "' Z'"),
    ("one-digit-hour", "1997-07-16T9:20:30Z", "1997-07-16T09:20:30Z", "hh:mm:ss"),
    ("no-colon", "2024-05-06T07:08:09+0530", "2024-05-06T07:08:09+05:30", "+0530"),
    ("zero-no-colon", "2022-09-20T10:11:12+0000", "2022-09-20T10:11:12+00:00", "+0000"),
    ("blank-no-colon", "2024-05-06 07:08:09+0200", "2024-05-06T07:08:09+02:00", "+0200"),
    ("Go", "2024-05-06 07:08:09 +0200 CEST", "2024-05-06T07:08:09+02:00", "CEST"),
    ("Go-UTC", "2024-05-06 07:08:09.123456789 +0000 UTC", "2024-05-06T07:08:09.123456789+00:00", "UTC"),
    ("GMT+1", "2024-05-06T07:08:09 GMT+1", "2024-05-06T07:08:09+01:00", "GMT+1"),
]

# id, text, a word of the problem
UNUSABLE = [
    ("W9", "1997-07-16T19:20:30", "--assume-zone"),
    ("W10", "1997-07-16T19:20", "--assume-zone"),
    ("W17", "1997-07-16 19:20:30", "--assume-zone"),
    ("W21", "1997-07-16T24:00:01Z", "24:00:01"),
    ("W21-fraction", "1997-07-16T24:00:00.1Z", "24:00:00"),
    ("W23", "1997-07-16T19:20:61Z", "19:20:61"),
    ("W24", "1997-07-16T19:61:30Z", "19:61:30"),
    ("W25", "1997-07-16T25:20:30Z", "25:20:30"),
    ("W26", "1997-02-29", "1997-02-29"),
    ("W28", "1900-02-29", "1900-02-29"),
    ("W29-month", "1997-13-01", "month 13"),
    ("W29-zero", "1997-00-10", "month 00"),
    ("W29-day", "1997-07-00", "1997-07-00"),
    ("W33", "1997-W29-3", "week"),
    ("W34", "1997-197", "day of the year"),
    ("W35-short", "97-07-16", "any order"),
    ("W35-day-first", "16/07/1997", "any order"),
    ("W35-month-first", "07/16/1997", "any order"),
    ("W35-dots", "06.05.2024", "any order"),
    ("W35-prose", "July 16, 1997", "expected"),
    ("W42", "1997-07-16T19:20:30+14:01", "+14:01"),
    ("W43", "1997-07-16T19:20:30+24:00", "+24:00"),
    ("W44", "0000-01-01", "year 0000"),
    ("W44-zero", "0000-00-00", "year 0000"),
    ("W45", "-0044-03-15", "four digits"),
    ("W46", "12005-01-01", "four digits"),
    ("W50", "", "empty"),
    ("W50-blank", " \n\t\u00a0\ufeff", "empty"),
    ("W52", "1105056854", "bare number"),
    ("W52-milliseconds", "1105056854000", "bare number"),
    ("W55", "１９９７-07-16", "ASCII"),
    ("W55-Arabic", "١٩٩٧-٠٧-١٦", "ASCII"),
    ("W55-day", "1997-07-1６", "ASCII"),
    ("AM", "2024-05-08 08:53:11 AM", "24-hour clock"),
    ("p.m.", "2024-05-08T08:53 p.m.", "24-hour clock"),
    ("PM-zone", "2024-05-08 08:53:11 PM +0200", "24-hour clock"),
    ("offset-PM", "2024-05-08 08:53:11 +0200 PM", "no zone"),
    ("EST", "2024-05-08 08:53:11 EST", "no zone"),
    ("three-digit-offset", "2024-05-08T08:53:11+130", "no zone"),
    ("offset-minutes", "2024-05-08T08:53:11+0160", "no offset"),
    ("named-zone-only", "2005-05-10T17:33:30[Asia/Shanghai]", "no zone"),
    ("date-zone", "1997-07-16+15:00", "no offset"),
    ("month-time", "1997-07T10:00Z", "after the day"),
    ("minute-fraction", "1997-07-16T19:20.5Z", "fraction"),
    ("hyphen-time", "1997-07-16T19-20", "after the day"),
    ("six-digits", "199707", "bare number"),
    ("Excel-serial", "45418", "bare number"),
    ("no-next-day", "9999-12-31T24:00:00Z", "9999-12-31"),
    ("trailing", "1997-07-16x", "after the day"),
    ("word", "yesterday", "expected"),
]


def by_id(rows: Sequence[tuple[str, ...]]) -> list[object]:
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


@pytest.mark.parametrize(("text", "printed"), by_id(VALID))
def test_grammar(text: str, printed: str) -> None:
    value, problem = read_w3c(text)
    assert (str(value), problem) == (printed, None)
    assert str(LastMod(text)) == printed


@pytest.mark.parametrize(("text", "printed", "word"), by_id(REPAIRED))
def test_repair(text: str, printed: str, word: str) -> None:
    value, problem = read_w3c(text)
    assert str(value) == printed
    assert problem is not None
    assert word in problem
    assert f"read as {printed}" in problem
    with pytest.raises(ValueError, match="not W3C Datetime: "):
        LastMod(text)


@pytest.mark.parametrize(("text", "word"), by_id(UNUSABLE))
def test_unusable(text: str, word: str) -> None:
    value, problem = read_w3c(text)
    assert value is None
    assert problem is not None
    assert word in problem
    with pytest.raises(ValueError, match="not W3C Datetime: "):
        LastMod(text)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param("1997-07-16T19:20:30", "1997-07-16T19:20:30Z", id="W9"),
        pytest.param("1997-07-16T19:20", "1997-07-16T19:20:00Z", id="W10"),
        pytest.param("1997-07-16 19:20:30", "1997-07-16T19:20:30Z", id="W17"),
        pytest.param("1997-07-16T19:20:30.45", "1997-07-16T19:20:30.45Z", id="fraction"),
    ],
)
def test_assumed_utc(text: str, printed: str) -> None:
    value, problem = read_w3c(text, UTC)
    assert str(value) == printed
    assert problem is not None
    assert "UTC assumed" in problem


@pytest.mark.parametrize(
    ("text", "zone", "printed"),
    [
        ("2024-01-15T12:00:00", BERLIN, "2024-01-15T12:00:00+01:00"),
        ("2024-07-15T12:00:00", BERLIN, "2024-07-15T12:00:00+02:00"),
        ("2024-03-31T01:59:59", BERLIN, "2024-03-31T01:59:59+01:00"),
        ("2024-03-31T03:00:00", BERLIN, "2024-03-31T03:00:00+02:00"),
        ("2024-10-27T02:30:00", BERLIN, "2024-10-27T02:30:00+02:00"),
        ("2024-07-15T12:00:00", ZoneInfo("Asia/Kolkata"), "2024-07-15T12:00:00+05:30"),
        ("2024-07-15T12:00:00", timezone(timedelta(hours=-3, minutes=-30)), "2024-07-15T12:00:00-03:30"),
        ("2024-12-31T24:00:00", BERLIN, "2025-01-01T00:00:00+01:00"),
        ("9999-12-31T23:59:59", BERLIN, "9999-12-31T23:59:59+01:00"),
    ],
)
def test_assumed_zone_is_the_one_of_that_time(text: str, zone: tzinfo, printed: str) -> None:
    assert str(read_w3c(text, zone).value) == printed


def test_assumed_zone_changes_nothing_else() -> None:
    assert str(read_w3c("1997-07-16T19:20:30+01:00", BERLIN).value) == "1997-07-16T19:20:30+01:00"
    assert read_w3c("1997-07-16", BERLIN) == (LastMod("1997-07-16"), None)
    assert read_w3c("2024-05-08 08:53:11 AM", BERLIN).value is None


def test_local_mean_time_has_no_offset_in_minutes() -> None:
    value, problem = read_w3c("1850-01-01T00:00:00", BERLIN)  # +00:53:28
    assert value is None
    assert "0:53:28" in (problem or "")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(" \n1997-07-16\n ", id="W51"),
        pytest.param("\ufeff1997-07-16", id="byte-order-mark"),
        pytest.param("\u200b1997-07-16\u200b", id="zero-width"),
        pytest.param("\u00a0\u3000\u20281997-07-16\u2003\u0085", id="Unicode-blanks"),
        pytest.param("\r\n\t1997-07-16" + " " * 100, id="long"),
    ],
)
def test_blanks_at_the_ends_are_no_problem(text: str) -> None:
    assert read_w3c(text) == (LastMod("1997-07-16"), None)
    with pytest.raises(ValueError, match="not W3C Datetime"):
        LastMod(text)


def test_blanks_within_the_date_are_not_trimmed() -> None:
    assert read_w3c("1997 -07-16").value is None


@pytest.mark.parametrize(
    ("text", "precision", "offset"),
    [
        ("1997", Precision.YEAR, None),
        ("1997-07", Precision.MONTH, None),
        ("1997-07-16", Precision.DAY, None),
        ("1997-07-16T19:20+01:00", Precision.MINUTE, 60),
        ("1997-07-16T19:20:30-03:30", Precision.SECOND, -210),
        ("1997-07-16T19:20:30Z", Precision.SECOND, 0),
        ("1997-07-16T19:20:30-00:00", Precision.SECOND, 0),
        ("1997-07-16T19:20:30.450+14:00", Precision.FRACTION, 840),
    ],
)
def test_precision_and_offset(text: str, precision: Precision, offset: int | None) -> None:
    value = LastMod(text)
    assert (value.precision, value.offset) == (precision, offset)


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("1997-7", Precision.MONTH),
        ("19970716", Precision.DAY),
        ("1997-07-16Z", Precision.DAY),
        ("1997-07-16T19Z", Precision.MINUTE),
        ("1997-07-16T19:20+0100", Precision.MINUTE),
        ("1997-07-16T19:20:30+0100", Precision.SECOND),
        ("1997-07-16T19:20:30,5Z", Precision.FRACTION),
    ],
)
def test_precision_after_a_repair(text: str, precision: Precision) -> None:
    value = read_w3c(text).value
    assert value is not None
    assert value.precision is precision


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2024-03-01T00:30:00+09:00", "2024-02-29T20:00:00Z"),
        ("2024-05-05T23:00:00Z", "2024-05-06"),
        ("2024", "2024-01-01T00:00:01Z"),
        ("2023-12-31T23:59:59Z", "2024"),
        ("2024-04-30", "2024-05"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09.000000000000000000001Z"),
        ("2024-05-06T07:08:09.09Z", "2024-05-06T07:08:09.1Z"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00"),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
        ("1969-12-31T23:59:59.5Z", "1970"),
    ],
)
def test_order_is_that_of_instants(earlier: str, later: str) -> None:
    a, b = LastMod(earlier), LastMod(later)
    assert a < b
    assert a <= b
    assert b > a
    assert b >= a
    assert not a > b
    assert not b <= a
    assert max(a, b) is b


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024-05-06", "2024-05-06T00:00:00Z"),
        ("2024", "2024-01"),
        ("2024-05-06T07:08:09+02:00", "2024-05-06T05:08:09Z"),
        ("2024-05-06T07:08:09.5Z", "2024-05-06T07:08:09.500Z"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09+00:00"),
    ],
)
def test_one_instant_in_two_spellings_is_two_values(one: str, other: str) -> None:
    a, b = LastMod(one), LastMod(other)
    assert a.instant == b.instant
    assert a <= b
    assert a >= b
    assert not a < b
    assert a != b
    assert len({a, b}) == 2


def test_equal_texts_are_one_value() -> None:
    assert LastMod("1997-07-16T19:20Z") == LastMod("1997-07-16T19:20:00Z")
    assert len({LastMod("1997"), LastMod("1997")}) == 1
    assert LastMod("1997") != "1997"
    with pytest.raises(TypeError):
        assert LastMod("1997") < "1998"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-06", datetime(2024, 5, 6, tzinfo=UTC)),
        ("2024-05-06T07:08-05:00", datetime(2024, 5, 6, 12, 8, tzinfo=UTC)),
        ("2024-05-06T07:08:09.5Z", datetime(2024, 5, 6, 7, 8, 9, 500000, tzinfo=UTC)),
        ("2024-05-06T07:08:09.1234567Z", datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)),
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999999Z", datetime.max.replace(tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("9999-12-31T23:59:59-00:01", None),
    ],
)
def test_to_datetime(text: str, moment: datetime | None) -> None:
    assert LastMod(text).to_datetime() == moment


def test_time_zone_of_the_machine_is_of_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["2024", "2024-05-06", "2024-05-06T07:08:09", "2024-05-06T07:08:09+02:00", "2024-05-06T24:00:00Z"]
    seen = []
    for name in ("UTC", "America/New_York", "Asia/Kolkata"):
        monkeypatch.setenv("TZ", name)
        time.tzset()
        values = [read_w3c(text, zone).value for text in texts for zone in (None, UTC, BERLIN)]
        seen.append([(str(v), v.instant, v.to_datetime()) for v in values if v is not None])
    monkeypatch.undo()
    time.tzset()
    assert seen[0] == seen[1] == seen[2]


def test_immutable() -> None:
    value = LastMod("2024-05-06")
    for name in ("precision", "instant", "_text", "other"):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
    with pytest.raises(AttributeError):
        del value._text
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("text", ["1997", "1997-07-16T19:20Z", "1997-07-16T19:20:30.45+01:00"])
def test_copies_are_whole(text: str) -> None:
    value = LastMod(text)
    twins = [pickle.loads(pickle.dumps(value, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)]  # noqa: S301
    for twin in (*twins, copy.copy(value), copy.deepcopy(value)):
        assert twin == value
        assert (twin.precision, twin.offset, twin.instant) == (value.precision, value.offset, value.instant)


def test_repr() -> None:
    assert repr(LastMod("1997-07-16T19:20Z")) == "LastMod('1997-07-16T19:20:00Z')"


class Page(BaseModel):
    lastmod: LastMod | None = None


@pytest.mark.parametrize(
    ("given_value", "printed"),
    [
        (LastMod("2024-05"), "2024-05"),
        ("2024-05-06T07:08+02:00", "2024-05-06T07:08:00+02:00"),
        (date(2024, 5, 6), "2024-05-06"),
        (date(1, 1, 1), "0001-01-01"),
        (datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC), "2024-05-06T07:08:09Z"),
        (datetime(2024, 5, 6, tzinfo=BERLIN), "2024-05-06T00:00:00+02:00"),
        (datetime(2024, 5, 6, 7, 8, 9, 120000, tzinfo=UTC), "2024-05-06T07:08:09.12Z"),
    ],
)
def test_pydantic_accepts(given_value: object, printed: str) -> None:
    page = Page.model_validate({"lastmod": given_value})
    assert isinstance(page.lastmod, LastMod)
    assert str(page.lastmod) == printed
    assert page.model_dump()["lastmod"] is page.lastmod
    assert page.model_dump(mode="json") == {"lastmod": printed}
    assert json.loads(page.model_dump_json()) == {"lastmod": printed}
    assert Page.model_validate_json(page.model_dump_json()) == page


@pytest.mark.parametrize(
    "given_value",
    [
        "2024-05-06 07:08:09",
        " 2024-05-06",
        "",
        datetime(2024, 5, 6),
        datetime(2024, 5, 6, tzinfo=timezone(timedelta(hours=15))),
        datetime(2024, 5, 6, tzinfo=timezone(timedelta(seconds=1))),
        1714979289,
        b"2024-05-06",
    ],
)
def test_pydantic_refuses(given_value: object) -> None:
    with pytest.raises(ValidationError):
        Page.model_validate({"lastmod": given_value})


def test_json_schema_is_a_string() -> None:
    for mode in ("validation", "serialization"):
        schema = Page.model_json_schema(mode=mode)["properties"]["lastmod"]
        assert {option["type"] for option in schema["anyOf"]} == {"string", "null"}


class Nanoseconds(datetime):
    """Stands for pandas.Timestamp."""

    nanosecond = 7


def test_nanoseconds_of_a_data_frame_are_kept() -> None:
    assert str(LastMod.from_date(Nanoseconds(2024, 5, 6, 7, 8, 9, 1, UTC))) == "2024-05-06T07:08:09.000001007Z"


@pytest.mark.parametrize(
    ("text", "implausible"),
    [
        ("0001-01-01T00:00:00Z", True),
        ("0001-01-01T00:00:00+14:00", True),
        ("9999-12-31T23:59:59Z", True),
        ("9999-12-31T23:59:59-14:00", True),
        ("9999", True),
        ("1969-12-31", True),
        ("1969-12-31T23:00:00-05:00", True),
        ("1970-01-01T00:00:00Z", True),
        ("1970-01-01", True),
        ("1970-01-01T01:00:00+01:00", True),
        ("1970-01-01T00:30:00+01:00", True),
        ("1970-01-01T00:00:01Z", False),
        ("1970-01-02", False),
        ("2024-05-06", False),
        ("2999-01-01", False),
        ("9998-12-31", False),
    ],
)
def test_is_implausible(text: str, implausible: bool) -> None:
    assert is_implausible(LastMod(text)) is implausible


@pytest.mark.parametrize(
    ("name", "hours"),
    [
        ("UTC", 0.0),
        ("Z", 0.0),
        ("+00:00", 0.0),
        ("-0000", 0.0),
        ("+02:00", 2.0),
        ("-0530", -5.5),
        ("+14:00", 14.0),
        ("Europe/Berlin", 2.0),
        ("America/New_York", -4.0),
    ],
)
def test_parse_zone(name: str, hours: float) -> None:
    assert parse_zone(name).utcoffset(datetime(2024, 7, 1)) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "Mars/Olympus",
        "Europe",
        "../../etc/passwd",
        "/etc/localtime",
        "a\0b",
        "\ud800",
        "+14:01",
        "+99:99",
    ],
)
def test_parse_zone_refuses(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_zone(name)
    assert caught.value.value == name


# Properties

dates_in_range = st.dates().map(date.isoformat)
offsets = st.one_of(
    st.just("Z"),
    st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 13), st.integers(0, 59)),
    st.sampled_from(["+14:00", "-14:00"]),
)
clocks = st.times().map(lambda t: f"{t:%H:%M:%S}")
fractions = st.text("0123456789", min_size=1, max_size=30)
strict_texts = st.one_of(
    dates_in_range.map(lambda d: d[:4]),
    dates_in_range.map(lambda d: d[:7]),
    dates_in_range,
    st.builds("{}T{}{}".format, dates_in_range, clocks.map(lambda c: c[:5]), offsets),
    st.builds("{}T{}{}".format, dates_in_range, clocks, offsets),
    st.builds("{}T{}.{}{}".format, dates_in_range, clocks, fractions, offsets),
)
PIECES = (
    *("0", "1", "2", "5", "9", "00", "01", "07", "12", "16", "19", "20", "24", "30", "59", "60"),
    *("1997", "2024", "9999", "0000", "-07-16", "T19:20:30", "2024-05-06", "+0530", "-", "/", ":", ".", ","),
    *("+", "T", "t", "Z", "z", "W", "GMT", "UTC", "AM", "PM", "[a]", "(b)", "\u2212", "１", " "),
)
near_texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(strict_texts)
def test_strict_text_is_printed_as_it_was(text: str) -> None:
    value = LastMod(text)
    completed = f"{text[:16]}:00{text[16:]}" if value.precision is Precision.MINUTE else text
    assert str(value) == completed.replace("-00:00", "Z")
    assert str(LastMod(str(value))) == str(value)
    assert read_w3c(f"\n {text} ") == (value, None)


@given(st.lists(strict_texts, min_size=3, max_size=3))
def test_order_is_total_and_consistent(texts: list[str]) -> None:
    values = [LastMod(text) for text in texts]
    for a, b in itertools.product(values, repeat=2):
        assert (a < b) + (a > b) + (a.instant == b.instant) == 1
        assert (a <= b) is not (a > b)
        assert (a >= b) is not (a < b)
        assert a != b or (a.instant == b.instant and hash(a) == hash(b))
    a, b, c = sorted(values)
    assert a <= b <= c
    assert a <= c


@given(strict_texts, strict_texts)
def test_order_agrees_with_datetime(one: str, other: str) -> None:
    a, b = LastMod(one), LastMod(other)
    first, second = a.to_datetime(), b.to_datetime()
    if first and second and first != second:
        assert (a < b) is (first < second)


def check_reading(text: str, reading: DateReading) -> None:
    """A reading is sound, and its year, month and day stand in the text."""
    value, problem = reading
    if value is None:
        assert problem
        return
    assert str(LastMod(str(value))) == str(value)
    if problem is not None and "next day" in problem:
        return
    for part in str(value)[:10].split("-"):
        assert part in text or (part[0] == "0" and part[1:] in text)


@given(st.one_of(near_texts, st.text(), strict_texts))
@example("1997-1６")
@example("1997-07-16T19:20:30\u0660Z")
@example("19970716T24Z")
def test_readings_invent_nothing(text: str) -> None:
    for zone in (None, UTC, BERLIN):
        check_reading(text, read_w3c(text, zone))


@given(st.one_of(near_texts, strict_texts))
def test_strict_value_is_what_needs_no_repair(text: str) -> None:
    strict: LastMod | None
    try:
        strict = LastMod(text)
    except ValueError:
        strict = None
    value, problem = read_w3c(text)
    assert strict == (value if problem is None and text == text.strip() else None)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 1_000_000,
        " " * 1_000_000,
        "\t" * 1_000_000 + "x",
        "2024-05-06" + " " * 1_000_000 + "x",
        "2024-05-06T07:08:09." + "1" * 1_000_000,
        "2024-05-06T07:08:09." + "1" * 1_000_000 + "x",
        "2024-05-06T07:08:09" + "[" * 1_000_000,
        "2024-05-06T07:08:09Z" + "[a]" * 300_000,
        "2024-" * 200_000,
        "0" * 500_000 + "-" * 500_000,
        "é" * 1_000_000,
    ],
    ids=len,
)
def test_long_texts_end_quickly(text: str) -> None:
    start = time.perf_counter()
    assert read_w3c(text, UTC).value is None
    assert len(read_w3c(text).problem or "") < 500
    assert time.perf_counter() - start < 40


def test_a_long_fraction_is_exact() -> None:
    digits = "1" * 1_000_000
    value = LastMod(f"2024-05-06T07:08:09.{digits}Z")
    assert value < LastMod(f"2024-05-06T07:08:09.{digits}1Z")
    assert value.to_datetime() == datetime(2024, 5, 6, 7, 8, 9, 111111, tzinfo=UTC)
