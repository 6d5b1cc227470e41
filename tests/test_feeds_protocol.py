"""RSS and Atom by the tables of the feeds: edge cases, order of fields, versions, relative addresses, Media RSS.

Every case is read three times: as it stands, which is well-formed, and with a raw ampersand before and behind the
items, which only the repair lane can read. The entries and the remarks must be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import NamedTuple

import pytest

from urlset.formats import atom, rss
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account, Ledger, Reject
from urlset.formats.vocabulary.source import Source

MODULES = (
    'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" '
    'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:fh="http://purl.org/syndication/history/1.0" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
)
ATOM = "http://www.w3.org/2005/Atom"
ATOM_03 = "http://purl.org/atom/ns#"
RSS_10 = "http://purl.org/rss/1.0/"
RSS_090 = "http://my.netscape.com/rdf/simple/0.9/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

LANES = {"strict": ("", ""), "repair-at-once": (" & ", ""), "repair-at-the-end": ("", " & ")}


class Result(NamedTuple):
    """What reading gave."""

    entries: list[Entry]
    account: Account
    ledger: Ledger
    rejects: list[Reject]

    @property
    def locs(self) -> list[str]:
        return [entry.loc for entry in self.entries]

    @property
    def dates(self) -> list[str | None]:
        return [None if entry.lastmod is None else str(entry.lastmod) for entry in self.entries]

    @property
    def rules(self) -> list[str]:
        return [finding.rule for finding in self.ledger.findings if finding.rule != "xml-not-well-formed"]


Read = Callable[..., Result]
Doc = Callable[[str, str, str], str]


def rss_2(items: str, before: str, after: str, version: str = "2.0", channel: str = "") -> str:
    return (
        f'<rss version="{version}" {MODULES}><channel><title>T</title><description>d{before}</description>\n{channel}'
        f"{items}\n<copyright>c{after}</copyright></channel></rss>"
    )


def rss_1(items: str, before: str, after: str, namespace: str = RSS_10) -> str:
    return (
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="{namespace}" {MODULES}>\n'
        f'<channel rdf:about="http://c.example/about"><title>T</title><description>d{before}</description>'
        f'<items><rdf:Seq><rdf:li resource="http://seq.example/9"/></rdf:Seq></items></channel>\n'
        f'{items}\n<textinput rdf:about="http://t.example/"><title>s{after}</title></textinput></rdf:RDF>'
    )


def atom_1(items: str, before: str, after: str, namespace: str = ATOM, attributes: str = "", feed: str = "") -> str:
    return (
        f'<feed xmlns="{namespace}" xmlns:app="http://www.w3.org/2007/app" {MODULES} '
        f'xmlns:at="http://purl.org/atompub/tombstones/1.0" {attributes}><title>T</title>'
        f'<subtitle>d{before}</subtitle><link rel="self" href="http://self.example/"/><id>tag:feed</id>\n{feed}'
        f"{items}\n<rights>c{after}</rights></feed>"
    )


def _reader(document: str) -> Callable[..., Result]:
    def run(**options: object) -> Result:
        rejects: list[Reject] = []
        ledger = Ledger(rejects=rejects.append)
        account = ledger.open("feed.xml")
        source = Source.from_bytes(document.encode("utf-8"), "feed.xml")
        module = rss if rss.sniff(Head(document.encode("utf-8"))) else atom
        entries = list(module.read(source, account, ReadOptions(**options)))  # type: ignore[arg-type]
        ledger.counts.written = len(entries)
        ledger.check()
        return Result(entries, account, ledger, rejects)

    return run


@pytest.fixture(params=LANES)
def read(request: pytest.FixtureRequest) -> Read:
    """Reads items inside a document, in one of the lanes."""
    before, after = LANES[request.param]

    def inside(
        items: str, document: Doc = rss_2, base_url: str | None = None, zone: object = None, **more: str
    ) -> Result:
        text = document(items, before, after, **more)
        result = _reader(text)(base_url=base_url, zone=zone)
        repaired = any(finding.rule == "xml-not-well-formed" for finding in result.ledger.findings)
        assert repaired is bool(before or after)
        return result

    return inside


def item(*inner: str) -> str:
    return f"<item>{''.join(inner)}</item>"


def entry(*inner: str, updated: str = "<updated>2020-01-01T00:00:00Z</updated>") -> str:
    return f"<entry><id>tag:e.com,2020:1</id><title>t</title>{updated}{''.join(inner)}</entry>"


LINK = "<link>http://e.com/1</link>"
HREF = '<link href="http://e.com/1"/>'
RFC822 = "Mon, 27 Jun 2011 19:34:00 +0100"


# --- F1 to F43: the addresses of RSS

RSS_LOCS = [
    ("F1-spaces", item("<link>  http://e.com/1  </link>"), ["http://e.com/1"], []),
    ("F1-newlines", item("<link>\n\thttp://e.com/1\r\n</link>"), ["http://e.com/1"], []),
    ("F2", item("<link><![CDATA[http://e.com/1?a=1&b=2]]></link>"), ["http://e.com/1?a=1&b=2"], []),
    ("F2-padded", item("<link>\n<![CDATA[ http://e.com/1 ]]>\n</link>"), ["http://e.com/1"], []),
    ("F3", item("<link/><guid>http://e.com/1</guid>"), ["http://e.com/1"], ["missing-link"]),
    ("F3-blank", item("<link> </link><guid>http://e.com/1</guid>"), ["http://e.com/1"], ["missing-link"]),
    ("F3-true", item('<guid isPermaLink="true">http://e.com/1</guid>'), ["http://e.com/1"], ["missing-link"]),
    ("F4", item('<guid isPermaLink="false">http://e.com/1</guid>'), [], ["missing-link"]),
    ("F4-empty", item('<link/><guid isPermaLink="false">http://e.com/1</guid>'), [], ["missing-link"]),
    ("F5", item("<guid>tag:e.com,2005:1</guid>"), [], ["missing-link"]),
    ("F6-False", item('<guid isPermaLink="False">http://e.com/1</guid>'), [], ["missing-link"]),
    ("F6-FALSE", item('<guid isPermaLink="FALSE">http://e.com/1</guid>'), [], ["missing-link"]),
    ("F7", item("<guid>http://e.com/guid</guid>", LINK), ["http://e.com/1"], []),
    ("F8", item('<atom:link rel="self" href="http://e.com/self"/>', LINK), ["http://e.com/1"], []),
    ("F8-alternate", item('<atom:link rel="alternate" href="http://e.com/a"/>', LINK), ["http://e.com/1"], []),
    ("F9", item('<atom:link rel="alternate" href="http://e.com/a"/>'), ["http://e.com/a"], []),
    ("F9-self-only", item('<atom:link rel="self" href="http://e.com/self"/>'), [], ["missing-link"]),
    ("F10", item('<enclosure url="http://e.com/1.mp3" length="1" type="audio/mpeg"/>'), [], ["missing-link"]),
    ("F11", item("<feedburner:origLink>http://e.com/orig</feedburner:origLink>", LINK), ["http://e.com/1"], []),
    ("F12", item('<source url="http://e.com/source.xml">s</source>'), [], ["missing-link"]),
    ("F12-comments", item("<comments>http://e.com/comments</comments>"), [], ["missing-link"]),
    ("F34", item(LINK) + item(LINK), ["http://e.com/1", "http://e.com/1"], []),
    ("F43", item("<ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod>", LINK), ["http://e.com/1"], []),
]


@pytest.mark.parametrize(("items", "locs", "rules"), [row[1:] for row in RSS_LOCS], ids=[row[0] for row in RSS_LOCS])
def test_address_of_an_rss_item(read: Read, items: str, locs: list[str], rules: list[str]) -> None:
    result = read(items)
    assert result.locs == locs
    assert result.rules == rules
    assert len(result.rejects) == (0 if locs else 1)


def test_f13_root_relative_link_is_resolved_against_the_feed(read: Read) -> None:
    result = read(item("<link>/a/b</link>"), base_url="http://e.com/feed.xml")
    assert result.locs == ["http://e.com/a/b"]
    assert [(f.rule, f.severity, f.action) for f in result.ledger.findings if f.rule == "not-absolute"] == [
        ("not-absolute", "warning", "repaired")
    ]


def test_f43_nothing_becomes_a_change_frequency(read: Read) -> None:
    assert read(item("<sy:updatePeriod>daily</sy:updatePeriod>", LINK)).entries[0].changefreq is None


# --- F14 to F30: Atom

ATOM_LOCS = [
    ("F16", entry('<link rel="enclosure" href="http://e.com/e"/><link href="http://e.com/n"/>'
                  '<link rel="alternate" type="application/pdf" href="http://e.com/p"/>'), ["http://e.com/n"], []),
    ("F17", entry('<link rel="alternate" type="text/html" hreflang="de" href="http://e.com/de"/>'
                  '<link rel="alternate" type="text/html" hreflang="en" href="http://e.com/en"/>'),
     ["http://e.com/de"], ["repeated-element"]),
    ("F18", entry('<link rel="alternate" type="application/atom+xml" href="http://e.com/a"/>'),
     ["http://e.com/a"], ["missing-link"]),
    ("F19", entry('<link rel="ALTERNATE" href="http://e.com/1"/>'), ["http://e.com/1"], []),
    ("F20", entry('<link rel="http://www.iana.org/assignments/relation/alternate" href="http://e.com/1"/>'),
     ["http://e.com/1"], []),
    ("F21", entry('<content src="http://e.com/p.html" type="text/html"/>'), ["http://e.com/p.html"], []),
    ("F21-no-type", entry('<content src="http://e.com/p"/>'), ["http://e.com/p"], []),
    ("F21-pdf", entry('<content src="http://e.com/p.pdf" type="application/pdf"/>'), [], ["missing-link"]),
    ("F22", entry("<id>http://e.com/id</id>"), [], ["missing-link"]),
    ("F23", entry('<source><link rel="alternate" href="http://s.example/"/></source>'), [], ["missing-link"]),
    ("F23-both", entry('<source><link href="http://s.example/"/></source>', HREF), ["http://e.com/1"], []),
    ("F35", '<at:deleted-entry ref="tag:x" when="2020-01-01T00:00:00Z"/>' + entry(HREF),
     ["http://e.com/1"], ["deleted-entry"]),
    ("F41", entry(HREF).replace("<entry>", '<entry xml:lang="de">'), ["http://e.com/1"], []),
    ("rel-self", entry('<link rel="self" href="http://e.com/s"/>'), [], ["missing-link"]),
    ("rel-others", entry("".join(f'<link rel="{rel}" href="http://e.com/{rel}"/>' for rel in
                                 ("edit", "edit-media", "enclosure", "related", "via", "replies", "hub", "next"))),
     [], ["missing-link"]),
]  # fmt: skip


@pytest.mark.parametrize(("items", "locs", "rules"), [row[1:] for row in ATOM_LOCS], ids=[row[0] for row in ATOM_LOCS])
def test_address_of_an_atom_entry(read: Read, items: str, locs: list[str], rules: list[str]) -> None:
    result = read(items, atom_1)
    assert result.locs == locs
    assert result.rules == rules


def test_f14_each_base_is_resolved_against_the_outer_one(read: Read) -> None:
    items = entry('<link href="z"/>').replace("<entry>", '<entry xml:base="y/">')
    assert read(items, atom_1, attributes='xml:base="http://e.com/x/"').locs == ["http://e.com/x/y/z"]


def test_f15_an_empty_href_is_the_base(read: Read) -> None:
    result = read(entry('<link href=""/>'), atom_1, base_url="http://e.com/feed.atom")
    assert result.locs == ["http://e.com/feed.atom"]
    assert result.rules == ["not-absolute"]


def test_f24_an_iri_is_kept_as_it_is_written(read: Read) -> None:
    # The writers map it (IRI to URI); reading never changes an address.
    assert read(entry('<link href="http://e.com/käse"/>'), atom_1).locs == ["http://e.com/käse"]


def test_f25_rdf_about_stands_in_for_a_missing_link(read: Read) -> None:
    result = read('<item rdf:about="http://e.com/1"><title>t</title></item>', rss_1)
    assert result.locs == ["http://e.com/1"]
    assert result.rules == ["missing-link"]


def test_f26_items_beside_the_channel_are_read(read: Read) -> None:
    result = read('<item rdf:about="http://e.com/x"><link>http://e.com/1</link></item>', rss_1)
    assert result.locs == ["http://e.com/1"]
    assert result.rules == []


# --- the version

VERSIONS = [
    ("rss-0.91", item(LINK), rss_2, {"version": "0.91"}, "0.91", []),
    ("rss-0.92", item(LINK), rss_2, {"version": "0.92"}, "0.92", []),
    ("rss-2.0", item(LINK), rss_2, {}, "2.0", []),
    ("rss-1.0", item(LINK), rss_1, {}, "1.0", []),
    ("rss-0.90", item(LINK), rss_1, {"namespace": RSS_090}, "0.90", []),
    ("atom-0.3", f"<entry>{HREF}</entry>", atom_1, {"namespace": ATOM_03, "attributes": 'version="0.3"'}, "0.3",
     ["namespace-legacy"]),
    ("atom-1.0", entry(HREF), atom_1, {}, "1.0", []),
    ("atom-without-namespace", entry(HREF), atom_1, {"namespace": ""}, None, ["namespace-missing"]),
]  # fmt: skip


@pytest.mark.parametrize(("items", "document", "more", "version", "rules"), [row[1:] for row in VERSIONS],
                         ids=[row[0] for row in VERSIONS])  # fmt: skip
def test_version(
    read: Read, items: str, document: Doc, more: dict[str, str], version: str | None, rules: list[str]
) -> None:
    result = read(items, document, **more)
    assert result.account.version == version
    assert result.rules == rules
    assert result.locs == ["http://e.com/1"]


# --- the order of fields: "A > B" is B only where A is missing or unusable

BAD = "mailto:a@e.com"
RSS_LINK_ORDER = [
    ("link", item(LINK, "<guid>http://e.com/g</guid>"), "http://e.com/1"),
    ("guid-link-missing", item("<guid>http://e.com/g</guid>"), "http://e.com/g"),
    ("guid-link-unusable", item(f"<link>{BAD}</link><guid>http://e.com/g</guid>"), "http://e.com/g"),
    ("atom-guid-missing", item('<atom:link href="http://e.com/a"/>'), "http://e.com/a"),
    ("atom-guid-no-permalink",
     item('<guid isPermaLink="false">http://e.com/g</guid><atom:link href="http://e.com/a"/>'), "http://e.com/a"),
    ("atom-guid-unusable", item('<guid>tag:x</guid><atom:link href="http://e.com/a"/>'), "http://e.com/a"),
    ("atom-both-unusable", item(f'<link>{BAD}</link><guid>7</guid><atom:link href="http://e.com/a"/>'),
     "http://e.com/a"),
]  # fmt: skip


@pytest.mark.parametrize("version", ["0.91", "0.92", "2.0"])
@pytest.mark.parametrize(("items", "loc"), [row[1:] for row in RSS_LINK_ORDER], ids=[row[0] for row in RSS_LINK_ORDER])
def test_order_of_addresses_in_rss(read: Read, version: str, items: str, loc: str) -> None:
    assert read(items, version=version).locs == [loc]


@pytest.mark.parametrize("namespace", [RSS_10, RSS_090])
@pytest.mark.parametrize(
    ("items", "locs"),
    [
        pytest.param(f'<item rdf:about="http://e.com/about">{LINK}</item>', ["http://e.com/1"], id="link"),
        pytest.param('<item rdf:about="http://e.com/about"/>', ["http://e.com/about"], id="about-link-missing"),
        pytest.param(f'<item rdf:about="http://e.com/about"><link>{BAD}</link></item>', ["http://e.com/about"],
                     id="about-link-unusable"),
        pytest.param('<item rdf:about="urn:x"/>', [], id="none"),
    ],
)  # fmt: skip
def test_order_of_addresses_in_rdf(read: Read, namespace: str, items: str, locs: list[str]) -> None:
    assert read(items, rss_1, namespace=namespace).locs == locs


def alternate(place: str, kind: str = "") -> str:
    return f'<link rel="alternate" {kind and f"type={kind!r}"} href="{place}"/>'


ATOM_LINK_ORDER = [
    ("html-before-untyped", alternate("http://e.com/u") + alternate("http://e.com/h", "text/html"), "http://e.com/h"),
    ("xhtml-counts", alternate("http://e.com/u") + alternate("http://e.com/x", "application/xhtml+xml"),
     "http://e.com/x"),
    ("first-html", alternate("http://e.com/1", "text/html") + alternate("http://e.com/2", "text/html"),
     "http://e.com/1"),
    ("untyped-html-unusable", alternate(BAD, "text/html") + alternate("http://e.com/u"), "http://e.com/u"),
    ("untyped-before-other", alternate("http://e.com/p", "application/pdf") + alternate("http://e.com/u"),
     "http://e.com/u"),
    ("other", alternate("http://e.com/p", "application/pdf"), "http://e.com/p"),
    ("other-untyped-unusable", alternate(BAD) + alternate("http://e.com/p", "application/pdf"), "http://e.com/p"),
    ("content", '<content src="http://e.com/c" type="text/html"/>', "http://e.com/c"),
    ("content-alternates-unusable", alternate(BAD) + '<content src="http://e.com/c"/>', "http://e.com/c"),
    ("alternate-before-content", '<content src="http://e.com/c"/>' + alternate("http://e.com/1"), "http://e.com/1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("links", "loc"), [row[1:] for row in ATOM_LINK_ORDER], ids=[row[0] for row in ATOM_LINK_ORDER]
)
def test_order_of_addresses_in_atom(read: Read, links: str, loc: str) -> None:
    assert read(entry(links), atom_1).locs == [loc]


@pytest.mark.parametrize(
    ("links", "locs"),
    [
        pytest.param(HREF + alternate("http://e.com/a"), ["http://e.com/a"], id="rel-before-none"),
        pytest.param(HREF, ["http://e.com/1"], id="none-rel-missing"),
        pytest.param(HREF + alternate(BAD), ["http://e.com/1"], id="none-rel-unusable"),
        pytest.param(HREF + alternate("http://e.com/p", "application/pdf"), ["http://e.com/p"], id="rel-of-any-type"),
        pytest.param('<link rel="service.edit" href="http://e.com/s"/>', [], id="service"),
        pytest.param("<id>http://e.com/id</id>", [], id="id"),
    ],
)
def test_order_of_addresses_in_atom_03(read: Read, links: str, locs: list[str]) -> None:
    assert read(f"<entry>{links}</entry>", atom_1, namespace=ATOM_03).locs == locs


def stamps(**dates: str) -> str:
    return "".join(f"<{name.replace('_', ':')}>{text}</{name.replace('_', ':')}>" for name, text in dates.items())


DAYS = {
    "atom_updated": ("2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"),
    "dcterms_modified": ("2002-01-01", "2002-01-01"),
    "pubDate": ("01 Jan 2003 00:00:00 GMT", "2003-01-01T00:00:00Z"),
    "dc_date": ("2004-01-01", "2004-01-01"),
    "dcterms_issued": ("2005-01-01", "2005-01-01"),
    "dcterms_created": ("2006-01-01", "2006-01-01"),
    "updated": ("2011-01-01T00:00:00Z", "2011-01-01T00:00:00Z"),
    "published": ("2010-01-01T00:00:00Z", "2010-01-01T00:00:00Z"),
    "modified": ("2013-01-01T00:00:00Z", "2013-01-01T00:00:00Z"),
    "issued": ("2012-01-01T00:00:00Z", "2012-01-01T00:00:00Z"),
    "created": ("2011-06-01T00:00:00Z", "2011-06-01T00:00:00Z"),
}
DATE_ORDER: list[tuple[str, str, Doc, dict[str, str], tuple[str, ...]]] = [
    ("rss", "item", rss_2, {}, ("atom_updated", "dcterms_modified", "pubDate", "dc_date", "dcterms_issued")),
    ("rdf", "item", rss_1, {}, ("dcterms_modified", "dc_date", "dcterms_issued", "dcterms_created")),
    ("atom", "entry", atom_1, {}, ("updated", "published")),
    ("atom-0.3", "entry", atom_1, {"namespace": ATOM_03}, ("modified", "issued", "created")),
]
DATE_STEPS = [
    pytest.param(tag, document, more, order, number, state, id=f"{name}-{order[number]}-{state}")
    for name, tag, document, more, order in DATE_ORDER
    for number in range(len(order))
    for state in ("missing", "unusable")
]


@pytest.mark.parametrize(("tag", "document", "more", "order", "number", "state"), DATE_STEPS)
def test_order_of_dates(
    read: Read, tag: str, document: Doc, more: dict[str, str], order: tuple[str, ...], number: int, state: str
) -> None:
    """The date is the first of the order when those before it are missing or unusable; the last one stands first."""
    before = dict.fromkeys(order[:number], "no date") if state == "unusable" else {}
    dates = {name: DAYS[name][0] for name in reversed(order[number:])} | before
    link = LINK if tag == "item" else HREF
    result = read(f"<{tag}>{link}{stamps(**dates)}</{tag}>", document, **more)
    assert result.dates == [DAYS[order[number]][1]]
    assert result.rules.count("invalid-date") == len(before)


DATES = [
    ("F27", "entry", {"modified": "2004-04-20T11:56:34Z", "issued": "2004-04-20T00:23:47", "created":
     "2004-04-19T00:00:00Z"}, atom_1, {"namespace": ATOM_03}, "2004-04-20T11:56:34Z", ["namespace-legacy"]),
    ("F28", "entry", {"issued": "2004-04-20T00:23:47"}, atom_1, {"namespace": ATOM_03}, None,
     ["namespace-legacy", "invalid-date"]),
    ("F29", "entry", {"updated": "yesterday", "published": "2020-01-01T00:00:00Z"}, atom_1, {},
     "2020-01-01T00:00:00Z", ["invalid-date"]),
    ("F30", "entry", {"published": "2020-01-02T00:00:00Z", "updated": "2020-01-01T00:00:00Z"}, atom_1, {},
     "2020-01-01T00:00:00Z", ["date-order"]),
    ("F31", "item", {"dc_date": "1999-01-01", "pubDate": RFC822}, rss_2, {}, "2011-06-27T19:34:00+01:00", []),
    ("F31-only-dc", "item", {"dc_date": "1999-01-01"}, rss_2, {}, "1999-01-01", []),
    ("no-date", "item", {}, rss_2, {}, None, []),
    ("no-updated", "entry", {"published": "2020-01-01T00:00:00Z"}, atom_1, {}, "2020-01-01T00:00:00Z",
     ["missing-updated"]),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "dates", "document", "more", "date", "rules"), [row[1:] for row in DATES],
                         ids=[row[0] for row in DATES])  # fmt: skip
def test_date(
    read: Read, tag: str, dates: dict[str, str], document: Doc, more: dict[str, str], date: str, rules: list[str]
) -> None:
    link = LINK if tag == "item" else HREF
    result = read(f"<{tag}>{link}{stamps(**dates)}</{tag}>", document, **more)
    assert result.dates == [date]
    assert sorted(result.rules) == sorted(rules)


def test_f28_with_a_zone_that_the_user_names(read: Read) -> None:
    items = f"<entry>{HREF}<issued>2004-04-20T00:23:47</issued></entry>"
    assert read(items, atom_1, zone=UTC, namespace=ATOM_03).dates == ["2004-04-20T00:23:47Z"]


def test_f32_a_future_date_is_kept(read: Read) -> None:
    assert read(item(LINK, "<pubDate>Fri, 01 Jan 2999 00:00:00 GMT</pubDate>")).dates == ["2999-01-01T00:00:00Z"]


def test_f33_dates_of_the_channel_are_no_dates_of_items(read: Read) -> None:
    channel = f"<pubDate>{RFC822}</pubDate><lastBuildDate>{RFC822}</lastBuildDate>"
    assert read(item(LINK), channel=channel).dates == [None]


# --- F35 to F42: what is no page


def test_f35_an_older_live_entry_of_a_deleted_id_is_left_out(read: Read) -> None:
    deleted = '<at:deleted-entry ref="tag:e.com,2020:1" when="2021-01-01T00:00:00Z"/>'
    result = read(deleted + entry(HREF), atom_1)
    assert result.locs == []
    assert result.ledger.counts.filtered == 1
    assert set(result.rules) == {"deleted-entry"}


def test_f35_a_newer_entry_of_a_deleted_id_stays(read: Read) -> None:
    deleted = '<at:deleted-entry ref="tag:e.com,2020:1" when="2019-01-01T00:00:00Z"/>'
    assert read(deleted + entry(HREF), atom_1).locs == ["http://e.com/1"]


@pytest.mark.parametrize(
    ("document", "items", "where", "link"),
    [
        pytest.param(rss_2, item(LINK), "channel", '<atom:link rel="next" href="http://e.com/2"/>', id="rss"),
        pytest.param(atom_1, entry(HREF), "feed", '<link rel="next" href="http://e.com/2"/>', id="atom"),
    ],
)
def test_f36_a_next_page_is_said_and_not_read(read: Read, document: Doc, items: str, where: str, link: str) -> None:
    result = read(items, document, **{where: link})
    assert result.locs == ["http://e.com/1"]
    assert result.rules == ["feed-incomplete"]


@pytest.mark.parametrize("mark", ["<fh:complete/>", "<fh:archive/>"])
def test_f37_marks_of_feed_history_change_nothing(read: Read, mark: str) -> None:
    result = read(entry(HREF), atom_1, feed=mark)
    assert (result.locs, result.rules) == (["http://e.com/1"], [])


def test_f38_the_same_id_twice_is_two_entries_of_one_document(read: Read) -> None:
    # Which one wins is a matter of several archive pages, which are not followed by default.
    assert len(read(entry(HREF) + entry(HREF), atom_1).entries) == 2


def test_f39_an_undeclared_html_entity_is_repaired_and_said() -> None:
    result = _reader(rss_2(item("<title>a&nbsp;b</title>", LINK), "", ""))()
    assert [(one.loc, one.title) for one in result.entries] == [("http://e.com/1", "a\xa0b")]
    assert [(f.rule, f.severity) for f in result.ledger.findings] == [("undefined-entity", "error")]


def test_f40_a_video_that_is_the_page_is_no_video(read: Read) -> None:
    video = '<media:content medium="video" url="http://e.com/1"/><media:thumbnail url="http://e.com/t.jpg"/>'
    result = read(item(LINK, "<media:title>t</media:title><media:description>d</media:description>", video))
    assert result.locs == ["http://e.com/1"]
    assert result.entries[0].videos == ()
    assert result.rules == ["video-incomplete"]


@pytest.mark.parametrize("word", ["yes", " YES "])
def test_f42_a_draft_is_left_out(read: Read, word: str) -> None:
    draft = f"<app:control><app:draft>{word}</app:draft></app:control>"
    result = read(entry(HREF, draft) + entry('<link href="http://e.com/2"/>'), atom_1)
    assert result.locs == ["http://e.com/2"]
    assert result.rules == ["draft-entry"]
    assert result.ledger.counts.filtered == 1


def test_f42_no_draft(read: Read) -> None:
    draft = "<app:control><app:draft>no</app:draft></app:control>"
    assert read(entry(HREF, draft), atom_1).locs == ["http://e.com/1"]


# --- what is never a page


@pytest.mark.parametrize(
    "channel",
    [
        "<link>http://c.example/</link>",
        "<image><link>http://i.example/</link></image>",
        "<textInput><link>http://t.example/</link></textInput>",
    ],
)
def test_links_of_the_channel_are_no_items(read: Read, channel: str) -> None:
    assert read(item(LINK), channel=channel).locs == ["http://e.com/1"]


def test_the_channel_of_rdf_is_no_item(read: Read) -> None:
    assert read("", rss_1).locs == []


# --- relative addresses

RELATIVE = [
    ("xml-base", {"base": "http://b.example/x/"}, "http://f.example/feed", "z", "http://b.example/x/z"),
    ("relative-xml-base", {"base": "/x/"}, "http://f.example/feed", "z", "http://f.example/x/z"),
    ("feed-address", {}, "http://f.example/dir/feed", "z", "http://f.example/dir/z"),
    ("root-relative", {}, "http://f.example/dir/feed", "/z", "http://f.example/z"),
    ("scheme-relative", {}, "https://f.example/dir/feed", "//o.example/z", "https://o.example/z"),
    ("query", {}, "http://f.example/dir/feed", "?id=4", "http://f.example/dir/feed?id=4"),
    ("parent", {}, "http://f.example/a/b/feed", "../z", "http://f.example/a/z"),
]


@pytest.mark.parametrize("kind", ["rss", "rdf", "atom"])
@pytest.mark.parametrize(("attributes", "base_url", "link", "loc"), [row[1:] for row in RELATIVE],
                         ids=[row[0] for row in RELATIVE])  # fmt: skip
def test_relative_address(
    read: Read, kind: str, attributes: dict[str, str], base_url: str, link: str, loc: str
) -> None:
    base = f' xml:base="{attributes["base"]}"' if attributes else ""
    if kind == "atom":
        result = read(entry(f'<link href="{link}"/>').replace("<entry>", f"<entry{base}>"), atom_1, base_url=base_url)
    else:
        result = read(f"<item{base}><link>{link}</link></item>", rss_2 if kind == "rss" else rss_1, base_url=base_url)
    assert result.locs == [loc]
    assert result.rules == ["not-absolute"]


def test_base_on_the_link_itself(read: Read) -> None:
    items = (
        f'<entry xml:base="http://e.com/a/"><link xml:base="b/" href="c"/>{stamps(updated=DAYS["updated"][0])}</entry>'
    )
    assert read(items, atom_1).locs == ["http://e.com/a/b/c"]


def test_the_link_of_the_channel_is_the_last_base(read: Read) -> None:
    result = read(item("<link>a</link>"), channel="<link>http://c.example/dir/</link>")
    assert result.locs == ["http://c.example/dir/a"]
    assert result.rules == ["not-absolute"]


def test_the_address_of_the_feed_comes_before_the_link_of_the_channel(read: Read) -> None:
    result = read(item("<link>a</link>"), channel="<link>http://c.example/</link>", base_url="http://f.example/x")
    assert result.locs == ["http://f.example/a"]


@pytest.mark.parametrize("channel", ["", "<link>/relative/</link>"])
def test_without_a_base_a_relative_address_is_rejected(read: Read, channel: str) -> None:
    result = read(item("<link>/a/b</link>"), channel=channel)
    assert result.locs == []
    assert [(reject.rule, reject.value) for reject in result.rejects] == [("not-absolute", "/a/b")]


@pytest.mark.parametrize("text", ["&lt;&gt;http://e.com/2", "click here", "a|b"])
def test_what_is_no_reference_is_not_resolved(read: Read, text: str) -> None:
    result = read(item(f"<link>{text}</link>"), base_url="http://f.example/")
    assert [reject.rule for reject in result.rejects] == ["not-a-url"]


@pytest.mark.parametrize("text", ["&amp;http://e.com/2", "e.com:8080/x", "1http://e.com/"])
def test_what_has_a_colon_before_its_first_slash_is_not_relative(read: Read, text: str) -> None:
    # RFC 3986 4.2: the first segment of a relative reference holds no colon.
    assert read(item(f"<link>{text}</link>"), base_url="http://f.example/").locs == []


def test_without_a_base_a_relative_atom_link_is_rejected(read: Read) -> None:
    result = read(entry('<link href="a/b"/>'), atom_1)
    assert [(reject.rule, reject.value) for reject in result.rejects] == [("not-absolute", "a/b")]


# --- Media RSS

VIDEO = (
    '<media:content url="http://e.com/v.mp4" type="video/mp4" duration="90">'
    '<media:player url="http://e.com/player"/><media:thumbnail url="http://e.com/t.jpg"/>'
    "<media:title>Title</media:title><media:description>Text</media:description>"
    "<media:keywords>a, b ,c</media:keywords>"
    '<media:restriction relationship="allow" type="country">au us</media:restriction></media:content>'
)


def test_media_rss_to_a_video_block(read: Read) -> None:
    period = "<dcterms:valid>start=2002-10-13T09:00+01:00; end=2002-10-17T17:00+01:00; scheme=W3C-DTF</dcterms:valid>"
    (video,) = read(item(LINK, VIDEO, period)).entries[0].videos
    assert video.model_dump(exclude_defaults=True, exclude={"publication_date", "expiration_date"}) == {
        "content_loc": "http://e.com/v.mp4",
        "player_loc": "http://e.com/player",
        "thumbnail_loc": "http://e.com/t.jpg",
        "title": "Title",
        "description": "Text",
        "duration": 90,
        "tags": ("a", "b", "c"),
        "restriction": "AU US",
        "restriction_relationship": "allow",
    }
    assert str(video.publication_date) == "2002-10-13T09:00:00+01:00"
    assert str(video.expiration_date) == "2002-10-17T17:00:00+01:00"


def test_the_namespace_without_its_slash_is_media_rss_too() -> None:
    document = rss_2(item(LINK, VIDEO), "", "").replace("http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss")
    assert len(_reader(document)().entries[0].videos) == 1


LEVELS = ("channel", "item", "group", "content")


@pytest.mark.parametrize("level", LEVELS)
def test_the_more_specific_level_wins(read: Read, level: str) -> None:
    """Each level up to this one names itself in its title; the title of the last one is the video's."""
    titles = {
        name: f"<media:title>{name}</media:title>" if LEVELS.index(name) <= LEVELS.index(level) else ""
        for name in LEVELS
    }
    content = f'<media:content medium="video" url="http://e.com/v.mp4">{titles["content"]}</media:content>'
    group = f"<media:group>{titles['group']}{content}</media:group>"
    rest = '<media:thumbnail url="http://e.com/t.jpg"/><media:description>d</media:description>'
    result = read(item(LINK, rest, titles["item"], group), channel=titles["channel"])
    assert [video.title for video in result.entries[0].videos] == [level]


