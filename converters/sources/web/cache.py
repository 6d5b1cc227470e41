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
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from urlset.formats.vocabulary.errors import OptionError, WriteError

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
        """What is kept of an address; None if nothing is, or what is there is no whole document."""
        try:
            file = self._path(address, secret).open("rb")
        except FileNotFoundError:
            return None
        about = _about(file.readline())
        start = file.tell()
        if about is not None and file.seek(0, os.SEEK_END) - start == about["size"]:
            file.seek(start)
            return Kept(about["headers"], file)
        file.close()
        return None

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
            message = f"the cache (--cache) can't be written: {error.strerror}"
            raise WriteError(message, source=str(self._folder)) from error
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


def _about(line: bytes) -> dict[str, Any] | None:
    """The first line of a file of the cache; None if it is none."""
    try:
        about = json.loads(line)
    except ValueError:
        return None
    sound = isinstance(about, dict) and isinstance(about.get("size"), int) and isinstance(about.get("headers"), dict)
    return about if sound else None
