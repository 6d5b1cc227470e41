"""RSS: 2.0, 0.91 to 0.94, 1.0 and 0.90 (RDF), and Media RSS.

Specifications: https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/spec.

The page is item/link, then a guid that is a permalink, then an atom:link rel=alternate; the date is atom:updated,
dcterms:modified, pubDate, dc:date, dcterms:issued, in this order. An enclosure is no page. A document that is a feed
in a dialect of its own (Channel Definition Format) is left to feedparser.

For a news sitemap, an item was first published at pubDate, dc:date, dcterms:issued, dcterms:created, in this order.

Carries: loc, lastmod, title, and images and videos from Media RSS and enclosures (see feeds/media.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, islice

from urlset.formats.feeds import foreign
from urlset.formats.feeds.fast import FastLane
from urlset.formats.feeds.media import MediaReader
from urlset.formats.feeds.reader import (
    COMPLETE,
    Children,
    FeedReader,
    Link,
    Stamp,
    plain_text,
    read_dublin_core,
)
from urlset.formats.feeds.shape import AMONG, BARE, BODY, ReadDates, Shape, Writer, read_days, read_moments
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.batches import Batches, gathered, one_by_one
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.feed_dates import plain_rfc822, read_rfc822, read_rfc3339
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import ReadDate
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import lanes
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.items import Vocabulary
from urlset.formats.xml.node import Element, Node, local_name, outwards, root_of

VOCABULARY = Vocabulary(
    roots=frozenset({"rss", "RDF", "rdf", "channel"}),
    records=frozenset({"item"}),
    fields=frozenset({"link", "guid", "pubdate", "date", "title", "description", "enclosure", "updated"}),
)

# The same grammars for many dates at once.
_MANY: dict[ReadDate, ReadDates] = {
    read_rfc822: plain_rfc822,
    read_rfc3339: read_moments,
    read_dublin_core: read_days,
}
# The type of an enclosure that is neither a picture nor a video.
_SOUND = "audio/"
# What a child is for an item, beside the places in the order of dates, which count from 1.
_NO_DATE, _NOTHING, _LINK, _TITLE, _ENCLOSURE, _CLOSER = range(7, 13)
_MOST_NAMES = 1_000

_PUBLISHED = ("pubDate", "dc:date", "dcterms:issued", "dcterms:created")


def sniff(head: Head) -> bool:
    """The root is rss, an RDF that holds RSS, or what is left of one."""
    prolog = head.prolog
    if prolog is None or prolog.html:
        return False
    root = prolog.root.lower()
    if root == "rdf":
        return ns.RSS_10 in head.text or ns.RSS_090 in head.text
    return root in ("rss", "channel", "item")


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The items, one entry each."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches."""
    if foreign.is_cdf(Head.of(source)):
        yield from gathered(foreign.read(source, account, options), account)
        return
    channel = _Channel(account, options)
    document = lanes.Document(source, account, VOCABULARY, options.encoding)
    fast = FastLane(source, document, account, options, VOCABULARY, channel)
    yield from fast.batches()
    if not fast.finished:
        yield from gathered(_entries(document.parts(fast.taken), channel), account)


def _entries(parts: Iterator[lanes.Part], channel: _Channel) -> Iterator[Entry]:
    for part in parts:
        if part.record and (entry := channel.usual_entry(part.element)) is not None:
            yield entry
            continue
        channel.look_at(part.element)
        if not part.record:
            channel.stray(part.element)
        elif (entry := channel.entry(part.element)) is not None:
            yield entry


