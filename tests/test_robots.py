from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.robots import MAX_BYTES, ROBOTS, read, sniff
from urlset.formats.vocabulary.errors import StrictError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Source

A, B = "https://example.com/a.xml", "https://example.com/b.xml"


def read_robots(
    text: str | bytes, *, base: str | None = None, location: str | None = None, strict: bool = False
) -> tuple[list[str], Ledger]:
    ledger = Ledger(strict=strict)
    data = text if isinstance(text, bytes) else text.encode()
    source = Source.from_bytes(data, "robots.txt", location=location)
    entries = list(read(source, ledger.open("robots.txt"), ReadOptions(base_url=base)))
    ledger.counts.written = len(entries)
    ledger.check()
    return [entry.loc for entry in entries], ledger


def locs(text: str | bytes) -> list[str]:
    return read_robots(text)[0]


def rules(ledger: Ledger) -> list[tuple[str, str, int | None]]:
    return [(finding.rule, finding.severity, finding.line) for finding in ledger.findings]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"Sitemap: {A}", id="plain"),
        pytest.param(f"sitemap: {A}\n", id="lower-case"),
        pytest.param(f"SITEMAP:{A}\n", id="upper-case-no-blank"),
        pytest.param(f"  Sitemap\t:  {A}  \n", id="blanks"),
        pytest.param(f"\ufeffSitemap: {A}\n", id="R103-byte-order-mark"),
        pytest.param(f"Sitemap: {A} # the first\n", id="comment"),
        pytest.param(f"Sitemap: {A}\t#\n", id="comment-behind-a-tab"),
        pytest.param(f"User-agent: *\nDisallow: /\n\nSitemap: {A}\nAllow: /sitemap\n", id="among-rules"),
        pytest.param(f"# Sitemap: {B}\nSitemap: {A}\n", id="commented-out"),
        pytest.param(f"Disallow: /sitemap.xml\nnews sitemap: {B}\nSitemap: {A}\n", id="sitemap-elsewhere"),
        pytest.param(f"Sitemap files are at {B}\nSitemap: {A}\n", id="prose"),
    ],
)
def test_a_sitemap_line(text: str) -> None:
    found, ledger = read_robots(text)
    assert found == [A]
    assert ledger.findings == []
    assert ledger.counts.read == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends(end: str) -> None:
    data = end.join(["\ufeffSitemap: " + A, "", "Sitemap: /b.xml", ""]).encode()
    source = Source.from_bytes(data, "robots.txt")
    entries = list(read(source, Ledger().open("robots.txt"), ReadOptions(base_url="https://example.com/")))
    assert [(entry.loc, entry.origin and entry.origin.line) for entry in entries] == [(A, 1), (B, 3)]


def test_utf_16() -> None:
    found, ledger = read_robots(f"Sitemap: {A}\r\n".encode("utf-16"))
    assert found == [A]
    assert rules(ledger) == [("encoding-not-utf8", "warning", 1)]


def test_order_and_duplicates_stay() -> None:
    assert locs(f"Sitemap: {B}\nSitemap: {A}\nSitemap: {B}\n") == [B, A, B]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("HTTP://Example.com/S.xml", id="case"),
        pytest.param("https://cdn.example.net/s.xml.gz", id="other-host"),
        pytest.param("https://example.com/\u5730\u56f3.xml", id="not-url-encoded"),
        pytest.param("https://example.com:8443/s.xml?a=1&b=2", id="port-and-query"),
    ],
)
def test_value_is_kept(value: str) -> None:
    found, ledger = read_robots(f"Sitemap: {value}\n")
    assert (found, ledger.findings) == ([value], [])


def test_a_mark_inside_an_address_cuts_it() -> None:
    found, ledger = read_robots(f"Sitemap: {A}#part\n")
    assert found == [A]
    assert [finding.action for finding in ledger.findings] == ["dropped-value"]


