"""What is in a list of URLs: formats, counts, hosts, dates, extensions, top folders.

One summary, for the terminal and for notebooks; it is counted entry by entry here, and column by column in
``explore/summary.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from urlset.converters.options import Options, Sources, listed, options_of
from urlset.converters.tally import Tally
from urlset.formats.vocabulary import in_short
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.urls import split

SHOWN = 10
"""Hosts, folders and extensions that are listed, the most frequent first."""

_EXTENSION = re.compile(r"[^/](\.[A-Za-z0-9]{0,6}[A-Za-z][A-Za-z0-9]{0,6})\Z")


class Section(NamedTuple):
    """A table of the summary: its title, what is counted, and the rows."""

    title: str
    counted: str
    rows: dict[str, int]


@dataclass
class Info:
    """A summary of one or several documents. ``fields`` counts the entries that have each field."""

    ledger: Ledger
    urls: int = 0
    oldest: LastMod | None = None
    newest: LastMod | None = None
    fields: Counter[str] = field(default_factory=Counter)
    hosts: Tally = field(default_factory=Tally)
    folders: Tally = field(default_factory=Tally)
    extensions: Tally = field(default_factory=Tally)

    def add(self, entry: Entry) -> None:
        """Count one entry."""
        self.urls += 1
        self.fields.update(name for name in FIELDS if getattr(entry, name) not in (None, ()))
        parts = split(entry.loc)
        self.hosts.add(parts.host)
        self.folders.add(top_folder(parts.path))
        self.extensions.add(extension(parts.path))
        if entry.lastmod is not None:
            self.see(entry.lastmod)

    def see(self, lastmod: LastMod) -> None:
        """Take a date into the range of dates."""
        self.oldest = lastmod if self.oldest is None else min(self.oldest, lastmod)
        self.newest = lastmod if self.newest is None else max(self.newest, lastmod)

    def sections(self) -> list[Section]:
        """The tables to show, those without rows left out."""
        data = self.as_dict()
        found = [Section("fields", "entries", data["fields"])]
        found += [_section(name, getattr(self, name)) for name in ("hosts", "folders", "extensions")]
        found.append(Section("findings", "number", data["findings"]))
        return [section for section in found if section.rows]

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON values."""
        return {
            "urls": self.urls,
            "sources": [account.as_dict() for account in self.ledger.accounts],
            "oldest": str(self.oldest) if self.oldest else None,
            "newest": str(self.newest) if self.newest else None,
            "fields": {name: self.fields[name] for name in FIELDS if self.fields[name]},
            "hosts": self.hosts.top(SHOWN),
            "folders": self.folders.top(SHOWN),
            "extensions": self.extensions.top(SHOWN),
            "findings": _rules(self.ledger),
        }

    def __repr__(self) -> str:
        documents = in_short.number_of(len(self.ledger.accounts), "document")
        dates = f", lastmod {self.oldest} to {self.newest}" if self.oldest else ""
        findings = in_short.remarks(self.ledger.findings)
        return f"<Info: {in_short.number_of(self.urls, 'URL')} in {documents}{dates}{findings}>"


def _section(title: str, tally: Tally) -> Section:
    if not tally.exact:
        return Section(f"{title}, about {SHOWN} most frequent", "at least", tally.top(SHOWN))
    more = f", {SHOWN} of {len(tally):,}" if len(tally) > SHOWN else ""
    return Section(f"{title}{more}", "number", tally.top(SHOWN))


def _rules(ledger: Ledger) -> dict[str, int]:
    found: Counter[str] = Counter()
    for finding in ledger.findings:
        found[finding.rule] += finding.count
    return dict(found)


def top_folder(path: str) -> str:
    """The first folder of a path, with its slashes; the root for pages that are in none."""
    first, slash, _ = path.removeprefix("/").partition("/")
    return f"/{first}/" if slash else "/"


def extension(path: str) -> str:
    """The extension of a path's last segment, in lower case and with its point; empty without one."""
    found = _EXTENSION.search(path)
    return found[1].lower() if found else ""


def info(src: Sources, **options: Any) -> Info:
    """Summarise one or several documents. Takes the options of ``read``; raises UrlsetError if none could be read."""
    ledger = Ledger()
    return run(src, options_of(options), ledger)


def run(src: Sources, options: Options, ledger: Ledger) -> Info:
    """:func:`info` with a ledger of the caller's."""
    ledger.strict = options.strict
    summary = Info(ledger)
    with closing(options.documents().read(listed(src), ledger)) as entries:
        for entry in entries:
            summary.add(entry)
    ledger.counts.written = summary.urls
    return summary
