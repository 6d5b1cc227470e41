"""The comparison of two inventories."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from urlset.converters import options as reading
from urlset.converters import steps
from urlset.converters.diff import moves as moving
from urlset.converters.diff.result import Diff
from urlset.converters.diff.rows import CHANGES, ENTRIES, Change, Rows
from urlset.converters.diff.sides import Inventory, Side, is_entries, joined
from urlset.converters.diff.uncompared import Uncompared
from urlset.converters.diff.values import differing
from urlset.converters.progress import OnProgress
from urlset.converters.sources.fetch import Fetch, fetch
from urlset.converters.sources.web.settings import Http
from urlset.formats import registry
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.errors import OptionError, ReadError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry


@dataclass(frozen=True)
class Options(Http):
    """Everything that a comparison can be told; the command line has the same names.

    ``fields`` are those that are compared, by default all that both formats can hold; ``ignore`` are left out of them.
    Addresses always are compared: ``fields=["loc"]`` compares nothing else. ``moved=False`` takes pages that went to
    another origin for removed and added. The others say how the sides are read, as for ``convert``.
    """

    fields: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    moved: bool = True
    from_old: str | None = None
    from_new: str | None = None
    base_url: str | None = None
    strict: bool = False
    follow: bool | None = None
    encoding: str | None = None
    assume_zone: str | None = None
    indexable: bool = False
    default_file: str = "index.html"
    own_files: Sequence[str | os.PathLike[str]] = ()
    fetch: Fetch = fetch
    limits: Limits = field(default_factory=Limits)
    registry: Registry = field(default_factory=registry)
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for flag, names in (("fields", self.fields or ()), ("ignore", self.ignore)):
            unknown = next((name for name in names if name not in FIELDS), None)
            if unknown is not None:
                message = f"{flag} (--{flag}): there is no field {unknown!r}; there are {', '.join(FIELDS)}"
                raise OptionError(message, value=unknown)
        self.reading(None)

    def names(self) -> tuple[str, ...]:
        """The fields that are compared if both sides can hold them."""
        chosen = FIELDS if self.fields is None else self.fields
        return tuple(name for name in FIELDS if name in chosen and name not in self.ignore and name != "loc")

    def reading(self, from_: str | None) -> reading.Options:
        """How a side of that format is read. Raises OptionError."""
        return reading.Options(
            from_=from_,
            base_url=self.base_url,
            strict=self.strict,
            follow=self.follow,
            encoding=self.encoding,
            assume_zone=self.assume_zone,
            indexable=self.indexable,
            default_file=self.default_file,
            own_files=self.own_files,
            fetch=self.fetch,
            limits=self.limits,
            registry=self.registry,
            progress=self.progress,
            **{name: getattr(self, name) for name in Http.__dataclass_fields__},
        )


def diff(old: Inventory, new: Inventory, **options: Any) -> Diff:
    """Compare two inventories: which pages are added, removed, changed or moved.

    Each is what ``read`` takes (a path, a folder, an http(s) address, ``"-"`` for one of them, bytes, an open binary
    file, or a list of these), entries, or a DataFrame as ``write`` takes it. The options are the fields of
    :class:`Options`. Of several entries for one page on one side the first counts. Raises UrlsetError if a document of
    either side could not be read.
    """
    reading.check_names(options, Options)
    return run(old, new, Options(**options), Ledger())


def run(old: Inventory, new: Inventory, options: Options, ledger: Ledger) -> Diff:
    """:func:`diff` with a ledger of the caller's, which then tells what happened also if an error is raised."""
    if _is_stdin(old) and _is_stdin(new):
        raise OptionError("standard input (-) can be one of the two sides, not both", value="-")
    ledger.strict = options.strict
    sides = (
        Side(old, "<old>", options.reading(options.from_old), ledger),
        Side(new, "<new>", options.reading(options.from_new), ledger),
    )
    with ExitStack() as stack:
        found = _Comparison(sides, options, stack).run(ledger)
        lost = next((account for account in ledger.accounts if account.status == "failed"), None)
        if lost is not None:
            # Its pages would be told as removed, or added.
            message = "it can't be read, so there is nothing to compare; see the findings"
            raise ReadError(message, source=lost.name, rule="document-refused")
        return found(stack.pop_all())


