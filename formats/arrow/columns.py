"""Entries to columns, a batch at a time, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from urlset.formats.arrow.library import arrow, compute
from urlset.formats.arrow.schema import BLOCKS, DATE_COLUMNS, PRECISIONS, entry_schema, instant_type
from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.dates import LastMod, Precision
from urlset.formats.vocabulary.entry import FIELDS, Alternate, Core, Entry, Image, News, PageMap, Video

_GET = {name: attrgetter(name) for name in (*FIELDS, "origin")}
_MODELS: dict[str, Any] = {"images": Image, "videos": Video, "alternates": Alternate, "pagemaps": PageMap}


def columns_of(entries: Sequence[Entry]) -> list[Any]:
    """The arrays of :func:`entry_schema`. Raises ValueError if columns can't hold one of the entries.

    That is a text with half of a surrogate pair, or a number of more than 64 bits.
    """
    pa, schema = arrow(), entry_schema()
    built: dict[str, Any] = {}
    try:
        for name in FIELDS:
            values = list(map(_GET[name], entries))
            if name == "lastmod":
                built |= dates_of(values)
            else:
                kind = schema.field(name).type
                built[name] = _blocks(values, kind) if name in BLOCKS else pa.array(values, kind)
    except OverflowError as error:
        raise ValueError("a number has more than 64 bits") from error
    return [built[name] for name in schema.names]


def core_columns_of(cores: Sequence[Core], schema: Any = None) -> list[Any]:
    """The same of entries that are columns already, and of a schema in which words may stand as numbers.

    Raises ValueError as it does.
    """
    pa, schema = arrow(), schema or entry_schema()
    number = sum(len(core.locs) for core in cores)
    built = {
        "loc": pa.array(joined(core.locs for core in cores), pa.string()),
        "changefreq": pa.array(joined(core.changefreqs for core in cores), pa.string()),
        "priority": pa.array(joined(core.priorities for core in cores), pa.float64()),
        **_all_dates([core.lastmods for core in cores]),
    }
    if any(core.titles for core in cores):
        built["title"] = pa.array(joined(core.titles or [None] * len(core.locs) for core in cores), pa.string())
    kinds = {name: schema.field(name).type for name in entry_schema().names}
    return [of_type(built[name], kind) if name in built else _absent(number, kind) for name, kind in kinds.items()]


def _absent(number: int, kind: Any) -> Any:
    """A column in which nothing is present: a part of one that all share, which takes no memory."""
    shared = _shared(kind)
    return shared.slice(0, number) if number <= len(shared) else arrow().nulls(number, kind)


@cache
def _shared(kind: Any) -> Any:
    return arrow().nulls(1 << 15, kind)


def of_type(words: Any, kind: Any) -> Any:
    """A column of a type; words as numbers or as texts."""
    if words.type != kind and arrow().types.is_dictionary(kind) and not arrow().types.is_dictionary(words.type):
        words = words.dictionary_encode()
    return words if words.type == kind else words.cast(kind)


def joined(columns: Iterable[Sequence[Any]]) -> list[Any]:
    """Columns behind each other; taking each as a whole is several times as fast as its values one by one."""
    whole: list[Any] = []
    for column in columns:
        whole += column
    return whole


def _all_dates(dates: Sequence[Dates]) -> dict[str, Any]:
    """The three columns of many columns of dates; the words of the last may stand as numbers."""
    runs = [[*run] for _, run in groupby(dates, key=lambda one: one.read is None)]
    built = [_plain_dates(run) if run[0].read is None else _read_dates(run) for run in runs]
    return {name: _behind_each_other([one[name] for one in built]) for name in DATE_COLUMNS}


def _behind_each_other(arrays: Sequence[Any]) -> Any:
    kind = arrays[0].type if all(one.type == arrays[0].type for one in arrays) else arrow().string()
    return arrow().concat_arrays([one.cast(kind) for one in arrays])


def _read_dates(dates: Sequence[Dates]) -> dict[str, Any]:
    return dates_of(joined(one.values() for one in dates))


def _plain_dates(dates: Sequence[Dates]) -> dict[str, Any]:
    """:func:`dates_of` by kernels, where every text says all of its date."""
    texts = joined(one.texts for one in dates)
    return _told(arrow().array([text or None for text in texts] if "" in texts else texts, arrow().string()))


def _told(texts: Any) -> dict[str, Any]:
    """What texts that say all of their dates tell."""
    pa, pc = arrow(), compute()
    fraction = pc.equal(pc.binary_slice(texts.cast(pa.binary()), 19, 20), b".")  # dates are ASCII
    day, second, digits = (pa.scalar(one, pa.int8()) for one in _TOLD)
    codes = pc.if_else(pc.equal(pc.binary_length(texts), 10), day, pc.if_else(fraction, digits, second))
    return dict(zip(DATE_COLUMNS, (instants(texts), texts, _words(codes)), strict=True))


_TOLD = (Precision.DAY, Precision.SECOND, Precision.FRACTION)


def _words(codes: Any) -> Any:
    """Precisions as words that stand as numbers; no word that does not occur is among them."""
    pa, encoded = arrow(), codes.dictionary_encode()
    words = [PRECISIONS[Precision(code)] for code in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices.cast(pa.int8()), pa.array(words, pa.string()))


CORE = ("loc", "lastmod_text", "changefreq", "priority", "title")
"""The columns that tell all of an entry without blocks whose date says all; see :class:`Dates`."""


def is_plain(batch: Any) -> bool:
    """Whether a batch is one of ours, of entries without blocks, and its texts of dates say all of them."""
    if batch.schema != entry_schema() or batch.column("loc").null_count:
        return False
    if any(batch.column(name).null_count < batch.num_rows for name in (*BLOCKS, "mobile")):
        return False
    texts = batch.column("lastmod_text")
    if compute().any(compute().less(compute().binary_length(texts), 10)).as_py():
        return False
    try:
        told = _told(texts)
    except arrow().ArrowInvalid:  # what is no date gets a finding where the rows are read
        return False
    return all(told[name].cast(batch.column(name).type).equals(batch.column(name)) for name in DATE_COLUMNS)


def check(entry: Entry) -> None:
    """Raise ValueError if columns can't hold the entry; see :func:`columns_of`."""
    if entry.has_blocks:
        columns_of([entry])
    else:
        for text in (entry.loc, entry.title or ""):
            if not text.isascii():
                text.encode()


