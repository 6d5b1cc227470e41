"""The command ``migrate``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from urlset.converters import generator
from urlset.converters import migrate as migration
from urlset.converters.cli import show
from urlset.converters.cli.ending import carried_out, end
from urlset.converters.cli.parameters import AssumeZone, Rejects, ReportFile, Strict, size
from urlset.converters.convert import distinct
from urlset.converters.visible import visible
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.ledger import Ledger


def migrate(
    src: Annotated[
        str,
        typer.Argument(
            metavar="SRC", help="A sitemap, an index with its children, a folder, or a generator's config.xml."
        ),
    ],
    dst: Annotated[
        str | None, typer.Argument(metavar="DST", help="The file or folder to write; not with --in-place.")
    ] = None,
    in_place: Annotated[
        bool,
        typer.Option(
            "--in-place", metavar="", help="Change files where they lie; the old ones stay as NAME.bak, .bak2, …"
        ),
    ] = False,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="Where SRC's folder lives, for an index that has to be made."),
    ] = None,
    report: ReportFile = None,
    rejects: Rejects = None,
    strict: Strict = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", metavar="", help="Print no findings and no table of files, but an error that ends the job."
        ),
    ] = False,
    max_urls: Annotated[int | None, typer.Option(metavar="N", help="URLs in one file; 50,000 by default.")] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Bytes of one file before gzip: 400000, 10MB, 50MiB; 50MiB by default."),
    ] = None,
    assume_zone: AssumeZone = None,
    xsd: Annotated[
        bool,
        typer.Option(
            "--xsd", metavar="", help="Drop dates that the protocol allows and its XSD does not: years, months."
        ),
    ] = False,
) -> None:
    """Turn a site's Google 0.84 sitemaps into 0.9, file by file, names and layout kept.

    Sitemaps that are 0.9 already are copied as they are; other files are left alone. The config.xml of Google's
    sitemap_gen.py is run instead: its job, done today, written to DST or to its store_into.
    """

    def job(ledger: Ledger) -> list[migration.Migrated]:
        distinct({"--report": report, "--rejects": rejects, "DST": dst}, [src])
        own = [report] if report else []
        most = None if max_bytes is None else size(max_bytes)
        common: dict[str, Any] = {"strict": strict, "rejects": rejects, "max_urls": max_urls, "max_bytes": most}
        if Path(src).is_file() and generator.is_config(src):
            if in_place or base_url or assume_zone or xsd:
                raise OptionError("a config.xml has no use for --in-place, --base-url, --assume-zone and --xsd")
            generator.run(src, dst, own_files=own, ledger=ledger, **common)
            return []
        options = migration.Options(
            base_url=base_url, in_place=in_place, assume_zone=assume_zone, xsd=xsd, own_files=own, **common
        )
        return migration.run(src, dst, options, ledger)

    files, ledger = carried_out(job, report, told=not quiet)
    if not quiet and files:
        _table(files)
    elif not quiet:
        show.summary(ledger)
    end(ledger)


def _table(files: list[migration.Migrated]) -> None:
    """A line a file; as wide as it has to be, so that names stay whole."""
    rows = [("file", "was", "entries", "now", "")]
    for file in files:
        names = ", ".join(file.files) if len(file.files) > 1 else ""
        entries = "" if file.entries is None else f"{file.entries:,}"
        rows.append((visible(file.place), file.was, entries, file.became, visible(names)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for place, was, entries, became, names in rows:
        cells = [place.ljust(widths[0]), was.ljust(widths[1]), entries.rjust(widths[2]), became.ljust(widths[3]), names]
        show.stdout.print(Text("  ".join(cells).rstrip()))
    number = Counter(file.became for file in files)
    show.stderr.print(", ".join(f"{count:,} {became}" for became, count in number.items()))
