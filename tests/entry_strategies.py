"""Whatever an Entry can hold, as strategies of hypothesis; several modules of tests draw from them."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

import urlset
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES


def patiently(examples: int) -> settings:
    """Settings for tests that draw entries, which are large."""
    return settings(
        deadline=None,
        max_examples=examples,
        # Explaining a failure takes minutes with a model of this size.
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


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
likely_texts = st.one_of(texts, texts, texts, st.none())

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
    st.sampled_from(["Z", "+00:00", "-00:00", "-03:30", "+05:45", "+14:00", "-12:00"]),
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
    # Without the first three, feeds have no video.
    values: dict[str, Any] = {name: draw(likely_texts) for name in ("thumbnail_loc", "title", "description")}
    for name in ("content_loc", "player_loc", "category", "gallery_loc", "uploader", "platform"):
        values[name] = draw(optional_texts)
    values["restriction"] = draw(optional_texts | st.sampled_from(["IE", "IE GB US"]))
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
