"""The commands and their options."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from urlset.converters import convert as conversion
from urlset.converters import index as indexing
from urlset.converters import info as summaries
from urlset.converters.cli import diff as comparing
from urlset.converters.cli import migrate as migrating
from urlset.converters.cli import rules as catalogue
from urlset.converters.cli import show
from urlset.converters.cli import validate as validation
from urlset.converters.cli.bar import bar
from urlset.converters.cli.ending import carried_out, end
from urlset.converters.cli.fetching import fetches
from urlset.converters.cli.parameters import (
    AssumeZone,
    BaseUrl,
    DefaultFile,
    Follow,
    From,
    NoFindings,
    Output,
    Quiet,
    Rejects,
    ReportFile,
    RobotsLine,
    ShowProgress,
    Src,
    Strict,
    size,
)
from urlset.converters.cli.pipes import ReaderGone, ends_quietly, silence
from urlset.converters.info import Info
from urlset.converters.options import Options
from urlset.converters.progress import OnProgress
from urlset.formats import registry
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.ledger import Ledger

app = typer.Typer(
    help="Turn any list of URLs into any other: feeds, text lists, tables and old sitemaps in; valid sitemaps out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Dedupe(StrEnum):
    """Which of several entries for one address stays."""

    none = "none"
    first = "first"
    last = "last"
    newest = "newest"


class OnLoss(StrEnum):
    """What to do about fields that the target can't hold."""

    warn = "warn"
    fail = "fail"
    ignore = "ignore"


@app.callback(invoke_without_command=True)
@ends_quietly
def top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", metavar="", help="Print the version.")] = False,
) -> None:
    """Turn any list of URLs into any other: feeds, text lists, tables and old sitemaps in; valid sitemaps out."""
    if version:
        import urlset

        typer.echo(f"urlset {urlset.__version__}")
        raise typer.Exit


@app.command()
@ends_quietly
@fetches
def convert(
    src: Src,
    output: Output,
    from_: From = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="Format of the output; by default its name tells."),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            metavar="URL",
            help="The folder where the output will live, and the base of relative links in what has no address; a "
            "source that is a folder or an access log needs it. By default an index lies at the root of its pages' "
            "host, or stays where it is (--update).",
        ),
    ] = None,
    report: ReportFile = None,
    rejects: Rejects = None,
    strict: Strict = False,
    quiet: Quiet = False,
    progress: ShowProgress = None,
    max_urls: Annotated[
        int | None,
        typer.Option(metavar="N", help="URLs in one file; by default what the format may hold, 50,000 of a sitemap."),
    ] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Bytes of one file before gzip: 400000, 10MB, 50MiB; by default what the format may hold.",
        ),
    ] = None,
    gzip: Annotated[
        bool, typer.Option("--gzip", metavar="", help="Compress; every compressed file's name ends in .gz.")
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Keep only matching addresses (shell pattern); may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Leave matching addresses out (shell pattern); may be repeated."),
    ] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="RULE",
            help="-PATTERN drops, +PATTERN keeps; may be repeated, and the first rule that matches decides. A pattern "
            "is a shell pattern or, behind ~, a regular expression.",
        ),
    ] = None,
    rewrite: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD=NEW", help="Replace the beginning of addresses, in blocks too; may be repeated."),
    ] = None,
    dedupe: Annotated[
        Dedupe, typer.Option(help="Merge entries of one address; which one stays (newest with --update).")
    ] = Dedupe.none,
    update: Annotated[
        bool,
        typer.Option("--update", metavar="", help="Keep what the output holds already, and merge the sources into it."),
    ] = False,
    sort: Annotated[bool, typer.Option("--sort", metavar="", help="Sort by address.")] = False,
    follow: Follow = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of the sources; recognised by default.")
    ] = None,
    assume_zone: AssumeZone = None,
    indexable: Annotated[
        bool, typer.Option("--indexable", metavar="", help="Of a crawl export, only rows that are pages to index.")
    ] = False,
    xsd: Annotated[
        bool, typer.Option("--xsd", metavar="", help="Drop dates that the protocol allows and its XSD does not.")
    ] = False,
    default_file: DefaultFile = "index.html",
    on_loss: Annotated[OnLoss, typer.Option(help="What to do about fields that the output can't hold.")] = OnLoss.warn,
    robots_line: RobotsLine = False,
    news_name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make articles of a feed's items of the last two days, for a paper of this name (--news-language).",
        ),
    ] = None,
    news_language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Language of that paper: en, cmn, zh-cn, zh-tw.")
    ] = None,
    now: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time from which the age of articles is measured; else the clock's."),
    ] = None,
    *,
    fetching: dict[str, Any],
) -> None:
    """Convert any format into any other.

    A sitemap that outgrows one file becomes an index under its name and numbered parts beside it.
    """

    def job(ledger: Ledger, on_progress: OnProgress | None) -> None:
        conversion.distinct({"--report": report, "--rejects": rejects, "--output": output})
        conversion.distinct({"--report": report}, src)
        options = Options(
            from_=from_,
            to=to,
            base_url=base_url,
            strict=strict,
            rejects=rejects,
            max_urls=max_urls,
            max_bytes=None if max_bytes is None else size(max_bytes),
            gzip=gzip,
            include=include or (),
            exclude=exclude or (),
            filters=filters or (),
            rewrite=rewrite or (),
            dedupe=dedupe.value,
            update=update,
            sort=sort,
            follow=follow,
            encoding=encoding,
            assume_zone=assume_zone,
            indexable=indexable,
            xsd=xsd,
            default_file=default_file,
            own_files=[] if report is None else [report],
            on_loss=on_loss.value,
            robots_line=robots_line,
            news_name=news_name,
            news_language=news_language,
            now=now,
            progress=on_progress,
            **fetching,
        )
        conversion.run(src, output, options, ledger)
        show.robots_lines(ledger, robots_line)

    # Entries that scroll by on the same terminal would tear a bar apart.
    torn = output == "-" and show.stdout.is_terminal
    _run(job, report, quiet, False if torn and progress is None else progress)


