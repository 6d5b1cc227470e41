"""Addresses that are one, by what RFC 3986 holds safe, and addresses that differ in what often makes no difference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from urlset.converters.explore.table import Table
from urlset.formats.arrow.library import arrow, compute
from urlset.formats.vocabulary.urls import dedupe_key

Batches = Iterable[Any]
_Keys = Callable[[Any], list[str]]

TRACKING = (
    "utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_ga|_gl"
)
"""Parameters that tell where a visitor came from and not which page is meant."""

_TRACKING = rf"([?&])(?:{TRACKING})(?:=[^&#]*)?(?:&(?:(?:{TRACKING})(?:=[^&#]*)?))*"
_LOOSE = (
    (r"#.*", ""),
    (_TRACKING, r"\1"),
    (r"([?&])&+", r"\1"),
    (r"[?&]+$", ""),
    (r"^https?://(?:www\.)?", ""),
    (r"/+(\?|$)", r"\1"),
)
_TRACKED = re.compile(rf"[?&](?:{TRACKING})(?:[=&#]|$)", re.IGNORECASE)


def duplicates(batches: Batches) -> Table:
    """Addresses that occur more than once: how often, in which spellings, and where."""
    pa = arrow()
    rows = []
    for places in _repeated(list(batches), _exact):
        spellings = list(dict.fromkeys(loc for loc, _ in places))
        rows.append(
            {"loc": spellings[0], "times": len(places), "spellings": spellings, "places": [at for _, at in places]}
        )
    texts = pa.list_(pa.string())
    schema = pa.schema([("loc", pa.string()), ("times", pa.int64()), ("spellings", texts), ("places", texts)])
    return Table("Addresses that occur more than once", pa.Table.from_pylist(rows, schema))


def near_duplicates(batches: Batches) -> Table:
    """Addresses that differ only in scheme, www, case, a slash at the end or parameters that track visitors."""
    pa = arrow()
    rows = []
    for places in _repeated(list(batches), _loose):
        by_key = {dedupe_key(loc): loc for loc, _ in reversed(places)}
        different = list(reversed(by_key.values()))
        if len(different) > 1:
            rows.append({"differ_in": _differences(different), "number": len(different), "addresses": different})
    texts = pa.list_(pa.string())
    schema = pa.schema([("differ_in", texts), ("number", pa.int64()), ("addresses", texts)])
    return Table("Addresses that are nearly the same", pa.Table.from_pylist(rows, schema))


def _exact(locs: Any) -> list[str]:
    return list(map(dedupe_key, locs.to_pylist()))


def _loose(locs: Any) -> list[str]:
    pc = compute()
    keys = pc.utf8_lower(locs)
    for pattern, rest in _LOOSE:
        keys = pc.replace_substring_regex(keys, pattern, rest)
    found: list[str] = keys.to_pylist()
    return found


def _repeated(batches: list[Any], keys: _Keys) -> Iterator[list[tuple[str, str]]]:
    """The addresses that share a key, each with its place, in the order in which their keys first occur.

    What is held of all addresses is a number of 64 bits for each; whole keys only of those whose number repeats.
    """
    again = _repeated_hashes(batches, keys)
    found: dict[str, list[tuple[str, str]]] = {}
    for batch in batches if len(again) else ():
        for row, key in _suspects(batch, keys, again):
            source, line = batch["source"][row].as_py(), batch["line"][row].as_py()
            place = source if line is None else f"{source}:{line}"
            found.setdefault(key, []).append((batch["loc"][row].as_py(), place))
    return (places for places in found.values() if len(places) > 1)


def _repeated_hashes(batches: list[Any], keys: _Keys) -> Any:
    pa, pc = arrow(), compute()
    counts = pa.chunked_array([_hashes(keys(batch["loc"])) for batch in batches], pa.int64()).value_counts()
    return counts.field("values").filter(pc.greater(counts.field("counts"), 1))


def _suspects(batch: Any, keys: _Keys, again: Any) -> Iterator[tuple[int, str]]:
    pc = compute()
    found = keys(batch["loc"])
    for row in pc.indices_nonzero(pc.is_in(_hashes(found), again)).to_pylist():
        yield row, found[row]


def _hashes(keys: list[str]) -> Any:
    return arrow().array(list(map(hash, keys)), arrow().int64())


def _differences(locs: list[str]) -> list[str]:
    """The words for what tells these addresses apart."""
    plain = [loc.partition("#")[0] for loc in locs]
    schemes = {loc.partition(":")[0].lower() for loc in plain}
    marks: list[tuple[str, set[object]]] = [
        ("scheme", set(schemes)),
        ("www", {"://www." in loc.lower() for loc in plain}),
        ("trailing slash", {_path(loc).endswith("/") for loc in plain}),
        ("tracking", {_TRACKED.search(loc) is not None for loc in plain}),
        ("case", set(_without_marks(plain))),
    ]
    return [name for name, values in marks if len(values) > 1]


def _path(loc: str) -> str:
    return loc.partition("?")[0]


def _without_marks(locs: list[str]) -> list[str]:
    """The addresses without anything but case to tell them apart."""
    found = []
    for loc in locs:
        key = dedupe_key(loc)
        for pattern, rest in _LOOSE:
            key = re.sub(pattern, rest, key, flags=re.IGNORECASE)
        found.append(key)
    return found
