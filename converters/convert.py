"""The main job: any format into any other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, cast

from urlset.converters import steps, update
from urlset.converters.explore.frames import Frame
from urlset.converters.given import given
from urlset.converters.options import Options, Sources, listed, options_of
from urlset.converters.output import FileSet, Limits, StandardOutput, Target
from urlset.converters.rejects import reject_file
from urlset.converters.sources.fetch import is_address
from urlset.converters.sources.remote import is_remote, landing
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import SIZE, Batch, Batches, slices
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.errors import EmptyInventoryError, NothingReadError, OptionError, UrlsetError, WriteError
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger, Output, ReportDict


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

    def __repr__(self) -> str:
        return f"<Result: {self.ledger.in_short()}>"


def convert(src: Sources, dst: Target, **options: Any) -> Result:
    """Convert one or several documents into ``dst``.

    ``src`` is a path (of a file or a folder), the http(s) address of a document or a site, the address of a file in a
    store (``s3://``), ``"-"`` (standard input), bytes, an open binary file, or a list of these; ``dst`` a path, the
    address of a file in a store, ``"-"`` or an open binary file. The options are the fields of :class:`Options`.
    Raises UrlsetError if nothing could be done; then nothing was written.
    """
    ledger = Ledger()
    run(src, dst, options_of(options), ledger)
    return Result(ledger)


def read(src: Sources, *, ledger: Ledger | None = None, **options: Any) -> Iterator[Entry]:
    """The entries of one or several documents, as a stream.

    The options are those of :func:`convert` that bear on reading. Pass a ``ledger`` to see the findings and counts.
    Raises OptionError at once, and UrlsetError on the way if no document could be read.
    """
    chosen = options_of(options)
    book = Ledger() if ledger is None else ledger
    book.strict = book.strict or chosen.strict
    entries: Iterator[Entry] = chosen.documents().read(listed(src), book)
    for step in chosen.steps(book):
        entries = step(entries)
    return entries


def read_batches(src: Sources, ledger: Ledger, **options: Any) -> Batches:
    """The same many at a time, as columns where a reader has them so."""
    chosen = options_of(options)
    if chosen.steps(ledger):
        yield from map(Batch, slices(read(src, ledger=ledger, **options)))
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
    chosen = options_of(options)
    if chosen.update:
        update.check(dst)
    with landing(dst, ledger) as target, ExitStack() as stack:
        _prepare(chosen, target, ledger, stack)
        _write(map(Batch, slices(given(entries, chosen, ledger))), target, chosen, ledger)
    return Result(ledger)


def run(src: Sources, dst: Target, options: Options, ledger: Ledger) -> None:
    """:func:`convert` with a ledger of the caller's, which then tells what happened also if an error is raised."""
    sources = listed(src)
    # Closed whatever happens, so that nothing is fetched any more once the job has ended.
    with closing(options.documents(dst).batches(sources, ledger)) as batches:
        run_batches(batches, dst, options, ledger, sources)


def run_batches(
    batches: Iterable[Batch], dst: Target, options: Options, ledger: Ledger, sources: Sequence[object] = ()
) -> None:
    """Take entries that a reader has checked through the steps to ``dst``; ``sources`` are not overwritten."""
    if options.update:
        update.check(dst)
    with landing(dst, ledger) as target, ExitStack() as stack:
        _prepare(options, target, ledger, stack, sources)
        _write(batches, target, options, ledger, [Path(cast("str", one)) for one in sources if _is_path(one)])


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
    return Path(os.path.realpath(cast("str", path)))


def _write(
    batches: Iterable[Batch], dst: Target, options: Options, ledger: Ledger, sources: Sequence[Path] = ()
) -> None:
    target = _target(dst, options)
    if options.update:
        batches = chain(update.held(dst, target, options.documents(dst), options.gzip, ledger), batches)
    losses = steps.Losses(target)
    if chosen := options.steps(ledger):
        entries: Iterable[Entry] = chain.from_iterable(batches)
        for step in chosen:
            entries = step(entries)
        batches = map(Batch, slices(entries))
    try:
        with _opened(dst, target, options, ledger, sources) as output:
            _fill(output, batches, losses, target, ledger)
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
    output: FileSet | StandardOutput, batches: Iterable[Batch], losses: steps.Losses, target: Format, ledger: Ledger
) -> None:
    in_columns = target.write is not None and target.write.takes_columns
    for batch in batches:
        core = batch.columns() if in_columns else None
        some = [*batch] if core is None else core
        losses.see(some)
        _add(output, some, target, ledger)


def _add(output: FileSet | StandardOutput, some: Sequence[Entry] | Core, target: Format, ledger: Ledger) -> None:
    """Write columns as a whole if they fit, or in halves; entries, and small columns, one by one."""
    if not isinstance(some, Core):
        add_each(output, some, target, ledger)
    elif not output.add_plain(some):
        number = len(some.locs)
        if some.held is None and number > SIZE:
            for start, stop in ((0, number // 2), (number // 2, number)):
                _add(output, some.part(start, stop), target, ledger)
        else:
            add_each(output, some.entries(), target, ledger)


def add_each(output: FileSet | StandardOutput, entries: Iterable[Entry], target: Format, ledger: Ledger) -> None:
    """Write entries one by one; what the target can't express is rejected. Raises UrlsetError as ``add`` does."""
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
            update=options.update,
        )
    check_has_address(options)
    stream = None if isinstance(dst, str | os.PathLike) else dst
    return StandardOutput(stream, target, ledger, limits=limits, gzipped=options.gzip)


def check_has_address(options: Options) -> None:
    """Raise OptionError if the address of standard output is asked for."""
    if options.robots_line:
        raise OptionError("standard output has no address to name in a robots.txt; write to a path (--robots-line)")
