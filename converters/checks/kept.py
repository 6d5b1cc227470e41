"""What has to be kept of all pages of a document or a job, in bounded memory.

As many pages as one sitemap may list are kept as they are. More go to SQLite, in a temporary database that keeps a
small cache in memory and the rest on disk; it is gone when the job ends. There an address is the 64-bit number that
Python's hash gives it: a tenth of the bytes, and two addresses of a million have the same number once in 30 million
runs. The numbers differ from run to run, so nobody can prepare such a pair.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from urlset.converters.spill.database import connect, encoded

IN_MEMORY = 50_000
"""Addresses of one document that are kept in memory: as many as one sitemap may list."""

MOST_CHARACTERS = 8_000_000
"""Characters of these, in two spellings each."""

CACHE = 8 * 1024
"""KiB of the database that stay in memory."""


class Database:
    """The temporary database of one job, made when it is first needed."""

    @cached_property
    def connection(self) -> sqlite3.Connection:
        """The open database."""
        return connect(CACHE)

    def close(self) -> None:
        """Remove it."""
        if "connection" in self.__dict__:
            self.connection.close()
            del self.connection


class Kept(NamedTuple):
    """Where an address was listed first, and how it was spelled there."""

    line: int | None
    spelling: str


class Addresses:
    """The addresses of one document by the key that they compare by, each as it was listed first.

    Of nearly all of them the spelling is the key, and kept no second time.
    """

    def __init__(self, database: Database, in_memory: int = IN_MEMORY) -> None:
        self._database = database
        self._lines: dict[str, int | None] = {}
        self._size = 0  # characters
        self._spellings: dict[str, str] = {}  # key → spelling, where they differ
        self._most = in_memory
        self._table = ""

    def __contains__(self, key: str) -> bool:
        return key in self._lines if not self._table else self._stored(key) is not None

    def __iter__(self) -> Iterator[int]:
        """The numbers of the keys, in no order."""
        if not self._table:
            return map(hash, self._lines)
        rows = self._database.connection.execute(f"SELECT key FROM {self._table}")  # noqa: S608 - a name of our own
        return (key for (key,) in rows)

    def first(self, key: str, line: int | None, spelling: str) -> Kept | None:
        """Take an address; give where it was listed first, unless this is the first time."""
        lines = self._lines
        if self._table:
            return self._insert(key, line, spelling)
        if key in lines:
            return Kept(lines[key], self._spellings.get(key, key))
        lines[key] = line
        if spelling != key:
            self._spellings[key] = spelling
        self._size += len(key) + len(spelling)
        if len(lines) > self._most or self._size > MOST_CHARACTERS:
            self._spill()
        return None

    def close(self) -> None:
        """Forget them."""
        self._lines.clear()
        self._spellings.clear()
        if self._table:
            self._database.connection.execute(f"DROP TABLE {self._table}")
            self._table = ""

    def _spill(self) -> None:
        self._table = f"addresses_{id(self)}"
        connection = self._database.connection
        connection.execute(f"CREATE TABLE {self._table} (key INTEGER PRIMARY KEY, line INTEGER, spelling BLOB)")
        spelled = self._spellings.get
        rows = sorted((hash(key), line, _differing(key, spelled(key, key))) for key, line in self._lines.items())
        connection.executemany(f"INSERT INTO {self._table} VALUES (?, ?, ?)", rows)  # noqa: S608
        self._lines.clear()
        self._spellings.clear()
        self._cursor = connection.cursor()
        self._sql = f"INSERT INTO {self._table} VALUES (?, ?, ?) ON CONFLICT DO NOTHING"  # noqa: S608

    def _insert(self, key: str, line: int | None, spelling: str) -> Kept | None:
        if self._cursor.execute(self._sql, (hash(key), line, _differing(key, spelling))).rowcount:
            return None
        return self._stored(key)

    def _stored(self, key: str) -> Kept | None:
        query = f"SELECT line, spelling FROM {self._table} WHERE key = ?"  # noqa: S608
        row = self._database.connection.execute(query, (hash(key),)).fetchone()
        return row and Kept(row[0], key if row[1] is None else _decoded(row[1]))


def _differing(key: str, spelling: str) -> bytes | None:
    return None if spelling == key else encoded(spelling)


class Links:
    """Pages and the alternates that they name, over all documents of a job."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._any = False

    def add(
        self, document: int, key: str, loc: str, line: int | None, links: Iterable[tuple[str, str, int | None, bool]]
    ) -> None:
        """A page and what it names: key, address and line of each, and whether more than x-default names it.

        A page that is listed again adds to what it named before.
        """
        if not self._any:
            self._create()
        connection = self._database.connection
        connection.execute("INSERT OR IGNORE INTO pages (key, document, loc, line) VALUES (?, ?, ?, ?)",
                           (hash(key), document, encoded(loc), line))  # fmt: skip
        (page,) = connection.execute("SELECT id FROM pages WHERE key = ?", (hash(key),)).fetchone()
        connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET named = max(named, excluded.named)",
            [(page, hash(target), encoded(href), line, named) for target, href, line, named in links],
        )

    def owe(self, keys: Iterable[int]) -> None:
        """Pages that owe a link to whoever names them, though they have no alternates themselves."""
        if self._any:
            rows = ((key,) for key in keys)
            self._database.connection.executemany("INSERT OR IGNORE INTO plain VALUES (?)", rows)

    def unreturned(self) -> Iterator[tuple[int, str, int | None, str]]:
        """Each link that is not returned: the page's document and address, the link's line, and what it names."""
        if not self._any:
            return
        for document, loc, line, href in self._database.connection.execute(_UNRETURNED):
            yield document, _decoded(loc), line, _decoded(href)

    def _create(self) -> None:
        self._any = True
        for table in (
            "pages (id INTEGER PRIMARY KEY, key INTEGER UNIQUE, document INTEGER, loc BLOB, line INTEGER)",
            "links (page INTEGER, target INTEGER, href BLOB, line INTEGER, named INTEGER, UNIQUE (page, target))",
            "plain (key INTEGER PRIMARY KEY)",
        ):
            self._database.connection.execute(f"CREATE TABLE {table}")


_UNRETURNED = """
SELECT page.document, page.loc, coalesce(link.line, page.line), link.href
FROM pages AS page JOIN links AS link ON link.page = page.id LEFT JOIN pages AS other ON other.key = link.target
WHERE link.named AND link.target <> page.key AND CASE
    WHEN other.id IS NULL THEN EXISTS (SELECT 1 FROM plain WHERE plain.key = link.target)
    ELSE NOT EXISTS (SELECT 1 FROM links AS back WHERE back.page = other.id AND back.target = page.key)
END
ORDER BY page.id, link.rowid
"""
"""Links whose target was read and does not name the page in turn."""


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
