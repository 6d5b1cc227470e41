"""A mark put anywhere into a sitemap comes out: in an entry, in a record that is rejected, or in a finding.

The documents are those of the conformance tests. Comments, instructions and declarations of namespaces hold nothing
that could be lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlset.formats import registry
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import strict
from urlset.formats.xml.sitemap_names import VOCABULARY
from urlset.formats.xml.tree import NotWellFormed

DATA = Path(__file__).parent / "data"
FORMATS = ("sitemap", "sitemap-0.84", "sitemap-index")
MARK = "qzjx7"
FOREIGN = "urn:x"
NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
SPACES = (
    f'xmlns="{NS}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)
PIECES = (
    MARK,
    f"<![CDATA[{MARK}]]>",
    f"&#32;{MARK}",
    f"<b>{MARK}</b>",
    f'<b at="{MARK}"/>',
    f"<b><i>{MARK}</i></b>",
    f'<i:b xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">{MARK}</i:b>',
    f'<v:tag xmlns:v="http://www.google.com/schemas/sitemap-video/1.1">{MARK}</v:tag>',
    f'<h:link xmlns:h="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" href="https://e.com/" at="{MARK}"/>',
    f'<x:b xmlns:x="{FOREIGN}"><x:{MARK}/></x:b>',
)
ATTRIBUTES = ("at", "xml:lang", "type", "title", "media")
NO_CONTENT = (f"<!--{MARK}-->", f"<?{MARK} {MARK}?>")
SILENT = ("xsi:schemaLocation", "xsi:noNamespaceSchemaLocation")

_TOKEN = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+", re.DOTALL)
_VALUE = re.compile(r"\s((?!xmlns)[\w:.-]+)\s*=\s*(\"[^\"]*|'[^']*)")


class Outcome(NamedTuple):
    """What a reader says of a document."""

    entries: list[Entry]
    rejects: list[Reject]
    findings: list[Finding]

    def says(self, mark: str) -> bool:
        """Whether a mark came out; of what stands in a foreign vocabulary beside the records only that is named."""
        said = [json.dumps(entry.as_dict(), ensure_ascii=False) for entry in self.entries]
        said += [json.dumps(asdict(reject), ensure_ascii=False) for reject in self.rejects]
        said += [f"{one.message} {one.value}" for one in self.findings]
        foreign = any((one.rule, one.value) == ("namespace-unknown", FOREIGN) for one in self.findings)
        return foreign or any(mark in text.lower() for text in said)


def read(format_: str, document: str, *, repaired: bool = False) -> Outcome:
    """Read a document by the lanes that take it, or by the repair lane alone."""
    rejects: list[Reject] = []
    ledger = Ledger(rejects=rejects.append)
    reading = registry().reader(format_).read
    assert reading is not None
    source = Source.from_bytes(document.encode(), "s.xml")
    untried = NotWellFormed("untried", 1, None, 0)
    with mock.patch.object(strict, "items", side_effect=untried) if repaired else nullcontext():
        entries = list(reading(source, ledger.open("s.xml"), ReadOptions()))
    return Outcome(entries, rejects, [one for one in ledger.findings if one.message != "untried"])


@cache
def documents(format_: str) -> tuple[str, ...]:
    """The well-formed documents of a format."""
    texts = [path.read_text("utf-8") for path in sorted((DATA / format_).glob("*.xml"))]
    return tuple(text for text in texts if is_well_formed(text))


def is_well_formed(text: str) -> bool:
    try:
        return bool(list(strict.items([text.encode()], VOCABULARY)))
    except NotWellFormed:
        return False


@cache
def variants(format_: str) -> tuple[str, ...]:
    """The documents of a format with the mark in each place where it can stand."""
    return tuple(text for document in documents(format_) for text in marked(document))


def marked(document: str) -> Iterator[str]:
    for before, token, after in inside(document):
        yield from (f"{before}{piece}{token}{after}" for piece in PIECES)
        if re.match(r"<[^/!?]", token):
            yield from (f"{before}{one}{after}" for one in with_mark(token))
    root = next(token for token in _TOKEN.findall(document) if re.match(r"<[^/!?]", token))
    yield from (document.replace(root, one, 1) for one in with_mark(root))


def inside(document: str) -> Iterator[tuple[str, str, str]]:
    """The pieces of a document that stand in its root, its end tag included, each with what is before and behind it."""
    tokens = _TOKEN.findall(document)
    root = next(place for place, token in enumerate(tokens) if re.match(r"<[^/!?]", token))
    end = next(place for place in range(len(tokens) - 1, 0, -1) if tokens[place].startswith("</"))
    for place in range(root + 1, end + 1):
        yield "".join(tokens[:place]), tokens[place], "".join(tokens[place + 1 :])


def with_mark(tag: str) -> Iterator[str]:
    """A start tag with the mark as one more attribute, or at the end of one that it has."""
    end = len(tag) - len("/>" if tag.endswith("/>") else ">")
    for name in ATTRIBUTES:
        if not re.search(rf"\s{name}\s*=", tag):
            yield f'{tag[:end]} {name}="{MARK}"{tag[end:]}'
    for value in _VALUE.finditer(tag):
        if value[1] not in SILENT:
            yield tag[: value.end()] + MARK + tag[value.end() :]


@pytest.mark.parametrize("format_", FORMATS)
@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_mark_comes_out_wherever_it_stands(format_: str, data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(variants(format_)))
    found = read(format_, document)
    assert found.says(MARK)
    assert found == read(format_, document, repaired=True)


@pytest.mark.parametrize("format_", FORMATS)
@settings(deadline=None, max_examples=50)
@given(st.data())
def test_what_is_no_content_changes_nothing(format_: str, data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(documents(format_)))
    before, token, after = data.draw(st.sampled_from([*inside(document)]))
    piece = data.draw(st.sampled_from(NO_CONTENT))
    assert read(format_, f"{before}{piece}{token}{after}") == read(format_, document)


# --- what the findings say


def url(body: str) -> str:
    return f"<urlset {SPACES}>\n<url>\n<loc>https://e.com/</loc>\n{body}\n</url>\n</urlset>"


@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize(
    ("document", "told"),
    [
        # attributes of the vocabulary's own elements
        (url('<lastmod id="3">2024-05-06</lastmod>'), [("unexpected-attribute", "warning", 4, "3")]),
        (url("").replace("<url>", '<url id="3">'), [("unexpected-attribute", "warning", 2, "3")]),
        (url("").replace("<loc>", '<loc foo="bar">'), [("unexpected-attribute", "warning", 3, "bar")]),
        (url("").replace("<url>", '<url xml:lang="de">'), [("unexpected-attribute", "info", 2, "de")]),
        (url("").replace("<urlset", '<urlset version="2"'), [("unexpected-attribute", "warning", 1, "2")]),
        (url("").replace("<url>", '<url x:a="1" xmlns:x="urn:x">'), [("unexpected-attribute", "info", 2, "1")]),
        (url("").replace("<url>", '<url xsi:type="tUrl" xml:space="preserve">'), []),
        (url("").replace("<url>", '<url xmlns:x="urn:x">'), []),
        # those of blocks
        (url('<image:image a="1"><image:loc>https://e.com/i</image:loc></image:image>'),
         [("unexpected-attribute", "warning", 4, "1")]),
        (url('<image:image><image:loc x="y">https://e.com/i</image:loc></image:image>'),
         [("unexpected-attribute", "warning", 4, "y")]),
        (url('<xhtml:link rel="alternate" hreflang="de" href="https://e.com/" media="print"/>'),
         [("unexpected-attribute", "warning", 4, "print")]),
        (url('<xhtml:link rel="alternate" hreflang="de" href="https://e.com/" title="T"/>'),
         [("unexpected-attribute", "info", 4, "T")]),
        (url('<xhtml:link rel="alternate nofollow" hreflang="de" href="https://e.com/"/>'),
         [("unexpected-attribute", "info", 4, "nofollow")]),
        (url('<xhtml:link rel="alternate" hreflang="de" href="https://e.com/">text<b/></xhtml:link>'),
         [("stray-text", "warning", 4, "text"), ("unexpected-element", "warning", 4, "b")]),
        (url('<news:news><news:title lang="de">T</news:title></news:news>'),
         [("unexpected-attribute", "warning", 4, "de")]),
        (url('<news:news><news:publication a="1"><news:name>N</news:name></news:publication></news:news>'),
         [("unexpected-attribute", "warning", 4, "1")]),
        (url("<news:news><news:publication/><news:publication><news:name>N</news:name></news:publication></news:news>"),
         [("repeated-element", "warning", 4, "N")]),
        (url('<video:video><video:tvshow><video:show_title a="1">S</video:show_title></video:tvshow></video:video>'),
         [("deprecated-element", "info", 4, "S"), ("unexpected-attribute", "warning", 4, "1")]),
        (url('<video:video><video:price currency="EUR" a="1">3</video:price></video:video>'),
         [("deprecated-element", "info", 4, "3"), ("unexpected-attribute", "warning", 4, "1")]),
        # texts and markup
        (url("text"), [("stray-text", "warning", 4, "text")]),
        (url("<image:image>\ntext<image:loc>https://e.com/i</image:loc></image:image>"),
         [("stray-text", "warning", 5, "text")]),
        (url("<image:image><image:loc>https://e.com/i</image:loc>\n\ntext</image:image>"),
         [("stray-text", "warning", 6, "text")]),
        (url("<video:video><video:title>a <b>bold</b> title</video:title></video:video>"),
         [("unexpected-element", "warning", 4, "bold")]),
        (url("<lastmod>2024-05-06<b/>text</lastmod>"),
         [("stray-text", "warning", 4, "text"), ("unexpected-element", "warning", 4, "b")]),
        # a field in a field of the same name
        (url("<lastmod>2024-05-06<lastmod>2024-05-07</lastmod></lastmod>"),
         [("repeated-element", "warning", 4, "2024-05-07")]),
        (url("").replace("</loc>", "<loc>https://e.com/b</loc></loc>"),
         [("repeated-element", "warning", 3, "https://e.com/b")]),
        (url("").replace("</loc>", "<loc/><priority>0.5</priority></loc>"),
         [("misplaced-element", "warning", 3, "priority")]),
        # beside the records
        (url("").replace("<url>", "<b>text</b><url>"), [("unexpected-element", "warning", 2, "text")]),
        (url("").replace("<url>", "text<url>"), [("stray-text", "warning", 2, "text")]),
        (url("").replace("<url>", "https://e.com/a<url>"), [("stray-text", "error", 2, "https://e.com/a")]),
        (url("").replace("</url>", "</url><![CDATA[a]]>"), [("stray-text", "warning", 5, "a")]),
    ],
)  # fmt: skip
def test_what_is_told(document: str, told: list[tuple[str, str, int, str]], repaired: bool) -> None:
    found = read("sitemap", document, repaired=repaired)
    assert sorted((one.rule, one.severity, one.line or 0, one.value or "") for one in found.findings) == sorted(told)
    assert found.rejects == []


def test_a_page_in_a_page_is_read() -> None:
    found = read("sitemap", url("").replace("</loc>", "<loc>https://e.com/b</loc></loc>"))
    assert [entry.loc for entry in found.entries] == ["https://e.com/", "https://e.com/b"]


def test_an_attribute_of_many_records_is_told_once_and_counted() -> None:
    record = '<url id="{}"><loc>https://e.com/{}</loc></url>'
    body = "".join(record.format(number, number) for number in range(1, 2_001))
    found = read("sitemap", f"<urlset {SPACES}>{body}</urlset>")
    assert [(one.rule, one.value, one.count) for one in found.findings] == [("unexpected-attribute", "1", 2_000)]
    assert len(found.entries) == 2_000


@pytest.mark.parametrize("head", ["", "<?xml version='1.0'?>\n"])
def test_an_attribute_after_many_plain_records_is_told(head: str) -> None:
    """The fast lane hands over at the first attribute."""
    plain = "<url><loc>https://e.com/a</loc></url>\n" * 3_000
    odd = '<url><loc foo="bar">https://e.com/b</loc></url>'
    found = read("sitemap", f"{head}<urlset {SPACES}>\n{plain}{odd}</urlset>")
    assert [(one.rule, one.value, one.line) for one in found.findings] == [
        ("unexpected-attribute", "bar", 3_002 + bool(head))
    ]
    assert len(found.entries) == 3_001


# --- feeds

RSS = '<rss version="2.0"><channel>{}<item><link>https://e.com/</link>\n{}</item></channel></rss>'
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom">{}<entry><title>T</title><updated>2024-05-06T00:00:00Z</updated>'
    '<link href="https://e.com/"/>\n{}</entry></feed>'
)
USUAL = {
    "rss": "<item><link>https://e.com/a</link></item>",
    "atom": '<entry><title>T</title><updated>2024-05-06T00:00:00Z</updated><link href="https://e.com/a"/></entry>',
}


@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize("number", [0, 1, 2_000])  # the last by the fast lane
@pytest.mark.parametrize(
    ("format_", "more", "told"),
    [
        ("rss", "<link>https://e.com/b</link>", [("warning", "https://e.com/b")]),
        ("rss", "<link>https://e.com/</link>", []),
        ("rss", "<link/>", []),
        ("rss", "<title>a</title><title>b</title>", [("info", "b")]),
        ("atom", '<link href="https://e.com/b"/>', [("info", "https://e.com/b")]),
        ("atom", '<link href="https://e.com/b.pdf" type="application/pdf"/>', []),
        ("atom", "<title>b</title>", [("info", "b")]),
        ("atom", "<updated>2024-05-07T00:00:00Z</updated>", [("info", "2024-05-07T00:00:00Z")]),
    ],
)
def test_what_occurs_again_in_an_item_is_told(
    format_: str, more: str, told: list[tuple[str, str]], number: int, repaired: bool
) -> None:
    document = {"rss": RSS, "atom": ATOM}[format_].format(USUAL[format_] * number, more)
    found = read(format_, document, repaired=repaired)
    assert [(one.severity, one.value) for one in found.findings if one.rule == "repeated-element"] == told
    assert found.entries[-1].loc == "https://e.com/"
    assert len(found.entries) == number + 1
