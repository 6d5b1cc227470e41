"""Reading an XML document: the strict lane as long as it goes, the repair lane from where it stops.

Both lanes give the same elements in the same order, so the repair lane starts again from the top and passes over what
the strict lane handed out before it met the fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from urlset.formats.vocabulary.decode import (
    TextReader,
    declared_encoding,
    normalise_newlines,
    report_encoding,
    sniff_encoding,
)
from urlset.formats.vocabulary.errors import StrictError
from urlset.formats.vocabulary.findings import Action
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.xml import strict
from urlset.formats.xml.faults import Fault
from urlset.formats.xml.items import Item, Vocabulary
from urlset.formats.xml.node import Element, full_text, serialise
from urlset.formats.xml.prolog import scan
from urlset.formats.xml.repair import Repair
from urlset.formats.xml.tree import NotWellFormed

if TYPE_CHECKING:
    from urlset.formats.catalogue import Severity
    from urlset.formats.vocabulary.gzip_stream import ByteStream
    from urlset.formats.vocabulary.source import Source

CHUNK = 1 << 16
"""Bytes that are read at once."""


class Part(NamedTuple):
    """A finished element of a document, and whether it is a record."""

    element: Element
    record: bool


def read(source: Source, account: Account, vocabulary: Vocabulary, encoding: str | None = None) -> Iterator[Part]:
    """The elements of a document; see :meth:`Document.parts`."""
    return Document(source, account, vocabulary, encoding).parts()


def utf8(source: Source, encoding: str | None = None) -> Iterator[bytes]:
    """A document as UTF-8 with LF line ends, and nothing said about it: for a second look at one that was read."""
    account = Ledger().open(source.name)
    return Document(source, account, Vocabulary(frozenset(), frozenset(), frozenset()), encoding).utf8()


class Document:
    """One document and its lanes, its faults reported to ``account``."""

    def __init__(self, source: Source, account: Account, vocabulary: Vocabulary, encoding: str | None) -> None:
        self._source = source
        self._account = account
        self._vocabulary = vocabulary
        head = source.head()
        self._declared = declared_encoding(head)
        self._encoding = sniff_encoding(head, self._declared, encoding)
        text = head[self._encoding.bom :].decode(self._encoding.name, "replace")
        prolog = scan(text)
        self._regular = prolog is not None and prolog.regular
        self._seen: set[tuple[object, ...]] = set()
        self._stopped: dict[tuple[object, ...], StrictError] = {}
        self._of_encoding: frozenset[tuple[object, ...]] | None = None  # what was seen, and explains no fault
        self._explained = False

    @property
    def plain(self) -> bool:
        """Whether it is UTF-8, and there is nothing unusual before its root."""
        return self._regular and self._encoding.name in ("utf-8", "utf-8-sig")

    def report_encoding(self) -> None:
        """Say what is odd about the encoding, once."""
        if self._of_encoding is None:
            before = frozenset(self._seen)
            report_encoding(self._encoding, self._declared, self._once)
            self._of_encoding = frozenset(self._seen - before)

    def parts(self, taken: int = 0) -> Iterator[Part]:
        """The elements of the document, those before the end of the first ``taken`` records left out.

        Records are counted here; one that is cut off by the end of the file or by a limit is rejected here. Raises
        StrictError at the first fault if the account is strict.
        """
        account = self._account
        for item in self._items(taken):
            if item.record:
                account.count()
            for fault in item.faults:
                _report(account, fault)
            if item.element is None:
                continue
            if item.cut is None:
                yield Part(item.element, item.record)
            else:
                _reject(account, item.element, item.cut)

    def _items(self, taken: int) -> Iterator[Item]:
        """The items by the strict lane as far as it goes, then by the repair lane."""
        if not self._regular:
            yield from self._repaired(taken)
            return
        self.report_encoding()
        self._explained = False  # no encoding that can be read is why a document is not well-formed
        records = strays = 0
        try:
            for item in strict.items(self.utf8(), self._vocabulary):
                records, strays = (records + 1, 0) if item.record else (records, strays + 1)
                if records > taken or (records == taken and strays):
                    yield item
        except NotWellFormed as error:
            yield from self._repaired(max(records, taken), strays if records >= taken else 0)
            if not self._explained:
                yield Item(None, False, [_unexplained(error)])

    def _repaired(self, records: int = 0, strays: int = 0) -> Iterator[Item]:
        """The items by the repair lane, without so many records and so many strays after the last of them."""
        limits = self._source.limits
        lane = Repair(self._text(), self._vocabulary, max_record=limits.max_record, max_depth=limits.max_depth)
        for item in lane.items():
            if records:
                records -= item.record
            elif strays and item.element is not None and not item.record:
                strays -= 1
            else:
                strays = 0
                self._explained = self._explained or bool(item.faults)
                yield item

    def utf8(self, chunk: int = CHUNK) -> Iterator[bytes]:
        """The document as UTF-8 with LF line ends: libxml2 counts no others as lines."""
        if self._encoding.name in ("utf-8", "utf-8-sig"):
            return normalise_newlines(self._bytes(self._encoding.bom, chunk))
        return normalise_newlines(chunk.encode("utf-8", "replace") for chunk in self._text())

    def _bytes(self, skip: int, size: int) -> Iterator[bytes]:
        with closing(self._open()) as stream:
            stream.read(skip)
            while chunk := stream.read(size):
                yield chunk

    def _text(self) -> Iterator[str]:
        with closing(self._open()) as stream:
            yield from TextReader(stream, self._encoding, self._once, declared=self._declared)

    def _open(self) -> ByteStream:
        return self._source.open(self._once)

    def _once(
        self,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        count: int = 1,
    ) -> None:
        """Report what the bytes and their encoding are like; the next lane says the same again."""
        if rule == "encoding-not-utf8" and not self._vocabulary.utf8_only:
            return
        key = (rule, message, line, value)
        self._explained = self._explained or key not in (self._of_encoding or ())
        if key in self._stopped:
            raise self._stopped[key]
        if key not in self._seen:
            self._seen.add(key)
            try:
                self._account.report(rule, message, line=line, column=column, value=value, count=count)
            except StrictError as error:
                self._stopped[key] = error  # the next lane must not pass over it
                raise


_ACTIONS: dict[str, Action] = {"unexpected-end": "kept", "resource-limit": "kept", "stray-text": "dropped-value"}


def _report(account: Account, fault: Fault) -> None:
    action = _ACTIONS.get(fault.rule, "repaired")
    rule, message, line, column, value, cause, times = fault
    if cause is None:
        # An address that stands beside the records is a page that is lost.
        level: Severity | None = "error" if rule == "stray-text" and "://" in (value or "") else None
        account.find(rule, message, line=line, column=column, value=value, action=action, count=times, severity=level)
        return
    for _ in range(times):
        account.find_cause(rule, cause, message, line=line, column=column, value=value, action=action)


def _reject(account: Account, element: Element, fault: Fault) -> None:
    """A record that the end of the file or a limit cut off."""
    loc = next((full_text(child) for child in element if child.tag.endswith(("loc", "link"))), "")
    account.reject(
        fault.rule,
        fault.message,
        line=fault.line,
        column=fault.column,
        field="record",
        value=loc.strip(),
        raw=serialise(element),
        fields={"loc": loc.strip()},
    )


_RULES_OF_LIBXML2 = {
    26: "undefined-entity",
    9: "illegal-xml-character",
    201: "unbound-prefix",
    5: "unexpected-end",
}


def _unexplained(error: NotWellFormed) -> Fault:
    """What only libxml2 objects to (a duplicate attribute, ``--`` in a comment, …), in its words."""
    rule = _RULES_OF_LIBXML2.get(error.code, "xml-not-well-formed")
    return Fault(rule, error.message, error.line, error.column)
