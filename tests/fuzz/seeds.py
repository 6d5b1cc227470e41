"""Whole documents of every format, each with the places of its records and their addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import promises
from traces import Trace

SAMPLES = Path(__file__).parents[2] / "samples"


class Record(NamedTuple):
    """Where a record and, in it, its address stand, in bytes."""

    start: int
    end: int
    loc: str
    loc_start: int
    loc_end: int


@dataclass(frozen=True)
class Seed:
    """A whole document, its format, the options it is read with, and its records."""

    name: str
    format: str
    data: bytes
    options: dict[str, Any] = field(default_factory=dict)
    records: tuple[Record, ...] = ()

    @property
    def is_xml(self) -> bool:
        """Whether its records end with a tag."""
        return self.data.lstrip().startswith(b"<")

    @property
    def locs(self) -> list[str]:
        """The addresses that are read from it."""
        return [record.loc for record in self.records]


@cache
def of(name: str | None = None) -> tuple[Seed, ...]:
    """The seeds of one format, or all: small ones made here, and the samples of the project."""
    return tuple(seed for seed in [*_made(), *_samples()] if name in (None, seed.format))


def formats() -> list[str]:
    """The formats that have seeds: all that can be read."""
    return sorted({seed.format for seed in of()})


def _seed(name: str, format_: str, data: bytes, **options: Any) -> Seed:
    options.setdefault("follow", False)
    job = promises.convert(data, "jsonl", options)
    if job.error is not None or job.ledger.accounts[0].format != format_:
        raise AssertionError(f"the seed {name} is not read as {format_}: {job.error or job.ledger.accounts[0].format}")
    return Seed(name, format_, data, options, tuple(_located(data, job)))


_ELEMENT = re.compile(r"<(url|sitemap|item|entry)(?=[\s>]).*?</\1>", re.DOTALL | re.IGNORECASE)
_ROW = re.compile(r'(?:[^"\n]|"[^"]*")+')


def _located(data: bytes, job: promises.Job) -> Iterator[Record]:
    """Each address with the record that it came from, found by what it says."""
    text = data.decode().replace("\r\n", "\n\n").replace("\r", "\n")
    pattern = _ELEMENT if text.lstrip().startswith("<") else _ROW
    spans = [match.span() for match in pattern.finditer(text)]
    resolved = promises.resolved_from(job)
    for loc in job.locs():
        target = re.sub("^https?://[^/]*", "", loc)
        wanted = [loc, resolved.get(loc, loc), target, target.partition("?")[0]]
        while True:
            start, end = spans.pop(0)
            trace = Trace(text[start:end])
            if found := next(filter(None, map(trace.find, wanted)), None):
                break
        places = (start, end, start + found[0], start + found[1] + len("]]>"))
        first, last, loc_first, loc_last = (len(text[:place].encode()) for place in places)
        yield Record(first, last, loc, loc_first, loc_last)


def _samples() -> Iterator[Seed]:
    options = {"access.log": {"base_url": "https://www.example.com/"}}
    for path in sorted(SAMPLES.rglob("*.*")):
        if path.name == "config.xml":  # no list of URLs
            continue
        data, named = path.read_bytes(), options.get(path.name, {})
        job = promises.convert(data, "jsonl", {"follow": False, **named})
        yield _seed(f"samples/{path.name}", job.ledger.accounts[0].format or "", data, **named)


_LOCS = (
    "https://example.com/",
    "https://example.com/a?x=1&y=2",
    "https://example.com/über/straße",
    "http://www.example.org:8080/deep/er/path;p=1/page.html?q=caf%C3%A9#part",
)
_XML_LOCS = (
    "https://example.com/",
    "https://example.com/a?x=1&amp;y=2",
    "https://example.com/&#252;ber/stra<![CDATA[ße]]>",
    "http://www.example.org:8080/deep/er/path;p=1/page.html?q=caf%C3%A9#part",
)
_NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_OLD = "http://www.google.com/schemas/sitemap/0.84"


def _document(head: str, record: str, tail: str, locs: Sequence[str] = _XML_LOCS) -> bytes:
    return (head + "".join(record.replace("@", loc) for loc in locs) + tail).encode()


def _sitemap(namespace: str, root: str = "urlset", record: str = "url") -> bytes:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{namespace}">\n'
    body = f"  <{record}>\n    <loc>@</loc>\n    <lastmod>2024-05-06T07:08:09+02:00</lastmod>\n  </{record}>\n"
    return _document(head, body, f"</{root}>\n")


def _made() -> Iterator[Seed]:
    base = "https://example.com/"
    yield _seed("sitemap", "sitemap", _sitemap(_NS))
    one_line = re.sub(rb">\s+<", b"><", _sitemap(_NS))
    yield _seed("sitemap-one-line", "sitemap", one_line)
    yield _seed("sitemap-cr", "sitemap", _sitemap(_NS).replace(b"\n", b"\r"))
    loose = (
        b"<urlset><url><loc> http://a.example/?b=1&c=2 </loc></url><url><loc>http://a.example/d</loc></url></urlset>"
    )
    yield _seed("sitemap-raw-ampersand", "sitemap", loose)
    yield _seed("sitemap-0.84", "sitemap-0.84", _sitemap(_OLD))
    yield _seed("sitemap-index", "sitemap-index", _sitemap(_NS, "sitemapindex", "sitemap"))
    yield _seed("text", "text", ("\n".join(_LOCS) + "\n").encode())
    yield _seed("text-crlf", "text", "\r\n".join(f"{loc} priority=0.5" for loc in _LOCS).encode())
    yield _seed("csv", "csv", ("url,title\n" + "".join(f'{loc},"a, ""b""\nc"\n' for loc in _LOCS)).encode())
    yield _seed("csv-quoted", "csv", "".join(f'"{loc}";"2024-05-06"\r\n' for loc in ("loc", *_LOCS)).encode())
    yield _seed("tsv", "csv", ("loc\tpriority\n" + "".join(f"{loc}\t0.5\n" for loc in _LOCS)).encode())
    yield _seed("jsonl", "jsonl", "".join(f'{{"loc": "{loc}", "priority": 0.5}}\n' for loc in _LOCS).encode())
    escaped = (
        '{"title":"\\u00fc","loc":"https:\\/\\/example.com\\/\\u00fc","extra":["<a/>"]}\n{"loc":"http://b.example/c"}'
    )
    yield _seed("jsonl-escaped", "jsonl", escaped.encode())
    yield from _feeds()
    log = "".join(f'h - - [06/May/2024:07:08:09 +0200] "GET /{n}?a=\\x22 HTTP/1.1" 200 5\n' for n in "abc")
    yield _seed("common-log", "access-log", log.encode(), base_url=base)
    fields = "#Version: 1.0\n#Fields: date cs-method cs-uri-stem cs-uri-query sc-status\n"
    rows = "".join(f"2024-05-06 GET /{n} q=1 200\n" for n in "abc")
    yield _seed("extended-log", "access-log", (fields + rows).encode(), base_url=base)
    rules = "User-agent: *\nDisallow: /x\n\n" + "".join(f"Sitemap: {base}{n}.xml\n" for n in "abc")
    yield _seed("robots", "robots", rules.encode())


def _feeds() -> Iterator[Seed]:
    head = '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>https://example.com/</link>\n'
    item = "<item><title>a &amp; b</title><link>@</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item>\n"
    yield _seed("rss", "rss", _document(head, item, "</channel></rss>"))
    guid = '<item><guid>@</guid><description><![CDATA[<a href="http://no.example/">no</a>]]></description></item>\n'
    yield _seed("rss-guid", "rss", _document(head, guid, "</channel></rss>"))
    relative = _document(head, "<item><link>@</link></item>\n", "</channel></rss>", ("/a/b", "c?d=1&amp;e=2", "../f"))
    yield _seed("rss-relative", "rss", relative, base_url="https://example.com/feeds/rss.xml")
    rdf = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">\n'
    yield _seed("rdf", "rss", _document(rdf, '<item rdf:about="x"><link>@</link></item>\n', "</rdf:RDF>"))
    cdf = b'<?xml version="1.0"?><CHANNEL HREF="http://a.example/"><ITEM HREF="http://a.example/b?c"></ITEM></CHANNEL>'
    yield _seed("cdf", "rss", cdf)
    head = '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>\n'
    entry = '<entry><title>t</title><link href="@"/><updated>2024-05-06T07:08:09Z</updated></entry>\n'
    plain = [loc for loc in _XML_LOCS if "CDATA" not in loc]
    yield _seed("atom", "atom", _document(head, entry, "</feed>", plain))
    based = '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/x/">\n'
    yield _seed("atom-relative", "atom", _document(based, entry, "</feed>", ("a", "/b?c=1&amp;d", "../e")))
    head = '<feed version="0.3" xmlns="http://purl.org/atom/ns#">\n'
    old = '<entry><link rel="alternate" href="@"/><modified>2004-05-06T07:08:09Z</modified></entry>\n'
    yield _seed("atom-0.3", "atom", _document(head, old, "</feed>", plain))