@pytest.mark.parametrize("lost", ["thumbnail", "title", "description"])
def test_a_video_without_what_is_required_is_left_out(read: Read, lost: str) -> None:
    result = read(item(LINK, VIDEO.replace(f"<media:{lost}", "<media:x").replace(f"</media:{lost}>", "</media:x>")))
    assert result.entries[0].videos == ()
    assert result.rules == ["video-incomplete"]


def test_limits_of_a_video_block(read: Read) -> None:
    keywords = ", ".join(f"k{number}" for number in range(40))
    video = VIDEO.replace("Title", "T" * 150).replace("Text", "D" * 3000).replace("a, b ,c", keywords)
    result = read(item(LINK, video) * 2)
    assert result.rules == ["video-title-too-long", "video-description-too-long", "video-too-many-tags"]
    found = result.entries[1].videos[0]
    assert (len(found.title or ""), len(found.description or ""), len(found.tags)) == (100, 2048, 32)


def test_a_player_is_enough(read: Read) -> None:
    (video,) = read(item(LINK, VIDEO.replace('url="http://e.com/v.mp4" ', ""))).entries[0].videos
    assert (video.content_loc, video.player_loc) == (None, "http://e.com/player")


def test_pictures_and_sound_are_no_videos(read: Read) -> None:
    media = (
        '<media:content url="http://e.com/a.jpg" medium="image"/><media:content url="http://e.com/a" type="audio/x"/>'
    )
    result = read(item(LINK, media))
    assert (result.entries[0].videos, result.rules) == ((), [])


