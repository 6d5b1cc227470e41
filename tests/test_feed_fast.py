"""The fast lane of feeds gives what the other lanes give: entries, findings, lines and rejects."""

from __future__ import annotations

import gzip
from functools import partial
from itertools import islice
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.formats import atom, registry, rss
from urlset.formats.feeds import fast
from urlset.formats.vocabulary.batches import slices
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Publication
from urlset.formats.vocabulary.errors import StrictError, UrlsetError
from urlset.formats.vocabulary.feed_dates import plain_rfc822, read_rfc822
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.news import Paper
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import lanes
from urlset.formats.xml import namespaces as ns

Outcome = tuple[list[tuple[Any, ...]], list[Any], list[Reject], Any, str | None, str | None]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
ATOM = "http://www.w3.org/2005/Atom"
DC = "http://purl.org/dc/elements/1.1/"
SPACES = f'xmlns:dc="{DC}" xmlns:atom="{ATOM}" xmlns:media="http://search.yahoo.com/mrss/"'
PAPER = Paper(Publication(name="Paper", language="en"), LastMod("2024-05-07T00:00:00Z"))


def nothing(*_: Any) -> Any:
    """No entry that is as usual."""
    return None


def outcome(document: bytes, ways: str, name: str, **options: Any) -> tuple[Outcome, int]:
    """Everything that reading a document tells, and how many items the fast lane read.

    ``ways``: ``fast``, ``plain`` (elements in one pass), or ``close``, by which all others must do.
    """
    rejects: list[Reject] = []
    ledger = Ledger(strict=options.pop("strict", False), rejects=rejects.append)
    account = ledger.open("s.xml")
    with pytest.MonkeyPatch.context() as patch:
        taken = [0]
        whole = fast.FastLane.batches

        def batches(self: fast.FastLane) -> Any:
            yield from whole(self) if ways == "fast" else ()
            taken[0] = self.taken

        patch.setattr(fast.FastLane, "batches", batches)
        patch.setattr(fast, "SMALL", 0)
        patch.setattr(fast, "LEAST", 1)
        patch.setattr(fast, "FIRST", options.pop("first", 1 << 18))
        patch.setattr(fast, "BLOCK", options.pop("block", 1 << 14))
        patch.setattr(fast, "slices", partial(slices, size=options.pop("at_once", 128)))
        if ways == "close":
            patch.setattr(rss._Channel, "usual_entry", nothing)
            patch.setattr(atom._Feed, "usual_entry", nothing)
        read = registry().reader(name).read
        assert read is not None
        entries, failure, remark = [], None, options.get("remark")
        try:
            for entry in read(Source.from_bytes(document, "s.xml"), account, ReadOptions(**options)):
                assert entry.origin is not None
                precision = entry.lastmod and entry.lastmod.precision
                # Only remarks need the lines of fields; who has them without being asked depends on the way.
                lines = dict(entry.origin.lines) if remark else {}
                entries.append((entry, entry.origin.line, lines, precision))
        except StrictError as error:
            failure = str(error)
    return (entries, ledger.findings, rejects, ledger.counts, failure, account.version), taken[0]


def alike(document: str | bytes, name: str = "rss", **options: Any) -> int:
    """Check that all ways tell the same; the number of items that the fast lane read."""
    data = document if isinstance(document, bytes) else document.encode("utf-8", "surrogatepass")
    quick, taken = outcome(data, "fast", name, **options)
    close, _ = outcome(data, "close", name, **options)
    assert quick == close
    assert outcome(data, "plain", name, **options)[0] == close
    return taken


def feed(*items: str, head: str = HEAD, root: str = f'<rss version="2.0" {SPACES}>', more: str = "") -> str:
    channel = f"<channel><title>T</title>\n<link>https://example.com/</link>{more}\n"
    return f"{head}{root}{channel}{''.join(items)}</channel>\n</rss>\n"


def item(*fields: str, layout: tuple[str, str, str] = ("", "", "\n"), start: str = "<item>") -> str:
    before, inside, after = layout
    return f"{before}{start}{''.join(inside + one for one in fields)}{before}</item>{after}"


def link(address: str) -> str:
    return f"<link>{address}</link>"


def atom_feed(
    *entries: str, root: str = f'<feed xmlns="{ATOM}" xmlns:dc="{DC}" xmlns:app="http://www.w3.org/2007/app">'
) -> str:
    return f"{HEAD}{root}<id>x</id>\n<title>T</title>{''.join(entries)}</feed>\n"


