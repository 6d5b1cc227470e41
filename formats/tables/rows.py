"""Rows of a delimited table: physical lines in, cells or faults out, and the way back.

RFC 4180, read generously: a line may end in any way (the caller splits lines), a row may have any number of
cells, a cell any length. A double quote inside an unquoted cell is an ordinary character.

Two decisions the specification leaves open. Blanks round a quoted cell (``a, "b" ,c``) are dropped, but only
where the quoting is otherwise sound; if not, the blank makes the cell an unquoted one and the quotes belong
to its text. And a broken quotation costs the row it begins in, never the rest of the file: reading resumes on
the physical line after the one with the opening quote.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from urlset.formats.vocabulary.batches import line_slices

if TYPE_CHECKING:
    import _csv

Line: TypeAlias = tuple[int, str]

QUOTE = '"'
NO_DELIMITER = "\n"  # no line holds one


class Row(NamedTuple):
    """One record of the table.

    ``line`` is the physical line it starts on and ``raw`` its text, line breaks as ``\\n``. ``lines`` is
    empty when the row fits on one line; ``cell_line`` knows what to make of it.
    """

    line: int
    cells: list[str]
    lines: tuple[int, ...]
    raw: str

    def cell_line(self, index: int) -> int:
        """Give the physical line on which a cell starts."""
        return self.lines[index] if self.lines else self.line


class Fault(NamedTuple):
    """A row whose quoting is broken (rule ``csv-malformed``).

    ``line`` and ``column`` (characters from 1) are where the fault begins: the opening quote that is never
    closed, or the text behind a closing one. ``raw`` is the text of the row up to the end of that line.
    """

    line: int
    column: int
    message: str
    raw: str


def split_rows(lines: Iterable[Line], delimiter: str | None, *, max_record: int) -> Iterator[Row | Fault]:
    """Split lines into rows.

    ``lines`` are pairs of line number and text without its line end. A ``delimiter`` of None means one
    column. ``max_record`` is how many characters a row that spans lines may have before its open quote counts
    as unclosed; a row on one line may be longer. Blank lines give nothing.
    """
    feed = lines if isinstance(lines, Feed) else Feed(lines)
    if delimiter is None:
        delimiter = NO_DELIMITER
    blanks = re.compile("[ \t\r]*" if delimiter != "\t" else "[ \r]*")
    strict = _strict_dialect(delimiter)
    for number, text in feed:
        if QUOTE not in text:
            if not _is_blank(text, delimiter):
                yield Row(number, text.split(delimiter), (), text)
        elif (cells := _sound_line(text, delimiter, strict)) is not None:
            yield Row(number, cells, (), text)
        else:
            yield _Record(feed, (number, text), delimiter, blanks, max_record).parse()


def even_rows(texts: Sequence[str], delimiter: str | None, width: int) -> list[list[str]] | None:
    """Split lines of which each is one sound row of so many cells; None, and nothing said, if any may not be.

    That is what nearly all lines of nearly all tables are, and takes a fraction of the time.
    """
    joined = "\n".join(texts)
    if QUOTE not in joined and "\r" not in joined:
        rows = [text.split(delimiter or NO_DELIMITER) for text in texts]
    else:
        strict = _strict_dialect(delimiter or NO_DELIMITER)
        if strict is None or _is_unusual(joined, delimiter):
            return None
        try:
            rows = [*csv.reader(texts, strict)]
        except csv.Error:
            return None
    # A line that is blank, or goes on in the next one, makes no row of its own.
    even = len(rows) == len(texts) and all(len(row) == width for row in rows)
    return rows if even and (width > 1 or all(any(row) and not row[0].isspace() for row in rows)) else None


def join_row(cells: Sequence[str], delimiter: str = ",") -> str:
    """Write cells as one row, without a line end.

    Only cells that need quotes get them: those with a delimiter, a quote or a line break (RFC 4180 2.6), and
    those that begin or end with a blank, which other readers trim. An only cell that is empty is quoted too,
    because a blank line is no row.
    """
    if len(cells) == 1 and not cells[0]:
        return QUOTE + QUOTE
    return delimiter.join([as_cell(cell, delimiter) for cell in cells])


def as_cell(text: str, delimiter: str) -> str:
    """A cell of :func:`join_row`, one of several."""
    return _quoted(text) if _needs_quotes(text, delimiter) else text


def _needs_quotes(cell: str, delimiter: str) -> bool:
    return (
        delimiter in cell or QUOTE in cell or "\n" in cell or "\r" in cell or cell[:1].isspace() or cell[-1:].isspace()
    )


def _quoted(cell: str) -> str:
    return QUOTE + cell.replace(QUOTE, QUOTE + QUOTE) + QUOTE


def _is_blank(text: str, delimiter: str) -> bool:
    """Say whether a line is no row. Delimiters alone are a row of empty cells, tabs as well as commas."""
    return not text or (text.isspace() and delimiter not in text)


def _strict_dialect(delimiter: str) -> _csv.Dialect | None:
    """Give the csv module's terms for a delimiter. Building them takes longer than splitting a line."""
    return None if delimiter == NO_DELIMITER else csv.reader((), delimiter=delimiter, strict=True).dialect


def _sound_line(text: str, delimiter: str, strict: _csv.Dialect | None) -> list[str] | None:
    """Split a line that is a whole row, quotes and all; None if it has to be read with care.

    The csv module does it several times faster than `_Record`. In its strict mode it refuses what is not
    well-formed, and cells beyond its own limit. It knows no blanks before a quote and swallows carriage
    returns.
    """
    if strict is None or _is_unusual(text, delimiter):
        return None
    try:
        return next(csv.reader((text,), strict))
    except csv.Error:
        return None  # what is wrong, if anything, is for _Record to find out


