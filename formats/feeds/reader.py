"""What RSS and Atom have in common: candidates for the address and the date, and the base of relative links.

"A > B" in a format's field order means: B only when A is missing or unusable (PROTOCOL of the engines: link and date).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod, Precision, is_implausible, read_w3c
from urlset.formats.vocabulary.entry import Entry, News, Origin, sound
from urlset.formats.vocabulary.feed_dates import read_rfc822
from urlset.formats.vocabulary.feed_pages import PageLink
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.news import is_too_old
from urlset.formats.vocabulary.record import SCHEME_OR_PORT, ReadDate
from urlset.formats.xml import namespaces as ns
from urlset.formats.xml.node import Element, doubt_of, full_text, outwards

if TYPE_CHECKING:
    from datetime import tzinfo

    from urlset.formats.catalogue import Severity
    from urlset.formats.vocabulary.dates import DateReading
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.vocabulary.news import Paper

# What RFC 3986 has no place for (appendix A), and a colon before the first slash, which ends a scheme (4.2).
_NO_REFERENCE = re.compile(r"[\s<>\"{}|\\^`]")

FURTHER = {"next": "on another page", "prev-archive": "in an archive", "next-archive": "in a later archive"}
"""Relations of a feed to the rest of it."""

COMPLETE = f"{{{ns.HISTORY}}}complete"
"""The element that says: this document is the whole feed (RFC 5005 2)."""

XML_BASE = f"{{{ns.XML}}}base"


class Link(NamedTuple):
    """A candidate for the page's address; ``remark`` is said when it is the one taken.

    ``reference``: it is an attribute, where the empty text is a reference too, to the base itself (RFC 3986 4.4).
    """

    text: str
    element: Element
    remark: str | None = None
    reference: bool = False


_Dated: TypeAlias = "tuple[LastMod, int | None]"
_Known: TypeAlias = "dict[int, LastMod | None]"
"""What the stamps of one item gave, by the element: each is read, and reported on, once."""

Refused: TypeAlias = list[tuple["urls.UrlProblem", Link]]
"""Candidates that can't be used, each with the reason."""


class Stamp(NamedTuple):
    """A candidate for lastmod, and the grammar that its format demands."""

    element: Element
    read: ReadDate
    what: str


def read_dublin_core(text: str, zone: tzinfo | None = None) -> DateReading:
    """W3C Datetime as Dublin Core has it; what is none may still be an RFC 822 date."""
    reading = read_w3c(text, zone)
    return reading if reading.value is not None else _better(reading, read_rfc822(text, zone))


def _better(first: DateReading, second: DateReading) -> DateReading:
    return second if second.value is not None else first


