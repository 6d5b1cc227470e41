"""What servers do wrong, and what comes of it: the data behind the tests and behind the table in docs/sources.md."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from typing import Any

from faulty_server import Behaviour, at_first, body, redirect, sitemap, status

from urlset.formats.vocabulary.limits import MIB, Limits

PAGE = "https://example.com/a"
SOUND = sitemap(PAGE)
READ = 1
"""The one entry of the document was read."""
LOST = "child-unavailable"

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
QUICK: dict[str, Any] = {"timeout": 0.15}
PATIENT: dict[str, Any] = {"options": {"timeout": 1.0}, "total": 1.5}
"""Silence counts for nothing here, so that a machine with much to do finds the same."""
SMALL: dict[str, Any] = {"limits": Limits(max_body=MIB)}


@dataclass(frozen=True)
class Fault:
    """What a server does, and what is said of a document that is given and of one that an index lists.

    ``entries`` are those that are read. ``rules`` and ``exit`` are for a given document, ``listed`` the rules for a
    child; its job ends with 1 if it is lost. ``says`` stands in a message. ``asked``: how often the address was asked
    for when it was given (None: it does not matter). ``total``: so many timeouts may it take in all.
    """

    name: str
    what: str
    does: Behaviour
    entries: int
    rules: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    exit: int = 0
    says: str = ""
    asked: int | None = 1
    options: dict[str, Any] = field(default_factory=dict)
    path: str = "/it.xml"
    total: float = 10
    more: dict[str, Behaviour] = field(default_factory=dict)


def lost(
    name: str, what: str, does: Behaviour, says: str, asked: int | None = 4, rule: str = "document-refused", **more: Any
) -> Fault:
    """A fault by which the document is lost: exit 2 if it was given, 1 if it was listed."""
    return Fault(name, what, does, 0, (rule,), (LOST,), 2, says, asked, **more)


def whole(name: str, what: str, does: Behaviour, *rules: str, **more: Any) -> Fault:
    """A fault in spite of which the document is read whole."""
    return Fault(name, what, does, READ, rules, rules, **more)


def unreadable(name: str, what: str, does: Behaviour, rule: str, **more: Any) -> Fault:
    """A whole document that is no list."""
    return Fault(name, what, does, 0, (rule,), (rule,), 2, **more)


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    """A chunked response."""
    parts = (b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(parts) + end


def announced(size: int, data: bytes) -> bytes:
    """A response with a Content-Length of its own."""
    return HEAD + b"Content-Length: %d\r\n\r\n" % size + data


def raw(data: bytes) -> Behaviour:
    """Answers with these bytes, and hangs up."""
    return lambda exchange: exchange.raw(data)


def endless(exchange: Any) -> None:
    """A body without an end."""
    exchange.raw(HEAD + b"\r\n")
    while not exchange.server.ended.is_set():
        exchange.raw(b"<!-- " + b"x" * 65_536)


def drip(after: bytes) -> Behaviour:
    """One byte now and then, once the beginning was sent."""

    def does(exchange: Any) -> None:
        exchange.raw(after)
        exchange.drip(SOUND)

    return does


def silent(exchange: Any) -> None:
    """No answer at all."""
    exchange.server.ended.wait(5)
    exchange.close_connection = True


PACKED = gzip.compress(SOUND, mtime=0)
CUT = announced(len(SOUND), SOUND[:60])
LATIN = SOUND.replace(b"/a<", "/é<".encode())

FAULTS = [
    # time
    lost("slow-headers", "does not answer", silent, "does not answer in time (4 attempts)", options=QUICK, total=100),
    lost("slow-loris-headers", "sends a byte of its headers now and then", drip(HEAD), "in all", 1, **PATIENT),
    lost("slow-loris-body", "sends a byte of the body now and then", drip(HEAD + b"\r\n"), "in all", 1, **PATIENT),
    # length
    lost("endless-body", "sends a body without end", endless, "more than 1,048,576 bytes", 1,
         "size-limit", options=SMALL),
    lost("announced-too-long", "announces a body longer than any may be", raw(announced(2 * MIB, b"<")), "more than", 1,
         "size-limit", options=SMALL),
    lost("truncated", "breaks off within the body, each time", raw(CUT), "broke off"),
    whole("truncated-once", "breaks off within the body, once", at_first(raw(CUT), body(SOUND)), asked=2),
    lost("length-too-short", "announces fewer bytes than it sends", raw(announced(60, SOUND)),
         "more bytes than it had"),
    lost("length-below-zero", "announces fewer bytes than none", raw(announced(-5, SOUND)), "'-5' is no number of"),
    whole("length-below-zero-once", "announces fewer bytes than none, once",
          at_first(raw(announced(-5, SOUND)), body(SOUND)), asked=2),
    lost("broken-chunk", "sends a chunk without a size", raw(chunked(SOUND[:60], end=b"zz\r\n")), "broke off"),
    lost("chunks-cut-short", "breaks off between chunks", raw(chunked(SOUND, end=b"")), "broke off"),
    whole("chunked", "sends sound chunks", raw(chunked(SOUND[:60], SOUND[60:]))),
    # redirects
    whole("redirects", "redirects four times: 301, 302, 307, 308", redirect("/2"), "address-redirects",
          says="in 4 steps",
          more={"/2": redirect("/3", 302), "/3": redirect("/4", 307), "/4": redirect("/5", 308), "/5": body(SOUND)}),
    lost("redirect-loop", "redirects in a circle", redirect("/2"), "in a circle", 1, more={"/2": redirect("/it.xml")}),
    lost("redirects-for-ever", "redirects without end", redirect("BASE/0"), "more than 10 times", 1,
         more={f"/{number}": redirect(f"/{number + 1}") for number in range(12)}),
    lost("redirect-to-file", "redirects to file://", redirect("file:///etc/passwd"), "no http(s) address", 1),
    lost("redirect-to-ftp", "redirects to another scheme", redirect("ftp://example.com/it.xml"), "no http(s)", 1),
    lost("redirect-to-half-an-address", "redirects to an address that can't be understood", redirect("http://[::1/"),
         "can't be understood", 1),
    # statuses
    lost("not-found", "answers 404", status(404), "HTTP status 404", 1),
    lost("forbidden", "answers 403", status(403), "HTTP status 403", 1),
    lost("server-error", "answers 500", status(500), "HTTP status 500", 1),
    lost("part", "answers with a part that nobody asked for (206)", status(206, SOUND), "HTTP status 206", 1),
    whole("busy-once", "answers 429 with Retry-After, then 200",
          at_first(status(429, Retry_After="0"), body(SOUND)), asked=2),
    lost("busy-for-ever", "answers 503, each time", status(503), "HTTP status 503 (4 attempts)"),
    lost("busy-for-long", "answers 503 with a Retry-After of an hour", status(503, Retry_After="3600"),
         "to wait 3600 seconds", 1),
    whole("busy-for-nobody-knows", "answers 503 with a Retry-After that is no time, once",
          at_first(status(503, Retry_After="9" * 5000), body(SOUND)), asked=2),
    # connections
    whole("reset-once", "resets the connection, once", at_first(lambda it: it.reset(), body(SOUND)), asked=2),
    lost("reset", "resets the connection, each time", lambda exchange: exchange.reset(), "broke off"),
    lost("no-http", "speaks no HTTP", raw(b"SSH-2.0-OpenSSH_9.6\r\n"), "broke off"),
    # packing
    whole("packed", "packs the body (Content-Encoding: gzip)", body(PACKED, Content_Encoding="gzip")),
    whole("packed-gz", "packs a .gz file (gzip within gzip)",
          body(gzip.compress(PACKED, mtime=0), Content_Encoding="gzip"), path="/it.xml.gz"),
    whole("gz-called-packed", "says of a .gz file that it packed it",
          body(PACKED, Content_Encoding="x-gzip"), path="/it.xml.gz"),
    whole("not-packed", "says that it packed the body, and did not",
          body(SOUND, Content_Encoding="gzip"), "content-encoding-mismatch"),
    unreadable("other-packing", "packs the body in a way that nobody asked for",
               body(b"\x1b\x03\x00\xf8\x8d\x94n\xde\x06\x80", Content_Encoding="br"), "unsupported-compression"),
    # content
    unreadable("html", "answers 200 with an HTML page", body(b"<!doctype html>\n<title>Oops</title>\n"),
               "document-is-html"),
    unreadable("empty", "answers 200 with nothing", body(b""), "empty-file"),
    whole("charset", "names a charset that is not that of the document",
          body(LATIN, Content_Type="application/xml; charset=iso-8859-1"), "charset-mismatch"),
    whole("charset-unknown", "names a charset that does not exist",
          body(SOUND, Content_Type="text/xml; charset=utf-9"), "charset-mismatch"),
]  # fmt: skip
