"""CSV: a table of URLs, as spreadsheets, crawlers and search consoles write it.

Specification: RFC 4180, read generously: commas, semicolons, tabs or bars; any line end; Excel's ``sep=`` line and
byte-order mark; a title line above the header. Columns are found by their header names, or, without a header, as the
one column of URLs.

Written: UTF-8, commas, CRLF, all columns always, blocks as JSON; line ends inside a cell are LF.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from urlset.formats.tables.columns import Columns, guess_loc_column, looks_like_header, recognise
from urlset.formats.tables.dialect import Dialect, detect, goes_on_in_cells
from urlset.formats.tables.rows import Fault, Feed, Line, Row, even_rows, split_rows
from urlset.formats.tables.writing import BLOCKS, writer
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches, counted, gathered, one_by_one
from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.vocabulary.decode import TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import FIELDS, Core, Entry, Origin
from urlset.formats.vocabulary.errors import ReadError
from urlset.formats.vocabulary.feed_dates import read_any
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.inventory_columns import OWN
from urlset.formats.vocabulary.json_fields import field_value
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import (
    PLAIN_NUMBERS,
    PLAIN_WORDS,
    changefreq_of,
    date_of,
    priority_of,
    usable_loc,
)
from urlset.formats.vocabulary.source import Source
from urlset.formats.vocabulary.url_columns import plain_text

SAMPLE = 200
"""Lines that the dialect and the columns are recognised from."""

MAX_ROW = 1 << 20
"""Characters over which one row may run, as far as it has line breaks: what a stray quote can cost."""

NAMED = 20
"""Columns that are no fields, in a message, at most."""

_VERDICTS = ("robots", "indexability", "indexability-status")
_VERDICT_FIELDS = frozenset({*_VERDICTS, "status", "canonical", "content-type"})
_PAGES = ("text/html", "application/xhtml+xml", "application/pdf")
_PRINTED = re.compile(r"\s*[\[{][\s\[{]*'")


class _Table(NamedTuple):
    """How a table is to be read: its dialect, its columns, its header (None without one), and which are not empty."""

    dialect: Dialect
    columns: Columns
    header: list[str] | None
    filled: frozenset[int]


def sniff(head: Head) -> bool:
    """A header names the column of addresses, or one column holds nothing else."""
    if (head.prolog is not None and head.prolog.root) or not head.lines or head.lines[0][:1] in "{[<":
        return False
    if head.lines[0].startswith("#"):
        return False
    table = _recognise(list(enumerate(head.lines[:SAMPLE], 1)))
    if table is None:
        return False
    if table.header is None:
        # A list of URLs that hold commas is no table.
        lines = head.lines[table.dialect.skip : SAMPLE]
        return table.columns.loc is not None and (table.columns.loc > 0 or goes_on_in_cells(lines))
    return table.columns.loc is not None or table.columns.ambiguous is not None


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a row. Raises ReadError if no column of addresses is found, or several."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches."""
    encoding = sniff_encoding(source.head(), None, options.encoding)
    with closing(source.open(account.report)) as stream:
        chunks = TextReader(stream, encoding, account.report)
        lines = iter_lines(chunks, source.limits.max_record, account.report)
        sample = list(islice(lines, SAMPLE))
        table = _described(account, _recognise(sample), sample)
        feed = Feed(chain(sample[table.dialect.skip :], lines))
        rows = split_rows(feed, table.dialect.delimiter, max_record=min(MAX_ROW, source.limits.max_record))
        if table.header is not None:
            yield from gathered(_entries(account, options, table, _to_header(rows)), account)
        while some := feed.take_some():
            if (core := _even(account, options, table, some)) is not None:
                yield from counted(core, account)
            else:
                feed.put_back(some)
                yield from gathered(_entries(account, options, table, _until(some[-1][0], rows, feed)), account)


def _to_header(rows: Iterator[Row | Fault]) -> Iterator[Row | Fault]:
    """What stands before the first row, which is the header, and is no row."""
    return takewhile(lambda row: isinstance(row, Fault), rows)


def _until(line: int, rows: Iterator[Row | Fault], feed: Feed) -> Iterator[Row | Fault]:
    """The rows that begin up to a line."""
    while feed.line < line and (row := next(rows, None)) is not None:
        yield row


