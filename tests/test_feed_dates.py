"""RFC 822, RFC 3339 and the dates of tables: what is in the grammar, repaired or unusable."""

from __future__ import annotations

import email.utils
import itertools
import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.formats.vocabulary.dates import DateReading, LastMod, Precision
from urlset.formats.vocabulary.feed_dates import read_any, read_rfc822, read_rfc3339

BERLIN = ZoneInfo("Europe/Berlin")

# id, text, printed value
VALID = [
    ("R1", "Mon, 27 Jun 2011 19:34:00 +0100", "2011-06-27T19:34:00+01:00"),
    ("R2", "Sat, 07 Sep 02 00:00:01 GMT", "2002-09-07T00:00:01Z"),
    ("R3", "Thu, 01 Jan 04 19:48:21 GMT", "2004-01-01T19:48:21Z"),
    ("R4", "07 Sep 2002 00:00 EST", "2002-09-07T00:00:00-05:00"),
    ("R5", "Wed, 02 Oct 2002 08:00:00 EDT", "2002-10-02T08:00:00-04:00"),
    ("R6-CST", "Wed, 02 Oct 2002 13:00:00 CST", "2002-10-02T13:00:00-06:00"),
    ("R6-CDT", "Wed, 02 Oct 2002 13:00:00 CDT", "2002-10-02T13:00:00-05:00"),
    ("R7-MST", "Wed, 02 Oct 2002 13:00:00 MST", "2002-10-02T13:00:00-07:00"),
    ("R7-MDT", "Wed, 02 Oct 2002 13:00:00 MDT", "2002-10-02T13:00:00-06:00"),
    ("R8-PST", "Wed, 02 Oct 2002 13:00:00 PST", "2002-10-02T13:00:00-08:00"),
    ("R8-PDT", "Wed, 02 Oct 2002 13:00:00 PDT", "2002-10-02T13:00:00-07:00"),
    ("R9-UT", "Wed, 02 Oct 2002 13:00:00 UT", "2002-10-02T13:00:00Z"),
    ("R9-GMT", "Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"),
    ("R9-Z", "Wed, 02 Oct 2002 13:00:00 Z", "2002-10-02T13:00:00Z"),
    ("R10", "Wed, 02 Oct 2002 13:00:00 UTC", "2002-10-02T13:00:00Z"),
    ("R15", "Wed, 02 Oct 2002 13:00:00 -0000", "2002-10-02T13:00:00Z"),
    ("R15-plus", "Wed, 02 Oct 2002 13:00:00 +0000", "2002-10-02T13:00:00Z"),
    ("R16", "Wed, 02 Oct 2002 13:00:00 +0530", "2002-10-02T13:00:00+05:30"),
    ("R21", "Wed, 02 Oct 2002 13:00 +0000", "2002-10-02T13:00:00Z"),
    ("R22", "2 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"),
    ("R24", "wed, 02 oct 2002 13:00:00 gmt", "2002-10-02T13:00:00Z"),
    ("R25", "Wed,02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"),
    ("R30", "Wed, 02 Oct 2002 13:00:00 +0000 (UTC)", "2002-10-02T13:00:00Z"),
    ("R30-nested", "Wed, 02 Oct (a (b\\)) c) 2002 13:00:00 +0000 (UTC)", "2002-10-02T13:00:00Z"),
    ("R31-tabs", "Wed,\t02\tOct\t2002\t13:00:00\tGMT", "2002-10-02T13:00:00Z"),
    ("R31-folded", "Wed, 02 Oct 2002\r\n 13:00:00 GMT", "2002-10-02T13:00:00Z"),
    ("R31-double", "Wed,  02  Oct  2002  13:00:00  GMT", "2002-10-02T13:00:00Z"),
    ("R31-ends", "\n  Wed, 02 Oct 2002 13:00:00 GMT\n", "2002-10-02T13:00:00Z"),
    ("R32", "02 Oct 49 13:00:00 GMT", "2049-10-02T13:00:00Z"),
    ("R33", "02 Oct 50 13:00:00 GMT", "1950-10-02T13:00:00Z"),
    ("R34", "02 Oct 69 13:00:00 GMT", "1969-10-02T13:00:00Z"),
    ("R35", "02 Oct 85 13:00:00 GMT", "1985-10-02T13:00:00Z"),
    ("R37", "Sat, 31 Dec 2016 23:59:60 GMT", "2016-12-31T23:59:59Z"),
    ("leap-day", "Thu, 29 Feb 2024 00:00:00 GMT", "2024-02-29T00:00:00Z"),
    ("14-hours", "Wed, 02 Oct 2002 13:00:00 +1400", "2002-10-02T13:00:00+14:00"),
]

