"""What happens to entries between reading and writing; each step is a generator over entries.

A step that leaves an entry out says so to the ledger's counts: filtered, or merged as a duplicate. A step that has to
see all entries before it gives the first one back keeps on disk what exceeds memory.
"""

from urlset.converters.steps.choose import filtered, selected
from urlset.converters.steps.losses import Losses, OnLoss
from urlset.converters.steps.merge import Dedupe, deduplicated
from urlset.converters.steps.order import in_order
from urlset.converters.steps.rewrite import rewritten
from urlset.converters.steps.schema import within_schema
from urlset.converters.steps.step import Step, reject

__all__ = [
    "Dedupe",
    "Losses",
    "OnLoss",
    "Step",
    "deduplicated",
    "filtered",
    "in_order",
    "reject",
    "rewritten",
    "selected",
    "within_schema",
]
