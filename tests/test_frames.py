"""DataFrames of whatever make as entries: what is absent, what a date is, and what becomes of bad rows."""

from __future__ import annotations

import io
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently

import urlset
from urlset.converters.explore.inventory import Inventory
from urlset.formats.vocabulary import inventory_columns
from urlset.formats.vocabulary.errors import MissingDependencyError, OptionError

SITE = "https://example.com/"


def written(frame: Any, **options: Any) -> tuple[list[dict[str, Any]], list[urlset.Finding]]:
    stream = io.BytesIO()
    result = urlset.write(frame, stream, to="jsonl", **options)
    result.ledger.check()
    return [entry.as_dict() for entry in urlset.read(stream.getvalue(), from_="jsonl")], result.ledger.findings


def cell(name: str, value: Any, **options: Any) -> tuple[Any, list[str]]:
    """What a cell of a pandas column of objects becomes, and the rules of the findings."""
    frame = pd.DataFrame({"loc": [SITE], name: pd.Series([value], dtype=object)})
    (entry,), findings = written(frame, **options)
    return entry.get(name), [one.rule for one in findings]


# --- round trips


@patiently(25)
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_an_inventory_comes_back_through_every_library(found: list[urlset.Entry]) -> None:
    inventory = urlset.Inventory.of(found)
    expected = [entry.as_dict() for entry in found]
    for frame in (inventory, inventory.to_pandas(), inventory.to_polars(), inventory.to_arrow()):
        assert written(frame)[0] == expected


def test_duckdb_and_single_batches_are_frames_too() -> None:
    inventory = urlset.Inventory.of([urlset.Entry(loc=SITE, lastmod=urlset.LastMod("2024-05"), priority=0.5)])
    expected = [{"loc": SITE, "lastmod": "2024-05", "priority": 0.5}]
    relation = duckdb.connect().from_arrow(inventory.to_arrow())
    for frame in (relation, inventory.to_arrow().to_batches()[0]):
        assert written(frame)[0] == expected


BLOCKS = urlset.Entry(
    loc="https://example.com/a",
    images=(urlset.Image(loc="https://example.com/1.png"), urlset.Image(loc="https://example.com/2.png")),
    news=urlset.News(publication=urlset.Publication(name="The News", language="en"), title="it's new"),
    videos=(urlset.Video(title="v", tags=("a", "b")),),
    alternates=(urlset.Alternate(hreflang="de", href="https://example.com/de"),),
    extra=('<a xmlns="b"/>', '<c xmlns="b"/>'),
)


def test_a_table_that_pandas_wrote_loses_its_blocks_and_says_so() -> None:
    stream, ledger = io.BytesIO(), urlset.Ledger()
    urlset.write([BLOCKS], stream, to="jsonl")
    table = urlset.load(stream.getvalue()).to_pandas().to_csv()
    (entry,) = urlset.read(table.encode(), ledger=ledger)
    assert entry == urlset.Entry(loc=BLOCKS.loc)
    lost = [(one.message.split()[2], one.action) for one in ledger.findings]
    assert lost == [(name, "dropped-value") for name in ("images", "videos", "news", "alternates", "extra")]
    for one in ledger.findings:
        assert "values as Python prints them, and no JSON: write a DataFrame with urlset.write" in one.message
        assert one.value


def test_the_table_that_urlset_writes_of_a_frame_keeps_them() -> None:
    stream, table = io.BytesIO(), io.BytesIO()
    urlset.write([BLOCKS], stream, to="jsonl")
    urlset.write(urlset.load(stream.getvalue()).to_pandas(), table, to="csv")
    assert list(urlset.read(table.getvalue())) == [BLOCKS]


def test_json_lines_that_pandas_wrote_keep_them() -> None:
    texts = ("2024", "2024-05", "2024-05-06", "2024-05-06T07:08Z", "2024-05-06T07:08:09.123456+05:45")
    dates = [urlset.Entry(loc=f"{SITE}{text}", lastmod=urlset.LastMod(text), mobile=True) for text in texts]
    ledger = urlset.Ledger()
    frame = urlset.Inventory.of([BLOCKS, *dates]).to_pandas()
    lines = frame.to_json(orient="records", lines=True, date_format="iso")
    assert lines is not None
    found = list(urlset.read(lines.encode(), ledger=ledger))
    assert found == [BLOCKS, *dates]
    assert [str(entry.lastmod) for entry in found[1:]] == [str(entry.lastmod) for entry in dates]
    assert ledger.findings == []


