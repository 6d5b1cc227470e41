from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.tables import rows as rows_module
from urlset.formats.tables.rows import Fault, Row, join_row, split_rows
from urlset.formats.vocabulary.batches import SIZE

LIMIT = 1_000_000
DELIMITERS = (",", ";", "\t", "|")
# Few characters, the awkward ones among them, so that quotes and delimiters meet often.
AWKWARD = st.text(alphabet='a ",;|\t\r\n\u00e9\u00a0', max_size=12)
CELLS = st.lists(st.one_of(AWKWARD, st.text(max_size=20)), min_size=1, max_size=6)


def numbered(text: str) -> list[tuple[int, str]]:
    return list(enumerate(re.split(r"\r\n|\r|\n", text), 1))


def split(text: str, delimiter: str | None = ",", max_record: int = LIMIT) -> list[Row | Fault]:
    return list(split_rows(numbered(text), delimiter, max_record=max_record))


def cells(found: Iterable[Row | Fault]) -> list[list[str]]:
    return [row.cells for row in found if isinstance(row, Row)]


def faults(found: Iterable[Row | Fault]) -> list[tuple[int, int]]:
    return [(fault.line, fault.column) for fault in found if isinstance(fault, Fault)]


def by_record_only(text: str, delimiter: str) -> list[Row | Fault]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "_sound_line", lambda *_: None)
        return split(text, delimiter)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a,b,c", [["a", "b", "c"]], id="plain"),
        pytest.param("a,,", [["a", "", ""]], id="empty-cells"),
        pytest.param("a\r\nb\nc\rd", [["a"], ["b"], ["c"], ["d"]], id="line-ends"),
        pytest.param("a\n\n  \nb\n", [["a"], ["b"]], id="blank-lines"),
        pytest.param(",,", [["", "", ""]], id="delimiters-only"),
        pytest.param(" a , b ", [[" a ", " b "]], id="blanks-belong-to-the-cell"),
        pytest.param('"a","b"', [["a", "b"]], id="all-quoted"),
        pytest.param('""', [[""]], id="empty-quoted"),
        pytest.param('"",""', [["", ""]], id="two-empty-quoted"),
        pytest.param('a,"b, c",d', [["a", "b, c", "d"]], id="R89-delimiter-in-quotes"),
        pytest.param('"say ""hi""",x', [['say "hi"', "x"]], id="R89-doubled-quotes"),
        pytest.param('""""', [['"']], id="one-quote"),
        pytest.param('"""a"" b",c', [['"a" b', "c"]], id="quotes-at-the-start"),
        pytest.param('27" screen,x "y" z', [['27" screen', 'x "y" z']], id="quote-inside-an-unquoted-cell"),
        pytest.param('a, "b, c" ,d', [["a", "b, c", "d"]], id="blanks-round-quotes"),
        pytest.param(' "a","b" ', [["a", "b"]], id="blanks-at-the-ends"),
        pytest.param('a, "b" c,d', [["a", ' "b" c', "d"]], id="blank-then-no-sound-quotation"),
        pytest.param('a, "b,c\nd,e', [["a", ' "b', "c"], ["d", "e"]], id="blank-then-unclosed"),
        pytest.param('a, "b\nc", d', [["a", "b\nc", " d"]], id="blank-then-several-lines"),
        pytest.param('"a\r\nb\rc\nd",e', [["a\nb\nc\nd", "e"]], id="line-ends-in-quotes"),
        pytest.param('"a\n\n\nb"', [["a\n\n\nb"]], id="blank-lines-in-quotes"),
        pytest.param('a,"b\nc","d\ne"\nf,g', [["a", "b\nc", "d\ne"], ["f", "g"]], id="two-long-cells"),
        pytest.param("url,x,\u2028y", [["url", "x", "\u2028y"]], id="unicode-line-separator"),
    ],
)
def test_split(text: str, expected: list[list[str]]) -> None:
    found = split(text)
    assert cells(found) == expected
    assert faults(found) == []


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_every_delimiter(delimiter: str) -> None:
    text = delimiter.join(["a", f'"b{delimiter}c"', "", 'd"'])
    assert cells(split(text, delimiter)) == [["a", f"b{delimiter}c", "", 'd"']]
    assert cells(split(delimiter * 2, delimiter)) == [["", "", ""]]


def test_tabs_are_blanks_only_where_they_do_not_delimit() -> None:
    assert cells(split('a\t"b"', "\t")) == [["a", "b"]]
    assert cells(split('a,\t"b"\t', ",")) == [["a", "b"]]
    assert cells(split("\t", ",")) == []


def test_one_column_keeps_delimiters_but_not_quotes() -> None:
    text = 'url\nhttps://example.com/1,2;3\t4|5\n"https://example.com/it\'s"\n"a\nb"'
    assert cells(split(text, None)) == [
        ["url"],
        ["https://example.com/1,2;3\t4|5"],
        ["https://example.com/it's"],
        ["a\nb"],
    ]


