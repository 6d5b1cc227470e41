"""Entries beyond memory: packed without loss, in order, each key once; errors name the folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently

import urlset
from urlset.converters.spill import database as databases
from urlset.converters.spill import first_seen, ordered
from urlset.converters.spill.database import digest, encoded, temporary
from urlset.converters.spill.packing import packed, unpacked
from urlset.converters.spill.weight import weight
from urlset.formats.vocabulary.entry import FIELDS, Entry, Origin, sound
from urlset.formats.vocabulary.errors import WriteError

LOC = "https://example.com/"
CORE = ("loc", "lastmod", "changefreq", "priority", "title", "origin")


def everything(entry: Entry) -> tuple[object, ...]:
    """What equality looks at, and what it does not."""
    date = entry.lastmod
    return type(entry), entry, entry.origin, date and (str(date), date.precision, date.offset), repr(entry)


# --- packing

origins = st.none() | st.builds(
    Origin,
    st.text(max_size=5),
    st.none() | st.integers(0, 10**12),
    st.just(Origin("").lines) | st.just({"lastmod": 3}),
    st.none() | st.text(max_size=5),
)


@patiently(200)
@given(entries, origins)
def test_packing_loses_nothing(entry: Entry, origin: Origin | None) -> None:
    placed = entry.model_copy(update={"origin": origin})
    assert everything(unpacked(packed(placed))) == everything(placed)


@pytest.mark.parametrize("date", ["2024", "2024-05", "2024-05-06", "2024-05-06T07:30Z", "2024-05-06T07:30:00Z",
                                  "2024-05-06T07:30:00.120-03:30"])  # fmt: skip
def test_packing_keeps_the_precision(date: str) -> None:
    entry = Entry(loc=LOC, lastmod=urlset.LastMod(date))
    assert everything(unpacked(packed(entry))) == everything(entry)


class _Text(str):
    """A text of a kind of its own, as XML libraries hand out."""

    __slots__ = ()


class _Page(Entry):
    """What a third-party format may make of an entry."""

    depth: int = 0


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(sound(_Text(LOC), Origin("a"), {}), id="subclass of str"),
        pytest.param(_Page(loc=LOC, depth=3), id="subclass of Entry"),
        pytest.param(sound(f"{LOC}\ud800", Origin("a"), {"title": "\udfff\0"}), id="surrogates and NUL"),
        pytest.param(sound(LOC, Origin("a", 7), {"images": (urlset.Image(loc=LOC, line=9),)}), id="line of a block"),
        pytest.param(sound(LOC, Origin("a", 7, {"lastmod": 8}), {}), id="lines of fields"),
    ],
)
def test_packing_of_odd_entries(entry: Entry) -> None:
    again = unpacked(packed(entry))
    assert everything(again) == everything(entry)
    assert [image.line for image in again.images] == [image.line for image in entry.images]
    assert getattr(again, "depth", None) == getattr(entry, "depth", None)


def test_what_is_no_core_field_is_a_block() -> None:
    """The quick way packs the core fields alone; it is right as long as all others count as blocks."""
    values: dict[str, Any] = {name: (0,) for name in FIELDS if name not in CORE}
    for name, value in values.items():
        assert sound(LOC, Origin("a"), {name: value}).has_blocks, name
    assert not sound(LOC, Origin("a"), dict.fromkeys(CORE, "x")).has_blocks


# --- weight


def test_weight_grows_with_what_an_entry_holds() -> None:
    plain = Entry(loc=LOC)
    titled = Entry(loc=LOC, title="T" * 1000)
    pictured = Entry(loc=LOC, images=(urlset.Image(loc=LOC, caption="x" * 5000),) * 10)
    foreign = Entry(loc=LOC, extra=('<a xmlns="b">' + "c" * 3000 + "</a>",))
    assert weight(plain) < weight(Entry(loc=LOC + "a" * 50)) < weight(titled)
    assert weight(titled) > weight(plain) + 1000
    assert weight(pictured) > 50_000
    assert weight(foreign) > 3000


def test_weight_is_near_the_truth() -> None:
    """Of what Python says that the parts of an entry take, at least half and at most twice."""
    date = urlset.LastMod("2024-05-06T07:30:00Z")
    entry = sound(LOC + "a" * 40, Origin("a", 12345), {"lastmod": date, "priority": 0.55})
    parts = [entry, vars(entry), entry.loc, date, str(date), entry.priority, entry.origin]
    assert 0.5 < weight(entry) / sum(map(sys.getsizeof, parts)) < 2


# --- order and keys

keys = st.text(st.characters(), max_size=3)  # halves of surrogate pairs, too
rooms = st.sampled_from([-1, 0, 3 * weight(Entry(loc=LOC)), 10**9])


@patiently(150)
@given(st.lists(keys, max_size=12), rooms)
def test_order_is_that_of_a_stable_sort(given_keys: list[str], room: int) -> None:
    pairs = [(key, Entry(loc=f"{LOC}{at}")) for at, key in enumerate(given_keys)]
    assert list(ordered(iter(pairs), room)) == sorted(pairs, key=lambda pair: pair[0])


@given(st.lists(keys, max_size=20), st.sampled_from([-1, 0, 460, 10**9]))
def test_each_key_is_first_once(given_keys: list[str], room: int) -> None:
    with first_seen(room) as is_first:
        assert [is_first(key) for key in given_keys] == [
            key not in given_keys[:at] for at, key in enumerate(given_keys)
        ]


def test_digests_have_128_bits_and_the_bytes_the_order_of_code_points() -> None:
    assert len(digest("a")) == 16
    assert digest("a") != digest("b")
    texts = ["", "\0", "a", "\ud7ff", "\ud800", "\udfff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]
    assert sorted(texts, key=encoded) == texts == sorted(texts)


def test_leaving_early_closes_the_database() -> None:
    pairs = ordered(((str(at), Entry(loc=LOC)) for at in range(9)), 0)
    assert next(pairs)[0] == "0"
    pairs.close()  # type: ignore[attr-defined]
    assert list(pairs) == []


# --- errors


def test_a_folder_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with pytest.raises(WriteError, match="TMPDIR") as caught, temporary():
        pass
    assert caught.value.source == str(tmp_path / "none")


def test_small_lists_need_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    entry = Entry(loc=LOC)
    assert list(ordered([("b", entry), ("a", entry)])) == [("a", entry), ("b", entry)]


@pytest.mark.parametrize(("there", "folder"), [({"/tmp"}, "/tmp"), ({"/var/tmp", "/tmp"}, "/var/tmp"), (set(), ".")])  # noqa: S108
def test_without_a_choice_it_is_the_folder_of_the_system(
    there: set[str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.delenv("SQLITE_TMPDIR", raising=False)
    monkeypatch.setattr(databases, "_usable", there.__contains__)
    with pytest.raises(WriteError) as caught, temporary() as connection:
        connection.execute("SELECT x FROM nowhere")
    assert caught.value.source == folder


def test_other_systems_have_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(databases, "_is_posix", False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    with pytest.raises(WriteError) as caught, temporary() as connection:
        connection.execute("SELECT x FROM nowhere")
    assert caught.value.source == str(tmp_path)


def test_faults_of_the_source_come_through() -> None:
    def pairs() -> Any:
        yield "a", Entry(loc=LOC)
        raise KeyError("upstream")

    with pytest.raises(KeyError, match="upstream"):
        list(ordered(pairs(), 0))


SMALL_DISK = """
import resource, sys, urlset
from urlset.converters import steps
from urlset.converters.spill import database, seen
from urlset.formats.vocabulary.errors import WriteError
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
database.temporary.__wrapped__.__defaults__ = (100,)  # KiB
seen._CACHE = 100
entries = (urlset.Entry(loc="https://example.com/%d" % (at * 7919 % 20_000)) for at in range(20_000))
keep = sys.argv[1]
found = steps.in_order(entries, 0) if keep == "sort" else steps.deduplicated(keep, urlset.Ledger(), 0)(entries)
try:
    print(sum(1 for _ in found))