class FeedReader:
    """Turns the candidates of one feed into entries.

    ``publication_dates`` are the stamps that say when an item was first published, by name, the best first.
    ``fallback_base`` is a base of last resort that the document itself suggests (an absolute channel link).
    """

    def __init__(self, account: Account, options: ReadOptions, publication_dates: Sequence[str]) -> None:
        self._account = account
        self._options = options
        self._publication_dates = publication_dates
        self.fallback_base: str | None = None

    def entry(
        self,
        element: Element,
        links: Iterable[Link],
        stamps: Iterable[Stamp],
        title: Element | None,
        blocks: dict[str, Any],
        own_id: Element | None,
    ) -> Entry | None:
        """The entry of an item; None if it has no usable address and was rejected, or is too old and left out."""
        known: _Known = {}
        paper = self._options.paper
        if paper is not None:
            stamps = list(stamps)
        found, refused = self._address(links)
        if found is None:
            self._reject(element, refused, _raw(stamps, title))
            return None
        loc, line = found
        values = dict(blocks)
        lines = {}
        if (dated := self._date(stamps, known)) is not None:
            values["lastmod"], lines["lastmod"] = dated
        if title is not None and (text := full_text(title).strip()):
            values["title"] = text
        if paper is not None:
            published = self._date(self._publications(stamps), known)
            if published is not None and self._is_too_old(published, paper):
                return None
            if (news := self._article(element, paper, published, values.get("title"))) is not None:
                values["news"] = news
        name = None if own_id is None or self._options.pages is None else full_text(own_id).strip() or None
        return sound(loc, Origin(self._account.name, line, lines, name), values)

    def usual_entry(self, link: Element, text: str | None, stamp: Stamp | None, title: Element | None) -> Entry | None:
        """The same of one link and at most one stamp, if there is nothing to say of either; None if there may be."""
        loc = (text or "").strip()
        if self._options.paper is not None or self._options.pages is not None or urls.inspect(loc):
            return None
        values: dict[str, Any] = {}
        lines: dict[str, int | None] = {}
        if stamp is not None:
            value, problem = stamp.read(full_text(stamp.element), self._options.zone)
            if value is None or problem is not None or is_implausible(value):
                return None
            values["lastmod"] = value
            if self._options.remark:
                lines["lastmod"] = stamp.element.sourceline
        if title is not None and (words := full_text(title).strip()):
            values["title"] = words
        return sound(loc, Origin(self._account.name, link.sourceline, lines), values)

    def remark_on_page(self, link: Element) -> None:
        """A link of the feed itself that leads to entries which are not in it (RFC 5005, 3 and 4)."""
        relation = (link.get("rel") or "").strip().lower()
        what, pages = FURTHER.get(relation), self._options.pages
        if what is not None and pages is not None:
            href, base = urls.trim(link.get("href") or ""), self.base(link)
            pages.links.append(PageLink(relation, urls.resolve(base, href) if base else href, link.sourceline))
        elif what is not None:
            message = f"the feed goes on {what}, which is not read"
            self._account.find("feed-incomplete", message, line=link.sourceline, value=link.get("href"))

    def remark_on_repeats(self, children: Children, own: str, names: Iterable[str]) -> None:
        """Elements that an item may have once, and that say something else when they occur again."""
        for name in names:
            first, *others = [full_text(child).strip() for child in children.named(own, name)] or [""]
            if not any(others):
                continue
            for text, child in zip(others, children.named(own, name)[1:], strict=True):
                if text and text != first:
                    message = f"{name} occurs again in one item; the first that can be used is taken"
                    level: Severity = "warning" if name == "link" else "info"
                    line = child.sourceline
                    self._account.find(
                        "repeated-element", message, line=line, value=text, severity=level, action="dropped-value"
                    )

    def note_complete(self) -> None:
        """The document says that it is the whole feed."""
        if self._options.pages is not None:
            self._options.pages.complete = True

    # --- the address

    def _address(self, links: Iterable[Link]) -> tuple[tuple[str, int | None] | None, Refused]:
        """The address of the first usable candidate and its line, and the candidates before it with what is wrong."""
        refused: Refused = []
        for link in links:
            loc, problems = self._resolved(link)
            fatal = next((one for one in problems if not one.usable), None)
            if fatal is None:
                self._report(link, loc, problems, refused)
                return (loc, link.element.sourceline), refused
            refused.append((fatal, link))
        return None, refused

    def _resolved(self, link: Link) -> tuple[str, tuple[urls.UrlProblem, ...]]:
        """The absolute address of a link and what is wrong with it."""
        text = urls.trim(link.text)
        problems = urls.inspect(text)
        base = self.base(link.element) if problems and _may_be_relative(problems[0], text, link) else None
        if base is None:
            return text, problems
        whole = urls.resolve(base, text)
        after = urls.inspect(whole)
        if any(not one.usable for one in after):
            return text, problems
        return whole, (
            urls.UrlProblem("not-absolute", f"the address is relative; resolved against {base}", True),
            *after,
        )

    def base(self, element: Element) -> str | None:
        """The base of relative links: each xml:base against the outer one, then the feed's address (RFC 3986 5.1)."""
        around = (element, *outwards(element))
        base = self._options.base_url
        for value in [urls.trim(value) for one in reversed(around) if (value := one.get(XML_BASE))]:
            # A relative one with nothing to be relative to is no base.
            base = urls.resolve(base, value) if base else value if urls.is_absolute(value) else None
        return base if base and urls.is_absolute(base) else self.fallback_base

    def _report(
        self,
        link: Link,
        loc: str,
        problems: tuple[urls.UrlProblem, ...],
        refused: Refused,
    ) -> None:
        for problem, other in refused:
            if other.text.strip():
                message = f"{problem.message}; the next candidate is taken"
                self._account.find(
                    problem.rule,
                    message,
                    line=other.element.sourceline,
                    value=other.text,
                    action="dropped-value",
                    severity="warning",
                )
        line = link.element.sourceline
        for problem in problems:
            if problem.rule == "not-absolute":
                message = f"{problem.message} it is {loc}"
                self._account.find(
                    problem.rule, message, line=line, value=link.text, action="repaired", severity="warning"
                )
            else:
                self._account.find(problem.rule, problem.message, line=line, value=loc)
        if link.remark is not None:
            self._account.find("missing-link", link.remark, line=line, value=link.text, action="kept")

    def _reject(self, element: Element, refused: Refused, more: dict[str, str]) -> None:
        written = [(problem, link) for problem, link in refused if link.text.strip()]
        if not written:
            message = "no page address can be taken from the item by the rules of its format"
            self._account.reject(
                "missing-link",
                message,
                line=element.sourceline,
                field="record",
                raw=full_text(element).strip(),
                fields=more,
            )
            return
        problem, link = written[0]
        self._account.reject(
            problem.rule,
            problem.message,
            line=link.element.sourceline,
            value=link.text.strip(),
            raw=full_text(element).strip(),
            fields={"loc": link.text.strip(), **more},
        )

    # --- the date

    def _date(self, stamps: Iterable[Stamp], known: _Known) -> _Dated | None:
        """The first candidate that is a date, and its line; those that are none are reported."""
        for stamp in stamps:
            value = known[id(stamp.element)] if id(stamp.element) in known else self._read(stamp)
            known[id(stamp.element)] = value
            if value is not None:
                return value, stamp.element.sourceline
        return None

    def _read(self, stamp: Stamp) -> LastMod | None:
        text = full_text(stamp.element)
        line = stamp.element.sourceline
        value, problem = stamp.read(text, self._options.zone)
        if problem is not None:
            self._account.find(
                "invalid-date",
                f"{stamp.what}: {problem}{'; it is left out' if value is None else ''}",
                line=line,
                value=text,
                action="dropped-value" if value is None else "repaired",
            )
        if value is not None and is_implausible(value):
            self._account.find("date-implausible", f"{stamp.what} is {value}", line=line, value=text)
        return value

    # --- articles

    def _publications(self, stamps: Iterable[Stamp]) -> list[Stamp]:
        """The stamps that tell when an item was first published, the best first."""
        wanted = self._publication_dates
        return sorted((one for one in stamps if one.what in wanted), key=lambda one: wanted.index(one.what))

    def _is_too_old(self, published: _Dated, paper: Paper) -> bool:
        """Whether an item has no place in a news sitemap any more; it is left out then. Of a year nobody knows."""
        date, line = published
        if date.precision < Precision.DAY or not is_too_old(date, paper.now):
            return False
        message = f"the item of {date} is more than 48 hours older than {paper.now}; it is left out"
        self._account.find("news-too-old", message, line=line, value=str(date), severity="info")
        self._account.filter()
        return True

    def _article(self, element: Element, paper: Paper, published: _Dated | None, title: str | None) -> News | None:
        """The article that an item is; None if it lacks what Google demands, which is reported."""
        date, line = published if published is not None else (None, None)
        if title is None:
            message = "the item has no title; it becomes no article"
            self._account.find("news-missing-title", message, line=element.sourceline)
        if date is None or date.precision < Precision.DAY:
            message = "the item has no date of publication" if date is None else f"the item of {date} names no day"
            value = None if date is None else str(date)
            where = line or element.sourceline
            self._account.find("news-missing-date", f"{message}; it becomes no article", line=where, value=value)
        elif title is not None:
            return News(publication=paper.publication, publication_date=date, title=title, line=element.sourceline)
        return None

    def filter(self, element: Element, rule: str, message: str) -> None:
        """Leave an item out that is no page (a draft)."""
        self._account.find(rule, message, line=element.sourceline, action="kept")
        self._account.filter()


