"""What an output holds already: it is read again before it is replaced, so that it grows from run to run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from urlset.converters.output import Target
from urlset.converters.output.earlier import Held, held_in, is_sitemap
from urlset.converters.output.names import Names
from urlset.converters.sources.reading import Documents
from urlset.converters.sources.remote import is_remote
from urlset.converters.steps.losses import Losses
from urlset.formats.vocabulary.batches import Batch, Batches, entries_of
from urlset.formats.vocabulary.entry import FIELDS
from urlset.formats.vocabulary.errors import OptionError, ReadError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Account, Ledger


def check(dst: Target) -> None:
    """Raise OptionError for an output that can't be read again."""
    if not isinstance(dst, str | os.PathLike) or dst == "-" or is_remote(dst):
        raise OptionError("update (--update) needs an output that is a local file")


def held(dst: Target, target: Format, documents: Documents, gzipped: bool, ledger: Ledger) -> Batches:
    """The entries of the output, of all parts if it is an index; none if there is no such file yet, or an empty one.

    If there is none, but the same name is there compressed, or not, that is where it starts from.
    Options for sources, such as a format or an encoding, do not bear on it. Raises ReadError if a part can't be read
    or is damaged, since its entries would be gone from the new set, and OptionError for a
    table with columns that are no fields, or an entry with a field that the target can't hold.
    """
    names = Names(Path(os.fspath(dst)), gzipped)  # type: ignore[arg-type]
    found = held_in(names, documents.registry.writer("sitemap-index"), lists=target.lists_sources)
    _tell_of_twin(found, names, ledger)
    files = [path for path in found.files if not _is_empty(path, ledger)]
    plain = replace(documents.options, encoding=None, indexable=False, paper=None)
    follow = False if target.lists_sources else None
    reader = replace(documents, from_=None, follow=follow, options=plain, progress=None)
    before, said = len(ledger.accounts), len(ledger.findings)
    for batch in reader.batches(files, ledger):
        yield _carried(batch, target)
    faults = [finding for finding in ledger.findings[said:] if finding.severity == "error"]
    # What failed is the cause of what its list says of it.
    for account in sorted(ledger.accounts[before:], key=lambda one: one.status != "failed"):
        _check_whole(account, next((one for one in faults if one.source == account.name), None))


def _tell_of_twin(found: Held, names: Names, ledger: Ledger) -> None:
    if found.twin is None:
        return
    if found.from_twin:
        message = f"there is no {names.single.name} yet; the update starts from what {found.twin.name} holds"
    else:
        message = f"{found.twin.name} lies beside the output, {found.files[0].name}, and is not read"
    ledger.add(Finding("output-twin", "info", message, str(found.twin)))


def _carried(batch: Batch, target: Format) -> Batch:
    """The batch. Raises OptionError if the target can't hold all that is in it."""
    losses, core = Losses(target), batch.columns()
    some = [*batch] if core is None else core
    losses.see(some)
    if losses.names:
        first = next(one for one in entries_of(some) if getattr(one, losses.names[0]) not in (None, ()))
        source, line = (first.origin.source, first.origin.line) if first.origin is not None else (None, None)
        message = f"the output has {', '.join(losses.names)} here, which {target.title} cannot hold, so that an update"
        raise OptionError(f"{message} would lose it; write to another file instead", source=source, line=line)
    return Batch(some)


def _is_empty(path: Path, ledger: Ledger) -> bool:
    """Whether a file has no bytes; then that is told. Raises ReadError if it once was an index: its parts are there."""
    if path.stat().st_size:
        return False
    parts = [one for gzipped in (False, True) if is_sitemap(one := Names(path, gzipped).part(1))]
    if parts:
        message = f"the output is empty, but {parts[0].name} lies beside it; nothing is written, since what it held may"
        raise ReadError(f"{message} be lost; to begin anew, remove the empty file", source=str(path), rule="empty-file")
    message = "the output that is to be updated has no bytes, and is taken for one without entries"
    ledger.add(Finding("empty-output", "warning", message, str(path)))
    return True


def _check_whole(account: Account, fault: Finding | None) -> None:
    """Raise ReadError or OptionError if not all that a document of the output holds would be written again."""
    if account.status == "failed":
        message = "the output lists it, and it can't be read; nothing is written, since its entries would be lost"
        raise ReadError(message, source=account.name)
    if account.rejected or fault is not None:
        message = "the output is damaged, and nothing is written, since what can't be read would be lost"
        line, why = (fault.line, f": {fault.message}") if fault is not None else (None, "")
        raise ReadError(f"{message}{why}", source=account.name, line=line)
    unknown = [name or f"column {number}" for number, (name, field) in _numbered(account) if field not in FIELDS]
    if unknown:
        message = f"the table has columns that an update would lose: {', '.join(map(repr, unknown))}"
        raise OptionError(f"{message}; write to another file instead", source=account.name, value=unknown[0])


def _numbered(account: Account) -> Iterator[tuple[int, tuple[str, str | None]]]:
    return enumerate(account.columns or (), 1)