@app.command()
@ends_quietly
def index(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Sitemap files.")],
    output: Output,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            metavar="URL",
            help="The folder where the files and the index will live; by default the root of their pages' host.",
        ),
    ] = None,
    report: ReportFile = None,
    strict: Strict = False,
    quiet: Quiet = False,
    gzip: Annotated[bool, typer.Option("--gzip", metavar="", help="Compress; the name then ends in .gz.")] = False,
    robots_line: RobotsLine = False,
) -> None:
    """Write a sitemap index over sitemap files; their newest lastmod is read from them."""

    def job(ledger: Ledger, _: OnProgress | None) -> None:
        conversion.distinct({"--report": report, "--output": output}, files)
        options = Options(base_url=base_url, strict=strict, gzip=gzip, robots_line=robots_line)
        indexing.run(list(files), output, options, ledger)
        show.robots_lines(ledger, robots_line)

    _run(job, report, quiet, False)


@app.command()
@ends_quietly
@fetches
def info(
    src: Src,
    from_: From = None,
    base_url: BaseUrl = None,
    default_file: DefaultFile = "index.html",
    report: ReportFile = None,
    quiet: NoFindings = False,
    progress: ShowProgress = None,
    follow: Follow = None,
    json_: Annotated[bool, typer.Option("--json", metavar="", help="Print the summary as JSON.")] = False,
    *,
    fetching: dict[str, Any],
) -> None:
    """Show what is in a list of URLs: format, counts, hosts, dates, extensions, top folders."""

    def job(ledger: Ledger) -> Info:
        options = Options(
            from_=from_,
            base_url=base_url,
            follow=follow,
            default_file=default_file,
            own_files=[] if report is None else [report],
            **fetching,
        )
        with bar(progress, quiet) as on_progress:
            return summaries.run(src, replace(options, progress=on_progress), ledger)

    found, ledger = carried_out(job, report, told=not quiet)
    if json_:
        typer.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=2))
    else:
        show.info(found)
    end(ledger)


@app.command()
@ends_quietly
def formats() -> None:
    """List what can be read and written, plugins included."""
    show.formats(registry())


app.command()(ends_quietly(migrating.migrate))
app.command()(ends_quietly(fetches(validation.validate)))
app.command()(ends_quietly(fetches(comparing.diff)))
app.command()(ends_quietly(catalogue.rules))


def _run(
    job: Callable[[Ledger, OnProgress | None], None], report: Path | None, quiet: bool, progress: bool | None
) -> NoReturn:
    """Run a job that writes, and end with what it found, its report and its summary."""

    def with_bar(ledger: Ledger) -> None:
        with bar(progress, quiet) as on_progress:
            job(ledger, on_progress)

    _, ledger = carried_out(with_bar, report, told=not quiet)
    if not quiet:
        show.summary(ledger)
    end(ledger)


def _terminated(number: int, _: object) -> None:
    """End as after Ctrl-C: what was written so far is removed on the way out."""
    sys.exit(128 + number)


def run() -> None:
    """Run the command line: usage errors and refusals end with 2, a broken pipe quietly. Ctrl-C is the caller's."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        app()
    except ReaderGone:
        silence()  # the reader has what it wanted
        sys.exit(0)
    except UrlsetError as error:
        show.error(error)
        sys.exit(error.exit_code)
