"""Columns of whoever made them as Python values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from urlset.formats.arrow.library import arrow, compute

_DAYS = -719_162, 2_932_896  # 0001-01-01 and 9999-12-31, in days since 1970
_PARTS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_DAY = 86_400


def rows_of(batch: Any) -> Iterator[Sequence[Any]]:
    """The rows of a record batch. Raises UnicodeDecodeError for a text that is none."""
    return zip(*map(values_of, batch.columns), strict=True)


def values_of(column: Any) -> list[Any]:
    """The values of an array. Nanoseconds are cut to microseconds.

    A moment outside of the years 1 to 9999, which Python can't have, is its number as text.
    """
    types, kind = arrow().types, column.type
    if types.is_timestamp(kind):
        per_second = _PARTS[kind.unit]
        inside = _between(column, _DAYS[0] * _DAY * per_second, (_DAYS[1] + 1) * _DAY * per_second - 1)
        return _told(inside.cast(arrow().timestamp("us", kind.tz), safe=False), column, f"{kind.unit} since 1970")
    if types.is_date32(kind):
        return _told(_between(column, *_DAYS), column, "days since 1970")
    if types.is_float16(kind) or types.is_float32(kind):
        # 0.1 of half the digits is meant as 0.1, not as 0.10000000149011612.
        return [None if value is None else float(f"{value:.7g}") for value in column.to_pylist()]
    values: list[Any] = column.to_pylist()
    return values


def _told(inside: Any, column: Any, unit: str) -> list[Any]:
    """The values inside of the bounds, and texts for the others."""
    values: list[Any] = inside.to_pylist()
    if inside.null_count > column.null_count:
        outside = compute().indices_nonzero(compute().and_(inside.is_null(), column.is_valid()))
        numbers = _numbers(column)
        for at in outside.to_pylist():
            values[at] = f"{numbers[at].as_py()} {unit}"
    return values


def _numbers(column: Any) -> Any:
    pa = arrow()
    return column.cast(pa.int32() if pa.types.is_date32(column.type) else pa.int64())


def _between(column: Any, first: int, last: int) -> Any:
    pa, pc = arrow(), compute()
    number = _numbers(column)
    # Nanoseconds never reach these bounds, which their numbers could not hold either.
    bounds = (max(first, -(2**63)), min(last, 2**63 - 1))
    low, high = (pa.scalar(bound, number.type) for bound in bounds)
    inside = pc.and_(pc.greater_equal(number, low), pc.less_equal(number, high))
    return pc.if_else(inside, column, pa.scalar(None, column.type))
