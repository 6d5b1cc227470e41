r"""Access logs: the pages that a web server was asked for and had.

Specifications: the Common Log Format of NCSA and Apache with its Combined and virtual-host forms
(https://httpd.apache.org/docs/current/logs.html#accesslog), and the W3C Extended Log File Format
(https://www.w3.org/TR/WD-logfile), which IIS writes too.

GET and HEAD answered with 2xx or 304 (which proves existence as well) are entries; all else is filtered. A
page asked for twice is an entry twice. A log names no scheme and seldom a host, so ``base_url`` gives what it
leaves out; what it does name counts more. ``\"``, ``\\`` and ``\xhh``, by which Apache and nginx keep a line
whole, become percent-escapes.

Carries: loc, and nothing else. The time of a visit is no lastmod.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.decode import TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.iri import parse_authority
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import usable_loc
from urlset.formats.vocabulary.source import Source

LONGEST_LINE = 65_536
"""Characters of a line that is looked at; servers cut a request at an eighth of that."""

# A repeat is of one set and possessive, or takes the text in one way only: a hostile line costs few passes.
# A first token is a virtual host if a port ends it, or if the "-" of the identity comes one token late.
_LINE = re.compile(
    r"(?:([^\s\"\[\]:]++|\[[0-9A-Fa-f:.]++\])(?::([0-9]{1,5}) (?!- (?!- ))| (?!- )(?=[^ ]++ - )))?"
    r"[^ ]++ [^ ]++ [^\[ ][^\[]*+(?<= )\[[^\]]*+\] "
    r'"((?:[^"\\]++|\\.)*)" ([0-9]{3}|-) (?:[0-9]++|-)(?: |\Z)'
)
_ESCAPED = re.compile(r'\\(?:x([0-9A-Fa-f]{2})|(["\\bfnrtv]))')
_BYTES = {'"': "%22", "\\": "%5C", "b": "%08", "f": "%0C", "n": "%0A", "r": "%0D", "t": "%09", "v": "%0B"}
_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
_CELL = re.compile(r'"[^"]*+(?:""[^"]*+)*"(?!\S)|\S+')

_FIELDS = "#fields:"
# What a log that was truncated while the server held it open begins with is zero bytes.
_PADDING = "\ufeff\0 \t"
_SCHEMES = {"80": "http", "443": "https"}
_SAMPLE = 20


class _Request(NamedTuple):
    """One line: the request, its answer, and the server as far as the line names it ("" where not)."""

    method: str
    target: str
    status: str
    scheme: str
    authority: str


class _Columns(NamedTuple):
    """Where the cells of an Extended log stand, by its ``#Fields`` line; None where there is no such."""

    width: int
    method: int | None
    status: int | None
    uri: int | None
    stem: int | None
    query: int | None
    host: int | None
    port: int | None


class _Base(NamedTuple):
    """What ``base_url`` gives."""

    scheme: str
    authority: str