def atom_entry(*fields: str, updated: str | None = "2024-05-06T07:08:09Z", start: str = "<entry>") -> str:
    date = "" if updated is None else f"<updated>{updated}</updated>"
    return f"\n{start}<id>tag:1</id>{''.join(fields)}{date}</entry>"


def href(address: str, more: str = "") -> str:
    return f'<link{more} href="{address}"/>'


DELETED = '<t:deleted-entry ref="tag:1" when="2025-01-01T00:00:00Z"/>'
DATE = "<pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate>"
PLAIN = [item(f"<title>No. {n} &amp; more</title>", link(f"https://example.com/{n}"), DATE) for n in range(5)]
ENTRIES = [atom_entry(href(f"https://example.com/{n}"), f"<title>No. {n}</title>") for n in range(5)]


# --- RSS


@pytest.mark.parametrize(
    "document",
    [
        feed(*PLAIN),
        feed(*PLAIN, head=""),
        feed(*PLAIN, head="\ufeff<?xml version='1.0'?>\n<!-- <item ></item > - -->\n"),
        feed(*PLAIN).replace("\n", "\r\n"),
        feed(*PLAIN).replace("\n", ""),
        feed(*(item(link(f"https://example.com/{n}"), DATE, layout=("\n  ", "\n    ", "")) for n in range(4))),
        feed(*PLAIN, more='<image>\n<url>u</url></image><atom:link rel="self" href="x"/>'),
        feed(*PLAIN, more='<atom:link rel="next" href="https://example.com/2"/>'),
    ],
)
def test_feeds_as_they_are_written_are_read_by_it_to_the_end(document: str) -> None:
    assert alike(document) == document.count("<item>")
    assert alike(document, block=64, at_once=2, first=1) in (document.count("<item>"), 0)


