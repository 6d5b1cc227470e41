from __future__ import annotations

import math
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.tables.columns import (
    NAMES,
    Columns,
    guess_loc_column,
    looks_like_header,
    parse_decimal,
    recognise,
)

SITE = "https://example.com"


@pytest.mark.parametrize(
    "name",
    [
        *("loc", "url", "address", "uri", "link", "page", "pages", "landing page", "top pages"),
        *("url address", "page url", "full url", "website url"),
        *("URL", " Url ", "\ufeffURL", "Landing_Page", "landing-page", "TOP  PAGES", "page_-_url"),
        *("Páginas principales", "Páginas", "Página", "Die häufigsten Seiten", "Seiten", "Seite"),
        *("Pages les plus populaires", "Pagine principali", "Pagina", "Páginas principais", "Pagina’s"),
        *("Strony", "Strona", "Страницы", "Страница", "Самые популярные страницы", "上位のページ", "ページ"),
        unicodedata.normalize("NFD", "Páginas principales"),
    ],
)
def test_address_names(name: str) -> None:
    assert recognise(["id", name, "clicks"]) == Columns(1, (None, "loc", None))


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        *[(name, "lastmod") for name in ("lastmod", "Last Modified", "last-modified", "last modification")],
        *[(name, "lastmod") for name in ("modified", "Updated", "date_modified", " LastMod ")],
        *[(name, "changefreq") for name in ("changefreq", "Change Frequency", "frequency")],
        ("Priority", "priority"),
        *[(name, "title") for name in ("title", "Title 1", "Page Title")],
        *[(name, name) for name in ("images", "videos", "news", "alternates", "mobile", "pagemaps", "extra")],
        ("Status Code", "status"),
        ("Indexability", "indexability"),
        ("Indexability Status", "indexability-status"),
        *[(name, "canonical") for name in ("Canonical Link Element 1", "canonical")],
        ("Content Type", "content-type"),
        ("content-type", "content-type"),
        *[(name, "robots") for name in ("Meta Robots 1", "robots")],
        *[(name, None) for name in ("", "Status", "Title 2", "Title 1 Length", "H1-1")],
        *[(name, None) for name in ("url encoded address", "product_url", "clicks", "Last Modified By")],
    ],
)
def test_other_names(name: str, meaning: str | None) -> None:
    columns = recognise(["url", name])
    assert columns.fields == ("loc", meaning)
    assert columns.ambiguous is None


def test_crawler_export_r97() -> None:
    header = (
        "Address",
        "Content Type",
        "Status Code",
        "Status",
        "Indexability",
        "Indexability Status",
        "Canonical Link Element 1",
        "Last Modified",
        "Redirect URL",
        "URL Encoded Address",
    )
    assert recognise(header) == Columns(
        0,
        (
            "loc",
            "content-type",
            "status",
            None,
            "indexability",
            "indexability-status",
            "canonical",
            "lastmod",
            None,
            None,
        ),
    )


def test_order_of_columns_is_free_r115() -> None:
    assert recognise(["priority", "changefreq", "lastmod", "url"]) == Columns(
        3, ("priority", "changefreq", "lastmod", "loc")
    )


@pytest.mark.parametrize(
    ("header", "loc"),
    [
        (["address", "url"], 1),
        (["url", "address"], 0),
        (["link", "loc"], 1),
        (["page", "landing page"], 1),
        (["url", "resolved_url"], 0),
        (["image_link", "link"], 1),
    ],
)
def test_the_more_decisive_name_wins(header: list[str], loc: int) -> None:
    columns = recognise(header)
    assert columns.loc == loc
    assert columns.fields.count("loc") == 1
    assert columns.ambiguous is None
    assert columns.duplicates == ()


def test_other_fields_have_a_precedence_too() -> None:
    assert recognise(["url", "updated", "lastmod"]).fields == ("loc", None, "lastmod")


def test_repeated_names() -> None:
    columns = recognise(["url", "x", "URL ", "last_modified", "Last-Modified", "x", "url"])
    assert columns.fields == ("loc", None, None, "lastmod", None, None, None)
    assert columns.duplicates == ("URL", "Last-Modified", "url")


@pytest.mark.parametrize(
    ("header", "named"),
    [
        (["old_url", "new_url"], ["old_url", "new_url"]),
        (["oldUrl", "newUrl", "title"], ["oldUrl", "newUrl"]),
        (["url1", "url2"], ["url1", "url2"]),
        (["Referring page title", "Referring page URL", "Target URL"], ["Referring page URL", "Target URL"]),
        (["en_page", "es_page", "en_canonical"], ["en_page", "es_page"]),
    ],
)
def test_ambiguous(header: list[str], named: list[str]) -> None:
    columns = recognise(header)
    assert columns.loc is None
    assert columns.ambiguous is not None
    assert all(repr(name) in columns.ambiguous for name in named)


