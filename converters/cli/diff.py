"""The command ``diff``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from pydantic import BaseModel

from urlset.converters import diff as comparison
from urlset.converters.cli import show
from urlset.converters.cli.bar import bar
from urlset.converters.cli.ending import carried_out
from urlset.converters.cli.parameters import (
    AssumeZone,
    DefaultFile,
    Follow,
    NoFindings,
    ReportFile,
    ShowProgress,
    Strict,
    names,
)
from urlset.converters.convert import distinct
from urlset.converters.diff.output import Files, check_file
from urlset.converters.visible import visible
from urlset.formats import registry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.ledger import Ledger

LOC_SHOWN = 300
VALUE_SHOWN = 80
"""Characters of an address, and of a value, that people are shown; --json and --csv have all of them."""

_LINES = 1_000  # that are printed at a time


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A file, a folder or an address; - is standard input.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same, in any format; only one can be -.")],
    json_: Annotated[bool, typer.Option("--json", metavar="", help="Print everything as JSON.")] = False,
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="Pages of each kind to list; --json has all.")] = 10,
    all_: Annotated[bool, typer.Option("--all", metavar="", help="List all pages.")] = False,
    fields: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Compare these fields; by default all that both formats can hold."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="NAME,...", help="Leave these fields out; wins over --fields.")
    ] = None,
    no_moved: Annotated[
        bool,
        typer.Option(
            "--no-moved", metavar="", help="A page on another host or scheme is another page, even if most went there."
        ),
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write it as a table: kind, loc, old_loc, field, old, new."),
    ] = None,
    added: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the added entries, in the format of the name.")
    ] = None,
    removed: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the removed entries.")] = None,
    changed: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write entries whose fields differ, as in NEW.")
    ] = None,
    from_old: Annotated[str | None, typer.Option(metavar="NAME", help="Format of OLD; detected by default.")] = None,
    from_new: Annotated[str | None, typer.Option(metavar="NAME", help="Format of NEW; detected by default.")] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            metavar="URL",
            help="Base of relative links in a side that has no address, where a folder or the site of an access log "
            "lives; and the folder where the files of --added, --removed and --changed will live.",
        ),
    ] = None,
    follow: Follow = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of both sides; recognised by default.")
    ] = None,
    assume_zone: AssumeZone = None,
    indexable: Annotated[
        bool, typer.Option("--indexable", metavar="", help="Of a crawl export, only rows that are pages to index.")
    ] = False,
    default_file: DefaultFile = "index.html",
    report: ReportFile = None,
    strict: Strict = False,
    quiet: NoFindings = False,
    progress: ShowProgress = None,
    *,
    fetching: dict[str, Any],
) -> None:
    """Compare two inventories, in any two formats: which pages are added, removed, changed or moved.

    Pages are matched by address. If most of a site's pages are found on another host or scheme, they have moved, and
    the line to rewrite OLD with is shown. Ends with 0 if there is no difference, with 1 if there is one or a record was
    rejected, or with 2 if a side could not be read.
    """
    outputs = {"--report": report, "--csv": csv, "--added": added, "--removed": removed, "--changed": changed}
    _check(outputs, (old, new))

    def job(ledger: Ledger) -> comparison.Diff:
        with bar(progress, quiet) as on_progress:
            options = comparison.Options(
                fields=None if fields is None else names(fields),
                ignore=names(ignore),
                moved=not no_moved,
                from_old=from_old,
                from_new=from_new,
                base_url=base_url,
                strict=strict,
                follow=follow,
                encoding=encoding,
                assume_zone=assume_zone,
                indexable=indexable,
                default_file=default_file,
                own_files=[path for path in outputs.values() if path is not None],
                progress=on_progress,
                **fetching,
            )
            found = comparison.run(old, new, options, ledger)
        _write(found, csv, base_url, outputs)
        return found

    found, ledger = carried_out(job, report, told=not quiet)
    with found:
        _print(_json(found) if json_ else _people(found, None if all_ else limit))
        raise typer.Exit(1 if found or ledger.has_errors else 0)


def _check(outputs: dict[str, Path | None], sources: tuple[str, str]) -> None:
    """Raise OptionError for files that can't be written, before anything is read."""
    distinct(outputs, sources)
    known = registry()
    for flag, path in outputs.items():
        if path is not None:
            check_file(path, flag)
            if not path.parent.is_dir():
                raise OptionError(f"{flag}: there is no folder {path.parent}", value=str(path))
            if flag not in ("--report", "--csv"):
                known.for_target(str(path))


