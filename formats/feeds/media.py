"""Media RSS, enclosures and podcasts to the image and video blocks of a sitemap.

Specifications: https://www.rssboard.org/media-rss, Google's page on mRSS, and Apple's podcast elements. Only what is
certain is mapped. The more specific level wins: content over group over item over channel.

* media:content that is a video becomes a video; so does, in an item that has none, an enclosure of a type video/*,
  with the item's title and description, and with itunes:image and itunes:duration.
* media:content that is a picture and an enclosure of a type image/* become images, and so do the media:thumbnail
  of an item without a video.

A video without what Google requires (thumbnail, title, description, and a file or player) is left out and said. Sound
has no block in a sitemap, so of audio nothing is said. media:rating is left out: it names whom a medium suits, by one
of several schemes, and none of them is a number from 0 to 5 or a yes or no.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Image, Video
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.block_parts import is_whole
from urlset.formats.xml.node import Element, full_text

if TYPE_CHECKING:
    from urlset.formats.vocabulary.format import ReadOptions
    from urlset.formats.vocabulary.ledger import Account

_REQUIRED = ("thumbnail_loc", "title", "description")
_DURATION_MAX = 28_800
_LONGEST = {
    "title": (100, "video-title-too-long", "characters"),
    "description": (2_048, "video-description-too-long", "characters"),
    "tags": (32, "video-too-many-tags", "tags"),
}
_ADDRESSES = ("thumbnail_loc", "content_loc", "player_loc")

_CLOCK = re.compile(r"(?:(?:([0-9]{1,3}):(?=[0-5]?[0-9]:))?([0-9]{1,4}):(?=[0-5]?[0-9]\Z))?([0-9]{1,5})")

Values = dict[str, Any]
"""The fields of a Video that one level of Media RSS gives."""


class MediaReader:
    """Reads the images and videos of one feed.

    ``channel`` is what the channel says for all of them, in Media RSS, and ``podcast`` in Apple's elements. ``base``
    gives the base of relative addresses in an element.
    """

    def __init__(self, account: Account, options: ReadOptions, base: Callable[[Element], str | None]) -> None:
        self._account = account
        self._options = options
        self._base = base
        self.channel: Values = {}
        self.podcast: Values = {}

    @staticmethod
    def may_hold_media(tags: Iterable[str]) -> bool:
        """Whether an item with children of these names is worth a closer look."""
        return any(tag.endswith(("}content", "}group", "}thumbnail", "enclosure")) for tag in tags)

    def blocks(self, item: Element, page: str) -> dict[str, Any]:
        """The images and complete videos of an item, as fields; ``page`` is its address, which is no video file."""
        films = list(self._contents(item))
        enclosed = [] if films else [one for one in item if _is_enclosure(one, item, "video/")]
        own = self._level(item) if films or enclosed else {}
        videos = [*self._filmed(films, own, page), *self._enclosed(enclosed, item, own, page)]
        images = self._images(item, with_thumbnails=not films and not enclosed)
        found = {"images": tuple(images), "videos": tuple(videos)}
        return {name: blocks for name, blocks in found.items() if blocks}

    def _filmed(self, films: Iterable[tuple[Element, Values]], own: Values, page: str) -> Iterator[Video]:
        """The videos of Media RSS."""
        for content, group in films:
            values = {**self.channel, **own, **group, **self._level(content), **_attributes(content)}
            yield from self._complete(content, values, page)

    def _enclosed(self, enclosures: Iterable[Element], item: Element, own: Values, page: str) -> Iterator[Video]:
        """The videos of a podcast."""
        for enclosure in enclosures:
            values = {**self.podcast, **self.channel, **self._podcast(item), **own, **_attributes(enclosure)}
            yield from self._complete(enclosure, values, page)

    def _complete(self, element: Element, values: Values, page: str) -> Iterator[Video]:
        values = {name: value for name, value in values.items() if value != page}
        if not self._lacks(element, values):
            for name in _ADDRESSES:
                if name in values:
                    values[name] = self._located(element, values[name], f"the {name} of a video")
            self._shorten(element, values)
            yield Video(**values)

    def _shorten(self, element: Element, values: Values) -> None:
        """Cut what is longer than a sitemap may have it, and say so once."""
        for name, (most, rule, what) in _LONGEST.items():
            if len(values.get(name, ())) > most:
                message = f"the {name} of a video have more than {most:,} {what}; they are cut"
                if what == "characters":
                    message = f"the {name} of a video has more than {most:,} {what}; it is cut"
                line = element.sourceline
                self._account.find_cause(rule, "cut", message, line=line, severity="info", action="dropped-value")
                values[name] = values[name][:most]

    def _images(self, item: Element, *, with_thumbnails: bool) -> Iterator[Image]:
        """The pictures of an item, each once."""
        seen: set[str] = set()
        for one in _candidates(item):
            if _is_picture(one) or _is_enclosure(one, item, "image/") or (with_thumbnails and _is(one, "thumbnail")):
                url = urls.trim(one.get("url") or "")
                if url and url not in seen:
                    seen.add(url)
                    yield Image(loc=self._located(one, url, "the address of an image"), line=one.sourceline)

    def _located(self, element: Element, address: str, what: str) -> str:
        """An address, resolved if it is relative; without a base it is kept, and said to be relative."""
        if is_whole(address):
            return address
        base, line = self._base(element), element.sourceline
        if base is None:
            message = f"{what} is no absolute URL; it is kept"
            self._account.find("not-absolute", message, line=line, value=address, severity="warning")
            return address
        whole = urls.resolve(base, address)
        message = f"{what} is relative; resolved against {base} it is {whole}"
        self._account.find("not-absolute", message, line=line, value=address, action="repaired", severity="warning")
        return whole

    def _podcast(self, item: Element) -> Values:
        """What an item says of its enclosure, in the elements of RSS and in Apple's."""
        own, summary = ns.split(item.tag).namespace, ""
        values: Values = {}
        for child in item:
            namespace, name = ns.split(child.tag)
            if namespace == own and name in ("title", "description"):
                if text := full_text(child).strip():
                    values.setdefault(name, text)
            elif ns.canonical(namespace) != ns.ITUNES:
                continue
            elif name == "summary":
                summary = summary or full_text(child).strip()
            elif name == "duration":
                values.update(self._duration(child))
            else:
                values.update(_cover(child))
        return {"description": summary, **values} if summary else values

    def _duration(self, element: Element) -> Values:
        """h:mm:ss, mm:ss or seconds (Apple, "A Podcaster's Guide to RSS")."""
        text = full_text(element).strip()
        match = _CLOCK.fullmatch(text)
        hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
        if 1 <= (duration := hours * 3600 + minutes * 60 + seconds) <= _DURATION_MAX:
            return {"duration": duration}
        if text:
            message = f"itunes:duration is {text[:60]!r}, not h:mm:ss, mm:ss or seconds from 1 to {_DURATION_MAX:,}"
            line = element.sourceline
            self._account.find("video-invalid-duration", message, line=line, value=text, action="dropped-value")
        return {}

    def note_channel(self, element: Element) -> None:
        """Take what the channel says for all its items."""
        self.note(element, self.channel)
        for name, value in _cover(element).items():
            self.podcast.setdefault(name, value)

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


