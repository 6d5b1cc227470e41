"""Reading urlset and sitemapindex documents of every namespace: 0.9, 0.84, near misses and none.

Only the sitemap vocabulary decides what a core element is, never a bare local name: ``image:loc`` is no ``loc``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import is_implausible, read_w3c
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, Entry, Origin, sound
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.record import changefreq_of, date_of, priority_of, usable_loc
from urlset.formats.xml import lanes
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.blocks import Blocks
from urlset.formats.xml.blocks import Reader as BlockReader
from urlset.formats.xml.items import Vocabulary
from urlset.formats.xml.node import Element, Node, doubt_of, full_text, local_name, root_of, serialise

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.source import Source

CORE = frozenset({"loc", "lastmod", "changefreq", "priority"})
VOCABULARY = Vocabulary(
    roots=frozenset({"urlset", "sitemapindex"}),
    records=frozenset({"url", "sitemap"}),
    fields=CORE | {"image", "video", "news", "link"},
    utf8_only=True,
)
# Values of changefreq and priority as everybody writes them: no two ways to read them, and no word to say.
_PLAIN: dict[tuple[str, str], str | float] = {
    **{("changefreq", word): word for word in CHANGE_FREQUENCIES},
    **{("priority", f"{tenths / 10}"): tenths / 10 for tenths in range(11)},
}
_INVALID = {"lastmod": "invalid-date", "changefreq": "invalid-changefreq", "priority": "invalid-priority"}
_KINDS = {"urlset": "url", "sitemapindex": "sitemap"}


def looks_like(head: Head, root: str, *, legacy: bool | None) -> bool:
    """Whether the head is a document of that root; ``legacy`` asks for the 0.84 namespace, or for any other.

    A piece of a document, whose root was lost, counts when it begins with a record or a field of one.
    """
    prolog = head.prolog
    if prolog is None or prolog.html:
        return False
    found = prolog.root.lower()
    fits = found == root or found == _KINDS[root] or (root == "urlset" and found in CORE)
    return fits and (legacy is None or ns.is_084(prolog.namespace) == legacy)


def read(source: Source, account: Account, options: ReadOptions, root: str) -> Iterator[Entry]:
    """The entries of a ``urlset`` or the children of a ``sitemapindex``."""
    document = _Document(account, options, _KINDS[root], root)
    for part in lanes.read(source, account, VOCABULARY, options.encoding):
        if part.record and (entry := document.plain(part.element)) is not None:
            yield entry
        elif part.record:
            yield from document.entries(part.element)
        else:
            document.stray(part.element)
    document.end()


class _Record(NamedTuple):
    """The core children by name, the foreign ones, the repeats, and what the foreign ones gave once they were read."""

    core: dict[str, Element]
    foreign: Sequence[Element]
    locs: Sequence[Element]
    blocks: list[Blocks]

    def of(self, loc: Element) -> _Record:
        """The same record of another address."""
        return self._replace(core={**self.core, "loc": loc})


class _Document:
    def __init__(self, account: Account, options: ReadOptions, kind: str, root: str) -> None:
        self._account = account
        self._options = options
        self._kind = kind
        self._root = root
        self._blocks = BlockReader(account, options)
        self._core: dict[str, str] = {}  # Clark name → core name, for names that were met
        self._seen_root = False
        self._plain = _PLAIN if kind == "url" else {}
        self._record_tag = ""  # that of the records, once one was looked at closely
        self._namespace = ns.SITEMAP  # the root's; it is reported for the root and not again

    # --- the document

    def _look_at_root(self, element: Element) -> None:
        """Report once what is wrong with the root's namespace."""
        self._seen_root = True
        top = root_of(element)
        self._namespace = ns.split(top.tag).namespace
        self._check_namespace(top)

    def _check_namespace(self, element: Element) -> None:
        namespace = ns.split(element.tag).namespace
        line = element.sourceline
        if namespace == ns.SITEMAP:
            return
        if ns.is_legacy(namespace):
            message = f"the namespace {namespace} is superseded by {ns.SITEMAP}"
            self._account.find_cause("namespace-legacy", namespace, message, line=line, value=namespace)
        elif not namespace:
            message = f"<{local_name(element)}> is in no namespace; expected {ns.SITEMAP}"
            self._account.find_cause("namespace-missing", "", message, line=line)
        else:
            message = f"the namespace should be {ns.SITEMAP}, found {namespace}"
            self._account.find_cause("namespace-incorrect", namespace, message, line=line, value=namespace)

    def stray(self, element: Element) -> None:
        """An element beside the records."""
        if not self._seen_root:
            self._look_at_root(element)
        name = local_name(element).lower()
        if name in _KINDS:
            self._misplaced(element, f"<{name}> stands inside another element")
        elif self._core_name(element) is not None:
            text = full_text(element).strip()
            message = f"<{name}> stands outside a <{self._kind}>"
            self._account.find(
                "misplaced-element", message, line=element.sourceline, value=text, action="dropped-value"
            )
        else:
            message = f"<{local_name(element)}> is no element of a {self._root}"
            self._account.find("unexpected-element", message, line=element.sourceline, value=local_name(element))

    def _misplaced(self, element: Element, message: str) -> None:
        self._account.find_cause(
            "misplaced-element",
            local_name(element),
            message,
            line=element.sourceline,
            value=local_name(element),
        )

    def end(self) -> None:
        """Everything was read."""
        if not self._account.read:
            self._account.find("empty-sitemap", f"the {self._root} has no <{self._kind}>", line=1)

    # --- one record

    def plain(self, element: Element) -> Entry | None:
        """The entry of a record that there is nothing to say of, as of nearly all; None, and nothing said, for another.

        One pass over the children is twice as fast as :meth:`entries`, which must give the same.
        """
        if element.tag != self._record_tag or isinstance(element, Node):
            return None
        known, values = self._core, {}
        address = line = None
        for child in element:
            name, text = known.get(child.tag), child.text
            if name is None or text is None or len(child):
                return None
            if name == "loc":
                if address is not None:
                    return None
                address, line = text.strip(), child.sourceline
            elif name in values or (value := self._plain_value(name, text)) is None:
                return None
            else:
                values[name] = value
        if not address or urls.inspect(address):
            return None
        return sound(address, Origin(self._account.name, line), values)

    def _plain_value(self, name: str, text: str) -> object | None:
        if name != "lastmod":
            return self._plain.get((name, text))
        value, problem = read_w3c(text, self._options.zone)
        return value if problem is None and value is not None and not is_implausible(value) else None

    def entries(self, element: Element) -> Iterator[Entry]:
        """The entry of a record; one with several addresses gives one for each."""
        if not self._seen_root:
            self._look_at_root(element)
        name = local_name(element)
        if name != self._kind and not self._right_kind(element, name):
            return
        self._record_tag = element.tag
        record = self._children(element)
        loc = record.core.get("loc")
        if loc is None:
            self._reject(element, record, "missing-loc", f"<{name}> has no loc")
            return
        entry = self._entry(element, record, loc)
        if entry is not None:
            yield entry
        for another in record.locs:
            self._account.count()
            # What is wrong with one of many addresses is shown without the others.
            if (entry := self._entry(another, record.of(another), another)) is not None:
                yield entry

    def _right_kind(self, element: Element, name: str) -> bool:
        if name.lower() != self._kind:
            message = f"<{name}> stands in a {self._root}, which holds <{self._kind}>"
            self._reject(element, self._children(element), "unexpected-element", message)
            return False
        message = f"<{name}> is read as <{name.lower()}>; XML names tell upper from lower case"
        self._account.find_cause(
            "unexpected-element", name, message, line=element.sourceline, value=name, action="repaired"
        )
        return True

    def _children(self, element: Element) -> _Record:
        core: dict[str, Element] = {}
        foreign: list[Element] = []
        locs: list[Element] = []
        for child in element:
            name = self._core.get(child.tag) or self._core_name(child)
            if name is None:
                self._foreign(child, foreign)
            elif name not in core:
                core[name] = child
            else:
                self._repeated(child, name, locs)
            if name is not None and len(child):
                self._unnest(child, core)
        return _Record(core, foreign, locs, [])

    def _core_name(self, element: Element) -> str | None:
        """The core name of an element in any spelling of the sitemap namespace; what is odd is reported once."""
        namespace, local = ns.split(element.tag)
        name = local.lower()
        if name not in CORE or not (ns.is_core(namespace) or self._in_namespace_of_parent(element)):
            return None
        if namespace != self._namespace:
            self._check_namespace(element)
        if name != local:
            message = f"<{local}> is read as <{name}>; XML names tell upper from lower case"
            self._account.find_cause(
                "unexpected-element", local, message, line=element.sourceline, value=local, action="repaired"
            )
        self._core[element.tag] = name
        return name

    @staticmethod
    def _in_namespace_of_parent(element: Element) -> bool:
        """An invented namespace on the root is accepted with what stands in it."""
        parent = element.getparent()
        namespace = ns.split(element.tag).namespace
        return parent is not None and ns.split(parent.tag).namespace == namespace and namespace != ns.UNBOUND

    def _foreign(self, child: Element, foreign: list[Element]) -> None:
        namespace, local = ns.split(child.tag)
        if local.lower() in VOCABULARY.records:
            return  # read on its own
        if ns.is_core(namespace) and namespace != ns.UNBOUND:
            message = f"<{local}> is no element of the sitemap namespace; it is dropped"
            self._account.find(
                "unexpected-element",
                message,
                line=child.sourceline,
                value=full_text(child).strip() or local,
                action="dropped-value",
            )
            return
        foreign.append(child)

    def _repeated(self, child: Element, name: str, locs: list[Element]) -> None:
        if name == "loc":
            message = "loc occurs again in one record; each address is read as a record of its own"
            locs.append(child)
        else:
            message = f"{name} occurs again in one record; the first is kept"
        self._account.find(
            "repeated-element",
            message,
            line=child.sourceline,
            value=full_text(child).strip(),
            action="kept" if name == "loc" else "dropped-value",
        )

    def _unnest(self, child: Element, core: dict[str, Element]) -> None:
        """A field that was never closed holds its siblings: ``<loc>address<lastmod>…``."""
        for inner in child:
            name = self._core_name(inner)
            if name is not None and name not in core:
                message = f"<{name}> stands inside <{local_name(child)}>"
                self._account.find("misplaced-element", message, line=inner.sourceline, value=name, action="repaired")
                core[name] = inner
                if len(inner):
                    self._unnest(inner, core)

    def _entry(self, element: Element, record: _Record, loc: Element) -> Entry | None:
        account, options, core = self._account, self._options, record.core
        text = loc.text or ""
        if (len(loc) or doubt_of(loc)) and (why := self._unclear(loc)):
            self._reject(element, record, "missing-loc", why)
            return None
        line = loc.sourceline
        address: str | None = text.strip()
        if not address:
            self._reject(element, record, "missing-loc", f"<{self._kind}> has an empty loc")
            return None
        if urls.inspect(address):
            address = usable_loc(
                account, options, text, line, fields=_Raw(record, self._blocks), raw=serialise(element)
            )
            if address is None:
                return None
        values: dict[str, Any] = {}
        for name, child in core.items():
            if name != "loc" and (value := self._value(child, name)) is not None:
                values[name] = value
        if record.foreign:
            if not record.blocks:
                record.blocks.append(self._blocks.read(record.foreign))
            values.update(record.blocks[0].fields())
        return sound(address, Origin(account.name, line), values)

    def _unclear(self, loc: Element) -> str | None:
        """Why the address can't be known, if what stands inside it makes it so."""
        if doubt := doubt_of(loc):
            return f"the address can't be known: {doubt}"
        stranger = next((child for child in loc if self._core_name(child) is None), None)
        if stranger is not None:
            return f"the address can't be known: <{local_name(stranger)}> stands inside loc"
        if any((child.tail or "").strip() for child in loc):
            return "the address can't be known: it is broken up by other elements"
        return None

    def _value(self, child: Element, name: str) -> object:
        text = child.text or ""
        if why := doubt_of(child):
            message = f"{name} can't be known: {why}"
            self._account.find(
                _INVALID[name], message, line=child.sourceline, value=text, action="dropped-value", field=name
            )
            return None
        if self._kind == "sitemap" and name != "lastmod":
            message = f"a sitemapindex has no {name}"
            self._account.find("unexpected-element", message, line=child.sourceline, value=text, action="dropped-value")
            return None
        if name == "lastmod":
            return date_of(self._account, self._options, text, child.sourceline)
        if name == "changefreq":
            return changefreq_of(self._account, text, child.sourceline)
        return priority_of(self._account, text, child.sourceline)

    def _reject(self, element: Element, record: _Record, rule: str, message: str) -> None:
        self._account.reject(
            rule,
            message,
            line=element.sourceline,
            field="loc" if "loc" in record.core else "record",
            value=full_text(record.core.get("loc", element)).strip(),
            raw=serialise(element),
            fields=_Raw(record, self._blocks),
        )


class _Raw(Mapping[str, Any]):
    """The raw texts of a record's core fields, and its blocks, made when a reject asks for them."""

    def __init__(self, record: _Record, blocks: BlockReader) -> None:
        self._record = record
        self._reader = blocks

    @cached_property
    def _values(self) -> dict[str, Any]:
        texts: dict[str, Any] = {name: full_text(child).strip() for name, child in self._record.core.items()}
        if self._record.foreign and not self._record.blocks:
            self._record.blocks.append(self._reader.read(self._record.foreign))
        for blocks in self._record.blocks:
            texts.update(blocks.as_json())
        return texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]
