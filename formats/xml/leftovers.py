"""What stands in a known element and has no place in an entry: attributes, text between elements, markup in a value."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from urlset.formats.vocabulary.findings import Action
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, attributes_of, descendants, full_text, is_blank, local_name, serialise

if TYPE_CHECKING:
    from urlset.formats.catalogue import Severity
    from urlset.formats.vocabulary.ledger import Account

_SILENT = frozenset(
    {f"{{{ns.XML}}}space"}
    | {f"{{{ns.XSI}}}{name}" for name in ("type", "nil", "schemaLocation", "noNamespaceSchemaLocation")}
)
"""Attributes that any element may have and that say nothing of a page."""


class Leftovers:
    """Reports what is left over in the elements of one document."""

    def __init__(self, account: Account) -> None:
        self._account = account

    def attributes(
        self, element: Element, where: str, known: Container[str] = (), harmless: Container[str] = ()
    ) -> None:
        """Report the attributes that are not known, each once in a document.

        Those of another vocabulary, and the ``harmless`` ones, are only remarked on.
        """
        for key, value in attributes_of(element):
            if key in known or key in _SILENT:
                continue
            namespace, name = ns.split(key)
            severity: Severity = "info" if namespace or key in harmless else "warning"
            self.attribute(element, where, _written(namespace, name), value, severity)

    def attribute(self, element: Element, where: str, name: str, value: str, severity: Severity) -> None:
        """Report an attribute that is dropped, or a part of its value that is."""
        message = f"the attribute {name} of <{where}> has no place in an entry; it is dropped"
        self._account.find_cause(
            "unexpected-attribute",
            f"{where} {name}",
            message,
            line=element.sourceline,
            value=value,
            severity=severity,
            action="dropped-value",
        )

    def text(self, where: str, text: str | None, line: int | None) -> None:
        """Report text that stands directly in an element of elements, from a line on."""
        if text is None or is_blank(text):
            return
        if line is not None:
            line += text[: len(text) - len(text.lstrip())].count("\n")
        message = f"text stands directly in <{where}>; it is dropped"
        self._account.find("stray-text", message, line=line, value=text.strip(), action="dropped-value")

    def texts(self, element: Element, where: str) -> None:
        """Report all text that stands directly in an element of elements."""
        self.text(where, element.text, element.sourceline)
        for child in element:
            self.text(where, child.tail, end_line(child))

    def markup(self, element: Element, where: str) -> None:
        """Report the elements in one that holds a value: their text is a part of it, they themselves are lost."""
        for inner in element:
            message = f"<{local_name(inner)}> stands in {where}, where a text is expected; only its text is kept"
            self.dropped(inner, message, action="repaired")

    def dropped(self, element: Element, message: str, *, action: Action = "dropped-value") -> None:
        """Report an element that no vocabulary allows there."""
        self._account.find("unexpected-element", message, line=element.sourceline, value=shown(element), action=action)


def _written(namespace: str, name: str) -> str:
    if namespace == ns.XML:
        return f"xml:{name}"
    return f"{name} (in {namespace})" if namespace and namespace != ns.UNBOUND else name


def shown(element: Element) -> str:
    """What a finding shows of an element that is dropped: its text; all of it if more than its text speaks."""
    if element.attrib or any(inner.attrib or _is_empty(inner) for inner in descendants(element)):
        return serialise(element)
    return full_text(element).strip() or local_name(element)


def _is_empty(element: Element) -> bool:
    return not len(element) and is_blank(element.text)


def end_line(element: Element) -> int | None:
    """The line where an element without children ends, comments left out of account."""
    line = element.sourceline
    return line if line is None else line + full_text(element).count("\n")
