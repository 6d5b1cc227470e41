from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.tables.dialect import Dialect, detect

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("lines", "delimiter"),
    [
        pytest.param([], None, id="nothing"),
        pytest.param(["", " "], None, id="blank"),
        pytest.param(["url,lastmod", f"{SITE}/a,2024-01-01"], ",", id="comma"),
        pytest.param(["url;lastmod", f"{SITE}/a;2024-01-01"], ";", id="semicolon"),
        pytest.param(["url|lastmod", f"{SITE}/a|2024-01-01"], "|", id="bar"),
        pytest.param(["url,lastmod"], ",", id="header-only"),
        pytest.param(
            [
                f"{SITE}/map/48.1,11.5,z10",
                f"{SITE}/a;jsessionid=1",
                f"{SITE}/map/48.2,11.6,z9",
                f"{SITE}/plain",
            ],
            None,
            id="R86-list-of-urls",
        ),
        pytest.param([f"{SITE}/map/48.1,11.5"], None, id="R86-one-url"),
        pytest.param(
            [
                '\ufeff"URL";" LastMod ";"Priority"',
                f"{SITE}/a;2024-05-06;0,5",
                f'"{SITE}/b;v=1";2024-05-07;0,8',
            ],
            ";",
            id="R87-spreadsheet",
        ),
        pytest.param(["url,lastmod", f'"{SITE}/@48.1,11.5",2024-01-01', f"{SITE}/q,2024-01-02"], ",", id="R89-quoted"),
        pytest.param(
            ["url,lastmod", f"{SITE}/map/@48.1,11.5,15z,2024-01-02", f"{SITE}/short"],
            ",",
            id="R90-ragged-rows",
        ),
        pytest.param(["url", f"{SITE}/one", f"{SITE}/two?x=1:2", f"{SITE}/three"], None, id="R91-one-column"),
        pytest.param(["url", f"{SITE}/1,2", f"{SITE}/3,4"], None, id="one-column-with-commas"),
        pytest.param(
            ["url,note,lastmod", f'{SITE}/a,"one', "two; three;", 'four",2024-01-01', f"{SITE}/b,x,y"],
            ",",
            id="R93-line-breaks",
        ),
        pytest.param(
            [
                "url\ttitle\tlastmod",
                f"{SITE}/a\tRed, blue\t2024-01-01",
                f"{SITE}/b\tOne, two, three\t2024-01-02",
                f"{SITE}/c\tPlain\t2024-01-03",
            ],
            "\t",
            id="R96-commas-in-titles",
        ),
        pytest.param(["url,title", f"{SITE}/a,Fine", f'{SITE}/b,"Unclosed', f"{SITE}/c,Fine"], ",", id="R98-unclosed"),
        pytest.param(["short,long", f"gh,{SITE}/1", f"tw,{SITE}/2"], ",", id="unknown-names"),
        pytest.param([f'"A, b",x,{SITE}/1', f'"C, d",x,{SITE}/2'], ",", id="no-header"),
        pytest.param(
            ["url;title, long;lastmod", f"{SITE}/a;A, b;2024-01-01", f"{SITE}/b;C, d;2024-01-02"],
            ";",
            id="commas-everywhere-too",
        ),
        pytest.param(["{", '  "title": "A",', '  "h1s": ["b"]', "}"], None, id="json"),
        pytest.param(["Some words, and", "a text; that is", "no table at all"], None, id="prose"),
        pytest.param(["url,title", f'{SITE}/a,"cut in the'], ",", id="sample-ends-in-a-cell"),
        pytest.param([f'x,"y",{SITE}/a', f'x,"y,{SITE}/b', *[f"x,y,{SITE}/c"] * 9], ",", id="no-header-and-unclosed"),
        pytest.param(
            [f'x,y,{SITE}/a,"1"', f'x,y,{SITE}/a,"2"', f'x,y,{SITE}/b,"cut', "a,b;c", "d"],
            ",",
            id="no-header-and-cut",
        ),
    ],
)
def test_delimiter(lines: list[str], delimiter: str | None) -> None:
    assert detect(lines) == Dialect(delimiter, 0, decimal_comma=delimiter == ";")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["sep=;", "url;lastmod", f"{SITE}/a;"], Dialect(";", 1, True), id="semicolon"),
        pytest.param(["\ufeffSEP=,", "url,lastmod"], Dialect(",", 1, False), id="byte-order-mark-and-capitals"),
        pytest.param(['"sep=|"', "a|b"], Dialect("|", 1, False), id="quoted"),
        pytest.param(["sep=\t", "a\tb"], Dialect("\t", 1, False), id="tab"),
        pytest.param(["sep=;", "a,b", "c,d"], Dialect(";", 1, True), id="obeyed-against-the-evidence"),
        pytest.param(["sep=;", "Report", "url;title"], Dialect(";", 2, True), id="with-title"),
        pytest.param(["sep=;"], Dialect(";", 1, True), id="nothing-else"),
        pytest.param(["sep=a", "url,x"], Dialect(",", 1, False), id="a-letter-is-only-a-title"),
    ],
)
def test_declared_delimiter(lines: list[str], expected: Dialect) -> None:
    assert detect(lines) == expected


@pytest.mark.parametrize(
    ("lines", "skip"),
    [
        pytest.param(['"Internal - All"', '"Address","Status Code"', f'"{SITE}/","200"'], 1, id="title"),
        pytest.param(["Internal - All", "Address,Status Code"], 1, id="title-without-rows"),
        pytest.param(["# ----", "# Pages", "", "Page,Views,Users", "/a,1,2"], 3, id="comments-and-blank-line"),
        pytest.param(['"two', 'lines"', "url,title"], 2, id="title-of-two-lines"),
        pytest.param(["url,title", f"{SITE}/a,x", "url,title"], 0, id="repeated-header"),
        pytest.param([f"{SITE}/a", f"{SITE}/b,page"], 0, id="an-address-is-no-title"),
        pytest.param(["name,city", "home,page"], 0, id="as-wide-as-the-row-below"),
        pytest.param([*["note"] * 20, "url,title"], 0, id="too-far-down"),
    ],
)
def test_lines_above_the_header(lines: list[str], skip: int) -> None:
    assert detect(lines).skip == skip


def test_title_does_not_hide_the_delimiter() -> None:
    assert detect(["Internal - All", "Address;Status Code", f"{SITE}/;200"]) == Dialect(";", 1, True)


def test_one_ragged_row_among_many() -> None:
    lines = [f"name,{SITE}/{number}" for number in range(30)]
    assert detect([*lines, f"a, b,{SITE}/x"]).delimiter == ","


@given(st.lists(st.text(alphabet='ab ,;|\t"=:/', max_size=20) | st.text(max_size=30), max_size=8))
def test_any_text(lines: list[str]) -> None:
    dialect = detect(lines)
    assert 0 <= dialect.skip <= len(lines)
    assert dialect.decimal_comma == (dialect.delimiter == ";")


@given(st.lists(st.text(alphabet="abc /:?=.", max_size=10), max_size=6))
def test_no_candidate_means_one_column(lines: list[str]) -> None:
    assert detect(["url", *lines]) == Dialect(None, 0, decimal_comma=False)