def _even(account: Account, options: ReadOptions, table: _Table, lines: Sequence[Line]) -> Core | None:
    """The entries of lines of which there is nothing to say; None, and nothing done, if there may be."""
    numbers, texts = zip(*lines, strict=True)
    fields = table.columns.fields
    rows = even_rows(texts, table.dialect.delimiter, len(fields))
    if rows is None or ((options.remark or options.indexable) and not _VERDICT_FIELDS.isdisjoint(fields)):
        return None
    columns = {name: column for name, column in zip(fields, zip(*rows, strict=True), strict=True) if name}
    if any(any(columns[name]) for name in BLOCKS if name in columns):
        return None
    absent = ("",) * len(rows)
    locs, lastmods = columns["loc"], plain_dates(columns.get("lastmod", absent))
    text = plain_text(locs)
    if lastmods is None or text is None:
        return None
    try:
        words = [*map(PLAIN_WORDS.__getitem__, columns.get("changefreq", absent))]
        numbers_ = [*map(PLAIN_NUMBERS.__getitem__, columns.get("priority", absent))]
    except KeyError:
        return None
    titles = [title if title.strip() else None for title in columns.get("title", absent)]
    return Core([account.name] * len(locs), locs, lastmods, words, numbers_, numbers, titles=titles, text=text)


def _recognise(sample: list[tuple[int, str]]) -> _Table | None:
    dialect = detect([text for _, text in sample])
    found = split_rows(sample[dialect.skip :], dialect.delimiter, max_record=MAX_ROW)
    rows = [row.cells for row in found if isinstance(row, Row)]
    if not rows:
        return None
    header = rows[0] if looks_like_header(rows[0]) else None
    columns = recognise(header or [""] * len(rows[0]))
    if columns.loc is None and columns.ambiguous is None:
        columns = _with_guess(columns, rows[1:] if header else rows)
    filled = frozenset(at for row in rows[bool(header) :] for at, cell in enumerate(row) if cell and not cell.isspace())
    return _Table(dialect, columns, header, filled)


def _with_guess(columns: Columns, body: Sequence[Sequence[str]]) -> Columns:
    place = guess_loc_column(body)
    if place is None or place >= len(columns.fields) or columns.fields[place] is not None:
        return columns
    fields = (*columns.fields[:place], "loc", *columns.fields[place + 1 :])
    return Columns(loc=place, fields=fields, ambiguous=None, duplicates=columns.duplicates)


def _described(account: Account, table: _Table | None, sample: list[tuple[int, str]]) -> _Table:
    """The table, its columns noted in the account; refuses one without a column of addresses."""
    if table is None or table.columns.loc is None:
        line = sample[0][0] if sample else 1
        raise ReadError(_why_not(table), source=account.name, format="csv", line=line, rule="missing-loc")
    header = table.header or [f"column {number}" for number in range(1, len(table.columns.fields) + 1)]
    account.columns = [
        (name.strip("\ufeff "), field if field in FIELDS else None)
        for name, field in zip(header, table.columns.fields, strict=True)
    ]
    line = next((number for number, _ in sample[table.dialect.skip :]), 1)
    for name in table.columns.duplicates:
        message = f"the column {name!r} occurs again; the first is used"
        account.find("repeated-element", message, line=line, value=name, action="dropped-value")
    _name_unknown(account, table, line)
    return table


def _name_unknown(account: Account, table: _Table, line: int) -> None:
    """Say which columns are left out."""
    names = list(_unknown(table))
    if names:
        more = [f"and {len(names) - NAMED} more"] if len(names) > NAMED else []
        said = ", ".join([*map(repr, names[:NAMED]), *more])
        kind = "columns are no fields" if len(names) > 1 else "column is no field"
        why = "" if table.header else ", for no header names them"
        message = f"{len(names)} {kind} of an entry{why}; left out: {said}"
        account.find("unknown-column", message, line=line, value=", ".join(names), action="dropped-value")


def _unknown(table: _Table) -> Iterator[str]:
    """Columns without a meaning, but for those of an inventory, repeated and empty ones, and an index of pandas."""
    passed_over = {*OWN, *table.columns.duplicates}
    for at, field in enumerate(table.columns.fields):
        name = table.header[at].strip("\ufeff ") if table.header else ""
        is_index = table.header is not None and at == 0 and not name
        if field is None and at in table.filled and name not in passed_over and not is_index:
            yield name or f"column {at + 1}"


def _why_not(table: _Table | None) -> str:
    if table is None:
        return "the table has no rows"
    if table.columns.ambiguous:
        return table.columns.ambiguous
    names = ", ".join(repr(name) for name in table.header or [])
    return f"no column holds addresses; the columns are {names}" if names else "no single column holds addresses"


def _entries(account: Account, options: ReadOptions, table: _Table, rows: Iterable[Row | Fault]) -> Iterator[Entry]:
    width = len(table.columns.fields)
    for row in rows:
        if isinstance(row, Fault):
            account.count()
            account.reject(
                "csv-malformed", row.message, line=row.line, column=row.column, field="record", value=row.raw
            )
        elif any(cell and not cell.isspace() for cell in row.cells):
            account.count()
            if _right_width(account, row, width) and (entry := _entry(account, options, table, row)) is not None:
                yield entry


