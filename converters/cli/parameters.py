"""The arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Src = Annotated[list[str], typer.Argument(metavar="SRC...", help="Paths, http(s) addresses, or - for standard input.")]
From = Annotated[str | None, typer.Option("--from", metavar="NAME", help="Format of the sources; detected by default.")]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url", metavar="URL", help="Base of relative links, and the folder where the output will live."
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a report as JSON: counts, sources, findings."),
]
AssumeZone = Annotated[
    str | None,
    typer.Option("--assume-zone", metavar="ZONE", help="Zone of times without one: UTC, +02:00, Europe/Prague."),
]
Rejects = Annotated[
    Path | None,
    typer.Option("--rejects", metavar="FILE", help="Write what was left out, as JSON lines to mend."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Repair nothing: stop at the first fault.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no findings and no summary.")]
ShowProgress = Annotated[
    bool | None,
    typer.Option("--progress/--no-progress", help="A bar on standard error; by default on a terminal."),
]
Output = Annotated[str, typer.Option("--output", "-o", metavar="DST", help="A path, or - for standard output.")]
