"""Tab-separated values: written so that whoever splits lines at tabs gets the columns, and read back as a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.vocabulary.entry import FIELDS

PAGE = "https://example.com/a,b;c|d"


def lines_of(path: Path, *entries: urlset.Entry) -> list[bytes]:
    urlset.write(entries, path)
    return path.read_bytes().split(b"\n")


def test_a_line_is_split_at_its_tabs(tmp_path: Path) -> None:
    entry = urlset.Entry(loc=PAGE, lastmod=urlset.LastMod("2024-05-06"), priority=0.5, title="Red, blue; green")
    header, row, rest = lines_of(tmp_path / "urls.tsv", entry)
    assert header.decode().split("\t") == list(FIELDS)
    cells = dict(zip(FIELDS, row.decode().split("\t"), strict=True))
    told = {name: text for name, text in cells.items() if text}
    assert told == {"loc": PAGE, "lastmod": "2024-05-06", "priority": "0.5", "title": "Red, blue; green"}
    assert rest == b""


@pytest.mark.parametrize(
    ("title", "cell"),
    [("a\tb", '"a\tb"'), ('5" x 7"', '"5"" x 7"""'), ("a\nb", '"a\nb"'), ("a\r\nb", '"a\nb"'), (" a", '" a"')],
)
def test_only_a_cell_that_needs_quotes_gets_them(title: str, cell: str, tmp_path: Path) -> None:
    path = tmp_path / "urls.tsv"
    data = b"\n".join(lines_of(path, urlset.Entry(loc=PAGE, title=title), urlset.Entry(loc=PAGE)))
    assert f"\t{cell}\t".encode() in data
    again = [entry.title for entry in urlset.read(path)]
    assert again == [title.replace("\r\n", "\n"), None]


@pytest.mark.parametrize("name", ["urls.tsv", "urls.TSV", "urls.tsv.gz"])
def test_the_name_tells_the_format(name: str, tmp_path: Path) -> None:
    (output,) = urlset.write([urlset.Entry(loc=PAGE)], tmp_path / name).outputs
    assert output.format == "tsv"
    ledger = urlset.Ledger()
    assert [entry.loc for entry in urlset.read(tmp_path / name, ledger=ledger)] == [PAGE]
    assert ledger.accounts[0].format == "csv"


def test_it_grows(tmp_path: Path) -> None:
    for name in "aba":
        urlset.write([urlset.Entry(loc=f"https://example.com/{name}")], tmp_path / "urls.tsv", update=True)
    assert [entry.loc[-1] for entry in urlset.read(tmp_path / "urls.tsv")] == ["a", "b"]


def test_it_is_no_format_to_read(run_urlset: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "urls.tsv").write_text(f"loc\ttitle\n{PAGE}\tA\n")
    done = run_urlset("info", "urls.tsv", "--from", "tsv", cwd=tmp_path)
    assert done.returncode == 2
    assert b"the format tsv can be written, not read" in done.stderr
    assert run_urlset("info", "urls.tsv", "--from", "csv", cwd=tmp_path).returncode == 0
