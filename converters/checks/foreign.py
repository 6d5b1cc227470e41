"""Elements of other vocabularies that an entry carries: what is unknown, what is obsolete, what is incomplete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from urlset.converters.checks.document import OneByOne, Page
from urlset.formats.xml import namespaces as ns

_START = re.compile(r"<(?:([^\s:/>]+):)?([^\s:/>]+)")


class Foreign(OneByOne):
    """``namespace-unknown``, ``deprecated-element`` (mobile), ``pagemap-invalid``."""

    def look(self, page: Page) -> None:
        """The next entry."""
        for piece in page.entry.extra:
            name = name_of(piece)
            namespace = ns.canonical(name.namespace)
            if namespace not in ns.EXTENSIONS:
                message = f"the namespace {name.namespace} of <{name.local}> is not one that search engines know"
                self._document.find_cause("namespace-unknown", namespace, message, page, value=name.namespace)
            elif namespace == ns.MOBILE:
                message = "mobile:mobile marked pages for feature phones; search engines no longer ask for it"
                self._document.find_cause("deprecated-element", "mobile:mobile", message, page, value=piece)
            elif namespace == ns.PAGEMAP:
                for message in _faults_of_pagemap(piece):
                    self._document.find("pagemap-invalid", message, page, value=piece)


def name_of(piece: str) -> ns.Name:
    """The name of a piece of XML that declares the namespace of its own name."""
    match = _START.match(piece)
    if match is None:
        return ns.Name("", "")
    prefix, local = match[1], match[2]
    declared = re.search(rf'\sxmlns{":" + re.escape(prefix) if prefix else ""}="([^"]*)"', piece)
    return ns.Name(unescape(declared[1]) if declared else "", local)


def _faults_of_pagemap(piece: str) -> Iterator[str]:
    """What Google's PageMap 1.0 schema asks for and a PageMap lacks."""
    root = _parsed(piece)
    for element in root.iter("{*}DataObject"):
        if not element.get("type"):
            yield "a DataObject has no type"
    for element in root.iter("{*}Attribute"):
        if not element.get("name"):
            yield "an Attribute has no name"
        given = (element.get("value") is not None) + bool((element.text or "").strip())
        if given != 1:
            which = "both as an attribute and as text" if given else "neither as an attribute nor as text"
            yield f"the Attribute {(element.get('name') or '')[:60]!r} has its value {which}"


def _parsed(piece: str):  # type: ignore[no-untyped-def]  # lxml's stubs have no public name for it
    from lxml import etree

    return etree.fromstring(piece, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
