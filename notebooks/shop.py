"""A shop that sells tea, made up: what a crawler would have found there, and the sitemaps of the shop itself.

The same seed gives the same files. Nothing is fetched; the hosts exist for examples only (RFC 2606).
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import urlset

HOST = "https://shop.example.com"
LANGUAGES = ("en", "de", "fr")
KINDS = {
    "green-tea": 130, "black-tea": 160, "oolong": 65, "white-tea": 40, "herbal": 115, "teapots": 95, "cups": 150,
    "kettles": 55, "tins": 32, "gifts": 44,
}  # fmt: skip
WORDS = (
    "amber", "autumn", "bamboo", "blue", "cloud", "copper", "garden", "harvest", "ivory", "jade", "lotus", "misty",
    "moon", "morning", "old", "pearl", "quiet", "river", "silver", "stone", "summer", "valley", "wild", "winter",
)  # fmt: skip
HEADER = ("Address", "Content Type", "Status Code", "Indexability", "Title 1", "Meta Robots 1",
          "Canonical Link Element 1", "Last Modified", "Crawl Depth")  # fmt: skip
_START = datetime(2021, 9, 1, tzinfo=UTC)
_DAYS = 1_000


class Page(NamedTuple):
    """A page of the shop: its path behind the language, its title, how deep it lies and when it changed."""

    path: str
    title: str
    depth: int
    changed: datetime


def pages(seed: int = 7) -> list[Page]:
    """The pages of the shop, each of which there is in all languages."""
    chance = random.Random(seed)
    found = [Page("", "Tea, pots and cups", 0, _moment(chance))]
    for kind, number in KINDS.items():
        found.append(Page(f"{kind}/", _title(kind), 1, _moment(chance)))
        found += (
            Page(f"{kind}/{name}.html", f"{_title(name)}, {_title(kind).lower()}", 2, _moment(chance))
            for name in _names(chance, number)
        )
    found += (
        Page(f"journal/{2022 + number % 3}/{name}/", _title(name), 3, _moment(chance))
        for number, name in enumerate(_names(chance, 180))
    )
    return found


def address(page: Page, language: str, host: str = HOST) -> str:
    """The address of a page in a language; English has no folder of its own."""
    return f"{host}/{page.path}" if language == "en" else f"{host}/{language}/{page.path}"


def write_crawl(path: str | Path, seed: int = 7) -> int:
    """Write what a crawler would have found as a table; the number of its rows."""
    rows = list(_rows(random.Random(seed + 1), pages(seed)))
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(HEADER)
        table.writerows(rows)
    return len(rows)


def write_sitemap(path: str | Path, seed: int = 7) -> None:
    """Write the shop's own sitemap. It knows languages, but lacks pages, and French cups don't link to German ones."""
    urlset.write(_listed(random.Random(seed + 2), pages(seed)), path)


def write_relaunch(path: str | Path, seed: int = 7) -> None:
    """Write the sitemap of the shop that is to come: another host, folders renamed, some goods gone, some new."""
    urlset.write(_relaunched(random.Random(seed + 3), pages(seed)), path)


# --- what is in them


def _rows(chance: random.Random, shop: list[Page]) -> Iterator[tuple[object, ...]]:
    for language in LANGUAGES:
        for page in shop:
            here = address(page, language)
            yield _row(here, page, canonical=here)
            yield from _variants(chance, here, page)
    for number in range(120):
        page = Page("", "Your search", 3, _START)
        words = "+".join(chance.choice(WORDS) for _ in range(2 + number % 9))
        yield _row(f"{HOST}/search?q={words}&page={1 + number % 4}", page, robots="noindex", dated=False)
    for number in range(260):
        picture = Page("", "", 2, _moment(chance))
        yield _row(f"{HOST}/media/{chance.choice(WORDS)}-{number:03}.jpg", picture, kind="image/jpeg")
    for number in range(40):
        paper = Page("", "", 3, _moment(chance))
        yield _row(f"{HOST}/media/brewing-guide-{number:02}.pdf", paper, kind="application/pdf")
    for number in range(3):
        yield (f"{HOST}/terms-{number}.html", "text/html", 200, "Indexable", "Terms", "", "", "0000-00-00 00:00:00", 2)
    yield ("javascript:void(0)", "", 0, "Non-Indexable", "", "", "", "", 2)


def _variants(chance: random.Random, here: str, page: Page) -> Iterator[tuple[object, ...]]:
    """The other addresses under which a crawler meets a page."""
    if page.depth == 1:
        for order in ("price", "name", "newest"):
            for number in (1, 2, 3):
                yield _row(f"{here}?sort={order}&page={number}", page, canonical=here)
        yield _row(here.removesuffix("/"), page, status=301)
        yield _row(f"{here}?utm_source=newsletter&utm_medium=email", page)
    if page.depth == 2:
        draw = chance.random()
        if draw < 0.06:
            yield _row(here, page, canonical=here)
        elif draw < 0.10:
            yield _row(f"{here}?gclid=Cj{chance.randrange(10**6):06}", page)
        elif draw < 0.13:
            yield _row(here.replace(".html", ".HTML"), page)
        elif draw < 0.16:
            yield _row(here.replace("https:", "http:", 1), page, status=301)
        elif draw < 0.20:
            yield _row(here.replace(".html", "-old.html"), page, status=404, dated=False)


def _row(
    loc: str,
    page: Page,
    *,
    status: int = 200,
    kind: str = "text/html; charset=utf-8",
    canonical: str = "",
    robots: str = "",
    dated: bool = True,
) -> tuple[object, ...]:
    indexable = status == 200 and not robots and canonical in {"", loc}
    changed = page.changed.strftime("%a, %d %b %Y %H:%M:%S GMT") if dated and status == 200 else ""
    word = "Indexable" if indexable else "Non-Indexable"
    return (loc, kind, status, word, page.title if status == 200 else "", robots, canonical, changed, page.depth)


def _listed(chance: random.Random, shop: list[Page]) -> Iterator[urlset.Entry]:
    for page in shop:
        forgotten = {"fr"} if page.path.startswith("journal/") else {"de"} if chance.random() < 0.15 else set()
        spoken = [language for language in LANGUAGES if language not in forgotten]
        for language in spoken:
            known = [one for one in spoken if (language, one) != ("fr", "de") or not page.path.startswith("cups/")]
            links = [urlset.Alternate(hreflang=one, href=address(page, one)) for one in known]
            yield urlset.Entry(loc=address(page, language), lastmod=f"{page.changed:%Y-%m-%d}", alternates=links)


def _relaunched(chance: random.Random, shop: list[Page]) -> Iterator[urlset.Entry]:
    host = "https://www.example.com"
    for page in shop:
        if chance.random() < 0.04:
            continue
        there = page._replace(path=page.path.replace("journal/", "stories/", 1))
        changed = datetime(2024, 6, 3, tzinfo=UTC) if page.depth < 2 else page.changed
        for language in LANGUAGES:
            yield urlset.Entry(loc=address(there, language, host), lastmod=f"{changed:%Y-%m-%d}")
    for name in _names(chance, 24):
        yield urlset.Entry(loc=f"{host}/matcha/{name}.html", lastmod="2024-06-03")


def _names(chance: random.Random, number: int) -> list[str]:
    """Different names of two or three words."""
    found: dict[str, None] = {}
    while len(found) < number:
        found["-".join(chance.choice(WORDS) for _ in range(chance.choice((2, 2, 3))))] = None
    return list(found)


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _moment(chance: random.Random) -> datetime:
    """A time of the last years: the later, the likelier."""
    day = int(_DAYS * chance.random() ** 0.5)
    return _START + timedelta(days=day, seconds=chance.randrange(86_400))
