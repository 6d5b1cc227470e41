"""The extension blocks of a sitemap's url, read: images, videos, news, alternates, and what is foreign.

Google's extension schemas: image 1.1, video 1.1, news 0.9. Their order of children is not enforced on reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Alternate, Image, News, Publication, Video, check_markup
from urlset.formats.vocabulary.findings import Action
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.node import Element, Node, full_text, local_name, serialise

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.prolog import Prolog

_PREFIXES = {ns.IMAGE: "image", ns.VIDEO: "video", ns.NEWS: "news"}


class Blocks(NamedTuple):
    """What one url holds beside its core fields."""

    images: list[Image]
    videos: list[Video]
    news: list[News]
    alternates: list[Alternate]
    extra: list[str]

    def fields(self) -> dict[str, Any]:
        """The blocks as fields of an Entry; absent ones are left out."""
        found: dict[str, Any] = {}
        for name in ("images", "videos", "alternates", "extra"):
            if value := getattr(self, name):
                found[name] = tuple(value)
        if self.news:
            found["news"] = self.news[0]
        return found

    def as_json(self) -> dict[str, Any]:
        """The blocks as a line of JSON lines has them."""
        return {
            name: value.as_dict() if isinstance(value, News) else [_plain(one) for one in value]
            for name, value in self.fields().items()
        }


def _plain(one: Any) -> Any:
    return one if isinstance(one, str) else one.as_dict()


class Reader:
    """Reads the blocks of one document; each wrong namespace is reported once."""

    def __init__(self, account: Account, options: ReadOptions, prolog: Prolog | None = None) -> None:
        self._account = account
        self._prolog = prolog
        self._options = options
        self._wrong: set[str] = set()

    def read(self, elements: Sequence[Element]) -> Blocks:
        """The blocks among the foreign children of a url."""
        blocks = Blocks([], [], [], [], [])
        for element in elements:
            namespace, local = ns.split(element.tag)
            known = self._namespace(namespace, element)
            if known == ns.IMAGE and local == "image":
                self._add(blocks.images, self._image(element))
            elif known == ns.VIDEO and local == "video":
                blocks.videos.append(self._video(element))
            elif known == ns.NEWS and local == "news":
                self._news(element, blocks)
            elif known == ns.XHTML and local == "link":
                self._link(element, blocks)
            elif known == ns.UNBOUND:
                self._lost(element, "its prefix is not declared")
            else:
                self._keep(element, blocks.extra)
        return blocks

    def _keep(self, element: Element, extra: list[str]) -> None:
        """Carry a foreign element as it is; one that the repair lane can't make XML of is dropped with a finding."""
        piece = serialise(element)
        if isinstance(element, Node) or not ns.split(element.tag).namespace:
            try:
                check_markup(piece)
            except ValueError as error:
                self._lost(element, str(error))
                return
        extra.append(piece)

    @staticmethod
    def _add(target: list[Any], value: object | None) -> None:
        if value is not None:
            target.append(value)

    def _namespace(self, namespace: str, element: Element) -> str:
        known = ns.canonical(namespace)
        if known != namespace:
            message = f"the namespace of <{local_name(element)}> should be {known}, found {namespace}"
            # Where the name is declared is where it is wrong: as a rule in the root's start tag.
            line = None if namespace in self._wrong else self._declaration(element, namespace)
            self._wrong.add(namespace)
            self._account.find_cause("namespace-incorrect", namespace, message, line=line, value=namespace)
        return known

    def _declaration(self, element: Element, namespace: str) -> int | None:
        return (self._prolog and self._prolog.line_of(namespace)) or _declaring(element, namespace)

    def _lost(self, element: Element, why: str) -> None:
        self._account.find(
            "unexpected-element",
            f"<{local_name(element)}> is dropped: {why}",
            line=element.sourceline,
            value=full_text(element).strip(),
            action="dropped-value",
        )

    # --- image, news, alternates

    def _image(self, element: Element) -> Image | None:
        values = self._texts(element, ns.IMAGE, _IMAGE_TEXTS)
        if not values.get("loc"):
            message = "an image has no image:loc; it is dropped"
            self._account.find("image-missing-loc", message, line=element.sourceline, action="dropped-value")
            return None
        return Image(**values, line=element.sourceline)

    def _news(self, element: Element, blocks: Blocks) -> None:
        if blocks.news:
            self._account.find(
                "repeated-element",
                "a url has more than one news:news; the first is kept",
                line=element.sourceline,
                value=full_text(element).strip(),
                action="dropped-value",
            )
            return
        publication = next((child for child in element if self._is_news(child, "publication")), None)
        values: dict[str, Any] = self._texts(element, ns.NEWS, _NEWS_TEXTS, skip="publication")
        if "publication_date" in values:
            values["publication_date"] = self._date(element, "publication_date", "news:publication_date")
        if publication is not None:
            values["publication"] = Publication(
                **self._texts(publication, ns.NEWS, frozenset(Publication.model_fields))
            )
        blocks.news.append(News(**values, line=element.sourceline))

    def _is_news(self, element: Element, name: str) -> bool:
        namespace, local = ns.split(element.tag)
        return local == name and ns.canonical(namespace) == ns.NEWS

    def _link(self, element: Element, blocks: Blocks) -> None:
        relations = (element.get("rel") or "").lower().split()
        hreflang, href = element.get("hreflang"), element.get("href")
        if "alternate" in relations and not href:
            message = f"the alternate link for {hreflang or 'no language'} has no href; it is dropped"
            self._account.find("missing-href", message, line=element.sourceline, value=hreflang, action="dropped-value")
        elif "alternate" in relations and hreflang and href:
            link = Alternate(hreflang=urls.trim(hreflang), href=urls.trim(href), line=element.sourceline)
            blocks.alternates.append(link)
        else:
            self._remark_on_link(element, relations)
            self._keep(element, blocks.extra)

    def _remark_on_link(self, element: Element, relations: list[str]) -> None:
        """A link that names no other language; separate mobile pages are told by ``media``."""
        if not self._options.remark or ("alternate" in relations and element.get("media") is not None):
            return
        rel = (element.get("rel") or "")[:60]
        why = "hreflang is missing" if "alternate" in relations else f"rel is {rel!r}, not alternate" if rel else ""
        message = f"xhtml:link names no other language: {why or 'rel is missing'}"
        self._account.find("hreflang-incomplete", message, line=element.sourceline, value=serialise(element))

    def _texts(self, element: Element, namespace: str, known: frozenset[str], skip: str = "") -> dict[str, Any]:
        """The texts of the known children; an unknown or repeated one is reported and dropped."""
        values: dict[str, Any] = {}
        for child in element:
            name = local_name(child)
            if name == skip and self._is_news(child, skip):
                continue
            where = f"{_PREFIXES[namespace]}:{name}"
            if name not in known or self._namespace(ns.split(child.tag).namespace, child) != namespace:
                self._unknown(child, where, known)
            elif name in values:
                self._repeated(child, where)
            elif text := urls.trim(full_text(child)):
                values[name] = text
        return values

    def _unknown(self, element: Element, where: str, known: frozenset[str]) -> None:
        """A child of a block that is none of its own."""
        namespace = ns.split(element.tag).namespace
        if self._is_bare(element, known):
            self._bare(element, where, "dropped-value")
        elif namespace == ns.UNBOUND:
            self._lost(element, "its prefix is not declared")
        elif ns.canonical(namespace) in _PREFIXES:
            self._lost(element, f"{where} is not known there")
        else:
            self._lost(element, f"elements of {namespace or 'no namespace'} are not known there")

    @staticmethod
    def _is_bare(element: Element, known: Container[str]) -> bool:
        """Whether a child of a block is in the sitemap namespace, because its prefix was forgotten."""
        namespace, local = ns.split(element.tag)
        return local in known and ns.is_core(namespace)

    def _bare(self, element: Element, where: str, action: Action) -> None:
        what = "it is dropped" if action == "dropped-value" else "it is no part of the block"
        message = f"<{local_name(element)}> stands in the sitemap namespace, its prefix forgotten ({where}); {what}"
        value = full_text(element).strip()
        self._account.find("missing-prefix", message, line=element.sourceline, value=value, action=action)

    def _repeated(self, element: Element, where: str) -> None:
        self._account.find(
            "repeated-element",
            f"{where} occurs again; the first is kept",
            line=element.sourceline,
            value=full_text(element).strip(),
            action="dropped-value",
        )

    def _date(self, parent: Element, name: str, what: str) -> LastMod | None:
        child = next(child for child in parent if self._is_news(child, name))
        return date_of(self._account, self._options, full_text(child), child.sourceline, what=what)

    # --- video

    def _video(self, element: Element) -> Video:
        values: dict[str, Any] = {}
        tags: list[str] = []
        extra: list[str] = []
        self._remark_on_order(element)
        for child in element:
            name = local_name(child)
            own = self._namespace(ns.split(child.tag).namespace, child) == ns.VIDEO
            if own and name == "tag":
                tags.append(urls.trim(full_text(child)))
            elif not own or name not in _VIDEO:
                if self._is_bare(child, orders.VIDEO):
                    self._bare(child, f"video:{name}", "kept")
                self._keep(child, extra)
            elif name in values:
                self._repeated(child, f"video:{name}")
            else:
                self._video_value(child, name, values)
        tags = [tag for tag in tags if tag]
        return Video(**values, tags=tuple(tags), extra=tuple(extra), line=element.sourceline)

    def _remark_on_order(self, video: Element) -> None:
        """Google's schema has an order of children; its own examples break it."""
        if not self._options.remark:
            return
        if not orders.is_sorted([name for child in video if (name := local_name(child)) in orders.VIDEO], orders.VIDEO):
            message = "the children of <video:video> are not in the order of Google's schema"
            self._account.find_cause("element-order", "video", message, line=video.sourceline)

    def _video_value(self, child: Element, name: str, values: dict[str, Any]) -> None:
        if name in ("expiration_date", "publication_date"):
            text, line = full_text(child), child.sourceline
            value: Any = date_of(self._account, self._options, text, line, what=f"video:{name}")
        else:
            value = self._checked(child, name, urls.trim(full_text(child)), _VIDEO[name])
        if value is not None:
            values[name] = value
        for attribute in _VIDEO_ATTRIBUTES.get(name, ()):
            raw = child.get(attribute)
            check = _RELATIONSHIP if attribute == "relationship" else _YES_NO if attribute == "allow_embed" else _TEXT
            if raw is not None and (good := self._checked(child, f"{name}@{attribute}", raw, check)) is not None:
                values[f"{name}_{attribute}"] = good

    def _checked(self, child: Element, name: str, text: str, check: _Check) -> Any:
        value = check.parse(text)
        if value is not None and value != text and check in (_YES_NO, _RELATIONSHIP):
            self._remark_on_case(child, name, text, value, known=check is _YES_NO)
        if value is None and text:
            self._account.find(
                check.rule,
                f"video:{name} is {text!r}, not {check.expected}",
                line=child.sourceline,
                value=text,
                action="dropped-value",
            )
        return value

    def _remark_on_case(self, child: Element, name: str, text: str, value: str, *, known: bool) -> None:
        """Google's schema has yes, Yes, YES and no, No, NO, but only allow and deny; any other mixture is repaired."""
        line, message = child.sourceline, f"video:{name} is {text!r}, read as {value!r}"
        if not known or text not in (value.capitalize(), value.upper()):
            self._account.find("video-invalid-value", message, line=line, value=text, action="repaired")
        elif self._options.remark:
            self._account.find("video-invalid-value", message, line=line, value=text, severity="info")


