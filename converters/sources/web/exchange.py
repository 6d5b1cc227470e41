"""The way to one document: its redirects, its attempts, its body."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Protocol
from urllib.parse import urldefrag, urljoin, urlsplit

from urllib3 import Retry
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationParseError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
)

from urlset.converters.sources.fetch import UnreachableError
from urlset.converters.sources.web.connection import PrivateAddress, Watch
from urlset.converters.sources.web.fetched import Fetched, Remark, content_coding, content_type
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.errors import SourceError
from urlset.formats.vocabulary.limits import MIB
from urlset.formats.vocabulary.redact import redacted, without_credentials
from urlset.formats.vocabulary.temporary import Temporary

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

    from urlset.converters.sources.web.cache import Cache, Kept
    from urlset.formats.vocabulary.limits import Limits

BACKOFF = 0.5
"""Seconds before the second attempt; each further one waits twice as long."""

PIECE = 1 << 16
"""Bytes of a body that are read at once."""

IN_MEMORY = MIB
"""Bytes of a body that are kept in memory; more go to a temporary file."""

_AGAIN = frozenset({429, 502, 503, 504})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class _Broken(Exception):  # noqa: N818 - what may be right the next time
    """An attempt failed in a way that the next one may not; ``wait`` is what the server asks for, in seconds."""

    def __init__(self, why: str, *, wait: float | None = None, status: int | None = None, silent: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.wait = wait
        self.status = status
        self.silent = silent


class _Job(Protocol):
    """What the ways to the documents of a job share: see ``client.Client``."""

    cache: Cache | None
    limits: Limits

    def wait_for_turn(self, address: str, obeying: bool, watch: Watch) -> None: ...
    def sleep(self, seconds: float, watch: Watch) -> None: ...
    def credentials_for(self, address: str, first: str) -> dict[str, str]: ...
    def request(self, address: str, headers: Mapping[str, str], watch: Watch) -> BaseHTTPResponse: ...
    def count(self, size: int) -> bool: ...


class Exchange:
    """The way to one document: redirects, attempts, its body. ``name`` is its address as it may be shown."""

    def __init__(self, job: _Job, name: str, watch: Watch) -> None:
        self._job = job
        self._name = name
        self._watch = watch

    def get(self, address: str, obeying: bool) -> Fetched:
        """The document. Raises SourceError."""
        hops = [self._uri(address)]
        while True:
            self._job.wait_for_turn(without_credentials(hops[-1]), obeying, self._watch)
            found = self._attempts(without_credentials(hops[-1]), self._job.credentials_for(hops[-1], hops[0]))
            if isinstance(found, Fetched):
                return _with_remarks(found, hops)
            hops.append(self._next(hops, found))

    def _next(self, hops: list[str], target: str) -> str:
        """The address that a redirect leads to. Raises SourceError if it must not be followed."""
        shown = redacted(target)[:500]
        try:
            joined = without_credentials(urljoin(without_credentials(hops[-1]), target))
            scheme = urlsplit(joined).scheme
        except ValueError as error:  # which quotes what it can't parse
            raise self._failure(f"it redirects to {shown}, which can't be understood: {redacted(str(error))}") from None
        address = self._uri(joined)
        shown = redacted(address)[:500]
        if scheme not in ("http", "https"):
            raise self._failure(f"it redirects to {shown}, which is no http(s) address")
        if address in map(without_credentials, hops):
            raise self._failure(f"it redirects in a circle, to {shown}")
        if len(hops) > self._job.limits.max_redirects:
            raise self._failure(f"it redirects more than {self._job.limits.max_redirects} times")
        return address

    def _uri(self, address: str) -> str:
        try:
            return urldefrag(urls.to_uri(address)).url
        except ValueError as error:
            raise self._failure(f"its host can't be understood: {error}") from None

    def _attempts(self, address: str, secrets: Mapping[str, str]) -> Fetched | str:
        """The document, or where it redirects to; broken attempts are repeated, with pauses."""
        most, attempt = self._job.limits.max_attempts, 1
        while True:
            try:
                return self._attempt(address, secrets)
            except _Broken as broken:
                pause = max(BACKOFF * 2 ** (attempt - 1), broken.wait or 0)
                if attempt == most or pause >= self._watch.left():
                    raise self._given_up(broken, attempt, pause if attempt < most else None) from broken
                self._job.sleep(pause, self._watch)
                attempt += 1

    def _given_up(self, broken: _Broken, attempt: int, pause: float | None) -> SourceError:
        message = broken.why
        if pause is not None:
            message += f"; to wait {pause:g} seconds for another attempt would take longer than it may take in all"
        elif attempt > 1:
            message += f" ({attempt} attempts)"
        value = None if broken.status is None else str(broken.status)
        kind = UnreachableError if broken.silent else SourceError
        return kind(f"it can't be fetched: {message}", source=self._name, value=value)

    def _attempt(self, address: str, secrets: Mapping[str, str]) -> Fetched | str:
        cache = self._job.cache
        kept = None if cache is None else cache.get(address, _digest(secrets))
        with ExitStack() as stack:
            if kept is not None:
                stack.callback(kept.body.close)
            found = self._asked(address, secrets, kept)
            if kept is not None and isinstance(found, Fetched) and found.body is kept.body:
                stack.pop_all()  # whoever gets the document closes it
            return found

    def _asked(self, address: str, secrets: Mapping[str, str], kept: Kept | None) -> Fetched | str:
        self._watch.excess = False
        conditions = kept.conditions() if kept is not None else {}
        try:
            response = self._job.request(address, {**secrets, **conditions}, self._watch)
            try:
                return self._answer(response, address, secrets, kept)
            finally:
                response.close()
        except PrivateAddress as error:
            message = f"{urlsplit(address).hostname} is no public address ({error}), and only such are connected to"
            raise UnreachableError(f"{message} (--public-only)", source=self._name) from None
        except LocationParseError:
            raise self._failure("its host can't be understood") from None
        except HTTPError as error:
            raise self._explained(error) from error

    def _answer(
        self, response: BaseHTTPResponse, address: str, secrets: Mapping[str, str], kept: Kept | None
    ) -> Fetched | str:
        status, location = response.status, response.headers.get("Location")
        if status in _REDIRECTS and location:
            return _text(location)
        if status == 304 and kept is not None:
            return _fetched(kept.body, address, kept.headers)
        if status in _AGAIN:
            raise _Broken(f"HTTP status {status}", wait=_retry_after(response), status=status)
        if status not in (200, 203):
            raise self._failure(f"it can't be fetched: HTTP status {status}", str(status))
        with ExitStack() as stack:
            body = self._body(response)
            stack.callback(body.close)
            if self._job.cache is not None:
                self._job.cache.put(address, _digest(secrets), response.headers, body)
            stack.pop_all()  # whoever gets the document closes it
            return _fetched(body, address, response.headers)

    def _body(self, response: BaseHTTPResponse) -> IO[bytes]:
        """The whole body. Raises _Broken if it ends too early or too late, SourceError if it is too long."""
        body = Temporary(IN_MEMORY)  # whoever gets the document closes it
        try:
            self._fill(body, response)
            if self._watch.excess:
                raise _Broken("the server sent more bytes than it had announced (Content-Length)")
        except BaseException:
            body.close()
            raise
        body.seek(0)
        return body

    def _fill(self, body: IO[bytes], response: BaseHTTPResponse) -> None:
        size = 0
        self._check_size(response.length_remaining or 0)  # as announced
        while data := response.read1(PIECE):
            size += len(data)
            self._check_size(size)
            if not self._job.count(len(data)):
                message = f"the documents of this job have more than {self._job.limits.max_fetched:,} bytes in all"
                raise SourceError(message, source=self._name, rule="size-limit")
            body.write(data)

    def _check_size(self, size: int) -> None:
        most = self._job.limits.max_body
        if size > most:
            raise SourceError(f"the body has more than {most:,} bytes", source=self._name, rule="size-limit")

    def _explained(self, error: HTTPError) -> SourceError | _Broken:
        """An error of the HTTP library in our words; broken connections and silence may be over the next time."""
        if isinstance(error, NewConnectionError):  # which urllib3 derives from ConnectTimeoutError
            why = str(error.__cause__ or error).rpartition("] ")[2]
            return UnreachableError(f"it can't be fetched: no connection: {why}", source=self._name)
        if isinstance(error, ConnectTimeoutError | ReadTimeoutError):
            return _Broken("the server does not answer in time", silent=isinstance(error, ConnectTimeoutError))
        if isinstance(error, ProtocolError):
            return _Broken(f"the connection broke off: {_cause(error)}")
        return self._failure(f"it can't be fetched: {redacted(str(error))[:500]}")

    def _failure(self, message: str, value: str | None = None) -> SourceError:
        return SourceError(message, source=self._name, value=value)


def _fetched(body: IO[bytes], address: str, headers: Mapping[str, str]) -> Fetched:
    media_type, charset = content_type(headers)
    return Fetched(body, address, media_type, charset, content_coding(headers))


def _with_remarks(found: Fetched, hops: list[str]) -> Fetched:
    """The document, with what is to be said of its redirects."""
    if len(hops) == 1:
        return found
    schemes = [urlsplit(hop).scheme.lower() for hop in hops]
    message = f"the address redirects to {found.location}"
    message += f", in {len(hops) - 1} steps" if len(hops) > 2 else ""
    # Once unencrypted, what came may be anybody's, even if the last step is encrypted again.
    less_safe = any(one == "https" and other == "http" for one, other in pairwise(schemes))
    if len(set(schemes)) > 1:
        message += f"; the scheme changes: {' → '.join(schemes)}"
    remark = Remark("address-redirects", message, found.location, "warning" if less_safe else None)
    return replace(found, remarks=(remark,))


def _text(location: str) -> str:
    """A Location header as it was meant: http.client reads headers as Latin-1, and many are raw UTF-8."""
    try:
        location = location.encode("latin-1").decode()
    except ValueError:
        return location
    return re.sub(r"\s", "%20", location.strip())


def _retry_after(response: BaseHTTPResponse) -> float | None:
    """The seconds that a server asks to wait, from a number or a date (RFC 9110 10.2.3); None if it is neither."""
    value = response.headers.get("Retry-After")
    try:
        return None if value is None else float(Retry().parse_retry_after(value))
    except (HTTPError, ValueError, OverflowError):  # the latter: more digits, or a later year, than Python takes
        return None


def _cause(error: ProtocolError) -> str:
    inner = error.args[-1] if error.args else error
    if isinstance(inner, OSError):
        return inner.strerror or str(inner)
    return redacted(str(inner))[:200]


def _digest(secrets: Mapping[str, str]) -> str:
    """What tells the answers for some credentials from those for others, and not the credentials."""
    return hashlib.sha256(repr(sorted(secrets.items())).encode()).hexdigest() if secrets else ""
