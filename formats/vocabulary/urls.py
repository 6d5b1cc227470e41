"""URLs as sitemaps hold them: what is wrong with one, how two compare, how a relative one resolves.

Specifications: RFC 3986, RFC 3987, sitemaps.org ("XML tag definitions", "Sitemap file location").
A loc is never changed here except by the function that is named for the change.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from urlset.formats.vocabulary.iri import (
    Reference,
    UnmappableHost,
    escape,
    map_iri,
    parse_authority,
    parse_reference,
    registered_name,
    remove_dot_segments,
    resolve,
    to_uri,
)

__all__ = [
    "MAX_LENGTH",
    "UnmappableHost",
    "UrlParts",
    "UrlProblem",
    "dedupe_key",
    "directory",
    "inspect",
    "is_absolute",
    "map_iri",
    "origin",
    "resolve",
    "split",
    "to_uri",
    "trim",
]

# sitemap.xsd, tLoc: maxLength 2048. The prose says "less than 2,048"; only a validator draws that line.
MAX_LENGTH = 2048

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
_INVISIBLE = "\ufeff\u200b\u200e\u200f"

_CHARACTERS = r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*+"
_KEPT_ESCAPE = r"%(?:[89A-F][0-9A-F]|2[0-9A-CF]|3[A-F])"
_CANONICAL = re.compile(
    rf"https?://[a-z0-9.\-]++/(?:[A-Za-z0-9\-_~!$&'()*+,;=:@]++|(?<!/)\.|/(?!\.)|{_KEPT_ESCAPE})*"
    rf"(?:\?{_CHARACTERS}(?:{_KEPT_ESCAPE}{_CHARACTERS})*)?"
)
# The host begins after the last @ of the authority.
_ABSOLUTE = re.compile(r"https?://(?:[^/?#]*@)?(?![^/?#@]*+@)[^/?#@:]", re.IGNORECASE)
PLAIN_ORIGIN = re.compile(r"https?://[a-z0-9.\-]++(?=[/?#]|\Z)")
_HOST_WITH_PORT = re.compile(r"(?:[A-Za-z][A-Za-z0-9\-]*+\.[A-Za-z0-9.\-]*+|localhost):[0-9]{1,5}(?=[/?#]|\Z)")
_MARKUP_OR_BLANK = re.compile(r"[\s<>\"{}|\\^`]")
_DOTTED_QUAD = re.compile(r"[0-9]++(?:\.[0-9]++){3}\.?")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_CHARACTER_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_ESCAPED_TWICE = re.compile(r"(?:%25[0-9A-Fa-f]{2})+")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# RFC 3987 2.2 ucschar, less the white space in it and the controls that reorder or hide text.
IRI_ONLY = (
    (
        "\u00a1-\u061b\u061d-\u167f\u1681-\u1fff\u200c\u200d\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff"
        "\uf900-\ufdcf\ufdf0-\ufefe\uff00-\uffef"
    )
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    + "\U000e1000-\U000efffd"
)
ILLEGAL = re.compile(rf"[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%{IRI_ONLY}]")


# What this matches needs no closer look. No semicolon, since one may end a character reference.
_PLAIN_CHARACTERS = rf"[A-Za-z0-9\-._~!$&'()*+,=:@/?{IRI_ONLY}]*+"
_PLAIN_TEXT = rf"{_PLAIN_CHARACTERS}(?:%(?!25)[0-9A-Fa-f]{{2}}{_PLAIN_CHARACTERS})*"
PLAIN_START = r"https?://(?![0-9]++\.[0-9])(?=[^:/?#]{1,63}(?:[:/?#]|\Z))[A-Za-z0-9]++(?:(?:\.|-++)[A-Za-z0-9]++)*(?::[0-9]{1,4})?"
_PLAIN = re.compile(rf"{PLAIN_START}(?=[/?#]|\Z){_PLAIN_TEXT}(?:\#{_PLAIN_TEXT})?")


class UrlProblem(NamedTuple):
    """One thing that is wrong with a loc: the rule's id, a message, and whether the value can be kept."""

    rule: str
    message: str
    usable: bool


class UrlParts(NamedTuple):
    """A URL in parts, for grouping and filtering.

    ``scheme`` and ``host`` are in lower case and empty where absent; all else is as written. ``host`` keeps
    the brackets of an IP literal. ``port`` is None where absent, empty or no number up to 65,535; ``query``
    and ``fragment`` are None where absent, and empty where only their mark is there.
    """

    scheme: str
    authority: str
    host: str
    port: int | None
    path: str
    query: str | None
    fragment: str | None


