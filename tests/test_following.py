"""Lists that are followed: each child is accounted for, in the order of the list, however it is fetched."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlset
from urlset.converters.sources.discovery import is_site
from urlset.formats import registry
from urlset.formats.vocabulary.errors import ReadError, SourceError, StrictError, UrlsetError
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.registry import Registry

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import Server, body, index, redirect, serving, sitemap

HOME = "https://example.com/"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def read(source: Any, **options: Any) -> tuple[list[str], urlset.Ledger]:
    ledger = urlset.Ledger()
    return [entry.loc for entry in urlset.read(source, ledger=ledger, **options)], ledger


def told(ledger: urlset.Ledger) -> list[tuple[str, str, int | None]]:
    return [(one.rule, one.severity, one.line) for one in ledger.findings]


def tree(ledger: urlset.Ledger) -> list[tuple[str, str | None, str]]:
    """Name, parent and status of each document, without the folder or the server."""
    return [
        (one.name.rpartition("/")[2], one.parent and one.parent.rpartition("/")[2], one.status)
        for one in ledger.accounts
    ]


# --- beside a file


def test_children_beside_a_file(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_bytes(
        index(HOME + "a.xml", HOME + "missing.xml", HOME + "b.xml.gz", HOME + "empty.xml", HOME + "page.xml", HOME)
    )
    (tmp_path / "a.xml").write_bytes(sitemap(HOME + "a"))
    (tmp_path / "b.xml.gz").write_bytes(gzip.compress(sitemap(HOME + "b")))
    (tmp_path / "empty.xml").write_bytes(b"")
    (tmp_path / "page.xml").write_bytes(b"<!doctype html><title>Not found</title>")
    locs, ledger = read(tmp_path / "index.xml")
    assert locs == [HOME + "a", HOME + "b"]
    assert told(ledger) == [
        ("child-unavailable", "error", 3),
        ("empty-file", "error", 1),
        ("document-is-html", "error", 1),
        ("child-unavailable", "error", 7),
    ]
    assert tree(ledger)[1:] == [
        ("a.xml", "index.xml", "ok"),
        ("missing.xml", "index.xml", "failed"),
        ("b.xml.gz", "index.xml", "ok"),
        ("empty.xml", "index.xml", "failed"),
        ("page.xml", "index.xml", "failed"),
        ("", "index.xml", "failed"),
    ]


def test_a_partial_set_is_no_success(tmp_path: Path, run_urlset: Any) -> None:
    (tmp_path / "index.xml").write_bytes(index(HOME + "a.xml", HOME + "missing.xml"))
    (tmp_path / "a.xml").write_bytes(sitemap(HOME + "a"))
    ran = run_urlset("convert", "index.xml", "-o", "out.txt", cwd=tmp_path)
    assert ran.returncode == 1
    assert b"missing.xml" in ran.stderr


@pytest.mark.parametrize(
    "loc", ["file:///etc/passwd", "ftp://example.com/a.xml", "s3://bucket/a.xml", "memory://a.xml"]
)
def test_no_list_leads_to_a_file(loc: str, tmp_path: Path) -> None:
    listed = index(loc, HOME + "a.xml")
    asked = []

    def fetch(address: str) -> bytes:
        asked.append(address)
        return listed if address == HOME + "index.xml" else sitemap(HOME + "a")

    locs, ledger = read(HOME + "index.xml", fetch=fetch)
    assert (locs, asked) == ([HOME + "a"], [HOME + "index.xml", HOME + "a.xml"])
    assert ledger.has_errors
    (tmp_path / "index.xml").write_bytes(index(loc))
    assert read(tmp_path / "index.xml")[0] == []


# --- nested, cyclic, repeated


def web(pages: dict[str, bytes]) -> Any:
    """A fetch that notes in ``asked`` how often each address was asked for."""

    def fetch(address: str) -> bytes:
        asked[address] += 1
        if address not in pages:
            raise FileNotFoundError(address)
        return pages[address]

    asked: Counter[str] = Counter()
    return fetch, asked


def test_each_document_is_asked_for_once() -> None:
    pages = {
        HOME + "top.xml": index(HOME + "one.xml", HOME + "two.xml", HOME + "leaf.xml", HOME + "leaf.xml"),
        HOME + "one.xml": index(HOME + "two.xml", HOME + "leaf.xml"),
        HOME + "two.xml": index(HOME + "one.xml", HOME + "top.xml", HOME + "other.xml"),
        HOME + "leaf.xml": sitemap(HOME + "leaf"),
        HOME + "other.xml": sitemap(HOME + "other"),
    }
    fetch, asked = web(pages)
    locs, ledger = read(HOME + "top.xml", fetch=fetch)
    assert locs == [HOME + "other", HOME + "leaf"]
    assert asked == dict.fromkeys(pages, 1)
    assert Counter(one.rule for one in ledger.findings) == {
        "nested-sitemap-index": 2,
        "sitemap-cycle": 2,
        "duplicate-loc": 1,
    }


def test_depth_is_limited_and_what_is_lost_is_an_error() -> None:
    pages = {f"{HOME}{number}.xml": index(f"{HOME}{number + 1}.xml", f"{HOME}p{number}.xml") for number in range(5)}
    pages |= {f"{HOME}p{number}.xml": sitemap(f"{HOME}p{number}") for number in range(5)}
    locs, ledger = read(HOME + "0.xml", fetch=pages.__getitem__, limits=Limits(max_index_depth=3))
    assert locs == [HOME + "p2", HOME + "p1", HOME + "p0"]
    (lost,) = [one for one in ledger.findings if one.rule == "depth-limit"]
    assert (lost.severity, lost.source, lost.line) == ("error", HOME + "2.xml", 2)
    assert (("3.xml", "2.xml", "failed")) in tree(ledger)


@pytest.mark.parametrize(("most", "beyond"), [(3, 0), (2, 1), (1, 2)])
def test_children_are_limited(most: int, beyond: int) -> None:
    pages = {f"{HOME}{name}.xml": sitemap(HOME + name) for name in "abc"}
    locs, ledger = read(index(*pages), fetch=pages.__getitem__, limits=Limits(max_children=most))
    assert locs == [HOME + name for name in "abc"[:most]]
    assert [(one.rule, one.severity, one.count) for one in ledger.findings] == (
        [("resource-limit", "error", beyond)] if beyond else []
    )


def test_documents_of_a_job_are_limited() -> None:
    pages = {f"{HOME}{name}.xml": sitemap(HOME + name) for name in "abc"}
    locs, ledger = read(index(*pages), fetch=pages.__getitem__, limits=Limits(max_documents=2))
    assert locs == [HOME + "a", HOME + "b"]
    assert told(ledger) == [("resource-limit", "error", 4)]


def test_a_damaged_list_is_read_as_far_as_it_goes() -> None:
    damaged = index(HOME + "a.xml", HOME + "b.xml").replace(b"</loc></sitemap>\n</sitemapindex>", b"")
    locs, ledger = read(damaged, fetch={HOME + "a.xml": sitemap(HOME + "a")}.__getitem__)
    assert locs == [HOME + "a"]
    assert ledger.has_errors


def test_strict_stops_in_the_list_before_any_child() -> None:
    fetch, asked = web({HOME + "a.xml": sitemap(HOME + "a")})
    with pytest.raises(StrictError):
        read(index(HOME + "a.xml", "nonsense"), fetch=fetch, strict=True)
    assert asked == {}


def test_a_huge_index(tmp_path: Path) -> None:
    """The first 50,000 children are followed, each missing one is an error, and one finding counts the rest."""
    (tmp_path / "index.xml").write_bytes(index(*(f"{HOME}{number}.xml" for number in range(100_000))))
    (tmp_path / "7.xml").write_bytes(sitemap(HOME))
    locs, ledger = read(tmp_path / "index.xml")
    assert locs == [HOME]
    counts = Counter[str]()
    for one in ledger.findings:
        counts[one.rule] += one.count
    assert counts == {"child-unavailable": 49_999, "resource-limit": 50_000}


# --- over HTTP


def site(names: list[int], server: Server) -> bytes:
    return index(*(f"{server.base}/{name}.xml" for name in names))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 9), max_size=14), st.data())
def test_threads_change_nothing(names: list[int], data: st.DataObject) -> None:
    """Whatever is missing, repeated, redirected or slow: entries, findings and documents are those of one thread."""
    kinds = {name: data.draw(st.sampled_from(["good", "missing", "html", "moved", "slow"])) for name in set(names)}
    with serving({"/good.xml": body(sitemap(HOME + "moved"))}) as server:
        for name, kind in kinds.items():
            sound = body(sitemap(f"{HOME}{name}"))
            routes = {
                "good": sound,
                "html": body(b"<!doctype html>"),
                "moved": redirect("/good.xml"),
                "slow": slow(sound),
            }
            if kind != "missing":
                server.routes[f"/{name}.xml"] = routes[kind]
        server.routes["/index.xml"] = body(site(names, server))
        results = []
        for jobs in (1, 2, 5):
            server.asked.clear()
            ledger = urlset.Ledger()
            try:
                locs = [one.loc for one in urlset.read(f"{server.base}/index.xml", ledger=ledger, jobs=jobs)]
            except urlset.UrlsetError as error:
                locs = [str(error)]
            results.append((locs, ledger.report()))
            assert all(count == 1 for path, count in Counter(server.asked).items() if path != "/good.xml")
    assert results[0] == results[1] == results[2]


def slow(behaviour: Any) -> Any:
    def does(exchange: Any) -> None:
        exchange.server.ended.wait(0.01)
        behaviour(exchange)

    return does


def test_two_addresses_of_one_document() -> None:
    with serving({"/a.xml": body(sitemap(HOME)), "/b.xml": redirect("/a.xml")}) as server:
        server.routes["/index.xml"] = body(index(f"{server.base}/a.xml", f"{server.base}/b.xml"))
        locs, ledger = read(f"{server.base}/index.xml")
    assert locs == [HOME]
    assert told(ledger) == [("duplicate-loc", "info", 3)]


def test_a_child_that_leads_back() -> None:
    with serving({"/b.xml": redirect("/index.xml")}) as server:
        server.routes["/index.xml"] = body(index(f"{server.base}/b.xml"))
        locs, ledger = read(f"{server.base}/index.xml")
    assert locs == []
    assert told(ledger) == [("sitemap-cycle", "warning", 2)]


def test_robots_as_a_source(tmp_path: Path) -> None:
    with serving({"/a.xml": body(sitemap(HOME + "a")), "/b.txt": body(f"{HOME}b\n".encode())}) as server:
        lines = f"User-agent: *\nDisallow:\nSitemap: /a.xml\nSitemap: {server.base}/b.txt\n"
        server.routes["/robots.txt"] = body(lines.encode(), Content_Type="text/plain")
        result = urlset.convert(f"{server.base}/robots.txt", tmp_path / "all.csv")
        assert urlset.convert(f"{server.base}/robots.txt", tmp_path / "maps.csv", follow=False).ledger.counts.read == 2
    assert (tmp_path / "all.csv").read_text("utf-8").replace(",", "\n").split()[-2:] == [HOME + "a", HOME + "b"]
    assert result.ledger.counts.read == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_job_ends_at_once_and_writes_nothing(number: int, tmp_path: Path) -> None:
    def waits(exchange: Any) -> None:
        exchange.server.ended.wait(30)

    with serving({f"/{name}.xml": waits for name in "abc"}) as server:
        server.routes["/index.xml"] = body(index(*(f"{server.base}/{name}.xml" for name in "abc")))
        command = [sys.executable, "-m", "urlset", "convert", f"{server.base}/index.xml", "-o", "out.xml"]
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as job:
            for _ in range(1_000):
                if len(server.asked) > 1 or server.ended.wait(0.02):
                    break
            job.send_signal(number)
            assert job.wait(10) == 128 + number
    assert list(tmp_path.iterdir()) == []


# --- sites


def test_a_site_with_a_robots_txt() -> None:
    with serving({"/a.xml": body(sitemap(HOME + "a")), "/": body(b"<!doctype html><title>Cats</title>")}) as server:
        server.routes["/robots.txt"] = body(f"Sitemap: {server.base}/a.xml\n".encode())
        for address in (server.base, f"{server.base}/"):
            server.asked.clear()
            locs, ledger = read(address)
            assert locs == [HOME + "a"]
            assert server.asked == ["/", "/robots.txt", "/a.xml"]
            (found,) = ledger.findings
            assert (found.rule, found.severity, found.source) == ("site-searched", "info", address)
            assert "HTML page" in found.message
            assert [(one.name, one.parent) for one in ledger.accounts] == [
                (address, None),
                (f"{server.base}/robots.txt", address),
                (f"{server.base}/a.xml", f"{server.base}/robots.txt"),
            ]
        assert read(server.base, follow=False)[0] == [f"{server.base}/a.xml"]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap_index.xml", "sitemap.xml.gz", "sitemap.txt"])
@pytest.mark.parametrize("robots", [None, b"User-agent: *\nDisallow:\n", b"<!doctype html>", b""])
def test_a_site_whose_robots_txt_names_no_sitemap(name: str, robots: bytes | None) -> None:
    documents = {"sitemap.xml.gz": gzip.compress(sitemap(HOME)), "sitemap.txt": HOME.encode()}
    with serving({f"/{name}": body(documents.get(name, sitemap(HOME)))}) as server:
        if robots is not None:
            server.routes["/robots.txt"] = body(robots)
        locs, ledger = read(server.base)
    assert locs == [HOME]
    assert told(ledger) == [("site-searched", "info", None)]
    assert f"{server.base}/{name} is read" in ledger.findings[0].message
    assert "/robots.txt (" in ledger.findings[0].message


def test_a_site_without_sitemaps() -> None:
    soft = body(b"Nothing here\n", Content_Type="text/plain")  # and each name answers, as many servers do
    names = ["/", "/robots.txt", "/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz"]
    with serving(dict.fromkeys(names, soft)) as server:
        with pytest.raises(SourceError) as caught:
            read(server.base)
        assert caught.value.rule == "no-sitemap-found"
        for name in ["the address itself", *names[1:], "/sitemap.txt (it can't be fetched: HTTP status 404)"]:
            assert name in caught.value.message
        assert server.asked == [*names, "/sitemap.txt"]


def test_a_site_that_is_a_document_itself() -> None:
    with serving({"/": body(sitemap(HOME)), "/robots.txt": body(b"Sitemap: https://example.com/x.xml\n")}) as server:
        locs, ledger = read(server.base)
        assert (locs, ledger.findings, server.asked) == ([HOME], [], ["/"])


def test_a_site_whose_format_is_named_is_not_searched() -> None:
    with serving({"/": body(b"<!doctype html>")}) as server:
        with pytest.raises(UrlsetError):
            urlset.convert(server.base, "-", to="text", from_="sitemap")
        assert server.asked == ["/"]


def test_a_site_that_does_not_answer_is_asked_once() -> None:
    with serving({}) as server:
        base = server.base
    with pytest.raises(SourceError, match="no connection"):
        read(base)


def test_a_site_with_a_fetch_of_ones_own() -> None:
    fetch, asked = web({HOME + "robots.txt": b"Sitemap: /a.xml\n", HOME + "a.xml": sitemap(HOME + "a")})
    assert read(HOME, fetch=fetch)[0] == [HOME + "a"]
    assert dict(asked) == {HOME: 1, HOME + "robots.txt": 1, HOME + "a.xml": 1}


def test_a_site_whose_robots_txt_can_not_be_followed() -> None:
    """Once a document stands for the site, what is wrong with it is an error of it and of nothing else."""
    fetch, _ = web({HOME + "sitemap.xml": sitemap(HOME) + b"<<<", HOME + "robots.txt": b"Sitemap: /gone.xml\n"})
    locs, ledger = read(HOME, fetch=fetch)
    assert locs == []
    assert [one.rule for one in ledger.findings] == ["site-searched", "not-absolute", "child-unavailable"]


@pytest.mark.parametrize("strict", [False, True])
def test_a_document_of_a_site_that_can_not_be_read(strict: bool) -> None:
    def fails(source: Any, account: Any, options: Any) -> Any:
        if options is not None:
            raise ReadError("it is odd")
        yield

    odd = Format("odd", "Odd list", "", (), (), frozenset({"loc"}), lambda head: head.data.startswith(b"odd"), fails)
    fetch, _ = web({HOME + "sitemap.xml": b"odd" if not strict else sitemap("nonsense")})
    ledger = urlset.Ledger(strict=strict)
    with pytest.raises(UrlsetError):
        list(urlset.read(HOME, fetch=fetch, ledger=ledger, registry=Registry([odd, *registry()]), strict=strict))
    assert [(one.name, one.status) for one in ledger.accounts] == [(HOME, "failed"), (HOME + "sitemap.xml", "failed")]
    rules = [one.rule for one in ledger.findings]
    assert rules == ["site-searched", "not-a-url" if strict else "document-refused"]


@pytest.mark.parametrize(
    "thing", ["http://[", "https://example.com/?page=1", "https://example.com/a", "example.com", b""]
)
def test_what_is_no_site(thing: Any) -> None:
    assert not is_site(thing)


def test_a_robots_txt_that_is_something_else() -> None:
    """A site may answer with its sitemap to anything; it is found where sitemaps are looked for."""
    with serving({"/robots.txt": body(sitemap(HOME + "odd")), "/sitemap.xml": body(sitemap(HOME))}) as server:
        locs, ledger = read(server.base)
    assert locs == [HOME]
    assert "no robots.txt but" in ledger.findings[0].message


def test_an_error_of_the_caller_is_an_error(tmp_path: Path) -> None:
    def fetch(address: str) -> bytes:
        raise SourceError("no network today", source=address)

    with pytest.raises(SourceError, match="no network today"):
        read(HOME + "a.xml", fetch=fetch)


def test_a_child_whose_path_can_not_be(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_bytes(index(f"{HOME}{'a' * 1_000}.xml"))
    assert told(read(tmp_path / "index.xml")[1]) == [("child-unavailable", "error", 2)]


@pytest.mark.parametrize("jobs", [1, 4])
def test_strict_stops_at_a_child(jobs: int, tmp_path: Path) -> None:
    with serving({"/a.xml": body(sitemap("nonsense")), "/b.xml": body(sitemap(HOME))}) as server:
        server.routes["/index.xml"] = body(index(f"{server.base}/a.xml", f"{server.base}/b.xml"))
        with pytest.raises(StrictError):
            read(f"{server.base}/index.xml", strict=True, jobs=jobs)
