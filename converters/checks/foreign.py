"""Elements of other vocabularies that an entry carries: what is unknown."""

from __future__ import annotations

import re
from html import unescape

from urlset.converters.checks.document import OneByOne, Page
from urlset.formats.xml import namespaces as ns

_START = re.compile(r"<(?:([^\s:/>]+):)?([^\s:/>]+)")


class Foreign(OneByOne):
    """``namespace-unknown``."""

    def look(self, page: Page) -> None:
        """The next entry."""
        for piece in page.entry.extra:
            name = name_of(piece)
            namespace = ns.canonical(name.namespace)
            if namespace not in ns.EXTENSIONS:
                message = f"the namespace {name.namespace} of <{name.local}> is not one that search engines know"
                self._document.find_cause("namespace-unknown", namespace, message, page, value=name.namespace)


def name_of(piece: str) -> ns.Name:
    """The name of a piece of XML that declares the namespace of its own name."""
    match = _START.match(piece)
    if match is None:
        return ns.Name("", "")
    prefix, local = match[1], match[2]
    declared = re.search(rf'\sxmlns{":" + re.escape(prefix) if prefix else ""}="([^"]*)"', piece)
    return ns.Name(unescape(declared[1]) if declared else "", local)
