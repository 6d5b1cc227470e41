"""The columns that an inventory has beside the fields of an entry, in tables and JSON lines that were made of one."""

from __future__ import annotations

from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.feed_dates import read_any

TEXT, PRECISION = "lastmod_text", "lastmod_precision"
"""Beside ``lastmod``: what was read, and how much of a moment it names."""

PLACES = ("source", "line")
PARTS = ("scheme", "host", "port", "path", "folders", "query", "parameters", "extension", "depth")

OWN = frozenset((TEXT, PRECISION, *PLACES, *PARTS))
"""All of them: none holds what an entry's fields don't say, so none is missed."""


def told_date(text: object, precision: object) -> LastMod | None:
    """The date of these two columns; None if they hold none."""
    if not isinstance(text, str):
        return None
    # Minutes are printed with seconds.
    whole = text[:16] + text[19:] if precision == "minute" and text[16:19] == ":00" else text
    return read_any(whole, None).value
