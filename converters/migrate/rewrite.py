"""One file of a site, read in whatever namespace it has and written again as 0.9."""

from __future__ import annotations

from codecs import iterdecode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from urlset.converters.migrate.plan import File
from urlset.converters.migrate.remarks import before_root, remarks
from urlset.converters.output import Limits
from urlset.converters.output.parts import Finished, Parts
from urlset.converters.output.staging import Staging
from urlset.converters.steps import Losses, Step
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Format, Frame, Head, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits as ReadLimits
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import emit
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.lanes import utf8
from urlset.formats.xml.node import escape_text, legal_text

Extended = Callable[[Entry], Iterable[Entry]]
"""What stands in an index for one of its children: the child itself, and the parts that it grew into."""


class Rewritten(NamedTuple):
    """A file that was written again: its parts, still under temporary names, and what was read."""

    parts: list[Finished]
    account: Account


@dataclass(frozen=True)
class Rewriter:
    """How files are read and written again."""

    formats: dict[str, Format]
    staging: Staging
    ledger: Ledger
    limits: Limits
    reading: ReadOptions
    read_limits: ReadLimits
    step: Step

    def rewrite(self, file: File, beside: Path, extended: Extended) -> Rewritten:
        """Write a file again, beside the target. Raises UrlsetError if it can't be read."""
        found = self.formats["sitemap-index" if file.is_index else "sitemap"]
        account = self.ledger.open(str(file.source))
        account.format = found.name if file.is_index or not ns.is_084(file.namespace) else "sitemap-0.84"
        with ExitStack() as stack:
            source = stack.enter_context(Source.from_path(file.source, limits=self.read_limits))
            kept = before_root(Head.of(source).text)
            writer = _writer(found, kept)
            limits = Limits() if file.is_index else self.limits
            parts = Parts(beside, writer, self.staging, self.ledger, limits, beside.suffix.lower() == ".gz")
            stack.callback(parts.close)
            assert found.read is not None  # noqa: S101 - both formats read
            losses = Losses(found)
            for entry in losses.watch(self.step(found.read(source, account, self.reading))):
                self._add(parts, entry, account, extended)
            losses.report(self.ledger, "warn")
            _report_remarks(source, kept, account)
            return Rewritten(parts.finish(), account)

    def _add(self, parts: Parts, entry: Entry, account: Account, extended: Extended) -> None:
        for one in extended(entry):
            try:
                parts.add(one)
            except ValueError as error:
                line = entry.origin.line if entry.origin else None
                message = f"sitemap XML can't hold it: {error}"
                account.reject("illegal-xml-character", message, line=line, value=entry.loc, fields=entry.as_dict())
                return
        self.ledger.counts.written += 1


def _writer(found: Format, kept: list[str]) -> Writer:
    """The format's writer, with addresses as they were, and what stood before the root."""
    assert found.write is not None  # noqa: S101 - both formats write
    encode = emit.sitemap if found.lists_sources else emit.url
    frame = found.write.frame
    return replace(
        found.write,
        encode=lambda entry: encode(entry, as_it_was),
        frame=lambda needs: _with_remarks(frame(needs), kept),
    )


def as_it_was(loc: str) -> str:
    """An address as text of XML, no character of it changed. Raises ValueError for one that XML can't hold."""
    if legal_text(loc) != loc:
        raise ValueError("the address has a character that XML does not allow")
    return escape_text(loc)


def _with_remarks(frame: Frame, kept: list[str]) -> Frame:
    head = frame.head.removeprefix(emit.DECLARATION)
    return Frame(emit.DECLARATION + "".join(f"{one}\n" for one in kept).encode() + head, frame.tail)


def _report_remarks(source: Source, kept: list[str], account: Account) -> None:
    """Say which comments and instructions are not carried: all but those before the root."""
    expected = [*kept]
    for one in remarks(iterdecode(utf8(source), "utf-8", "replace")):
        if one.text in expected:
            expected.remove(one.text)
            continue
        what = "comment" if one.text.startswith("<!--") else "processing instruction"
        message = f"a {what} is not carried: sitemaps are written again entry by entry"
        account.find_cause("comment-dropped", what, message, line=one.line, value=one.text, action="dropped-value")


def extender(splits: Mapping[Path, list[str]], listed: Mapping[str, File]) -> Extended:
    """What stands for a child of an index that grew into several files: these, in order."""

    def extended(entry: Entry) -> Iterator[Entry]:
        yield entry
        file = listed.get(entry.loc)
        for part in splits.get(file.source, ()) if file is not None else ():
            folder, _, _ = entry.loc.rpartition("/")
            yield entry.model_copy(update={"loc": f"{folder}/{quote(part)}"})

    return extended