# id, text, printed value, a word of the problem
REPAIRED = [
    ("R11", "Wed, 02 Oct 2002 13:00:00 A", "2002-10-02T13:00:00Z", "'A'"),
    ("R12-M", "Wed, 02 Oct 2002 13:00:00 M", "2002-10-02T13:00:00Z", "'M'"),
    ("R12-N", "Wed, 02 Oct 2002 13:00:00 N", "2002-10-02T13:00:00Z", "'N'"),
    ("R12-Y", "Wed, 02 Oct 2002 13:00:00 Y", "2002-10-02T13:00:00Z", "'Y'"),
    ("R13", "Wed, 02 Oct 2002 13:00:00 J", "2002-10-02T13:00:00Z", "'J'"),
    ("R14", "Wed, 02 Oct 2002 13:00:00 CET", "2002-10-02T13:00:00Z", "'CET'"),
    ("R17", "Wed, 02 Oct 2002 13:00:00 +01:00", "2002-10-02T13:00:00+01:00", "'+01:00'"),
    ("R18", "Wed, 02 Oct 2002 13:00:00 GMT+1", "2002-10-02T13:00:00+01:00", "'GMT+1'"),
    ("R23", "Tue, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z", "Wednesday, not 'Tue'"),
    ("R26", "Wednesday, 02 October 2002 13:00:00 GMT", "2002-10-02T13:00:00Z", "three letters"),
    ("R27", "Wed, 02-Oct-2002 13:00:00 GMT", "2002-10-02T13:00:00Z", "blanks"),
    ("R28", "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z", "blanks"),
    ("R29", "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z", "asctime"),
    ("R36", "02 Oct 102 13:00:00 GMT", "2002-10-02T13:00:00Z", "1900"),
    ("R38", "02 Oct 2002 24:00:00 GMT", "2002-10-03T00:00:00Z", "next day"),
    ("R40", "02 Oct 2002 13:00:00.5 GMT", "2002-10-02T13:00:00.5Z", "fraction"),
    ("R42", "2002-10-02T08:00:00-05:00", "2002-10-02T08:00:00-05:00", "W3C Datetime"),
    ("R42-date", "2002-10-02", "2002-10-02", "W3C Datetime"),
    ("R42-repaired", "2002-10-02 08:00:00 +0100", "2002-10-02T08:00:00+01:00", "+0100"),
    ("R43", "02 Oct 2002", "2002-10-02", "no time"),
    ("R43-weekday", "Wed, 02 Oct 2002", "2002-10-02", "no time"),
    ("one-digit-offset", "Wed, 11 Sep 2019 22:52:30+5:30", "2019-09-11T22:52:30+05:30", "'+5:30'"),
    ("glued-zone", "Wed, 02 Oct 2002 13:00:00GMT", "2002-10-02T13:00:00Z", "before the zone"),
    ("no-comma", "Wed 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z", "comma"),
    ("dotted", "Wed., 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z", "comma"),
    ("Sept", "Sat, 07 Sept 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "three letters"),
    ("one-digit-hour", "02 Oct 2002 1:00:00 GMT", "2002-10-02T01:00:00Z", "two digits"),
    ("foreign-weekday", "Mi, 02 Oct 2002 13:00:00 +0200", "2002-10-02T13:00:00+02:00", "not 'Mi'"),
    ("zone-and-name", "02 Oct 2002 13:00:00 +0200 CEST", "2002-10-02T13:00:00+02:00", "CEST"),
    ("24-last-of-month", "Thu, 31 Oct 2002 24:00:00 +0100", "2002-11-01T00:00:00+01:00", "next day"),
]

# id, text, a word of the problem
UNUSABLE = [
    ("R19", "Wed, 02 Oct 2002 13:00:00 +9999", "no offset"),
    ("R20", "Wed, 02 Oct 2002 13:00:00", "--assume-zone"),
    ("R39", "Thu, 31 Jun 2004 19:48:21 GMT", "2004-06-31"),
    ("R41", "02 Oct 2002 1:00:00 PM GMT", "24-hour clock"),
    ("R41-no-zone", "02 Oct 2002 1:00:00 PM", "24-hour clock"),
    ("R41-am", "02 Oct 2002 01:00 am", "24-hour clock"),
    ("R44", "Mi, 02 Okt 2002 13:00:00 +0200", "'Okt'"),
    ("R45-32", "32 Oct 2002 13:00:00 GMT", "2002-10-32"),
    ("R45-00", "00 Oct 2002 13:00:00 GMT", "2002-10-00"),
    ("R46", "02 10 2002 13:00:00 GMT", "expected"),
    ("R47", "", "empty"),
    ("R47-blank", " \n", "empty"),
    ("no-leap-day", "29 Feb 2023 13:00:00 GMT", "2023-02-29"),
    ("year-0000", "02 Oct 0000 13:00:00 GMT", "year 0000"),
    ("year-12002", "02 Oct 12002 13:00:00 GMT", "expected"),
    ("hour-25", "02 Oct 2002 25:00:00 GMT", "25:00:00"),
    ("second-61", "02 Oct 2002 13:00:61 GMT", "13:00:61"),
    ("after-24", "02 Oct 2002 24:00:01 GMT", "24:00:01"),
    ("15-hours", "02 Oct 2002 13:00:00 +1500", "no offset"),
    ("zone-minutes", "02 Oct 2002 13:00:00 +0160", "no offset"),
    ("two-letter-zone", "02 Oct 2002 13:00:00 ET", "no zone"),
    ("IANA-zone", "02 Oct 2002 13:00:00 Europe/Berlin", "no zone"),
    ("month-first", "Oct 02, 2002 13:00:00 GMT", "expected"),
    ("numbers", "07/16/1997", "any order"),
    ("W3C-no-zone", "2002-10-02T08:00:00", "--assume-zone"),
    ("W3C-no-day", "2002-02-30", "2002-02-30"),
    ("no-next-day", "31 Dec 9999 24:00:00 GMT", "9999-12-31"),
    ("open-comment", "02 Oct 2002 13:00:00 GMT (", "no zone"),
    ("word", "yesterday", "expected"),
    ("digits", "02 Oct ２００２ 13:00:00 GMT", "ASCII"),
]


def by_id(rows: Sequence[tuple[str, ...]]) -> list[object]:
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


@pytest.mark.parametrize(("text", "printed"), by_id(VALID))
def test_rfc822_grammar(text: str, printed: str) -> None:
    value, problem = read_rfc822(text)
    assert (str(value), problem) == (printed, None)


@pytest.mark.parametrize(("text", "printed", "word"), by_id(REPAIRED))
def test_rfc822_repair(text: str, printed: str, word: str) -> None:
    value, problem = read_rfc822(text)
    assert str(value) == printed
    assert problem is not None
    assert word in problem
    assert problem.endswith(f"read as {printed}")


@pytest.mark.parametrize(("text", "word"), by_id(UNUSABLE))
def test_rfc822_unusable(text: str, word: str) -> None:
    value, problem = read_rfc822(text)
    assert value is None
    assert problem is not None
    assert word in problem


@pytest.mark.parametrize(
    ("text", "zone", "printed"),
    [
        pytest.param("Wed, 02 Oct 2002 13:00:00", UTC, "2002-10-02T13:00:00Z", id="R20"),
        pytest.param("Wed, 02 Oct 2002 13:00:00", BERLIN, "2002-10-02T13:00:00+02:00", id="summer"),
        pytest.param("Wed, 02 Jan 2002 13:00", BERLIN, "2002-01-02T13:00:00+01:00", id="winter"),
        pytest.param("2002-10-02 08:00:00", UTC, "2002-10-02T08:00:00Z", id="W3C"),
    ],
)
def test_rfc822_assumed_zone(text: str, zone: tzinfo, printed: str) -> None:
    value, problem = read_rfc822(text, zone)
    assert str(value) == printed
    assert "assumed" in (problem or "")


def test_rfc822_given_zone_wins() -> None:
    assert str(read_rfc822("Wed, 02 Oct 2002 13:00:00 GMT", BERLIN).value) == "2002-10-02T13:00:00Z"
    assert str(read_rfc822("Sun Nov  6 08:49:37 1994", BERLIN).value) == "1994-11-06T08:49:37Z"


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("02 Oct 2002", Precision.DAY),
        ("02 Oct 2002 13:00 GMT", Precision.MINUTE),
        ("02 Oct 2002 13:00:00 GMT", Precision.SECOND),
        ("02 Oct 2002 13:00:00.5 GMT", Precision.FRACTION),
    ],
)
def test_rfc822_precision(text: str, precision: Precision) -> None:
    value = read_rfc822(text).value
    assert value is not None
    assert value.precision is precision


