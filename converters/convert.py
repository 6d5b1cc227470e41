"""The main job: any format into any other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, cast

from urlset.converters import steps, update
from urlset.converters.clock import moment
from urlset.converters.explore.frames import Frame, entries_of, is_frame
from urlset.converters.output import FileSet, Limits, StandardOutput, Target
from urlset.converters.own_files import own_files
from urlset.converters.progress import Meter, OnProgress
from urlset.converters.rejects import reject_file
from urlset.converters.sources.fetch import Fetch, fetch, is_address
from urlset.converters.sources.reading import Documents
from urlset.converters.sources.remote import is_remote, landing
from urlset.converters.sources.web.settings import Http
from urlset.formats import registry
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import ENTRIES, Batch, Batches, slices
from urlset.formats.vocabulary.dates import LastMod, parse_zone
from urlset.formats.vocabulary.entry import Entry, Publication
from urlset.formats.vocabulary.errors import EmptyInventoryError, NothingReadError, OptionError, UrlsetError, WriteError
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger, Output, Reject, ReportDict
from urlset.formats.vocabulary.limits import Limits as ReadLimits
from urlset.formats.vocabulary.news import Paper
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Openable

Sources: TypeAlias = "Openable | Sequence[Openable]"
Rejects = str | os.PathLike[str] | Callable[[Reject], None]

CHECKED_AT_ONCE = 1_000
"""Entries of a caller's between two looks at the clock for the sake of ``progress``."""


