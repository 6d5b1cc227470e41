"""What the schemas allow, how the validator tells every fault and its line, and that what is written is valid."""

from __future__ import annotations

import io
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lxml import etree

import urlset
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, FIELDS
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.xml import schema
from urlset.formats.xml.schema import faults
from urlset.formats.xml.schema_words import SchemaFault

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
NS_084 = "http://www.google.com/schemas/sitemap/0.84"
SPACES = (
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xmlns:x="urn:example:x"'
)
LOC = "<loc>http://www.example.com/</loc>"
URL = f"<url>{LOC}</url>"


def urlset_of(body: str, space: str = NS) -> str:
    return f'<urlset xmlns="{space}"{SPACES}>{body}</urlset>'


def index_of(body: str, space: str = NS) -> str:
    return f'<sitemapindex xmlns="{space}"{SPACES}>{body}</sitemapindex>'


def found(document: str, size: int = 1 << 16) -> list[SchemaFault]:
    data = document.encode()
    return list(faults(data[start : start + size] for start in range(0, len(data), size)))


def messages(document: str) -> list[str]:
    return [fault.message for fault in found(document)]


def placed(document: str, size: int = 1 << 16) -> list[tuple[int, str]]:
    """The faults as line and what they are about."""
    return [(fault.line, fault.message.partition(" ")[0]) for fault in found(document, size)]


def schemas() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(files("urlset.formats.xml") / "schemas" / "all.xsd")))


# --- values: PROTOCOL 1.3, 1.4, 1.11, 6.1

VALID = "valid"
INVALID = "invalid"


def repeated(value: str, times: int) -> str:
    return "http://a.bc/".ljust(times, value)


VALUES = [
    ("loc", "http://a.bc/", VALID),
    ("loc", "http://a.b/", INVALID),
    ("loc", repeated("x", 2047), VALID),
    ("loc", repeated("x", 2048), VALID),
    ("loc", repeated("x", 2049), INVALID),
    ("loc", repeated("x", 2043) + "&amp;", VALID),
    ("loc", repeated("é", 2048), VALID),
    ("loc", "/relative/address", VALID),
    ("loc", "http://a.bc/ d", VALID),
    ("loc", "http://a.bc/%zz", INVALID),
    ("loc", "", INVALID),
    ("loc", "  http://a.bc/\n", VALID),
    ("lastmod", "1997-07-16", VALID),
    ("lastmod", "1997-07-16T19:20:30+01:00", VALID),
    ("lastmod", "1997-07-16T19:20:30Z", VALID),
    ("lastmod", "1997-07-16T19:20:30.45Z", VALID),
    ("lastmod", "1997-07-16T19:20:30-14:00", VALID),
    ("lastmod", "1997-07-16T19:20:30+14:01", INVALID),
    ("lastmod", "1997", INVALID),
    ("lastmod", "1997-07", INVALID),
    ("lastmod", "1997-07-16T19:20+01:00", INVALID),
    ("lastmod", "1997-07-16T19:20:30", VALID),
    ("lastmod", "1997-07-16Z", VALID),
    ("lastmod", "1997-07-16+02:00", VALID),
    ("lastmod", "1997-07-16T24:00:00Z", VALID),
    ("lastmod", "1997-07-16T24:00:01Z", INVALID),
    ("lastmod", "1997-07-16T19:20:60Z", INVALID),
    ("lastmod", "-0044-03-15", VALID),
    ("lastmod", "12005-01-01", VALID),
    ("lastmod", "0000-01-01", INVALID),
    ("lastmod", "1997-02-29", INVALID),
    ("lastmod", "1996-02-29", VALID),
    ("lastmod", "16/07/1997", INVALID),
    ("lastmod", "", INVALID),
    *(("changefreq", word, VALID) for word in CHANGE_FREQUENCIES),
    ("changefreq", "Daily", INVALID),
    ("changefreq", " daily", INVALID),
    ("changefreq", "daily ", INVALID),
    ("changefreq", "", INVALID),
    ("changefreq", "biweekly", INVALID),
    *(("priority", number, VALID) for number in ("0", "1", "1.00", ".5", "0.", "+0.5", "-0.0", " 0.5 ", "0.5")),
    *(("priority", number, INVALID) for number in ("1.01", "-0.1", "5e-1", "0,5", "NaN", "")),
]
verdicts = pytest.mark.parametrize(("name", "value", "verdict"), VALUES)


def verdict_on(document: str) -> str:
    return INVALID if found(document) else VALID


@verdicts
def test_a_value_in_a_url(name: str, value: str, verdict: str) -> None:
    first = "" if name == "loc" else LOC
    assert verdict_on(urlset_of(f"<url>{first}<{name}>{value}</{name}></url>")) == verdict


@verdicts
def test_a_value_in_a_sitemap(name: str, value: str, verdict: str) -> None:
    first = "" if name == "loc" else LOC
    expected = verdict if name in ("loc", "lastmod") else INVALID
    assert verdict_on(index_of(f"<sitemap>{first}<{name}>{value}</{name}></sitemap>")) == expected


@verdicts
def test_a_value_of_0_84(name: str, value: str, verdict: str) -> None:
    first = "" if name == "loc" else LOC
    expected = VALID if value in ("1997", "1997-07") else verdict
    assert verdict_on(urlset_of(f"<url>{first}<{name}>{value}</{name}></url>", NS_084)) == expected


@verdicts
def test_one_wrong_value_is_one_fault_that_names_it(name: str, value: str, verdict: str) -> None:
    if verdict == VALID or name == "loc":
        return
    (fault,) = found(urlset_of(f"<url>{LOC}<{name}>{value}</{name}></url>"))
    assert fault.message.startswith(f"<{name}> is '{value}'")
    assert (fault.line, fault.value) == (1, value)


# --- children: PROTOCOL 1.1, 1.2, 1.11, 2.1

LASTMOD = "<lastmod>2024-01-31</lastmod>"
CHANGEFREQ = "<changefreq>daily</changefreq>"
PRIORITY = "<priority>0.5</priority>"
FOREIGN = '<x:any a="b"><x:thing/>text</x:any>'
UNDECLARED = '<meta xmlns="">text</meta>'

