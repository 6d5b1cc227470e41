"""The main job: any format into any other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, cast

from urlset.converters import steps, update
from urlset.converters.clock import moment
from urlset.converters.fetch import Fetch, fetch
from urlset.converters.output import FileSet, Target
from urlset.converters.own_files import own_files
from urlset.converters.parts import Limits
from urlset.converters.reading import Documents
from urlset.converters.rejects import reject_file
from urlset.converters.standard_output import StandardOutput
from urlset.formats import registry
from urlset.formats.vocabulary import urls
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
Progress = Callable[[int], None]
"""Called now and then with the number of entries read so far."""

PROGRESS_EVERY = 2_000


@dataclass(frozen=True)
class Options:
    """Everything that a conversion can be told; the command line has the same names.

    ``max_bytes`` is in bytes, uncompressed. ``rejects`` is a path or a function that takes each Reject.
    ``assume_zone`` is a name such as UTC, +02:00 or Europe/Prague. ``fetch(url) -> bytes`` stands in for HTTP.

    A folder lists neither the output with its parts nor ``rejects``, nor ``own_files``, which are others that the
    caller writes, such as a report.

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
    follow: bool = True
    encoding: str | None = None
    assume_zone: str | None = None
    indexable: bool = False
    xsd: bool = False
    default_file: str = "index.html"
    own_files: Sequence[str | os.PathLike[str]] = ()
    on_loss: steps.OnLoss = "warn"
    news_name: str | None = None
    news_language: str | None = None
    now: LastMod | datetime | str | None = None
    fetch: Fetch = fetch
    limits: ReadLimits = field(default_factory=ReadLimits)
    registry: Registry = field(default_factory=registry)
    progress: Progress | None = None

    def __post_init__(self) -> None:
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
        return Documents(self.from_, self.follow, reading, self.limits, self.fetch, self.registry)

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

    def report(self) -> ReportDict:
        """The object of ``--report``."""
        return self.ledger.report()


def convert(src: Sources, dst: Target, **options: Any) -> Result:
    """Convert one or several documents into ``dst``.

    ``src`` is a path (of a file or a folder), an http(s) address, ``"-"`` (standard input), bytes, an open binary file,
    or a list of these; ``dst`` a path, ``"-"`` or an open binary file. The options are the fields of :class:`Options`.
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


def write(entries: Iterable[Entry], dst: Target, **options: Any) -> Result:
    """Write entries to ``dst``; an entry whose address no URL can be made of is rejected.

    The options are those of :func:`convert` that bear on writing. Raises UrlsetError if nothing could be written.
    """
    ledger = Ledger()
    chosen = _options(options)
    account = ledger.open("<entries>")
    with ExitStack() as stack:
        _prepare(chosen, dst, ledger, stack)
        _write(checked(entries, account), dst, chosen, ledger)
    return Result(ledger)


def run(src: Sources, dst: Target, options: Options, ledger: Ledger) -> None:
    """:func:`convert` with a ledger of the caller's, which then tells what happened also if an error is raised."""
    sources = listed(src)
    run_entries(options.documents(dst).read(sources, ledger), dst, options, ledger, sources)


def run_entries(
    entries: Iterable[Entry], dst: Target, options: Options, ledger: Ledger, sources: Sequence[object] = ()
) -> None:
    """Take entries that a reader has checked through the steps to ``dst``; ``sources`` are not overwritten."""
    with ExitStack() as stack:
        _prepare(options, dst, ledger, stack, sources)
        _write(entries, dst, options, ledger, [Path(cast("str", one)) for one in sources if _is_path(one)])


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
    return isinstance(thing, str | os.PathLike) and thing != "-"


def _file(path: object) -> Path:
    return Path(cast("str", path)).resolve()


def checked(entries: Iterable[Entry], account: Account) -> Iterator[Entry]:
    """Entries that a caller made: none of them went through a reader's checks."""
    for row, entry in enumerate(entries, 1):
        account.count()
        problem = next((one for one in urls.inspect(entry.loc) if not one.usable), None)
        if problem is None:
            yield entry
        else:
            account.reject(problem.rule, f"row {row}: {problem.message}", value=entry.loc, fields={"loc": entry.loc})


def _write(
    entries: Iterable[Entry], dst: Target, options: Options, ledger: Ledger, sources: Sequence[Path] = ()
) -> None:
    if options.update:
        update.check(dst)
    target = _target(dst, options)
    if options.update:
        entries = chain(update.held(dst, target, options.documents(dst), options.gzip, ledger), entries)
    losses = steps.Losses(target)
    for step in options.steps(ledger):
        entries = step(entries)
    entries = losses.watch(entries)
    if options.progress is not None:
        entries = shown(entries, options.progress)
    try:
        with _opened(dst, target, options, ledger, sources) as output:
            _fill(output, entries, target, ledger)
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


def _fill(output: FileSet | StandardOutput, entries: Iterable[Entry], target: Format, ledger: Ledger) -> None:
    for entry in entries:
        try:
            output.add(entry)
        except UrlsetError:
            raise
        except ValueError as error:
            steps.reject(entry, "invalid-host", f"{target.title} can't express it: {error}", ledger)


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
        )
    stream = None if isinstance(dst, str | os.PathLike) else dst
    return StandardOutput(stream, target, ledger, limits=limits, gzipped=options.gzip)


def shown(entries: Iterable[Entry], progress: Progress) -> Iterator[Entry]:
    """Pass entries through, and tell their number now and then."""
    number = 0
    for number, entry in enumerate(entries, 1):
        if number % PROGRESS_EVERY == 0:
            progress(number)
        yield entry
    progress(number)