class _Check(NamedTuple):
    parse: Callable[[str], Any]
    expected: str
    rule: str = "video-invalid-value"


def _whole(text: str, low: int, high: int | None) -> int | None:
    if not re.fullmatch(r"\+?[0-9]{1,18}", text):
        return None
    number = int(text)
    return number if number >= low and (high is None or number <= high) else None


def _rating(text: str) -> float | None:
    if not re.fullmatch(r"\+?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", text):
        return None
    return float(text) if float(text) <= 5 else None


def _word(*allowed: str) -> Callable[[str], str | None]:
    return lambda text: text.lower() if text.lower() in allowed else None


_TEXT = _Check(lambda text: text or None, "a text")
_yes_no = _word("yes", "no")
_YES_NO = _Check(_yes_no, "yes or no")
_RELATIONSHIP = _Check(_word("allow", "deny"), "allow or deny")

_VIDEO: dict[str, _Check] = {
    "thumbnail_loc": _TEXT,
    "title": _TEXT,
    "description": _TEXT,
    "content_loc": _TEXT,
    "player_loc": _TEXT,
    "duration": _Check(
        lambda text: _whole(text, 1, 28_800),
        "a whole number of seconds from 1 to 28800",
        "video-invalid-duration",
    ),
    "expiration_date": _TEXT,
    "rating": _Check(_rating, "a number from 0.0 to 5.0", "video-invalid-rating"),
    "view_count": _Check(lambda text: _whole(text, 0, None), "a whole number"),
    "publication_date": _TEXT,
    "category": _TEXT,
    "family_friendly": _YES_NO,
    "restriction": _TEXT,
    "gallery_loc": _TEXT,
    "requires_subscription": _YES_NO,
    "uploader": _TEXT,
    "platform": _TEXT,
    "live": _YES_NO,
}
_VIDEO_ATTRIBUTES = {
    "player_loc": ("allow_embed", "autoplay"),
    "restriction": ("relationship",),
    "gallery_loc": ("title",),
    "uploader": ("info",),
    "platform": ("relationship",),
}
_IMAGE_TEXTS = frozenset(Image.model_fields) - {"line"}
_NEWS_TEXTS = frozenset(News.model_fields) - {"publication", "line"}
EXTENSION_NAMES = frozenset({"image", "video", "news", "link", "mobile", "PageMap"})
"""What the blocks are called, whatever their namespace."""


def _declaring(element: Element, namespace: str) -> int | None:
    """The line of the outermost element in whose scope the namespace already is."""
    line, parent = element.sourceline, element.getparent()
    while parent is not None and namespace in parent.nsmap.values():
        line, parent = parent.sourceline, parent.getparent()
    return line
