"""Reads a Parquet file in a process of its own, and passes its rows on as a stream of Arrow batches.

``apart.py`` runs this file as a script: the file is standard input, the batches go to standard output, and what is
wrong to standard error. Beside pyarrow it imports the standard library alone, so that it starts fast.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

BROKEN, TOO_MUCH = 3, 4
"""What the process ends with if the file is no sound one, and if it asks for more than is allowed."""

DECODED = 256 << 20
"""Bytes that a column of one batch may take: a text that is stored once can be meant in every row."""

VALUE = 64
"""Bytes that one value takes in Python, about."""

MEMORY = 1 << 30
"""Bytes of memory for the code and a batch; three times those of the largest group of rows come to them."""

SECONDS = 120
"""Computing time for a batch. A group of rows of a gigabyte, which is unpacked with its first one, takes ten."""

_IN_FULL = frozenset({"PLAIN", "RLE", "BIT_PACKED"})
"""Encodings in which a text takes the room that it has."""


class Bounds(NamedTuple):
    """How much a file may ask for: rows of a batch, bytes of a group of rows, and those for one byte of the file."""

    rows: int
    inflated: int
    ratio: int
    ratio_from: int


class TooMuchError(Exception):
    """A file asks for more than is allowed."""


class Sheet:
    """An open file: its ``schema``, the bytes of its ``largest`` group of rows, and its rows in batches.

    Raises TooMuchError or MemoryError, and whatever pyarrow does of a broken file.
    """

    def __init__(self, stream: IO[bytes], bounds: Bounds) -> None:
        from pyarrow.parquet import ParquetFile

        size = stream.seek(0, os.SEEK_END)
        self._file = ParquetFile(stream, pre_buffer=False, page_checksum_verification=True)
        self.schema = self._file.schema_arrow.remove_metadata()
        groups = [self._file.metadata.row_group(at) for at in range(self._file.metadata.num_row_groups)]
        self.largest = _largest(groups, size, bounds)
        self._rows = _rows_at_a_time(groups, bounds.rows)

    def batches(self) -> Iterator[Any]:
        """The rows; their texts are texts, and their lists end where they should."""
        for batch in self._file.iter_batches(self._rows, use_threads=False):
            # pyarrow leaves that to its callers: https://arrow.apache.org/docs/dev/cpp/security.html
            batch.validate(full=True)
            yield batch.replace_schema_metadata(None)


def _largest(groups: list[Any], size: int, bounds: Bounds) -> int:
    """Refuse what would not fit into memory: a group of rows, or a list of very many values that take no room."""
    most = min(bounds.inflated, max(bounds.ratio_from, bounds.ratio * size))
    for group in groups:
        values = max((one.num_values for one in _columns(group)), default=0)
        _check(group.total_byte_size, "bytes", most)
        _check(values, "values", bounds.inflated // VALUE)
    return max((group.total_byte_size for group in groups), default=0)


def _check(number: int, what: str, limit: int) -> None:
    if number > limit:
        raise TooMuchError(f"a group of rows has {number:,} {what}, and {limit:,} are allowed")


def _rows_at_a_time(groups: list[Any], most: int) -> int:
    """As many that none of their columns grows too large, whatever is stored once for all of them."""
    chunks = [one for group in groups for one in _columns(group)]
    largest = max((one.total_uncompressed_size for one in chunks if set(one.encodings) - _IN_FULL), default=1)
    return min(most, max(1, DECODED // max(1, largest)))


def _columns(group: Any) -> list[Any]:
    return [group.column(at) for at in range(group.num_columns)]


def main(arguments: list[str]) -> int:
    """Read standard input; takes where to import from, and the bounds, as JSON. Returns what to end with."""
    sys.path[:], bounds = json.loads(arguments[0]), Bounds(*json.loads(arguments[1]))
    # pyarrow takes half of its time to start for numpy, which nothing here needs.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    # What a library prints must not come between the batches.
    out = os.dup(1)
    os.dup2(2, 1)
    with open(0, "rb", closefd=False) as stream, open(out, "wb") as batches:  # noqa: PTH123 - descriptors
        return send(stream, batches, bounds)


def send(stream: IO[bytes], out: IO[bytes], bounds: Bounds) -> int:
    """Write the batches of a file, and say on standard error what is wrong. Returns what to end with."""
    try:
        _send(stream, out, bounds)
    except TooMuchError as error:
        return _ended(TOO_MUCH, str(error))
    except MemoryError:
        return _ended(TOO_MUCH, "it asks for more memory than its size explains")
    except Exception as error:  # whatever it is, the other process tells it
        return _ended(BROKEN, str(error) or type(error).__name__)
    return 0


def _send(stream: IO[bytes], out: IO[bytes], bounds: Bounds) -> None:
    from pyarrow import RecordBatch, ipc, nulls

    _bound("RLIMIT_CORE", 0)
    _bound("RLIMIT_DATA", MEMORY)
    _bound_time()
    sheet = Sheet(stream, bounds)
    _bound("RLIMIT_DATA", MEMORY + 3 * sheet.largest)
    with ipc.new_stream(out, sheet.schema) as writer:
        for batch in sheet.batches():
            if batch.num_rows:
                writer.write_batch(batch)
            _bound_time()
        # A stream that breaks off looks like one that ends; one without rows tells that this is the end.
        writer.write_batch(RecordBatch.from_arrays([nulls(0, one.type) for one in sheet.schema], schema=sheet.schema))
    out.flush()


def _ended(status: int, message: str) -> int:
    sys.stderr.write(f"{message.partition(chr(10))[0]}\n")
    return status


def _bound_time() -> None:
    used = os.times()
    _bound("RLIMIT_CPU", int(used.user + used.system) + SECONDS)


def _bound(what: str, number: int) -> None:
    """Let the system see to it, where it does: Linux keeps all three limits, Windows none."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    limit = getattr(resource, what)
    hard = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (number if hard == resource.RLIM_INFINITY else min(number, hard), hard))


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(code)  # taking pyarrow apart takes time
