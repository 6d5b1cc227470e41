"""Addresses in columns: many are looked at and mapped at once, in a fraction of the time that one by one takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.vocabulary.urls import ILLEGAL, MAX_LENGTH, PLAIN_ORIGIN, PLAIN_START

_BEYOND_ASCII = re.compile(r"[^\0-\x7f]+")

# With these alone behind its origin a URL is plain, in whatever order they stand.
_PLAINEST = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@/?"


def plain_text(locs: Sequence[str]) -> str | None:
    """Locs, one a line, if :func:`urls.inspect` has nothing to say of any; else None. See :func:`plain_lines`."""
    text = "\n".join(locs)
    if len(text) >= MAX_LENGTH and max(map(len, locs)) >= MAX_LENGTH:
        return None
    return text if plain_lines(text, len(locs)) else None


def plain_lines(text: str, number: int) -> bool:
    """Tell whether a text has so many lines, and each is a loc of which :func:`urls.inspect` has nothing to say.

    That is several times as fast as asking for each. It may say False of sound locs of an unusual kind; their length
    is left to the caller.
    """
    origin = PLAIN_ORIGIN.match(text)
    if text[-1:] == "\n" or origin is None or urls.inspect(origin[0]):
        return False
    # Bytes are the fastest to be rid of: what is left are line ends, % and # and what is beyond ASCII.
    odd = text.encode("utf-8", "surrogatepass").translate(None, _PLAINEST)
    if odd.count(b"\n") != number - 1:
        return False
    beyond = odd.translate(None, b"%#\n")
    if beyond and (min(beyond) < 0x80 or ILLEGAL.search(beyond.decode("utf-8", "surrogatepass"))):
        return False
    if len(odd) == len(beyond) + number - 1 and text.count(f"\n{origin[0]}/") == number - 1:
        return True
    return _lines_of(origin[0]).fullmatch(text) is not None or _lines_of().fullmatch(text) is not None


@lru_cache(maxsize=64)
def _lines_of(origin: str | None = None) -> re.Pattern[str]:
    """Plain locs, by default at any origins, of characters that are known to be plain."""
    part = r"[^%#\n]*+(?:%(?!25)[0-9A-Fa-f]{2}[^%#\n]*+)*"
    start = (
        PLAIN_START.replace(r"\Z", r"\Z|\n").replace("[^:/?#]", "[^:/?#\n]") if origin is None else re.escape(origin)
    )
    return re.compile(rf"(?:{start}(?=[/?#\n]|\Z){part}(?:\#{part})?(?:\n|\Z))*")


def plain_uris(locs: Sequence[str], text: str | None = None) -> str | None:
    """The URIs of locs, one a line, if they are of a usual kind; None if :func:`urls.to_uri` has to be asked for each.

    ``text`` is all of them, one a line, where :func:`plain_lines` is known to hold of it.
    """
    if text is None:
        text = "\n".join(locs)
        if not plain_lines(text, len(locs)):
            return None
    # The hosts of plain locs are ASCII; all else is escaped byte by byte (RFC 3987 3.1).
    return text if text.isascii() else "\n".join([loc if loc.isascii() else _ascii(loc) for loc in locs])


def _ascii(loc: str) -> str:
    # Mapping puts the escapes that are there in upper case.
    return to_uri(loc) if "%" in loc else _BEYOND_ASCII.sub(lambda found: _escaped(found[0]), loc)


@lru_cache(maxsize=1024)
def _escaped(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())
