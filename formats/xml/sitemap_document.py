"""Reading urlset and sitemapindex documents of every namespace: 0.9, 0.84, near misses and none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from urlset.formats.vocabulary.batches import Batches, gathered, one_by_one
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.xml import lanes
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.leftovers import shown
from urlset.formats.xml.node import Element, local_name
from urlset.formats.xml.sitemap_fast import FastLane
from urlset.formats.xml.sitemap_names import CORE, KINDS, VOCABULARY, Names
from urlset.formats.xml.sitemap_record import RecordReader

if TYPE_CHECKING:
    from urlset.formats.vocabulary.findings import Action
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.source import Source


def looks_like(head: Head, root: str, *, legacy: bool | None) -> bool:
    """Whether the head is a document of that root; ``legacy`` asks for the 0.84 namespace, or for any other.

    A piece of a document, whose root was lost, counts when it begins with a record or a field of one.
    """
    prolog = head.prolog
    if prolog is None or prolog.html:
        return False
    found = prolog.root.lower()
    fits = found == root or found == KINDS[root] or (root == "urlset" and found in CORE)
    return fits and (legacy is None or ns.is_084(prolog.namespace) == legacy)


def read(source: Source, account: Account, options: ReadOptions, root: str) -> Iterator[Entry]:
    """The entries of a ``urlset`` or the children of a ``sitemapindex``."""
    return one_by_one(batches(source, account, options, root), account)


def batches(source: Source, account: Account, options: ReadOptions, root: str) -> Batches:
    """The same in batches, each to be used up before the next one is asked for."""
    prolog = Head.of(source).prolog
    names = Names(account, prolog)
    records = RecordReader(account, options, root, names, prolog)
    document = lanes.Document(source, account, VOCABULARY, options.encoding)
    fast = FastLane(document, account, options, root, records)
    yield from fast.batches()
    if not fast.finished:
        parts = document.parts(fast.taken)
        yield from gathered(_entries(parts, records, _Strays(account, root, names)), account)
    if not account.read:
        account.find("empty-sitemap", f"the {root} has no <{KINDS[root]}>", line=prolog.line if prolog else 1)


def _entries(parts: Iterator[lanes.Part], records: RecordReader, strays: _Strays) -> Iterator[Entry]:
    for part in parts:
        if part.record and (entry := records.plain(part.element)) is not None:
            yield entry
        elif part.record:
            yield from records.entries(part.element)
        else:
            strays.report(part.element)


class _Strays:
    """Reports the elements that stand beside the records of a document."""

    def __init__(self, account: Account, root: str, names: Names) -> None:
        self._account = account
        self._root = root
        self._names = names

    def report(self, element: Element) -> None:
        """An element beside the records."""
        self._names.look_at_root(element)
        name = local_name(element).lower()
        if name in KINDS:
            self._misplaced(element, f"<{name}> stands inside another element")
        elif self._names.core_name(element) is not None:
            message = f"<{name}> stands outside a <{KINDS[self._root]}>"
            self._account.find(
                "misplaced-element",
                message,
                line=element.sourceline,
                value=shown(element),
                action="dropped-value",
                severity="error" if name == "loc" else None,  # a page is lost
            )
        elif not self._is_unknown(element):
            message = f"<{local_name(element)}> is no element of a {self._root}"
            value, line = shown(element), element.sourceline
            action: Action = "kept" if value == local_name(element) else "dropped-value"
            self._account.find("unexpected-element", message, line=line, value=value, action=action)

    def _is_unknown(self, element: Element) -> bool:
        """Whether an element is of a vocabulary that nobody reads, which the schema lets stand beside the records."""
        namespace, local = ns.split(element.tag)
        if ns.is_core(namespace) or namespace in (self._names.namespace, ns.UNBOUND):
            return False
        if (known := ns.canonical(namespace)) in ns.EXTENSIONS:
            return False
        message = f"the namespace {namespace} of <{local}> is not one that search engines know; it is dropped"
        line = element.sourceline
        self._account.find_cause(
            "namespace-unknown", known, message, line=line, value=namespace, action="dropped-value"
        )
        return True

    def _misplaced(self, element: Element, message: str) -> None:
        self._account.find_cause(
            "misplaced-element",
            local_name(element),
            message,
            line=element.sourceline,
            value=local_name(element),
        )
