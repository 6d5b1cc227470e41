"""LastMod: a date with its precision, and the W3C Datetime it is written in.

Specification: W3C NOTE-datetime (1998-08-27), which the sitemap protocol names for ``lastmod``. It has six
precisions, from a year to a fraction of a second, and demands a zone wherever there is a time. A reader takes
a text as it was found and says whether it was in that grammar, had to be repaired, or can't be used. A repair
never invents a month, a day or a zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Never, TypeAlias, final

from urlset.formats.vocabulary.date_parts import (
    DateError,
    Fields,
    days_in_month,
    offset_minutes,
    parse_w3c,
    print_offset,
    printed,
    read_zone,
    trim,
)
from urlset.formats.vocabulary.errors import OptionError

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

Instant: TypeAlias = tuple[int, str]
"""Seconds since 1970-01-01T00:00:00Z, and the digits of the fraction without trailing zeros.

It is exact and has no limits; digits without trailing zeros sort as the fractions do.
"""

_EPOCH = date(1970, 1, 1).toordinal()
_SECONDS_OF_DATETIME = range((1 - _EPOCH) * 86400, (date.max.toordinal() + 1 - _EPOCH) * 86400)
_MAX_CACHED = 40  # characters; keeps long fractions out of the cache

# No groups: every part but the fraction has its fixed place, and the match is faster without them.
_CANONICAL = re.compile(
    r"(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01])"
    r"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"
    r"(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?"
)


class Precision(IntEnum):
    """How much of a moment a date names."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    MINUTE = 4
    SECOND = 5
    FRACTION = 6


_TO_SECONDS = len("1997-07-16T19:20:30+01:00")
_BY_LENGTH = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}
_MINUTE, _SECOND, _FRACTION = Precision.MINUTE, Precision.SECOND, Precision.FRACTION


@final
class LastMod:
    """A date as W3C Datetime, with the precision and the offset it was given.

    ``LastMod(text)`` takes the grammar only and raises ValueError that names the fault. ``str()`` prints W3C
    Datetime; a time always has seconds and a zone, which XML Schema demands too. ``precision`` is the text's.

    Order compares instants, a date without a time being its first midnight in UTC. Equality and hash compare
    the printed text instead: 2024-05-06 is a whole day and no midnight, so the two stay two values in a set
    or a diff, although neither is earlier.
    """

    __slots__ = ("_instant", "_precision", "_text")

    _instant: Instant  # set when first asked for
    _precision: Precision  # the same, unless the text has more digits than it was given
    _text: str

    def __new__(cls, text: str) -> LastMod:
        """Parse W3C Datetime strictly."""
        value = _canonical(text)
        if value is None:
            raise ValueError(f"not W3C Datetime: {_strict_fault(text)}")
        return value

    @classmethod
    def _make(cls, text: str, precision: Precision) -> LastMod:
        """A value from its printed form, which the caller has checked."""
        self = _new(cls)
        _set_text(self, text)
        _set_precision(self, precision)
        return self

    @classmethod
    def from_date(cls, value: date) -> LastMod:
        """A date, or an aware datetime with its offset. Raises ValueError for a datetime without a zone."""
        day = f"{value.year:04}-{value.month:02}-{value.day:02}"
        if not isinstance(value, datetime):
            return cls._make(day, Precision.DAY)
        offset = value.utcoffset()
        if offset is None:
            raise ValueError(f"a datetime needs a zone: {value}")
        time = f"{value.hour:02}:{value.minute:02}:{value.second:02}"
        # pandas.Timestamp, a datetime, counts nanoseconds beside the microseconds.
        digits = f"{value.microsecond:06}{getattr(value, 'nanosecond', 0):03}".rstrip("0")
        fraction = f".{digits}" if digits else ""
        return cls._make(f"{day}T{time}{fraction}{print_offset(offset)}", _FRACTION if digits else _SECOND)

    @property
    def precision(self) -> Precision:
        """How much of a moment the date names."""
        try:
            return self._precision
        except AttributeError:
            _set_precision(self, _precision_of(self._text))
            return self._precision

    @property
    def instant(self) -> Instant:
        """The moment in UTC; the first midnight of a year, a month or a day."""
        try:
            return self._instant
        except AttributeError:
            _set_instant(self, _instant_of(self._text))
            return self._instant

    @property
    def offset(self) -> int | None:
        """Minutes east of UTC; None without a time."""
        return offset_minutes(self._text) if self.precision >= _MINUTE else None

    def to_datetime(self) -> datetime | None:
        """The instant as an aware datetime in UTC, cut to microseconds; None outside datetime's range."""
        seconds, fraction = self.instant
        if seconds not in _SECONDS_OF_DATETIME:
            return None
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(0, seconds, int(f"{fraction:0<6.6}"))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"LastMod({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, LastMod) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: object) -> bool:
        return self.instant < other.instant if isinstance(other, LastMod) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.instant <= other.instant if isinstance(other, LastMod) else NotImplemented

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, LastMod):
            return NotImplemented
        # To seconds and in one zone, the texts are ordered as the instants are, and need no arithmetic.
        mine, its = self._text, other._text
        if len(mine) == len(its) <= _TO_SECONDS and mine[19:] == its[19:]:
            return mine > its
        return self.instant > other.instant

    def __ge__(self, other: object) -> bool:
        return self.instant >= other.instant if isinstance(other, LastMod) else NotImplemented

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a LastMod can't be changed: {name}")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a LastMod can't be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return LastMod._make, (self._text, self.precision)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        # Imported here, since reading dates needs no pydantic.
        from pydantic_core import core_schema

        text = core_schema.to_string_ser_schema(when_used="json")
        return core_schema.no_info_plain_validator_function(_validated, serialization=text)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "description": "W3C Datetime", "examples": ["2024-05-06"]}


