"""Tables that count an inventory: by host, folder, depth, parameter, extension, month, frequency and language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from urlset.converters.explore.parts import Parts
from urlset.converters.explore.table import PRECISION, Table
from urlset.formats.arrow.library import arrow, compute
from urlset.formats.arrow.schema import PRECISIONS
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding

Batches = Iterable[Any]
_COUNTS = {"urls": "sum", "dated": "sum", "oldest": "min", "newest": "max"}
_ENDS = ("oldest", "newest")
_ROOM = 8
"""Dates are compared as their microseconds times this, plus their precision, so that the precision comes along."""


def by_host(batches: Batches) -> Table:
    """How many addresses each host has."""
    return Table("URLs by host", _grouped(batches, "host", lambda batch: Parts(batch["loc"]).column("host")))


def by_folder(batches: Batches, depth: int) -> Table:
    """How many addresses lie in each folder, or anywhere below it. Raises OptionError for a depth under 1."""
    if depth < 1:
        raise OptionError(f"the depth of folders is at least 1, not {depth}", value=str(depth))
    # More than a thousand of a kind is more than Arrow's expressions count.
    pattern = rf"(?s)^(/?(?:[^/]*/){{0,{min(depth, 1000)}}}).*"

    def folder(batch: Any) -> Any:
        pc = compute()
        inside = pc.replace_substring_regex(Parts(batch["loc"]).folder(), pattern, r"\1")
        return pc.if_else(pc.equal(inside, ""), "/", inside)

    return Table("URLs by folder", _grouped(batches, "folder", folder))


def by_extension(batches: Batches) -> Table:
    """How many addresses end in each extension; null for those without one."""
    key = _part("extension")
    return Table("URLs by extension", _grouped(batches, "extension", key))


def by_depth(batches: Batches) -> Table:
    """How many addresses lie how many folders deep, from 0."""
    return Table("URLs by depth", _grouped(batches, "depth", _part("depth")).sort_by("depth"))


def by_month(batches: Batches) -> Table:
    """How many pages changed last in which month of UTC, oldest first; null for those without a date.

    A date that is a year is in no month: such ones are counted for themselves, as ``2024 (year only)``.
    """

    def month(batch: Any) -> Any:
        pa, pc = arrow(), compute()
        # Without a zone, which is UTC, so that no database of zones is needed.
        moments = batch["lastmod"].cast(pa.int64()).cast(pa.timestamp("us"))
        only_year = pc.equal(_precisions(batch), int(Precision.YEAR))
        number = pc.add(pc.multiply(pc.year(moments), 100), pc.if_else(only_year, 0, pc.month(moments)))
        coded = number.dictionary_encode()
        words = pa.array(list(map(_month, coded.dictionary.to_pylist())), pa.string())
        return pa.DictionaryArray.from_arrays(coded.indices, words)

    found = _grouped(batches, "month", month).select(["month", "urls"])
    return Table("URLs by month of their last change", found.sort_by("month"))


def _month(number: int) -> str:
    """The name of a month from its year times 100 plus the month, 0 for none."""
    year, month = divmod(number, 100)
    return f"{year:04}-{month:02}" if month else f"{year:04} (year only)"


def by_changefreq(batches: Batches) -> Table:
    """How many pages are said to change how often, in the order of the protocol; null for those that don't say."""
    found = _grouped(batches, "changefreq", lambda batch: batch["changefreq"])
    places = {word: place for place, word in enumerate(CHANGE_FREQUENCIES)}
    order = [places.get(word, len(places)) for word in found["changefreq"].to_pylist()]
    rows = sorted(range(len(order)), key=order.__getitem__)
    return Table("URLs by change frequency", found.take(arrow().array(rows, arrow().int64())))


def by_parameter(batches: Batches) -> Table:
    """The parameters of queries: how many addresses have each, with how many different values, and one of these."""
    pa = arrow()
    schema = pa.schema([("parameter", pa.string()), ("value", pa.string()), ("urls", pa.int64())])
    pieces = [_pairs(batch).group_by(["parameter", "value"]).aggregate([([], "count_all")]) for batch in batches]
    pairs = pa.concat_tables(
        [one.rename_columns(schema.names).cast(schema) for one in pieces] or [schema.empty_table()]
    )
    found = pairs.group_by("parameter").aggregate([("urls", "sum"), ("value", "count_distinct"), ("value", "min")])
    names = ["parameter", "urls", "values", "example"]
    ranked = found.rename_columns(names).sort_by([("urls", "descending"), ("parameter", "ascending")])
    return Table("Parameters of queries", ranked)