@pytest.mark.parametrize(
    ("value", "base", "location", "expected"),
    [
        pytest.param("/s.xml", "https://example.com/robots.txt", None, "https://example.com/s.xml", id="R103-base"),
        pytest.param("s.xml", "https://example.com/", None, "https://example.com/s.xml", id="without-slash"),
        pytest.param("/s.xml", None, "http://example.net/robots.txt", "http://example.net/s.xml", id="location"),
        pytest.param(
            "/s.xml",
            "https://example.com/",
            "http://example.net/robots.txt",
            "http://example.net/s.xml",
            id="location-first",
        ),
        pytest.param("//cdn.example/s.xml", "https://example.com/", None, "https://cdn.example/s.xml", id="no-scheme"),
    ],
)
def test_a_relative_value_is_resolved(value: str, base: str | None, location: str | None, expected: str) -> None:
    found, ledger = read_robots(f"User-agent: *\nSitemap: {value}\n", base=base, location=location)
    assert found == [expected]
    assert rules(ledger) == [("not-absolute", "warning", 2)]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        pytest.param("/s.xml", "not-absolute", id="path"),
        pytest.param("www.example.com/s.xml", "not-absolute", id="no-scheme"),
        pytest.param("{{ site.url }}/s.xml", "not-a-url", id="template"),
        pytest.param("ftp://example.com/s.xml", "unsupported-scheme", id="ftp"),
        pytest.param("file:///s.xml", "unsupported-scheme", id="file"),
        pytest.param("", "missing-loc", id="empty"),
        pytest.param(f"# {A}", "missing-loc", id="comment-only"),
        pytest.param(f"{A} {B}", "not-a-url", id="two-addresses"),
    ],
)
def test_an_unusable_value_is_rejected(value: str, rule: str) -> None:
    found, ledger = read_robots(f"Sitemap: {value}\nSitemap: {A}\n")
    assert found == [A]
    assert [(finding.rule, finding.line, finding.action) for finding in ledger.findings] == [(rule, 1, "rejected")]


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param(f"Sitemaps: {A}", 1, id="sitemaps"),
        pytest.param(f"sitemap-index: {A}", 1, id="sitemap-index"),
        pytest.param(f"Site-map: {A}", 1, id="site-map"),
        pytest.param(f"Sitemap index: {A}", 1, id="blank-in-the-name"),
        pytest.param(f"Sitemap {A}", 1, id="no-colon"),
        pytest.param(f"sitemap\t{A} # x", 1, id="no-colon-tab"),
        pytest.param(f"Site-maps {A}", 2, id="both"),
    ],
)
def test_misspellings_that_google_reads(text: str, findings: int) -> None:
    found, ledger = read_robots(f"\n{text}\n")
    assert found == [A]
    assert rules(ledger) == [("unexpected-element", "warning", 2)] * findings
    assert ledger.counts.repaired == 1


def test_no_colon_before_a_relative_value() -> None:
    found, ledger = read_robots("Sitemap /a.xml\n", base="https://example.com/")
    assert found == [A]
    assert [finding.rule for finding in ledger.findings] == ["unexpected-element", "not-absolute"]


@pytest.mark.parametrize("text", [f"Sitemaps: {A}\n", f"Sitemap {A}\n", "Sitemap: /a.xml\n"])
def test_strict_repairs_nothing(text: str) -> None:
    with pytest.raises(StrictError):
        read_robots(text, base="https://example.com/", strict=True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("User-agent: *\nDisallow:\n", id="rules-only"),
        pytest.param("map: https://example.com/a.xml\n", id="other-field"),
        pytest.param(f"Sitemap see {A} please\n", id="three-tokens"),
        pytest.param("Sitemap\n", id="name-only"),
    ],
)
def test_other_lines_are_no_records(text: str) -> None:
    found, ledger = read_robots(text)
    assert (found, ledger.counts.read, ledger.findings) == ([], 0, [])


def beyond(ledger: Ledger) -> list[Finding]:
    return [finding for finding in ledger.findings if finding.rule == "resource-limit"]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("excess", "lines"), [(-1, []), (0, []), (1, [2]), (40, [2])])
def test_lines_beyond_500_kib_are_read_and_remarked_on(end: str, excess: int, lines: list[int]) -> None:
    line = f"Sitemap: {A}"
    filler = "#" * (MAX_BYTES + excess - len(line) - len(end)) + end
    found, ledger = read_robots(filler + line + end)
    assert found == [A]
    assert [finding.line for finding in beyond(ledger)] == lines
    assert all(finding.severity == "warning" for finding in beyond(ledger))


