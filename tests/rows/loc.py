"""LOC: addresses."""

from __future__ import annotations

from rows import HOME, Case, sitemap, url

CATALOGUE = {"url": "https://example.com/catalogue/sitemap.xml"}
ROOT = {"url": "https://example.com/sitemap.xml"}


def pages(*locs: str) -> bytes:
    """A sitemap of these addresses."""
    return sitemap(*map(url, locs))


def long(characters: int) -> bytes:
    """A sitemap with an address of so many characters, an ampersand among them."""
    return pages(f"{HOME}?&amp;".ljust(characters + len("amp;"), "a"))


def vouched(host: str) -> dict[str, bytes]:
    """A host's robots.txt, the sitemap that it names, and in that a page of the host."""
    there = "https://example.com/sitemap.xml"
    return {f"https://{host}/robots.txt": f"Sitemap: {there}\n".encode(), there: pages(f"https://{host}/")}


CASES = [
    # whether it is one
    Case("LOC-001", "missing-loc", hit=pages(HOME, " "), miss=pages(HOME), line=4, says="empty loc"),
    Case("LOC-002", "not-absolute", hit=pages(HOME, "//example.com/a"), miss=pages(HOME), line=4, says="scheme"),
    Case("LOC-003", "unsupported-scheme", hit=pages("ftp://example.com/"), miss=pages("HTTP://example.com/"), line=3),
    Case("LOC-004", "not-absolute", hit=pages("https:///a"), miss=pages("https://localhost/a"), line=3, says="host"),
    # its length
    Case("LOC-005", "loc-too-long", hit=long(2048), miss=long(2047), line=3, says="2,048", severity="warning"),
    Case("LOC-006", "loc-too-short", hit=pages("http://a.b/"), miss=pages("http://a.bc/"), line=3, says="11 char"),
    Case(
        "LOC-007",
        "loc-too-long-for-engine",
        hit=long(1025),
        miss=long(1024),
        line=3,
        says="Yandex",
        options={"engines": ["yandex"]},
    ),
    Case(
        "LOC-008",
        "loc-too-long-for-engine",
        hit=long(257),
        miss=long(256),
        line=3,
        says="Baidu",
        options={"engines": ["baidu"]},
    ),
    # its characters
    Case("LOC-009", "malformed-percent-escape", hit=pages(f"{HOME}100%"), miss=pages(f"{HOME}100%25"), line=3),
    Case("LOC-010", "invalid-url-character", hit=pages(f"{HOME}a|b"), miss=pages(f"{HOME}a'b"), line=3, says="U+007C"),
    Case("LOC-011", "non-ascii-loc", hit=pages(f"{HOME}ü"), miss=pages("https://MÜNCHEN.example/%C3%BC"), line=3),
    Case(
        "LOC-012",
        "non-ascii-host",
        hit=pages("https://bücher.example/"),
        miss=pages("https://xn--bcher-kva.example/ü"),
        line=3,
        says="xn--bcher-kva.example",
    ),
    Case(
        "LOC-013",
        "invalid-host",
        hit=pages("https://☕.example/"),
        miss=pages("https://straße.example/"),
        line=3,
        says="IDNA",
    ),
    Case("LOC-014", "fragment-in-loc", hit=pages(f"{HOME}a#b"), miss=pages(f"{HOME}a%23b"), line=3),
    Case("LOC-015", "userinfo-in-loc", hit=pages("https://me@example.com/"), miss=pages(f"{HOME}@me"), line=3),
    # what the sitemap may list
    Case(
        "LOC-016",
        "different-host",
        hit=pages("https://example.com:8443/"),
        miss=pages("https://EXAMPLE.com:443/"),
        line=3,
        says="port 8443",
        options=ROOT,
    ),
    Case(
        "LOC-017",
        "outside-sitemap-path",
        hit=pages("https://example.com/catalogue"),
        miss=pages("https://example.com/catalogue/"),
        line=3,
        says="https://example.com/catalogue/,",
        options=CATALOGUE,
    ),
    Case("LOC-018", "cross-submitted", hit=vouched("example.org"), miss=vouched("example.com"), line=3, says="vouches"),
    # what it seems to be
    Case(
        "LOC-019",
        "double-escaped",
        hit=pages(f"{HOME}?a=1&amp;amp;b=2"),
        miss=pages(f"{HOME}?a=1&amp;b=2"),
        line=3,
        says=f"{HOME}?a=1&b=2",
    ),
    Case(
        "LOC-020",
        "session-id-in-loc",
        hit=pages(f"{HOME}a;jsessionid=0123456789ABCDEF"),
        miss=pages(f"{HOME}a;session=1"),
        line=3,
        says="jsessionid",
    ),
    Case("LOC-021", "invalid-url-character", hit=pages(f"{HOME}\n"), miss=pages(HOME), line=3, says="white space"),
    Case(
        "LOC-022",
        "both-protocols",
        hit=pages("http://example.com/a", "https://example.com/a"),
        miss=pages("http://example.com/a", "https://example.com/b"),
        line=4,
        says="http://example.com/a",
    ),
    Case("LOC-023", "default-port", hit=pages("http://example.com:80/"), miss=pages("http://example.com:443/"), line=3),
    Case(
        "LOC-024",
        "sitemap-as-page",
        hit=pages("https://example.com/sitemap.xml"),
        miss=pages("https://example.com/sitemap.html"),
        line=3,
        says="itself",
        options=ROOT,
    ),
]
