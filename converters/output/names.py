"""The names of the files of a set."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

_IN_PATH = "!$&'()*+,;=:@~"
"""What may stand in a segment of a path besides letters, digits and -._ (RFC 3986, 3.3)."""


class Names:
    """Names beside a target: of the one file, of numbered parts, of indexes. A compressed file's name ends in ``.gz``.

    The target is the first index; the next ones, if one can't list all parts, are ``sitemap-index-2.xml`` and so on.
    """

    def __init__(self, target: Path, gzipped: bool) -> None:
        self.target = target
        self._packed = target.name[-3:] if target.name.lower().endswith(".gz") else ""
        self._plain = Path(target.name.removesuffix(self._packed))
        self._gzipped = gzipped

    @property
    def single(self) -> Path:
        """The name of a set of one file."""
        return self.target.with_name(f"{self.target.name}.gz") if self._gzipped and not self._packed else self.target

    @property
    def twin(self) -> Path:
        """The name of that file if it is compressed and this is not, or the other way round."""
        if self.single != self.target:
            return self.target
        return self.target.with_name(self._plain.name if self._packed else f"{self.target.name}.gz")

    def part(self, number: int) -> Path:
        """The name of a part, counted from 1."""
        return self._numbered(f"-{number}", self._gzipped)

    def index(self, number: int, gzipped: bool = False) -> Path:
        """The name of an index, counted from 1; ``gzipped``: it is compressed even if the target's name is plain."""
        if number == 1:
            return self.single if gzipped else self.target
        return self._numbered(f"-index-{number}", gzipped or bool(self._packed))

    @property
    def pattern(self) -> str:
        """What the names of all parts match, compressed or not."""
        stem, suffix = map(re.escape, (self._plain.stem, self._plain.suffix))
        return rf"{stem}-[1-9][0-9]*{suffix}(?:\.gz)?"

    def _numbered(self, mark: str, gzipped: bool) -> Path:
        ending = (self._packed or ".gz") if gzipped else ""
        return self.target.with_name(f"{self._plain.stem}{mark}{self._plain.suffix}{ending}")


def set_pattern(name: str) -> str:
    """What the names of all files match that a set may have, ``name`` being its target's, compressed or not."""
    plain = Path(name[:-3] if name.lower().endswith(".gz") else name)
    stem, suffix = map(re.escape, (plain.stem, plain.suffix))
    return rf"{stem}(?:(?:-index)?-[1-9][0-9]*)?{suffix}(?:\.[gG][zZ])?"


def address_of(folder: str, name: str) -> str:
    """The address of a file in a folder whose address ends in a slash; names need not be UTF-8."""
    return folder + quote(os.fsencode(name), safe=_IN_PATH)