# --- pictures, and podcasts with pictures that move

BOTH = pytest.mark.parametrize(
    ("media", "expected"),
    [
        pytest.param('<media:content url="http://e.com/a" medium="image"/>', ["http://e.com/a"], id="medium"),
        pytest.param('<media:content url="http://e.com/a" type="image/webp"/>', ["http://e.com/a"], id="type"),
        pytest.param('<media:content url="http://e.com/a" type="IMAGE/PNG"/>', ["http://e.com/a"], id="type-capitals"),
        pytest.param('<media:content url="http://e.com/a.jpg"/>', [], id="name-alone-is-not-certain"),
        pytest.param('<media:content url="http://e.com/a" medium="document" type="image/png"/>', [], id="medium-wins"),
        pytest.param('<media:content medium="image"/>', [], id="no-address"),
        pytest.param(
            '<media:group><media:content url="http://e.com/a" medium="image"/>'
            '<media:content url=" http://e.com/b " medium="image"/></media:group>',
            ["http://e.com/a", "http://e.com/b"],
            id="group",
        ),
        pytest.param('<media:thumbnail url="http://e.com/t"/>', ["http://e.com/t"], id="thumbnail"),
        pytest.param(
            '<media:content url="http://e.com/a.mp3" type="audio/mpeg"><media:thumbnail url="http://e.com/t"/>'
            "</media:content>",
            ["http://e.com/t"],
            id="thumbnail-of-sound",
        ),
        pytest.param(
            '<media:group><media:content medium="image" url="http://e.com/a"><media:thumbnail url="http://e.com/t"/>'
            "</media:content></media:group>",
            ["http://e.com/a", "http://e.com/t"],
            id="thumbnail-of-a-picture",
        ),
        pytest.param(
            '<enclosure url="http://e.com/a" length="1" type="image/jpeg"/>', ["http://e.com/a"], id="enclosed"
        ),
        pytest.param('<enclosure url="http://e.com/a.mp3" length="1" type="audio/mpeg"/>', [], id="sound"),
        pytest.param('<atom:enclosure url="http://e.com/a" type="image/jpeg"/>', [], id="another-enclosure"),
        pytest.param(
            '<enclosure url="http://e.com/a" type="image/jpeg"/><media:content url="http://e.com/a" medium="image"/>',
            ["http://e.com/a"],
            id="once",
        ),
    ],
)


