"""What the readers of all extension blocks share: their children by name, and what is said of those that do not fit."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import check_markup
from urlset.formats.vocabulary.findings import Action
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.leftovers import Leftovers, shown
from urlset.formats.xml.node import Element, Node, full_text, local_name, serialise

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.prolog import Prolog

_IMAGE = "has been without effect since August 2022"
_VIDEO = "was removed from Google's documentation in 2022"
_NEWS = "is no longer in Google's documentation"
DEPRECATED = {
    **dict.fromkeys((f"image:{name}" for name in ("caption", "geo_location", "title", "license")), _IMAGE),
    **dict.fromkeys((f"video:player_loc@{name}" for name in ("allow_embed", "autoplay")), _VIDEO),
    **dict.fromkeys((f"video:{name}" for name in ("category", "gallery_loc", "gallery_loc@title")), _VIDEO),
    **dict.fromkeys((f"video:{name}" for name in ("price", "tvshow")), _VIDEO),
    **dict.fromkeys((f"news:{name}" for name in ("access", "genres", "keywords", "stock_tickers")), _NEWS),
    "mobile:mobile": "marked pages for feature phones; search engines no longer ask for it",
}
"""Elements and attributes that Google gave up, by name, and what became of them (its blog, 6 May 2022)."""

_PREFIXES = {ns.IMAGE: "image", ns.VIDEO: "video", ns.NEWS: "news"}
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]|data:")


class Parts:
    """Reads and reports on the children of blocks in one document; each wrong namespace is reported once."""

    def __init__(self, account: Account, options: ReadOptions, prolog: Prolog | None = None) -> None:
        self.account = account
        self.options = options
        self._prolog = prolog
        self._wrong: set[str] = set()
        self.leftovers = Leftovers(account)

    def namespace(self, namespace: str, element: Element) -> str:
        """The documented spelling of an element's namespace."""
        known = ns.canonical(namespace)
        if known != namespace:
            message = f"the namespace of <{local_name(element)}> should be {known}, found {namespace}"
            # Where the name is declared is where it is wrong: as a rule in the root's start tag.
            line = None if namespace in self._wrong else self._declaration(element, namespace)
            self._wrong.add(namespace)
            self.account.find_cause("namespace-incorrect", namespace, message, line=line, value=namespace)
        return known

    def _declaration(self, element: Element, namespace: str) -> int | None:
        return (self._prolog and self._prolog.line_of(namespace)) or _declaring(element, namespace)

    def texts(self, element: Element, namespace: str, known: frozenset[str], skip: str = "") -> dict[str, Any]:
        """The texts of the known children; an unknown or repeated one is reported and dropped."""
        values: dict[str, Any] = {}
        self.container(element, f"{_PREFIXES[namespace]}:{local_name(element)}")
        for child in element:
            name = local_name(child)
            if name == skip and is_named(child, namespace, skip):
                continue
            where = f"{_PREFIXES[namespace]}:{name}"
            if name not in known or self.namespace(ns.split(child.tag).namespace, child) != namespace:
                self._unknown(child, where, known)
            elif name in values:
                self.repeated(child, where)
            else:
                self.deprecated(child, where)
                if text := self.value(child, where):
                    values[name] = text
        return values

    def container(self, element: Element, where: str) -> None:
        """Report what an element of elements holds beside these."""
        if element.keys():
            self.leftovers.attributes(element, where)
        self.leftovers.texts(element, where)

    def value(self, element: Element, where: str, known: Container[str] = ()) -> str:
        """The text of an element; what it holds beside that and the ``known`` attributes is reported."""
        if element.keys():
            self.leftovers.attributes(element, where, known)
        if len(element):
            self.leftovers.markup(element, where)
        return urls.trim(full_text(element))

    def keep(self, element: Element, extra: list[str]) -> None:
        """Carry a foreign element as it is; one that the repair lane can't make XML of is dropped with a finding."""
        piece = serialise(element)
        if isinstance(element, Node) or not ns.split(element.tag).namespace:
            try:
                check_markup(piece)
            except ValueError as error:
                self.lost(element, str(error))
                return
        extra.append(piece)

    def address(self, element: Element, name: str, text: str) -> None:
        """Remark on the address of a picture or a film that is relative: no reader knows to what."""
        if not is_whole(text):
            message = f"{name} is no absolute URL; it is kept"
            line = element.sourceline
            self.account.find("not-absolute", message, line=line, value=text, severity="warning", field=name)

    def deprecated(self, element: Element, name: str) -> None:
        """Remark, once in a document, on an element or attribute that Google gave up."""
        if name in DEPRECATED:
            value = urls.trim(full_text(element))
            message = f"{name} {DEPRECATED[name]}"
            self.account.find_cause("deprecated-element", name, message, line=element.sourceline, value=value)

    def lost(self, element: Element, why: str) -> None:
        """Report an element that is dropped."""
        self.leftovers.dropped(element, f"<{local_name(element)}> is dropped: {why}")

    def repeated(self, element: Element, where: str) -> None:
        """Report an element that may occur once and occurs again."""
        self.account.find(
            "repeated-element",
            f"{where} occurs again; the first is kept",
            line=element.sourceline,
            value=shown(element),
            action="dropped-value",
        )

    def bare(self, element: Element, where: str, action: Action) -> None:
        """Report an element whose prefix was forgotten."""
        what = "it is dropped" if action == "dropped-value" else "it is no part of the block"
        message = f"<{local_name(element)}> stands in the sitemap namespace, its prefix forgotten ({where}); {what}"
        self.account.find("missing-prefix", message, line=element.sourceline, value=shown(element), action=action)

    def _unknown(self, element: Element, where: str, known: frozenset[str]) -> None:
        """A child of a block that is none of its own."""
        namespace = ns.split(element.tag).namespace
        if is_bare(element, known):
            self.bare(element, where, "dropped-value")
        elif namespace == ns.UNBOUND:
            self.lost(element, "its prefix is not declared")
        elif ns.canonical(namespace) in _PREFIXES:
            self.lost(element, f"{where} is not known there")
        else:
            self.lost(element, f"elements of {namespace or 'no namespace'} are not known there")


def is_whole(address: str) -> bool:
    """Whether the address of a medium says by itself where that is, by whatever scheme."""
    return address.startswith(("https://", "http://")) or _ABSOLUTE.match(address) is not None


def is_named(element: Element, namespace: str, name: str) -> bool:
    """Whether an element has a name in a namespace, however that is spelled."""
    found, local = ns.split(element.tag)
    return local == name and ns.canonical(found) == namespace


def is_bare(element: Element, known: Container[str]) -> bool:
    """Whether a child of a block is in the sitemap namespace, because its prefix was forgotten."""
    namespace, local = ns.split(element.tag)
    return local in known and ns.is_core(namespace)


def _declaring(element: Element, namespace: str) -> int | None:
    """The line of the outermost element in whose scope the namespace already is."""
    line, parent = element.sourceline, element.getparent()
    while parent is not None and namespace in parent.nsmap.values():
        line, parent = parent.sourceline, parent.getparent()
    return line
