"""Seeded lists of URLs of any length in any format.

A document is made in chunks while it is read or written, so its length costs no memory. The same name, count and seed
give the same bytes, and the entries of a shorter document are the first ones of a longer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, get_args
from urllib.parse import quote

from urlset import Alternate, Entry, Image, LastMod, News, Publication, Video

SEED = 1997
SITE = "https://example.com"
ITEMS_PER_CHUNK = 500

_WORDS = (
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "jetty", "knoll", "lagoon",
    "marsh", "nook", "ocean", "plain", "quarry", "ridge", "slope", "tarn", "upland", "vale", "weir", "yard",
)  # fmt: skip
_SECTIONS = ("news", "products", "blog/2024", "help/en", "müller", "a~b/c_d")
_FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
_DAYS = [date(2015, 1, 1) + timedelta(number) for number in range(4_000)]
_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ISO = [day.isoformat() for day in _DAYS]
# RFC 2822 3.3; the names are English whatever the locale.
_RFC = [f"{_NAMES[day.weekday()]}, {day.day:02} {_MONTHS[day.month - 1]} {day.year}" for day in _DAYS]

Fault = Literal["no-loc", "bad-date", "bad-priority", "bare-ampersand"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
"""What can be wrong with an entry; only one without an address must be rejected."""


class Page(NamedTuple):
    """What a document says of one page: texts as they stand in it, but for the escapes of the format."""

    number: int
    loc: str
    lastmod: str | None
    rfc822: str | None
    changefreq: str | None
    priority: str | None
    title: str
    escaped: bool = True


def pages(count: int, *, damage: float = 0.0, seed: int = SEED, complete: bool = False) -> Iterator[Page]:
    """The pages of a site; ``damage`` is the share of those with a fault; ``complete`` ones lack nothing."""
    random, chance = Random(seed), Random(seed + 1)
    for number in range(1, count + 1):
        page = _page(number, random.getrandbits(48))
        if complete:
            page = _completed(page)
        if damage and chance.random() < damage:
            page = _damaged(page, chance.choice(FAULTS))
        yield page


def usable(count: int, *, damage: float = 0.0, seed: int = SEED) -> int:
    """How many of the pages have an address."""
    return sum(page.loc.startswith("https:") for page in pages(count, damage=damage, seed=seed)) if damage else count


def _page(number: int, bits: int) -> Page:
    first, second = _WORDS[bits % 24], _WORDS[bits // 24 % 24]
    # One page in a hundred has letters beyond ASCII, one in ten a query, as on a shop's site.
    section = _SECTIONS[4] if bits % 100 == 0 else _SECTIONS[bits % 4] if bits % 7 else _SECTIONS[5]
    query = f"?id={bits % 9973}&view=full" if bits // 100 % 10 == 0 else ""
    lastmod, rfc822 = _dates(bits)
    return Page(
        number,
        f"{SITE}/{section}/{first}-{second}-{number}{query}",
        lastmod,
        rfc822,
        _FREQUENCIES[bits % 7] if bits % 5 > 1 else None,
        f"0.{bits % 9 + 1}" if bits % 5 > 1 else None,
        f"{first.title()} & {second}, no. {number}",
    )


def _dates(bits: int) -> tuple[str | None, str | None]:
    """A tenth has none; the rest are whole days and moments in equal parts."""
    kind, day, second = bits // 11 % 20, bits // 13 % 4_000, bits // 17 % 86_400
    if kind < 2:
        return None, None
    clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    hour = bits % 3
    lastmod = _ISO[day] if kind < 11 else f"{_ISO[day]}T{clock}{f'+0{hour}:00' if hour else 'Z'}"
    return lastmod, f"{_RFC[day]} {clock} +0{hour}00"


def _completed(page: Page) -> Page:
    """The same with a date, a frequency and a priority."""
    number = page.number
    return page._replace(
        lastmod=page.lastmod or _ISO[number % 4_000],
        rfc822=page.rfc822 or f"{_RFC[number % 4_000]} 12:00:00 +0000",
        changefreq=page.changefreq or _FREQUENCIES[number % 7],
        priority=page.priority or f"0.{number % 9 + 1}",
    )


def _damaged(page: Page, fault: Fault) -> Page:
    if fault == "no-loc":
        return page._replace(loc="to be announced")
    if fault == "bad-date":
        return page._replace(lastmod="31/31/2024", rfc822="the day before yesterday")
    if fault == "bad-priority":
        return page._replace(priority="high")
    return page._replace(loc=f"{SITE}/{page.number}?a=1&b=2", escaped=False)


# --- one entry in each format


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _loc(page: Page) -> str:
    return _escape(page.loc) if page.escaped and "&" in page.loc else page.loc


def _tag(name: str, text: str | None) -> str:
    return f"<{name}>{text}</{name}>" if text is not None else ""


def _url(page: Page, blocks: str = "") -> str:
    lastmod, often = _tag("lastmod", page.lastmod), _tag("changefreq", page.changefreq)
    return f"<url><loc>{_loc(page)}</loc>{lastmod}{often}{_tag('priority', page.priority)}{blocks}</url>\n"


def _url_with_blocks(page: Page) -> str:
    return _url(page, _blocks(page))


def _blocks(page: Page) -> str:
    """Images for every second page, languages for every fourth, a video for every tenth, news for every hundredth."""
    number, title = page.number, _escape(page.title)
    parts = []
    if number % 2 == 0:
        image = f"<image:loc>{SITE}/i/{number}.jpg</image:loc><image:title>{title}</image:title>"
        parts.append(_tag("image:image", image) * (1 + number % 3))
    if number % 4 == 0:
        link = f'<xhtml:link rel="alternate" hreflang="%s" href="{SITE}/%s/{number}"/>'
        parts += (link % ("en", "en"), link % ("de-AT", "de"))
    if number % 10 == 0:
        parts.append(_video(number, title))
    if number % 100 == 0:
        parts.append(_news(page, title))
    return "".join(parts)


def _video(number: int, title: str) -> str:
    return (
        f"<video:video><video:thumbnail_loc>{SITE}/t/{number}.jpg</video:thumbnail_loc><video:title>{title}</video:title>"
        f"<video:description>{title}</video:description><video:content_loc>{SITE}/v/{number}.mp4</video:content_loc>"
        f"<video:duration>{1 + number % 600}</video:duration><video:tag>a</video:tag><video:tag>b</video:tag>"
        "</video:video>"
    )


def _news(page: Page, title: str) -> str:
    return (
        "<news:news><news:publication><news:name>The Example</news:name><news:language>en</news:language>"
        f"</news:publication><news:publication_date>{_ISO[page.number % 4_000]}</news:publication_date>"
        f"<news:title>{title}</news:title></news:news>"
    )


def _child(page: Page) -> str:
    return f"<sitemap><loc>{SITE}/sitemap-{page.number}.xml</loc>{_tag('lastmod', page.lastmod)}</sitemap>\n"


def _item(page: Page) -> str:
    link = _loc(page)
    return (
        f"<item><title>{_escape(page.title)}</title><link>{link}</link>"
        f"<description>&lt;p&gt;About {_escape(page.title)}&lt;/p&gt;</description>"
        f'<guid isPermaLink="false">tag:example.com,{page.number}</guid>{_tag("pubDate", page.rfc822)}</item>\n'
    )


def _atom_entry(page: Page) -> str:
    # Atom demands a moment where a sitemap may give a day.
    updated = f"{(page.lastmod or _ISO[0])[:10]}T12:00:00Z"
    return (
        f'<entry><id>tag:example.com,{page.number}</id><title>{_escape(page.title)}</title><link href="{_loc(page)}"/>'
        f'<link rel="edit" href="{SITE}/edit/{page.number}"/><updated>{updated}</updated>'
        f'<summary type="html">&lt;p&gt;About {_escape(page.title)}&lt;/p&gt;</summary></entry>\n'
    )


def _line(page: Page) -> str:
    return f"{page.loc}\n"


def _row(page: Page) -> str:
    return f'{page.loc},{page.lastmod or ""},{page.changefreq or ""},{page.priority or ""},"{page.title}"\n'


def _four_cells(page: Page) -> str:
    return f"{page.loc},{page.lastmod or ''},{page.changefreq or ''},{page.priority or ''}\n"


def _object(page: Page) -> str:
    named = {"loc": page.loc, "lastmod": page.lastmod, "changefreq": page.changefreq, "title": page.title}
    present: dict[str, object] = {name: value for name, value in named.items() if value is not None}
    if page.priority is not None:
        present["priority"] = float(page.priority) if page.priority[0] == "0" else page.priority
    return f"{json.dumps(present, ensure_ascii=False)}\n"


def _visit(page: Page) -> str:
    day, month, year = _DAYS[page.number % 4_000].day, _MONTHS[page.number % 12], 2015 + page.number % 10
    target = quote(page.loc.removeprefix(SITE), safe="/?&=~-_.")
    return f'192.0.2.{page.number % 255} - - [{day:02}/{month}/{year}:12:00:00 +0000] "GET {target} HTTP/1.1" 200 512\n'


def _field(page: Page) -> str:
    return f"Sitemap: {SITE}/sitemap-{page.number}.xml\n"


# --- documents


@dataclass(frozen=True)
class Dialect:
    """How a format is spelled: what stands before, for and after the entries, and how many there may be."""

    file_name: str
    item: Callable[[Page], str]
    head: str = ""
    tail: str = ""
    most: int | None = None
    may_be_damaged: bool = False


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_GOOGLE = "http://www.google.com/schemas/sitemap"
_BLOCK_NAMESPACES = "".join(
    f'\n xmlns:{prefix}="{namespace}"'
    for prefix, namespace in (
        ("image", f"{_GOOGLE}-image/1.1"),
        ("video", f"{_GOOGLE}-video/1.1"),
        ("news", f"{_GOOGLE}-news/0.9"),
        ("xhtml", "http://www.w3.org/1999/xhtml"),
    )
)
_CHANNEL = f"<channel><title>Example</title><link>{SITE}/</link><description>All pages</description>\n"

DIALECTS = {
    "sitemap": Dialect(
        "sitemap.xml", _url, f'{_XML}<urlset xmlns="{_SITEMAPS}">\n', "</urlset>\n", may_be_damaged=True
    ),
    "sitemap-0.84": Dialect("old.xml", _url, f'{_XML}<urlset xmlns="{_GOOGLE}/0.84">\n', "</urlset>\n"),
    "sitemap-index": Dialect(
        "index.xml", _child, f'{_XML}<sitemapindex xmlns="{_SITEMAPS}">\n', "</sitemapindex>\n", most=50_000
    ),
    "text": Dialect("list.txt", _line, may_be_damaged=True),
    "csv": Dialect("table.csv", _row, "loc,lastmod,changefreq,priority,title\n", may_be_damaged=True),
    "rss": Dialect(
        "feed.rss", _item, f'{_XML}<rss version="2.0">{_CHANNEL}', "</channel></rss>\n", may_be_damaged=True
    ),
    "atom": Dialect(
        "feed.atom",
        _atom_entry,
        f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom"><id>{SITE}/</id><title>Example</title>\n',
        "</feed>\n",
    ),
    "jsonl": Dialect("pages.jsonl", _object, may_be_damaged=True),
    "access-log": Dialect("access.log", _visit),
    # What lies beyond 500 KiB is reported line by line, as no engine reads it.
    "robots": Dialect("robots.txt", _field, "User-agent: *\nDisallow:\n", most=5_000),
}
"""The formats that are written here by hand, so that a fault of a writer can't hide one of a reader."""

