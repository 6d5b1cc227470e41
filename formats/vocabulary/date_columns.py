"""Dates in columns: many are read, printed and compared at once, in a fraction of the time that one by one takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from urlset.formats.vocabulary.dates import LastMod, is_implausible, meet, not_met, read_w3c, sound_dates

# As nearly everybody writes dates: plausible, and sound by the calendar.
# An empty branch is faster than a question mark, and twice [0-9] than {2}.
_DAY = (
    r"(?:(?:20[0-9][0-9]|19[89][0-9])-(?:(?:0[1-9]|1[0-2])-(?:[01][1-9]|[12]0|2[1-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    r"|(?:20(?:[02468][048]|[13579][26])|19(?:8[048]|9[26]))-02-29)"
)
_TIME = (
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]++|)"
    r"(?:[+](?:0[0-9]|1[0-3]):[0-5][0-9]|Z|-(?!00:00)(?:0[0-9]|1[0-3]):[0-5][0-9])"
)
_PLAIN_LINES = re.compile(rf"(?:(?:{_DAY}(?:{_TIME}|)|)(?:\n|\Z))*")


class Dates(NamedTuple):
    """A column of dates: texts, an empty one being none; and their values, unless each is what its text says.

    A text says all where it names a day, or a time with its seconds.
    """

    texts: Sequence[str]
    read: Sequence[LastMod | None] | None = None

    def values(self) -> Sequence[LastMod | None]:
        """The dates."""
        return sound_dates(self.texts) if self.read is None else self.read

    def printed(self) -> Sequence[str]:
        """What ``str`` gives for each; of none, an empty text."""
        return self.texts if self.read is None else ["" if value is None else value._text for value in self.read]

    def present(self) -> int:
        """How many there are."""
        return len(self.texts) - self.texts.count("") if self.read is None else len(self.read) - self.read.count(None)

    def newest(self, other: LastMod | None = None) -> LastMod | None:
        """The latest by instant of another one and these, and the first of such; None if there is none."""
        if self.read is not None:
            return newest((other, *self.read))
        latest = max(self.texts, default="")
        if not latest:
            return other
        # No two zones are two days apart, so that what is older than that needs no reading.
        oldest = str(date.fromisoformat(latest[:10]) - timedelta(days=2))
        return newest((other, *sound_dates(dict.fromkeys(text for text in self.texts if text >= oldest))))


def plain_dates(texts: Sequence[str]) -> Dates | None:
    """The dates of many texts; None if there is something to say of any of them."""
    unknown = not_met(texts)
    joined = "\n".join(unknown)
    if not unknown or (joined.count("\n") == len(unknown) - 1 and _PLAIN_LINES.fullmatch(joined)):
        meet(unknown)
        return Dates(texts)
    values: list[LastMod | None] = []
    for text in texts:
        value, problem = read_w3c(text) if text else (None, None)
        if problem is not None or (value is not None and is_implausible(value)) or any(map(str.isspace, text)):
            return None
        values.append(value)
    return Dates(texts, values)


def texts_of(values: Iterable[LastMod | None]) -> list[str | None]:
    """What ``str`` gives for each of many, without a call for each."""
    return [None if value is None else value._text for value in values]


def newest(values: Iterable[LastMod | None]) -> LastMod | None:
    """The latest by instant, and the first of these; None if there is none."""
    best: dict[str, tuple[str, int, LastMod]] = {}
    for place, value in enumerate(values):
        if value is not None:
            # In one zone texts are ordered as instants are, and need no arithmetic; those of a year or month are not.
            text = value._text
            zone = text[19:] if len(text) >= 10 else text
            known = best.get(zone)
            if known is None or text > known[0]:
                best[zone] = (text, place, value)
    found = max(best.values(), key=lambda one: (one[2].instant, -one[1]), default=None)
    return None if found is None else found[2]
