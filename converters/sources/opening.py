"""From a path, an address or what a list says of its children to a document that can be read.

What a list names is looked for where the list came from: a fetched list has its children fetched, one on disk or in a
bucket has them beside it, by file name. No address leads to a file, whatever a list or a server says.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from urlset.converters.sources import remote
from urlset.converters.sources.fetch import Fetch, fetch, is_address, why
from urlset.converters.sources.web.ahead import Ahead
from urlset.converters.sources.web.fetched import Fetched, Remark
from urlset.converters.sources.web.settings import Http
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.errors import SourceError, UrlsetError
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.redact import redacted, without_credentials
from urlset.formats.vocabulary.source import Openable, Source


class Opened(NamedTuple):
    """A document to be read and closed, the charset that its server named, and what the way to it was like."""

    source: Source
    charset: str | None = None
    remarks: tuple[Remark, ...] = ()


class Opener:
    """Opens the documents of one job. Close it in the end."""

    def __init__(self, fetching: Fetch, http: Http, limits: Limits) -> None:
        self._limits = limits
        self._own_client = fetching is fetch
        self._stores: dict[str, str] = {}  # files in stores as they were named, by their names without credentials
        self._door: _Door = _Client(http, limits) if self._own_client else _Given(fetching)

    def close(self) -> None:
        """Let go of connections, and of documents that were fetched ahead and are not needed."""
        self._door.close()

    def given(self, thing: Openable) -> Opened:
        """What the caller named. Raises UrlsetError."""
        if isinstance(thing, str) and is_address(thing):
            self._door.trust(thing)
            return self.fetched(thing)
        if remote.is_remote(thing):
            return self._stored(str(thing))
        return Opened(Source.of(thing, limits=self._limits))

    def fetched(self, address: str) -> Opened:
        """The document at an address. Raises SourceError."""
        name = without_credentials(address)
        found = self._door.get(address)
        source = Source.from_stream(
            found.body,
            name,
            owned=True,
            location=found.location,
            media_type=found.media_type,
            coding=found.coding,
            limits=self._limits,
        )
        return Opened(source, found.charset, found.remarks)

    def child(self, loc: str, parent: Source) -> Opened:
        """What a list, or a page of a feed, names. Raises SourceError if it is not to be had."""
        if parent.location is not None or (parent.path is None and parent.name not in self._stores):
            return self._child_by_http(loc, parent)
        name = _file_name(loc)
        if not name or "/" in name or "\0" in name or name in (".", ".."):
            raise SourceError("its address has no file name", source=loc)
        if parent.path is None:
            return self._stored(remote.beside(self._stores[parent.name], name))
        path = parent.path.parent / name
        if not _is(path, Path.is_file):
            message = f"there is no file {name} beside {parent.path.name}, and what a local file lists is not fetched"
            raise SourceError(message, source=loc)
        return Opened(Source.from_path(path, limits=self._limits))

    def expect(self, locs: Iterable[str], parent: Source) -> None:
        """These children will be asked for soon; they may be fetched meanwhile."""
        if parent.location is not None:
            self._door.expect(loc for loc in locs if is_address(loc))

    def forget(self, loc: str) -> None:
        """A child that was expected is not needed."""
        self._door.forget(loc)

    def _stored(self, name: str) -> Opened:
        source = remote.source(name, self._limits)
        self._stores[source.name] = name
        return Opened(source)

    def _child_by_http(self, loc: str, parent: Source) -> Opened:
        if parent.location is None and self._own_client:
            message = "nothing is fetched for a list that has no address itself, such as standard input"
            raise SourceError(message, source=loc)
        if not is_address(loc):
            raise SourceError("it is no http(s) address", source=redacted(loc))
        return self.fetched(loc)


class _Door(Protocol):
    """How documents are fetched; see :class:`Opener` for what the other methods tell."""

    def get(self, address: str) -> Fetched: ...
    def trust(self, address: str) -> None: ...
    def expect(self, addresses: Iterable[str]) -> None: ...
    def forget(self, address: str) -> None: ...
    def close(self) -> None: ...


class _Given:
    """A function of the caller's. It is called from one thread, once for each address that is asked for."""

    def __init__(self, fetching: Fetch) -> None:
        self._fetch = fetching

    def get(self, address: str) -> Fetched:
        plain = without_credentials(address)
        try:
            urlsplit(plain)
        except ValueError as error:
            raise SourceError(f"its address can't be understood: {error}", source=plain) from None
        try:
            return Fetched(io.BytesIO(self._fetch(address)), plain)
        except UrlsetError:
            raise
        except OSError as error:
            raise SourceError(f"it can't be fetched: {why(error)}", source=plain) from error

    def trust(self, address: str) -> None:
        """The function knows whom to trust."""

    def expect(self, addresses: Iterable[str]) -> None:
        """The function knows one address at a time."""

    def forget(self, address: str) -> None:
        """Nothing was expected."""

    def close(self) -> None:
        """The function is the caller's."""


class _Client:
    """The built-in client, which is loaded when it is first needed."""

    def __init__(self, http: Http, limits: Limits) -> None:
        self._http = http
        self._limits = limits
        self._ahead: Ahead | None = None
        self._trust: Callable[[str], None]
        self._close: Callable[[], None]

    def get(self, address: str) -> Fetched:
        return self._started().get(address)

    def trust(self, address: str) -> None:
        self._started()
        self._trust(address)

    def expect(self, addresses: Iterable[str]) -> None:
        self._started().expect(addresses)

    def forget(self, address: str) -> None:
        self._started().forget(address)

    def close(self) -> None:
        if self._ahead is not None:
            self._close()  # first, so that what is under way ends
            self._ahead.close()

    def _started(self) -> Ahead:
        if self._ahead is None:
            from urlset.converters.sources.web.client import Client  # with the HTTP library

            client = Client(self._http, self._limits)
            self._trust, self._close = client.trust, client.close
            self._ahead = Ahead(client.get, self._http.jobs)
        return self._ahead


def name_of(thing: Openable) -> str:
    """What a source is called before it is open, without credentials."""
    if isinstance(thing, Source):
        return thing.name
    if isinstance(thing, str | os.PathLike):
        return "<stdin>" if thing == "-" else without_credentials(os.fspath(thing))
    return f"<{type(thing).__name__}>"


def _file_name(loc: str) -> str:
    """The last part of the path of an address; empty if it has none, or can't be understood."""
    try:
        return unquote(urlsplit(loc).path.rpartition("/")[2])
    except ValueError:
        return ""


def key_of(source: Source) -> str:
    """What two sources have in common if, and only if, they are the same document."""
    if source.location is not None:
        return urls.dedupe_key(source.location)
    if source.path is not None:
        # Unlike Path.resolve this takes links that lead in a circle; opening them says so.
        return os.path.realpath(source.path)
    return source.name if remote.is_remote(source.name) else f"<{id(source)}>"


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Whether a path is of a kind; one that the system can't have at all (too long, say) is not."""
    try:
        return kind(path)
    except OSError:
        return False
