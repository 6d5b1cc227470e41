"""What a job did, in one line, as notebooks show an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.formats.vocabulary.findings import Finding

_LEFT_OUT = ("rejected", "filtered", "duplicates")


def job(counts: Mapping[str, int], files: Sequence[str], findings: Sequence[Finding]) -> str:
    """The records by what became of them, the files where they are now, and the number of findings."""
    left_out = "".join(f", {counts[name]:,} {name}" for name in _LEFT_OUT if counts[name])
    return f"{counts['read']:,} read, {counts['written']:,} written{_place(files)}{left_out}{remarks(findings)}"


def remarks(findings: Sequence[Finding]) -> str:
    """The number of findings, and of errors among them; nothing if there are none."""
    number = sum(one.count for one in findings)
    errors = sum(one.count for one in findings if one.severity == "error")
    told = f" ({number_of(errors, 'error')})" if errors else ""
    return f"; {number_of(number, 'finding')}{told}" if number else ""


def number_of(number: int, what: str) -> str:
    """A number and its noun."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _place(files: Sequence[str]) -> str:
    if len(files) > 1:
        return f" to {len(files):,} files"
    # A stream has no name.
    return f" to {PurePath(files[0]).name}" if files and files[0] != "-" else ""
