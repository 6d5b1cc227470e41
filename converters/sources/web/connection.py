"""Connections that end in time, can be broken off, and, if asked, lead to no private network.

The limits hold for each byte that comes: a server that sends one now and then, in its headers or in its body, ends at
the deadline like one that never ends. Addresses are checked as they are connected to, after names were resolved, so
that a name with two answers opens nothing.
"""

from __future__ import annotations

import http.client
import io
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import IO, Any

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NameResolutionError, NewConnectionError
from urllib3.poolmanager import PoolManager
from urllib3.util.connection import create_connection

SLICE = 0.2
"""Seconds after which a wait for bytes looks whether the job has ended."""

_LENGTH = re.compile(r"[0-9]{1,18}")

_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")
"""All that IANA gives away as global unicast (RFC 4291 2.4); what lies elsewhere is of another kind, or of none yet."""

# Special blocks (RFC 6890 and its registries), of which older versions of ``ipaddress`` do not know all.
_SPECIAL = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("2001::/23"),
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)


class OutOfTime(Exception):  # noqa: N818 - no OSError, which the HTTP library would take for a broken connection
    """The deadline of a document has passed."""


class BrokenOff(Exception):  # noqa: N818
    """The job has ended, and nobody waits for the document."""


class PrivateAddress(Exception):  # noqa: N818
    """A host has no public address."""


@dataclass
class Watch:
    """How long one document may take: until ``deadline`` (of ``time.monotonic``), or until ``ended`` is set.

    ``excess`` becomes True if more bytes came than a Content-Length had announced.
    """

    deadline: float
    silence: float
    ended: threading.Event = field(default_factory=threading.Event)
    excess: bool = False

    def left(self) -> float:
        """Seconds that are left. Raises OutOfTime or BrokenOff if there are none."""
        if self.ended.is_set():
            raise BrokenOff
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left


_watch: ContextVar[Watch] = ContextVar("watch")


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Everything that is read from connections in here is under the watch."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


class _Timed(io.RawIOBase):
    """The bytes of a socket, under the watch; ``made`` is the file that keeps the socket open."""

    def __init__(self, sock: socket.socket, watch: Watch, made: IO[bytes]) -> None:
        self._sock = sock
        self._watch = watch
        self._made = made
        self.at_hand_only = False

    def close(self) -> None:
        self._made.close()
        super().close()

    def hang_up(self) -> None:
        """End the connection, so that it is not used again."""
        with suppress(OSError):  # it has ended already
            self._sock.shutdown(socket.SHUT_RDWR)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int | None:
        if self.at_hand_only:
            return self._at_hand(buffer)
        since = time.monotonic()
        while True:
            silent = time.monotonic() - since
            if silent >= self._watch.silence:
                raise TimeoutError("the server is silent")
            self._sock.settimeout(min(SLICE, self._watch.silence - silent, self._watch.left()))
            with suppress(TimeoutError):
                return self._sock.recv_into(buffer)

    def _at_hand(self, buffer: Any) -> int | None:
        try:
            self._sock.settimeout(0)
            return self._sock.recv_into(buffer)
        except OSError:  # nothing there, or the connection is closed
            return None


class _Response(http.client.HTTPResponse):
    """A response under the watch."""

    def __init__(self, sock: Any, *args: Any, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        self._on_watch = _watch.get()
        self._timed = _Timed(sock, self._on_watch, self.fp)
        self.fp = io.BufferedReader(self._timed)

    def begin(self) -> None:
        super().begin()
        if not self.chunked and (values := self.headers.get_all("Content-Length")):
            length = _length(", ".join(values))
            self.length = length if self.length is None else self.length

    def _close_conn(self) -> None:
        # The announced length was read; the server may have more to say than it said it had.
        if self.fp is not None and self.length == 0 and not self.chunked:
            self._timed.at_hand_only = True
            if self.fp.peek(1):
                self._on_watch.excess = True
                self._timed.hang_up()  # what comes next on this connection belongs to nothing that was asked
        super()._close_conn()  # type: ignore[misc]


def _length(value: str) -> int:
    """The bytes that a Content-Length announces. Raises HTTPException if it is none (RFC 9112 6.3)."""
    lengths = {one.strip() for one in value.split(",")}  # which may come twice
    length = lengths.pop()
    if lengths or not _LENGTH.fullmatch(length):
        raise http.client.HTTPException(f"{value[:50]!r} is no number of bytes (Content-Length)")
    return int(length)


class _Connection(HTTPConnection):
    response_class = _Response


class _SecureConnection(HTTPSConnection):
    response_class = _Response


class _PublicConnection(_Connection):
    def _new_conn(self) -> socket.socket:
        return _public_socket(self)


class _PublicSecureConnection(_SecureConnection):
    def _new_conn(self) -> socket.socket:
        return _public_socket(self)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection  # pyright: ignore[reportAssignmentType] - as urllib3 does itself


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection  # pyright: ignore[reportAssignmentType] - as urllib3 does itself


class _PublicPool(HTTPConnectionPool):
    ConnectionCls = _PublicConnection  # pyright: ignore[reportAssignmentType] - as urllib3 does itself


class _PublicSecurePool(HTTPSConnectionPool):
    ConnectionCls = _PublicSecureConnection  # pyright: ignore[reportAssignmentType] - as urllib3 does itself


def prepared(manager: PoolManager, public_only: bool) -> PoolManager:
    """The manager, its connections under the watch."""
    manager.pool_classes_by_scheme = (
        {"http": _PublicPool, "https": _PublicSecurePool} if public_only else {"http": _Pool, "https": _SecurePool}
    )
    return manager


def _public_socket(connection: HTTPConnection) -> socket.socket:
    """A socket to the first public address of a host that takes it. Raises PrivateAddress if there is none."""
    host, port = connection.host, connection.port
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise NameResolutionError(host, connection, error) from error  # type: ignore[arg-type]
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    public = [one for one in addresses if is_public(one)]
    if not public:
        raise PrivateAddress(", ".join(addresses))
    failures: list[OSError] = []
    for address in public:
        try:
            return create_connection((address, port), connection.timeout, socket_options=connection.socket_options)
        except OSError as error:
            failures.append(error)
    raise NewConnectionError(connection, str(failures[-1])) from failures[-1]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public Internet, and so is the IPv4 address that it may stand for."""
    found = ip_address(address.partition("%")[0])
    inner = _inner(found)
    if inner is not None:
        return is_public(str(inner))
    if any(found in block for block in _SPECIAL) or (isinstance(found, IPv6Address) and found not in _UNICAST):
        return False
    return found.is_global and not found.is_multicast


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to: mapped, 6to4, Teredo, NAT64 (RFC 4291, 3056, 4380, 6052)."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
