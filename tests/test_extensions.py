"""Google's extension vocabularies, read whole: order, odd values, what is deprecated, and what is carried as it is.

Every case is read by both lanes: as it stands, and behind a url with a raw ampersand, which only the repair lane takes.
"""

from __future__ import annotations

import io
import re
from typing import Any, NamedTuple

import pytest

import urlset
from urlset.formats.vocabulary.findings import Finding

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
NEWS_09 = "http://www.google.com/schemas/sitemap-news/0.9"
NEWS_084 = "http://www.google.com/schemas/sitemap-news/0.84"
PAGEMAP = "http://www.google.com/schemas/sitemap-pagemap/1.0"
SPACES = (
    f'xmlns="{CORE}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0" xmlns:x="urn:example:x"'
)


class Found(NamedTuple):
    """The entry of the page with the block, and what was said of it."""

    entry: urlset.Entry
    findings: list[Finding]

    def of(self, rule: str) -> list[Finding]:
        return [one for one in self.findings if one.rule == rule]

    @property
    def rules(self) -> list[str]:
        return [one.rule for one in self.findings]


@pytest.fixture(params=["strict", "repair"])
def lane(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def page(block: str, lane: str = "strict") -> bytes:
    """A sitemap with the block on line 3."""
    query = "?a=1&b=2" if lane == "repair" else ""
    first = f"<url><loc>https://example.com/0{query}</loc></url>"
    return f"<urlset {SPACES}>\n{first}\n<url><loc>https://example.com/</loc>{block}</url>\n</urlset>".encode()


def read(block: str, lane: str = "strict") -> Found:
    ledger = urlset.Ledger()
    _, entry = urlset.read(page(block, lane), ledger=ledger)
    return Found(entry, [one for one in ledger.findings if one.rule != "xml-not-well-formed"])


def video(*children: str, lane: str = "strict") -> tuple[urlset.Video, Found]:
    found = read(f"<video:video>{''.join(children)}</video:video>", lane)
    return found.entry.videos[0], found


def sitemap(entry: urlset.Entry) -> str:
    stream = io.BytesIO()
    urlset.write([entry], stream, to="sitemap")
    return stream.getvalue().decode()


# --- video (PROTOCOL 3.2)

WHOLE = (
    '<video:id type="freebase">/m/1</video:id>',
    '<video:price currency="EUR" type="PURCHASE" resolution="HD">1.990</video:price>',
    (
        "<video:tvshow>\n<video:premier_date>2024-01-31</video:premier_date><video:episode_number>2</video:episode_number>"
        "<video:season_number>1</video:season_number><video:episode_title>E</video:episode_title>"
        "<video:video_type>clip</video:video_type><video:show_title>S</video:show_title></video:tvshow>"
    ),
    '<video:content_segment_loc duration="28800">https://example.com/s1</video:content_segment_loc>',
    '<video:price currency="USD" type="rent" resolution="sd">2</video:price>',
    "<video:content_segment_loc>https://example.com/s2</video:content_segment_loc>",
    '<video:id type="tms:series">2</video:id>',
)
WHOLE_READ: dict[str, Any] = {
    "content_segments": [{"loc": "https://example.com/s1", "duration": 28_800}, {"loc": "https://example.com/s2"}],
    "prices": [
        {"value": "1.990", "currency": "EUR", "type": "purchase", "resolution": "hd"},
        {"value": "2", "currency": "USD", "type": "rent", "resolution": "sd"},
    ],
    "tvshow": {
        "show_title": "S",
        "video_type": "clip",
        "episode_title": "E",
        "season_number": 1,
        "episode_number": 2,
        "premier_date": "2024-01-31",
    },
    "ids": [{"value": "/m/1", "type": "freebase"}, {"value": "2", "type": "tms:series"}],
}


@pytest.mark.parametrize("order", [WHOLE, tuple(reversed(WHOLE))], ids=["one", "other"])
def test_all_of_a_video_is_typed_in_any_order(order: tuple[str, ...], lane: str) -> None:
    film, found = video(*order, lane=lane)
    expected = WHOLE_READ
    if order != WHOLE:
        lists = {name: value[::-1] for name, value in expected.items() if isinstance(value, list)}
        expected = {**expected, **lists}
    assert film.as_dict() == expected
    assert [(one.rule, one.message.split()[0]) for one in found.findings] == [
        ("deprecated-element", name) for name in ("video:price", "video:tvshow")
    ]


def test_a_video_is_written_in_the_order_of_the_schema() -> None:
    film, found = video(*WHOLE)
    text = sitemap(found.entry)
    names = re.findall("<video:(content_segment_loc|price|tvshow|id)[ >]", text)
    assert names == ["content_segment_loc", "content_segment_loc", "price", "price", "tvshow", "id", "id"]
    assert '<video:price currency="EUR" type="purchase" resolution="hd">1.990</video:price>' in text
    (again,) = urlset.read(text.encode())
    assert again.videos == (film,)


@pytest.mark.parametrize(
    ("child", "expected", "rule"),
    [
        ("<video:price>1,99</video:price>", {}, "video-invalid-value"),
        ("<video:price>-1</video:price>", {}, "video-invalid-value"),
        ('<video:price currency="EUR"/>', {}, "video-invalid-value"),
        ('<video:price currency="EURO">1</video:price>', {"prices": [{"value": "1"}]}, "video-invalid-value"),
        ('<video:price type="gift">1</video:price>', {"prices": [{"value": "1"}]}, "video-invalid-value"),
        ('<video:price resolution="4k">1</video:price>', {"prices": [{"value": "1"}]}, "video-invalid-value"),
        (
            '<video:content_segment_loc duration="28801">https://e.com/s</video:content_segment_loc>',
            {"content_segments": [{"loc": "https://e.com/s"}]},
            "video-invalid-duration",
        ),
        ('<video:content_segment_loc duration="9"/>', {}, "video-invalid-value"),
        ('<video:id type="imdb">1</video:id>', {"ids": [{"value": "1"}]}, "video-invalid-value"),
        ("<video:tvshow><video:video_type>trailer</video:video_type></video:tvshow>", {}, "video-invalid-value"),
        ("<video:tvshow><video:season_number>0</video:season_number></video:tvshow>", {}, "video-invalid-value"),
        ("<video:tvshow><video:premier_date>1.2.24</video:premier_date></video:tvshow>", {}, "invalid-date"),
        ("<video:tvshow><x:show_title>S</x:show_title></video:tvshow>", {}, "unexpected-element"),
        ("<video:tvshow><video:title>S</video:title></video:tvshow>", {}, "unexpected-element"),
    ],
)
def test_a_bad_value_is_absent_with_a_finding(child: str, expected: dict[str, Any], rule: str, lane: str) -> None:
    film, found = video(child, lane=lane)
    assert film.as_dict() == expected
    (finding,) = [one for one in found.findings if one.rule != "deprecated-element"]
    assert (finding.rule, finding.action, finding.line) == (rule, "dropped-value", 3)


@pytest.mark.parametrize(
    ("attribute", "expected", "said"),
    [
        ('currency="eur"', {"currency": "EUR"}, ["repaired"]),
        ('type="Rent"', {"type": "rent"}, ["repaired"]),
        ('type="RENT"', {"type": "rent"}, []),
        ('resolution="Hd"', {"resolution": "hd"}, ["repaired"]),
    ],
)
def test_capitals_of_a_price(attribute: str, expected: dict[str, str], said: list[str]) -> None:
    film, found = video(f"<video:price {attribute}>1</video:price>")
    assert film.prices[0].as_dict() == {"value": "1", **expected}
    assert [one.action for one in found.of("video-invalid-value")] == said


def test_a_second_show_is_reported() -> None:
    show = "<video:tvshow><video:show_title>{}</video:show_title></video:tvshow>"
    film, found = video(show.format("A"), show.format("B"))
    assert film.tvshow == urlset.TvShow(show_title="A")
    assert [one.value for one in found.of("repeated-element")] == ["B"]


@pytest.mark.parametrize("name", ["price", "id", "content_segment_loc"])
def test_elements_where_a_value_should_be_are_carried(name: str, lane: str) -> None:
    film, found = video(f"<video:{name}>1<x:y>2</x:y></video:{name}>", lane=lane)
    (piece,) = film.extra
    assert piece.startswith(f"<video:{name} ")
    assert "2</x:y>" in piece
    assert [one.action for one in found.of("video-invalid-value")] == ["kept"]


def test_unknown_elements_of_a_video_are_carried(lane: str) -> None:
    film, _ = video("<video:novelty>1</video:novelty>", "<x:price>2</x:price>", lane=lane)
    assert [piece[: piece.index(" ")] for piece in film.extra] == ["<video:novelty", "<x:price"]


@pytest.mark.parametrize(
    ("value", "expected"), [(1.5, "1.5"), (2, "2"), ("1.990", "1.990"), (1e-7, "0.0000001"), (1e21, "1" + "0" * 21)]
)
def test_a_price_in_json_is_a_text_or_a_number(value: object, expected: str) -> None:
    assert urlset.Price.model_validate({"value": value}).value == expected


@pytest.mark.parametrize("value", [True, "-1", "1e3", "", "1,5", float("nan"), float("inf"), "1\n"])
def test_what_is_no_price(value: object) -> None:
    with pytest.raises(ValueError, match="value"):
        urlset.Price.model_validate({"value": value})


# --- what is deprecated (PROTOCOL 3.1, 3.2, 3.3, 3.5)


@pytest.mark.parametrize(
    ("block", "names"),
    [
        (
            (
                "<image:image><image:loc>https://e.com/1</image:loc>\n<image:title>T</image:title>"
                "<image:caption>C</image:caption></image:image>"
            ),
            [("image:title", 4), ("image:caption", 4)],
        ),
        (
            (
                '<video:video>\n<video:player_loc allow_embed="yes" autoplay="a">https://e.com/p</video:player_loc>'
                '\n<video:gallery_loc title="G">https://e.com/g</video:gallery_loc></video:video>'
            ),
            [
                ("video:player_loc@allow_embed", 4),
                ("video:player_loc@autoplay", 4),
                ("video:gallery_loc", 5),
                ("video:gallery_loc@title", 5),
            ],
        ),
        (
            f'<news xmlns="{NEWS_09}">\n<title>T</title>\n<genres>Blog</genres></news>',
            [("news:genres", 5)],
        ),
        ("\n<mobile:mobile/>", [("mobile:mobile", 4)]),
    ],
    ids=["image", "video", "news", "mobile"],
)
def test_deprecated_elements_are_remarked_on_when_they_are_read(
    block: str, names: list[tuple[str, int]], lane: str
) -> None:
    findings = read(block, lane).of("deprecated-element")
    assert [(one.message.split()[0], one.line) for one in findings] == names
    assert {one.severity for one in findings} == {"info"}


def test_a_deprecated_element_is_one_finding_in_a_document() -> None:
    image = "<image:image><image:loc>https://e.com/{}</image:loc><image:title>T</image:title></image:image>"
    found = read(image.format(1) + image.format(2))
    (finding,) = found.of("deprecated-element")
    assert finding.count == 2
    result = urlset.convert(page(image.format(1)), io.BytesIO(), to="jsonl", strict=True)
    assert [one.rule for one in result.ledger.findings] == ["deprecated-element"]


# --- addresses


@pytest.mark.parametrize(
    ("block", "name", "value"),
    [
        ("<image:image><image:loc>/1.png</image:loc></image:image>", "image:loc", "/1.png"),
        ("<image:image><image:loc>1.png</image:loc></image:image>", "image:loc", "1.png"),
        ("<image:image><image:loc>//cdn.example/1</image:loc></image:image>", "image:loc", "//cdn.example/1"),
        *(
            (f"<video:video><video:{name}>/a</video:{name}></video:video>", f"video:{name}", "/a")
            for name in ("thumbnail_loc", "content_loc", "player_loc", "gallery_loc", "content_segment_loc")
        ),
    ],
)
def test_a_relative_address_in_a_block_is_kept_with_a_warning(block: str, name: str, value: str, lane: str) -> None:
    found = read(block, lane)
    (finding,) = found.of("not-absolute")
    assert (finding.severity, finding.action, finding.value, finding.line) == ("warning", "kept", value, 3)
    assert finding.message.startswith(name)
    assert value in str(found.entry.as_dict())


@pytest.mark.parametrize(
    "address", ["HTTPS://e.com/1", "http://e.com", "ftp://e.com/1.mpg", "data:image/png;base64,AA"]
)
def test_an_absolute_address_in_a_block_is_no_matter(address: str) -> None:
    assert read(f"<image:image><image:loc>{address}</image:loc></image:image>").rules == []


# --- mobile (PROTOCOL 3.5)


@pytest.mark.parametrize(
    "element", ["<mobile:mobile/>", "<mobile:mobile></mobile:mobile>", "<mobile:mobile> </mobile:mobile>"]
)
def test_mobile(element: str, lane: str) -> None:
    entry = read(element, lane).entry
    assert entry.as_dict() == {"loc": "https://example.com/", "mobile": True}
    text = sitemap(entry)
    assert 'xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"' in text
    assert "    <mobile:mobile/>\n" in text


@pytest.mark.parametrize(
    "element", ["<mobile:mobile>yes</mobile:mobile>", '<mobile:mobile type="pc"/>', "<mobile:phone/>"]
)
def test_another_mobile_is_carried(element: str, lane: str) -> None:
    entry = read(element, lane).entry
    assert entry.mobile is None
    assert len(entry.extra) == 1


def test_mobile_twice() -> None:
    found = read("<mobile:mobile/><mobile:mobile/>")
    assert found.entry.mobile is True
    assert len(found.of("repeated-element")) == 1


@pytest.mark.parametrize(
    ("cell", "expected", "said"),
    [
        ("true", True, 0),
        ("TRUE", True, 0),
        ("false", None, 0),
        ("", None, 0),
        ("1", True, 0),
        ("0.0", None, 0),
        ("2", None, 1),
        ("Yes", None, 1),
    ],
)
def test_mobile_in_a_table(cell: str, expected: bool | None, said: int) -> None:
    """Excel writes TRUE. A crawler's own column of that name is no mark for feature phones."""
    ledger = urlset.Ledger()
    (entry,) = urlset.read(f"loc,mobile\nhttps://example.com/,{cell}\n".encode(), ledger=ledger)
    assert entry.mobile is expected
    assert [one.rule for one in ledger.findings] == ["invalid-json"] * said


def test_mobile_no_is_absent() -> None:
    assert urlset.Entry(loc="https://example.com/", mobile=False) == urlset.Entry(loc="https://example.com/")


# --- PageMap (PROTOCOL 3.6)


def pagemap(body: str, lane: str = "strict") -> Found:
    return read(f'<PageMap xmlns="{PAGEMAP}">{body}</PageMap>', lane)


def test_a_pagemap_is_typed_and_written_in_one_form(lane: str) -> None:
    found = pagemap(
        '<DataObject type="document" id="one"><Attribute name="name">Doc &amp; One</Attribute>\n'
        '<Attribute name="review" value=" 3.5 "/></DataObject><DataObject type="image"/>\n'
        '<Template src="https://example.com/t"/>',
        lane,
    )
    assert found.findings == []
    assert [one.as_dict() for one in found.entry.pagemaps] == [
        {
            "template_src": "https://example.com/t",
            "data_objects": [
                {
                    "type": "document",
                    "id": "one",
                    "attributes": [{"name": "name", "value": "Doc & One"}, {"name": "review", "value": "3.5"}],
                },
                {"type": "image"},
            ],
        }
    ]
    assert sitemap(found.entry).partition("</loc>\n")[2].partition("  </url>")[0] == (
        f'    <PageMap xmlns="{PAGEMAP}">\n'
        '      <Template src="https://example.com/t"/>\n'
        '      <DataObject type="document" id="one">\n'
        '        <Attribute name="name">Doc &amp; One</Attribute>\n'
        '        <Attribute name="review">3.5</Attribute>\n'
        "      </DataObject>\n"
        '      <DataObject type="image">\n'
        "      </DataObject>\n"
        "    </PageMap>\n"
    )


@pytest.mark.parametrize(
    ("attribute", "expected", "says", "action"),
    [
        ('<Attribute name="a" value="1">1</Attribute>', "1", "both", "kept"),
        ('<Attribute name="a" value="1">2</Attribute>', "1", "both", "dropped-value"),
        ('<Attribute name="a"/>', None, "neither", "kept"),
        ("<Attribute>1</Attribute>", "1", "no name", "kept"),
    ],
)
def test_faults_of_an_attribute(attribute: str, expected: str | None, says: str, action: str, lane: str) -> None:
    found = pagemap(f'<DataObject type="t">{attribute}</DataObject>', lane)
    assert found.entry.pagemaps[0].data_objects[0].attributes[0].value == expected
    (finding,) = found.findings
    assert (finding.rule, finding.action, finding.line) == ("pagemap-invalid", action, 3)
    assert says in finding.message


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("<Other/>", "<Other> in <PageMap>"),
        ("<x:DataObject/>", "<DataObject> in <PageMap>"),
        ("text", "text in <PageMap>"),
        ('<DataObject type="t">text</DataObject>', "text in <DataObject>"),
        ('<DataObject type="t" lang="de"/>', "the attribute lang"),
        ('<DataObject type="t"><Attribute name="a">1<b/></Attribute></DataObject>', "<b> in <Attribute>"),
        ('<Template src="https://e.com/"/><Template src="https://e.com/"/>', "more than one Template"),
    ],
)
def test_a_pagemap_that_holds_more_is_carried_as_it_is(body: str, says: str, lane: str) -> None:
    found = pagemap(body, lane)
    assert found.entry.pagemaps == ()
    (piece,) = found.entry.extra
    assert PAGEMAP in piece
    (finding,) = found.findings
    assert (finding.rule, finding.action) == ("pagemap-invalid", "kept")
    assert says in finding.message


