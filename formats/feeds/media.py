"""Media RSS to a sitemap's video block.

Specification: https://www.rssboard.org/media-rss and Google's page on mRSS. The more specific level wins: content
over group over item. A video without what Google requires (thumbnail, title, description, and a file or player) is
left out and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Video
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, full_text

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account

_REQUIRED = ("thumbnail_loc", "title", "description")
_TITLE_MAX = 100
_DESCRIPTION_MAX = 2_048
_TAGS_MAX = 32


def videos(item: Element, account: Account, loc_hint: str) -> tuple[Video, ...]:
    """The complete videos of an item; ``loc_hint`` is the page, which is no video file."""
    found = []
    for levels in _contents(item):
        values = _values(levels, loc_hint)
        missing = [name for name in _REQUIRED if name not in values]
        if not {"content_loc", "player_loc"} & values.keys():
            missing.append("content_loc or player_loc")
        if missing:
            message = f"the video lacks {', '.join(missing)}; it is left out"
            line = levels[0].sourceline
            account.find("video-incomplete", message, line=line, value=levels[0].get("url"), action="dropped-value")
        else:
            found.append(Video(**values))
    return tuple(found)


def _contents(item: Element) -> Iterator[tuple[Element, ...]]:
    """Each media:content that is a video, with the levels above it."""
    for child in item:
        if _is(child, "content") and _is_video(child):
            yield child, item
        elif _is(child, "group"):
            yield from ((inner, child, item) for inner in child if _is(inner, "content") and _is_video(inner))


def _is(element: Element, name: str) -> bool:
    namespace, local = ns.split(element.tag)
    return local == name and ns.canonical(namespace) == ns.MEDIA


def _is_video(content: Element) -> bool:
    return content.get("medium") == "video" or (content.get("type") or "").startswith("video/")


def _values(levels: tuple[Element, ...], page: str) -> dict[str, Any]:
    content = levels[0]
    player, thumbnail = _lookup(levels, "player"), _lookup(levels, "thumbnail")
    texts = {name: _text(_lookup(levels, name)) for name in ("title", "description", "keywords")}
    duration = content.get("duration") or ""
    values: dict[str, Any] = {
        "content_loc": urls.trim(content.get("url") or ""),
        "player_loc": urls.trim(player.get("url") or "") if player is not None else "",
        "thumbnail_loc": urls.trim(thumbnail.get("url") or "") if thumbnail is not None else "",
        "title": texts["title"][:_TITLE_MAX],
        "description": texts["description"][:_DESCRIPTION_MAX],
        "duration": int(duration) if re.fullmatch("[0-9]{1,5}", duration) and 1 <= int(duration) <= 28_800 else "",
        "tags": tuple(tag for one in texts["keywords"].split(",") if (tag := one.strip()))[:_TAGS_MAX],
    }
    return {name: value for name, value in values.items() if value and value != page}


def _lookup(levels: tuple[Element, ...], name: str) -> Element | None:
    return next((child for level in levels for child in level if _is(child, name)), None)


def _text(element: Element | None) -> str:
    return full_text(element).strip() if element is not None else ""
