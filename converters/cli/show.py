"""What the command line prints: findings and summaries on standard error, results on standard output."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from urlset.converters.cli.pipes import PipedConsole
from urlset.converters.info import Info
from urlset.converters.visible import visible as safe
from urlset.formats.vocabulary.entry import FIELDS
from urlset.formats.vocabulary.errors import UrlsetError, WriteError
from urlset.formats.vocabulary.findings import LISTED_PER_RULE, Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger, Output
from urlset.formats.vocabulary.registry import Registry

SHOWN_PER_RULE = 5
"""Findings of one rule that are printed one by one; a report holds LISTED_PER_RULE of them."""

COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}

stderr = Console(stderr=True, soft_wrap=True, highlight=False, emoji=False)
stdout = PipedConsole(soft_wrap=True, highlight=False, emoji=False)


def findings(ledger: Ledger, console: Console = stderr) -> None:
    """The findings, the loudest first, and of each rule a few."""
    order = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted(ledger.findings, key=lambda finding: order[finding.severity])
    printed: Counter[str] = Counter()
    for finding in ranked:
        if printed[finding.rule] < SHOWN_PER_RULE:
            console.print(_line(finding))
        printed[finding.rule] += finding.number
    for rule, number in printed.items():
        if number > SHOWN_PER_RULE:
            listed = "has them all" if number <= LISTED_PER_RULE else f"lists {LISTED_PER_RULE:,} of them"
            console.print(f"… and {number - SHOWN_PER_RULE:,} more of {rule}; --report FILE {listed}")


def _line(finding: Finding) -> str:
    place = ":".join(str(part) for part in (finding.source, finding.line, finding.column) if part is not None)
    colour = COLOURS[finding.severity]
    counted = finding.count > 1 and f"{finding.count:,}" not in finding.message
    times = f" (×{finding.count:,})" if counted else ""
    head = f"{escape(safe(place))}: " if place else ""
    said = f"{escape(safe(finding.message))} {escape(f'[{finding.rule}]')}"
    return f"{head}[{colour}]{finding.severity}[/{colour}]: {said}{times}"


def error(problem: UrlsetError) -> None:
    """What stopped the job."""
    stderr.print(f"[red]urlset:[/red] {escape(safe(str(problem)))}")


def summary(ledger: Ledger) -> None:
    """What was done, in a line or two."""
    counts = ledger.counts
    parts = [f"{counts.read:,} read", f"{counts.written:,} written"]
    rest = ("rejected", "repaired", "filtered", "duplicates")
    parts += [f"{n:,} {name.rstrip('s') if n == 1 else name}" for name in rest if (n := getattr(counts, name))]
    files = [output for output in ledger.outputs if output.path != "-"]
    where = f" → {escape(safe(files[-1].path))}" if files else ""
    stderr.print(f"{', '.join(parts)}{where}{_others(files)}")


def _others(files: list[Output]) -> str:
    """What was written beside the last file: parts, and indexes if one could not list them all."""
    indexes = sum(one.format == files[-1].format for one in files[:-1])
    parts = len(files) - 1 - indexes
    kinds = [(parts, "part"), (indexes, "further index")]
    return "".join(f" and {n:,} {_plural(what) if n > 1 else what}" for n, what in kinds if files and n > 0)


def _plural(what: str) -> str:
    return f"{what}es" if what.endswith("x") else f"{what}s"


def robots_lines(ledger: Ledger, asked: bool) -> None:
    """What a robots.txt says of the sitemaps that were written (RFC 9309 leaves it to sitemaps.org)."""
    for address in ledger.addresses if asked else ():
        stdout.print(f"Sitemap: {address}", markup=False, highlight=False, soft_wrap=True)


# Beside these, what reorders text, what ends a line for some readers, and halves of surrogate pairs.
_NOT_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def json_text(value: object) -> bytes:
    """A value as JSON in UTF-8, with nothing in it that could steer a terminal: others' data stand in it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _NOT_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def json_line(value: object) -> str:
    """The same in one line, for what is printed piece by piece."""
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def report_text(ledger: Ledger) -> bytes:
    """The JSON report."""
    return json_text(ledger.report())


def report(ledger: Ledger, path: Path) -> None:
    """Write the JSON report to a file. Raises WriteError."""
    try:
        path.write_bytes(report_text(ledger) + b"\n")
    except OSError as problem:
        raise WriteError(f"the report can't be written: {problem.strerror}", source=str(path)) from problem


def info(found: Info) -> None:
    """A summary as tables."""
    data = found.as_dict()
    for source in data["sources"]:
        version = f" {source['version']}" if source["version"] else ""
        what = f"{source['format'] or 'unknown'}{version}, {source['read']:,} records"
        stdout.print(f"{escape(safe(str(source['name'])))}: {what}")
    stdout.print(f"{data['urls']:,} URLs")
    if data["oldest"]:
        stdout.print(f"lastmod from {data['oldest']} to {data['newest']}")
    for section in found.sections():
        table = Table("", section.counted, title=section.title, title_justify="left", box=None)
        for name, number in section.rows.items():
            table.add_row(escape(safe(name)) or "(none)", f"{number:,}")
        stdout.print(table)


def _carries(one: Format) -> str:
    missing = [name for name in FIELDS if name not in one.carries]
    if len(missing) > 2:
        return ", ".join(name for name in FIELDS if name in one.carries)
    return f"all but {', '.join(missing)}" if missing else "everything"


def formats(known: Registry) -> None:
    """The formats as a table."""
    table = Table("name", "reads", "writes", "files", "carries", "title", box=None)
    for one in known:
        table.add_row(
            one.name,
            "yes" if one.read else "no",
            "yes" if one.write else "no",
            " ".join(one.suffixes) or "-",
            _carries(one),
            one.title,
        )
    stdout.print(table)
    for broken in known.broken:
        stderr.print(f"[yellow]warning[/yellow]: {escape(broken.reason)}")