# id, text, printed value
RFC3339_VALID = [
    ("Z", "2003-12-13T18:30:02Z", "2003-12-13T18:30:02Z"),
    ("fraction", "2003-12-13T18:30:02.25Z", "2003-12-13T18:30:02.25Z"),
    ("offset", "2003-12-13T18:30:02+01:00", "2003-12-13T18:30:02+01:00"),
    ("fraction-offset", "2003-12-13T18:30:02.25+01:00", "2003-12-13T18:30:02.25+01:00"),
    ("unknown-place", "2003-12-13T18:30:02-00:00", "2003-12-13T18:30:02Z"),
    ("blanks", "\n 2003-12-13T18:30:02Z ", "2003-12-13T18:30:02Z"),
]

# id, text, printed value or nothing, a word of the problem
RFC3339_FAULTS = [
    ("lower-case", "2024-05-06t07:08:09z", "2024-05-06T07:08:09Z", "capital T"),
    ("blank", "2024-05-06 07:08:09Z", "2024-05-06T07:08:09Z", "capital T"),
    ("no-seconds", "2016-05-03T18:04Z", "2016-05-03T18:04:00Z", "no seconds"),
    ("hour", "2016-05-03T18Z", "2016-05-03T18:00:00Z", "no seconds"),
    ("date", "2011-07-16", "2011-07-16", "no time"),
    ("month", "2011-07", "2011-07", "no time"),
    ("year", "2011", "2011", "no time"),
    ("leap-second", "2024-06-30T23:59:60Z", "2024-06-30T23:59:59Z", "60"),
    ("RFC-822", "Tue, 07 May 2024 00:00:00 GMT", "2024-05-07T00:00:00Z", "RFC 822"),
    ("RFC-822-wrong-weekday", "Mon, 07 May 2024 00:00:00 GMT", "2024-05-07T00:00:00Z", "Tuesday"),
    ("no-zone", "2016-05-03T18:04", None, "--assume-zone"),
    ("F28", "2004-04-20T00:23:47", None, "--assume-zone"),
    ("no-day", "2024-06-31T00:00:00Z", None, "2024-06-31"),
    ("RFC-822-no-day", "31 Jun 2024 00:00:00 GMT", None, "2024-06-31"),
    ("empty", "", None, "empty"),
    ("number", "1105056854", None, "bare number"),
]


