"""Media RSS to a sitemap's video block.

Specification: https://www.rssboard.org/media-rss and Google's page on mRSS. The more specific level wins: content
over group over item over channel. A video without what Google requires (thumbnail, title, description, and a file or
player) is left out and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Video
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, full_text

if TYPE_CHECKING:
    from urlset.formats.vocabulary.format import ReadOptions
    from urlset.formats.vocabulary.ledger import Account

_REQUIRED = ("thumbnail_loc", "title", "description")
_DURATION_MAX = 28_800
_TITLE_MAX = 100
_DESCRIPTION_MAX = 2_048
_TAGS_MAX = 32

Values = dict[str, Any]
"""The fields of a Video that one level of Media RSS gives."""


class MediaReader:
    """Reads the videos of one feed. ``channel`` is what the channel says for all of them."""

    def __init__(self, account: Account, options: ReadOptions) -> None:
        self._account = account
        self._options = options
        self.channel: Values = {}

    @staticmethod
    def may_hold_videos(tags: Iterable[str]) -> bool:
        """Whether an item with children of these names is worth a closer look."""
        return any(tag.endswith(("}content", "}group")) for tag in tags)

    def videos(self, item: Element, page: str) -> tuple[Video, ...]:
        """The complete videos of an item; ``page`` is its address, which is no video file."""
        found: list[Video] = []
        own: Values | None = None
        for content, group in self._contents(item):
            own = self._level(item) if own is None else own
            values = {**self.channel, **own, **group, **self._level(content), **_attributes(content)}
            values = {name: value for name, value in values.items() if value != page}
            if not self._lacks(content, values):
                found.append(Video(**values))
        return tuple(found)

    def note(self, element: Element, values: Values) -> None:
        """Add what one element says, unless an earlier one said it."""
        namespace, name = ns.split(element.tag)
        if name == "valid" and namespace == ns.DCTERMS:
            for field, value in self._period(element):
                values.setdefault(field, value)
        elif name in _READERS and ns.canonical(namespace) == ns.MEDIA:
            for field, value in _READERS[name](element):
                values.setdefault(field, value)

    def _level(self, element: Element) -> Values:
        values: Values = {}
        for child in element:
            self.note(child, values)
        return values

    def _contents(self, item: Element) -> Iterator[tuple[Element, Values]]:
        """Each media:content that is a video, with what its group says."""
        for child in item:
            if _is_video(child):
                yield child, {}
            elif _is(child, "group") and (contents := [inner for inner in child if _is_video(inner)]):
                group = self._level(child)
                yield from ((inner, group) for inner in contents)

    def _lacks(self, content: Element, values: Values) -> bool:
        missing = [name for name in _REQUIRED if name not in values]
        if not {"content_loc", "player_loc"} & values.keys():
            missing.append("content_loc or player_loc")
        if missing:
            message = f"the video lacks {', '.join(missing)}; it is left out"
            line, url = content.sourceline, content.get("url")
            self._account.find("video-incomplete", message, line=line, value=url, action="dropped-value")
        return bool(missing)

    def _period(self, element: Element) -> Iterator[tuple[str, Any]]:
        """``start=…; end=…`` (DCMI Period Encoding Scheme)."""
        for part in full_text(element).split(";"):
            name, _, text = part.partition("=")
            field = {"start": "publication_date", "end": "expiration_date"}.get(name.strip().lower())
            if field and text.strip():
                what = f"dcterms:valid {name.strip()}"
                value = date_of(self._account, self._options, text.strip(), element.sourceline, what=what)
                yield from [(field, value)] if value is not None else []


def _is(element: Element, name: str) -> bool:
    namespace, local = ns.split(element.tag)
    return local == name and ns.canonical(namespace) == ns.MEDIA


def _is_video(element: Element) -> bool:
    if not _is(element, "content"):
        return False
    return element.get("medium") == "video" or (element.get("type") or "").startswith("video/")


def _attributes(content: Element) -> Values:
    values: Values = {}
    if url := urls.trim(content.get("url") or ""):
        values["content_loc"] = url
    duration = content.get("duration") or ""
    if re.fullmatch("[0-9]{1,5}", duration) and 1 <= int(duration) <= _DURATION_MAX:
        values["duration"] = int(duration)
    return values


def _address(field: str, element: Element) -> Iterator[tuple[str, Any]]:
    if url := urls.trim(element.get("url") or ""):
        yield field, url


def _text(field: str, most: int, element: Element) -> Iterator[tuple[str, Any]]:
    if text := full_text(element).strip()[:most]:
        yield field, text


def _keywords(element: Element) -> Iterator[tuple[str, Any]]:
    if tags := tuple(tag for one in full_text(element).split(",") if (tag := one.strip())):
        yield "tags", tags[:_TAGS_MAX]


def _restriction(element: Element) -> Iterator[tuple[str, Any]]:
    """The countries, in upper case as the video extension demands."""
    relationship = (element.get("relationship") or "").strip().lower()
    codes = " ".join(full_text(element).upper().split())
    if element.get("type") == "country" and relationship in ("allow", "deny") and codes:
        yield "restriction", codes
        yield "restriction_relationship", relationship


_READERS = {
    "player": lambda element: _address("player_loc", element),
    "thumbnail": lambda element: _address("thumbnail_loc", element),
    "title": lambda element: _text("title", _TITLE_MAX, element),
    "description": lambda element: _text("description", _DESCRIPTION_MAX, element),
    "keywords": _keywords,
    "restriction": _restriction,
}
