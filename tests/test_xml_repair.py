"""The repair lane on damaged documents: nothing is invented, later records survive, and each fault has its line."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from urlset.formats import atom, rss
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import StrictError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import sitemap_document
from urlset.formats.xml.items import Item
from urlset.formats.xml.node import Node, descendants, full_text, serialise
from urlset.formats.xml.repair import Repair

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
CHUNKS = (1, 2, 3, 7, 64, 1 << 20)

Read = Callable[[bytes, Ledger], "list[Entry]"]


def read_sitemap(data: bytes, ledger: Ledger, limits: Limits | None = None) -> list[Entry]:
    source = Source.from_bytes(data, "s.xml", limits=limits)
    return list(sitemap_document.read(source, ledger.open("s.xml"), ReadOptions(), "urlset"))


def read_rss(data: bytes, ledger: Ledger) -> list[Entry]:
    return list(rss.read(Source.from_bytes(data, "f.xml"), ledger.open("f.xml"), ReadOptions()))


def read_atom(data: bytes, ledger: Ledger) -> list[Entry]:
    return list(atom.read(Source.from_bytes(data, "f.xml"), ledger.open("f.xml"), ReadOptions()))


SITEMAP = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="{NS}">
  <url>
    <loc>http://e.com/1</loc>
    <lastmod>2020-01-01</lastmod>
  </url>
  <url>
    <loc>http://e.com/2</loc>
    <changefreq>daily</changefreq>
  </url>
  <url>
    <loc>http://e.com/3</loc>
  </url>
</urlset>
"""
RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
  <title>T</title>
  <item>
    <title>one</title>
    <link>http://e.com/1</link>
  </item>
  <item>
    <title>two</title>
    <link>http://e.com/2</link>
  </item>
  <item>
    <link>http://e.com/3</link>
  </item>
</channel>
</rss>
"""
ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>T</title>
  <entry>
    <updated>2020-01-01T00:00:00Z</updated>
    <link href="http://e.com/1"/>
  </entry>
  <entry>
    <updated>2020-01-01T00:00:00Z</updated>
    <link href="http://e.com/2"/>
  </entry>
  <entry>
    <updated>2020-01-01T00:00:00Z</updated>
    <link href="http://e.com/3"/>
  </entry>
</feed>
"""
DOCUMENTS: dict[str, tuple[str, Callable[[bytes, Ledger], list[Entry]]]] = {
    "sitemap": (SITEMAP, read_sitemap),
    "rss": (RSS, read_rss),
    "atom": (ATOM, read_atom),
}
PAGES = ["http://e.com/1", "http://e.com/2", "http://e.com/3"]

