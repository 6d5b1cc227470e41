"""How a command ends: what its job found is printed and reported, and the exit status says what happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import typer

from urlset.converters.cli import show
from urlset.formats.vocabulary.errors import OptionError, UrlsetError
from urlset.formats.vocabulary.ledger import Ledger

R = TypeVar("R")


def carried_out(job: Callable[[Ledger], R], report: Path | None, *, told: bool) -> tuple[R, Ledger]:
    """What a job gives; its findings are printed if they are to be ``told``, and its report is written.

    Ends the command if the job fails. Raises OptionError if the report can't be a file there.
    """
    check_report(report)
    ledger = Ledger()
    try:
        given = job(ledger)
    except UrlsetError as error:
        # A mistake in the options is no report.
        _tell(ledger, report if ledger.accounts else None, told)
        refuse(error, ledger, told)
    _tell(ledger, report, told)
    return given, ledger


def check_report(path: Path | None) -> None:
    """Raise OptionError unless a report can be a file there."""
    if path is not None and str(path) == "-":
        raise OptionError("the report goes to a file", value="-")
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise OptionError("the report can't be written there", source=str(path))


def _tell(ledger: Ledger, report: Path | None, told: bool) -> None:
    if told:
        show.findings(ledger)
    if report is not None:
        show.report(ledger, report)


def refuse(failure: UrlsetError, ledger: Ledger, told: bool) -> NoReturn:
    """End since nothing could be done; what the findings have told already is not said again."""
    if not told or all(finding.message != failure.message for finding in ledger.findings):
        show.error(failure)
    raise typer.Exit(failure.exit_code)


def end(ledger: Ledger) -> NoReturn:
    """End with the status of what happened."""
    raise typer.Exit(1 if ledger.has_errors else 0)
