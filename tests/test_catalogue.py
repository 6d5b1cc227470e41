"""The catalogue of rules: its sentences, and the 143 checks, each under one rule."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TypeGuard, get_args

import pytest

import urlset
from urlset.formats.catalogue import (
    RULES,
    Engine,
    Row,
    Rule,
    Severity,
    addresses,
    blocks,
    files,
    jobs,
    lists,
    markup,
    rule,
    sets,
    values,
)

ROOT = Path(__file__).parents[1]
GROUPS = (
    files.FILES,
    markup.MARKUP,
    addresses.ADDRESSES,
    values.VALUES,
    blocks.BLOCKS,
    lists.LISTS,
    sets.SETS,
    jobs.JOBS,
)
CHECKS = {
    "FILE": 15,
    "NS": 7,
    "SET": 9,
    "LOC": 24,
    "MOD": 9,
    "FRQ": 3,
    "PRI": 4,
    "IDX": 10,
    "TXT": 6,
    "IMG": 4,
    "VID": 17,
    "NEW": 9,
    "HRF": 7,
    "MOB": 1,
    "PGM": 2,
    "FED": 8,
    "ROB": 6,
    "MIG": 2,
}
ROWS = [row for one in RULES.values() for row in one.rows]
SOURCES = {value for name, value in vars(rule).items() if name.isupper()}

every_rule = pytest.mark.parametrize("one", RULES.values(), ids=RULES)


def test_the_groups_in_order_are_the_catalogue() -> None:
    assert [one for group in GROUPS for one in group] == list(RULES.values())


def test_rules_are_found_by_id() -> None:
    assert all(name == one.id for name, one in RULES.items())


def test_the_catalogue_is_read_only() -> None:
    with pytest.raises(TypeError):
        RULES["new"] = RULES["loc-too-long"]  # type: ignore[index]


@every_rule
def test_id(one: Rule) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+|noindex|doctype", one.id)


@every_rule
def test_severity(one: Rule) -> None:
    assert one.severity in get_args(Severity)


@every_rule
def test_sentences(one: Rule) -> None:
    assert sentences(one.meaning) == 1
    assert sentences(one.mend) in (1, 2)
    assert one.meaning != one.mend
    assert all(sentences(row.text) == 1 for row in one.rows)


def sentences(text: str) -> int:
    """How many sentences a line of text has; 0 if it is none.

    No mark has a meaning in Markdown: the same text serves the terminal and the docs.
    """
    if not re.fullmatch(r"[A-Z][^\n<>*`|&\\]*[^ .]\.", text) or "  " in text:
        return 0
    return len(re.findall(r"\. (?=[A-Z])", text)) + 1


@every_rule
def test_source_is_one_of_the_named(one: Rule) -> None:
    parts = one.source.split("; ")
    assert set(parts) <= SOURCES
    assert len(parts) == len(set(parts))


@every_rule
def test_remarks_that_need_no_action_say_when_they_matter(one: Rule) -> None:
    if one.mend.startswith("Nothing needs to be done"):
        assert one.severity == "info"


@every_rule
def test_engines(one: Rule) -> None:
    order = get_args(Engine)
    assert list(one.engines) == sorted(set(one.engines), key=order.index)
    assert set(one.engines) <= set(order)
    if one.engines:
        assert one.severity != "error"
        assert not one.breaks_format


@pytest.mark.parametrize(
    ("engine", "rules"),
    [
        ("google", {"ignored-by-engine"}),
        ("bing", {"ignored-by-engine", "date-without-time"}),
        ("yandex", {"loc-too-long-for-engine", "format-not-supported"}),
        ("baidu", {"loc-too-long-for-engine", "file-too-large-for-engine"}),
    ],
)
def test_rules_of_an_engine(engine: Engine, rules: set[str]) -> None:
    assert {one.id for one in RULES.values() if engine in one.engines} == rules


def test_all_checks_are_there_each_once() -> None:
    expected = [f"{kind}-{number:03}" for kind, count in CHECKS.items() for number in range(1, count + 1)]
    assert len(expected) == 143
    assert sorted(row.id for row in ROWS) == sorted(expected)


def test_no_two_checks_say_the_same() -> None:
    assert len({row.text for row in ROWS}) == len(ROWS)


@every_rule
def test_checks_are_rows(one: Rule) -> None:
    assert isinstance(one.rows, tuple)
    assert all(isinstance(row, Row) for row in one.rows)


@pytest.mark.parametrize(
    ("name", "severity", "rows"),
    [
        # Two kinds of list have the same fault.
        pytest.param("too-many-urls", "error", "SET-001 TXT-003", id="limits of a list"),
        pytest.param("duplicate-loc", "warning", "SET-008 SET-009 IDX-008 ROB-005", id="repeats"),
        pytest.param("not-absolute", "error", "LOC-002 LOC-004 FED-003 ROB-001 HRF-002", id="whole addresses"),
        pytest.param(
            "invalid-date", "warning", "MOD-001 MOD-003 MOD-004 FED-004 VID-013 NEW-005", id="dates of all formats"
        ),
        # The record is rejected for the first, and kept for the second.
        pytest.param("invalid-host", "error", "LOC-013", id="impossible host"),
        pytest.param("unusual-host", "warning", "", id="unusual host"),
        # Severities where the protocol is stricter than what is done about it: the document can be used.
        pytest.param("nested-sitemap-index", "warning", "IDX-006", id="index in index"),
        pytest.param("encoding-mismatch", "warning", "FILE-003", id="declared encoding"),
        pytest.param("encoding-not-utf8", "warning", "FILE-002", id="other encoding"),
        pytest.param("news-missing-title", "warning", "NEW-001", id="incomplete article"),
        pytest.param("schema-invalid", "error", "", id="schema"),
        pytest.param("doctype", "warning", "FILE-012", id="DOCTYPE"),
        pytest.param("entity-declaration", "error", "", id="entities"),
    ],
)
def test_where_checks_stand(name: str, severity: Severity, rows: str) -> None:
    one = RULES[name]
    assert (one.severity, " ".join(row.id for row in one.rows)) == (severity, rows)


@pytest.mark.parametrize("path", sorted((ROOT / "formats" / "catalogue").glob("*.py")), ids=lambda path: path.stem)
def test_importing_it_costs_nothing(path: Path) -> None:
    """A module of the catalogue imports the catalogue and a little of the standard library, and calls only classes."""
    tree = ast.parse(path.read_text("utf-8"))
    imports = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    assert {name for name in imports if name and not name.startswith("urlset.formats.catalogue")} <= {
        "__future__",
        "collections.abc",
        "types",
        "typing",
    }
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called <= {"Rule", "Row", "MappingProxyType"}


def test_no_rule_is_left_that_no_code_names() -> None:
    named: set[str] = set()
    for folder in ("formats", "converters"):
        for path in (ROOT / folder).rglob("*.py"):
            if "catalogue" not in path.parts:
                tree = ast.parse(path.read_text("utf-8"))
                named.update(str(node.value) for node in ast.walk(tree) if is_rule(node))
    assert set(RULES) - named == set()


def is_rule(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and node.value in RULES


@pytest.mark.parametrize(
    ("place", "text"),
    [((None, None), "info: said [all-dates-equal]"), (("a.xml", 3), "a.xml:3: info: said [all-dates-equal]")],
)
def test_a_finding_as_text_begins_with_its_place_if_it_has_one(place: tuple[str | None, int | None], text: str) -> None:
    source, line = place
    assert str(urlset.Finding("all-dates-equal", "info", "said", source, line)) == text