def by_language(batches: Batches) -> Table:
    """The languages of alternates (hreflang): how many pages name one in each, and how many such links there are."""
    pa, pc = arrow(), compute()
    schema = pa.schema([("language", pa.string()), ("urls", pa.int64()), ("links", pa.int64())])
    found = [schema.empty_table()]
    for batch in batches:
        lists = batch["alternates"]
        flat = pa.table({"language": pc.struct_field(pc.list_flatten(lists), 0), "row": pc.list_parent_indices(lists)})
        counted = flat.group_by("language").aggregate([("row", "count_distinct"), ([], "count_all")])
        found.append(counted.rename_columns(schema.names).cast(schema))
    whole = pa.concat_tables(found).group_by("language").aggregate([("urls", "sum"), ("links", "sum")])
    ranked = whole.rename_columns(schema.names).sort_by([("urls", "descending"), ("language", "ascending")])
    return Table("Pages with an alternate in a language", ranked)


def findings(found: Sequence[Finding]) -> Table:
    """Findings, one a row, as ``--report`` has them."""
    pa = arrow()
    numbers = ("line", "column", "count")
    texts = ("severity", "rule", "message", "source", "value", "action", "field")
    kinds = {**dict.fromkeys(texts[:4], pa.string()), **dict.fromkeys(numbers, pa.int64())}
    schema = pa.schema([*kinds.items(), *((name, pa.string()) for name in texts[4:])])
    rows = [{name: _sound(value) for name, value in asdict(one).items()} for one in found]
    return Table("Findings", pa.Table.from_pylist(rows, schema))


def _sound(value: object) -> object:
    """Without halves of surrogate pairs, which a raw value may hold and a column can't."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _part(name: str) -> Callable[[Any], Any]:
    return lambda batch: Parts(batch["loc"]).column(name)


def _pairs(batch: Any) -> Any:
    """Name and value of each parameter, each once for an address."""
    pa, pc = arrow(), compute()
    lists = Parts(batch["loc"]).column("parameters")
    flat = pc.list_flatten(lists)
    columns = {"parameter": pc.struct_field(flat, 0), "value": pc.struct_field(flat, 1)}
    rows = pa.table({**columns, "row": pc.list_parent_indices(lists)})
    # Of a repeated parameter the first value counts, so that addresses are counted and not repetitions.
    once = rows.group_by(["row", "parameter"], use_threads=False).aggregate([("value", "first")])
    return once.select(["parameter", "value_first"]).rename_columns(["parameter", "value"])


def _grouped(batches: Batches, name: str, key: Callable[[Any], Any]) -> Any:
    """The addresses of each key: their number, how many have a date, the oldest and the newest; most of them first."""
    pa = arrow()
    kinds = [(column, pa.int64()) for column in _COUNTS]
    pieces = list(_pieces(batches, name, key))
    kind = pieces[0].schema.field(name).type if pieces else pa.string()
    schema = pa.schema([(name, kind), *kinds])
    parts = [piece.select(schema.names).cast(schema) for piece in pieces] or [schema.empty_table()]
    whole = pa.concat_tables(parts).group_by(name).aggregate(list(_COUNTS.items()))
    found = whole.rename_columns({f"{column}_{how}": column for column, how in _COUNTS.items()}).select(schema.names)
    return _with_dates(found.sort_by([("urls", "descending"), (name, "ascending")]))


def _with_dates(found: Any) -> Any:
    """The oldest and newest dates as moments, and beside each, for a table to show it, its precision."""
    pa, pc = arrow(), compute()
    for name in _ENDS:
        coded = found[name]
        precision = pc.bit_wise_and(coded, _ROOM - 1)
        moments = pc.divide(pc.subtract(coded, precision), _ROOM).cast(pa.timestamp("us", "UTC"))
        found = found.set_column(found.schema.get_field_index(name), name, moments)
        found = found.append_column(f"{name}{PRECISION}", precision)
    return found


def _precisions(batch: Any) -> Any:
    """The precision of each date as a number, null without a date."""
    pa, pc = arrow(), compute()
    places = pc.index_in(batch["lastmod_precision"].cast(pa.string()), pa.array(list(PRECISIONS.values())))
    return pc.add(places.cast(pa.int64()), int(Precision.YEAR))


def _pieces(batches: Batches, name: str, key: Callable[[Any], Any]) -> Iterator[Any]:
    pa = arrow()
    wanted = [([], "count_all"), ("d", "count"), ("d", "min"), ("d", "max")]
    for batch in batches:
        keys = key(batch)
        keys = keys.cast(pa.string()) if pa.types.is_dictionary(keys.type) else keys
        dates = compute().add(compute().multiply(batch["lastmod"].cast(pa.int64()), _ROOM), _precisions(batch))
        counted = pa.table({name: keys, "d": dates}).group_by(name).aggregate(wanted)
        yield counted.rename_columns({"count_all": "urls", "d_count": "dated", "d_min": "oldest", "d_max": "newest"})
