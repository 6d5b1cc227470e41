"""Indexes of a migration: which files they list, and the names and the list of parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from urlset.converters.migrate.plan import File, children_of, file_name
from urlset.converters.output.parts import Finished
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.registry import Registry


class Listing:
    """Which files the indexes of a migration list, and under which addresses.

    A child is the file of its whole path below the source or below the index, else the one of its name beside the
    index, as long as no other child has a better claim to it; and only on the host that most children are on.
    """

    def __init__(self, files: Sequence[File], root: Path, registry: Registry) -> None:
        known = {file.source: file for file in files}
        self._files: dict[Path, dict[str, File]] = {}  # by index: the files by the addresses of its children
        self.missing: dict[Path, list[Entry]] = {}
        for index in files:
            if index.is_index and index.failure is None:
                children = _children(index, registry)
                found = self._files[index.source] = _matched(children, index, root, known)
                self.missing[index.source] = [child for child in children if child.loc not in found]

    def lists(self, file: File) -> bool:
        """Whether an index lists the file, so that it can list further parts too."""
        return any(file in found.values() for found in self._files.values())

    def of(self, index: File) -> dict[str, File]:
        """The files that an index lists, by the addresses that it has for them."""
        return self._files.get(index.source, {})


def _children(file: File, registry: Registry) -> list[Entry]:
    try:
        return children_of(file.source, registry)
    except UrlsetError:  # told when the index itself is read
        return []


def _matched(children: Sequence[Entry], index: File, root: Path, known: dict[Path, File]) -> dict[str, File]:
    hosts = Counter(urls.origin(child.loc) for child in children)
    own = hosts.most_common(1)[0][0] if hosts else ""
    locs = [child.loc for child in children if urls.origin(child.loc) == own and not re.search("[?#]", child.loc)]
    found: dict[str, File] = {}
    for candidates in (_by_path(root), _by_path(index.source.parent), _beside(index.source)):
        for loc in locs:
            file = known.get(candidates(loc))
            if loc not in found and file is not None and file not in found.values():
                found[loc] = file
    return found


def _beside(index: Path) -> Callable[[str], Path]:
    return lambda loc: index.parent / file_name(loc)


def _by_path(folder: Path) -> Callable[[str], Path]:
    return lambda loc: folder / unquote(urlsplit(loc).path).lstrip("/")


def next_names(target: Path, parts: Sequence[Finished], taken: set[Path]) -> list[Path]:
    """Names for parts beside a file, ``sitemap-2.xml`` and so on, that no other file has."""
    packed = target.name[-3:] if target.name.lower().endswith(".gz") else ""
    plain = Path(target.name.removesuffix(packed))
    names: list[Path] = []
    count = 2
    for part in parts:
        while True:
            name = target.with_name(f"{plain.stem}-{count}{plain.suffix}{packed}")
            count += 1
            # One that holds these very bytes is the part of an earlier run.
            if name not in taken and (not name.exists() or same_bytes(part.path, name)):
                break
        taken.add(name)
        names.append(name)
    return names


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes; one that is not there holds none."""
    if not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as first, other.open("rb") as second:
        while chunk := first.read(1 << 18):
            if chunk != second.read(1 << 18):
                return False
    return True


def index_of(parts: Sequence[Finished], names: Sequence[Path], folder: str, registry: Registry) -> bytes:
    """An index that lists parts by the address of their folder."""
    writer = registry.writer("sitemap-index").write
    assert writer is not None  # noqa: S101 - the registry hands out writers

    def children() -> Iterator[bytes]:
        for name, part in zip(names, parts, strict=True):
            yield writer.encode(Entry(loc=folder + quote(name.name), lastmod=part.newest)).data

    frame = writer.frame(frozenset())
    return b"".join([frame.head, *children(), frame.tail])
