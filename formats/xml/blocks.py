"""The extension blocks of a sitemap's url, read: images, videos, news, alternates, mobile, PageMaps, what is foreign.

Google's extension schemas: image 1.1, video 1.1, news 0.9, mobile 1.0, PageMap 1.0. Their order of children is not
enforced on reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Alternate, Image, News, PageMap, Publication, Video
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.record import date_of
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import pagemap
from urlset.formats.xml.block_parts import Parts, is_named
from urlset.formats.xml.leftovers import shown
from urlset.formats.xml.node import Element, full_text, is_blank, serialise
from urlset.formats.xml.video_block import VideoReader

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.prolog import Prolog

_NEWS_084 = re.compile(r".*/sitemap-news/0?\.84/?")


class Blocks(NamedTuple):
    """What one url holds beside its core fields; ``mobile`` and ``news`` hold one thing or none."""

    images: list[Image]
    videos: list[Video]
    news: list[News]
    alternates: list[Alternate]
    mobile: list[bool]
    pagemaps: list[PageMap]
    extra: list[str]

    def fields(self) -> dict[str, Any]:
        """The blocks as fields of an Entry; absent ones are left out."""
        found: dict[str, Any] = {}
        for name in ("images", "videos", "alternates", "pagemaps", "extra"):
            if value := getattr(self, name):
                found[name] = tuple(value)
        for name in ("news", "mobile"):
            if value := getattr(self, name):
                found[name] = value[0]
        return found

    def as_json(self) -> dict[str, Any]:
        """The blocks as a line of JSON lines has them."""
        return {
            name: [_plain(one) for one in value] if isinstance(value, tuple) else _plain(value)
            for name, value in self.fields().items()
        }


def _plain(one: Any) -> Any:
    return one if isinstance(one, str | bool) else one.as_dict()


class Reader:
    """Reads the blocks of one document."""

    def __init__(self, account: Account, options: ReadOptions, prolog: Prolog | None = None) -> None:
        self._account = account
        self._options = options
        self._parts = Parts(account, options, prolog)
        self._videos = VideoReader(self._parts)

    def read(self, elements: Sequence[Element]) -> Blocks:
        """The blocks among the foreign children of a url."""
        blocks = Blocks([], [], [], [], [], [], [])
        for element in elements:
            namespace, local = ns.split(element.tag)
            known = self._parts.namespace(namespace, element)
            if known == ns.IMAGE and local == "image":
                self._image(element, blocks)
            elif known == ns.VIDEO and local == "video":
                blocks.videos.append(self._videos.read(element))
            elif known == ns.NEWS and local == "news":
                self._news(element, blocks)
            elif known == ns.XHTML and local == "link":
                self._link(element, blocks)
            elif known == ns.MOBILE:
                self._mobile(element, local, blocks)
            elif known == ns.PAGEMAP and local == "PageMap":
                self._pagemap(element, blocks)
            elif known == ns.UNBOUND:
                self._parts.lost(element, "its prefix is not declared")
            else:
                self._parts.keep(element, blocks.extra)
        return blocks

    def _image(self, element: Element, blocks: Blocks) -> None:
        values = self._parts.texts(element, ns.IMAGE, _IMAGE_TEXTS)
        if not values.get("loc"):
            message = "an image has no image:loc; it is dropped"
            value = full_text(element).strip() or None
            self._account.find(
                "image-missing-loc", message, line=element.sourceline, value=value, action="dropped-value"
            )
            return
        for name in ("loc", "license"):
            if name in values:
                self._parts.address(element, f"image:{name}", values[name])
        blocks.images.append(Image(**values, line=element.sourceline))

    # --- news

    def _news(self, element: Element, blocks: Blocks) -> None:
        if _NEWS_084.fullmatch(ns.split(element.tag).namespace) and (missing := _missing(element)):
            self._keep_former(element, missing, blocks)
            return
        if blocks.news:
            self._again(element, "news:news")
            return
        publications = [child for child in element if is_named(child, ns.NEWS, "publication")]
        values: dict[str, Any] = self._parts.texts(element, ns.NEWS, _NEWS_TEXTS, skip="publication")
        if "publication_date" in values:
            values["publication_date"] = self._date(element, "publication_date", "news:publication_date")
        for another in publications[1:]:
            self._parts.repeated(another, "news:publication")
        if publications:
            names = frozenset(Publication.model_fields)
            values["publication"] = Publication(**self._parts.texts(publications[0], ns.NEWS, names))
        blocks.news.append(News(**values, line=element.sourceline))

    def _keep_former(self, element: Element, missing: Sequence[str], blocks: Blocks) -> None:
        """Carry an article of 2005 as it is: in the vocabulary of today it would lack what that demands."""
        names = ", ".join(f"news:{name}" for name in missing)
        message = f"an article of the news vocabulary 0.84 has no {names}, which 0.9 demands; it is kept as it is"
        self._account.find_cause("news-incomplete", names, message, line=element.sourceline, value=names)
        self._parts.keep(element, blocks.extra)

    def _again(self, element: Element, name: str) -> None:
        self._account.find(
            "repeated-element",
            f"a url has more than one {name}; the first is kept",
            line=element.sourceline,
            value=shown(element),
            action="dropped-value",
        )

    def _date(self, parent: Element, name: str, what: str) -> LastMod | None:
        child = next(child for child in parent if is_named(child, ns.NEWS, name))
        return date_of(self._account, self._options, full_text(child), child.sourceline, what=what)

    # --- alternates, mobile, PageMaps

    def _link(self, element: Element, blocks: Blocks) -> None:
        relations = (element.get("rel") or "").lower().split()
        hreflang, href = element.get("hreflang"), element.get("href")
        if "alternate" in relations and not href:
            message = f"the alternate link for {hreflang or 'no language'} has no href; it is dropped"
            self._account.find("missing-href", message, line=element.sourceline, value=hreflang, action="dropped-value")
            self._left_in_link(element, relations)
        elif "alternate" in relations and hreflang and href:
            link = Alternate(hreflang=urls.trim(hreflang), href=urls.trim(href), line=element.sourceline)
            blocks.alternates.append(link)
            self._left_in_link(element, relations)
        else:
            self._remark_on_link(element, relations)
            self._parts.keep(element, blocks.extra)

    def _left_in_link(self, element: Element, relations: list[str]) -> None:
        """What an alternate link says beside the language and the address."""
        leftovers = self._parts.leftovers
        if not _LINK.issuperset(element.keys()):
            leftovers.attributes(element, "xhtml:link", _LINK, _OF_A_LINK)
        if others := [word for word in relations if word != "alternate"]:
            leftovers.attribute(element, "xhtml:link", "rel", " ".join(others), "info")
        if len(element) or element.text:
            leftovers.texts(element, "xhtml:link")
            for inner in element:
                self._parts.lost(inner, "xhtml:link holds nothing")

    def _remark_on_link(self, element: Element, relations: list[str]) -> None:
        """A link that names no other language; separate mobile pages are told by ``media``."""
        if not self._options.remark or ("alternate" in relations and element.get("media") is not None):
            return
        rel = (element.get("rel") or "")[:60]
        why = "hreflang is missing" if "alternate" in relations else f"rel is {rel!r}, not alternate" if rel else ""
        message = f"xhtml:link names no other language: {why or 'rel is missing'}"
        self._account.find("hreflang-incomplete", message, line=element.sourceline, value=serialise(element))

    def _mobile(self, element: Element, local: str, blocks: Blocks) -> None:
        """The empty ``mobile:mobile``; one that holds something, or another element, is carried as it is."""
        self._parts.deprecated(element, "mobile:mobile")
        if local != "mobile" or len(element) or element.attrib or not is_blank(element.text):
            self._parts.keep(element, blocks.extra)
        elif blocks.mobile:
            self._again(element, "mobile:mobile")
        else:
            blocks.mobile.append(True)

    def _pagemap(self, element: Element, blocks: Blocks) -> None:
        found = pagemap.read(element, self._account)
        if found is None:
            self._parts.keep(element, blocks.extra)
        else:
            blocks.pagemaps.append(found)


def _missing(news: Element) -> list[str]:
    """The names of what the news vocabulary 0.9 demands and an element lacks."""
    publication = next((child for child in news if is_named(child, ns.NEWS, "publication")), None)
    inside = {name for name in ("name", "language") if publication is not None and _has(publication, name)}
    beside = {name for name in ("publication_date", "title") if _has(news, name)}
    return [name for name in ("name", "language", "publication_date", "title") if name not in inside | beside]


def _has(parent: Element, name: str) -> bool:
    return any(is_named(child, ns.NEWS, name) and not is_blank(full_text(child)) for child in parent)


_LINK = frozenset({"rel", "hreflang", "href"})
# Attributes that XHTML gives a link, and that change nothing about whither it leads and for whom.
_OF_A_LINK = frozenset({"charset", "class", "dir", "id", "lang", "rev", "style", "target", "title", "type"})
_IMAGE_TEXTS = frozenset(Image.model_fields) - {"line"}
_NEWS_TEXTS = frozenset(News.model_fields) - {"publication", "line"}
EXTENSION_NAMES = frozenset({"image", "video", "news", "link", "mobile", "PageMap"})
"""What the blocks are called, whatever their namespace."""
