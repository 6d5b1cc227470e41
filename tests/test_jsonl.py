"""JSON lines: what a bad block, a bad value and an unknown field cost, and whose date counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

import urlset

LOC = "https://example.com/a"


def read(*lines: dict[str, Any], **options: Any) -> tuple[list[urlset.Entry], urlset.Ledger]:
    ledger = urlset.Ledger()
    text = "\n".join(json.dumps({"loc": LOC, **line}) for line in lines)
    return list(urlset.read(text.encode(), from_="jsonl", ledger=ledger, **options)), ledger


BEFORE = "0001-01-01T00:00:00+14:00"  # no datetime has that instant
GERMAN = {"hreflang": "de", "href": "https://example.com/de"}


@pytest.mark.parametrize(
    ("line", "kept", "place", "value"),
    [
        ({"alternates": [{"hreflang": "de"}]}, {}, "alternates.0.href", [{"hreflang": "de"}]),
        (
            {"alternates": [GERMAN, {"hreflang": "fr"}]},
            {"alternates": [GERMAN]},
            "alternates.1.href",
            {"hreflang": "fr"},
        ),
        ({"news": {"title": 5}, "priority": 0.5}, {"priority": 0.5}, "news.title", {"title": 5}),
        ({"images": {"loc": "i.png"}}, {}, "images", {"loc": "i.png"}),
        ({"title": ["a"], "lastmod": "2024-05-06"}, {"lastmod": "2024-05-06"}, "title", ["a"]),
        ({"lastmod": {"year": 2024}}, {}, "lastmod", {"year": 2024}),
        ({"mobile": "perhaps"}, {}, "mobile", "perhaps"),
    ],
)
def test_a_bad_block_costs_the_block_and_not_the_page(
    line: dict[str, Any], kept: dict[str, Any], place: str, value: Any
) -> None:
    (entry,), ledger = read(line)
    assert entry.as_dict() == {"loc": LOC, **kept}
    (one,) = ledger.findings
    assert (one.rule, one.severity, one.action, one.line) == ("invalid-json", "warning", "dropped-value", 1)
    assert one.message.startswith(f"{place}: ")
    assert (one.field, json.loads(one.value or "")) == (place, value)
    assert not ledger.has_errors


def test_strict_stops_at_a_bad_block() -> None:
    with pytest.raises(urlset.UrlsetError, match="alternates"):
        read({"alternates": [{"hreflang": "de"}]}, strict=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, True), (1, True), (1.0, True), ("true", True), ("True", True), ("", None)]
    + [(no, None) for no in (False, 0, 0.0, "false", "False")],
)
def test_a_truth_may_have_become_a_number_or_a_word(value: Any, expected: bool | None) -> None:
    (entry,), ledger = read({"mobile": value})
    assert (entry.mobile, ledger.findings) == (expected, [])


def test_an_unknown_field_is_told_of_once_with_its_number() -> None:
    found, ledger = read({"colour": "red", "size": 1}, {"colour": "blue"}, {"title": "t"}, {"colour": "red"})
    assert len(found) == 4
    assert [(one.value, one.count, one.line) for one in ledger.findings] == [("colour", 3, 1), ("size", 1, 1)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"lastmod": "2024-05-01T00:00:00.000Z", "lastmod_text": "2024-05"}, "2024-05"),
        (
            {"lastmod": "2024-05-06T00:00:00.000Z", "lastmod_text": "2024-05-06T02:00:00+02:00"},
            "2024-05-06T02:00:00+02:00",
        ),
        (
            {"lastmod": "2024-05-06T07:08:09.123Z", "lastmod_text": "2024-05-06T07:08:09.1239Z"},
            "2024-05-06T07:08:09.1239Z",
        ),
        ({"lastmod": "2024-05-02T00:00:00.000Z", "lastmod_text": "2024-05"}, "2024-05-02T00:00:00.000Z"),
        ({"lastmod": "2024-05-02", "lastmod_text": "nonsense"}, "2024-05-02"),
        ({"lastmod": "2024-05-02", "lastmod_text": 5}, "2024-05-02"),
        ({"lastmod": "soon", "lastmod_text": "2024"}, None),
        ({"lastmod": None, "lastmod_text": "2024"}, None),
        ({"lastmod": None, "lastmod_text": BEFORE}, BEFORE),
        ({"lastmod_text": "2024"}, "2024"),
    ],
)
def test_the_text_of_a_date_counts_while_it_means_the_same(line: dict[str, Any], expected: str | None) -> None:
    (entry,), _ = read(line)
    assert (entry.lastmod and str(entry.lastmod)) == expected
