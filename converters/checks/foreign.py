"""Elements of other vocabularies that an entry carries: what is unknown, and what is incomplete."""

from __future__ import annotations

import re
from html import unescape

from urlset.converters.checks.document import OneByOne, Page
from urlset.formats.xml import namespaces as ns

_START = re.compile(r"<(?:([^\s:/>]+):)?([^\s:/>]+)")


class Foreign(OneByOne):
    """``namespace-unknown`` and ``hreflang-incomplete``."""

    def look(self, page: Page) -> None:
        """The next entry."""
        for piece in page.entry.extra:
            name = name_of(piece)
            namespace = ns.canonical(name.namespace)
            if namespace not in ns.EXTENSIONS:
                message = f"the namespace {name.namespace} of <{name.local}> is not one that search engines know"
                self._document.find_cause("namespace-unknown", namespace, message, page, value=name.namespace)
            elif namespace == ns.XHTML and name.local == "link":
                self._link(piece, page)

    def _link(self, piece: str, page: Page) -> None:
        """What the reader could not take for an alternate. Separate mobile pages are named by ``media``."""
        attributes = _parsed(piece).attrib
        relations = attributes.get("rel", "").lower().split()
        if "alternate" not in relations:
            found = f"rel is {attributes['rel'][:60]!r}, not alternate" if relations else "rel is missing"
        elif "media" in attributes:
            return
        else:
            found = "hreflang is missing"
        self._document.find("hreflang-incomplete", f"xhtml:link names no other language: {found}", page, value=piece)


def name_of(piece: str) -> ns.Name:
    """The name of a piece of XML that declares the namespace of its own name."""
    match = _START.match(piece)
    if match is None:
        return ns.Name("", "")
    prefix, local = match[1], match[2]
    declared = re.search(rf'\sxmlns{":" + re.escape(prefix) if prefix else ""}="([^"]*)"', piece)
    return ns.Name(unescape(declared[1]) if declared else "", local)


def _parsed(piece: str):  # type: ignore[no-untyped-def]  # lxml's stubs have no public name for it
    from lxml import etree

    return etree.fromstring(piece, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
