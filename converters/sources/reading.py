"""Documents to entries: opening, detecting and reading them, and whatever they lead to."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain

from urlset.converters.progress import Meter, OnProgress
from urlset.converters.sources.discovery import is_site, searched
from urlset.converters.sources.fetch import Fetch, fetch
from urlset.converters.sources.following import Following, Parent, Visited, reading, refuse_unreadable
from urlset.converters.sources.opening import Opened, Opener, key_of, name_of
from urlset.converters.sources.pages import Feed, Page
from urlset.converters.sources.web.settings import Http
from urlset.formats import registry
from urlset.formats.vocabulary.batches import Batch, Batches, gathered
from urlset.formats.vocabulary.charset import heard
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import ReadError, SourceError, StrictError, UrlsetError
from urlset.formats.vocabulary.feed_pages import FeedPages
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Openable, Source


@dataclass(frozen=True)
class Documents:
    """How documents are found and read.

    ``from_`` names a format instead of detecting it. ``follow`` reads what an index or a robots.txt lists instead of
    listing it (None, by default), and the further pages of a feed besides (True). ``http`` is for the built-in client,
    in whose place another ``fetch`` may be given.
    """

    from_: str | None = None
    follow: bool | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    limits: Limits = field(default_factory=Limits)
    fetch: Fetch = fetch
    registry: Registry = field(default_factory=registry)
    http: Http = field(default_factory=Http)
    progress: OnProgress | None = None

    def read(self, sources: Sequence[Openable], ledger: Ledger) -> Generator[Entry, None, None]:
        """The entries of all documents, in order; ``progress`` is told how far it is.

        A document that can't be read is noted and the next one is read. Raises the last one's error if none could be
        read, and StrictError at the first fault if the ledger is strict.
        """
        return _entries(self.batches(sources, ledger))

    def read_watched(
        self, sources: Sequence[Openable], ledger: Ledger, meter: Meter | None
    ) -> Generator[Entry, None, None]:
        """The same for a job that has a meter of its own."""
        return _entries(self._batches(sources, ledger, meter))

    def batches(self, sources: Sequence[Openable], ledger: Ledger) -> Generator[Batch, None, None]:
        """What :meth:`read` gives, many at a time: a layer of generators costs little by the batch."""
        if self.progress is None:
            return self._batches(sources, ledger, None)
        return self._told(sources, ledger, Meter(self.progress, ledger, sources))

    def _told(self, sources: Sequence[Openable], ledger: Ledger, meter: Meter) -> Generator[Batch, None, None]:
        yield from self._batches(sources, ledger, meter)
        meter.finish()

    def _batches(
        self, sources: Sequence[Openable], ledger: Ledger, meter: Meter | None
    ) -> Generator[Batch, None, None]:
        failure: UrlsetError | None = None
        with closing(Opener(self.fetch, self.http, self.limits)) as opener:
            reader = _Reader(self, ledger, opener, meter)
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

    def __init__(self, documents: Documents, ledger: Ledger, opener: Opener, meter: Meter | None) -> None:
        self._documents = documents
        self._ledger = ledger
        self._meter = meter
        self._opener = opener
        self._visited = Visited()
        self._following = Following(opener, ledger, self._visited, documents.limits, documents.registry, self._document)

    @property
    def any_read(self) -> bool:
        """Whether a document could be read, as far as it goes."""
        return self._visited.any_read

    def given(self, thing: Openable) -> Batches:
        """A document that the caller named. Raises UrlsetError, noted in its account, if it can't be read."""
        account = self._ledger.open(name_of(thing))
        if is_site(thing) and self._documents.from_ is None:
            yield from self._site(str(thing), account)
            return
        try:
            opened = self._opener.given(thing)
            with opened.source:
                account.name = opened.source.name
                yield from self._document(opened, account, key_of(opened.source))
        except UrlsetError as error:
            account.fail(error)
            raise

    def _site(self, address: str, account: Account) -> Batches:
        """What stands for a site: the document at its address, or one that it leads to."""
        try:
            opened, found = searched(address, self._opener, self._documents.registry)
        except UrlsetError as error:
            account.fail(error)
            raise
        inner = account
        if found is not None:
            account.listing = True
            account.find("site-searched", found)
            inner = self._ledger.open(opened.source.name, account.name)
        with opened.source as source:
            try:
                yield from self._document(opened, inner, key_of(source))
            except UrlsetError as error:
                inner.fail(error)
                account.status = "failed"
                raise

    def _document(self, opened: Opened, account: Account, key: str) -> Batches:
        source, follow = opened.source, self._documents.follow
        found, options = self._begun(opened, account)
        if found.lists_sources and follow is not False:
            account.listing = True
            self._forget_total()
            parent = Parent(source, account, found)
            yield from self._following.children(parent, self._entries(found, source, account, options), key)
        elif found.has_pages and follow:
            feed = Feed(self._opener, self._ledger, self._visited, self._documents.limits, self._page)
            self._forget_total()
            yield from gathered(feed.entries(self._first_page(found, source, account, options), key), account)
        else:
            self._visited.done.add(key)
            yield from self._batches(found, source, account, options)
            self._visited.any_read = True

    def _forget_total(self) -> None:
        """There are more documents than those that were named."""
        if self._meter is not None:
            self._meter.forget_total()

    def _page(self, opened: Opened, account: Account) -> Page:
        """A further page of a feed. Raises UrlsetError if it is no feed."""
        found, options = self._begun(opened, account)
        if not found.has_pages:
            raise ReadError(f"it is no feed but {found.title}", source=opened.source.name)
        return self._first_page(found, opened.source, account, options)

    def _begun(self, opened: Opened, account: Account) -> tuple[Format, ReadOptions]:
        """The format of an open document, and how to read it; what the way to it was like is reported."""
        if self._meter is not None:
            self._meter.watch(opened.source)
        for remark in opened.remarks:
            account.find(remark.rule, remark.message, value=remark.value, severity=remark.severity)
        return self._format(opened.source, account), self._options(opened, account)

    def _first_page(self, found: Format, source: Source, account: Account, options: ReadOptions) -> Page:
        pages = FeedPages()
        return Page(source, account, self._entries(found, source, account, replace(options, pages=pages)), pages)

    @staticmethod
    def _entries(found: Format, source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
        assert found.read is not None  # noqa: S101 - the registry hands out readers
        return reading(found, source, found.read(source, account, options))

    def _batches(self, found: Format, source: Source, account: Account, options: ReadOptions) -> Batches:
        if found.batches is None:
            return gathered(self._entries(found, source, account, options), account)
        return reading(found, source, found.batches(source, account, options))

    def _options(self, opened: Opened, account: Account) -> ReadOptions:
        options = self._documents.options
        if opened.source.location is not None:
            options = replace(options, base_url=opened.source.location)
        if opened.charset is None or options.encoding is not None:
            return options
        encoding, contradiction = heard(opened.source.head(), opened.charset)
        if contradiction is not None:
            account.find("charset-mismatch", contradiction, value=opened.charset)
        return replace(options, encoding=encoding)

    def _format(self, source: Source, account: Account) -> Format:
        formats, name = self._documents.registry, self._documents.from_
        if name is not None and account.parent is None:
            found = formats.reader(name)
            _check_kind(found, source)
        else:
            try:
                found = formats.detect(Head.of(source))
            except UrlsetError:
                # Archives, pictures and gzip data that hold nothing explain themselves better than "no format fits".
                if not source.is_folder:
                    refuse_unreadable(source)
                raise
        account.format = found.name
        return found


def _entries(batches: Generator[Batch, None, None]) -> Generator[Entry, None, None]:
    with closing(batches):
        yield from chain.from_iterable(batches)


def _check_kind(found: Format, source: Source) -> None:
    """Raise SourceError if a format of folders was named for a document, or the other way round."""
    if found.of_folders != source.is_folder:
        message = "it is no folder" if found.of_folders else "it is a folder; name its files"
        raise SourceError(message, source=source.name)