WITH_BLOCKS = Dialect(
    "blocks.xml", _url_with_blocks, f'{_XML}<urlset xmlns="{_SITEMAPS}"{_BLOCK_NAMESPACES}>\n', "</urlset>\n"
)
"""A sitemap with image, video, news and language blocks."""


FOUR_COLUMNS = Dialect("four.csv", _four_cells, "loc,lastmod,changefreq,priority\n")
"""A table of what the four tags of a sitemap hold."""


def chunks(
    dialect: Dialect, count: int, *, damage: float = 0.0, seed: int = SEED, complete: bool = False
) -> Iterator[bytes]:
    """A document of ``count`` entries in UTF-8, piece by piece."""
    source = pages(count, damage=damage, seed=seed, complete=complete)
    yield dialect.head.encode()
    while batch := [dialect.item(page) for page in islice(source, ITEMS_PER_CHUNK)]:
        yield "".join(batch).encode()
    yield dialect.tail.encode()


def write(
    dialect: Dialect, path: Path, count: int, *, damage: float = 0.0, seed: int = SEED, complete: bool = False
) -> Path:
    """A document of ``count`` entries in a file."""
    with path.open("wb") as file:
        file.writelines(chunks(dialect, count, damage=damage, seed=seed, complete=complete))
    return path


