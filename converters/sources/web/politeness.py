"""What a host may be asked, and how often: robots.txt (RFC 9309), and a delay between requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from protego import Protego

from urlset.formats.vocabulary.errors import SourceError

MAX_ROBOTS = 512_000
"""Bytes of a robots.txt that count (RFC 9309 2.5 asks for as much)."""

MAX_CRAWL_DELAY = 60.0
"""Seconds of a Crawl-delay that are waited at most."""

_NOTHING = Protego.parse("")
_EVERYTHING = Protego.parse("User-agent: *\nDisallow: /\n")


@dataclass
class _Site:
    lock: threading.Lock = field(default_factory=threading.Lock)
    rules: Protego | None = None


class Rules:
    """The robots.txt of each site, fetched when it is first needed.

    ``load`` gives its bytes, or raises SourceError with the HTTP status as ``value``.
    """

    def __init__(self, agent: str, load: Callable[[str], bytes]) -> None:
        self._agent = agent
        self._load = load
        self._lock = threading.Lock()
        self._sites: dict[str, _Site] = {}

    def check(self, origin: str, address: str) -> float:
        """The Crawl-delay of a site in seconds. Raises SourceError if it disallows the address."""
        with self._lock:
            site = self._sites.setdefault(origin, _Site())
        with site.lock:
            rules = site.rules = site.rules or self._rules(f"{origin}/robots.txt")
        if not rules.can_fetch(address, self._agent):
            reason = "can't be had, which disallows all (RFC 9309 2.3.1.4)" if rules is _EVERYTHING else "disallows it"
            raise SourceError(f"{origin}/robots.txt {reason}, and it is obeyed (--obey-robots)", source=address)
        return min(rules.crawl_delay(self._agent) or 0.0, MAX_CRAWL_DELAY)

    def _rules(self, address: str) -> Protego:
        try:
            text = self._load(address)[:MAX_ROBOTS].decode("utf-8", "replace")
        except SourceError as error:
            # A site that says it has none allows all; one that does not answer might disallow (RFC 9309 2.3.1).
            return _NOTHING if (error.value or "").startswith("4") and error.value != "429" else _EVERYTHING
        return Protego.parse(text)


class Turns:
    """When each host may be asked next."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}

    def wait(self, origin: str, delay: float, sleep: Callable[[float], None]) -> None:
        """Wait for the turn of a request, so that ``delay`` seconds lie between two of them."""
        if not delay:
            return
        now = time.monotonic()
        with self._lock:
            turn = max(now, self._next.get(origin, now))
            self._next[origin] = turn + delay
        if turn > now:
            sleep(turn - now)
