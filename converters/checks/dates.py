"""lastmod: dates that can't be, dates that say nothing, dates that are missing."""

from __future__ import annotations

from datetime import date

from urlset.converters.checks.document import SUBMITTED, Document, Page
from urlset.formats.vocabulary.dates import LastMod, Precision, is_implausible

MANY = 10
"""Entries from which on equal values in all of them are no accident."""

FIRST_PAGES = "1990"
"""No page is older than the web."""

DAY = 86_400
EASTERNMOST = 14 * 3600
"""Seconds by which the first day on Earth is ahead of UTC."""

FILE_TIME = 60
"""Seconds that a generator may take, so that the times which it stamps lie so close to that of its file."""

_EPOCH = date(1970, 1, 1).toordinal()
# Compared one by one, which for members of an enumeration is faster than to look them up.
_GOOD = (Precision.SECOND, Precision.DAY, Precision.FRACTION)
_PRECISIONS = {Precision.YEAR: "a year", Precision.MONTH: "a month", Precision.MINUTE: "a time without seconds"}


def is_future(value: LastMod, now: LastMod) -> bool:
    """Whether a moment has not come yet; a day has come once it has begun anywhere."""
    seconds, fraction = now.instant
    if value.precision <= Precision.DAY:
        seconds += EASTERNMOST
    return value.instant > (seconds, fraction)


class Dates:
    """``date-in-future``, ``date-implausible``, ``date-not-xsd``, ``lastmod-missing``, ``lastmod-all-equal``."""

    def __init__(self, document: Document) -> None:
        self._document = document
        # Text before which a date is past, whatever its offset: the first half of the day before yesterday, say.
        self._past = _day(document.now.instant[0] - 2 * DAY)
        self._with, self._without = 0, 0
        self._first: LastMod | None = None
        self._equal, self._close = True, True  # to the first one; within FILE_TIME of it

    def look(self, page: Page) -> None:
        """The next entry."""
        lastmod = page.entry.lastmod
        if lastmod is None:
            self._without += page.entry.news is None  # the date of an article says enough
            return
        self._with += 1
        text = str(lastmod)
        if lastmod.precision not in _GOOD:
            message = f"lastmod is {_PRECISIONS[lastmod.precision]}, which the protocol allows and its XSD does not"
            cause = _PRECISIONS[lastmod.precision]
            self._document.find_cause("date-not-xsd", cause, message, page, value=text, line=page.line_of("lastmod"))
        if text[:4] < FIRST_PAGES:
            self._old(page, lastmod)
        elif text[:10] > self._past and is_future(lastmod, self._document.now):
            message = f"lastmod is {text}, which has not come yet (now is {self._document.now})"
            self._document.find("date-in-future", message, page, value=text, line=page.line_of("lastmod"))
        if self._first is None:
            self._first = lastmod
        elif self._close:
            self._equal = self._equal and lastmod == self._first
            self._close = self._equal or abs(lastmod.instant[0] - self._first.instant[0]) <= FILE_TIME

    def _old(self, page: Page, lastmod: LastMod) -> None:
        if not is_implausible(lastmod):  # else its reader has said so
            message = f"lastmod is {lastmod}, before there were web pages"
            line = page.line_of("lastmod")
            self._document.find("date-implausible", message, page, value=str(lastmod), line=line)

    def finish(self) -> None:
        """Say what all dates are like; the files of an index may well have been written at once."""
        account, found = self._document.account, self._document.format
        if found.lists_sources:
            return
        if not self._with and self._without and found.name in SUBMITTED and "lastmod" in found.carries:
            account.find("lastmod-missing", "no entry has a lastmod that can be used")
        if self._with >= MANY and self._close:
            self._stamped()

    def _stamped(self) -> None:
        written = self._is_file_time()
        if not self._equal and not written:
            return
        which = f"the lastmod {self._first}" if self._equal else f"a lastmod about {self._first}"
        message = f"all {self._with:,} entries have {which}{', which is when the file was written' if written else ''}"
        self._document.account.find("lastmod-all-equal", message, value=str(self._first))

    def _is_file_time(self) -> bool:
        path = self._document.source.path
        if (
            path is None
            or self._document.format.of_folders
            or self._first is None
            or self._first.precision < Precision.MINUTE
        ):
            return False
        try:
            written = path.stat().st_mtime
        except OSError:  # gone since it was read
            return False
        return abs(self._first.instant[0] - written) <= FILE_TIME


class Children:
    """``lastmod-older-than-child``: what an index says of a sitemap, against the newest entry in it."""

    def __init__(self, document: Document, said: LastMod) -> None:
        self._document = document
        self._said = said
        self._newest: LastMod | None = None

    def look(self, page: Page) -> None:
        """The next entry."""
        lastmod = page.entry.lastmod
        if lastmod is not None and (self._newest is None or lastmod > self._newest):
            self._newest = lastmod

    def finish(self) -> None:
        """Say so at the line in the index."""
        listed, newest = self._document.listed, self._newest
        if listed is None or newest is None or not is_older(self._said, newest):
            return
        message = f"the index says {self._said}, but the newest entry of {listed.entry.loc} is of {newest}"
        page = Page.of(listed.entry)
        line = page.line_of("lastmod") or page.line
        listed.account.find("lastmod-older-than-child", message, line=line, value=str(self._said))


def is_older(one: LastMod, other: LastMod) -> bool:
    """Whether a date lies before another one by all that the coarser of them says."""
    if one.precision > Precision.DAY and other.precision > Precision.DAY:
        return one < other
    length = min(len(str(one)), len(str(other)), 10)
    # In UTC or as written, whichever is the earlier day: a day without a zone may be either.
    earliest = min(str(other)[:length], _day(other.instant[0])[:length])
    latest = max(str(one)[:length], _day(one.instant[0])[:length])
    return latest < earliest


def _day(seconds: int) -> str:
    """The day of a moment in UTC, as text; offsets can lead out of the years 1 to 9999."""
    days = min(max(seconds // DAY + _EPOCH, date.min.toordinal()), date.max.toordinal())
    return date.fromordinal(days).isoformat()
