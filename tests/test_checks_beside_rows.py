"""Faults that belong to a row of the protocol beside the one that its case in ``rows`` shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import urlset
from urlset.formats.vocabulary.findings import Finding

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
INDEX = (
    f'<sitemapindex xmlns="{CORE}">\n'
    "<sitemap><loc>https://example.com/a.xml</loc></sitemap>\n"
    "<sitemap><loc>https://EXAMPLE.com/index.xml</loc></sitemap>\n"
    "</sitemapindex>"
).encode()


def of(rule: str, findings: list[Finding]) -> list[tuple[int | None, str | None]]:
    """Line and value of the findings of one rule."""
    return [(one.line, one.value) for one in findings if one.rule == rule]


def filmed(element: str) -> list[Finding]:
    """What is found in a sitemap whose video, on line 2, has this element."""
    block = f"<video:video>{element}</video:video>"
    url = f"<url><loc>https://example.com/a</loc>\n{block}</url>"
    data = f'<urlset xmlns="{CORE}" xmlns:video="{VIDEO}">{url}</urlset>'
    return urlset.validate(data.encode(), now="2024-06-01T12:00:00Z")


@pytest.mark.parametrize(("name", "expected"), [("index.xml", [(3, "https://EXAMPLE.com/index.xml")]), ("b.xml", [])])
def test_an_index_that_is_not_followed_and_lists_itself(name: str, expected: list[object]) -> None:
    findings = urlset.validate(INDEX, url=f"https://example.com/{name}", follow=False)
    assert of("sitemap-cycle", findings) == expected


@pytest.mark.parametrize(("name", "expected"), [("list.txt", [(1, "Address")]), ("list.csv", [])])
def test_a_heading_in_a_text_list(name: str, expected: list[object], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"Address\nhttps://example.com/a\nhttps://example.com/b\n")
    assert of("not-a-url", urlset.validate(tmp_path / name)) == expected


def test_attributes_in_a_text_list() -> None:
    line = "https://example.com/a lastmod=2024-05-06"
    findings = urlset.validate(f"https://example.com/\n{line}\nhttps://example.com/b priority=0.5\n".encode())
    assert of("not-a-url", findings) == [(2, line)]


@pytest.mark.parametrize(("name", "expected"), [("list", [(None, "list")]), ("list.txt", []), ("list.txt.gz", [])])
def test_the_name_of_a_fetched_text_list(name: str, expected: list[object]) -> None:
    findings = urlset.validate(f"https://example.com/{name}", fetch=lambda _: b"https://example.com/a\n")
    assert of("text-file-name", findings) == expected
    assert of("gzip-name-mismatch", findings) == []


@pytest.mark.parametrize(("relationship", "expected"), [("Allow", [(2, "Allow")]), ("allow", []), ("deny", [])])
def test_the_case_of_a_relationship(relationship: str, expected: list[object]) -> None:
    findings = filmed(f'<video:restriction relationship="{relationship}">GB</video:restriction>')
    assert of("video-invalid-value", findings) == expected


@pytest.mark.parametrize(
    ("info", "is_found"),
    [
        ("https://example.com/cats", False),
        ("http://example.com/cats", False),
        ("https://www.example.com/cats", False),
        ("/cats", False),
        ("https://example.net/cats", True),
        ("https://notexample.com/cats", True),
    ],
)
def test_the_domain_of_an_uploader(info: str, is_found: bool) -> None:
    findings = filmed(f'<video:uploader info="{info}">Cats</video:uploader>')
    assert bool(of("video-invalid-uploader", findings)) == is_found


@pytest.mark.parametrize("relation", ["next", "NEXT", "prev-archive", "next-archive"])
def test_an_atom_feed_that_goes_on(relation: str) -> None:
    link = f'<link rel="{relation}" href="https://example.com/2"/>'
    entry = "<entry><link href='https://example.com/a'/></entry>"
    data = f'<feed xmlns="http://www.w3.org/2005/Atom">\n{link}{entry}</feed>'
    assert of("feed-incomplete", urlset.validate(data.encode())) == [(2, "https://example.com/2")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Stemap: https://example.com/sitemap.xml", 1),
        ("Site map: https://example.com/sitemap.xml", 1),
        ("Host: https://example.com", 0),
        ("Contact: somebody@example.com", 0),
    ],
)
def test_a_field_of_a_robots_txt_that_nobody_reads(line: str, expected: int) -> None:
    data = f"User-agent: *\n{line}\nSitemap: https://example.com/other.xml\n".encode()
    findings = urlset.validate(data, from_="robots", follow=False)
    assert of("unexpected-element", findings) == [(2, line)] * expected
    ledger = urlset.Ledger()
    assert len(list(urlset.read(data, from_="robots", follow=False, ledger=ledger))) == 1
    assert ledger.findings == []


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("<video:price>1.99</video:price>", [(2, "1.99")]),
        ('<video:price currency="EUR">1.99</video:price>', []),
        ("<video:tvshow><video:show_title>S</video:show_title></video:tvshow>", [(2, "S")]),
        (
            "<video:tvshow><video:show_title>S</video:show_title><video:video_type>full</video:video_type></video:tvshow>",
            [],
        ),
    ],
)
def test_what_a_price_and_a_show_need(element: str, expected: list[object]) -> None:
    assert of("video-invalid-value", filmed(element)) == expected