def test_lines_beyond_500_kib_are_one_finding() -> None:
    found, ledger = read_robots(f"Sitemap: {A}\n" + "#" * MAX_BYTES + "\n" + f"Sitemap: {B}\n" * 3)
    assert found == [A, B, B, B]
    assert [(finding.line, finding.count) for finding in beyond(ledger)] == [(3, 3)]


@pytest.mark.untraced
@pytest.mark.parametrize("unit", [" ", ":", "#", "sitemap", "http://", "a ", ": //"])
def test_a_megabyte_on_one_line_costs_one_pass(unit: str) -> None:
    begin = time.process_time()
    read_robots("Sitemap" + unit * (1_000_000 // len(unit)) + f"\nSitemap: {A}\n")
    assert time.process_time() - begin < 40  # a guard: one pass takes a second, backtracking takes hours


@given(st.lists(st.text(alphabet="sitemapSM-: #/http.\t\r\n", max_size=30), max_size=8))
def test_every_line_is_accounted_for(lines: list[str]) -> None:
    read_robots("\n".join(lines), base="https://example.com/")


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    read_robots(b"#robots\n" + data)


RULES = "User-agent: *\nDisallow: /a\n"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("robots.txt", RULES, True, id="name"),
        pytest.param("a/Robots.TXT", "---\n---\nUser-agent: *\n", True, id="name-and-odd-lines"),
        pytest.param("https://example.com/robots.txt?v=1", f"Hello\nSitemap: {A}\n", True, id="address"),
        pytest.param("C:\\site\\robots.txt", "Hello\n", True, id="windows-path"),
        pytest.param("robots.txt", "", True, id="empty"),
        pytest.param("robots.txt", "Disallow: */<b>*\n", True, id="angle-brackets-in-a-rule"),
        pytest.param("robots.txt", "<!DOCTYPE html><title>404</title>", False, id="html"),
        pytest.param("robots.txt", "<urlset/>", False, id="xml"),
        pytest.param("robots.txt", f"{A}\n{B}\n", False, id="text-list-by-that-name"),
        pytest.param("robots.txt", '{"loc": "https://example.com/"}\n', False, id="json-by-that-name"),
        pytest.param("robots.txt", "ab\0\1\2\0c\n", False, id="binary"),
        pytest.param("my-robots.txt", "Hello\n", False, id="other-name"),
        pytest.param("x", RULES, True, id="rules"),
        pytest.param("x", f"# x\n\nSitemap: {A}\n", True, id="comment-first"),
        pytest.param("x", f"\ufeffsitemap:{A}\r\rSITEMAP : /b\r", True, id="sitemaps-only"),
        pytest.param("x", "User-agent: *\nDisallow /a\nRequest-rate: 1/5\nNoindex: /b\n", True, id="odd-fields"),
        pytest.param("x", "# User-agent: *\n", False, id="comment-only"),
        pytest.param("x", f"{A}\n{B}\n", False, id="text-list"),
        pytest.param("x", f"# list\n{A} lastmod=2024-01-01\n", False, id="text-list-with-comment"),
        pytest.param("x", "host,url\na,https://example.com/\n", False, id="csv"),
        pytest.param("x", "host\turl\na\thttps://example.com/\n", False, id="tsv"),
        pytest.param("x", "sitemap;lastmod\nhttps://example.com/;2024\n", False, id="csv-sitemap-column"),
        pytest.param("x", '{"sitemap": "https://example.com/"}\n', False, id="json"),
        pytest.param("x", "#Fields: cs-host cs-uri\na.example /\n", False, id="w3c-log"),
        pytest.param("x", '192.0.2.1 - - [x] "GET / HTTP/1.1" 200 1\n', False, id="log"),
        pytest.param("x", "title: a page\nhost: b\n", False, id="first-field-unknown"),
        pytest.param("x", "Allow: me to say\nsomething else entirely.\n", False, id="prose"),
        pytest.param("x", "", False, id="nothing"),
    ],
)
def test_sniff(name: str, text: str, expected: bool) -> None:
    assert sniff(Head(text.encode(), name)) is expected


def test_descriptor() -> None:
    assert (ROBOTS.name, ROBOTS.carries, ROBOTS.lists_sources) == ("robots", frozenset({"loc"}), True)
    assert ROBOTS.write is None
