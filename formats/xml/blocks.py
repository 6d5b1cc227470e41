"""The extension blocks of a sitemap's url, read: images, videos, news, alternates, and what is foreign.

Google's extension schemas: image 1.1, video 1.1, news 0.9. Their order of children is not enforced on reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Alternate, Image, News, Publication, Video, check_markup
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, Node, full_text, local_name, serialise

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account

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

    def __init__(self, account: Account, options: ReadOptions) -> None:
        self._account = account
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
        if isinstance(element, Node):
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
            line = None if namespace in self._wrong else _declaring(element, namespace)
            self._wrong.add(namespace)
            self._account.find_cause("namespace-incorrect", namespace, message, line=line, value=namespace)
        return known

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
        values = self._texts(element, ns.IMAGE, frozenset(Image.model_fields))
        if not values.get("loc"):
            message = "an image has no image:loc; it is dropped"
            self._account.find("image-missing-loc", message, line=element.sourceline, action="dropped-value")
            return None
        return Image(**values)

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
        blocks.news.append(News(**values))

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
            self._keep(element, blocks.extra)

    def _texts(self, element: Element, namespace: str, known: frozenset[str], skip: str = "") -> dict[str, Any]:
        """The texts of the known children; an unknown or repeated one is reported and dropped."""
        values: dict[str, Any] = {}
        for child in element:
            name = local_name(child)
            if name == skip and self._is_news(child, skip):
                continue
            where = f"{_PREFIXES[namespace]}:{name}"
            if name not in known or self._namespace(ns.split(child.tag).namespace, child) != namespace:
                self._lost(child, f"{where} is not known there")
            elif name in values:
                self._repeated(child, where)
            elif text := urls.trim(full_text(child)):
                values[name] = text
        return values

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
        for child in element:
            name = local_name(child)
            own = self._namespace(ns.split(child.tag).namespace, child) == ns.VIDEO
            if own and name == "tag":
                tags.append(urls.trim(full_text(child)))
            elif not own or name not in _VIDEO:
                self._keep(child, extra)
            elif name in values:
                self._repeated(child, f"video:{name}")
            else:
                self._video_value(child, name, values)
        return Video(**values, tags=tuple(tag for tag in tags if tag), extra=tuple(extra))

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
        if value is None and text:
            self._account.find(
                check.rule,
                f"video:{name} is {text!r}, not {check.expected}",
                line=child.sourceline,
                value=text,
                action="dropped-value",
            )
        return value


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
_YES_NO = _Check(_word("yes", "no"), "yes or no")
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
_NEWS_TEXTS = frozenset(News.model_fields) - {"publication"}


def _declaring(element: Element, namespace: str) -> int | None:
    """The line of the outermost element in whose scope the namespace already is."""
    line, parent = element.sourceline, element.getparent()
    while parent is not None and namespace in parent.nsmap.values():
        line, parent = parent.sourceline, parent.getparent()
    return line
