"""What a feed says of the rest of it (RFC 5005, RFC 6721), noted by its reader for whoever follows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from urlset.formats.vocabulary.dates import LastMod


class PageLink(NamedTuple):
    """A link to another page or archive of the feed: its relation, its address (perhaps relative), its line."""

    relation: str
    address: str
    line: int | None


@dataclass
class FeedPages:
    """Filled while one document is read.

    ``links`` are those of the feed itself. ``deleted`` are the ids of deleted entries, and since when. ``complete``:
    the document says that it is the whole feed (RFC 5005 2).
    """

    links: list[PageLink] = field(default_factory=list)
    deleted: dict[str, LastMod | None] = field(default_factory=dict)
    complete: bool = False