@pytest.mark.parametrize(("text", "printed"), by_id(RFC3339_VALID))
def test_rfc3339_grammar(text: str, printed: str) -> None:
    value, problem = read_rfc3339(text)
    assert (str(value), problem) == (printed, None)


@pytest.mark.parametrize(("text", "printed", "word"), [pytest.param(*row[1:], id=row[0]) for row in RFC3339_FAULTS])
def test_rfc3339_faults(text: str, printed: str | None, word: str) -> None:
    value, problem = read_rfc3339(text)
    assert value == (None if printed is None else LastMod(printed))
    assert problem is not None
    assert word in problem


def test_rfc3339_assumed_zone() -> None:
    value, problem = read_rfc3339("2004-04-20T00:23:47", UTC)
    assert str(value) == "2004-04-20T00:23:47Z"
    assert "UTC assumed" in (problem or "")
    assert str(read_rfc3339("20 Apr 2004 00:23:47", BERLIN).value) == "2004-04-20T00:23:47+02:00"


# id, text, printed value
ANY_VALID = [
    ("date", "2024-05-06", "2024-05-06"),
    ("month", "2024-05", "2024-05"),
    ("year", "2024", "2024"),
    ("minute", "2024-05-06T07:08+02:00", "2024-05-06T07:08:00+02:00"),
    ("second", "2024-05-06T07:08:09+02:00", "2024-05-06T07:08:09+02:00"),
    ("fraction", "2024-05-06T07:08:09.123456Z", "2024-05-06T07:08:09.123456Z"),
    ("HTTP-date", "Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z"),
    ("RFC-822", "6 May 24 07:08 +0200", "2024-05-06T07:08:00+02:00"),
    ("blanks", "\u00a02024-05-06\r", "2024-05-06"),
    ("blanks-HTTP-date", " Mon, 06 May 2024 07:08:09 GMT ", "2024-05-06T07:08:09Z"),
]

