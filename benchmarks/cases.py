"""The documents that are measured: one for each format of the registry that reads, and some that are special."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import urlset
from benchmarks import generators
from benchmarks.generators import DIALECTS, SITE, WITH_BLOCKS, Dialect

BASE_URL = f"{SITE}/"
DAMAGE = 0.02
"""The share of entries with a fault in a damaged document."""


@dataclass(frozen=True)
class Case:
    """A document of a format; without a dialect, the format's own writer makes it. ``lists`` as in Format."""

    format: str
    dialect: Dialect | None
    suffix: str = ""
    lists: bool = False
    blocks: bool = False
    damage: float = 0.0

    def __str__(self) -> str:
        return self.format + " with blocks" * self.blocks + " damaged" * bool(self.damage)

    @property
    def sound(self) -> Case:
        """The same without its faults, which a bare scan would stop at."""
        return replace(self, damage=0.0)

    def count(self, wanted: int) -> int:
        """How many entries the document has when so many are wanted."""
        most = self.dialect.most if self.dialect else None
        return min(wanted, most) if most else wanted

    def expected(self, count: int) -> int:
        """How many of them can be read."""
        return generators.usable(count, damage=self.damage)

    def make(self, folder: Path, count: int) -> Path:
        """The document as a file; it is made once."""
        folder = folder / f"{self} {count}".replace(" ", "-")
        path = folder / (self.dialect.file_name if self.dialect else f"pages{self.suffix}")
        if not folder.exists():
            folder.mkdir(parents=True)
            if self.dialect is not None:
                generators.write(self.dialect, path, count, damage=self.damage)
            else:
                urlset.write(generators.entries(count), path, to=self.format, base_url=BASE_URL)
        return path


def readable(*, lists: bool = True) -> list[object]:
    """Every format that reads, ``lists`` of documents too or not, and the special cases."""
    return [*_of_registry(lists), *map(_param, _special())]


def case_of(name: str) -> Case:
    """The plain case of a format."""
    found = urlset.registry()[name]
    return Case(name, DIALECTS.get(name), (*found.suffixes, "")[0], found.lists_sources)


def _of_registry(lists: bool) -> Iterator[object]:
    for one in urlset.registry():
        if one.read is None or (one.lists_sources and not lists):
            continue
        if one.name not in DIALECTS and one.write is None:
            yield pytest.param(None, id=one.name, marks=pytest.mark.skip("no generator makes such a document"))
        else:
            yield _param(case_of(one.name))


def _special() -> Iterator[Case]:
    yield Case("sitemap", WITH_BLOCKS, blocks=True)
    for name, dialect in DIALECTS.items():
        if dialect.may_be_damaged:
            yield Case(name, dialect, damage=DAMAGE)


def _param(case: Case) -> object:
    return pytest.param(case, id=str(case).replace(" ", "-"))
