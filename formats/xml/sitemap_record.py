"""Reading one url or sitemap element: its core fields, what is odd about them, and what else stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod, is_implausible, read_w3c
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, Entry, Origin, sound
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.record import changefreq_of, date_of, priority_of, usable_loc
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.blocks import EXTENSION_NAMES, Blocks
from urlset.formats.xml.blocks import Reader as BlockReader
from urlset.formats.xml.leftovers import Leftovers, end_line, shown
from urlset.formats.xml.node import Element, Node, doubt_of, full_text, is_blank, local_name, serialise
from urlset.formats.xml.sitemap_names import KINDS, VOCABULARY, Names

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.prolog import Prolog

# Values of changefreq and priority as everybody writes them: no two ways to read them, and no word to say.
_PLAIN: dict[tuple[str, str], str | float] = {
    **{("changefreq", word): word for word in CHANGE_FREQUENCIES},
    **{("priority", f"{tenths / 10}"): tenths / 10 for tenths in range(11)},
}
_IN_ORDER = frozenset(chosen for number in range(4) for chosen in combinations(orders.URL[1:], number))
_INVALID = {"lastmod": "invalid-date", "changefreq": "invalid-changefreq", "priority": "invalid-priority"}


class Record(NamedTuple):
    """The core children by name, the foreign ones, the repeats, and what the foreign ones gave once they were read."""

    core: dict[str, Element]
    foreign: Sequence[Element]
    locs: Sequence[Element]
    blocks: list[Blocks]

    def of(self, loc: Element) -> Record:
        """The same record of another address."""
        return self._replace(core={**self.core, "loc": loc})


class RecordReader:
    """Reads the records of one document."""

    def __init__(
        self, account: Account, options: ReadOptions, root: str, names: Names, prolog: Prolog | None = None
    ) -> None:
        self._account = account
        self._options = options
        self._root = root
        self._kind = KINDS[root]
        self._names = names
        self._blocks = BlockReader(account, options, prolog)
        self._leftovers = Leftovers(account)
        self._plain = _PLAIN if self._kind == "url" else {}
        self._record_tag = ""  # that of the records, once one was looked at closely

    def plain(self, element: Element) -> Entry | None:
        """The entry of a record that there is nothing to say of, as of nearly all; None, and nothing said, for another.

        One pass over the children is twice as fast as :meth:`entries`, which must give the same.
        """
        if element.tag != self._record_tag or isinstance(element, Node) or element.keys() or _is_full(element.text):
            return None
        known, remark, plain = self._names.known, self._options.remark, self._plain
        values: dict[str, object] = {}
        lines: dict[str, int | None] = {}
        address = line = None
        for child in element:
            name, text, tail = known.get(child.tag), child.text, child.tail
            if name is None or text is None or len(child) or child.keys() or not (tail is None or tail.isspace()):
                return None
            if name == "loc":
                if address is not None:
                    return None
                address, line = text.strip(), child.sourceline
                if remark and (values or address != text):
                    return None
            else:
                value = self._plain_date(text) if name == "lastmod" else plain.get((name, text))
                if value is None or name in values:
                    return None
                values[name] = value
                if remark:
                    lines[name] = child.sourceline
        if not address or urls.inspect(address) or (remark and tuple(values) not in _IN_ORDER):
            return None
        return sound(address, Origin(self._account.name, line, lines), values)

    def _plain_date(self, text: str) -> LastMod | None:
        value, problem = read_w3c(text, self._options.zone)
        return value if problem is None and value is not None and not is_implausible(value) else None

    def entries(self, element: Element) -> Iterator[Entry]:
        """The entry of a record; one with several addresses gives one for each."""
        self._names.look_at_root(element)
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

    def _children(self, element: Element) -> Record:
        core: dict[str, Element] = {}
        foreign: list[Element] = []
        locs: list[Element] = []
        where = local_name(element)
        self._leftovers.text(where, element.text, element.sourceline)
        if element.keys():
            self._leftovers.attributes(element, where)
        names: list[str] = []
        for child in element:
            name = self._names.known.get(child.tag) or self._names.core_name(child)
            if name is not None or not ns.is_core(ns.split(child.tag).namespace):
                names.append(name or "")
            if child.tail is not None:
                self._leftovers.text(where, child.tail, end_line(child))
            if name is None:
                self._foreign(child, foreign)
            elif name not in core:
                core[name] = child
            else:
                self._repeated(child, name, locs)
            if name is not None:
                self._look_inside(child, name, core, locs)
        if self._options.remark and not ns.is_084(self._names.namespace):
            self._remark_on_order(element, names)
        return Record(core, foreign, locs, [])

    def _remark_on_order(self, element: Element, names: Sequence[str]) -> None:
        """Foreign elements have no name here, and come last."""
        first_foreign = names.index("") if "" in names else len(names)
        if orders.is_sorted([name for name in names if name], orders.URL) and not any(names[first_foreign:]):
            return
        order = ", ".join(orders.URL if self._kind == "url" else orders.URL[:2])
        message = f"the children of <{self._kind}> are not in the order of the schema: {order}, then others"
        self._account.find_cause("element-order", self._kind, message, line=element.sourceline)

    def _foreign(self, child: Element, foreign: list[Element]) -> None:
        namespace, local = ns.split(child.tag)
        if local.lower() in VOCABULARY.records:
            return  # read on its own
        if ns.is_core(namespace) and namespace != ns.UNBOUND and local in EXTENSION_NAMES:
            message = f"<{local}> stands in the sitemap namespace, its prefix forgotten; it is dropped"
            line = child.sourceline
            self._account.find("missing-prefix", message, line=line, value=shown(child), action="dropped-value")
            return
        if ns.is_core(namespace) and namespace != ns.UNBOUND:
            self._leftovers.dropped(child, f"<{local}> is no element of the sitemap namespace; it is dropped")
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

    def _look_inside(self, child: Element, name: str, core: dict[str, Element], locs: list[Element]) -> None:
        """What a field holds beside its text."""
        if child.keys():
            self._leftovers.attributes(child, name)
        if len(child):
            self._unnest(child, name, core, locs)

    def _unnest(self, child: Element, where: str, core: dict[str, Element], locs: list[Element]) -> None:
        """A field that was never closed holds its siblings: ``<loc>address<lastmod>…``."""
        for inner in child:
            if where != "loc":  # an address that is broken up is rejected
                self._leftovers.text(where, inner.tail, end_line(inner))
            name = self._names.core_name(inner)
            if name is None:
                self._stranger(inner, child, core)
                continue
            if name not in core:
                message = f"<{name}> stands inside <{local_name(child)}>"
                self._account.find("misplaced-element", message, line=inner.sourceline, value=name, action="repaired")
                core[name] = inner
            elif not is_blank(inner.text):
                self._repeated(inner, name, locs)
            self._look_inside(inner, name, core, locs)

    def _stranger(self, inner: Element, child: Element, core: dict[str, Element]) -> None:
        """An element that is no field and stands inside of one; inside the address it is why that is rejected."""
        if child is not core.get("loc") and local_name(inner).lower() not in VOCABULARY.records:
            self._leftovers.dropped(inner, f"<{local_name(inner)}> stands inside <{local_name(child)}>; it is dropped")

    def _entry(self, element: Element, record: Record, loc: Element) -> Entry | None:
        account, options, core = self._account, self._options, record.core
        text = loc.text or ""
        if (len(loc) or doubt_of(loc)) and (why := self._unclear(loc)):
            self._reject(element, record, "missing-loc", why)
            return None
        line = loc.sourceline
        address: str | None = text.strip()
        if options.remark and address and urls.trim(text) != text:
            what = "white space" if urls.trim(text) == address else "an invisible character"
            message = f"{what} stands round the address in loc; readers may take it for a part of it"
            account.find_cause("invalid-url-character", "blanks", message, line=line, value=text)
        if not address:
            self._reject(element, record, "missing-loc", f"<{self._kind}> has an empty loc")
            return None
        if urls.inspect(address):
            address = usable_loc(account, options, text, line, fields=Raw(record, self._blocks), raw=serialise(element))
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
        lines = {name: child.sourceline for name, child in core.items()}
        return sound(address, Origin(account.name, line, lines), values)

    def _unclear(self, loc: Element) -> str | None:
        """Why the address can't be known, if what stands inside it makes it so."""
        if doubt := doubt_of(loc):
            return f"the address can't be known: {doubt}"
        stranger = next((child for child in loc if self._names.core_name(child) is None), None)
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
            self._remark_on_blanks(child, text)
            return changefreq_of(self._account, text, child.sourceline)
        return priority_of(self._account, text, child.sourceline)

    def _remark_on_blanks(self, child: Element, text: str) -> None:
        """Readers let blanks round a word of changefreq pass; the schema does not."""
        word = urls.trim(text)
        if self._options.remark and word != text and word in CHANGE_FREQUENCIES:
            message = f"white space stands round {word} in changefreq; the schema has the bare word"
            self._account.find_cause("invalid-changefreq", "blanks", message, line=child.sourceline, value=text)

    def _reject(self, element: Element, record: Record, rule: str, message: str) -> None:
        self._account.reject(
            rule,
            message,
            line=element.sourceline,
            field="loc" if "loc" in record.core else "record",
            value=full_text(record.core.get("loc", element)).strip(),
            raw=serialise(element),
            fields=Raw(record, self._blocks),
        )


def _is_full(text: str | None) -> bool:
    """Whether a text may say something; a quicker look than that of :func:`is_blank`."""
    return text is not None and not text.isspace()


class Raw(Mapping[str, Any]):
    """The raw texts of a record's core fields, and its blocks, made when a reject asks for them."""

    def __init__(self, record: Record, blocks: BlockReader) -> None:
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
