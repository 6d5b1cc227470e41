"""What objects say of themselves where a notebook shows them: one line."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.vocabulary import in_short
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Output

TABLE = b"""loc,lastmod
https://example.com/1,2024-05-06
https://example.com/2,soon
https://example.com/1,2024-05-07
,2024
"""


def finding(severity: Any = "warning", count: int = 1) -> Finding:
    return Finding("invalid-date", severity, "no date", "a.csv", 3, count=count)


NONE = {"read": 0, "written": 0, "rejected": 0, "repaired": 0, "filtered": 0, "duplicates": 0}


@pytest.mark.parametrize(
    ("counts", "files", "findings", "line"),
    [
        ({}, [], [], "0 read, 0 written"),
        ({"read": 1200, "written": 1200}, ["/srv/www/sitemap.xml"], [], "1,200 read, 1,200 written to sitemap.xml"),
        ({"read": 2, "written": 2}, ["-"], [], "2 read, 2 written"),
        ({"read": 2, "written": 2}, ["s3://bucket/a/urls.txt"], [], "2 read, 2 written to urls.txt"),
        ({"read": 2, "written": 2}, ["a-1.xml", "a-2.xml", "a.xml"], [], "2 read, 2 written to 3 files"),
        (
            {"read": 9, "written": 2, "rejected": 4, "repaired": 1, "filtered": 2, "duplicates": 1},
            ["a.xml"],
            [finding()],
            "9 read, 2 written to a.xml, 4 rejected, 2 filtered, 1 duplicates; 1 finding",
        ),
        ({}, [], [finding("error"), finding("info", 1500)], "0 read, 0 written; 1,501 findings (1 error)"),
        ({}, [], [finding("error", 2)], "0 read, 0 written; 2 findings (2 errors)"),
    ],
)
def test_a_job_in_one_line(counts: dict[str, int], files: list[str], findings: list[Finding], line: str) -> None:
    assert in_short.job({**NONE, **counts}, files, findings) == line


def test_a_result_is_one_line(tmp_path: Path) -> None:
    result = urlset.convert(TABLE, tmp_path / "sitemap.xml", dedupe="last")
    line = "4 read, 2 written to sitemap.xml, 1 rejected, 1 duplicates; 2 findings (1 error)"
    assert repr(result) == f"<Result: {line}>"
    assert repr(result.ledger) == f"<Ledger: {line}>"


@pytest.mark.parametrize("job", ["write", "index"])
def test_other_jobs_have_results_too(job: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    path = tmp_path / "a.txt"
    path.write_text("https://example.com/1\n")
    if job == "write":
        result = urlset.write([urlset.Entry(loc="https://example.com/1")], stream, to="text")
    else:
        result = urlset.index([path], stream, base_url="https://example.com/")
    assert repr(result) == "<Result: 1 read, 1 written>"


def test_a_finding_is_what_it_says_and_a_list_of_them_has_one_line_each() -> None:
    findings = urlset.validate(TABLE)
    assert repr(findings[0]) == f"<Finding: {findings[0]}>"
    assert all("\n" not in repr(one) for one in findings)
    assert repr(finding(count=3)) == "<Finding: a.csv:3: warning: no date [invalid-date] (×3)>"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (TABLE, "3 URLs in 1 document, lastmod 2024-05-06 to 2024-05-07; 2 findings (1 error)"),
        ([TABLE[:45], b"https://example.com/3\n"], "2 URLs in 2 documents, lastmod 2024-05-06 to 2024-05-06"),
        (b"https://example.com/3\n", "1 URL in 1 document"),
    ],
)
def test_a_summary_is_one_line(source: Any, line: str) -> None:
    assert repr(urlset.info(source)) == f"<Info: {line}>"


def test_a_migration_is_one_line(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    text = (
        '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://example.com/</loc></url></urlset>'
    )
    (old / "a.xml").write_text(text)
    (old / "b.xml").write_text(text)
    result = urlset.migrate(old, tmp_path / "new")
    assert repr(result) == "<Result: 2 files (2 migrated); 2 findings>"
    result.files.clear()
    assert repr(result) == "<Result: 0 files; 2 findings>"


def test_the_fields_are_there_as_before() -> None:
    output = Output("a.xml", "sitemap", 1, 2, False)
    ledger = urlset.Ledger(outputs=[output])
    assert urlset.Result(ledger) == urlset.Result(ledger)
    assert urlset.Result(ledger).outputs == [output]
