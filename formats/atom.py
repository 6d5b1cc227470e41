"""Atom 1.0 (RFC 4287) and Atom 0.3.

The page is the alternate link, an HTML one first; the date is updated, then published (1.0), or modified, issued,
created (0.3). The id is a name and never the page; nothing inside source is the entry's.

For a news sitemap, an entry was first published at published, else updated (1.0), or issued, created, modified (0.3).

Carries: loc, lastmod, title.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlset.formats.feeds.fast import FastLane
from urlset.formats.feeds.reader import COMPLETE, Children, FeedReader, Link, Stamp, first_named, plain_text
from urlset.formats.feeds.shape import AMONG, BARE, BODY, VALUE, Shape, Writer, read_moments
from urlset.formats.vocabulary.batches import Batches, gathered, one_by_one
from urlset.formats.vocabulary.dates import LastMod, read_w3c
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.feed_dates import read_rfc3339
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import lanes
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.items import Vocabulary
from urlset.formats.xml.node import Element, Node, local_name, root_of

VOCABULARY = Vocabulary(
    roots=frozenset({"feed"}),
    records=frozenset({"entry"}),
    fields=frozenset(
        {"link", "id", "title", "updated", "published", "modified", "issued", "created", "content", "summary"}
    ),
)

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_ALTERNATE = "http://www.iana.org/assignments/relation/alternate"
_DATES_10 = (("updated", read_rfc3339), ("published", read_rfc3339))
_DATES_03 = (("modified", read_w3c), ("issued", read_w3c), ("created", read_w3c))
# The children that make an entry what it is; what is not plain needs a closer look.
_PLAIN = frozenset({"link", "title", "updated", "published"})
_ENTRY = f"{{{ns.ATOM}}}entry"
_APP = (ns.APP, "http://purl.org/atom/app#")
_NAMES = {
    **{f"{{{ns.ATOM}}}{name}": name for name in (*_PLAIN, "content", "modified", "issued", "created")},
    **{f"{{{namespace}}}control": "control" for namespace in _APP},
}
_PUBLISHED = ("published", "issued", "created", "updated", "modified")


def sniff(head: Head) -> bool:
    """The root is feed, or an entry in Atom's namespace."""
    prolog = head.prolog
    if prolog is None or prolog.html:
        return False
    atom = ns.canonical(prolog.namespace) in (ns.ATOM, ns.ATOM_03)
    return prolog.root.lower() == "feed" or (prolog.root == "entry" and atom)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries of a feed."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches."""
    feed = _Feed(account, options)
    document = lanes.Document(source, account, VOCABULARY, options.encoding)
    fast = FastLane(source, document, account, options, VOCABULARY, feed)
    yield from fast.batches()
    if not fast.finished:
        yield from gathered(_entries(document.parts(fast.taken), feed), account)


def _entries(parts: Iterator[lanes.Part], feed: _Feed) -> Iterator[Entry]:
    for part in parts:
        if part.record and (entry := feed.usual_entry(part.element)) is not None:
            yield entry
            continue
        feed.look_at(part.element)
        if not part.record:
            feed.stray(part.element)
        elif (entry := feed.entry(part.element)) is not None:
            yield entry


