"""The command ``validate``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import typer

from urlset.converters import validate as validation
from urlset.converters.cli import grouped, show
from urlset.converters.cli.bar import bar
from urlset.converters.cli.ending import check_report, refuse
from urlset.converters.cli.parameters import (
    AssumeZone,
    BaseUrl,
    DefaultFile,
    Follow,
    From,
    ReportFile,
    ShowProgress,
    Src,
    names,
)
from urlset.converters.convert import distinct
from urlset.converters.sarif import sarif_log
from urlset.formats.catalogue import Severity
from urlset.formats.vocabulary.errors import OptionError, UrlsetError
from urlset.formats.vocabulary.ledger import Ledger


class FailOn(StrEnum):
    """The severity from which on a finding fails the command."""

    error = "error"
    warning = "warning"


class EngineName(StrEnum):
    """Search engines that have limits of their own."""

    google = "google"
    bing = "bing"
    yandex = "yandex"
    baidu = "baidu"


_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="RULE,...", help="Only these rules, by id or pattern (news-*); may be repeated."),
]


def validate(
    src: Src,
    json_: Annotated[bool, typer.Option("--json", metavar="", help="Print the report as JSON.")] = False,
    sarif_: Annotated[
        bool, typer.Option("--sarif", metavar="", help="Print a SARIF 2.1.0 log, for code hosts.")
    ] = False,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="Where the sources live: what they may list follows.")
    ] = None,
    now: Annotated[
        str | None, typer.Option("--now", metavar="TIME", help="Time from which ages are measured; else the clock's.")
    ] = None,
    engine: Annotated[
        list[EngineName] | None,
        typer.Option(metavar="NAME", help="Add the limits of google, bing, yandex or baidu; may be repeated."),
    ] = None,
    xsd: Annotated[bool, typer.Option("--xsd", metavar="", help="Hold sitemaps against the XML schema too.")] = False,
    select: Rules = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULE,...", help="Leave these rules out; wins over --select.")
    ] = None,
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")] = FailOn.error,
    follow: Follow = None,
    from_: From = None,
    base_url: BaseUrl = None,
    default_file: DefaultFile = "index.html",
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of the sources; recognised by default.")
    ] = None,
    assume_zone: AssumeZone = None,
    report: ReportFile = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", metavar="", help="Print nothing but an error that ends the job; --json and --sarif win."
        ),
    ] = False,
    progress: ShowProgress = None,
    *,
    fetching: dict[str, Any],
) -> None:
    """Check documents against every rule; 'urlset rules' lists them.

    What a document may list follows from its address: name it with --url, else only what was fetched or is listed
    has one. Ends with 0, or with 1 if there are errors (--fail-on warning: or warnings), or with 2 if nothing
    could be read.
    """
    shape = _shape(json_, sarif_, quiet)
    check_report(report)
    distinct({"--report": report}, src)
    ledger = Ledger()
    failure: UrlsetError | None = None
    try:
        options = validation.Options(
            from_=from_,
            base_url=base_url,
            url=url,
            now=now,
            follow=follow,
            encoding=encoding,
            default_file=default_file,
            own_files=[] if report is None else [report],
            engines=[one.value for one in engine or ()],
            xsd=xsd,
            assume_zone=assume_zone,
            select=names(select),
            ignore=names(ignore),
            **fetching,
        )
        with bar(progress, quiet) as on_progress:
            validation.run(src, replace(options, progress=on_progress), ledger)
    except UrlsetError as error:
        failure = error
    # As for --report: a mistake in the options is no report.
    if ledger.accounts or failure is None:
        _print(ledger, shape, encoding)
        if report is not None:
            show.report(ledger, report)
    if failure is not None:
        refuse(failure, ledger, told=shape is _Shape.people)
    if shape is _Shape.people:
        show.stderr.print(_summary(ledger))
    raise typer.Exit(1 if _fails(ledger, fail_on) else 0)


class _Shape(StrEnum):
    """How findings are printed."""

    people = "people"
    json = "json"
    sarif = "sarif"
    quiet = "quiet"


def _shape(json_: bool, sarif_: bool, quiet: bool) -> _Shape:
    if json_ and sarif_:
        raise OptionError("--json and --sarif both print to standard output; name one (--report FILE writes JSON too)")
    return _Shape.json if json_ else _Shape.sarif if sarif_ else _Shape.quiet if quiet else _Shape.people


def _print(ledger: Ledger, shape: _Shape, encoding: str | None) -> None:
    if shape is _Shape.json:
        typer.echo(show.report_text(ledger))
    elif shape is _Shape.sarif:
        typer.echo(show.json_text(sarif_log(ledger)))
    elif shape is _Shape.people:
        grouped.findings(ledger.findings, encoding)


def _fails(ledger: Ledger, fail_on: FailOn) -> bool:
    loud = _SEVERITIES[: _SEVERITIES.index(fail_on.value) + 1]
    # A document that could not be read fails the command whichever rules were asked for.
    failed = any(account.status == "failed" for account in ledger.accounts)
    return failed or any(finding.severity in loud for finding in ledger.findings)


def _summary(ledger: Ledger) -> str:
    number: Counter[str] = Counter()
    for finding in ledger.findings:
        number[finding.severity] += finding.number
    words = {"error": "error", "warning": "warning", "info": "remark"}
    found = ", ".join(_counted(number[severity], words[severity]) for severity in _SEVERITIES if number[severity])
    what = f"{_counted(ledger.counts.read, 'record')} in {_counted(len(ledger.accounts), 'document')}"
    return f"{what}: {found or 'nothing to remark'}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