# id, document, what is replaced, by what, addresses that come out, rule, line of the fault
DAMAGE = [
    ("raw-ampersand", "sitemap", "/2<", "/2?a=1&b=2<", [PAGES[0], "http://e.com/2?a=1&b=2", PAGES[2]],
     "xml-not-well-formed", 8),
    ("html-entity", "rss", "two", "two&nbsp;&eacute;", PAGES, "undefined-entity", 10),
    ("unknown-entity", "rss", "two", "two&nosuch;", PAGES, "undefined-entity", 10),
    ("unbound-prefix", "sitemap", "<changefreq>daily</changefreq>", "<q:x>1</q:x>", PAGES, "unbound-prefix", 9),
    ("missing-end-of-field", "sitemap", "daily</changefreq>", "daily", PAGES, "xml-not-well-formed", 10),
    ("missing-end-of-loc", "sitemap", "/2</loc>", "/2", PAGES, "xml-not-well-formed", 10),
    ("missing-end-of-record", "sitemap", "daily</changefreq>\n  </url>", "daily</changefreq>", PAGES,
     "xml-not-well-formed", 7),
    ("stray-end", "sitemap", "<changefreq>", "</b><changefreq>", PAGES, "xml-not-well-formed", 9),
    ("stray-end-of-record", "sitemap", "  <url>\n    <loc>http://e.com/2", "</url>  <url>\n    <loc>http://e.com/2",
     PAGES, "xml-not-well-formed", 7),
    ("unclosed-quote", "atom", '<link href="http://e.com/2"/>', '<link href="http://e.com/2/>',
     [PAGES[0], PAGES[2]], "xml-not-well-formed", 10),
    ("typographic-quotes", "atom", '"http://e.com/2"', "“http://e.com/2”", PAGES, "xml-not-well-formed", 10),
    ("no-quotes", "atom", '"http://e.com/2"', "http://e.com/2 ", PAGES, "xml-not-well-formed", 10),
    ("control-character", "rss", "two", "t\x0bwo", PAGES, "illegal-xml-character", 10),
    ("reference-to-a-control", "rss", "two", "t&#11;wo", PAGES, "illegal-xml-character", 10),
    ("nul", "rss", "two", "t\0wo", PAGES, "illegal-xml-character", 10),
    ("raw-less-than", "rss", "two", "1 < 2", PAGES, "xml-not-well-formed", 10),
    ("raw-less-than-word", "rss", "two", "a <b", PAGES, "xml-not-well-formed", 10),
    ("junk-before", "sitemap", "<urlset", "junk\n<urlset", PAGES, "xml-not-well-formed", 2),
    ("junk-after", "sitemap", "</urlset>", "</urlset>\njunk", PAGES, "xml-not-well-formed", 15),
    ("second-root", "sitemap", "</urlset>", "</urlset>\n<urlset><url><loc>http://e.com/4</loc></url></urlset>",
     [*PAGES, "http://e.com/4"], "xml-not-well-formed", 15),
    ("two-documents", "rss", "</rss>", "</rss>\n" + RSS, PAGES + PAGES, "xml-not-well-formed", 18),
    ("unclosed-cdata", "rss", "two", "<![CDATA[two", PAGES, "xml-not-well-formed", 10),
    ("unclosed-cdata-in-link", "rss", "<link>http://e.com/2", "<link><![CDATA[http://e.com/2", PAGES,
     "xml-not-well-formed", 11),
    ("unclosed-comment", "rss", "  <item>\n    <title>two", "<!-- never closed\n", PAGES[:1], "unexpected-end", 9),
    ("double-hyphen", "rss", "two", "two<!-- a -- b -->", PAGES, "xml-not-well-formed", 10),
    ("nested-record", "sitemap", "  </url>\n  <url>\n    <loc>http://e.com/2",
     "  <url>\n    <loc>http://e.com/2", PAGES, "xml-not-well-formed", 3),
    ("attribute-twice", "atom", '<link href="http://e.com/2"', '<link href="http://e.com/2" href="http://e.com/9"',
     PAGES, "xml-not-well-formed", 10),
    ("raw-less-than-in-attribute", "atom", '<link href="http://e.com/2"', '<link title="a<b" href="http://e.com/2"',
     [PAGES[0], PAGES[2]], "xml-not-well-formed", 10),
    ("unclosed-tag", "sitemap", "<changefreq>daily", "<changefreq daily", PAGES, "xml-not-well-formed", 9),
    ("unclosed-end-tag", "sitemap", "</changefreq>", "</changefreq", PAGES, "xml-not-well-formed", 9),
    ("crossed-tags", "rss", "<title>two</title>", "<title><b>two</title></b>", PAGES, "xml-not-well-formed", 10),
    ("stray-declaration", "rss", "two", "two<!ELEMENT x>", PAGES, "xml-not-well-formed", 10),
    ("unclosed-instruction", "rss", "two", "two<?php echo 1 >", PAGES, "xml-not-well-formed", 10),
    ("declaration-not-closed", "rss", 'encoding="UTF-8"?>', 'encoding="UTF-8">', PAGES, "xml-not-well-formed", 1),
    ("blank-before-declaration", "rss", "<?xml", "\n<?xml", PAGES, "leading-whitespace", 1),
    ("declared-entity", "rss", "<rss", '<!DOCTYPE rss [<!ENTITY x "y">]>\n<rss', PAGES, "entity-declaration", 2),
    ("other-case", "sitemap", "<loc>http://e.com/2</loc>", "<loc>http://e.com/2</LOC>", PAGES, None, 0),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "old", "new", "locs", "rule", "line"), [row[1:] for row in DAMAGE],
                         ids=[row[0] for row in DAMAGE])  # fmt: skip
