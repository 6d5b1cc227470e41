"""The two XML lanes give the same elements out of every well-formed document, however it is cut into chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlset.formats import atom, rss
from urlset.formats.vocabulary.decode import normalise_newlines
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import items as shared
from urlset.formats.xml import lanes, strict, tree
from urlset.formats.xml.items import Item, Vocabulary
from urlset.formats.xml.node import Element, full_text, local_name, serialise
from urlset.formats.xml.repair import Repair
from urlset.formats.xml.sitemap_names import VOCABULARY as SITEMAP
from urlset.formats.xml.tree import NotWellFormed

CHUNKS = (1, 2, 3, 7, 64, 1 << 20)
DEPTH = 256
NOT_TRIED = "the strict lane was not tried"

Snapshot = tuple[Any, ...]


def snapshot(element: Element) -> Snapshot:
    """All that a reader can see of an element."""
    return (
        element.tag,
        list(element.attrib.items()),
        element.text or "",
        element.sourceline,
        {prefix: namespace for prefix, namespace in element.nsmap.items() if namespace},
        [(snapshot(child), child.tail or "") for child in element],
    )


def seen(items: Iterator[Item]) -> list[Snapshot]:
    """Every item at the moment when it is handed out."""
    return [
        (
            item.record,
            local_name(item.element),
            snapshot(item.element),
            serialise(item.element),
            full_text(item.element),
        )
        for item in items
        if item.element is not None
    ]


def strictly(document: str, vocabulary: Vocabulary, size: int) -> list[Snapshot]:
    data = document.encode("utf-8")
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    return seen(strict.items(normalise_newlines(chunks), vocabulary))


def repairing(document: str, vocabulary: Vocabulary, size: int) -> list[Snapshot]:
    chunks = (document[start : start + size] for start in range(0, len(document), size))
    lane = Repair(chunks, vocabulary, max_record=1 << 24, max_depth=DEPTH)
    items = list(lane.items())
    assert [fault for item in items for fault in item.faults] == []
    assert all(item.cut is None for item in items)
    return seen(iter(items))


def without_channel(items: list[Snapshot]) -> list[Snapshot]:
    """All but the channel when it has ended: with a parser that went on, it has the text behind the last record."""
    return [one for one in items if one[1] != "channel"]


# --- documents

CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
TEXT = st.text(CHARACTERS | st.sampled_from("\n\t ]>'\"“„/=!?-;#"), max_size=12)
REFERENCES = st.sampled_from(
    [
        "&amp;",
        "&lt;",
        "&gt;",
        "&quot;",
        "&apos;",
        "&#65;",
        "&#x1F600;",
        "&#10;",
        "&#13;",
        "&#x9;",
        "&amp;amp;",
        "&amp;#38;",
    ]
)


def plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")


ESCAPED = TEXT.map(plain)
PIECES = st.one_of(
    ESCAPED,
    REFERENCES,
    TEXT.map(lambda text: f"<![CDATA[{text.replace(']]>', '')}]]>"),
    TEXT.map(lambda text: f"<!--{text.replace('-', '')}-->"),
    TEXT.map(lambda text: f"<?pi {text.replace('?', '')}?>"),
)
CONTENT = st.lists(PIECES, max_size=3).map("".join)
SPACES = st.sampled_from([" ", "\n", " \n\t", "  "])
PREFIXES = {
    "a": "http://www.w3.org/2005/Atom",
    "media": "http://search.yahoo.com/mrss/",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "x": "urn:x",
}
DECLARED = "".join(f' xmlns:{prefix}="{namespace}"' for prefix, namespace in PREFIXES.items())
NAMES = ["loc", "lastmod", "link", "title", "b", "a:link", "media:group", "image:loc", "x:y", "é", "content", "source"]
ATTRIBUTES = ["href", "rel", "x:rel", "xml:lang", "xml:base", "type", "é"]
LOCAL = ["", "", "", ' xmlns="urn:other"', ' xmlns=""', ' xmlns:z="urn:z"', ' xmlns:x="urn:other-x"']


@st.composite
def attributes(draw: st.DrawFn) -> str:
    parts = []
    for name in draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=3, unique=True)):
        quote = draw(st.sampled_from("\"'"))
        value = "".join(draw(st.lists(ESCAPED | REFERENCES, max_size=2))).replace(quote, "&#34;&#39;")
        parts.append(f"{draw(SPACES)}{name}{draw(st.sampled_from(['=', ' = ', '=' + chr(10)]))}{quote}{value}{quote}")
    return "".join(parts)


@st.composite
def elements(draw: st.DrawFn, names: list[str], depth: int = 2, inner: list[str] | None = None) -> str:
    """An element of one of the names, with what may stand inside it."""
    name, space = draw(st.sampled_from(names)), draw(st.sampled_from(["", " ", "\n"]))
    start = f"<{name}{draw(st.sampled_from(LOCAL))}{draw(attributes())}"
    if draw(st.integers(0, 4)) == 0:
        return f"{start}{space}/>"
    children = st.just("") if depth == 0 else elements(inner or NAMES, depth - 1)
    body = "".join(draw(st.lists(CONTENT | children, max_size=4)))
    return f"{start}{space}>{body}</{name}{space}>"


RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
FORMATS = {
    "sitemap": (SITEMAP, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{}>', "</urlset>", "url"),
    "index": (SITEMAP, '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"{}>', "</sitemapindex>",
              "sitemap"),
    "rss": (rss.VOCABULARY, '<rss version="2.0"{}><channel>', "</channel></rss>", "item"),
    "rdf": (rss.VOCABULARY, f'<rdf:RDF {RDF}{{}}><channel><b/><b/><b/><b/></channel>', "</rdf:RDF>", "item"),
    "atom": (atom.VOCABULARY, '<feed xmlns="http://www.w3.org/2005/Atom"{}>', "</feed>", "entry"),
}  # fmt: skip


@st.composite
def documents(draw: st.DrawFn, kind: str) -> str:
    """A well-formed document of a format: records, strays, and what may stand between them."""
    _, start, end, record = FORMATS[kind]
    spelled = [record, record, record.upper(), record.capitalize(), f"a:{record}"]
    # Nothing inside a record has a record's name: a record within a record is damage.
    parts = st.one_of(
        elements(spelled),
        elements(spelled).map("{}\n".format),
        elements(NAMES),
        elements(["b", "x:y"], 2, [record]),
        CONTENT,
    )
    body = "".join(draw(st.lists(parts, max_size=8)))
    head = draw(st.sampled_from(["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->\n']))
    tail = draw(st.sampled_from(["", "\n", "<!-- c -->\n<?p i?>\n"]))
    text = f"{head}{start.format(DECLARED)}{body}{end}{tail}"
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


@pytest.mark.parametrize("kind", FORMATS)
@settings(deadline=None, max_examples=80)
@given(st.data())
def test_both_lanes_give_the_same(kind: str, data: st.DataObject) -> None:
    vocabulary = FORMATS[kind][0]._replace(elements_only=False)  # text beside the records is another test's
    document = data.draw(documents(kind))
    prune_at = data.draw(st.sampled_from([1, 2, 3, 512]))
    long = data.draw(st.sampled_from([0, 1, 3, 1 << 15]))
    with mock.patch.object(shared, "PRUNE_AT", prune_at):
        expected = strictly(document, vocabulary, 1 << 20)
        for size in data.draw(st.sampled_from([(1, 7), (2, 64), (3, 1 << 20)])):
            with mock.patch.object(tree, "LONG", long):
                assert without_channel(strictly(document, vocabulary, size)) == without_channel(expected)
            assert strictly(document, vocabulary, size) == expected
            assert repairing(document, vocabulary, size) == expected


Told = tuple[list[tuple[str, int, bool]], list[tuple[str, int | None, int | None, str | None]]]


def jointly(document: str, vocabulary: Vocabulary) -> Told:
    """What the two lanes hand out between them, and what is found."""
    ledger = Ledger()
    source = Source.from_bytes(document.encode())
    parts = [
        (part.element.tag, part.element.sourceline or 0, part.record)
        for part in lanes.read(source, ledger.open(source.name), vocabulary)
    ]
    told = [one for one in ledger.findings if one.message != NOT_TRIED]
    return parts, [(one.rule, one.line, one.column, one.value) for one in told]


@pytest.mark.parametrize("kind", ["sitemap", "index"])
@settings(deadline=None, max_examples=80)
@given(st.data())
def test_text_beside_the_records_is_told_once_wherever_it_stands(kind: str, data: st.DataObject) -> None:
    """The strict lane hands over at the text; nothing is handed out twice, nothing is left out."""
    document = data.draw(documents(kind))
    prune_at = data.draw(st.sampled_from([1, 2, 512]))
    chunk = data.draw(st.sampled_from([1, 7, 1 << 16]))
    with mock.patch.object(shared, "PRUNE_AT", prune_at), mock.patch.object(lanes, "CHUNK", chunk):
        found = jointly(document, SITEMAP)
        with mock.patch.object(strict, "items", side_effect=NotWellFormed(NOT_TRIED, 1, None, 0)):
            assert found == jointly(document, SITEMAP)
    rules = {rule for rule, *_ in found[1]}
    assert rules <= {"stray-text"}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("https://e.com/<url/>", [("stray-text", 1, 10, "https://e.com/")]),
        ("<url/>\n  a &amp; b\n<url/>", [("stray-text", 2, 3, "a & b")]),
        ("<url/><url/>\n\n<![CDATA[c]]>", [("stray-text", 3, 10, "c")]),
        ("a<url/>b<url/>c", [("stray-text", 1, 10, "a"), ("stray-text", 1, 17, "b"), ("stray-text", 1, 24, "c")]),
        ("<x/>a<url/>", [("stray-text", 1, 14, "a")]),
        ("<x/>a<b><url/></b>", [("stray-text", 1, 14, "a")]),
        ("a<x/><urlset><url/></urlset>", [("stray-text", 1, 10, "a")]),
        ("<x/>a<urlset><url/></urlset>", [("stray-text", 1, 14, "a")]),
        ("only", [("stray-text", 1, 10, "only")]),
        (" \ufeff <url/>\n", []),
        ("<url>inside</url>", []),  # the reader of records sees to it
        ("<!-- c --><url/><?p i?>", []),
    ],
)
def test_where_text_stands(body: str, found: list[tuple[str, int, int, str]]) -> None:
    assert jointly(f"<urlset >{body}</urlset>", SITEMAP)[1] == found


ALL_SORTS = (
    '<?xml version="1.0"?>\n<!-- c --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="urn:i">\n'
    "<url><loc>http://e.com/?a=1&amp;b=2</loc><i:x a=\"b>c\" d = 'e'/>\r\n<lastmod >2020-01-01</lastmod\n></url>\n"
    "<url  ><loc><![CDATA[ <a> & ]]]></loc><!-- - --><priority\t>&#48;.5</priority><?p i?></url>\n</urlset>\n"
)


@pytest.mark.parametrize("kind", ["cut-once", "chunks"])
def test_a_cut_anywhere_changes_nothing(kind: str) -> None:
    """Whatever stands at the end of a chunk, whole or half, is read as if there were no chunks."""
    expected = strictly(ALL_SORTS, SITEMAP, 1 << 20)
    assert len(expected) == 2
    for place in range(1, len(ALL_SORTS)):
        pieces = [ALL_SORTS[:place], ALL_SORTS[place:]]
        if kind == "chunks":
            pieces = [ALL_SORTS[start : start + place] for start in range(0, len(ALL_SORTS), place)]
        items = list(Repair(pieces, SITEMAP, max_record=1 << 24, max_depth=DEPTH).items())
        assert [fault for item in items for fault in item.faults] == []
        assert seen(iter(items)) == expected


# --- from one lane into the other


def tags(document: str, vocabulary: Vocabulary) -> list[tuple[str, int | None]]:
    """Names and lines of the records that the lanes give together, and a check that each is counted."""
    ledger = Ledger(rejects=lambda reject: None)
    account = ledger.open("d.xml")
    parts = list(lanes.read(Source.from_bytes(document.encode()), account, vocabulary))
    records = [(local_name(part.element), part.element.sourceline) for part in parts if part.record]
    assert account.read == len(records) + account.rejected
    return records


@pytest.mark.parametrize("damaged", [0, 1, 500, 1999, 2000])
def test_the_repair_lane_goes_on_where_the_strict_lane_stopped(damaged: int) -> None:
    """Wherever the fault stands in a document of many chunks, each record comes once and in order."""
    lines = [f"<item><title>{number} {'t' * 100}</title></item>\n" for number in range(2_000)]
    lines.insert(damaged, "<title>a & b</title>\n")
    document = f'<rss version="2.0"><channel>\n{"".join(lines)}</channel></rss>'
    expected = [line for line in range(2, 2_003) if line != damaged + 2]
    assert tags(document, rss.VOCABULARY) == [("item", line) for line in expected]


@pytest.mark.parametrize("damaged", ["<b>&</b>", "</b>", "<q:b/>"])
@pytest.mark.parametrize("strays", [0, 1, 511, 512, 513, 1025])
def test_strays_in_numbers_do_not_shift_the_records(strays: int, damaged: str) -> None:
    """RSS 1.0 lists its items in the channel, which makes for many elements beside the records."""
    seq = f"<items>{'<li/>' * strays}</items>" + "<b/>" * strays
    items = "".join(f"<item><title>{'t' * 100}</title></item>\n" for _ in range(1_500))
    document = f"<RDF>\n<channel>{seq}</channel>\n{'<b/>' * strays}\n{items}{damaged}\n{items}</RDF>"
    expected = [*range(4, 1_504), *range(1_505, 3_005)]
    assert tags(document, rss.VOCABULARY) == [("item", line) for line in expected]


@pytest.mark.parametrize("name", ["item", "ITEM", "Item"])
@pytest.mark.parametrize("damaged", ["", " & "])
def test_names_of_another_case_are_records_in_both_lanes(name: str, damaged: str) -> None:
    document = f"<RSS><Channel><{name}/><description>{damaged}</description><{name}/></Channel></RSS>"
    assert [tag for tag, _ in tags(document, rss.VOCABULARY)] == [name, name]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_an_ampersand_anywhere_changes_no_entry(data: st.DataObject) -> None:
    """The entries of a feed do not depend on the lane that read them."""
    count = data.draw(st.integers(1, 40))
    items = [f"<item><link>http://e.com/{number}</link><title>t</title></item>" for number in range(count)]
    place = data.draw(st.integers(0, count))

    def entries(stray: str) -> list[tuple[str, str | None, int | None]]:
        body = "\n".join((*items[:place], f"<copyright>a {stray} b</copyright>", *items[place:]))
        source = Source.from_bytes(f"<rss><channel>{body}</channel></rss>".encode())
        read = rss.read(source, Ledger().open("f"), ReadOptions())
        return [(entry.loc, entry.title, entry.origin and entry.origin.line) for entry in read]

    assert entries("&") == entries("&amp;")


@pytest.mark.parametrize("before", [0, 70_000])
def test_entities_are_not_expanded_wherever_the_doctype_stands(before: int) -> None:
    """A document with a DOCTYPE is never libxml2's, also where it stands too far down to be seen at once."""
    document = (
        f'<!--{" " * before}--><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "http://e.com/y">]>'
        "<rss><channel><item><link>&y;</link></item><item><link>http://e.com/1</link><title>&x;</title></item>"
        "</channel></rss>"
    )
    ledger = Ledger(rejects=lambda reject: None)
    entries = list(rss.read(Source.from_bytes(document.encode()), ledger.open("f"), ReadOptions()))
    assert [(entry.loc, entry.title) for entry in entries] == [("http://e.com/1", "&x;")]
    assert "entity-declaration" in [finding.rule for finding in ledger.findings]
