"""Documents to entries: opening, detecting, reading, and following the lists of further documents.

One set of visited addresses spans indexes, robots.txt and sitemaps, so cycles end and nothing is read twice.
Children are read one after another; only their addresses are kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from urllib.parse import unquote, urlsplit

from urlset.converters.fetch import Fetch, fetch, is_address, why
from urlset.converters.progress import Meter, OnProgress
from urlset.formats import registry
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches, gathered
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import ReadError, SourceError, StrictError, UrlsetError
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Openable, Source


@dataclass(frozen=True)
class Documents:
    """How documents are found and read.

    ``from_`` names a format instead of detecting it; ``follow`` reads what an index or a robots.txt lists instead of
    listing it.
    """

    from_: str | None = None
    follow: bool = True
    options: ReadOptions = field(default_factory=ReadOptions)
    limits: Limits = field(default_factory=Limits)
    fetch: Fetch = fetch
    registry: Registry = field(default_factory=registry)
    progress: OnProgress | None = None

    def read(self, sources: Sequence[Openable], ledger: Ledger) -> Iterator[Entry]:
        """The entries of all documents, in order; ``progress`` is told how far it is."""
        meter = Meter(self.progress, ledger, sources) if self.progress is not None else None
        yield from self.read_watched(sources, ledger, meter)
        if meter is not None:
            meter.finish()

    def read_watched(self, sources: Sequence[Openable], ledger: Ledger, meter: Meter | None) -> Iterator[Entry]:
        """The same for a job that has a meter of its own."""
        return chain.from_iterable(self.batches(sources, ledger, meter))

    def batches(self, sources: Sequence[Openable], ledger: Ledger, meter: Meter | None = None) -> Batches:
        """The same, many entries at a time: a layer of generators costs little by the batch.

        A document that can't be read is noted and the next one is read. Raises the last one's error if none could be
        read, and StrictError at the first fault if the ledger is strict.
        """
        reader = _Reader(self, ledger, meter)
        failure: UrlsetError | None = None
        for source in sources:
            try:
                yield from reader.given(source)
            except StrictError:
                raise
            except UrlsetError as error:
                failure = error
        if failure is not None and not reader.any_read:
            raise failure


class _Reader:
    """Reads the documents of one job."""

    def __init__(self, documents: Documents, ledger: Ledger, meter: Meter | None) -> None:
        self._documents = documents
        self._ledger = ledger
        self._meter = meter
        self._open: list[str] = []  # keys of the lists that are being read, outermost first
        self._done: set[str] = set()
        self.any_read = False

    def given(self, thing: Openable) -> Batches:
        """A document that the caller named. Raises UrlsetError, noted in its account, if it can't be read."""
        with ExitStack() as stack:
            account = self._ledger.open(_name(thing))
            try:
                source = stack.enter_context(self._source(thing))
                account.name = source.name
                yield from self._document(source, account, _key(source))
            except UrlsetError as error:
                account.fail(error)
                raise

    def _source(self, thing: Openable) -> Source:
        if is_address(thing):
            return self._fetched(str(thing))
        return Source.of(thing, limits=self._documents.limits)

    def _fetched(self, address: str) -> Source:
        try:
            body = self._documents.fetch(address)
        except UrlsetError:
            raise
        except OSError as error:
            raise SourceError(f"it can't be fetched: {why(error)}", source=address) from error
        return Source.from_bytes(body, address, location=address, limits=self._documents.limits)

    def _document(self, source: Source, account: Account, key: str) -> Batches:
        if self._meter is not None:
            self._meter.watch(source)
        found = self._format(source, account)
        options = self._documents.options
        if source.location is not None:
            options = replace(options, base_url=source.location)
        if found.lists_sources and self._documents.follow:
            yield from self._followed(found, source, account, options, key)
            return
        self._done.add(key)
        yield from _batches(found, source, account, options)
        self.any_read = True

    def _format(self, source: Source, account: Account) -> Format:
        formats, name = self._documents.registry, self._documents.from_
        if name is not None and not self._open:
            found = formats.reader(name)
            _check_kind(found, source)
        else:
            try:
                found = formats.detect(Head.of(source))
            except UrlsetError:
                # Archives, pictures and gzip data that hold nothing explain themselves better than "no format fits".
                if not source.is_folder:
                    _refuse_unreadable(source)
                raise
        account.format = found.name
        return found

    # --- lists of documents

    def _followed(self, found: Format, source: Source, account: Account, options: ReadOptions, key: str) -> Batches:
        account.listing = True
        if self._meter is not None:
            self._meter.forget_total()
        self._open.append(key)
        listed: set[str] = set()
        try:
            for child in _reading(found, source, account, options):
                self.any_read = True
                child_key = urls.dedupe_key(child.loc)
                is_new = self._is_new(child, child_key, account, listed)
                listed.add(child_key)
                if is_new:
                    yield from self._child(child, child_key, source, account, found)
        finally:
            self._open.pop()
            self._done.add(key)

    def _is_new(self, child: Entry, key: str, account: Account, listed: set[str]) -> bool:
        line = child.origin.line if child.origin else None
        if key in self._open:
            message = f"{child.loc} is being read already; it is not read again"
            account.find("sitemap-cycle", message, line=line, value=child.loc)
            return False
        if key in listed:
            message = f"{child.loc} is listed again; it is read once"
            account.find("duplicate-loc", message, line=line, value=child.loc)
        return key not in self._done and key not in listed

    def _child(self, child: Entry, key: str, parent: Source, account: Account, listing: Format) -> Batches:
        line = child.origin.line if child.origin else None
        try:
            source = self._child_source(child.loc, parent)
        except SourceError as error:
            message = f"{child.loc} can't be read: {error.message}"
            account.find("child-unavailable", message, line=line, value=child.loc)
            self._ledger.open(child.loc, account.name).status = "failed"
            return
        own = _key(source)
        if own in self._open:
            message = f"{child.loc} is being read already; it is not read again"
            account.find("sitemap-cycle", message, line=line, value=child.loc)
            return
        if own in self._done:
            message = f"{child.loc} is a document that was read already; it is read once"
            account.find("duplicate-loc", message, line=line, value=child.loc, severity="info")
            return
        self._done.add(own)
        with source:
            yield from self._child_document(child, key, source, account, listing, line)

    def _child_document(
        self, child: Entry, key: str, source: Source, account: Account, listing: Format, line: int | None
    ) -> Batches:
        inner = self._ledger.open(source.name, account.name)
        try:
            if self._too_deep(source, child, account, listing, line):
                return
            yield from self._document(source, inner, key)
        except StrictError:
            raise
        except UrlsetError as error:
            inner.fail(error)
            if isinstance(error, SourceError):
                message = f"{child.loc} can't be read: {error.message}"
                account.find("child-unavailable", message, line=line, value=child.loc)

    def _too_deep(self, source: Source, child: Entry, account: Account, listing: Format, line: int | None) -> bool:
        """Remark on an index inside an index, and stop at the limit of nesting."""
        inner = next(
            (one for one in self._documents.registry if one.lists_sources and one.name == "sitemap-index"),
            None,
        )
        if listing.name != "sitemap-index" or inner is None or not inner.sniff(Head.of(source)):
            return False
        message = f"{child.loc} is an index inside an index, which search engines do not follow"
        account.find("nested-sitemap-index", message, line=line, value=child.loc)
        limit = self._documents.limits.max_index_depth
        if len(self._open) < limit:
            return False
        account.find("depth-limit", f"indexes are followed {limit} deep", line=line, value=child.loc)
        return True

    def _child_source(self, loc: str, parent: Source) -> Source:
        """A child of a local list is the file of its name beside it; of a fetched one, it is fetched."""
        if parent.path is None and parent.location is None and self._documents.fetch is fetch:
            message = "nothing is fetched for a list that has no address itself, such as standard input"
            raise SourceError(message, source=loc)
        if parent.path is None:
            return self._fetched(loc)
        name = unquote(urlsplit(loc).path.rpartition("/")[2])
        if not name or "/" in name or "\0" in name or name in (".", ".."):
            raise SourceError("its address has no file name", source=loc)
        path = parent.path.parent / name
        if not _is(path, Path.is_file):
            message = f"there is no file {name} beside {parent.path.name}, and what a local file lists is not fetched"
            raise SourceError(message, source=loc)
        return Source.from_path(path, limits=self._documents.limits)


