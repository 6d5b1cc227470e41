"""Files in buckets and on other servers (``s3://``, ``gs://`` …) through fsspec, an optional package.

A set is made whole in a temporary folder and then put in its place, the index last. Each object appears whole, since
stores have no half-written ones; but there is no way to put several at once, so for as long as parts are being put, an
old index may list new ones. What an earlier run left behind is not removed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.formats.vocabulary.errors import (
    MissingDependencyError,
    OptionError,
    SourceError,
    UrlsetError,
    WriteError,
)
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.redact import without_credentials
from urlset.formats.vocabulary.source import Source

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Ledger

# Two letters at least: C:// is a drive.
_REMOTE = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_NOT_REMOTE = frozenset({"http", "https"})
_LOCAL = frozenset({"dir", "file", "local"})


def is_remote(name: object) -> bool:
    """Whether this is the address of a file in a store, and neither a path nor an http(s) address."""
    found = _REMOTE.match(name) if isinstance(name, str) else None
    return found is not None and found[1].lower() not in _NOT_REMOTE


def source(name: str, limits: Limits) -> Source:
    """The file of that name. Raises SourceError, or MissingDependencyError without the package for its store."""
    files, path = _store(name)
    try:
        stream = files.open(path, "rb")
    except Exception as error:  # each store has errors of its own
        raise SourceError(f"it can't be opened: {_why(error)}", source=name) from error
    return Source.from_stream(stream, without_credentials(name), owned=True, limits=limits)


def beside(name: str, other: str) -> str:
    """The name of a file in the same folder."""
    return f"{name.rpartition('/')[0]}/{other}"


@contextmanager
def landing(dst: Any, ledger: Ledger) -> Iterator[Any]:
    """Where to write what is meant for ``dst``: there itself, or in a folder from which it is put in its store.

    Nothing is put if the block raises. Raises WriteError if a file can't be put; those before it have been then.
    """
    if not is_remote(dst):
        yield dst
        return
    files, path = _store(dst)
    name = dst.rpartition("/")[2]
    if name in ("", ".", ".."):
        raise OptionError("the output has no file name", source=dst)
    with tempfile.TemporaryDirectory(prefix="urlset-") as folder:
        local, shown = Path(folder) / name, without_credentials(beside(dst, ""))
        first = len(ledger.findings)
        try:
            yield str(local)
        except UrlsetError as error:
            error.source = error.source and error.source.replace(f"{folder}/", shown)
            raise
        finally:
            _rename(ledger, first, f"{folder}/", shown)
        _put(files, local, path, dst)


def _put(files: Any, local: Path, path: str, dst: str) -> None:
    """Put the files of a folder in the store, that with the name of the target last: it may be the index."""
    names = sorted(one.name for one in local.parent.iterdir())
    for name in sorted(names, key=lambda one: one == local.name):
        try:
            files.put_file(str(local.with_name(name)), beside(path, name))
        except Exception as error:  # each store has errors of its own
            raise WriteError(f"it can't be written: {_why(error)}", source=beside(dst, name)) from error


def _rename(ledger: Ledger, first: int, folder: str, target: str) -> None:
    """Let outputs and findings name what was meant, and not the temporary folder."""
    for output in ledger.outputs:
        output.path = output.path.replace(folder, target)
    for finding in ledger.findings[first:]:
        finding.message = finding.message.replace(folder, target)
        finding.source = finding.source and finding.source.replace(folder, target)
        finding.value = finding.value and finding.value.replace(folder, target)


def _store(name: str) -> tuple[Any, str]:
    """The store and the path in it. Raises OptionError for a kind of store that nobody knows."""
    protocol = name.partition("://")[0].lower()
    if protocol in _LOCAL:
        raise OptionError("a file is given by its path, not by an address", source=name)
    try:
        core = import_module("fsspec.core")
        return core.url_to_fs(name)  # type: ignore[no-any-return]
    except ImportError as error:
        message = f"{protocol}:// needs a package that is not installed: pip install 'urlset[cloud]' ({error})"
        raise MissingDependencyError(message, source=name) from error
    except ValueError as error:
        raise OptionError(f"{protocol}:// is not known: {error}", source=name) from error


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return str(error) or type(error).__name__