# The slots' own setters pass by __setattr__, and are a third faster than object.__setattr__.
_new = object.__new__
_set_text = LastMod.__dict__["_text"].__set__
_set_precision = LastMod.__dict__["_precision"].__set__
_set_instant = LastMod.__dict__["_instant"].__set__


def _validated(value: object) -> LastMod:
    if isinstance(value, LastMod):
        return value
    if isinstance(value, str):
        return LastMod(value)
    if isinstance(value, date):
        return LastMod.from_date(value)
    raise ValueError(f"expected W3C Datetime, a date or an aware datetime, not {type(value).__name__}")


def _canonical(text: str) -> LastMod | None:
    """The value of a text that is W3C Datetime as it stands."""
    if not _CANONICAL.fullmatch(text) or (text[8:10] > "28" and not _day_exists(text)):
        return None
    if text.endswith("-00:00"):  # UTC at an unknown place (RFC 3339 4.3)
        text = f"{text[:-6]}Z"
    if len(text) > 10 and text[16] != ":":
        return LastMod._make(f"{text[:16]}:00{text[16:]}", _MINUTE)
    return LastMod._make(text, _precision_of(text))


def _precision_of(text: str) -> Precision:
    """The precision of a date by its printed form, where that has no more digits than the date was given."""
    return _BY_LENGTH.get(len(text)) or (_FRACTION if text[19] == "." else _SECOND)


def _day_exists(text: str) -> bool:
    return int(text[8:10]) <= days_in_month(int(text[:4]), int(text[5:7]))


def _instant_of(text: str) -> Instant:
    day = date(int(text[:4]), int(text[5:7] or 1), int(text[8:10] or 1)).toordinal() - _EPOCH
    if len(text) <= 10:
        return day * 86400, ""
    minutes = int(text[11:13]) * 60 + int(text[14:16]) - offset_minutes(text)
    fraction = text[20 : -1 if text[-1] == "Z" else -6] if text[19] == "." else ""
    return day * 86400 + minutes * 60 + int(text[17:19]), fraction.rstrip("0")


class DateReading(NamedTuple):
    """What became of a text.

    Without a problem it was in the grammar; with a problem and a value it was repaired; without a value it
    can't be used. ``problem`` is written for a finding, and is ``empty`` for a blank text.
    """

    value: LastMod | None
    problem: str | None


EMPTY = DateReading(None, "empty")


