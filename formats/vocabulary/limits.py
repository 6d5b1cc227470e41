"""How much a document may ask for, and a job."""

from __future__ import annotations

from dataclasses import dataclass, fields

from urlset.formats.vocabulary.errors import OptionError

MIB = 1_048_576


@dataclass(frozen=True)
class Limits:
    """How much a document, or a job, may ask for: positive integers. Raises OptionError for anything else."""

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
    """Children of one index or robots.txt that are followed."""

    max_documents: int = 500_000
    """Documents that the lists of one job lead to."""

    max_pages: int = 1_000
    """Pages and archives of one feed that are followed."""

    max_body: int = 256 * MIB
    """Bytes of one document as it is sent over HTTP."""

    max_fetched: int = 65_536 * MIB
    """Bytes of all documents of a job as they are sent over HTTP."""

    max_redirects: int = 10
    """Redirects of one address that are followed."""

    max_attempts: int = 4
    """How often one address is asked for, if connections break or the server is busy."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or value < 1:
                raise OptionError(f"{field.name} must be a positive integer, not {value!r}")