class _Channel:
    """One feed: what its items need to know of it."""

    def __init__(self, account: Account, options: ReadOptions) -> None:
        self._account = account
        self._feed = FeedReader(account, options, _PUBLISHED)
        self._media = MediaReader(account, options, self._feed.base)
        self._started = False
        self._is_rss = False
        self._beside: Element | None = None  # what holds the last item that was looked at closely
        self._tag = self._own = ""
        self._roles: dict[str, int] = {}

    def look_at(self, element: Element) -> None:
        """Find out the version from the root, at the first element."""
        if self._started:
            return
        self._started = True
        top = root_of(element)
        self._is_rss = local_name(top).lower() == "rss"
        self._account.version = _version(top, element)

    def stray(self, element: Element) -> None:
        """An element beside the items: the channel's own link is the base of last resort."""
        name = local_name(element)
        if name.lower() == "channel":
            for child in element:
                self.stray(child)
        elif name == "link" and ns.split(element.tag).namespace in ("", ns.RSS_10, ns.RSS_090):
            if self._feed.fallback_base is None and urls.is_absolute(address := urls.trim(plain_text(element))):
                self._feed.fallback_base = address
        elif element.tag == f"{{{ns.ATOM}}}link":
            self._feed.remark_on_page(element)
        elif element.tag == COMPLETE:
            self._feed.note_complete()
        else:
            self._media.note_channel(element)

    def entry(self, item: Element) -> Entry | None:
        """The entry of an item."""
        if self._is_rss and self._outside_channel(item):
            message = "item stands outside channel; it is read all the same"
            self._account.find_cause("misplaced-element", "item", message, line=item.sourceline, value="item")
        elif not isinstance(item, Node):
            self._remember(item)
        own = ns.split(item.tag).namespace
        children = Children(item)
        self._feed.remark_on_repeats(children, own, ("link", "title", "pubDate"))
        links = _links(item, children, own)
        best = list(islice(links, 1))
        page = urls.trim(best[0].text) if best else ""
        blocks = self._media.blocks(item, page) if self._media.may_hold_media(children.tags) else {}
        title, name = children.first(own, "title"), children.first(own, "guid")
        return self._feed.entry(item, chain(best, links), _stamps(children, own), title, blocks, name)

    def usual_entry(self, item: Element) -> Entry | None:
        """The entry of an item that there is nothing to say of, as of nearly all; None, and nothing said, for another.

        One pass over the children is twice as fast as :meth:`entry`, which must give the same.
        """
        if item.tag != self._tag or isinstance(item, Node) or item.getparent() is not self._beside:
            return None
        found: dict[int, Element] = {}
        for child in item:
            role = self._roles.get(child.tag) or self._role(child.tag)
            if role == _NOTHING:
                continue
            if role == _ENCLOSURE and (child.get("type") or "").startswith(_SOUND):
                continue
            if role >= _ENCLOSURE or len(child) or role in found:
                return None
            found[role] = child
        link, title = found.pop(_LINK, None), found.pop(_TITLE, None)
        if link is None:
            return None
        best = min(found, default=_NO_DATE)
        dated = Stamp(found[best], *_dates(self._own)[best - 1][1:]) if found else None
        return self._feed.usual_entry(link, link.text, dated, title)

    def shape(self, item: Element) -> Shape | None:
        """What the items that follow this one look like, where RSS has no prefix and stands in a channel."""
        parent, own = item.getparent(), ns.split(item.tag).namespace
        if parent is None or own not in ("", ns.RSS_10, ns.RSS_090) or local_name(item) != "item":
            return None
        spaces = parent.nsmap
        known = [space for space in spaces.values() if space in (own, ns.ATOM, ns.DCTERMS, ns.DC)]
        if spaces.get(None, "") != own or len({*known}) < len(known) or (self._is_rss and self._outside_channel(item)):
            return None
        return _shape(own, spaces)

    def _remember(self, item: Element) -> None:
        """The name of an item and what holds it: those that follow are as usual if they have the same."""
        self._beside = item.getparent()
        if item.tag != self._tag:
            self._tag, self._own = item.tag, ns.split(item.tag).namespace
            self._roles.clear()

    def _role(self, tag: str) -> int:
        """What a child of that name is for an item: a place in the order of dates, or one of the names below."""
        namespace, name = ns.split(tag)
        places = [place for place, (dated, *_) in enumerate(_dates(self._own), 1) if dated == tag]
        role = places[0] if places else _NOTHING
        if namespace == self._own and name in ("link", "title"):
            role = _LINK if name == "link" else _TITLE
        elif self._media.may_hold_media((tag,)):
            role = _ENCLOSURE if name == "enclosure" else _CLOSER
        if len(self._roles) < _MOST_NAMES:
            self._roles[tag] = role
        return role

    @staticmethod
    def _outside_channel(item: Element) -> bool:
        return all(local_name(outer).lower() != "channel" for outer in outwards(item))


