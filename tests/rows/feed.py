"""FED: feeds that serve as sitemaps."""

from __future__ import annotations

from rows import DECLARATION, Case

LINK = "<link>https://example.com/a</link>"
GUID = "<guid>https://example.com/b</guid>"
PURL, RDF = "http://purl.org/rss/1.0/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def rss(item: str, version: str = "2.0", channel: str = "") -> bytes:
    """A feed with one item, on line 5; ``channel`` is on line 4."""
    head = f'<rss version="{version}" xmlns:atom="http://www.w3.org/2005/Atom">'
    top = f"<channel><title>Cats</title><link>https://example.com/</link>\n{channel}"
    return f"{DECLARATION}{head}\n{top}\n<item>{item}</item>\n</channel></rss>\n".encode()


def rdf(item: str) -> bytes:
    """RSS 1.0 with one item."""
    return f'{DECLARATION}<rdf:RDF xmlns:rdf="{RDF}" xmlns="{PURL}">\n<item>{item}</item>\n</rdf:RDF>\n'.encode()


def atom(namespace: str, date: str) -> bytes:
    """An Atom feed with one entry; ``date`` is the name of its date."""
    link = '<link rel="alternate" type="text/html" href="https://example.com/a"/>'
    entry = f"<entry>{link}<id>tag:example.com,2024:a</id><{date}>2024-05-06T07:08:09Z</{date}></entry>"
    return f'{DECLARATION}<feed xmlns="{namespace}">\n{entry}\n</feed>\n'.encode()


def dated(*dates: str) -> str:
    """The children of an item with a link and dates."""
    return LINK + "".join(f"<pubDate>{one}</pubDate>" for one in dates)


CASES = [
    Case(
        "FED-001",
        "missing-link",
        hit=rss('<guid isPermaLink="false">https://example.com/b</guid>'),
        miss=rss('<guid isPermaLink="false">b</guid><atom:link href="https://example.com/a"/>'),
        line=5,
        says="no page address",
    ),
    Case("FED-002", "missing-link", hit=rss(GUID), miss=rss(f"{GUID}{LINK}"), line=5, says="guid is taken"),
    Case(
        "FED-003",
        "not-absolute",
        hit=rss("<link>/a</link>"),
        miss=rss("<link>\nhttps://example.com/a </link>"),
        line=5,
        says="resolved against https://example.com/",
        severity="warning",
    ),
    Case(
        "FED-004",
        "invalid-date",
        hit=rss(dated("Wed, 02 Oct 2002 13:00:00 +01:00")),
        miss=rss(dated("Wed, 02 Oct 2002 13:00:00 +0100")),
        line=5,
        says="pubDate",
    ),
    Case(
        "FED-005",
        "feed-incomplete",
        hit=rss(LINK, channel='<atom:link rel="prev-archive" href="https://example.com/2023.rss"/>'),
        miss=rss(LINK, channel='<atom:link rel="self" href="https://example.com/feed.rss"/>'),
        line=4,
        says="archive",
    ),
    Case(
        "FED-006",
        "namespace-legacy",
        hit=atom("http://purl.org/atom/ns#", "modified"),
        miss=atom("http://www.w3.org/2005/Atom", "updated"),
        line=2,
        says="Atom 0.3",
    ),
    Case("FED-007", "feed-version", hit=rdf(LINK), miss=rss(LINK), says="RSS 1.0"),
    Case(
        "FED-008",
        "format-not-supported",
        hit=rss(LINK),
        miss=rss(LINK),
        says="Yandex",
        options={"engines": ["yandex"]},
        miss_options={"engines": ["bing", "google"]},
    ),
]
