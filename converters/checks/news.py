"""Articles (Google news sitemaps, and Google's news 0.9 schema)."""

from __future__ import annotations

import re

from urlset.converters.checks.dates import is_future
from urlset.converters.checks.document import OneByOne, Page
from urlset.converters.checks.hreflang import LANGUAGES
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.entry import News
from urlset.formats.vocabulary.news import LANGUAGE, is_too_old

MOST_TICKERS = 5

_TICKER = re.compile(r"[A-Za-z0-9.]+:[A-Za-z0-9.\-]+")


def is_language(code: str) -> bool:
    """Whether this is a language of a paper: ISO 639 in lower case, zh-cn or zh-tw. All of three letters will do."""
    return LANGUAGE.fullmatch(code) is not None and (len(code) != 2 or code in LANGUAGES)


class Articles(OneByOne):
    """Everything about ``news:news`` but their number."""

    def look(self, page: Page) -> None:
        """The next entry."""
        news = page.entry.news
        if news is None:
            return
        self._publication(news, page)
        if not news.title:
            self._document.find("news-missing-title", "the article has no news:title", page, line=news.line)
        self._date(news, page)
        self._tickers(news, page)

    def _publication(self, news: News, page: Page) -> None:
        name = news.publication.name if news.publication else None
        language = news.publication.language if news.publication else None
        if not name:
            self._document.find(
                "news-missing-name", "the article has no news:name of its publication", page, line=news.line
            )
        elif name.endswith(")") and "(" in name:
            message = "the name of the publication ends in a bracket, which is no part of it on news.google.com"
            self._document.find_cause("news-name-bracket", name, message, page, value=name, line=news.line)
        if not language:
            self._document.find("news-missing-language", "the article has no news:language", page, line=news.line)
        elif not is_language(language):
            message = f"news:language is {language[:60]!r}; expected ISO 639 in lower case (en, cmn), zh-cn or zh-tw"
            self._document.find_cause("news-invalid-language", language, message, page, value=language, line=news.line)

    def _date(self, news: News, page: Page) -> None:
        date = news.publication_date
        if date is None:
            self._document.find(
                "news-missing-date", "the article has no news:publication_date that can be used", page, line=news.line
            )
            return
        if date.precision < Precision.DAY:
            message = f"news:publication_date is {date}; expected a date, or a date and time with its zone"
            self._document.find("invalid-date", message, page, value=str(date), line=news.line)
        if is_future(date, self._document.now):
            message = f"news:publication_date is {date}, which has not come yet (now is {self._document.now})"
            self._document.find("date-in-future", message, page, value=str(date), line=news.line)
        if is_too_old(date, self._document.now):
            message = f"the article of {date} is more than 48 hours older than {self._document.now}"
            self._document.find("news-too-old", message, page, value=str(date), line=news.line)

    def _tickers(self, news: News, page: Page) -> None:
        tickers = [one.strip() for one in (news.stock_tickers or "").split(",") if one.strip()]
        if len(tickers) > MOST_TICKERS:
            message = f"the article has {len(tickers)} stock tickers; at most {MOST_TICKERS} are allowed"
            self._document.find("news-invalid-tickers", message, page, value=news.stock_tickers, line=news.line)
        for ticker in tickers:
            if not _TICKER.fullmatch(ticker):
                message = f"the stock ticker {ticker[:60]!r} is not of the form EXCHANGE:SYMBOL"
                self._document.find("news-invalid-tickers", message, page, value=ticker, line=news.line)
