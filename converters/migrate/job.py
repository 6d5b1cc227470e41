"""A whole migration: every file of the plan, and the change of names at the end."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from urlset.converters import steps
from urlset.converters.migrate.indexes import Listing, index_of, next_names, same_bytes
from urlset.converters.migrate.plan import BACKUP, File, Kind, check_targets, plan
from urlset.converters.migrate.rewrite import Rewriter, Rewritten, extender
from urlset.converters.options import check_names
from urlset.converters.output import Limits
from urlset.converters.output.compression import gzip_or_plain
from urlset.converters.output.durability import sync_folders
from urlset.converters.output.parts import Finished
from urlset.converters.output.staging import Move, Staging
from urlset.converters.output.workspace import Place
from urlset.converters.rejects import reject_file
from urlset.converters.sources.fetch import is_address
from urlset.formats import registry
from urlset.formats.vocabulary import in_short, urls
from urlset.formats.vocabulary.dates import parse_zone
from urlset.formats.vocabulary.errors import OptionError, StrictError, UrlsetError, WriteError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger, Output, Reject, ReportDict
from urlset.formats.vocabulary.limits import Limits as ReadLimits
from urlset.formats.vocabulary.registry import Registry


@dataclass(frozen=True)
class Options:
    """Everything that a migration can be told; the command line has the same names.

    ``base_url`` is the address of the folder in which the source lies: an index that has to be made names its parts by
    it. ``in_place`` changes the files where they lie, and keeps each one that it changes under its name with ``.bak``
    behind it. ``max_urls`` and ``max_bytes`` are what one sitemap may hold. ``xsd`` drops dates that the schema of 0.9
    does not allow. ``own_files`` are others that the caller writes, such as a report. ``strict`` stops at whatever
    would be repaired or left out.
    """

    base_url: str | None = None
    in_place: bool = False
    strict: bool = False
    max_urls: int | None = None
    max_bytes: int | None = None
    assume_zone: str | None = None
    xsd: bool = False
    own_files: Sequence[str | os.PathLike[str]] = ()
    rejects: str | os.PathLike[str] | Callable[[Reject], None] | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
    registry: Registry = field(default_factory=registry)

    def __post_init__(self) -> None:
        if self.base_url is not None and (not urls.is_absolute(self.base_url) or re.search("[?#]", self.base_url)):
            raise OptionError(f"base_url must be the absolute address of a folder, not {self.base_url!r}")
        for name in ("max_urls", "max_bytes"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise OptionError(f"{name} must be a positive number, not {value!r}")


class Migrated(NamedTuple):
    """What became of one file: ``place`` is its path below the source, ``was`` what it was, ``entries`` are counted.

    ``became`` is ``migrated``; ``split``; ``copied``, where it was sitemap 0.9 already; ``unchanged``, where the target
    is that already; ``empty`` or ``failed`` (it can't be read), and is copied as it is. ``files`` are the names that
    its contents have now.
    """

    place: str
    was: str
    entries: int | None
    became: str
    files: tuple[str, ...]


class Result:
    """What a migration did."""

    def __init__(self, ledger: Ledger, files: list[Migrated]) -> None:
        self.ledger = ledger
        self.files = files

    @property
    def outputs(self) -> list[Output]:
        """The files that were written."""
        return self.ledger.outputs

    def report(self) -> ReportDict:
        """The object of ``--report``."""
        return self.ledger.report()

    def __repr__(self) -> str:
        became = Counter(file.became for file in self.files)
        files = in_short.number_of(len(self.files), "file")
        told = ", ".join(f"{number:,} {what}" for what, number in became.items())
        return f"<Result: {files}{f' ({told})' if told else ''}{in_short.remarks(self.ledger.findings)}>"


def migrate(
    src: str | os.PathLike[str],
    dst: str | os.PathLike[str] | None = None,
    *,
    ledger: Ledger | None = None,
    **options: Any,
) -> Result:
    """Turn the sitemaps of an old site into sitemaps 0.9, file by file, names and layout kept.

    ``src`` is a sitemap, an index (its children beside it come along) or a folder; ``dst`` the file or folder that is
    written, None with ``in_place``. The options are the fields of :class:`Options`. Raises UrlsetError, and nothing is
    written then.
    """
    check_names(options, Options)
    book = Ledger() if ledger is None else ledger
    return Result(book, run(src, dst, Options(**options), book))


def run(
    source: str | os.PathLike[str], target: str | os.PathLike[str] | None, options: Options, ledger: Ledger
) -> list[Migrated]:
    """:func:`migrate` with a ledger of the caller's."""
    ledger.strict = options.strict
    if is_address(os.fspath(source)):
        raise OptionError("a migration works on files; fetch the site's sitemaps first", source=os.fspath(source))
    src = Path(source)
    if options.in_place and src.is_symlink():
        src = Path(os.path.realpath(src))
    dst = _target(src, None if target is None else Path(target), options)
    into = target is not None and os.fspath(target).endswith(("/", os.sep))
    try:
        with ExitStack() as stack:
            # What a run left that was killed is settled before anything is read.
            staging = stack.enter_context(Staging(_place(src, dst, into), ledger))
            files = plan(src, dst, into, options.registry)
            check_targets(files, options.in_place, (options.rejects, *options.own_files))
            if options.rejects is not None:
                take = options.rejects
                ledger.rejects = take if callable(take) else reject_file(take, stack)
            whole = _WholeFolder.within(staging, dst) if _is_new(src, dst) else None
            root = src if src.is_dir() else src.parent
            job = _Job(files, Listing(files, root, options.registry), options, ledger, staging, whole)
            done = [job.migrated(file) for file in files]
            job.commit()
            if whole is not None:
                whole.swap()
    except OSError as error:
        ledger.abandon()
        if isinstance(error, UrlsetError | BrokenPipeError):
            raise
        where = error.filename or dst
        raise WriteError(f"can't be written: {error.strerror or error}", source=str(where)) from error
    except BaseException:
        ledger.abandon()
        raise
    ledger.check()
    return sorted(done)


def _target(src: Path, dst: Path | None, options: Options) -> Path:
    if options.in_place:
        if dst is not None:
            raise OptionError("a migration in place has no second path", source=str(dst))
        return src
    if dst is None:
        raise OptionError("name the file or folder to write, or migrate in place", source=str(src))
    if os.fspath(dst) == "-":
        raise OptionError("a migration writes files, not standard output", source="-")
    inside = os.path.realpath(dst) + os.sep
    if src.is_dir() and inside.startswith(os.path.realpath(src) + os.sep):
        raise OptionError("the target lies in the source", source=str(dst))
    return dst


class _WholeFolder(NamedTuple):
    """A folder that is made aside and gets its name when all is in it."""

    made: Path
    final: Path
    named: Path

    @classmethod
    def within(cls, staging: Staging, named: Path) -> _WholeFolder:
        """The folder that is to be called ``named``, among the temporary files. Raises WriteError."""
        try:
            made = staging.folder / "whole"
            made.mkdir()
        except OSError as error:
            raise WriteError(f"can't be written: {error.strerror}", source=str(named)) from error
        return cls(made, Path(os.path.realpath(named)), named)

    def aside(self, path: Path) -> Path:
        """Where a file of the folder is made."""
        return self.made / path.relative_to(self.named)

    def swap(self) -> None:
        """Give the folder its name; an empty one of that name makes room."""
        try:
            self.made.rename(self.final)
            sync_folders([self.final.parent])
        except OSError as error:
            raise WriteError(f"can't be moved into place: {error.strerror}", source=str(self.final)) from error


def _is_new(src: Path, dst: Path) -> bool:
    """Whether a folder is to be made, where there is none yet or an empty one; else files are replaced one by one."""
    return src.is_dir() and (not any(dst.iterdir()) if dst.is_dir() else not dst.exists())


def _place(src: Path, dst: Path, into: bool) -> Place:
    """Where the temporary files lie: beside a new folder or a file, within a folder that is there."""
    if _is_new(src, dst):
        return Place.beside(Path(os.path.realpath(dst)))
    if src.is_dir():
        return Place(dst.absolute(), "migration", tree=True)
    # An index brings its children along, whatever their names.
    return Place.beside(dst / src.name if into or dst.is_dir() else dst)._replace(tree=True)


class _Job:
    """Reads and writes the files one by one, and gathers what has to be moved."""

    def __init__(
        self,
        files: list[File],
        listing: Listing,
        options: Options,
        ledger: Ledger,
        staging: Staging,
        whole: _WholeFolder | None,
    ) -> None:
        self._options = options
        self._ledger = ledger
        self._staging = staging
        self._whole = whole
        self._listing = listing
        self._taken = {file.target for file in files}
        self._splits: dict[Path, list[str]] = {}  # by source: the names of the parts beside the first
        self._rewritten: set[Path] = set()
        self._moves: list[Move] = []
        zone = parse_zone(options.assume_zone) if options.assume_zone else None
        self._rewriter = Rewriter(
            {name: options.registry.writer(name) for name in ("sitemap", "sitemap-index")},
            staging,
            ledger,
            Limits(options.max_urls, options.max_bytes),
            ReadOptions(zone=zone),
            options.limits,
            steps.within_schema(ledger) if options.xsd else iter,
        )

    def commit(self) -> None:
        """Move everything into place, indexes last."""
        if self._whole is None:
            self._staging.move(self._moves)
        else:
            self._staging.put(self._moves)

    def migrated(self, file: File) -> Migrated:
        """Deal with one file."""
        if file.failure is not None:
            self._ledger.open(str(file.source)).fail(file.failure)
            return self._copied(file, "failed")
        listed = self._listing.of(file)
        grown = any(child.source in self._splits for child in listed.values())
        if file.kind is Kind.current and not grown:
            return self._copied(file, "copied")
        try:
            rewritten = self._rewriter.rewrite(file, self._path(file.target), extender(self._splits, listed))
        except StrictError:
            raise
        except UrlsetError as error:
            if isinstance(error, OptionError | WriteError):
                raise
            self._ledger.accounts[-1].fail(error)
            return self._copied(file, "failed")
        return self._placed(file, rewritten)

    def _placed(self, file: File, rewritten: Rewritten) -> Migrated:
        parts, account = rewritten
        if not any(part.urls for part in parts):  # the schema has no sitemap without entries, so it stays as it was
            return self._copied(file, "empty")
        self._rewritten.add(file.source)
        if file.is_index:
            self._remark_on_children(file, account)
        for part in parts:
            shutil.copymode(file.source, part.path)
        if len(parts) > 1:
            return self._split(file, parts, account)
        became = self._move(parts[0].path, file.target)
        self._note(file, [file.target], parts)
        return Migrated(file.place, file.was, account.read, became, (file.target.name,))

    def _split(self, file: File, parts: list[Finished], account: Account) -> Migrated:
        """More than one file may hold. One that an index lists keeps its name for the first part."""
        if file.is_index or self._listing.lists(file):
            names = [file.target, *next_names(file.target, parts[1:], self._taken)]
            self._splits[file.source] = [name.name for name in names[1:]]
            if file.is_index:
                message = f"the index has more children than one may list; it is split into {len(names)}"
                account.find("too-many-sitemaps", f"{message}, each to be submitted by itself", severity="warning")
        else:
            names = next_names(file.target, parts, self._taken)
        for name, part in zip(names, parts, strict=True):
            self._move(part.path, name)
        self._note(file, names, parts)
        if names[0] != file.target:
            self._write_index(file, parts, names)
            names = [file.target, *names]
        return Migrated(file.place, file.was, account.read, "split", tuple(name.name for name in names))

    def _write_index(self, file: File, parts: list[Finished], names: list[Path]) -> None:
        """An index in the place of a file that outgrew one, and that none lists."""
        index = index_of(parts, names, self._address(file), self._options.registry)
        packed = file.target.suffix.lower() == ".gz"
        path, raw = self._staging.create(self._path(file.target))
        with raw, gzip_or_plain(raw, packed) as stream:
            stream.write(index)
        self._move(path, file.target)
        self._ledger.outputs.append(Output(str(file.target), "sitemap-index", len(names), len(index), packed))

    def _remark_on_children(self, file: File, account: Account) -> None:
        """A lastmod of an index is when a file changed, and now some did; what to make of it, its owner decides."""
        again = [loc for loc, child in self._listing.of(file).items() if child.source in self._rewritten]
        if again:
            message = f"{len(again)} of the sitemaps were written again; what the index says of their lastmod stays"
            account.find("child-rewritten", message, value=again[0])
        for child in self._listing.missing.get(file.source, ()):
            message = f"{child.loc} is listed, and no sitemap of the source is known to be it"
            line = child.origin.line if child.origin else None
            account.find("child-unavailable", message, line=line, value=child.loc, severity="warning")

    def _address(self, file: File) -> str:
        """The address of the folder in which a file lives."""
        base = self._options.base_url
        if base is None:
            message = "the file outgrows one sitemap and no index lists it; --base-url says where its folder lives"
            raise OptionError(message, source=str(file.source))
        folder = file.place.rpartition("/")[0]
        return f"{base.rstrip('/')}/{folder}/" if folder else f"{base.rstrip('/')}/"

    def _copied(self, file: File, became: str) -> Migrated:
        """Take a file along as it is."""
        moved = "unchanged"
        if not self._options.in_place:
            moved = self._duplicated(file)
        if became == "copied":
            self._ledger.open(str(file.source)).format = "sitemap-index" if file.is_index else "sitemap"
            became = moved if moved == "unchanged" else became
        return Migrated(file.place, file.was, None, became, (file.target.name,))

    def _duplicated(self, file: File) -> str:
        """A copy of a file, bytes, rights and times; none of one that can't be read, which was told."""
        try:
            source = file.source.open("rb")
        except OSError:
            return "failed"
        path, raw = self._staging.create(self._path(file.target))
        with raw, source:
            shutil.copyfileobj(source, raw)
        shutil.copystat(file.source, path)
        return self._move(path, file.target)

    def _move(self, made: Path, target: Path) -> str:
        """Note that a file gets its name, unless it is there already; what that makes of the file."""
        final = self._path(target)
        if same_bytes(made, target):
            made.unlink()
            return "unchanged"
        backup = _free(final) if self._options.in_place and final.exists() else None
        self._moves.append(Move(made, final, backup))
        return "migrated"

    def _note(self, file: File, names: list[Path], parts: list[Finished]) -> None:
        what = "sitemap-index" if file.is_index else "sitemap"
        for name, part in zip(names, parts, strict=True):
            packed = name.suffix.lower() == ".gz"
            self._ledger.outputs.append(Output(str(name), what, part.urls, part.size, packed))

    def _path(self, target: Path) -> Path:
        return target if self._whole is None else self._whole.aside(target)


def _free(path: Path) -> Path:
    """The name of a backup that nothing has yet: ``.bak``, then ``.bak2`` and so on."""
    count = 1
    while os.path.lexists(backup := path.with_name(f"{path.name}{BACKUP}{count if count > 1 else ''}")):
        count += 1
    return backup
