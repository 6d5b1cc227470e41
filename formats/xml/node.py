"""Elements as both lanes give them: lxml's, and Node, which offers what readers use of lxml's.

The strict lane hands out lxml elements as they are, so that nothing is copied on the way. The repair lane builds Nodes:
unlike lxml's they may hold characters that XML forbids, and a doubt about their text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, cast

from urlset.formats.xml.namespaces import UNBOUND, XML, split


class Element(Protocol):
    """What readers use of an element; names are in Clark notation, ``{namespace}local``."""

    @property
    def tag(self) -> str:
        """The name."""
        ...

    @property
    def text(self) -> str | None:
        """The text before the first child element."""
        ...

    @property
    def tail(self) -> str | None:
        """The text between this element's end and the next tag."""
        ...

    @property
    def attrib(self) -> Mapping[str, str]:
        """The attributes by name in Clark notation."""
        ...

    @property
    def sourceline(self) -> int | None:
        """The physical line of the start tag."""
        ...

    @property
    def nsmap(self) -> Mapping[str | None, str]:
        """The namespaces in scope by prefix."""
        ...

    def __iter__(self) -> Iterator[Element]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> Element: ...

    def get(self, key: str, /) -> str | None:
        """The value of an attribute."""
        ...

    def getparent(self) -> Element | None:
        """The element that holds this one."""
        ...

    def remove(self, element: Element, /) -> None:
        """Take a child out."""
        ...


class Node:
    """An element of the repair lane.

    ``doubt`` says why the text is not to be trusted (a reference to an entity that is never expanded), else None.
    """

    __slots__ = (
        "attrib",
        "children",
        "doubt",
        "name",
        "nsmap",
        "parent",
        "sourceline",
        "tag",
        "tail",
        "text",
    )

    def __init__(
        self,
        tag: str,
        name: str,
        attrib: dict[str, str],
        sourceline: int,
        parent: Node | None,
        nsmap: Mapping[str | None, str],
    ) -> None:
        self.tag = tag
        self.name = name
        self.attrib = attrib
        self.sourceline = sourceline
        self.parent = parent
        self.nsmap = nsmap
        self.text: str | None = None
        self.tail: str | None = None
        self.children: list[Node] = []
        self.doubt: str | None = None

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def __len__(self) -> int:
        return len(self.children)

    def __getitem__(self, place: int) -> Node:
        return self.children[place]

    def get(self, key: str) -> str | None:
        """The value of an attribute."""
        return self.attrib.get(key)

    def getparent(self) -> Node | None:
        """The element that holds this one."""
        return self.parent

    def remove(self, element: Element) -> None:
        """Take a child out."""
        self.children.remove(cast(Node, element))

    def append_text(self, text: str) -> None:
        """Add text where the parser stands: after the last child, or before the first."""
        if self.children:
            last = self.children[-1]
            last.tail = (last.tail or "") + text
        else:
            self.text = (self.text or "") + text


def doubt_of(element: Element) -> str | None:
    """Why the element's text is not to be trusted, or None."""
    return element.doubt if isinstance(element, Node) else None


def local_name(element: Element) -> str:
    """The name without its namespace."""
    tag = element.tag
    return tag[tag.rfind("}") + 1 :]


def full_text(element: Element) -> str:
    """All text inside the element, that of its descendants included."""
    parts = [element.text or ""]
    for child in element:
        parts += (full_text(child), child.tail or "")
    return "".join(parts)


def descendants(element: Element) -> Iterator[Element]:
    """All elements inside this one, in document order."""
    for child in element:
        yield child
        yield from descendants(child)


def escape_text(text: str) -> str:
    """Escape the five characters that the protocol names, in text and in attribute values."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&apos;")
    )


_ILLEGAL = {code: None for code in (*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}


def legal_text(text: str) -> str:
    """The text without the characters that XML 1.0 can't hold in any spelling (2.2)."""
    return text.translate(_ILLEGAL)


def serialise(element: Element) -> str:
    """The element as a piece of XML that declares the namespaces it uses; both lanes give the same text."""
    names = _Prefixes(element)
    body = _markup(element, names)
    declared = "".join(
        f' xmlns{":" + prefix if prefix else ""}="{escape_text(namespace)}"'
        for namespace, prefix in names.used.items()
        if namespace != XML
    )
    start = len(names.name(element.tag)) + 1
    return body[:start] + declared + body[start:]


class _Prefixes:
    """The prefixes of a piece of XML: those of the source where it has one, in the order of their use."""

    def __init__(self, element: Element) -> None:
        self.known = {namespace: prefix for prefix, namespace in element.nsmap.items() if prefix}
        self.used: dict[str, str] = {}

    def name(self, tag: str) -> str:
        namespace, local = split(tag)
        if not namespace or namespace == UNBOUND:
            return local
        prefix = self.used.get(namespace)
        if prefix is None:
            prefix = "xml" if namespace == XML else self.known.get(namespace) or self._fresh()
            self.used[namespace] = prefix
        return f"{prefix}:{local}"

    def _fresh(self) -> str:
        taken = {*self.known.values(), *self.used.values()}
        return next(name for number in range(1, len(taken) + 2) if (name := f"ns{number}") not in taken)


def _markup(element: Element, names: _Prefixes) -> str:
    name = names.name(element.tag)
    attributes = "".join(
        f' {names.name(key)}="{escape_text(legal_text(value))}"' for key, value in element.attrib.items()
    )
    inner = escape_text(legal_text(element.text or "")) + "".join(
        _markup(child, names) + escape_text(legal_text(child.tail or "")) for child in element
    )
    return f"<{name}{attributes}>{inner}</{name}>" if inner else f"<{name}{attributes}/>"
