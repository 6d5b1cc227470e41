"""What happens to entries between reading and writing; each step is a generator over entries.

A step that leaves an entry out says so to the ledger's counts: filtered, or merged as a duplicate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from typing import Literal, NamedTuple, TypeVar

from urlset.formats.catalogue import Severity
from urlset.formats.vocabulary.dates import Precision
from urlset.formats.vocabulary.entry import FIELDS, Entry, TvShow, Video
from urlset.formats.vocabulary.errors import OptionError, WriteError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.urls import dedupe_key, inspect

Dedupe = Literal["none", "first", "last", "newest"]
OnLoss = Literal["warn", "fail", "ignore"]
Step = Callable[[Iterable[Entry]], Iterator[Entry]]
_Dated = TypeVar("_Dated", Entry, Video, TvShow)
_VIDEO_DATES = ("expiration_date", "publication_date")


def selected(include: Sequence[str], exclude: Sequence[str], ledger: Ledger) -> Step:
    """Keep what matches an ``include`` pattern (all, if there is none) and no ``exclude`` pattern.

    Patterns are shell style, compared with the whole loc, upper and lower case apart.
    """
    wanted = [re.compile(translate(pattern)) for pattern in include]
    unwanted = [re.compile(translate(pattern)) for pattern in exclude]

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            fits = not wanted or any(pattern.match(entry.loc) for pattern in wanted)
            if fits and not any(pattern.match(entry.loc) for pattern in unwanted):
                yield entry
            else:
                ledger.counts.filtered += 1

    return step


class _Rule(NamedTuple):
    """One rule of an ordered filter: whether it keeps what it matches, and how it is asked."""

    keeps: bool
    matches: Callable[[str], object]


def filtered(rules: Sequence[str], ledger: Ledger) -> Step:
    """The first rule that matches an entry's loc decides whether it stays; it stays if none does.

    ``+PATTERN`` keeps and ``-PATTERN`` drops. A pattern is shell style and compared with the whole loc, upper and lower
    case apart; one that begins with ``~`` is a regular expression and searched anywhere (the filters of Google's
    sitemap_gen.py). Raises OptionError for a rule of another form, with its number.
    """
    chosen = [_rule(number, rule) for number, rule in enumerate(rules, 1)]

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            if next((rule.keeps for rule in chosen if rule.matches(entry.loc)), True):
                yield entry
            else:
                ledger.counts.filtered += 1

    return step


def _rule(number: int, rule: str) -> _Rule:
    sign, pattern = rule[:1], rule[1:]
    if sign not in ("+", "-"):
        message = f"filter rule {number} begins with + (keep) or - (drop), as in -*/private/*, not {rule!r}"
        raise OptionError(message, value=rule)
    if pattern in ("", "~"):
        raise OptionError(f"filter rule {number}, {rule!r}, has no pattern", value=rule)
    if pattern[0] != "~":
        return _Rule(sign == "+", re.compile(translate(pattern)).match)
    try:
        return _Rule(sign == "+", re.compile(pattern[1:]).search)
    except re.error as error:
        message = f"filter rule {number}, {rule!r}, is no regular expression: {error.msg}"
        place = "" if error.pos is None else f" at character {error.pos + 3}"
        raise OptionError(f"{message}{place}", value=rule) from error
    except (OverflowError, RecursionError) as error:
        message = f"filter rule {number}, {rule[:80]!r}, is too much for the regular expressions of Python: {error}"
        raise OptionError(message, value=rule) from error


def reject(entry: Entry, rule: str, message: str, ledger: Ledger) -> None:
    """Leave out an entry that was read well and can't be written."""
    source = entry.origin.source if entry.origin else "<entries>"
    account = next((one for one in ledger.accounts if one.name == source), None) or ledger.open(source)
    line = entry.origin.line if entry.origin else None
    account.reject(rule, message, line=line, value=entry.loc, fields=entry.as_dict())


def rewritten(rules: Sequence[str], ledger: Ledger) -> Step:
    """Replace the beginning of each loc, rule by rule; a rule is ``OLD=NEW``. Raises OptionError for another form.

    An entry whose new address is none is rejected.
    """
    pairs = [_pair(rule) for rule in rules]

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            loc = entry.loc
            for old, new in pairs:
                if loc.startswith(old):
                    loc = new + loc[len(old) :]
            if loc == entry.loc:
                yield entry
                continue
            problem = next((one for one in inspect(loc) if not one.usable or one.rule == "loc-too-long"), None)
            if problem is None:
                yield entry.model_copy(update={"loc": loc})
            else:
                reject(entry, problem.rule, f"rewritten to {loc[:200]!r}: {problem.message}", ledger)

    return step