# id, text, printed value or nothing, a word of the problem
ANY_FAULTS = [
    ("slashes", "2024/05/06", "2024-05-06", "slashes"),
    ("slashes-unpadded", "2024/5/6", "2024-05-06", "slashes"),
    ("slashes-zone", "2024/05/06 07:08:09Z", "2024-05-06T07:08:09Z", "slashes"),
    ("slashes-no-zone", "2024/05/06 07:08:09", None, "--assume-zone"),
    ("slashes-no-day", "2024/02/30", None, "2024-02-30"),
    ("slashes-three", "2024/05/067", None, "expected"),
    ("no-zone", "2024-05-06 07:08:09", None, "--assume-zone"),
    ("no-colon", "2024-05-06 07:08:09+0200", "2024-05-06T07:08:09+02:00", "+0200"),
    ("hour-24", "2024-05-06T24:00:00Z", "2024-05-07T00:00:00Z", "next day"),
    ("no-day", "2024-06-31", None, "2024-06-31"),
    ("day-first", "06/05/2024", None, "any order"),
    ("day-first-certain", "16/05/2024", None, "any order"),
    ("month-first", "5/16/2024", None, "any order"),
    ("dots", "06.05.2024", None, "any order"),
    ("short", "06-05-24", None, "any order"),
    ("month-name", "06-May-2024", "2024-05-06", "no time"),
    ("wrong-weekday", "Sun, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z", "Monday"),
    ("prose", "May 6, 2024", None, "no known form"),
    ("word", "yesterday", None, "no known form of a date fits; expected"),
    ("no-such-day", "Mon, 32 May 2024", None, "there is no day 2024-05-32"),
    ("Excel-serial", "45418", None, "bare number"),
    ("Excel-serial-time", "45418.297", None, "expected"),
    ("NaT", "NaT", None, "expected"),
    ("empty", "", None, "empty"),
    ("blank", "  ", None, "empty"),
]


@pytest.mark.parametrize(("text", "printed"), by_id(ANY_VALID))
def test_any_in_a_grammar(text: str, printed: str) -> None:
    value, problem = read_any(text)
    assert (str(value), problem) == (printed, None)


@pytest.mark.parametrize(("text", "printed", "word"), [pytest.param(*row[1:], id=row[0]) for row in ANY_FAULTS])
def test_any_faults(text: str, printed: str | None, word: str) -> None:
    value, problem = read_any(text)
    assert value == (None if printed is None else LastMod(printed))
    assert problem is not None
    assert word in problem


def test_any_assumed_zone() -> None:
    assert str(read_any("2024-05-06 07:08:09", UTC).value) == "2024-05-06T07:08:09Z"
    assert str(read_any("2024/5/6 7:08", BERLIN).value) == "2024-05-06T07:08:00+02:00"
    assert str(read_any("06 May 2024 07:08", BERLIN).value) == "2024-05-06T07:08:00+02:00"


def test_time_zone_of_the_machine_is_of_no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        "02 Oct 2002 13:00:00",
        "Wed, 02 Oct 2002 13:00:00 CET",
        "2002-10-02 13:00",
        "02 Oct 2002 24:00 EST",
    ]
    seen = []
    for name in ("UTC", "America/New_York", "Asia/Kolkata"):
        monkeypatch.setenv("TZ", name)
        time.tzset()
        seen.append([read(text, zone) for read in READERS for text in texts for zone in (None, UTC, BERLIN)])
    monkeypatch.undo()
    time.tzset()
    assert seen[0] == seen[1] == seen[2]