@pytest.mark.parametrize("header", [[], [""], ["short", "long"], ["name", "product_url"], ["curl", "hourly"]])
def test_no_address_and_nothing_ambiguous(header: list[str]) -> None:
    columns = recognise(header)
    assert (columns.loc, columns.ambiguous) == (None, None)


def test_the_message_stays_short() -> None:
    message = recognise(["some_url"] * 100_000).ambiguous
    assert message is not None
    assert len(message) < 200


def test_no_name_has_two_meanings() -> None:
    names = [name for listed in NAMES.values() for name in listed]
    assert len(names) == len(set(names))


def test_every_listed_name_is_recognised() -> None:
    for meaning, names in NAMES.items():
        for name in names:
            assert recognise([name.upper().replace(" ", "_")]).fields == (meaning,), name


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["url"], True),
        (["\ufeffURL", "Clicks"], True),
        (["url", ""], True),
        (["short", "long"], True),
        (["H1-1", "% of Total", 'rel="next" 1', "Avg. words"], True),
        (["", "", "Name"], True),
        (["Titel", "Größe", "日付"], True),
        (["id/path", "url"], True),
        ([], False),
        (["", " "], False),
        (["1", "2"], False),
        (["name", "2024-01-01"], False),
        (["url", f"{SITE}/a"], False),
        ([" HTTP://example.com"], False),
        (["/about"], False),
        (["www.example.com/a"], False),
        (["example.com"], False),
    ],
)
def test_header_or_not(cells: list[str], expected: bool) -> None:
    assert looks_like_header(cells) is expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([[]], None),
        ([[f"{SITE}/a"], [f"{SITE}/b"]], 0),
        ([["x", "y", f" {SITE}/a"], ["x", "y", "HTTP://EXAMPLE.COM/b"]], 2),
        ([[f"{SITE}/a", f"{SITE}/b"], [f"{SITE}/c", f"{SITE}/d"]], None),
        ([[f"{SITE}/a", f"{SITE}/b"], [f"{SITE}/c", ""]], 0),
        ([["a", "/b"], ["c", "/d"]], None),
        ([["ftp://example.com/a"], ["mailto:a@example.com"]], None),
        ([["https:///a"], ["http://"]], None),
        ([[f"{SITE}/a", "x"], ["y", f"{SITE}/b"]], None),
        ([*[["x", f"{SITE}/a"]] * 19, ["short"]], 1),
    ],
)
def test_guess(rows: list[list[str]], expected: int | None) -> None:
    assert guess_loc_column(rows) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        ("0", 0.0),
        ("0.30000000000000004", 0.30000000000000004),
        (".5", 0.5),
        ("5.", 5.0),
        ("-0.1", -0.1),
        ("+1.5", 1.5),
        (" 0.5\t", 0.5),
        ("007", 7.0),
    ],
)
@pytest.mark.parametrize("comma", [False, True])
def test_decimal_r116(text: str, value: float, comma: bool) -> None:
    assert parse_decimal(text, comma) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            ".",
            "-",
            "+",
            "+-1",
            "1 000",
            "0. 5",
            "- 1",
            "1.2.3",
            "1.234,5",
            "1,234.5",
            "0,5,5",
            ",",
            "1,.5",
        ),
        *("5e-1", "1E3", "nan", "NaN", "inf", "-Infinity", "high", "1_000", "0x1", "1f", "50%", "\u00a01"),
        *("٠.٥", "½", "\uff11", "−1", "1\n2", "9" * 400),
    ],
)
@pytest.mark.parametrize("comma", [False, True])
def test_no_decimal_r116(text: str, comma: bool) -> None:
    assert parse_decimal(text, comma) is None


@pytest.mark.parametrize(("text", "value"), [("0,5", 0.5), (",5", 0.5), ("5,", 5.0), ("-1,25", -1.25)])
def test_decimal_comma_r87(text: str, value: float) -> None:
    assert parse_decimal(text, True) == value
    assert parse_decimal(text, False) is None


def test_minus_zero_is_zero() -> None:
    value = parse_decimal("-0.0", False)
    assert value is not None
    assert math.copysign(1, value) == 1


@given(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=6),
    st.booleans(),
)
def test_plain_decimals(number: Decimal, comma: bool) -> None:
    text = f"{number:f}".replace(".", "," if comma else ".")
    assert parse_decimal(text, comma) == float(number)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_any_names(header: list[str]) -> None:
    columns = recognise(header)
    assert len(columns.fields) == len(header)
    used = [field for field in columns.fields if field]
    assert len(used) == len(set(used))
    assert columns.loc is None or columns.fields[columns.loc] == "loc"
    looks_like_header(header)
    guess_loc_column([header])


@given(st.text(max_size=30), st.booleans())
def test_any_number(text: str, comma: bool) -> None:
    value = parse_decimal(text, comma)
    assert value is None or math.isfinite(value)