def inspect(loc: str) -> tuple[UrlProblem, ...]:
    """Say what is wrong with a trimmed loc; nothing, for nearly every loc there is.

    A loc that can't be used has one problem, the one that makes it so. Never raises.
    """
    if len(loc) < MAX_LENGTH and _PLAIN.fullmatch(loc):
        return ()
    fault = _structural_fault(loc) or _surrogate(loc)
    return (fault,) if fault else tuple(_remarks(loc))


def dedupe_key(loc: str) -> str:
    """Give the form by which two locs are one address: only what RFC 3986 6.2.2 and 6.2.3 hold safe.

    The fragment is left out, since it is never sent. What is no absolute http or https URL is its own key.
    Never raises; a host that can't be mapped is only put in lower case.
    """
    if _CANONICAL.fullmatch(loc) or not is_absolute(loc):
        return loc
    scheme, authority, path, query, _ = parse_reference(loc)
    scheme = (scheme or "").lower()
    userinfo, host_and_port = _authority_key(scheme, authority or "")
    path = remove_dot_segments(_escape_key(path)) or "/"
    return str(Reference(scheme, userinfo + host_and_port, path, None if query is None else _escape_key(query), None))


def origin(loc: str) -> str:
    """Give ``scheme://host:port`` as it compares: lower case, A-labels, no default port, no user information.

    Empty where the loc has no scheme or no host. Never raises.
    """
    match = PLAIN_ORIGIN.match(loc)
    if match:
        return match[0]
    scheme, authority, *_ = parse_reference(loc)
    if scheme is None or not parse_authority(authority or "").host:
        return ""
    return f"{scheme.lower()}://{_authority_key(scheme.lower(), authority or '')[1]}"


def directory(loc: str) -> str:
    """Give the prefix of what a sitemap at this address may list (sitemaps.org, "Sitemap file location").

    That is its origin and its path up to the last slash, normalised as in ``dedupe_key``. A page is in scope
    when its own ``directory`` starts with that of the sitemap. Empty where the loc is not absolute.
    """
    if not is_absolute(loc):
        return ""
    path = remove_dot_segments(_escape_key(parse_reference(loc).path)) or "/"
    return origin(loc) + path[: path.rindex("/") + 1]


def is_absolute(loc: str) -> bool:
    """Tell whether the loc is an http or https URL with a host."""
    return _ABSOLUTE.match(loc) is not None


def split(loc: str) -> UrlParts:
    """Cut a loc into its parts; never fails."""
    scheme, authority, path, query, fragment = parse_reference(loc)
    _, host, port = parse_authority(authority or "")
    number = int(port.lstrip("0") or "0") if port and _is_port(port) else None
    return UrlParts((scheme or "").lower(), authority or "", host.lower(), number, path, query, fragment)


def trim(text: str) -> str:
    """Strip Unicode White_Space, byte-order marks, zero-width spaces and direction marks from both ends."""
    return text.strip(_WHITE_SPACE + _INVISIBLE)


def _structural_fault(loc: str) -> UrlProblem | None:
    if not trim(loc):
        return UrlProblem("missing-loc", "there is no URL", False)
    scheme, authority, *_ = parse_reference(loc)
    if scheme is None or _HOST_WITH_PORT.match(loc):
        return _no_scheme(loc)
    if scheme.lower() not in _DEFAULT_PORTS:
        return _other_scheme(scheme, loc)
    if not is_absolute(loc):
        return UrlProblem("not-absolute", f"the URL has no host after {scheme}:", False)
    return _host_fault(authority or "")


def _no_scheme(loc: str) -> UrlProblem:
    bare = not _MARKUP_OR_BLANK.search(loc) and any(mark in loc for mark in "./?#") and any(map(str.isalnum, loc))
    if bare or loc.startswith("/") or _HOST_WITH_PORT.match(loc):
        return UrlProblem("not-absolute", "the URL lacks its scheme (http:// or https://)", False)
    return UrlProblem("not-a-url", "the text is no URL", False)


def _other_scheme(scheme: str, loc: str) -> UrlProblem:
    rest = loc[len(scheme) + 1 :]
    # One letter is a Windows drive; a blank follows the colon in prose, but also in sloppy javascript: links.
    if len(scheme) == 1 or not rest or (rest[0].isspace() and scheme.lower() not in ("javascript", "mailto", "tel")):
        return UrlProblem("not-a-url", "the text is no URL", False)
    return UrlProblem("unsupported-scheme", f"the scheme {scheme[:60]} is neither http nor https", False)


