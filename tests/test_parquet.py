"""Parquet beside the suite for all formats: constant schema, groups of rows, limits, broken files, interruptions."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import urlset
from urlset.formats import parquet as format_module
from urlset.formats.vocabulary.batches import columns_of
from urlset.formats.vocabulary.errors import LimitError, MissingDependencyError, OptionError, ReadError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.limits import Limits

SITE = "https://example.com/"


def written(*entries: urlset.Entry) -> bytes:
    stream = io.BytesIO()
    urlset.write(entries, stream, to="parquet")
    return stream.getvalue()


def written_one_by_one(entries: list[urlset.Entry]) -> bytes:
    stream = io.BytesIO()
    sheet = format_module.Sheet(stream)
    for entry in entries:
        sheet.add(entry)
    sheet.close()
    return stream.getvalue()


def numbered(count: int) -> list[urlset.Entry]:
    return [urlset.Entry(loc=f"{SITE}{number}") for number in range(count)]


def test_the_schema_does_not_depend_on_the_data() -> None:
    poor = written(urlset.Entry(loc=SITE))
    rich = written(
        urlset.Entry(
            loc=SITE, lastmod=urlset.LastMod("2024"), images=(urlset.Image(loc="i"),), extra=('<a xmlns="b"/>',)
        )
    )
    tables = [parquet.read_table(io.BytesIO(data)) for data in (poor, rich)]
    assert tables[0].schema.equals(tables[1].schema)
    assert pa.concat_tables(tables).num_rows == 2
    assert tables[0].schema.field("lastmod").type == pa.timestamp("us", "UTC")


def test_files_are_written_in_groups_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_module, "GROUP", 10)
    monkeypatch.setattr(format_module, "ROWS", 3)
    found = numbered(25)
    data = written(*found)
    metadata = parquet.ParquetFile(io.BytesIO(data)).metadata
    assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == [10, 10, 5]
    assert list(urlset.read(data)) == found


@pytest.mark.parametrize("sizes", [[1, 3, 4, 4, 2, 9], [10], [11], [4, 4, 4]])
def test_many_entries_at_once_give_the_same_bytes(sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_module, "GROUP", 10)
    stream = io.BytesIO()
    sheet = format_module.Sheet(stream)
    given: list[urlset.Entry] = []
    whole = urlset.Entry(loc=SITE, images=(urlset.Image(loc="i"),))
    for size in sizes:
        dates = [urlset.LastMod(f"2024-05-{day:02}") for day in range(1, size + 1)]
        some = [one.model_copy(update={"lastmod": date}) for one, date in zip(numbered(size), dates, strict=True)]
        core = columns_of(some)
        assert core is not None
        if not sheet.add_plain(core):
            for entry in some:
                sheet.add(entry)
        sheet.add(whole)
        given += [*some, whole]
    sheet.close()
    assert stream.getvalue() == written_one_by_one(given)
    assert [entry.loc for entry in urlset.read(stream.getvalue())] == [entry.loc for entry in given]


def test_many_entries_of_which_columns_cannot_hold_one_are_not_written_at_once() -> None:
    sheet = format_module.Sheet(io.BytesIO())
    half = urlset.Entry(loc="https://example.com/", title="\ud800")
    core = columns_of([*numbered(2), half])
    assert core is not None
    assert not sheet.add_plain(core)
    with pytest.raises(ValueError, match="surrogate"):
        sheet.add(half)


def test_a_limit_that_a_stream_would_pass_is_refused_whole() -> None:
    out = io.BytesIO()
    source = "".join(f"https://example.com/{number}\n" for number in range(300)).encode()
    with pytest.raises(OptionError, match="does not fit into one file"):
        urlset.convert(source, out, to="parquet", max_urls=290)
    assert out.getvalue() == b""
    assert urlset.convert(source, out, to="parquet", max_urls=300).outputs[0].urls == 300
    assert len([*urlset.read(out.getvalue())]) == 300


def test_an_encoded_entry_is_a_file_of_its_own() -> None:
    entry = urlset.Entry(loc=SITE, lastmod=urlset.LastMod("2024-05"))
    assert list(urlset.read(format_module.encode(entry).data)) == [entry]


def test_more_entries_than_one_file_may_hold_make_several(tmp_path: Path) -> None:
    found = [one.model_copy(update={"lastmod": urlset.LastMod("2024-05-06")}) for one in numbered(5)]
    result = urlset.write(found, tmp_path / "list.parquet", max_urls=2, base_url=SITE)
    assert [(Path(one.path).name, one.urls) for one in result.outputs] == [
        ("list-1.parquet", 2),
        ("list-2.parquet", 2),
        ("list-3.parquet", 1),
        ("list.parquet", 3),
    ]
    assert all(one.bytes == Path(one.path).stat().st_size for one in result.outputs)
    assert list(urlset.read(tmp_path / "list.parquet")) == found


def test_the_size_of_a_file_cannot_be_limited(tmp_path: Path) -> None:
    for place in (tmp_path / "list.parquet", io.BytesIO()):
        with pytest.raises(OptionError, match="max-urls"):
            urlset.write(numbered(1), place, to="parquet", max_bytes=1000)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("gzipped", [False, True])
def test_a_job_that_fails_leaves_nothing(gzipped: bool, tmp_path: Path) -> None:
    def fails() -> object:
        yield urlset.Entry(loc=SITE)
        raise RuntimeError("the source is gone")

    stream = io.BytesIO()
    for place in (tmp_path / "list.parquet", stream):
        with pytest.raises(RuntimeError):
            urlset.write(fails(), place, to="parquet", gzip=gzipped)
    assert list(tmp_path.iterdir()) == []
    assert stream.getvalue() == b""


def test_what_columns_cannot_hold_is_rejected() -> None:
    stream = io.BytesIO()
    video = urlset.Video(view_count=2**70)
    odd = (urlset.Entry(loc=f"{SITE}a", title="\udc80é"), urlset.Entry(loc=f"{SITE}b", videos=(video,)))
    result = urlset.write([*odd, *numbered(1)], stream, to="parquet")
    assert [(one.rule, one.value) for one in result.ledger.findings] == [
        ("value-not-carried", f"{SITE}a"),
        ("value-not-carried", f"{SITE}b"),
    ]
    assert list(urlset.read(stream.getvalue())) == numbered(1)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:4], id="magic alone"),
        pytest.param(lambda data: data[:-30], id="cut off"),
        pytest.param(lambda data: data[:4] + bytes(200) + data[204:], id="overwritten"),
    ],
)
def test_a_broken_file_is_refused(damage: object) -> None:
    data = damage(written(*numbered(3)))  # type: ignore[operator]
    ledger = urlset.Ledger()
    with pytest.raises(ReadError, match="no sound Parquet file"):
        list(urlset.read(data, ledger=ledger))
    assert [one.rule for one in ledger.findings] == ["document-refused"]


def test_a_text_that_is_none_is_refused() -> None:
    column = pa.array([b"https://example.com/\xff"], pa.binary())
    broken = pa.StringArray.from_buffers(1, column.buffers()[1], column.buffers()[2])
    stream = io.BytesIO()
    parquet.write_table(pa.table({"loc": broken}), stream)
    with pytest.raises(ReadError, match="no sound Parquet file"):
        list(urlset.read(stream.getvalue()))


@pytest.mark.parametrize(("most", "what"), [(20, "bytes"), (1_000, "values")])
def test_a_group_of_rows_has_a_limit(most: int, what: str) -> None:
    data = written(urlset.Entry(loc=SITE)) if what == "bytes" else many_values()
    with pytest.raises(LimitError, match=f"a group of rows has .* {what}"):
        list(urlset.read(data, limits=Limits(max_inflated=most)))


def many_values() -> bytes:
    """A list of one value many times, which takes a few bytes."""
    stream = io.BytesIO()
    parquet.write_table(
        pa.table({"loc": [SITE], "numbers": [[1] * 100]}), stream, compression="zstd", write_statistics=False
    )
    return stream.getvalue()


def test_a_text_that_is_stored_once_and_meant_a_thousand_times_takes_no_memory() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 2_000, pa.int32()), pa.array(["x" * (4 << 20)]))
    stream = io.BytesIO()
    table = pa.table({"loc": [f"{SITE}{number}" for number in range(2_000)], "title": column})
    parquet.write_table(table, stream, compression="zstd")
    assert len(stream.getvalue()) < 1 << 20
    before = pa.default_memory_pool().max_memory()
    entries = urlset.read(stream.getvalue())
    assert next(entries).title == "x" * (4 << 20)
    entries.close()  # type: ignore[attr-defined]
    assert pa.default_memory_pool().max_memory() - before < 1 << 30


def test_without_pyarrow_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = written(*numbered(1))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'urlset\[arrow\]'"):
        list(urlset.read(data))
    with pytest.raises(MissingDependencyError, match=r"pip install 'urlset\[arrow\]'"):
        urlset.write(numbered(1), tmp_path / "list.parquet")
    assert list(tmp_path.iterdir()) == []


ROWS: list[dict[str, object]] = [
    {},
    {"lastmod": urlset.LastMod("2024-05-06")},
    {"lastmod": urlset.LastMod("2024-05-06T07:08:09+02:00"), "changefreq": "daily", "priority": 0.5, "title": "T"},
    {"lastmod": urlset.LastMod("2024-05-06T07:08:09.25Z")},
    {"lastmod": urlset.LastMod("2024-05-06T07:08Z")},
    {"lastmod": urlset.LastMod("2024")},
    {"lastmod": urlset.LastMod("1901-01-01")},
    {"priority": 0.123},
    {"images": (urlset.Image(loc="i"),)},
    {"mobile": True},
]


@pytest.mark.parametrize("odd", ROWS, ids=lambda row: "-".join(row) or "loc")
@pytest.mark.parametrize("loc", [f"{SITE}odd", "https://example.com/a b", "https://example.com/ü"])
def test_rows_are_read_together_as_each_is(odd: dict[str, object], loc: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [urlset.Entry.model_validate({"loc": f"{SITE}{at}", **row}) for at, row in enumerate(ROWS[:4] * 70)]
    entries.insert(200, urlset.Entry.model_validate({"loc": loc, **odd}))
    data = written(*entries)
    outcomes = []
    for together in (True, False):
        if not together:
            monkeypatch.setattr(format_module, "is_plain", lambda batch: False)
        ledger = Ledger()
        found = list(urlset.read(data, ledger=ledger))
        places = [(one.origin, one.lastmod and one.lastmod.precision) for one in found]
        outcomes.append((found, places, ledger.findings, ledger.counts))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] == entries


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("lastmod_text", "2024-05-07"),
        ("lastmod_text", "2024-05-06T99:00:00Z"),
        ("lastmod_text", "no date at all"),
        ("lastmod_text", None),
        ("lastmod_precision", "minute"),
        ("lastmod_precision", None),
        ("lastmod", None),
        ("loc", None),
        ("loc", "/relative"),
        ("changefreq", "Daily"),
        ("changefreq", "sometimes"),
        ("priority", 7.0),
        ("title", ""),
    ],
)
def test_cells_that_someone_changed_are_read_as_row_by_row(
    column: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written(*(one.model_copy(update={"lastmod": urlset.LastMod("2024-05-06")}) for one in numbered(5)))
    table = parquet.read_table(io.BytesIO(data))
    cells = table.column(column).to_pylist()
    cells[2] = value
    changed = table.set_column(
        table.schema.get_field_index(column), column, pa.array(cells, table.schema.field(column).type)
    )
    out = io.BytesIO()
    parquet.write_table(changed, out)
    outcomes = []
    for together in (True, False):
        if not together:
            monkeypatch.setattr(format_module, "is_plain", lambda batch: False)
        ledger = Ledger()
        found = list(urlset.read(out.getvalue(), ledger=ledger))
        outcomes.append(([(one.as_dict(), one.origin) for one in found], ledger.findings, ledger.counts))
    assert outcomes[0] == outcomes[1]
