"""Pictures of an inventory. Each is drawn into the axes given, or into a figure of its own, and they are returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from urlset.converters.explore.html import shortened
from urlset.converters.explore.table import Table
from urlset.converters.visible import visible
from urlset.formats.arrow.library import arrow, compute, optional
from urlset.formats.vocabulary.urls import MAX_LENGTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Batches = Iterable[Any]

FOLDERS = 15
LANGUAGES = 20
NUMBERED = 12
"""Languages up to which each cell of their matrix has its number."""

_LONGEST = 40
_COLOUR = "#33658a"
_PALEST = "#f1f5f8"
_DARK = 0.5
"""The share from which a cell is so dark that its number is white."""
_LEVEL_DATES = 9
"""Dates up to which their names have room side by side."""
_FIRST, _LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""Dates outside of these no page can have; they would leave no room for the others."""


def lastmod(batches: Batches, ax: Axes | None = None) -> Axes:
    """Pages by the date of their last change: by day, month or year.

    That depends on the time that they span, and on how much of a date most of them name; the others, of which the
    month or the day is not known, are said and not drawn.
    """
    days, absent, odd = _days(batches)
    ax = _axes(ax, "When pages changed last")
    notes = [f"{absent:,} without a date"] * bool(absent) + [f"{odd:,} with a date that no page can have"] * bool(odd)
    if not days:
        return _empty(ax, "no dates", notes)
    names, counts, unit = _binned(days)
    coarser = sum(days.values()) - sum(counts)
    notes += [f"{coarser:,} without a {unit}"] * bool(coarser)
    ax.bar(range(len(names)), counts, width=0.9, color=_COLOUR)
    step = -(-len(names) // 12)
    _named(ax, names, step, slanted=len(names) > _LEVEL_DATES)
    ax.set_xlim(-0.6, max(len(names), 3) - 0.4)
    return _labelled(ax, f"{unit} of lastmod (UTC)", "URLs", notes)


def folders(table: Table, ax: Axes | None = None) -> Axes:
    """The largest folders of a table by folder, and what lies in all others."""
    rows = [(str(row["folder"]), int(row["urls"])) for row in table]
    ax = _axes(ax, "Where the URLs lie")
    if not rows:
        return _empty(ax, "no URLs")
    shown = rows[:FOLDERS]
    if len(rows) > FOLDERS:
        shown.append((f"{len(rows) - FOLDERS:,} others", sum(number for _, number in rows[FOLDERS:])))
    colours = [_COLOUR] * min(len(rows), FOLDERS) + ["#9aa5b1"]
    drawn = ax.barh(range(len(shown)), [number for _, number in shown], color=colours[: len(shown)])
    ax.bar_label(drawn, [f"{number:,}" for _, number in shown], padding=3)
    ax.set_yticks(range(len(shown)), [_name(name) for name, _ in shown])
    ax.invert_yaxis()
    ax.margins(x=0.12)
    return _labelled(ax, "URLs", "")


def lengths(batches: Batches, ax: Axes | None = None) -> Axes:
    """Addresses by their length in characters, with the limit of the protocol where some come near it."""
    counts = _lengths(batches)
    ax = _axes(ax, "How long the URLs are")
    if not counts:
        return _empty(ax, "no URLs")
    most = max(counts)
    width = max(1, -(-most // 60))
    edges = range(min(counts) // width * width, most + 2 * width, width)
    ax.hist(list(counts), bins=list(edges), weights=list(counts.values()), color=_COLOUR, ec="white", lw=0.4)
    if most > MAX_LENGTH // 2:
        ax.axvline(MAX_LENGTH, color="#c0392b", linestyle="--", linewidth=1)
        ax.annotate(f"limit {MAX_LENGTH:,}", (MAX_LENGTH, 1), xycoords=("data", "axes fraction"), xytext=(-4, -4),
                    textcoords="offset points", color="#c0392b", ha="right", va="top", rotation=90)  # fmt: skip
    longer = sum(number for length, number in counts.items() if length >= MAX_LENGTH)
    return _labelled(ax, "characters", "URLs", [f"{longer:,} too long for a sitemap"] if longer else [])


def languages(batches: Batches, ax: Axes | None = None) -> Axes:
    """For the pages of each language, how many of them name an alternate in each; the darker, the larger their share.

    A page's own language is that of the alternate that is the page itself.
    """
    counts, alone = _languages(batches)
    ax = _axes(ax, "Which languages link to which (hreflang)")
    notes = [f"{alone:,} pages with alternates don't name themselves"] if alone else []
    if not counts:
        return _empty(ax, "no alternates", notes)
    own = _most(counts, 0)
    linked = _most(counts, 1)
    pages = {one: max(number for (row, _), number in counts.items() if row == one) for one in own}
    shares = [[counts[row, column] / pages[row] for column in linked] for row in own]
    drawn = ax.pcolormesh(shares, cmap=_shades(), vmin=0, vmax=1, edgecolors="white", linewidth=1.5)
    _named(ax, [_name(one) for one in linked], 1, slanted=len(linked) > NUMBERED, at=0.5)
    ax.set_yticks([row + 0.5 for row in range(len(own))], [_name(one) for one in own])
    ax.invert_yaxis()
    ax.tick_params(length=0)
    if len(linked) <= NUMBERED and len(own) <= NUMBERED:
        for y, row in enumerate(own):
            for x, column in enumerate(linked):
                said, colour = f"{counts[row, column]:,}", "white" if shares[y][x] > _DARK else "black"
                ax.text(x + 0.5, y + 0.5, said, ha="center", va="center", color=colour)
    # A child of the axes, so that a caller's other axes keep their places.
    beside = ax.inset_axes((1.02, 0, 0.03, 1))
    bar = ax.figure.colorbar(drawn, cax=beside, label="share of the pages", format="{x:.0%}", ticks=[0, 0.5, 1])
    bar.outline.set_visible(False)
    ax.spines[:].set_visible(False)
    return _labelled(ax, "language of the alternate", "language of the page", notes, grid=False)


# --- what is drawn


_Days = dict[tuple[date, int], int]
"""Numbers by day, and by how many characters of it are known: 4 of a year, 7 of a month."""


def _days(batches: Batches) -> tuple[_Days, int, int]:
    """Pages by day of their date, how many have none, and how many have one that no page can have."""
    pa, pc = arrow(), compute()
    days: Counter[tuple[date, int]] = Counter()
    absent = odd = 0
    for batch in batches:
        moments = batch["lastmod"]
        inside = pc.fill_null(pc.and_(pc.greater_equal(moments, _FIRST), pc.less(moments, _LAST)), False)
        usable = moments.filter(inside).cast(pa.int64())
        known = pc.min_element_wise(pc.utf8_length(batch["lastmod_text"]), 10).filter(inside)
        dates = pa.table({"day": pc.divide(usable, 86_400_000_000), "known": known})
        for one in dates.group_by(["day", "known"]).aggregate([([], "count_all")]).to_pylist():
            days[date(1970, 1, 1) + timedelta(one["day"]), one["known"]] += one["count_all"]
        missing = batch["lastmod_text"].null_count
        absent += missing
        odd += batch.num_rows - missing - len(usable)
    return days, absent, odd


def _binned(days: _Days) -> tuple[list[str], list[int], str]:
    """Names of all bins from the first to the last, their numbers, and what a bin is.

    Bins are the finest that most of the dates have, and that are not too many; coarser dates are left out.
    """
    for size, unit, bins in ((10, "day", _by_day), (7, "month", _by_month)):
        kept = {day: number for day, number in days.items() if day[1] >= size}
        if sum(kept.values()) * 2 > sum(days.values()) and (names := bins(min(kept)[0], max(kept)[0])):
            return names, _counted(kept, size, names), unit
    names = [f"{year:04}" for year in range(min(days)[0].year, max(days)[0].year + 1)]
    return names, _counted(days, 4, names), "year"


def _counted(days: _Days, size: int, names: Iterable[str]) -> list[int]:
    """The number of each name, which is the beginning of a date."""
    counts: Counter[str] = Counter()
    for (day, _), number in days.items():
        counts[str(day)[:size]] += number
    return [counts[name] for name in names]


def _by_day(first: date, last: date) -> list[str]:
    """The names of the days from the first to the last; none if there are too many."""
    number = (last - first).days + 1
    return [str(first + timedelta(one)) for one in range(number)] if number <= 63 else []


def _by_month(first: date, last: date) -> list[str]:
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [f"{one // 12:04}-{one % 12 + 1:02}" for one in months] if last.year - first.year <= 10 else []


def _lengths(batches: Batches) -> dict[int, int]:
    counts: Counter[int] = Counter()
    for batch in batches:
        for one in compute().utf8_length(batch["loc"]).value_counts().to_pylist():
            counts[one["values"]] += one["counts"]
    return counts


def _languages(batches: Batches) -> tuple[Counter[tuple[str, str]], int]:
    """Pages by their own language and that of an alternate, and how many don't name themselves."""
    pa, pc = arrow(), compute()
    counts: Counter[tuple[str, str]] = Counter()
    alone = 0
    for batch in batches:
        lists = batch["alternates"]
        rows, flat = pc.list_parent_indices(lists), pc.list_flatten(lists)
        if not len(flat):
            continue
        words = pc.utf8_lower(pc.struct_field(flat, 0))
        links = pa.table({"row": rows, "to": words}).group_by(["row", "to"]).aggregate([])
        mine = pa.table({"row": rows, "own": words}).filter(pc.equal(pc.struct_field(flat, 1), batch["loc"].take(rows)))
        mine = mine.group_by("row").aggregate([("own", "min")])
        alone += pc.count_distinct(rows).as_py() - mine.num_rows
        pairs = links.join(mine, "row", join_type="inner").group_by(["own_min", "to"]).aggregate([([], "count_all")])
        for one in pairs.to_pylist():
            counts[one["own_min"], one["to"]] += one["count_all"]
    return counts, alone


def _most(counts: Counter[tuple[str, str]], side: int) -> list[str]:
    """The languages on one side of the pairs: the most frequent ones, in the order of the alphabet."""
    totals: Counter[str] = Counter()
    for pair, number in counts.items():
        totals[pair[side]] += number
    ranked = sorted(totals, key=lambda one: (-totals[one], one))[:LANGUAGES]
    return sorted(ranked)


# --- how it is drawn


def _axes(ax: Axes | None, title: str) -> Axes:
    drawn: Axes = _own_axes() if ax is None else ax
    drawn.set_title(title, loc="left")
    return drawn


def _own_axes() -> Any:
    pyplot = optional("matplotlib.pyplot", "explore", "pictures")
    return pyplot.subplots(figsize=(8, 4.5), layout="constrained")[1]


def _named(ax: Axes, names: list[str], step: int, slanted: bool, at: float = 0) -> None:
    """Put every so manieth name below the axis."""
    places = [place + at for place in range(0, len(names), step)]
    style: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    ax.set_xticks(places, names[::step], **style)


def _shades() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("shares", [_PALEST, _COLOUR])


def _name(text: str) -> str:
    """A name for an axis; a dollar sign would begin a formula, and what the font lacks is shown as its escape."""
    known = _characters()
    drawn = "".join(char if char.isascii() or ord(char) in known else quote(char) for char in visible(text))
    return shortened(drawn, _LONGEST).replace("$", r"\$")


def _characters() -> Container[int]:
    from matplotlib import font_manager

    font: Any = font_manager.get_font(font_manager.findfont(font_manager.FontProperties()))
    charmap: Container[int] = font.get_charmap()
    return charmap


def _labelled(ax: Axes, x: str, y: str, notes: Iterable[str] = (), grid: bool = True) -> Axes:
    said = "; ".join(notes)
    ax.set_xlabel(f"{x}\n{said}" if said else x)
    ax.set_ylabel(y)
    for axis, counted in ((ax.xaxis, x == "URLs"), (ax.yaxis, y == "URLs")):
        if counted:
            axis.set_major_locator(_whole_numbers())
            axis.set_major_formatter("{x:,.0f}")
            axis.grid(grid, color="#dddddd")
    if grid:
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    return ax


def _whole_numbers() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(6, integer=True)


def _empty(ax: Axes, what: str, notes: Iterable[str] = ()) -> Axes:
    ax.text(0.5, 0.5, "\n".join([what, *notes]), ha="center", va="center", transform=ax.transAxes, color="#777777")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax
