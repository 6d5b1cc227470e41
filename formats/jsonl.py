"""JSON lines: one Entry a line, and the only text format that loses nothing.

Specification: https://jsonlines.org, with the fields of Entry; absent ones are left out, and null is absent.

A line's ``rejected`` object (from ``--rejects``) is passed over, so that mended rejects can be read as they are. So are
the columns that an inventory has beside these fields; but its ``lastmod_text`` is the date if it means the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from json.encoder import encode_basestring as _string
from math import isfinite
from typing import Any, TypeGuard

from pydantic import ValidationError

from urlset.formats.vocabulary.batches import Batches, counted, gathered, line_slices, one_by_one
from urlset.formats.vocabulary.date_columns import plain_dates
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.decode import TextReader, iter_lines, sniff_encoding
from urlset.formats.vocabulary.entry import FIELDS, Core, Entry, Origin
from urlset.formats.vocabulary.feed_dates import read_any
from urlset.formats.vocabulary.format import Format, Head, Piece, ReadOptions, Writer
from urlset.formats.vocabulary.inventory_columns import OWN, PRECISION, TEXT, told_date
from urlset.formats.vocabulary.json_fields import field_value, truth
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import (
    PLAIN_NUMBERS,
    PLAIN_WORDS,
    changefreq_of,
    date_of,
    decimal_text,
    priority_of,
    usable_loc,
)
from urlset.formats.vocabulary.source import Source
from urlset.formats.vocabulary.url_columns import plain_text


def sniff(head: Head) -> bool:
    """The first line is a JSON object with a loc."""
    first = head.lines[0] if head.lines else head.text.strip()[:1]
    if not first.startswith("{"):
        return False
    if not first.endswith("}"):
        # A line longer than the head.
        return '"loc"' in first
    try:
        found = json.loads(first)
    except ValueError:
        return False
    return isinstance(found, dict) and "loc" in found


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a line; a line that is no object with known fields is rejected."""
    return one_by_one(batches(source, account, options), account)


def batches(source: Source, account: Account, options: ReadOptions) -> Batches:
    """The same in batches."""
    encoding = sniff_encoding(source.head(), None, options.encoding)
    with closing(source.open(account.report)) as stream:
        chunks = TextReader(stream, encoding, account.report)
        for lines in line_slices(iter_lines(chunks, source.limits.max_record, account.report)):
            if (core := _even(account, lines)) is not None:
                yield from counted(core, account)
            else:
                yield from gathered(_listed(lines, account, options), account)


def _even(account: Account, lines: Sequence[tuple[int, str]]) -> Core | None:
    """The entries of lines of which there is nothing to say; None, and nothing done, if there may be."""
    numbers, texts = zip(*lines, strict=True)
    rows: list[dict[str, Any]] = []
    try:
        for text in texts:
            row = json.loads(text)
            # Lines with blocks are parsed again one by one, so the first of them ends this.
            if type(row) is not dict or not _KINDS.keys() >= row.keys():
                return None
            rows.append(row)
    except (ValueError, RecursionError):
        return None
    columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in _KINDS}
    if any(not {*map(type, columns[name])} <= kinds for name, kinds in _KINDS.items()):
        return None
    locs, lastmods = columns["loc"], plain_dates([text or "" for text in columns["lastmod"]])
    plain = plain_text(locs)
    if lastmods is None or plain is None:
        return None
    try:
        words = [PLAIN_WORDS[word or ""] for word in columns["changefreq"]]
        priorities = [*map(_NUMBERS.__getitem__, columns["priority"])]
    except KeyError:
        return None
    names = [account.name] * len(locs)
    return Core(names, locs, lastmods, words, priorities, numbers, titles=columns["title"], text=plain)


_ABSENT: type = type(None)
_MAY_BE_TEXT = {str, _ABSENT}
_KINDS: dict[str, set[type]] = {
    "loc": {str},
    "lastmod": _MAY_BE_TEXT,
    "changefreq": _MAY_BE_TEXT,
    "priority": {float, _ABSENT},
    "title": _MAY_BE_TEXT,
}
"""The fields of a usual line, and what they are."""
_NUMBERS = {value: value for value in PLAIN_NUMBERS.values()}


def _listed(lines: Iterable[tuple[int, str]], account: Account, options: ReadOptions) -> Iterator[Entry]:
    for line, text in lines:
        if text.strip("\ufeff \t"):
            account.count()
            if (entry := _entry(account, options, line, text)) is not None:
                yield entry


def encode(entry: Entry) -> Piece:
    """The entry as one line of UTF-8."""
    return Piece(json_line(entry.as_dict()).encode())