def test_damage(kind: str, old: str, new: str, locs: list[str], rule: str | None, line: int) -> None:
    text, read = DOCUMENTS[kind]
    assert text.count(old) >= 1
    ledger = Ledger()
    entries = read(text.replace(old, new, 1).encode(), ledger)
    assert [entry.loc for entry in entries] == locs
    if rule is not None:
        assert (rule, line) in [(finding.rule, finding.line) for finding in ledger.findings]


@pytest.mark.parametrize(("kind", "old", "new"), [row[1:4] for row in DAMAGE], ids=[row[0] for row in DAMAGE])
def test_chunks_change_nothing(kind: str, old: str, new: str) -> None:
    text = DOCUMENTS[kind][0].replace(old, new, 1)
    vocabulary = {"sitemap": sitemap_document, "rss": rss, "atom": atom}[kind].VOCABULARY
    results = []
    for size in CHUNKS:
        chunks = (text[start : start + size] for start in range(0, len(text), size))
        lane = Repair(chunks, vocabulary, max_record=1 << 20, max_depth=256)
        results.append([(item.record, shown(item), item.faults, item.cut) for item in lane.items()])
    assert all(result == results[0] for result in results)


def shown(item: Item) -> str | None:
    return None if item.element is None else serialise(item.element)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_cut_off_at_every_byte(kind: str) -> None:
    """The records of a piece are those that are complete in it, but for the last ">", and the cut is said."""
    text, read = DOCUMENTS[kind]
    data = text.encode()
    ends = [match.end() for match in re.finditer(rb"</(?:url|item|entry)", data)]
    for cut in range(len(data.rstrip())):
        ledger = Ledger()
        entries = read(data[:cut], ledger)
        assert [entry.loc for entry in entries] == PAGES[: sum(end <= cut for end in ends)]
        assert any(finding.severity == "error" for finding in ledger.findings), cut


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_one_byte_lost_or_doubled_or_changed(kind: str) -> None:
    """One byte of damage costs no more than the record that it stands in, and makes no address up."""
    text, read = DOCUMENTS[kind]
    first = re.search(r"<(?:url|item|entry)>", text)
    assert first is not None
    last = text.rindex("http://e.com/3") + len("http://e.com/3")
    for place in range(first.start(), last):
        for damaged in (text[:place] + text[place + 1 :], text[:place] + text[place] + text[place:],
                        text[:place] + "<" + text[place + 1 :], text[:place] + "&" + text[place + 1 :],
                        text[:place] + '"' + text[place + 1 :], text[:place] + ">" + text[place + 1 :]):  # fmt: skip
            entries = read(damaged.encode(), Ledger())
            assert all(entry.loc in damaged for entry in entries)
            unharmed = [page for page in PAGES if page in damaged]
            assert sum(entry.loc in unharmed for entry in entries) >= 2 - (len(unharmed) < 3), damaged


PIECES = ["", "&", "<", ">", '"', "<url>", "</url>", "<item>", "</item>", "<entry>", "</entry>", "<![CDATA[", "]]>",
          "<!--", "-->", "<?", "?>", "<loc>", "</loc>", "<link>", "</link>", "\0", "“", "&nbsp;", "&#0;", "\r",
          "<!DOCTYPE a [", "<urlset>", "</rss>", "<b>", "</b>", "<!x>", "<?x>", "<url", "</loc"]  # fmt: skip
EDITS = st.tuples(st.integers(0, 600), st.integers(0, 30), st.sampled_from(PIECES))


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(sorted(DOCUMENTS)), st.lists(EDITS, max_size=6))
@example("sitemap", [(205, 29, "<?")])
def test_random_damage(kind: str, edits: list[tuple[int, int, str]]) -> None:
    """No exception; every record is accounted for; every address stands in the input."""
    text, read = DOCUMENTS[kind]
    for place, length, new in edits:
        text = text[:place] + new + text[place + length :]
    ledger = Ledger()
    entries = read(text.encode("utf-8", "replace"), ledger)
    ledger.counts.written = len(entries)
    ledger.check()
    if any(finding.rule == "not-absolute" and finding.action == "repaired" for finding in ledger.findings):
        return  # half an address is a relative one, and the damage may have given the feed a base
    assert all(flat(entry.loc) in flat(text) or flat(entry.loc) in flat(UNSEEN.sub("", text)) for entry in entries)


