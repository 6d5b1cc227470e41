"""Inventories: entries as columns with one schema, whatever the data, and back without a loss."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, locs, patiently

import urlset
from urlset.converters.explore.gather import ROWS
from urlset.converters.explore.parts import Parts, part_fields
from urlset.formats.arrow import library
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.errors import MissingDependencyError

SAMPLES = Path(__file__).parents[1] / "samples"
COLUMNS = (
    *("loc", "lastmod", "lastmod_text", "lastmod_precision", "changefreq", "priority", "title", "images", "videos"),
    *("news", "alternates", "mobile", "pagemaps", "extra", "source", "line"),
    *("scheme", "host", "port", "path", "folders", "query", "parameters", "extension", "depth"),
)


def of(*found: urlset.Entry) -> urlset.Inventory:
    return urlset.Inventory.of(found)


def precisions(found: Sequence[urlset.Entry]) -> list[urlset.Precision | None]:
    return [one.lastmod.precision if one.lastmod else None for one in found]


# --- there and back


@patiently(60)
@given(found=st.lists(entries, max_size=4))
def test_entries_come_back_from_columns(found: list[urlset.Entry]) -> None:
    inventory = urlset.Inventory.of(found)
    back = list(inventory)
    assert len(inventory) == len(found)
    assert back == found
    assert precisions(back) == precisions(found)
    inventory.to_arrow().validate(full=True)


@patiently(30)
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_the_instant_is_that_of_the_date(found: list[urlset.Entry]) -> None:
    expected = [one.lastmod.to_datetime() if one.lastmod else None for one in found]
    assert urlset.Inventory.of(found)["lastmod"].to_pylist() == expected


def test_a_document_knows_where_its_entries_stood() -> None:
    path = SAMPLES / "sitemap.xml"
    inventory = urlset.load(path)
    assert list(inventory) == list(urlset.read(path))
    assert [one.origin for one in inventory] == [
        urlset.Origin(str(path), one.origin.line if one.origin else None) for one in urlset.read(path)
    ]
    assert inventory["source"].to_pylist() == [str(path)] * len(inventory)


def test_more_than_one_batch(tmp_path: Path) -> None:
    lines = "".join(f"https://{number % 3}.example.com/{number}\n" for number in range(ROWS + 5))
    (tmp_path / "list.txt").write_text(lines)
    inventory = urlset.load(tmp_path / "list.txt")
    assert [one.num_rows for one in inventory.batches()] == [ROWS, 5]
    assert [entry.loc for entry in inventory] == lines.split()
    assert inventory.to_pandas(["host"])["host"].value_counts().sum() == ROWS + 5
    assert inventory.to_polars()["host"].n_unique() == 3
    assert [row["urls"] for row in inventory.by_host()] == [(ROWS + 5) // 3] * 3
    assert inventory.summary.as_dict() == urlset.info(tmp_path / "list.txt").as_dict()


@pytest.mark.parametrize("runs", [(1_500, 300, 9_000), (2, 3, 4), (9_000, 1, 1_100, 5, 0, 2_000)])
def test_entries_with_blocks_between_plain_ones(runs: tuple[int, ...], tmp_path: Path) -> None:
    other = '<link rel="alternate" hreflang="de" href="https://example.com/de" xmlns="http://www.w3.org/1999/xhtml"/>'
    records = [other.join(("<url><loc>https://example.com/b</loc>", "</url>"))]
    for run in runs:
        records[1:1] = [f"<url><loc>https://example.com/{run}/{n}</loc></url>" for n in range(run)] + records[:1]
    text = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' + "\n".join(records) + "\n</urlset>"
    (tmp_path / "s.xml").write_text(text)
    columns = urlset.load(tmp_path / "s.xml").to_arrow(["loc", "alternates", "line"])
    expected = re.findall("<loc>(.*?)</loc>", text)
    assert columns["loc"].to_pylist() == expected
    assert columns["line"].to_pylist() == [*range(2, len(expected) + 2)]
    blocks = [alternates is not None for alternates in columns["alternates"].to_pylist()]
    assert blocks == [loc.endswith("/b") for loc in expected]


def test_paths_that_come_one_by_one_are_several_sources(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"https://example.com/{name}\n")
    found = urlset.load(path for path in sorted(tmp_path.glob("*.txt")))
    assert found["loc"].to_pylist() == ["https://example.com/a", "https://example.com/b"]
    assert [entry.loc for entry in urlset.read(iter([*tmp_path.glob("a.*")]))] == ["https://example.com/a"]
    with (tmp_path / "a.txt").open("rb") as stream:  # which gives lines one by one
        assert len(urlset.load(stream)) == 1
    with pytest.raises(urlset.UrlsetError, match="found Entry"):
        urlset.load(urlset.read(tmp_path / "a.txt"))  # type: ignore[arg-type]


def test_one_of_several_that_cant_be_read_leaves_a_finding(tmp_path: Path) -> None:
    found = urlset.load([SAMPLES / "sitemap.xml", tmp_path / "nope.xml"])
    assert len(found) == len(urlset.load(SAMPLES / "sitemap.xml"))
    assert [one.rule for one in found.findings if one.severity == "error"] == ["document-refused"]


def test_findings_and_counts_are_those_of_reading() -> None:
    inventory = urlset.load(SAMPLES / "faulty.xml")
    assert {finding.rule for finding in inventory.findings} == {"not-absolute", "invalid-date"}
    assert (len(inventory), inventory.ledger.counts.rejected) == (2, 1)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        pytest.param(urlset.Entry(loc="https://example.com/1", title="\ud800"), "surrogates", id="surrogate"),
        pytest.param(
            urlset.Entry(loc="https://example.com/1", videos=(urlset.Video(view_count=2**63),)), "64 bits", id="number"
        ),
    ],
)
def test_what_columns_cannot_hold_is_rejected(entry: urlset.Entry, words: str) -> None:
    inventory = of(urlset.Entry(loc="https://example.com/0"), entry)
    (finding,) = inventory.findings
    assert (finding.rule, finding.action, words in finding.message) == ("value-not-carried", "rejected", True)
    assert [one.loc for one in inventory] == ["https://example.com/0"]


# --- the schema


@patiently(15)
@given(found=st.lists(entries, max_size=2))
def test_the_schema_does_not_depend_on_the_data(found: list[urlset.Entry]) -> None:
    inventory = urlset.Inventory.of(found)
    assert inventory.schema.equals(urlset.Inventory.of([]).schema)
    assert inventory.to_arrow().schema.equals(inventory.schema)
    assert pa.table(inventory).schema.equals(inventory.schema)


def test_the_columns() -> None:
    schema = of().schema
    assert tuple(schema.names) == COLUMNS
    assert schema.field("lastmod").type == pa.timestamp("us", "UTC")
    assert not any(pa.types.is_null(field.type) for field in schema)


def test_columns_can_be_chosen() -> None:
    inventory = of(urlset.Entry(loc="https://example.com/a/b.html?x=1"))
    assert inventory.to_arrow(["depth", "loc"]).to_pylist() == [{"depth": 1, "loc": "https://example.com/a/b.html?x=1"}]
    assert inventory.to_polars(["extension"]).to_dicts() == [{"extension": "html"}]
    assert list(inventory.to_pandas(["query"])["query"]) == ["x=1"]
    assert list(inventory.to_pandas("query").columns) == ["query"]  # one name, and no list of letters
    with pytest.raises(KeyError, match="no column 'nothing'"):
        inventory["nothing"]


# --- where columns go


def test_other_libraries_take_an_inventory_as_it_is() -> None:
    inventory = urlset.load(SAMPLES / "sitemap.xml")
    locs = [entry.loc for entry in inventory]
    assert list(pd.DataFrame.from_arrow(inventory)["loc"]) == locs
    assert pl.DataFrame(inventory)["loc"].to_list() == locs
    assert pa.table(inventory)["loc"].to_pylist() == locs
    assert pa.schema(inventory).names == list(COLUMNS)
    assert pl.DataFrame(inventory).schema["lastmod"] == pl.Datetime("us", "UTC")


def test_duckdb_queries_an_inventory() -> None:
    inventory = urlset.load(SAMPLES / "sitemap.xml")
    rows = duckdb.connect().execute("select host, count(*) from inventory group by host").fetchall()
    assert rows == [("www.example.com", len(inventory))]


def test_pandas_keeps_whole_numbers_and_moments() -> None:
    """0001 and 9999 are beyond nanoseconds, and wrap around where nobody looks."""
    frame = of(
        urlset.Entry(loc="https://example.com:8080/min", lastmod=urlset.LastMod("0001-01-01T00:00:00Z"), mobile=True),
        urlset.Entry(loc="https://example.com/max", lastmod=urlset.LastMod("9999-12-31T23:59:59Z")),
        urlset.Entry(loc="https://example.com/beyond", lastmod=urlset.LastMod("0001-01-01T00:00:00+14:00")),
    ).to_pandas()
    assert str(frame["lastmod"].dtype) == "datetime64[us, UTC]"
    assert frame["lastmod"].tolist()[:2] == [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    ]
    assert frame["lastmod"].isna().tolist() == [False, False, True]
    assert frame["lastmod_text"].tolist()[2] == "0001-01-01T00:00:00+14:00"
    assert frame["port"].tolist() == [8080, pd.NA, pd.NA]
    assert frame["mobile"].tolist() == [True, pd.NA, pd.NA]


# --- the parts of addresses

ODD = [
    *("http://h", "http://h/", "http://h//a", "http://h/a//b?", "http://h?x", "//x/y", "a/b", "mailto:a/b", ""),
    *("HTTPS://u@H:80/a.b/c.HTML?a=1&a=2&&b&=3&c==&d=x=y#f?z", "http://h/\n/x?\n&y", "http://h/.htaccess"),
    *("http://h/x.tar.gz", "http://h/v1.2", "http://[::1]:8080/a.b.", "http://İX.example/Ä.JPG", "http://h/?&&"),
]


def expected_parts(loc: str) -> list[Any]:
    """The parts by the splitter of addresses and plain Python."""
    parts = urls.split(loc)
    folder, slash, name = parts.path.rpartition("/")
    folders = folder.removeprefix("/").split("/") if slash and (folder or parts.path[0] != "/") else []
    pairs = [piece.partition("=") for piece in (parts.query or "").split("&") if piece]
    parameters = [{"name": name, "value": value if sign else None} for name, sign, value in pairs]
    suffix = re.search(r"[^/]\.([A-Za-z0-9]{1,7})\Z", name)
    has_letter = suffix is not None and re.search("[A-Za-z]", suffix[1])
    return [
        parts.scheme,
        parts.host,
        parts.port,
        parts.path,
        folders,
        parts.query,
        None if parts.query is None else parameters,
        suffix[1].lower() if suffix and has_letter else None,
        len(folders),
    ]


def parts_of(found: list[str]) -> list[list[Any]]:
    parts = Parts(pa.array(found, pa.string()))
    columns = [parts.column(field.name).to_pylist() for field in part_fields()]
    return [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("loc", ODD)
def test_odd_addresses_have_parts(loc: str) -> None:
    assert parts_of([loc]) == [expected_parts(loc)]


@patiently(100)
@given(found=st.lists(locs | st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_parts_are_those_of_the_splitter(found: list[str]) -> None:
    assert parts_of(found) == [expected_parts(loc) for loc in found]


# --- loading


def test_progress_is_told_to_a_function() -> None:
    told: list[urlset.Progress] = []
    path = SAMPLES / "sitemap.xml"
    urlset.load(path, progress=told.append)
    assert told[-1] == urlset.Progress(5, path.stat().st_size, path.stat().st_size)


def test_a_ledger_of_the_callers_holds_the_counts_of_all_its_loads() -> None:
    ledger = urlset.Ledger()
    list(urlset.read(SAMPLES / "sitemap.xml", ledger=ledger))
    assert len(urlset.load(SAMPLES / "sitemap.xml", ledger=ledger)) == 5
    inventory = urlset.load([SAMPLES / "urls.txt"], ledger=ledger)
    assert inventory.ledger is ledger
    assert (ledger.counts.read, ledger.counts.written) == (10 + len(inventory), 5 + len(inventory))
    assert len(ledger.accounts) == 3


def test_a_ledger_tells_what_stopped_a_load(tmp_path: Path) -> None:
    ledger = urlset.Ledger()
    with pytest.raises(urlset.UrlsetError):
        urlset.load(tmp_path / "none.xml", ledger=ledger)
    assert [account.status for account in ledger.accounts] == ["failed"]


def test_options_are_those_of_reading() -> None:
    assert [entry.loc for entry in urlset.load(SAMPLES / "sitemap.xml", include=["*/news/*"])] == [
        entry.loc for entry in urlset.read(SAMPLES / "sitemap.xml") if "/news/" in entry.loc
    ]
    with pytest.raises(urlset.UrlsetError, match="no option 'colour'"):
        urlset.load(SAMPLES / "sitemap.xml", colour="red")


def test_a_source_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(urlset.UrlsetError, match="no such file"):
        urlset.load(tmp_path / "nothing.xml")


def test_without_pyarrow_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for job in (lambda: urlset.load(SAMPLES / "sitemap.xml"), library.arrow):
        with pytest.raises(MissingDependencyError, match=r"pip install 'urlset\[arrow\]'"):
            job()


def test_without_pandas_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    inventory = of(urlset.Entry(loc="https://example.com/"))
    monkeypatch.setitem(sys.modules, "pandas", None)
    for job in (inventory.to_pandas, inventory.by_host().to_pandas):
        with pytest.raises(MissingDependencyError, match=r"pip install 'urlset\[explore\]'"):
            job()


def test_info_and_the_registry_need_no_pyarrow() -> None:
    code = "import sys; sys.modules['pyarrow'] = None; import urlset; print(urlset.info(sys.argv[1]).urls)"
    command = [sys.executable, "-c", code, str(SAMPLES / "sitemap.xml")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "5\n"


# --- the line that counts


class Display:
    """Stands in for the display function of a notebook."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, shown: dict[str, str], *, raw: bool, display_id: bool) -> Display:
        assert raw and display_id
        self.texts.append(shown["text/plain"])
        return self

    def update(self, shown: dict[str, str], *, raw: bool) -> None:
        self.texts.append(shown["text/plain"])


