"""Addresses that begin with one text are given another beginning, as after the move of a site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import is_
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from urlset.converters.steps.step import Step, reject
from urlset.formats.vocabulary import entry as models
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.urls import UrlProblem, inspect

_ORIGIN = re.compile(r"(https?://[^/?#@\\]+)(/?)", re.IGNORECASE)
_Model = TypeVar("_Model", bound=BaseModel)

ADDRESSES: Mapping[type[BaseModel], tuple[str, ...]] = MappingProxyType(
    {
        models.Image: ("loc", "license"),
        models.Video: ("thumbnail_loc", "content_loc", "player_loc", "gallery_loc", "uploader_info"),
        models.ContentSegment: ("loc",),
        models.Alternate: ("href",),
        models.PageMap: ("template_src",),
        models.PageMapAttribute: ("value",),
    }
)
"""The fields of blocks that hold addresses, or, as the attributes of a PageMap, may hold one."""


class _Rule(NamedTuple):
    old: str
    new: str
    origin: str  # as origins compare, if the old beginning is no more than one; and so a whole site is meant

    def applied(self, address: str) -> str | None:
        """The address with its new beginning; None if the rule is not for it."""
        # What begins with a whole origin, its slash included, is on it.
        if not self.origin or self.old[-1] == "/":
            if address.startswith(self.old):
                return self.new + address[len(self.old) :]
            if not self.origin:
                return None
        match = _ORIGIN.match(address)
        # One with a user is another address to a server; the user would be gone.
        if match is None or address[match.end(1) : match.end(1) + 1] == "@" or urls.origin(address) != self.origin:
            return None
        return self.new + address[match.end(2) if self.old.endswith("/") else match.end(1) :]

    @property
    def unused(self) -> str:
        """What is to be said if it was for no address."""
        what = f"is on {self.old}, as scheme, host and port compare" if self.origin else f"begins with {self.old}"
        return f"no address {what}; nothing is rewritten to {self.new}"


def rewritten(rules: Sequence[str], ledger: Ledger) -> Step:
    """Replace the beginning of each address of an entry, rule by rule; a rule is ``OLD=NEW``.

    An OLD that is an origin, with or without a slash, is compared as origins are (RFC 3986, 6.2): case, default ports
    and the slash of an empty path make no difference. Any other is a text.

    That is its loc and the addresses in its blocks (ADDRESSES), which a finding counts; what moves is a site with its
    pictures and its other languages. Foreign elements stay as they are, and those that hold OLD are counted. An entry
    with a new address that is none is rejected. Raises OptionError for a rule of another form.
    """
    chosen = [_rule(rule) for rule in rules]

    def step(entries: Iterable[Entry]) -> Iterator[Entry]:
        walk = _Walk(chosen)
        for entry in entries:
            loc = walk.changed(entry.loc)
            fault = _fault(entry.loc, loc)
            changed = walk.block(entry) if fault is None and entry.has_blocks else entry
            fault = fault or (walk.faults.pop(0) if walk.faults else None)
            if fault is not None:
                walk.faults.clear()
                reject(entry, *fault, ledger)
            else:
                yield changed if loc == entry.loc else changed.model_copy(update={"loc": loc})
        walk.report(ledger)

    return step


def _rule(rule: str) -> _Rule:
    # The first equals sign that another scheme follows divides: queries hold equals signs too.
    old, sign, new = rule.partition("=http") if "=http" in rule else rule.partition("=")
    if not sign or not old:
        raise OptionError(f"a rewrite rule has the form OLD=NEW, not {rule!r}")
    return _Rule(old, new if sign == "=" else f"http{new}", urls.origin(old) if _ORIGIN.fullmatch(old) else "")


def _fault(old: str, new: str) -> tuple[str, str] | None:
    """Rule and message, if a new loc is none."""
    if new == old:
        return None
    problem = next((one for one in inspect(new) if not one.usable or one.rule == "loc-too-long"), None)
    return None if problem is None else (problem.rule, f"rewritten to {new[:200]!r}: {problem.message}")


def _unusable(address: str) -> UrlProblem | None:
    return next((one for one in inspect(address) if not one.usable), None)


class _Walk:
    """A walk through the blocks of entries: changes their addresses and counts them by field of the entry."""

    def __init__(self, rules: Sequence[_Rule]) -> None:
        self._rules = rules
        self._unused = set(rules)
        self.counts: Counter[str] = Counter()
        self.foreign = 0
        self.faults: list[tuple[str, str]] = []  # rule and message

    def changed(self, address: str) -> str:
        """An address after all rules."""
        for rule in self._rules:
            if (new := rule.applied(address)) is not None:
                address = new
                self._unused.discard(rule)
        return address

    def block(self, block: _Model, name: str = "") -> _Model:
        """A block, or a whole entry, with its new addresses; itself, if there are none."""
        addresses = ADDRESSES.get(type(block), ())
        update: dict[str, object] = {}
        for part, value in vars(block).items():
            field = name or part
            new = self._address(value, field) if value and part in addresses else self._inner(part, value, field)
            if new is not value:
                update[part] = new
        return block.model_copy(update=update) if update else block

    def _inner(self, part: str, value: object, field: str) -> object:
        if part == "extra" and isinstance(value, tuple):
            self.foreign += sum(any(rule.old in piece for rule in self._rules) for piece in value)
        elif isinstance(value, BaseModel):
            return self.block(value, field)
        elif isinstance(value, tuple):
            new = tuple(self.block(one, field) if isinstance(one, BaseModel) else one for one in value)
            return value if all(map(is_, new, value)) else new
        return value

    def _address(self, old: str, field: str) -> str:
        new = self.changed(old)
        if new == old:
            return old
        self.counts[field] += 1
        problem = _unusable(new)
        # One that was of no use before, such as a relative one, was kept and is not held to more now.
        if problem is not None and _unusable(old) is None:
            self.faults.append((problem.rule, f"in {field}, rewritten to {new[:200]!r}: {problem.message}"))
        return new

    def report(self, ledger: Ledger) -> None:
        """Say what was done beyond the locs, and what was not."""
        for rule in self._rules:
            if rule in self._unused:
                ledger.add(Finding("rewrite-unused", "warning", rule.unused, value=rule.old))
        if self.counts:
            names = ", ".join(f"{count:,} in {name}" for name, count in sorted(self.counts.items()))
            message = f"addresses in blocks were rewritten, too: {names}"
            ledger.add(Finding("blocks-rewritten", "info", message))
        if self.foreign:
            message = (
                f"what was to be rewritten occurs in foreign elements, {self.foreign:,} in all; they stay as they are"
            )
            ledger.add(Finding("extra-not-rewritten", "warning", message))