class _Feed:
    """One feed: its version, and what was said of entries outside of them."""

    def __init__(self, account: Account, options: ReadOptions) -> None:
        self._account = account
        self._options = options
        self._feed = FeedReader(account, options, _PUBLISHED)
        self._started = False
        self._deleted: dict[str, LastMod | None] = {}

    def look_at(self, element: Element) -> None:
        """Find out the version from the root's namespace, at the first element."""
        if self._started:
            return
        self._started = True
        top = root_of(element)
        namespace = ns.split(top.tag).namespace
        if namespace == ns.ATOM_03:
            self._account.version = "0.3"
            message = f"Atom 0.3 ({namespace}) is superseded by Atom 1.0 ({ns.ATOM})"
            self._account.find("namespace-legacy", message, line=top.sourceline, value=namespace)
        elif ns.canonical(namespace) == ns.ATOM:
            self._account.version = "1.0"
        self._check_namespace(namespace, top)

    def _check_namespace(self, namespace: str, top: Element) -> None:
        if not namespace:
            message = f"the feed is in no namespace; expected {ns.ATOM}"
            self._account.find("namespace-missing", message, line=top.sourceline)
        elif namespace not in (ns.ATOM, ns.ATOM_03):
            message = f"the namespace should be {ns.ATOM}, found {namespace}"
            self._account.find("namespace-incorrect", message, line=top.sourceline, value=namespace)

    def stray(self, element: Element) -> None:
        """An element beside the entries."""
        name = local_name(element)
        if name == "link":
            self._feed.remark_on_page(element)
        elif element.tag == COMPLETE:
            self._feed.note_complete()
        elif element.tag == f"{{{ns.TOMBSTONES}}}deleted-entry":
            message = "an entry was deleted; an older live one of the same id that follows is left out"
            self._account.find("deleted-entry", message, line=element.sourceline, value=element.get("ref"))
            ref, when = element.get("ref") or "", read_rfc3339(element.get("when") or "").value
            self._deleted[ref] = when
            if self._options.pages is not None:
                self._options.pages.deleted[ref] = when

    def entry(self, element: Element) -> Entry | None:
        """The entry of an atom:entry; None if it was rejected or is none to be listed."""
        own = ns.split(element.tag).namespace
        if self._is_draft(element):
            self._feed.filter(element, "draft-entry", "the entry is a draft; it is left out")
            return None
        if self._is_deleted(element, own):
            self._feed.filter(element, "deleted-entry", "the feed says that this entry was deleted; it is left out")
            return None
        children = Children(element)
        stamps = list(self._stamps(children, own))
        links = list(_links(children, own))
        self._remark_on_alternates(links)
        self._feed.remark_on_repeats(children, own, ("title", *(stamp.what for stamp in stamps[:1])))
        own_id = children.first(own, "id")
        entry = self._feed.entry(element, links, stamps, children.first(own, "title"), {}, own_id)
        if entry is not None:
            self._remark_on_dates(element, own, stamps)
        return entry

    def usual_entry(self, element: Element) -> Entry | None:
        """The entry of an Atom 1.0 entry that there is nothing to say of; None, and nothing said, for another.

        One pass over the children is twice as fast as :meth:`entry`, which must give the same.
        """
        if element.tag != _ENTRY or not self._started or self._deleted or isinstance(element, Node):
            return None
        found: dict[str, Element] = {}
        for child in element:
            name = _NAMES.get(child.tag)
            if name is None or _says_nothing(name, child):
                continue
            if name in found or name not in _PLAIN:
                return None
            found[name] = child
        link, updated = found.get("link"), found.get("updated")
        if link is None or updated is None or _remark(link) is not None:
            return None
        entry = self._feed.usual_entry(
            link, link.get("href"), Stamp(updated, read_rfc3339, "updated"), found.get("title")
        )
        if entry is None or not self._in_order(entry.lastmod, found.get("published")):
            return None
        return entry

    def shape(self, item: Element) -> Shape | None:
        """What the entries that follow this one look like, where Atom 1.0 has no prefix."""
        parent = item.getparent()
        if parent is None or item.tag != _ENTRY or self._deleted:
            return None
        prefixes = [prefix for prefix, space in parent.nsmap.items() if space == ns.ATOM]
        return _SHAPE if prefixes == [None] else None

    def _in_order(self, updated: LastMod | None, published: Element | None) -> bool:
        if updated is None or published is None:
            return True
        since = read_rfc3339(plain_text(published), self._options.zone).value
        return since is None or not updated < since

    def _stamps(self, children: Children, own: str) -> Iterator[Stamp]:
        order = _DATES_03 if own == ns.ATOM_03 else (*_DATES_10, *_DATES_03)
        for name, reading in order:
            for child in children.named(own, name):
                yield Stamp(child, reading, name)

    @staticmethod
    def _is_draft(element: Element) -> bool:
        for namespace in _APP:
            control = first_named(element, namespace, "control")
            draft = first_named(control, namespace, "draft") if control is not None else None
            if draft is not None and plain_text(draft).strip().lower() == "yes":
                return True
        return False

    def _is_deleted(self, element: Element, own: str) -> bool:
        if not self._deleted:
            return False
        name, updated = first_named(element, own, "id"), first_named(element, own, "updated")
        if name is None or updated is None or (key := plain_text(name).strip()) not in self._deleted:
            return False
        when, since = self._deleted[key], read_rfc3339(plain_text(updated)).value
        return when is not None and since is not None and since < when

    def _remark_on_dates(self, element: Element, own: str, stamps: list[Stamp]) -> None:
        line = element.sourceline
        if own != ns.ATOM_03 and not any(stamp.what == "updated" for stamp in stamps):
            self._account.find("missing-updated", "the entry has no updated", line=line)
        values = {stamp.what: stamp.read(plain_text(stamp.element), self._options.zone).value for stamp in stamps}
        updated, published = values.get("updated"), values.get("published")
        if updated is not None and published is not None and updated < published:
            message = f"updated ({updated}) is before published ({published}); updated is kept"
            self._account.find("date-order", message, line=line, value=str(updated))

    def _remark_on_alternates(self, links: list[Link]) -> None:
        """Other pages of the same entry, of the same type: another type is the same page in another form."""
        for link in links[1:]:
            same = link.element.get("type") == links[0].element.get("type")
            if same and link.text.strip() and link.text != links[0].text:
                language = link.element.get("hreflang")
                what = f", for {language}" if language else ""
                message = f"another alternate{what}; the first in the document is the page"
                self._account.find(
                    "repeated-element",
                    message,
                    line=link.element.sourceline,
                    value=link.text,
                    severity="info",
                )