URL_CHILDREN = [
    pytest.param(LOC, VALID, VALID, id="loc"),
    pytest.param(LOC + LASTMOD + CHANGEFREQ + PRIORITY, VALID, VALID, id="all-in-order"),
    pytest.param(LOC + PRIORITY, VALID, VALID, id="some-left-out"),
    pytest.param("", INVALID, INVALID, id="empty"),
    pytest.param(LASTMOD, INVALID, INVALID, id="no-loc"),
    pytest.param(LASTMOD + LOC, INVALID, VALID, id="lastmod-first"),
    pytest.param(LOC + CHANGEFREQ + LASTMOD, INVALID, VALID, id="changefreq-before-lastmod"),
    pytest.param(LOC + PRIORITY + CHANGEFREQ, INVALID, VALID, id="priority-before-changefreq"),
    pytest.param(LOC + LOC, INVALID, INVALID, id="two-locs"),
    pytest.param(LOC + LASTMOD + LASTMOD, INVALID, INVALID, id="two-lastmods"),
    pytest.param(LOC + PRIORITY + FOREIGN, VALID, INVALID, id="foreign-after-priority"),
    pytest.param(LOC + FOREIGN + FOREIGN, VALID, INVALID, id="two-foreign-after-loc"),
    pytest.param(LOC + FOREIGN + LASTMOD, INVALID, INVALID, id="foreign-before-lastmod"),
    pytest.param(FOREIGN + LOC, INVALID, INVALID, id="foreign-before-loc"),
    pytest.param(LOC + UNDECLARED, INVALID, INVALID, id="no-namespace"),
    pytest.param(LOC + "<image/>", INVALID, INVALID, id="unknown-in-the-sitemap-namespace"),
    pytest.param(LOC + "text", INVALID, INVALID, id="text"),
    pytest.param(LOC + "<!-- text --><?pi text?>\n\t", VALID, VALID, id="comment"),
    pytest.param(f"<loc><![CDATA[http://a.bc/]]></loc>{LASTMOD}", VALID, VALID, id="cdata"),
    pytest.param("<loc><b/>http://a.bc/</loc>", INVALID, INVALID, id="element-in-loc"),
    pytest.param('<loc lang="en">http://a.bc/</loc>', INVALID, INVALID, id="attribute"),
    pytest.param('<loc xsi:type="x">http://a.bc/</loc>', INVALID, INVALID, id="unknown-type"),
]


@pytest.mark.parametrize(("children", "verdict", "verdict_084"), URL_CHILDREN)
def test_the_children_of_a_url(children: str, verdict: str, verdict_084: str) -> None:
    assert verdict_on(urlset_of(f"<url>{children}</url>")) == verdict
    assert verdict_on(urlset_of(f"<url>{children}</url>", NS_084)) == verdict_084


@pytest.mark.parametrize(
    ("children", "verdict", "verdict_084"),
    [
        pytest.param(LOC, VALID, VALID, id="loc"),
        pytest.param(LOC + LASTMOD, VALID, VALID, id="in-order"),
        pytest.param(LASTMOD + LOC, INVALID, VALID, id="lastmod-first"),
        pytest.param("", INVALID, INVALID, id="empty"),
        pytest.param(LOC + LOC, INVALID, INVALID, id="two-locs"),
        pytest.param(LOC + CHANGEFREQ, INVALID, INVALID, id="changefreq"),
        pytest.param(LOC + PRIORITY, INVALID, INVALID, id="priority"),
        pytest.param(LOC + LASTMOD + FOREIGN, VALID, INVALID, id="foreign-after-lastmod"),
        pytest.param(LOC + FOREIGN + LASTMOD, INVALID, INVALID, id="foreign-before-lastmod"),
    ],
)
def test_the_children_of_a_sitemap(children: str, verdict: str, verdict_084: str) -> None:
    assert verdict_on(index_of(f"<sitemap>{children}</sitemap>")) == verdict
    assert verdict_on(index_of(f"<sitemap>{children}</sitemap>", NS_084)) == verdict_084


ROOT_CHILDREN = [
    pytest.param("{0}", VALID, VALID, id="one"),
    pytest.param("{0}\n{0}<!-- -->{0}", VALID, VALID, id="three"),
    pytest.param("", INVALID, INVALID, id="empty"),
    pytest.param("<!-- -->\n", INVALID, INVALID, id="comment"),
    pytest.param("<x:a/><x:b/>{0}", VALID, INVALID, id="foreign-first"),
    pytest.param("<x:a/>", INVALID, INVALID, id="foreign-only"),
    pytest.param("{0}<x:a/>", INVALID, INVALID, id="foreign-last"),
    pytest.param("{0}<x:a/>{0}", INVALID, INVALID, id="foreign-between"),
    pytest.param("text{0}", INVALID, INVALID, id="text-first"),
    pytest.param("{0}text", INVALID, INVALID, id="text-last"),
    pytest.param("<thing/>{0}", INVALID, INVALID, id="unknown-first"),
    pytest.param("{0}<thing/>", INVALID, INVALID, id="unknown-last"),
    pytest.param("{0}<meta xmlns=''/>", INVALID, INVALID, id="no-namespace"),
]


@pytest.mark.parametrize(("children", "verdict", "verdict_084"), ROOT_CHILDREN)
def test_the_children_of_a_root(children: str, verdict: str, verdict_084: str) -> None:
    sitemap = f"<sitemap>{LOC}</sitemap>"
    assert verdict_on(urlset_of(children.format(URL))) == verdict
    assert verdict_on(index_of(children.format(sitemap))) == verdict
    assert verdict_on(urlset_of(children.format(URL), NS_084)) == verdict_084
    assert verdict_on(index_of(children.format(sitemap), NS_084)) == verdict_084


@pytest.mark.parametrize("space", [NS, NS_084])
def test_records_of_the_other_root(space: str) -> None:
    assert placed(urlset_of(f"{URL}\n<sitemap>{LOC}</sitemap>\n{URL}", space)) == [(2, "<sitemap>")]
    assert placed(index_of(f"{URL}\n<sitemap>{LOC}</sitemap>", space)) == [(1, "<url>")]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('xsi:schemaLocation="a b"', []),
        ('xml:lang="en"', ["xml:lang"]),
        ('version="1"', ["version"]),
        ('version="1" date="2"', ["version", "date"]),
        ("", []),
    ],
)
def test_attributes_of_the_root(attributes: str, expected: list[str]) -> None:
    document = f'\n<urlset\nxmlns="{NS}"{SPACES}\n{attributes}>\n\n{URL}\n{URL}\n<url/></urlset>'
    names = [name.removeprefix("xml:") for name in expected]
    assert placed(document) == [(4, name) for name in names] + [(8, "<url>")]


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ("<urlset/>", "no namespace"),
        ('<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"/>', "https://www.sitemaps.org/"),
        (f'<urlset xmlns="{NS}/"/>', f"{NS}/"),
        (f'<url xmlns="{NS}"/>', "<url>"),
        ("<rss><channel/></rss>", "<rss>"),
        (f"<image:image{SPACES}><image:loc>a</image:loc></image:image>", "<image>"),
    ],
)
def test_a_root_without_a_schema_is_one_fault(document: str, named: str) -> None:
    (fault,) = found(f"<?xml version='1.0'?>\n{document}")
    assert named in fault.message
    assert fault.line == 2


# --- the blocks: PROTOCOL 3.1, 3.2, 3.3


def block(name: str, *children: str) -> str:
    return urlset_of(f"<url>{LOC}<{name}>{''.join(children)}</{name}></url>")


def element(prefix: str, name: str, text: str = "", attributes: str = "") -> str:
    return f"<{prefix}:{name} {attributes}>{text}</{prefix}:{name}>"


