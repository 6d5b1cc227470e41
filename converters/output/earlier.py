"""What an earlier run wrote under the same name: the parts that its indexes list."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from urlset.converters.output.names import Names, address_of
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Source

_ROOTS = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)\b")


class Earlier(NamedTuple):
    """A set that lies at the target: its indexes, the target first, and the parts that they list under our names.

    ``folder`` is the address that all that is listed has in common; None: there is none, and nothing says that the
    parts are here. ``folders`` are those of the parts.
    """

    indexes: list[Path]
    parts: list[Path]
    folder: str | None
    folders: list[str]

    def lives_at(self, base_url: str | None, origin: str | None) -> bool:
        """Whether the parts are the files here, as far as the address of this folder, or only its origin, is known."""
        if self.folder is None:
            return False
        here = urls.to_uri(self.folder)
        if base_url is not None:
            return urls.to_uri(base_url).rstrip("/") == here.rstrip("/")
        return origin is None or urls.origin(here) == origin


def earlier_set(names: Names, index: Format) -> Earlier:
    """The set that an index at the target tells of; none if there is no index.

    Further indexes belong to it if every child of theirs is one of our parts. A target that lists other files too is
    no set of ours as a whole: then ``indexes`` is empty.
    """
    listed = list(_children(names.target, index))
    parts = _ours(listed, names)
    if not parts:
        return Earlier([], [], None, [])
    indexes = [names.target] if len(parts) == len(listed) else []
    for number in count(2):
        more = list(_children(names.index(number), index))
        if not more or len(_ours(more, names)) < len(more):
            break
        indexes.append(names.index(number))
        listed += more
        parts += _ours(more, names)
    everywhere = {_folder(loc) for loc in listed}
    folder = everywhere.pop() if len(everywhere) == 1 else None
    files = [names.target.with_name(name) for _, name in dict.fromkeys(parts)]
    return Earlier(indexes, list(dict.fromkeys(files)), folder, list(dict.fromkeys(folder for folder, _ in parts)))


def held_in(names: Names, index: Format, *, lists: bool) -> list[Path]:
    """The files that tell, each for itself, what the target holds: it, or its one compressed file, and further indexes.

    One entry too many, and the name of a compressed file is that of an index: both are looked at. ``lists``: the
    entries are what the indexes list, whatever that is.
    """
    further = _numbered_indexes(names) if lists else earlier_set(names, index).indexes
    found = dict.fromkeys([names.target, names.single, *further])
    return [path for path in found if path.exists()]


def _numbered_indexes(names: Names) -> Iterator[Path]:
    for number in count(2):
        some = [path for path in dict.fromkeys(names.index(number, gz) for gz in (False, True)) if is_index(path)]
        if not some:
            return
        yield from some


def _ours(locs: Iterable[str], names: Names) -> list[tuple[str, str]]:
    """Folder and name of our parts among addresses; one that we would have escaped in another way is not ours."""
    pattern = re.compile(names.pattern, re.DOTALL)
    found = []
    for loc in locs:
        folder = _folder(loc)
        name = os.fsdecode(unquote_to_bytes(loc.removeprefix(folder)))
        if pattern.fullmatch(name) and address_of(folder, name) == loc:
            found.append((folder, name))
    return found


def _folder(loc: str) -> str:
    return f"{loc.rpartition('/')[0]}/"


def _children(path: Path, index: Format) -> Iterator[str]:
    """The addresses that an index lists. One that can't be read, which is about to be replaced, lists nothing more."""
    # Unlike Path.is_file, this takes a name that is too long for one that nothing has.
    if index.read is None or not os.path.isfile(path):  # noqa: PTH113
        return
    try:
        with Source.from_path(path) as old:
            if b"<sitemapindex" in old.head():
                for child in index.read(old, Ledger().open(str(path)), ReadOptions()):
                    yield child.loc
    except UrlsetError:
        return


def is_index(path: Path) -> bool:
    """Whether a file is an index, by its beginning."""
    return b"<sitemapindex" in _head(path)


def may_be_part(path: Path) -> bool:
    """Whether a file is what we write as a part: no link, and if it is called XML, a sitemap by its beginning."""
    if path.is_symlink() or not os.path.isfile(path):  # noqa: PTH113
        return False
    return is_sitemap(path) or not path.name.lower().removesuffix(".gz").endswith(".xml")


def is_sitemap(path: Path) -> bool:
    """Whether a file is a sitemap or an index, by its beginning."""
    return _ROOTS.search(_head(path)) is not None


def _head(path: Path) -> bytes:
    if not os.path.isfile(path):  # noqa: PTH113
        return b""
    try:
        with Source.from_path(path) as source:
            return bytes(source.head())
    except UrlsetError:
        return b""
