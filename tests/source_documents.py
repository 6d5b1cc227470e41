"""Documents of every format that can be read, made of entries: by its writer, or here where it has none.

What stands here writes by the specifications and shares no code with the readers: feeds through lxml, the rest by hand.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from lxml import etree

import urlset
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import FIELDS
from urlset.formats.vocabulary.iri import to_uri

Entries = list[urlset.Entry]
Document = bytes | Path

AS_URI = ("sitemap", "sitemap-0.84", "sitemap-index", "text", "access-log")
"""Formats whose addresses are URIs: an IRI is mapped (RFC 3987 3.1)."""
SITE = "https://example.com/"
ATOM = "http://www.w3.org/2005/Atom"
MEDIA = "http://search.yahoo.com/mrss/"
DCTERMS = "http://purl.org/dc/terms/"


class Kind(NamedTuple):
    """A kind of document: its format, what of entries it holds, how it is made of them, and how it is to be read.

    ``held`` gives the entries that a reader must find in the document; ``document`` gets a folder to work in.
    """

    format: str
    held: Callable[[Entries], Entries]
    document: Callable[[Entries, Path], Document]
    options: Mapping[str, Any] = {}
    label: str = ""

    @property
    def name(self) -> str:
        """What it is called: its format, and what is special about it."""
        return f"{self.format}{self.label}"


def carried(entry: urlset.Entry, name: str) -> urlset.Entry:
    """What is left of an entry in a document of a format, by the contract.

    The three changes that it allows: an address becomes a URI where the format demands one, a line end in a cell is LF,
    and a date is as LastMod prints it (with seconds, and Z for -00:00), which it is already in an entry.
    """
    carries = urlset.registry()[name].carries
    kept = {field: getattr(entry, field) for field in FIELDS if field in carries}
    if name in AS_URI:
        kept["loc"] = to_uri(entry.loc)
    if name in ("csv", "tsv") and entry.title is not None:
        kept["title"] = re.sub("\r\n?", "\n", entry.title)
    return urlset.Entry(**kept)


def written(entries: Iterable[urlset.Entry], name: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    urlset.write(entries, stream, to=name, **options)
    return stream.getvalue()


def read_as(name: str) -> str:
    """The format that reads what one writes: it itself, but for a table with tabs."""
    return "csv" if name == "tsv" else name


def by_writer(name: str) -> Kind:
    """Documents by the writer of their format."""
    return Kind(
        read_as(name),
        lambda entries: [carried(entry, name) for entry in entries],
        lambda entries, folder: written(entries, name),
    )


# --- Google's formats of 2005


def _084(entries: Entries, folder: Path) -> bytes:
    new, old = b"http://www.sitemaps.org/schemas/sitemap/0.9", b"http://www.google.com/schemas/sitemap/0.84"
    return written(entries, "sitemap").replace(new, old, 1)


def _in_urllist(entries: Entries) -> Entries:
    kept = ("lastmod", "changefreq", "priority")
    return [urlset.Entry(loc=to_uri(one.loc), **{name: getattr(one, name) for name in kept}) for one in entries]


def _urllist(entries: Entries, folder: Path) -> bytes:
    lines = []
    for entry in _in_urllist(entries):
        found = {"lastmod": entry.lastmod, "changefreq": entry.changefreq, "priority": entry.priority}
        given = (f" {name}={_plain(value)}" for name, value in found.items() if value is not None)
        lines.append(f"{entry.loc}{''.join(given)}\n")
    return "".join(lines).encode()


def _plain(value: object) -> str:
    """A value in text; a number without exponent."""
    return f"{value:.20f}" if isinstance(value, float) else str(value)


# --- feeds


def _in_atom(entries: Entries) -> Entries:
    return [urlset.Entry(loc=one.loc, lastmod=one.lastmod, title=one.title) for one in entries]


def _atom(entries: Entries, folder: Path) -> bytes:
    feed = etree.fromstring(f'<feed xmlns="{ATOM}"/>')
    for entry in entries:
        item = _child(feed, ATOM, "entry")
        _child(item, ATOM, "title", entry.title)
        _child(item, ATOM, "link", href=entry.loc)
        _child(item, ATOM, "updated", None if entry.lastmod is None else str(entry.lastmod))
    return etree.tostring(feed, encoding="utf-8", xml_declaration=True)


def _in_rss(entries: Entries) -> Entries:
    """The images by their addresses, each once, and the videos that are complete; see the page on formats."""
    found = []
    for one in entries:
        images = tuple(urlset.Image(loc=loc) for loc in dict.fromkeys(image.loc for image in one.images))
        videos = tuple(_film(video) for video in one.videos if _is_complete(video))
        found.append(urlset.Entry(loc=one.loc, lastmod=one.lastmod, title=one.title, images=images, videos=videos))
    return found


def _is_complete(video: urlset.Video) -> bool:
    return all((video.thumbnail_loc, video.title, video.description, video.content_loc or video.player_loc))


def _film(video: urlset.Video) -> urlset.Video:
    """What Media RSS can say of a video; its keywords are one list with commas."""
    names = ("thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "publication_date")
    values = {name: getattr(video, name) for name in (*names, "expiration_date")}
    tags = tuple(tag for tag in video.tags if "," not in tag)
    if video.restriction_relationship and re.fullmatch("[A-Z]{2}( [A-Z]{2})*", video.restriction or ""):
        values |= {"restriction": video.restriction, "restriction_relationship": video.restriction_relationship}
    return urlset.Video(**values, tags=tags)


def _rss(entries: Entries, folder: Path) -> bytes:
    rss = etree.Element("rss", version="2.0", nsmap={"media": MEDIA, "dcterms": DCTERMS})
    channel = etree.SubElement(rss, "channel")
    for entry in _in_rss(entries):
        item = _child(channel, "", "item")
        _child(item, "", "title", entry.title)
        _child(item, "", "link", entry.loc)
        for name in ("modified", "issued"):
            _child(item, DCTERMS, name, None if entry.lastmod is None else str(entry.lastmod))
        for image in entry.images:
            _child(item, MEDIA, "content", url=image.loc, medium="image")
        for video in entry.videos:
            _media(item, video)
    return etree.tostring(rss, encoding="utf-8", xml_declaration=True)


def _media(item: etree._Element, video: urlset.Video) -> None:
    found = {"url": video.content_loc, "duration": video.duration}
    given = {name: str(value) for name, value in found.items() if value is not None}
    content = _child(item, MEDIA, "content", medium="video", **given)
    _child(content, MEDIA, "title", video.title)
    _child(content, MEDIA, "description", video.description)
    _child(content, MEDIA, "keywords", ", ".join(video.tags) or None)
    for name, address in (("thumbnail", video.thumbnail_loc), ("player", video.player_loc)):
        if address is not None:
            _child(content, MEDIA, name, url=address)
    if video.restriction is not None and video.restriction_relationship is not None:
        relation = video.restriction_relationship
        _child(content, MEDIA, "restriction", video.restriction, type="country", relationship=relation)
    period = {"start": video.publication_date, "end": video.expiration_date}
    _child(content, DCTERMS, "valid", "; ".join(f"{name}={at}" for name, at in period.items() if at) or None)


def _child(parent: etree._Element, space: str, name: str, text: str | None = None, **given: str) -> etree._Element:
    """Add an element with a text or attributes; one that would have neither is left out, but for the records."""
    child = etree.Element(f"{{{space}}}{name}" if space else name, given)
    child.text = text
    if text is not None or given or name in ("item", "entry"):
        parent.append(child)
    return child


# --- what servers have


def _in_robots(entries: Entries) -> Entries:
    """A # begins a comment there (RFC 9309 2.2)."""
    return [urlset.Entry(loc=urls.trim(one.loc.partition("#")[0])) for one in entries]