# --- entries, for the writers


def entries(count: int, *, blocks: bool = False, seed: int = SEED) -> Iterator[Entry]:
    """The same pages as entries."""
    for page in pages(count, seed=seed):
        fields = _entry_blocks(page) if blocks else {}
        yield Entry.model_validate(
            {
                "loc": page.loc,
                "lastmod": LastMod(page.lastmod) if page.lastmod else None,
                "changefreq": page.changefreq,
                "priority": float(page.priority) if page.priority else None,
                "title": page.title,
                **fields,
            }
        )


def _entry_blocks(page: Page) -> dict[str, object]:
    number, fields = page.number, dict[str, object]()
    if number % 2 == 0:
        fields["images"] = (Image(loc=f"{SITE}/i/{number}.jpg", title=page.title),) * (1 + number % 3)
    if number % 4 == 0:
        fields["alternates"] = tuple(
            Alternate(hreflang=language, href=f"{SITE}/{language[:2]}/{number}") for language in ("en", "de-AT")
        )
    if number % 10 == 0:
        video = Video(
            thumbnail_loc=f"{SITE}/t/{number}.jpg",
            title=page.title,
            description=page.title,
            content_loc=f"{SITE}/v/{number}.mp4",
            duration=1 + number % 600,
            tags=("a", "b"),
        )
        fields["videos"] = (video,)
    if number % 100 == 0:
        day = LastMod(_ISO[number % 4_000])
        paper = Publication(name="The Example", language="en")
        fields["news"] = News(publication=paper, publication_date=day, title=page.title)
    return fields
