from __future__ import annotations

import io
import string
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.converters.checks import Bounds
from urlset.converters.checks.hreflang import COUNTRIES, LANGUAGES, code_fault
from urlset.formats.catalogue import RULES
from urlset.formats.vocabulary.entry import Alternate, Entry
from urlset.formats.vocabulary.findings import Finding

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
HOME = "https://example.com/"


def url(loc: str, blocks: str = "") -> str:
    return f"<url><loc>{loc}</loc>{blocks}</url>"


def sitemap(urls: Iterable[str]) -> bytes:
    """One url a line, the first on line 3."""
    lines = "\n".join(urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>\n{lines}\n</urlset>'.encode()


def index(locs: Iterable[str]) -> bytes:
    lines = "\n".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {NAMESPACES}>\n{lines}\n</sitemapindex>'.encode()


def links(**targets: str) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code.replace("_", "-")}" href="{href}"/>'
        for code, href in targets.items()
    )


QUIET = (
    *(rule.id for rule in RULES.values() if rule.severity == "info"),
    "default-port", "non-ascii-host", "news-missing-name", "news-missing-date", "video-missing-title",
    "video-missing-description",
)  # fmt: skip
"""What these small documents are not about."""


def validated(data: Any, **options: Any) -> list[Finding]:
    return urlset.validate(data, **{"ignore": QUIET, **options})


def told(data: bytes, **options: Any) -> list[tuple[str, int | None]]:
    return [(one.rule, one.line) for one in validated(data, **options)]


def only(data: bytes, rule: str, **options: Any) -> list[Finding]:
    found = validated(data, **options)
    assert {one.rule for one in found} <= {rule}
    return found


# --- addresses


@pytest.mark.parametrize(
    ("first", "second", "repeats"),
    [
        ("https://example.com/a", "https://example.com/a", True),
        ("https://example.com/a", "HTTPS://Example.COM:443/a", True),
        ("https://example.com", "https://example.com/", True),
        ("https://example.com/%7Ea", "https://example.com/~a", True),
        ("https://example.com/a", "https://example.com/A", False),
        ("https://example.com/a", "http://example.com/a", False),
        ("https://example.com/a", "https://example.com/a/", False),
        ("https://example.com/?a=1&amp;b=2", "https://example.com/?b=2&amp;a=1", False),
    ],
)
def test_duplicates(first: str, second: str, repeats: bool) -> None:
    found = only(sitemap([url(first), url(HOME + "between"), url(second)]), "duplicate-loc")
    assert [one.line for one in found] == ([5] if repeats else [])
    assert all("line 3" in one.message for one in found)


def test_each_repeat_is_told() -> None:
    found = only(b"https://example.com/a\n" * 3, "duplicate-loc")
    assert [one.line for one in found] == [2, 3]


def test_duplicates_in_an_index() -> None:
    found = only(index([HOME + "a.xml", HOME + "b.xml", HOME + "a.xml"]), "duplicate-loc", follow=False)
    assert [one.line for one in found] == [5]


def test_two_files_may_list_the_same_page() -> None:
    # A news sitemap names again what the main one has.
    assert validated([sitemap([url(HOME)]), sitemap([url(HOME)])]) == []


def test_a_log_repeats_by_nature() -> None:
    visit = b'1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2326\n'
    assert validated(visit * 3, base_url=HOME) == []


@pytest.mark.parametrize(
    ("loc", "expected"),
    [("https://example.com/faq#shipping", 1), ("https://example.com/#!/page", 1), ("https://example.com/%23a", 0)],
)
def test_fragments(loc: str, expected: int) -> None:
    found = only(sitemap([url(loc)]), "fragment-in-loc")
    assert [one.value for one in found] == [loc] * expected


@pytest.mark.parametrize(("length", "expected"), [(2047, []), (2048, []), (2049, ["loc-too-long"])])
def test_long_addresses(length: int, expected: list[str]) -> None:
    found = validated(sitemap([url(HOME + "a" * (length - len(HOME)))]))
    assert [one.rule for one in found if one.severity == "error"] == expected


# --- scope