def _host_fault(authority: str) -> UrlProblem | None:
    _, host, port = parse_authority(authority)
    if port and not _is_port(port):
        return UrlProblem("invalid-host", f"the port {port[:60]!r} is not a number up to 65535", False)
    try:
        name = registered_name(host)
    except UnmappableHost as error:
        return UrlProblem("invalid-host", str(error), False)
    if not name.strip("."):
        return UrlProblem("invalid-host", "the host has no label", False)
    if _DOTTED_QUAD.fullmatch(name) and any(_over_255(octet) for octet in name.rstrip(".").split(".")):
        return UrlProblem("invalid-host", f"the IP address {name[:60]} has a number over 255", False)
    return None


def _surrogate(loc: str) -> UrlProblem | None:
    match = None if loc.isascii() else re.search("[\ud800-\udfff]", loc)
    if match is None:
        return None
    return UrlProblem("invalid-url-character", f"U+{ord(match[0]):04X} is half of a pair and can't be encoded", False)


def _remarks(loc: str) -> Iterator[UrlProblem]:
    authority = parse_reference(loc).authority or ""
    userinfo, host, _ = parse_authority(authority)
    if flaw := _host_flaw(registered_name(host)):
        yield UrlProblem("unusual-host", flaw, True)
    start = loc.index("//") + 2
    rest = loc[start + len(authority) :]
    if illegal := _first_illegal(userinfo or "", rest):
        yield UrlProblem("invalid-url-character", f"{_named(illegal)} stands raw in the URL", True)
    if _STRAY_PERCENT.search(loc):
        yield UrlProblem("malformed-percent-escape", "two hex digits do not follow a %", True)
    if ("&" in loc or "%25" in loc) and (decoded := _decoded_once(loc)) != loc:
        yield UrlProblem("double-escaped", f"the URL seems to be escaped twice; perhaps {decoded} is meant", True)
    if len(loc) > MAX_LENGTH:
        yield UrlProblem(
            "loc-too-long", f"the URL has {len(loc):,} characters; fewer than {MAX_LENGTH:,} are allowed", True
        )


def _host_flaw(name: str) -> str | None:
    if name.startswith("["):
        return None
    if odd := re.search(r"[^a-z0-9.\-]", name):
        return f"the host has the character {odd[0]!r}, which no host name has"
    name = name.removesuffix(".")
    labels = name.split(".")
    if any(label.startswith("-") or label.endswith("-") for label in labels):
        return "a label of the host begins or ends with a hyphen"
    if not all(labels):
        return "a label of the host is empty"
    if len(name) > 253 or any(len(label) > 63 for label in labels):
        return "the host or a label of it is too long for a host name"
    return None


def _first_illegal(userinfo: str, rest: str) -> str | None:
    # One # starts the fragment; a second one may not stand raw.
    match = ILLEGAL.search(userinfo) or ILLEGAL.search(rest.replace("#", "/", 1))
    if match:
        return match[0]
    return "@" if "@" in userinfo else None


def _named(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" {name}" if name else "")


def _decoded_once(loc: str) -> str:
    return _ESCAPED_TWICE.sub(_unescaped_percents, _CHARACTER_REFERENCE.sub(_dereferenced, loc))


def _dereferenced(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else match[0]


def _unescaped_percents(match: re.Match[str]) -> str:
    try:
        bytes.fromhex(match[0].replace("%25", "")).decode("utf-8")
    except UnicodeDecodeError:  # then it is a percent sign that is rightly escaped
        return match[0]
    return match[0].replace("%25", "%")


def _authority_key(scheme: str, authority: str) -> tuple[str, str]:
    userinfo, host, port = parse_authority(authority)
    if port is not None and (not port or _is_digits(port)):
        port = (port.lstrip("0") or "0") if port else None
    if port == _DEFAULT_PORTS.get(scheme):
        port = None
    try:
        host = registered_name(host)
    except UnmappableHost:  # str.lower() could turn a host that IDNA refuses into one that it takes
        host = re.sub("[A-Z]+", lambda match: match[0].lower(), host)
    key = "" if userinfo is None else _escape_key(userinfo).replace("@", "%40") + "@"
    return key, host if port is None else f"{host}:{port}"


def _escape_key(text: str) -> str:
    return _ESCAPE.sub(_unreserved_decoded, escape(text, "surrogatepass"))


def _unreserved_decoded(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0]


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_port(text: str) -> bool:
    return _is_digits(text) and len(text.lstrip("0")) <= 5 and int(text.lstrip("0") or "0") <= 65535


def _over_255(octet: str) -> bool:
    digits = octet.lstrip("0")
    return len(digits) > 3 or int(digits or "0") > 255
