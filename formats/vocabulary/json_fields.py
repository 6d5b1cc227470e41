"""Fields of an entry from JSON values, one by one: what is wrong with a block costs that block and nothing else."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from urlset.formats.vocabulary.entry import Entry

_TRUTHS = {"": None, "true": True, "1": True, "1.0": True, "false": None, "0": None, "0.0": None}
"""What tables and DataFrames print for a truth, which may have become a number on the way; no is absent."""


class Fault(NamedTuple):
    """What had to be left out of a field: where it stands (``images.1.loc``), what is wrong, and the value as JSON."""

    place: str
    message: str
    value: str


def field_value(name: str, value: Any) -> tuple[Any, list[Fault]]:
    """The value of a field as an Entry holds it, and what was left out of it: the field, or some of several blocks."""
    if name == "mobile":
        value = truth(value)
    try:
        return _checked(name, value), []
    except ValidationError as error:
        whole = _fault(error, value)
    absent = Entry.model_fields[name].default
    kept, faults = _sound_blocks(name, value) if absent == () and isinstance(value, list) else ([], [])
    return (tuple(kept), faults) if kept else (absent, [whole])


def _sound_blocks(name: str, blocks: list[Any]) -> tuple[list[Any], list[Fault]]:
    kept: list[Any] = []
    faults: list[Fault] = []
    for at, block in enumerate(blocks):
        try:
            kept.extend(_checked(name, [block]))
        except ValidationError as error:
            faults.append(_fault(error, block, at))
    return kept, faults


def truth(value: Any) -> Any:
    """True, or None for no and nothing; what is neither stays as it is."""
    return value if isinstance(value, list | dict) else _TRUTHS.get(str(value).strip().lower(), value)


def _checked(name: str, value: Any) -> Any:
    return getattr(Entry(loc="x", **{name: value}), name)


def _fault(error: ValidationError, value: Any, at: int | None = None) -> Fault:
    first = error.errors(include_url=False)[0]
    path = [*first["loc"]]
    if at is not None:
        path[1:2] = [at]  # there was only one
    message = first["msg"].replace("a valid tuple", "a list")
    return Fault(".".join(map(str, path)), message, json.dumps(value, ensure_ascii=False, default=str))
