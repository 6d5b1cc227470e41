"""How the records of one sitemap are written, and the columns of texts that patterns of that layout find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from urlset.formats.xml import orders

_FIRST = re.compile(
    r"<(url|sitemap)>([ \t\n]*+)(<[a-z]++>[^<]*+</[a-z]++>(?:[ \t\n]*+<[a-z]++>[^<]*+</[a-z]++>)*)([ \t\n]*+)"
    r"</\1>([ \t\n]*+)(?=<(?:\1>|/urlset|/sitemapindex))"
)
_NAME = re.compile(r"<([a-z]++)>")
_REST = r"|([\s\S]+)"


class Layout(NamedTuple):
    """The white space in the records of a document, and the order of their fields.

    ``names`` are the fields of the first record, in ``order`` stand all others too.
    """

    record: str
    before_record: str
    before_field: str
    before_end: str
    names: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def end(self) -> str:
        """What every record ends with."""
        return f"{self.before_end}</{self.record}>"

    def complete(self) -> re.Pattern[str]:
        """One record with the fields of the first, each a group; or, in the last group, all that is left.

        No character is passed over: what is no such record goes, with everything behind it, to the last group.
        """
        return self._pattern(map(self._present, self.names))

    def any(self) -> re.Pattern[str]:
        """The same of records whose fields, other than the loc, may be absent."""
        return self._pattern(self._present(name) if name == "loc" else self._optional(name) for name in self.order)

    def _pattern(self, fields: Iterator[str]) -> re.Pattern[str]:
        return re.compile(f"{self.before_record}<{self.record}>{''.join(fields)}{self.end}{_REST}")

    def _present(self, name: str) -> str:
        return f"{self.before_field}<{name}>([^<]{'*' if name == 'loc' else '+'}+)</{name}>"

    def _optional(self, name: str) -> str:
        return f"(?:{self._present(name)}|)"


def layout_of(text: str, start: int, record: str) -> Layout | None:
    """The layout of the first record, which begins there; None if it is no plain one."""
    first = _FIRST.match(text, start)
    names = tuple(_NAME.findall(first[3])) if first else ()
    if first is None or first[1] != record or "loc" not in names:
        return None
    if len({*names}) < len(names) or not {*names} <= {*orders.URL}:
        return None
    absent = tuple(name for name in orders.URL if name not in names)
    order = orders.URL if names == tuple(name for name in orders.URL if name in names) else names + absent
    return Layout(record, first[5], first[2], first[4], names, order)


class Records(Sequence[tuple[str, ...]]):
    """Records of one layout, as columns of the texts of their fields in its order; an absent one is empty."""

    def __init__(self, columns: Sequence[Sequence[str]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, place: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> Records: ...
    def __getitem__(self, place: int | slice) -> tuple[str, ...] | Records:
        if isinstance(place, slice):
            return Records([column[place] for column in self.columns])
        return tuple(column[place] for column in self.columns)


class Finder:
    """Finds records that follow each other in one layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._complete = layout.complete().split
        self._any = layout.any().findall

    def find(self, text: str) -> tuple[list[Records], str]:
        """Records from the start of a text on, and what is left, which may begin with an unfinished one."""
        found, rest = self._all_there(text)
        if self._layout.end not in rest:
            return [found], rest
        more, rest = self._some_absent(rest)
        return [found, more], rest

    def _all_there(self, text: str) -> tuple[Records, str]:
        """Records that have just the fields of the first: these are found in two thirds of the time."""
        names, order = self._layout.names, self._layout.order
        parts = self._complete(text)
        width = len(names) + 2  # an empty text before each record, its fields, and what is left
        rest = parts[-2] if len(parts) > 1 else None
        end = len(parts) - 1 if rest is None else len(parts) - 1 - width
        columns = [parts[place:end:width] for place in range(1, len(names) + 1)]
        absent = [""] * len(columns[0])
        return Records([columns[names.index(name)] if name in names else absent for name in order]), rest or ""

    def _some_absent(self, text: str) -> tuple[Records, str]:
        rows = self._any(text)
        rest = rows.pop()[-1] if rows and rows[-1][-1] else ""
        order = self._layout.order
        return Records([*zip(*rows, strict=True)][: len(order)] or [()] * len(order)), rest