# --- news 0.84 (PROTOCOL 2.2, 6)

PAPER = "<n:publication><n:name>P</n:name><n:language>en</n:language></n:publication>"
DATE = "<n:publication_date>2006-05-01</n:publication_date>"
TITLE = "<n:title>T</n:title>"


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        (DATE, "news:name, news:language, news:title"),
        (DATE + PAPER, "news:title"),
        (DATE + TITLE + "<n:publication><n:name>P</n:name></n:publication>", "news:language"),
        (DATE + TITLE + PAPER.replace("<n:name>P</n:name>", "<n:name/>"), "news:name"),
        (TITLE + PAPER, "news:publication_date"),
    ],
)
def test_an_article_of_0_84_that_lacks_what_0_9_demands_is_carried(body: str, missing: str, lane: str) -> None:
    found = read(f'<n:news xmlns:n="{NEWS_084}">{body}</n:news>', lane)
    assert found.entry.news is None
    assert found.entry.extra == (f'<n:news xmlns:n="{NEWS_084}">{body}</n:news>',)
    (finding,) = found.of("news-incomplete")
    assert (finding.line, finding.value, finding.severity) == (3, missing, "warning")
    assert found.entry.extra[0] in sitemap(found.entry)


def test_a_whole_article_of_0_84_becomes_one_of_0_9(lane: str) -> None:
    found = read(f'<n:news xmlns:n="{NEWS_084}">{DATE}{TITLE}{PAPER}</n:news>', lane)
    assert found.rules == ["namespace-incorrect"]
    assert found.entry.extra == ()
    assert found.entry.news is not None
    assert found.entry.news.as_dict() == {
        "publication": {"name": "P", "language": "en"},
        "publication_date": "2006-05-01",
        "title": "T",
    }
    assert f'xmlns:news="{NEWS_09}"' in sitemap(found.entry)


def test_an_article_of_0_9_may_lack_something() -> None:
    found = read(f'<n:news xmlns:n="{NEWS_09}">{DATE}</n:news>')
    assert found.entry.news is not None
    assert found.rules == []


# --- rejects


def test_a_rejected_page_keeps_its_blocks() -> None:
    rejects: list[dict[str, Any]] = []
    block = f'<mobile:mobile/><PageMap xmlns="{PAGEMAP}"><DataObject type="t"/></PageMap>'
    data = page(block).replace(b"<loc>https://example.com/</loc>", b"<loc>nowhere</loc>")
    urlset.convert(data, io.BytesIO(), to="jsonl", rejects=lambda one: rejects.append(dict(one.as_dict())))
    (found,) = rejects
    assert (found["mobile"], found["pagemaps"]) == (True, [{"data_objects": [{"type": "t"}]}])


def test_a_restriction_to_no_country_keeps_what_it_says() -> None:
    """PROTOCOL 3.2: the pattern of restriction may be empty."""
    film, found = video('<video:restriction relationship="allow"></video:restriction>')
    assert (film.restriction, film.restriction_relationship) == (None, "allow")
    assert '<video:restriction relationship="allow"></video:restriction>' in sitemap(found.entry)
