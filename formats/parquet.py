"""Parquet: entries as columns in a file, for whoever goes on with pandas, polars, DuckDB or Spark.

Specification: https://parquet.apache.org/docs/file-format/. It loses nothing: the columns are those of
``formats/arrow/schema.py``, the same whatever the data, in groups of rows. Other files are read by the names of their
columns, as tables are. Needs pyarrow, an extra.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import IO, Any

from urlset.formats.arrow.apart import explained, opened
from urlset.formats.arrow.columns import CORE, check, columns_of, core_columns_of, fits, is_plain
from urlset.formats.arrow.library import arrow, parquet
from urlset.formats.arrow.schema import entry_schema
from urlset.formats.arrow.values import rows_of
from urlset.formats.arrow.worker import Bounds
from urlset.formats.tables.typed import TypedRows
from urlset.formats.vocabulary.batches import SIZE, Batches, counted, gathered, one_by_one
from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, FIELDS, Core, Entry
from urlset.formats.vocabulary.format import Format, Head, Piece, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import PLAIN_NUMBERS
from urlset.formats.vocabulary.source import Source
from urlset.formats.vocabulary.url_columns import plain_text

MAGIC = b"PAR1"

GROUP = 32_768
"""Rows of one group, which are held until it is written."""

ROWS = 4_096
"""Rows that are read at a time, at most."""

_REPEATED = ["changefreq", "lastmod_precision", "priority"]
"""Columns whose values come again and again, so that it pays to store them once."""


PIECE = 4 << 20
"""Bytes of columns that become entries together, about."""


def sniff(head: Head) -> bool:
    """The file begins with the four letters of the format."""
    return head.data.startswith(MAGIC)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a row; rows take the place of lines in findings."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches. A process of its own reads the file.

    Raises ReadError for a broken file or one without a column of addresses, LimitError for one that asks for more
    memory or time than the limits allow, MissingDependencyError without pyarrow.
    """
    arrow()
    limits = source.limits
    bounds = Bounds(ROWS, limits.max_inflated, limits.max_ratio, limits.ratio_from)
    with source.seekable(account.report) as stream, opened(stream, bounds, source.name) as (schema, found):
        rows = TypedRows(account, options, schema.names)
        first = 1
        for batch in found:
            for core, piece in _pieces(batch, account, first):
                if core is not None:
                    yield from counted(core, account)
                else:
                    yield from gathered(_entries(rows, piece, first, source), account)
                first += piece.num_rows


def _entries(rows: TypedRows, batch: Any, first: int, source: Source) -> Iterator[Entry]:
    with explained(source.name):
        cells = list(rows_of(batch))
    return filter(None, map(rows.entry, count(first), cells))


def _pieces(batch: Any, account: Account, first: int) -> Iterator[tuple[Core | None, Any]]:
    """Some rows after the other, as the entries that they are if there is nothing to say of any; else None."""
    usual = is_plain(batch)
    size = max(1, min(SIZE, PIECE * batch.num_rows // max(1, batch.nbytes)))
    for start in range(0, batch.num_rows, size):
        piece = batch.slice(start, size)
        yield _core(piece, account, first + start) if usual else None, piece


def _core(piece: Any, account: Account, first: int) -> Core | None:
    columns = {name: piece.column(name).to_pylist() for name in CORE}
    locs, lastmods = columns["loc"], plain_dates([text or "" for text in columns["lastmod_text"]])
    text = plain_text(locs)
    if lastmods is None or text is None:
        return None
    words, priorities = columns["changefreq"], columns["priority"]
    if not {*words} <= _WORDS or not {*priorities} <= _NUMBERS:
        return None
    names, lines = [account.name] * len(locs), range(first, first + len(locs))
    return Core(names, locs, lastmods, words, priorities, lines, titles=columns["title"], text=text)


_WORDS = {None, *CHANGE_FREQUENCIES}
_NUMBERS = {*PLAIN_NUMBERS.values()}


class Sheet:
    """A file that is being written, group by group. The same entries give the same bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._sink = _Sink(stream)
        file = arrow().PythonFile(self._sink, mode="w")
        self._file = parquet().ParquetWriter(
            file, entry_schema(), compression="zstd", use_dictionary=_REPEATED, write_page_checksum=True
        )
        self._held: list[Entry | Core] = []
        self._number = 0

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError for one that columns can't hold."""
        check(entry)
        self._hold(entry, 1)

    def add_plain(self, core: Core) -> bool:
        """Write many entries, if they fit into the group and columns can hold them; else write nothing."""
        if self._number + len(core.locs) > GROUP or not fits(core):
            return False
        self._hold(core, len(core.locs))
        return True

    def _hold(self, what: Entry | Core, number: int) -> None:
        self._held.append(what)
        self._number += number
        if self._number >= GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the footer."""
        self._flush()
        self._file.close()

    def discard(self) -> None:
        """Write no more; pyarrow would add a footer whenever it lets go of a file."""
        self._sink.stream = None
        self._file.close()

    def _flush(self) -> None:
        if self._held:
            columns = map(arrow().concat_arrays, zip(*_runs(self._held), strict=True))
            batch = arrow().RecordBatch.from_arrays([*columns], schema=entry_schema())
            self._file.write_batch(batch, row_group_size=GROUP)
            self._held, self._number = [], 0


def _runs(held: Sequence[Entry | Core]) -> Iterator[list[Any]]:
    """The columns of entries and of what are columns already, in their order."""
    for _, run in groupby(held, key=type):
        some = [*run]
        cores = [one for one in some if isinstance(one, Core)]
        yield core_columns_of(cores) if cores else columns_of([one for one in some if isinstance(one, Entry)])


class _Sink:
    """What pyarrow writes to: a stream that stays the caller's, until it is taken away."""

    closed = False

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream: IO[bytes] | None = stream
        self._size = 0

    def write(self, data: bytes) -> int:
        if self.stream is not None:
            self.stream.write(data)
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        """The caller flushes."""

    def close(self) -> None:
        """The caller closes."""


def encode(entry: Entry) -> Piece:
    """A file of one entry: what it takes by itself. Files are written by :class:`Sheet`."""
    stream = io.BytesIO()
    sheet = Sheet(stream)
    sheet.add(entry)
    sheet.close()
    return Piece(stream.getvalue())


PARQUET = Format(
    name="parquet",
    title="Apache Parquet",
    specification="https://parquet.apache.org/docs/file-format/",
    suffixes=(".parquet",),
    media_types=("application/vnd.apache.parquet",),
    carries=frozenset(FIELDS),
    sniff=sniff,
    read=read,
    batches=batches,
    write=Writer(encode, sheet=Sheet),
    binary=True,
)