def fits(core: Core) -> bool:
    """Whether columns can hold entries that are columns already."""
    texts = [*(title or "" for title in core.titles or ()), *(() if core.text is not None else core.locs)]
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def dates_of(dates: Sequence[LastMod | None]) -> dict[str, Any]:
    """The three columns of a date. An instant outside of Python's datetime is null; its text is there all the same."""
    pa = arrow()
    texts = pa.array([None if one is None else str(one) for one in dates], pa.string())
    words = [None if one is None else PRECISIONS[one.precision] for one in dates]
    return dict(zip(DATE_COLUMNS, (instants(texts), texts, pa.array(words, pa.string())), strict=True))


def instants(texts: Any) -> Any:
    """The instants of texts as LastMod prints them, cut to microseconds; the first midnight in UTC without a time."""
    pc = compute()
    length = pc.binary_length(texts)
    whole = texts
    shortest, longest = pc.min_max(length).as_py().values()
    if (shortest or 10) < 10:
        for short, rest in ((4, "-01-01"), (7, "-01")):
            whole = _completed(whole, pc.equal(length, short), rest)
    whole = _completed(whole, pc.less_equal(length, 10), "T00:00:00Z")
    if (longest or 0) > len("1997-07-16T19:20:30.123456Z"):
        whole = pc.replace_substring_regex(whole, r"(\.[0-9]{6})[0-9]+", r"\1")
    return _within(pc.cast(whole, instant_type()))


def _completed(texts: Any, where: Any, rest: str) -> Any:
    pc = compute()
    return pc.if_else(where, pc.binary_join_element_wise(texts, rest, ""), texts) if where.true_count else texts


_FIRST = -62_135_596_800_000_000  # 0001-01-01T00:00:00Z in microseconds
_LAST = 253_402_300_799_999_999  # 9999-12-31T23:59:59.999999Z


def _within(found: Any) -> Any:
    """Without instants that an offset takes out of the years 1 to 9999, which neither Python nor pandas can show."""
    pa, pc = arrow(), compute()
    number = found.cast(pa.int64())
    earliest, latest = pc.min_max(number).as_py().values()
    if earliest is None or (earliest >= _FIRST and latest <= _LAST):
        return found
    inside = pc.and_(pc.greater_equal(number, _FIRST), pc.less_equal(number, _LAST))
    return pc.if_else(inside, found, pa.scalar(None, found.type))


def _blocks(values: Sequence[Any], kind: Any) -> Any:
    pa = arrow()
    return pa.array(list(map(_plain, values)), kind) if any(values) else pa.nulls(len(values), kind)


def _plain(value: Any) -> Any:
    """A block as dictionaries and lists; absent is None."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return list(map(_plain, value)) or None
    if isinstance(value, LastMod):
        return str(value)
    return {name: _plain(inner) for name, inner in value.__dict__.items()}


def fields_of(batch: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The loc and the other present fields of each row of a batch that :func:`columns_of` made."""
    names = [name for name in FIELDS if batch.column(name).null_count < batch.num_rows]
    values = [_dates_back(batch) if name == "lastmod" else batch.column(name).to_pylist() for name in names]
    for row in zip(*values, strict=True):
        fields = {name: value for name, value in zip(names, row, strict=True) if value is not None}
        for name in fields.keys() & BLOCKS:
            fields[name] = block(name, fields[name])
        yield fields.pop("loc"), fields


def _dates_back(batch: Any) -> list[LastMod | None]:
    texts, words = (batch.column(name).to_pylist() for name in DATE_COLUMNS[1:])
    return [None if text is None else date(text, word) for text, word in zip(texts, words, strict=True)]


def date(text: str, precision: str | None) -> LastMod:
    """A date from its text; minutes are printed with seconds, so their precision has to be told."""
    return LastMod(text[:16] + text[19:] if precision == "minute" and text[16:19] == ":00" else text)


def block(name: str, value: Any) -> Any:
    """A field with blocks from dictionaries and lists, in which absent is None. Raises ValidationError."""
    if name == "news":
        return News.model_validate(present(value))
    if name == "extra":
        return tuple(value)
    return tuple(_MODELS[name].model_validate(present(one)) for one in value)


def present(value: Any) -> Any:
    """Without what is None, at any depth."""
    if isinstance(value, dict):
        return {name: present(inner) for name, inner in value.items() if inner is not None}
    return [present(inner) for inner in value] if isinstance(value, list) else value