def _robots(entries: Entries, folder: Path) -> bytes:
    lines = "".join(f"Sitemap: {entry.loc}\n" for entry in _in_robots(entries))
    return f"User-agent: *\nDisallow: /private/\n\n{lines}".encode()


def _in_log(entries: Entries) -> Entries:
    """A browser asks for a URI, and keeps the fragment for itself (RFC 9110 7.1)."""
    return [urlset.Entry(loc=to_uri(one.loc).partition("#")[0]) for one in entries]


def _log(entries: Entries, folder: Path) -> bytes:
    """With whole addresses as targets, as a proxy is asked (RFC 9112 3.2.2)."""
    visit = '192.0.2.7 - - [06/May/2024:07:30:00 +0000] "GET {} HTTP/1.1" 200 512\n'
    return "".join(visit.format(entry.loc) for entry in _in_log(entries)).encode()


def _in_folder(entries: Entries) -> Entries:
    """A file for each entry, in a folder of its own; its time is in whole seconds, and it always has one."""
    found = []
    for number, one in enumerate(entries):
        name = unquote_to_bytes(urls.split(to_uri(one.loc)).path.rpartition("/")[2]).replace(b"/", b"")
        name = name.replace(b"\0", b"") if name[:1] not in (b"", b".", b"\0") else b"page.html"
        segment = quote_from_bytes(name, "-._~!$&'()*+,;=:@")
        found.append(urlset.Entry(loc=f"{SITE}{number}/{segment}", lastmod=_time(one.lastmod)))
    return found


def _time(given: urlset.LastMod | None) -> urlset.LastMod:
    """A time that any file system can hold."""
    at = given.to_datetime() if given is not None else None
    if at is None or not 1970 < at.year < 2038:
        return urlset.LastMod("2024-05-06T07:30:00Z")
    return urlset.LastMod(at.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _folder(entries: Entries, folder: Path) -> Path:
    root = folder / "public"
    root.mkdir()
    for entry in _in_folder(entries):
        path = os.fsencode(root) + b"/" + unquote_to_bytes(entry.loc.removeprefix(SITE))
        parent, _, _ = path.rpartition(b"/")
        os.mkdir(parent)  # noqa: PTH102 - a path in bytes
        with open(path, "wb"):  # noqa: PTH123 - the same
            pass
        assert entry.lastmod is not None
        seconds = entry.lastmod.instant[0]
        os.utime(path, (seconds, seconds))
    return root


KINDS: tuple[Kind, ...] = (
    by_writer("sitemap"),
    Kind("sitemap-0.84", lambda entries: [carried(one, "sitemap-0.84") for one in entries], _084),
    by_writer("sitemap-index"),
    by_writer("text"),
    Kind("text", _in_urllist, _urllist, label=", with attributes"),
    by_writer("csv"),
    Kind("rss", _in_rss, _rss),
    Kind("atom", _in_atom, _atom),
    by_writer("jsonl"),
    by_writer("parquet"),
    Kind("access-log", _in_log, _log),
    Kind("folder", _in_folder, _folder, {"base_url": SITE}),
    Kind("robots", _in_robots, _robots),
)
