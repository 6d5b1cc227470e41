"""What an earlier run wrote under the same name: the parts that its indexes list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from urlset.converters.output.names import Names
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.format import Format, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Source


class Earlier(NamedTuple):
    """A set that lies at the target: its indexes, the target first, and the parts that they list under our names."""

    indexes: list[Path]
    parts: list[Path]


def earlier_set(names: Names, index: Format) -> Earlier:
    """The set that an index at the target tells of; none if there is no index.

    Further indexes belong to it if every child of theirs is one of our parts. A target that lists other files too is
    no set of ours as a whole: then ``indexes`` is empty.
    """
    ours = re.compile(names.pattern)
    listed = list(_children(names.target, index))
    parts = [name for name in listed if ours.fullmatch(name)]
    if not parts:
        return Earlier([], [])
    indexes = [names.target] if len(parts) == len(listed) else []
    for number in count(2):
        more = list(_children(names.index(number), index))
        if not more or not all(map(ours.fullmatch, more)):
            break
        indexes.append(names.index(number))
        parts += more
    return Earlier(indexes, [names.target.with_name(name) for name in dict.fromkeys(parts)])


def _children(path: Path, index: Format) -> Iterator[str]:
    """The file names that an index lists. One that can't be read, which is about to be replaced, lists nothing more."""
    if index.read is None or not path.is_file():
        return
    try:
        with Source.from_path(path) as old:
            if b"<sitemapindex" in old.head():
                for child in index.read(old, Ledger().open(str(path)), ReadOptions()):
                    yield unquote(child.loc.rpartition("/")[2])
    except UrlsetError:
        return
