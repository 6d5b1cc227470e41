"""Whatever an Entry can hold, every writer writes so that its reader reads the same again."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lxml import etree

import urlset
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, FIELDS

WRITABLE = [one for one in urlset.registry() if one.write is not None]
AS_URI = ("sitemap", "sitemap-index", "text")
every_writer = pytest.mark.parametrize("target", WRITABLE, ids=lambda one: one.name)
patiently = settings(
    deadline=None,
    max_examples=40,
    # Explaining a failure takes minutes with a model of this size.
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

# --- the strategy

# XML 1.0 2.2 has no other control characters, no surrogates, no U+FFFE and U+FFFF, in any spelling.
_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff")
_XML = _CHARACTERS.filter(lambda char: char >= " " or char in "\t\n\r")
_TRICKY = st.sampled_from(
    [
        "&",
        "<",
        ">",
        '"',
        "'",
        "&amp;",
        "&#10;",
        "]]>",
        "<!--",
        ",",
        ";",
        "\t",
        "\n",
        "\r",
        "\r\n",
        " ",
        "=1+1",
        "\\",
        "é",
        "💡",
        "\x85",
    ]
)


def _trimmed(text: str) -> bool:
    """Readers take blanks off the ends of a value."""
    return bool(text) and urls.trim(text) == text and text.strip() == text


texts = st.lists(st.one_of(_TRICKY, _XML), min_size=1, max_size=8).map("".join).filter(_trimmed)
optional_texts = st.none() | texts

_HOSTS = st.sampled_from(
    [
        "example.com",
        "www.example.com:8080",
        "EXAMPLE.com",
        "bücher.example",
        "例え.jp",
        "[2001:db8::1]",
        "user:pw@example.com",
        "192.0.2.1",
    ]
)
_PATH = st.lists(
    st.one_of(
        st.sampled_from(
            ["a", "B", "7", "-", ".", "_", "~", "/", ":", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "="]
        ),
        st.sampled_from(
            [
                "é",
                "ß",
                "中",
                "عناع",
                "💡",
                "e\u0301",
                "%41",
                "%C3%A9",
                "%2F",
                "&amp;",
                "&#38;",
                "%",
                " ",
                "|",
                "{",
                "^",
                "`",
                "\\",
                '"',
                "<",
                ">",
            ]
        ),
    ),
    max_size=12,
).map("".join)


def _usable(loc: str) -> bool:
    return urls.trim(loc) == loc and all(problem.usable for problem in urls.inspect(loc))


locs = st.builds(
    lambda scheme, host, path, query, fragment: f"{scheme}://{host}/{path}{query}{fragment}",
    st.sampled_from(["http", "https", "HTTPS"]),
    _HOSTS,
    _PATH,
    st.just("") | _PATH.map(lambda text: f"?{text}"),
    st.just("") | _PATH.map(lambda text: f"#{text}"),
).filter(_usable)

_DATES = st.dates().map(str)
_TIMES = st.builds(
    lambda day, time, fraction, zone: f"{day}T{time:%H:%M:%S}{fraction}{zone}",
    _DATES,
    st.times(),
    st.sampled_from(["", ".5", ".25", ".123456789", ".000"]),
    st.sampled_from(["Z", "+00:00", "-03:30", "+05:45", "+14:00", "-12:00"]),
)
_MINUTES = st.builds(lambda day, time: f"{day}T{time:%H:%M}Z", _DATES, st.times())
dates = st.one_of(_DATES.map(lambda day: day[:4]), _DATES.map(lambda day: day[:7]), _DATES, _MINUTES, _TIMES).map(
    urlset.LastMod
)
decimals = st.decimals(0, 1, places=6).map(float)


def _piece(name: str, attribute: str, text: str) -> str:
    """A foreign element in the one spelling that readers give it."""
    attributes = f' note="{_escaped(attribute)}"' if attribute else ""
    start = f'<ext:{name} xmlns:ext="urn:example:ext"{attributes}'
    return f"{start}>{_escaped(text)}</ext:{name}>" if text else f"{start}/>"


def _escaped(text: str) -> str:
    for char, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "apos")):
        text = text.replace(char, f"&{name};")
    return text


_PLAIN = st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=6).filter(
    lambda text: not any(char in text for char in "\ufffe\uffff")
)
pieces = st.builds(_piece, st.sampled_from(["a", "b-c", "loc"]), _PLAIN, _PLAIN)


def several(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


images = st.builds(
    urlset.Image,
    loc=texts,
    caption=optional_texts,
    geo_location=optional_texts,
    title=optional_texts,
    license=optional_texts,
)


segments = st.builds(urlset.ContentSegment, loc=texts, duration=st.none() | st.integers(0, 28_800))
amounts = st.decimals(0, 10**9, places=2).map(str) | st.sampled_from(["0", "1.", ".5", "+1.990", "007"])
prices = st.builds(
    urlset.Price,
    value=amounts,
    currency=st.sampled_from([None, "EUR", "USD"]),
    type=st.sampled_from([None, "purchase", "rent"]),
    resolution=st.sampled_from([None, "sd", "hd"]),
)
shows = st.builds(
    urlset.TvShow,
    show_title=texts,
    video_type=st.sampled_from([None, "full", "preview", "clip", "interview", "news", "other"]),
    episode_title=optional_texts,
    season_number=st.none() | st.integers(1, 10**15),
    episode_number=st.none() | st.integers(1, 10**15),
    premier_date=st.none() | dates,
)
video_ids = st.builds(
    urlset.VideoId,
    value=texts,
    type=st.sampled_from(
        [None, "tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url"],
    ),
)
pagemaps = st.builds(
    urlset.PageMap,
    template_src=optional_texts,
    data_objects=several(
        st.builds(
            urlset.DataObject,
            type=optional_texts,
            id=optional_texts,
            attributes=several(st.builds(urlset.PageMapAttribute, name=optional_texts, value=optional_texts)),
        )
    ),
)


@st.composite
def videos(draw: st.DrawFn) -> urlset.Video:
    names = (
        "thumbnail_loc", "title", "description", "content_loc", "player_loc", "category", "restriction", "gallery_loc",
        "uploader", "platform",
    )  # fmt: skip
    values: dict[str, Any] = {name: draw(optional_texts) for name in names}
    values |= {
        "duration": draw(st.none() | st.integers(1, 28_800)),
        "rating": draw(st.none() | st.decimals(0, 5, places=3).map(float)),
        "view_count": draw(st.none() | st.integers(0, 10**15)),
        "expiration_date": draw(st.none() | dates),
        "publication_date": draw(st.none() | dates),
        "tags": draw(several(texts)),
        "content_segments": draw(several(segments)),
        "prices": draw(several(prices)),
        "tvshow": draw(st.none() | shows),
        "ids": draw(several(video_ids)),
        "extra": draw(several(pieces)),
    }
    for name in ("family_friendly", "requires_subscription", "live"):
        values[name] = draw(st.sampled_from([None, "yes", "no"]))
    values["player_loc_allow_embed"] = draw(st.sampled_from([None, "yes", "no"]))
    for name in ("player_loc_autoplay", "gallery_loc_title", "uploader_info"):
        values[name] = draw(optional_texts)
    for name in ("restriction", "platform"):
        values[f"{name}_relationship"] = draw(st.sampled_from([None, "allow", "deny"]))
    return urlset.Video(**values)


news = st.builds(
    urlset.News,
    publication=st.none() | st.builds(urlset.Publication, name=texts, language=optional_texts),
    access=optional_texts,
    genres=optional_texts,
    publication_date=st.none() | dates,
    title=optional_texts,
    keywords=optional_texts,
    stock_tickers=optional_texts,
)
entries = st.builds(
    urlset.Entry,
    loc=locs,
    lastmod=st.none() | dates,
    changefreq=st.none() | st.sampled_from(CHANGE_FREQUENCIES),
    priority=st.none() | decimals,
    title=optional_texts,
    images=several(images),
    videos=several(videos()),
    news=st.none() | news,
    alternates=several(st.builds(urlset.Alternate, hreflang=texts, href=texts)),
    mobile=st.sampled_from([None, True]),
    pagemaps=several(pagemaps),
    extra=several(pieces),
)


# --- the properties


def written(found: list[urlset.Entry], target: urlset.Format) -> bytes:
    stream = io.BytesIO()
    urlset.write(found, stream, to=target.name)
    return stream.getvalue()


def carried(entry: urlset.Entry, target: urlset.Format) -> dict[str, Any]:
    kept = {name: value for name, value in entry.as_dict().items() if name in target.carries}
    if target.name == "csv" and "title" in kept:
        kept["title"] = re.sub("\r\n?", "\n", kept["title"])
    if target.name in AS_URI:
        kept["loc"] = urls.to_uri(kept["loc"])
    return kept


@every_writer
@patiently
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_what_is_written_is_read_back(found: list[urlset.Entry], target: urlset.Format) -> None:
    data = written(found, target)
    again = [entry.as_dict() for entry in urlset.read(data, from_=target.name, follow=False)]
    assert again == [carried(entry, target) for entry in found]


@every_writer
@patiently
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_what_is_written_is_recognised(found: list[urlset.Entry], target: urlset.Format) -> None:
    ledger = urlset.Ledger()
    assert len(list(urlset.read(written(found, target), ledger=ledger, follow=False))) == len(found)
    assert [account.format for account in ledger.accounts] == [target.name]


@every_writer
@patiently
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_writing_what_was_read_gives_the_same_bytes(found: list[urlset.Entry], target: urlset.Format) -> None:
    data = written(found, target)
    assert written(list(urlset.read(data, from_=target.name, follow=False)), target) == data


@patiently
@given(found=st.lists(entries, min_size=1, max_size=3))
def test_xml_is_well_formed_and_escapes_the_five_characters(found: list[urlset.Entry]) -> None:
    (target,) = [one for one in WRITABLE if one.name == "sitemap"]
    data = written(found, target)
    root = etree.fromstring(data)
    assert [loc.text for loc in root.iterfind("{*}url/{http://www.sitemaps.org/schemas/sitemap/0.9}loc")] == [
        urls.to_uri(entry.loc) for entry in found
    ]
    between = data.decode().split(">")
    assert all("'" not in text.partition("<")[0] and '"' not in text.partition("<")[0] for text in between[1:])


@patiently
@given(entry=entries)
def test_the_strategy_reaches_every_field(entry: urlset.Entry) -> None:
    assert set(entry.as_dict()) <= set(FIELDS)
    assert urlset.Entry.model_validate(entry.as_dict()) == entry


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\x0bb", id="control"),
        pytest.param("a\x00b", id="nul"),
        pytest.param("a\ud800b", id="lone-surrogate"),
        pytest.param("a\ufffeb", id="noncharacter"),
    ],
)
def test_what_xml_can_not_hold_is_left_out_of_a_text(text: str) -> None:
    entry = urlset.Entry(loc="https://example.com/", images=(urlset.Image(loc="https://example.com/i", title=text),))
    (target,) = [one for one in WRITABLE if one.name == "sitemap"]
    (again,) = urlset.read(written([entry], target))
    assert again.images[0].title == "ab"


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@pytest.mark.parametrize("text", ["a\x0bb", "a\x00b", "a\ufffeb", "a\u2028b", "a\x1cb"])
def test_lossless_formats_keep_any_character(text: str, name: str) -> None:
    entry = urlset.Entry(loc="https://example.com/", title=text)
    (again,) = urlset.read(written([entry], urlset.registry()[name]), from_=name)
    assert again == entry


# --- single cases that the properties reach by chance only

BREAKS = ["a\tb", "a\nb", "a\rb", "a\r\nb", "a  b"]
ADDRESS = "https://www.example.com/"


def again(entry: urlset.Entry, name: str) -> urlset.Entry:
    (found,) = urlset.read(written([entry], urlset.registry()[name]), from_=name)
    return found


@pytest.mark.parametrize("name", ["sitemap", "csv", "jsonl"])
@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_a_text_stay(text: str, name: str) -> None:
    entry = urlset.Entry(loc=ADDRESS, images=(urlset.Image(loc="https://www.example.com/i", title=text),))
    assert again(entry, name) == entry


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_a_title_stay(text: str, name: str) -> None:
    """But for line ends in a cell, which a table has of one kind."""
    entry = urlset.Entry(loc=ADDRESS, title=text)
    stays = text if name == "jsonl" else re.sub("\r\n?", "\n", text)
    assert again(entry, name).title == stays


@pytest.mark.parametrize("text", BREAKS)
def test_blanks_and_breaks_inside_an_attribute_stay(text: str) -> None:
    """XML 1.0 3.3.3 turns a raw one into a blank; a character reference keeps it."""
    videos = (urlset.Video(gallery_loc="https://www.example.com/g", gallery_loc_title=text),)
    entry = urlset.Entry(loc=ADDRESS, videos=videos, alternates=(urlset.Alternate(hreflang=text, href=ADDRESS),))
    assert again(entry, "sitemap") == entry


@pytest.mark.parametrize("name", ["sitemap", "csv", "jsonl"])
@pytest.mark.parametrize("priority", [0.0, 1e-06, 7.5e-05, 0.0001, 0.1, 0.333333333333, 0.999999, 1.0])
def test_a_priority_of_any_size_stays(priority: float, name: str) -> None:
    entry = urlset.Entry(loc=ADDRESS, priority=priority)
    assert again(entry, name) == entry


@pytest.mark.parametrize("name", ["rating", "title", "tag", "uploader", "publication_date"])
def test_a_foreign_element_in_a_block_is_not_taken_for_one_of_its_own(name: str) -> None:
    foreign = f'<ext:{name} xmlns:ext="urn:example:ext">5</ext:{name}>'
    entry = urlset.Entry(loc=ADDRESS, videos=(urlset.Video(title="V", extra=(foreign,)),))
    assert again(entry, "sitemap") == entry


@pytest.mark.parametrize(
    "locs",
    [
        pytest.param(["https://www.example.com/a,", "https://www.example.com/b,"], id="comma-at-the-end"),
        pytest.param(["https://www.example.com/a;x", "https://www.example.com/b;y"], id="semicolons"),
        pytest.param(["https://www.example.com/a,b,c", "https://www.example.com/d,e,f"], id="commas"),
    ],
)
def test_a_list_of_addresses_with_delimiters_in_them_is_still_a_text_list(locs: list[str]) -> None:
    data = written([urlset.Entry(loc=loc) for loc in locs], urlset.registry()["text"])
    assert [entry.loc for entry in urlset.read(data)] == locs