def _is_stdin(what: Inventory) -> bool:
    return not is_entries(what) and any(isinstance(one, str) and one == "-" for one in reading.listed(what))  # type: ignore[arg-type]


class _Comparison:
    """The walk through both sides, and the rows that it fills."""

    def __init__(self, sides: tuple[Side, Side], options: Options, stack: ExitStack) -> None:
        self._old, self._new = sides
        self._options = options
        self._stack = stack
        self._names = options.names()
        self._uncompared = Uncompared(options.fields is not None)
        self._comparable: dict[tuple[frozenset[str], frozenset[str]], tuple[str, ...]] = {}
        self._same = 0
        self._changed = Rows(CHANGES, stack)
        self._moved = Rows(CHANGES, stack)
        self._origins = moving.Origins()

    def run(self, ledger: Ledger) -> Callable[[ExitStack], Diff]:
        """Compare. What comes back makes the value, once it is given what is to be closed with it."""
        gone, fresh = self._walk()
        added, removed, moves = fresh, gone, list[moving.Move]()
        if self._options.moved and len(gone) and len(fresh):
            moves = moving.recognise(gone, fresh, self._origins)
        if moves:
            added, removed = Rows(ENTRIES, self._stack), Rows(ENTRIES, self._stack)
            moves = self._settle(gone, fresh, moves, removed, added)
        self._uncompared.report(self._old, self._new, ledger)
        ledger.counts.written = self._old.pages + self._new.pages
        ledger.check()
        return lambda stack: Diff(
            added=added.finished(),
            removed=removed.finished(),
            changed=self._changed.finished(),
            moved=self._moved.finished(),
            moves=tuple(moves),
            unchanged=self._same,
            pages_old=self._old.pages,
            pages_new=self._new.pages,
            duplicates_old=self._old.duplicates,
            duplicates_new=self._new.duplicates,
            ledger=ledger,
            _stack=stack,
        )

    def _walk(self) -> tuple[Rows[Entry], Rows[Entry]]:
        """What only the old side has, and what only the new one has; the rest is compared."""
        gone, fresh = Rows(ENTRIES, self._stack), Rows(ENTRIES, self._stack)
        for key, old, new in joined(self._old.walk(), self._new.walk()):
            if old is not None:
                self._origins.see(key, gone=new is None)
            if old is None:
                assert new is not None  # noqa: S101 - one of the two is there
                fresh.add(new)
            elif new is None:
                gone.add(old)
            elif names := self._differing(old, new, old):
                self._changed.add(Change(old, new, names))
            else:
                self._same += 1
        return gone, fresh

    def _settle(
        self,
        gone: Rows[Entry],
        fresh: Rows[Entry],
        moves: list[moving.Move],
        removed: Rows[Entry],
        added: Rows[Entry],
    ) -> list[moving.Move]:
        # Pictures and other languages move with the site, and are no change then.
        rewrite = steps.rewritten([move.rule for move in moves], Ledger())

        def moved(old: Entry, new: Entry) -> None:
            there = next(rewrite([old]), old) if old.has_blocks else old
            self._moved.add(Change(old, new, self._differing(old, new, there)))

        leftover = Rows(ENTRIES, self._stack)
        return moving.settle(gone, fresh, moves, removed=removed, added=added, moved=moved, leftover=leftover)

    def _differing(self, old: Entry, new: Entry, there: Entry) -> tuple[str, ...]:
        """The fields in which two entries differ; ``there`` is the old one as it is compared."""
        holds = self._old.holds(old), self._new.holds(new)
        names = self._names_for(*holds)
        if len(names) < len(self._names):
            self._uncompared.see(old, new, self._names, *holds)
        return differing(there, new, names)

    def _names_for(self, old: frozenset[str], new: frozenset[str]) -> tuple[str, ...]:
        names = self._comparable.get((old, new))
        if names is None:
            names = self._comparable[old, new] = tuple(name for name in self._names if name in old and name in new)
        return names
