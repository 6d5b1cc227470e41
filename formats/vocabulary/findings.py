"""A finding: one thing that was noticed in a source, where it stands, and what was done about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from urlset.formats.catalogue import Severity

Action = Literal["rejected", "repaired", "dropped-value", "kept"]

VALUE_SHOWN = 500
"""Characters of a raw value that a finding keeps; the reject keeps all of it."""

MESSAGE_SHOWN = 5_000
"""Characters of a message: it may quote two addresses of the greatest length, not one of a megabyte."""


LISTED_PER_RULE = 10_000
"""Findings of one rule that are kept one by one; the rest is counted in one more finding, so that memory is bounded."""

FURTHER = "further findings of this rule, counted and not listed one by one"


@dataclass(slots=True)
class Finding:
    """One remark about a source.

    ``line`` is the physical line of the file on disk and ``column`` a character in it, both 1-based. ``value`` is the
    raw value, ``field`` the field of the entry that it was meant for. ``count`` is how often the same cause was met: a
    cause that is the file's (a namespace, an encoding) is reported once, where it was first met, and counted.
    """

    rule: str
    severity: Severity
    message: str
    source: str | None = None
    line: int | None = None
    column: int | None = None
    value: str | None = None
    action: Action = "kept"
    count: int = 1
    field: str | None = None

    @property
    def number(self) -> int:
        """How many findings it stands for: those of a rule beyond the first 10,000 are one with a count."""
        return self.count if self.message == FURTHER else 1

    def as_dict(self) -> dict[str, object]:
        """The finding as the report holds it."""
        return asdict(self)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        times = f" (×{self.count})" if self.count > 1 else ""
        return f"{f'{place}: ' if place else ''}{self.severity}: {self.message} [{self.rule}]{times}"

    def __repr__(self) -> str:
        return f"<Finding: {self}>"
