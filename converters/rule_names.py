"""Rules as people name them: by id or shell pattern; and what is said of a name that none has."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase

from urlset.formats.catalogue import RULES, Rule
from urlset.formats.vocabulary.errors import OptionError


def fitting(pattern: str) -> list[Rule]:
    """The rules whose ids fit a pattern; an id fits itself."""
    return [rule for rule in RULES.values() if fnmatchcase(rule.id, pattern)]


def of_check(name: str) -> list[Rule]:
    """The rule that a check with this id (LOC-005) is made for; none if there is no such check."""
    return [rule for rule in RULES.values() if any(row.id == name.upper() for row in rule.rows)]


def unknown(name: str) -> OptionError:
    """What to raise for a name that fits no rule: it says what was probably meant."""
    close = get_close_matches(name.lower(), RULES)
    if rules := of_check(name):
        hint = f"; it is a check, and its rule is {rules[0].id}"
    else:
        hint = f"; did you mean {' or '.join(close)}?" if close else "; urlset rules lists them"
    return OptionError(f"there is no rule {name!r}{hint}", value=name)
