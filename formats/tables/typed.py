"""Rows of typed cells, as DataFrames and Parquet files have them, to entries.

Columns are known by the names that tables have (``columns.py``). None, NaN, NaT and NA are absent, at any depth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from urlset.formats.tables.columns import Columns, recognise
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import FIELDS, Entry, Origin, sound
from urlset.formats.vocabulary.errors import ReadError
from urlset.formats.vocabulary.feed_dates import read_any
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.inventory_columns import PRECISION, TEXT, told_date
from urlset.formats.vocabulary.json_fields import Fault, field_value
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import changefreq_of, date_of, decimal_text, priority_of, usable_loc

_BLOCKS = ("images", "videos", "news", "alternates", "pagemaps", "extra")


class TypedRows:
    """Makes entries of rows whose columns have these names.

    Raises ReadError (rule ``missing-loc``) if no column, or more than one, could hold the addresses.
    """

    def __init__(self, account: Account, options: ReadOptions, header: Sequence[object]) -> None:
        names = [str(name) for name in header]
        columns = recognise(names)
        if columns.loc is None:
            raise ReadError(_why_not(columns, names), source=account.name, rule="missing-loc")
        self._account = account
        self._options = options
        self._places = {field: at for at, field in enumerate(columns.fields) if field in FIELDS}
        self._ours = {name: names.index(name) for name in (TEXT, PRECISION) if name in names}
        known = [field if field in FIELDS else None for field in columns.fields]
        if TEXT in self._ours:  # without it nothing is read from the other
            for at in self._ours.values():
                known[at] = "lastmod"
        account.columns = list(zip(names, known, strict=True))

    def entry(self, number: int, row: Sequence[Any]) -> Entry | None:
        """The entry of a row, which is counted from 1; None if it was rejected, which the account then knows."""
        self._account.count()
        cells = {name: value for name, at in self._places.items() if not is_absent(value := row[at])}
        loc = self._loc(cells, number)
        if loc is None:
            return None
        values = {
            "lastmod": self._lastmod(cells.get("lastmod"), row, number),
            "changefreq": changefreq_of(self._account, _words(cells.get("changefreq")), number),
            "priority": self._priority(cells.get("priority"), number),
            "title": _text(cells.get("title")),
        }
        origin = Origin(self._account.name, number)
        given = {name: cells[name] for name in (*_BLOCKS, "mobile") if name in cells}
        return self._with_blocks(values, given, loc, origin) if given else sound(loc, origin, values)

    def _loc(self, cells: dict[str, Any], number: int) -> str | None:
        text = _text(cells.get("loc")) or ""
        loc = urls.trim(text)
        if not urls.inspect(loc):
            return loc
        fields = {name: str(value) for name, value in cells.items()}
        if not text.strip():
            message = f"row {number}: there is no address"
            self._account.reject("missing-loc", message, line=number, value=text, fields=fields)
            return None
        return usable_loc(self._account, self._options, text, number, fields=fields)

    def _lastmod(self, value: Any, row: Sequence[Any], number: int) -> LastMod | None:
        """The date of a row: its text where there is one that means the same, and else its instant."""
        told = self._told(row)
        if told is not None and ("lastmod" not in self._places or self._agree(value, told)):
            date_of(self._account, self._options, str(told), number)
            return told
        text = self._date_text(value)
        return date_of(self._account, self._options, text, number, read=read_any, blank_is_absent=True)

    def _told(self, row: Sequence[Any]) -> LastMod | None:
        text, precision = (row[self._ours[name]] if name in self._ours else None for name in (TEXT, PRECISION))
        return told_date(text, precision)

    def _agree(self, value: Any, told: LastMod) -> bool:
        """Whether a cell is the instant of a date, as far as datetime can tell; an empty cell, if it can't."""
        instant = told.to_datetime()
        if value is None or (isinstance(value, datetime) and value.tzinfo is not None and value == instant):
            return value == instant
        text = self._date_text(value)
        found = None if text is None else read_any(text, self._options.zone).value
        return found is not None and found.to_datetime() == instant

    def _date_text(self, value: Any) -> str | None:
        """A date of any type as text. Midnight without a zone is a day; another time has no one meaning without one."""
        if type(value).__name__ == "datetime64":
            value = _numpy_date(value)
        if isinstance(value, datetime) and value.tzinfo is None:
            if value.time() == time() and not getattr(value, "nanosecond", 0):
                value = value.date()
            elif self._options.zone is not None:
                value = value.replace(tzinfo=self._options.zone)
            else:
                return value.isoformat()
        if isinstance(value, datetime):
            return str(LastMod.from_date(_in_minutes(value)))
        if isinstance(value, date):
            return value.isoformat()
        return _text(value)

    def _priority(self, value: Any, number: int) -> float | None:
        if value is None or isinstance(value, str):
            return priority_of(self._account, _words(value), number)
        if isinstance(value, bool):
            return priority_of(self._account, str(value), number)
        found = float(value)
        return abs(found) if 0 <= found <= 1 else priority_of(self._account, decimal_text(found), number)

    def _with_blocks(self, values: dict[str, Any], given: dict[str, Any], loc: str, origin: Origin) -> Entry:
        """The entry with its blocks; a cell that holds none as urlset writes them is left out."""
        for name, value in given.items():
            try:
                found = json.loads(value) if isinstance(value, str) and name != "mobile" else plain(value)
            except (ValueError, RecursionError) as error:
                self._lost(origin, name, Fault(name, str(error), str(value)))
                continue
            values[name], faults = field_value(name, found)
            for fault in faults:
                self._lost(origin, name, fault)
        return sound(loc, origin, values)

    def _lost(self, origin: Origin, name: str, fault: Fault) -> None:
        what = fault.message if fault.place == name else f"{fault.place}: {fault.message}"
        self._account.find(
            "invalid-json",
            f"row {origin.line}: the column {name} does not hold what urlset writes there ({what}); it is left out",
            line=origin.line,
            value=fault.value,
            action="dropped-value",
            severity="warning",
        )


