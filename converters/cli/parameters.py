"""The arguments and options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from urlset.formats.vocabulary.errors import OptionError

Src = Annotated[
    list[str],
    typer.Argument(metavar="SRC...", help="Files, folders, addresses of documents or sites, or - for standard input."),
]
Follow = Annotated[
    bool | None,
    typer.Option(
        "--follow/--no-follow",
        metavar="",
        help="Read the further pages of feeds too; or nothing but the sources, so that an index is listed. By default "
        "what an index or robots.txt lists is read.",
    ),
]
From = Annotated[str | None, typer.Option("--from", metavar="NAME", help="Format of the sources; detected by default.")]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Base of relative links in what has no address, and where a folder or the site of an access log lives.",
    ),
]
DefaultFile = Annotated[
    str,
    typer.Option(
        "--default-file", metavar="NAME", help="Of a folder: the file that stands for it, listed as its address."
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write a report as JSON: counts, sources, outputs, findings."),
]
AssumeZone = Annotated[
    str | None,
    typer.Option("--assume-zone", metavar="ZONE", help="Zone of times without one: UTC, +02:00, Europe/Prague."),
]
Rejects = Annotated[
    Path | None,
    typer.Option("--rejects", metavar="FILE", help="Write the rejected records, as JSON lines to mend."),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", metavar="", help="Stop at the first fault of a source; repair, drop and reject nothing."),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", metavar="", help="Print no findings and no summary, but an error that ends the job."),
]
NoFindings = Annotated[
    bool,
    typer.Option("--quiet", "-q", metavar="", help="Print what was asked for and no findings."),
]
ShowProgress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress", metavar="", help="A bar on standard error where that is a terminal; not if quiet."
    ),
]
RobotsLine = Annotated[
    bool, typer.Option("--robots-line", metavar="", help="Print the lines for robots.txt that name what was written.")
]
Output = Annotated[
    str, typer.Option("--output", "-o", metavar="DST", help="A path, s3:// and the like, or - for standard output.")
]

_UNITS = {
    "": 1,
    "B": 1,
    "KB": 1000,
    "MB": 1000**2,
    "GB": 1000**3,
    "KIB": 1024,
    "MIB": 1024**2,
    "GIB": 1024**3,
}


def size(text: str) -> int:
    """A size in bytes: a number, or one with a unit (KB, MB, GB by thousands; KiB, MiB, GiB by 1,024)."""
    match = re.fullmatch(r"\s*([0-9]{1,15})\s*([KMG]?i?B?)\s*", text, re.IGNORECASE)
    unit = match[2].upper() if match else None
    if match is None or unit not in _UNITS:
        raise OptionError(f"a size is a number of bytes such as 400000, 10MB or 50MiB, not {text!r}")
    return int(match[1]) * _UNITS[unit]


def names(given: list[str] | None) -> list[str]:
    """Names that were given one by one or with commas."""
    return [name.strip() for text in given or () for name in text.split(",") if name.strip()]