UNSEEN = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[|\]\]>", re.DOTALL)


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("&nbsp;", "\xa0").replace("&#0;", "\0"))


def test_strict_reading_stops_at_the_first_fault() -> None:
    ledger = Ledger(strict=True)
    with pytest.raises(StrictError) as caught:
        read_sitemap(SITEMAP.replace("/2<", "/2?a&b<").encode(), ledger)
    assert caught.value.line == 8


def test_faults_beyond_what_is_listed_are_counted() -> None:
    """Each of 30,000 raw ampersands is counted, though not each is listed."""
    lines = "".join("a & b\n" for _ in range(30_000))
    lane = Repair([f"<rss><channel><description>{lines}</description></channel></rss>"], rss.VOCABULARY,
                  max_record=1 << 24, max_depth=256)  # fmt: skip
    faults = [fault for item in lane.items() for fault in item.faults]
    assert sum(fault.times for fault in faults) == 30_000
    assert len(faults) <= 10_001
    assert [fault.line for fault in faults[:3]] == [1, 2, 3]


@pytest.mark.parametrize("limit", [1000, 20_000])
def test_a_record_beyond_the_limit_is_rejected_and_the_next_one_read(limit: int) -> None:
    rejects: list[Reject] = []
    big = f"<url><loc>http://e.com/big</loc><x>{'y' * limit}</x></url>"
    text = SITEMAP.replace("  <url>", f"&{big}<url>", 1).replace("</urlset>", "&</urlset>")
    entries = read_sitemap(text.encode(), Ledger(rejects=rejects.append), Limits(max_record=limit))
    assert [entry.loc for entry in entries] == PAGES
    assert [reject.rule for reject in rejects] == ["resource-limit"]


def test_many_empty_elements_are_bounded_as_well() -> None:
    text = f"<urlset>&<url><loc>http://e.com/a</loc>{'<b/>' * 1000}</url><url><loc>http://e.com/1</loc></url></urlset>"
    rejects: list[Reject] = []
    entries = read_sitemap(text.encode(), Ledger(rejects=rejects.append), Limits(max_record=10_000))
    assert [entry.loc for entry in entries] == [PAGES[0]]
    assert [reject.rule for reject in rejects] == ["resource-limit"]


def test_elements_too_deep_are_passed_over_and_said() -> None:
    deep = "<a>" * 300 + "</a>" * 300
    ledger = Ledger()
    entries = read_sitemap(SITEMAP.replace("  <url>", f"{deep}<url>", 1).encode(), ledger)
    assert [entry.loc for entry in entries] == PAGES
    assert "resource-limit" in [finding.rule for finding in ledger.findings]


def test_depth_is_no_matter_of_recursion() -> None:
    root = top = Node("a", "a", {}, 1, None, {})
    for _ in range(20_000):
        child = Node("a", "a", {}, 1, top, {})
        top.append_child(child)
        top = child
    top.append_text("x")
    assert full_text(root) == "x"
    assert sum(1 for _ in descendants(root)) == 20_000
    assert serialise(root) == "<a>" * 20_001 + "x" + "</a>" * 20_001


# --- time

