"""The job of a configuration: all its inputs, in the order of the file, into one sitemap."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path

from urlset.converters import convert
from urlset.converters.convert import Result
from urlset.converters.generator.config import Config, Input, begins_with, columns, read_config
from urlset.converters.generator.news import news_list
from urlset.converters.options import Options, Rejects
from urlset.converters.output import Target
from urlset.converters.own_files import own_files
from urlset.converters.progress import Meter, OnProgress
from urlset.converters.sources.reading import Documents
from urlset.converters.steps import OnLoss
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batch, slices
from urlset.formats.vocabulary.entry import Entry, Origin, sound
from urlset.formats.vocabulary.errors import StrictError, UrlsetError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger
from urlset.formats.vocabulary.record import (
    SCHEME_OR_PORT,
    changefreq_of,
    date_of,
    priority_of,
    usable_loc,
)
from urlset.formats.vocabulary.registry import Registry

SITEMAPS = ("sitemap", "sitemap-0.84", "sitemap-index")
"""The formats that an input ``sitemap`` may be in."""


def run(
    config: str | os.PathLike[str],
    dst: Target | None = None,
    *,
    strict: bool = False,
    rejects: Rejects | None = None,
    max_urls: int | None = None,
    max_bytes: int | None = None,
    gzip: bool = False,
    on_loss: OnLoss = "warn",
    own_files: Sequence[str | os.PathLike[str]] = (),
    progress: OnProgress | None = None,
    ledger: Ledger | None = None,
) -> Result:
    """Do today what a configuration of sitemap_gen.py asks for, and write a sitemap 0.9 to its ``store_into``.

    ``dst`` is written instead where given. Relative paths in the configuration are meant from the folder that it is in
    (sitemap_gen.py took the current one). The other options are those of :class:`Options`. Pass a ``ledger`` to see
    what was found also if an error is raised. Raises ReadError for a configuration that is wrong, and UrlsetError if
    nothing could be written.

    The entries are those of all inputs that lie below ``base_url``, filtered, one for each address (the first stays),
    sorted by address.
    """
    book = Ledger() if ledger is None else ledger
    account = book.open(os.fspath(config))
    account.format = "generator-config"
    found = _read(config, account)
    target = found.path(found.store_into) if dst is None else dst
    convert.distinct({"the output": target}, [config])
    options = Options(
        to="sitemap",
        base_url=found.base_url,
        strict=strict,
        rejects=rejects,
        max_urls=max_urls,
        max_bytes=max_bytes,
        gzip=gzip,
        filters=found.filters,
        dedupe="first",
        sort=True,
        on_loss=on_loss,
        own_files=own_files,
        progress=progress,
    )
    job = _Job(found, target, options, account)
    outputs = {"the output": target, **{f"the file {own}": own for own in own_files}}
    convert.distinct(outputs, [config, *(path for path in job.files() if path.is_file())])
    convert.run_batches(map(Batch, slices(job.entries())), target, options, book, [Path(config), *job.files()])
    return Result(book)


def _read(config: str | os.PathLike[str], account: Account) -> Config:
    try:
        found = read_config(config, account)
    except UrlsetError as error:
        account.status = "failed"
        if error.rule != "invalid-setting":  # these are told one by one
            account.fail(error)
        raise
    _remark(found, account)
    return found


def _remark(config: Config, account: Account) -> None:
    """Say which settings have no effect any more."""
    told = {
        "suppress_search_engine_notify": (
            config.notifies,
            "search engines are not told of the sitemap, since they take no pings any more; name it in robots.txt",
        ),
        "accesslog": (
            any(one.kind == "accesslog" for one in config.inputs),
            "priorities are not derived from the number of visits",
        ),
        "sitemap_type": (
            config.sitemap_type == "mobile",
            "the sitemap is written as one of the web: search engines make no use of mobile sitemaps any more",
        ),
        "default_encoding": (
            config.default_encoding is not None,
            "the encoding of each file is recognised, and names of files keep their bytes",
        ),
    }
    for name, (applies, message) in told.items():
        if applies:
            account.find("setting-without-effect", message, value=name)


class _Job:
    """Reads the inputs of a configuration."""

    def __init__(self, config: Config, target: Target, options: Options, account: Account) -> None:
        self._config = config
        self._account = account
        self._ledger = account.ledger
        self._options = options
        self._own = _own(target, options)
        self._own_address = _own_address(config.base_url, target)
        known = options.progress
        self._meter = Meter(known, self._ledger, self.files()) if known is not None else None

    def files(self) -> list[Path]:
        """The files and folders that are read."""
        return [path for one in self._config.inputs if "path" in one.values for path in self._paths(one)]

    def entries(self) -> Iterator[Entry]:
        """The entries below the base URL, in the order of the inputs.

        An input that can't be read is noted and the next one is read; raises the last one's error if none could be.
        """
        failure: UrlsetError | None = None
        any_read = False
        for one in self._config.inputs:
            try:
                yield from self._within(self._read(one))
                any_read = True
            except StrictError:
                raise
            except UrlsetError as error:
                failure = error
        if failure is not None and not any_read:
            raise failure
        if self._meter is not None:
            self._meter.finish()

    def _read(self, one: Input) -> Iterator[Entry]:
        if one.kind == "url":
            return self._url(one)
        return self._documents(one).read_watched(self._paths(one), self._ledger, self._meter)

    def _url(self, one: Input) -> Iterator[Entry]:
        account, line, values = self._account, one.line, one.values
        account.count()
        href = urls.trim(values["href"])
        if not urls.is_absolute(href) and not SCHEME_OR_PORT.match(href):
            href = urls.resolve(self._config.base_url, href)
        options = ReadOptions()
        raw = {name: value for name, value in values.items() if name != "href"}
        loc = usable_loc(account, options, href, line, fields={"loc": values["href"], **raw})
        if loc is not None:
            fields = {
                "lastmod": date_of(account, options, values.get("lastmod"), line),
                "changefreq": changefreq_of(account, values.get("changefreq"), line),
                "priority": priority_of(account, values.get("priority"), line),
            }
            yield sound(loc, Origin(account.name, line), fields)

    def _documents(self, one: Input) -> Documents:
        """How the files of an input are read."""
        known = self._options.documents()
        reading = ReadOptions(encoding=one.values.get("encoding"))
        if one.kind == "directory":
            default_file = one.values.get("default_file", self._options.default_file)
            reading = ReadOptions(one.values["url"], default_file=default_file, own=self._own)
            return replace(known, from_="folder", options=reading)
        if one.kind == "accesslog":
            return replace(known, from_="access-log", options=replace(reading, base_url=self._config.base_url))
        if one.kind == "sitemap":
            formats = Registry([known.registry[name] for name in SITEMAPS])
            return replace(known, options=reading, registry=formats)
        if "tag_order" in one.values and self._config.sitemap_type == "news":
            news = news_list(columns(one.values["tag_order"]))
            return replace(known, from_=news.name, options=reading, registry=Registry([news]))
        return replace(known, from_="text", options=replace(reading, urllist=True))

    def _paths(self, one: Input) -> list[Path]:
        """The files that a path with wildcards names, sorted; the path itself if there is none."""
        name, folder = one.values["path"], self._config.folder
        named = [] if one.kind == "directory" else sorted(glob(name, root_dir=folder))  # noqa: PTH207 - root_dir
        return [self._config.path(found) for found in named or [name]]

    def _within(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Without entries outside the base URL, and without the sitemaps themselves, as sitemap_gen.py has it."""
        base = self._config.base_url
        for entry in entries:
            if not begins_with(base, entry.loc):
                message = f"the address does not begin with the base_url, {base}; it is left out"
                account, line = self._place(entry)
                account.find("outside-base-url", message, line=line, value=entry.loc, field="loc")
            elif self._own_address is not None and self._own_address.fullmatch(entry.loc):
                message = "a sitemap of this job is no page; it is left out"
                account, line = self._place(entry)
                account.find_cause("sitemap-as-page", "own", message, line=line, value=entry.loc)
            else:
                yield entry
                continue
            account.filter()

    def _place(self, entry: Entry) -> tuple[Account, int | None]:
        """The account of the document that an entry came from, which is one of the last, and the line."""
        source, line = (entry.origin.source, entry.origin.line) if entry.origin else (self._account.name, None)
        found = (account for account in reversed(self._ledger.accounts) if account.name == source)
        return next(found, self._account), line


def _own(target: Target, options: Options) -> Mapping[str, re.Pattern[str]]:
    """The files that a folder does not list: today's and, under the names of their time, those of sitemap_gen.py."""
    known = dict(own_files(target, (options.rejects, *options.own_files)))
    if (path := _path(target)) is not None:
        folder = os.path.realpath(path.parent)
        known[folder] = re.compile(f"{known[folder].pattern}|{_old_names(path.name)}", re.DOTALL)
    return known


def _own_address(base: str, target: Target) -> re.Pattern[str] | None:
    path = _path(target)
    return None if path is None else re.compile(f"{re.escape(base)}(?:{_old_names(path.name)})")


def _path(target: Target) -> Path | None:
    return Path(target) if isinstance(target, str | os.PathLike) and target != "-" else None


def _old_names(name: str) -> str:
    """``sitemap*.xml`` and ``sitemap_index.xml`` for sitemap.xml, which hold the names of today's parts too."""
    suffix = re.search(r"(?:\.xml)?(?:\.gz)?\Z", name, re.IGNORECASE)
    ending = suffix[0] if suffix else ""
    prefix = re.escape(name.removesuffix(ending))
    return rf"{prefix}[^/]*{re.escape(ending)}|{prefix}_index\.xml"