def _write(found: comparison.Diff, csv: Path | None, base_url: str | None, files: dict[str, Path | None]) -> None:
    entries = {"--added": found.added, "--removed": found.removed, "--changed": found.changed_entries()}
    with Files(found.ledger) as outputs:
        if csv is not None:
            outputs.add_csv(csv, found.rows())
        for flag, chosen in entries.items():
            if (path := files[flag]) is not None:
                outputs.add_entries(chosen, path, registry(), base_url)
        outputs.commit()


def _print(lines: Iterable[str]) -> None:
    """Print many lines in few strokes."""
    source = iter(lines)
    while chunk := list(islice(source, _LINES)):
        typer.echo("\n".join(chunk))


# --- for programs


def _json(found: comparison.Diff) -> Iterator[str]:
    """The object, a page in a line."""
    yield "{"
    for name in ("added", "removed", "changed", "moved"):
        yield from _array(name, getattr(found, name))
    totals = found.totals()
    for place, (name, value) in enumerate(totals.items(), 1):
        yield f'  "{name}": {show.json_line(value)}{"," if place < len(totals) else ""}'
    yield "}"


def _array(name: str, rows: Collection[Any]) -> Iterator[str]:
    if not rows:
        yield f'  "{name}": [],'
        return
    yield f'  "{name}": ['
    last = len(rows)
    for place, row in enumerate(rows, 1):
        yield f"    {show.json_line(row.as_dict())}{',' if place < last else ''}"
    yield "  ],"


# --- for people


def _people(found: comparison.Diff, limit: int | None) -> Iterator[str]:
    """The counts, and the first pages of each kind."""
    yield from _counts(found)
    for name in ("added", "removed"):
        yield from _section(
            name, ([_loc(entry.loc)] for entry in getattr(found, name)), len(getattr(found, name)), limit
        )
    yield from _section("changed", map(_change, found.changed), len(found.changed), limit)
    yield from _section("moved", map(_moved, found.moved), len(found.moved), limit, list(map(_move, found.moves)))


def _counts(found: comparison.Diff) -> Iterator[str]:
    rows = [(number, name) for name, number in found.counts.items() if not name.startswith("duplicates")]
    for number, side in ((found.duplicates_old, "OLD"), (found.duplicates_new, "NEW")):
        if number:
            word = "entry" if number == 1 else "entries"
            rows.append((number, f"further {word} of {side} for pages that it had already"))
    width = max(len(f"{number:,}") for number, _ in rows)
    return (f"{number:>{width},} {name}" for number, name in rows)


def _section(
    name: str, rows: Iterable[list[str]], number: int, limit: int | None, head: Iterable[str] = ()
) -> Iterator[str]:
    shown = number if limit is None else min(number, limit)
    if not shown:
        return
    yield f"\n{name}"
    yield from head
    for lines in islice(rows, shown):
        yield from (f"  {line}" for line in lines)
    if number > shown:
        yield f"  … and {number - shown:,} more; --all lists them"


def _change(change: comparison.Change) -> list[str]:
    return [_loc(change.loc), *_fields(change)]


def _moved(change: comparison.Change) -> list[str]:
    return [f"{_loc(change.old.loc)} → {_loc(change.loc)}", *_fields(change)]


def _move(move: comparison.Move) -> str:
    return f"  {move.pages:,} of {move.of:,} pages: --rewrite {_loc(move.rule)}"


def _fields(change: comparison.Change) -> Iterator[str]:
    return (f"  {name}: {_value(old)} → {_value(new)}" for name, (old, new) in change.fields.items())


def _loc(text: str) -> str:
    return _shortened(text, LOC_SHOWN)


def _value(value: object) -> str:
    if value is None or value == ():
        return "absent"
    if isinstance(value, tuple):
        parts = [_plain(one) for one in cast("tuple[object, ...]", value)]
        return f"{len(parts)}: {_shortened(json.dumps(parts, ensure_ascii=False), VALUE_SHOWN)}"
    text = json.dumps(_plain(value), ensure_ascii=False) if isinstance(value, BaseModel) else str(value)
    return _shortened(text, VALUE_SHOWN)


def _plain(value: object) -> object:
    return value.model_dump(mode="json", exclude_defaults=True) if isinstance(value, BaseModel) else value


def _shortened(text: str, most: int) -> str:
    if len(text) <= most:
        return visible(text)
    return f"{visible(text[:most])}… ({len(text):,} characters)"
