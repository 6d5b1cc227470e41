"""The built-in HTTP client: a document comes whole, or not at all with the reason.

What a job shares is here: its limits, its connections, and what is sent to whom. The way to one document is in
``exchange``; the connections are urllib3's.
"""

from __future__ import annotations

import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager, Timeout

from urlset.converters.sources.web.cache import Cache
from urlset.converters.sources.web.connection import BrokenOff, OutOfTime, Watch, prepared, watched
from urlset.converters.sources.web.exchange import Exchange
from urlset.converters.sources.web.fetched import Fetched
from urlset.converters.sources.web.politeness import Rules, Turns
from urlset.converters.sources.web.settings import TOTAL, Http
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.errors import SourceError
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.redact import credentials, without_credentials

_ACCEPT = "application/xml, text/xml, application/atom+xml, application/rss+xml, text/plain, text/csv, */*;q=0.5"


class Client:
    """Fetches documents for one job, from several threads if need be. Use as a context manager, or close it."""

    def __init__(self, http: Http | None = None, limits: Limits | None = None) -> None:
        self._http = http or Http()
        self.limits = limits or Limits()
        self._managers: dict[str | None, PoolManager] = {}
        self.cache = Cache(self._http.cache) if self._http.cache is not None else None
        self._rules = Rules(self._http.agent, self._robots)
        self._turns = Turns()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._given: set[str] = set()
        self._credentials: dict[str, str] = {}
        self._total = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what is under way in other threads, and let go of all connections."""
        self._ended.set()
        with self._lock:
            managers = list(self._managers.values())
        for manager in managers:
            manager.clear()

    def trust(self, address: str) -> None:
        """The caller named this address: its origin may see the headers that were given, and its user and password."""
        origin = _origin(address)
        with self._lock:
            self._given.add(origin)
            if known := credentials(address):
                self._credentials[origin] = known

    def get(self, address: str) -> Fetched:
        """The document at an address. Raises SourceError, with the HTTP status as ``value`` where there is one."""
        return self._get(address, obeying=self._http.obey_robots)

    def _robots(self, address: str) -> bytes:
        with self._get(address, obeying=False).body as body:
            return body.read()

    def _get(self, address: str, obeying: bool) -> Fetched:
        watch = Watch(time.monotonic() + self._http.timeout * TOTAL, self._http.timeout, self._ended)
        name = without_credentials(address)
        try:
            with watched(watch):
                return Exchange(self, name, watch).get(address, obeying)
        except OutOfTime:
            message = f"it took longer than {self._http.timeout * TOTAL:g} seconds in all"
            raise SourceError(message, source=name) from None
        except BrokenOff:
            raise SourceError("the job has ended", source=name) from None

    # --- what one document needs of the client

    def wait_for_turn(self, address: str, obeying: bool, watch: Watch) -> None:
        """Be polite. Raises SourceError for what robots.txt disallows."""
        origin = _origin(address)
        asked = self._rules.check(origin, address) if obeying else 0.0
        self._turns.wait(origin, max(self._http.delay, asked), lambda seconds: self.sleep(seconds, watch))

    def sleep(self, seconds: float, watch: Watch) -> None:
        """Wait, but not beyond the end of the job or of the document's time. Raises OutOfTime or BrokenOff."""
        self._ended.wait(min(seconds, watch.left()))
        watch.left()

    def credentials_for(self, address: str, first: str) -> dict[str, str]:
        """What only some origins may see, for an address that ``first`` led to: given headers, and user and password.

        Those of ``first`` itself hold within its origin, and for nothing else that lies there: a list may name any.
        """
        origin = _origin(address)
        own = credentials(first) if _origin(first) == origin else None
        with self._lock:
            known = own or self._credentials.get(origin)
            given = self._http.headers if origin in self._given else {}
        return {**({"authorization": _basic(known)} if known else {}), **given}

    def request(self, address: str, headers: Mapping[str, str], watch: Watch) -> BaseHTTPResponse:
        """Ask, and give the response with its body unread; nothing is repeated and no redirect followed."""
        own = {"User-Agent": self._http.agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip"}
        wait = min(self._http.timeout, watch.left())
        return self._manager(address).request(
            "GET",
            address,
            headers={**own, **headers},
            timeout=Timeout(connect=wait, read=wait),
            retries=False,
            redirect=False,
            preload_content=False,
            decode_content=False,
        )

    def count(self, size: int) -> bool:
        """Add to the bytes of the job; False if that are too many."""
        with self._lock:
            self._total += size
            return self._total <= self.limits.max_fetched

    def _manager(self, address: str) -> PoolManager:
        proxy = None if self._http.public_only else _proxy(address)
        with self._lock:
            if proxy not in self._managers:
                manager = _manager(proxy, self._http.jobs + 1)  # and the thread that reads
                self._managers[proxy] = prepared(manager, self._http.public_only)
            return self._managers[proxy]


def _origin(address: str) -> str:
    return urls.origin(without_credentials(address))


def _basic(known: str) -> str:
    """An Authorization header (RFC 7617); names beyond ASCII are sent in UTF-8, as browsers do."""
    return f"Basic {b64encode(known.encode('utf-8', 'replace')).decode()}"


def _manager(proxy: str | None, size: int) -> PoolManager:
    if proxy is None:
        return PoolManager(maxsize=size)
    known = credentials(proxy)
    headers = {"proxy-authorization": _basic(known)} if known else None
    return ProxyManager(without_credentials(proxy), maxsize=size, proxy_headers=headers)


def _proxy(address: str) -> str | None:
    """The proxy that the environment names for an address."""
    found = getproxies()
    if not found or proxy_bypass(urlsplit(address).netloc):
        return None
    return found.get(urlsplit(address).scheme) or found.get("all")
