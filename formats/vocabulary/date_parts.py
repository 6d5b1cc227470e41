"""The parts of a date's text: what it says, whether there is such a moment, and how it is printed.

What ``dates`` and ``feed_dates`` share. A reader turns a text into Fields, ``printed`` checks them and writes
W3C Datetime. Both add to a list of faults what had to be repaired, and raise DateError for what can't be.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

MAX_REPAIRED = 256
"""Characters; no longer text is looked at for a repair."""

_MAX_OFFSET = 14 * 60  # minutes; the limit of XML Schema

# Trimmed without a word: white space, zero-width characters, direction marks, byte order marks.
_SPACES = "".join(chr(n) for n in range(0x3001) if chr(n).isspace())
_EDGES = _SPACES + "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


class DateError(ValueError):
    """Why a text is no date; the message becomes the problem of a reading."""


class Fields(NamedTuple):
    """What a text says before it is checked: numbers, the fraction's digits, the zone as ``Z`` or ``+hh:mm``.

    None is what the text leaves out; without an hour there is no time.
    """

    year: int
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    fraction: str = ""
    zone: str | None = None


def trim(text: str) -> str:
    """The text without white space, zero-width characters and byte order marks at its ends."""
    return text.strip(_EDGES)


def days_in_month(year: int, month: int) -> int:
    """The last day of a month in the Gregorian calendar."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def printed(fields: Fields, faults: list[str], assumed: tzinfo | None) -> str:
    """The fields as W3C Datetime; ``assumed`` is the zone of a time without one. Raises DateError."""
    day = _checked_day(fields)
    if fields.hour is None:
        return day
    local = _checked_time(fields, faults)
    fraction = f".{fields.fraction}" if fields.fraction else ""
    return f"{local.isoformat()}{fraction}{fields.zone or _assumed_offset(local, assumed, faults)}"


def _checked_day(fields: Fields) -> str:
    year, month, day = fields[:3]
    if year == 0:
        raise DateError("there is no year 0000")
    if month is None:
        return f"{year:04}"
    if not 1 <= month <= 12:
        raise DateError(f"there is no month {month:02}")
    if day is None:
        return f"{year:04}-{month:02}"
    if not 1 <= day <= days_in_month(year, month):
        raise DateError(f"there is no day {year:04}-{month:02}-{day:02}")
    return f"{year:04}-{month:02}-{day:02}"


def _checked_time(fields: Fields, faults: list[str]) -> datetime:
    hour, minute, second = fields.hour or 0, fields.minute or 0, fields.second or 0
    after = minute or second or fields.fraction.strip("0")
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and after):
        raise DateError(f"there is no time {hour:02}:{minute:02}:{second:02}")
    if second == 60:
        faults.append("second 60 counts as 59")
    local = datetime(fields.year, fields.month or 1, fields.day or 1, hour % 24, minute, min(second, 59))
    return _next_day(local, faults) if hour == 24 else local


def _next_day(midnight: datetime, faults: list[str]) -> datetime:
    if midnight.date() == date.max:
        raise DateError("no day follows 9999-12-31")
    faults.append("24:00 is 00:00 of the next day")
    return midnight + timedelta(days=1)


def _assumed_offset(local: datetime, zone: tzinfo | None, faults: list[str]) -> str:
    offset = None if zone is None else local.replace(tzinfo=zone).utcoffset()
    if offset is None:
        raise DateError("a time without a zone has no single meaning; --assume-zone ZONE gives it one")
    faults.append(f"no zone, {zone} assumed")
    return print_offset(offset)


def print_offset(offset: timedelta) -> str:
    """``Z`` or ``+hh:mm``. Raises DateError unless the offset is whole minutes and at most 14 hours."""
    minutes, rest = divmod(offset, timedelta(minutes=1))
    if rest or abs(minutes) > _MAX_OFFSET:
        raise DateError(f"the offset {offset} can't be written as +hh:mm")
    if minutes == 0:
        return "Z"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def offset_minutes(text: str) -> int:
    """Minutes east of UTC at the end of a text in W3C Datetime."""
    if text[-1] == "Z":
        return 0
    minutes = int(text[-5:-3]) * 60 + int(text[-2:])
    return -minutes if text[-6] == "-" else minutes


# A name behind an offset is a comment (Go prints "+0200 CEST"); with two letters AM and PM would pass.
_ZONE = re.compile(
    r"(?:(?:UTC|GMT)?([+-])(?:([0-9]{1,2})(?::([0-9]{2}))?|([0-9]{2})([0-9]{2}))(?:\ [A-Z]{3,5})?"
    r"|Z|UTC|GMT|UT)"
    r"(?:\s?(?:\[[^\[\]]*\]|\([^()]*\))){0,4}",
    re.ASCII | re.IGNORECASE,
)

