"""Entries that a caller made: their fields are looked at, since nobody else did."""

from __future__ import annotations

import copy
import io
import json
import pickle
from decimal import Decimal
from typing import Any

import pytest

import urlset
from urlset.formats import registry
from urlset.formats.vocabulary.errors import OptionError

SITE = "https://example.com/"
PLAIN = urlset.Entry(loc=SITE)
TARGETS = [one.name for one in registry() if one.write is not None and one.carries >= {"lastmod", "priority"}]


def written(entries: list[urlset.Entry], to: str) -> bytes:
    out = io.BytesIO()
    urlset.write(entries, out, to=to, on_loss="ignore")
    return out.getvalue()


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(
    ("field", "value", "meant"),
    [
        ("lastmod", "2024-05-06", urlset.LastMod("2024-05-06")),
        ("priority", "0.5", 0.5),
        ("priority", Decimal("0.5"), 0.5),
        ("priority", 1, 1.0),
        ("images", [urlset.Image(loc="https://example.com/i")], (urlset.Image(loc="https://example.com/i"),)),
    ],
)
def test_what_means_one_value_is_that_value(to: str, field: str, value: object, meant: object) -> None:
    made = PLAIN.model_copy(update={field: value})
    right = PLAIN.model_copy(update={field: meant})
    assert written([made, PLAIN], to) == written([right, PLAIN], to)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("loc", None),
        ("loc", 5),
        ("lastmod", "yesterday"),
        ("changefreq", 5),
        ("changefreq", "a & <b>"),
        ("priority", float("nan")),
        ("priority", 1.5),
        ("title", 5),
        ("images", "x"),
        ("origin", "x"),
    ],
)
def test_what_is_no_value_is_named_with_its_row(field: str, value: object) -> None:
    out = io.BytesIO()
    with pytest.raises(OptionError, match=f"row 2: {field}") as refused:
        urlset.write([PLAIN, PLAIN.model_copy(update={field: value})], out, to="jsonl")
    assert refused.value.value == str(value)
    assert out.getvalue() == b""


def test_an_entry_without_any_field_is_named() -> None:
    with pytest.raises(OptionError, match="row 1: loc"):
        urlset.write([urlset.Entry.model_construct()], io.BytesIO(), to="text")


class Page(urlset.Entry):
    """An entry with a field of its own."""

    note: str | None = None


@pytest.mark.parametrize("neighbours", [[], [PLAIN], [urlset.Entry(loc=SITE, images=(urlset.Image(loc="i"),))]])
def test_fields_of_another_class_do_not_depend_on_the_neighbours(neighbours: list[urlset.Entry]) -> None:
    lines = written([Page(loc=SITE, note="x"), *neighbours], "jsonl").splitlines()
    assert json.loads(lines[0]) == {"loc": SITE, "note": "x"}


def test_half_of_a_surrogate_pair_survives_in_json_and_is_rejected_in_tables() -> None:
    odd = urlset.Entry(loc=SITE, title="a\ud800é")
    lines = written([PLAIN, odd], "jsonl")
    assert list(urlset.read(lines, from_="jsonl")) == [PLAIN, odd]
    result = urlset.write([PLAIN, odd], io.BytesIO(), to="csv")
    assert [(one.rule, one.action) for one in result.ledger.findings] == [("value-not-carried", "rejected")]
    assert result.ledger.counts.written == 1


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301 - our own
def test_entries_can_be_copied_and_sent(again: Any) -> None:
    (entry,) = urlset.read(SITE.encode(), from_="text")
    found = again(entry)
    assert found == entry
    assert found.origin == entry.origin
    assert entry.model_copy(deep=True) == entry


def test_addresses_are_written_alike_whatever_stands_beside_them() -> None:
    loc = "https://example.com/%e9/é"
    alone, beside = (written([urlset.Entry(loc=one) for one in locs], "text") for locs in ([loc], [loc, f"{SITE}x;y"]))
    assert beside.splitlines()[0] == alone.strip() == b"https://example.com/%E9/%C3%A9"