def _reading(found: Format, source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    assert found.read is not None  # noqa: S101 - the registry hands out readers
    with _named(found, source):
        yield from found.read(source, account, options)


def _batches(found: Format, source: Source, account: Account, options: ReadOptions) -> Batches:
    assert found.read is not None  # noqa: S101 - the registry hands out readers
    with _named(found, source):
        if found.batches is not None:
            yield from found.batches(source, account, options)
        else:
            yield from gathered(found.read(source, account, options), account)


@contextmanager
def _named(found: Format, source: Source) -> Iterator[None]:
    """Say in an error what was read, and as what."""
    try:
        yield
    except UrlsetError as error:
        error.source = error.source or source.name
        error.format = error.format or found.name
        raise


def _check_kind(found: Format, source: Source) -> None:
    """Raise SourceError if a format of folders was named for a document, or the other way round."""
    if found.of_folders != source.is_folder:
        message = "it is no folder" if found.of_folders else "it is a folder; name its files"
        raise SourceError(message, source=source.name)


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether a path is of a kind; one that the system can't have at all (too long, say) is not."""
    try:
        return kind(path)
    except OSError:
        return False


def _name(thing: Openable) -> str:
    if isinstance(thing, Source):
        return thing.name
    if isinstance(thing, str | os.PathLike):
        return "<stdin>" if thing == "-" else os.fspath(thing)
    return f"<{type(thing).__name__}>"


def _key(source: Source) -> str:
    if source.location is not None:
        return urls.dedupe_key(source.location)
    # Unlike Path.resolve this takes links that lead in a circle; opening them says so.
    return os.path.realpath(source.path) if source.path is not None else f"<{id(source)}>"


def _refuse_unreadable(source: Source) -> None:
    """Raise ReadError for what can't be a list at all, or was packed and can't be unpacked."""
    faults: list[tuple[str, str]] = []
    with source.open(lambda rule, message, **_: faults.append((rule, message))) as stream:
        if not stream.read(1) and faults:
            rule, message = faults[0]
            raise ReadError(message, source=source.name, rule=rule)
