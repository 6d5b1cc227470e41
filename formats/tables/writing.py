"""How a table is written: all columns always, in UTF-8, blocks as JSON, cells quoted where they have to be.

Cells are written byte for byte, also one that a spreadsheet would take for a formula; but line ends inside a cell are
read and written as LF.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from urlset.formats.tables.rows import as_cell, join_row
from urlset.formats.vocabulary.entry import FIELDS, Core, Entry
from urlset.formats.vocabulary.format import Frame, Piece, Writer
from urlset.formats.vocabulary.record import decimal_text

BLOCKS = ("images", "videos", "news", "alternates", "mobile", "pagemaps", "extra")
"""The fields whose cells hold JSON."""

_LINE_END = re.compile(r"\r\n?")


def writer(delimiter: str, line_end: str) -> Writer:
    """How tables of a dialect are written: a row an entry, below a header."""
    frame = Frame((join_row(FIELDS, delimiter) + line_end).encode())

    def encode(entry: Entry) -> Piece:
        found = entry.as_dict()
        row = join_row([_cell(name, found.get(name)) for name in FIELDS], delimiter)
        try:
            return Piece((row + line_end).encode())
        except UnicodeEncodeError as error:
            raise ValueError("half of a surrogate pair is no character") from error

    return Writer(encode, lambda needs: frame, encode_plain=partial(_rows, delimiter=delimiter, line_end=line_end))


def _rows(core: Core, delimiter: str, line_end: str) -> bytes | None:
    """What ``encode`` gives, of many entries without blocks; None if any needs a closer look."""
    absent = delimiter * len(BLOCKS) + line_end
    locs, titles = core.locs, [""] * len(core.locs)
    if core.text is None or delimiter in core.text:  # a plain loc has neither quotes nor blanks
        locs = [as_cell(_LINE_END.sub("\n", loc), delimiter) for loc in locs]
    if core.titles is not None:
        titles = [as_cell(_LINE_END.sub("\n", title), delimiter) if title else "" for title in core.titles]
    words = [word or "" for word in core.changefreqs]
    numbers = ["" if value is None else decimal_text(value) for value in core.priorities]
    rows = zip(locs, core.lastmods.printed(), words, numbers, titles, strict=True)
    try:
        return "".join([delimiter.join(row) + absent for row in rows]).encode()
    except UnicodeEncodeError:
        return None


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in BLOCKS:
        return json.dumps(value, ensure_ascii=False)
    return decimal_text(value) if name == "priority" else _LINE_END.sub("\n", str(value))
