"""What is written many entries at a time is what is written one by one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.converters.steps import Losses
from urlset.formats import registry
from urlset.formats.vocabulary.batches import columns_of
from urlset.formats.vocabulary.date_columns import Dates
from urlset.formats.vocabulary.entry import CHANGE_FREQUENCIES, Core, Entry, Image, Origin, sound
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger

sys.path.insert(0, str(Path(__file__).parent))
from entry_strategies import dates, entries, locs, patiently

WRITERS = [one for one in registry() if one.write is not None and one.write.encode_plain is not None]

plain = st.builds(
    lambda loc, values: sound(loc, Origin("s"), values),
    st.sampled_from(["https://example.com/", "https://example.com/?a=1&b='2'", "https://other.example/x"]) | locs,
    st.fixed_dictionaries(
        {},
        optional={
            "lastmod": st.none() | dates,
            "changefreq": st.none() | st.sampled_from(CHANGE_FREQUENCIES),
            "priority": st.none() | st.sampled_from([0.0, 0.1, 0.55, 1.0]),
            "title": st.none() | st.just("T"),
        },
    ),
)


def one_by_one(format_: Format, some: list[Entry]) -> bytes | None:
    assert format_.write is not None
    try:
        return b"".join(format_.write.encode(entry).data for entry in some)
    except ValueError:
        return None


@pytest.mark.parametrize("format_", WRITERS, ids=lambda one: one.name)
@given(st.lists(plain | entries, min_size=1, max_size=5))
@patiently(200)
def test_many_are_written_as_each_is(format_: Format, some: list[Entry]) -> None:
    assert format_.write is not None
    assert format_.write.encode_plain is not None
    core = columns_of(some)
    together = None if core is None else format_.write.encode_plain(core)
    assert together is None or together == one_by_one(format_, some)


@pytest.mark.parametrize("format_", WRITERS, ids=lambda one: one.name)
def test_usual_entries_are_written_together(format_: Format) -> None:
    addresses = [f"https://example.com/{number}?a=1&b=2" for number in range(9)]
    dates = Dates(["", "2024-05-06", "2024-05-06T07:08:09Z"] * 3)
    some = Core(["s"] * 9, addresses, dates, ["daily"] * 9, [0.5] * 9, range(9))
    assert format_.write is not None
    assert format_.write.encode_plain is not None
    assert format_.write.encode_plain(some) == one_by_one(format_, [*some.entries()])


def test_an_entry_with_blocks_is_not_plain_whatever_made_it() -> None:
    whole = Entry(loc="https://example.com/", images=(Image(loc="https://example.com/i"),))
    core = sound("https://example.com/", Origin("s"), {})
    assert not core.has_blocks
    assert core.model_copy(update={"images": whole.images}).has_blocks
    assert sound("https://example.com/", Origin("s"), {"images": whole.images}).has_blocks
    assert whole.has_blocks


@pytest.mark.parametrize("format_", [one for one in registry() if one.write is not None], ids=lambda one: one.name)
@given(st.lists(plain, min_size=1, max_size=5))
def test_columns_lose_what_their_entries_lose(format_: Format, some: list[Entry]) -> None:
    core = columns_of(some)
    assert core is not None
    reports = []
    for what in (some, core):
        losses, ledger = Losses(format_), Ledger()
        losses.see(what)
        losses.report(ledger, "warn")
        reports.append(ledger.findings)
    assert reports[0] == reports[1]