def sniff(head: Head) -> bool:
    """A ``#Fields`` line with a column of addresses, or most lines are of the Common form."""
    if any(_names_pages(line) for line in head.lines if line.startswith("#")):
        return True
    sample = [line for line in head.lines[:_SAMPLE] if not line.startswith("#")]
    return bool(sample) and 2 * sum(_is_common(line) for line in sample) > len(sample)


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a successful GET or HEAD.

    Raises OptionError if ``base_url`` is not absolute, or at the first entry that needs one and has none.
    """
    base = _base(options)
    columns: _Columns | None = None
    encoding = sniff_encoding(source.head(), None, options.encoding)
    with closing(source.open(account.report)) as stream:
        chunks = TextReader(stream, encoding, account.report)
        for line, text in iter_lines(chunks, source.limits.max_record, account.report):
            record = text.strip(_PADDING)
            if not record:
                continue
            if record[0] == "#":
                columns = _columns(record) or columns
                continue
            account.count()
            request = _parsed(record, columns)
            if isinstance(request, str):
                account.reject("unparsed-line", request, line=line, value=record, field="record")
            elif not _is_page(request):
                account.filter()
            else:
                loc = usable_loc(account, options, _address(request, base, account, line), line, raw=record)
                if loc is not None:
                    yield Entry(loc=loc, origin=Origin(account.name, line))


def _base(options: ReadOptions) -> _Base | None:
    if options.base_url is None:
        return None
    if not urls.is_absolute(options.base_url):
        message = f"--base-url must be an address such as https://example.com/, not {options.base_url!r}"
        raise OptionError(message, format="access-log", value=options.base_url)
    parts = urls.split(options.base_url)
    return _Base(parts.scheme, parts.authority)


def _names_pages(directive: str) -> bool:
    columns = _columns(directive)
    return columns is not None and (columns.uri is not None or columns.stem is not None)


def _is_common(line: str) -> bool:
    return len(line) <= LONGEST_LINE and _LINE.match(line) is not None


def _columns(directive: str) -> _Columns | None:
    """The columns, if the directive is the one that names them; it may do so again, and differently."""
    if directive[: len(_FIELDS)].lower() != _FIELDS:
        return None
    names = directive[len(_FIELDS) :].lower().split()
    place = {name: index for index, name in reversed(list(enumerate(names)))}
    return _Columns(
        width=len(names),
        method=place.get("cs-method"),
        status=place.get("sc-status"),
        uri=place.get("cs-uri"),
        stem=place.get("cs-uri-stem"),
        query=place.get("cs-uri-query"),
        # CloudFront has the host that was asked for in x-host-header, and its own name in cs(Host).
        host=next((place[name] for name in ("cs-host", "x-host-header", "cs(host)") if name in place), None),
        port=place.get("s-port"),
    )


def _parsed(text: str, columns: _Columns | None) -> _Request | str:
    """The request on the line, or why there is none to be seen."""
    if len(text) > LONGEST_LINE:
        return f"the line has {len(text):,} characters; no line of a log has more than {LONGEST_LINE:,}"
    if columns is not None:
        return _extended(text, columns)
    match = _LINE.match(text)
    if match is None:
        return "the line is neither of the Common nor of the Combined form, and no #Fields line explains it"
    host, port, request, status = match.groups()
    method, _, rest = request.partition(" ")
    scheme, authority = _server(host, port) if host else ("", "")
    return _Request(method, _target(rest), status, scheme, authority)


def _target(rest: str) -> str:
    """What stands between method and protocol, with the blanks that it holds; HTTP/0.9 has no protocol."""
    target, _, protocol = rest.rpartition(" ")
    text = (target if protocol.startswith("HTTP/") else rest).strip(" ")
    return _ESCAPED.sub(_percent, text) if "\\" in text else text


def _percent(match: re.Match[str]) -> str:
    return f"%{match[1].upper()}" if match[1] else _BYTES[match[2]]


def _extended(text: str, columns: _Columns) -> _Request | str:
    cells = _cells(text)
    if len(cells) != columns.width:
        return f"the line has {len(cells)} fields, but the #Fields line names {columns.width}"
    target = _value(cells, columns.uri) or _value(cells, columns.stem)
    query = "" if _value(cells, columns.uri) else _value(cells, columns.query)
    _, host, port = parse_authority(_value(cells, columns.host))
    scheme, authority = _server(host, port)
    return _Request(
        method="GET" if columns.method is None else cells[columns.method],
        target=f"{target}?{query}" if target and query else target,
        status="200" if columns.status is None else cells[columns.status],
        scheme=scheme or ("" if port else _SCHEMES.get(_value(cells, columns.port), "")),
        authority=authority,
    )


def _cells(text: str) -> list[str]:
    if "\t" in text:
        return text.split("\t")
    return _CELL.findall(text) if '"' in text else text.split()


def _value(cells: list[str], place: int | None) -> str:
    """The cell without its quotes; "" where it is absent or ``-``."""
    if place is None or cells[place] == "-":
        return ""
    cell = cells[place]
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _server(host: str, port: str | None) -> tuple[str, str]:
    """Scheme and authority; the two ports that tell a scheme are its default ones."""
    if host in ("", "-"):
        return "", ""
    scheme = _SCHEMES.get(port or "", "")
    return scheme, host if scheme or not port else f"{host}:{port}"


def _is_page(request: _Request) -> bool:
    """Whether a path or an absolute URI was had; ``*`` and an authority name no page (RFC 9112 3.2)."""
    status, target = request.status, request.target
    return (
        ((len(status) == 3 and status[0] == "2") or status == "304")
        and request.method in ("GET", "HEAD")
        and (target[:1] == "/" or _ABSOLUTE.match(target) is not None)
    )


def _address(request: _Request, base: _Base | None, account: Account, line: int) -> str:
    """The whole address. A path follows the origin as it is, also one like ``//a`` (RFC 9112 3.2.1)."""
    if request.target[0] != "/":
        return request.target
    scheme, authority = request.scheme, request.authority
    if not (scheme and authority):
        if base is None:
            raise _incomplete(authority, account, line)
        scheme, authority = (scheme or base.scheme, authority) if authority else base
    return f"{scheme}://{authority}{request.target}"


def _incomplete(authority: str, account: Account, line: int) -> OptionError:
    lacking = f"does not say whether {authority} is http or https" if authority else "names no host"
    message = f"the log {lacking}; give the address of the site with --base-url https://example.com/"
    return OptionError(message, source=account.name, format="access-log", line=line)


ACCESS_LOG = Format(
    name="access-log",
    title="Web server access log",
    specification="https://httpd.apache.org/docs/current/logs.html#accesslog",
    suffixes=(".log",),
    media_types=(),
    carries=frozenset({"loc"}),
    sniff=sniff,
    read=read,
)
