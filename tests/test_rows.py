"""Every row of the protocol has a rule, a document that triggers it, and one that just doesn't."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.catalogue import RULES
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.findings import Finding

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from rows import Case, Documents  # noqa: E402 - tests are no package

CASES: list[Case] = [
    case for path in sorted((HERE / "rows").glob("[!_]*.py")) for case in import_module(f"rows.{path.stem}").CASES
]


def found(documents: Documents, options: Any, folder: Path) -> list[Finding]:
    """What validation says of a document, also of one that it refuses."""
    options = {"now": "2024-06-01T00:00:00Z", **options}
    source: Any = documents
    if not isinstance(documents, bytes):
        source = next(iter(documents))
        if "://" in source:
            options["fetch"] = lambda address: served(documents, address)
        else:
            for name, data in documents.items():
                (folder / name).write_bytes(data)
            source = folder / source
    ledger = urlset.Ledger()
    try:
        return urlset.validate(source, ledger=ledger, **options)
    except UrlsetError as error:
        assert error.exit_code == 2
        return ledger.findings


def served(pages: Any, address: str) -> bytes:
    """A page, or no such page."""
    if address not in pages:
        raise FileNotFoundError(address)
    data: bytes = pages[address]
    return data


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.row)
def test_triggered(case: Case, tmp_path: Path) -> None:
    hits = [one for one in found(case.hit, case.options, tmp_path) if one.rule == case.rule]
    assert hits
    wanted = [one for one in hits if case.says in f"{one.message} {one.value}"]
    assert wanted, [one.message for one in hits]
    lost = "error" if wanted[0].action == "rejected" else None  # a record that is left out is an error by any rule
    assert wanted[0].severity == (case.severity or lost or RULES[case.rule].severity)
    if case.line is not None:
        assert wanted[0].line == case.line


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.row)
def test_just_not_triggered(case: Case, tmp_path: Path) -> None:
    options = case.options if case.miss_options is None else case.miss_options
    assert [one.message for one in found(case.miss, options, tmp_path) if one.rule == case.rule] == []


def test_no_row_is_forgotten() -> None:
    rows = {row.id: rule.id for rule in RULES.values() for row in rule.rows}
    assert {case.row: case.rule for case in CASES} == rows
    assert len(CASES) == len(rows) == 143
