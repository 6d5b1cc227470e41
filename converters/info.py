"""What is in a list of URLs: formats, counts, hosts, dates, extensions, top folders."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from urlset.converters.convert import Options, Sources, listed
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import FIELDS, Entry
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.urls import split

SHOWN = 10
"""Hosts, folders and extensions that are listed, the most frequent first."""


@dataclass
class Info:
    """A summary of one or several documents. ``fields`` counts the entries that have each field."""

    ledger: Ledger
    urls: int = 0
    oldest: LastMod | None = None
    newest: LastMod | None = None
    fields: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    folders: Counter[str] = field(default_factory=Counter)
    extensions: Counter[str] = field(default_factory=Counter)

    def add(self, entry: Entry) -> None:
        """Count one entry."""
        self.urls += 1
        self.fields.update(name for name in FIELDS if getattr(entry, name) not in (None, ()))
        parts = split(entry.loc)
        self.hosts[parts.host] += 1
        path = PurePosixPath(parts.path)
        self.folders["/" if len(path.parts) < 3 else f"/{path.parts[1]}/"] += 1
        self.extensions[path.suffix.lower() if len(path.suffix) < 8 else ""] += 1
        if entry.lastmod is not None:
            self.oldest = entry.lastmod if self.oldest is None else min(self.oldest, entry.lastmod)
            self.newest = entry.lastmod if self.newest is None else max(self.newest, entry.lastmod)

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON values."""
        return {
            "urls": self.urls,
            "sources": [account.as_dict() for account in self.ledger.accounts],
            "oldest": str(self.oldest) if self.oldest else None,
            "newest": str(self.newest) if self.newest else None,
            "fields": {name: self.fields[name] for name in FIELDS if self.fields[name]},
            "hosts": dict(self.hosts.most_common(SHOWN)),
            "folders": dict(self.folders.most_common(SHOWN)),
            "extensions": dict(self.extensions.most_common(SHOWN)),
            "findings": dict(Counter(finding.rule for finding in self.ledger.findings)),
        }


def info(src: Sources, **options: Any) -> Info:
    """Summarise one or several documents. Takes the options of ``read``; raises UrlsetError if none could be read."""
    ledger = Ledger()
    return run(src, Options(**options), ledger)


def run(src: Sources, options: Options, ledger: Ledger) -> Info:
    """:func:`info` with a ledger of the caller's."""
    ledger.strict = options.strict
    summary = Info(ledger)
    with closing(options.documents().read(listed(src), ledger)) as entries:
        for entry in entries:
            summary.add(entry)
    ledger.counts.written = summary.urls
    return summary
