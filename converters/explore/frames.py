"""A DataFrame, or anything that exports Arrow columns, as entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from urlset.formats.arrow.library import arrow
from urlset.formats.arrow.values import rows_of
from urlset.formats.tables.typed import TypedRows
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Account

ROWS = 16_384
"""Rows that are turned into Python values at a time."""


class ArrowStream(Protocol):
    """Whatever exports its columns through the Arrow PyCapsule interface: pandas, polars, DuckDB, pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


_INSTEAD = "pass a DataFrame with a column loc"
Frame: TypeAlias = "ArrowStream | Any"
_Rows = Iterable[Sequence[Any]]


def is_frame(thing: object) -> bool:
    """Whether it has columns: a DataFrame of pandas or polars, or an exporter of Arrow columns.

    Raises OptionError for what is near to one: a single column, or a frame that is not computed yet.
    """
    if hasattr(thing, "collect_schema") and hasattr(thing, "collect") and not hasattr(thing, "iter_rows"):
        raise OptionError(f"a {type(thing).__name__} is not computed yet; pass what its collect() gives")
    found = hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "iloc")
    if found and hasattr(thing, "to_frame") and not hasattr(thing, "columns"):
        raise OptionError(f"a {type(thing).__name__} is a single column; {_INSTEAD}, as of its to_frame('loc')")
    return found


def entries_of(frame: Frame, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries of a frame, one a row; a row without a usable address is rejected by its number, from 1.

    Raises ReadError if the names of the columns don't tell which one holds the addresses, and MissingDependencyError
    for a frame that only pyarrow can look into.
    """
    header, rows = _opened(frame)
    typed = TypedRows(account, options, header)
    for number, row in enumerate(rows, 1):
        entry = typed.entry(number, row)
        if entry is not None:
            yield entry


def _opened(frame: Any) -> tuple[Sequence[object], _Rows]:
    if hasattr(frame, "iloc"):
        return list(frame.columns), _pandas_rows(frame)
    if hasattr(frame, "iter_rows"):  # polars
        return frame.columns, frame.iter_rows()
    pa = arrow()
    try:
        reader = pa.RecordBatchReader.from_stream(frame)
    except pa.ArrowInvalid as error:
        raise OptionError(f"a {type(frame).__name__} has no columns by name; {_INSTEAD}") from error
    return reader.schema.names, _arrow_rows(reader)


def _pandas_rows(frame: Any) -> Iterator[Sequence[Any]]:
    """The rows as Python values, without a copy of the whole frame."""
    width = len(frame.columns)
    for start in range(0, len(frame), ROWS):
        part = frame.iloc[start : start + ROWS]
        yield from zip(*(_pandas_values(part.iloc[:, at]) for at in range(width)), strict=True)


def _pandas_values(column: Any) -> list[Any]:
    if str(column.dtype) in ("float16", "float32"):
        # Through text: 0.1 of half the digits is meant as 0.1, not as 0.10000000149011612.
        return [float(str(value)) for value in column.to_numpy()]
    values: list[Any] = column.tolist()
    return values


def _arrow_rows(batches: Iterable[Any]) -> Iterator[Sequence[Any]]:
    for whole in batches:
        for start in range(0, whole.num_rows, ROWS):
            yield from rows_of(whole.slice(start, ROWS))
