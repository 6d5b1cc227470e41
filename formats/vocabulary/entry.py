"""Entry: the one model that every reader fills and every writer takes.

Blocks name their fields as the XML vocabularies do, without prefix. All models are frozen; absent is ``None`` or
``()``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import repeat
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, field_validator

from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.dates import LastMod

ChangeFreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]

CHANGE_FREQUENCIES: tuple[ChangeFreq, ...] = (
    "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
)  # fmt: skip
"""The seven words of the protocol."""

YesNo = Literal["yes", "no"]
Relationship = Literal["allow", "deny"]
PriceType = Literal["purchase", "rent"]
Resolution = Literal["sd", "hd"]
VideoType = Literal["full", "preview", "clip", "interview", "news", "other"]
IdType = Literal["tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"]


def _amount(value: object) -> object:
    """A number of JSON as the text of a decimal: what was written as 1.5 is 1.5."""
    return format(Decimal(str(value)), "f") if isinstance(value, int | float) and not isinstance(value, bool) else value


Amount = Annotated[str, BeforeValidator(_amount), Field(pattern=r"^\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$")]
"""A decimal that is not negative, as it was written (xsd:decimal): a price has as many digits as its seller gave it."""


class Origin(NamedTuple):
    """Where an entry came from: the name of the source and the physical line.

    ``lines`` are those of its fields, by name, from readers that were asked to remark on what they read. ``id`` is what
    a feed calls the entry, from readers that were asked for the pages of a feed.
    """

    source: str
    line: int | None = None
    lines: Mapping[str, int | None] = MappingProxyType({})
    id: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Origin, (self.source, self.line, dict(self.lines), self.id)  # a view can't be pickled


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_dict(self) -> dict[str, Any]:
        """The fields that are present, as JSON values."""
        return self.model_dump(mode="json", exclude_defaults=True)


class _Placed(_Block):
    """A block that knows its ``line``, in formats that can tell: it takes no part in equality and is not written."""

    line: int | None = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return {**self.__dict__, "line": None} == {**other.__dict__, "line": None}

    def __hash__(self) -> int:
        return hash(tuple(value for name, value in self.__dict__.items() if name != "line"))


class Image(_Placed):
    """``image:image`` of the image extension 1.1. All but ``loc`` are deprecated since 2022 and still carried."""

    loc: str
    caption: str | None = None
    geo_location: str | None = None
    title: str | None = None
    license: str | None = None


class ContentSegment(_Block):
    """``video:content_segment_loc``: a part of the video, and its ``duration`` in seconds."""

    loc: str
    duration: Annotated[int, Field(ge=0, le=28_800)] | None = None


class Price(_Block):
    """``video:price``: an amount as it was written, and its ``currency`` (ISO 4217). Deprecated since 2022."""

    value: Amount
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None
    type: PriceType | None = None
    resolution: Resolution | None = None


class TvShow(_Block):
    """``video:tvshow``: the series that the video is of. Deprecated since 2022."""

    show_title: str | None = None
    video_type: VideoType | None = None
    episode_title: str | None = None
    season_number: Annotated[int, Field(ge=1)] | None = None
    episode_number: Annotated[int, Field(ge=1)] | None = None
    premier_date: LastMod | None = None


class VideoId(_Block):
    """``video:id``: the name of the video, its episode or its series in a catalogue."""

    value: str
    type: IdType | None = None


class Video(_Placed):
    """``video:video`` of the video extension 1.1.

    ``duration`` is in seconds, ``rating`` from 0 to 5. An attribute is a field of its own, named
    element_attribute; an element that may occur several times is a list. ``extra`` holds what else stood in the block,
    as XML.
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
    content_segments: tuple[ContentSegment, ...] = ()
    view_count: Annotated[int, Field(ge=0)] | None = None
    publication_date: LastMod | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    family_friendly: YesNo | None = None
    restriction: str | None = None
    restriction_relationship: Relationship | None = None
    gallery_loc: str | None = None
    gallery_loc_title: str | None = None
    prices: tuple[Price, ...] = ()
    requires_subscription: YesNo | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    tvshow: TvShow | None = None
    platform: str | None = None
    platform_relationship: Relationship | None = None
    live: YesNo | None = None
    ids: tuple[VideoId, ...] = ()
    extra: tuple[str, ...] = ()


