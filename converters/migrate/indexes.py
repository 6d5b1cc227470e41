"""Indexes of a migration: which files they list, and the names and the list of parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from urlset.converters.migrate.plan import File, Kind, child_names
from urlset.converters.parts import Finished
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.registry import Registry


class Listing:
    """The files that the indexes of a migration list, found beside them by their names."""

    def __init__(self, files: Sequence[File], registry: Registry) -> None:
        self._listed: set[Path] = set()
        for file in files:
            if file.is_index and file.kind is Kind.legacy:
                self._listed.update(file.source.with_name(name) for name in _children(file, registry))

    def lists(self, file: File) -> bool:
        """Whether an index that is migrated lists the file, so that it can list further parts too."""
        return file.source in self._listed


def _children(file: File, registry: Registry) -> list[str]:
    try:
        return child_names(file.source, registry)
    except UrlsetError:  # told when the index itself is read
        return []


def next_names(target: Path, parts: Sequence[Finished], taken: set[Path]) -> list[Path]:
    """Names for parts beside a file, ``sitemap-2.xml`` and so on, that no other file has."""
    plain = Path(target.name.removesuffix(".gz"))
    packed = ".gz" if target.name.endswith(".gz") else ""
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
