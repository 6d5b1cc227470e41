"""Each fault of a server has one outcome, for a document that is given and for one that an index lists.

Run as a script, this module writes the table in docs/sources.md anew, to be read before it is committed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.converters.sources.web import client, exchange
from urlset.formats.vocabulary.errors import UrlsetError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from faulty_server import body, index, serving, sitemap  # noqa: E402 - tests are no package
from http_faults import FAULTS, LOST, Fault  # noqa: E402

DOCS = HERE.parent / "docs" / "sources.md"
BEGIN, END = "<!-- faults -->\n", "<!-- end of faults -->\n"
GOOD = "https://example.com/good"

every_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.001)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


class Outcome:
    """What a conversion came to."""

    def __init__(self, source: str, folder: Path, options: Mapping[str, Any]) -> None:
        self.ledger = urlset.Ledger()
        self.exit = 0
        try:
            from urlset.converters.convert import run

            run(source, folder / "out.txt", urlset.Options(on_loss="ignore", **options), self.ledger)
            self.exit = 1 if self.ledger.has_errors else 0
        except UrlsetError as error:
            self.exit = error.exit_code
        out = folder / "out.txt"
        self.locs = out.read_text("utf-8").split() if out.exists() else []
        self.rules = [one.rule for one in self.ledger.findings]
        self.said = " | ".join(f"{one.message}" for one in self.ledger.findings)


def routes(fault: Fault) -> dict[str, Callable[..., None]]:
    return {fault.path: fault.does, **fault.more}


@every_fault
def test_given(fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TOTAL", fault.total)
    with serving(routes(fault)) as server:
        found = Outcome(server.base + fault.path, tmp_path, fault.options)
    assert (found.exit, len(found.locs), tuple(found.rules)) == (fault.exit, fault.entries, fault.rules), found.said
    assert fault.says in found.said
    if fault.asked is not None:
        assert server.asked.count(fault.path) == fault.asked


@every_fault
@pytest.mark.parametrize("jobs", [1, 4])
def test_listed(fault: Fault, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other children are read all the same, in their order, whatever is fetched when."""
    monkeypatch.setattr(client, "TOTAL", fault.total)

    def listing(exchange: Any) -> None:
        exchange.answer(index(f"{server.base}/1", server.base + fault.path, f"{server.base}/9"))

    good = {"/1": body(sitemap(GOOD + "1")), "/9": body(sitemap(GOOD + "9")), "/index.xml": listing}
    if fault.more.keys() & good.keys():  # the redirects without end
        good = {"/index.xml": lambda exchange: exchange.answer(index(server.base + fault.path))}
    with serving({**routes(fault), **good}) as server:
        found = Outcome(f"{server.base}/index.xml", tmp_path, {**fault.options, "jobs": jobs})
    alone = len(good) == 1
    assert found.exit == (0 if fault.entries else 2 if alone else 1)
    if not alone:
        assert [found.locs[0], found.locs[-1]] == [GOOD + "1", GOOD + "9"]
        assert len(found.locs) == 2 + fault.entries
    assert [rule for rule in found.rules if rule != "empty-inventory"] == list(fault.listed), found.said
    lines = [one.line for one in found.ledger.findings if one.rule == LOST]
    assert lines in ([], [2 if alone else 3])


def test_a_refused_connection_is_not_tried_again(tmp_path: Path) -> None:
    with serving({}) as server:
        address = f"{server.base}/a.xml"
    found = Outcome(address, tmp_path, {})
    assert (found.exit, found.rules) == (2, ["document-refused"])
    assert "no connection" in found.said


def test_names_are_unique() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len({fault.what for fault in FAULTS}) == len(FAULTS)


# --- the table in the docs


def table() -> str:
    head = "| the server | entries | given: exit, findings | listed: exit, findings |\n|---|---|---|---|\n"
    return head + "".join(map(row, FAULTS))


def row(fault: Fault) -> str:
    what = "all" if fault.entries else "none"
    given = cell(fault.exit, fault.rules)
    return f"| {fault.what} | {what} | {given} | {cell(0 if fault.entries else 1, fault.listed)} |\n"


def cell(status: int, rules: tuple[str, ...]) -> str:
    return f"{status}: {', '.join(rules)}" if rules else str(status)


def test_the_table_in_the_docs() -> None:
    assert DOCS.read_text("utf-8").partition(BEGIN)[2].partition(END)[0] == table()


if __name__ == "__main__":
    text = DOCS.read_text("utf-8")
    DOCS.write_text(text.partition(BEGIN)[0] + BEGIN + table() + END + text.partition(END)[2], "utf-8")