@BOTH
def test_pictures_of_an_item(read: Read, media: str, expected: list[str]) -> None:
    result = read(item(LINK, media))
    assert [image.as_dict() for image in result.entries[0].images] == [{"loc": loc} for loc in expected]
    assert (result.entries[0].videos, result.rules) == ((), [])


@pytest.mark.parametrize("namespace", [RSS_10, RSS_090])
def test_an_enclosure_belongs_to_the_namespace_of_its_item(read: Read, namespace: str) -> None:
    enclosure = '<enclosure url="http://e.com/a" type="image/png"/>'
    result = read(item(LINK, enclosure), rss_1, namespace=namespace)
    assert [image.loc for image in result.entries[0].images] == ["http://e.com/a"]


def test_the_thumbnail_of_a_video_is_no_picture_of_the_page(read: Read) -> None:
    picture = '<media:content url="http://e.com/a" medium="image"/>'
    result = read(item(LINK, VIDEO, picture, '<media:thumbnail url="http://e.com/t2"/>'))
    assert [image.loc for image in result.entries[0].images] == ["http://e.com/a"]
    assert len(result.entries[0].videos) == 1


ENCLOSED = '<enclosure url="http://e.com/v.mp4" length="9" type="video/mp4"/>'
TOLD = "<title>T</title><description>&lt;p&gt;D&lt;/p&gt;</description>"
COVER = '<itunes:image href="http://e.com/i.jpg"/>'