@pytest.mark.parametrize(
    ("address", "loc", "rule"),
    [
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/show?item=23", None),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/", None),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog", "outside-sitemap-path"),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalogue/x", "outside-sitemap-path"),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/image/x", "outside-sitemap-path"),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/../x", "outside-sitemap-path"),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/%2E%2e/x", "outside-sitemap-path"),
        ("http://example.com/catalog/sitemap.xml", "http://example.com/catalog/.well-known/x", None),
        ("http://example.com/catalog/sitemap.xml", "https://example.com/catalog/x", "different-protocol"),
        ("http://example.com/s.xml", "http://www.example.com/x", "different-host"),
        ("http://example.com/s.xml", "http://sub.example.com/x", "different-host"),
        ("http://example.com/s.xml", "http://EXAMPLE.com:80/x", None),
        ("https://example.com:443/s.xml", "https://example.com/x", None),
        ("http://example.com:8080/s.xml", "http://example.com:8080/x", None),
        ("http://example.com:8080/s.xml", "http://example.com/x", "different-host"),
        ("http://example.com/s.xml", "http://example.com:8080/x", "different-host"),
        ("http://example.com/index.php?route=/feed/", "http://example.com/x", None),
        ("http://xn--mller-kva.example/s.xml", "http://müller.example/x", None),
        (HOME, "https://example.com/x", None),
    ],
)
def test_scope(address: str, loc: str, rule: str | None) -> None:
    assert told(sitemap([url(loc)]), url=address) == ([(rule, 3)] if rule else [])


def test_scope_of_an_index() -> None:
    data = index([HOME + "a.xml", "https://www.example.com/b.xml", "http://example.com/c.xml"])
    found = told(data, follow=False, url=HOME + "index.xml")
    assert found == [("different-host", 4), ("different-protocol", 5)]


def test_no_scope_without_an_address() -> None:
    assert validated(sitemap([url("http://a.example/"), url("https://b.example/x")])) == []


def test_feeds_rarely_lie_above_their_pages() -> None:
    items = "<item><link>https://example.com/a</link></item><item><link>https://b.example/</link></item>"
    feed = f'<rss version="2.0"><channel>{items}</channel></rss>'.encode()
    assert [one.rule for one in validated(feed, url=HOME + "feed/")] == ["different-host"]


# --- limits


@pytest.mark.parametrize(("number", "expected"), [(50_000, []), (50_001, [("too-many-urls", 50_001)])])
def test_urls_of_a_list(number: int, expected: list[tuple[str, int]]) -> None:
    data = b"".join(b"https://example.com/%d\n" % one for one in range(number))
    assert told(data) == expected


@pytest.mark.parametrize(("number", "expected"), [(3, []), (4, [("too-many-urls", 6)]), (6, [("too-many-urls", 6)])])
def test_urls(number: int, expected: list[tuple[str, int]]) -> None:
    data = sitemap(url(f"{HOME}{one}") for one in range(number))
    assert told(data, bounds=Bounds(max_urls=3)) == expected


def test_rejected_records_count() -> None:
    data = sitemap([url(HOME), url("mailto:a@example.com"), url("mailto:b@example.com")])
    found = validated(data, bounds=Bounds(max_urls=2))
    assert [one.message for one in found if one.rule == "too-many-urls"] == [
        "the file lists 3 URLs; at most 2 are allowed"
    ]


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_tables_are_no_sitemaps(name: str) -> None:
    out = io.BytesIO()
    urlset.write([Entry(loc=f"{HOME}{one}") for one in range(3)], out, to=name)
    assert validated(out.getvalue(), bounds=Bounds(max_urls=2, max_bytes=10)) == []


@pytest.mark.parametrize(("number", "expected"), [(2, []), (3, [("too-many-sitemaps", 5)])])
@pytest.mark.parametrize("follow", [True, False])
def test_sitemaps(tmp_path: Any, number: int, expected: list[tuple[str, int]], follow: bool) -> None:
    for one in range(number):
        (tmp_path / f"{one}.xml").write_bytes(sitemap([url(f"{HOME}{one}")]))
    path = tmp_path / "index.xml"
    path.write_bytes(index(f"{HOME}{one}.xml" for one in range(number)))
    found = validated(path, follow=follow, bounds=Bounds(max_sitemaps=2))
    assert [(one.rule, one.line) for one in found] == expected


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("excess", [0, 1])
def test_bytes(packed: bool, excess: int) -> None:
    import gzip

    data = sitemap([url(HOME)])
    found = only(
        gzip.compress(data) if packed else data,
        "file-too-large",
        bounds=Bounds(max_bytes=len(data) - excess),
    )
    assert [one.severity for one in found] == ["error"] * excess


