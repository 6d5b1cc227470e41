"""What the HTTP client can be told; conversions and validations take the same options."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from urlset.formats.vocabulary.errors import OptionError

TOTAL = 10
"""One document may take so many times ``timeout``, redirects, retries and waits included."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 5.6.2
_OWN = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "host",
        "if-modified-since",
        "if-none-match",
        "range",
        "te",
        "transfer-encoding",
        "upgrade",
    }
)


@dataclass(frozen=True)
class Http:
    """How documents are fetched.

    ``timeout`` is in seconds: so long may a server be silent, and ten times as long may one document take in all.
    ``headers`` go to the hosts of the given sources, and to no other one that a redirect or a list names; they are
    never shown. ``delay`` is the least number of seconds between two requests to a host. ``cache`` is a folder of
    documents that are asked for again only if they changed. ``obey_robots`` fetches nothing that robots.txt disallows.
    ``public_only`` connects to no private, loopback or link-local address, and through no proxy. ``jobs`` is how many
    documents that a list names are fetched at a time; what comes out does not depend on it.
    """

    timeout: float = 30.0
    user_agent: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    delay: float = 0.0
    cache: str | os.PathLike[str] | None = None
    obey_robots: bool = False
    public_only: bool = False
    jobs: int = 4

    def __post_init__(self) -> None:
        if not 0 < self.timeout < math.inf:
            raise OptionError(f"timeout (--timeout) is a number of seconds above 0, not {self.timeout!r}")
        if not 0 <= self.delay < math.inf:
            raise OptionError(f"delay (--delay) is a number of seconds, not {self.delay!r}")
        if self.jobs < 1:
            raise OptionError(f"jobs must be at least 1, not {self.jobs!r}")
        if self.user_agent is not None and not is_value(self.user_agent):
            raise OptionError("user_agent (--user-agent) must be one line of Latin-1 text")
        for name, value in self.headers.items():
            check_header(name, value)

    @property
    def agent(self) -> str:
        """The User-Agent that is sent."""
        if self.user_agent is not None:
            return self.user_agent
        from importlib.metadata import version

        return f"urlset/{version('urlset')}"


def check_header(name: str, value: str) -> None:
    """Raise OptionError for a header that can't be sent or is the client's own; its value is not told."""
    if not _TOKEN.fullmatch(name):
        raise OptionError("the name of a header (--header NAME:VALUE) is one word of ASCII")
    if name.lower() in _OWN:
        raise OptionError(f"the header {name} is the client's own", value=name)
    if not is_value(value):
        raise OptionError(f"the value of the header {name} must be one line of Latin-1 text", value=name)


def is_value(text: str) -> bool:
    """Whether a header can have this value: one line of Latin-1 text (RFC 9110 5.5)."""
    return bool(text.strip()) and all(char == "\t" or ("\x20" <= char <= "\xff" and char != "\x7f") for char in text)
