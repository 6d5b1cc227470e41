"""The file as such: its bytes, its name, its prolog, and the limits of one file."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from urlset.converters.checks.document import SITEMAPS, Bounds, Document, Page
from urlset.converters.checks.engines import BAIDU_BYTES
from urlset.formats.vocabulary.format import Head
from urlset.formats.vocabulary.reporting import silent
from urlset.formats.vocabulary.source import Source
from urlset.formats.xml import namespaces as ns

READ = 1 << 18
"""Bytes that are read at once."""

MANY_CHILDREN = 1_000
"""What an index could list until June 2009 (Bing webmaster blog, 2009-06-12)."""

_ATTRIBUTE = re.compile(r"""(?<![\w.:-])(?:([\w.-]++):)?([\w.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_ITEMS = {"rss": "item", "atom": "entry"}
_WRONG_FILE = {"urlset": "siteindex.xsd", "sitemapindex": "sitemap.xsd"}


def remark_on_bytes(document: Document) -> None:
    """``byte-order-mark``, ``gzip-name-mismatch``, ``text-file-name``."""
    account, source = document.account, document.source
    if source.head().startswith(b"\xef\xbb\xbf"):
        account.find("byte-order-mark", "the file begins with a UTF-8 byte-order mark; it needs none", line=1, column=1)
    name, gzipped = _file_name(source), source.compression == "gzip"
    # What a server unpacks on the way may keep its name.
    was_unpacked = source.path is None and not source.compression
    if name and not was_unpacked and gzipped != name.endswith(".gz") and document.format.name in SITEMAPS:
        what = "is gzip and its name does not end in .gz" if gzipped else "is not gzip, though its name ends in .gz"
        account.find("gzip-name-mismatch", f"the file {what}", value=name)
    if name and document.format.name == "text" and not name.removesuffix(".gz").endswith(".txt"):
        account.find("text-file-name", "Google asks for text lists whose names end in .txt", value=name)


def _file_name(source: Source) -> str:
    """The file's name in lower case; "" where it has none (standard input, the root of a site)."""
    if source.path is not None:
        return source.path.name.lower()
    if source.location is not None:
        return PurePosixPath(unquote(urlsplit(source.location).path)).name.lower()
    return ""


def remark_on_prolog(document: Document) -> None:
    """``doctype``, ``schema-location``: for sitemaps, where neither has a use."""
    prolog = Head(document.source.head()).prolog
    if prolog is None or document.format.name not in SITEMAPS:
        return
    if prolog.doctype:
        message = "a DOCTYPE stands before the root; sitemaps have none, and readers may refuse it"
        document.account.find("doctype", message, line=prolog.doctype)
    for message in _faults_of_schema_location(prolog.root, prolog.namespace, prolog.attributes):
        document.account.find("schema-location", message, line=prolog.line_of("schemaLocation"))


def _faults_of_schema_location(root: str, namespace: str, raw: str) -> list[str]:
    """What is wrong with xsi:schemaLocation (XML Schema 1, 4.3.2): pairs of a namespace and where its schema lies."""
    attributes = [(match[1], match[2], match[3] or match[4] or "") for match in _ATTRIBUTE.finditer(raw)]
    spaces = {name: value for prefix, name, value in attributes if prefix == "xmlns"}
    faults = []
    for prefix, name, value in attributes:
        if name != "schemaLocation":
            continue
        if (found := spaces.get(prefix or "")) != ns.XSI:
            where = f"in the namespace {found}" if found else "in no namespace"
            faults.append(f"schemaLocation stands {where}; expected {ns.XSI}")
        faults += _faults_of_pairs(root, namespace, value.split())
    return faults


def _faults_of_pairs(root: str, namespace: str, tokens: list[str]) -> list[str]:
    if len(tokens) % 2:
        return ["schemaLocation holds pairs of a namespace and an address; one of them lacks its other half"]
    places = dict(zip(tokens[::2], tokens[1::2], strict=True))
    if places and namespace and namespace not in places:
        return [f"schemaLocation does not name the namespace of the root, {namespace}"]
    place = places.get(namespace, "")
    wrong = _WRONG_FILE.get(root.lower())
    if wrong and place.rpartition("/")[2] == wrong:
        return [f"schemaLocation names {wrong} for a {root}"]
    if ns.is_core(namespace) and ns.is_084(place) != ns.is_084(namespace):
        return [f"schemaLocation names a schema of another version, {place}"]
    return []


def check_schema(document: Document, encoding: str | None) -> None:
    """``schema-invalid``: every objection of the XML schema. What is not well-formed has no say here."""
    from urlset.formats.xml import schema  # compiled when it is asked for
    from urlset.formats.xml.lanes import utf8

    if document.format.name in SITEMAPS - {"text"}:
        for message, line, value in schema.faults(utf8(document.source, encoding)):
            document.account.find("schema-invalid", message, line=line, value=value)


class Size:
    """``too-many-urls``, ``too-many-sitemaps``, ``many-sitemaps``, ``news-too-many``, ``file-too-large``: each once.

    The line is that of the first entry beyond the limit.
    """

    def __init__(self, document: Document, bounds: Bounds) -> None:
        self._document = document
        self._account = document.account
        self._most_bytes = bounds.max_bytes
        self._index = document.format.name == "sitemap-index"
        self._most = bounds.max_sitemaps if self._index else bounds.max_urls
        self._fewest = min(self._most, MANY_CHILDREN) if self._index else self._most
        self._most_news = bounds.max_news
        self._news = 0
        self._line: int | None = None
        self._many_line: int | None = None
        self._news_line: int | None = None

    def look(self, page: Page) -> None:
        """The next entry."""
        if self._account.read > self._fewest:
            self._many(page)
        if page.entry.news is not None:
            self._news += 1
            if self._news == self._most_news + 1:
                self._news_line = page.line

    def _many(self, page: Page) -> None:
        if self._line is None and self._account.read > self._most:
            self._line = page.line
        if self._index and self._many_line is None and self._account.read > MANY_CHILDREN:
            self._many_line = page.line

    def finish(self) -> None:
        """Say what is too much, now that the number is known; rejected records count."""
        number = self._account.read
        self._empty(number)
        if number > self._most:
            rule, what = ("too-many-sitemaps", "sitemaps") if self._index else ("too-many-urls", "URLs")
            message = f"the file lists {number:,} {what}; at most {self._most:,} are allowed"
            self._account.find(rule, message, line=self._line)
        elif self._index and number > MANY_CHILDREN:
            message = f"the index lists {number:,} sitemaps; consumers of before 2009 read {MANY_CHILDREN:,}"
            self._account.find("many-sitemaps", message, line=self._many_line)
        if self._news > self._most_news:
            message = f"the file has {self._news:,} articles; at most {self._most_news:,} are allowed"
            self._account.find("news-too-many", message, line=self._news_line)
        self._bytes()

    def _empty(self, number: int) -> None:
        """Of feeds only, since sitemaps and indexes are told so by their readers."""
        what = _ITEMS.get(self._document.format.name)
        if what and not number and self._account.status == "ok":
            prolog = Head(self._document.source.head()).prolog
            self._account.find("empty-sitemap", f"the feed has no <{what}>", line=prolog.line if prolog else 1)

    def _bytes(self) -> None:
        if _is_longer(self._document.source, self._most_bytes):
            message = f"the file has more than the {self._most_bytes:,} bytes that are allowed, uncompressed"
            self._account.find("file-too-large", message)
        if "baidu" in self._document.engines and _is_longer(self._document.source, BAIDU_BYTES):
            message = f"the file has more than {BAIDU_BYTES:,} bytes, uncompressed, which is all that Baidu takes"
            self._account.find("file-too-large-for-engine", message)


def _is_longer(source: Source, most: int) -> bool:
    """Whether a document has more bytes, unpacked; it is read again up to there, which costs little beside parsing."""
    with source.open(silent) as stream:
        while stream.count <= most and stream.read(READ):
            pass
        return stream.count > most
