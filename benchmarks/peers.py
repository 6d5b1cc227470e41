"""Other libraries that read or write such lists, each behind one small adapter.

A peer takes part when it is installed and is named with its version. The work is not the same: no peer says what it
dropped or on which line, and most hold the whole document. Two loops by hand show what a program without a library
would take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from xml.parsers import expat

from urlset import Entry

Read = Callable[[Path], int]
Write = Callable[[Sequence[Entry], Path], None]


@dataclass(frozen=True)
class Peer:
    """One library: its name on PyPI (none for a loop by hand), what it reads, and how.

    ``read`` gives the number of entries found, ``writes`` is how it writes a sitemap.
    """

    label: str
    formats: frozenset[str]
    read: Read | None = None
    writes: Write | None = None
    distribution: str | None = None

    @property
    def name(self) -> str:
        """The label with the version that is installed."""
        return f"{self.label} {version(self.distribution)}" if self.distribution else self.label

    @property
    def installed(self) -> bool:
        """Whether it can take part."""
        try:
            return self.distribution is None or bool(version(self.distribution))
        except PackageNotFoundError:
            return False


def readers(format_name: str) -> list[Peer]:
    """The installed peers that read a format."""
    return [one for one in PEERS if one.read is not None and format_name in one.formats and one.installed]


def writers(format_name: str) -> list[Peer]:
    """The installed peers that write a format."""
    return [one for one in PEERS if one.writes is not None and format_name in one.formats and one.installed]


# --- loops by hand


def _read_with_expat(path: Path) -> int:
    """Gather the four texts of each url in a dictionary."""
    found, parts = 0, list[str]()
    record: dict[str, str] = {}

    def start(name: str, _: dict[str, str]) -> None:
        parts.clear()
        if name == "url":
            record.clear()

    def end(name: str) -> None:
        nonlocal found
        if name == "url":
            found += "loc" in record
        else:
            record[name] = "".join(parts)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, parts.append
    with path.open("rb") as file:
        parser.ParseFile(file)
    return found


def _read_with_iterparse(path: Path) -> int:
    """The same by lxml, forgetting each url behind it."""
    found, etree = 0, import_module("lxml.etree")
    for _, url in etree.iterparse(str(path), tag="{*}url"):
        found += "loc" in {child.tag.rpartition("}")[2]: child.text for child in url}
        url.clear(keep_tail=False)
        while url.getprevious() is not None:
            del url.getparent()[0]
    return found


# --- libraries


def _read_with_usp(path: Path) -> int:
    tree = import_module("usp.tree")
    return sum(1 for _ in tree.sitemap_from_str(path.read_text("utf-8")).all_pages())


def _read_with_scrapy(path: Path) -> int:
    sitemap = import_module("scrapy.utils.sitemap")
    return sum(1 for _ in sitemap.Sitemap(path.read_bytes()))


def _read_with_site_map_parser(path: Path) -> int:
    # Its front door fetches over HTTP; these are the two steps behind it.
    root = import_module("sitemapparser.data_helpers").data_to_element(path.read_bytes())
    return sum(1 for _ in import_module("sitemapparser.url_set").UrlSet(root))


def _read_with_feedparser(path: Path) -> int:
    with path.open("rb") as file:
        return len(import_module("feedparser").parse(file).entries)


def _read_with_fastfeedparser(path: Path) -> int:
    return len(import_module("fastfeedparser").parse(path.read_text("utf-8")).entries)


def _read_with_feedparser_rs(path: Path) -> int:
    return len(import_module("feedparser_rs").parse(path.read_bytes()).entries)


def _write_with_django(entries: Sequence[Entry], path: Path) -> None:
    urls = [
        {
            "location": entry.loc,
            "lastmod": entry.lastmod.to_datetime() if entry.lastmod else None,
            "changefreq": entry.changefreq,
            "priority": entry.priority,
        }
        for entry in entries
    ]
    path.write_text(_django_template().render({"urlset": urls}), "utf-8")


@cache
def _django_template() -> Any:
    settings = import_module("django.conf").settings
    if not settings.configured:
        apps = ["django.contrib.sitemaps"]
        backend = {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
        settings.configure(INSTALLED_APPS=apps, TEMPLATES=[backend], USE_TZ=True, TIME_ZONE="UTC")
        import_module("django").setup()
    return import_module("django.template.loader").get_template("sitemap.xml")


_SITEMAP = frozenset({"sitemap"})
_FEEDS = frozenset({"rss", "atom"})

PEERS = (
    Peer("expat by hand", _SITEMAP, _read_with_expat),
    Peer("lxml iterparse by hand", _SITEMAP, _read_with_iterparse),
    Peer(
        "ultimate-sitemap-parser",
        _SITEMAP | _FEEDS | {"text"},
        _read_with_usp,
        distribution="ultimate-sitemap-parser",
    ),
    Peer("Scrapy", _SITEMAP, _read_with_scrapy, distribution="Scrapy"),
    Peer("site-map-parser", _SITEMAP, _read_with_site_map_parser, distribution="site-map-parser"),
    Peer("feedparser", _FEEDS, _read_with_feedparser, distribution="feedparser"),
    Peer("fastfeedparser", _FEEDS, _read_with_fastfeedparser, distribution="fastfeedparser"),
    Peer("feedparser-rs", _FEEDS, _read_with_feedparser_rs, distribution="feedparser-rs"),
    Peer("Django", _SITEMAP, writes=_write_with_django, distribution="Django"),
)
