"""The catalogue of rules: what a finding may be about, how loud it is by default, how to mend it, and who says so.

One module for each group of rules, in the order in which a document is looked at; :mod:`.rule` explains the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from urlset.formats.catalogue import addresses, blocks, files, jobs, lists, markup, sets, values
from urlset.formats.catalogue.rule import Engine, Row, Rule, Severity

__all__ = ["RULES", "Engine", "Row", "Rule", "Severity"]

_ALL = (
    *files.FILES,
    *markup.MARKUP,
    *addresses.ADDRESSES,
    *values.VALUES,
    *blocks.BLOCKS,
    *lists.LISTS,
    *sets.SETS,
    *jobs.JOBS,
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in _ALL})
"""All rules by id."""
