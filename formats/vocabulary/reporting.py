"""How a reader tells what it met: one callable, whose owner decides on severity and strictness."""

from __future__ import annotations

from typing import Protocol


class Report(Protocol):
    """Takes one finding from a reader.

    ``rule`` is the id in the catalogue, ``line`` and ``column`` are 1-based, ``value`` is the raw value and
    ``count`` says how many occurrences this one finding stands for. The callee may raise (strict reading
    does); callers let that pass through.
    """

    def __call__(
        self,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        count: int = 1,
    ) -> None:
        """Take one finding."""
        ...


def silent(
    rule: str,
    message: str,
    *,
    line: int | None = None,
    column: int | None = None,
    value: str | None = None,
    count: int = 1,
) -> None:
    """Drop the finding: for a look at the head of a document that is reported on when it is read."""