def is_absent(value: Any) -> bool:
    """Whether a cell is empty: None, NaN, NaT or NA of whatever library."""
    if value is None:
        return True
    kind = type(value).__name__
    if kind in ("NAType", "NaTType", "Null"):
        return True
    # Nothing but these differs from itself; comparing arrays would give arrays.
    return (isinstance(value, float) or kind in ("float16", "float32", "datetime64", "Decimal")) and bool(
        value != value
    )


def plain(value: Any) -> Any:
    """A nested cell as lists and dictionaries, without what is absent."""
    if is_absent(value):
        return None
    if isinstance(value, dict):
        found = {name: plain(inner) for name, inner in value.items()}
        return {name: inner for name, inner in found.items() if inner is not None}
    if hasattr(value, "tolist"):  # arrays and scalars of numpy
        return plain(value.tolist())
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _words(value: Any) -> str | None:
    """A text that is not blank."""
    text = _text(value)
    return text if text and text.strip() else None


def _in_minutes(value: datetime) -> datetime:
    """The same moment with an offset that W3C Datetime can express: whole minutes, at most 14 hours."""
    offset = value.utcoffset() or timedelta()
    fits = not offset % timedelta(minutes=1) and abs(offset) <= timedelta(hours=14)
    return value if fits else (value - offset).replace(tzinfo=UTC)


def _numpy_date(value: Any) -> Any:
    """A moment of numpy: a text if it has no time of the day, else a datetime without a zone, in microseconds."""
    day, _, clock = str(value).partition("T")
    return value.astype("datetime64[us]").item() if clock.strip("0:.") else day


def _why_not(columns: Columns, names: Sequence[str]) -> str:
    return columns.ambiguous or f"no column holds addresses; the columns are {', '.join(map(repr, names))}"
