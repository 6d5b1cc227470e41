"""What the two lanes hand to the readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from urlset.formats.xml.faults import Fault
from urlset.formats.xml.node import Element

PRUNE_AT = 512
"""Finished elements beside each other, without a record, that are handed out together so that none pile up."""


class Vocabulary(NamedTuple):
    """The element names, lower case, that a format's documents are made of.

    ``roots`` may hold records, ``records`` are what is read one by one, ``fields`` are known inside a record.
    ``utf8_only``: the format demands UTF-8, where XML allows any encoding. ``elements_only``: text that stands directly
    in a root means nothing, so it is reported as lost.
    """

    roots: frozenset[str]
    records: frozenset[str]
    fields: frozenset[str]
    utf8_only: bool = False
    elements_only: bool = False


NO_FAULTS: Sequence[Fault] = ()


class Item(NamedTuple):
    """An element that is finished, and the faults met since the one before.

    Elements that are no records (``record`` False) are handed out too, in document order, so that nothing is passed
    over unseen. ``cut`` is the fault that cut a record off: the end of the file, or a limit. The last item of a
    document may be faults alone.
    """

    element: Element | None
    record: bool
    faults: Sequence[Fault]
    cut: Fault | None = None


def spellings(names: frozenset[str]) -> frozenset[str]:
    """The names as they are met in files: as they are, in upper case, and with a capital."""
    return names | {name.upper() for name in names} | {name.capitalize() for name in names}


def nested(name: str, line: int) -> Fault:
    """The fault of a record that stands inside another one."""
    return Fault(
        "misplaced-element",
        f"{name} stands inside another {name}; they are read one by one",
        line,
        value=name,
    )
