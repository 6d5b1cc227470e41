"""The configuration of Google's sitemap_gen.py, and the job that it describes."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import urlset
from urlset.converters.generator import Config, Input, is_config, read_config, run
from urlset.formats.vocabulary.errors import (
    EmptyInventoryError,
    LimitError,
    OptionError,
    ReadError,
    SourceError,
    StrictError,
)

SITE = '<site base_url="http://www.example.com/" store_into="sitemap.xml">'
BASE = "http://www.example.com/"


def write(folder: Path, *inputs: str, site: str = SITE) -> Path:
    """A configuration; its first input is on line 3."""
    path = folder / "config.xml"
    path.write_text('<?xml version="1.0" encoding="UTF-8"?>\n' + site + "\n" + "\n".join(inputs) + "\n</site>\n")
    return path


def put(folder: Path, name: str, *lines: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    os.utime(path, (0, 1_714_979_289))  # 2024-05-06T07:08:09Z


def told(path: Path) -> list[tuple[str, int | None]]:
    """The rules and lines of what is said of a configuration."""
    ledger = urlset.Ledger()
    with suppress(ReadError):
        read_config(path, ledger.open(str(path)))
    return [(one.rule, one.line) for one in ledger.findings]


def done(config: Path, **options: Any) -> tuple[list[str], urlset.Ledger]:
    """The addresses that were written, without the base, and what was found."""
    ledger = urlset.Ledger()
    result = run(config, ledger=ledger, **options)
    assert result.ledger is ledger
    ledger.check()
    return [entry.loc.removeprefix(BASE) for entry in urlset.read(config.parent / "sitemap.xml")], ledger


def found(ledger: urlset.Ledger) -> list[tuple[str, str, int | None]]:
    """The findings beside those about settings."""
    return [
        (Path(one.source or "").name, one.rule, one.line)
        for one in ledger.findings
        if one.rule != "setting-without-effect"
    ]


# --- the configuration


def test_everything_that_a_configuration_may_say(tmp_path: Path) -> None:
    site = (
        '<site base_url="http://www.example.com/shop" store_into="/var/www/sitemap.xml.gz" verbose="3"'
        ' default_encoding="ISO-8859-1" suppress_search_engine_notify="1" sitemap_type="news">'
    )
    path = write(
        tmp_path,
        '<url href="a" lastmod="2005-06-03" changefreq="daily" priority="0.5"/>',
        '<urllist path="urls.txt" encoding="UTF-8" tag_order="loc,publication_date, keywords"/>',
        '<directory path="/var/www" url="/shop/docs" default_file="index.php" remove_empty_directories="true"/>',
        '<filter pattern="*~"/><filter type="regexp" pattern="\\?sid=" action="pass"/><filter pattern="~*"/>',
        "<!-- a remark -->",
        '<accesslog path="logs/*.gz" encoding=""/>',
        '<sitemap path="old.xml"/>',
        site=site,
    )
    config = read_config(path, urlset.Ledger().open("config.xml"))
    assert config == Config(
        folder=tmp_path,
        base_url="http://www.example.com/shop/",
        store_into="/var/www/sitemap.xml.gz",
        sitemap_type="news",
        default_encoding="ISO-8859-1",
        notifies=False,
        inputs=(
            Input("url", 3, {"href": "a", "lastmod": "2005-06-03", "changefreq": "daily", "priority": "0.5"}),
            Input(
                "urllist", 4, {"path": "urls.txt", "encoding": "UTF-8", "tag_order": "loc,publication_date, keywords"}
            ),
            Input(
                "directory",
                5,
                {
                    "path": "/var/www",
                    "url": "http://www.example.com/shop/docs/",
                    "default_file": "index.php",
                    "remove_empty_directories": "true",
                },
            ),
            Input("accesslog", 8, {"path": "logs/*.gz"}),
            Input("sitemap", 9, {"path": "old.xml"}),
        ),
        filters=("-*~", "+~\\?sid=", "-[~]*"),
    )
    assert config.path("urls.txt") == tmp_path / "urls.txt"
    assert config.path("/var/www") == Path("/var/www")


@pytest.mark.parametrize(
    ("value", "notifies"), [("", True), ("0", True), ("False", True), ("1", False), ("yes", False)]
)
def test_pings_are_suppressed_by_whatever_is_not_false(value: str, notifies: bool, tmp_path: Path) -> None:
    site = SITE.replace(">", f' suppress_search_engine_notify="{value}">')
    assert read_config(write(tmp_path, site=site), urlset.Ledger().open("")).notifies == notifies


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            '<urls path="a"/>',
            "there is no element urls; a site has url, urllist, directory, accesslog, sitemap, filter",
        ),
        ('<url href="a" loc="b"/>', "url has no attribute loc; it has href, lastmod, changefreq, priority"),
        ("<url/>", "url needs an attribute href"),
        ('<url href=" "/>', "url needs an attribute href"),
        ('<url href="a"><loc/></url>', "url holds no elements, and here is loc"),
        ('<urllist encoding="UTF-8"/>', "urllist needs an attribute path"),
        ('<urllist path="a" encoding="klingon"/>', "encoding of urllist is 'klingon'; there is no such text encoding"),
        ('<urllist path="a" tag_order="loc,title"/>', "there is no column 'title'"),
        ('<urllist path="a" tag_order="keywords"/>', "it must name loc once"),
        ('<directory path="a"/>', "directory needs an attribute url"),
        ('<directory url="/"/>', "directory needs an attribute path"),
        ('<directory path="a" url="http://example.com/"/>', "it must lie below the base_url, http://www.example.com/"),
        ('<directory path="a" url="/" default_file="a/b"/>', "it must be the name of a file and no path"),
        ('<filter action="drop"/>', "filter needs an attribute pattern"),
        ('<filter pattern="a" action="keep"/>', "action of filter is 'keep'; it is one of drop, pass"),
        ('<filter pattern="a" type="glob"/>', "type of filter is 'glob'; it is one of wildcard, regexp"),
        ('<filter pattern="(" type="regexp"/>', "pattern of filter is no regular expression"),
        (SITE + "</site>", "there is no element site"),
        ('<x:url xmlns:x="urn:x" href="a"/>', "there is no element {urn:x}url"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(line: str, says: str, tmp_path: Path) -> None:
    path = write(tmp_path, '<url href="a"/>', line)
    with pytest.raises(ReadError) as refused:
        read_config(path, urlset.Ledger().open(str(path)))
    assert says in refused.value.message
    assert (refused.value.rule, refused.value.line, refused.value.source) == ("invalid-setting", 4, str(path))
    assert told(path) == [("invalid-setting", 4)]


@pytest.mark.parametrize(
    ("site", "says"),
    [
        ('<site store_into="a.xml">', "site needs an attribute base_url"),
        ('<site base_url="http://example.com/">', "site needs an attribute store_into"),
        ('<site base_url="/" store_into="a.xml">', "it must be an absolute address"),
        ('<site base_url="http://example.com/?a" store_into="a.xml">', "it must be the address of a folder"),
        ('<site base_url="http://example.com/" store_into="a.txt">', "its name must end in .xml or .gz"),
        (SITE.replace(">", ' verbose="4">'), "verbose of site is '4'; it is one of 0, 1, 2, 3"),
        (SITE.replace(">", ' sitemap_type="video">'), "it is one of web, mobile, news"),
        (SITE.replace(">", ' default_encoding="x">'), "there is no such text encoding"),
        (SITE.replace(">", ' name="x">'), "site has no attribute name"),
    ],
)
def test_what_is_wrong_with_the_site(site: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="site") as refused:
        run(write(tmp_path, '<url href="a"/>', site=site))
    assert says in refused.value.message
    assert refused.value.line == 2


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "<url/>", '<url href="a" x="1" y="2"/>', "<link/>", site='<site base_url="x">')
    ledger = urlset.Ledger()
    with pytest.raises(ReadError, match="6 settings are wrong") as refused:
        run(path, ledger=ledger)
    assert [(one.rule, one.line) for one in ledger.findings] == [
        ("invalid-setting", line) for line in (2, 2, 3, 4, 4, 5)
    ]
    assert [note.split(": ")[0] for note in refused.value.__notes__] == [
        f"{path}:{line}" for line in (2, 2, 3, 4, 4, 5)
    ]
    assert (refused.value.exit_code, ledger.accounts[0].status) == (2, "failed")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("<site", "xml-not-well-formed"),
        (f"{SITE}<url></site>", "xml-not-well-formed"),
        ("", "xml-not-well-formed"),
        (f'<!DOCTYPE site [<!ENTITY a SYSTEM "secret.txt">]>{SITE}<url href="&a;"/></site>', "xml-not-well-formed"),
        (f'<!DOCTYPE site [<!ENTITY a SYSTEM "secret.txt">]>{SITE}&a;</site>', "entity-declaration"),
        (f'<!DOCTYPE site [<!ENTITY a "b">]>{SITE}<url href="&a;"/></site>', "entity-declaration"),
        (f'<!DOCTYPE site SYSTEM "http://192.0.2.1/site.dtd">{SITE}</site>', "entity-declaration"),
        ("<sites/>", "invalid-setting"),
        ('<site xmlns="urn:x" base_url="http://example.com/" store_into="a.xml"/>', "invalid-setting"),
    ],
)
def test_what_is_no_configuration(text: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / "config.xml"
    path.write_text(text)
    ledger = urlset.Ledger()
    with pytest.raises(ReadError) as refused:
        run(path, ledger=ledger)
    assert refused.value.rule == rule
    assert [one.rule for one in ledger.findings] == [rule]


def test_entities_that_multiply_are_refused(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    path = tmp_path / "config.xml"
    path.write_text(f'<!DOCTYPE site [<!ENTITY e0 "x">{entities}]>{SITE}<url href="&e11;"/></site>')
    with pytest.raises(ReadError):
        run(path)


def test_a_configuration_is_no_book(tmp_path: Path) -> None:
    path = write(tmp_path, "<!--" + "x" * (16 << 20) + "-->")
    with pytest.raises(LimitError):
        run(path)


def test_one_that_is_not_there(tmp_path: Path) -> None:
    ledger = urlset.Ledger()
    with pytest.raises(SourceError, match="no such file"):
        run(tmp_path / "config.xml", ledger=ledger)
    assert [one.rule for one in ledger.findings] == ["document-refused"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{SITE}</site>", True),
        (f'<?xml version="1.0"?>\n<!--\n  sitemap_gen.py example > & <url/>\n-->\n{SITE}', True),
        ('<site\n  store_into="a.xml"\n  base_url = "http://example.com/">', True),
        ('<site store_into="a.xml"/>', True),
        ('<site xmlns="urn:x" base_url="http://example.com/"/>', False),
        ('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>', False),
        ('<websites base_url="x"/>', False),
        ("http://www.example.com/\n", False),
        ("", False),
    ],
)
def test_recognition(text: str, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "config.xml"
    path.write_text(text)
    assert is_config(path) is expected


def test_recognition_never_raises(tmp_path: Path) -> None:
    assert not is_config(tmp_path)
    assert not is_config(tmp_path / "missing.xml")
    assert not is_config("x" * 5_000)


# --- the job


def test_all_inputs_are_merged_filtered_and_sorted(tmp_path: Path) -> None:
    put(tmp_path, "urls1.txt", "# pages", f"{BASE}b lastmod=2005-06-01 priority=0.3", f"{BASE}a", f"{BASE}old/x")
    put(tmp_path, "urls2.txt", f"{BASE}b priority=0.9", f"{BASE}c?sid=1", f"{BASE}c~")
    log = '192.0.2.1 - - [02/Jan/2023:03:04:05 +0000] "GET {} HTTP/1.1" {} 1234'
    put(tmp_path, "logs/a.log", log.format("/hit", 200), log.format("/miss", 404), log.format("/old/keep", 200))
    put(tmp_path, "www/index.html")
    put(tmp_path, "www/sub/page.html")
    put(
        tmp_path,
        "old.xml",
        f'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>{BASE}from-0.84</loc></url></urlset>',
    )
    config = write(
        tmp_path,
        '<filter action="pass" pattern="*/old/keep"/>',
        '<url href="/about" changefreq="monthly"/>',
        '<urllist path="urls?.txt"/>',
        '<accesslog path="logs/*.log"/>',
        '<directory path="www" url="http://www.example.com/static/"/>',
        '<sitemap path="old.xml"/>',
        '<filter pattern="*/old/*"/>',
        '<filter type="regexp" pattern="~$|[?&amp;]sid="/>',
    )
    locs, ledger = done(config)
    assert locs == ["a", "about", "b", "from-0.84", "hit", "old/keep", "static/", "static/sub/page.html"]
    counts = ledger.counts
    assert (counts.read, counts.written, counts.filtered, counts.duplicates) == (13, 8, 4, 1)
    entries = {entry.loc.removeprefix(BASE): entry.as_dict() for entry in urlset.read(tmp_path / "sitemap.xml")}
    assert entries["b"] == {"loc": f"{BASE}b", "lastmod": "2005-06-01", "priority": 0.3}
    assert entries["about"] == {"loc": f"{BASE}about", "changefreq": "monthly"}
    assert entries["static/"]["lastmod"] == "2024-05-06T07:08:09Z"
    assert entries["hit"] == {"loc": f"{BASE}hit"}
    assert [account.format for account in ledger.accounts] == [
        "generator-config", "text", "text", "access-log", "folder", "sitemap-0.84",
    ]  # fmt: skip


def test_the_output_is_a_sitemap_0_9(tmp_path: Path) -> None:
    run(write(tmp_path, '<url href="a"/>'))
    root = etree.parse(tmp_path / "sitemap.xml").getroot()
    assert root.tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}urlset"


def test_paths_are_meant_from_the_folder_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    put(tmp_path, "site/lists/urls.txt", f"{BASE}a")
    config = write(tmp_path / "site", '<urllist path="lists/urls.txt"/>', site=SITE.replace('"sitemap', '"out/sitemap'))
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = run(Path("..") / "site" / config.name)
    assert [one.path for one in result.outputs] == [str(Path("../site/out/sitemap.xml"))]
    assert (tmp_path / "site" / "out" / "sitemap.xml").is_file()


def test_another_output(tmp_path: Path) -> None:
    result = run(write(tmp_path, '<url href="a"/>'), tmp_path / "new.xml.gz")
    assert [one.path for one in result.outputs] == [str(tmp_path / "new.xml.gz")]
    assert not (tmp_path / "sitemap.xml").exists()
    assert b"example.com/a<" in gzip.decompress((tmp_path / "new.xml.gz").read_bytes())


def test_parts_live_at_the_base_url(tmp_path: Path) -> None:
    site = SITE.replace("sitemap.xml", "map.xml.gz").replace(BASE, f"{BASE}shop")
    config = write(tmp_path, *(f'<url href="{n}"/>' for n in range(5)), site=site)
    result = run(config, max_urls=2)
    assert [Path(one.path).name for one in result.outputs] == [
        "map-1.xml.gz", "map-2.xml.gz", "map-3.xml.gz", "map.xml.gz",
    ]  # fmt: skip
    assert [entry.loc for entry in urlset.read(tmp_path / "map.xml.gz", follow=False)] == [
        f"{BASE}shop/map-{number}.xml.gz" for number in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("base", "loc", "inside"),
    [
        (BASE, "http://www.example.com/a", True),
        (BASE, "http://www.example.com", True),
        (BASE, "HTTP://WWW.EXAMPLE.COM:80/a", True),
        (BASE, "https://www.example.com/a", False),
        (BASE, "http://example.com/a", False),
        (BASE, "http://www.example.com.evil.example/", False),
        (f"{BASE}shop", f"{BASE}shop/a", True),
        (f"{BASE}shop", f"{BASE}shopping", False),
        (f"{BASE}shop", f"{BASE}shop/../a", False),
        (f"{BASE}shop", f"{BASE}shop/%2E%2e/a", False),
    ],
)
def test_what_does_not_begin_with_the_base_url_is_left_out(base: str, loc: str, inside: bool, tmp_path: Path) -> None:
    put(tmp_path, "urls.txt", f"{base}/first", loc)
    site = f'<site base_url="{base}" store_into="sitemap.xml">'
    locs, ledger = done(write(tmp_path, '<urllist path="urls.txt"/>', site=site))
    assert len(locs) == 1 + inside
    assert found(ledger) == ([] if inside else [("urls.txt", "outside-base-url", 2)])
    assert ledger.counts.filtered == (not inside)
    assert not ledger.has_errors


def test_only_a_url_may_be_relative(tmp_path: Path) -> None:
    put(tmp_path, "urls.txt", "/relative", f"{BASE}b")
    locs, ledger = done(write(tmp_path, '<url href="a"/><url href="?q=1"/>', '<urllist path="urls.txt"/>'))
    assert locs == ["?q=1", "a", "b"]
    assert found(ledger) == [("urls.txt", "not-absolute", 1)]
    assert ledger.counts.rejected == 1


def test_values_of_a_url_are_checked(tmp_path: Path) -> None:
    config = write(
        tmp_path,
        '<url href="a" lastmod="yesterday" changefreq="often" priority="2"/>',
        '<url href="mailto:a@example.com"/>',
    )
    locs, ledger = done(config)
    assert locs == ["a"]
    assert found(ledger) == [
        ("config.xml", "invalid-date", 3),
        ("config.xml", "invalid-changefreq", 3),
        ("config.xml", "invalid-priority", 3),
        ("config.xml", "unsupported-scheme", 4),
    ]
    (tmp_path / "sitemap.xml").unlink()
    with pytest.raises(StrictError):
        run(config, strict=True)
    assert list(tmp_path.iterdir()) == [config]


def test_sitemaps_of_the_job_are_no_pages(tmp_path: Path) -> None:
    names = ("sitemap.xml", "sitemap1.xml", "sitemap_index.xml", "sitemap-1.xml", "sitemap.xhtml", "a/sitemap.xml")
    put(tmp_path, "urls.txt", *(BASE + name for name in names))
    locs, ledger = done(write(tmp_path, '<urllist path="urls.txt"/>'))
    assert locs == ["a/sitemap.xml", "sitemap.xhtml"]
    (finding,) = [one for one in ledger.findings if one.rule == "sitemap-as-page"]
    assert (finding.line, finding.count) == (1, 4)


def test_a_folder_does_not_list_the_sitemaps_of_the_job(tmp_path: Path) -> None:
    for name in ("index.html", "sitemap1.xml", "sitemap_index.xml", "sitemap.xml", "rejects.jsonl", "deep/sitemap.xml"):
        put(tmp_path, f"www/{name}")
    site = SITE.replace('"sitemap', '"www/sitemap')
    config = write(tmp_path, '<directory path="www" url="/"/>', site=site)
    for _ in range(2):
        result = run(config, rejects=tmp_path / "www" / "rejects.jsonl")
        assert result.ledger.counts.read == 2
    assert [entry.loc for entry in urlset.read(tmp_path / "www" / "sitemap.xml")] == [BASE, f"{BASE}deep/sitemap.xml"]


def test_an_index_is_read_with_the_files_beside_it(tmp_path: Path) -> None:
    old = 'xmlns="http://www.google.com/schemas/sitemap/0.84"'
    put(tmp_path, "old/index.xml", f"<sitemapindex {old}><sitemap><loc>{BASE}part.xml</loc></sitemap></sitemapindex>")
    put(tmp_path, "old/part.xml", f"<urlset {old}><url><loc>{BASE}a</loc></url></urlset>")
    assert done(write(tmp_path, '<sitemap path="old/index.xml"/>'))[0] == ["a"]


def test_a_sitemap_input_is_a_sitemap(tmp_path: Path) -> None:
    put(tmp_path, "urls.txt", f"{BASE}a")
    with pytest.raises(urlset.UrlsetError, match="no format was recognised"):
        run(write(tmp_path, '<sitemap path="urls.txt"/>'))


def test_gzip_and_encodings(tmp_path: Path) -> None:
    (tmp_path / "urls.txt.gz").write_bytes(gzip.compress(f"{BASE}caf\xe9\n".encode("latin-1")))
    config = write(tmp_path, '<urllist path="urls.txt.gz" encoding="ISO-8859-1"/>')
    assert done(config)[0] == ["caf%C3%A9"]


def test_news_lists(tmp_path: Path) -> None:
    put(
        tmp_path,
        "news.txt",
        "# loc, date, keywords, tickers",
        f"{BASE}a\t2007-07-18\tferry, fog\tNASDAQ:A\tmore",
        f"{BASE}b\t\tharbour",
        f"{BASE}c",
        "\t2007-07-18",
        f"{BASE}d\tsoon",
    )
    order = "loc,publication_date,keywords,stock_tickers"
    site = SITE.replace(">", ' sitemap_type="news">')
    locs, ledger = done(write(tmp_path, f'<urllist path="news.txt" tag_order="{order}"/>', site=site))
    assert locs == ["a", "b", "c", "d"]
    assert found(ledger) == [("news.txt", "missing-loc", 5), ("news.txt", "invalid-date", 6)]
    news = [entry.as_dict().get("news") for entry in urlset.read(tmp_path / "sitemap.xml")]
    assert news == [
        {"publication_date": "2007-07-18", "keywords": "ferry, fog", "stock_tickers": "NASDAQ:A"},
        {"keywords": "harbour"},
        None,
        None,
    ]


def test_an_input_that_can_not_be_read_is_noted(tmp_path: Path) -> None:
    config = write(tmp_path, '<urllist path="missing*.txt"/>', '<directory path="gone" url="/"/>', '<url href="a"/>')
    locs, ledger = done(config)
    assert locs == ["a"]
    assert found(ledger) == [("missing*.txt", "document-refused", None), ("gone", "document-refused", None)]
    assert ledger.has_errors


def test_no_input_that_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        run(write(tmp_path, '<urllist path="missing.txt"/>'))


@pytest.mark.parametrize(("inputs", "code"), [([], 2), (['<url href="a"/>', '<filter pattern="*"/>'], 1)])
def test_nothing_to_write(inputs: list[str], code: int, tmp_path: Path) -> None:
    config = write(tmp_path, *inputs)
    with pytest.raises(EmptyInventoryError) as empty:
        run(config)
    assert empty.value.exit_code == code
    assert list(tmp_path.iterdir()) == [config]


def test_settings_that_have_no_effect_any_more_are_named(tmp_path: Path) -> None:
    put(tmp_path, "a.log", '192.0.2.1 - - [02/Jan/2023:03:04:05 +0000] "GET /a HTTP/1.1" 200 1')
    site = SITE.replace(">", ' sitemap_type="mobile" default_encoding="UTF-8" verbose="1">')
    _, ledger = done(write(tmp_path, '<accesslog path="a.log"/>', site=site))
    assert [(one.rule, one.severity, one.value) for one in ledger.findings] == [
        ("setting-without-effect", "info", name)
        for name in ("suppress_search_engine_notify", "accesslog", "sitemap_type", "default_encoding")
    ]
    _, ledger = done(write(tmp_path, '<url href="a"/>', site=SITE.replace(">", ' suppress_search_engine_notify="1">')))
    assert ledger.findings == []


def test_options_are_checked(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="max_urls"):
        run(write(tmp_path, '<url href="a"/>'), max_urls=0)
    with pytest.raises(OptionError, match="same file"):
        run(write(tmp_path, '<url href="a"/>'), rejects=tmp_path / "config.xml")


def test_the_configuration_is_never_overwritten(tmp_path: Path) -> None:
    config = write(tmp_path, '<url href="a"/>', site=SITE.replace("sitemap.xml", "config.xml"))
    before = config.read_bytes()
    with pytest.raises(OptionError, match="same file"):
        run(config)
    assert config.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "entry", "left_out"),
    [
        (
            "http://www.example.com/c priority=0.5 hello",
            {"loc": "http://www.example.com/c", "priority": 0.5},
            ["hello"],
        ),
        ("http://www.example.com/c foo=1", {"loc": "http://www.example.com/c"}, ["foo=1"]),
        (
            "http://www.example.com/c  Priority=0.5 lastmod=2005-01-01",
            {"loc": "http://www.example.com/c", "lastmod": "2005-01-01"},
            ["Priority=0.5"],
        ),
        (
            "http://www.example.com/c priority=0.1 priority=0.2",
            {"loc": "http://www.example.com/c", "priority": 0.2},
            [],
        ),
        ("http://www.example.com/c loc=http://www.example.com/d", {"loc": "http://www.example.com/d"}, []),
    ],
)
def test_the_first_field_of_a_line_is_the_address(
    line: str, entry: dict[str, object], left_out: list[str], tmp_path: Path
) -> None:
    """PROTOCOL 8.2: unknown names and fields without = are ignored, with a warning."""
    (tmp_path / "urls.txt").write_text(f"{line}\n")
    ledger = urlset.Ledger()
    run(write(tmp_path, '<urllist path="urls.txt"/>'), tmp_path / "out.xml", ledger=ledger)
    assert [one.as_dict() for one in urlset.read(tmp_path / "out.xml")] == [entry]
    assert [one.value for one in ledger.findings if one.rule == "not-a-url"] == left_out
