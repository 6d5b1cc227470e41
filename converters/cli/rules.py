"""The command ``rules``."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.markup import escape

from urlset.converters.cli import show
from urlset.converters.rule_names import fitting, of_check, unknown
from urlset.formats.catalogue import RULES, Rule


def rules(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID...", help="Rules to explain: ids, ids of checks (LOC-005), patterns (news-*)."),
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", metavar="", help="Print a list of objects with all fields, as JSON.")
    ] = False,
) -> None:
    """List the rules, or explain some: what they mean, how to mend, who says so, and what they check."""
    chosen = [one for name in names or () for one in _known(name)] if names else list(RULES.values())
    if json_:
        objects = [{**one._asdict(), "rows": [row._asdict() for row in one.rows]} for one in chosen]
        typer.echo(json.dumps(objects, ensure_ascii=False, indent=2))
    elif not names:
        _list(chosen)
    else:
        for number, one in enumerate(chosen):
            if number:
                show.stdout.print()
            _explain(one)


def _list(chosen: list[Rule]) -> None:
    width = max(map(len, RULES))
    for one in chosen:
        mark = f" (--engine {' or '.join(one.engines)})" if one.engines else ""
        show.stdout.print(f"{one.id:{width}}  {one.severity:7}  {escape(one.meaning + mark)}")


def _known(name: str) -> list[Rule]:
    """The rules of an id, of the id of a check, or of a pattern."""
    found = fitting(name) or of_check(name)
    if not found:
        raise unknown(name)
    return found


def _explain(rule: Rule) -> None:
    show.stdout.print(f"{rule.id} ({rule.severity})")
    show.stdout.print(escape(rule.meaning))
    show.stdout.print(f"Mend: {escape(rule.mend)}")
    show.stdout.print(f"Source: {escape(rule.source)}")
    if rule.engines:
        show.stdout.print(f"Engines: {', '.join(rule.engines)}. It is asked for only with --engine and such a name.")
    if rule.breaks_format:
        show.stdout.print("It breaks the format itself: with --strict, conversions stop at it.")
    if rule.rows:
        show.stdout.print("Checks:")
    for row in rule.rows:
        show.stdout.print(f"  {row.id}  {escape(row.text)}")
