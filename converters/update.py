"""What an output holds already: it is read again before it is replaced, so that it grows from run to run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from urlset.converters.output import Target
from urlset.converters.sources.reading import Documents
from urlset.converters.sources.remote import is_remote
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, ReadError
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger


def check(dst: Target) -> None:
    """Raise OptionError for an output that can't be read again."""
    if not isinstance(dst, str | os.PathLike) or dst == "-" or is_remote(dst):
        raise OptionError("update (--update) needs an output that is a local file")


def held(dst: Target, target: Format, documents: Documents, gzipped: bool, ledger: Ledger) -> Iterator[Entry]:
    """The entries of the output, of all parts if it is an index; none if there is no such file yet.

    Options for sources, such as a format or an encoding, do not bear on it. Raises ReadError if a part can't be read,
    since its entries would be gone from the new set.
    """
    path = Path(os.fspath(dst))  # type: ignore[arg-type]
    # One entry too many and the name of a compressed file is that of an index: look at both.
    names = [path, path.with_name(f"{path.name}.gz")] if gzipped and path.suffix.lower() != ".gz" else [path]
    plain = replace(documents.options, encoding=None, indexable=False, paper=None)
    follow = False if target.lists_sources else None
    reader = replace(documents, from_=None, follow=follow, options=plain, progress=None)
    before = len(ledger.accounts)
    yield from reader.read([name for name in names if name.exists()], ledger)
    failed = next((one for one in ledger.accounts[before:] if one.status == "failed"), None)
    if failed is not None:
        message = "the output lists it, and it can't be read; nothing is written, since its entries would be lost"
        raise ReadError(message, source=failed.name)
