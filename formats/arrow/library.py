"""pyarrow, loaded when columns are first asked for: it is an extra, and larger than the rest of urlset together."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from urlset.formats.vocabulary.errors import MissingDependencyError


def optional(name: str, extra: str, purpose: str) -> Any:
    """A module of a package that only an extra installs. Raises MissingDependencyError, which says how to get it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        message = f"{purpose} need the package {package}: pip install 'urlset[{extra}]'"
        raise MissingDependencyError(message) from error


def arrow() -> Any:
    """The module ``pyarrow``. Raises MissingDependencyError."""
    return optional("pyarrow", "arrow", "columns and Parquet files")


def compute() -> Any:
    """The module ``pyarrow.compute``. Raises MissingDependencyError."""
    return optional("pyarrow.compute", "arrow", "columns and Parquet files")


def parquet() -> Any:
    """The module ``pyarrow.parquet``. Raises MissingDependencyError."""
    return optional("pyarrow.parquet", "arrow", "columns and Parquet files")
