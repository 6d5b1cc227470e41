"""The page of rules, docs/rules.md, is what the catalogue says.

Run as a script, this module writes the page anew, to be read before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from urlset.formats.catalogue import RULES, Rule, addresses, blocks, files, jobs, lists, markup, sets, values

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
GROUPS: tuple[tuple[ModuleType, tuple[Rule, ...]], ...] = (
    (files, files.FILES),
    (markup, markup.MARKUP),
    (addresses, addresses.ADDRESSES),
    (values, values.VALUES),
    (blocks, blocks.BLOCKS),
    (lists, lists.LISTS),
    (sets, sets.SETS),
    (jobs, jobs.JOBS),
)
INTRODUCTION = """\
# Rules

Each finding names the rule that it is about. `urlset rules` lists the rules, `urlset rules ID` explains one, and
`urlset rules --json` prints all that is said here for programs.

A rule has a severity:

- **error**: a record or a document could not be used as it stands;
- **warning**: a value was dropped or repaired, or consumers will object;
- **info**: worth knowing, nothing to mend.

That is its default: a finding may be louder or quieter where the case is. A rule that breaks the format is about the
container itself (XML, encoding, compression, quoting); with `--strict`, conversions stop at it.

Some rules concern one search engine alone. They are asked for only with `--engine` and its name.

Below a rule stand the checks that it makes, under ids such as LOC-005: what a protocol demands, or what is remarked on.
There are 143 of them, and each stands under one rule.

This page is written from `formats/catalogue/` by `python tests/test_rules_docs.py`; changes belong there.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([INTRODUCTION, *(line for group in GROUPS for line in section(*group))])


def section(module: ModuleType, rules: tuple[Rule, ...]) -> Iterator[str]:
    """The lines of a group; its module's docstring has the title, and after a colon what is in it."""
    title, _, about = (module.__doc__ or "").partition(": ")
    yield from (f"## {title}", "", f"{about[:1].upper()}{about[1:]}", "")
    for rule in rules:
        yield from described(rule)


def described(rule: Rule) -> Iterator[str]:
    """The lines of a rule."""
    engines = " or ".join(f"`--engine {engine}`" for engine in rule.engines)
    heading = f"**{rule.severity}**"
    heading += f", asked for with {engines}" if engines else ""
    heading += ", breaks the format" if rule.breaks_format else ""
    yield from (f"### {rule.id}", "", heading, "")
    yield from (rule.meaning, "", f"Mend: {rule.mend}", "", f"Source: {rule.source}", "")
    if rule.rows:
        yield from (f"- {row.id}: {row.text}" for row in rule.rows)
        yield ""


def test_the_page_is_what_the_catalogue_says() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_rule_is_on_the_page_once_and_in_order() -> None:
    headings = [line.removeprefix("### ") for line in page().splitlines() if line.startswith("### ")]
    assert headings == list(RULES)


def test_the_page_has_no_html() -> None:
    assert "<" not in page()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
