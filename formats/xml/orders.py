"""The order in which the schemas have the children of an element: writers keep it, readers don't ask for it."""

from __future__ import annotations

URL = ("loc", "lastmod", "changefreq", "priority")
"""Children of a url (sitemap.xsd 0.9, 2008-03-26); elements of other vocabularies come behind them."""

VIDEO = (
    "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
    "content_segment_loc", "view_count", "publication_date", "tag", "category", "family_friendly", "restriction",
    "gallery_loc", "price", "requires_subscription", "uploader", "tvshow", "platform", "live", "id",
)  # fmt: skip
"""Children of a video (Google's sitemap-video 1.1)."""


def is_sorted(names: list[str], order: tuple[str, ...]) -> bool:
    """Whether names stand in an order; each must be in it."""
    places = [order.index(name) for name in names]
    return places == sorted(places)