@pytest.mark.parametrize(("number", "expected"), [(2, []), (3, [("too-many-images", 4)])])
def test_images(number: int, expected: list[tuple[str, int]]) -> None:
    blocks = "".join(f"<image:image><image:loc>{HOME}{one}.jpg</image:loc></image:image>" for one in range(number))
    data = sitemap([url(HOME), url(HOME + "images", blocks)])
    assert told(data, bounds=Bounds(max_images=2)) == expected


def article(date: str = "2024-05-06", title: str | None = "T", language: str | None = "en") -> str:
    languages = "" if language is None else f"<news:language>{language}</news:language>"
    titles = "" if title is None else f"<news:title>{title}</news:title>"
    return (
        f"<news:news><news:publication><news:name>P</news:name>{languages}</news:publication>"
        f"<news:publication_date>{date}</news:publication_date>{titles}</news:news>"
    )


@pytest.mark.parametrize(("number", "expected"), [(2, []), (3, [("news-too-many", 5)]), (4, [("news-too-many", 5)])])
def test_articles_of_a_file(number: int, expected: list[tuple[str, int]]) -> None:
    data = sitemap(url(f"{HOME}{one}", article()) for one in range(number))
    assert told(data, now="2024-05-06", bounds=Bounds(max_news=2)) == expected


def test_default_bounds() -> None:
    assert Bounds() == Bounds(50_000, 50_000, 52_428_800, 1_000, 1_000, 32)


# --- news


@pytest.mark.parametrize(
    ("block", "rules"),
    [
        (article(), []),
        (article(language=None), ["news-missing-language"]),
        (article(language=" "), ["news-missing-language"]),
        (article(title=None), ["news-missing-title"]),
        (article(title=""), ["news-missing-title"]),
        ("<news:news/>", ["news-missing-language", "news-missing-title"]),
    ],
)
def test_articles(block: str, rules: list[str]) -> None:
    assert told(sitemap([url(HOME, block)]), now="2024-05-06") == [(rule, 3) for rule in rules]


@pytest.mark.parametrize(
    ("date", "old"),
    [
        ("2024-05-04T12:00:00Z", False),
        ("2024-05-04T11:59:59Z", True),
        ("2024-05-04T14:00:00+02:00", False),
        ("2024-05-04T13:59:59+02:00", True),
        ("2024-05-04T04:00:00-08:00", False),
        ("2024-05-05", False),
        ("2024-05-04", True),
        ("2024-05-07T00:00:00Z", False),
    ],
)
def test_age_of_articles(date: str, old: bool) -> None:
    found = only(
        sitemap([url(HOME, article(date))]),
        "news-too-old",
        now="2024-05-06T12:00:00Z",
        ignore=(*QUIET, "date-in-future"),
    )
    assert [one.value for one in found] == [date] * old


# --- video


def video(**values: str) -> str:
    core = {"thumbnail_loc": HOME + "t.jpg", "title": "T", "description": "D", "content_loc": HOME + "v.mp4", **values}
    texts = "".join(f"<video:{name}>{text}</video:{name}>" for name, text in core.items() if text)
    return f"<video:video>{texts}</video:video>"


@pytest.mark.parametrize(
    ("block", "rules"),
    [
        (video(), []),
        (video(content_loc="", player_loc=HOME + "player"), []),
        (video(player_loc=HOME + "player"), []),
        (video(content_loc=""), ["video-missing-location"]),
        (video(thumbnail_loc=""), ["video-missing-thumbnail"]),
        (video(thumbnail_loc="", content_loc=""), ["video-missing-thumbnail", "video-missing-location"]),
        (video() + video(content_loc=""), ["video-missing-location"]),
    ],
)
def test_videos(block: str, rules: list[str]) -> None:
    assert told(sitemap([url(HOME, block)])) == [(rule, 3) for rule in rules]


@pytest.mark.parametrize(("number", "expected"), [(32, []), (33, [("video-too-many-tags", 3)])])
def test_tags(number: int, expected: list[tuple[str, int]]) -> None:
    tags = "".join(f"<video:tag>{one}</video:tag>" for one in range(number))
    block = video().replace("</video:video>", f"{tags}</video:video>")
    assert told(sitemap([url(HOME, block)])) == expected


# --- hreflang