SIZE = 1 << 20
HOSTILE = {
    "less-than": "<" * SIZE,
    "ampersand": "&" * SIZE,
    "ampersand-lines": "&\n" * (SIZE // 2),
    "ampersand-names": "&a" * (SIZE // 2),
    "html-entities": "&nbsp;" * (SIZE // 6),
    "cdata": "<![CDATA[" * (SIZE // 9),
    "cdata-closed-far": "<![CDATA[</b>" * (SIZE // 13) + "</url></item></entry>]]>",
    "cdata-ends": "]]>" * (SIZE // 3),
    "comments": "<!--" * (SIZE // 4),
    "comment-closed-far": "<!--" * (SIZE // 4) + "-->",
    "instructions": "<?" * (SIZE // 2),
    "instructions-with-bracket": "<?x>" * (SIZE // 4),
    "declarations": "<!x " * (SIZE // 4),
    "doctypes": "<!DOCTYPE x [ " * (SIZE // 14),
    "entities": "<!DOCTYPE a [" + '<!ENTITY a "b">' * (SIZE // 16),
    "tags-unclosed": "<a " * (SIZE // 3),
    "tags-with-quote": '<a "' * (SIZE // 4),
    "tags-with-attribute": '<a x="' * (SIZE // 6),
    "tags-with-typographic-quote": "<a x=„" * (SIZE // 6),
    "end-tags": "</a>" * (SIZE // 4),
    "end-tags-unclosed": "</" * (SIZE // 2),
    "end-tags-below-a-stack": "<c>" * 250 + "</b>" * (SIZE // 4),
    "quotes": '"' * SIZE,
    "deep": "<a>" * 100_000,
    "deep-closed": "<a>" * 100_000 + "</a>" * 100_000,
    "attribute": f'<a x="{"y" * SIZE}">',
    "attribute-unclosed": f'<a x="{"y" * SIZE}',
    "attribute-of-typographic-quotes": f"<a {'x=„' * (SIZE // 3)}>",
    "attributes": "<a " + " ".join(f'a{number}="1"' for number in range(80_000)) + ">",
    "attribute-repeated": "<a " + 'a="1"\n' * 100_000 + ">",
    "attribute-of-ampersands": f'<a b="{"&" * SIZE}">',
    "text": "t" * (5 * SIZE),
    "texts": "a<![CDATA[b]]>" * (SIZE // 14),
    "blanks": " " * SIZE,
    "blanks-in-a-tag": "<a" + " " * SIZE,
    "names-in-a-tag": "<a" + " x=" * (SIZE // 3),
    "name": "<" + "a" * SIZE,
    "control-characters": "\0" * SIZE,
    "control-lines": "\0\n" * (SIZE // 2),
    "siblings": "<b/>" * (SIZE // 4),
    "unbound-prefixes": "<q:a/>" * (SIZE // 8),
    "xmlns": '<a xmlns:a="b">' * (SIZE // 15),
    "mixed": "<loc>&<![CDATA[<!--<?" * (SIZE // 20),
}  # fmt: skip
PLACES: dict[str, tuple[str, Callable[[bytes, Ledger], list[Entry]]]] = {
    "loc": (f'<urlset xmlns="{NS}"><url><loc>%s</loc></url></urlset>', read_sitemap),
    "description": ("<rss><channel><item><link>http://e.com/1</link><description>%s</description></item></channel></rss>",
                    read_rss),
    "whole": ("%s", read_sitemap),
}  # fmt: skip
SECONDS = 20.0
"""No measure of speed but a guard: linear work needs a second or two, quadratic work takes hours."""


@pytest.mark.untraced
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_bounded(name: str, place: str) -> None:
    """A megabyte of anything takes time in proportion: measured is the time of the processor, not of the clock."""
    frame, read = PLACES[place]
    data = frame.replace("%s", HOSTILE[name]).encode()
    ledger = Ledger(rejects=lambda reject: None)
    start = time.process_time()
    entries = read(data, ledger)
    assert time.process_time() - start < SECONDS * max(1, len(data) / SIZE / 2)
    assert len(entries) <= 1


@pytest.mark.untraced
@pytest.mark.parametrize("end", ["</url>", ""])
def test_records_without_an_end_take_no_more_time_each(end: str) -> None:
    def seconds(count: int) -> float:
        records = f"<url><loc>http://e.com/</loc>{end}\n" * count
        data = f'<urlset xmlns="{NS}">&{records}</urlset>'.encode()
        start = time.process_time()
        assert len(read_sitemap(data, Ledger())) == count
        return time.process_time() - start

    assert seconds(20_000) < 20 * max(seconds(4_000), 0.05)