IMAGE = [
    ("loc", "https://cdn.example.net/1.png"),
    ("caption", "A caption"),
    ("geo_location", "Limerick, Ireland"),
    ("title", "A title"),
    ("license", "https://www.example.com/license"),
]
VIDEO = [
    ("thumbnail_loc", "https://www.example.com/t.jpg", ""),
    ("title", "A title", ""),
    ("description", "A description", ""),
    ("content_loc", "https://www.example.com/v.mp4", ""),
    ("player_loc", "https://www.example.com/p", 'allow_embed="yes" autoplay="ap=1"'),
    ("duration", "600", ""),
    ("expiration_date", "2029-11-05T19:20:30+08:00", ""),
    ("rating", "4.2", ""),
    ("content_segment_loc", "https://www.example.com/s", 'duration="100"'),
    ("content_segment_loc", "https://www.example.com/s", ""),
    ("view_count", "12345", ""),
    ("publication_date", "2027-11-05", ""),
    ("tag", "one", ""),
    ("tag", "two", ""),
    ("category", "Baking", ""),
    ("family_friendly", "yes", ""),
    ("restriction", "IE GB US CA", 'relationship="allow"'),
    ("gallery_loc", "https://www.example.com/g", 'title="Gallery"'),
    ("price", "1.99", 'currency="EUR" type="rent" resolution="hd"'),
    ("price", "2", 'currency="USD"'),
    ("requires_subscription", "no", ""),
    ("uploader", "Somebody", 'info="https://www.example.com/users/1"'),
    ("tvshow", "<video:show_title>S</video:show_title><video:video_type>full</video:video_type>", ""),
    ("platform", "web tv", 'relationship="deny"'),
    ("live", "no", ""),
    ("id", "123", 'type="tms:series"'),
    ("id", "456", ""),
]
NEWS = [
    ("publication", "<news:name>The Example Times</news:name><news:language>en</news:language>"),
    ("access", "Subscription"),
    ("genres", "PressRelease, Blog"),
    ("publication_date", "2008-12-23"),
    ("title", "Companies A, B in Merger Talks"),
    ("keywords", "business, merger"),
    ("stock_tickers", "NASDAQ:A, NASDAQ:B"),
]
REQUIRED = {
    "image": {"loc"},
    "video": {"thumbnail_loc", "title", "description"},
    "news": {"publication", "publication_date"},
}
SEVERAL = {"content_segment_loc", "tag", "price", "id"}
FULL = {
    ("image", "image"): [element("image", *one) for one in IMAGE],
    ("video", "video"): [element("video", *one) for one in VIDEO],
    ("news", "news"): [element("news", *one) for one in NEWS],
}
every_block = pytest.mark.parametrize(("prefix", "children"), [(key[0], full) for key, full in FULL.items()])


def names_of(children: list[str]) -> list[str]:
    return [child[1:].partition(" ")[0].partition(":")[2] for child in children]


@every_block
def test_a_full_block_is_valid_and_needs_what_is_required(prefix: str, children: list[str]) -> None:
    name = f"{prefix}:{prefix}"
    assert messages(block(name, *children)) == []
    for place, left_out in enumerate(names_of(children)):
        document = block(name, *children[:place], *children[place + 1 :])
        assert verdict_on(document) == (INVALID if left_out in REQUIRED[prefix] else VALID), left_out


@every_block
def test_a_block_of_what_is_required_is_valid(prefix: str, children: list[str]) -> None:
    kept = [one for one, name in zip(children, names_of(children), strict=True) if name in REQUIRED[prefix]]
    assert messages(block(f"{prefix}:{prefix}", *kept)) == []


@every_block
def test_the_order_in_a_block_is_fixed(prefix: str, children: list[str]) -> None:
    for place in range(len(children) - 1):
        before, first, second, after = children[:place], children[place], children[place + 1], children[place + 2 :]
        same = len(set(names_of([first, second]))) == 1
        document = block(f"{prefix}:{prefix}", *before, second, first, *after)
        assert verdict_on(document) == (VALID if same else INVALID), (first, second)


@every_block
def test_what_may_stand_twice_in_a_block(prefix: str, children: list[str]) -> None:
    for place, name in enumerate(names_of(children)):
        document = block(f"{prefix}:{prefix}", *children[: place + 1], *children[place:])
        assert verdict_on(document) == (VALID if name in SEVERAL else INVALID), name


@every_block
@pytest.mark.parametrize("stranger", ["<x:any/>", "<other/>", "text", "{0}:other"])
def test_nothing_else_stands_in_a_block(prefix: str, children: list[str], stranger: str) -> None:
    stranger = f"<{stranger.format(prefix)}/>" if ":other" in stranger else stranger
    assert verdict_on(block(f"{prefix}:{prefix}", *children, stranger)) == INVALID


def test_blocks_may_stand_several_times_and_in_any_order() -> None:
    image, video, news = (f"<{key[0]}:{key[0]}>{''.join(full)}</{key[0]}:{key[0]}>" for key, full in FULL.items())
    link = '<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de"/>'
    for order in (image + video + news + link, link + news + video + video + image + image + "<mobile:mobile/>"):
        assert messages(urlset_of(f"<url>{LOC}{PRIORITY}{order}</url>")) == []


def test_the_order_of_googles_full_example_is_not_that_of_the_schema() -> None:
    """PROTOCOL 3.2: it has platform before requires_subscription, and the tags last."""
    names = [
        "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
        "view_count", "publication_date", "family_friendly", "restriction", "platform", "requires_subscription",
        "uploader", "live", "tag",
    ]  # fmt: skip
    by_name = dict(zip(names_of(FULL["video", "video"]), FULL["video", "video"], strict=True))
    (message,) = messages(block("video:video", *(by_name[name] for name in names)))
    assert message.startswith("<video:requires_subscription> may not stand here; expected is <video:live>")


