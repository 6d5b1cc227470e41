"""A feed into a Google News sitemap: name and language of the paper, and what becomes of each item."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.converters.cli import main
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.xml.schema import faults

SPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:atom="http://www.w3.org/2005/Atom"'
)
NOW = "2024-06-03T00:00:00Z"
PAPER: dict[str, Any] = {"news_name": "The Paper", "news_language": "en", "now": NOW}
NEW = "<pubDate>Sun, 02 Jun 2024 10:00:00 +0200</pubDate>"
OLD = "<pubDate>Fri, 31 May 2024 23:59:59 GMT</pubDate>"


@pytest.fixture(params=["strict", "repair"])
def lane(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rss(*items: str, lane: str = "strict") -> bytes:
    """Items on lines of their own, the first on line 2, behind a raw ampersand in the repair lane."""
    title = "A & B" if lane == "repair" else "A"
    body = "".join(f"<item><link>https://e.com/{number}</link>{one}</item>\n" for number, one in enumerate(items))
    return f'<rss version="2.0" {SPACES}><channel><title>{title}</title>\n{body}</channel></rss>'.encode()


def atom(entry: str, namespace: str = "http://www.w3.org/2005/Atom") -> bytes:
    link = '<link rel="alternate" type="text/html" href="https://e.com/0"/>'
    return f'<feed xmlns="{namespace}"><title>F</title><entry><title>T</title>{link}{entry}</entry></feed>'.encode()


def read(data: bytes, **options: Any) -> tuple[list[urlset.Entry], list[tuple[str, int | None]], urlset.Ledger]:
    """The entries, and the findings about dates and articles with their lines."""
    ledger = urlset.Ledger()
    entries = list(urlset.read(data, ledger=ledger, **{**PAPER, **options}))
    told = [(one.rule, one.line) for one in ledger.findings if one.rule.startswith(("news-", "invalid-", "date-"))]
    return entries, told, ledger


def test_an_item_becomes_an_article(lane: str) -> None:
    (entry,), told, _ = read(rss(f"<title> A &amp; B </title>{NEW}", lane=lane))
    assert entry.news is not None
    assert entry.news.as_dict() == {
        "publication": {"name": "The Paper", "language": "en"},
        "publication_date": "2024-06-02T10:00:00+02:00",
        "title": "A & B",
    }
    assert (entry.title, told) == ("A & B", [])


def test_without_a_paper_there_are_no_articles() -> None:
    (entry,) = urlset.read(rss(f"<title>T</title>{OLD}"))
    assert entry.news is None


FIRST = "<pubDate>Sun, 02 Jun 2024 10:00:00 GMT</pubDate>"
DC = "<dc:date>2024-06-02</dc:date>"
CHANGED = "<atom:updated>2024-06-02T12:00:00Z</atom:updated>"


@pytest.mark.parametrize(
    ("dates", "lastmod", "published"),
    [
        (CHANGED + FIRST, "2024-06-02T12:00:00Z", "2024-06-02T10:00:00Z"),
        (DC + FIRST, "2024-06-02T10:00:00Z", "2024-06-02T10:00:00Z"),
        (DC, "2024-06-02", "2024-06-02"),
        ("<dc:date>2024-06-02T07:08Z</dc:date>", "2024-06-02T07:08:00Z", "2024-06-02T07:08:00Z"),
        ("<dcterms:issued>2024-06-02</dcterms:issued>", "2024-06-02", "2024-06-02"),
        ("<pubDate>soon</pubDate>" + DC, "2024-06-02", "2024-06-02"),
    ],
)
def test_the_first_publication_in_rss(dates: str, lastmod: str, published: str, lane: str) -> None:
    (entry,), told, _ = read(rss(f"<title>T</title>{dates}", lane=lane))
    assert entry.news is not None
    assert (str(entry.lastmod), str(entry.news.publication_date)) == (lastmod, published)
    # A date that is none is reported once, though it is asked for twice.
    assert told == ([("invalid-date", 2)] if "soon" in dates else [])


@pytest.mark.parametrize(
    ("dates", "namespace", "published"),
    [
        (
            "<updated>2024-06-02T12:00:00Z</updated><published>2024-06-02T10:00:00+02:00</published>",
            "http://www.w3.org/2005/Atom",
            "2024-06-02T10:00:00+02:00",
        ),
        ("<updated>2024-06-02T12:00:00Z</updated>", "http://www.w3.org/2005/Atom", "2024-06-02T12:00:00Z"),
        (
            "<modified>2024-06-02T12:00:00Z</modified><issued>2024-06-02T10:00:00Z</issued>",
            "http://purl.org/atom/ns#",
            "2024-06-02T10:00:00Z",
        ),
        ("<modified>2024-06-02T12:00:00Z</modified>", "http://purl.org/atom/ns#", "2024-06-02T12:00:00Z"),
    ],
)
def test_the_first_publication_in_atom(dates: str, namespace: str, published: str) -> None:
    (entry,), _, _ = read(atom(dates, namespace))
    assert entry.news is not None
    assert str(entry.news.publication_date) == published


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (NEW, [("news-missing-title", 2)]),
        (f"<title> </title>{NEW}", [("news-missing-title", 2)]),
        ("<title>T</title>", [("news-missing-date", 2)]),
        (f"<title>T</title>{CHANGED}", [("news-missing-date", 2)]),
        ("<title>T</title><dc:date>2024-06</dc:date>", [("news-missing-date", 2)]),
        ("<title>T</title><dc:date>2001</dc:date>", [("news-missing-date", 2)]),
        ("<title>T</title><pubDate>soon</pubDate>", [("invalid-date", 2), ("news-missing-date", 2)]),
        ("", [("news-missing-title", 2), ("news-missing-date", 2)]),
    ],
)
def test_an_item_without_title_or_date_stays_without_an_article(
    item: str, told: list[tuple[str, int]], lane: str
) -> None:
    (entry,), said, ledger = read(rss(item, lane=lane))
    assert (entry.news, said) == (None, told)
    assert ledger.counts.filtered == 0


@pytest.mark.parametrize(
    ("date", "stays"),
    [
        ("<pubDate>Sat, 01 Jun 2024 00:00:00 GMT</pubDate>", True),
        ("<pubDate>Fri, 31 May 2024 23:59:59 GMT</pubDate>", False),
        ("<pubDate>Sat, 01 Jun 2024 01:59:59 +0200</pubDate>", False),
        ("<dc:date>2024-06-01</dc:date>", True),
        ("<dc:date>2024-05-31</dc:date>", False),
        ("<pubDate>Tue, 04 Jun 2024 00:00:00 GMT</pubDate>", True),
    ],
)
def test_48_hours(date: str, stays: bool, lane: str) -> None:
    entries, told, ledger = read(rss(f"<title>T</title>{date}", lane=lane))
    assert len(entries) == stays
    assert told == ([] if stays else [("news-too-old", 2)])
    assert ledger.counts.filtered == (not stays)
    assert all(one.severity == "info" for one in ledger.findings if one.rule == "news-too-old")


def test_every_record_is_accounted_for() -> None:
    data = rss(f"<title>T</title>{NEW}", f"<title>T</title>{OLD}", OLD, NEW, "<title>T</title>")
    stream = io.BytesIO()
    result = urlset.convert(data, stream, to="sitemap", **PAPER)
    counts = result.ledger.counts
    assert (counts.read, counts.written, counts.filtered, counts.rejected) == (5, 3, 2, 0)
    assert list(faults([stream.getvalue()])) == []
    assert [one.rule for one in urlset.validate(stream.getvalue(), now=NOW, select=["news-*"])] == []


def test_a_thousand_articles_a_file(tmp_path: Path) -> None:
    data = rss(*[f"<title>T</title>{NEW}"] * 1_001)
    result = urlset.convert(data, tmp_path / "news.xml", **PAPER)
    assert [one.urls for one in result.outputs if one.format == "sitemap"] == [1_000, 1]


def test_the_clock_is_now_by_default() -> None:
    options: dict[str, Any] = {"news_name": "P", "news_language": "en"}
    today = datetime.now(UTC).date()
    dates = [f"<title>T</title><dc:date>{day}</dc:date>" for day in (today, "2020-01-01")]
    assert len(list(urlset.read(rss(*dates), **options))) == 1


@pytest.mark.parametrize("now", [NOW, datetime(2024, 6, 3, tzinfo=UTC), urlset.LastMod(NOW)])
def test_now_may_be_given_in_three_ways(now: object) -> None:
    assert len(read(rss(f"<title>T</title>{NEW}", f"<title>T</title>{OLD}"), now=now)[0]) == 1


@pytest.mark.parametrize("language", ["en", "deu", "zh-cn", "zh-tw"])
def test_languages(language: str) -> None:
    assert len(read(rss(f"<title>T</title>{NEW}"), news_language=language)[0]) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"news_name": "P"},
        {"news_language": "en"},
        {"news_name": " ", "news_language": "en"},
        {"news_name": "P", "news_language": ""},
        *({"news_name": "P", "news_language": code} for code in ("EN", "en-GB", "xx", "english", "zh-hk", "e", "en\n")),
        {"news_name": "P", "news_language": "en", "now": "tomorrow"},
        {"now": "tomorrow"},
    ],
)
def test_half_a_paper_is_none(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        urlset.convert(rss(f"<title>T</title>{NEW}"), tmp_path / "a.xml", **options)
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_feed_is_left_as_it_is() -> None:
    entries, told, _ = read(b"loc,title,lastmod\nhttps://e.com/,T,2020-01-01\n")
    assert ([entry.news for entry in entries], told) == ([None], [])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "feed.xml").write_bytes(rss(f"<title>T</title>{NEW}", f"<title>T</title>{OLD}"))
    words = ["convert", str(tmp_path / "feed.xml"), "-o", str(tmp_path / "news.xml"), "--news-name", "The Paper"]
    monkeypatch.setattr("sys.argv", ["urlset", *words, "--news-language", "en", "--now", NOW])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert "2 read, 1 written, 1 filtered" in capsys.readouterr().err
    assert b"<news:name>The Paper</news:name>" in (tmp_path / "news.xml").read_bytes()
