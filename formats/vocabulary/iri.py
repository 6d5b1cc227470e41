"""From an IRI to the URI that goes over the wire, from a reference to its target, and the grammar of both.

Specifications: RFC 3986, RFC 3987 3.1 (mapping), UTS 46 non-transitional with IDNA 2008 (host names).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_UNRESERVED = r"A-Za-z0-9\-._~"
_SUB_DELIMS = r"!$&'()*+,;="
_ESCAPE = r"%[0-9A-Fa-f]{2}"
_REGISTERED = rf"(?:[{_UNRESERVED}{_SUB_DELIMS}]++|{_ESCAPE})*"
_USERINFO = rf"(?:[{_UNRESERVED}{_SUB_DELIMS}:]++|{_ESCAPE})*"
_TEXT = rf"(?:[{_UNRESERVED}{_SUB_DELIMS}:@/?]++|{_ESCAPE})*"
_SCHEME_NAME = r"[A-Za-z][A-Za-z0-9+.\-]*+"

# Character sets repeat possessively, so a mismatch costs one pass over a megabyte. Groups do not: before
# 3.11.5 Python's re gets possessive groups wrong (CPython issue 106052).
_URI = re.compile(
    rf"(?:{_SCHEME_NAME}:|(?!{_SCHEME_NAME}:))"
    rf"(?://(?:{_USERINFO}@)?(?:(\[[^\]/?#]*+\])|{_REGISTERED})(?::[0-9]*+)?(?=[/?#]|\Z)|(?!//))"
    rf"{_TEXT}(?:\#{_TEXT})?"
)
_SCHEME = re.compile(_SCHEME_NAME)
_HOST_AND_PORT = re.compile(r"(\[[^\]]*+\]|[^:\[\]]*+)(?::(.*+))?", re.DOTALL)
_IP_FUTURE = re.compile(rf"[vV][0-9A-Fa-f]++\.[{_UNRESERVED}{_SUB_DELIMS}:]++")
_LEADING_DOTS = re.compile(r"(?:\.\.?/)*")
_ESCAPED = re.compile(_ESCAPE)
_ESCAPED_RUN = re.compile(rf"(?:{_ESCAPE})+")
_STRAY_OR_UNSAFE = re.compile(rf"{_ESCAPE}|%|[^{_UNRESERVED}{_SUB_DELIMS}:@/?%]++")
_NOT_IN_HOST = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_UNRESERVED}{_SUB_DELIMS}%\x80-\U0010FFFF]")

# A host name has at most 253 octets. Compatibility mapping can shorten a sane text, but not by this much.
_HOST_CEILING = 1000


class UnmappableHost(ValueError):  # noqa: N818 - says what is wrong, like UnicodeError's children
    """A host has no form that the domain name system knows; the message says why."""


class Reference(NamedTuple):
    """The five components of a URI reference (RFC 3986 3), as written; None where one is absent."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        """Put the components together again (RFC 3986 5.3)."""
        scheme = "" if self.scheme is None else f"{self.scheme}:"
        authority = "" if self.authority is None else f"//{self.authority}"
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{scheme}{authority}{self.path}{query}{fragment}"


class Authority(NamedTuple):
    """The parts of an authority (RFC 3986 3.2), as written; an IP literal keeps its brackets."""

    userinfo: str | None
    host: str
    port: str | None

    def __str__(self) -> str:
        """Put the parts together again."""
        userinfo = "" if self.userinfo is None else f"{self.userinfo}@"
        port = "" if self.port is None else f":{self.port}"
        return f"{userinfo}{self.host}{port}"


def parse_reference(text: str) -> Reference:
    """Cut any text into the five components; never fails (RFC 3986 appendix B, a scheme by its grammar)."""
    rest, has_fragment, fragment = text.partition("#")
    rest, has_query, query = rest.partition("?")
    scheme, colon, after = rest.partition(":")
    is_scheme = colon and _SCHEME.fullmatch(scheme)
    path = after if is_scheme else rest
    authority = None
    if path.startswith("//"):
        authority, slash, path = path[2:].partition("/")
        path = slash + path
    return Reference(
        scheme if is_scheme else None,
        authority,
        path,
        query if has_query else None,
        fragment if has_fragment else None,
    )


def parse_authority(text: str) -> Authority:
    """Cut an authority at its last ``@`` and at its port; a broken IP literal is all host."""
    userinfo, at, host_and_port = text.rpartition("@")
    match = _HOST_AND_PORT.fullmatch(host_and_port)
    if match is None:
        return Authority(None, text, None)
    host, port = match.groups()
    return Authority(userinfo if at else None, host, port)


def to_uri(iri: str) -> str:
    """Give the ASCII URI of an IRI; what is a valid URI or reference already comes back byte for byte.

    Raises UnmappableHost, and UnicodeEncodeError (a ValueError) for a lone surrogate.
    """
    match = _URI.fullmatch(iri)
    if match is not None and (match[1] is None or _is_ip_literal(match[1])):
        return iri
    return map_iri(iri)


def map_iri(iri: str) -> str:
    """Map an IRI to a URI (RFC 3987 3.1), with existing escapes kept but their hex digits in upper case.

    What RFC 3986 forbids raw is escaped, and a stray ``%`` becomes ``%25``. No normalisation form is applied,
    since the server sees octets. Raises as ``to_uri`` does.
    """
    scheme, authority, path, query, fragment = parse_reference(iri)
    return str(
        Reference(
            scheme,
            None if authority is None else _map_authority(authority),
            escape(path),
            None if query is None else escape(query),
            None if fragment is None else escape(fragment),
        )
    )


def escape(text: str, errors: str = "strict") -> str:
    """Percent-encode what a path, query or fragment may not hold raw; ``errors`` as in ``str.encode``."""

    def replace(match: re.Match[str]) -> str:
        found = match[0]
        if found[0] == "%":
            return found.upper() if len(found) == 3 else "%25"
        return "%" + found.encode("utf-8", errors).hex("%").upper()

    return _STRAY_OR_UNSAFE.sub(replace, text)


def resolve(base: str, reference: str) -> str:
    """Resolve a reference against a base (RFC 3986 5.2, strict); all characters stay as they are.

    Raises ValueError when the base has no scheme.
    """
    outer = parse_reference(base)
    if outer.scheme is None:
        raise ValueError(f"the base {base[:60]!r} has no scheme")
    inner = parse_reference(reference)
    if inner.scheme is not None:
        return str(inner._replace(path=remove_dot_segments(inner.path)))
    if inner.authority is not None:
        return str(inner._replace(scheme=outer.scheme, path=remove_dot_segments(inner.path)))
    if not inner.path:
        query = outer.query if inner.query is None else inner.query
        return str(outer._replace(query=query, fragment=inner.fragment))
    path = remove_dot_segments(inner.path if inner.path.startswith("/") else _merge(outer, inner.path))
    return str(inner._replace(scheme=outer.scheme, authority=outer.authority, path=path))


def remove_dot_segments(path: str) -> str:
    """Take ``.`` and ``..`` out of a path (RFC 3986 5.2.4)."""
    if not path.startswith(".") and "/." not in path:
        return path
    path = path[match.end() :] if (match := _LEADING_DOTS.match(path)) else path
    if path in (".", ".."):
        return ""
    # A stack in place of the two buffers of the specification keeps the time linear.
    first, *others = path.split("/")
    output = [first] if first else []
    for segment in others:
        if segment == ".." and output:
            output.pop()
        if segment not in (".", ".."):
            output.append(f"/{segment}")
    closed = others and others[-1] in (".", "..")
    return "".join(output) + ("/" if closed else "")


def registered_name(host: str) -> str:
    """Give a host as the domain name system compares it: unescaped, in lower case, as A-labels.

    An IP literal is only put in lower case. Raises UnmappableHost.
    """
    if host.startswith("["):
        if not _is_ip_literal(host):
            raise UnmappableHost(f"{_shown(host)} is no IP address in brackets")
        return host.lower()
    _refuse_forbidden(host)
    if "%" in host:
        host = _ESCAPED_RUN.sub(_unescaped, host)
        _refuse_forbidden(host)
        if "%" in host:
            raise UnmappableHost("the host is escaped twice")
    return host.lower() if host.isascii() else _to_a_labels(host)


def _merge(base: Reference, path: str) -> str:
    if base.authority is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def _map_authority(text: str) -> str:
    userinfo, host, port = parse_authority(text)
    if port is not None and not (port.isascii() and (port.isdigit() or not port)):
        raise UnmappableHost(f"the port {_shown(port)} is not a number")
    escaped = None if userinfo is None else escape(userinfo).replace("@", "%40")
    return str(Authority(escaped, _map_host(host), port))


def _map_host(host: str) -> str:
    if not host.isascii():
        return registered_name(host)
    if not host.startswith("["):
        _refuse_forbidden(host)
    elif not _is_ip_literal(host):
        raise UnmappableHost(f"{_shown(host)} is no IP address in brackets")
    return _ESCAPED.sub(lambda match: match[0].upper(), host)


def _unescaped(run: re.Match[str]) -> str:
    try:
        return bytes.fromhex(run[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnmappableHost(f"the escapes {_shown(run[0])} in the host are not UTF-8") from error


def _refuse_forbidden(host: str) -> None:
    match = _NOT_IN_HOST.search(host)
    if match is None:
        return
    if match[0] == "%":
        raise UnmappableHost("the host has a % that two hex digits do not follow")
    raise UnmappableHost(f"the host has the character U+{ord(match[0]):04X}")


@lru_cache(maxsize=1024)
def _to_a_labels(host: str) -> str:
    import idna  # loading its tables takes longer than a short list, and few lists need them

    if len(host) > _HOST_CEILING:
        raise UnmappableHost("the host is too long")
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except UnicodeError as error:  # idna's own errors derive from it
        raise UnmappableHost(f"IDNA 2008 refuses the host: {error}") from error


def _is_ip_literal(host: str) -> bool:
    import ipaddress  # needed for a host in brackets only

    address = host[1:-1]
    if not host.endswith("]") or "%" in address:  # a zone is no part of the grammar
        return False
    if _IP_FUTURE.fullmatch(address):
        return True
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return True


def _shown(text: str) -> str:
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}…"
