"""Which files there are to migrate, what each one is, and where it goes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from urllib.parse import unquote, urlsplit

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


def plan(src: Path, dst: Path, registry: Registry) -> list[File]:
    """The files of a migration, indexes last. Raises OptionError, or SourceError if there is none."""
    if src.is_dir():
        if dst.exists() and not dst.is_dir():
            raise OptionError("the source is a folder, and this is none", source=str(dst))
        files = list(_tree(src, dst))
    else:
        files = list(_single(src, dst, registry))
    if not files:
        raise SourceError("there is no sitemap in it", source=str(src))
    return sorted(files, key=lambda file: file.is_index)


def _tree(src: Path, dst: Path) -> Iterator[File]:
    """Every sitemap below a folder; links are left alone, and so are the backups of an earlier run."""
    for folder, folders, names in os.walk(src, onerror=_refuse):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file() or _is_backup(path):
                continue
            place = path.relative_to(src)
            if (file := look(path, dst / place, place.as_posix())) is not None:
                yield file


def _refuse(error: OSError) -> None:
    raise SourceError(f"can't be read: {error.strerror}", source=error.filename) from error


def _is_backup(path: Path) -> bool:
    return path.name.endswith(BACKUP) and path.with_name(path.name.removesuffix(BACKUP)).exists()


def _single(src: Path, dst: Path, registry: Registry) -> Iterator[File]:
    """A file; of an index, also the children that lie beside it."""
    into = dst / src.name if dst.is_dir() or str(dst).endswith(os.sep) else dst
    file = look(src, into, src.name)
    if file is None:
        raise SourceError("it is no sitemap and no sitemap index", source=str(src))
    if file.failure is not None:
        raise file.failure
    yield file
    if file.is_index:
        seen = {src.resolve()}
        for name in child_names(src, registry):
            path = src.with_name(name)
            if path.is_file() and path.resolve() not in seen:
                seen.add(path.resolve())
                child = look(path, into.with_name(name), name)
                if child is not None:
                    yield child


def look(path: Path, target: Path, place: str) -> File | None:
    """What a file is; None if it is no sitemap, which the first bytes tell of nearly all others."""
    if not _may_be_xml(path):
        return None
    faults: list[UrlsetError] = []
    with Source.from_path(path) as source:
        try:
            with source.open(lambda rule, message, **_: faults.append(ReadError(message, rule=rule))) as stream:
                stream.read(_BEGINNING)
            prolog = Head(source.head(), path.name).prolog
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
    try:
        with path.open("rb") as stream:
            start = stream.read(_BEGINNING)
    except OSError as error:
        raise SourceError(f"can't be read: {error.strerror}", source=str(path)) from error
    # UTF-16 has a zero beside each "<"; what was lost before the root may be anything.
    return start.startswith(b"\x1f\x8b") or b"<" in start or not start.strip()


def child_names(index: Path, registry: Registry) -> list[str]:
    """The file names of the children of an index, as far as they have one."""
    read = registry.reader("sitemap-index").read
    assert read is not None  # noqa: S101 - the registry hands out readers
    with Source.from_path(index) as source:
        children = read(source, Ledger().open(source.name), ReadOptions())
        names = [file_name(child.loc) for child in children]
    return [name for name in names if name]


def file_name(loc: str) -> str:
    """The file name at the end of an address; "" if it has none that a folder may hold."""
    name = unquote(urlsplit(loc).path.rpartition("/")[2])
    return "" if name in (".", "..") or "/" in name or "\0" in name else name
