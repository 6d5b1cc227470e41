"""What a notebook shows: HTML without links, scripts or styles of its own, in the colours of the page.

A list of URLs is somebody else's data, so every value is escaped twice over: marks that can't be printed become their
codes, and then HTML's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from urlset.converters.visible import visible

LONGEST = 100
"""Characters of a cell that are shown; the middle of a longer one is left out."""

LONGEST_NAME = 50
"""The same for a name beside a bar."""

_CELL = "text-align:left;padding:1px 8px;white-space:nowrap"
_NUMBER = "text-align:right;padding:1px 8px"
_BAR = "display:inline-block;height:.7em;background:currentColor;opacity:.35"


class Cells(NamedTuple):
    """A table: header and rows, and which columns are numbers."""

    header: Sequence[str]
    rows: Iterable[Sequence[object]]


_LITERAL = "tex2jax_ignore mathjax_ignore"
"""Classes in which notebooks typeset no mathematics: names and addresses may hold dollar signs."""


def text(value: object) -> str:
    """A value as escaped text, shortened in the middle."""
    return escape(shortened("" if value is None else visible(str(value))))


def shortened(value: str, longest: int = LONGEST) -> str:
    """A text of at most so many characters, its middle replaced by an ellipsis."""
    half = (longest - 1) // 2
    return value if len(value) <= longest else f"{value[: longest - 1 - half]}…{value[-half:]}"


def table(title: str, cells: Cells, note: str = "") -> str:
    """A table with a caption; numbers stand to the right. One that is wider than the page is moved sideways."""
    head = "".join(f'<th style="{_CELL}">{text(name)}</th>' for name in cells.header)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in cells.rows)
    caption = f'<caption style="text-align:left;font-weight:bold">{text(title)}</caption>' if title else ""
    below = f'<div style="opacity:.7">{text(note)}</div>' if note else ""
    whole = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="{_LITERAL}" style="overflow-x:auto">{whole}</div>{below}'


def bars(title: str, counted: str, rows: dict[str, int], whole: int) -> str:
    """A table of names and numbers, each with a bar for its share of a whole."""
    lines = []
    for name, number in rows.items():
        width = min(1.0, number / whole) * 6 if whole else 0
        bar = f'<td style="{_CELL}"><span style="{_BAR};width:{width:.2f}em"></span></td>'
        shown = escape(shortened(visible(name) or "(none)", LONGEST_NAME))
        lines.append(f'<tr><td style="{_CELL}">{shown}</td>{_cell(number)}{bar}</tr>')
    head = f'<tr><th></th><th style="{_NUMBER}">{text(counted)}</th><th></th></tr>'
    caption = f'<caption style="text-align:left;font-weight:bold">{text(title)}</caption>'
    return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>"


def box(title: str, lines: Iterable[str], tables: Iterable[str]) -> str:
    """A heading, lines of plain text, and tables side by side as far as there is room."""
    said = "".join(f"<div>{text(line)}</div>" for line in lines)
    beside = "".join(f"<div>{one}</div>" for one in tables)
    flow = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start;margin-top:.5em"
    head = f"<div><strong>{text(title)}</strong></div>"
    return f'<div class="{_LITERAL}">{head}{said}<div style="{flow}">{beside}</div></div>'


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td style="{_NUMBER}">{value:,}</td>'
    if isinstance(value, list):
        return f'<td style="{_CELL}">{"<br/>".join(map(text, value))}</td>'
    return f'<td style="{_CELL}">{text(value)}</td>'
