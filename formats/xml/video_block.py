"""The video block of a sitemap's url, read: Google's video extension 1.1, what it gave up in 2022 included.

The order of the children is not enforced. A value that is none of those allowed becomes absent, with a finding; a
repeated element without its value is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from urlset.formats.vocabulary.entry import ContentSegment, Price, TvShow, Video, VideoId
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.block_parts import Parts, is_bare
from urlset.formats.xml.node import Element, full_text, local_name


class Check(NamedTuple):
    """How a value is read; ``capitals`` are other spellings of a word that Google's schema has too."""

    parse: Callable[[str], Any]
    expected: str
    rule: str = "video-invalid-value"
    is_word: bool = False
    capitals: tuple[Callable[[str], str], ...] = ()


class VideoReader:
    """Reads the videos of one document."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def read(self, element: Element) -> Video:
        """The video of a ``video:video``."""
        values: dict[str, Any] = {}
        tags: list[str] = []
        several: dict[str, list[Any]] = {}
        extra: list[str] = []
        self._remark_on_order(element)
        self._parts.container(element, "video:video")
        for child in element:
            name = local_name(child)
            own = self._parts.namespace(ns.split(child.tag).namespace, child) == ns.VIDEO
            if own and name == "tag":
                tags.append(self._parts.value(child, "video:tag"))
            elif not own or not (name in _VALUES or name in _REPEATED or name == "tvshow") or _is_broken(child, name):
                self._keep(child, name, own, extra)
            elif name in _REPEATED:
                self._repeated(child, name, several)
            elif name in values:
                self._parts.repeated(child, f"video:{name}")
            else:
                self._value(child, name, values)
        values.update((name, tuple(found)) for name, found in several.items())
        tags = [tag for tag in tags if tag]
        return Video(**values, tags=tuple(tags), extra=tuple(extra), line=element.sourceline)

    def _keep(self, child: Element, name: str, own: bool, extra: list[str]) -> None:
        """Carry what is none of the block's own, or holds elements where a value should be."""
        if is_bare(child, orders.VIDEO):
            self._parts.bare(child, f"video:{name}", "kept")
        elif own and name in orders.VIDEO:
            self._parts.deprecated(child, f"video:{name}")
            message = f"video:{name} holds other elements, where a text is expected; it is kept as it is"
            line, value = child.sourceline, full_text(child).strip()
            self._parts.account.find("video-invalid-value", message, line=line, value=value)
        self._parts.keep(child, extra)

    def _remark_on_order(self, video: Element) -> None:
        """Google's schema has an order of children; its own examples break it."""
        if not self._parts.options.remark:
            return
        if not orders.is_sorted([name for child in video if (name := local_name(child)) in orders.VIDEO], orders.VIDEO):
            message = "the children of <video:video> are not in the order of Google's schema"
            self._parts.account.find_cause("element-order", "video", message, line=video.sourceline)

    def _value(self, child: Element, name: str, values: dict[str, Any]) -> None:
        self._parts.deprecated(child, f"video:{name}")
        value = self._show(child) if name == "tvshow" else self._read(child, name, _VALUES[name])
        if value is not None:
            values[name] = value
        for attribute, found in self._attributes(child, name).items():
            values[f"{name}_{attribute}"] = found

    def _repeated(self, child: Element, name: str, several: dict[str, list[Any]]) -> None:
        """One of an element that may occur several times; without its value its attributes say nothing."""
        self._parts.deprecated(child, f"video:{name}")
        field, kind, what, check = _REPEATED[name]
        text = self._parts.value(child, f"video:{name}", _ATTRIBUTES.get(name, {}))
        value = check.parse(text)
        if value is None:
            message = f"video:{name} is {text[:60]!r}, not {check.expected}; it is left out"
            self._parts.account.find(check.rule, message, line=child.sourceline, value=text, action="dropped-value")
            return
        if name == "content_segment_loc":
            self._parts.address(child, f"video:{name}", text)
        several.setdefault(field, []).append(kind(**{what: value}, **self._attributes(child, name)))

    def _show(self, element: Element) -> TvShow | None:
        known = frozenset(TvShow.model_fields)
        self._parts.container(element, "video:tvshow")
        values: dict[str, Any] = {}
        for child in element:
            name = local_name(child)
            if name not in known or self._parts.namespace(ns.split(child.tag).namespace, child) != ns.VIDEO:
                self._parts.lost(child, "it is not known in a video:tvshow")
            elif name in values:
                self._parts.repeated(child, f"video:{name}")
            else:
                values[name] = self._read(child, name, _SHOW[name])
        found = {name: value for name, value in values.items() if value is not None}
        return TvShow(**found) if found else None

    def _read(self, child: Element, name: str, check: Check | None) -> Any:
        text = self._parts.value(child, f"video:{name}", _ATTRIBUTES.get(name, {}))
        if check is None:
            options, raw = self._parts.options, full_text(child)
            return date_of(self._parts.account, options, raw, child.sourceline, what=f"video:{name}")
        if text and name in _ADDRESSES:
            self._parts.address(child, f"video:{name}", text)
        return self._checked(child, name, text, check)

    def _attributes(self, child: Element, name: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for attribute, check in _ATTRIBUTES.get(name, {}).items():
            if (raw := child.get(attribute)) is None:
                continue
            self._parts.deprecated(child, f"video:{name}@{attribute}")
            if (good := self._checked(child, f"{name}@{attribute}", raw, check)) is not None:
                found[attribute] = good
        return found

    def _checked(self, child: Element, name: str, text: str, check: Check) -> Any:
        value = check.parse(text)
        if value is not None and check.is_word and value != text:
            self._remark_on_case(child, name, text, value, check)
        if value is None and text:
            self._parts.account.find(
                check.rule,
                f"video:{name} is {text!r}, not {check.expected}",
                line=child.sourceline,
                value=text,
                action="dropped-value",
            )
        return value

    def _remark_on_case(self, child: Element, name: str, text: str, value: str, check: Check) -> None:
        """Google's schema has capitals for some words, but for others not; any other mixture is repaired."""
        line, message = child.sourceline, f"video:{name} is {text!r}, read as {value!r}"
        if text not in [spell(value) for spell in check.capitals]:
            self._parts.account.find("video-invalid-value", message, line=line, value=text, action="repaired")
        elif self._parts.options.remark:
            self._parts.account.find("video-invalid-value", message, line=line, value=text, severity="info")


def _is_broken(child: Element, name: str) -> bool:
    """Whether elements stand where a value should be, in one that was carried as it is before it was known."""
    return name in _REPEATED and len(child) > 0


def _whole(low: int, high: int | None = None) -> Callable[[str], int | None]:
    def parse(text: str) -> int | None:
        if not re.fullmatch(r"\+?[0-9]{1,18}", text):
            return None
        number = int(text)
        return number if number >= low and (high is None or number <= high) else None

    return parse


def _decimal(text: str) -> str | None:
    return text if re.fullmatch(r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", text) else None


def _rating(text: str) -> float | None:
    number = _decimal(text)
    return float(number) if number is not None and float(number) <= 5 else None


def _currency(text: str) -> str | None:
    return text.upper() if re.fullmatch("[A-Za-z]{3}", text) else None


def _word(*allowed: str, capitals: tuple[Callable[[str], str], ...] = ()) -> Check:
    expected = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
    return Check(
        lambda text: text.lower() if text.lower() in allowed else None, expected, is_word=True, capitals=capitals
    )


_TEXT = Check(lambda text: text or None, "a text")
_ADDRESS = Check(lambda text: text or None, "an address")
_YES_NO = _word("yes", "no", capitals=(str.capitalize, str.upper))
_RELATIONSHIP = _word("allow", "deny")
_SECONDS = Check(_whole(0, 28_800), "a whole number of seconds up to 28800", "video-invalid-duration")
_NUMBER = Check(_whole(1), "a whole number from 1 on")

_VALUES: dict[str, Check | None] = {
    "thumbnail_loc": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "content_loc": _TEXT,
    "player_loc": _TEXT,
    "duration": Check(_whole(1, 28_800), "a whole number of seconds from 1 to 28800", "video-invalid-duration"),
    "expiration_date": None,
    "rating": Check(_rating, "a number from 0.0 to 5.0", "video-invalid-rating"),
    "view_count": Check(_whole(0), "a whole number"),
    "publication_date": None,
    "category": _TEXT,
    "family_friendly": _YES_NO,
    "restriction": _TEXT,
    "gallery_loc": _TEXT,
    "requires_subscription": _YES_NO,
    "uploader": _TEXT,
    "platform": _TEXT,
    "live": _YES_NO,
}
"""Elements that occur once, and how their value is read; None: as a date."""

_SHOW: dict[str, Check | None] = {
    "show_title": _TEXT,
    "video_type": _word("full", "preview", "clip", "interview", "news", "other"),
    "episode_title": _TEXT,
    "season_number": _NUMBER,
    "episode_number": _NUMBER,
    "premier_date": None,
}
_REPEATED: dict[str, tuple[str, type[ContentSegment | Price | VideoId], str, Check]] = {
    "content_segment_loc": ("content_segments", ContentSegment, "loc", _ADDRESS),
    "price": ("prices", Price, "value", Check(_decimal, "a decimal number")),
    "id": ("ids", VideoId, "value", _TEXT),
}
"""Elements that may occur several times: the field, the type of one, the name of its value, and how that is read."""

_ATTRIBUTES: dict[str, dict[str, Check]] = {
    "player_loc": {"allow_embed": _YES_NO, "autoplay": _TEXT},
    "content_segment_loc": {"duration": _SECONDS},
    "restriction": {"relationship": _RELATIONSHIP},
    "gallery_loc": {"title": _TEXT},
    "price": {
        "currency": Check(_currency, "a currency of three capitals", is_word=True),
        "type": _word("purchase", "rent", capitals=(str.upper,)),
        "resolution": _word("sd", "hd", capitals=(str.upper,)),
    },
    "uploader": {"info": _TEXT},
    "platform": {"relationship": _RELATIONSHIP},
    "id": {"type": _word("tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url")},
}
_ADDRESSES = frozenset({"thumbnail_loc", "content_loc", "player_loc", "gallery_loc"})
