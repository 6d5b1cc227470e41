"""Which files there are to migrate, what each one is, and where it goes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import unquote, urlsplit

from urlset.converters.output.workspace import is_workspace
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, ReadError, SourceError, UrlsetError
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import namespaces as ns

BACKUP = ".bak"
"""What is added to the name of a file whose old contents are kept."""

_BEGINNING = 512


class Kind(Enum):
    """What a file is to a migration."""

    legacy = "legacy"
    """A sitemap or an index in another namespace than that of 0.9, or in none."""
    current = "current"
    """One in the namespace of 0.9 already."""
    unreadable = "unreadable"
    """One that may be a sitemap and can't be opened or unpacked."""


@dataclass(frozen=True)
class File:
    """One file of the site: where it lies, where it goes, and what it is.

    ``place`` is its path below the root of the migration, with ``/``; ``namespace`` is its root's.
    """

    source: Path
    target: Path
    kind: Kind
    place: str
    root: str = ""
    namespace: str = ""
    failure: UrlsetError | None = None

    @property
    def is_index(self) -> bool:
        """Whether it lists sitemaps."""
        return self.root == "sitemapindex"

    @property
    def was(self) -> str:
        """What it is, in a word."""
        if self.kind is Kind.unreadable:
            return "unreadable"
        names = {ns.SITEMAP: "0.9", ns.SITEMAP_084: "0.84", "": "no namespace"}
        version = names.get(self.namespace, "0.84" if ns.is_084(self.namespace) else "another namespace")
        return f"{self.root} {version}"


def plan(src: Path, dst: Path, into: bool, registry: Registry) -> list[File]:
    """The files of a migration, indexes last; ``into``: ``dst`` is a folder, or is to be one.

    Raises OptionError, or SourceError if there is none.
    """
    if src.is_dir():
        if dst.exists() and not dst.is_dir():
            raise OptionError("the source is a folder, and this is none", source=str(dst))
        files = list(_tree(src, dst))
    else:
        files = list(_single(src, dst / src.name if into or dst.is_dir() else dst, registry))
    if not files:
        raise SourceError("there is no sitemap in it", source=str(src))
    return sorted(files, key=lambda file: file.is_index)


def _tree(src: Path, dst: Path) -> Iterator[File]:
    """Every sitemap below a folder; links are left alone, and so is what earlier runs left behind."""
    refused: list[OSError] = []
    for folder, folders, names in os.walk(src, onerror=refused.append):
        folders[:] = sorted(name for name in folders if not is_workspace(name))
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file() or _is_left_over(path):
                continue
            place = path.relative_to(src)
            if (file := look(path, dst / place, place.as_posix())) is not None:
                yield file
    for error in refused:
        path = Path(error.filename)
        failure = SourceError(f"can't be read: {error.strerror}", source=error.filename)
        if path == src:
            raise failure
        yield File(
            path, dst / path.relative_to(src), Kind.unreadable, path.relative_to(src).as_posix(), failure=failure
        )


def _is_left_over(path: Path) -> bool:
    """Whether a file is the backup of an earlier run, or what one that was killed had not finished."""
    plain, mark, number = path.name.rpartition(BACKUP)
    backup = bool(mark) and (not number or number.isdigit()) and path.with_name(plain).exists()
    return backup or (path.name.startswith(".") and path.suffix in (".tmp", ".old"))


def _single(src: Path, into: Path, registry: Registry) -> Iterator[File]:
    """A file; of an index, also the children that lie beside it."""
    file = look(src, into, src.name)
    if file is None:
        raise SourceError("it is no sitemap and no sitemap index", source=str(src))
    if file.failure is not None:
        raise file.failure
    yield file
    if file.is_index:
        seen = {os.path.realpath(src)}
        for name in child_names(src, registry):
            path = src.with_name(name)
            if path.is_file() and os.path.realpath(path) not in seen:
                seen.add(os.path.realpath(path))
                child = look(path, into.with_name(name), name)
                if child is not None:
                    yield child


def check_targets(files: list[File], in_place: bool, others: Iterable[object]) -> None:
    """Raise OptionError if a file would be written over that is a source, no sitemap, or another output of the job."""
    kept = {os.path.realpath(file.source) for file in files}
    targets = {os.path.realpath(file.target) for file in files}
    for file in files if not in_place else ():
        target = str(file.target)
        if os.path.realpath(target) in kept:
            raise OptionError("a source would be written over; name another folder, or migrate in place", source=target)
        if file.target.is_file() and file.target.stat().st_size and _is_foreign(file.target):
            raise OptionError("it is no sitemap, and would be written over", source=target)
    for other in others:
        if isinstance(other, str | os.PathLike) and (real := os.path.realpath(other)) in kept | targets:
            raise OptionError("the report and the rejects need a name of their own", source=real)
        if isinstance(other, str | os.PathLike) and _is_left_over(Path(other)):
            raise OptionError("it would be written over, and is a backup", source=os.fspath(other))


def _is_foreign(path: Path) -> bool:
    return look(path, path, path.name) is None


def look(path: Path, target: Path, place: str) -> File | None:
    """What a file is; None if it is no sitemap, which the first bytes tell of nearly all others."""
    try:
        if not _may_be_xml(path):
            return None
    except OSError as error:
        failure = SourceError(f"can't be read: {error.strerror}", source=str(path))
        return File(path, target, Kind.unreadable, place, failure=failure)
    faults: list[UrlsetError] = []
    with Source.from_path(path) as source:
        try:
            with source.open(lambda rule, message, **_: faults.append(ReadError(message, rule=rule))) as stream:
                stream.read(_BEGINNING)
            prolog = Head.of(source).prolog
        except ReadError as error:
            if error.rule in ("not-text", "unsupported-compression"):
                return None
            prolog = None
            faults.append(error)
        except UrlsetError as error:
            return File(path, target, Kind.unreadable, place, failure=error)
    if prolog is None and faults and path.name.lower().endswith(".xml.gz"):
        return File(path, target, Kind.unreadable, place, failure=faults[0])
    if prolog is None or prolog.html or prolog.root.lower() not in ("urlset", "sitemapindex"):
        return None
    kind = Kind.current if prolog.namespace == ns.SITEMAP else Kind.legacy
    return File(path, target, kind, place, prolog.root.lower(), prolog.namespace)


def _may_be_xml(path: Path) -> bool:
    with path.open("rb") as stream:
        start = stream.read(_BEGINNING)
    # UTF-16 has a zero beside each "<"; what was lost before the root may be anything.
    return start.startswith(b"\x1f\x8b") or b"<" in start or not start.strip()


def children_of(index: Path, registry: Registry) -> list[Entry]:
    """The children of an index, as it lists them."""
    read = registry.reader("sitemap-index").read
    assert read is not None  # noqa: S101 - the registry hands out readers
    with Source.from_path(index) as source:
        return list(read(source, Ledger().open(source.name), ReadOptions()))


def child_names(index: Path, registry: Registry) -> list[str]:
    """The file names of the children of an index, as far as they have one."""
    return [name for child in children_of(index, registry) if (name := file_name(child.loc))]


def file_name(loc: str) -> str:
    """The file name at the end of an address; "" if it has none that a folder may hold."""
    name = unquote(urlsplit(loc).path.rpartition("/")[2])
    return "" if name in (".", "..") or "/" in name or "\0" in name else name