class Publication(_Block):
    """``news:publication``: the name of the paper and its language (ISO 639, zh-cn, zh-tw)."""

    name: str | None = None
    language: str | None = None


class News(_Placed):
    """``news:news`` of the news extension 0.9."""

    publication: Publication | None = None
    access: str | None = None
    genres: str | None = None
    publication_date: LastMod | None = None
    title: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None


class Alternate(_Placed):
    """``xhtml:link rel="alternate"``: the same page in another language."""

    hreflang: str
    href: str


class PageMapAttribute(_Block):
    """An ``Attribute`` of a PageMap; its value may have stood as text or as an attribute."""

    name: str | None = None
    value: str | None = None


class DataObject(_Block):
    """A ``DataObject`` of a PageMap: a thing on the page, of a ``type`` such as document or thumbnail."""

    type: str | None = None
    id: str | None = None
    attributes: tuple[PageMapAttribute, ...] = ()


class PageMap(_Placed):
    """``PageMap`` of the PageMap vocabulary 1.0, which Google's Programmable Search reads."""

    template_src: str | None = None
    data_objects: tuple[DataObject, ...] = ()


class Entry(_Block):
    """One URL and what is known about it.

    ``loc`` is what was read, trimmed and unescaped; it may be an IRI. ``priority`` is from 0.0 to 1.0. ``mobile`` is
    True for a page for feature phones (deprecated), and else absent. ``extra`` holds foreign elements, each as a piece
    of XML that declares its own namespaces. ``origin`` rides along: it takes no part in equality and is not written.
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
    mobile: StrictBool | None = None
    pagemaps: tuple[PageMap, ...] = ()
    extra: tuple[str, ...] = ()
    origin: Origin | None = Field(default=None, exclude=True, repr=False)

    @field_validator("mobile")
    @classmethod
    def _no_is_absent(cls, mobile: bool | None) -> bool | None:
        return mobile or None

    @field_validator("extra")
    @classmethod
    def _extra_is_markup(cls, pieces: tuple[str, ...]) -> tuple[str, ...]:
        for piece in pieces:
            check_markup(piece)
        return pieces

    @field_validator("videos")
    @classmethod
    def _extra_of_videos_is_markup(cls, videos: tuple[Video, ...]) -> tuple[Video, ...]:
        for video in videos:
            cls._extra_is_markup(video.extra)
        return videos

    @property
    def has_blocks(self) -> bool:
        """Whether there is more than the core fields and a title: blocks, or foreign elements."""
        return has_blocks(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entry):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def __hash__(self) -> int:
        return hash((self.loc, self.lastmod, self.priority))


def has_blocks(entry: Entry) -> bool:
    """See :attr:`Entry.has_blocks`."""
    if entry.__pydantic_fields_set__ is CORE_SET:
        return False
    return bool(
        entry.images or entry.videos or entry.news or entry.alternates or entry.mobile or entry.pagemaps or entry.extra
    )


def check_markup(piece: str) -> None:
    """Raise ValueError unless a sitemap can hold the piece as it is: one element, in a namespace it declares."""
    from lxml import etree  # few entries have such pieces

    try:
        root = etree.fromstring(piece, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except ValueError:  # a character that XML can't hold, or an encoding declared in a text
        raise ValueError("it is no XML") from None
    except etree.XMLSyntaxError as error:
        raise ValueError(f"it is no well-formed XML: {error.msg}") from error
    if not piece.startswith(f"<{root.prefix}:" if root.prefix else "<") or piece[1:2] in "!?":
        raise ValueError("it must be one element and nothing before it")
    if not root.tag.startswith("{"):
        raise ValueError(f"the element {root.tag} must be in a namespace that it declares")


_UNSET: dict[str, Any] = {name: field.default for name, field in Entry.model_fields.items()}
_ALL_SET = set(_UNSET)
CORE_SET = {"loc", "lastmod", "changefreq", "priority", "title", "origin"}
"""The names that are set in an entry without blocks, this very object."""
_NOWHERE = Origin("").lines
_new = object.__new__
_set_fields = BaseModel.__dict__["__dict__"].__set__
_set_names = BaseModel.__dict__["__pydantic_fields_set__"].__set__
_set_extra = BaseModel.__dict__["__pydantic_extra__"].__set__
_set_private = BaseModel.__dict__["__pydantic_private__"].__set__


def sound(loc: str, origin: Origin, values: dict[str, Any]) -> Entry:
    """An Entry of values that a reader has checked one by one already; nothing is validated again.

    That is several times as fast as validation, and every record of every input passes through here.
    """
    fields = _UNSET.copy()
    fields.update(values)
    fields["loc"] = loc
    fields["origin"] = origin
    entry = _new(Entry)
    _set_fields(entry, fields)
    _set_names(entry, CORE_SET if CORE_SET.issuperset(values) else _ALL_SET)
    _set_extra(entry, None)
    _set_private(entry, None)
    return entry


class Core(NamedTuple):
    """Many entries of core fields that a reader has checked, as columns of one length; see :func:`sound`.

    ``sources`` are the names of the documents, ``lines`` those of the locs, ``places`` those of the other fields by
    name. ``text`` is all locs, one a line, where these are known to be plain; see :func:`url_columns.plain_lines`.
    ``held`` are the entries that the columns were made of, if they were.
    """

    sources: Sequence[str]
    locs: Sequence[str]
    lastmods: Dates
    changefreqs: Sequence[str | None]
    priorities: Sequence[float | None]
    lines: Sequence[int | None]
    places: Sequence[Mapping[str, int | None]] | None = None
    titles: Sequence[str | None] | None = None
    text: str | None = None
    held: Sequence[Entry] | None = None

    def entries(self) -> Sequence[Entry]:
        """The entries."""
        return self._made() if self.held is None else self.held

    def part(self, start: int, stop: int) -> Core:
        """Some of them, that were not made of entries."""
        some = slice(start, stop)
        return Core(
            self.sources[some],
            self.locs[some],
            Dates(self.lastmods.texts[some], self.lastmods.read and self.lastmods.read[some]),
            self.changefreqs[some],
            self.priorities[some],
            self.lines[some],
            self.places and self.places[some],
            self.titles and self.titles[some],
        )

    def present(self, name: str) -> int:
        """How many have a field."""
        if name == "lastmod":
            return self.lastmods.present()
        values = {"loc": self.locs, "title": self.titles, "changefreq": self.changefreqs, "priority": self.priorities}
        column = values.get(name) or ()
        return len(column) - column.count(None)

    def _made(self) -> list[Entry]:
        """It is the inside of the fastest readers, so nothing is called that can be done in place."""
        origin, new, copy = partial(tuple.__new__, Origin), _new, _UNSET.copy
        places = self.places or repeat(_NOWHERE)
        origins = map(origin, zip(self.sources, self.lines, places, repeat(None)))  # as Origin has its fields
        entries: list[Entry] = []
        for loc, lastmod, changefreq, priority, place in zip(
            self.locs, self.lastmods.values(), self.changefreqs, self.priorities, origins, strict=True
        ):
            fields = copy()
            fields["loc"] = loc
            fields["lastmod"] = lastmod
            fields["changefreq"] = changefreq
            fields["priority"] = priority
            fields["origin"] = place
            entry = new(Entry)
            _set_fields(entry, fields)
            _set_names(entry, CORE_SET)
            _set_extra(entry, None)
            _set_private(entry, None)
            entries.append(entry)
        if self.titles is not None:
            for entry, title in zip(entries, self.titles, strict=True):
                vars(entry)["title"] = title
        return entries


FIELDS: tuple[str, ...] = tuple(name for name in Entry.model_fields if name != "origin")
"""The fields that a format may carry, in the order in which they are written."""
