"""The parts of addresses as columns: cut by Arrow, not by Python row by row.

They are those of ``urls.split`` (RFC 3986 appendix B), as written but for scheme and host, which are in lower case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from urlset.formats.arrow.library import arrow, compute
from urlset.formats.vocabulary import urls

_REFERENCE = (
    r"(?s)^(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*):)?(?:(?P<authority>//[^/?#]*))?"
    r"(?P<folder>(?:[^?#]*/)?)(?P<name>[^?#]*)(?P<query>(?:\?[^#]*)?)"
)
_GROUPS = ("scheme", "authority", "folder", "name", "query")
_EXTENSION = r"[^/]\.(?P<extension>[A-Za-z0-9]{0,6}[A-Za-z][A-Za-z0-9]{0,6})$"


@cache
def part_fields() -> tuple[Any, ...]:
    """The columns of the parts, as fields of a schema.

    ``folders`` are the segments before the last slash, ``depth`` their number, ``parameters`` the pieces of the query
    in their order, not decoded; the value of one without an equals sign is null. ``extension`` is that of the last
    segment, in lower case and without its point, if it has a letter and at most seven characters.
    """
    pa = arrow()
    named = pa.dictionary(pa.int32(), pa.string())
    return (
        pa.field("scheme", named),
        pa.field("host", named),
        pa.field("port", pa.int32()),
        pa.field("path", pa.string()),
        pa.field("folders", pa.list_(pa.string())),
        pa.field("query", pa.string()),
        pa.field("parameters", pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))),
        pa.field("extension", pa.string()),
        pa.field("depth", pa.int32()),
    )


class Parts:
    """The parts of an array of addresses; each column is computed when it is asked for."""

    def __init__(self, locs: Any) -> None:
        cut = compute().extract_regex(locs, _REFERENCE)
        self._cut = {name: cut.field(name) for name in _GROUPS}

    def column(self, name: str) -> Any:
        """One of the columns of :func:`part_fields`."""
        found: Any = getattr(self, f"_{name}")()
        return found

    def folder(self) -> Any:
        """The path up to its last slash, as text."""
        return self._cut["folder"]

    def _scheme(self) -> Any:
        return _named(self._cut["scheme"], str.lower)

    def _host(self) -> Any:
        return _named(self._cut["authority"], lambda text: urls.split(text).host)

    def _port(self) -> Any:
        pa = arrow()
        encoded = self._cut["authority"].dictionary_encode()
        ports = [urls.split(text).port for text in encoded.dictionary.to_pylist()]
        return pa.array(ports, pa.int32()).take(encoded.indices)

    def _path(self) -> Any:
        return compute().binary_join_element_wise(self._cut["folder"], self._cut["name"], "")

    def _folders(self) -> Any:
        """Segments; the slash in front, which only an address without a host can lack, is no segment."""
        pc = compute()
        inside = pc.utf8_slice_codeunits(pc.replace_substring_regex(self.folder(), "^/", ""), 0, -1)
        return _split(inside, pc.greater(self._depth(), 0), "/")

    def _depth(self) -> Any:
        pa, pc = arrow(), compute()
        rooted = pc.starts_with(self.folder(), "/").cast(pa.int32())
        return pc.subtract(pc.count_substring(self.folder(), "/"), rooted)

    def _query(self) -> Any:
        pa, pc = arrow(), compute()
        query = self._cut["query"]
        return pc.if_else(pc.equal(query, ""), pa.scalar(None, pa.string()), pc.utf8_slice_codeunits(query, 1))

    def _parameters(self) -> Any:
        pa, pc = arrow(), compute()
        query = self._query()
        trimmed = pc.replace_substring_regex(query, "^&+|&+$", "")
        pieces = _split(trimmed, pc.not_equal(trimmed, ""), "&+")
        flat = pieces.values
        values = pc.replace_substring_regex(flat, "(?s)^[^=]*=", "")
        values = pc.if_else(pc.match_substring(flat, "="), values, pa.scalar(None, pa.string()))
        names = pc.replace_substring_regex(flat, "(?s)=.*", "")
        pairs = pa.StructArray.from_arrays([names, values], ["name", "value"])
        return pa.ListArray.from_arrays(pieces.offsets, pairs, mask=pc.is_null(pieces))

    def _extension(self) -> Any:
        pc = compute()
        return pc.utf8_lower(pc.struct_field(pc.extract_regex(self._cut["name"], _EXTENSION), 0))


def _split(texts: Any, where: Any, separator: str) -> Any:
    """The pieces of texts; none of them where there is nothing to split."""
    pa, pc = arrow(), compute()
    pieces = pc.split_pattern_regex(texts, separator)
    return pc.if_else(where, pieces, pa.scalar([], pieces.type))


def _named(texts: Any, change: Callable[[str], str]) -> Any:
    """Dictionary-encoded texts, each of them changed once."""
    pa = arrow()
    encoded = texts.dictionary_encode()
    changed = pa.array([change(text) for text in encoded.dictionary.to_pylist()], pa.string()).dictionary_encode()
    return pa.DictionaryArray.from_arrays(changed.indices.take(encoded.indices), changed.dictionary)
