"""Getting documents over HTTP, within limits; whoever wants a cache or a stub passes a ``fetch`` of their own."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Callable

from urlset.formats.vocabulary.errors import SourceError

Fetch = Callable[[str], bytes]
"""The body of an address as sent, gzip not unpacked; raises OSError (HTTPError where there is a status)."""

TIMEOUT = 30.0
"""Seconds that a server may be silent."""
MAX_BODY = 256 << 20
"""Bytes of a body as sent."""

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_address(name: object) -> bool:
    """Whether this is an http(s) address and not a path."""
    return isinstance(name, str) and _ADDRESS.match(name) is not None


def fetch(url: str) -> bytes:
    """The body of an address. Follows redirects as urllib does (at most ten); raises OSError."""
    request = urllib.request.Request(url, headers={"User-Agent": "urlset", "Accept": "*/*"})  # noqa: S310 - is_address
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
        body: bytes = response.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise SourceError(f"the body has more than {MAX_BODY} bytes", source=url, rule="size-limit")
    return body


def why(error: OSError) -> str:
    """What went wrong, with the HTTP status where there is one."""
    status = getattr(error, "code", None)
    return f"HTTP status {status}" if status is not None else str(error) or type(error).__name__