BLOCK_VALUES = [
    ("video", "title", "", "x" * 100, VALID),
    ("video", "title", "", "x" * 101, INVALID),
    ("video", "description", "", "x" * 2048, VALID),
    ("video", "description", "", "x" * 2049, INVALID),
    ("video", "thumbnail_loc", "", "%zz", INVALID),
    ("video", "content_loc", "", "%zz", INVALID),
    ("video", "player_loc", "", "%zz", INVALID),
    ("video", "player_loc", "", "https://www.example.com/", VALID),
    ("video", "player_loc", 'allow_embed="No"', "a", VALID),
    ("video", "player_loc", 'allow_embed="maybe"', "a", INVALID),
    ("video", "player_loc", 'other="yes"', "a", INVALID),
    *(("video", "duration", "", value, VALID) for value in ("0", "1", "28800", " 60 ")),
    *(("video", "duration", "", value, INVALID) for value in ("28801", "-1", "1.5", "1:30", "")),
    *(("video", "expiration_date", "", value, VALID) for value in ("2024-01-31", "2024-01-31T10:00:00Z")),
    *(("video", "expiration_date", "", value, INVALID) for value in ("2024", "2024-01", "2024-01-31T10:00Z", "")),
    *(("video", "publication_date", "", value, INVALID) for value in ("2024", "2024-01", "2024-01-31T10:00Z", "")),
    *(("video", "rating", "", value, VALID) for value in ("0", "0.0", "5", "5.0", "4.25")),
    *(("video", "rating", "", value, INVALID) for value in ("5.1", "-1", "good", "4,5", "")),
    ("video", "content_segment_loc", 'duration="28800"', "a", VALID),
    ("video", "content_segment_loc", 'duration="28801"', "a", INVALID),
    *(("video", "view_count", "", value, VALID) for value in ("0", "12345678901234567890")),
    *(("video", "view_count", "", value, INVALID) for value in ("-1", "1.5", "1,000", "")),
    ("video", "category", "", "x" * 256, VALID),
    ("video", "category", "", "x" * 257, INVALID),
    *(
        ("video", name, "", value, verdict)
        for name in ("family_friendly", "requires_subscription", "live")
        for value, verdict in (
            *((word, VALID) for word in ("yes", "Yes", "YES", "no", "No", "NO")),
            *((word, INVALID) for word in ("yEs", "true", "1", " yes", "")),
        )
    ),
    *(("video", "restriction", 'relationship="deny"', value, VALID) for value in ("IE", "IE GB", "IE  GB", "")),
    *(("video", "restriction", 'relationship="deny"', value, INVALID) for value in ("ie", "IE,GB", "IRL", " IE")),
    ("video", "restriction", "", "IE", INVALID),
    ("video", "restriction", 'relationship="Allow"', "IE", INVALID),
    *(("video", "platform", 'relationship="allow"', value, VALID) for value in ("web", "tv mobile web", "")),
    *(("video", "platform", 'relationship="allow"', value, INVALID) for value in ("Web", "web  tv", "web,tv", "radio")),
    ("video", "platform", "", "web", INVALID),
    ("video", "gallery_loc", "", "https://www.example.com/", VALID),
    ("video", "gallery_loc", 'caption="a"', "https://www.example.com/", INVALID),
    *(
        ("video", "price", f'currency="EUR" type="{word}"', "1", VALID)
        for word in ("rent", "RENT", "purchase", "PURCHASE")
    ),
    ("video", "price", 'currency="EUR" type="Rent"', "1", INVALID),
    ("video", "price", 'currency="EUR" resolution="4k"', "1", INVALID),
    ("video", "price", 'currency="eur"', "1", INVALID),
    ("video", "price", "", "1", INVALID),
    ("video", "price", 'currency="EUR"', "-1", INVALID),
    ("video", "uploader", "", "x" * 256, VALID),
    ("video", "uploader", 'info="%zz"', "x", INVALID),
    *(
        ("video", "id", f'type="{word}"', "1", VALID)
        for word in ("tms:program", "rovi:series", "rovi:program", "freebase", "url")
    ),
    ("video", "id", 'type="imdb"', "1", INVALID),
    ("image", "loc", "", "%zz", INVALID),
    ("image", "loc", "", "a.png", VALID),
    ("image", "license", "", "%zz", INVALID),
    ("image", "title", 'lang="en"', "a", INVALID),
    ("news", "access", "", "Registration", VALID),
    *(("news", "access", "", value, INVALID) for value in ("registration", "Free", "")),
    *(("news", "genres", "", value, VALID) for value in ("Satire", "OpEd,Opinion", "OpEd , UserGenerated, Satire")),
    *(("news", "genres", "", value, INVALID) for value in ("satire", "OpEd Opinion", "OpEd,", "Gossip", "")),
    *(("news", "publication_date", "", value, VALID) for value in ("2024-01-31", "2024-01-31T10:00:00.5+02:00")),
    *(("news", "publication_date", "", value, INVALID) for value in ("2024", "2024-01-31T10:00+02:00", "")),
    *(
        ("news", "stock_tickers", "", value, VALID)
        for value in ("BOM:500325", "NYSE:BRK.A,NASDAQ:B", ", ".join(["A:B"] * 5))
    ),
    *(("news", "stock_tickers", "", value, INVALID) for value in ("AAPL", "A:B C:D", ", ".join(["A:B"] * 6))),
]  # fmt: skip


@pytest.mark.parametrize(("prefix", "name", "attributes", "value", "verdict"), BLOCK_VALUES)
def test_a_value_in_a_block(prefix: str, name: str, attributes: str, value: str, verdict: str) -> None:
    children = FULL[prefix, prefix]
    place = names_of(children).index(name)
    replaced = [*children[:place], element(prefix, name, value, attributes), *children[place + 1 :]]
    assert verdict_on(block(f"{prefix}:{prefix}", *replaced)) == verdict


@pytest.mark.parametrize(
    ("language", "verdict"),
    [
        *((code, VALID) for code in ("en", "deu", "zh-cn", "zh-tw")),
        *((code, INVALID) for code in ("EN", "e", "engl", "en-us", "zh-CN", "zh-hk", "")),
    ],
)
def test_the_language_of_a_paper(language: str, verdict: str) -> None:
    publication = f"<news:name>N</news:name><news:language>{language}</news:language>"
    first = element("news", "publication", publication)
    assert verdict_on(block("news:news", first, *FULL["news", "news"][1:])) == verdict


@pytest.mark.parametrize(
    "publication",
    [
        "<news:name>N</news:name>",
        "<news:language>en</news:language>",
        "<news:language>en</news:language><news:name>N</news:name>",
        "",
    ],
)
def test_a_paper_needs_name_and_language(publication: str) -> None:
    first = element("news", "publication", publication)
    assert verdict_on(block("news:news", first, *FULL["news", "news"][1:])) == INVALID


@pytest.mark.parametrize("tags", [0, 1, 32, 33])
def test_a_video_has_up_to_32_tags(tags: int) -> None:
    document = block("video:video", *FULL["video", "video"][:3], *["<video:tag>t</video:tag>"] * tags)
    assert verdict_on(document) == (VALID if tags <= 32 else INVALID)


SHOW = {
    "show_title": "S",
    "video_type": "clip",
    "episode_title": "E",
    "season_number": "1",
    "episode_number": "2",
    "premier_date": "2024-01-31",
}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, VALID),
        *(({"video_type": kind}, VALID) for kind in ("full", "preview", "clip", "interview", "news", "other")),
        ({"video_type": "trailer"}, INVALID),
        ({"season_number": "0"}, INVALID),
        ({"episode_number": "0"}, INVALID),
        ({"premier_date": "2024"}, INVALID),
        ({"show_title": None}, INVALID),
        ({"video_type": None}, INVALID),
        ({"episode_title": None, "season_number": None, "episode_number": None, "premier_date": None}, VALID),
    ],
)
def test_a_television_show(changes: dict[str, str | None], verdict: str) -> None:
    show = "".join(element("video", name, text) for name, text in {**SHOW, **changes}.items() if text is not None)
    document = block("video:video", *FULL["video", "video"][:3], element("video", "tvshow", show))
    assert verdict_on(document) == verdict


def test_a_block_is_checked_also_where_it_stands_alone_or_deep() -> None:
    empty = "<image:image/>"
    assert placed(urlset_of(f"{empty}{URL}")) == [(1, "<image:image>")]
    assert placed(urlset_of(f"<url>{LOC}<x:any><x:any>{empty}</x:any></x:any></url>")) == [(1, "<image:image>")]