def test_columns_of_our_own_are_those_of_an_inventory() -> None:
    names = urlset.Inventory.of([]).schema.names
    assert set(names) - set(urlset.Entry.model_fields) == inventory_columns.OWN


@pytest.mark.parametrize("text", ["blue.png", "['", "[1, 2]", '["<a>", 3]', "{}"])
def test_what_else_is_no_json_of_ours_is_told_as_before(text: str) -> None:
    ledger = urlset.Ledger()
    row = pd.DataFrame({"loc": ["https://example.com/"], "images": [text]}).to_csv(index=False)
    assert list(urlset.read(row.encode(), ledger=ledger)) == [urlset.Entry(loc="https://example.com/")]
    (one,) = ledger.findings
    assert ("values as Python prints them" in one.message) == (text == "['")
    assert ("holds no JSON;" in one.message) == (text == "blue.png")
    assert ("Input should be" in one.message) == (text not in ("blue.png", "['"))


def test_the_text_of_a_date_counts_as_long_as_it_means_the_same() -> None:
    frame = urlset.Inventory.of(
        [urlset.Entry(loc=f"{SITE}{at}", lastmod=urlset.LastMod("2024-05-06T02:00:00+02:00")) for at in range(4)]
    ).to_pandas()
    frame.loc[1, "lastmod"] = pd.Timestamp("2024-05-07T00:00:00Z")
    frame.loc[2, "lastmod"] = pd.NaT
    frame.loc[3, "lastmod_text"] = "nonsense"
    assert [entry.get("lastmod") for entry in written(frame)[0]] == [
        "2024-05-06T02:00:00+02:00",
        "2024-05-07T00:00:00Z",
        None,
        "2024-05-06T00:00:00Z",
    ]
    assert written(frame[["loc", "lastmod_text"]].iloc[:1])[0][0]["lastmod"] == "2024-05-06T02:00:00+02:00"


# --- what is absent


@pytest.mark.parametrize("name", ["lastmod", "changefreq", "priority", "title", "images", "news", "mobile"])
@pytest.mark.parametrize(
    "absent",
    [None, float("nan"), pd.NaT, pd.NA, np.float32("nan"), np.datetime64("NaT"), Decimal("nan")],
    ids=repr,
)
def test_whatever_says_nothing_is_absent(name: str, absent: Any) -> None:
    assert cell(name, absent) == (None, [])


def test_a_row_without_an_address_is_rejected_by_its_number() -> None:
    frame = pd.DataFrame({"loc": [SITE, None, "", "  "], "title": ["a", "b", "c", "d"]})
    found, findings = written(frame)
    assert [entry["loc"] for entry in found] == [SITE]
    assert [(one.rule, one.line, one.message) for one in findings] == [
        ("missing-loc", row, f"row {row}: there is no address") for row in (2, 3, 4)
    ]


def test_an_address_that_is_none_is_rejected_with_its_values() -> None:
    rejects: list[Any] = []
    frame = pd.DataFrame({"loc": [SITE, "ftp://example.com/"], "priority": [0.5, 0.25]})
    urlset.write(frame, io.BytesIO(), to="jsonl", rejects=rejects.append)
    (one,) = rejects
    assert (one.rule, one.line) == ("unsupported-scheme", 2)
    assert one.fields == {"loc": "ftp://example.com/", "priority": "0.25"}


def test_relative_addresses_are_resolved() -> None:
    found, findings = written(pd.DataFrame({"loc": ["/a"]}), base_url=SITE)
    assert ([entry["loc"] for entry in found], [one.rule for one in findings]) == ([f"{SITE}a"], ["not-absolute"])


# --- dates

MINUTES_EAST = timezone(timedelta(hours=5, minutes=45))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2024, 5, 6), "2024-05-06"),
        (datetime(2024, 5, 6), "2024-05-06"),
        (datetime(2024, 5, 6, tzinfo=UTC), "2024-05-06T00:00:00Z"),
        (datetime(2024, 5, 6, 7, 8, 9, tzinfo=MINUTES_EAST), "2024-05-06T07:08:09+05:45"),
        (datetime(2024, 5, 6, 7, 8, 9, 500_000, tzinfo=UTC), "2024-05-06T07:08:09.5Z"),
        (datetime(1890, 1, 1, 1, tzinfo=timezone(timedelta(seconds=3_208))), "1890-01-01T00:06:32Z"),
        (datetime(2024, 5, 6, 20, tzinfo=timezone(timedelta(hours=20))), "2024-05-06T00:00:00Z"),
        (pd.Timestamp("2024-05-06T00:00:00.000000001Z"), "2024-05-06T00:00:00.000000001Z"),
        (pd.Timestamp("2024-05-06"), "2024-05-06"),
        (np.datetime64("2024-05-06"), "2024-05-06"),
        (np.datetime64("2024-05-06T00:00:00.000000000"), "2024-05-06"),
        (np.datetime64("2024-05"), "2024-05"),
        ("2024-05", "2024-05"),
        ("Mon, 06 May 2024 07:08:09 +0200", "2024-05-06T07:08:09+02:00"),
        (2024, "2024"),
        ("", None),
    ],
    ids=repr,
)
def test_a_date_of_any_type_keeps_its_precision(value: Any, text: str | None) -> None:
    found, rules = cell("lastmod", value)
    assert (found, rules) == (text, ["date-implausible"] if text and text < "1970" else [])


