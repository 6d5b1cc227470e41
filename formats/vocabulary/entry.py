"""Entry: the one model that every reader fills and every writer takes.

Blocks name their fields as the XML vocabularies do, without prefix. All models are frozen; absent is ``None`` or
``()``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from urlset.formats.vocabulary.dates import LastMod

ChangeFreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]

CHANGE_FREQUENCIES: tuple[ChangeFreq, ...] = (
    "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
)  # fmt: skip
"""The seven words of the protocol."""

YesNo = Literal["yes", "no"]
Relationship = Literal["allow", "deny"]


class Origin(NamedTuple):
    """Where an entry came from: the name of the source and the physical line."""

    source: str
    line: int | None = None


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_dict(self) -> dict[str, Any]:
        """The fields that are present, as JSON values."""
        return self.model_dump(mode="json", exclude_defaults=True)


class Image(_Block):
    """``image:image`` of the image extension 1.1. All but ``loc`` are deprecated since 2022 and still carried."""

    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license: str | None = None


class Video(_Block):
    """``video:video`` of the video extension 1.1.

    ``duration`` is in seconds, ``rating`` from 0 to 5. An attribute is a field of its own, named
    element_attribute. ``extra`` holds what else stood in the block, as XML.
    """

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    player_loc_allow_embed: YesNo | None = None
    player_loc_autoplay: str | None = None
    duration: Annotated[int, Field(ge=1, le=28_800)] | None = None
    expiration_date: LastMod | None = None
    rating: Annotated[float, Field(ge=0, le=5)] | None = None
    view_count: Annotated[int, Field(ge=0)] | None = None
    publication_date: LastMod | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    family_friendly: YesNo | None = None
    restriction: str | None = None
    restriction_relationship: Relationship | None = None
    gallery_loc: str | None = None
    gallery_loc_title: str | None = None
    requires_subscription: YesNo | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    platform: str | None = None
    platform_relationship: Relationship | None = None
    live: YesNo | None = None
    extra: tuple[str, ...] = ()


class Publication(_Block):
    """``news:publication``: the name of the paper and its language (ISO 639, zh-cn, zh-tw)."""

    name: str | None = None
    language: str | None = None


class News(_Block):
    """``news:news`` of the news extension 0.9."""

    publication: Publication | None = None
    access: str | None = None
    genres: str | None = None
    publication_date: LastMod | None = None
    title: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None


class Alternate(_Block):
    """``xhtml:link rel="alternate"``: the same page in another language.

    ``line`` is where the link stands, in formats that can tell: it takes no part in equality and is not written.
    """

    hreflang: str
    href: str
    line: int | None = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alternate):
            return NotImplemented
        return self.hreflang == other.hreflang and self.href == other.href

    def __hash__(self) -> int:
        return hash((self.hreflang, self.href))


class Entry(_Block):
    """One URL and what is known about it.

    ``loc`` is what was read, trimmed and unescaped; it may be an IRI. ``priority`` is from 0.0 to 1.0. ``extra`` holds
    foreign elements, each as a piece of XML that declares its own namespaces. ``origin`` rides along: it takes no part
    in equality and is not written.
    """

    loc: Annotated[str, Field(min_length=1)]
    lastmod: LastMod | None = None
    changefreq: ChangeFreq | None = None
    priority: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    title: str | None = None
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None
    alternates: tuple[Alternate, ...] = ()
    extra: tuple[str, ...] = ()
    origin: Origin | None = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def __hash__(self) -> int:
        return hash((self.loc, self.lastmod, self.priority))


_UNSET: dict[str, Any] = {name: field.default for name, field in Entry.model_fields.items()}
_new = object.__new__
_set = object.__setattr__


def sound(loc: str, origin: Origin, **values: Any) -> Entry:
    """An Entry of values that a reader has checked one by one already; nothing is validated again.

    That is three times as fast as validation, and every record of every input passes through here.
    """
    fields = {**_UNSET, "loc": loc, "origin": origin, **values}
    entry = _new(Entry)
    _set(entry, "__dict__", fields)
    _set(entry, "__pydantic_fields_set__", {"loc", "origin", *values})
    _set(entry, "__pydantic_extra__", None)
    _set(entry, "__pydantic_private__", None)
    return entry


FIELDS: tuple[str, ...] = tuple(name for name in Entry.model_fields if name != "origin")
"""The fields that a format may carry, in the order in which they are written."""
