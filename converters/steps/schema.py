"""What the protocol allows and its XSD does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from urlset.converters.steps.step import Step
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.entry import Entry, TvShow, Video
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger

_Dated = TypeVar("_Dated", Entry, Video, TvShow)
_VIDEO_DATES = ("expiration_date", "publication_date")


def within_schema(ledger: Ledger) -> Step:
    """Drop what the protocol allows and its XSD (date and dateTime) does not: years and months."""

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        dropped: Counter[str] = Counter()
        for entry in entries:
            videos = tuple(_film(video, dropped) for video in entry.videos)
            entry = _dated(entry, ("lastmod",), dropped)
            yield entry if videos == entry.videos else entry.model_copy(update={"videos": videos})
        for name, count in dropped.items():
            message = f"{name} is a year or a month, which the XSD does not allow"
            ledger.add(Finding("invalid-date", "warning", message, action="dropped-value", count=count))

    return step


def _film(video: Video, dropped: Counter[str]) -> Video:
    video = _dated(video, _VIDEO_DATES, dropped, "video:")
    if video.tvshow is None:
        return video
    show = _dated(video.tvshow, ("premier_date",), dropped, "video:")
    return video if show is video.tvshow else video.model_copy(update={"tvshow": show})


def _dated(one: _Dated, names: tuple[str, ...], dropped: Counter[str], prefix: str = "") -> _Dated:
    """The same without those of its dates that are coarser than a day, which are counted."""
    coarse = [name for name in names if (date := getattr(one, name)) is not None and date.precision < Precision.DAY]
    dropped.update(f"{prefix}{name}" for name in coarse)
    return one.model_copy(update=dict.fromkeys(coarse)) if coarse else one
