"""A folder of documents that were fetched before, each of them asked for again with its ETag or date (RFC 9111).

A document is one file: a line of JSON about it, then its body. It appears under its name when it is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from urlset.converters.sources.web.settings import is_value
from urlset.formats.vocabulary.errors import OptionError, WriteError

_MAX_ABOUT = 1 << 20  # bytes: more than all headers that a response may have
_KEPT = ("Content-Type", "Content-Encoding", "ETag", "Last-Modified")


class Kept(NamedTuple):
    """A document of the cache: its headers, and its body, from the first byte."""

    headers: Mapping[str, str]
    body: IO[bytes]

    def conditions(self) -> dict[str, str]:
        """The headers that ask for it only if it changed (RFC 9110 13.1)."""
        names = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
        return {condition: self.headers[name] for name, condition in names.items() if name in self.headers}


class Cache:
    """The folder. What is kept for one set of credentials is given to no other one (``secret``)."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            message = f"the cache (--cache) can't be kept there: {error.strerror}"
            raise OptionError(message, source=str(folder)) from error

    def get(self, address: str, secret: str) -> Kept | None:
        """What is kept of an address; None if nothing is, or what is there is no whole document of that address.

        Raises WriteError, with the file, if it can't be read.
        """
        path = self._path(address, secret)
        try:
            return _kept(path.open("rb"), address)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failure("read", path, error) from error

    def put(self, address: str, secret: str, headers: Mapping[str, str], body: IO[bytes]) -> None:
        """Keep a whole document, if the server allows that and says what to ask with next time. Raises WriteError."""
        kept = {name: headers[name] for name in _KEPT if name in headers}
        words = headers.get("Cache-Control", "").lower()
        if "no-store" in words or headers.get("Vary") == "*" or not kept.keys() & {"ETag", "Last-Modified"}:
            return
        size = body.seek(0, os.SEEK_END)
        body.seek(0)
        path = self._path(address, secret)
        try:
            self._write(path, json.dumps({"address": address, "size": size, "headers": kept}), body)
        except OSError as error:
            raise _failure("written", path, error) from error
        body.seek(0)

    def _write(self, path: Path, about: str, body: IO[bytes]) -> None:
        number, name = tempfile.mkstemp(dir=self._folder, prefix=".", suffix=".tmp")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(about.encode() + b"\n")
                shutil.copyfileobj(body, file)
            Path(name).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise

    def _path(self, address: str, secret: str) -> Path:
        return self._folder / hashlib.sha256(f"{address}\n{secret}".encode()).hexdigest()


def _kept(file: IO[bytes], address: str) -> Kept | None:
    """The document in a file of the cache; None, and the file is closed, if it is not whole or another one's."""
    with ExitStack() as stack:
        stack.callback(file.close)
        about = _about(file.readline(_MAX_ABOUT))
        start = file.tell()
        if about is None or about["address"] != address or file.seek(0, os.SEEK_END) - start != about["size"]:
            return None
        file.seek(start)
        stack.pop_all()  # whoever gets the document closes it
    return Kept(about["headers"], file)


def _about(line: bytes) -> dict[str, Any] | None:
    """The first line of a file of the cache; None if it is none."""
    try:
        about = json.loads(line)
    except (ValueError, RecursionError):  # whatever a disk makes of it
        return None
    if not isinstance(about, dict) or not {"address", "size", "headers"} <= about.keys():
        return None
    return about if isinstance(about["headers"], dict) and all(map(_is_header, about["headers"].items())) else None


def _is_header(item: tuple[str, object]) -> bool:
    name, value = item
    return name in _KEPT and isinstance(value, str) and is_value(value)


def _failure(what: str, path: Path, error: OSError) -> WriteError:
    # In the message, since a report names the document as the place.
    return WriteError(f"the cache file {path} (--cache) can't be {what}: {error.strerror or error}")
