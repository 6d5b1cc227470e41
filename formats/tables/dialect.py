"""How a table is written down: its delimiter, and the lines above its header.

A delimiter is one of comma, semicolon, tab and vertical bar. Colons, slashes and letters are part of every
URL and never considered. What counts is that the delimiter divides the header, and the rows into as many
cells; a vote over single characters would take the commas in titles for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from urlset.formats.tables.columns import NEARLY_ALL, Columns, looks_like_header, recognise
from urlset.formats.tables.rows import Fault, Line, Row, split_rows

# In order of preference between readings that are otherwise equal: rare characters of text come first.
DELIMITERS: Final = ("\t", ";", "|", ",")
MAX_TITLE_LINES: Final = 10

# Excel's own first line. Excel takes any character; a letter or a quote could only be a mistake.
_DECLARATION = re.compile(r'"?sep=(\t|[^\w\s"])"?\s*', re.IGNORECASE)

# What a cell beside a URL may be, and the rest of a URL hardly is.
_CELL = re.compile(r'"|\d{4}-\d\d(?:-\d\d)?(?:[T ]|$)|(?:always|hourly|daily|weekly|monthly|yearly|never)$')


class Dialect(NamedTuple):
    """How to split a table.

    ``delimiter`` is None for a single column. ``skip`` is the number of physical lines before the header, or
    before the first row if there is none. ``decimal_comma``: numbers may be written ``0,5``, as they are
    where spreadsheets separate cells by semicolons.
    """

    delimiter: str | None
    skip: int
    decimal_comma: bool


class _Reading(NamedTuple):
    """What the sample looks like under one delimiter."""

    delimiter: str | None
    skip: int
    columns: Columns
    width: int
    agreement: float  # the share of rows as wide as the first one
    named: bool  # the first row can be a header
    alone: bool  # there is no other row

    @property
    def known(self) -> int:
        return sum(field is not None for field in self.columns.fields)

    def convinces(self) -> bool:
        """Say whether this is a table at all. A clear header stands even above ragged rows."""
        if self.width < 2:
            return False
        if self.columns.loc is not None or self.known > 1:
            return True
        return self.agreement >= NEARLY_ALL and (self.named or not self.alone)

    def rank(self) -> tuple[bool, int, float, int]:
        place = DELIMITERS.index(self.delimiter) if self.delimiter in DELIMITERS else 0
        return (self.columns.loc is not None, self.known, self.agreement, -place)


def detect(sample_lines: Sequence[str]) -> Dialect:
    """Find the dialect from the first lines of a table, given without line ends.

    The delimiter under which the header and the sample rows, quotes respected, have the same number of cells,
    more than one; between several, the one whose header has the best known names. A line ``sep=;`` above all
    others (Excel) is obeyed. Lines above the header that are neither as wide as it nor hold a URL are titles.
    """
    lines = list(enumerate(sample_lines, 1))
    if lines:
        lines[0] = (1, lines[0][1].removeprefix("\ufeff"))
    declared = _DECLARATION.fullmatch(lines[0][1]) if lines else None
    if declared:
        return _declared_dialect(lines[1:], declared[1])
    readings = [_read(lines, delimiter) for delimiter in DELIMITERS]
    best = max((reading for reading in readings if reading and reading.convinces()), key=_Reading.rank, default=None)
    return _dialect(best.delimiter, best.skip) if best else _dialect(None, 0)


def _declared_dialect(lines: Sequence[Line], delimiter: str) -> Dialect:
    reading = _read(lines, delimiter)
    return _dialect(delimiter, max(1, reading.skip) if reading else 1)


def _dialect(delimiter: str | None, skip: int) -> Dialect:
    return Dialect(delimiter, skip, decimal_comma=delimiter == ";")


def _read(lines: Sequence[Line], delimiter: str) -> _Reading | None:
    rows = _sound_rows(lines, delimiter)
    if not rows:
        return None
    at = _header_index(rows)
    header, body = rows[at], rows[at + 1 :]
    width = len(header.cells)
    return _Reading(
        delimiter=delimiter,
        skip=header.line - 1 if at else 0,
        columns=recognise(header.cells),
        width=width,
        agreement=sum(len(row.cells) == width for row in body) / len(body) if body else 1.0,
        named=looks_like_header(header.cells),
        alone=not body,
    )


def _sound_rows(lines: Sequence[Line], delimiter: str) -> list[Row]:
    """Split the sample. Where it ends inside a quoted cell, the pieces of that cell are no evidence."""
    size = sum(len(text) + 1 for _, text in lines)
    found = list(split_rows(lines, delimiter, max_record=size))
    rows = [item for item in found if isinstance(item, Row)]
    first_fault = next((index for index, item in enumerate(found) if isinstance(item, Fault)), len(found))
    return rows[:first_fault] if 2 * first_fault >= len(rows) else rows


def _header_index(rows: Sequence[Row]) -> int:
    """Give the index of the first row that names an address column, if all above it can be titles; else 0."""
    for index, row in enumerate(rows[: MAX_TITLE_LINES + 1]):
        if recognise(row.cells).loc is not None:
            return index if all(_may_be_title(above, row) for above in rows[:index]) else 0
    return 0


def _may_be_title(row: Row, header: Row) -> bool:
    return len(row.cells) < len(header.cells) and "://" not in row.raw


def goes_on_in_cells(lines: Sequence[str]) -> bool:
    """Say whether lines that begin with a URL go on, all of them, as the cells of a table do.

    URLs hold commas and semicolons of their own, so only what a cell may be and the rest of a URL hardly is counts:
    a quotation, a date, a change frequency.
    """
    return any(
        all(any(_CELL.match(cell.strip()) for cell in line.split(delimiter)[1:]) for line in lines)
        for delimiter in DELIMITERS
    )