def _candidates(item: Element) -> Iterator[Element]:
    """The elements of an item that a picture may be in: its children, and those of media:group and media:content."""
    for child in item:
        yield child
        if _is(child, "content"):
            yield from child
        elif _is(child, "group"):
            for inner in child:
                yield inner
                if _is(inner, "content"):
                    yield from inner


def _is_picture(element: Element) -> bool:
    """Whether this is media:content that says of itself that it is a picture."""
    if not _is(element, "content") or _is_video(element):
        return False
    medium = (element.get("medium") or "").strip().lower()
    return medium == "image" or (not medium and _type(element).startswith("image/"))


def _is_enclosure(element: Element, item: Element, kind: str) -> bool:
    """Whether this is an enclosure of an item, of a media type that begins so."""
    namespace, name = ns.split(element.tag)
    return name == "enclosure" and namespace == ns.split(item.tag).namespace and _type(element).startswith(kind)


def _type(element: Element) -> str:
    return (element.get("type") or "").strip().lower()


def _cover(element: Element) -> Values:
    """The picture of an itunes:image."""
    namespace, name = ns.split(element.tag)
    href = urls.trim(element.get("href") or "") if name == "image" and ns.canonical(namespace) == ns.ITUNES else ""
    return {"thumbnail_loc": href} if href else {}


def _address(field: str, element: Element) -> Iterator[tuple[str, Any]]:
    if url := urls.trim(element.get("url") or ""):
        yield field, url


def _text(field: str, element: Element) -> Iterator[tuple[str, Any]]:
    if text := full_text(element).strip():
        yield field, text


def _keywords(element: Element) -> Iterator[tuple[str, Any]]:
    if tags := tuple(tag for one in full_text(element).split(",") if (tag := one.strip())):
        yield "tags", tags


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
    "title": lambda element: _text("title", element),
    "description": lambda element: _text("description", element),
    "keywords": _keywords,
    "restriction": _restriction,
}