except WriteError as error:
    print(error)
"""


@pytest.mark.parametrize("step", ["sort", "first", "last", "newest"])
def test_a_full_disk_is_told(step: str, tmp_path: Path) -> None:
    """A limit on the size of files stands for the end of the disk."""
    env = {"TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SMALL_DISK, step], env=env, capture_output=True, text=True)
    assert done.stdout.startswith(f"{tmp_path}: no room for temporary files: "), done.stderr
    assert list(tmp_path.iterdir()) == []


# --- memory

GROWTH = """
import re, sys, urlset
from urlset.converters import steps
from urlset.formats.vocabulary.entry import Origin, sound
count, room, names = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
date = urlset.LastMod("2024-05-06")
entries = (sound("https://example.com/%d" % (at * 7919 % count), Origin("a", at), {"lastmod": date})
           for at in range(count))
for name in names:
    step = steps.deduplicated(name, urlset.Ledger(), room) if name != "sort" else lambda one: steps.in_order(one, room)
    entries = step(entries)
assert sum(1 for _ in entries) == count
print(re.search(r"VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())[1])
"""


def peak(*arguments: object) -> int:
    command = [sys.executable, "-c", GROWTH, *map(str, arguments)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read where Linux has it")
@pytest.mark.parametrize("names", [("newest", "sort"), ("first",)])
def test_memory_is_bounded(names: tuple[str, ...]) -> None:
    """What is on disk takes a small part of what it would take in memory."""
    nothing = peak(1, 0, *names)
    count = 150_000
    in_memory = peak(count, 10**12, *names) - nothing
    on_disk = peak(count, 1_000_000, *names) - nothing
    assert on_disk < in_memory * (0.75 if names == ("first",) else 0.5)
