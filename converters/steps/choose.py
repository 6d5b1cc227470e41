"""Which entries are wanted: shell patterns, and ordered filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from typing import NamedTuple

from urlset.converters.steps.step import Step
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.ledger import Ledger


def selected(include: Sequence[str], exclude: Sequence[str], ledger: Ledger) -> Step:
    """Keep what matches an ``include`` pattern (all, if there is none) and no ``exclude`` pattern.

    Patterns are those of :func:`filtered`. Raises OptionError for one that is empty, or no regular expression.
    """
    wanted = [_matcher(pattern, f"the pattern {pattern!r}", pattern) for pattern in include]
    unwanted = [_matcher(pattern, f"the pattern {pattern!r}", pattern) for pattern in exclude]

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            fits = not wanted or any(matches(entry.loc) for matches in wanted)
            if fits and not any(matches(entry.loc) for matches in unwanted):
                yield entry
            else:
                ledger.counts.filtered += 1

    return step


_Matches = Callable[[str], object]


class _Rule(NamedTuple):
    """One rule of an ordered filter: whether it keeps what it matches, and how it is asked."""

    keeps: bool
    matches: _Matches


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
    return _Rule(sign == "+", _matcher(pattern, f"filter rule {number}, {rule!r},", rule))


def _matcher(pattern: str, what: str, given: str) -> _Matches:
    """What tells whether an address matches a pattern, the end of what was ``given``; ``what`` names it in errors."""
    if pattern in ("", "~"):
        raise OptionError(f"{what} has no pattern" if pattern != given else f"{what} is empty", value=given)
    if pattern[0] != "~":
        return re.compile(translate(pattern)).match
    try:
        return re.compile(pattern[1:]).search
    except re.error as error:
        place = "" if error.pos is None else f" at character {error.pos + 2 + len(given) - len(pattern)}"
        raise OptionError(f"{what} is no regular expression: {error.msg}{place}", value=given) from error
    except (OverflowError, RecursionError) as error:
        message = f"{what[:100]} is too much for the regular expressions of Python: {error}"
        raise OptionError(message, value=given) from error