# Properties

READERS: tuple[Callable[[str, tzinfo | None], DateReading], ...] = (read_rfc822, read_rfc3339, read_any)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
PIECES = (
    *("0", "1", "2", "5", "9", "00", "01", "07", "12", "16", "24", "30", "31", "60", "02", "85", "102"),
    *("2002", "2024", "9999", "0000", " Oct ", "-Feb-", " september ", "Okt", "Wed, ", "Sun", "Mi, ", ", "),
    *(
        " 13:00:00",
        " 24:00",
        ":",
        ".5",
        "-",
        "/",
        " GMT",
        " EST",
        " CET",
        " A",
        "J",
        " +0100",
        "+5:30",
        " PM",
    ),
    *("(", ")", "(UTC)", "\\", "T", "Z", "2002-10-02", "１", " ", "\t", "\r\n "),
)
near_texts = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
moments = st.datetimes(
    min_value=datetime(1900, 1, 1),
    max_value=datetime(9999, 12, 30),
    timezones=st.integers(-840, 840).map(lambda n: timezone(timedelta(minutes=n))),
)


@given(moments)
def test_what_the_standard_library_writes_is_in_the_grammar(moment: datetime) -> None:
    for read in (read_rfc822, read_any):
        value, problem = read(email.utils.format_datetime(moment))
        assert problem is None
        assert value is not None
        assert value.to_datetime() == moment.replace(microsecond=0)
        assert value.offset == (moment.utcoffset() or timedelta()) // timedelta(minutes=1)


@given(moments)
def test_a_blank_more_takes_the_slower_way_to_the_same_value(moment: datetime) -> None:
    text = email.utils.format_datetime(moment)
    assert read_rfc822(text) == read_rfc822(text.replace(" ", "  "))


def named_in(value: LastMod, text: str) -> bool:
    """Whether the text has the year's last two digits, the month as a number or a name, and the day."""
    year, *rest = str(value)[:10].split("-")
    month, day = (*rest, None, None)[:2]
    numbers = {int(digits) for digits in re.findall("[0-9]{1,2}", text)} | {
        int(pair) for pair in map("".join, itertools.pairwise(text)) if re.fullmatch("[0-9]{2}", pair)
    }
    months = numbers | {n for n, name in enumerate(MONTHS, 1) if name.lower() in text.lower()}
    return (
        (int(year[2:]) in numbers) and (month is None or int(month) in months) and (day is None or int(day) in numbers)
    )


@given(st.one_of(near_texts, st.text()))
@example("Sun Oct 02 13:00:00 0002")
@example("Wed, 02 Oct 2002 13:00:00 \u0660")
@example("1 ſep 2002")
@example("((((((((")
def test_readings_invent_nothing(text: str) -> None:
    for read, zone in itertools.product(READERS, (None, UTC, BERLIN)):
        value, problem = read(text, zone)
        if value is None:
            assert problem
            continue
        assert str(LastMod(str(value))) == str(value)
        assert "next day" in (problem or "") or named_in(value, text)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 1_000_000,
        " " * 1_000_000,
        "\t" * 1_000_000 + "x",
        "Wed, " * 200_000,
        "Wed, 02 Oct 2002" + " " * 1_000_000 + "x",
        "Wed, 02 Oct 2002 13:00:00." + "1" * 1_000_000,
        "(" * 1_000_000,
        "(" * 500_000 + ")" * 500_000,
        "\\(" * 500_000,
        "2024/05/06" + " " * 1_000_000 + "x",
        "a" * 1_000_000,
        "02" + " -" * 500_000 + "Oct",
    ],
    ids=len,
)
def test_long_texts_end_quickly(text: str) -> None:
    start = time.perf_counter()
    for read in READERS:
        value, problem = read(text, UTC)
        assert value is None
        assert len(problem or "") < 500
    assert time.perf_counter() - start < 40


def test_a_date_folded_over_many_blanks_is_read() -> None:
    text = "Wed, 02 Oct 2002" + "\r\n " * 100_000 + "13:00:00 GMT"
    assert read_rfc822(text) == (LastMod("2002-10-02T13:00:00Z"), None)
