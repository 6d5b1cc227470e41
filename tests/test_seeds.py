"""The samples and limits that public descriptions of the protocol give, typographic quotes and stray tags included."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.sitemap import MAX_BYTES, MAX_URLS
from urlset.formats.sitemap_index import MAX_SITEMAPS
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES

SEEDS = Path(__file__).with_name("data") / "seeds"
Read = Callable[..., tuple[list[dict[str, Any]], list[str]]]

SAMPLES = {
    "typographic-quotes.xml": "sitemap-0.84",
    "typographic-quotes-index.xml": "sitemap-index",
    "namespace-https-slash.xml": "sitemap",
    "index-with-br.xml": "sitemap-index",
    "sitemap-0.9.xml": "sitemap",
    "index-0.9.xml": "sitemap-index",
}


def expected(name: str) -> tuple[list[dict[str, Any]], list[str]]:
    stem = name.removesuffix(".xml")
    lines = (SEEDS / f"{stem}.expected.jsonl").read_text("utf-8").splitlines()
    findings = SEEDS / f"{stem}.expected.findings"
    return [json.loads(line) for line in lines], findings.read_text().split() if findings.exists() else []


def test_every_seed_is_tested() -> None:
    assert {path.name for path in SEEDS.glob("*.xml")} == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_entries_and_findings(name: str, reading: Read) -> None:
    entries, findings = reading(SEEDS / name)
    assert (entries, findings) == expected(name)


@pytest.mark.parametrize(("name", "format"), SAMPLES.items())
def test_format(name: str, format: str) -> None:  # noqa: A002
    ledger = urlset.Ledger()
    list(urlset.read(SEEDS / name, ledger=ledger, follow=False))
    assert [account.format for account in ledger.accounts] == [format]


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_converted_needs_no_further_repair(name: str, tmp_path: Path, reading: Read) -> None:
    target = "sitemap-index" if "index" in name else "sitemap"
    urlset.convert(SEEDS / name, tmp_path / "out.xml", to=target, follow=False)
    assert reading(tmp_path / "out.xml") == (expected(name)[0], [])


@pytest.mark.parametrize("name", ["typographic-quotes.xml", "typographic-quotes-index.xml", "index-with-br.xml"])
def test_strict_refuses_what_is_not_well_formed(name: str) -> None:
    with pytest.raises(urlset.UrlsetError):
        list(urlset.read(SEEDS / name, strict=True, follow=False))


# --- limits

LOC = "https://www.example.com/{}"


def entries(number: int) -> list[urlset.Entry]:
    return [urlset.Entry(loc=LOC.format(place)) for place in range(number)]


def parts(result: urlset.Result) -> list[tuple[str, int]]:
    return [(Path(output.path).name, output.urls) for output in result.outputs]


def test_fifty_thousand_urls_are_one_file_and_one_more_are_two(tmp_path: Path) -> None:
    assert MAX_URLS == 50_000
    many = entries(50_001)
    assert parts(urlset.write(many[:-1], tmp_path / "one.xml")) == [("one.xml", 50_000)]
    assert parts(urlset.write(many, tmp_path / "two.xml", base_url="https://www.example.com/")) == [
        ("two-1.xml", 50_000),
        ("two-2.xml", 1),
        ("two.xml", 2),
    ]


def test_fifty_thousand_sitemaps_are_one_index(tmp_path: Path) -> None:
    assert MAX_SITEMAPS == 50_000
    result = urlset.write(entries(50_000), tmp_path / "index.xml", to="sitemap-index")
    assert parts(result) == [("index.xml", 50_000)]


def test_the_byte_limit_is_that_of_2016_and_is_still_allowed(tmp_path: Path) -> None:
    assert MAX_BYTES == 52_428_800
    size = len(written(entries(3)))
    one = urlset.write(entries(3), tmp_path / "one.xml", max_bytes=size)
    assert parts(one) == [("one.xml", 3)]
    assert (tmp_path / "one.xml").stat().st_size == size
    two = urlset.write(entries(3), tmp_path / "two.xml", max_bytes=size - 1, base_url="https://www.example.com/")
    assert parts(two) == [("two-1.xml", 2), ("two-2.xml", 1), ("two.xml", 2)]


def written(found: list[urlset.Entry]) -> bytes:
    stream = io.BytesIO()
    urlset.write(found, stream, to="sitemap")
    return stream.getvalue()


@pytest.mark.parametrize("size", [10_485_760, 52_428_800])
def test_a_full_file_of_either_byte_limit_is_one_file(size: int, tmp_path: Path) -> None:
    """10 MB until 2016 and 50 MB since: a file of exactly that size is not split."""
    empty = len(written([urlset.Entry(loc=LOC.format(""))])) - len(LOC.format(""))
    markup = len("  <url>\n    <loc></loc>\n  </url>\n")
    room = size - (empty - markup)
    number = room // 2_000
    shortest, longer = divmod(room, number)
    lengths = [shortest + (place < longer) - markup for place in range(number)]
    full = [urlset.Entry(loc=LOC.format(place).ljust(length, "x")) for place, length in enumerate(lengths)]
    result = urlset.write(full, tmp_path / "full.xml", max_bytes=size)
    assert parts(result) == [("full.xml", number)]
    assert (tmp_path / "full.xml").stat().st_size == size
    over = urlset.write(full, tmp_path / "over.xml", max_bytes=size - 1, base_url="https://www.example.com/")
    assert parts(over) == [("over-1.xml", number - 1), ("over-2.xml", 1), ("over.xml", 2)]


def urlset_with(inner: str, loc: str = "https://www.example.com/") -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}<url><loc>{loc}</loc>{inner}</url>\n</urlset>\n".encode()


@pytest.mark.parametrize(
    ("length", "findings"),
    [
        pytest.param(2_047, [], id="2047-fewer-than-2048"),
        # The text of the protocol asks for fewer than 2,048 characters, its schema for at most 2,048.
        pytest.param(2_048, [], id="2048-the-schema"),
        pytest.param(2_049, ["loc-too-long:3"], id="2049"),
    ],
)
def test_length_of_an_address(length: int, findings: list[str], reading: Read) -> None:
    loc = "https://www.example.com/".ljust(length, "a")
    assert reading(urlset_with("", loc)) == ([{"loc": loc}], findings)


def test_the_length_is_that_of_the_unescaped_address(reading: Read) -> None:
    loc = "https://www.example.com/?".ljust(2_047, "&")
    assert reading(urlset_with("", loc.replace("&", "&amp;"))) == ([{"loc": loc}], [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.0", 0.0),
        ("1.0", 1.0),
        ("0.5", 0.5),
        ("0", 0.0),
        ("1", 1.0),
        ("1.00", 1.0),
        (".5", 0.5),
        ("+0.5", 0.5),
        ("0.", 0.0),
    ],
)
def test_priorities(text: str, value: float, reading: Read) -> None:
    data = urlset_with(f"<priority>{text}</priority>")
    assert reading(data) == ([{"loc": "https://www.example.com/", "priority": value}], [])


@pytest.mark.parametrize("text", ["1.01", "-0.1", "0,5", "5e-1", "NaN", "high", "10", "1.0.0", "٠.٥"])
def test_no_priorities(text: str, reading: Read) -> None:
    data = urlset_with(f"<priority>{text}</priority>")
    assert reading(data) == ([{"loc": "https://www.example.com/"}], ["invalid-priority:3"])


def test_an_absent_priority_stays_absent() -> None:
    (entry,) = urlset.read(urlset_with(""))
    assert entry.priority is None
    assert b"priority" not in written([entry])


@pytest.mark.parametrize("word", ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"])
def test_change_frequencies(word: str, reading: Read) -> None:
    found = [{"loc": "https://www.example.com/", "changefreq": word}]
    assert reading(urlset_with(f"<changefreq>{word}</changefreq>")) == (found, [])
    assert reading(urlset_with(f"<changefreq>{word.title()}</changefreq>")) == (found, ["invalid-changefreq:3"])


def test_there_are_seven_words() -> None:
    assert len(CHANGE_FREQUENCIES) == 7


@pytest.mark.parametrize("word", ["sometimes", "annually", "", "dai ly", "daily, weekly", "biweekly"])
def test_no_change_frequencies(word: str, reading: Read) -> None:
    data = urlset_with(f"<changefreq>{word}</changefreq>")
    assert reading(data) == ([{"loc": "https://www.example.com/"}], ["invalid-changefreq:3"])


@pytest.mark.parametrize(
    "text", ["2005-06-14", "2005-06-14T11:19:35+01:00", "2008-05-14T14:20:29+01:00", "2004-10-01T18:23:17+00:00"]
)
def test_dates_as_the_descriptions_write_them(text: str, reading: Read) -> None:
    data = urlset_with(f"<lastmod>{text}</lastmod>")
    assert reading(data) == ([{"loc": "https://www.example.com/", "lastmod": text}], [])