def test_a_podcast_to_a_video_block(read: Read) -> None:
    result = read(item(LINK, ENCLOSED, TOLD, COVER, "<itunes:duration>1:02:03</itunes:duration>"))
    (video,) = result.entries[0].videos
    assert video.as_dict() == {
        "content_loc": "http://e.com/v.mp4",
        "thumbnail_loc": "http://e.com/i.jpg",
        "title": "T",
        "description": "<p>D</p>",
        "duration": 3723,
    }
    assert (result.entries[0].images, result.rules) == ((), [])


@pytest.mark.parametrize(
    ("inner", "channel", "expected"),
    [
        ("", COVER, "http://e.com/i.jpg"),
        ("", '<media:thumbnail url="http://e.com/m.jpg"/>', "http://e.com/m.jpg"),
        (COVER, '<media:thumbnail url="http://e.com/m.jpg"/>', "http://e.com/i.jpg"),
        (COVER + '<media:thumbnail url="http://e.com/m.jpg"/>', "", "http://e.com/m.jpg"),
    ],
)
def test_the_thumbnail_of_a_podcast(read: Read, inner: str, channel: str, expected: str) -> None:
    result = read(item(LINK, ENCLOSED, TOLD, inner), channel=channel)
    assert [video.thumbnail_loc for video in result.entries[0].videos] == [expected]
    assert result.entries[0].images == ()


