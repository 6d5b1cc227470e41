"""Feeds that go on in other documents (RFC 5005), and entries that were deleted (RFC 6721)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.formats.vocabulary.errors import UrlsetError
from urlset.formats.vocabulary.limits import Limits

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import Behaviour, at_first, body, redirect, serving, sitemap, status

HOME = "https://example.com/"


def entry(name: str, updated: str, page: str | None = None) -> str:
    """An entry called by its name, updated on that day."""
    return (
        f'<entry><id>tag:example.com,2024:{name}</id><link href="{HOME}{page or name}"/>'
        f"<updated>2024-05-{updated}T00:00:00Z</updated></entry>\n"
    )


def atom(*parts: str, **links: str) -> bytes:
    """A feed; names of relations are given with underscores."""
    rels = "".join(f'<link rel="{rel.replace("_", "-")}" href="{href}"/>\n' for rel, href in links.items())
    spaces = (
        'xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" '
        'xmlns:fh="http://purl.org/syndication/history/1.0"'
    )
    return f"<feed {spaces}>\n{rels}{''.join(parts)}</feed>\n".encode()


def deleted(name: str, when: str) -> str:
    return f'<at:deleted-entry ref="tag:example.com,2024:{name}" when="2024-05-{when}T00:00:00Z"/>\n'


def read(pages: dict[str, bytes], folder: Path, **options: Any) -> tuple[list[str], urlset.Ledger]:
    """What is read of the first page, beside which the others lie; every record is accounted for."""
    for name, data in pages.items():
        (folder / name).write_bytes(data)
    ledger = urlset.Ledger()
    options = {"follow": True, **options}
    locs = [one.loc for one in urlset.read(folder / next(iter(pages)), ledger=ledger, **options)]
    ledger.counts.written = len(locs)
    ledger.check()
    return [loc.removeprefix(HOME) for loc in locs], ledger


def told(ledger: urlset.Ledger) -> list[tuple[str, str, int | None]]:
    return [(one.rule, one.severity, one.line) for one in ledger.findings]


PAGED = {
    "1.atom": atom(entry("c", "03"), next="2.atom"),
    "2.atom": atom(entry("b", "02"), next=HOME + "feeds/3.atom?x", previous="1.atom"),
    "3.atom": atom(entry("a", "01"), previous="2.atom"),
}
ARCHIVED = {
    "now.atom": atom(entry("c", "03"), prev_archive=HOME + "2023.atom"),
    "2023.atom": atom(
        "<fh:archive/>", entry("b", "02"), prev_archive=HOME + "2022.atom", next_archive=HOME + "now.atom"
    ),
    "2022.atom": atom("<fh:archive/>", entry("a", "01"), next_archive=HOME + "2023.atom", current=HOME + "now.atom"),
}


@pytest.mark.parametrize("pages", [PAGED, ARCHIVED], ids=["paged", "archived"])
def test_pages_are_followed_on_request(pages: dict[str, bytes], tmp_path: Path) -> None:
    locs, ledger = read(pages, tmp_path)
    assert (locs, ledger.findings) == (["c", "b", "a"], [])
    names = list(pages)
    assert [(Path(one.name).name, one.parent and Path(one.parent).name, one.format) for one in ledger.accounts] == [
        (names[0], None, "atom"),
        (names[1], names[0], "atom"),
        (names[2], names[1], "atom"),
    ]
    for follow in (None, False):
        locs, ledger = read(pages, tmp_path, follow=follow)
        assert (locs, [one.rule for one in ledger.findings]) == (["c"], ["feed-incomplete"])


def test_the_command_line(tmp_path: Path, run_urlset: Any) -> None:
    read(PAGED, tmp_path)
    for options, number in ((["--follow"], 3), ([], 1), (["--no-follow"], 1)):
        ran = run_urlset("convert", "1.atom", "-o", "-", "--to", "text", *options, "--on-loss", "ignore", cwd=tmp_path)
        assert (ran.returncode, len(ran.stdout.split())) == (0, number)


def test_rss_with_atom_links(tmp_path: Path) -> None:
    def rss(loc: str, link: str) -> bytes:
        item = f"<item><link>{HOME}{loc}</link><guid>{HOME}?p=1</guid></item>"
        space = 'xmlns:a="http://www.w3.org/2005/Atom"'
        return f'<rss version="2.0" {space}><channel>{link}{item}</channel></rss>'.encode()

    pages = {"1.rss": rss("new", f'<a:link rel="next" href="{HOME}2.rss"/>'), "2.rss": rss("old", "")}
    locs, ledger = read(pages, tmp_path)
    assert (locs, ledger.counts.duplicates) == (["new"], 1)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("02", "01", "first"),
        ("01", "02", "second"),  # the newer one may stand on the older page
        ("01", "01", "first"),  # RFC 5005 4: the document closer to the subscription document wins
    ],
)
def test_the_newest_entry_of_an_id_wins(first: str, second: str, kept: str, tmp_path: Path) -> None:
    pages = {
        "1.atom": atom(entry("x", first, "first"), entry("y", "01"), next="2.atom"),
        "2.atom": atom(entry("x", second, "second"), entry("z", "01")),
    }
    locs, ledger = read(pages, tmp_path)
    assert (locs, ledger.counts.duplicates) == ([kept, "y", "z"], 1)


def test_entries_without_id_are_all_kept(tmp_path: Path) -> None:
    nameless = f'<entry><link href="{HOME}a"/><updated>2024-05-01T00:00:00Z</updated></entry>'
    assert read({"1.atom": atom(nameless, next="2.atom"), "2.atom": atom(nameless)}, tmp_path)[0] == ["a", "a"]


def test_an_entry_without_a_date_is_the_older_one(tmp_path: Path) -> None:
    dateless = f'<entry><id>tag:example.com,2024:x</id><link href="{HOME}old"/></entry>'
    pages = {"1.atom": atom(dateless, next="2.atom"), "2.atom": atom(entry("x", "01", "new"))}
    assert read(pages, tmp_path)[0] == ["new"]


@pytest.mark.parametrize(
    ("when", "left"), [("02", ["b"]), ("01", ["a", "b"])], ids=["deleted after its last change", "changed since"]
)
def test_what_was_deleted_is_left_out(when: str, left: list[str], tmp_path: Path) -> None:
    """RFC 6721 4: a tombstone counts for entries that were updated before it."""
    pages = {
        "1.atom": atom(deleted("a", when), next="2.atom"),
        "2.atom": atom(entry("a", "01"), entry("b", "01")),
    }
    locs, ledger = read(pages, tmp_path)
    assert (locs, ledger.counts.filtered) == (left, 2 - len(left))
    assert [one.rule for one in ledger.findings] == ["deleted-entry"] * (3 - len(left))
    pages = {"1.atom": atom(entry("a", "01"), entry("b", "01"), next="2.atom"), "2.atom": atom(deleted("a", when))}
    assert read(pages, tmp_path)[0] == left


def test_a_tombstone_without_a_date_counts(tmp_path: Path) -> None:
    stone = '<at:deleted-entry ref="tag:example.com,2024:a"/>'
    assert read({"1.atom": atom(stone, next="2.atom"), "2.atom": atom(entry("a", "01"))}, tmp_path)[0] == []


def test_a_complete_feed_has_no_other_pages(tmp_path: Path) -> None:
    pages = {"1.atom": atom("<fh:complete/>", entry("a", "01"), next="2.atom"), "2.atom": atom(entry("b", "01"))}
    assert read(pages, tmp_path)[0] == ["a"]
    rss = (
        b'<rss version="2.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:a="http://www.w3.org/2005/Atom">'
        b'<channel><fh:complete/><a:link rel="next" href="2.atom"/>'
        b"<item><link>https://example.com/r</link></item></channel></rss>"
    )
    assert read({"1.rss": rss, "2.atom": pages["2.atom"]}, tmp_path)[0] == ["r"]


def test_loops_end(tmp_path: Path) -> None:
    pages = {
        "1.atom": atom(entry("a", "01"), next="2.atom", prev_archive="2.atom"),
        "2.atom": atom(entry("b", "01"), next="1.atom", prev_archive="2.atom"),
    }
    locs, ledger = read(pages, tmp_path)
    assert locs == ["a", "b"]
    assert told(ledger) == [("sitemap-cycle", "warning", 2), ("sitemap-cycle", "warning", 3)]


def test_pages_without_end_are_limited(tmp_path: Path) -> None:
    pages = {f"{number}.atom": atom(entry(f"{number}", "01"), next=f"{number + 1}.atom") for number in range(9)}
    locs, ledger = read(pages, tmp_path, limits=Limits(max_pages=3))
    assert locs == ["0", "1", "2", "3"]
    assert told(ledger) == [("child-unavailable", "error", 2)]
    assert "3 pages" in ledger.findings[0].message


@pytest.mark.parametrize(
    ("second", "rules"),
    [
        (None, ["child-unavailable"]),
        (b"", ["empty-file", "child-unavailable"]),
        (sitemap(HOME), ["document-refused", "child-unavailable"]),
        (b"<!doctype html>", ["document-is-html", "child-unavailable"]),
    ],
)
def test_a_lost_page_is_an_error(second: bytes | None, rules: list[str], tmp_path: Path, run_urlset: Any) -> None:
    pages = {"1.atom": atom(entry("a", "01"), next="2.atom")}
    if second is not None:
        pages["2.atom"] = second
    locs, ledger = read(pages, tmp_path)
    assert locs == ["a"]
    assert [(one.rule, one.severity) for one in ledger.findings] == [(rule, "error") for rule in rules]
    assert ledger.findings[-1].line == 2
    assert "incomplete" in ledger.findings[-1].message


def test_strict_stops_at_a_lost_page(tmp_path: Path) -> None:
    with pytest.raises(UrlsetError):
        read({"1.atom": atom(entry("a", "01"), next="2.atom")}, tmp_path, strict=True)
    with pytest.raises(UrlsetError):
        read({"1.atom": atom(entry("a", "01"), next="2.atom"), "2.atom": atom(entry("b", "99"))}, tmp_path, strict=True)


def over_http(routes: dict[str, Behaviour]) -> tuple[list[str], urlset.Ledger]:
    with serving(routes) as server:
        ledger = urlset.Ledger()
        found = urlset.read(f"{server.base}/feeds/1.atom", ledger=ledger, follow=True)
        return [one.loc.removeprefix(HOME) for one in found], ledger


def test_pages_over_http() -> None:
    """Links are relative to where redirects led, and a page that comes by another name is known again."""
    locs, ledger = over_http(
        {
            "/feeds/1.atom": redirect("/there/1.atom"),
            "/there/1.atom": body(atom(entry("a", "02"), next="2.atom")),
            "/there/2.atom": redirect("/2.atom"),
            "/2.atom": body(atom(entry("b", "01"), next="feeds/1.atom")),
        }
    )
    assert locs == ["a", "b"]
    assert [one.rule for one in ledger.findings] == ["address-redirects", "address-redirects", "sitemap-cycle"]


def test_a_page_that_is_missing_on_the_web() -> None:
    locs, ledger = over_http({"/feeds/1.atom": body(atom(entry("a", "02"), next="2.atom"))})
    assert (locs, told(ledger)) == (["a"], [("child-unavailable", "error", 2)])
    assert "HTTP status 404" in ledger.findings[0].message


def test_a_page_leads_to_no_file() -> None:
    locs, ledger = over_http({"/feeds/1.atom": body(atom(entry("a", "02"), next="file:///etc/passwd"))})
    assert (locs, told(ledger)) == (["a"], [("child-unavailable", "error", 2)])


def test_feeds_that_a_list_names_are_followed_too() -> None:
    robots = at_first(body(b"Sitemap: /feeds/1.atom\n"), status(500))
    with serving({"/robots.txt": robots}) as server:
        server.routes["/feeds/1.atom"] = body(atom(entry("a", "02"), next="2.atom"))
        server.routes["/feeds/2.atom"] = body(atom(entry("b", "01")))
        locs = [one.loc for one in urlset.read(f"{server.base}/robots.txt", follow=True)]
    assert locs == [HOME + "a", HOME + "b"]


def test_validation_follows_pages_on_request(tmp_path: Path) -> None:
    read(PAGED, tmp_path)
    (tmp_path / "3.atom").unlink()
    assert "child-unavailable" in [one.rule for one in urlset.validate(tmp_path / "1.atom", follow=True)]
    assert "child-unavailable" not in [one.rule for one in urlset.validate(tmp_path / "1.atom")]
