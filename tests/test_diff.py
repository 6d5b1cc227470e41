"""Two inventories compared: what counts as one page, as a change, and as a move; that nothing is lost."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import urlset
from urlset.converters.diff import moves, rows, sides
from urlset.converters.diff.output import Files
from urlset.converters.output import FileSet
from urlset.formats.vocabulary.entry import Entry
from urlset.formats.vocabulary.errors import OptionError, SourceError, StrictError, WriteError
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.urls import dedupe_key

LOC = "https://example.com/"


def page(path: str = "", base: str = LOC, **values: Any) -> Entry:
    return Entry(loc=f"{base}{path}", **values)


def pages(base: str, *paths: str, **values: Any) -> list[Entry]:
    return [page(path, base, **values) for path in paths]


def locs(found: Any) -> list[str]:
    return [one.loc for one in found]


def text(*addresses: str) -> bytes:
    return "\n".join(addresses).encode()


def sitemap(*entries: str) -> bytes:
    body = "".join(f"<url>{entry}</url>" for entry in entries)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{body}</urlset>'.encode()


def rules(found: urlset.Diff) -> list[str]:
    return [finding.rule for finding in found.ledger.findings]


# --- one page


def test_added_removed_unchanged() -> None:
    found = urlset.diff(pages(LOC, "a", "b", "c"), pages(LOC, "c", "d", "b"))
    assert (locs(found.added), locs(found.removed)) == ([f"{LOC}d"], [f"{LOC}a"])
    assert (found.unchanged, list(found.changed), list(found.moved)) == (2, [], [])
    assert found
    assert found.pages_old == found.pages_new == 3


def test_order_is_no_difference() -> None:
    assert not urlset.diff(pages(LOC, "a", "b"), pages(LOC, "b", "a"))


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        # What RFC 3986 6.2.2 and 6.2.3 hold safe, and the fragment, which is never sent (3.5).
        ("https://example.com/a", "HTTPS://EXAMPLE.com/a", True),
        ("https://example.com/a", "https://example.com:443/a", True),
        ("https://example.com", "https://example.com/", True),
        ("https://example.com/~a", "https://example.com/%7Ea", True),
        ("https://example.com/é", "https://example.com/%c3%a9", True),
        ("https://example.com/a", "https://example.com/b/../a", True),
        ("https://example.com/a", "https://example.com/a#top", True),
        # What it does not.
        ("https://example.com/a", "http://example.com/a", False),
        ("https://example.com/a", "https://www.example.com/a", False),
        ("https://example.com/a", "https://example.com/a/", False),
        ("https://example.com/a", "https://example.com/A", False),
        ("https://example.com/a?x=1&y=2", "https://example.com/a?y=2&x=1", False),
    ],
)
def test_what_is_one_page(old: str, new: str, same: bool) -> None:
    found = urlset.diff([Entry(loc=old)], [Entry(loc=new)])
    assert found.counts["unchanged"] == same
    assert len(found.added) == len(found.removed) == (not same)


def test_the_first_of_several_entries_for_a_page_counts() -> None:
    old = [page("a", priority=0.1), page("a", priority=0.2), page("b")]
    new = [page("b"), page("a", priority=0.1), page("b#x", priority=0.9), page("b", priority=0.3)]
    found = urlset.diff(old, new)
    assert not found
    assert (found.duplicates_old, found.duplicates_new, found.unchanged) == (1, 2, 2)
    assert found.report()["counts"] == {
        "read": 7, "written": 4, "rejected": 0, "repaired": 0, "filtered": 0, "duplicates": 3,
    }  # fmt: skip


# --- one change

IMAGE, OTHER = urlset.Image(loc="https://example.com/1.jpg"), urlset.Image(loc="https://example.com/2.jpg")
GERMAN = urlset.Alternate(hreflang="de", href="https://example.com/de")
FRENCH = urlset.Alternate(hreflang="fr", href="https://example.com/fr")


def news(date: str) -> urlset.News:
    return urlset.News(title="A", publication_date=urlset.LastMod(date))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        # Instants are compared as instants; a date is no instant (W3C NOTE-datetime).
        ({"lastmod": "2024-05-06T07:08:09+02:00"}, {"lastmod": "2024-05-06T05:08:09Z"}, []),
        ({"lastmod": "2024-05-06T07:08Z"}, {"lastmod": "2024-05-06T07:08:00Z"}, []),
        ({"lastmod": "2024-05-06T07:08:09.50Z"}, {"lastmod": "2024-05-06T07:08:09.5Z"}, []),
        ({"lastmod": "2024-05-06T07:08:09.5Z"}, {"lastmod": "2024-05-06T07:08:09Z"}, ["lastmod"]),
        ({"lastmod": "2024-05-06"}, {"lastmod": "2024-05-06"}, []),
        ({"lastmod": "2024-05-06"}, {"lastmod": "2024-05-06T00:00:00Z"}, ["lastmod"]),
        ({"lastmod": "2024-05"}, {"lastmod": "2024-05-01"}, ["lastmod"]),
        ({"lastmod": "2024-05-06"}, {}, ["lastmod"]),
        # Absent is no value, and no value is like it.
        ({"priority": 0.5}, {}, ["priority"]),
        ({"priority": 0.0}, {}, ["priority"]),
        ({"priority": 0.5}, {"priority": 0.50}, []),
        ({"title": ""}, {}, ["title"]),
        ({"changefreq": "daily", "title": "A"}, {"changefreq": "weekly", "title": "B"}, ["changefreq", "title"]),
        # The order of blocks means nothing; their number and what they say does.
        ({"images": (IMAGE, OTHER)}, {"images": (OTHER, IMAGE)}, []),
        ({"images": (IMAGE, IMAGE)}, {"images": (IMAGE,)}, ["images"]),
        ({"alternates": (GERMAN, FRENCH)}, {"alternates": (FRENCH, GERMAN)}, []),
        ({"alternates": (GERMAN,)}, {"alternates": (FRENCH,)}, ["alternates"]),
        ({"news": news("2024-05-06T07:08:09+02:00")}, {"news": news("2024-05-06T05:08:09Z")}, []),
        ({"news": news("2024-05-06")}, {"news": news("2024-05-07")}, ["news"]),
    ],
)
def test_what_is_a_change(old: dict[str, Any], new: dict[str, Any], changed: list[str]) -> None:
    found = urlset.diff([page(**old)], [page(**new)])
    assert [list(change.names) for change in found.changed] == ([changed] if changed else [])
    assert found.unchanged == (not changed)


def test_a_change_has_both_values_and_both_origins() -> None:
    old = sitemap(f"<loc>{LOC}</loc>\n<priority>0.5</priority>")
    new = sitemap(f"\n<loc>{LOC}#a</loc><lastmod>2024-05-06</lastmod>")
    (change,) = urlset.diff(old, new).changed
    assert change.fields == {"lastmod": (None, urlset.LastMod("2024-05-06")), "priority": (0.5, None)}
    assert change.as_dict() == {
        "loc": f"{LOC}#a",
        "old_loc": LOC,
        "fields": {"lastmod": {"old": None, "new": "2024-05-06"}, "priority": {"old": 0.5, "new": None}},
    }
    assert change.old.origin is not None and change.old.origin.line == 1
    assert change.new.origin is not None and change.new.origin.line == 2


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ({}, ["lastmod", "priority", "title"]),
        ({"fields": ["priority", "lastmod"]}, ["lastmod", "priority"]),
        ({"ignore": ["title"]}, ["lastmod", "priority"]),
        ({"fields": ["title", "lastmod"], "ignore": ["title"]}, ["lastmod"]),
        ({"fields": ["loc"]}, []),
        ({"fields": []}, []),
    ],
)
def test_fields_are_chosen(options: dict[str, Any], changed: list[str]) -> None:
    old, new = page(lastmod="2024", priority=0.1, title="A"), page(lastmod="2025", priority=0.2, title="B")
    found = urlset.diff([old], [new], **options)
    assert [name for change in found.changed for name in change.names] == changed


# --- what a format can't hold

FULL = sitemap(f"<loc>{LOC}</loc><lastmod>2024-05-06</lastmod><priority>0.5</priority>")
SAID = "fields-not-compared"


@pytest.mark.parametrize(
    ("old", "new", "changed", "said"),
    [
        pytest.param(text(LOC), FULL, [], ["lastmod, priority can't be compared"], id="a text list holds addresses"),
        pytest.param(FULL, text(LOC), [], ["lastmod, priority can't be compared"], id="the other way round"),
        pytest.param(text(LOC), text(LOC), [], [], id="nothing to say"),
        pytest.param(text(LOC), sitemap(f"<loc>{LOC}</loc>"), [], [], id="nothing that is missed"),
        pytest.param(
            text(f"{LOC} lastmod=2024-05-07"), FULL, ["lastmod"], ["priority can't be compared"], id="attributes"
        ),
        pytest.param(
            f"url,last modified\n{LOC},2024-05-07\n".encode(),
            FULL,
            ["lastmod"],
            ["priority can't be compared: this CSV table"],
            id="the columns of a table",
        ),
        pytest.param(
            f'{{"loc": "{LOC}", "title": "A", "lastmod": "2024-05-06", "priority": 0.5}}\n'.encode(),
            FULL,
            [],
            ["title can't be compared: Sitemap 0.9 does not hold it"],
            id="a title",
        ),
    ],
)
def test_what_a_format_cant_hold_is_no_change(old: bytes, new: bytes, changed: list[str], said: list[str]) -> None:
    found = urlset.diff(old, new)
    assert [name for change in found.changed for name in change.names] == changed
    messages = [(one.severity, one.message) for one in found.ledger.findings if one.rule == SAID]
    assert [severity for severity, _ in messages] == ["info"] * len(said)
    assert all(message.startswith(start) for (_, message), start in zip(messages, said, strict=True))


def test_what_was_asked_for_and_cant_be_compared_is_a_warning() -> None:
    found = urlset.diff(text(LOC), text(LOC), fields=["priority"])
    assert [(one.rule, one.severity) for one in found.ledger.findings] == [(SAID, "warning")] * 2


def test_each_document_of_a_side_holds_its_own() -> None:
    old = [text(f"{LOC}a"), sitemap(f"<loc>{LOC}b</loc><lastmod>2024-05-06</lastmod>")]
    dated = [f"<loc>{LOC}{name}</loc><lastmod>2024-05-07</lastmod>" for name in "ab"]
    both = [urlset.Source.from_bytes(data, name) for data, name in zip(old, ("a.txt", "b.xml"), strict=True)]
    found = urlset.diff(both, sitemap(*dated))
    assert locs(found.changed) == [f"{LOC}b"]


# --- moves

HTTP, HTTPS, WWW, OTHER_SITE = "http://e.com/", "https://e.com/", "https://www.e.com/", "https://other.org/"


@pytest.mark.parametrize(
    ("old", "new", "moved", "counts"),
    [
        pytest.param(pages(HTTP, "", "a", "b"), pages(HTTPS, "", "a", "b"), ["3/3"], (0, 0, 3), id="scheme"),
        pytest.param(pages(HTTPS, "", "a", "b"), pages(WWW, "", "a", "b"), ["3/3"], (0, 0, 3), id="www"),
        pytest.param(
            pages(WWW, "", "a?x=1", "b"), pages(OTHER_SITE, "", "a?x=1", "b"), ["3/3"], (0, 0, 3), id="domain"
        ),
        pytest.param(pages(HTTP, "", "a"), pages(HTTPS, "", "a"), [], (2, 2, 0), id="too few"),
        pytest.param(pages(HTTP, *"abcdef"), pages(HTTPS, *"abc"), [], (3, 6, 0), id="exactly half"),
        pytest.param(pages(HTTP, *"abcde"), pages(HTTPS, *"abcxyz"), ["3/5"], (3, 2, 3), id="more than half"),
        pytest.param(
            pages(HTTP, *"abcdef"), pages(HTTP, *"def") + pages(HTTPS, *"abc"), [], (3, 3, 0), id="half of it stays"
        ),
        pytest.param(
            pages(HTTP, *"abcde"), pages(HTTP, *"de") + pages(HTTPS, *"abc"), ["3/5"], (0, 0, 3), id="most of it goes"
        ),
        pytest.param(
            pages(HTTP, *"abc") + pages(HTTPS, *"abc"), pages(HTTPS, *"abc"), [], (0, 3, 0), id="was there before"
        ),
        pytest.param(
            pages(HTTP, *"abc"), pages(WWW, *"abc") + pages(HTTPS, *"abc"), ["3/3"], (3, 0, 3), id="two alike"
        ),
        pytest.param(
            pages(HTTP, *"abcd"), pages(OTHER_SITE, *"abcd") + pages(HTTPS, *"abc"), ["4/4"], (3, 0, 4), id="the most"
        ),
        pytest.param(pages(HTTP, *"abc"), pages(HTTPS, *"ABC"), [], (3, 3, 0), id="other paths"),
    ],
)
def test_moves(old: list[Entry], new: list[Entry], moved: list[str], counts: tuple[int, int, int]) -> None:
    found = urlset.diff(old, new)
    assert [f"{move.pages}/{move.of}" for move in found.moves] == moved
    assert (len(found.added), len(found.removed), len(found.moved)) == counts
    apart = urlset.diff(old, new, moved=False)
    assert len(apart.added) == counts[0] + counts[2]
    assert len(apart.removed) == counts[1] + counts[2]
    assert (apart.moves, list(apart.moved)) == ((), [])


def test_of_two_places_that_of_the_same_host_counts() -> None:
    (move,) = urlset.diff(
        pages("http://www.e.com/", *"abc"), pages("https://a.org/", *"abc") + pages(HTTPS, *"abc")
    ).moves
    assert move.new == HTTPS


def test_two_origins_become_one_and_a_new_page_stands_for_one_old_page() -> None:
    found = urlset.diff(pages(HTTP, *"abcd") + pages("http://www.e.com/", *"abce"), pages(HTTPS, *"abcde"))
    assert [move.rule for move in found.moves] == [f"{HTTP}={HTTPS}", f"http://www.e.com/={HTTPS}"]
    assert locs(found.moved) == [f"{HTTPS}{name}" for name in "abcde"]
    assert locs(found.removed) == [f"http://www.e.com/{name}" for name in "abc"]
    assert locs(found.added) == []


def test_removed_pages_stay_in_order_whether_their_origin_moved_or_not() -> None:
    old = pages("http://a.com/", "x") + pages(HTTP, *"abcz") + pages("http://z.com/", "y")
    found = urlset.diff(old, pages(HTTPS, *"abc", "n"))
    assert locs(found.removed) == ["http://a.com/x", f"{HTTP}z", "http://z.com/y"]
    assert locs(found.added) == [f"{HTTPS}n"]


def test_a_moved_page_may_have_changed_too_and_its_blocks_move_with_it() -> None:
    def site(base: str, date: str) -> list[Entry]:
        links = (urlset.Alternate(hreflang="de", href=f"{base}de"),)
        return [page("", base, alternates=links), page("a", base, lastmod=date), page("b", base)]

    found = urlset.diff(site(HTTP, "2024-05-06"), site(WWW, "2024-05-07"))
    assert [(change.old.loc, change.loc, change.names) for change in found.moved] == [
        (HTTP, WWW, ()),
        (f"{HTTP}a", f"{WWW}a", ("lastmod",)),
        (f"{HTTP}b", f"{WWW}b", ()),
    ]
    assert not found.changed
    assert [(entry.loc, str(entry.lastmod)) for entry in found.changed_entries()] == [(f"{WWW}a", "2024-05-07")]
    assert found


def test_changed_entries_are_those_that_moved_too_and_those_of_new() -> None:
    old = [page("stays", priority=0.1), page("same"), *pages(HTTP, *"abc", title="Old")]
    new = [
        page("stays", priority=0.2),
        page("same"),
        *pages(HTTPS, "a", "c", title="Old"),
        page("b", HTTPS, title="New"),
    ]
    found = urlset.diff(old, new)
    assert found.counts["moved"] == 3
    assert [entry.loc for entry in found.changed_entries()] == [f"{LOC}stays", f"{HTTPS}b"]
    assert [entry.loc for entry in urlset.diff(old, new, ignore=["title"]).changed_entries()] == [f"{LOC}stays"]
    assert [entry.loc for entry in urlset.diff(old, new, moved=False).changed_entries()] == [f"{LOC}stays"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (HTTP, WWW),
        ("HTTP://E.com/", "https://bücher.example/"),
        ("http://bücher.example/", HTTPS),
        ("http://e.com:8080/", HTTPS),
    ],
)
def test_the_rule_of_a_move_is_what_rewriting_takes(old: str, new: str, tmp_path: Path) -> None:
    before, after = pages(old, "", "a", "é?x=1#y"), pages(new, "", "a", "é?x=1#z")
    found = urlset.diff(before, after)
    urlset.write(before, tmp_path / "old.jsonl")
    rewritten = urlset.read(tmp_path / "old.jsonl", rewrite=[move.rule for move in found.moves])
    assert not urlset.diff(list(rewritten), after)


def test_a_chain_of_moves_is_rewritten_once() -> None:
    a, b, c = (f"https://{name}.example/" for name in "abc")
    found = urlset.diff(pages(a, *"123") + pages(b, *"456"), pages(b, *"123") + pages(c, *"456"))
    assert [(move.old, move.new) for move in found.moves] == [(b, c), (a, b)]


def test_hosts_beyond_counting_move_if_their_name_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "_CROWD", 3)
    hosts = [f"u{number}.example/" for number in range(3)]
    old = [one for host in hosts for one in pages(f"http://{host}", *"abc")]
    new = [one for host in hosts for one in pages(f"https://www.{host}", *"abc")]
    found = urlset.diff(old, new)
    assert [move.rule for move in found.moves] == [f"http://{host}=https://www.{host}" for host in hosts]


def test_only_the_largest_origins_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "ORIGINS", 1)
    found = urlset.diff(
        pages(HTTP, *"abc") + pages("http://f.com/", *"abcd"), pages(HTTPS, *"abc") + pages("https://f.com/", *"abcd")
    )
    assert [move.old for move in found.moves] == ["http://f.com/"]


# --- beyond memory


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "ROOM", 1)
    monkeypatch.setattr(rows, "ROOM", 1)


OLD = [*pages(HTTP, *"abcdef"), page("g", lastmod="2024"), page("h"), page("i"), page("i")]
NEW = [*pages(WWW, *"abcdxy"), page("h"), page("g", lastmod="2025", images=(IMAGE,)), page("j")]


@pytest.mark.usefixtures("no_room")
def test_what_goes_to_disk_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with urlset.diff(OLD, NEW) as stored:
        assert not isinstance(stored.added, list)
        seen = stored.to_dict()
        assert stored.to_dict() == seen  # and again
        assert next(iter(stored.added)) in stored.added
        assert page("nowhere") not in stored.added
        assert repr(stored.added) == "<3 rows on disk>"
        assert len(stored.moved) == 4
    monkeypatch.undo()
    held = urlset.diff(OLD, NEW)
    assert isinstance(held.added, list)
    assert seen == held.to_dict()
    held.close()
    assert held.to_dict() == seen


@pytest.mark.usefixtures("no_room")
def test_what_was_closed_says_so() -> None:
    found = urlset.diff(OLD, NEW)
    found.close()
    with pytest.raises(ValueError, match="can't be read any more"):
        list(found.added)
    assert found.counts["added"] == 3


@pytest.mark.usefixtures("no_room")
def test_rows_on_disk_outlive_the_value_they_came_with() -> None:
    added = urlset.diff(OLD, NEW).added
    gc.collect()
    assert len(locs(added)) == 3


@pytest.mark.usefixtures("no_room")
def test_no_room_on_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
    monkeypatch.delenv("SQLITE_TMPDIR", raising=False)
    with pytest.raises(WriteError, match="no room for temporary files"):
        urlset.diff(OLD, NEW)


# --- properties

_DATES = ["2024", "2024-05-06", "2024-05-06T00:00:00Z", "2024-05-06T02:00:00+02:00", "2024-05-06T00:00:00.5Z"]
_ENTRIES = st.builds(
    Entry,
    loc=st.builds(
        "{}{}".format,
        st.sampled_from([HTTP, HTTPS, WWW, OTHER_SITE, "HTTP://E.com:80/"]),
        st.sampled_from(["", "a", "b", "c", "d?x=1", "é", "%C3%A9", "a#b"]),
    ),
    lastmod=st.none() | st.sampled_from([urlset.LastMod(date) for date in _DATES]),
    priority=st.sampled_from([None, None, 0.5]),
    images=st.sampled_from([(), (), (IMAGE, OTHER), (OTHER, IMAGE), (IMAGE,)]),
    alternates=st.sampled_from([(), (), (GERMAN,), (urlset.Alternate(hreflang="de", href=f"{HTTP}a"),)]),
)
_few = st.lists(_ENTRIES, max_size=20)


def firsts(side: list[Entry]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in side:
        found.setdefault(dedupe_key(entry.loc), entry)
    return found


@settings(deadline=None)
@given(_few)
def test_nothing_differs_from_itself(side: list[Entry]) -> None:
    found = urlset.diff(side, list(side))
    assert not found
    assert found.unchanged == len(firsts(side))


@settings(deadline=None)
@given(_few, _few, st.booleans())
def test_swapping_the_sides_swaps_the_difference(old: list[Entry], new: list[Entry], stored: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if stored:
            patch.setattr(rows, "ROOM", 1)
        there, back = urlset.diff(old, new, moved=False), urlset.diff(new, old, moved=False)
    assert list(there.added) == list(back.removed)
    assert list(there.removed) == list(back.added)
    assert [(one.old, one.new, one.names) for one in there.changed] == [
        (one.new, one.old, one.names) for one in back.changed
    ]
    assert there.unchanged == back.unchanged


@settings(deadline=None)
@given(_few, _few, st.booleans(), st.booleans())
def test_applied_to_the_old_side_a_difference_gives_the_new_one(
    old: list[Entry], new: list[Entry], moved: bool, stored: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if stored:
            patch.setattr(rows, "ROOM", 1)
            patch.setattr(sides, "ROOM", 1)
        found = urlset.diff(old, new, moved=moved)
    state = firsts(old)
    for entry in found.removed:
        assert state.pop(dedupe_key(entry.loc)) == entry
    for change in found.moved:
        assert state.pop(dedupe_key(change.old.loc)) == change.old
        assert dedupe_key(change.new.loc) not in state
        state[dedupe_key(change.new.loc)] = change.new
    for change in found.changed:
        assert state[dedupe_key(change.loc)] == change.old
        state[dedupe_key(change.loc)] = change.new
    for entry in found.added:
        assert dedupe_key(entry.loc) not in state
        state[dedupe_key(entry.loc)] = entry
    # What is left is the same page for page; unchanged ones mean the same, though they may be written otherwise.
    assert state.keys() == firsts(new).keys()
    assert not urlset.diff(list(state.values()), new)
    parts = (found.added, found.removed, found.changed, found.moved)
    for part in parts:
        keys = [dedupe_key(one.loc) for one in part]
        assert keys == sorted(set(keys))
    assert found.pages_old == found.unchanged + len(found.changed) + len(found.moved) + len(found.removed)
    assert found.pages_new == found.unchanged + len(found.changed) + len(found.moved) + len(found.added)


# --- the value


def test_the_object_of_json() -> None:
    found = urlset.diff(OLD, NEW)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["added"] == [{"loc": f"{LOC}j"}, {"loc": f"{WWW}x"}, {"loc": f"{WWW}y"}]
    assert data["removed"] == [{"loc": f"{HTTP}e"}, {"loc": f"{HTTP}f"}, {"loc": f"{LOC}i"}]
    assert [(one["loc"], list(one["fields"])) for one in data["changed"]] == [(f"{LOC}g", ["lastmod", "images"])]
    assert data["moved"][0] == {"loc": f"{WWW}a", "old_loc": f"{HTTP}a", "fields": {}}
    assert data["moves"] == [{"old": HTTP, "new": WWW, "pages": 4, "of": 6}]
    assert (data["unchanged"], data["duplicates"]) == (1, {"old": 1, "new": 0})


def test_the_counts_and_the_text() -> None:
    found = urlset.diff(OLD, NEW)
    assert found.counts == {
        "added": 3, "removed": 3, "changed": 1, "moved": 4, "unchanged": 1, "duplicates_old": 1, "duplicates_new": 0,
    }  # fmt: skip
    assert repr(found) == (
        "<Diff: 3 added, 3 removed, 1 changed, 4 moved, 1 unchanged, 1 duplicates_old, 0 duplicates_new>"
    )


def test_entries_may_be_a_stream() -> None:
    assert urlset.diff(iter(OLD), NEW).counts == urlset.diff(OLD, iter(NEW)).counts


def test_one_side_may_be_empty() -> None:
    assert urlset.diff([], pages(LOC, "a")).counts["added"] == 1
    assert urlset.diff(pages(LOC, "a"), []).counts["removed"] == 1
    assert not urlset.diff([], [])


def test_progress_counts_both_sides(tmp_path: Path) -> None:
    for name, entries_ in (("old.txt", OLD), ("new.txt", NEW)):
        urlset.write(entries_, tmp_path / name)
    told: list[urlset.Progress] = []
    urlset.diff(tmp_path / "old.txt", tmp_path / "new.txt", progress=told.append)
    assert [now.entries for now in told][-2:] == [len(OLD), len(OLD) + len(NEW)]


def test_a_table_of_everything(tmp_path: Path) -> None:
    urlset.diff(OLD, [*NEW, page("k", title='"A", B')]).to_csv(tmp_path / "diff.csv")
    lines = (tmp_path / "diff.csv").read_text("utf-8").splitlines()
    assert lines[0] == "kind,loc,old_loc,field,old,new"
    assert f"added,{LOC}k,,,," in lines
    assert f"removed,{LOC}i,{LOC}i,,," in lines
    assert f"changed,{LOC}g,{LOC}g,lastmod,2024,2025" in lines
    assert f'changed,{LOC}g,{LOC}g,images,,"[{{""loc"": ""https://example.com/1.jpg""}}]"' in lines
    assert f"moved,{WWW}a,{HTTP}a,,," in lines
    assert len(lines) == 1 + 4 + 3 + 2 + 4


def test_a_table_is_compressed_and_takes_any_text(tmp_path: Path) -> None:
    import gzip

    old, new = page(priority=0.5, title="\udc80"), page(priority=1.0)
    urlset.diff([old], [new]).to_csv(tmp_path / "diff.csv.gz")
    lines = gzip.decompress((tmp_path / "diff.csv.gz").read_bytes()).decode().splitlines()
    assert lines[1:] == [f"changed,{LOC},{LOC},priority,0.5,1.0", f"changed,{LOC},{LOC},title,\\udc80,"]


def write_entries(entries: Iterable[Entry], path: Path, ledger: urlset.Ledger, registry: Registry) -> None:
    with Files(ledger) as files:
        files.add_entries(entries, path, registry, None)
        files.commit()


def test_entries_to_a_file(tmp_path: Path) -> None:
    ledger, registry = urlset.Ledger(), urlset.registry()
    entries_ = [page("a", title="A"), page().model_copy(update={"loc": f"{LOC}\ud800"})]
    write_entries(entries_, tmp_path / "added.xml", ledger, registry)
    assert locs(urlset.read(tmp_path / "added.xml")) == [f"{LOC}a"]
    assert [(one.rule, one.action) for one in ledger.findings] == [
        ("value-not-carried", "rejected"),
        ("field-not-carried", "dropped-value"),
    ]
    assert ledger.has_errors
    assert [one.urls for one in ledger.outputs] == [1]


def test_entries_to_a_file_that_cant_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileSet, "add", full)
    path = tmp_path / "added.xml"
    with pytest.raises(WriteError, match="No space left") as caught:
        write_entries([page()], path, urlset.Ledger(), urlset.registry())
    assert caught.value.source == str(path)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setattr("urlset.converters.diff.output.join_row", full)
    with pytest.raises(WriteError, match="No space left"):
        urlset.diff(OLD, NEW).to_csv(tmp_path / "diff.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_entry_that_fits_no_file_is_the_callers_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OptionError("too small")

    monkeypatch.setattr(FileSet, "add", refused)
    with pytest.raises(OptionError, match="too small"):
        write_entries([page()], tmp_path / "added.xml", urlset.Ledger(), urlset.registry())


# --- errors


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"fields": ["lastmodified"]}, "there is no field 'lastmodified'"),
        ({"ignore": ["origin"]}, "there is no field 'origin'"),
        ({"field": ["lastmod"]}, "there is no option 'field'"),
        ({"base_url": "example.com"}, "base_url"),
        ({"default_file": "a/b"}, "default_file"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        urlset.diff([], [], **options)


def test_standard_input_is_one_side_only() -> None:
    with pytest.raises(OptionError, match="not both"):
        urlset.diff("-", ["-"])


@pytest.mark.parametrize("sides_", [("nowhere.xml", []), ([], "nowhere.xml")])
def test_a_side_that_cant_be_read(sides_: tuple[Any, Any]) -> None:
    with pytest.raises(SourceError, match="no such file"):
        urlset.diff(*sides_)


def test_strict_stops_at_the_first_fault() -> None:
    with pytest.raises(StrictError):
        urlset.diff(sitemap("<loc>/a</loc>"), FULL, strict=True)


def test_entries_of_a_caller_are_checked() -> None:
    found = urlset.diff([Entry(loc="no address"), page()], [page()])
    assert not found
    assert rules(found) == ["not-a-url"]
    assert found.ledger.counts.rejected == 1


def test_a_table_that_cant_be_written(tmp_path: Path) -> None:
    found = urlset.diff(OLD, NEW)
    for path in ("-", tmp_path):
        with pytest.raises(OptionError):
            found.to_csv(path)
    (tmp_path / "file").touch()
    with pytest.raises((WriteError, OptionError)):
        found.to_csv(tmp_path / "file" / "diff.csv")
