"""Two inventories compared, in any two formats and of any length.

    sides       one of the two, read: its entries by key, and which fields its documents can hold
    values      which fields of two entries differ
    uncompared  fields that only one side can hold
    rows        entries and changes in order, in memory or on disk
    moves       pages that went to another origin, and by what that is recognised
    job         the comparison
    result      what comes of it
    output      parts of a result as files

A page is known by its address after safe normalisation (``dedupe_key``). Both sides are put in the order of that key
and walked through together, so memory is flat whatever their length.
"""

from urlset.converters.diff.job import Options, diff, run
from urlset.converters.diff.moves import Move
from urlset.converters.diff.result import Diff
from urlset.converters.diff.rows import Change
from urlset.converters.diff.sides import Inventory

__all__ = ["Change", "Diff", "Inventory", "Move", "Options", "diff", "run"]
