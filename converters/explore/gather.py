"""Entries to record batches: as columns where a reader has them so, else built from the entries."""

from __future__ import annotations

from array import array as numbers
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, cast

from urlset.converters import steps
from urlset.formats.arrow.columns import check, columns_of, core_columns_of, joined, of_type
from urlset.formats.arrow.library import arrow
from urlset.formats.arrow.schema import entry_schema
from urlset.formats.vocabulary.batches import Batch
from urlset.formats.vocabulary.entry import Core, Entry, Origin
from urlset.formats.vocabulary.ledger import Ledger

ROWS = 4_096
"""Entries of a batch, about; the memory of larger columns goes back to the system each time, which takes a while."""

MANY = 1 << 17
"""Entries after which batches are twice as large: each costs some time whatever is in it."""


@cache
def held_schema() -> Any:
    """What is held: words that come again and again stand in it as numbers."""
    pa = arrow()
    words = pa.dictionary(pa.int8(), pa.string())
    encoded = {name: pa.field(name, words) for name in ("changefreq", "lastmod_precision")}
    own = (pa.field("source", pa.dictionary(pa.int32(), pa.string())), pa.field("line", pa.int64()))
    return pa.schema([*(encoded.get(field.name, field) for field in entry_schema()), *own])


def record_batches(batches: Iterable[Batch], ledger: Ledger) -> Iterator[Any]:
    """Record batches of :func:`held_schema`; what columns can't hold is rejected."""
    for chunk in _chunks(batches):
        yield _batch(chunk, ledger)


_Chunk = list[Entry] | list[Core]


def _chunks(batches: Iterable[Batch]) -> Iterator[_Chunk]:
    """Entries in their order, as columns where a good deal of them are; no chunk is empty."""
    cores: list[Core] = []
    number = 0  # of entries in them
    seen, wanted = 0, ROWS
    held: list[Entry] = []
    for batch in batches:
        core = batch.columns()
        if core is not None and not held:
            cores.append(core)
            number += len(core.locs)
        else:
            # Few columns between single entries are not worth a chunk of their own.
            if number >= _FEW:
                yield cores
            else:
                held.extend(chain.from_iterable(one.entries() for one in cores))
            cores, number = [], 0
            held.extend(batch if core is None else core.entries())
        if number + len(held) < wanted:
            continue
        seen += number + len(held)
        wanted = ROWS if seen < MANY else 2 * ROWS
        yield cores or held
        cores, number, held = [], 0, []
    if cores or held:
        yield cores or held


_FEW = 1_024
"""Columns of fewer entries, between entries with blocks, are not worth a chunk of their own."""


def _batch(chunk: _Chunk, ledger: Ledger) -> Any:
    entries = cast("list[Entry]", chunk)
    try:
        if isinstance(chunk[0], Core):
            return _of_columns([one for one in chunk if isinstance(one, Core)])
        arrays = columns_of(entries)
    except ValueError:
        single = chain.from_iterable(one.entries() if isinstance(one, Core) else (one,) for one in chunk)
        entries = [entry for entry in single if _fits(entry, ledger)]
        arrays = columns_of(entries)
    pa = arrow()
    origins = [entry.origin or Origin("") for entry in entries]
    arrays.append(pa.array([origin.source for origin in origins], pa.string()))
    arrays.append(pa.array([origin.line for origin in origins], pa.int64()))
    return _whole(arrays)


def _of_columns(cores: list[Core]) -> Any:
    arrays = core_columns_of(cores, held_schema())
    return _whole([*arrays, _sources(cores), _numbers(joined(one.lines for one in cores))])


def _numbers(lines: list[int | None]) -> Any:
    pa = arrow()
    try:
        buffer = pa.py_buffer(numbers("q", cast("list[int]", lines)))
    except TypeError:  # some are not known
        return pa.array(lines, pa.int64())
    return pa.Array.from_buffers(pa.int64(), len(lines), [None, buffer])


def _sources(cores: list[Core]) -> Any:
    """The names of the documents: nearly always one for very many rows."""
    pa = arrow()
    if len({name for one in cores for name in {*one.sources}}) > 1:
        return pa.array(joined(one.sources for one in cores), pa.string())
    number = sum(len(one.sources) for one in cores)
    return pa.DictionaryArray.from_arrays(_zeros(-(-number // ROWS) * ROWS).slice(0, number), [cores[0].sources[0]])


@cache
def _zeros(number: int) -> Any:
    """Zeros that all parts of them share."""
    return arrow().repeat(arrow().scalar(0, arrow().int32()), number)


def _whole(arrays: list[Any]) -> Any:
    schema = held_schema()
    typed = [of_type(array, field.type) for array, field in zip(arrays, schema, strict=True)]
    return arrow().RecordBatch.from_arrays(typed, schema=schema)


def _fits(entry: Entry, ledger: Ledger) -> bool:
    try:
        check(entry)
    except ValueError as error:
        steps.reject(entry, "value-not-carried", f"columns can't hold it: {error}", ledger)
        return False
    return True