def test_what_media_rss_says_of_an_enclosure_wins(read: Read) -> None:
    media = "<media:title>M</media:title><media:description>N</media:description><media:keywords>a,b</media:keywords>"
    (video,) = read(item(LINK, ENCLOSED, TOLD, COVER, media)).entries[0].videos
    assert (video.title, video.description, video.tags) == ("M", "N", ("a", "b"))


def test_a_channels_title_is_not_that_of_its_videos(read: Read) -> None:
    (video,) = read(item(LINK, ENCLOSED, TOLD, COVER), channel="<media:title>M</media:title>").entries[0].videos
    assert video.title == "T"


@pytest.mark.parametrize(
    "inner",
    [TOLD, TOLD.replace("title>", "x>") + COVER, TOLD.replace("description>", "x>") + COVER],
    ids=["thumbnail", "title", "description"],
)
def test_a_podcast_without_what_is_required_is_no_video(read: Read, inner: str) -> None:
    result = read(item(LINK, ENCLOSED, inner))
    assert (result.entries[0].videos, result.rules) == ((), ["video-incomplete"])


def test_a_summary_stands_in_for_a_description(read: Read) -> None:
    result = read(item(LINK, ENCLOSED, "<title>T</title><itunes:summary>S</itunes:summary>", COVER))
    assert [video.description for video in result.entries[0].videos] == ["S"]