@pytest.mark.parametrize(
    "field",
    [
        "",
        "<pubDate>Mon, 6 May 2024 07:08:09 +0200</pubDate>",
        "<pubDate>6 May 2024 07:08:09 -0000</pubDate>",
        "<pubDate>Mon, 06 May 2024 07:08:09 EST</pubDate>",
        "<pubDate>Tue, 06 May 2024 07:08:09 GMT</pubDate>",
        "<pubDate>Thu, 29 Feb 2024 07:08:09 GMT</pubDate>",
        "<pubDate>Wed, 29 Feb 2023 07:08:09 GMT</pubDate>",
        "<pubDate>Mon, 06 May 2024 07:08 GMT</pubDate>",
        "<pubDate>Mon, 06 May 2024 24:08:09 GMT</pubDate>",
        "<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>",
        "<pubDate>Mon, 06 May 2024 07:08:09 +1500</pubDate>",
        "<pubDate>2024-05-06T07:08:09Z</pubDate>",
        "<pubDate></pubDate>",
        "<pubDate>\nMon, 06 May 2024 07:08:09 GMT\n</pubDate>",
        "<pubDate>never</pubDate>",
        f"{DATE}<dc:date>2024-05-07</dc:date>",
        f"{DATE}<dc:date>never</dc:date>",
        "<dc:date>2024-05-07</dc:date>",
        "<dc:date>2024-05-07T07:08Z</dc:date>",
        "<dc:date></dc:date>",
        "<atom:updated>2024-05-07T07:08:09.5Z</atom:updated><dc:date>2024-05-07</dc:date>",
        "<atom:updated>2024-05-07</atom:updated>",
        "<title> \n </title>",
        "<title>a &lt;b&gt; &#8217; &#x1F600; &apos;</title>",
        '<title type="html"><![CDATA[a <b> & ]] ]> </item>]]> &amp; c</title>',
        "<description><![CDATA[<p>a & b</p>]]></description>",
        '<category domain="x" dc:y="&amp;">c</category><category>d</category><guid isPermaLink="false">1</guid>',
        "<author><name>N</name><link>https://other.example/</link></author>",
        '<enclosure url="https://example.com/a.mp3" length="1" type="audio/mpeg"/>',
        "<image/>",
    ],
)
@pytest.mark.parametrize("remark", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_an_odd_field_is_met_where_it_stands(field: str, remark: bool, strict: bool) -> None:
    layout = ("\n ", "\n  ", "")
    odd = item("<guid>1</guid>", link("https://example.com/odd"), field, layout=layout)
    usual = [item(link(f"https://example.com/{n}"), layout=layout) for n in range(20)]
    taken = alike(feed(*usual, odd, *usual), remark=remark, strict=strict)
    assert strict or taken == 41


@pytest.mark.parametrize(
    "field",
    ["<pubDate/>", f"{DATE}<pubDate>never</pubDate>", "<title/>", "<title>one</title><title>two</title>"],
)
@pytest.mark.parametrize("remark", [False, True])
def test_an_element_that_is_empty_or_stands_there_twice_is_left_to_the_others(field: str, remark: bool) -> None:
    assert alike(feed(*PLAIN, item(link("https://example.com/odd"), field), *PLAIN), remark=remark) == 5


@pytest.mark.parametrize(
    "address",
    [
        "/relative",
        "ftp://example.com/",
        "",
        " https://example.com/ ",
        "https://example.com/ü?a=%20#x",
        "https://example.com/?a=1&amp;b=2&#38;c=3",
        "https://example.com/&lt;",
        "<![CDATA[https://example.com/?a&b]]>",
        "https://a.example/;",
        "https://example.com/" + "x" * 2_100,
        "https://example.com/\nhttps://example.com/",
        "\u200bhttps://example.com/\u200b",
        "mailto:a@b",
    ],
)
@pytest.mark.parametrize("options", [{}, {"remark": True}, {"base_url": "https://base.example/"}, {"strict": True}])
def test_an_odd_address_is_met_where_it_stands(address: str, options: dict[str, Any]) -> None:
    usual = [item(link(f"https://example.com/{n}")) for n in range(9)]
    taken = alike(feed(*usual, item(link(address), '<guid isPermaLink="false">g</guid>'), *usual), **options)
    assert taken == 19 or "strict" in options


@pytest.mark.parametrize(
    "piece",
    [
        "<description>a & b</description>",
        "<description>&eacute;</description>",
        "<description>&#1;</description>",
        "<description>&#xD800;</description>",
        "<description>&#13;&#xA;</description>",
        "<description>a ]]> b</description>",
        "<description>\x01</description>",
        "<description>\ufffe</description>",
        "<description><![CDATA[x]]></description>]]>",
        "<description><p>x<b>y<i>z</i></b></p></description>",
        "<description>a</Description>",
        "<description>a<br>b</description>",
        '<guid a="1" a="2">x</guid>',
        '<guid a="1" b="3" c="4" a="2">x</guid>',
        "<guid a='1'>x</guid>",
        '<guid a="<">x</guid>',
        '<guid a="&">x</guid>',
        '<guid a="1"b="2">x</guid>',
        '<guid a = "1">x</guid>',
        '<guid a="1"\n b="2">x</guid>',
        '<guid xmlns="x">x</guid>',
        '<guid xmlns:p="x"><p:a/></guid>',
        '<guid p:a="x">x</guid>',
        '<guid xml:id="1 2">x</guid>',
        "<p:a>x</p:a>",
        "<xmlns:a>x</xmlns:a>",
        "<a:b:c>x</a:b:c>",
        "<1>x</1>",
        "<!-- a -- b -->",
        "<!-- a -->",
        "<?php x ?>",
        "text",
        "<item><link>https://example.com/inner</link></item>",
        "<a><item><link>https://example.com/inner</link></item></a>",
        "<a><Item>x</Item></a>",
        "<channel/>",
        "<atom:item/>",
        "<link>https://example.com/2</link>",
        '<link a="1">https://example.com/2</link>',
        "<link/>",
        '<enclosure url="https://example.com/a.jpg" length="1" type="image/jpeg"/>',
        '<enclosure url="https://example.com/a.mp4" length="1" type="video/mp4"/>',
        '<media:content url="https://example.com/a.jpg" medium="image"/>',
        '<media:group><media:thumbnail url="https://example.com/a.jpg"/></media:group>',
        f"<{'n' * 200}/>",
        "</item><item>",
        "</channel><channel>",
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_what_it_does_not_know_is_left_to_the_others(piece: str, first: bool) -> None:
    odd = item(link("https://example.com/x"), piece, DATE)
    taken = alike(feed(*([odd] if first else PLAIN), *PLAIN, odd, *PLAIN))
    assert taken <= 10 or piece.startswith("</item>")
    alike(feed(*PLAIN, piece, *PLAIN))


@pytest.mark.parametrize(
    "root",
    [
        '<rss xmlns="http://backend.userland.com/rss2">',
        f'<rss xmlns="{ATOM}">',
        f'<rss xmlns:a="{DC}" xmlns:b="{DC}">',
        '<rss xmlns:xml="http://www.w3.org/XML/1998/namespace">',
        '<rss xml:base="https://base.example/">',
        '<RSS version="0.91">',
        "<rss a='1'>",
    ],
)
def test_roots(root: str) -> None:
    document = feed(*PLAIN, item(link("/rel"), "<a:date>2024-05-06</a:date>"), *PLAIN, root=root)
    alike(document.replace("</rss>", f"</{root[1:4]}>"))


def test_items_outside_of_the_channel_are_said_to_be() -> None:
    assert alike(f'<rss version="2.0"><channel><title>x</title></channel>{"".join(PLAIN)}</rss>') == 1


def test_rss_10_is_read_by_it() -> None:
    start = '<item rdf:about="https://example.com/about">'
    items = "".join(
        item(link(f"https://example.com/{n}"), "<dc:date>2024-05-06</dc:date>", start=start) for n in range(5)
    )
    root = f'<rdf:RDF xmlns="{ns.RSS_10}" xmlns:rdf="{ns.RDF}" {SPACES}><channel><title>x</title></channel>'
    assert alike(f"{root}{items}</rdf:RDF>") == 5
    assert alike(f"{root}{items}{item(start=start)}{items}</rdf:RDF>") == 11
    assert alike(f"{root}{items}</rdf:RDF >") == 5
    prefixed = f"{root}{items}</rdf:RDF>".replace("xmlns:dc", f'xmlns:r="{ns.RSS_10}" xmlns:dc')
    assert alike(prefixed) == 1


@pytest.mark.parametrize(
    "end", ["<p/>", "</channel><x/></rss>", "</channel></rss><!-- x -->", "</channel></rss>x", "\0"]
)
def test_ends(end: str) -> None:
    alike(feed(*PLAIN).partition("</channel>")[0] + end)


def test_bytes_that_are_not_utf8_are_left_to_the_others() -> None:
    assert alike(feed(*PLAIN, item(link("https://example.com/ß")), *PLAIN).encode("latin-1")) in (0, 5)
    assert alike(feed(*PLAIN).encode("utf-16")) == 0
    alike(feed(*PLAIN).encode() + b"\xe2\x82")


@pytest.mark.parametrize("document", [feed(*PLAIN[:3]), atom_feed(*ENTRIES[:3])])
def test_a_document_that_is_cut_off(document: str) -> None:
    for end in range(200, len(document)):
        alike(document[:end], name="rss" if "<rss" in document else "atom", block=64, at_once=2)


def test_items_of_a_paper_are_left_to_the_others() -> None:
    assert alike(feed(*PLAIN), paper=PAPER) == 0
    assert alike(atom_feed(*ENTRIES), name="atom", paper=PAPER) == 0


def test_items_that_all_need_a_closer_look_are_not_looked_at_for_long() -> None:
    assert 1 <= alike(feed(*[item(link(f"/{n}")) for n in range(300)])) < 30


def test_many_lines() -> None:
    items = [item(link(f"https://example.com/{n}"), "\n" * (n % 700), DATE) for n in range(250)]
    assert alike(feed(*items, item(link("/x")), *PLAIN), remark=True) == 256


def test_a_short_document_is_left_to_the_others() -> None:
    document = Source.from_bytes(feed(*PLAIN).encode())
    account = Ledger().open("s")
    lane = fast.FastLane(
        document,
        lanes.Document(document, account, rss.VOCABULARY, None),
        account,
        ReadOptions(),
        rss.VOCABULARY,
        rss._Channel(account, ReadOptions()),
    )
    assert [*lane.batches()] == []


@pytest.mark.parametrize(("name", "document"), [("rss", feed(*PLAIN * 400)), ("atom", atom_feed(*ENTRIES * 400))])
def test_whoever_stops_early_has_read_no_more(name: str, document: str) -> None:
    ledger = Ledger()
    read = registry().reader(name).read
    assert read is not None
    entries = read(Source.from_bytes(document.encode()), ledger.open("s"), ReadOptions())
    assert len(list(islice(entries, 3))) == 3
    del entries
    assert ledger.counts.read == 3
    batches = registry().reader(name).batches
    assert batches is not None
    some = batches(Source.from_bytes(document.encode()), ledger.open("s"), ReadOptions())
    assert len(list(islice((entry for batch in some for entry in batch), 4))) == 4
    del some
    assert ledger.counts.read == 7


@pytest.mark.parametrize("cut", [3 / 4, 1])
@pytest.mark.parametrize("limits", [Limits(), Limits(max_inflated=150_000)])
@pytest.mark.parametrize(("name", "document"), [("rss", feed(*PLAIN * 400)), ("atom", atom_feed(*ENTRIES * 400))])
def test_what_came_before_a_source_failed_is_handed_out(name: str, document: str, limits: Limits, cut: float) -> None:
    packed = gzip.compress(document.encode(), 0)
    read = registry().reader(name).read
    assert read is not None
    found = {}
    for ways in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not ways:
                patch.setattr(fast, "SMALL", 1 << 30)
            entries, ledger = list[Any](), Ledger()
            try:
                source = Source.from_bytes(packed[: int(len(packed) * cut)], limits=limits)
                for entry in read(source, ledger.open("s"), ReadOptions()):
                    entries += [entry, entry.origin and entry.origin.line]
            except UrlsetError as error:
                entries.append(str(error))
            found[ways] = (entries, ledger.findings, ledger.counts)
    assert found[True] == found[False]


# --- Atom


@pytest.mark.parametrize(
    "fields",
    [
        (href("https://example.com/x"),),
        (href("https://example.com/x", ' rel="alternate" type="text/html"'), href("https://e.com/", ' rel="edit"')),
        ('<link href="https://example.com/x" rel="alternate" hreflang="en" />',),
        (href("https://example.com/x"), '<link href="https://e.com/" rel="self" type="application/atom+xml"/>'),
        (href("https://example.com/x"), '<link href="https://e.com/" title=" rel=" rel="self"/>'),
        ('<link href="https://example.com/x" title=" rel="/>',),
        (href("https://example.com/?a=1&amp;b=2"), '<title type="html">&lt;b&gt;</title>'),
        (href("https://example.com/x"), "<author><name>N</name><uri>u</uri></author>", '<category term="c"/>'),
        (href("https://example.com/x"), "<source><id>y</id><updated>2020-01-01T00:00:00Z</updated></source>"),
        (href("https://example.com/x"), '<content type="html">&lt;p></content>'),
        (href("https://example.com/x"), "<published>2024-05-05T00:00:00Z</published>"),
        ('<summary xml:lang="en">s</summary>', href("https://example.com/x")),
    ],
)
@pytest.mark.parametrize("remark", [False, True])
def test_entries_as_they_are_written_are_read_by_it(fields: tuple[str, ...], remark: bool) -> None:
    entry = atom_entry(*fields)
    assert alike(atom_feed(*ENTRIES, entry, *ENTRIES), name="atom", remark=remark) == 11
    assert alike(atom_feed(entry, *ENTRIES, entry), name="atom", remark=remark) == 7


@pytest.mark.parametrize(
    "fields",
    [
        (),
        (href("/relative"),),
        (href(""),),
        ("<link/>",),
        (href("https://example.com/x", ' rel="Alternate"'),),
        (href("https://example.com/x", f' rel="{atom._ALTERNATE}"'),),
        (href("https://example.com/x", ' rel=""'),),
        (href("https://example.com/x", ' rel="alternate-x"'),),
        (href("https://example.com/x", ' rel="self"'),),
        (href("https://example.com/x", ' rel="self" rel="alternate"'),),
        (href("https://example.com/x", '  rel="self"'),),
        (href("https://example.com/x", ' a="1"  rel="self"'),),
        (href("https://example.com/x", "\n rel='self'"),),
        (href("https://example.com/x", ' app:rel="self"'),),
        (href("https://example.com/x", ' type="application/atom+xml"'),),
        (href("https://example.com/x"), href("https://example.com/y")),
        (href("https://example.com/x", ' hreflang="en"'), href("https://example.com/y", ' hreflang="de"')),
        (href("https://example.com/x"), '<link rel="alternate"/>'),
        ('<link rel="alternate"/>', href("https://example.com/x")),
        (href("https://example.com/x"), '<content src="https://example.com/y"/>'),
        (href("https://example.com/x"), '<content type="xhtml"><div><p>a<b>c</b></p></div></content>'),
        ('<content type="text/html" src="https://example.com/y"/>',),
        (href("https://example.com/x"), "<app:control><app:draft>yes</app:draft></app:control>"),
        (href("https://example.com/x"), "<published>2024-05-07T00:00:00Z</published>"),
        (href("https://example.com/x"), "<published>2024-05-06T07:08:09+01:00</published>"),
        (href("https://example.com/x"), "<published>never</published>"),
        (href("https://example.com/x"), "<published/>"),
        (href("https://example.com/x"), "<updated>2024-05-06T07:08:09Z</updated>"),
        (href("https://example.com/x"), "<modified>2024-05-06T07:08:09Z</modified>"),
        (href("https://example.com/x"), "<title>a</title><title>b</title>"),
        (href("https://example.com/x"), "<title/>"),
        (href("https://example.com/x"), '<title type="xhtml"><div>a</div></title>'),
        (href("https://example.com/x"), f'<link {" ".join(f"{c}=" + chr(34) * 2 for c in "abcdefghijkl")} href="y"/>'),
        (href("https://example.com/x"), "<entry/>"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"remark": True}, {"base_url": "https://base.example/"}, {"strict": True}])
def test_odd_entries_are_met_where_they_stand(fields: tuple[str, ...], options: dict[str, Any]) -> None:
    entry = atom_entry(*fields)
    alike(atom_feed(*ENTRIES, entry, *ENTRIES), name="atom", **options)
    alike(atom_feed(entry, *ENTRIES, entry), name="atom", **options)


@pytest.mark.parametrize(
    "updated",
    [
        None,
        "",
        "2024-05-06",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08+01:00",
        "2024-05-06T07:08:09.25-00:00",
        "2024-02-30T00:00:00Z",
        "2024-02-29T00:00:00Z",
        "2024-05-06t07:08:09z",
        "1970-01-01T00:00:00Z",
        "Mon, 06 May 2024 07:08:09 GMT",
    ],
)
@pytest.mark.parametrize("published", ["", "<published>2024-05-06T07:08:09Z</published>"])
def test_odd_dates_of_entries(updated: str | None, published: str) -> None:
    entry = atom_entry(href("https://example.com/x"), published, updated=updated)
    assert alike(atom_feed(*ENTRIES, entry, *ENTRIES), name="atom", remark=True) == 11


@pytest.mark.parametrize(
    "root",
    [
        '<feed xmlns="http://purl.org/atom/ns#">',
        f'<feed xmlns="{ATOM}" xmlns:a="{ATOM}">',
        "<feed>",
        f'<feed xmlns="{ATOM}" xml:base="https://base.example/">',
        f'<feed xmlns="{ATOM}" xmlns:t="{ns.TOMBSTONES}">{DELETED}',
    ],
)
def test_roots_of_atom(root: str) -> None:
    alike(atom_feed(*ENTRIES, atom_entry(href("/x")), *ENTRIES, root=root), name="atom")


def test_an_entry_that_was_deleted_further_down() -> None:
    root = f'<feed xmlns="{ATOM}" xmlns:t="{ns.TOMBSTONES}">'
    assert alike(atom_feed(*ENTRIES, DELETED, *ENTRIES, root=root), name="atom") == 5


# --- dates


@given(
    st.lists(
        st.none()
        | st.sampled_from(
            ["Mon, 06 May 2024 07:08:09 GMT", "6 May 2024 07:08:09 +0130", "2024", "10:32Z", ":", "::::", "x" * 60]
        )
        | st.from_regex(
            r"((Mon|Tue), )?[0-9]{1,2} (May|Feb) [0-9]{3,4} ?[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?[ Z.](GMT|[+-][0-9]{3,4})?",
            fullmatch=True,
        )
        | st.text(max_size=50)
    )
)
def test_many_dates_are_read_as_each_is(texts: list[str | None]) -> None:
    values = plain_rfc822(texts)
    if values is not None:
        readings = [(text, read_rfc822(text)) for text in texts if text is not None]
        assert all(reading.problem is None for _, reading in readings)
        assert [value for value in values if value is not None] == [reading.value for _, reading in readings]
        assert [value is None for value in values] == [text is None for text in texts]


# --- at random

_LAYOUTS = [("\n", "", ""), ("\n  ", "\n    ", ""), ("", "", ""), ("\n\n", "\n", " "), (" ", "\t", "\n")]
_LINKS = [
    "https://example.com/",
    "https://example.com/a?b=1&amp;c=2",
    "<![CDATA[https://example.com/a?b=1&c=2]]>",
    "https://example.com/ü",
    "/relative",
    "",
    "https://example.com/?a&b",
    "\n  https://example.com/padded\n",
]
_FIELDS = [
    DATE,
    "<pubDate>Mon, 06 May 2024 07:08:09 EST</pubDate>",
    "<dc:date>2024-05-06</dc:date>",
    "<title>a &amp; b</title>",
    "<title><![CDATA[<b>]]></title>",
    '<guid isPermaLink="false">x</guid>',
    "<guid>https://example.com/guid</guid>",
    "<description>&lt;p&gt;\n&#8217;</description>",
    "<author><name>N</name>\n</author>",
    '<atom:link rel="alternate" href="https://example.com/atom" />',
    '<enclosure url="https://example.com/a" type="audio/x"/>',
    '<media:thumbnail url="https://example.com/t.png"/>',
]
_ATOM_FIELDS = [
    "<title>a &amp; b</title>",
    '<title type="html"><![CDATA[<b>]]></title>',
    '<link rel="self" href="https://example.com/self"/>',
    '<link href="https://example.com/typed" type="text/html" rel="alternate"/>',
    "<published>2024-05-05T00:00:00Z</published>",
    "<published>2024-05-07T00:00:00Z</published>",
    "<summary>&lt;p&gt;\n</summary>",
    "<author><name>N</name>\n</author>",
    '<content src="https://example.com/src"/>',
]
_PIECES = [
    *("", "<", ">", "&", '"', "]]>", "<![CDATA[", "<!-- -->", "</item>", "<item>", "</entry>", "<entry>", "\r", "\r\n"),
    *("\x00", "é", "<link>", "x", " ", "\n", "/", "&#0;", ' a="b"', "<a/>", "</channel>"),
]


@st.composite
def rss_documents(draw: st.DrawFn) -> str:
    layout = draw(st.sampled_from(_LAYOUTS))
    items = []
    for _ in range(draw(st.integers(1, 9))):
        usual = draw(st.booleans())
        fields = [link(_LINKS[0] if usual else draw(st.sampled_from(_LINKS))), DATE]
        fields += [] if usual else draw(st.lists(st.sampled_from(_FIELDS), max_size=4))
        items.append(item(*(draw(st.permutations(fields)) if not usual else fields), layout=layout))
    return damaged(draw, feed(*items))


@st.composite
def atom_documents(draw: st.DrawFn) -> str:
    entries = []
    for _ in range(draw(st.integers(1, 9))):
        usual = draw(st.booleans())
        fields = [href(_LINKS[0] if usual else draw(st.sampled_from(["/x", "", *_LINKS[:2]])))]
        fields += [] if usual else draw(st.lists(st.sampled_from(_ATOM_FIELDS), max_size=3))
        entries.append(atom_entry(*fields))
    return damaged(draw, atom_feed(*entries))


def damaged(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(0, 2))):
        place, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 6))
        text = text[:place] + draw(st.sampled_from(_PIECES)) + text[place + cut :]
    return text


_OPTIONS = st.fixed_dictionaries(
    {
        "block": st.sampled_from([16, 200, 1 << 14]),
        "first": st.sampled_from([1, 500, 1 << 18]),
        "at_once": st.sampled_from([1, 2, 128]),
        "remark": st.booleans(),
        "strict": st.booleans(),
        "base_url": st.sampled_from([None, "https://base.example/a/"]),
        "paper": st.sampled_from([None, None, None, PAPER]),
    }
)


@given(rss_documents(), _OPTIONS)
@example(feed(*PLAIN, item(), *PLAIN), {"block": 64, "at_once": 2})
def test_it_tells_of_rss_what_the_others_tell(document: str, options: dict[str, Any]) -> None:
    alike(document, **options)


@given(atom_documents(), _OPTIONS)
def test_it_tells_of_atom_what_the_others_tell(document: str, options: dict[str, Any]) -> None:
    alike(document, name="atom", **options)
