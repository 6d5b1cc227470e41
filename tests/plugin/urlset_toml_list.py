"""TOML list: an array of tables named ``url``, each with a ``loc``.

Specification: https://toml.io/en/v1.0.0. A format of a package of its own, found through the entry-point group
``urlset.formats``.

Carries: loc, lastmod, title.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import closing

from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.errors import ReadError
from urlset.formats.vocabulary.format import Format, Head, Piece, ReadOptions, Writer
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import date_of, usable_loc
from urlset.formats.vocabulary.source import Source

_TABLE = re.compile(r"^\[\[url\]\]$", re.MULTILINE)


def sniff(head: Head) -> bool:
    """The first line that is no comment begins an entry."""
    listed = [line for line in head.lines if not line.startswith("#")]
    return bool(listed) and listed[0] == "[[url]]"


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a table."""
    with closing(source.open(account.report)) as stream:
        text = stream.read().decode("utf-8-sig").replace("\r\n", "\n")
    try:
        tables = tomllib.loads(text)["url"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise ReadError(f"not a TOML list: {error}", source=account.name) from error
    lines = [text.count("\n", 0, match.start()) + 1 for match in _TABLE.finditer(text)]
    for line, table in zip(lines, tables, strict=True):
        account.count()
        loc = usable_loc(account, options, str(table.get("loc", "")), line)
        if loc is not None:
            lastmod = date_of(account, options, str(table["lastmod"]), line) if "lastmod" in table else None
            yield Entry(loc=loc, lastmod=lastmod, title=table.get("title"), origin=Origin(account.name, line))


def encode(entry: Entry) -> Piece:
    """The entry as a table; a JSON string is a TOML string too."""
    values = {"loc": entry.loc, "lastmod": entry.lastmod and str(entry.lastmod), "title": entry.title}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in values.items() if value is not None]
    return Piece(("[[url]]\n" + "".join(lines)).encode())


TOML_LIST = Format(
    name="toml-list",
    title="TOML list",
    specification="https://toml.io/en/v1.0.0",
    suffixes=(".toml",),
    media_types=("application/toml",),
    carries=frozenset({"loc", "lastmod", "title"}),
    sniff=sniff,
    read=read,
    write=Writer(encode),
)
