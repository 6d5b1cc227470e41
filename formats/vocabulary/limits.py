"""How much one document may ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields

from urlset.formats.vocabulary.errors import OptionError

MIB = 1_048_576


@dataclass(frozen=True)
class Limits:
    """How much one document may ask for: positive integers. Raises OptionError for anything else."""

    max_inflated: int = 1024 * MIB
    """Bytes that come out of compressed input: well above the protocol's 52,428,800, to report the excess."""

    max_ratio: int = 1000
    """Unpacked bytes for one packed byte, once more than ``ratio_from`` came out. Deflate can reach 1,032."""

    ratio_from: int = 64 * MIB
    """Unpacked bytes up to which ``max_ratio`` is not asked for."""

    max_record: int = 16 * MIB
    """Characters or bytes of one entry, line or cell."""

    max_depth: int = 256
    """Nesting of XML elements."""

    max_index_depth: int = 5
    """Nesting of sitemap indexes that is followed."""

    max_children: int = 50_000
    """Children of one sitemap index that are followed."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or value < 1:
                raise OptionError(f"{field.name} must be a positive integer, not {value!r}")
