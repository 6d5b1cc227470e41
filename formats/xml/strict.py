"""The strict lane: elements out of well-formed XML, by lxml, in a stream.

libxml2 does the work; no entity is expanded, no DTD is loaded and nothing is fetched. Elements are handed out in the
order of the document and removed behind it, so memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from urlset.formats.xml import items as shared
from urlset.formats.xml.items import NO_FAULTS, Item, Vocabulary, nested, spellings
from urlset.formats.xml.node import Element, descendants, is_blank, local_name, outwards
from urlset.formats.xml.tree import NotWellFormed, Tree


def items(chunks: Iterable[bytes], vocabulary: Vocabulary) -> Iterator[Item]:
    """The elements of a well-formed UTF-8 document, each of them good until the next one is asked for.

    Raises NotWellFormed where the document is not well-formed, or has text where the vocabulary knows elements only:
    libxml2 keeps no lines of text, the repair lane does.
    """
    records = spellings(vocabulary.records)
    tree = Tree(sorted(records | spellings(vocabulary.roots)))
    lane = _Lane(records, tree, vocabulary.elements_only)
    # What is ready when a fault is met is not taken: libxml2 goes on after some faults (an unbound prefix).
    for chunk in chunks:
        for piece in tree.pieces(chunk):
            tree.feed(piece)
            yield from lane.finished()
            if tree.may_end and lane.ended is not None:
                tree = tree.beyond(lane.ended)
                lane.drop()
                lane = _Lane(records, tree, vocabulary.elements_only)
                yield from lane.finished()
        yield from lane.waiting()
    root = tree.close()
    yield from lane.finished()
    lane.drop()
    if local_name(root) not in records:
        for element in list(root):
            yield lane.last_stray(element)


class _Lane:
    """Takes finished elements out of the tree that the parser builds.

    The parser may still add to the last element that it finished (its tail), so that one is removed when a later
    one has come.
    """

    def __init__(self, records: frozenset[str], tree: Tree, elements_only: bool) -> None:
        self._records = records
        self._tree = tree
        self._elements_only = elements_only
        self._begun_now = False  # nothing of the innermost container was handed out yet
        self._containers: list[Element] = []  # open elements that may hold records
        self._given: Element | None = None  # the last record, while it is still in the tree
        self._is_record: dict[str, bool] = {}  # by name in Clark notation
        self._open = 0  # records that have begun and not ended
        self._nested = False  # one of them began inside another one
        self._ended: Element | None = None

    def finished(self) -> Iterator[Item]:
        """What ended since the last call, in document order."""
        kinds, containers = self._is_record, self._containers
        self._ended = None
        for event, element in self._tree.events():
            tag = element.tag
            is_record = kinds.get(tag)
            if is_record is None:
                is_record = kinds[tag] = local_name(element) in self._records
            if not is_record:
                yield from self._container(event, element)
            elif event == "start":
                self._nested = self._nested or self._open > 0
                self._open += 1
            else:
                self._open -= 1
                if self._open:
                    continue
                self.drop()
                if self._begun_now:
                    self._look_before()
                if containers and not self._nested and containers[-1][0] is element:
                    # As good as always: the next child of the open list, and no other record in it.
                    yield Item(element, True, NO_FAULTS)
                else:
                    yield from self._up_to(element)
                    self._nested = False
                self._given = self._ended = element

    def waiting(self) -> Iterator[Item]:
        """What piled up in the open containers, without a record."""
        if self._given is not None and self._given.getnext() is not None:
            self.drop()
        for container in self._containers:
            yield from self._pruned(container, len(container))

    @property
    def ended(self) -> Element | None:
        """The record with which the last call of :meth:`finished` ended, if nothing that stands before it waits."""
        record = self._ended
        return record if record is not None and all(len(outer) == 1 for outer in outwards(record)) else None

    def drop(self) -> None:
        """Remove the last record from the tree."""
        given, self._given = self._given, None
        if given is not None and (parent := given.getparent()) is not None:
            self._no_text(given.tail, parent)
            _remove(parent, given)

    def last_stray(self, element: Element) -> Item:
        """One of the elements that are left in the root when the document has ended."""
        self._no_text(element.tail, None)
        return self.stray(element)

    def stray(self, element: Element) -> Item:
        """An element beside the records, or one with a name that is a record's but for its case."""
        return Item(element, local_name(element).lower() in self._records, NO_FAULTS)

    def _container(self, event: str, element: Element) -> Iterator[Item]:
        if event == "start":
            if not self._inside_record(element):
                yield from self._before_container(element)
                self._containers.append(element)
                self._begun_now = True
        elif self._containers and self._containers[-1] is element:
            self.drop()
            self._look_before()
            yield from self._pruned(element, len(element))
            self._containers.pop()

    def _before_container(self, element: Element) -> Iterator[Item]:
        self.drop()
        self._look_before()
        parent = element.getparent()
        if parent is not None and self._containers and parent is self._containers[-1]:
            yield from self._pruned(parent, parent.index(element) + 1)

    def _pruned(self, container: Element, begun: int) -> Iterator[Item]:
        """Of the children that have begun, hand out full batches; the last one may not be finished.

        The repair lane hands out the same ones, so that it can go on where this lane had to stop.
        """
        full = (begun - 1) // shared.PRUNE_AT * shared.PRUNE_AT
        for _ in range(full):
            yield from self._first(container)
        # A record may be handed out before those that wait here.
        self._no_text(container.text, container)
        for element in islice(container, max(begun - full - 1, 0)):
            self._no_text(element.tail, container)

    def _first(self, parent: Element) -> Iterator[Item]:
        first = parent[0]
        self._no_text(parent.text, parent)
        self._no_text(first.tail, parent)
        if self._given is not None and any(first is outer for outer in outwards(self._given)):
            self.drop()
        yield self.stray(first)
        _remove(parent, first)

    def _look_before(self) -> None:
        """At the text before the first element of the innermost container."""
        if self._begun_now and self._containers:
            self._begun_now = False
            self._no_text(self._containers[-1].text, self._containers[-1])

    def _no_text(self, text: str | None, parent: Element | None) -> None:
        """Refuse a text that stands directly in a container; None is the root, when it has ended."""
        if is_blank(text) or not self._elements_only:
            return
        if parent is None or any(parent is container for container in self._containers):
            raise NotWellFormed("text stands where only elements may", 1, None, 0)

    def _inside_record(self, element: Element) -> bool:
        return any(local_name(outer) in self._records for outer in outwards(element))

    def _up_to(self, record: Element) -> Iterator[Item]:
        """A record, and before it what stands beside it."""
        parent = record.getparent()
        if parent is not None:
            if self._containers and parent is not self._containers[-1]:
                yield from self._pruned(self._containers[-1], self._begun(self._containers[-1], record))
            while parent[0] is not record:
                yield from self._first(parent)
        yield from self._record(record)

    @staticmethod
    def _begun(container: Element, inner: Element) -> int:
        """How many children of an open element had begun when one inside of them ended."""
        return next(container.index(outer) + 1 for outer in outwards(inner) if outer.getparent() is container)

    def _record(self, record: Element) -> Iterator[Item]:
        """A record, and then the records that stand inside it."""
        yield Item(record, True, NO_FAULTS)
        if self._nested:
            for inner in descendants(record):
                if local_name(inner) in self._records:
                    yield Item(inner, True, [nested(local_name(inner), inner.sourceline or 0)])


def _remove(parent: Element, element: Element) -> None:
    # Taking out an element that is full takes lxml quadratic time where a namespace is declared further up.
    element.clear()
    parent.remove(element)
