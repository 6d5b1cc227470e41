"""Parquet: entries as columns in a file, for whoever goes on with pandas, polars, DuckDB or Spark.

Specification: https://parquet.apache.org/docs/file-format/. It loses nothing: the columns are those of
``formats/arrow/schema.py``, the same whatever the data, in groups of rows. Other files are read by the names of their
columns, as tables are. Needs pyarrow, an extra.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from urlset.formats.arrow.columns import check, columns_of
from urlset.formats.arrow.library import arrow, parquet
from urlset.formats.arrow.schema import entry_schema
from urlset.formats.arrow.values import rows_of
from urlset.formats.tables.typed import TypedRows
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.errors import LimitError, ReadError
from urlset.formats.vocabulary.format import Format, Head, Piece, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source

MAGIC = b"PAR1"

GROUP = 32_768
"""Rows of one group, which are held until it is written."""

ROWS = 4_096
"""Rows that are read at a time, at most."""

DECODED = 256 << 20
"""Bytes that a column of these may take: a text that is stored once can be meant in every row."""

_IN_FULL = frozenset({"PLAIN", "RLE", "BIT_PACKED"})
"""Encodings in which a text takes the room that it has."""

VALUE = 64
"""Bytes that one value takes in Python, about."""

_REPEATED = ["changefreq", "lastmod_precision", "priority"]
"""Columns whose values come again and again, so that it pays to store them once."""


def sniff(head: Head) -> bool:
    """The file begins with the four letters of the format."""
    return head.data.startswith(MAGIC)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a row; rows take the place of lines in findings.

    Raises ReadError for a broken file or one without a column of addresses, LimitError for a group of rows that is
    larger than the limits allow, MissingDependencyError without pyarrow.
    """
    arrow()
    with source.seekable(account.report) as stream:
        file = _opened(stream, source)
        rows = TypedRows(account, options, file.schema_arrow.names)
        for number, row in enumerate(_rows(file, source), 1):
            entry = rows.entry(number, row)
            if entry is not None:
                yield entry


def _opened(stream: IO[bytes], source: Source) -> Any:
    with _explained(source):
        file = parquet().ParquetFile(stream, pre_buffer=False)
    _check_size(file.metadata, source)
    return file


def _rows(file: Any, source: Source) -> Iterator[Sequence[Any]]:
    batches = file.iter_batches(_rows_at_a_time(file.metadata), use_threads=False)
    while True:
        with _explained(source):
            batch = next(batches, None)
            if batch is None:
                return
            rows = list(rows_of(batch))
        yield from rows


@contextmanager
def _explained(source: Source) -> Iterator[None]:
    """What pyarrow says of a broken file, as an error of ours."""
    try:
        yield
    except (arrow().ArrowException, UnicodeDecodeError, OverflowError, OSError) as error:
        text = str(error).partition("\n")[0]
        raise ReadError(f"it is no sound Parquet file: {text}", source=source.name, rule="document-refused") from error


def _check_size(metadata: Any, source: Source) -> None:
    """Refuse what would not fit into memory: a group of rows, or a list of very many values that take no room."""
    most = source.limits.max_inflated
    for at in range(metadata.num_row_groups):
        group = metadata.row_group(at)
        values = max((group.column(column).num_values for column in range(group.num_columns)), default=0)
        for number, what, limit in ((group.total_byte_size, "bytes", most), (values, "values", most // VALUE)):
            if number > limit:
                message = f"a group of rows has {number:,} {what}, and {limit:,} are allowed"
                raise LimitError(message, source=source.name, rule="resource-limit")


def _rows_at_a_time(metadata: Any) -> int:
    """As many that none of their columns grows too large, whatever is stored once for all of them."""
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    chunks = [group.column(at) for group in groups for at in range(group.num_columns)]
    largest = max((one.total_uncompressed_size for one in chunks if set(one.encodings) - _IN_FULL), default=1)
    return min(ROWS, max(1, DECODED // max(1, largest)))


class Sheet:
    """A file that is being written, group by group. The same entries give the same bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._sink = _Sink(stream)
        file = arrow().PythonFile(self._sink, mode="w")
        self._file = parquet().ParquetWriter(file, entry_schema(), compression="zstd", use_dictionary=_REPEATED)
        self._rows: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError for one that columns can't hold."""
        check(entry)
        self._rows.append(entry)
        if len(self._rows) >= GROUP:
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
        if self._rows:
            batch = arrow().RecordBatch.from_arrays(columns_of(self._rows), schema=entry_schema())
            self._file.write_batch(batch, row_group_size=GROUP)
            self._rows = []


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
    write=Writer(encode, sheet=Sheet),
    binary=True,
)