# --- the words


@pytest.mark.parametrize(
    ("body", "message", "value"),
    [
        (
            f"<url>{LOC}<lastmod>1997</lastmod></url>",
            "<lastmod> is '1997', which xsd:date and xsd:dateTime do not allow",
            "1997",
        ),
        (f"<url>{LOC}<priority>0,5</priority></url>", "<priority> is '0,5', which xsd:decimal does not allow", "0,5"),
        (f"<url>{LOC}<priority>1.5</priority></url>", "<priority> is '1.5', and the maximum is 1", "1.5"),
        (f"<url>{LOC}<priority>-1</priority></url>", "<priority> is '-1', and the minimum is 0", "-1"),
        (
            f"<url>{LOC}<changefreq>it's\n</changefreq></url>",
            f"<changefreq> is 'it's ', which is none of {str(CHANGE_FREQUENCIES)[1:-1]}",
            "it's\n",
        ),
        ("<url><loc>x</loc></url>", "<loc> has a length of 1, and the minimum is 12", None),
        (f"<url><loc>{'x' * 2049}</loc></url>", "<loc> has a length of 2049, and the maximum is 2048", None),
        ("<url/>", "<url> ends too early; expected is <loc>", None),
        (
            f"<url>{LOC}{PRIORITY}{LOC}</url>",
            "<loc> may not stand here; expected is an element of another namespace",
            None,
        ),
        (
            f"<url>{LOC}{CHANGEFREQ}{LASTMOD}</url>",
            "<lastmod> may not stand here; expected is <priority> or an element of another namespace",
            None,
        ),
        (f'<url id="1">{LOC}</url>', "id of <url> is not allowed", None),
        (f"<url>text{LOC}</url>", "<url> holds text between its elements", None),
        (f"{URL}text", "text stands between the records: 'text'", "text"),
        ("<thing/>", "<thing> may not stand here; expected is <url> or an element of another namespace", None),
        (
            "<url><loc><b/>http://a.bc/</loc></url>",
            "<loc> is wrong: Element content is not allowed, because the type definition is simple.",
            None,
        ),
        (
            f"<url>{LOC}<image:image><image:loc>a</image:loc><image:loc>a</image:loc></image:image></url>",
            (
                "<image:loc> may not stand here; expected is <image:caption>, <image:geo_location>, <image:title> or "
                "<image:license>"
            ),
            None,
        ),
        (
            (
                f"<url>{LOC}<news:news>{FULL['news', 'news'][0]}{FULL['news', 'news'][3]}"
                "<news:stock_tickers>A</news:stock_tickers></news:news></url>"
            ),
            (
                r"<news:stock_tickers> is 'A', which is not of the form "
                r"[^\s,:]+:[^\s,:]+( *, *[^\s,:]+:[^\s,:]+){0,4}"
            ),
            "A",
        ),
    ],
)
def test_words(body: str, message: str, value: str | None) -> None:
    fault = found(urlset_of(body))[0]
    assert (fault.message, fault.value) == (message, value)


def test_an_attribute_that_is_missing_and_a_wrong_value_are_two_faults() -> None:
    child = element("video", "restriction", "ie")
    told = messages(block("video:video", *FULL["video", "video"][:3], child))
    assert told[0] == "relationship of <video:restriction> is required but missing"
    assert told[1].startswith("<video:restriction> is 'ie', which is not of the form")
    assert len(told) == 2


def test_equal_elements_on_one_line_are_faults_of_their_own() -> None:
    wrong = f"<url>{LOC}<priority>2</priority></url>"
    assert placed(urlset_of(wrong * 3)) == [(1, "<priority>")] * 3


def test_a_long_value_is_shortened_in_the_message_only() -> None:
    (fault,) = found(urlset_of(f"<url>{LOC}<priority>{'x' * 1000}</priority></url>"))
    assert fault.value == "x" * 1000
    assert len(fault.message) < 200


def test_no_message_has_a_namespace_in_it() -> None:
    bodies = [f"<url>{LOC}<image:image><x:a/></image:image></url>", "<image:loc/>", "<url xsi:type='image:x'/>"]
    for told in (messages(urlset_of(body)) for body in bodies):
        assert told
        assert not any("{" in message or "http" in message for message in told)


# --- the lines, the stream

BAD = "<url>\n<loc>http://www.example.com/</loc>\n<lastmod>1997</lastmod>\n</url>\n"


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 16, 1 << 30])
def test_every_fault_of_many_and_its_line(size: int) -> None:
    good = f"{URL}\n"
    body = "".join(BAD if number % 3 == 0 else good for number in range(900))
    lines, line = [], 3
    for number in range(900):
        if number % 3 == 0:
            lines.append((line + 2, "<lastmod>"))
        line += 4 if number % 3 == 0 else 1
    assert placed(f"<?xml version='1.0'?>\n{urlset_of(chr(10) + body)}", size) == lines


@pytest.mark.parametrize("size", [1, 3, 1 << 16])
def test_a_wrong_child_of_the_root_hides_no_fault_that_follows(size: int) -> None:
    body = f"\n<thing/>\n<url/>\n{URL}\n<x:a/>\n\nsome\ntext\n<!-- t --><url><loc/></url> more <thing/>\n<url\n/>"
    expected = [
        (2, "<thing>"),
        (3, "<url>"),
        (5, "<x:a>"),
        (7, "text"),
        (9, "<loc>"),
        (9, "text"),
        (9, "<thing>"),
        (11, "<url>"),
    ]
    assert [(line, name.replace("<a>", "<x:a>")) for line, name in placed(urlset_of(body), size)] == expected


def test_the_first_of_the_text_between_records_is_what_counts() -> None:
    body = f"{URL}\n<!-- a\nb -->\n<?pi c?><![CDATA[\n\n]]>\n d &amp; e {URL}"
    (fault,) = found(urlset_of(body))
    assert (fault.line, fault.value) == (7, "d")


def test_lines_beyond_65535() -> None:
    record = "<url>\n\n<loc>http://www.example.com/</loc>\n</url>\n"
    wrong = "<url>\n<loc>\nx</loc>\n<lastmod\n>1997</lastmod></url>\n<url\n/>\n<thing\n/>\n"
    body = "\n" + record * 17_500 + wrong + record * 500 + wrong
    first = 2 + 17_500 * 4
    second = first + 9 + 500 * 4
    assert placed(urlset_of(body)) == [
        place
        for start in (first, second)
        for place in ((start + 1, "<loc>"), (start + 4, "<lastmod>"), (start + 6, "<url>"), (start + 8, "<thing>"))
    ]


def test_lines_of_records_with_many() -> None:
    body = f"\n<url>{LOC}{chr(10) * 60_000}<image:image/></url>\n" * 3
    assert placed(urlset_of(body)) == [(60_002 * number, "<image:image>") for number in (1, 2, 3)]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends(end: str) -> None:
    body = f"\n{URL}\n\n<url/>\n{BAD}"
    assert placed(urlset_of(body).replace("\n", end)) == [(4, "<url>"), (7, "<lastmod>")]