_HALF_DAY = re.compile(r"[AaPp]\.?[Mm]\b")


def read_zone(text: str) -> str:
    """``Z`` or ``+hh:mm`` for an offset in one of its usual spellings. Raises DateError."""
    match = _ZONE.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if match is None:
        half_day = "; expected a time of the 24-hour clock" if _HALF_DAY.match(text) else ""
        raise DateError(f"{text[:40]!r} is no zone{half_day}")
    sign, hours, minutes, basic_hours, basic_minutes = match.groups()
    if sign is None:
        return "Z"
    hour, minute = int(hours or basic_hours), int(minutes or basic_minutes or 0)
    if minute > 59 or hour * 60 + minute > _MAX_OFFSET:
        raise DateError(f"there is no offset {text[:40]}")
    # UTC at an unknown place (RFC 3339 4.3), for which W3C Datetime has Z alone.
    return "Z" if sign == "-" and hour == minute == 0 else f"{sign}{hour:02}:{minute:02}"


_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?|([0-9]{2})([0-9]{2}))?(?![0-9])")
_DATE_ZONE = re.compile(r"[Zz]|[+-][0-9]{2}:[0-9]{2}")
_TIME = re.compile(
    r"(T|t|\s+)"
    r"(?:([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?"
    r"|([0-9]{2})([0-9]{2})([0-9]{2})?"
    r"|([0-9]{2})(?=[Zz]|[+-][0-9]{2}:))"
    r"(?:([.,])([0-9]*))?(?![0-9])",
    re.ASCII,
)


def parse_w3c(text: str, faults: list[str]) -> Fields:
    """The fields of a text that is W3C Datetime but for repairable faults. Raises DateError."""
    match = _DATE.match(text)
    if len(text) > MAX_REPAIRED or match is None:
        raise DateError(explain(text, "expected YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm"))
    year, month, day, basic_month, basic_day = match.groups()
    if basic_month:
        faults.append("a date needs its hyphens")
    if 1 in (len(month or "00"), len(day or "00")):
        faults.append("a month and a day have two digits")
    fields = Fields(int(year), _number(month or basic_month), _number(day or basic_day))
    rest = text[match.end() :]
    return _parse_time(fields, rest, text, faults) if rest else fields


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _parse_time(day: Fields, rest: str, text: str, faults: list[str]) -> Fields:
    if day.day and _DATE_ZONE.fullmatch(rest):
        read_zone(rest)
        faults.append("a date without a time has no zone")
        return day
    match = _TIME.match(rest)
    if match is None or day.day is None:
        raise DateError(explain(text, f"expected Thh:mm:ss+hh:mm after the day, found {rest[:40]!r}"))
    _note_time_faults(match, faults)
    return day._replace(
        hour=_number(match[2] or match[5] or match[8]),
        minute=_number(match[3] or match[6]),
        second=_number(match[4] or match[7]),
        fraction=match[10] or "",
        zone=_parse_zone(rest[match.end() :], faults),
    )


def _note_time_faults(match: re.Match[str], faults: list[str]) -> None:
    separator, hour, _, second, basic_hour, _, basic_second, only_hour, point, fraction = match.groups()
    if point and not second and not basic_second:
        raise DateError("a fraction follows the seconds only")
    if separator != "T":
        faults.append("a capital T goes between day and time")
    if basic_hour or only_hour or len(hour) == 1:
        faults.append("a time is hh:mm:ss")
    if point == "," or fraction == "":
        faults.append("a fraction is a point and digits")


def _parse_zone(text: str, faults: list[str]) -> str | None:
    if not text:
        return None
    zone = read_zone(text.strip())
    if text not in (zone, "-00:00"):
        faults.append(f"a zone is Z or +hh:mm, not {text!r}")
    return zone


_OTHER_FORMS = (
    (re.compile(r"[0-9]+$"), "a bare number; a count of days or seconds is not read"),
    (re.compile(r"[0-9]{4}-?W[0-9]"), "a date by week; expected YYYY-MM-DD"),
    (re.compile(r"[0-9]{4}-[0-9]{3}$"), "a date by day of the year; expected YYYY-MM-DD"),
    (re.compile(r"[+-]?[0-9]{5,}-|[+-][0-9]+-"), "a year has four digits and no sign"),
    (re.compile(r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2,4}"), "day, month and year may stand in any order"),
    (re.compile(r".*[^\W0-9a-zA-Z_]"), "digits and letters must be ASCII"),
)


def explain(text: str, expected: str) -> str:
    """Why a text that fits no pattern is no date, for forms that are often met; else what was expected."""
    head = text[:MAX_REPAIRED]
    return next((reason for form, reason in _OTHER_FORMS if form.match(head)), expected)
