"""NEW: news. The tests take 2024-06-01T00:00:00Z for now."""

from __future__ import annotations

from rows import Case, sitemap, url
from urlset.converters.checks import Bounds

TITLE = "<news:title>Cats at play</news:title>"
FORMER = (
    "<news:access>Registration</news:access><news:genres>Blog</news:genres><news:keywords>cats</news:keywords>"
    "<news:stock_tickers>NASDAQ:CATS</news:stock_tickers>"
)


def article(more: str = TITLE, date: str = "2024-05-31", name: str = "The Paper", language: str = "en") -> str:
    """A news block on a line of its own."""
    paper = (
        f"<news:publication><news:name>{name}</news:name><news:language>{language}</news:language></news:publication>"
    )
    return f"\n<news:news>{paper}<news:publication_date>{date}</news:publication_date>{more}</news:news>"


def pages(*blocks: str) -> bytes:
    """A sitemap with a page for each text, the first on line 3."""
    return sitemap(*(url(f"https://example.com/{number}", one) for number, one in enumerate(blocks)))


def tickers(*each: str) -> str:
    """The stock_tickers of an article, behind its title."""
    return f"{TITLE}<news:stock_tickers>{', '.join(each)}</news:stock_tickers>"


CASES = [
    Case("NEW-001", "news-missing-title", hit=pages("", article(more="")), miss=pages("", article()), line=5),
    Case(
        "NEW-002",
        "news-too-many",
        hit=pages(article(), "", article(), article()),
        miss=pages(article(), "", "", article()),
        line=8,
        says="3 articles",
        options={"bounds": Bounds(max_news=2)},
    ),
    Case(
        "NEW-003",
        "repeated-element",
        hit=pages(article(), article() * 2),
        miss=pages(article(), article(), article()),
        line=7,
        says="news:news",
    ),
    Case(
        "NEW-004",
        "news-invalid-language",
        hit=pages(article(), article(language="en-gb")),
        miss=pages(*(article(language=one) for one in ("en", "cmn", "zh-cn", "zh-tw"))),
        line=6,
        says="'en-gb'",
    ),
    Case(
        "NEW-005",
        "invalid-date",
        hit=pages(article(), article(date="2024-05")),
        miss=pages(
            *(
                article(date=f"2024-05-31{time}")
                for time in ("", "T07:08Z", "T07:08+02:00", "T07:08:09+02:00", "T07:08:09.25Z")
            )
        ),
        line=6,
        says="news:publication_date",
    ),
    Case(
        "NEW-006",
        "news-too-old",
        hit=pages(article(), article(date="2024-05-29T23:59:59Z")),
        miss=pages(article(date="2024-05-30T02:00:00+02:00"), article(date="2024-05-30")),
        line=6,
        says="48 hours",
    ),
    Case(
        "NEW-007",
        "deprecated-element",
        hit=pages(article(), article(f"{TITLE}{FORMER}")),
        miss=pages(article()),
        line=6,
        says="news:stock_tickers",
    ),
    Case(
        "NEW-008",
        "news-invalid-tickers",
        hit=pages(article(), article(tickers(*(f"NASDAQ:CAT{one}" for one in range(6))))),
        miss=pages(article(tickers("NASDAQ:CATS", "NYSE:BRK.B", "FRA:CAT1", "BOM:500325", "TYO:7203"))),
        line=6,
        says="6 stock tickers",
    ),
    Case(
        "NEW-009",
        "news-name-bracket",
        hit=pages(article(), article(name="The Paper (subscription)")),
        miss=pages(article(name="The (Cat) Paper")),
        line=6,
    ),
]
