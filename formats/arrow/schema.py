"""The schema of entries as columns; it never depends on the data.

A date is three columns: the instant in UTC, by which to sort and group; its text, which has the offset and every digit;
and its precision. Dates inside of blocks are text. What an entry lacks is null, an empty list too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from urlset.formats.arrow.library import arrow
from urlset.formats.vocabulary.dates import Precision

DATE_COLUMNS = ("lastmod", "lastmod_text", "lastmod_precision")
BLOCKS = ("images", "videos", "news", "alternates", "pagemaps", "extra")

PRECISIONS = {one: one.name.lower() for one in Precision}
"""The words of ``lastmod_precision``: year, month, day, minute, second, fraction."""

_IMAGE = dict.fromkeys(("loc", "caption", "geo_location", "title", "license"), "text")
_SEGMENT = {"loc": "text", "duration": "int"}
_PRICE = dict.fromkeys(("value", "currency", "type", "resolution"), "text")
_SHOW = {
    "show_title": "text",
    "video_type": "text",
    "episode_title": "text",
    "season_number": "int",
    "episode_number": "int",
    "premier_date": "text",
}
_VIDEO: dict[str, Any] = {
    "thumbnail_loc": "text",
    "title": "text",
    "description": "text",
    "content_loc": "text",
    "player_loc": "text",
    "player_loc_allow_embed": "text",
    "player_loc_autoplay": "text",
    "duration": "int",
    "expiration_date": "text",
    "rating": "float",
    "content_segments": [_SEGMENT],
    "view_count": "int",
    "publication_date": "text",
    "tags": ["text"],
    "category": "text",
    "family_friendly": "text",
    "restriction": "text",
    "restriction_relationship": "text",
    "gallery_loc": "text",
    "gallery_loc_title": "text",
    "prices": [_PRICE],
    "requires_subscription": "text",
    "uploader": "text",
    "uploader_info": "text",
    "tvshow": _SHOW,
    "platform": "text",
    "platform_relationship": "text",
    "live": "text",
    "ids": [{"value": "text", "type": "text"}],
    "extra": ["text"],
}
_NEWS = {
    "publication": {"name": "text", "language": "text"},
    **dict.fromkeys(("access", "genres", "publication_date", "title", "keywords", "stock_tickers"), "text"),
}
_DATA_OBJECT = {"type": "text", "id": "text", "attributes": [{"name": "text", "value": "text"}]}

_ENTRY: dict[str, Any] = {
    "loc": "text",
    "lastmod": "instant",
    "lastmod_text": "text",
    "lastmod_precision": "text",
    "changefreq": "text",
    "priority": "float",
    "title": "text",
    "images": [_IMAGE],
    "videos": [_VIDEO],
    "news": _NEWS,
    "alternates": [{"hreflang": "text", "href": "text"}],
    "mobile": "bool",
    "pagemaps": [{"template_src": "text", "data_objects": [_DATA_OBJECT]}],
    "extra": ["text"],
}


@cache
def entry_schema() -> Any:
    """The columns that hold all fields of entries, a ``pyarrow.Schema``; only ``loc`` is never null."""
    pa = arrow()
    return pa.schema([pa.field(name, _type(kind), nullable=name != "loc") for name, kind in _ENTRY.items()])


def instant_type() -> Any:
    """Microseconds in UTC: nanoseconds end in 1677 and 2262, and both 0001 and 9999 occur in sitemaps."""
    return arrow().timestamp("us", "UTC")


def _type(kind: Any) -> Any:
    pa = arrow()
    if isinstance(kind, list):
        return pa.list_(_type(kind[0]))
    if isinstance(kind, dict):
        return pa.struct([(name, _type(inner)) for name, inner in kind.items()])
    plain = {"text": pa.string, "int": pa.int64, "float": pa.float64, "bool": pa.bool_, "instant": instant_type}
    return plain[kind]()
