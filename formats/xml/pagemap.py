"""The PageMap of a sitemap's url, read (Google's PageMap 1.0 schema).

A value may stand as text or as an attribute, and is the same. A PageMap that holds what the vocabulary does not know is
left to be carried as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import DataObject, PageMap, PageMapAttribute
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, descendants, full_text, is_blank, local_name

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account

_CHILDREN = {"PageMap": ("Template", "DataObject"), "DataObject": ("Attribute",), "Template": (), "Attribute": ()}
_ATTRIBUTES = {"PageMap": (), "DataObject": ("type", "id"), "Template": ("src",), "Attribute": ("name", "value")}


def read(element: Element, account: Account) -> PageMap | None:
    """The PageMap of an element; None if it holds what no PageMap has, which is reported."""
    if stranger := _stranger(element):
        message = f"a PageMap holds {stranger}, which the vocabulary does not know; it is kept as it is"
        account.find("pagemap-invalid", message, line=element.sourceline, value=stranger)
        return None
    template: str | None = None
    objects = []
    for child in element:
        if local_name(child) == "Template":
            template = _trimmed(child.get("src"))
            if template is None:
                account.find("pagemap-invalid", "a Template has no src", line=child.sourceline)
        else:
            objects.append(_object(child, account))
    return PageMap(template_src=template, data_objects=tuple(objects), line=element.sourceline)


def _stranger(element: Element) -> str | None:
    """The first thing inside that the typed form has no place for, in words."""
    for one in (element, *descendants(element)):
        name = local_name(one)
        unknown = next((key for key in one.attrib if key not in _ATTRIBUTES[name]), None)
        if unknown is not None:
            return f"the attribute {ns.split(unknown).local} of <{name}>"
        if name != "Attribute" and not is_blank(one.text):
            return f"text in <{name}>"
        for child in one:
            inner = local_name(child)
            if inner not in _CHILDREN[name] or ns.canonical(ns.split(child.tag).namespace) != ns.PAGEMAP:
                return f"<{inner}> in <{name}>"
            if not is_blank(child.tail):
                return f"text in <{name}>"
    templates = sum(local_name(child) == "Template" for child in element)
    return "more than one Template" if templates > 1 else None


def _object(element: Element, account: Account) -> DataObject:
    kind = _trimmed(element.get("type"))
    if kind is None:
        account.find("pagemap-invalid", "a DataObject has no type", line=element.sourceline, value=element.get("id"))
    attributes = tuple(_attribute(child, account) for child in element)
    return DataObject(type=kind, id=_trimmed(element.get("id")), attributes=attributes)


def _attribute(element: Element, account: Account) -> PageMapAttribute:
    line = element.sourceline
    name, value, text = _trimmed(element.get("name")), _trimmed(element.get("value")), _trimmed(full_text(element))
    if name is None:
        account.find("pagemap-invalid", "an Attribute has no name", line=line, value=value or text)
    if value is not None and text is not None:
        message = f"the Attribute {(name or '')[:60]!r} has its value both as an attribute and as text"
        if value == text:
            account.find("pagemap-invalid", message, line=line, value=text)
        else:
            message = f"{message}; the text is dropped"
            account.find("pagemap-invalid", message, line=line, value=text, action="dropped-value")
    elif value is None and text is None and element.get("value") is None:
        message = f"the Attribute {(name or '')[:60]!r} has its value neither as an attribute nor as text"
        account.find("pagemap-invalid", message, line=line, value=name)
    return PageMapAttribute(name=name, value=value if value is not None else text)


def _trimmed(text: str | None) -> str | None:
    return urls.trim(text or "") or None
