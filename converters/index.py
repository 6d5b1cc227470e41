"""A sitemap index over sitemap files that exist."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from urlset.converters.convert import Result, check_has_address
from urlset.converters.options import Options, options_of
from urlset.converters.output import FileSet, StandardOutput, Target
from urlset.converters.output import Limits as PartLimits
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.errors import NothingReadError, OptionError, SourceError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger


def index(files: Iterable[str | os.PathLike[str]], dst: Target, **options: Any) -> Result:
    """Write a sitemap index that lists ``files``, in their order.

    Each child's lastmod is the newest instant among its entries, or absent. ``base_url`` is the address of the folder
    where the files live; without it they are taken to live at the root of their entries' one origin. A file that
    can't be read is left out with an error. Raises UrlsetError if there is nothing to list.
    """
    ledger = Ledger()
    run(list(files), dst, options_of(options), ledger)
    return Result(ledger)


def run(files: list[str | os.PathLike[str]], dst: Target, options: Options, ledger: Ledger) -> None:
    """:func:`index` with a ledger of the caller's."""
    ledger.strict = options.strict
    folder = next((file for file in files if Path(file).is_dir()), None)
    if folder is not None:
        raise SourceError("it is a folder; name its files", source=os.fspath(folder))
    target = options.registry.writer("sitemap-index")
    limits = PartLimits(options.max_urls, options.max_bytes)
    try:
        with _opened(dst, options, limits, ledger) as output:
            for child in _children(files, options, ledger):
                output.add(child)
            if not output.written:
                raise NothingReadError("there is no sitemap to list", rule="empty-inventory")
            output.commit()
            ledger.counts.written = output.written
    except BaseException:
        ledger.abandon()
        raise
    assert target.lists_sources  # noqa: S101
    ledger.check()


def _opened(dst: Target, options: Options, limits: PartLimits, ledger: Ledger) -> FileSet | StandardOutput:
    target = options.registry.writer("sitemap-index")
    if isinstance(dst, str | os.PathLike) and dst != "-":
        return FileSet(
            Path(dst),
            target,
            target,
            ledger,
            limits=limits,
            gzipped=options.gzip,
            base_url=options.base_url,
            addressed=options.robots_line,
        )
    check_has_address(options)
    return StandardOutput(None if dst == "-" else dst, target, ledger, limits=limits, gzipped=options.gzip)  # type: ignore[arg-type]


def _children(files: list[str | os.PathLike[str]], options: Options, ledger: Ledger) -> Iterator[Entry]:
    folders: set[str] = set()
    for file in files:
        newest, folder = _newest(file, options, ledger)
        if folder is None:
            continue
        folders.add(folder)
        if len(folders) > 1:
            message = "the files list pages of several hosts, so their address can't be known; name it with --base-url"
            raise OptionError(message, source=os.fspath(file))
        ledger.counts.read += 1
        yield Entry(loc=folder + Path(file).name, lastmod=newest, origin=Origin(os.fspath(file)))
    if folders and options.base_url is None:
        (folder,) = folders
        message = f"the files are taken to live at {folder}; name another place with --base-url"
        ledger.add(Finding("base-url-assumed", "warning", message, os.fspath(files[0]), value=folder))


def _newest(file: str | os.PathLike[str], options: Options, ledger: Ledger) -> tuple[LastMod | None, str | None]:
    """The newest lastmod of a file, and the address of its folder (None: the file can't be read)."""
    from urlset.formats.vocabulary.urls import origin, to_uri

    own = Ledger(strict=ledger.strict)
    newest: LastMod | None = None
    root: str | None = None
    try:
        for entry in options.documents().read_watched([file], own, None):
            root = root or f"{origin(to_uri(entry.loc))}/"
            if entry.lastmod is not None and (newest is None or entry.lastmod > newest):
                newest = entry.lastmod
    finally:
        ledger.accounts.extend(own.accounts)
        for finding in own.findings:
            ledger.add(finding)
    return newest, options.base_url.rstrip("/") + "/" if options.base_url else root
