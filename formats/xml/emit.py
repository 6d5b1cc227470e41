"""Writing sitemap XML: one url or sitemap element at a time, and the frame round them.

Children are written in the order of the schemas (sitemap.xsd 0.9, image 1.1, video 1.1, news 0.9, PageMap 1.0), since
a validator insists on it. All five characters that the protocol names are escaped. Only the namespaces in use are
declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import compress, product
from typing import Any

from urlset.formats.vocabulary.entry import Core, Entry, Image, News, PageMap, TvShow, Video
from urlset.formats.vocabulary.format import Frame, Piece
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.vocabulary.record import decimal_text
from urlset.formats.vocabulary.url_columns import plain_uris
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml import orders
from urlset.formats.xml.node import escape_attribute, escape_text, legal_text

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'

_PREFIXES = {"image": ns.IMAGE, "mobile": ns.MOBILE, "news": ns.NEWS, "video": ns.VIDEO, "xhtml": ns.XHTML}
_NEEDS = {
    present: frozenset(compress(("image", "video", "news", "xhtml", "mobile"), present))
    for present in product((False, True), repeat=5)
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
    if entry.has_blocks:
        lines.extend(_blocks(entry))
        needs = _NEEDS[
            bool(entry.images), bool(entry.videos), bool(entry.news), bool(entry.alternates), bool(entry.mobile)
        ]
    lines.append("  </url>\n")
    return Piece("".join(lines).encode(), needs)


def plain_urls(core: Core) -> bytes | None:
    """Many entries as ``url`` elements at once, as :func:`url` writes each; None if any may need a closer look."""
    text = plain_uris(core.locs, core.text)
    if text is None:
        return None
    locs = text.replace("&", "&amp;").replace("'", "&apos;").split("\n")
    dates = [f"    <lastmod>{date}</lastmod>\n" if date else "" for date in core.lastmods.printed()]
    rows = zip(locs, dates, map(_changefreq, core.changefreqs), map(_priority, core.priorities), strict=True)
    return "".join(
        [f"  <url>\n    <loc>{loc}</loc>\n{date}{word}{number}  </url>\n" for loc, date, word, number in rows]
    ).encode()


@lru_cache(maxsize=256)
def _changefreq(word: str | None) -> str:
    return "" if word is None else f"    <changefreq>{word}</changefreq>\n"


@lru_cache(maxsize=256)
def _priority(value: float | None) -> str:
    return "" if value is None else f"    <priority>{decimal_text(value)}</priority>\n"


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
    if entry.mobile:
        yield "    <mobile:mobile/>\n"
    for pagemap in entry.pagemaps:
        yield from _pagemap(pagemap)
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
        elif name == "tvshow":
            yield from _show(video.tvshow) if video.tvshow is not None else ()
        elif name in _REPEATED:
            yield from _repeated(video, name)
        else:
            yield from _valued(video, name)
    yield from (f"      {piece}\n" for local, piece in extra if local not in orders.VIDEO)
    yield "    </video:video>\n"


def _valued(video: Video, name: str) -> Iterator[str]:
    """An element that occurs once; an empty one holds an attribute (a restriction to no country at all)."""
    value, attributes = getattr(video, name, None), ""
    if name in _ATTRIBUTES:
        attributes = _listed({key: getattr(video, f"{name}_{key}") for key in _ATTRIBUTES[name]})
    if value is not None or attributes:
        yield _element(f"video:{name}", "" if value is None else value, attributes)


_REPEATED = {
    "content_segment_loc": ("content_segments", "loc", ("duration",)),
    "price": ("prices", "value", ("currency", "type", "resolution")),
    "id": ("ids", "value", ("type",)),
}
"""Elements with attributes that may occur several times: the field, the name of the value, and the attributes."""


def _repeated(video: Video, name: str) -> Iterator[str]:
    field, what, attributes = _REPEATED[name]
    for one in getattr(video, field):
        yield _element(f"video:{name}", getattr(one, what), _listed({key: getattr(one, key) for key in attributes}))


def _show(show: TvShow) -> Iterator[str]:
    yield "      <video:tvshow>\n"
    for name in TvShow.model_fields:
        if (value := getattr(show, name)) is not None:
            yield _element(f"video:{name}", value, indent="        ")
    yield "      </video:tvshow>\n"


def _local(piece: str) -> str:
    """The local name of the element that a piece of XML is."""
    return re.split(r"[\s/>]", piece[1:], maxsplit=1)[0].rpartition(":")[2]


_ATTRIBUTES = {
    "player_loc": ("allow_embed", "autoplay"),
    "restriction": ("relationship",),
    "gallery_loc": ("title",),
    "uploader": ("info",),
    "platform": ("relationship",),
}
"""Attributes of the elements that occur once; each is a field of its own."""


def _listed(attributes: Mapping[str, Any]) -> str:
    """Attributes as they stand in a start tag; absent ones are left out."""
    found = ((name, value) for name, value in attributes.items() if value is not None)
    return "".join(f' {name}="{_attribute(str(value))}"' for name, value in found)


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


def _pagemap(pagemap: PageMap) -> Iterator[str]:
    """Google's example has the namespace on the PageMap itself, and values as text."""
    yield f'    <PageMap xmlns="{ns.PAGEMAP}">\n'
    if pagemap.template_src is not None:
        yield f"      <Template{_listed({'src': pagemap.template_src})}/>\n"
    for one in pagemap.data_objects:
        yield f"      <DataObject{_listed({'type': one.type, 'id': one.id})}>\n"
        for attribute in one.attributes:
            text = attribute.value or ""
            yield _element("Attribute", text, _listed({"name": attribute.name}), indent="        ")
        yield "      </DataObject>\n"
    yield "    </PageMap>\n"
