"""Entries beyond memory: what has to see all of them before it can give the first one back.

    weight.py      what an entry takes in memory, and how much there is room for
    packing.py     an entry as bytes and back, without loss
    database.py    SQLite's temporary database, on disk and gone with the job
    ordered.py     ``ordered``: entries in the order of a key
    seen.py        ``first_seen``: whether a key was met before

A list that fits in memory (IN_MEMORY, some 200,000 plain entries) never touches the disk. Beyond, memory stays flat and
the disk holds each entry once or twice. What comes out is the same, and in the same order.

A job that matches two lists by a key walks through both in its order, side by side::

    old = ordered((dedupe_key(entry.loc), entry) for entry in old_entries)
    new = ordered((dedupe_key(entry.loc), entry) for entry in new_entries)
    both = heapq.merge(old, new, key=itemgetter(0))         # of equal keys, the old ones come first
    for key, group in itertools.groupby(both, itemgetter(0)):
        ...

What is written to disk goes to the folder that TMPDIR names. WriteError says so if that can't be done.
"""

from urlset.converters.spill.ordered import ordered
from urlset.converters.spill.seen import first_seen
from urlset.converters.spill.weight import IN_MEMORY

__all__ = ["IN_MEMORY", "first_seen", "ordered"]