def test_physical_lines_r93() -> None:
    text = 'url,note,lastmod\r\n/a,"first\r\nsecond\r\nthird",2024-01-01\r\n'
    text += '/b,"plain",x\r\n/c,"two\nlines",y\r\n/d,x,z'
    found = [row for row in split(text) if isinstance(row, Row)]
    assert [row.line for row in found] == [1, 2, 5, 6, 8]
    assert [[row.cell_line(index) for index in range(3)] for row in found] == [
        [1, 1, 1],
        [2, 2, 4],
        [5, 5, 5],
        [6, 6, 7],
        [8, 8, 8],
    ]
    assert found[1].raw == '/a,"first\nsecond\nthird",2024-01-01'
    assert found[2].raw == '/b,"plain",x'


def test_line_numbers_are_the_given_ones() -> None:
    lines = [(10, '"a'), (20, 'b",c'), (30, "d")]
    found = [row for row in split_rows(lines, ",", max_record=LIMIT) if isinstance(row, Row)]
    assert [(row.line, row.lines) for row in found] == [(10, (10, 20)), (30, ())]


def test_unclosed_quote_r98() -> None:
    found = split('url,title\n/a,Fine\n/b,"Unclosed\n/c,Fine\n/d,Fine')
    assert cells(found) == [["url", "title"], ["/a", "Fine"], ["/c", "Fine"], ["/d", "Fine"]]
    assert faults(found) == [(3, 4)]
    fault = found[2]
    assert isinstance(fault, Fault)
    assert "never closed" in fault.message
    assert fault.raw == '/b,"Unclosed'


@pytest.mark.parametrize(
    ("text", "rows", "places"),
    [
        pytest.param('"a"b,c\nd', [["d"]], [(1, 4)], id="text-behind"),
        pytest.param('"a" b,c\nd', [["d"]], [(1, 5)], id="blank-and-text-behind"),
        pytest.param('x,"a""b"c\nd', [["d"]], [(1, 9)], id="text-behind-doubled"),
        pytest.param('x,"a\ny,"b"\nz', [["y", "b"], ["z"]], [(1, 3)], id="closed-by-the-next-opening-one"),
        pytest.param('x,"a\ny,"b\nz', [["z"]], [(1, 3), (2, 3)], id="every-line-unclosed"),
        pytest.param('"', [], [(1, 1)], id="only-a-quote"),
        pytest.param('"""', [], [(1, 1)], id="three-quotes"),
        pytest.param('a,"\n\n', [], [(1, 3)], id="quote-and-blank-lines"),
        pytest.param('"a\nb","c\nd', [["d"]], [(2, 4)], id="second-quotation-unclosed"),
        pytest.param('"a"b\n"c"d\n"e"', [["e"]], [(1, 4), (2, 4)], id="one-fault-a-line"),
    ],
)
def test_faults(text: str, rows: list[list[str]], places: list[tuple[int, int]]) -> None:
    found = split(text)
    assert cells(found) == rows
    assert faults(found) == places


def test_raw_of_a_fault_ends_with_its_line() -> None:
    (fault,) = (item for item in split('"a\nb","c\nd') if isinstance(item, Fault))
    assert fault.raw == '"a\nb","c'


def test_message_names_the_line_of_the_next_quote() -> None:
    (fault,) = (item for item in split('x,"a\n1\n2\ny,"b"') if isinstance(item, Fault))
    assert "line 4" in fault.message


def test_record_limit() -> None:
    text = 'a,"b\n12345\n12345"\nc'
    assert cells(split(text, max_record=17)) == [["a", "b\n12345\n12345"], ["c"]]
    found = split(text, max_record=16)
    assert faults(found) == [(1, 3)]
    assert cells(found) == [["12345"], ['12345"'], ["c"]]


def test_cells_of_any_length_r144() -> None:
    long = "x" * (csv.field_size_limit() + 1)
    found = split(f'url,text\n/1,"{long}, ""{long}"""\n/2,{long}', max_record=100)
    assert cells(found) == [["url", "text"], ["/1", f'{long}, "{long}"'], ["/2", long]]


def test_many_lines_in_one_cell() -> None:
    body = "\n".join(["line"] * 50_000)
    assert cells(split(f'a,"{body}"\nb,c')) == [["a", body], ["b", "c"]]