@dataclass(frozen=True)
class Options(Http):
    """Everything that a conversion can be told; the command line has the same names.

    ``max_bytes`` is in bytes, uncompressed. ``rejects`` is a path or a function that takes each Reject.
    ``progress`` is called with a :class:`Progress` at most ten times a second, and once when everything was read.
    ``assume_zone`` is a name such as UTC, +02:00 or Europe/Prague. ``fetch(url) -> bytes`` stands in for HTTP, and
    makes the options of :class:`Http`, which are taken here too, those of its own.

    ``follow``: by default what an index or a robots.txt lists is read; True reads the further pages and archives of
    feeds too, False nothing but the sources.

    A folder lists neither the output with its parts nor ``rejects``, nor ``own_files``, which are others that the
    caller writes, such as a report.

    ``robots_line``: nothing is written unless the addresses of the sitemaps are known, by ``base_url`` or because all
    entries are on one origin; see :attr:`Result.sitemap_addresses`.

    ``news_name`` and ``news_language`` (ISO 639, zh-cn or zh-tw) name the paper of a feed: its items become articles,
    and those published more than 48 hours before ``now`` are left out. ``now`` is W3C Datetime or an aware datetime; by
    default the time of the call.

    ``update`` takes what the output holds already for the first source, and merges as ``dedupe="newest"`` does unless
    ``dedupe`` says otherwise.
    """

    from_: str | None = None
    to: str | None = None
    base_url: str | None = None
    strict: bool = False
    rejects: Rejects | None = None
    max_urls: int | None = None
    max_bytes: int | None = None
    gzip: bool = False
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    filters: Sequence[str] = ()
    rewrite: Sequence[str] = ()
    dedupe: steps.Dedupe = "none"
    update: bool = False
    sort: bool = False
    follow: bool | None = None
    encoding: str | None = None
    assume_zone: str | None = None
    indexable: bool = False
    xsd: bool = False
    default_file: str = "index.html"
    own_files: Sequence[str | os.PathLike[str]] = ()
    on_loss: steps.OnLoss = "warn"
    robots_line: bool = False
    news_name: str | None = None
    news_language: str | None = None
    now: LastMod | datetime | str | None = None
    fetch: Fetch = fetch
    limits: ReadLimits = field(default_factory=ReadLimits)
    registry: Registry = field(default_factory=registry)
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("max_urls", "max_bytes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                flag = f"--{name.replace('_', '-')}"
                raise OptionError(f"{name} ({flag}) must be at least 1, not {value}", value=str(value))
        if self.base_url is not None and not urls.is_absolute(self.base_url):
            raise OptionError(f"base_url (--base-url) must be an absolute http(s) address, not {self.base_url!r}")
        check_default_file(self.default_file)
        if self.dedupe not in ("none", "first", "last", "newest"):
            raise OptionError(f"dedupe is none, first, last or newest, not {self.dedupe!r}")
        if self.on_loss not in ("warn", "fail", "ignore"):
            raise OptionError(f"on_loss is warn, fail or ignore, not {self.on_loss!r}")
        self.paper()

    def paper(self) -> Paper | None:
        """The paper whose articles the items of feeds are. Raises OptionError for half of one, or another language."""
        name, language = self.news_name, self.news_language
        now = moment(self.now)
        if name is None and language is None:
            return None
        if not name or not name.strip() or language is None:
            raise OptionError("news_name and news_language (--news-name, --news-language) go together")
        from urlset.converters.checks.news import is_language  # with a database that few conversions need

        if not is_language(language):
            message = "news_language (--news-language) is a lower-case code of ISO 639, zh-cn or zh-tw"
            raise OptionError(f"{message}, not {language!r}", value=language)
        return Paper(Publication(name=name.strip(), language=language), now)

    def documents(self, dst: Target | None = None) -> Documents:
        """How the sources are read, if what comes of them is written to ``dst``."""
        zone = parse_zone(self.assume_zone) if self.assume_zone else None
        own = own_files(dst, (self.rejects, *self.own_files))
        reading = ReadOptions(
            self.base_url,
            self.encoding,
            zone,
            self.indexable,
            default_file=self.default_file,
            own=own,
            paper=self.paper(),
        )
        return Documents(self.from_, self.follow, reading, self.limits, self.fetch, self.registry, self, self.progress)

    def steps(self, ledger: Ledger) -> list[steps.Step]:
        """What happens on the way, in this order: include and exclude, filters, rewrite, XSD, dedupe, sort."""
        chosen: list[steps.Step] = []
        if self.include or self.exclude:
            chosen.append(steps.selected(self.include, self.exclude, ledger))
        if self.filters:
            chosen.append(steps.filtered(self.filters, ledger))
        if self.rewrite:
            chosen.append(steps.rewritten(self.rewrite, ledger))
        if self.xsd:
            chosen.append(steps.within_schema(ledger))
        if self.dedupe != "none" or self.update:
            keep = "newest" if self.dedupe == "none" else self.dedupe
            chosen.append(steps.deduplicated(keep, ledger))
        if self.sort:
            chosen.append(steps.in_order)
        return chosen


@dataclass(frozen=True)
class Result:
    """What a job did. ``ok`` is False if a record was rejected or a finding is an error."""

    ledger: Ledger

    @property
    def outputs(self) -> list[Output]:
        """The files that were written."""
        return self.ledger.outputs

    @property
    def ok(self) -> bool:
        """Whether everything that was read was written, without an error."""
        return not self.ledger.has_errors

    @property
    def sitemap_addresses(self) -> list[str]:
        """The addresses to submit: of the sitemap, or of its index or indexes; none where no base URL tells them."""
        return self.ledger.addresses

    def report(self) -> ReportDict:
        """The object of ``--report``."""
        return self.ledger.report()


def convert(src: Sources, dst: Target, **options: Any) -> Result:
    """Convert one or several documents into ``dst``.

    ``src`` is a path (of a file or a folder), the http(s) address of a document or a site, the address of a file in a
    store (``s3://``), ``"-"`` (standard input), bytes, an open binary file, or a list of these; ``dst`` a path, the
    address of a file in a store, ``"-"`` or an open binary file. The options are the fields of :class:`Options`.
    Raises UrlsetError if nothing could be done; then nothing was written.
    """
    ledger = Ledger()
    run(src, dst, _options(options), ledger)
    return Result(ledger)


def read(src: Sources, *, ledger: Ledger | None = None, **options: Any) -> Iterator[Entry]:
    """The entries of one or several documents, as a stream.

    The options are those of :func:`convert` that bear on reading. Pass a ``ledger`` to see the findings and counts.
    Raises UrlsetError if no document could be read.
    """
    chosen = _options(options)
    book = Ledger() if ledger is None else ledger
    book.strict = book.strict or chosen.strict
    entries: Iterable[Entry] = chosen.documents().read(listed(src), book)
    for step in chosen.steps(book):
        entries = step(entries)
    yield from entries


def read_batches(src: Sources, ledger: Ledger, **options: Any) -> Batches:
    """The same many at a time, as columns where a reader has them so."""
    chosen = _options(options)
    if chosen.steps(ledger) or chosen.progress is not None:
        yield from map(Batch, slices(read(src, ledger=ledger, **options), ENTRIES))
        return
    ledger.strict = ledger.strict or chosen.strict
    with closing(chosen.documents().batches(listed(src), ledger)) as batches:
        yield from batches


def write(entries: Iterable[Entry] | Frame, dst: Target, **options: Any) -> Result:
    """Write entries, or the rows of a DataFrame, to ``dst``; one whose address no URL can be made of is rejected.

    A DataFrame is one of pandas or polars, or whatever exports Arrow columns; its columns are known by the names that
    tables have, and None, NaN, NaT and NA are absent. The options are those of :func:`convert` that bear on writing; a
    time without a zone is left out unless ``assume_zone`` names one, but midnight without a zone is a date. Raises
    UrlsetError if nothing could be written.
    """
    ledger = Ledger()
    chosen = _options(options)
    if chosen.update:
        update.check(dst)
    with landing(dst, ledger) as target, ExitStack() as stack:
        _prepare(chosen, target, ledger, stack)
        _write(_given(entries, chosen, ledger), target, chosen, ledger)
    return Result(ledger)


def run(src: Sources, dst: Target, options: Options, ledger: Ledger) -> None:
    """:func:`convert` with a ledger of the caller's, which then tells what happened also if an error is raised."""
    sources = listed(src)
    # Closed whatever happens, so that nothing is fetched any more once the job has ended.
    with closing(options.documents(dst).read(sources, ledger)) as entries:
        run_entries(entries, dst, options, ledger, sources)


def run_entries(
    entries: Iterable[Entry], dst: Target, options: Options, ledger: Ledger, sources: Sequence[object] = ()
) -> None:
    """Take entries that a reader has checked through the steps to ``dst``; ``sources`` are not overwritten."""
    if options.update:
        update.check(dst)
    with landing(dst, ledger) as target, ExitStack() as stack:
        _prepare(options, target, ledger, stack, sources)
        _write(entries, target, options, ledger, [Path(cast("str", one)) for one in sources if _is_path(one)])


def check_default_file(name: str) -> None:
    """Raise OptionError unless the default file of folders is a name and no path."""
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        message = f"default_file (--default-file) must be the name of a file such as index.html, not {name!r}"
        raise OptionError(message, value=name)


def _options(options: dict[str, Any]) -> Options:
    unknown = sorted(options.keys() - Options.__dataclass_fields__.keys())
    if unknown:
        known = ", ".join(Options.__dataclass_fields__)
        raise OptionError(f"there is no option {unknown[0]!r}; there are {known}")
    return Options(**options)


def listed(src: Sources) -> Sequence[Openable]:
    """One source or several, as several."""
    return src if isinstance(src, list | tuple) else [cast("Openable", src)]


def _prepare(options: Options, dst: Target, ledger: Ledger, stack: ExitStack, sources: Sequence[object] = ()) -> None:
    ledger.strict = options.strict
    if options.rejects is not None and not callable(options.rejects):
        distinct({"rejects (--rejects)": options.rejects, "the output": dst}, sources)
    if options.rejects is not None:
        ledger.rejects = options.rejects if callable(options.rejects) else reject_file(options.rejects, stack)
    options.registry.load_plugins()
    for broken in options.registry.broken:
        account = ledger.open(broken.name)
        account.find("plugin-broken", broken.reason)
        ledger.accounts.remove(account)


def distinct(outputs: Mapping[str, object], sources: Sequence[object] = ()) -> None:
    """Raise OptionError if two of the files that a job writes, or one of them and a source, are the same file.

    ``outputs`` are paths by the name of their option; what is no path (standard output, a stream, None) is no file.
    """
    seen: dict[Path, str] = {_file(one): "a source" for one in sources if _is_path(one)}
    for name, path in outputs.items():
        if _is_path(path):
            other = seen.setdefault(_file(path), name)
            if other != name:
                raise OptionError(f"{name} and {other} name the same file", value=str(path))


def _is_path(thing: object) -> bool:
    if isinstance(thing, str) and (is_address(thing) or is_remote(thing)):
        return False
    return isinstance(thing, str | os.PathLike) and thing != "-"


def _file(path: object) -> Path:
    return Path(cast("str", path)).resolve()


def _given(entries: Iterable[Entry] | Frame, options: Options, ledger: Ledger) -> Iterator[Entry]:
    """Entries or a frame of the caller's; an inventory is asked for its entries, since it knows more of them."""
    if is_frame(entries):
        from urlset.converters.explore.inventory import Inventory  # which builds on this module

        if not isinstance(entries, Inventory):
            return entries_of(entries, ledger.open("<rows>"), options.documents().options)
    meter = Meter(options.progress, ledger) if options.progress is not None else None
    return checked(cast("Iterable[Entry]", entries), ledger.open("<entries>"), meter)


def checked(entries: Iterable[Entry], account: Account, meter: Meter | None) -> Iterator[Entry]:
    """Entries that a caller made: none of them went through a reader's checks."""
    for row, entry in enumerate(entries, 1):
        account.count()
        problem = next((one for one in urls.inspect(entry.loc) if not one.usable), None)
        if problem is None:
            yield entry
        else:
            account.reject(problem.rule, f"row {row}: {problem.message}", value=entry.loc, fields={"loc": entry.loc})
        if meter is not None and row % CHECKED_AT_ONCE == 0:
            meter.tick()
    if meter is not None:
        meter.finish()


def _write(
    entries: Iterable[Entry], dst: Target, options: Options, ledger: Ledger, sources: Sequence[Path] = ()
) -> None:
    target = _target(dst, options)
    if options.update:
        entries = chain(update.held(dst, target, options.documents(dst), options.gzip, ledger), entries)
    losses = steps.Losses(target)
    for step in options.steps(ledger):
        entries = step(entries)
    try:
        with _opened(dst, target, options, ledger, sources) as output:
            _fill(output, entries, losses, target, ledger)
            if not output.written:
                raise _nothing(ledger)
            losses.report(ledger, options.on_loss)
            output.commit()
            ledger.counts.written = output.written
    except OSError as error:
        ledger.abandon()
        if isinstance(error, UrlsetError | BrokenPipeError):
            raise
        where = "standard output" if dst == "-" else str(dst)
        raise WriteError(f"can't be written: {error.strerror or error}", source=where) from error
    except BaseException:
        ledger.abandon()
        raise
    ledger.check()


def _fill(
    output: FileSet | StandardOutput, entries: Iterable[Entry], losses: steps.Losses, target: Format, ledger: Ledger
) -> None:
    for some in slices(entries, ENTRIES):
        losses.see(some)
        if not output.add_plain(some):
            _add_each(output, some, target, ledger)


def _add_each(output: FileSet | StandardOutput, entries: Sequence[Entry], target: Format, ledger: Ledger) -> None:
    for entry in entries:
        try:
            output.add(entry)
        except UrlsetError:
            raise
        except ValueError as error:
            rule = "invalid-host" if isinstance(error, urls.UnmappableHost) else "value-not-carried"
            steps.reject(entry, rule, f"{target.title} can't express it: {error}", ledger)


def _nothing(ledger: Ledger) -> EmptyInventoryError:
    counts = ledger.counts
    message = "there is no entry to write"
    if counts.read:
        message += f": of {counts.read:,} records {counts.rejected:,} were rejected and {counts.filtered:,} filtered"
    account = ledger.open("")
    account.find("empty-inventory", message)
    ledger.accounts.remove(account)
    kind = EmptyInventoryError if counts.read else NothingReadError
    return kind(message, rule="empty-inventory")


def _target(dst: Target, options: Options) -> Format:
    if options.to is not None:
        return options.registry.writer(options.to)
    if isinstance(dst, str | os.PathLike) and dst != "-":
        return options.registry.for_target(os.fspath(dst))
    raise OptionError("standard output has no name that tells the format; name one with --to")


def _opened(
    dst: Target, target: Format, options: Options, ledger: Ledger, sources: Sequence[Path]
) -> FileSet | StandardOutput:
    limits = Limits(options.max_urls, options.max_bytes)
    if isinstance(dst, str | os.PathLike) and dst != "-":
        index = options.registry.writer("sitemap-index")
        return FileSet(
            Path(dst),
            target,
            index,
            ledger,
            limits=limits,
            gzipped=options.gzip,
            base_url=options.base_url,
            keep=sources,
            addressed=options.robots_line,
        )
    check_has_address(options)
    stream = None if isinstance(dst, str | os.PathLike) else dst
    return StandardOutput(stream, target, ledger, limits=limits, gzipped=options.gzip)


def check_has_address(options: Options) -> None:
    """Raise OptionError if the address of standard output is asked for."""
    if options.robots_line:
        raise OptionError("standard output has no address to name in a robots.txt; write to a path (--robots-line)")