@pytest.mark.parametrize(
    ("wanted", "patience", "times"),
    [(None, 0.0, 3), (True, 0.0, 3), (False, 0.0, 0), (None, 1000.0, 0)],
)
def test_a_notebook_shows_a_line_while_it_takes_long(
    wanted: bool | None, patience: float, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from urlset.converters.explore import progress

    display = Display()
    monkeypatch.setattr(progress, "_notebook_display", lambda: display)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with progress.shown(wanted) as tell:
        if tell is not None:
            tell(urlset.Progress(1000, 50_000, None))
            tell(urlset.Progress(2000, 100_000, None))
    assert len(display.texts) == times
    assert all("URLs read" in text for text in display.texts[:-1])
    assert display.texts[-1:] in ([""], [])


def test_a_notebook_is_known_by_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from urlset.converters.explore import progress

    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert progress._notebook_display() is None
    terminal = SimpleNamespace(get_ipython=lambda: SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", terminal)
    assert progress._notebook_display() is None
    display = SimpleNamespace(display="the function")
    kernel = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1), display=display)
    monkeypatch.setitem(sys.modules, "IPython", kernel)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert progress._notebook_display() == "the function"


@pytest.mark.parametrize("runs", [(5, 0, 5), (300, 2, 3_000, 1, 10), (0, 1, 2_500), (2_500, 1), (17_000, 1, 17_000)])
def test_columns_and_entries_with_blocks_stay_in_their_order(tmp_path: Path, runs: tuple[int, ...]) -> None:
    image = "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>"
    dates = ("2024-05-06", "2024-05-06T07:08Z", "2024-05-06T07:08:09.5Z", "")
    records = []
    for kind, run in enumerate(runs):
        for number in range(run):
            date = dates[number % 4]
            lastmod = f"<lastmod>{date}</lastmod>" if date else ""
            loc = f"https://example.com/{kind}/{number}"
            records.append(f"<url><loc>{loc}</loc>{lastmod}{image if kind % 2 else ''}</url>\n")
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    path = tmp_path / "mixed.xml"
    path.write_text(f"<urlset {spaces}>\n{''.join(records)}</urlset>\n")
    found, expected = list(urlset.load(path)), list(urlset.read(path))
    assert found == expected
    assert [(one.origin, one.lastmod and one.lastmod.precision) for one in found] == [
        (one.origin and one.origin._replace(lines={}), one.lastmod and one.lastmod.precision) for one in expected
    ]


def sitemap(*records: str) -> bytes:
    root = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', root, *records, "</urlset>"]).encode()


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_rejected_record_is_no_row_wherever_it_stands(bad: int) -> None:
    records = ["<url><loc>https://example.com/a</loc></url>", "<url><loc>https://example.com/b</loc></url>"]
    records.insert(bad, "<url><loc>foo bar</loc></url>")
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    data = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{chr(10).join(records)}\n</urlset>'.encode()
    )
    found = urlset.load(data, progress=False)
    assert found["loc"].to_pylist() == ["https://example.com/a", "https://example.com/b"]
    assert found.ledger.counts.rejected == 1


def test_an_inventory_of_nothing_but_rejected_records_is_empty() -> None:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    assert (
        len(urlset.load(f'<urlset xmlns="{space}">\n<url><loc>x</loc></url>\n</urlset>'.encode(), progress=False)) == 0
    )