@pytest.mark.parametrize(
    "value",
    [datetime(2024, 5, 6, 7, 8, 9), np.datetime64("2024-05-06T07:08:09"), pd.Timestamp("2024-05-06T07:08:09")],
    ids=repr,
)
def test_a_time_without_a_zone_is_left_out_unless_one_is_assumed(value: Any) -> None:
    assert cell("lastmod", value) == (None, ["invalid-date"])
    assert cell("lastmod", value, assume_zone="+02:00") == ("2024-05-06T07:08:09+02:00", [])


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("timestamp[s]", 253_402_300_800, None),
        ("timestamp[s]", -62_135_596_801, None),
        ("timestamp[s]", 253_402_214_400, "9999-12-31"),
        ("timestamp[ms]", 1_714_953_600_000, "2024-05-06"),
        ("timestamp[ns]", 1_714_953_600_000_000_000, "2024-05-06"),
        ("date32[day]", 2_932_897, None),
        ("date32[day]", 19_849, "2024-05-06"),
    ],
)
def test_moments_that_python_cannot_have_are_said_and_left_out(kind: str, value: int, expected: str | None) -> None:
    integers = pa.array([value], pa.int32() if kind == "date32[day]" else pa.int64())
    found, findings = written(pa.table({"loc": [SITE], "lastmod": integers.cast(kind)}))
    assert found[0].get("lastmod") == expected
    # The numbers, not their meaning, are what could be read.
    assert [one.value for one in findings if one.rule == "invalid-date"] == (
        [] if expected else [f"{value} {kind[10:-1] if 'stamp' in kind else 'days'} since 1970"]
    )


# --- the other columns


@pytest.mark.parametrize(
    ("name", "value", "expected", "rules"),
    [
        ("priority", np.int64(1), 1.0, []),
        ("priority", np.float64(0.25), 0.25, []),
        ("priority", Decimal("0.5"), 0.5, []),
        ("priority", "0.5", 0.5, []),
        ("priority", 1.5, None, ["invalid-priority"]),
        ("priority", True, None, ["invalid-priority"]),
        ("priority", -0.0, 0.0, []),
        ("changefreq", "Daily", "daily", ["invalid-changefreq"]),
        ("changefreq", " ", None, []),
        ("title", 12, "12", []),
        ("mobile", np.True_, True, []),
        ("mobile", False, None, []),
        ("mobile", 1.0, True, []),
        ("mobile", "True", True, []),
        ("mobile", 0, None, []),
        ("mobile", "0.0", None, []),
        ("mobile", "perhaps", None, ["invalid-json"]),
        ("mobile", [True], None, ["invalid-json"]),
        ("images", '[{"loc": "https://example.com/i.png"}]', [{"loc": "https://example.com/i.png"}], []),
        ("images", [{"loc": "https://example.com/i.png", "caption": None}], [{"loc": "https://example.com/i.png"}], []),
        ("images", np.array([{"loc": "i", "title": float("nan")}], dtype=object), [{"loc": "i"}], []),
        ("images", "i.png", None, ["invalid-json"]),
        ("images", [{"nothing": 1}], None, ["invalid-json"]),
        ("extra", ["<a/>"], None, ["invalid-json"]),
        ("alternates", ({"hreflang": "de", "href": "h"},), [{"hreflang": "de", "href": "h"}], []),
    ],
    ids=repr,
)
def test_cells_are_taken_as_what_they_mean(name: str, value: Any, expected: Any, rules: list[str]) -> None:
    assert cell(name, value) == (expected, rules)