def test_a_byte_order_mark_and_another_declared_encoding_do_no_harm() -> None:
    document = (
        f"\ufeff<?xml version='1.0' encoding='iso-8859-1'?>\n{urlset_of('<url><loc>http://a.bc/é</loc></url><url/>')}"
    )
    assert placed(document) == [(2, "<url>")]


def test_prefixes_of_the_root_hold_in_every_part() -> None:
    records = "<s:url><s:loc>http://a.bc/</s:loc><v:image><v:loc>a</v:loc></v:image></s:url>\n" * 1000
    spaces = f'xmlns:s="{NS}" xmlns:v="http://www.google.com/schemas/sitemap-image/1.1" xmlns:q="urn:q?b=\'2\'"'
    document = f"<s:urlset {spaces}>{records}<s:url q:a=''/></s:urlset>"
    assert [fault.message for fault in found(document)] == [
        "a of <url> is not allowed",
        "<url> ends too early; expected is <loc>",
    ]


@pytest.mark.parametrize("size", [1, 1 << 16])
@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        pytest.param("", [1], id="cut-off-between"),
        pytest.param("<url><loc>", [1], id="cut-off-within"),
        pytest.param("<ur", [1], id="cut-off-in-a-tag"),
        pytest.param("<!-- ", [1], id="cut-off-in-a-comment"),
        pytest.param("<![CDATA[ x", [1], id="cut-off-in-cdata"),
        pytest.param("<url/>\n<url/>&nbsp;<url/></urlset>", [1, 1, 2], id="entity"),
        pytest.param("<url/></url></urlset>", [1, 1], id="end-tag-too-many"),
        pytest.param("<url/><url a='1' a='2'/></urlset>", [1, 1], id="attribute-twice"),
        pytest.param("<url></url ><url>\x01</url></urlset>", [1, 1], id="control"),
        pytest.param("<url/><p:url/><url/></urlset>", [1, 1], id="unbound-prefix"),
        pytest.param("<url/></urlset><url/>", [1, 1], id="after-the-root"),
    ],
)
def test_where_a_document_is_not_well_formed_it_ends(rest: str, expected: list[int], size: int) -> None:
    """The records before that place are checked, the last one too."""
    document = f'<urlset xmlns="{NS}"><url>/></url>{rest}'
    assert [fault.line for fault in found(document, size)] == expected


@pytest.mark.parametrize("document", ["", " ", "text", "<", "<urlset", f'<urlset xmlns="{NS}"', "<a b='&x;'/>", "\0"])
def test_what_has_no_root_has_no_faults(document: str) -> None:
    assert found(document) == []


def test_faults_are_handed_out_while_the_document_is_read() -> None:
    def endless() -> Iterator[bytes]:
        yield f'<urlset xmlns="{NS}">'.encode()
        while True:
            yield b"<url/>\n" * 100

    stream = faults(endless())
    assert [next(stream).line for _ in range(5000)] == list(range(1, 5001))


# --- against libxml2, which judges whole trees

FRAGMENTS = [
    URL,
    f"<url>{LOC}{LASTMOD}</url>",
    f"<url>{LASTMOD}{LOC}</url>",
    "<url/>",
    "<url a='1'/>",
    "<url><loc>x</loc><lastmod>1997</lastmod></url>",
    f"<url>{LOC}<image:image/></url>",
    f"<url>{LOC}<x:a><x:a/></x:a>{FULL['image', 'image'][0]}</url>",
    f"<u:url xmlns:u='{NS}'><u:loc>http://a.bc/</u:loc></u:url>",
    "<sitemap/>",
    "<thing/>",
    "<meta xmlns=''/>",
    "<x:a/>",
    "<x:a><image:image/></x:a>",
    "<image:image><image:loc>a</image:loc></image:image>",
    " text ",
    "\n",
    "<!-- c -->",
    "<?p i?>",
]


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=6), st.sampled_from([NS, NS_084]), st.integers(1, 200))
def test_the_verdict_is_libxml2s(fragments: list[str], space: str, size: int) -> None:
    document = urlset_of("".join(fragments), space)
    told = found(document, size)
    assert (not told) == schemas().validate(etree.fromstring(document))
    assert told == found(document)
    lines = [fault.line for fault in told if not fault.message.startswith("<urlset> ends too early")]
    assert lines == sorted(lines)


# --- hostile input


def test_nothing_is_loaded_that_a_document_names(tmp_path: Path) -> None:
    elsewhere = tmp_path / "x.xsd"
    elsewhere.write_text(
        '<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:example:x">'
        '<s:element name="a" type="s:date"/></s:schema>'
    )
    body = f'<url>{LOC}<x:a xsi:schemaLocation="urn:example:x {elsewhere.as_uri()}">text</x:a></url>'
    assert messages(urlset_of(body)) == []


def test_entities_are_never_expanded() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<!DOCTYPE urlset [<!ENTITY e0 "<url/>">{levels}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    assert messages(f"{doctype}{urlset_of(f'{URL}<url>&e11;</url><url/>&f;<url/>')}") == [
        "<url> can't be judged: Entity 'e11' not defined",
        "<url> can't be judged: Entity 'f' not defined",
        "<url> ends too early; expected is <loc>",
    ]


@pytest.mark.untraced
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"<url>{LOC}{'<image:image/>' * 70_000}</url>", id="wrong-blocks"),
        pytest.param("<thing/>" * 40_000, id="wrong-records"),
        pytest.param("<image:image/>" * 70_000 + URL, id="wrong-blocks-before"),
        pytest.param(f"<url>{'<thing>' * 100_000}{'</thing>' * 100_000}</url>", id="deep"),
        pytest.param(f"<url><loc>{'x' * 1_000_000}</loc></url>", id="long-text"),
        pytest.param(f"<url a='{'>' * 1_000_000}'/>", id="long-attribute"),
        pytest.param(f"<url/>{' ' * 1_000_000}<url/>", id="blanks"),
        pytest.param(f"{URL}{'<!-- -->x' * 100_000}", id="texts"),
    ],
)
def test_a_megabyte_takes_bounded_time(body: str) -> None:
    begun = time.monotonic()
    assert found(urlset_of(body))
    assert time.monotonic() - begun < 20


def test_faults_of_a_huge_record_beyond_what_is_looked_up_have_its_line() -> None:
    body = f"\n<url>{LOC}{chr(10)}{'<image:image/>' * 20_000}</url>\n<url/>"
    told = placed(urlset_of(body))
    assert told == [(2, "<image:image>")] * 20_000 + [(4, "<url>")]


