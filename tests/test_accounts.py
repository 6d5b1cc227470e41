"""Jobs that meet what nobody would hand them, and still account for everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import urlset

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def test_a_record_in_hand_when_a_document_is_refused_was_not_read(tmp_path: Path, samples: Path) -> None:
    (tmp_path / "list.txt").write_text("https://example.com/a\n")
    result = urlset.convert([samples / "access.log", tmp_path / "list.txt"], tmp_path / "out.txt")
    assert not result.ok
    assert (tmp_path / "out.txt").read_text() == "https://example.com/a\n"
    counts = result.ledger.counts
    assert counts.read == counts.written + counts.rejected + counts.filtered + counts.duplicates


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"include": "*/a*"}, ["https://example.com/a"]),
        ({"exclude": "*/a*"}, ["https://example.com/b"]),
        ({"filters": "-*/a*"}, ["https://example.com/b"]),
        ({"rewrite": "https://example.com=https://new.example"}, ["https://new.example/a", "https://new.example/b"]),
    ],
)
def test_one_pattern_is_no_list_of_letters(options: dict[str, Any], left: list[str]) -> None:
    found = urlset.read(b"https://example.com/a\nhttps://example.com/b\n", from_="text", **options)
    assert [entry.loc for entry in found] == left


def test_a_host_that_begins_like_another_is_another() -> None:
    lines = "https://old.example\nhttps://old.example/a\nhttps://old.example?b\nhttps://old.example.com/c\nhttps://old.example:81/\n"
    found = urlset.read(lines.encode(), from_="text", rewrite=["https://old.example=https://new.example"])
    assert [entry.loc for entry in found] == [
        "https://new.example",
        "https://new.example/a",
        "https://new.example?b",
        "https://old.example.com/c",
        "https://old.example:81/",
    ]


def test_a_rewrite_that_fits_nothing_is_said() -> None:
    ledger = urlset.Ledger()
    rules = ["https://typo.example=https://new.example", "https://a.example=https://b.example"]
    list(urlset.read(b"https://a.example/\n", from_="text", rewrite=rules, ledger=ledger))
    assert [(one.rule, one.severity, one.value) for one in ledger.findings] == [
        ("rewrite-unused", "warning", "https://typo.example")
    ]


@pytest.mark.parametrize("thing", ["https://example.com/", None, 1])
def test_what_is_no_entry_is_an_option_that_is_none(thing: Any, tmp_path: Path) -> None:
    with pytest.raises(urlset.UrlsetError, match="row 1: expected an Entry"):
        urlset.write([thing], tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()


def test_a_comparison_with_a_part_that_is_missing_is_none(tmp_path: Path) -> None:
    names = "".join(f"<sitemap><loc>https://example.com/{name}.xml</loc></sitemap>" for name in ("one", "two"))
    (tmp_path / "index.xml").write_text(f'<sitemapindex xmlns="{SITEMAP}">{names}</sitemapindex>')
    (tmp_path / "one.xml").write_text(f'<urlset xmlns="{SITEMAP}"><url><loc>https://example.com/</loc></url></urlset>')
    (tmp_path / "old.txt").write_text("https://example.com/\nhttps://example.com/two\n")
    with pytest.raises(urlset.UrlsetError, match="nothing to compare"):
        urlset.diff(tmp_path / "old.txt", tmp_path / "index.xml")