def _version(top: Element, element: Element) -> str | None:
    """A feed's version: RSS says it in an attribute, RDF by the namespace of its elements."""
    if local_name(top).lower() != "rdf":
        return (top.get("version") or "").strip() or None
    found = {ns.split(element.tag).namespace, *top.nsmap.values()}
    return "1.0" if ns.RSS_10 in found else "0.90" if ns.RSS_090 in found else None


def _links(item: Element, children: Children, own: str) -> Iterator[Link]:
    """The candidates for the page; only elements of the item's own namespace count as RSS."""
    for link in children.named(own, "link"):
        yield Link(plain_text(link), link)
    for guid in children.named(own, "guid"):
        permanent = (guid.get("isPermaLink") or "true").strip().lower() != "false"
        text = urls.trim(plain_text(guid))
        if permanent and all(problem.usable for problem in urls.inspect(text)):
            yield Link(text, guid, "the item has no usable link; its permalink guid is taken")
    for link in children.named(ns.ATOM, "link"):
        if (link.get("rel") or "alternate").strip().lower() == "alternate":
            yield Link(link.get("href") or "", link, reference="href" in link.attrib)
    if about := item.get(f"{{{ns.RDF}}}about"):
        yield Link(about, item, "the item has no usable link; its rdf:about is taken")


def _stamps(children: Children, own: str) -> Iterator[Stamp]:
    for tag, reading, what in _dates(own):
        for element in children.tagged(tag):
            yield Stamp(element, reading, what)


@lru_cache(maxsize=16)
def _dates(own: str) -> tuple[tuple[str, ReadDate, str], ...]:
    """The elements that may date an item, the best first: its name, its grammar, and what messages call it."""
    return (
        (f"{{{ns.ATOM}}}updated", read_rfc3339, "atom:updated"),
        (f"{{{ns.DCTERMS}}}modified", read_dublin_core, "dcterms:modified"),
        (f"{{{own}}}pubDate" if own else "pubDate", read_rfc822, "pubDate"),
        (f"{{{ns.DC}}}date", read_dublin_core, "dc:date"),
        (f"{{{ns.DCTERMS}}}issued", read_dublin_core, "dcterms:issued"),
        (f"{{{ns.DCTERMS}}}created", read_dublin_core, "dcterms:created"),
    )


def _shape(own: str, spaces: Mapping[str | None, str]) -> Shape:
    prefixes = {space: f"{prefix}:" if prefix else "" for prefix, space in spaces.items()}
    if not own:
        prefixes[""] = ""
    names = [(*ns.split(tag), reading) for tag, reading, _ in _dates(own)]
    dates = [(f"{prefixes[space]}{name}", reading) for space, name, reading in names if space in prefixes]
    groups = {f"date_{place}": name for place, (name, _) in enumerate(dates)}
    fields: list[Callable[[Writer], str]] = [
        lambda write: write.field("loc", "link", BODY),
        lambda write: write.field("title", "title", BODY, attributes=True),
        *(partial(Writer.field, group=group, name=re.escape(name), body=BARE) for group, name in groups.items()),
    ]
    return Shape(
        "item",
        fields,
        "|".join(["link", "title", *map(re.escape, groups.values()), "(?:[^<> /:]*+:|)(?:content|group|thumbnail)"]),
        ("enclosure", rf'(?!{AMONG}type="{_SOUND})'),
        {group: _MANY[reading] for group, (_, reading) in zip(groups, dates, strict=True)},
    )


RSS = Format(
    name="rss",
    title="RSS feed",
    specification="https://www.rssboard.org/rss-specification",
    suffixes=(".rss", ".rdf"),
    media_types=("application/rss+xml", "application/rdf+xml"),
    carries=frozenset({"loc", "lastmod", "title", "images", "videos"}),
    sniff=sniff,
    read=read,
    batches=batches,
    has_pages=True,
)