def _links(children: Children, own: str) -> Iterator[Link]:
    """The candidates for the page, best first: an HTML alternate, one without type, any other, HTML content."""
    alternates = [link for link in children.named(own, "link") if _is_alternate(link)]
    alternates.sort(key=_preference)
    if own == ns.ATOM_03:  # where rel is required; a link without one is tolerated after the others
        alternates.sort(key=lambda link: link.get("rel") is None)
    for link in alternates:
        href = link.get("href")
        if href is not None:
            yield Link(href, link, _remark(link), reference=True)
    content = children.first(own, "content")
    if content is not None and (src := content.get("src")) and content.get("type") in (None, *_HTML_TYPES):
        yield Link(src, content)


def _says_nothing(name: str, child: Element) -> bool:
    """Whether a child is one of a name that matters, but does not matter itself: its text is not the page's."""
    return (name == "link" and not _is_alternate(child)) or (name == "content" and child.get("src") is None)


def _is_alternate(link: Element) -> bool:
    relation = (link.get("rel") or "alternate").strip().lower()
    return relation in ("alternate", _ALTERNATE)


def _preference(link: Element) -> int:
    kind = (link.get("type") or "").partition(";")[0].strip().lower()
    return 0 if kind in _HTML_TYPES else 1 if not kind else 2


def _remark(link: Element) -> str | None:
    kind = link.get("type") or ""
    return f"the only alternate link is of type {kind}" if "atom+xml" in kind else None


def _link(write: Writer) -> str:
    """A link that leads elsewhere, or the one that leads to the page."""
    relation = rf'{AMONG}rel="(?!alternate")'
    other = f'(?={relation}[a-z-]++"){write.attributes()}'
    href = f'href="{write.once("loc", VALUE)}"'
    page = rf'(?!{relation}|{AMONG}type="[^"<>]*?atom\+xml)(?: (?:{href}|(?!href=){write.attribute()})){{1,8}}'
    return f"<link(?:{other}|{page}) *+/>"


_SHAPE = Shape(
    "entry",
    [
        _link,
        lambda write: write.field("title", "title", BODY, attributes=True),
        lambda write: write.field("updated", "updated", BARE),
        lambda write: write.field("published", "published", BARE),
    ],
    "link|title|updated|published|modified|issued|created|(?:[^<> /:]*+:|)control",
    ("content", "[^<>]*? src="),
    {"updated": read_moments, "published": read_moments},
    ordered=True,
)


ATOM = Format(
    name="atom",
    title="Atom feed",
    specification="https://www.rfc-editor.org/rfc/rfc4287",
    suffixes=(".atom",),
    media_types=("application/atom+xml",),
    carries=frozenset({"loc", "lastmod", "title"}),
    sniff=sniff,
    read=read,
    batches=batches,
    has_pages=True,
)