@pytest.mark.parametrize(
    "code",
    ["en", "EN", "de-ch", "en-GB", "pt-BR", "zh-Hant", "zh-hans-CN", "fil", "fil-PH", "x-default", "X-Default"],
)
def test_valid_codes(code: str) -> None:
    assert code_fault(code) is None


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("en-UK", "GB"),
        ("en-EU", "ISO 3166-1"),
        ("en-UN", "ISO 3166-1"),
        ("en_US", "language-REGION"),
        ("english", "language-REGION"),
        ("jp", "ISO 639-1"),
        ("gb", "ISO 639-1"),
        ("GB-en", "ISO 639-1"),
        ("es-419", "several countries"),
        ("en-", "language-REGION"),
        ("e", "language-REGION"),
        ("en-GB-oed", "language-REGION"),
        ("en--GB", "language-REGION"),
        ("en GB", "language-REGION"),
        ("en\n", "language-REGION"),
        ("x-defaults", "language-REGION"),
        ("ſk", "language-REGION"),
    ],
)
def test_invalid_codes(code: str, why: str) -> None:
    assert why in (code_fault(code) or "")


def test_tables() -> None:
    assert (len(LANGUAGES), len(COUNTRIES)) == (184, 249)
    assert all(len(code) == 2 and code.islower() for code in LANGUAGES)
    assert all(len(code) == 2 and code.isupper() for code in COUNTRIES)


@given(st.text(alphabet=string.ascii_letters + string.digits + "-_ \x00é"))
def test_case_of_codes_makes_no_difference(code: str) -> None:
    assert (code_fault(code) is None) == (code_fault(code.upper()) is None) == (code_fault(code.lower()) is None)


def test_invalid_code_in_a_sitemap() -> None:
    rows = ["<url>", f"<loc>{HOME}</loc>", links(en=HOME), links(en_UK=HOME), "</url>"]
    (found,) = only(sitemap(rows), "hreflang-invalid-code")
    assert (found.line, found.value, found.severity) == (6, "en-UK", "warning")


@pytest.mark.parametrize(
    ("second", "conflict"),
    [(HOME + "2", True), (HOME, False), ("https://EXAMPLE.com/", False)],
)
def test_conflicts(second: str, conflict: bool) -> None:
    rows = ["<url>", f"<loc>{HOME}</loc>", links(fr=HOME), links(FR=second), "</url>"]
    found = only(sitemap(rows), "hreflang-conflict")
    assert [(one.line, one.value) for one in found] == ([(6, "FR")] if conflict else [])


def test_a_page_lists_itself() -> None:
    data = sitemap(
        [url(HOME + "a", links(de=HOME + "b")), url(HOME + "c", links(de=HOME + "C", en="HTTPS://example.com/c"))]
    )
    assert told(data) == [("hreflang-no-self", 3)]


def test_x_default_may_be_the_page_itself() -> None:
    assert told(sitemap([url(HOME, links(x_default=HOME))])) == []


A, B, C = HOME + "a", HOME + "b", HOME + "c"


@pytest.mark.parametrize(
    ("pages", "lines"),
    [
        pytest.param([url(A, links(en=A, de=B)), url(B, links(en=A, de=B))], [], id="mutual"),
        pytest.param([url(A, links(en=A, de=B)), url(B, links(de=B))], [3], id="not returned"),
        pytest.param([url(A, links(en=A, de=B)), url(B)], [3], id="listed without alternates"),
        pytest.param([url(B), url(A, links(en=A, de=B))], [4], id="listed before, without alternates"),
        pytest.param([url(A, links(en=A, de=B))], [], id="not listed: it may name the page elsewhere"),
        pytest.param([url(A, links(en=A, x_default=B)), url(B)], [], id="x-default owes nothing"),
        pytest.param([url(A, links(en=A, de=B)), url(B, links(de=B, x_default=A))], [], id="x-default returns"),
        pytest.param([url(A, links(en=A, de=B, x_default=B)), url(B)], [3], id="x-default and a language"),
        pytest.param(
            [url(A, links(en=A, de=B, fr=C)), url(B, links(en=A, de=B)), url(C, links(fr=C, de=B))], [3, 5], id="three"
        ),
    ],
)
def test_return_links(pages: list[str], lines: list[int]) -> None:
    found = only(sitemap(pages), "hreflang-no-return-link")
    assert [one.line for one in found] == lines
    assert all(B in one.message or C in one.message for one in found)


