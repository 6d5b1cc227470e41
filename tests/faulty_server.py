"""A server on loopback that can be told to misbehave, and to whom nothing is real: no waits beyond what a test asks."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
Behaviour = Callable[["Exchange"], None]


def sitemap(*locs: str) -> bytes:
    """A sitemap."""
    body = "".join(f"<url><loc>{loc}</loc></url>\n" for loc in locs)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NS}">\n{body}</urlset>\n'.encode()


def index(*locs: str) -> bytes:
    """An index with one child a line, the first on line 2."""
    body = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
    return f'<sitemapindex xmlns="{NS}">\n{body}</sitemapindex>\n'.encode()


class Exchange(BaseHTTPRequestHandler):
    """One request; behaviours answer it, or fail to."""

    protocol_version = "HTTP/1.1"
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as in the base
        """Nothing is printed."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        with self.server.lock:
            self.server.asked.append(self.path)
            self.server.headers.append(self.headers)
            self.number = self.server.asked.count(self.path)
        with suppress(ConnectionError):  # many a client here has had enough
            self.server.routes.get(path, status(404))(self)

    @property
    def base(self) -> str:
        """The address of the server."""
        return self.server.base

    def answer(self, body: bytes, code: int = 200, **headers: str) -> None:
        """A sound response; names of headers are given with underscores."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **names}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data: bytes, *, close: bool = True) -> None:
        """Bytes as they are, and the end of the connection."""
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = close

    def drip(self, data: bytes, seconds: float = 0.03) -> None:
        """One byte now and then, until the client or the test has had enough."""
        for number in range(100_000):
            if self.server.ended.wait(seconds):
                return
            self.raw(data[number : number + 1] or b" ")

    def reset(self) -> None:
        """The connection is reset (RST)."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


class Server(ThreadingHTTPServer):
    """The server; ``asked`` are the paths in the order of requests, ``headers`` what came with them."""

    daemon_threads = True

    def __init__(self, routes: Mapping[str, Behaviour]) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.routes = dict(routes)
        self.asked: list[str] = []
        self.headers: list[Message] = []
        self.lock = threading.Lock()
        self.ended = threading.Event()

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no fault of the test."""


@contextmanager
def serving(routes: Mapping[str, Behaviour]) -> Iterator[Server]:
    """A server for as long as the block lasts."""
    with Server(routes) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()


def body(data: bytes, **headers: str) -> Behaviour:
    """Answers with this body."""
    return status(200, data, **headers)


def status(code: int, data: bytes = b"", **headers: str) -> Behaviour:
    """Answers with a status."""
    return lambda exchange: exchange.answer(data, code, **headers)


def redirect(target: str, code: int = 301) -> Behaviour:
    """Leads somewhere else; ``BASE`` stands for the server."""
    return lambda exchange: exchange.answer(b"", code, Location=target.replace("BASE", exchange.base))


def at_first(first: Behaviour, then: Behaviour) -> Behaviour:
    """Behaves in one way when it is asked for the first time, and in another afterwards."""
    return lambda exchange: (first if exchange.number == 1 else then)(exchange)
