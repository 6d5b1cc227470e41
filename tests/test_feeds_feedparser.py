"""Against feedparser: the same links and dates wherever the two mean to do the same.

feedparser keeps what a feed says field by field; the comparison takes its ``link`` and the date that our order of
fields takes. Where the two disagree on purpose, the reason stands with the sample.
"""

from __future__ import annotations

from calendar import timegm
from datetime import UTC, datetime
from typing import Any

import feedparser
import pytest

from urlset.formats import atom, rss
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Source

BASE = "http://feed.example/dir/feed.xml"
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
RDF = f'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" {DC}'

SAMPLES = {
    "rss-2.0": f"""<rss version="2.0" {DC}><channel><title>T</title><link>http://c.example/</link>
        <item><title>One</title><link>http://e.com/1</link><pubDate>Mon, 27 Jun 2011 19:34:00 +0100</pubDate></item>
        <item><title>Two</title><link> http://e.com/2?a=1&amp;b=2
        </link><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate></item>
        <item><title>Three</title><link><![CDATA[http://e.com/3?a&b]]></link></item></channel></rss>""",
    "rss-0.91": """<rss version="0.91"><channel><title>T</title><link>http://c.example/</link>
        <image><url>http://i.example/</url><link>http://i.example/l</link></image>
        <item><title>One</title><link>http://e.com/1</link></item></channel></rss>""",
    "rss-0.92": """<rss version="0.92"><channel><title>T</title>
        <item><description>d</description><link>http://e.com/1</link>
        <enclosure url="http://e.com/a.mp3" length="1" type="audio/mpeg"/></item></channel></rss>""",
    "rss-guid": """<rss version="2.0"><channel>
        <item><guid>http://e.com/guid</guid></item>
        <item><guid isPermaLink="true">http://e.com/guid2</guid></item>
        <item><guid isPermaLink="false">id-3</guid><link>http://e.com/3</link></item></channel></rss>""",
    "rss-zones": """<rss version="2.0"><channel>
        <item><link>http://e.com/1</link><pubDate>Wed, 02 Oct 2002 08:00:00 EDT</pubDate></item>
        <item><link>http://e.com/2</link><pubDate>02 Oct 2002 13:00:00 PST</pubDate></item>
        <item><link>http://e.com/3</link><pubDate>Wed, 02 Oct 2002 13:00:00 -0000</pubDate></item>
        <item><link>http://e.com/4</link><pubDate>Wed, 02 Oct 02 13:00 +0530</pubDate></item></channel></rss>""",
    "rss-dc-date": f"""<rss version="2.0" {DC}><channel>
        <item><link>http://e.com/1</link><dc:date>2005-05-10T17:33:30+08:00</dc:date></item>
        <item><link>http://e.com/2</link><dc:date>2005-05-10</dc:date></item></channel></rss>""",
    "rss-modified": f"""<rss version="2.0" {DC}><channel>
        <item><link>http://e.com/1</link><dcterms:modified>2005-05-10T00:00:00Z</dcterms:modified></item>
        </channel></rss>""",
    "rss-relative": """<rss version="2.0"><channel><item><link>a/b</link></item><item><link>/c</link></item>
        <item><link>?d=1</link></item></channel></rss>""",
    "rss-xml-base": """<rss version="2.0" xml:base="http://b.example/x/"><channel>
        <item xml:base="y/"><link>z</link></item></channel></rss>""",
    "rss-1.0": f"""<rdf:RDF {RDF}><channel rdf:about="http://c.example/"><title>T</title><link>http://c.example/</link>
        <items><rdf:Seq><rdf:li rdf:resource="http://e.com/1"/></rdf:Seq></items></channel>
        <item rdf:about="http://e.com/1"><title>One</title><link>http://e.com/1</link>
        <dc:date>2003-12-31T10:14:55Z</dc:date></item>
        <item rdf:about="urn:2"><link>http://e.com/2</link><dc:date>2003-12-31</dc:date></item></rdf:RDF>""",
    "rss-0.90": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>T</title><link>http://c.example/</link></channel>
        <item><title>One</title><link>http://e.com/1</link></item></rdf:RDF>""",
    "atom-1.0": f"""<feed {ATOM}><title>T</title><id>urn:f</id><link rel="self" href="http://s.example/"/>
        <entry><id>urn:1</id><title>One</title><updated>2005-07-31T12:29:29Z</updated>
        <link rel="edit" href="http://edit.example/"/><link rel="alternate" type="text/html" href="http://e.com/1"/></entry>
        <entry><id>urn:2</id><updated>2003-12-13T08:29:29.25-04:00</updated><link href="http://e.com/2?a&amp;b"/></entry>
        </feed>""",
    "atom-relative": f"""<feed {ATOM} xml:base="http://b.example/x/"><id>urn:f</id>
        <entry xml:base="y/"><id>urn:1</id><updated>2005-07-31T12:29:29Z</updated><link href="z"/></entry>
        <entry><id>urn:2</id><updated>2005-07-31T12:29:29Z</updated><link href="/r"/></entry></feed>""",
    "atom-source": f"""<feed {ATOM}><entry><id>urn:1</id><updated>2005-07-31T12:29:29Z</updated>
        <source><link href="http://s.example/"/><updated>1999-01-01T00:00:00Z</updated></source>
        <link href="http://e.com/1"/></entry></feed>""",
    "atom-enclosure": f"""<feed {ATOM}><entry><updated>2005-07-31T12:29:29Z</updated>
        <link rel="enclosure" type="audio/mpeg" href="http://e.com/1.mp3"/><link href="http://e.com/1"/></entry></feed>""",
    "atom-0.3": """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title>
        <entry><link rel="alternate" type="text/html" href="http://e.com/1"/><modified>2004-04-20T11:56:34Z</modified>
        <issued>2004-04-19T11:56:34Z</issued></entry></feed>""",
    "atom-html-among-others": f"""<feed {ATOM}><entry><updated>2005-07-31T12:29:29Z</updated>
        <link href="http://e.com/any"/><link type="text/html" href="http://e.com/html"/></entry></feed>""",
    "atom-0.3-without-rel": """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><link href="http://e.com/1"/>
        <modified>2004-04-20T11:56:34Z</modified></entry></feed>""",
    "rss-day-that-june-lacks": """<rss version="2.0"><channel><item><link>http://e.com/</link>
        <pubDate>Thu, 31 Jun 2004 19:48:21 GMT</pubDate></item></channel></rss>""",
    "rss-zone-by-name": """<rss version="2.0"><channel><item><link>http://e.com/</link>
        <pubDate>02 Oct 2002 13:00:00 CET</pubDate></item></channel></rss>""",
    "undeclared-entity": """<rss version="2.0"><channel><item><title>a&nbsp;b</title><link>http://e.com/1</link>
        <pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate></item></channel></rss>""",
    "raw-ampersand": """<rss version="2.0"><channel><item><link>http://e.com/?a=1&b=2</link></item></channel></rss>""",
}  # fmt: skip


