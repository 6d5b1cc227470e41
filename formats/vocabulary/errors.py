"""The errors of urlset.

    UrlsetError
    ├── OptionError(ValueError)             an option or a combination of options makes no sense
    ├── SourceError(OSError)                a source can't be opened or fetched
    ├── DetectionError(ValueError)          no format, or several, fit what was looked at
    ├── ReadError(ValueError)               a document can't be read as it stands
    │   ├── StrictError                     a fault that would be repaired or skipped, under ``strict``
    │   └── LimitError                      a configured limit was reached
    ├── EmptyInventoryError(ValueError)     there is nothing to write: all was rejected or filtered
    │   └── NothingReadError                no source holds a single record
    ├── WriteError(OSError)                 an output can't be written
    ├── MissingDependencyError(ImportError) an optional package is not installed
    ├── PluginError(RuntimeError)           a third-party format is broken
    └── AccountingError(AssertionError)     the ledger does not add up: a fault of urlset itself

Every one of them says where: ``source``, ``format``, ``line`` and ``column`` are attributes (None where unknown), and
``str()`` shows them. ``exit_code`` is what the command line ends with. ``rule`` names the finding that tells the same.
"""

from __future__ import annotations

from typing import ClassVar

from urlset.formats.vocabulary.redact import redacted


class UrlsetError(Exception):
    """The base of all errors that urlset raises on purpose."""

    exit_code: ClassVar[int] = 2

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        format: str | None = None,  # noqa: A002 - the word that everybody uses
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        rule: str | None = None,
    ) -> None:
        message = redacted(message)
        super().__init__(message)
        self.message = message
        self.source = redacted(source) if source else source
        self.format = format
        self.line = line
        self.column = column
        self.value = redacted(value) if value else value
        self.rule = rule

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{place}: {self.message}{rule}" if place else f"{self.message}{rule}"


class OptionError(UrlsetError, ValueError):
    """An option, or a combination of options, makes no sense."""


class SourceError(UrlsetError, OSError):
    """A source can't be opened or fetched."""


class DetectionError(UrlsetError, ValueError):
    """No format fits what was looked at, or several do."""


class ReadError(UrlsetError, ValueError):
    """A document can't be read as it stands."""


class StrictError(ReadError):
    """A fault that would otherwise be repaired or skipped, met under ``strict``."""


class LimitError(ReadError):
    """A configured limit was reached: inflated size, ratio, size of one record, depth."""


class EmptyInventoryError(UrlsetError, ValueError):
    """There is nothing to write: every record was rejected or filtered."""

    exit_code = 1


class NothingReadError(EmptyInventoryError):
    """There is nothing to write, because no source holds a single record."""

    exit_code = 2


class WriteError(UrlsetError, OSError):
    """An output can't be written."""


class MissingDependencyError(UrlsetError, ImportError):
    """An optional package that a format needs is not installed; the message says how to install it."""


class PluginError(UrlsetError, RuntimeError):
    """A third-party format could not be loaded or is not what it must be."""


class AccountingError(UrlsetError, AssertionError):
    """The ledger does not add up: a fault of urlset itself, never of the input."""