STRAY = 20_000


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(['x,"a'] * STRAY, id="unclosed"),
        pytest.param(['x, "a'] * STRAY, id="blank-and-unclosed"),
        pytest.param(['x,"a""'] * STRAY, id="unclosed-doubled"),
        pytest.param(['x,"a', *['x ""y""'] * STRAY], id="doubled-in-plain-cells"),
        pytest.param(['x,"a', *['a","b'] * STRAY], id="closes-and-opens"),
        pytest.param(['x, "a', *['a", "b'] * STRAY], id="closes-and-opens-with-blanks"),
        pytest.param(['x,"a', *["x,y"] * STRAY, *['x,"a'] * 3], id="one-far-away"),
        pytest.param([', "' * STRAY], id="many-on-one-line"),
        pytest.param([', "a' * STRAY, 'b"c'], id="many-on-one-line-and-one-below"),
    ],
)
@pytest.mark.parametrize("limit", [100, LIMIT])
def test_work_is_linear(lines: Sequence[str], limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    closing_quote = rows_module._closing_quote

    def counted(text: str, start: int) -> int:
        nonlocal seen
        end = closing_quote(text, start)
        seen += (end if end >= 0 else len(text)) - start + 1
        return end

    monkeypatch.setattr(rows_module, "_closing_quote", counted)
    found = list(split_rows(enumerate(lines, 1), ",", max_record=limit))
    assert found
    assert seen <= 4 * sum(len(line) + 1 for line in lines)


def test_look_ahead_is_bounded_by_the_limit() -> None:
    taken = 0

    def source() -> Iterable[tuple[int, str]]:
        nonlocal taken
        for number in range(1, 100_000):
            taken = number
            yield number, 'x,"a' if number == 1 else "plain"

    found = iter(split_rows(source(), ",", max_record=1000))
    assert isinstance(next(found), Fault)
    assert taken <= 1000 / len("plain") + 2 + SIZE  # lines are taken some at a time


def test_reading_is_lazy() -> None:
    def source() -> Iterable[tuple[int, str]]:
        yield 1, "a,b"
        raise AssertionError("read ahead without need")

    assert next(iter(split_rows(source(), ",", max_record=LIMIT))) == Row(1, ["a", "b"], (), "a,b")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([], ""),
        ([""], '""'),
        (["", ""], ","),
        (["a", "b c"], "a,b c"),
        (["a,b", "c"], '"a,b",c'),
        (['say "hi"'], '"say ""hi"""'),
        (["a\nb", "c\rd"], '"a\nb","c\rd"'),
        ([" a", "b ", "\u00a0c"], '" a","b ","\u00a0c"'),
        (["a;b"], "a;b"),
        (["=HYPERLINK(1)", "-5", "@x"], "=HYPERLINK(1),-5,@x"),
    ],
)
def test_join(row: list[str], expected: str) -> None:
    assert join_row(row) == expected


def test_join_with_other_delimiter() -> None:
    assert join_row(["a;b", "c,d"], ";") == '"a;b";c,d'


def normalised(row: Sequence[str]) -> list[str]:
    return [re.sub(r"\r\n|\r", "\n", cell) for cell in row]


@given(st.lists(CELLS, min_size=1, max_size=4), st.sampled_from(DELIMITERS), st.sampled_from(["\n", "\r\n"]))
def test_round_trip(table: list[list[str]], delimiter: str, end: str) -> None:
    text = "".join(join_row(row, delimiter) + end for row in table)
    found = split(text, delimiter)
    assert faults(found) == []
    assert cells(found) == [normalised(row) for row in table]


@given(CELLS, st.sampled_from(DELIMITERS))
def test_the_csv_module_reads_what_we_write(row: list[str], delimiter: str) -> None:
    assert list(csv.reader([join_row(row, delimiter)], delimiter=delimiter, strict=True)) == [row]


@given(st.lists(CELLS, min_size=1, max_size=4), st.sampled_from(DELIMITERS), st.booleans())
def test_we_read_what_the_csv_module_writes(table: list[list[str]], delimiter: str, all_quoted: bool) -> None:
    sink = io.StringIO(newline="")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    csv.writer(sink, delimiter=delimiter, quoting=quoting).writerows(table)
    found = split(sink.getvalue(), delimiter)
    assert faults(found) == []
    assert not_blank(cells(found)) == not_blank([normalised(row) for row in table])


def not_blank(table: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return [row for row in table if any(cell.strip() for cell in row)]


@given(st.text(alphabet='ab ",\n\r', max_size=40) | st.text(max_size=80), st.sampled_from([None, *DELIMITERS]))
def test_any_text_gives_every_line_once(text: str, delimiter: str | None) -> None:
    found = split(text, delimiter)
    raws = [line for item in found for line in item.raw.split("\n")]
    assert [line for line in raws if line.strip()] == [line for _, line in numbered(text) if line.strip()]
    for row in found:
        if isinstance(row, Row):
            assert not row.lines or len(row.lines) == len(row.cells)


@given(text=st.text(alphabet='a ",\t\n', max_size=30), delimiter=st.sampled_from([",", "\t"]))
def test_quick_and_careful_reading_agree(text: str, delimiter: str) -> None:
    assert split(text, delimiter) == by_record_only(text, delimiter)
