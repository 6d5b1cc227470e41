"""Columns of a table that are no fields of an entry: they are named once, and no others are."""

from __future__ import annotations

import pytest

import urlset

LOC = "https://example.com/a"


def told(table: str, **options: object) -> list[urlset.Finding]:
    ledger = urlset.Ledger()
    list(urlset.read(table.encode(), from_="csv", ledger=ledger, **options))
    return [one for one in ledger.findings if one.rule == "unknown-column"]


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (f"loc,Titel,prio\n{LOC},Start,0.5\n", "Titel, prio"),
        (f"loc,,x\n{LOC},1,2\n", "column 2, x"),
        (f"{LOC},2024-01-01,0.5\n{LOC}b,2024-01-02,0.5\n", "column 2, column 3"),
        (f"\ufeffnote;URL\nold;{LOC}\n", "note"),
    ],
)
def test_columns_that_are_left_out_are_named_once(table: str, names: str) -> None:
    (one,) = told(table)
    assert (one.value, one.severity, one.line, one.count) == (names, "info", 1, 1)
    assert all(repr(name) in one.message for name in names.split(", "))


@pytest.mark.parametrize(
    "table",
    [
        f"loc,lastmod,priority\n{LOC},2024-05-06,0.5\n",
        f",loc\n0,{LOC}\n",
        f"loc,note\n{LOC},\n",
        f"Address,Status Code,Indexability,Content Type\n{LOC},200,Indexable,text/html\n",
        f"loc,lastmod,lastmod_text,lastmod_precision,source,line,host,path,depth\n{LOC},2024,2024,year,s,1,h,/a,0\n",
        f"loc,loc\n{LOC},{LOC}b\n",
        f"{LOC}\n{LOC}b\n",
    ],
    ids=["fields", "index", "empty", "crawl", "inventory", "repeated", "list"],
)
def test_columns_of_which_nothing_is_missed_are_not_named(table: str) -> None:
    assert told(table) == []


def test_many_columns_are_counted() -> None:
    names = [f"x{number}" for number in range(25)]
    (one,) = told(f"loc,{','.join(names)}\n{LOC}{',1' * 25}\n")
    assert one.message.startswith("25 columns are no fields of an entry; left out: 'x0', 'x1', ")
    assert one.message.endswith("'x19', and 5 more")


def test_strict_does_not_stop_at_them() -> None:
    (one,) = told(f"loc,prio\n{LOC},1\n", strict=True)
    assert one.message == "1 column is no field of an entry; left out: 'prio'"