def compose(fields: Fields, faults: list[str], assumed: tzinfo | None, grammar: str) -> DateReading:
    """The reading of a text with these fields and faults. Raises DateError when there is no such moment."""
    text = printed(fields, faults, assumed)
    if fields.hour is None:
        precision = _BY_LENGTH[len(text)]
    else:
        precision = _FRACTION if fields.fraction else _MINUTE if fields.second is None else _SECOND
    return noted(LastMod._make(text, precision), faults, grammar)


def noted(value: LastMod, faults: list[str], grammar: str) -> DateReading:
    """The reading of a value whose text had these faults."""
    return DateReading(value, f"not {grammar}: {'; '.join(faults)}; read as {value}" if faults else None)


def read_w3c(text: str, zone: tzinfo | None = None) -> DateReading:
    """Read W3C Datetime, repairing what has one possible meaning.

    ``zone`` is what ``--assume-zone`` names; without it a time that has no zone is unusable.
    """
    if len(text) <= _MAX_CACHED:
        reading = _read_canonical(text)
        if reading is not None:
            return reading
    text = trim(text)
    value = _canonical(text)
    return _read_lenient(text, zone) if value is None else DateReading(value, None)


@lru_cache(maxsize=4096)
def _read_canonical(text: str) -> DateReading | None:
    value = _canonical(text)
    return None if value is None else DateReading(value, None)


def _read_lenient(text: str, zone: tzinfo | None) -> DateReading:
    if not text:
        return EMPTY
    faults: list[str] = []
    try:
        return compose(parse_w3c(text, faults), faults, zone, "W3C Datetime")
    except DateError as error:
        return DateReading(None, f"not W3C Datetime: {error}")


def _strict_fault(text: str) -> str:
    faults: list[str] = []
    try:
        printed(parse_w3c(text, faults), faults, None)
    except DateError as error:
        return str(error)
    return "; ".join(faults)


_DAYS: dict[str, LastMod | None] = {"": None}
_MOST_DAYS = 10_000
"""Days that were met, each held once: a document has few of them, and no more than the years have."""


def sound_dates(texts: Iterable[str]) -> list[LastMod | None]:
    """The values of many texts that the caller has checked: dates, or times to the second; an empty one is none."""
    values: list[LastMod | None] = []
    known = _DAYS.get
    for text in texts:
        value = known(text)
        if value is None and text:
            value = _new(LastMod)
            _set_text(value, text)
        values.append(value)
    return values


def not_met(texts: Iterable[str]) -> list[str]:
    """Those of many texts that :func:`meet` was not told of."""
    return [text for text in texts if text not in _DAYS]


def meet(texts: Iterable[str]) -> None:
    """Hold the days among texts that the caller has checked."""
    days = [text for text in texts if len(text) == len("1997-07-16")]
    if len(_DAYS) + len(days) < _MOST_DAYS:
        _DAYS.update(zip(days, sound_dates(days), strict=True))


def is_implausible(value: LastMod) -> bool:
    """Whether a page can hardly have the date: before 1970, the epoch itself, the year 9999."""
    year = str(value)[:4]
    return not "1970" <= year < "9999" or (year == "1970" and value.instant <= (0, ""))


def parse_zone(name: str) -> tzinfo:
    """The zone of a name: ``UTC``, ``Z``, ``+02:00``, ``-0530``, or one of the IANA database.

    Raises OptionError.
    """
    if name in ("UTC", "Z"):
        return UTC
    if re.fullmatch(r"[+-][0-9]{2}:?[0-9]{2}", name):
        return _fixed_zone(name)
    # Imported here, since hardly any run needs it.
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # unknown; malformed; a folder of the database
        expected = "expected UTC, an offset such as +02:00, or a name such as Europe/Berlin"
        raise OptionError(f"{name!r} is no time zone: {expected}", value=name) from error


def _fixed_zone(name: str) -> tzinfo:
    try:
        minutes = offset_minutes(read_zone(name))
    except DateError as error:
        raise OptionError(f"{error}: at most 14 hours", value=name) from error
    return timezone(timedelta(minutes=minutes)) if minutes else UTC
