"""What an entry takes in memory, roughly: enough to know when a list of them grows too large."""

from __future__ import annotations

from pydantic import BaseModel

from urlset.formats.vocabulary.entry import Entry

IN_MEMORY = 200_000_000
"""Bytes of entries that one step keeps in memory: some 200,000 entries without blocks."""

_OBJECT = 800
_STRING = 50


def weight(entry: Entry) -> int:
    """Bytes, roughly."""
    size = _OBJECT + len(entry.loc)
    return size + sum(map(_of, vars(entry).values())) if entry.has_blocks or entry.title else size


def _of(value: object) -> int:
    if isinstance(value, str):
        return _STRING + len(value)
    if isinstance(value, BaseModel):
        return _OBJECT + sum(map(_of, vars(value).values()))
    return sum(map(_of, value)) if isinstance(value, tuple) else 0