def _right_width(account: Account, row: Row, width: int) -> bool:
    """Whether the row's address can be known: with too many cells it can't, an empty surplus aside."""
    found = len(row.cells)
    if found == width or (found > width and not any(cell.strip() for cell in row.cells[width:])):
        return True
    message = f"the row has {found} fields, the header {width}"
    if found > width:
        message += "; which of them belong to the address can't be known"
        account.reject("row-width", message, line=row.line, field="record", value=row.raw)
        return False
    account.find("row-width", message, line=row.line, value=row.raw, severity="warning")
    return True


def _entry(account: Account, options: ReadOptions, table: _Table, row: Row) -> Entry | None:
    cells = {
        field: (row.cells[place], row.cell_line(place))
        for place, field in enumerate(table.columns.fields[: len(row.cells)])
        if field is not None
    }
    raw = {name: text for name, (text, _) in cells.items() if name in FIELDS and text}
    if table.dialect.decimal_comma and "priority" in raw:
        raw["priority"] = raw["priority"].replace(",", ".", 1)
    text, line = cells.get("loc", ("", row.line))
    if not text.strip():
        account.reject("missing-loc", "the row has no address", line=row.line, value=row.raw, raw=row.raw, fields=raw)
        return None
    if (options.indexable or options.remark) and (why := _why_not_indexable(cells)):
        left_out = "; it is left out" if options.indexable else ""
        account.find(why.rule, why.message + left_out, line=row.line, value=text)
        if options.indexable:
            account.filter()
            return None
    loc = usable_loc(account, options, text, line, fields=raw, raw=row.raw)
    if loc is None:
        return None
    values = _values(account, options, cells, table.dialect.decimal_comma)
    return _with_blocks(account, {"loc": loc, "origin": Origin(account.name, line), **values}, cells)


class _Reason(NamedTuple):
    rule: str
    message: str


def _why_not_indexable(row: dict[str, tuple[str, int]]) -> _Reason | None:
    """Why a crawl export's own columns say that the row is no page to index; None if they don't."""
    cells = {name: text.strip() for name, (text, _) in row.items()}
    loc, status, canonical = cells.get("loc", ""), cells.get("status", ""), cells.get("canonical", "")
    if status and status != "200":
        return _Reason("non-200", f"the page answered {status}")
    if "noindex" in " ".join(cells.get(name, "") for name in _VERDICTS).lower():
        return _Reason("noindex", "the page is marked noindex")
    if canonical and urls.dedupe_key(canonical) != urls.dedupe_key(loc.strip()):
        return _Reason("not-canonical", f"the page names {canonical} as the canonical one")
    kind = cells.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind not in _PAGES:
        return _Reason("not-a-page", f"the address answers {kind}, which is no page")
    if cells.get("indexability", "").lower() == "non-indexable":
        return _Reason("noindex", "the export says that the page is not indexable")
    return None


def _values(
    account: Account, options: ReadOptions, cells: dict[str, tuple[str, int]], decimal_comma: bool
) -> dict[str, Any]:
    def cell(name: str) -> tuple[str | None, int | None]:
        text, line = cells.get(name, ("", None))
        return (text, line) if text.strip() else (None, None)

    return {
        "lastmod": date_of(account, options, *cell("lastmod"), read=read_any, blank_is_absent=True),
        "changefreq": changefreq_of(account, *cell("changefreq")),
        "priority": priority_of(account, *cell("priority"), decimal_comma=decimal_comma),
        "title": cell("title")[0],
    }


def _with_blocks(account: Account, values: dict[str, Any], cells: dict[str, tuple[str, int]]) -> Entry:
    """The entry with its JSON columns; what is no JSON of ours (a shop's own Images column) is left out."""
    for name in BLOCKS:
        text, line = cells.get(name, ("", 0))
        if not text.strip():
            continue
        try:
            found = text if name == "mobile" else json.loads(text)
        except (ValueError, RecursionError):
            _lost(account, f"the column {name} holds {_instead(text)}; the cell is left out", line, text)
            continue
        values[name], faults = field_value(name, found)
        for fault in faults:
            message = f"the column {name} does not hold what urlset writes there ({fault.place}: {fault.message})"
            _lost(account, f"{message}; it is left out", line, fault.value)
    return Entry(**values)


def _lost(account: Account, message: str, line: int, value: str) -> None:
    account.find("invalid-json", message, line=line, value=value, action="dropped-value", severity="warning")


def _instead(text: str) -> str:
    """What a cell holds that is no JSON.

    Lists that pandas writes have no commas, end in dots if they are long, and are not read back: that would be a guess.
    """
    if _PRINTED.match(text):
        return "values as Python prints them, and no JSON: write a DataFrame with urlset.write"
    return "no JSON"


CSV = Format(
    name="csv",
    title="CSV table",
    specification="https://www.rfc-editor.org/rfc/rfc4180",
    suffixes=(".csv",),
    media_types=("text/csv", "text/tab-separated-values"),
    carries=frozenset(FIELDS),
    sniff=sniff,
    read=read,
    batches=batches,
    write=writer(",", "\r\n"),
)
