"""The summary of an inventory, counted column by column: the same as ``urlset.info`` counts entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from urlset.converters.explore import html
from urlset.converters.explore.parts import Parts
from urlset.converters.info import Info
from urlset.converters.tally import Tally
from urlset.converters.visible import visible
from urlset.formats.arrow.columns import date
from urlset.formats.arrow.library import compute
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import FIELDS

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Ledger


DOCUMENTS = 5
"""Documents that are named; ``ledger.accounts`` has them all."""


def summarised(batches: Iterable[Any], ledger: Ledger) -> Info:
    """The summary of batches that an inventory holds."""
    found = Info(ledger)
    for batch in batches:
        _add(batch, found)
    return found


def _add(batch: Any, found: Info) -> None:
    pc = compute()
    found.urls += batch.num_rows
    for name in FIELDS:
        column = batch.column("lastmod_text" if name == "lastmod" else name)
        found.fields[name] += batch.num_rows - column.null_count
    parts = Parts(batch.column("loc"))
    _count(parts.column("host"), found.hosts)
    tops = pc.replace_substring_regex(parts.folder(), "(?s)^/?([^/]*/)?.*", r"/\1")
    _count(tops, found.folders)
    points = pc.binary_join_element_wise("", parts.column("extension"), ".")
    _count(pc.fill_null(points, ""), found.extensions)
    for lastmod in _ends(batch):
        found.see(lastmod)


def _count(values: Any, tally: Tally) -> None:
    for one in values.value_counts().to_pylist():
        tally.add(one["values"], one["counts"])


def _ends(batch: Any) -> Iterator[LastMod]:
    """The first of the oldest and the first of the newest dates, and those that have no instant in a column."""
    pc = compute()
    instants, texts, words = (batch.column(f"lastmod{name}") for name in ("", "_text", "_precision"))
    rows = pc.indices_nonzero(pc.and_(pc.is_null(instants), pc.is_valid(texts))).to_pylist()
    ends = pc.min_max(instants)
    if ends["min"].is_valid:
        rows += [pc.index(instants, ends[name]).as_py() for name in ("min", "max")]
    for row in sorted(rows):
        yield date(texts[row].as_py(), words[row].as_py())


def shown_html(found: Info) -> str:
    """The summary for a notebook."""
    tables = [html.bars(*section, whole=max(found.urls, *section.rows.values())) for section in found.sections()]
    return html.box(_heading(found), _lines(found), tables)


def shown_text(found: Info) -> str:
    """The summary for a prompt, a line for each of its tables."""
    lines = [_heading(found), *map(visible, _lines(found))]
    for section in found.sections():
        names = (f"{html.shortened(visible(name)) or '(none)'} {number:,}" for name, number in section.rows.items())
        lines.append(f"{section.title}: {', '.join(names)}")
    return "\n  ".join(lines)


def _heading(found: Info) -> str:
    urls = "1 URL" if found.urls == 1 else f"{found.urls:,} URLs"
    documents = len(found.ledger.accounts)
    return f"{urls} from {documents:,} documents" if documents > 1 else urls


def _lines(found: Info) -> Iterator[str]:
    """The documents, a few of them, and the range of dates."""
    accounts = found.ledger.accounts
    for account in accounts[:DOCUMENTS]:
        version = f" {account.version}" if account.version else ""
        failed = ", failed" if account.status == "failed" else ""
        yield f"{account.name}: {account.format or 'unknown'}{version}, {account.read:,} records{failed}"
    if len(accounts) > DOCUMENTS:
        yield f"… and {len(accounts) - DOCUMENTS:,} more documents"
    if found.oldest is not None:
        yield f"lastmod from {found.oldest} to {found.newest}"