MEMORY = """
import resource, sys
from urlset.formats.xml.schema import faults

def document(records):
    yield b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    for number in range(records // 100):
        yield b"<url>\\n<loc>http://www.example.com/</loc><lastmod>2024</lastmod></url>\\n" * (number % 2 * 100)
        yield b"<url>\\n<loc>http://www.example.com/</loc></url>\\n" * (100 - number % 2 * 100)
    yield b"</urlset>"

def peak(records):
    assert sum(1 for _ in faults(document(records))) == records // 2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(peak(20_000), peak(200_000))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the module resource is Unix's")
def test_memory_is_flat() -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    small, large = map(int, done.stdout.split())
    assert large < small * 1.15


# --- the package


def test_every_schema_is_in_the_package_and_in_all() -> None:
    folder = Path(str(files("urlset.formats.xml") / "schemas"))
    names = {path.name for path in folder.iterdir()}
    assert names == {f"sitemap{kind}.xsd" for kind in ("", "-0.84", "-image", "-news", "-video")} | {"all.xsd"}
    imported = etree.parse(str(folder / "all.xsd")).iterfind("{*}import")
    assert {one.get("schemaLocation") for one in imported} | {"all.xsd"} == names
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["setuptools"]["package-data"]["urlset.formats.xml"] == ["schemas/*.xsd"]


def test_every_schema_is_a_schema_of_its_own() -> None:
    for path in Path(str(files("urlset.formats.xml") / "schemas")).iterdir():
        etree.XMLSchema(etree.parse(str(path)))
        assert path.read_text("utf-8").splitlines()[1] == "<!--"
        assert "Written for urlset" in path.read_text("utf-8")


def test_the_schema_is_compiled_once() -> None:
    assert schema._libxml2() is schema._libxml2()


# --- what the writers write

VIDEO_SPACE = 'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
VIDEO_EXTRA = (f'<video:id {VIDEO_SPACE} type="url">1</video:id>',)
"""As the first version carried what was not typed then."""
DATE = urlset.LastMod("2024-01-31T10:00:00+02:00")
ENTRY = urlset.Entry(
    loc="https://www.example.com/?a=1&b='2'",
    lastmod=DATE,
    changefreq="daily",
    priority=0.000001,
    title="A title",
    images=(
        urlset.Image(loc="https://www.example.com/1.png"),
        urlset.Image(
            loc="https://www.example.com/2.png",
            caption="<b>&",
            geo_location="Here",
            title="é",
            license="https://www.example.com/l",
        ),
    ),
    videos=(
        urlset.Video(
            thumbnail_loc="https://www.example.com/t",
            title="T",
            description="D",
            content_loc="https://www.example.com/v",
            player_loc="https://www.example.com/p",
            player_loc_allow_embed="no",
            player_loc_autoplay="ap=1",
            duration=28_800,
            expiration_date=urlset.LastMod("2024-01-31"),
            rating=4.25,
            view_count=0,
            publication_date=DATE,
            tags=("a", "b & c"),
            category="C",
            family_friendly="yes",
            restriction="IE GB",
            restriction_relationship="deny",
            gallery_loc="https://www.example.com/g",
            gallery_loc_title='"G"',
            requires_subscription="no",
            uploader="U",
            uploader_info="https://www.example.com/u",
            platform="web tv",
            platform_relationship="allow",
            live="no",
            content_segments=(
                urlset.ContentSegment(loc="https://www.example.com/s", duration=0),
                urlset.ContentSegment(loc="https://www.example.com/s2"),
            ),
            prices=(
                urlset.Price(value="1.990", currency="EUR", type="rent", resolution="hd"),
                urlset.Price(value="2", currency="USD"),
            ),
            tvshow=urlset.TvShow(
                show_title="S & T",
                video_type="clip",
                episode_title="E",
                season_number=1,
                episode_number=2,
                premier_date=urlset.LastMod("2024-01-31"),
            ),
            ids=(urlset.VideoId(value="1", type="tms:series"), urlset.VideoId(value="2")),
            extra=VIDEO_EXTRA,
        ),
        urlset.Video(thumbnail_loc="https://www.example.com/t", title="T", description="D"),
    ),
    news=urlset.News(
        publication=urlset.Publication(name="N", language="zh-cn"),
        access="Subscription",
        genres="Blog, Satire",
        publication_date=DATE,
        title="T",
        keywords="k",
        stock_tickers="A:B",
    ),
    alternates=(urlset.Alternate(hreflang="x-default", href="https://www.example.com/de"),),
    mobile=True,
    pagemaps=(
        urlset.PageMap(
            template_src="https://www.example.com/t",
            data_objects=(
                urlset.DataObject(
                    type="thumbnail", id="1", attributes=(urlset.PageMapAttribute(name="width", value="<100>"),)
                ),
            ),
        ),
    ),
    extra=('<ext:a xmlns:ext="urn:example:ext">text</ext:a>',),
)


def test_the_entry_has_every_field() -> None:
    assert set(ENTRY.as_dict()) == set(FIELDS)
    (block,) = [one for one in ENTRY.videos if one.extra]
    for one in (ENTRY.images[1], block, ENTRY.news):
        assert one is not None
        assert set(one.as_dict()) == {name for name, field in type(one).model_fields.items() if not field.exclude}


@pytest.mark.parametrize("max_urls", [50_000, 2])
def test_a_set_of_files_is_valid(tmp_path: Path, max_urls: int) -> None:
    entries = [
        ENTRY,
        ENTRY.model_copy(update={"loc": "https://www.example.com/b"}),
        urlset.Entry(loc="https://www.example.com/c"),
    ]
    result = urlset.write(entries, tmp_path / "sitemap.xml", base_url="https://www.example.com/", max_urls=max_urls)
    written = sorted(tmp_path.iterdir())
    assert len(written) == len(result.outputs) == (1 if max_urls > 2 else 3)
    for path in written:
        assert list(faults([path.read_bytes()])) == []


def test_a_list_of_sitemaps_is_valid() -> None:
    entries = [urlset.Entry(loc="https://www.example.com/a.xml", lastmod=DATE), ENTRY]
    assert list(faults([written(entries, "sitemap-index")])) == []


@pytest.mark.parametrize("text", ["1997", "1997-07", "1997-07-16", "1997-07-16T19:20+01:00", "1997-07-16T19:20:30.45Z"])
def test_with_xsd_every_lastmod_is_valid(text: str) -> None:
    entry = urlset.Entry(loc="https://www.example.com/", lastmod=urlset.LastMod(text))
    assert list(faults([written([entry], "sitemap", xsd=True)])) == []
    assert bool(list(faults([written([entry], "sitemap")]))) == (len(text) < 10)


def test_a_migrated_sitemap_is_valid() -> None:
    body = f"<url>{PRIORITY}{CHANGEFREQ.replace('d', 'D', 1)}{LASTMOD}{LOC}</url>"
    stream = io.BytesIO()
    urlset.convert(urlset_of(body, NS_084).encode(), stream, to="sitemap")
    assert list(faults([stream.getvalue()])) == []


def written(entries: list[urlset.Entry], to: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    urlset.write(entries, stream, to=to, **options)
    return stream.getvalue()


_XML = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from(
    "\t\n\r&<>'\""
)
texts = st.text(_XML, min_size=1, max_size=12)
optional_texts = st.none() | texts
_PATH = st.lists(st.sampled_from([*"abc/é中~!$&'()*+,;=:@ |{}^`\\\"<>%", "%41", "%C3%A9"]), max_size=12).map("".join)
locs = st.builds(
    lambda host, path, query: f"https://{host}/{path}{query}",
    st.sampled_from(["example.com", "www.example.com:8080", "bücher.example", "[2001:db8::1]"]),
    _PATH,
    st.just("") | _PATH.map(lambda text: f"?{text}"),
).filter(lambda loc: urls.trim(loc) == loc and all(problem.usable for problem in urls.inspect(loc)))
uris = locs.map(to_uri)
days = st.dates().map(str)
dates = st.one_of(
    days,
    st.builds(
        lambda day, time, fraction, zone: f"{day}T{time:%H:%M:%S}{fraction}{zone}",
        days,
        st.times(),
        st.sampled_from(["", ".5", ".123456789", ".000"]),
        st.sampled_from(["Z", "+00:00", "-03:30", "+14:00", "-12:00"]),
    ),
    st.builds(lambda day, time: f"{day}T{time:%H:%M}Z", days, st.times()),
).map(urlset.LastMod)


def several(strategy: st.SearchStrategy[Any], size: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=size).map(tuple)


yes_no = st.sampled_from([None, "yes", "no"])
images = st.builds(
    urlset.Image,
    loc=uris,
    caption=optional_texts,
    geo_location=optional_texts,
    title=optional_texts,
    license=st.none() | uris,
)


segments = st.builds(urlset.ContentSegment, loc=uris, duration=st.none() | st.integers(0, 28_800))
prices = st.builds(
    urlset.Price,
    value=st.decimals(0, 10**9, places=2).map(str) | st.sampled_from(["0", "1.", ".5", "+1.990"]),
    currency=st.sampled_from(["EUR", "USD"]),
    type=st.sampled_from([None, "purchase", "rent"]),
    resolution=st.sampled_from([None, "sd", "hd"]),
)
shows = st.builds(
    urlset.TvShow,
    show_title=texts,
    video_type=st.sampled_from(["full", "preview", "clip", "interview", "news", "other"]),
    episode_title=optional_texts,
    season_number=st.none() | st.integers(1, 10**20),
    episode_number=st.none() | st.integers(1, 10**20),
    premier_date=st.none() | dates | st.sampled_from(["1997", "1997-07"]).map(urlset.LastMod),
)
video_ids = st.builds(
    urlset.VideoId,
    value=texts,
    type=st.sampled_from([None, "tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"]),
)
pagemaps = st.builds(
    urlset.PageMap,
    template_src=st.none() | uris,
    data_objects=several(
        st.builds(
            urlset.DataObject,
            type=texts,
            id=optional_texts,
            attributes=several(st.builds(urlset.PageMapAttribute, name=texts, value=texts)),
        )
    ),
)


@st.composite
def videos(draw: st.DrawFn) -> urlset.Video:
    values: dict[str, Any] = {
        "thumbnail_loc": draw(uris),
        "title": draw(st.text(_XML, min_size=1, max_size=100)),
        "description": draw(texts),
        "content_loc": draw(st.none() | uris),
        "duration": draw(st.none() | st.integers(1, 28_800)),
        "expiration_date": draw(st.none() | dates),
        "rating": draw(st.none() | st.floats(0, 5)),
        "view_count": draw(st.none() | st.integers(0, 10**20)),
        "publication_date": draw(st.none() | dates),
        "tags": draw(several(texts, 32)),
        "category": draw(optional_texts),
        "content_segments": draw(several(segments)),
        "prices": draw(several(prices)),
        "tvshow": draw(st.none() | shows),
        "ids": draw(several(video_ids)),
        "extra": draw(several(st.sampled_from(VIDEO_EXTRA))),
    }
    values |= {name: draw(yes_no) for name in ("family_friendly", "requires_subscription", "live")}
    if draw(st.booleans()):
        values |= {
            "player_loc": draw(uris),
            "player_loc_allow_embed": draw(yes_no),
            "player_loc_autoplay": draw(optional_texts),
        }
    if draw(st.booleans()):
        values |= {"gallery_loc": draw(uris), "gallery_loc_title": draw(optional_texts)}
    if draw(st.booleans()):
        values |= {"uploader": draw(texts), "uploader_info": draw(st.none() | uris)}
    relationship = st.sampled_from(["allow", "deny"])
    if draw(st.booleans()):
        values |= {
            "restriction": draw(st.sampled_from(["IE", "IE GB US"])),
            "restriction_relationship": draw(relationship),
        }
    if draw(st.booleans()):
        values |= {"platform": draw(st.sampled_from(["web", "tv mobile"])), "platform_relationship": draw(relationship)}
    return urlset.Video(**values)


news = st.builds(
    urlset.News,
    publication=st.builds(urlset.Publication, name=texts, language=st.sampled_from(["en", "deu", "zh-tw"])),
    access=st.sampled_from([None, "Subscription", "Registration"]),
    genres=st.sampled_from([None, "Blog", "OpEd, Opinion"]),
    publication_date=dates,
    title=optional_texts,
    keywords=optional_texts,
    stock_tickers=st.sampled_from([None, "NASDAQ:A", "NASDAQ:A, NYSE:BRK.A"]),
)
entries = st.builds(
    urlset.Entry,
    loc=locs.filter(lambda loc: 12 <= len(to_uri(loc)) <= 2048),
    lastmod=st.none() | dates | st.sampled_from(["1997", "1997-07"]).map(urlset.LastMod),
    changefreq=st.none() | st.sampled_from(CHANGE_FREQUENCIES),
    priority=st.none() | st.floats(0, 1),
    title=optional_texts,
    images=several(images),
    videos=several(videos()),
    news=st.none() | news,
    alternates=several(st.builds(urlset.Alternate, hreflang=texts, href=texts)),
    mobile=st.sampled_from([None, True]),
    pagemaps=several(pagemaps),
    extra=several(st.sampled_from(ENTRY.extra)),
)


@pytest.mark.parametrize("to", ["sitemap", "sitemap-index"])
@settings(
    deadline=None,
    max_examples=60,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_whatever_is_written_is_valid(found: list[urlset.Entry], to: str) -> None:
    assert list(faults([written(found, to, xsd=True)])) == []


def test_years_and_months_are_dropped_where_the_schema_counts() -> None:
    video = urlset.Video(
        thumbnail_loc="https://example.com/t.png",
        title="T",
        description="D",
        content_loc="https://example.com/v.mp4",
        publication_date=urlset.LastMod("2024-05"),
        expiration_date=urlset.LastMod("2030-01-01"),
    )
    entry = urlset.Entry(loc="https://example.com/", lastmod=urlset.LastMod("2024"), videos=(video,))
    target = io.BytesIO()
    result = urlset.write([entry], target, to="sitemap", xsd=True)
    assert list(faults([target.getvalue()])) == []
    dropped = {one.message.split(" is ")[0]: one.count for one in result.ledger.findings if one.rule == "invalid-date"}
    assert dropped == {"lastmod": 1, "video:publication_date": 1}
    (read,) = urlset.read(target.getvalue())
    assert (read.lastmod, read.videos[0].publication_date, str(read.videos[0].expiration_date)) == (
        None, None, "2030-01-01",
    )  # fmt: skip
