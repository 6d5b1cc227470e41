"""Migration of 0.84 sites: what changes, what must not, and that it is done as a whole or not at all."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import urlset
from urlset.formats.vocabulary.errors import OptionError, SourceError, StrictError, UrlsetError, WriteError
from urlset.formats.vocabulary.ledger import Ledger
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.xml import schema

OLD = "http://www.google.com/schemas/sitemap/0.84"
NEW = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"


def sitemap(*urls: str, namespace: str = OLD) -> bytes:
    rows = "".join(f"<url>{one}</url>\n" for one in urls)
    return f'{DECLARATION}<urlset xmlns="{namespace}">\n{rows}</urlset>\n'.encode()


def index(*children: str, namespace: str = OLD, lastmod: str = "<lastmod>2005-06-14</lastmod>") -> bytes:
    rows = "".join(f"<sitemap><loc>https://example.com/{one}</loc>{lastmod}</sitemap>\n" for one in children)
    return f'{DECLARATION}<sitemapindex xmlns="{namespace}">\n{rows}</sitemapindex>\n'.encode()


def page(number: int) -> str:
    return f"<loc>https://example.com/{number}</loc><lastmod>2005-06-{number % 28 + 1:02}</lastmod>"


def put(folder: Path, **files: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_xml", ".xml").replace("_gz", ".gz").replace("_html", ".html")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def states(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    found = {path.name: path.stat() for path in folder.iterdir()}
    return {name: ((folder / name).read_bytes(), one.st_mtime_ns, one.st_ino) for name, one in found.items()}


def became(result: Any) -> dict[str, str]:
    return {file.place: file.became for file in result.files}


def told(ledger: Ledger) -> list[str]:
    return [one.rule for one in ledger.findings if one.rule not in ("namespace-legacy", "child-rewritten")]


# --- the canonical form: what the two versions must have in common


def canonical(data: bytes) -> tuple[str, list[dict[str, object]]]:
    """Root and records of a well-formed document, read without the product; only spelling is taken out."""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, remove_comments=True, remove_pis=True))
    own = etree.QName(root).namespace
    return etree.QName(root).localname, [record(element, own) for element in root]


def record(element: etree._Element, own: str | None) -> dict[str, object]:
    found: dict[str, object] = {}
    foreign: list[object] = []
    for child in element:
        name, text = etree.QName(child), "".join(map(str, child.itertext()))
        if name.namespace != own:
            foreign.append((name.namespace, name.localname, text.strip()))
        else:
            found[name.localname] = SPELLINGS.get(name.localname, str.strip)(text)
    found["foreign"] = foreign
    return {name: value for name, value in found.items() if value not in (None, [])}


def number(text: str) -> object:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return None


def date(text: str) -> object:
    """A date with the precision and the offset that it had; a time gets its seconds (PROTOCOL 6.3)."""
    text = text.strip()
    if len(text) > 10 and text[10] == "T" and text[16:17] in ("Z", "+", "-"):
        text = f"{text[:16]}:00{text[16:]}"
    return text.replace("-00:00", "Z").replace("+00:00", "Z") or None


SPELLINGS: dict[str, Any] = {
    "loc": str.strip, "lastmod": date, "priority": number, "changefreq": lambda text: text.strip().lower() or None,
}  # fmt: skip


def faults(data: bytes) -> list[Any]:
    return list(schema.faults([gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data]))


def legacy_files() -> Iterator[Path]:
    yield from sorted((ROOT / "samples" / "legacy").glob("*.xml"))
    for folder in ("sitemap-0.84", "sitemap-index", "sitemap-0.9"):
        for path in sorted((CORPUS / folder).glob("*")):
            data = path.read_bytes()
            head = gzip.decompress(data)[:2000] if data[:2] == b"\x1f\x8b" else data[:2000]
            if b"google.com/schemas/sitemap/0.84" in head and b'xmlns="http://www.sitemaps' not in head:
                yield path


def of_files() -> list[Any]:
    found: list[Any] = [pytest.param(path, id=path.name) for path in legacy_files()]
    if not CORPUS.is_dir():
        found.append(pytest.param(None, id="corpus", marks=pytest.mark.skip("the corpus is not beside the project")))
    return found


@pytest.mark.parametrize("path", of_files())
def test_every_old_file_says_the_same_in_the_new_version(path: Path, tmp_path: Path) -> None:
    """PROTOCOL 2.2 and 2.3: the namespace and what is repaired with a finding, and nothing else."""
    source = tmp_path / path.name
    source.write_bytes(path.read_bytes())
    result = urlset.migrate(source, tmp_path / "new" / path.name, xsd=True)
    after = (tmp_path / "new" / path.name).read_bytes()
    assert faults(after) == []
    root, records = canonical(path.read_bytes())
    new_root, new_records = canonical(after)
    assert (root, len(records)) == (new_root, len(new_records))
    told = {one.value.strip() for one in result.ledger.findings if one.value}
    for old, new in zip(records, new_records, strict=True):
        for name in {*old, *new}:
            if old.get(name) != new.get(name):  # then it was repaired or dropped, and said
                assert name != "loc"
                assert str(old.get(name)) in told or (name == "lastmod" and "invalid-date" in told_rules(result))


def told_rules(result: Any) -> set[str]:
    return {one.rule for one in result.ledger.findings}


# --- one file


@pytest.mark.parametrize(
    "namespace",
    [
        OLD, "http://www.google.com/schemas/sitemap/0.90", "https://www.sitemaps.org/schemas/sitemap/0.9",
        f"{NEW}/", "", f"{OLD}/sitemap.xsd", "https://www.google.com/schemas/sitemap/0.84",
    ],
)  # fmt: skip
def test_namespaces(namespace: str, tmp_path: Path) -> None:
    source = put(tmp_path, old_xml=sitemap(page(1), namespace=namespace)) / "old.xml"
    result = urlset.migrate(source, tmp_path / "new.xml")
    assert became(result) == {"old.xml": "migrated"}
    after = (tmp_path / "new.xml").read_bytes()
    assert canonical(after) == canonical(source.read_bytes())
    assert f'xmlns="{NEW}"'.encode() in after
    assert faults(after) == []


@pytest.mark.parametrize(
    "loc",
    [
        "http://EXAMPLE.com:80/A/../b?x=1&amp;y=%7e", "https://example.com/caf\u00e9", "https://b\u00fccher.example/",
        "https://example.com/a b", "https://example.com/%c3%a9/100%", "https://example.com/it&apos;s&quot;", "HTTP://example.com",
    ],
)  # fmt: skip
def test_an_address_keeps_every_character(loc: str, tmp_path: Path) -> None:
    source = put(tmp_path, old_xml=sitemap(f"<loc>\n  {loc}\n</loc>")) / "old.xml"
    urlset.migrate(source, tmp_path / "new.xml")
    assert canonical((tmp_path / "new.xml").read_bytes()) == canonical(source.read_bytes())


def test_an_option_that_there_is_none_of(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no option 'progress'; there are base_url"):
        urlset.migrate(tmp_path, tmp_path / "new", progress=print)


def test_order_values_and_encoding(tmp_path: Path) -> None:
    data = sitemap(
        "<priority>.5</priority><changefreq> Daily </changefreq><lastmod>2005-06-14T11:19+02:00</lastmod>"
        "<loc>http://example.com/b\u00fc</loc>",
        "<loc>http://example.com/a</loc><lastmod>2005-06</lastmod>",
    )
    latin = data.decode().replace("UTF-8", "ISO-8859-1").encode("latin-1")
    source = put(tmp_path, old_xml=latin) / "old.xml"
    urlset.migrate(source, tmp_path / "new.xml")
    assert (tmp_path / "new.xml").read_text("utf-8") == (
        f'{DECLARATION}<urlset xmlns="{NEW}">\n'
        "  <url>\n    <loc>http://example.com/b\u00fc</loc>\n    <lastmod>2005-06-14T11:19:00+02:00</lastmod>\n"
        "    <changefreq>daily</changefreq>\n    <priority>0.5</priority>\n  </url>\n"
        "  <url>\n    <loc>http://example.com/a</loc>\n    <lastmod>2005-06</lastmod>\n  </url>\n</urlset>\n"
    )


def test_comments_and_instructions_are_kept_before_the_root_and_told_elsewhere(tmp_path: Path) -> None:
    data = sitemap(page(1), page(2)).decode()
    data = data.replace(DECLARATION, f'{DECLARATION}<?xml-stylesheet type="text/xsl" href="gss.xsl"?>\n<!-- made -->\n')
    data = data.replace(
        "</url>\n<url>", "</url>\n<!-- one\ntwo --><![CDATA[<!-- none -->]]><?php x ?>\n<!-- three -->\n<url>"
    )
    source = put(tmp_path, old_xml=data.encode()) / "old.xml"
    result = urlset.migrate(source, tmp_path / "new.xml")
    assert (
        (tmp_path / "new.xml")
        .read_text()
        .startswith(f'{DECLARATION}<?xml-stylesheet type="text/xsl" href="gss.xsl"?>\n<!-- made -->\n<urlset ')
    )
    dropped = [(one.line, one.value, one.count) for one in result.ledger.findings if one.rule == "comment-dropped"]
    assert dropped == [(6, "<!-- one\ntwo -->", 2), (7, "<?php x ?>", 1)]


def test_a_rejected_record_is_accounted_for(tmp_path: Path) -> None:
    source = put(tmp_path, old_xml=sitemap(page(1), "<loc>/relative</loc>")) / "old.xml"
    rejected: list[Any] = []
    result = urlset.migrate(source, tmp_path / "new.xml", rejects=rejected.append)
    counts = result.ledger.counts
    assert (counts.read, counts.written, counts.rejected) == (2, 1, 1)
    assert [one.value for one in rejected] == ["/relative"]
    with pytest.raises(StrictError):
        urlset.migrate(source, tmp_path / "strict.xml", strict=True)
    assert not (tmp_path / "strict.xml").exists()


# --- trees


def test_a_tree_keeps_its_names_and_its_layout(tmp_path: Path) -> None:
    source = put(
        tmp_path / "site",
        sitemap_index_xml=index("a.xml.gz", "shop/b.xml"),
        a_xml_gz=gzip.compress(sitemap(page(1))),
        shop__b_xml=sitemap(page(2)),
        new_xml=sitemap(page(3), namespace=NEW),
        page_html=b"<html></html>",
        feed_xml=b"<rss/>",
        picture=b"\x89PNG\r\n\x1a\n<urlset",
    )
    before = contents(source)
    result = urlset.migrate(source, tmp_path / "out")
    assert became(result) == {
        "sitemap_index.xml": "migrated", "a.xml.gz": "migrated", "shop/b.xml": "migrated", "new.xml": "copied",
    }  # fmt: skip
    after = contents(tmp_path / "out")
    assert sorted(after) == ["a.xml.gz", "new.xml", "shop/b.xml", "sitemap_index.xml"]
    assert contents(source) == before
    assert after["new.xml"] == before["new.xml"]
    for name in ("sitemap_index.xml", "a.xml.gz", "shop/b.xml"):
        assert canonical(after[name]) == canonical(before[name])
    assert after["a.xml.gz"][:2] == b"\x1f\x8b"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "site"]


def test_an_index_brings_its_children(tmp_path: Path) -> None:
    source = put(
        tmp_path / "site", index_xml=index("a.xml", "gone.xml", "a.xml"), a_xml=sitemap(page(1)), b_xml=sitemap(page(2))
    )
    result = urlset.migrate(source / "index.xml", tmp_path / "out" / "index.xml")
    assert became(result) == {"a.xml": "migrated", "index.xml": "migrated"}
    assert canonical((tmp_path / "out" / "index.xml").read_bytes()) == canonical((source / "index.xml").read_bytes())
    assert [one.message.split(";")[0] for one in result.ledger.findings if one.rule == "child-rewritten"] == [
        "1 of the sitemaps were written again"
    ]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    source = put(
        tmp_path / "site",
        i_xml=index("a.xml"),
        a_xml=sitemap(*map(page, range(5))),
        n_xml=sitemap(page(1), namespace=NEW),
    )
    urlset.migrate(source, tmp_path / "out", max_urls=2)
    before = states(tmp_path / "out")
    result = urlset.migrate(source, tmp_path / "out", max_urls=2)
    assert states(tmp_path / "out") == before
    assert became(result)["n.xml"] == "unchanged"


def test_other_files_of_the_target_are_left_alone(tmp_path: Path) -> None:
    source = put(tmp_path / "site", a_xml=sitemap(page(1)))
    target = put(tmp_path / "out", a_xml=sitemap(page(7)), page_html=b"<html/>", x__b_xml=b"other")
    urlset.migrate(source, target)
    after = contents(target)
    assert canonical(after.pop("a.xml")) == canonical(sitemap(page(1)))
    assert after == {"page.html": b"<html/>", "x/b.xml": b"other"}


def test_in_place_keeps_a_backup(tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("a.xml"), a_xml=sitemap(page(1)), n_xml=sitemap(page(2), namespace=NEW))
    before = contents(site)
    result = urlset.migrate(site, in_place=True)
    after = contents(site)
    assert became(result) == {"a.xml": "migrated", "i.xml": "migrated", "n.xml": "unchanged"}
    assert {name: after[f"{name}.bak"] for name in ("a.xml", "i.xml")} == {
        name: before[name] for name in ("a.xml", "i.xml")
    }
    assert after["n.xml"] == before["n.xml"]
    assert b"0.9" in after["a.xml"]
    assert became(urlset.migrate(site, in_place=True)) == {
        "a.xml": "unchanged",
        "i.xml": "unchanged",
        "n.xml": "unchanged",
    }
    assert contents(site) == after


def test_what_can_not_be_read_is_taken_along_and_told(tmp_path: Path) -> None:
    damaged = gzip.compress(sitemap(page(1)))[:40]
    source = put(tmp_path / "site", a_xml_gz=damaged, b_xml=sitemap(page(2)), c_xml=sitemap())
    result = urlset.migrate(source, tmp_path / "out")
    assert became(result) == {"a.xml.gz": "failed", "b.xml": "migrated", "c.xml": "empty"}
    assert (tmp_path / "out" / "a.xml.gz").read_bytes() == damaged
    assert (tmp_path / "out" / "c.xml").read_bytes() == sitemap()
    assert result.ledger.has_errors


# --- limits


def test_a_listed_file_that_outgrows_one_extends_its_index(tmp_path: Path) -> None:
    packed = gzip.compress(sitemap(*map(page, range(5))))
    source = put(tmp_path / "site", i_xml=index("a.xml.gz", "b.xml"), a_xml_gz=packed, b_xml=sitemap(page(9)))
    result = urlset.migrate(source, tmp_path / "out", max_urls=2)
    assert sorted(contents(tmp_path / "out")) == ["a-2.xml.gz", "a-3.xml.gz", "a.xml.gz", "b.xml", "i.xml"]
    _, children = canonical((tmp_path / "out" / "i.xml").read_bytes())
    names = ["a.xml.gz", "a-2.xml.gz", "a-3.xml.gz", "b.xml"]
    assert children == [{"loc": f"https://example.com/{name}", "lastmod": "2005-06-14"} for name in names]
    assert became(result)["a.xml.gz"] == "split"
    locs = [entry.loc for entry in urlset.read(tmp_path / "out" / "i.xml")]
    assert locs == [f"https://example.com/{number}" for number in (*range(5), 9)]


def test_a_file_that_no_index_lists_becomes_one(tmp_path: Path) -> None:
    source = put(tmp_path / "site", maps__a_xml=sitemap(*map(page, range(5))))
    with pytest.raises(OptionError, match="--base-url"):
        urlset.migrate(source, tmp_path / "out", max_urls=2)
    assert not (tmp_path / "out").exists()
    urlset.migrate(source, tmp_path / "out", max_urls=2, base_url="https://example.com")
    root, children = canonical((tmp_path / "out" / "maps" / "a.xml").read_bytes())
    assert root == "sitemapindex"
    assert [child["loc"] for child in children] == [f"https://example.com/maps/a-{number}.xml" for number in (2, 3, 4)]


def test_an_index_over_the_limit_becomes_several(tmp_path: Path) -> None:
    def small(one: Any) -> Any:
        return replace(one, write=replace(one.write, max_entries=2)) if one.name == "sitemap-index" else one

    source = put(tmp_path / "site", i_xml=index("a.xml", "b.xml", "c.xml"))
    result = urlset.migrate(source, tmp_path / "out", registry=Registry(map(small, urlset.registry())))
    assert sorted(contents(tmp_path / "out")) == ["i-2.xml", "i.xml"]
    assert "too-many-sitemaps" in told(result.ledger)


def test_parts_never_take_the_name_of_another_file(tmp_path: Path) -> None:
    files = {"i_xml": index("a.xml", "a-2.xml"), "a_xml": sitemap(*map(page, range(3))), "a-2_xml": sitemap(page(7))}
    source = put(tmp_path / "site", **files)
    urlset.migrate(source, tmp_path / "out", max_urls=2)
    assert sorted(contents(tmp_path / "out")) == ["a-2.xml", "a-3.xml", "a.xml", "i.xml"]
    assert canonical((tmp_path / "out" / "a-2.xml").read_bytes()) == canonical(sitemap(page(7)))


# --- as a whole or not at all


@pytest.mark.parametrize("fails_at", range(4))
def test_a_rename_that_fails_undoes_those_before(
    fails_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = put(tmp_path / "site", i_xml=index("a.xml", "b.xml"), a_xml=sitemap(page(1)), b_xml=sitemap(page(2)))
    target = put(tmp_path / "out", a_xml=sitemap(page(7)), i_xml=index("old"), other_html=b"other")
    before = contents(target)
    replace, calls = Path.replace, iter(range(100))

    def failing(self: Path, other: Any) -> Path:
        if self.suffix == ".tmp" and next(calls) == fails_at:
            raise OSError(28, "No space left on device", str(self), None, str(other))
        return replace(self, other)

    monkeypatch.setattr(Path, "replace", failing)
    if fails_at < 3:
        with pytest.raises(WriteError):
            urlset.migrate(source, target)
        assert contents(target) == before
    else:
        urlset.migrate(source, target)
        assert contents(target).keys() == {"a.xml", "b.xml", "i.xml", "other.html"}


def test_an_interrupt_leaves_no_half_of_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path / "site", a_xml=sitemap(page(1)), b_xml=sitemap(page(2)))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        urlset.migrate(source, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


# --- files that must not be touched


def test_children_are_never_written_over_their_sources(tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("a.xml"), a_xml=sitemap(page(1)))
    before = contents(site)
    with pytest.raises(OptionError, match="a source would be written over"):
        urlset.migrate(site / "i.xml", site / "new.xml")
    assert contents(site) == before


def test_what_is_no_sitemap_is_never_written_over(tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("a.xml"), a_xml=sitemap(page(1)))
    out = put(tmp_path / "out", a_xml=b"precious")
    with pytest.raises(OptionError, match="it is no sitemap"):
        urlset.migrate(site / "i.xml", out / "new.xml")
    assert contents(out) == {"a.xml": b"precious"}


def test_a_target_that_ends_in_a_slash_is_a_folder(tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("a.xml"), a_xml=sitemap(page(1)))
    urlset.migrate(site / "i.xml", f"{tmp_path}/new/")
    assert sorted(contents(tmp_path / "new")) == ["a.xml", "i.xml"]


@pytest.mark.parametrize("option", ["own_files", "rejects"])
@pytest.mark.parametrize("name", ["site/a.xml", "out/a.xml", "site/i.xml"])
def test_a_report_takes_no_place_of_a_sitemap(option: str, name: str, tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("a.xml"), a_xml=sitemap(page(1)))
    before = contents(site)
    options: dict[str, Any] = {option: tmp_path / name if option == "rejects" else [tmp_path / name]}
    with pytest.raises(OptionError, match="a name of their own"):
        urlset.migrate(site, tmp_path / "out", **options)
    assert contents(site) == before


def test_every_change_in_place_has_a_backup_of_its_own(tmp_path: Path) -> None:
    site = put(tmp_path / "site", a_xml=sitemap(page(1)))
    for number in (1, 2, 3):
        (site / "a.xml").write_bytes(sitemap(page(number)))
        urlset.migrate(site, in_place=True)
    kept = {name: data for name, data in contents(site).items() if name != "a.xml"}
    assert kept == {"a.xml.bak": sitemap(page(1)), "a.xml.bak2": sitemap(page(2)), "a.xml.bak3": sitemap(page(3))}


def test_a_backup_is_never_written_through_a_link(tmp_path: Path) -> None:
    site = put(tmp_path / "site", a_xml=sitemap(page(1)))
    (site / "a.xml.bak").symlink_to(tmp_path / "nowhere")
    urlset.migrate(site, in_place=True)
    assert not (tmp_path / "nowhere").exists()
    assert (site / "a.xml.bak2").read_bytes() == sitemap(page(1))


def test_a_link_in_place_keeps_pointing(tmp_path: Path) -> None:
    site = put(tmp_path / "site", real_xml=sitemap(page(1)))
    (site / "link.xml").symlink_to("real.xml")
    urlset.migrate(site / "link.xml", in_place=True)
    assert (site / "link.xml").is_symlink()
    assert NEW.encode() in (site / "real.xml").read_bytes()


def test_nothing_temporary_is_left(tmp_path: Path) -> None:
    site = put(tmp_path / "site", e_xml=sitemap(), r_xml=sitemap("<loc>/relative</loc>"), a_xml=sitemap(page(1)))
    result = urlset.migrate(site, tmp_path / "out")
    assert became(result) == {"e.xml": "empty", "r.xml": "empty", "a.xml": "migrated"}
    assert sorted(contents(tmp_path / "out")) == ["a.xml", "e.xml", "r.xml"]


def test_what_a_killed_run_left_is_no_sitemap(tmp_path: Path) -> None:
    site = put(tmp_path / "site", a_xml=sitemap(page(1)))
    (site / ".a.xml.123-abc-0.tmp").write_bytes(sitemap(page(1)))
    assert became(urlset.migrate(site, tmp_path / "out")) == {"a.xml": "migrated"}


# --- which file a child of an index is


def test_children_in_other_folders_and_on_other_hosts(tmp_path: Path) -> None:
    locs = ("p.xml", "sub/p.xml", "p.xml?v=1", "gone.xml")
    listing = index(*locs).replace(
        b"</sitemapindex>", b"<sitemap><loc>https://cdn.example/p.xml</loc></sitemap></sitemapindex>"
    )
    site = put(tmp_path / "site", i_xml=listing, p_xml=sitemap(page(1), page(2)), sub__p_xml=sitemap(page(3), page(4)))
    result = urlset.migrate(site, tmp_path / "out", max_urls=1)
    _, children = canonical((tmp_path / "out" / "i.xml").read_bytes())
    assert [str(child["loc"]).removeprefix("https://example.com/") for child in children] == [
        "p.xml", "p-2.xml", "sub/p.xml", "sub/p-2.xml", "p.xml?v=1", "gone.xml", "https://cdn.example/p.xml",
    ]  # fmt: skip
    missing = [one.value for one in result.ledger.findings if one.rule == "child-unavailable"]
    assert missing == [f"https://example.com/{name}" for name in locs[2:]] + ["https://cdn.example/p.xml"]


def test_an_index_of_today_is_extended_too(tmp_path: Path) -> None:
    site = put(tmp_path / "site", i_xml=index("p.xml", namespace=NEW), p_xml=sitemap(page(1), page(2)))
    urlset.migrate(site, tmp_path / "out", max_urls=1)
    _, children = canonical((tmp_path / "out" / "i.xml").read_bytes())
    assert [child["loc"] for child in children] == ["https://example.com/p.xml", "https://example.com/p-2.xml"]


def test_what_an_index_can_not_hold_is_told(tmp_path: Path) -> None:
    more = '<lastmod>2005-06-14</lastmod><x:y xmlns:x="urn:x">1</x:y>'
    site = put(tmp_path / "site", i_xml=index("a.xml", lastmod=more))
    result = urlset.migrate(site, tmp_path / "out")
    assert ["extra" in one.message for one in result.ledger.findings if one.rule == "field-not-carried"] == [True]


def test_the_current_folder_as_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = put(tmp_path / "site", a_xml=sitemap(page(1)))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    urlset.migrate(site, ".")
    assert sorted(contents(tmp_path / "empty")) == ["a.xml"]


# --- what makes no sense


@pytest.mark.parametrize(
    ("src", "dst", "options", "error"),
    [
        ("https://example.com/sitemap.xml", "out", {}, OptionError),
        ("site", None, {}, OptionError),
        ("site", "out", {"in_place": True}, OptionError),
        ("site", "site/new", {}, OptionError),
        ("site", "site", {}, OptionError),
        ("site", "file", {}, OptionError),
        ("absent", "out", {}, SourceError),
        ("file", "out", {}, SourceError),
        ("empty", "out", {}, SourceError),
        ("site", "out", {"base_url": "/x"}, OptionError),
        ("site", "out", {"base_url": "https://example.com/?x"}, OptionError),
        ("site", "-", {}, OptionError),
        ("site", "out", {"max_urls": 0}, OptionError),
        ("site", "out", {"assume_zone": "nowhere"}, OptionError),
    ],
)
def test_refused(
    src: str,
    dst: str | None,
    options: dict[str, Any],
    error: type[UrlsetError],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "site", a_xml=sitemap(page(1)))
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_bytes(b"<html/>")
    before = contents(tmp_path)
    with pytest.raises(error):
        urlset.migrate(src, dst, **options)
    assert contents(tmp_path) == before


# --- a property

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=12)
LOC = TEXT.map(lambda text: f"https://example.com/{text}")
RECORD = st.fixed_dictionaries(
    {"loc": LOC},
    optional={
        "lastmod": st.dates().map(str),
        "changefreq": st.sampled_from(["daily", "never"]),
        "priority": st.sampled_from(["0.0", "0.25", "1.0"]),
    },
)


@settings(deadline=None, max_examples=60)
@given(st.lists(RECORD, min_size=1, max_size=6), st.randoms())
def test_what_is_read_after_is_what_was_read_before(records: list[dict[str, str]], random: Any) -> None:
    import tempfile

    rows = []
    for one in records:
        children = [f"<{name}>{escaped(text)}</{name}>" for name, text in one.items()]
        random.shuffle(children)
        rows.append("".join(children))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.xml"), Path(folder, "b.xml")
        source.write_bytes(sitemap(*rows))
        before = list(urlset.read(source))
        urlset.migrate(source, target)
        assert list(urlset.read(target)) == before


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
