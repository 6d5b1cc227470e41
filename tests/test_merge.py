"""Merging and sorting: beyond memory as in memory, and both as the plainest code that could be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently

import urlset
from urlset.converters import steps
from urlset.converters.spill.weight import weight
from urlset.formats.vocabulary.entry import Entry, Origin
from urlset.formats.vocabulary.errors import WriteError
from urlset.formats.vocabulary.urls import dedupe_key

# Several spellings of few addresses, and dates that name one moment in several ways.
LOCS = [
    "https://example.com/a",
    "HTTPS://EXAMPLE.com:443/%61#x",
    "https://example.com/%7Eb",
    "https://example.com/~b",
    "https://example.com/é",
    "https://example.com/%c3%a9",
    "not absolute",
    "https://example.com/\U0001f600",
]
DATES = ["2024", "2024-01", "2024-01-01", "2024-01-01T00:00Z", "2024-01-01T01:00:00+01:00", "2024-01-01T00:00:00.5Z",
         "2023-12-31T23:59:59.999Z", "2024-01-01T00:00:00.50-00:00", "2024-02-29T12:00:00Z"]  # fmt: skip
plain = st.builds(
    Entry,
    loc=st.sampled_from(LOCS),
    lastmod=st.none() | st.sampled_from(DATES).map(urlset.LastMod),
    title=st.none() | st.integers(0, 9).map(str),
)
rich = st.builds(lambda one, loc: one.model_copy(update={"loc": loc}), entries, st.sampled_from(LOCS))
lists = st.lists(plain | plain | rich, max_size=14)
rooms = st.sampled_from([0, 3 * weight(Entry(loc=LOCS[0])), 10**9])
KEEPS: list[steps.Dedupe] = ["first", "last", "newest"]


def reference(keep: steps.Dedupe, given_entries: list[Entry]) -> list[Entry]:
    groups: dict[str, list[Entry]] = {}
    for entry in given_entries:
        groups.setdefault(dedupe_key(entry.loc), []).append(entry)
    return [chosen(keep, group) for group in groups.values()]


def chosen(keep: steps.Dedupe, group: list[Entry]) -> Entry:
    if keep != "newest":
        return group[0 if keep == "first" else -1]
    dated = [one.lastmod.instant for one in group if one.lastmod]
    return next(one for one in group if not dated or (one.lastmod and one.lastmod.instant == max(dated)))


def lined(given_entries: list[Entry]) -> list[Entry]:
    """Each with a line, which tells entries apart that are equal."""
    return [one.model_copy(update={"origin": Origin("a", line)}) for line, one in enumerate(given_entries)]


def told(found: list[Entry]) -> list[tuple[Entry, Origin | None, str]]:
    return [(one, one.origin, repr(one.lastmod and one.lastmod.precision)) for one in found]


@patiently(300)
@given(lists, st.sampled_from(KEEPS), rooms)
def test_merging_beyond_memory(drawn: list[Entry], keep: steps.Dedupe, room: int) -> None:
    ledger = urlset.Ledger()
    given_entries = lined(drawn)
    found = list(steps.deduplicated(keep, ledger, room)(iter(given_entries)))
    assert told(found) == told(reference(keep, given_entries))
    assert ledger.counts.duplicates == len(given_entries) - len(found)


@patiently(150)
@given(lists, rooms)
def test_sorting_beyond_memory(drawn: list[Entry], room: int) -> None:
    given_entries = lined(drawn)
    assert told(list(steps.in_order(given_entries, room))) == told(sorted(given_entries, key=lambda one: one.loc))


A, B = "https://example.com/a", "https://example.com/b"


@pytest.mark.parametrize("room", [0, 10**9], ids=["disk", "memory"])
@pytest.mark.parametrize(
    ("keep", "dates", "stays"),
    [
        pytest.param("first", ["2024", "2025"], 0, id="first"),
        pytest.param("last", ["2025", "2024"], 1, id="last"),
        pytest.param("last", ["2025", None], 1, id="last-without-date"),
        pytest.param("newest", ["2024", "2025", "2023"], 1, id="newest"),
        pytest.param("newest", [None, "2023"], 1, id="a-date-is-newer-than-none"),
        pytest.param("newest", ["2023", None], 0, id="none-is-never-newer"),
        pytest.param("newest", [None, None], 0, id="no-dates"),
        pytest.param("newest", ["2024-01-01", "2024-01-01T00:00:00Z", "2024"], 0, id="one-moment"),
        pytest.param("newest", ["2024-01-01T01:00:00+02:00", "2024-01-01T00:00:00Z"], 1, id="zones"),
        pytest.param("newest", ["2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00.49Z"], 0, id="fractions"),
    ],
)
def test_which_entry_stays(keep: steps.Dedupe, dates: list[str | None], stays: int, room: int) -> None:
    copies = [
        Entry(loc=A, lastmod=urlset.LastMod(date) if date else None, title=str(at)) for at, date in enumerate(dates)
    ]
    found = list(steps.deduplicated(keep, urlset.Ledger(), room)([copies[0], Entry(loc=B), *copies[1:]]))
    assert found == [copies[stays], Entry(loc=B)]  # in the place of the first


def test_a_larger_entry_in_place_of_a_small_one_counts() -> None:
    """What replaces an entry may exceed memory, too."""
    large = Entry(loc=A, title="x" * 5000)
    step = steps.deduplicated("last", urlset.Ledger(), weight(Entry(loc=A)) + 1000)
    assert list(step([Entry(loc=A), large, Entry(loc=B), Entry(loc=A)])) == [Entry(loc=A), Entry(loc=B)]


@pytest.mark.parametrize("options", [{"dedupe": "first"}, {"dedupe": "newest"}, {"dedupe": "last", "sort": True}])
def test_every_record_is_accounted_for(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    for step in (steps.in_order, steps.deduplicated):
        monkeypatch.setattr(step, "__defaults__", (0,))
    lines = "\n".join(f"https://example.com/{at % 70}" for at in range(100)) + "\nhttps:///none\n"
    result = urlset.convert(lines.encode(), f"{tmp_path}/out.txt", from_="text", exclude=["*/69"], **options)
    counts = result.ledger.counts
    assert (counts.read, counts.written, counts.rejected, counts.filtered, counts.duplicates) == (101, 69, 1, 1, 30)


@pytest.mark.parametrize("keep", KEEPS)
def test_a_folder_that_is_none(keep: steps.Dedupe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere")
    with pytest.raises(WriteError, match="/nowhere: no room for temporary files"):
        list(steps.deduplicated(keep, urlset.Ledger(), 0)([Entry(loc=A)]))