def _pair(rule: str) -> tuple[str, str]:
    # The first equals sign that another scheme follows divides: queries hold equals signs too.
    old, sign, new = rule.partition("=http") if "=http" in rule else rule.partition("=")
    if not sign or not old:
        raise OptionError(f"a rewrite rule has the form OLD=NEW, not {rule!r}")
    return old, new if sign == "=" else f"http{new}"


def deduplicated(keep: Dedupe, ledger: Ledger) -> Step:
    """One entry for each address, after safe normalisation, in the place of the first.

    ``first`` needs only the keys in memory, ``last`` and ``newest`` (the latest lastmod by instant) all entries.
    """

    def first(entries: Iterable[Entry]) -> Iterator[Entry]:
        seen: set[str] = set()
        for entry in entries:
            if (key := dedupe_key(entry.loc)) in seen:
                ledger.counts.duplicates += 1
            else:
                seen.add(key)
                yield entry

    def merged(entries: Iterable[Entry]) -> Iterator[Entry]:
        kept: dict[str, Entry] = {}
        for entry in entries:
            key = dedupe_key(entry.loc)
            if (known := kept.get(key)) is None:
                kept[key] = entry
                continue
            ledger.counts.duplicates += 1
            if keep == "last" or _newer(entry, known):
                kept[key] = entry
        yield from kept.values()

    return first if keep == "first" else merged


def _newer(entry: Entry, known: Entry) -> bool:
    if entry.lastmod is None:
        return False
    return known.lastmod is None or entry.lastmod > known.lastmod


def in_order(entries: Iterable[Entry]) -> Iterator[Entry]:
    """All entries sorted by loc; they are held in memory."""
    yield from sorted(entries, key=lambda entry: entry.loc)


def within_schema(ledger: Ledger) -> Step:
    """Drop what the protocol allows and its XSD (date and dateTime) does not: years and months."""

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        dropped: Counter[str] = Counter()
        for entry in entries:
            videos = tuple(_film(video, dropped) for video in entry.videos)
            entry = _dated(entry, ("lastmod",), dropped)
            yield entry if videos == entry.videos else entry.model_copy(update={"videos": videos})
        for name, count in dropped.items():
            message = f"{name} is a year or a month, which the XSD does not allow"
            ledger.add(Finding("invalid-date", "warning", message, action="dropped-value", count=count))

    return step


def _film(video: Video, dropped: Counter[str]) -> Video:
    video = _dated(video, _VIDEO_DATES, dropped, "video:")
    if video.tvshow is None:
        return video
    show = _dated(video.tvshow, ("premier_date",), dropped, "video:")
    return video if show is video.tvshow else video.model_copy(update={"tvshow": show})


def _dated(one: _Dated, names: tuple[str, ...], dropped: Counter[str], prefix: str = "") -> _Dated:
    """The same without those of its dates that are coarser than a day, which are counted."""
    coarse = [name for name in names if (date := getattr(one, name)) is not None and date.precision < Precision.DAY]
    dropped.update(f"{prefix}{name}" for name in coarse)
    return one.model_copy(update=dict.fromkeys(coarse)) if coarse else one


class Losses:
    """Counts the fields that the target can't hold, and says so before anything is moved into place."""

    def __init__(self, target: Format) -> None:
        self._target = target
        self._missing = [name for name in FIELDS if name not in target.carries]
        self._lost = dict.fromkeys(self._missing, 0)

    def watch(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Pass entries through and count."""
        missing, lost = self._missing, self._lost
        for entry in entries:
            for name in missing:
                # Absent is None or an empty tuple; "" and 0.0 are values.
                value = getattr(entry, name)
                if value is not None and value != ():
                    lost[name] += 1
            yield entry

    def report(self, ledger: Ledger, on_loss: OnLoss) -> None:
        """One finding for each lost field. Raises WriteError if losses are to fail."""
        lost = {name: count for name, count in self._lost.items() if count}
        if on_loss == "ignore" or not lost:
            return
        for name, count in lost.items():
            # A title was never a sitemap's business; whoever converts a feed knows.
            severity: Severity = "info" if name == "title" and on_loss == "warn" else "warning"
            entries = "1 entry" if count == 1 else f"{count:,} entries"
            message = f"{self._target.title} cannot hold {name}; it is dropped from {entries}"
            ledger.add(Finding("field-not-carried", severity, message, value=name, action="dropped-value", count=count))
        if on_loss == "fail":
            names = ", ".join(lost)
            raise WriteError(f"{self._target.title} cannot hold {names}", rule="field-not-carried")