@pytest.mark.parametrize("zone", [None, "UTC", "+02:00"])
def test_midnight_without_a_zone_is_a_date_whatever_the_zone(zone: str | None, tmp_path: Path) -> None:
    moments = pd.to_datetime(["2024-05-06 00:00:00", "2024-05-06 07:08:09"])
    frame = pd.DataFrame({"loc": [SITE, f"{SITE}b"], "lastmod": moments})
    frame.to_parquet(tmp_path / "naive.parquet")
    later = {None: None, "UTC": "2024-05-06T07:08:09Z", "+02:00": "2024-05-06T07:08:09+02:00"}[zone]
    options: dict[str, Any] = {"assume_zone": zone} if zone else {}
    assert [entry.get("lastmod") for entry in written(frame, **options)[0]] == ["2024-05-06", later]
    stored = urlset.read(tmp_path / "naive.parquet", **options)
    assert [None if one.lastmod is None else str(one.lastmod) for one in stored] == ["2024-05-06", later]


def test_half_the_digits_are_meant_as_they_are_printed() -> None:
    column = np.array([0.1, 0.7], dtype="float32")
    frames = (
        pd.DataFrame({"loc": [SITE, f"{SITE}b"], "priority": column}),
        pa.table({"loc": [SITE, f"{SITE}b"], "priority": column}),
    )
    for frame in frames:
        assert [entry["priority"] for entry in written(frame)[0]] == [0.1, 0.7]


def test_columns_have_the_names_of_tables() -> None:
    frame = pl.DataFrame({"URL": [SITE], "Last Modified": [date(2024, 5, 6)], "Clicks": [7]})
    stream = io.BytesIO()
    result = urlset.write(frame, stream, to="csv")
    assert result.ledger.accounts[0].columns == [("URL", "loc"), ("Last Modified", "lastmod"), ("Clicks", None)]
    assert list(urlset.read(stream.getvalue())) == [urlset.Entry(loc=SITE, lastmod=urlset.LastMod("2024-05-06"))]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "b"], "no column holds addresses; the columns are 'a', 'b'"),
        (["old_url", "new_url"], "several columns could hold the address"),
        ([0, 1], "the columns are '0', '1'"),
    ],
)
def test_without_a_column_of_addresses_nothing_is_written(names: list[Any], words: str) -> None:
    with pytest.raises(urlset.UrlsetError, match=words):
        urlset.write(pd.DataFrame([[SITE, SITE]], columns=names), io.BytesIO(), to="jsonl")


def test_pandas_needs_no_pyarrow_and_others_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = (pd.DataFrame({"loc": pd.Series([SITE], dtype=object)}), pl.DataFrame({"loc": [SITE]}))
    table = pa.table({"loc": [SITE]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for frame in frames:
        assert written(frame)[0] == [{"loc": SITE}]
    with pytest.raises(MissingDependencyError, match="pip install"):
        written(table)


# --- what is no frame


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        pytest.param(pd.Series([SITE], name="loc"), "a Series is a single column; .* to_frame", id="pandas"),
        pytest.param(pl.Series("loc", [SITE]), "a Series is a single column; .* to_frame", id="polars"),
        pytest.param(pl.LazyFrame({"loc": [SITE]}), "a LazyFrame is not computed yet; .* collect", id="lazy"),
        pytest.param(pa.chunked_array([[SITE]]), "a ChunkedArray has no columns by name; pass a DataFrame", id="arrow"),
        pytest.param(3, "expected entries or a DataFrame, found int", id="number"),
    ],
)
def test_what_is_near_to_a_frame_is_told_from_one(thing: Any, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        urlset.write(thing, io.BytesIO(), to="jsonl")
    if not isinstance(thing, int):
        with pytest.raises(OptionError, match=words):
            urlset.diff(thing, [])


# --- frames compared


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_are_compared(kind: Any) -> None:
    old = kind({"URL": [f"{SITE}a", f"{SITE}b"], "priority": [0.5, 0.5]})
    new = [urlset.Entry(loc=f"{SITE}b", priority=0.4, changefreq="daily"), urlset.Entry(loc=f"{SITE}c")]
    with urlset.diff(old, new) as found:
        assert [one.loc for one in found.removed] == [f"{SITE}a"]
        assert [one.loc for one in found.added] == [f"{SITE}c"]
        assert [one.names for one in found.changed] == [("priority",)]
    (finding,) = found.ledger.findings
    assert finding.message == "changefreq can't be compared: this frame does not hold it"


def test_an_inventory_is_compared_with_a_frame() -> None:
    inventory = Inventory.of([urlset.Entry(loc=f"{SITE}a", title="A")])
    assert not urlset.diff(inventory, inventory.to_pandas())
    assert not urlset.diff([urlset.Entry(loc=f"{SITE}a", title="A")], inventory)
