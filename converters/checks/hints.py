"""changefreq and priority: hints that say nothing when they are everywhere the same."""

from __future__ import annotations

from urlset.converters.checks.dates import MANY
from urlset.converters.checks.document import Document, Page


class Hints:
    """``priority-all-equal``; and ``ignored-by-engine`` for engines that ignore both hints."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ignoring = " and ".join(name.capitalize() for name in ("google", "bing") if name in document.engines)
        self._number = 0
        self._priorities: set[float] = set()

    def look(self, page: Page) -> None:
        """The next entry."""
        entry = page.entry
        if entry.priority is not None:
            self._number += 1
            if len(self._priorities) < 2:
                self._priorities.add(entry.priority)
        if self._ignoring:
            for name in ("changefreq", "priority"):
                if (value := getattr(entry, name)) is not None:
                    message = f"{name} is ignored by {self._ignoring}"
                    self._document.find_cause(
                        "ignored-by-engine", name, message, page, value=str(value), line=page.line_of(name)
                    )

    def finish(self) -> None:
        """Say that all priorities are equal."""
        if self._number >= MANY and len(self._priorities) == 1:
            (value,) = self._priorities
            message = f"all {self._number:,} priorities are {value}; they only compare pages of one site"
            self._document.account.find("priority-all-equal", message, value=str(value))
