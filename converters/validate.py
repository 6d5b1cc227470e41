"""Validation: everything that reading finds, and the rules of practice besides."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, get_args

from urlset.converters.checks import addresses, dates, engines, file, foreign, hints, images, lists, news, videos
from urlset.converters.checks.document import SUBMITTED, Bounds, Check, Document, Listed, Page
from urlset.converters.checks.hreflang import Alternates, Clusters
from urlset.converters.checks.kept import Database
from urlset.converters.checks.scope import Scope
from urlset.converters.clock import moment
from urlset.converters.options import Sources, check_default_file, check_names, listed
from urlset.converters.own_files import own_files
from urlset.converters.progress import OnProgress
from urlset.converters.rule_names import fitting, unknown
from urlset.converters.sources.fetch import Fetch, fetch
from urlset.converters.sources.reading import Documents
from urlset.converters.sources.web.settings import Http
from urlset.converters.spill.database import failing_with_folder
from urlset.formats import registry
from urlset.formats.catalogue import RULES, Engine
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod, parse_zone
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, UrlsetError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Source


@dataclass(frozen=True)
class Options(Http):
    """Everything that a validation can be told, beside how documents are fetched; the command line has the same names.

    ``url`` is the address where the sources live; of it the scope follows, that is which URLs they may list. A source
    that was fetched, or is listed by one whose address is known, has its own. ``now`` is what ages are measured from:
    W3C Datetime, or an aware datetime; by default the time of the call. ``engines`` names search engines whose own
    limits count too. ``xsd`` holds sitemaps against the XML schema as well.

    Of a folder, ``default_file`` stands for the folder that it is in, and ``own_files`` (which the caller writes, such
    as a report) are not listed.

    ``select`` are the rules to report, by id or shell pattern (``news-*``), by default all that concern the engines;
    ``ignore`` those to leave out, and wins. ``progress`` is called with a :class:`Progress` as in a conversion.
    """

    from_: str | None = None
    base_url: str | None = None
    url: str | None = None
    now: LastMod | datetime | str | None = None
    follow: bool | None = None
    encoding: str | None = None
    assume_zone: str | None = None
    engines: Iterable[Engine] = ()
    xsd: bool = False
    default_file: str = "index.html"
    own_files: Iterable[str | os.PathLike[str]] = ()
    select: Iterable[str] = ()
    ignore: Iterable[str] = ()
    bounds: Bounds = field(default_factory=Bounds)
    fetch: Fetch = fetch
    limits: Limits = field(default_factory=Limits)
    registry: Registry = field(default_factory=registry)
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("base_url", "url"):
            value = getattr(self, name)
            if value is not None and not urls.is_absolute(value):
                raise OptionError(f"{name} must be an absolute http(s) address, not {value!r}", value=value)
        check_default_file(self.default_file)
        self.moment()
        for option in ("engines", "select", "ignore"):
            if isinstance(getattr(self, option), str):
                raise OptionError(f"{option} takes a list of names, such as [{getattr(self, option)!r}]")
            object.__setattr__(self, option, tuple(getattr(self, option)))  # an iterator can be asked once
        for name in self.engines:
            if name not in get_args(Engine):
                raise OptionError(f"there is no engine {name!r}; known are {', '.join(get_args(Engine))}", value=name)
        self.rules()

    def rules(self) -> frozenset[str]:
        """The ids of the rules that are reported. Raises OptionError for a pattern that fits none."""
        return (_fitting(self.select) or frozenset(RULES)) - _fitting(self.ignore)

    def moment(self) -> LastMod:
        """What counts as now. Raises OptionError if it can't be understood."""
        return moment(self.now)

    def documents(self, formats: Registry) -> Documents:
        """How the sources are read."""
        zone = parse_zone(self.assume_zone) if self.assume_zone else None
        reading = ReadOptions(
            self.base_url,
            self.encoding,
            zone,
            remark=True,
            default_file=self.default_file,
            own=own_files(None, self.own_files),
        )
        return Documents(self.from_, self.follow, reading, self.limits, self.fetch, formats, self, self.progress)


def validate(src: Sources, *, ledger: Ledger | None = None, **options: Any) -> list[Finding]:
    """What is wrong with one or several documents, in the order in which it was found.

    ``src`` is what :func:`convert` takes; the options are the fields of :class:`Options`. Pass a ``ledger`` to see the
    counts. Raises UrlsetError if no document could be read; the ledger then tells what was found until there.
    """
    book = Ledger() if ledger is None else ledger
    check_names(options, Options)
    run(src, Options(**options), book)
    return book.findings


