"""Entries that a caller made, in Python or as a DataFrame: none of them went through a reader's checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import NoneType
from typing import cast

from pydantic import ValidationError

from urlset.converters.explore.frames import Frame, entries_of, is_frame
from urlset.converters.options import Options
from urlset.converters.progress import Meter
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, Entry, News, Origin
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.ledger import Account, Ledger

CHECKED_AT_ONCE = 1_000
"""Entries of a caller's between two looks at the clock for the sake of ``progress``."""


def given(entries: Iterable[Entry] | Frame, options: Options, ledger: Ledger) -> Iterator[Entry]:
    """The entries of a caller or of a frame, looked at; an inventory is asked for its own: it knows more of them."""
    if is_frame(entries):
        from urlset.converters.explore.inventory import Inventory  # which builds on this module

        if not isinstance(entries, Inventory):
            return entries_of(entries, ledger.open("<rows>"), options.documents().options)
    meter = Meter(options.progress, ledger) if options.progress is not None else None
    return checked(cast("Iterable[Entry]", entries), ledger.open("<entries>"), meter)


def checked(entries: Iterable[Entry], account: Account, meter: Meter | None) -> Iterator[Entry]:
    """Entries that a caller made: none of them went through a reader's checks."""
    if not isinstance(entries, Iterable):
        raise OptionError(f"expected entries or a DataFrame, found {type(entries).__name__}", value=str(entries)[:80])
    for row, entry in enumerate(entries, 1):
        if not isinstance(entry, Entry):
            raise OptionError(f"row {row}: expected an Entry, found {type(entry).__name__}", value=str(entry)[:80])
        account.count()
        entry = _sound(entry, row)
        problem = next((one for one in urls.inspect(entry.loc) if not one.usable), None)
        if problem is None:
            yield entry
        else:
            account.reject(problem.rule, f"row {row}: {problem.message}", value=entry.loc, fields={"loc": entry.loc})
        if meter is not None and row % CHECKED_AT_ONCE == 0:
            meter.tick()
    if meter is not None:
        meter.finish()


def _sound(entry: Entry, row: int) -> Entry:
    """An entry that a caller made, its fields what they have to be: ``model_copy`` and ``model_construct`` ask nobody.

    Raises OptionError for a field that is not and can't be made so.
    """
    if _has_sound_fields(entry):
        return entry
    try:
        return type(entry).model_validate(dict(vars(entry)))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise OptionError(f"row {row}: {place}: {fault['msg']}", value=str(fault.get("input"))[:80]) from error


_KINDS: dict[str, tuple[type, ...]] = {
    "loc": (str,),
    "lastmod": (LastMod, NoneType),
    "changefreq": (str, NoneType),
    "priority": (float, NoneType),
    "title": (str, NoneType),
    "news": (News, NoneType),
    "mobile": (bool, NoneType),
    "origin": (Origin, NoneType),
} | dict.fromkeys(("images", "videos", "alternates", "pagemaps", "extra"), (tuple,))


def _has_sound_fields(entry: Entry) -> bool:
    """Whether each field is of its type and in its bounds; what is inside of blocks is not looked at."""
    fields = entry.__dict__
    for name, kinds in _KINDS.items():
        if type(fields.get(name, ...)) not in kinds:
            return False
    priority, changefreq = fields["priority"], fields["changefreq"]
    in_bounds = priority is None or 0 <= priority <= 1
    return in_bounds and (changefreq is None or changefreq in CHANGE_FREQUENCIES)