def rss_item(*inner: str) -> str:
    return f'<rss version="2.0" {DC}><channel><item>{"".join(inner)}</item></channel></rss>'


def rss_date(text: str) -> str:
    return rss_item(f"<link>http://e.com/</link><pubDate>{text}</pubDate>")


def atom_entry(*inner: str) -> str:
    return f"<feed {ATOM}><entry><updated>2005-07-31T12:29:29Z</updated>{''.join(inner)}</entry></feed>"


PAGE = "http://e.com/"
DAY = "2005-07-31T12:29:29Z"
Found = list[tuple[str | None, str | None]]

# Where the two disagree: what we read, what feedparser reads, and why ours is right here.
DISAGREEMENTS: dict[str, tuple[str, Found, Found, str]] = {
    "guid-that-is-no-address": (
        rss_item("<guid>tag:e.com,2005:1</guid>"), [], [("tag:e.com,2005:1", None)],
        "a guid is a page only when it is a full address (F5)",
    ),
    "rdf-about": (
        f'<rdf:RDF {RDF}><channel/><item rdf:about="http://e.com/1"><title>t</title></item></rdf:RDF>',
        [("http://e.com/1", None)], [(None, None)], "the name of an RSS 1.0 item is the address of its page (F25)",
    ),
    "no-address-at-all": (
        rss_item('<enclosure url="http://e.com/a.mp3"/>'), [], [(None, None)],
        "an item without a page is no entry of a list of pages (F10)",
    ),
    "atom-id": (
        atom_entry("<id>http://e.com/id</id>"), [], [("http://e.com/id", DAY)], "an id is a name and no place (F22)",
    ),
    "atom-two-languages": (
        atom_entry('<link type="text/html" hreflang="de" href="http://e.com/de"/>',
                   '<link type="text/html" hreflang="en" href="http://e.com/en"/>'),
        [("http://e.com/de", DAY)], [("http://e.com/en", DAY)], "the first in the document is the page (F17)",
    ),
    "atom-content": (
        atom_entry('<content src="http://e.com/p.html" type="text/html"/>'), [("http://e.com/p.html", DAY)],
        [(None, DAY)], "content of type HTML that stands elsewhere is the page (F21)",
    ),
    "atom-relation-in-full": (
        atom_entry('<link rel="http://www.iana.org/assignments/relation/alternate" href="http://e.com/1"/>'),
        [("http://e.com/1", DAY)], [(None, DAY)], "the full name of the relation is the relation (F20)",
    ),
    "two-dates": (
        rss_item("<link>http://e.com/</link><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate>",
                 "<dc:date>1999-01-01</dc:date>"),
        [(PAGE, "2002-09-07T00:00:01Z")], [(PAGE, "1999-01-01T00:00:00Z")],
        "pubDate is RSS's own; dc:date counts without it (F31)",
    ),
    "two-digit-year": (
        rss_date("02 Oct 85 13:00:00 GMT"), [(PAGE, "1985-10-02T13:00:00Z")], [(PAGE, "2085-10-02T13:00:00Z")],
        "RFC 2822 4.3 puts 50 to 99 into the last century, feedparser 90 to 99 (R35)",
    ),
    "military-zone": (
        rss_date("02 Oct 2002 13:00:00 A"), [(PAGE, "2002-10-02T13:00:00Z")], [(PAGE, "2002-10-02T14:00:00Z")],
        "RFC 2822 4.3 reads the letters as -0000, since RFC 822 printed their signs the wrong way round (R11)",
    ),
    "zone-with-a-name-only": (
        rss_date("02 Oct 2002 13:00:00 MET"), [(PAGE, "2002-10-02T13:00:00Z")], [(PAGE, "2002-10-02T12:00:00Z")],
        "RFC 2822 4.3 reads every name that it does not list as -0000 (R14)",
    ),
    "zone-with-a-difference": (
        rss_date("02 Oct 2002 13:00:00 GMT+1"), [(PAGE, "2002-10-02T13:00:00+01:00")], [(PAGE, None)],
        "it has one meaning (R18)",
    ),
    "leap-second": (
        rss_date("Sat, 31 Dec 2016 23:59:60 GMT"), [(PAGE, "2016-12-31T23:59:59Z")], [(PAGE, None)],
        "RFC 2822 3.3 allows it; the output can't hold it (R37)",
    ),
    "month-before-day": (
        rss_date("Oct 02 2002 13:00:00 GMT"), [(PAGE, None)], [(PAGE, "2002-10-02T13:00:00Z")],
        "it is no RFC 822 date, and no repair is agreed on",
    ),
    "time-without-zone": (
        atom_entry('<link href="http://e.com/"/>').replace(DAY, "2004-04-20T00:23:47"), [(PAGE, None)],
        [(PAGE, "2004-04-20T00:23:47Z")], "a time without a zone has no one meaning (F28, W9)",
    ),
}  # fmt: skip


