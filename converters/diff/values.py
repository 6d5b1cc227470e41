"""Which fields of two entries differ, by what they mean and not by how they are written."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from urlset.formats.vocabulary.dates import LastMod, Precision
from urlset.formats.vocabulary.entry import Entry


def differing(old: Entry, new: Entry, names: Iterable[str]) -> tuple[str, ...]:
    """The fields among ``names`` in which two entries differ.

    Two times are one if they are the same moment, whatever their zone. A day, a month or a year is only itself, and no
    midnight (W3C NOTE-datetime: a date names as much as it says). The order of a page's blocks means nothing.
    """
    mine, its = vars(old), vars(new)
    return tuple(name for name in names if mine[name] != its[name] and _meant(mine[name]) != _meant(its[name]))


def present(value: object) -> bool:
    """Whether the value of a field says anything: ``""`` and 0.0 do."""
    return value is not None and value != ()


def _meant(value: object) -> object:
    """A form of the value of a field that is equal for what means the same."""
    if isinstance(value, tuple):
        return sorted(repr(_inner(one)) for one in value)
    return _inner(value)


def _inner(value: object) -> object:
    if isinstance(value, LastMod):
        return value.instant if value.precision >= Precision.MINUTE else str(value)
    if isinstance(value, BaseModel):
        return {name: _inner(part) for name, part in vars(value).items() if name != "line"}
    return [_inner(one) for one in value] if isinstance(value, tuple) else value
