"""The commands ``validate`` and ``rules``."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated

import typer
from rich.markup import escape

from urlset.converters import validate as validation
from urlset.converters.cli import show
from urlset.converters.cli.parameters import BaseUrl, From, Quiet, ReportFile, Src
from urlset.formats.vocabulary.errors import OptionError, UrlsetError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.rules import RULES, Rule, Severity


class FailOn(StrEnum):
    """The severity from which on a finding fails the command."""

    error = "error"
    warning = "warning"


_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def validate(
    src: Src,
    json_: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="Where the sources live: what they may list follows.")
    ] = None,
    now: Annotated[
        str | None, typer.Option("--now", metavar="TIME", help="Time from which the age of news is measured.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")] = FailOn.error,
    no_follow: Annotated[
        bool, typer.Option("--no-follow", help="Check an index or robots.txt itself, not what it lists.")
    ] = False,
    from_: From = None,
    base_url: BaseUrl = None,
    report: ReportFile = None,
    quiet: Quiet = False,
) -> None:
    """Check documents against every rule; 'urlset rules' lists them."""
    ledger = Ledger()
    failure: UrlsetError | None = None
    try:
        options = validation.Options(from_=from_, base_url=base_url, url=url, now=now, follow=not no_follow)
        validation.run(src, options, ledger)
    except UrlsetError as error:
        failure = error
    # As for --report: a mistake in the options is no report.
    opened = bool(ledger.accounts) or failure is None
    if json_ and opened:
        typer.echo(show.report_text(ledger))
    elif not quiet:
        show.findings(ledger, show.stdout)
    if report is not None and opened:
        show.report(ledger, report)
    if failure is not None:
        show.error(failure)
        raise typer.Exit(failure.exit_code)
    if not json_ and not quiet:
        show.stderr.print(_summary(ledger))
    raise typer.Exit(1 if _fails(ledger, fail_on) else 0)


def _fails(ledger: Ledger, fail_on: FailOn) -> bool:
    loud = _SEVERITIES[: _SEVERITIES.index(fail_on.value) + 1]
    return any(finding.severity in loud for finding in ledger.findings)


def _summary(ledger: Ledger) -> str:
    number = Counter(finding.severity for finding in ledger.findings)
    words = {"error": "error", "warning": "warning", "info": "remark"}
    found = ", ".join(_counted(number[severity], words[severity]) for severity in _SEVERITIES if number[severity])
    what = f"{_counted(ledger.counts.read, 'record')} in {_counted(len(ledger.accounts), 'document')}"
    return f"{what}: {found or 'nothing to remark'}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def rules(
    rule: Annotated[str | None, typer.Argument(metavar="ID", help="The rule to explain; by default all.")] = None,
) -> None:
    """List the rules, or explain one."""
    if rule is None:
        width = max(map(len, RULES))
        for one in RULES.values():
            show.stdout.print(f"{one.id:{width}}  {one.severity:7}  {escape(one.meaning)}")
    else:
        _explain(_known(rule))


def _known(name: str) -> Rule:
    if name not in RULES:
        close = get_close_matches(name.lower(), RULES)
        hint = f"; did you mean {' or '.join(close)}?" if close else "; urlset rules lists them"
        raise OptionError(f"there is no rule {name!r}{hint}")
    return RULES[name]


def _explain(rule: Rule) -> None:
    show.stdout.print(f"{rule.id} ({rule.severity})")
    show.stdout.print(escape(rule.meaning))
    show.stdout.print(f"Source: {escape(rule.source)}")
    if rule.breaks_format:
        show.stdout.print("It breaks the format itself: with --strict, conversions stop at it.")
