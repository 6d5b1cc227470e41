"""A small table that shows itself, in a notebook and at a prompt, and goes wherever Arrow columns go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from urlset.converters.explore import html
from urlset.converters.visible import visible
from urlset.formats.arrow.library import optional
from urlset.formats.vocabulary.dates import Precision

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

SHOWN = 20
"""Rows that are shown; the table has them all."""

ITEMS = 5
"""The same for the items of a list in a cell."""


PRECISION = " precision"
"""Behind the name of a column of moments: beside it, a column of their precisions, which is not part of the table."""


class Table:
    """Rows with a title. Iterating gives each row as a dictionary.

    ``pandas.DataFrame.from_arrow(table)``, ``polars.DataFrame(table)`` and the like take it as it is.
    """

    def __init__(self, title: str, columns: pyarrow.Table) -> None:
        self.title = title
        self._precisions = {
            name.removesuffix(PRECISION): columns[name] for name in columns.column_names if name.endswith(PRECISION)
        }
        self._columns = columns.drop_columns([f"{name}{PRECISION}" for name in self._precisions])

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        names: list[str] = self._columns.column_names
        return names

    def __len__(self) -> int:
        rows: int = self._columns.num_rows
        return rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self._columns.to_batches():
            yield from batch.to_pylist()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self._columns.__arrow_c_stream__(requested_schema)
        return stream

    def to_arrow(self) -> pyarrow.Table:
        """The columns as a table of pyarrow."""
        return self._columns

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame of pandas."""
        optional("pandas", "explore", "DataFrames of pandas")
        return self._columns.to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """A DataFrame of polars."""
        frame: polars.DataFrame = optional("polars", "explore", "DataFrames of polars").DataFrame(self._columns)
        return frame

    def _repr_html_(self) -> str:
        return html.table(self.title, html.Cells(self.column_names, self._shown()), self._more())

    def __repr__(self) -> str:
        rows = [self.column_names, *([_text(value) for value in row] for row in self._shown())]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([self.title, *lines, *filter(None, [self._more()])])

    def _shown(self) -> list[list[object]]:
        rows = self._columns.slice(0, SHOWN).to_pylist()
        for name, precisions in self._precisions.items():
            for row, precision in zip(rows, precisions.slice(0, SHOWN).to_pylist(), strict=True):
                row[name] = row[name] and _date(row[name], precision)
        return [list(map(_shown, row.values())) for row in rows]

    def _more(self) -> str:
        return f"… and {len(self) - SHOWN:,} more" if len(self) > SHOWN else ""


def _shown(value: object) -> object:
    """A value as a person reads it: a moment to the minute, the first items of a list."""
    if isinstance(value, datetime):
        return _date(value, Precision.MINUTE)
    if isinstance(value, list) and len(value) > ITEMS:
        return [*value[: ITEMS - 1], f"… and {len(value) - ITEMS + 1:,} more"]
    return value


def _date(value: datetime, precision: int) -> str:
    """A moment to the minute, and no more precisely than it is."""
    return value.isoformat(" ", "minutes")[: _LENGTHS.get(precision, 16)]


_LENGTHS: dict[int, int] = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(html.shortened(visible(str(one))) for one in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return html.shortened("" if value is None else visible(str(value)))
