"""TSV: the table that CSV is, with tabs, for ``cut``, ``awk`` and databases.

Specification: https://www.iana.org/assignments/media-types/text/tab-separated-values

Written only, since a table with tabs is one that the format ``csv`` reads. Lines end in LF. The specification knows no
tab or line break in a cell; such a cell is quoted as in CSV (RFC 4180 2.6), which spreadsheets read.
"""

from __future__ import annotations

from urlset.formats.tables.writing import writer
from urlset.formats.vocabulary.entry import FIELDS
from urlset.formats.vocabulary.format import Format, Head


def sniff(head: Head) -> bool:
    """Never: it is read as CSV."""
    return False


TSV = Format(
    name="tsv",
    title="TSV table",
    specification="https://www.iana.org/assignments/media-types/text/tab-separated-values",
    suffixes=(".tsv",),
    media_types=("text/tab-separated-values",),
    carries=frozenset(FIELDS),
    sniff=sniff,
    write=writer("\t", "\n"),
)