def test_return_links_across_documents() -> None:
    english, german = sitemap([url(A, links(en=A, de=B))]), sitemap([url(B, links(de=B))])
    found = validated([english, german])
    assert [(one.rule, one.value) for one in found] == [("hreflang-no-return-link", A)]


def test_a_sitemap_without_alternates_owes_none() -> None:
    assert validated([sitemap([url(A, links(en=A, de=B))]), sitemap([url(B)])]) == []


def test_a_hub_of_many_pages() -> None:
    many = [f"{HOME}{one}" for one in range(200)]
    hub = "".join(links(en=href) for href in [A, *many])
    data = sitemap(
        [url(A, hub), *(url(one, links(de=A, en=one)) for one in many[:-1]), url(many[-1], links(de=many[-1]))]
    )
    found = [one for one in validated(data) if one.rule == "hreflang-no-return-link"]
    assert [(one.line, many[-1] in one.message) for one in found] == [(3, True)]


def test_alternates_need_whole_addresses() -> None:
    found = validated(sitemap([url(HOME, links(en=HOME, de="/de"))]))
    assert [(one.rule, one.severity, one.value) for one in found] == [("not-absolute", "warning", "/de")]


def test_line_of_a_link_rides_along() -> None:
    (entry,) = urlset.read(sitemap(["<url>", f"<loc>{HOME}</loc>", links(en=HOME), "</url>"]))
    (link,) = entry.alternates
    twin = Alternate(hreflang="en", href=HOME)
    assert link.line == 5
    assert link == twin
    assert hash(link) == hash(twin)
    assert link != Alternate(hreflang="de", href=HOME)
    assert link.as_dict() == {"hreflang": "en", "href": HOME}
    assert entry.as_dict()["alternates"] == [{"hreflang": "en", "href": HOME}]
    assert "line" not in repr(link)


# --- crawl exports

EXPORT = b"""Address,Status Code,Canonical Link Element 1,Indexability Status
https://example.com/,200,https://example.com/,
https://example.com/gone,404,,
https://example.com/dup,200,https://example.com/,
https://example.com/hidden,200,,noindex
"""


def test_crawl_export() -> None:
    assert told(EXPORT) == [("non-200", 3), ("not-canonical", 4), ("noindex", 5)]


def test_crawl_export_is_kept() -> None:
    ledger = urlset.Ledger()
    validated(EXPORT, ledger=ledger)
    assert (ledger.counts.read, ledger.counts.written, ledger.counts.filtered) == (4, 4, 0)
    assert not any("left out" in one.message for one in ledger.findings)


def test_crawl_export_is_not_remarked_on_in_a_conversion() -> None:
    assert urlset.convert(EXPORT, io.BytesIO(), to="text").ledger.findings == []


def test_indexable_still_leaves_out() -> None:
    result = urlset.convert(EXPORT, io.BytesIO(), to="text", indexable=True)
    assert result.ledger.counts.filtered == 3
    assert all("left out" in one.message for one in result.ledger.findings)


# --- the catalogue


@pytest.mark.parametrize(
    ("rule", "severity"),
    [
        ("different-host", "warning"),
        ("different-protocol", "warning"),
        ("duplicate-loc", "warning"),
        ("file-too-large", "error"),
        ("fragment-in-loc", "warning"),
        ("hreflang-conflict", "warning"),
        ("hreflang-invalid-code", "warning"),
        ("hreflang-no-return-link", "warning"),
        ("hreflang-no-self", "warning"),
        ("news-missing-language", "warning"),
        ("news-missing-title", "warning"),
        ("news-too-many", "error"),
        ("news-too-old", "warning"),
        ("outside-sitemap-path", "warning"),
        ("too-many-images", "error"),
        ("too-many-sitemaps", "error"),
        ("too-many-urls", "error"),
        ("video-missing-location", "warning"),
        ("video-missing-thumbnail", "warning"),
        ("video-too-many-tags", "warning"),
    ],
)
def test_severities(rule: str, severity: str) -> None:
    assert RULES[rule].severity == severity


def test_conversions_ask_for_none_of_this() -> None:
    data = sitemap([url(A + "#b", links(en_UK=B)), url(A + "#b", video(content_loc=""))])
    assert urlset.convert(data, io.BytesIO(), to="sitemap").ledger.findings == []