def _is_unusual(text: str, delimiter: str | None) -> bool:
    """Whether the csv module reads a text otherwise than we do: blanks before a quote, carriage returns."""
    return f" {QUOTE}" in text or "\r" in text or (delimiter != "\t" and f"\t{QUOTE}" in text)


def _closing_quote(text: str, start: int) -> int:
    """Find the quote that closes a cell, passing over doubled ones; -1 if there is none in this text."""
    at = text.find(QUOTE, start)
    while at >= 0 and text.startswith(QUOTE, at + 1):
        at = text.find(QUOTE, at + 2)
    return at


class Feed:
    """The lines still to be read. Those that were looked at in vain can be put back.

    ``line`` is the number of the last one that was taken.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self._some = line_slices(lines)
        self._pending: deque[Line] = deque()
        self.line = 0

    def __iter__(self) -> Iterator[Line]:
        while (line := self.take()) is not None:
            yield line

    def take(self) -> Line | None:
        """The next line, if there is one."""
        if not self._pending:
            self._pending.extend(next(self._some, ()))
        if not self._pending:
            return None
        line = self._pending.popleft()
        self.line = line[0]
        return line

    def take_some(self) -> list[Line]:
        """The next lines, some hundred at the most; none at the end."""
        some = [*self._pending] or next(self._some, [])
        self._pending.clear()
        self.line = some[-1][0] if some else self.line
        return some

    def put_back(self, lines: Sequence[Line]) -> None:
        """Lines that were taken, to be taken again."""
        self._pending.extendleft(reversed(lines))
        if lines:
            self.line = lines[0][0] - 1


class _Record:
    """The row that starts at one line, read cell by cell.

    No line is looked at more than a few times, however many quotes stay open. Inside an open quote the next
    odd run of quotes closes it, and every opening quote is such a run. So the look-ahead ends at the latest
    where the next cell would open, and the lines it passed over hold no opening quote that could start
    another one.
    """

    def __init__(self, feed: Feed, first: Line, delimiter: str, blanks: re.Pattern[str], max_record: int) -> None:
        self._feed = feed
        self._delimiter = delimiter
        self._blanks = blanks
        self._limit = max_record
        self._taken = [first]
        self._size = len(first[1])
        self._text = first[1]
        self._at = 0  # where the next cell starts in the text of the last line taken
        self._problem = ""

    def parse(self) -> Row | Fault:
        cells: list[str] = []
        lines: list[int] = []
        while self._at <= len(self._text):
            lines.append(self._taken[-1][0])
            cell = self._cell()
            if isinstance(cell, Fault):
                return cell
            cells.append(cell)
        several = len(self._taken) > 1
        return Row(self._taken[0][0], cells, tuple(lines) if several else (), self._raw())

    def _cell(self) -> str | Fault:
        start, text, depth = self._at, self._text, len(self._taken)
        opening = self._opening_quote()
        if opening < 0:
            return self._literal()
        cell = self._quotation(opening)
        if cell is not None:
            return cell
        behind = self._at  # behind the closing quote, if there was one on the same line
        same_line = len(self._taken) == depth
        self._rewind(depth)
        if opening > start:
            self._text, self._at = text, start
            return self._literal()
        column = behind + 1 if same_line and behind > opening else opening + 1
        return Fault(self._taken[-1][0], column, self._problem, self._raw())

    def _opening_quote(self) -> int:
        if self._text.startswith(QUOTE, self._at):
            return self._at
        at = self._skip_blanks(self._at)
        return at if self._text.startswith(QUOTE, at) else -1

    def _literal(self) -> str:
        end = self._text.find(self._delimiter, self._at)
        if end < 0:
            end = len(self._text)
        cell = self._text[self._at : end]
        self._at = end + 1
        return cell

    def _quotation(self, opening: int) -> str | None:
        """Read a quoted cell and the delimiter behind it; None, and the problem noted, if it is not sound."""
        pieces: list[str] = []
        start = opening + 1
        while (closing := _closing_quote(self._text, start)) < 0:
            pieces.append(self._text[start:])
            if not self._advance():
                return None
            start = 0
        pieces.append(self._text[start:closing])
        end = self._skip_blanks(closing + 1)
        if end < len(self._text) and not self._text.startswith(self._delimiter, end):
            self._at = end
            self._problem = self._text_behind(len(pieces) > 1)
            return None
        self._at = end + 1
        return "\n".join(pieces).replace(QUOTE + QUOTE, QUOTE)

    def _text_behind(self, several: bool) -> str:
        if not several:
            return "text follows the closing quote of a cell; the delimiter or the end of the line was expected"
        line = self._taken[-1][0]
        return f"the quote that opens here is not closed: the next one, on line {line}, is followed by text"

    def _skip_blanks(self, at: int) -> int:
        match = self._blanks.match(self._text, at)
        return match.end() if match else at

    def _advance(self) -> bool:
        """Go on to the next line; False, and the problem noted, if there is none or the row gets too long."""
        line = self._feed.take()
        if line is None:
            self._problem = "the quote that opens here is never closed"
            return False
        size = self._size + 1 + len(line[1])
        if size > self._limit:
            self._feed.put_back([line])
            self._problem = f"the quote that opens here is not closed within {self._limit} characters of the row"
            return False
        self._taken.append(line)
        self._size, self._text = size, line[1]
        return True

    def _rewind(self, depth: int) -> None:
        """Give back the lines taken beyond a depth."""
        beyond = self._taken[depth:]
        del self._taken[depth:]
        self._feed.put_back(beyond)
        self._size -= sum(1 + len(text) for _, text in beyond)

    def _raw(self) -> str:
        return "\n".join([text for _, text in self._taken])
