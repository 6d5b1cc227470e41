"""What a ``fetch`` is: the one door to the network, which a caller may replace by a cache or a stub of their own."""

from __future__ import annotations

import re
from collections.abc import Callable

from urlset.formats.vocabulary.errors import SourceError

Fetch = Callable[[str], bytes]
"""The body of an address as sent, gzip not unpacked; raises OSError (with a ``code`` where there is a status)."""


class UnreachableError(SourceError):
    """Nobody answers at the host of an address, or nobody may be asked there; other addresses of it fail likewise."""


_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_address(name: object) -> bool:
    """Whether this is an http(s) address and not a path."""
    return isinstance(name, str) and _ADDRESS.match(name) is not None


def fetch(url: str) -> bytes:
    """The body of an address, by the built-in client with its defaults (see ``converters/web``). Raises OSError.

    As an option it stands for that client itself, which then follows the options of the job and keeps connections.
    """
    from urlset.converters.sources.web.client import Client  # with the HTTP library

    with Client() as client, client.get(url).body as body:
        return body.read()


def why(error: OSError) -> str:
    """What went wrong, with the HTTP status where there is one."""
    status = getattr(error, "code", None)
    return f"HTTP status {status}" if status is not None else str(error) or type(error).__name__
