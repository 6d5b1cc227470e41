"""Writing sitemap XML: one url or sitemap element at a time, and the frame round them.

Children are written in the order of the schemas (sitemap.xsd 0.9, image 1.1, video 1.1, news 0.9), since a validator
insists on it. All five characters that the protocol names are escaped. Only the namespaces in use are declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from urlset.formats.vocabulary.entry import Entry, Image, News, Video
from urlset.formats.vocabulary.format import Frame, Piece
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.vocabulary.record import decimal_text
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.node import escape_attribute, escape_text, legal_text

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'

_PREFIXES = {"image": ns.IMAGE, "news": ns.NEWS, "video": ns.VIDEO, "xhtml": ns.XHTML}
_NEEDS = {
    (image, video, news, alternates): frozenset(
        name for name, present in (("image", image), ("video", video), ("news", news), ("xhtml", alternates)) if present
    )
    for image in (False, True)
    for video in (False, True)
    for news in (False, True)
    for alternates in (False, True)
}
_NONE: frozenset[str] = frozenset()
_SPECIAL = re.compile(r"""[&<>"'\0-\x1f\ud800-\udfff\ufffe\uffff]""")


def url(entry: Entry, spelled: Callable[[str], str] | None = None) -> Piece:
    """An entry as a ``url`` element. Raises ValueError if its host can't be expressed in DNS.

    ``spelled`` gives the loc as text of XML, by default as a URI.
    """
    lines = ["  <url>\n    <loc>", (spelled or _uri)(entry.loc), "</loc>\n"]
    if entry.lastmod is not None:
        lines += ("    <lastmod>", str(entry.lastmod), "</lastmod>\n")
    if entry.changefreq is not None:
        lines += ("    <changefreq>", entry.changefreq, "</changefreq>\n")
    if entry.priority is not None:
        lines += ("    <priority>", decimal_text(entry.priority), "</priority>\n")
    needs = _NONE
    if entry.images or entry.videos or entry.news or entry.alternates or entry.extra:
        lines.extend(_blocks(entry))
        needs = _NEEDS[bool(entry.images), bool(entry.videos), bool(entry.news), bool(entry.alternates)]
    lines.append("  </url>\n")
    return Piece("".join(lines).encode(), needs)


def url_frame(needs: frozenset[str]) -> Frame:
    """The ``urlset`` element, with the namespaces of the blocks that stand in it."""
    spaces = "".join(f'\n  xmlns:{name}="{_PREFIXES[name]}"' for name in sorted(needs))
    return Frame(DECLARATION + f'<urlset xmlns="{ns.SITEMAP}"{spaces}>\n'.encode(), b"</urlset>\n")


def sitemap(entry: Entry, spelled: Callable[[str], str] | None = None) -> Piece:
    """An entry as a ``sitemap`` element of an index; see :func:`url`."""
    lastmod = f"    <lastmod>{entry.lastmod}</lastmod>\n" if entry.lastmod is not None else ""
    loc = (spelled or _uri)(entry.loc)
    return Piece(f"  <sitemap>\n    <loc>{loc}</loc>\n{lastmod}  </sitemap>\n".encode())


def sitemap_frame(needs: frozenset[str]) -> Frame:
    """The ``sitemapindex`` element."""
    return Frame(DECLARATION + f'<sitemapindex xmlns="{ns.SITEMAP}">\n'.encode(), b"</sitemapindex>\n")


def _uri(loc: str) -> str:
    """The URI of a loc, escaped: of the five characters a URI can hold these two."""
    return to_uri(loc).replace("&", "&amp;").replace("'", "&apos;")


def _text(value: str) -> str:
    return escape_text(legal_text(value)) if _SPECIAL.search(value) else value


def _attribute(value: str) -> str:
    return escape_attribute(legal_text(value)) if _SPECIAL.search(value) else value


def _element(name: str, value: object, attributes: str = "", indent: str = "      ") -> str:
    text = decimal_text(value) if isinstance(value, float) else str(value)
    return f"{indent}<{name}{attributes}>{_text(text)}</{name}>\n"


def _blocks(entry: Entry) -> Iterator[str]:
    for image in entry.images:
        yield from _image(image)
    for video in entry.videos:
        yield from _video(video)
    if entry.news is not None:
        yield from _news(entry.news)
    for link in entry.alternates:
        hreflang, href = _attribute(link.hreflang), _attribute(link.href)
        yield f'    <xhtml:link rel="alternate" hreflang="{hreflang}" href="{href}"/>\n'
    for piece in entry.extra:
        yield f"    {piece}\n"


def _image(image: Image) -> Iterator[str]:
    yield "    <image:image>\n"
    for name in ("loc", "caption", "geo_location", "title", "license"):
        if (value := getattr(image, name)) is not None:
            yield _element(f"image:{name}", value)
    yield "    </image:image>\n"


def _video(video: Video) -> Iterator[str]:
    yield "    <video:video>\n"
    extra = [(_local(piece), piece) for piece in video.extra]
    for name in orders.VIDEO:
        yield from (f"      {piece}\n" for local, piece in extra if local == name)
        if name == "tag":
            yield from (_element("video:tag", tag) for tag in video.tags)
        elif (value := getattr(video, name, None)) is not None:
            yield _element(f"video:{name}", value, _attributes(video, name))
    yield from (f"      {piece}\n" for local, piece in extra if local not in orders.VIDEO)
    yield "    </video:video>\n"


def _local(piece: str) -> str:
    """The local name of the element that a piece of XML is."""
    return re.split(r"[\s/>]", piece[1:], maxsplit=1)[0].rpartition(":")[2]


def _attributes(video: Video, name: str) -> str:
    found = (
        (attribute, getattr(video, f"{name}_{attribute}", None))
        for attribute in ("relationship", "allow_embed", "autoplay", "title", "info")
    )
    return "".join(f' {attribute}="{_attribute(value)}"' for attribute, value in found if value is not None)


def _news(news: News) -> Iterator[str]:
    yield "    <news:news>\n"
    if news.publication is not None:
        yield "      <news:publication>\n"
        for name in ("name", "language"):
            if (value := getattr(news.publication, name)) is not None:
                yield _element(f"news:{name}", value, indent="        ")
        yield "      </news:publication>\n"
    for name in ("access", "genres", "publication_date", "title", "keywords", "stock_tickers"):
        if (value := getattr(news, name)) is not None:
            yield _element(f"news:{name}", value)
    yield "    </news:news>\n"
