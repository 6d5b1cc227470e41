"""An inventory: all entries of one or several documents as columns, to be looked at as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from urlset.converters.convert import read_batches
from urlset.converters.explore import alike, groups, plots
from urlset.converters.explore.gather import held_schema, record_batches
from urlset.converters.explore.parts import Parts, part_fields
from urlset.converters.explore.progress import Wanted, shown
from urlset.converters.explore.summary import shown_html, shown_text, summarised
from urlset.converters.options import Sources
from urlset.formats.arrow.columns import fields_of
from urlset.formats.arrow.library import arrow, optional
from urlset.formats.vocabulary.batches import Batch, slices
from urlset.formats.vocabulary.entry import Entry, Origin, sound
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

    from urlset.converters.explore.table import Table
    from urlset.converters.info import Info


def load(src: Sources, *, progress: Wanted = None, ledger: Ledger | None = None, **options: Any) -> Inventory:
    """Read one or several documents into columns.

    Takes the sources, options and ``ledger`` of :func:`urlset.read`. ``progress`` is True or False for a line in a
    notebook that counts, or a function that is called with a :class:`urlset.Progress`; by default the line is there in
    a notebook. Raises UrlsetError if no document could be read, MissingDependencyError without pyarrow.
    """
    arrow()
    book = Ledger() if ledger is None else ledger
    with shown(progress) as tell:
        return _accounted(read_batches(src, book, progress=tell, **options), book)


def _accounted(batches: Iterable[Batch], ledger: Ledger) -> Inventory:
    # What a caller's ledger counted before was not written by this job.
    fresh = not ledger.counts.read
    found = list(record_batches(batches, ledger))
    ledger.counts.written += sum(batch.num_rows for batch in found)
    if fresh:
        ledger.check()
    return Inventory(found, ledger)


class Inventory:
    """Columns of entries, with a schema that never depends on the data.

    They are the fields of Entry, ``source`` and ``line``, and the parts of each address: scheme, host, port, path,
    folders, query, parameters, extension, depth. ``lastmod`` is the instant in UTC, in microseconds; ``lastmod_text``
    and ``lastmod_precision`` are beside it. What is absent is null. The parts are computed when they are asked for.

    Whatever takes Arrow columns takes an inventory: ``polars.DataFrame(inventory)``, ``duckdb.sql("from inventory")``,
    ``pyarrow.table(inventory)``, ``pandas.DataFrame.from_arrow(inventory)``. Iterating gives the entries.
    """

    def __init__(self, batches: Sequence[Any], ledger: Ledger) -> None:
        self._batches = batches
        self.ledger = ledger

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Inventory:
        """Entries as columns. Raises MissingDependencyError without pyarrow."""
        ledger = Ledger()
        account = ledger.open("<entries>")
        account.format = "entries"

        def counted() -> Iterator[Entry]:
            for entry in entries:
                account.count()
                yield entry

        return _accounted(map(Batch, slices(counted())), ledger)

    @property
    def findings(self) -> list[Finding]:
        """What was noticed while reading."""
        return self.ledger.findings

    @property
    def schema(self) -> pyarrow.Schema:
        """Names and types of all columns."""
        return inventory_schema()

    def __len__(self) -> int:
        return sum(batch.num_rows for batch in self._batches)

    def __iter__(self) -> Iterator[Entry]:
        for batch in self._batches:
            places = zip(batch.column("source").to_pylist(), batch.column("line").to_pylist(), strict=True)
            for (loc, fields), (source, line) in zip(fields_of(batch), places, strict=True):
                yield sound(loc, Origin(source or "", line), fields)

    def __getitem__(self, name: str) -> pyarrow.ChunkedArray:
        """A column. Raises KeyError."""
        return self.to_arrow([name]).column(0)

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        reader = arrow().RecordBatchReader.from_batches(self.schema, self.batches())
        stream: object = reader.__arrow_c_stream__(requested_schema)
        return stream

    @cached_property
    def summary(self) -> Info:
        """Counts, hosts, dates, folders, extensions and findings, as ``urlset info`` shows them."""
        return summarised(self._batches, self.ledger)

    def by_host(self) -> Table:
        """How many addresses each host has, and the range of their dates."""
        return groups.by_host(self._batches)

    def by_folder(self, depth: int = 1) -> Table:
        """How many addresses lie in or below each folder of that depth. Raises OptionError for one under 1."""
        return groups.by_folder(self._batches, depth)

    def by_depth(self) -> Table:
        """How many addresses lie how many folders deep."""
        return groups.by_depth(self._batches)

    def by_extension(self) -> Table:
        """How many addresses end in each extension."""
        return groups.by_extension(self._batches)

    def by_parameter(self) -> Table:
        """The parameters of queries: in how many addresses, with how many values."""
        return groups.by_parameter(self._batches)

    def by_month(self) -> Table:
        """How many pages changed last in which month."""
        return groups.by_month(self._batches)

    def by_changefreq(self) -> Table:
        """How many pages are said to change how often."""
        return groups.by_changefreq(self._batches)

    def by_language(self) -> Table:
        """In which languages pages have alternates."""
        return groups.by_language(self._batches)

    def duplicates(self) -> Table:
        """Addresses that occur more than once, by the key of ``--dedupe``."""
        return alike.duplicates(self._batches)

    def near_duplicates(self) -> Table:
        """Addresses that differ only in scheme, www, case, a slash at the end or parameters that track visitors."""
        return alike.near_duplicates(self._batches)

    def findings_table(self) -> Table:
        """The findings as a table."""
        return groups.findings(self.findings)

    def plot_lastmod(self, ax: Axes | None = None) -> Axes:
        """A picture of when the pages changed last. Raises MissingDependencyError without matplotlib, as all these."""
        return plots.lastmod(self._batches, ax)

    def plot_folders(self, depth: int = 1, ax: Axes | None = None) -> Axes:
        """A picture of how many addresses lie in the largest folders of that depth."""
        return plots.folders(self.by_folder(depth), ax)

    def plot_lengths(self, ax: Axes | None = None) -> Axes:
        """A picture of how long the addresses are."""
        return plots.lengths(self._batches, ax)

    def plot_languages(self, ax: Axes | None = None) -> Axes:
        """A picture of which language's pages name alternates in which (hreflang)."""
        return plots.languages(self._batches, ax)

    def _repr_html_(self) -> str:
        return shown_html(self.summary)

    def __repr__(self) -> str:
        return shown_text(self.summary)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pyarrow.RecordBatch]:
        """The columns, all of them or those that are named, a batch of rows at a time. Raises KeyError."""
        wanted = schema_of(columns)
        return (_selected(batch, wanted) for batch in self._batches)

    def to_arrow(self, columns: Sequence[str] | None = None) -> pyarrow.Table:
        """A table of pyarrow, of all columns or those that are named."""
        return arrow().Table.from_batches(self.batches(columns), schema_of(columns)).unify_dictionaries()

    def to_pandas(self, columns: Sequence[str] | None = None) -> pandas.DataFrame:
        """A DataFrame of pandas. Lists take much memory there; name the ``columns`` of a large inventory."""
        pa, pd = arrow(), optional("pandas", "explore", "DataFrames of pandas")
        # Whole numbers stay whole numbers where some are absent.
        kinds = {pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
        frame: pandas.DataFrame = self.to_arrow(columns).to_pandas(types_mapper=kinds.get)
        return frame

    def to_polars(self, columns: Sequence[str] | None = None) -> polars.DataFrame:
        """A DataFrame of polars."""
        library = optional("polars", "explore", "DataFrames of polars")
        frame: polars.DataFrame = library.DataFrame(self if columns is None else self.to_arrow(columns))
        return frame


@cache
def inventory_schema() -> Any:
    """The columns of an inventory, a ``pyarrow.Schema``."""
    pa = arrow()
    return pa.schema([*held_schema(), *part_fields()])


def schema_of(columns: Sequence[str] | None) -> Any:
    """The schema of these columns. Raises KeyError, which names what there is."""
    whole = inventory_schema()
    if columns is None:
        return whole
    if isinstance(columns, str):  # one name, and no list of letters
        columns = [columns]
    unknown = [name for name in columns if name not in whole.names]
    if unknown:
        raise KeyError(f"there is no column {unknown[0]!r}; there are {', '.join(whole.names)}")
    return arrow().schema([whole.field(name) for name in columns])


def _selected(batch: Any, wanted: Any) -> Any:
    held = set(batch.schema.names)
    parts = None if held.issuperset(wanted.names) else Parts(batch.column("loc"))
    arrays = [batch.column(name) if name in held or parts is None else parts.column(name) for name in wanted.names]
    return arrow().RecordBatch.from_arrays(arrays, schema=wanted)
