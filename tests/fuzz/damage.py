"""What can happen to a document, and what it must not cost.

A seed knows where its records and their addresses stand, so ``check`` can tell what is missing that was not touched.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import promises
from lxml import etree
from seeds import Seed

_ELEMENT_NAME = re.compile(r"(?:\{[^}]*\})?(?:url|sitemap|item|entry)", re.IGNORECASE)

FRAGMENTS: tuple[bytes, ...] = (
    b"<", b">", b"&", b"&amp;", b"&nbsp;", b"&bogus;", b"&#0;", b"&#x1F600;", b"]]>", b"<!--", b"-->", b"<![CDATA[",
    b'"', b"'", b"\0", b"\x0b", b"\x7f", b"\xff", b"\xc3", b"\xef\xbf\xbe", b"\xed\xa0\x80", b"\xe2\x80\x9c",
    b"\xe2\x80\x9d", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"\r", b"\n",
    b"\t", b" ", b",", b";", b"|", b"#", b"%", b"%25", b"\\", b"{", b"}", b"[", b"]", b"/", b"//", b"..", b"@", b":",
    b"<url>", b"<item>", b"<entry>", b"<sitemap>", b"<loc>", b"<link/>", b"<b>", b"<x:y>", b"<image:loc>",
    b"</urlset>", b"</url>", b"</loc>", b"</item>", b"</channel>", b"</feed>", b"</b>", b"<?xml version='1.0'?>",
    b"<?php", b"?>", b'<!DOCTYPE x [<!ENTITY a "b">]>', b"<!DOCTYPE html>", b"<!x>", b"&a;", b"http://", b"null",
)  # fmt: skip

ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "latin-1", "cp1252", "shift_jis")
DECLARED = (b"utf-16", b"latin-1", b"windows-1252", b"us-ascii", b"shift_jis", b"x-none", b"utf-7", b"zlib", b"UTF-8")

Pick = Callable[[int], int]
"""Gives a number from 0 to below its argument; whoever plays the dice hands it in."""


# --- damages


class Cut(NamedTuple):
    """The end is lost."""

    at: int

    def span(self, length: int) -> tuple[int, int]:
        """What it touches of a document of that length."""
        return self.at, length

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return data[: self.at]


class Delete(NamedTuple):
    """A span is lost."""

    at: int
    size: int

    def span(self, length: int) -> tuple[int, int]:
        """What it touches of a document of that length."""
        return self.at, self.at + self.size

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return data[: self.at] + data[self.at + self.size :]


class Duplicate(NamedTuple):
    """A span stands twice."""

    at: int
    size: int

    def span(self, length: int) -> tuple[int, int]:
        """What it touches of a document of that length."""
        return self.at, self.at + self.size

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return data[: self.at + self.size] + data[self.at :]


class Swap(NamedTuple):
    """Two spans that follow one another have changed places."""

    at: int
    size: int
    other: int

    def span(self, length: int) -> tuple[int, int]:
        """What it touches of a document of that length."""
        return self.at, self.at + self.size + self.other

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        middle, end = self.at + self.size, self.at + self.size + self.other
        return data[: self.at] + data[middle:end] + data[self.at : middle] + data[end:]


class Insert(NamedTuple):
    """Something stands there that does not belong."""

    at: int
    fragment: bytes

    def span(self, length: int) -> tuple[int, int]:
        """What it touches of a document of that length."""
        return self.at, self.at

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return data[: self.at] + self.fragment + data[self.at :]


class Encode(NamedTuple):
    """The text is in another encoding."""

    name: str

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return data.decode("utf-8", "replace").encode(self.name, "replace")


class Declare(NamedTuple):
    """The XML declaration names another encoding."""

    name: bytes

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return re.sub(rb"""encoding=["'][^"']*["']""", b'encoding="' + self.name + b'"', data, count=1)


class Pack(NamedTuple):
    """The bytes are gzip data."""

    level: int = 6

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return gzip.compress(data, self.level, mtime=0)


class CutPacked(NamedTuple):
    """The end of the gzip data is lost."""

    at: int

    def apply(self, data: bytes) -> bytes:
        """The damaged bytes."""
        return gzip.compress(data, mtime=0)[: self.at]


Damage = Cut | Delete | Duplicate | Swap | Insert | Encode | Declare | Pack | CutPacked


def one(pick: Pick, data: bytes) -> Damage:
    """A single damage."""
    if pick(10) == 0:
        return CutPacked(pick(len(gzip.compress(data))))
    return _to_text(pick, len(data))


def chosen(pick: Pick, data: bytes, most: int = 3) -> list[Damage]:
    """Damages to apply one after another: to the text, to its encoding, to its packing, as the dice fall."""
    damages = [_to_text(pick, len(data)) for _ in range(pick(most) + 1)]
    if pick(5) == 0:
        damages.append(Encode(ENCODINGS[pick(len(ENCODINGS))]))
    elif pick(8) == 0:
        damages.append(Declare(DECLARED[pick(len(DECLARED))]))
    if pick(6) == 0:
        damages.append(Pack((1, 6, 9)[pick(3)]))
        if pick(3):
            damages.append(_to_text(pick, 400))
    return damages


def _to_text(pick: Pick, length: int) -> Damage:
    kind, at = pick(8), pick(length + 1)
    if kind == 0:
        return Cut(at)
    if kind == 1:
        return Delete(at, _size(pick))
    if kind == 2:
        return Duplicate(at, _size(pick))
    if kind == 3:
        return Swap(at, _size(pick), _size(pick))
    return Insert(at, FRAGMENTS[pick(len(FRAGMENTS))])


def _size(pick: Pick) -> int:
    """Spans are short as often as long."""
    return pick((3, 12, 60, 400)[pick(4)]) + 1


def applied(data: bytes, damages: Sequence[Damage]) -> bytes:
    """The bytes after all damages."""
    for damage in damages:
        data = damage.apply(data)
    return data


# --- what a damage must not cost


def check(seed: Seed, damage: Damage) -> None:
    """Check the promises for one damage to a whole document: they can be told more exactly then."""
    data = damage.apply(seed.data)
    for options in (seed.options, {**seed.options, "from_": seed.format}):
        job = promises.check(data, options)
        locs = job.locs()
        nothing_shortened(seed, damage, locs)
        if isinstance(damage, Insert):
            nothing_lost(seed, damage, data, job, locs)


def nothing_shortened(seed: Seed, damage: Damage, locs: list[str]) -> None:
    """No address is the beginning of another one that the damage did not touch; none comes from an unfinished record.

    A line of a list that is cut off looks like any other line, so there the end of the file may cost the end of one.
    """
    if isinstance(damage, Encode | Declare | Pack):
        return
    changed = [loc for loc in locs if loc not in set(seed.locs)]
    ends_with_mark = seed.is_xml or seed.format == "jsonl"
    if changed and (isinstance(damage, CutPacked) or (isinstance(damage, Cut) and ends_with_mark)):
        raise promises.BrokenPromise("shortened", f"{changed[0]!r} comes from a record that is cut off")
    if not isinstance(damage, Cut | Delete | Insert):
        return  # what is repeated or changes places may be an address of something else
    first, last = damage.span(len(seed.data))
    if first <= seed.records[0].start:
        return  # the header of a table may name another column then, and a feed's own link be an entry's
    touched = sum(first <= record.loc_end and record.loc_start <= last for record in seed.records)
    shortened = [loc for loc in changed if any(whole.startswith(loc) for whole in seed.locs)]
    if len(shortened) > touched:
        raise promises.BrokenPromise("shortened", f"{shortened} are beginnings, and {damage} touched {touched}")


def nothing_lost(seed: Seed, damage: Insert, data: bytes, job: promises.Job, locs: list[str]) -> None:
    """What is inserted into one record costs no other, or the job ends with an error; and nothing goes in silence."""
    touched = [record for record in seed.records if record.start <= damage.at <= record.end]
    if len(touched) != 1 or job.has_errors or _hidden_by_xml(seed, data):
        return
    others = [record.loc for record in seed.records if record is not touched[0]]
    lost = [loc for loc in others if others.count(loc) > locs.count(loc)]
    if lost:
        raise promises.BrokenPromise("lost", f"{damage} into {touched[0].loc!r} cost {lost}, without an error")
    silent = not job.ledger.counts.filtered and all(one.severity == "info" for one in job.ledger.findings)
    # A comment is no record, and neither is an unknown field of a robots.txt.
    passed_over = seed.format == "robots" or (damage.fragment == b"#" and seed.format in ("access-log", "text"))
    if len(locs) < len(seed.records) and silent and not passed_over:
        raise promises.BrokenPromise("lost", f"{damage} cost {touched[0].loc!r} without a word")


def _hidden_by_xml(seed: Seed, data: bytes) -> bool:
    """A comment, say, that is opened and, further down, closed by another one's end, is no damage to XML."""
    if not seed.is_xml:
        return False
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return False
    return sum(_ELEMENT_NAME.fullmatch(str(element.tag)) is not None for element in root.iter()) < len(seed.records)