def run(src: Sources, options: Options, ledger: Ledger) -> None:
    """:func:`validate` with a ledger of the caller's.

    Nothing is written: ``counts.written`` is the number of sound entries, so that every record is accounted for here
    too.
    """
    ledger.reported = options.rules().__contains__
    job = _Validation(options)
    formats = Registry(map(job.watched, options.registry))
    with closing(job), failing_with_folder():
        with closing(options.documents(formats).read(listed(src), ledger)) as entries:
            for _ in entries:
                ledger.counts.written += 1
        job.finish()
    ledger.check()


def _fitting(patterns: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for pattern in patterns:
        rules = fitting(pattern)
        if not rules:
            raise unknown(pattern)
        found.update(rule.id for rule in rules)
    return frozenset(found)


class _Lists(NamedTuple):
    """A document that lists others: its account, and the origin of the robots.txt that vouches for what is listed."""

    account: Account
    vouched: str


class _Validation:
    """Puts checks behind every reader, so that documents are checked wherever they are listed."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._now = options.moment()
        self._database = Database()
        self._clusters = Clusters(self._database)
        self._lists: dict[str, _Lists] = {}  # those that are followed, by name

    def watched(self, found: Format) -> Format:
        """The format, its reader followed by the checks."""
        read = found.read
        if read is None:
            return found

        def checked(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
            document = self._document(source, account, found)
            repeats = addresses.Repeats(document, self._database)
            chosen = [repeats, *self._checks(document, repeats)]
            looks = [check.look for check in chosen]
            if account.listing:
                self._lists[account.name] = _Lists(account, _vouched(document))
            self._begin(document)
            whole = False
            try:
                for entry in read(source, account, options):
                    page = Page.of(entry)
                    for look in looks:
                        look(page)
                    yield entry
                whole = True
            except UrlsetError:
                whole = True  # as far as it goes
                raise
            finally:
                if whole:  # and not broken off from outside
                    self._end(document, chosen)
                repeats.addresses.close()

        return replace(found, read=checked, batches=None)

    def finish(self) -> None:
        """Say what only the last document could tell."""
        self._clusters.finish()

    def close(self) -> None:
        """Remove what was kept."""
        self._database.close()

    def _begin(self, document: Document) -> None:
        """What can be said before the first entry; a folder has no bytes to speak of."""
        if document.format.of_folders:
            return
        file.remark_on_bytes(document)
        file.remark_on_prolog(document)
        engines.remark_on_format(document)

    def _end(self, document: Document, checks: Iterable[Check]) -> None:
        """What can be said once the document was read."""
        for check in checks:
            check.finish()
        lists.remark_on_version(document)
        lists.remark_on_heading(document)
        if self._options.xsd and document.account.status == "ok":
            file.check_schema(document, self._options.encoding)

    def _checks(self, document: Document, repeats: addresses.Repeats) -> Iterator[Check]:
        bounds = self._options.bounds
        yield addresses.Oddities(document)
        yield dates.Dates(document)
        yield hints.Hints(document)
        yield _Blocks(
            (
                images.Images(document, bounds),
                videos.Videos(document, bounds),
                news.Articles(document),
                Alternates(document, self._clusters, repeats.addresses),
                foreign.Foreign(document),
            )
        )
        if document.address is not None:
            yield Scope(document, document.address)
            if document.format.name == "sitemap-index" and not document.account.listing:
                yield lists.Itself(document, document.address)
        if document.format.name in SUBMITTED:
            yield file.Size(document, bounds)
        if document.format.name == "robots":
            yield lists.Disallowed(document)
        if document.listed is not None and document.listed.entry.lastmod is not None:
            yield dates.Children(document, document.listed.entry.lastmod)
        for engine in ("yandex", "baidu"):
            if engine in document.engines:
                yield engines.Lengths(document, engine)
        if "bing" in document.engines:
            yield engines.Times(document)

    def _document(self, source: Source, account: Account, found: Format) -> Document:
        parent, entry = self._lists.get(account.parent or ""), account.listed
        given = self._options.url if account.parent is None else None
        # What is no sitemap has a scope only if somebody says so.
        fetched = source.location if found.lists_sources or found.name in SUBMITTED else None
        return Document(
            account,
            found,
            source,
            self._now,
            given or fetched or (entry.loc if entry is not None else None),
            parent.vouched if parent is not None else "",
            Listed(parent.account, entry) if parent is not None and entry is not None else None,
            frozenset(self._options.engines),
        )


def _vouched(document: Document) -> str:
    """The origin for whose pages the documents that this one lists may speak."""
    if document.vouches and document.address is not None:
        return urls.origin(document.address)
    return document.vouched


class _Blocks:
    """Checks of blocks, for the few entries that have any."""

    def __init__(self, checks: tuple[Check, ...]) -> None:
        self._checks = checks

    def look(self, page: Page) -> None:
        """The next entry."""
        if page.entry.has_blocks:
            for check in self._checks:
                check.look(page)

    def finish(self) -> None:
        """There are no more entries."""
        for check in self._checks:
            check.finish()
