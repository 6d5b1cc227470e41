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
    """A bare expat scan of XML; of anything else, decoding it and cutting it into lines."""
    with paths[0].open("rb") as file:
        is_xml = file.read(1) == b"<"
    scan_one = scan_xml if is_xml else scan_lines

    def scan() -> None:
        for path in paths:
            scan_one(path)

    return Floor("expat" if is_xml else "lines", scan)


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
