"""What an inventory tells: its summary in two forms, tables by group, addresses that are alike, and pictures."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.axes import Axes

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently

import urlset
from urlset.converters import tally
from urlset.converters.info import Info
from urlset.converters.tally import Tally
from urlset.converters.visible import visible
from urlset.formats.vocabulary.errors import MissingDependencyError, OptionError

SAMPLES = Path(__file__).parents[1] / "samples"
TABLES: list[Callable[[urlset.Inventory], Any]] = [
    urlset.Inventory.by_host,
    urlset.Inventory.by_folder,
    urlset.Inventory.by_depth,
    urlset.Inventory.by_extension,
    urlset.Inventory.by_parameter,
    urlset.Inventory.by_month,
    urlset.Inventory.by_changefreq,
    urlset.Inventory.by_language,
    urlset.Inventory.duplicates,
    urlset.Inventory.near_duplicates,
    urlset.Inventory.findings_table,
]
PLOTS: list[Callable[..., Axes]] = [
    urlset.Inventory.plot_lastmod,
    urlset.Inventory.plot_folders,
    urlset.Inventory.plot_lengths,
    urlset.Inventory.plot_languages,
]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda one: one.__name__)
every_plot = pytest.mark.parametrize("plot", PLOTS, ids=lambda one: one.__name__)

HOSTILE = "<script>alert(1)</script><img src=x onerror=y>\u202e\x1b[31m\ud800"


def at(*found: str, **fields: Any) -> urlset.Inventory:
    return urlset.Inventory.of(urlset.Entry(loc=loc, **fields) for loc in found)


def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in table]


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    mpl.use("Agg")
    yield
    pyplot.close("all")


# --- the summary


@patiently(40)
@given(found=st.lists(entries, max_size=5))
def test_columns_are_summarised_as_the_stream_of_entries_is(found: list[urlset.Entry]) -> None:
    inventory = urlset.Inventory.of(found)
    streamed = Info(inventory.ledger)
    for entry in found:
        streamed.add(entry)
    assert inventory.summary.as_dict() == streamed.as_dict()
    assert inventory.summary.sections() == streamed.sections()


def test_the_summary_at_a_prompt() -> None:
    text = repr(urlset.load(SAMPLES / "sitemap.xml"))
    assert text.splitlines()[0] == "5 URLs"
    for line in (
        "lastmod from 2024-04 to 2024-05-06T08:00:00+02:00",
        "hosts: www.example.com 5",
        "folders: / 2, /de/ 1, /news/ 1, /videos/ 1",
        "extensions: (none) 5",
        "findings: deprecated-element 1",
    ):
        assert f"\n  {line}" in text


def test_the_summary_in_a_notebook() -> None:
    html = urlset.load(SAMPLES / "sitemap.xml")._repr_html_()
    for text in ("5 URLs", "www.example.com", "/videos/", "deprecated-element", "lastmod from 2024-04"):
        assert text in html
    assert "href" not in html
    assert_balanced(html)


def test_several_documents_are_named_a_few_of_them() -> None:
    inventory = urlset.load([SAMPLES / "urls.txt"] * 7)
    text = repr(inventory)
    assert text.splitlines()[0].endswith("URLs from 7 documents")
    assert text.count("urls.txt") == 5
    assert "… and 2 more documents" in text


def assert_balanced(html: str) -> None:
    opened = re.findall(r"<([a-z]+)[ >]", html)
    closed = re.findall(r"</([a-z]+)>", html)
    assert sorted(opened) == sorted(closed)


def test_nothing_of_others_is_markup_or_steers_a_terminal() -> None:
    finding = urlset.Finding("invalid-url-character", "warning", HOSTILE, HOSTILE, value=HOSTILE)
    inventory = at("https://example.com/<script>/\u202e/x", "https://example.com/<SCRIPT>/\u202e/x")
    inventory.ledger.add(finding)
    inventory.ledger.accounts[0].name = HOSTILE
    shown: list[Any] = [inventory, inventory.by_folder(2), inventory.findings_table(), inventory.near_duplicates()]
    for one in shown:
        html, text = one._repr_html_(), repr(one)
        assert "<script" not in html.lower() and "<img" not in html
        assert "&lt;script&gt;" in html.lower()
        for char in "\u202e\x1b\ud800":
            assert char not in html and char not in text
        assert_balanced(html)


def test_marks_that_cannot_be_printed_are_shown_by_their_codes() -> None:
    assert visible("a\tb\u202e\U000e0001é") == "a\\x09b\\u202e\\U000e0001é"


def test_a_tally_forgets_what_is_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "KEPT", 10)
    counts = Tally()
    for number in range(1000):
        counts.add("often", 2)
        counts.add(str(number))
    assert not counts.exact
    assert len(counts) < 20
    assert counts.top(1) == {"often": 2000}
    info = Info(urlset.Ledger(), hosts=counts)
    (section,) = info.sections()
    assert (section.title, section.counted) == ("hosts, about 10 most frequent", "at least")


def test_a_tally_orders_equal_counts_by_name() -> None:
    counts = Tally()
    for name in "cab":
        counts.add(name)
    assert list(counts.top(2)) == ["a", "b"]
    assert counts.exact


def test_more_hosts_than_are_shown_are_counted() -> None:
    inventory = at(*(f"https://{number:02}.example.com/" for number in range(12)))
    titles = [section.title for section in inventory.summary.sections()]
    assert titles == ["fields", "hosts, 10 of 12", "folders", "extensions"]


# --- tables


@every_table
@pytest.mark.parametrize("inventory", [at(), urlset.load(SAMPLES / "sitemap.xml")], ids=["empty", "full"])
def test_tables_show_themselves_and_go_everywhere(table: Callable[..., Any], inventory: urlset.Inventory) -> None:
    found = table(inventory)
    assert found.title in repr(found)
    assert all(name in repr(found) for name in found.column_names)
    assert_balanced(found._repr_html_())
    assert len(found) == len(list(found)) == len(found.to_pandas()) == len(found.to_polars()) == len(found.to_arrow())
    assert list(pd.DataFrame.from_arrow(found).columns) == list(pl.DataFrame(found).columns) == found.column_names


def test_long_tables_are_shown_in_part() -> None:
    table = at(*(f"https://example.com/{number}/" for number in range(25))).by_folder()
    assert len(table) == 25
    assert repr(table).endswith("… and 5 more")
    assert "… and 5 more" in table._repr_html_()


def test_each_address_of_a_list_is_shown_for_itself() -> None:
    """None is cut because of its neighbours, and of many only the first are shown."""
    long = f"https://example.com/{'a' * 60}/"
    near = at(long, f"{long}?gclid=1").near_duplicates()
    assert f"{long}<br/>{long}?gclid=1</td>" in near._repr_html_()
    assert f"{long}, {long}?gclid=1" in repr(near)
    same = at(*[long] * 6).duplicates()
    assert "<br/>… and 2 more</td>" in same._repr_html_()
    assert repr(same).endswith(", … and 2 more")
    assert len(next(iter(same))["places"]) == 6


def test_hosts_with_the_range_of_their_dates() -> None:
    inventory = urlset.Inventory.of(
        [
            urlset.Entry(loc="https://A.example/1", lastmod=urlset.LastMod("2024-05-06")),
            urlset.Entry(loc="https://a.example/2", lastmod=urlset.LastMod("2023")),
            urlset.Entry(loc="https://a.example/3"),
            urlset.Entry(loc="https://b.example/1"),
        ]
    )
    found = [(row["host"], row["urls"], row["dated"], str(row["oldest"])[:10]) for row in inventory.by_host()]
    assert found == [("a.example", 3, 2, "2023-01-01"), ("b.example", 1, 0, "None")]


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (1, [("/a/", 3), ("/", 1)]),
        (2, [("/a/b/", 2), ("/", 1), ("/a/", 1)]),
        (9, [("/", 1), ("/a/", 1), ("/a/b/", 1), ("/a/b/c/", 1)]),
        (5000, [("/", 1), ("/a/", 1), ("/a/b/", 1), ("/a/b/c/", 1)]),
    ],
)
def test_folders_to_a_depth(depth: int, expected: list[tuple[str, int]]) -> None:
    inventory = at(*(f"https://example.com{path}" for path in ("/a/b/c/d.html", "/a/b/", "/a/x", "")))
    assert rows(inventory.by_folder(depth), "folder", "urls") == expected


def test_a_depth_of_nothing_is_refused() -> None:
    with pytest.raises(OptionError, match="at least 1"):
        at().by_folder(0)


def test_depths_extensions_frequencies_and_months() -> None:
    inventory = urlset.Inventory.of(
        [
            urlset.Entry(
                loc="https://e.com/a/b.PDF", changefreq="weekly", lastmod=urlset.LastMod("2024-05-31T23:30:00-01:00")
            ),
            urlset.Entry(loc="https://e.com/b.pdf", changefreq="always", lastmod=urlset.LastMod("0001")),
            urlset.Entry(loc="https://e.com/c", lastmod=urlset.LastMod("2024-05")),
        ]
    )
    assert rows(inventory.by_depth(), "depth", "urls") == [(0, 2), (1, 1)]
    assert rows(inventory.by_extension(), "extension", "urls") == [("pdf", 2), (None, 1)]
    assert rows(inventory.by_changefreq(), "changefreq", "urls") == [("always", 1), ("weekly", 1), (None, 1)]
    assert rows(inventory.by_month(), "month", "urls") == [
        ("0001 (year only)", 1),
        ("2024-05", 1),
        ("2024-06", 1),
    ]


def test_tables_show_dates_as_precisely_as_they_are() -> None:
    texts = ["2023", "2024-05", "2024-05-06", "2024-05-06T07:08:09+01:00", "0987-06", "1969-12-31T23:59:59.123456Z"]
    entries = [urlset.Entry(loc=f"https://{n}.com/", lastmod=urlset.LastMod(text)) for n, text in enumerate(texts)]
    inventory = urlset.Inventory.of([*entries, urlset.Entry(loc="https://6.com/")])
    table = inventory.by_host()
    shown = ["2023", "2024-05", "2024-05-06", "2024-05-06 06:08", "0987-06", "1969-12-31 23:59"]
    lines = [re.split(r"\s{2,}", line) for line in str(table).splitlines()[2:-1]]
    assert [line[3:] for line in lines] == [[one, one] for one in shown]
    assert all(f">{one}<" in table._repr_html_() for one in shown)
    assert table.column_names == ["host", "urls", "dated", "oldest", "newest"]
    assert rows(table, "oldest", "newest")[5] == (datetime(1969, 12, 31, 23, 59, 59, 123456, tzinfo=UTC),) * 2
    assert rows(table, "oldest", "newest")[-1] == (None, None)


def test_a_date_that_is_a_year_is_in_no_month() -> None:
    assert rows(dated("2024", "2024-01-03", "2024", None).by_month(), "month", "urls") == [
        ("2024 (year only)", 2),
        ("2024-01", 1),
        (None, 1),
    ]


def test_parameters_with_their_values() -> None:
    inventory = at("https://e.com/?a=1&b", "https://e.com/?a=2&a=3", "https://e.com/?a=1", "https://e.com/")
    assert rows(inventory.by_parameter(), "parameter", "urls", "values", "example") == [
        ("a", 3, 2, "1"),
        ("b", 1, 0, None),
    ]


def test_languages_of_alternates() -> None:
    def linked(*pairs: tuple[str, str]) -> tuple[urlset.Alternate, ...]:
        return tuple(urlset.Alternate(hreflang=language, href=href) for language, href in pairs)

    inventory = urlset.Inventory.of(
        [
            urlset.Entry(loc="https://e.com/1", alternates=linked(("de", "a"), ("de", "b"), ("en", "c"))),
            urlset.Entry(loc="https://e.com/2", alternates=linked(("de", "d"))),
            urlset.Entry(loc="https://e.com/3"),
        ]
    )
    assert rows(inventory.by_language(), "language", "urls", "links") == [("de", 2, 3), ("en", 1, 1)]


def test_findings_are_rows() -> None:
    table = urlset.load(SAMPLES / "faulty.xml").findings_table()
    assert rows(table, "rule", "severity", "line", "action") == [
        ("not-absolute", "error", 8, "rejected"),
        ("invalid-date", "warning", 12, "dropped-value"),
    ]


# --- alike


def test_addresses_that_are_one_address() -> None:
    """RFC 3986 6.2.2, 6.2.3: case of scheme and host, escapes of letters, the default port; no fragment is sent."""
    inventory = at(
        "https://e.com/a", "https://e.com/b", "HTTPS://E.com:443/%61#x", "https://e.com/a", "https://e.com/A"
    )
    (row,) = inventory.duplicates()
    assert (row["loc"], row["times"]) == ("https://e.com/a", 3)
    assert row["spellings"] == ["https://e.com/a", "HTTPS://E.com:443/%61#x"]


def test_places_of_duplicates_are_named(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("https://e.com/a\nhttps://e.com/b\nhttps://e.com/a\n")
    (row,) = urlset.load(path).duplicates()
    assert row["places"] == [f"{path}:1", f"{path}:3"]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("https://e.com/a", "http://e.com/a", ["scheme"]),
        ("https://e.com/a", "https://www.e.com/a", ["www"]),
        ("https://e.com/a", "https://e.com/a/", ["trailing slash"]),
        ("https://e.com/a?x=1", "https://e.com/a/?x=1", ["trailing slash"]),
        ("https://e.com/a", "https://e.com/A", ["case"]),
        ("https://e.com/a", "https://e.com/a?utm_source=x&utm_medium=y", ["tracking"]),
        ("https://e.com/a?x=1", "https://e.com/a?gclid=z&x=1", ["tracking"]),
        ("https://e.com/a?x=1&y=2", "https://e.com/a?x=1&fbclid&y=2", ["tracking"]),
        ("https://e.com/a?x=1", "https://e.com/a?x=1&_ga=2", ["tracking"]),
        ("http://e.com/a/", "https://www.e.com/A?utm_id=1", ["scheme", "www", "trailing slash", "tracking", "case"]),
        ("https://e.com/a", "https://e.com/b", None),
        ("https://e.com/a?x=1", "https://e.com/a?x=2", None),
        ("https://e.com/a", "https://e.com/a?x=1", None),
        ("https://e.com/a?utm=1", "https://e.com/a", None),
        ("https://e.com/a", "https://e.com/a#x", None),
    ],
)
def test_addresses_that_are_nearly_one(first: str, second: str, words: list[str] | None) -> None:
    found = list(at(first, "https://e.com/other", second).near_duplicates())
    assert [row["differ_in"] for row in found] == ([] if words is None else [words])
    assert [row["addresses"] for row in found] == ([] if words is None else [[first, second]])


# --- pictures


def dated(*texts: str | None) -> urlset.Inventory:
    return urlset.Inventory.of(
        urlset.Entry(loc=f"https://e.com/{number}", lastmod=urlset.LastMod(text) if text else None)
        for number, text in enumerate(texts)
    )


def heights(ax: Axes) -> list[float]:
    return [bar.get_height() for bar in ax.patches]  # type: ignore[attr-defined]


def ticks(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


@every_plot
@pytest.mark.parametrize("inventory", [at(), urlset.load(SAMPLES / "sitemap.xml")], ids=["empty", "full"])
def test_a_picture_is_drawn_where_it_is_asked_for(plot: Callable[..., Axes], inventory: urlset.Inventory) -> None:
    _, mine = pyplot.subplots()
    assert plot(inventory, ax=mine) is mine
    own = plot(inventory)
    assert own is not mine
    assert own.get_title("left") == mine.get_title("left") != ""
    own.figure.canvas.draw()


@pytest.mark.parametrize(
    ("texts", "unit", "names", "numbers"),
    [
        (["2024-05-06", "2024-05-08", "2024-05-08"], "day", ["2024-05-06", "2024-05-07", "2024-05-08"], [1, 0, 2]),
        (["2024-01", "2024-04-30"], "month", ["2024-01", "2024-02", "2024-03", "2024-04"], [1, 0, 0, 1]),
        (["2024-05", "2024-05-06", "2024-05-07"], "day", ["2024-05-06", "2024-05-07"], [1, 1]),
        (["2024", "2024-05", "2024-05-06"], "month", ["2024-05"], [2]),
        (["2024", "2024", "2024-05-06"], "year", ["2024"], [3]),
        (["2001", "2012-12-31T23:59:59Z"], "year", [str(year) for year in range(2001, 2013)], [1, *[0] * 10, 1]),
    ],
)
def test_dates_are_binned_by_the_time_they_span(
    texts: list[str], unit: str, names: list[str], numbers: list[int]
) -> None:
    ax = dated(*texts).plot_lastmod()
    assert ax.get_xlabel().startswith(f"{unit} of lastmod")
    assert ticks(ax.xaxis) == names
    assert heights(ax) == numbers


def test_dates_without_what_is_drawn_are_said() -> None:
    ax = dated("2024", "2024-05", "2024-05-06", "2024-05-07", "2024-05-07").plot_lastmod()
    assert heights(ax) == [1, 2]
    assert "2 without a day" in ax.get_xlabel()


def test_dates_that_no_page_can_have_are_said_and_not_drawn() -> None:
    ax = dated("0001-01-01", "9999-12-31", "2024-05-06", None).plot_lastmod()
    assert heights(ax) == [1]
    assert "1 without a date; 2 with a date that no page can have" in ax.get_xlabel()


@pytest.mark.parametrize(("days", "rotation"), [(9, 0), (10, 45)])
def test_names_of_dates_stand_level_where_there_is_room(days: int, rotation: int) -> None:
    ax = dated(*(str(date(2024, 1, 1) + timedelta(number)) for number in range(days))).plot_lastmod()
    assert {label.get_rotation() for label in ax.xaxis.get_ticklabels()} == {rotation}


def test_many_days_have_few_labels() -> None:
    ax = dated(*(str(date(2024, 1, 1) + timedelta(number)) for number in range(60))).plot_lastmod()
    assert len(ax.patches) == 60
    assert len(ticks(ax.xaxis)) == 12


def test_folders_beyond_the_largest_are_one_bar() -> None:
    name = "a-name-that-is-longer-than-an-axis-can-show-in-full"
    found = [f"https://e.com/{number}/" for number in range(19)]
    ax = at(*found, *[f"https://e.com/{name}$/{number}" for number in range(3)]).plot_folders()
    labels = ticks(ax.yaxis)
    assert len(ax.patches) == 16
    assert labels[0].startswith("/a-name-") and labels[0].endswith("full\\$/")
    assert labels[-1] == "5 others"
    assert len(labels[0]) <= 41


def test_what_the_font_lacks_is_shown_as_its_escape() -> None:
    ax = at("https://e.com/\u4e2d\u00e9/").plot_folders()
    assert ticks(ax.yaxis) == ["/%E4%B8%ADé/"]


def test_the_limit_is_drawn_where_addresses_come_near_it() -> None:
    short, long = at("https://e.com/").plot_lengths(), at(f"https://e.com/{'a' * 2100}").plot_lengths()
    assert len(short.lines) == 0
    assert [line.get_xdata()[0] for line in long.lines] == [2048]  # type: ignore[index]
    assert "1 too long for a sitemap" in long.get_xlabel()
    assert sum(heights(long)) == 1


def test_the_matrix_of_languages() -> None:
    def page(own: str, *others: str) -> urlset.Entry:
        links = [urlset.Alternate(hreflang=one, href=f"https://e.com/{one}") for one in (own, *others)]
        return urlset.Entry(loc=f"https://e.com/{own}", alternates=tuple(links))

    lonely = urlset.Entry(loc="https://e.com/x", alternates=(urlset.Alternate(hreflang="de", href="https://e.com/de"),))
    ax = urlset.Inventory.of([page("de", "EN"), page("en"), lonely]).plot_languages()
    assert (ticks(ax.yaxis), ticks(ax.xaxis)) == (["de", "en"], ["de", "en"])
    assert [text.get_text() for text in ax.texts] == ["1", "1", "0", "1"]
    # The German page names both languages, the English one only itself: a pale cell has a dark number.
    assert [text.get_color() for text in ax.texts] == ["white", "white", "black", "white"]
    assert "1 pages with alternates don't name themselves" in ax.get_xlabel()


def test_a_large_matrix_has_no_numbers() -> None:
    names = [f"l{number:02}" for number in range(25)]
    links = [urlset.Alternate(hreflang=one, href="https://e.com/l00" if one == "l00" else one) for one in names]
    ax = urlset.Inventory.of([urlset.Entry(loc="https://e.com/l00", alternates=tuple(links))]).plot_languages()
    assert (len(ax.texts), len(ticks(ax.xaxis))) == (0, 20)


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    inventory = at("https://e.com/")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'urlset\[explore\]'"):
        inventory.plot_lastmod()


# --- the page


def test_the_examples_of_the_page_run(samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """They stand in one order and build on each other."""
    (samples / "samples").symlink_to(".")
    monkeypatch.chdir(samples)
    text = (SAMPLES.parent / "docs" / "exploring.md").read_text("utf-8")
    exec("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), {})  # noqa: S102
    assert "5 URLs" in capsys.readouterr().out
    assert {entry.loc for entry in urlset.read("fresh.xml")} < {entry.loc for entry in urlset.read("all.parquet")}
    assert Path("folders.png").stat().st_size > 1000


def test_the_page_names_every_column() -> None:
    text = (SAMPLES.parent / "docs" / "exploring.md").read_text("utf-8")
    table = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([a-z_]+)`", "\n".join(row.split("|")[1] for row in table.splitlines()))) == set(
        at().schema.names
    )
