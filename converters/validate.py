"""Validation: everything that reading finds, and the rules of practice besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from urlset.converters import checks
from urlset.converters.checks import Bounds, Check, Document, Page
from urlset.converters.convert import Sources, listed
from urlset.converters.fetch import Fetch, fetch
from urlset.converters.hreflang import Alternates, Clusters
from urlset.converters.reading import Documents
from urlset.formats import registry
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod, parse_zone
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Source


@dataclass(frozen=True)
class Options:
    """Everything that a validation can be told; the command line has the same names.

    ``url`` is the address where the sources live; of it the scope follows, that is which URLs they may list. A source
    that was fetched, or is listed by one whose address is known, has its own. ``now`` is what the age of news is
    measured from: W3C Datetime, or an aware datetime; by default the time of the call.
    """

    from_: str | None = None
    base_url: str | None = None
    url: str | None = None
    now: LastMod | datetime | str | None = None
    follow: bool = True
    encoding: str | None = None
    assume_zone: str | None = None
    bounds: Bounds = field(default_factory=Bounds)
    fetch: Fetch = fetch
    limits: Limits = field(default_factory=Limits)
    registry: Registry = field(default_factory=registry)

    def __post_init__(self) -> None:
        for name in ("base_url", "url"):
            value = getattr(self, name)
            if value is not None and not urls.is_absolute(value):
                raise OptionError(f"{name} must be an absolute http(s) address, not {value!r}", value=value)
        self.moment()

    def moment(self) -> LastMod:
        """What counts as now. Raises OptionError if it can't be understood."""
        now = datetime.now(UTC) if self.now is None else self.now
        try:
            return now if isinstance(now, LastMod) else LastMod(now) if isinstance(now, str) else LastMod.from_date(now)
        except ValueError as error:
            raise OptionError(f"now must be W3C Datetime such as 2024-05-06T07:08:09Z: {error}") from error

    def documents(self, formats: Registry) -> Documents:
        """How the sources are read."""
        zone = parse_zone(self.assume_zone) if self.assume_zone else None
        reading = ReadOptions(self.base_url, self.encoding, zone, remark=True)
        return Documents(self.from_, self.follow, reading, self.limits, self.fetch, formats)


def validate(src: Sources, *, ledger: Ledger | None = None, **options: Any) -> list[Finding]:
    """What is wrong with one or several documents, in the order in which it was found.

    ``src`` is what :func:`convert` takes; the options are the fields of :class:`Options`. Pass a ``ledger`` to see the
    counts. Raises UrlsetError if no document could be read; the ledger then tells what was found until there.
    """
    book = Ledger() if ledger is None else ledger
    run(src, Options(**options), book)
    return book.findings


def run(src: Sources, options: Options, ledger: Ledger) -> None:
    """:func:`validate` with a ledger of the caller's.

    Nothing is written: ``counts.written`` is the number of sound entries, so that every record is accounted for here
    too.
    """
    job = _Validation(options)
    formats = Registry(map(job.watched, options.registry))
    for _ in options.documents(formats).read(listed(src), ledger):
        ledger.counts.written += 1
    job.finish()
    ledger.check()


class _Place(NamedTuple):
    """Where a document lives (None: unknown, or of no concern), and the origin of the robots.txt that led there."""

    address: str | None = None
    vouched: str = ""


class _Validation:
    """Puts checks behind every reader, so that documents are checked wherever they are listed."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._now = options.moment()
        self._clusters = Clusters()
        # By the name of a list that is followed: where the child lives that it named last.
        self._child: dict[str, _Place] = {}

    def watched(self, found: Format) -> Format:
        """The format, its reader followed by the checks."""
        read = found.read
        if read is None:
            return found

        def checked(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
            place = self._place(source, account, found)
            document = Document(account, found, place.address, place.vouched)
            chosen = self._checks(document, source)
            try:
                for entry in read(source, account, options):
                    page = Page(entry, urls.dedupe_key(entry.loc))
                    for check in chosen:
                        check.look(page)
                    self._note_child(document, entry)
                    yield entry
            finally:
                # Also of a document that could be read in part only.
                for check in chosen:
                    check.finish()

        return replace(found, read=checked)

    def finish(self) -> None:
        """Say what only the last document could tell."""
        self._clusters.finish()

    def _checks(self, document: Document, source: Source) -> list[Check]:
        bounds = self._options.bounds
        addresses = checks.Addresses(document)
        chosen: list[Check] = [
            addresses,
            checks.Images(document, bounds),
            checks.Videos(document, bounds),
            checks.Articles(document, self._now),
            Alternates(document, self._clusters, addresses.keys),
        ]
        if document.address is not None and not document.vouches:
            chosen.append(checks.Scope(document, document.address))
        if document.format.name in checks.SUBMITTED:
            chosen.append(checks.Size(document, bounds, source))
        return chosen

    def _place(self, source: Source, account: Account, found: Format) -> _Place:
        known = self._child.get(account.parent or "", _Place())
        given = self._options.url if account.parent is None else None
        # What is no sitemap has a scope only if somebody says so.
        fetched = source.location if found.lists_sources or found.name in checks.SUBMITTED else None
        return known._replace(address=given or fetched or known.address)

    def _note_child(self, document: Document, entry: Entry) -> None:
        if document.account.listing and document.address is not None:
            vouched = urls.origin(document.address) if document.vouches else document.vouched
            self._child[document.account.name] = _Place(entry.loc, vouched)
