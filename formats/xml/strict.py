"""The strict lane: elements out of well-formed XML, by lxml, in a stream.

libxml2 does the work; no entity is expanded, no DTD is loaded and nothing is fetched. Elements are handed out in the
order of the document and removed behind it, so memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from urlset.formats.xml.items import PRUNE_AT, Item, Vocabulary, nested
from urlset.formats.xml.node import Element, descendants, local_name

if TYPE_CHECKING:
    from lxml import etree


def items(chunks: Iterable[bytes], vocabulary: Vocabulary) -> Iterator[Item]:
    """The elements of a well-formed UTF-8 document. Raises lxml.etree.XMLSyntaxError where it is not one."""
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("start", "end"),
        tag=[f"{{*}}{name}" for name in sorted(vocabulary.records | vocabulary.roots)],
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    lane = _Lane(vocabulary.records, parser)
    # What lxml has ready when it raises is not taken: some faults (an unbound prefix) it reports only after it went on.
    for chunk in chunks:
        parser.feed(chunk)
        yield from lane.finished()
    root = parser.close()
    yield from lane.finished()
    if local_name(cast(Element, root)) not in vocabulary.records:
        for element in list(cast(Element, root)):
            yield Item(element, local_name(element).lower() in vocabulary.records, [])


class _Lane:
    """Takes finished elements out of the tree that the parser builds."""

    def __init__(self, records: frozenset[str], parser: etree.XMLPullParser) -> None:
        self._records = records
        self._parser = parser
        self._containers: list[Element] = []  # open elements that may hold records

    def finished(self) -> Iterator[Item]:
        """What ended since the last call, in document order."""
        for event, found in self._parser.read_events():
            element = cast(Element, found)
            if local_name(element) not in self._records:
                self._track(event, element)
            elif event == "end" and not self._inside_record(element):
                yield from self._up_to(element)
        for container in self._containers:
            if len(container) > PRUNE_AT:
                yield from self._before(container, container[-1])

    def _track(self, event: str, element: Element) -> None:
        if event == "start":
            self._containers.append(element)
        else:
            self._containers.remove(element)

    def _inside_record(self, element: Element) -> bool:
        parent = element.getparent()
        while parent is not None:
            if local_name(parent) in self._records:
                return True
            parent = parent.getparent()
        return False

    def _up_to(self, record: Element) -> Iterator[Item]:
        parent = record.getparent()
        if parent is None:
            yield from self._record(record)
            return
        yield from self._before(parent, record)
        yield from self._record(record)
        parent.remove(record)

    def _before(self, parent: Element, stop: Element) -> Iterator[Item]:
        while (first := parent[0]) is not stop:
            # XML tells upper from lower case, so these names passed the filter of events.
            yield Item(first, local_name(first).lower() in self._records, [])
            parent.remove(first)

    def _record(self, record: Element) -> Iterator[Item]:
        """A record, and then the records that stand inside it."""
        yield Item(record, True, [])
        if any(len(child) for child in record):
            for inner in descendants(record):
                if local_name(inner) in self._records:
                    yield Item(inner, True, [nested(local_name(inner), inner.sourceline or 0)])
