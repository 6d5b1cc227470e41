"""The dates of feeds and tables: RFC 822 and its heirs, RFC 3339, and either of them in a table.

RSS dates are RFC 822 with a year of two or four digits; RFC 2822 3.3 and 4.3 say what its forms mean, the
obsolete ones included. Atom demands RFC 3339 with capital T and Z (RFC 4287 3.3). A day that a month lacks
never becomes another day, and the name of a zone without a fixed meaning counts as UTC (-0000, RFC 2822 4.3),
which is noted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, tzinfo
from functools import lru_cache

from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.vocabulary.date_parts import (
    MAX_REPAIRED,
    DateError,
    Fields,
    days_in_month,
    explain,
    read_zone,
    trim,
)
from urlset.formats.vocabulary.dates import EMPTY, DateReading, LastMod, Precision, compose, read_w3c

_RFC822 = "an RFC 822 date"
_FORM = "expected DD Mon YYYY hh:mm:ss and a zone"
_NO_FORM = "no known form of a date fits; expected 2024-05-06, 2024-05-06T07:08:09Z or 6 May 2024 07:08:09 GMT"
_RFC3339 = "an RFC 3339 date-time"
_MAX_CACHED = 40  # characters

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_LONG_MONTHS = {name: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_SHORT_MONTHS = {name[:3]: number for name, number in _LONG_MONTHS.items()}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY_NUMBERS = {name[:3].lower(): number for number, name in enumerate(_WEEKDAYS)}

# RFC 2822 4.3. UTC is not among its names, but common and of one meaning.
_ZONES = {
    **dict.fromkeys(("ut", "gmt", "utc", "z"), "Z"),
    "edt": "-04:00",
    "est": "-05:00",
    "cdt": "-05:00",
    "cst": "-06:00",
    "mdt": "-06:00",
    "mst": "-07:00",
    "pdt": "-07:00",
    "pst": "-08:00",
}


def read_rfc822(text: str, zone: tzinfo | None = None) -> DateReading:
    """Read the date of an RSS feed, or of an HTTP header, repairing what has one possible meaning.

    ``zone`` is what ``--assume-zone`` names; without it a time that has no zone is unusable.
    """
    if len(text) <= _MAX_CACHED:
        reading = _read_canonical(text)
        if reading is not None:
            return reading
    text = trim(text)
    if not text:
        return EMPTY
    if _YEAR_FIRST.match(text):
        return _foreign(read_w3c(text, zone), _RFC822, "it has the form of W3C Datetime")
    faults: list[str] = []
    try:
        return compose(_parse(text, faults), faults, zone, _RFC822)
    except DateError as error:
        return DateReading(None, f"not {_RFC822}: {error}")


def read_rfc3339(text: str, zone: tzinfo | None = None) -> DateReading:
    """Read the date of an Atom feed, repairing what has one possible meaning; ``zone`` as in ``read_rfc822``.

    W3C Datetime without a time or seconds keeps its precision and is noted as a problem.
    """
    reading = read_w3c(text, zone)
    value = reading.value
    if value is None and _RFC822_START.match(trim(text)):
        return _foreign(read_rfc822(text, zone), _RFC3339, "it has the form of RFC 822")
    if value is None or value.precision >= Precision.SECOND:
        return reading
    missing = "no seconds" if value.precision is Precision.MINUTE else "no time"
    return _foreign(reading, _RFC3339, f"it has {missing}")


def read_any(text: str, zone: tzinfo | None = None) -> DateReading:
    """Read a date of a table or of JSON: W3C Datetime or an RFC 822 date, either of them without a problem.

    Of the other forms only year/month/day is repaired, since in no other the order is certain.
    """
    trimmed = trim(text)
    if _RFC822_START.match(trimmed):
        reading = read_rfc822(trimmed, zone)
        # A word may be meant for anything.
        return DateReading(None, _NO_FORM) if reading.problem == f"not {_RFC822}: {_FORM}" else reading
    slashes = _SLASHES.match(trimmed)
    if slashes is None:
        return read_w3c(text, zone)
    year, month, day = slashes.groups()
    hyphens = f"{year}-{month:0>2}-{day:0>2}{trimmed[slashes.end() :]}"
    return _foreign(read_w3c(hyphens, zone), "W3C Datetime", "it has slashes for hyphens")


_YEAR_FIRST = re.compile(r"[0-9]{4}")
_RFC822_START = re.compile(r"(?:[0-9]{1,2}[ \t-]{1,8})?[A-Za-z]")
_SLASHES = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})(?![0-9])")


def _foreign(reading: DateReading, grammar: str, fault: str) -> DateReading:
    """The reading with one more problem, that of not being in the grammar which was expected."""
    if reading.value is None:
        return reading
    return DateReading(reading.value, f"not {grammar}: {fault}; {reading.problem or f'read as {reading.value}'}")


_CANONICAL_DAY = re.compile(
    r"(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?([0-9]{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
    r"((?!0000)[0-9]{4}) "
)
_CANONICAL_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_CANONICAL_OFFSET = re.compile(r" (?:GMT|UT|Z|[+-]0000|([+-](?:0[0-9]|1[0-3]))([0-5][0-9]))")


def _read_canonical(text: str) -> DateReading | None:
    time = text.find(":") - 2
    day, offset = _day(text[:time]), _offset(text[time + 8 :])
    if not day or not offset or not _CANONICAL_TIME.fullmatch(text, time, time + 8):
        return None
    return DateReading(LastMod._make(f"{day}{text[time : time + 8]}{offset}", Precision.SECOND), None)


def plain_rfc822(texts: Sequence[str | None]) -> list[LastMod | None] | None:
    """The dates of many texts, None being none; None if there is something to say of any of them."""
    dates = [text for text in texts if text is not None]
    if max(map(len, dates), default=0) > _MAX_CACHED:
        return None
    times = [text.find(":") - 2 for text in dates]
    days = [*map(_day, [text[:time] for text, time in zip(dates, times, strict=True)])]
    offsets = [*map(_offset, [text[time + 8 :] for text, time in zip(dates, times, strict=True)])]
    if "" in days or "" in offsets:
        return None
    parts = zip(days, dates, times, offsets, strict=True)
    made = plain_dates([f"{day}{text[time : time + 8]}{offset}" for day, text, time, offset in parts])
    if made is None:
        return None
    values = iter(made.values())
    return [None if text is None else next(values) for text in texts]


@lru_cache(maxsize=4096)
def _day(text: str) -> str:
    """A day as ``Thu, 09 Mar 2017 `` has it, and the T of W3C Datetime; empty if it is none."""
    match = _CANONICAL_DAY.fullmatch(text)
    if match is None:
        return ""
    weekday, day, month_name, year = match.groups()
    month = _SHORT_MONTHS[month_name.lower()]
    if not 1 <= int(day) <= days_in_month(int(year), month):
        return ""
    if weekday and date(int(year), month, int(day)).weekday() != _WEEKDAY_NUMBERS[weekday.lower()]:
        return ""
    return f"{year}-{month:02}-{day:0>2}T"


@lru_cache(maxsize=256)
def _offset(text: str) -> str:
    """A zone as W3C Datetime has it; empty if it has to be looked at closely."""
    match = _CANONICAL_OFFSET.fullmatch(text)
    if match is None:
        return ""
    hours, minutes = match.groups()
    return f"{hours}:{minutes}" if hours else "Z"


_COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
_DATE = re.compile(
    r"(?:([a-z]{2,12})(\.?, ?|\.? ))?"
    r"([0-9]{1,2})( |-)([a-z]{3,9})( |-)([0-9]{2,4})"
    r"(?: ([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?(?![0-9:.])(.*))?",
    re.ASCII | re.IGNORECASE,
)
# The third form of an HTTP-date (RFC 9110 5.6.7), which is in UTC.
_ASCTIME = re.compile(
    r"([a-z]{3}) ([a-z]{3}) ([0-9]{1,2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) ([0-9]{4})", re.ASCII | re.IGNORECASE
)


def _parse(text: str, faults: list[str]) -> Fields:
    plain = _plain(text)
    asctime = _ASCTIME.fullmatch(plain)
    if asctime:
        faults.append("it has the form of asctime, whose zone is UTC")
        plain = "{0}, {2} {1} {4} {3} GMT".format(*asctime.groups())
    match = _DATE.fullmatch(plain)
    if match is None:
        raise DateError(explain(plain, _FORM))
    weekday, _, day, _, month, _, year, hour, minute, second, fraction, zone = match.groups()
    fields = Fields(_year(year, faults), _month(month, faults), int(day))
    _note_punctuation(match, faults)
    _note_weekday(weekday, fields, faults)
    if hour is None:
        return fields
    return fields._replace(
        hour=int(hour),
        minute=int(minute),
        second=_second(second),
        fraction=fraction or "",
        zone=_zone(zone, faults),
    )


def _plain(text: str) -> str:
    """The text without comments, folds and repeated blanks (RFC 2822 2.2.3 and 3.2.3)."""
    plain = re.sub(r"[ \t\r\n]+", " ", text)
    if len(plain) > MAX_REPAIRED:
        raise DateError(f"longer than {MAX_REPAIRED} characters")
    while (shorter := _COMMENT.sub(" ", plain)) != plain:  # a comment may hold comments
        plain = shorter
    return re.sub(" +", " ", plain).strip(" ")


def _year(digits: str, faults: list[str]) -> int:
    """RFC 2822 4.3: two digits from 50 on, and three, count from 1900."""
    year = int(digits)
    if len(digits) == 4:
        return year
    if len(digits) == 3:
        faults.append("a year has two or four digits, one of three counts from 1900")
    return year + (2000 if len(digits) == 2 and year < 50 else 1900)


def _month(name: str, faults: list[str]) -> int:
    month = _SHORT_MONTHS.get(name.lower())
    if month is not None:
        return month
    if name.lower() not in _LONG_MONTHS:
        raise DateError(f"{name!r} is no English month")
    faults.append("a month's name has three letters")
    return _LONG_MONTHS[name.lower()]


def _note_punctuation(match: re.Match[str], faults: list[str]) -> None:
    weekday, comma, _, before_month, _, after_month, _, hour, _, _, fraction, _ = match.groups()
    if weekday and comma.strip(" ") != ",":
        faults.append("a comma follows the weekday")
    if "-" in (before_month, after_month):
        faults.append("blanks go between day, month and year")
    if hour is None:
        faults.append("it has no time")
    elif len(hour) == 1:
        faults.append("an hour has two digits")
    if fraction:
        faults.append("seconds have no fraction")


def _note_weekday(name: str | None, fields: Fields, faults: list[str]) -> None:
    year, month, day = fields.year, fields.month or 0, fields.day or 0
    if name is None or year == 0 or not 1 <= day <= days_in_month(year, month):
        return
    right = _WEEKDAYS[date(year, month, day).weekday()]
    if len(name) < 3 or not right.lower().startswith(name.lower()):
        faults.append(f"the day is a {right}, not {name!r}")
    elif len(name) > 3:
        faults.append("a weekday's name has three letters")


def _second(digits: str | None) -> int | None:
    """A leap second is in the grammar, but not in W3C Datetime."""
    if digits is None:
        return None
    return 59 if digits == "60" else int(digits)


def _zone(text: str, faults: list[str]) -> str | None:
    name = text.strip(" ")
    if not name:
        return None
    if text[0] != " ":
        faults.append("a blank goes before the zone")
    known = _ZONES.get(name.lower())
    if known:
        return known
    if _NAME.fullmatch(name):
        faults.append(f"zone {name!r} has no fixed meaning and counts as UTC")
        return "Z"
    offset = read_zone(name)
    if not _BASIC_OFFSET.fullmatch(name):
        faults.append(f"a zone is +hhmm or GMT, not {name!r}")
    return "Z" if offset == "+00:00" else offset


# Letters of the military, which RFC 822 gave the wrong signs, and names that RFC 2822 has not.
_NAME = re.compile(r"[A-Za-z]|[A-Za-z]{3,5}")
_BASIC_OFFSET = re.compile(r"[+-][0-9]{4}")