def test_an_enclosure_beside_media_rss_is_the_same_film(read: Read) -> None:
    assert len(read(item(LINK, ENCLOSED, TOLD, COVER, VIDEO)).entries[0].videos) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3723", 3723),
        ("62:03", 3723),
        ("1:02:03", 3723),
        ("01:02:03", 3723),
        (" 1:2:3 ", 3723),
        ("8:00:00", 28_800),
        ("8:00:01", None),
        ("0", None),
        ("1:60", None),
        ("1:60:00", None),
        ("90.5", None),
        ("1h", None),
        ("-5", None),
    ],
)
def test_the_duration_of_a_podcast(read: Read, text: str, expected: int | None) -> None:
    result = read(item(LINK, ENCLOSED, TOLD, COVER, f"<itunes:duration>{text}</itunes:duration>"))
    assert [video.duration for video in result.entries[0].videos] == [expected]
    assert result.rules == (["video-invalid-duration"] if expected is None else [])


def test_an_empty_duration_says_nothing(read: Read) -> None:
    assert read(item(LINK, ENCLOSED, TOLD, COVER, "<itunes:duration/>")).rules == []


def test_relative_addresses_of_media(read: Read) -> None:
    media = '<media:content url="a.png" medium="image"/>'
    result = read(item(LINK, media), base_url="http://e.com/x/feed.xml")
    assert [image.loc for image in result.entries[0].images] == ["http://e.com/x/a.png"]
    assert [(one.rule, one.severity, one.action) for one in result.ledger.findings if one.rule == "not-absolute"] == [
        ("not-absolute", "warning", "repaired")
    ]
    result = read(item(LINK, media))
    assert [image.loc for image in result.entries[0].images] == ["a.png"]
    assert [one.action for one in result.ledger.findings if one.rule == "not-absolute"] == ["kept"]


def test_the_page_is_no_video_of_itself(read: Read) -> None:
    enclosure = '<enclosure url="http://e.com/1" type="video/mp4"/>'
    assert read(item(LINK, enclosure, TOLD, COVER)).entries[0].videos == ()


# --- the title


@pytest.mark.parametrize(
    ("items", "document", "title"),
    [
        pytest.param(item(LINK, "<title> A &amp; B </title>"), rss_2, "A & B", id="rss"),
        pytest.param(item(LINK, "<media:title>no</media:title>"), rss_2, None, id="media-title-is-another"),
        pytest.param(entry(HREF).replace("<title>t", '<title type="html">A &lt;b&gt;'), atom_1, "A <b>", id="atom"),
    ],
)
def test_title(read: Read, items: str, document: Doc, title: str | None) -> None:
    assert read(items, document).entries[0].title == title
