"""The floor under a measurement: the least that any reader of the same bytes has to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

CHUNK = 1 << 16
"""Bytes that are read at once, here and in urlset."""


@dataclass(frozen=True)
class Floor:
    """A scan of some files, by name."""

    name: str
    scan: Callable[[], None]


def floor_of(paths: Sequence[Path]) -> Floor:
    """A bare expat scan of XML; of text, decoding it and cutting it into lines; of anything else, the bytes alone."""
    with paths[0].open("rb") as file:
        start = file.read(4)
    name, scan_one = "lines", scan_lines
    if start.startswith(b"<"):
        name, scan_one = "expat", scan_xml
    elif start == b"PAR1":
        name, scan_one = "bytes", scan_bytes

    def scan() -> None:
        for path in paths:
            scan_one(path)

    return Floor(name, scan)


def scan_xml(path: Path) -> None:
    """Let expat look for faults: no handler is set, no text is made."""
    parser = expat.ParserCreate()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            parser.Parse(chunk, False)
    parser.Parse(b"", True)


def scan_lines(path: Path) -> None:
    """Decode UTF-8 and touch each line."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for _ in file:
            pass


def scan_bytes(path: Path) -> None:
    """Read it."""
    with path.open("rb") as file:
        while file.read(CHUNK):
            pass
