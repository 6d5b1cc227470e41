"""Elements as both lanes give them: lxml's, and Node, which offers what readers use of lxml's.

The strict lane hands out lxml elements as they are, so that nothing is copied on the way. The repair lane builds Nodes:
unlike lxml's they may hold characters that XML forbids, and a doubt about their text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

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
        """The physical line on which the start tag ends (libxml2 keeps no other)."""
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

    def keys(self) -> Sequence[str]:
        """The names of the attributes; to ask lxml whether there are any, the fastest way."""
        ...

    def getparent(self) -> Element | None:
        """The element that holds this one."""
        ...

    def getnext(self) -> Element | None:
        """The element that follows this one in the same parent."""
        ...

    def clear(self) -> None:
        """Take out everything inside."""
        ...

    def index(self, element: Element, /) -> int:
        """The place of a child."""
        ...

    def remove(self, element: Element, /) -> None:
        """Take a child out."""
        ...


class Node:
    """An element of the repair lane.

    ``doubt`` says why the text is not to be trusted (a reference to an entity that is never expanded), else None.
    ``last`` is the last child that began, also when it was taken out since.
    """

    __slots__ = (
        "attrib",
        "children",
        "doubt",
        "last",
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
        self.last: Node | None = None
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

    def keys(self) -> Sequence[str]:
        """The names of the attributes."""
        return [*self.attrib]

    def getparent(self) -> Node | None:
        """The element that holds this one."""
        return self.parent

    def getnext(self) -> Node | None:
        """The element that follows this one in the same parent."""
        beside = self.parent.children if self.parent is not None else [self]
        place = beside.index(self) + 1 if self in beside else len(beside)
        return beside[place] if place < len(beside) else None

    def clear(self) -> None:
        """Take out everything inside."""
        self.children.clear()
        self.text = self.tail = self.last = None
        self.attrib.clear()

    def index(self, element: Element) -> int:
        """The place of a child."""
        return self.children.index(cast(Node, element))

    def remove(self, element: Element) -> None:
        """Take a child out."""
        self.children.remove(cast(Node, element))

    def append_child(self, child: Node) -> None:
        """Add an element where the parser stands."""
        self.children.append(child)
        self.last = child

    def append_text(self, text: str) -> None:
        """Add text where the parser stands: after the last child, or before the first."""
        if self.last is not None:
            self.last.tail = (self.last.tail or "") + text
        else:
            self.text = (self.text or "") + text


def doubt_of(element: Element) -> str | None:
    """Why the element's text is not to be trusted, or None."""
    return element.doubt if isinstance(element, Node) else None


def root_of(element: Element) -> Element:
    """The outermost element that holds this one."""
    while (parent := element.getparent()) is not None:
        element = parent
    return element


def local_name(element: Element) -> str:
    """The name without its namespace."""
    tag = element.tag
    return tag[tag.rfind("}") + 1 :]


def is_blank(text: str | None) -> bool:
    """Whether a text says nothing: white space, and the marks that files glued together leave behind."""
    return text is None or text.isspace() or not text.replace("\ufeff", "").strip()


def full_text(element: Element) -> str:
    """All text inside the element, that of its descendants included."""
    if not len(element):
        return element.text or ""
    parts = [element.text or ""]
    for kind, inner in walk(element):
        parts.append((inner.text if kind == "start" else inner.tail) or "")
    return "".join(parts)


def descendants(element: Element) -> Iterator[Element]:
    """All elements inside this one, in document order."""
    return (inner for kind, inner in walk(element) if kind == "start")


def walk(element: Element) -> Iterator[tuple[str, Element]]:
    """The starts and the ends of all elements inside this one, in document order, however deep they stand."""
    waiting = [iter(element)]
    open_: list[Element] = []
    while waiting:
        child = next(waiting[-1], None)
        if child is not None:
            yield "start", child
            open_.append(child)
            waiting.append(iter(child))
        else:
            waiting.pop()
            if open_:
                yield "end", open_.pop()


def outwards(element: Element) -> Iterator[Element]:
    """The elements that hold this one, from the inside out."""
    outer = element.getparent()
    while outer is not None:
        yield outer
        outer = outer.getparent()


_MANY = 64


def attributes_of(element: Element) -> Iterable[tuple[str, str]]:
    """The attributes by name, and their values, in time that grows with their number."""
    names = element.keys()
    if isinstance(element, Node) or len(names) < _MANY:
        return element.attrib.items()
    # lxml itself looks for each value from the first attribute on.
    return zip(names, cast("Any", element).xpath("@*", smart_strings=False), strict=True)


def escape_text(text: str) -> str:
    """Escape the five characters that the protocol names, in text and in attribute values."""
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&apos;")
        .replace("\r", "&#13;")  # else read back as a line feed (XML 1.0 2.11)
    )


def escape_attribute(text: str) -> str:
    """Escape a value for an attribute, where a parser would fold raw white space to blanks (XML 1.0 3.3.3)."""
    return escape_text(text).replace("\t", "&#9;").replace("\n", "&#10;")


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
        # Of several prefixes for one namespace the first by name: the lanes have them in different orders.
        spaces = {prefix: namespace for prefix, namespace in element.nsmap.items() if prefix}
        self.known = {spaces[prefix]: prefix for prefix in sorted(spaces, reverse=True)}
        self.used: dict[str, str] = {}
        self._taken = {*self.known.values()}
        self._number = 0  # of the last prefix that was made up

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
        while True:
            self._number += 1
            if (name := f"ns{self._number}") not in self._taken:
                return name


def _markup(element: Element, names: _Prefixes) -> str:
    parts = [_start_tag(element, names)]
    for kind, inner in walk(element):
        parts.append(_start_tag(inner, names) if kind == "start" else _end_tag(inner, names) + _escaped(inner.tail))
    return "".join((*parts, _end_tag(element, names)))


def _start_tag(element: Element, names: _Prefixes) -> str:
    """The start tag with the text that follows it, or the whole tag of an empty element."""
    name = names.name(element.tag)
    attributes = "".join(
        f' {names.name(key)}="{escape_attribute(legal_text(value))}"' for key, value in attributes_of(element)
    )
    return f"<{name}{attributes}{'>' if _is_full(element) else '/>'}{_escaped(element.text)}"


def _end_tag(element: Element, names: _Prefixes) -> str:
    return f"</{names.name(element.tag)}>" if _is_full(element) else ""


def _is_full(element: Element) -> bool:
    return len(element) > 0 or bool(_escaped(element.text))


def _escaped(text: str | None) -> str:
    return escape_text(legal_text(text)) if text else ""