def ours(text: str) -> list[tuple[str, LastMod | None]]:
    data = text.encode()
    module = rss if rss.sniff(Head(data)) else atom
    assert module.sniff(Head(data))
    source = Source.from_bytes(data, "feed.xml")
    entries = module.read(source, Ledger(rejects=lambda reject: None).open("feed.xml"), ReadOptions(base_url=BASE))
    return [(entry.loc, entry.lastmod) for entry in entries]


def theirs(text: str) -> list[tuple[str | None, Any]]:
    parsed = feedparser.parse(text.encode(), response_headers={"content-location": BASE, "content-type": "text/xml"})
    return [
        (entry.get("link"), dict.get(entry, "updated_parsed") or dict.get(entry, "published_parsed"))
        for entry in parsed.entries
    ]


def moment(value: LastMod | None) -> datetime | None:
    """The instant of a date, to the second, as feedparser keeps it."""
    if value is None:
        return None
    text = str(value)
    return (
        datetime.fromisoformat(f"{text}T00:00:00Z" if len(text) == 10 else text).astimezone(UTC).replace(microsecond=0)
    )


def instant(parsed: Any) -> datetime | None:
    return None if parsed is None else datetime.fromtimestamp(timegm(parsed), UTC)


@pytest.mark.parametrize("name", SAMPLES)
def test_links_and_dates_agree(name: str) -> None:
    text = SAMPLES[name]
    expected = [(link, instant(parsed)) for link, parsed in theirs(text)]
    assert expected
    assert [(loc, moment(lastmod)) for loc, lastmod in ours(text)] == expected


@pytest.mark.parametrize("name", DISAGREEMENTS)
def test_known_disagreements(name: str) -> None:
    """Ours is right by the reason given, and feedparser still says something else."""
    text, right, other, reason = DISAGREEMENTS[name]
    assert [(loc, None if date is None else str(date)) for loc, date in ours(text)] == right, reason
    assert [(link, instant(date)) for link, date in theirs(text)] == [
        (link, None if date is None else datetime.fromisoformat(date)) for link, date in other
    ]
