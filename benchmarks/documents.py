"""Documents for jobs in processes of their own: every entry has an address, a date, a frequency and a priority."""

from __future__ import annotations

from pathlib import Path

from benchmarks.generators import DIALECTS, FOUR_COLUMNS, write

SMALL = 50
"""Entries of the document that a process begins with."""


def make(format_name: str, folder: Path, count: int) -> Path:
    """A document of a format with ``count`` entries; it is made once in a folder."""
    dialect = FOUR_COLUMNS if format_name == "csv" else DIALECTS[format_name]
    path = folder / f"{count}-{dialect.file_name}"
    return path if path.exists() else write(dialect, path, count, complete=True)


def pair(format_name: str, folder: Path, count: int) -> tuple[str, str]:
    """What follows the command of a job: the document and the small one."""
    return str(make(format_name, folder, count)), str(make(format_name, folder, SMALL))
