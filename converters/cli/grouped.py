"""Findings for people: by document, and in it by rule, each with its line, an excerpt, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.markup import escape
from rich.text import Text

from urlset.converters.cli.show import COLOURS, SHOWN_PER_RULE, stdout
from urlset.converters.excerpts import excerpts
from urlset.converters.visible import visible as safe
from urlset.formats.catalogue import RULES
from urlset.formats.vocabulary.findings import LISTED_PER_RULE, Finding

_ORDER = {"error": 0, "warning": 1, "info": 2}

Excerpts = Mapping[tuple[str, int], str]
"""Lines of documents by the document's name and the line's number."""


def findings(found: Iterable[Finding], encoding: str | None = None) -> None:
    """Print them: the documents in the order in which they were read, the loudest rules of each first."""
    groups = list(_groups(found))
    shown = [finding for _, rules in groups for group in rules for finding in group[:SHOWN_PER_RULE]]
    lines = excerpts(shown, encoding=encoding)
    for number, (source, rules) in enumerate(groups):
        if number:
            stdout.print()
        stdout.print(Text(safe(source), style="bold"))
        for group in rules:
            _rule(group, lines)


def _groups(found: Iterable[Finding]) -> Iterator[tuple[str, list[list[Finding]]]]:
    """The documents, and of each the findings of every rule."""
    documents: dict[str, dict[tuple[str, str], list[Finding]]] = {}
    for finding in found:
        rules = documents.setdefault(finding.source or "", {})
        rules.setdefault((finding.severity, finding.rule), []).append(finding)
    for source, rules in documents.items():
        yield source, [rules[key] for key in sorted(rules, key=lambda key: _ORDER[key[0]])]


def _rule(group: list[Finding], lines: Excerpts) -> None:
    severity, rule = group[0].severity, RULES[group[0].rule]
    colour = COLOURS[severity]
    stdout.print(f"  [{colour}]{severity}[/{colour}]: {escape(rule.meaning)} {escape(f'[{rule.id}]')}")
    for finding in group[:SHOWN_PER_RULE]:
        _finding(finding, lines)
    if len(group) > SHOWN_PER_RULE:
        number = sum(finding.number for finding in group)
        listed = "lists them" if number == len(group) else f"lists {LISTED_PER_RULE:,} of the rule"
        stdout.print(f"    … and {number - SHOWN_PER_RULE:,} more; --json {listed}")
    stdout.print(f"    Mend: {escape(rule.mend)}")


def _finding(finding: Finding, lines: Excerpts) -> None:
    where = "" if finding.line is None else f"line {finding.line}"
    if finding.column is not None:
        where += f", column {finding.column}"
    times = f" (×{finding.count:,})" if finding.count > 1 else ""
    stdout.print(f"    {where}{': ' if where else ''}{escape(safe(finding.message))}{times}")
    excerpt = lines.get((finding.source or "", finding.line or 0), "").strip()
    if excerpt:
        stdout.print(Text(f"      {safe(excerpt)}", style="dim"))
