"""What a format is: one frozen value with its facts and its functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import cached_property
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from urlset.formats.vocabulary.decode import sniff_encoding

if TYPE_CHECKING:
    from urlset.formats.vocabulary.batches import Batches
    from urlset.formats.vocabulary.entry import Core, Entry
    from urlset.formats.vocabulary.feed_pages import FeedPages
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.news import Paper
    from urlset.formats.vocabulary.source import Source
    from urlset.formats.xml.prolog import Prolog


@dataclass(frozen=True)
class Head:
    """The bounded beginning of a document, un-gzipped, for detection to look at.

    ``name`` is a path or an address, ``media_type`` what a server said, both only hints. A ``folder`` has no bytes.
    """

    data: bytes
    name: str = ""
    media_type: str | None = None
    folder: bool = False

    @classmethod
    def of(cls, source: Source) -> Head:
        """The beginning of a source. Raises SourceError if it can't be opened."""
        if source.is_folder:
            return cls(b"", source.name, folder=True)
        return cls(source.head(), source.name, source.media_type)

    @cached_property
    def text(self) -> str:
        """The head as text; bytes that are not in the encoding are replaced."""
        encoding = sniff_encoding(self.data)
        return self.data[encoding.bom :].decode(encoding.name, "replace")

    @cached_property
    def lines(self) -> list[str]:
        """The complete lines of the head that are not blank, trimmed."""
        lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        whole = lines if len(self.data) < HEAD or len(lines) == 1 else lines[:-1]
        return [stripped for line in whole if (stripped := line.strip("\ufeff \t\0"))]

    @cached_property
    def prolog(self) -> Prolog | None:
        """The head as XML; None if it is no markup."""
        from urlset.formats.xml.prolog import scan

        return scan(self.text)


HEAD = 1 << 16
"""Bytes of a document that detection looks at."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller knows and a document does not say.

    ``base_url`` resolves relative links, ``encoding`` names the encoding of a text list or table, ``zone`` is that of
    times which name none. ``indexable``: of a crawl export, leave out what its own columns say is no page to index.
    ``remark``: keep it and report what they say, and speak of oddities that cost nothing too (order, blank lines).

    For folders: ``default_file`` is what a server answers with where the address of a folder is asked for, and ``own``
    are the files that the job itself writes, as a pattern of names for each resolved path of a folder.

    ``pages``: note there what a feed says of its other pages, and the ids of its entries in their origins.
    ``paper``: make articles of a feed's items, and leave out those that are too old for a news sitemap.
    ``urllist``: the lines of a text list are those of sitemap_gen.py, the address first and attributes behind it.
    """

    base_url: str | None = None
    encoding: str | None = None
    zone: tzinfo | None = None
    indexable: bool = False
    remark: bool = False
    default_file: str = "index.html"
    own: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    paper: Paper | None = None
    pages: FeedPages | None = None
    urllist: bool = False


class Piece(NamedTuple):
    """One entry as a format writes it, and what it needs declared in the frame (namespaces, say)."""

    data: bytes
    needs: frozenset[str] = frozenset()


class Frame(NamedTuple):
    """What stands before the first and after the last entry of a file."""

    head: bytes = b""
    tail: bytes = b""


class Sheet(Protocol):
    """A file that a format writes as a whole, to a stream that the caller closes."""

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError for one that the format can't express."""
        ...

    def add_plain(self, core: Core) -> bool:
        """Write many entries that have no more than core fields and a title, or none of them: then each is added."""
        ...

    def close(self) -> None:
        """Write what is left; the file is complete then."""
        ...

    def discard(self) -> None:
        """Write no more; the file is given up, or complete already."""
        ...


@dataclass(frozen=True, slots=True)
class Writer:
    """How a format writes: one entry at a time, inside a frame.

    ``encode`` raises ValueError for an entry that the format cannot express; the message says why. ``max_entries`` and
    ``max_bytes`` (uncompressed) are what one file may hold, ``max_news`` its news blocks, ``max_images`` the images of
    one entry; None: no limit. ``frame`` is asked for with everything that the entries of a file need. ``encode_plain``
    gives what ``encode`` gives, for many entries at once that have no more than core fields and a title; None where it
    can't, and ``encode`` is asked for each.

    ``sheet``, where a format has it, opens a file that is no frame with pieces in it, and is used instead of both.
    """

    encode: Callable[[Entry], Piece]
    frame: Callable[[frozenset[str]], Frame] = lambda needs: Frame()
    max_entries: int | None = None
    max_bytes: int | None = None
    max_news: int | None = None
    max_images: int | None = None
    encode_plain: Callable[[Core], bytes | None] | None = None
    sheet: Callable[[IO[bytes]], Sheet] | None = None

    @property
    def takes_columns(self) -> bool:
        """Whether it may write many entries at once."""
        return self.sheet is not None or self.encode_plain is not None


Read = Callable[["Source", "Account", ReadOptions], "Iterator[Entry]"]
ReadBatches = Callable[["Source", "Account", ReadOptions], "Batches"]


@dataclass(frozen=True)
class Format:
    """One format: its facts, and its functions.

    ``name`` is the one word for it everywhere: command line, API, fixtures, docs. ``carries`` are the Entry fields
    that it can hold; the loss report, the round-trip tests and ``urlset formats`` come from it. ``sniff`` looks at a
    head and says whether this is the format. ``lists_sources`` marks a list of further documents (an index, a
    robots.txt), whose entries are these documents; ``has_pages`` a feed, which may go on in others; ``of_folders`` one
    that reads folders, and is asked of nothing else. A ``binary`` one has no lines; its findings count rows. A format
    without ``read`` or ``write`` cannot do that. ``batches`` gives what ``read`` gives, many at a time, for those that
    can: each batch is used up before the next one is asked for.
    """

    name: str
    title: str
    specification: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    carries: frozenset[str]
    sniff: Callable[[Head], bool] = field(repr=False)
    read: Read | None = field(default=None, repr=False)
    batches: ReadBatches | None = field(default=None, repr=False)
    write: Writer | None = field(default=None, repr=False)
    lists_sources: bool = False
    has_pages: bool = False
    of_folders: bool = False
    binary: bool = False

    def __post_init__(self) -> None:
        if not self.name or not self.name.replace("-", "").replace(".", "").isalnum() or not self.name.islower():
            raise ValueError(f"a format's name is one lower-case word: {self.name!r}")
        if self.read is None and self.write is None:
            raise ValueError(f"the format {self.name} neither reads nor writes")