def json_line(found: Mapping[str, Any]) -> str:
    """An object as a line that UTF-8 can hold: half of a surrogate pair is escaped."""
    text = json.dumps(found, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(found)
    return f"{text}\n"


def encode_plain(core: Core) -> bytes | None:
    """What :func:`encode` gives, of many entries without blocks; None if any needs a closer look."""
    # A plain loc has nothing that JSON escapes.
    locs = [f'"{loc}"' for loc in core.locs] if core.text is not None else map(_string, core.locs)
    dates = [f', "lastmod": "{date}"' if date else "" for date in core.lastmods.printed()]
    words = [f', "changefreq": "{word}"' if word else "" for word in core.changefreqs]
    numbers = ["" if value is None else f', "priority": {value!r}' for value in core.priorities]
    titles = ["" if title is None else f', "title": {_string(title)}' for title in core.titles or [None] * len(dates)]
    rows = zip(locs, dates, words, numbers, titles, strict=True)
    text = "".join([f'{{"loc": {loc}{date}{word}{number}{title}}}\n' for loc, date, word, number, title in rows])
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _entry(account: Account, options: ReadOptions, line: int, text: str) -> Entry | None:
    try:
        found = json.loads(text, object_hook=_present)
    except (ValueError, RecursionError) as error:
        account.reject("invalid-json", f"the line is not JSON: {error}", line=line, field="record", value=text)
        return None
    if not isinstance(found, dict):
        account.reject("invalid-json", "the line is no JSON object", line=line, field="record", value=text)
        return None
    told = told_date(found.get(TEXT), found.get(PRECISION))
    _drop_unknown(account, found, line)
    raw = {name: _text(value) for name, value in found.items() if _is_plain(value)}
    loc = usable_loc(account, options, raw.get("loc", ""), line, fields=raw, raw=text)
    if loc is None:
        return None
    if told is not None and _means(told, raw.get("lastmod"), options, text):
        raw["lastmod"] = str(told)
    else:
        told = None
    core = _core(account, options, found, raw, line, told)
    origin = Origin(account.name, line)
    try:
        return Entry(**core, loc=loc, origin=origin)
    except ValidationError:
        sound = {name: _sound_part(account, name, value, line) for name, value in core.items()}
        return Entry(**sound, loc=loc, origin=origin)


def _sound_part(account: Account, name: str, value: Any, line: int) -> Any:
    """A field without the blocks, or the value, that an entry can't hold."""
    kept, faults = field_value(name, value)
    for fault in faults:
        account.find(
            "invalid-json",
            f"{fault.place}: {fault.message}; it is left out",
            line=line,
            value=fault.value,
            action="dropped-value",
            severity="warning",
            field=fault.place,
        )
    return kept


def _means(told: LastMod, text: str | None, options: ReadOptions, whole: str) -> bool:
    """Whether ``lastmod`` is the instant of a date, as far as milliseconds go, or is not there, or can't be."""
    instant = told.to_datetime()
    if text is None:
        return instant is None or "lastmod" not in json.loads(whole)
    found = read_any(text, options.zone).value
    read = None if found is None else found.to_datetime()
    if instant is None or read is None:
        return False
    return read in (instant, instant.replace(microsecond=instant.microsecond // 1_000 * 1_000))


def _present(found: dict[str, Any]) -> dict[str, Any]:
    """An object at any depth without what is null: DataFrames write every name that some other row has."""
    return {name: value for name, value in found.items() if value is not None}


def _is_plain(value: object) -> TypeGuard[str | float]:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _text(value: str | float) -> str:
    """A value as text; numbers in the form that tables and XML have, which knows no exponent."""
    return value if isinstance(value, str) else decimal_text(float(value)) if isfinite(value) else str(value)


def _drop_unknown(account: Account, found: dict[str, Any], line: int) -> None:
    """Leave unknown fields out: each name is told of once, with the number of lines that have it."""
    for name in [name for name in found if name not in FIELDS]:
        del found[name]
        if name not in _PASSED_OVER:
            message = f"the field {name} is not one of {', '.join(FIELDS)}"
            account.find_cause(
                "invalid-json", name, message, line=line, value=name, action="dropped-value", severity="warning"
            )


_PASSED_OVER = OWN | {"rejected"}


def _core(
    account: Account, options: ReadOptions, found: dict[str, Any], raw: dict[str, str], line: int, told: LastMod | None
) -> dict[str, Any]:
    core = {name: value for name, value in found.items() if name != "loc"}
    if "lastmod" in raw:
        date = date_of(account, options, raw["lastmod"], line, read=read_any, blank_is_absent=True)
        core["lastmod"] = told or date
    if "changefreq" in raw:
        core["changefreq"] = changefreq_of(account, raw["changefreq"] or None, line)
    if "priority" in raw:
        core["priority"] = priority_of(account, raw["priority"] or None, line)
    if "mobile" in core:
        core["mobile"] = truth(core["mobile"])
    return core


JSONL = Format(
    name="jsonl",
    title="JSON lines",
    specification="https://jsonlines.org/",
    suffixes=(".jsonl", ".ndjson"),
    media_types=("application/jsonl", "application/x-ndjson"),
    carries=frozenset(FIELDS),
    sniff=sniff,
    read=read,
    batches=batches,
    write=Writer(encode, encode_plain=encode_plain),
)
