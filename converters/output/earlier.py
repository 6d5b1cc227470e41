"""What an earlier run wrote under the same name: the parts that its indexes list."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import count, takewhile
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


class Held(NamedTuple):
    """What a target holds: files that tell it, each for itself, and the target's twin, if there is one beside it.

    The twin is the same name compressed, or not. ``from_twin``: it is what the files are, since nothing else is there.
    """

    files: list[Path]
    twin: Path | None = None
    from_twin: bool = False


def held_in(names: Names, index: Format, *, lists: bool) -> Held:
    """What the target holds: its file under the name that is written, and further indexes; only without one, its twin.

    Of a compressed file the plain name is that of the index of a set: it is looked at too if it is an index, or has no
    bytes and may have been one. ``lists``: the entries are what the indexes list, whatever that is.
    """
    own = [names.single, *_further(names, index, lists)]
    if not lists and (is_index(names.target) or not _has_bytes(names.target)):
        own.insert(0, names.target)
    found = [path for path in dict.fromkeys(own) if os.path.exists(path)]  # noqa: PTH110 - as below
    twin = names.twin
    if twin in found or not _has_bytes(twin) or any(map(twin.samefile, found)):
        return Held(found)
    if found:
        return Held(found, twin)
    return Held(list(dict.fromkeys([twin, *_further(Names(twin, False), index, lists)])), twin, from_twin=True)


def _has_bytes(path: Path) -> bool:
    return os.path.isfile(path) and path.stat().st_size > 0  # noqa: PTH113 - as below


def _further(names: Names, index: Format, lists: bool) -> list[Path]:
    if not lists:
        return earlier_set(names, index).indexes
    numbered = (names.index(number, names.single != names.target) for number in count(2))
    return list(takewhile(is_index, numbered))


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