def _raw(stamps: Iterable[Stamp], title: Element | None) -> dict[str, str]:
    """What a rejected item said beside its address."""
    found = {"title": full_text(title).strip()} if title is not None else {}
    dates = [full_text(stamp.element).strip() for stamp in islice(stamps, 1)]
    return {**found, "lastmod": dates[0]} if dates else found


def _may_be_relative(problem: urls.UrlProblem, text: str, link: Link) -> bool:
    """A bare word (``oa/view.aspx``, ``4``) is a relative reference too, once there is a base."""
    if not text:
        return link.reference and not link.text
    if SCHEME_OR_PORT.match(text):
        return False
    return problem.rule == "not-absolute" or (problem.rule == "not-a-url" and not _NO_REFERENCE.search(text))


class Children:
    """The direct children of an element by name, gathered once: an item is asked for a dozen of them."""

    def __init__(self, element: Element) -> None:
        self._found: dict[str, list[Element]] = {}
        for child in element:
            self._found.setdefault(child.tag, []).append(child)

    @property
    def tags(self) -> Iterable[str]:
        """The names that occur, in Clark notation."""
        return self._found.keys()

    def named(self, namespace: str, name: str) -> Sequence[Element]:
        """The children of that name."""
        return self.tagged(f"{{{namespace}}}{name}" if namespace else name)

    def tagged(self, tag: str) -> Sequence[Element]:
        """The same, by the name in Clark notation."""
        return self._found.get(tag, ())

    def first(self, namespace: str, name: str) -> Element | None:
        """The first child of that name."""
        return next(iter(self.named(namespace, name)), None)


def first_named(element: Element, namespace: str, name: str) -> Element | None:
    """The first direct child of that name."""
    tag = f"{{{namespace}}}{name}" if namespace else name
    return next((child for child in element if child.tag == tag), None)


def plain_text(element: Element) -> str:
    """The element's text, or "" if what it says can't be known."""
    if len(element) or doubt_of(element):
        return ""
    return element.text or ""
