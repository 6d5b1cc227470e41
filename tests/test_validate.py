from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.converters.cli import app
from urlset.formats.vocabulary.errors import DetectionError, OptionError, SourceError

HOME = "https://example.com/"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*locs: str) -> bytes:
    rows = "".join(f"<url><loc>{loc}</loc><lastmod>2024-05-06</lastmod></url>\n" for loc in locs)
    return f"{HEAD}<urlset {NAMESPACE}>\n{rows}</urlset>".encode()


def index(*locs: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{loc}</loc><lastmod>2024-05-06</lastmod></sitemap>\n" for loc in locs)
    return f"{HEAD}<sitemapindex {NAMESPACE}>\n{rows}</sitemapindex>".encode()


def served(pages: dict[str, bytes]) -> dict[str, Any]:
    def fetch(address: str) -> bytes:
        try:
            return pages[address]
        except KeyError:
            raise FileNotFoundError(address) from None

    return {"fetch": fetch}


SOUND = sitemap(HOME, HOME + "a")
REPEATED = sitemap(HOME, HOME)
BROKEN = sitemap(HOME, "/relative")


# --- the library call


def test_nothing_to_say() -> None:
    assert urlset.validate(SOUND) == []


@pytest.mark.parametrize("kind", ["path", "text path", "bytes", "stream", "gzip", "list"])
def test_sources(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(REPEATED)
    source: Any = {
        "path": path,
        "text path": str(path),
        "bytes": REPEATED,
        "stream": io.BytesIO(REPEATED),
        "gzip": gzip.compress(REPEATED),
        "list": [path],
    }[kind]
    assert [(one.rule, one.line) for one in urlset.validate(source)] == [("duplicate-loc", 4)]


def test_findings_of_reading_come_along() -> None:
    data = sitemap("/relative", HOME).replace(
        b"2024-05-06</lastmod></url>\n</urlset>", b"soon</lastmod></url></urlset>"
    )
    assert [one.rule for one in urlset.validate(data)] == ["not-absolute", "invalid-date", "lastmod-missing"]


def test_every_record_is_accounted_for() -> None:
    ledger = urlset.Ledger()
    assert urlset.validate([SOUND, BROKEN], ledger=ledger) is ledger.findings
    counts = ledger.counts
    assert (counts.read, counts.written, counts.rejected) == (4, 3, 1)
    assert ledger.outputs == []


def test_a_truncated_document_is_checked_as_far_as_it_goes() -> None:
    data = sitemap(HOME, HOME, HOME + "cut")
    found = urlset.validate(data[: data.rindex(b"</loc>")])
    assert {"duplicate-loc", "unexpected-end"} <= {one.rule for one in found}


def test_a_document_that_fails_does_not_hide_the_others(tmp_path: Path) -> None:
    found = urlset.validate([tmp_path / "absent.xml", REPEATED])
    assert [one.rule for one in found] == ["document-refused", "duplicate-loc"]


def test_nothing_could_be_read(tmp_path: Path) -> None:
    ledger = urlset.Ledger()
    with pytest.raises(SourceError):
        urlset.validate(tmp_path / "absent.xml", ledger=ledger)
    assert [one.rule for one in ledger.findings] == ["document-refused"]
    with pytest.raises(DetectionError):
        urlset.validate(b"neither this nor that")


@pytest.mark.parametrize(
    "options",
    [{"url": "example.com/sitemap.xml"}, {"base_url": "/"}, {"now": "yesterday"}, {"now": datetime(2024, 5, 6)}],
)
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        urlset.validate(SOUND, **options)


def test_unknown_option() -> None:
    with pytest.raises(OptionError, match="no option 'max_urls'"):
        urlset.validate(SOUND, max_urls=3)


NEWS = sitemap(HOME).replace(
    b"</lastmod>",
    b'</lastmod><n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><n:publication><n:name>P</n:name>'
    b"<n:language>en</n:language></n:publication><n:publication_date>2024-05-06</n:publication_date>"
    b"<n:title>T</n:title></n:news>",
)


@pytest.mark.parametrize("now", ["2024-05-09", datetime(2024, 5, 9, tzinfo=UTC), urlset.LastMod("2024-05-09"), None])
def test_now(now: Any) -> None:
    assert [one.rule for one in urlset.validate(NEWS, now=now)] == ["news-too-old"]
    assert urlset.validate(NEWS, now="2024-05-07") == []


# --- lists of documents


def test_children_are_checked(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_bytes(index(HOME + "a.xml", HOME + "b.xml"))
    (tmp_path / "a.xml").write_bytes(REPEATED)
    (tmp_path / "b.xml").write_bytes(SOUND)
    (found,) = urlset.validate(tmp_path / "index.xml")
    assert (found.rule, found.source, found.line) == ("duplicate-loc", str(tmp_path / "a.xml"), 4)
    assert urlset.validate(tmp_path / "index.xml", follow=False) == []


def test_a_repeated_child_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_bytes(index(HOME + "a.xml", HOME + "a.xml"))
    (tmp_path / "a.xml").write_bytes(SOUND)
    for follow in (True, False):
        found = urlset.validate(tmp_path / "index.xml", follow=follow)
        assert [(one.rule, one.line) for one in found] == [("duplicate-loc", 4)]


def test_a_child_has_the_scope_of_its_own_address(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_bytes(index(HOME + "shop/a.xml"))
    (tmp_path / "a.xml").write_bytes(sitemap(HOME + "shop/x", HOME + "y"))
    assert urlset.validate(tmp_path / "a.xml") == []
    given: list[dict[str, Any]] = [{}, {"url": HOME + "index.xml"}]
    for options in given:  # the index says where its child lives
        found = urlset.validate(tmp_path / "index.xml", **options)
        assert [(one.rule, one.value) for one in found] == [("outside-sitemap-path", HOME + "y")]


def test_what_was_fetched_has_an_address() -> None:
    pages = {
        HOME + "index.xml": index(HOME + "a.xml", "https://cdn.example/b.xml"),
        HOME + "a.xml": sitemap(HOME + "x", "http://example.com/y"),
        "https://cdn.example/b.xml": sitemap(HOME + "z"),
    }
    found = urlset.validate(HOME + "index.xml", **served(pages))
    assert [(one.rule, one.source, one.line) for one in found] == [
        ("different-host", HOME + "index.xml", 4),  # a list is read to its end before its children are
        ("different-protocol", HOME + "a.xml", 4),
        ("different-host", "https://cdn.example/b.xml", 3),
    ]


def test_a_fetched_table_has_no_scope() -> None:
    pages = {HOME + "pages.csv": b"url,title\nhttps://a.example/,A\n"}
    assert urlset.validate(HOME + "pages.csv", **served(pages)) == []
    found = urlset.validate(HOME + "pages.csv", url=HOME, **served(pages))
    assert [one.rule for one in found] == ["different-host"]


def test_robots_vouches_for_its_host() -> None:
    pages = {
        HOME + "robots.txt": b"Sitemap: https://cdn.example/maps/index.xml\n",
        "https://cdn.example/maps/index.xml": index("https://cdn.example/maps/a.xml"),
        "https://cdn.example/maps/a.xml": sitemap(HOME + "x", "https://cdn.example/maps/y", "https://other.example/"),
    }
    found = urlset.validate(HOME + "robots.txt", **served(pages))
    assert [(one.rule, one.value) for one in found] == [
        ("cross-submitted", "https://cdn.example/maps/index.xml"),
        ("cross-submitted", HOME + "x"),
        ("different-host", "https://other.example/"),
    ]


def test_a_relative_address_stays_an_error_where_only_the_sitemap_is_known() -> None:
    (found,) = urlset.validate(BROKEN, url=HOME + "sitemap.xml")
    assert (found.rule, found.severity) == ("not-absolute", "error")
    (found,) = urlset.validate(BROKEN, base_url=HOME)
    assert (found.rule, found.severity, found.action) == ("not-absolute", "warning", "repaired")


# --- the command line


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)
    for name, data in {"sound.xml": SOUND, "repeated.xml": REPEATED, "broken.xml": BROKEN, "news.xml": NEWS}.items():
        Path(name).write_bytes(data)

    def call(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["urlset", *words])
        with pytest.raises(SystemExit) as stop:
            app.run()
        out, err = capsys.readouterr()
        return Ran(int(stop.value.code or 0), out, err)

    return call


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["sound.xml"], 0),
        (["sound.xml", "--fail-on", "warning"], 0),
        (["repeated.xml"], 0),
        (["repeated.xml", "--fail-on", "error"], 0),
        (["repeated.xml", "--fail-on", "warning"], 1),
        (["broken.xml"], 1),
        (["sound.xml", "broken.xml"], 1),
        (["sound.xml", "absent.xml"], 1),
        (["sound.xml", "--url", "https://other.example/"], 0),
        (["sound.xml", "--url", "https://other.example/", "--fail-on", "warning"], 1),
        (["news.xml", "--now", "2024-05-07", "--fail-on", "warning"], 0),
        (["news.xml", "--now", "2024-05-09", "--fail-on", "warning"], 1),
        (["broken.xml", "--base-url", HOME], 0),
        (["absent.xml"], 2),
        (["sound.xml", "--from", "nonsense"], 2),
        (["sound.xml", "--url", "nonsense"], 2),
        (["sound.xml", "--now", "nonsense"], 2),
        (["sound.xml", "--fail-on", "info"], 2),
        ([], 2),
    ],
)
def test_status(run: Any, words: list[str], status: int) -> None:
    assert run("validate", *words).status == status
    assert run("validate", "--json", *words).status == status


def test_printed(run: Any) -> None:
    ran = run("validate", "repeated.xml", "broken.xml")
    assert ran.out.splitlines() == [
        "repeated.xml",
        "  warning: The same address is listed again. [duplicate-loc]",
        "    line 4: the address is listed again; it stands on line 3 already",
        "      <url><loc>https://example.com/</loc><lastmod>2024-05-06</lastmod></url>",
        f"    Mend: {urlset.RULES['duplicate-loc'].mend}",
        "",
        "broken.xml",
        "  error: The URL lacks scheme or host. [not-absolute]",
        "    line 4: the URL lacks its scheme (http:// or https://)",
        "      <url><loc>/relative</loc><lastmod>2024-05-06</lastmod></url>",
        f"    Mend: {urlset.RULES['not-absolute'].mend}",
    ]
    assert ran.err == "4 records in 2 documents: 1 error, 1 warning\n"
    assert run("validate", "sound.xml").err == "2 records in 1 document: nothing to remark\n"


def test_few_of_many_are_printed(run: Any) -> None:
    Path("many.xml").write_bytes(sitemap(*[HOME] * 9))
    ran = run("validate", "many.xml")
    assert "    … and 3 more; --json lists them" in ran.out.splitlines()
    assert ran.out.count("    line ") == 5


def test_what_steers_a_terminal_is_shown_as_text(run: Any) -> None:
    Path("odd[bold].txt").write_bytes(b"https://example.com/[red]\x1b[2J\n")
    ran = run("validate", "odd[bold].txt")
    assert "\x1b" not in ran.out
    assert ran.out.startswith("odd[bold].txt\n")
    assert "https://example.com/[red]" in ran.out


def test_select_and_ignore(run: Any) -> None:
    assert run("validate", "broken.xml", "--select", "not-*").status == 1
    assert run("validate", "broken.xml", "--ignore", "not-absolute").status == 0
    ran = run("validate", "broken.xml", "repeated.xml", "--json", "--select", "duplicate-loc", "--ignore", "news-*")
    assert [one["rule"] for one in json.loads(ran.out)["findings"]] == ["duplicate-loc"]
    assert json.loads(ran.out)["counts"]["rejected"] == 1
    assert run("validate", "broken.xml", "--select", "*", "--ignore", "*").out == ""
    for option in ("--select", "--ignore"):
        ran = run("validate", "broken.xml", option, "no-such-rule")
        assert (ran.status, ran.out) == (2, "")
        assert "no-such-rule" in ran.err


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("LOC-005", "it is a check, and its rule is loc-too-long", id="check"),
        pytest.param("loc-005", "it is a check, and its rule is loc-too-long", id="lower"),
        pytest.param("loc-to-long", "did you mean loc-too-long", id="near"),
        pytest.param("Loc-Too-Long", "did you mean loc-too-long", id="capitals"),
        pytest.param("zzz-*", "urlset rules lists them", id="far"),
    ],
)
def test_a_name_that_no_rule_has_is_told_with_what_may_be_meant(option: str, name: str, hint: str, run: Any) -> None:
    """A rule may have several checks, and a finding is about a rule; so a check can't be selected by itself."""
    ran = run("validate", "sound.xml", option, name)
    assert ran.status == 2
    assert f"there is no rule {name!r}; {hint}" in ran.err


def test_engines(run: Any) -> None:
    Path("long.xml").write_bytes(sitemap(HOME + "a" * 1100))
    assert run("validate", "long.xml", "--fail-on", "warning").status == 0
    ran = run("validate", "long.xml", "--fail-on", "warning", "--engine", "yandex", "--engine", "bing")
    assert ran.status == 1
    assert "Yandex takes 1,024" in ran.out
    assert run("validate", "long.xml", "--engine", "altavista").status == 2
    with pytest.raises(OptionError, match="altavista"):
        urlset.validate(SOUND, engines=["altavista"])


def test_sarif(run: Any) -> None:
    ran = run("validate", "broken.xml", "--sarif")
    assert (ran.status, ran.err) == (1, "")
    (found,) = json.loads(ran.out)["runs"][0]["results"]
    assert found["ruleId"] == "not-absolute"
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    assert run("validate", "broken.xml", "--sarif", "--json").status == 2


def test_xsd(run: Any) -> None:
    Path("year.xml").write_bytes(SOUND.replace(b"2024-05-06", b"2024", 1))
    assert run("validate", "year.xml").status == 0
    ran = run("validate", "year.xml", "--xsd", "--json")
    assert ran.status == 1
    found = [one for one in json.loads(ran.out)["findings"] if one["rule"] == "schema-invalid"]
    assert [(one["line"], one["severity"]) for one in found] == [(3, "error")]
    assert run("validate", "sound.xml", "--xsd").status == 0


def test_quiet(run: Any) -> None:
    ran = run("validate", "broken.xml", "--quiet")
    assert (ran.status, ran.out, ran.err) == (1, "", "")


def test_json_is_the_report(run: Any) -> None:
    ran = run("validate", "broken.xml", "repeated.xml", "--json", "--report", "report.json")
    assert ran.err == ""
    found = json.loads(ran.out)
    assert found == json.loads(Path("report.json").read_bytes())
    assert found["counts"] == {
        "read": 4, "written": 3, "rejected": 1, "repaired": 0, "filtered": 0, "duplicates": 0,
    }  # fmt: skip
    assert [one["name"] for one in found["sources"]] == ["broken.xml", "repeated.xml"]
    assert [one["rule"] for one in found["findings"]] == ["not-absolute", "duplicate-loc"]
    assert found["outputs"] == []


def test_report_of_what_could_not_be_read(run: Any) -> None:
    ran = run("validate", "absent.xml", "--json")
    (finding,) = json.loads(ran.out)["findings"]
    assert (finding["rule"], finding["severity"]) == ("document-refused", "error")
    assert "absent.xml" in ran.err
    assert run("validate", "sound.xml", "--now", "nonsense", "--json").out == ""


def test_no_follow(run: Any) -> None:
    Path("index.xml").write_bytes(index(HOME + "missing.xml"))
    assert run("validate", "index.xml").status == 1
    assert run("validate", "index.xml", "--no-follow").status == 0


def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "urlset", "validate", "-", "--json"]
    done = subprocess.run(command, input=BROKEN, capture_output=True, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["counts"]["read"] == 2


def test_rules(run: Any) -> None:
    ran = run("rules")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == list(urlset.RULES)
    assert all(urlset.RULES[line.split()[0]].meaning in line for line in lines)
    for rule, line in zip(urlset.RULES.values(), lines, strict=True):
        assert line.endswith(f"(--engine {' or '.join(rule.engines)})" if rule.engines else rule.meaning)


@pytest.mark.parametrize("name", urlset.RULES)
def test_explained(run: Any, name: str) -> None:
    ran = run("rules", name)
    rule = urlset.RULES[name]
    assert ran.status == 0
    assert all(text in ran.out for text in (rule.id, rule.severity, rule.meaning, rule.mend, rule.source))
    assert [line.strip() for line in ran.out.splitlines() if line.startswith("  ")] == [
        f"{row.id}  {row.text}" for row in rule.rows
    ]
    assert ("--strict" in ran.out) == rule.breaks_format
    assert ("with --engine" in ran.out) == bool(rule.engines)


def test_rules_as_json(run: Any) -> None:
    objects = json.loads(run("rules", "--json").out)
    assert [one["id"] for one in objects] == list(urlset.RULES)
    for one, rule in zip(objects, urlset.RULES.values(), strict=True):
        assert tuple(one) == rule._fields
        rows = one.pop("rows")
        assert [(row["id"], row["text"]) for row in rows] == [tuple(row) for row in rule.rows]
        assert {**one, "engines": tuple(one["engines"])} == {k: v for k, v in rule._asdict().items() if k != "rows"}


def test_one_rule_as_json(run: Any) -> None:
    ran = run("rules", "date-without-time", "--json")
    (found,) = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert (found["id"], found["severity"], found["engines"]) == ("date-without-time", "info", ["bing"])
    assert found["rows"] == [{"id": "MOD-008", "text": "For Bing a lastmod has a time."}]
    assert run("rules", "no-such-rule", "--json").status == 2


def test_unknown_rule(run: Any) -> None:
    ran = run("rules", "duplicate-locs")
    assert (ran.status, ran.out) == (2, "")
    assert "duplicate-loc" in ran.err.replace("'duplicate-locs'", "")
    assert "urlset rules" in run("rules", "zzzzz").err


# --- what a first look at the command found wrong


def test_the_report_never_takes_the_place_of_a_source(run: Any) -> None:
    before = Path("sound.xml").read_bytes()
    assert run("validate", "sound.xml", "--report", "sound.xml").status == 2
    assert Path("sound.xml").read_bytes() == before
    assert run("validate", "sound.xml", "--report", "-").status == 2
    assert not Path("-").exists()


@pytest.mark.parametrize("loc", ["hello", "ftp://example.com/a", "javascript:void(0)", "https://exa mple.com/"])
def test_a_record_that_is_rejected_is_an_error(run: Any, loc: str) -> None:
    Path("lost.xml").write_bytes(sitemap(HOME, loc))
    assert run("validate", "lost.xml").status == 1


def test_an_address_outside_a_record_is_an_error(run: Any) -> None:
    Path("lost.xml").write_bytes(SOUND.replace(b"</urlset>", b"<loc>https://example.com/lost</loc></urlset>"))
    assert run("validate", "lost.xml").status == 1


def test_a_list_without_an_address_fetches_nothing() -> None:
    (found,) = urlset.validate(index(HOME + "a.xml"))
    assert (found.rule, found.severity) == ("child-unavailable", "error")
    assert "nothing is fetched" in found.message
    assert urlset.validate(index(HOME + "a.xml"), **served({HOME + "a.xml": SOUND})) == []


def test_a_repeat_in_an_index_is_told_whatever_was_read_before(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(SOUND)
    (tmp_path / "one.xml").write_bytes(index(HOME + "a.xml"))
    (tmp_path / "twice.xml").write_bytes(index(HOME + "a.xml", HOME + "a.xml"))
    found = urlset.validate([tmp_path / "one.xml", tmp_path / "twice.xml"])
    assert [(one.rule, one.line) for one in found] == [("duplicate-loc", 4)]
    found = urlset.validate([tmp_path / "a.xml", tmp_path / "one.xml"])
    assert [(one.rule, one.severity) for one in found] == [("duplicate-loc", "info")]


def test_text_with_the_name_of_a_sitemap_is_none(run: Any) -> None:
    Path("error.xml").write_bytes(b"Error: database connection failed\n")
    ran = run("validate", "error.xml")
    assert ran.status == 2
    assert "[unknown-format]" in ran.out
    assert ran.out.count("no format was recognised") + ran.err.count("no format was recognised") == 1


def test_names_with_commas_and_names_as_text(run: Any) -> None:
    assert run("validate", "broken.xml", "--ignore", "not-absolute,news-*").status == 0
    for option in ("select", "ignore", "engines"):
        given: dict[str, Any] = {option: "news-*"}
        with pytest.raises(OptionError, match="list of names"):
            urlset.validate(SOUND, **given)


def test_rules_by_check_and_by_pattern(run: Any) -> None:
    assert run("rules", "LOC-005").out.startswith("loc-too-long (error)\n")
    shown = run("rules", "news-*", "loc-too-long").out
    assert [line.split()[0] for line in shown.splitlines() if line.endswith((" (warning)", " (error)", " (info)"))] == [
        *(name for name in urlset.RULES if name.startswith("news-")), "loc-too-long",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("host", "told"), [("https", True), ("localhost", True), ("example.com", False), ("[::1]", False)]
)
def test_a_host_without_a_dot(host: str, told: bool) -> None:
    found = urlset.validate(sitemap(f"https://{host}/a", f"https://{host}/b"), select=["unusual-host"])
    assert [one.count for one in found] == [2] * told


# --- hostile input


def test_a_document_that_can_not_be_read_fails_whatever_rules_are_asked_for(run: Any) -> None:
    assert run("validate", "sound.xml", "absent.xml", "--select", "news-*").status == 1


def test_an_error_beyond_many_warnings_of_its_rule_still_counts(tmp_path: Path) -> None:
    many = "".join(f"<url><loc>{HOME}{number}#a</loc></url>" for number in range(10_001))
    (tmp_path / "many.xml").write_bytes(f"<urlset {NAMESPACE}>{many}</urlset>".encode())
    (tmp_path / "one.xml").write_bytes(sitemap(HOME + "#a"))
    found = urlset.validate([tmp_path / "many.xml", tmp_path / "one.xml"], select=["fragment-in-loc"])
    counted = [(Path(one.source or "").name, one.count) for one in found if one.line is None]
    assert counted == [("many.xml", 1), ("one.xml", 1)]


def test_patterns_from_an_iterator() -> None:
    found = urlset.validate(BROKEN, select=(name for name in ["news-*"]), engines=iter(["bing"]))
    assert found == []


def test_no_room_for_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_text("".join(f"{HOME}{number:0150}\n" for number in range(60_000)))
    command = [sys.executable, "-m", "urlset", "validate", str(path)]
    env = {**os.environ, "SQLITE_TMPDIR": "/proc", "TMPDIR": "/proc"}
    done = subprocess.run(command, capture_output=True, check=False, env=env)
    if done.returncode != 1:  # where SQLite keeps all of it in memory there is always room
        assert done.returncode == 2
        assert b"TMPDIR names another folder" in done.stderr


def test_a_link_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "loop.xml").symlink_to("loop.xml")
    with pytest.raises(SourceError):
        urlset.validate(tmp_path / "loop.xml")


def test_what_steers_a_terminal_is_escaped_in_json_too(run: Any) -> None:
    path = Path(os.fsdecode(b"\xff\xc2\x9b.txt"))
    path.write_bytes("https://example.com/\x9b31m\u202e\n".encode())
    for option in ("--json", "--sarif"):
        out = run("validate", str(path), option).out
        assert json.loads(out)
        assert not any(char in out for char in "\x9b\u202e\udcff")


def test_names_are_no_emoji(run: Any) -> None:
    Path(":smile:.txt").write_bytes(b"https://example.com/\\\\\n")
    ran = run("validate", ":smile:.txt")
    assert ran.out.startswith(":smile:.txt\n")
    assert "[/dim]" not in ran.out


@pytest.mark.untraced
@pytest.mark.parametrize(
    "data",
    [
        f"<urlset {'a' * 60_000} {NAMESPACE}><url><loc>{HOME}</loc></url></urlset>",
        sitemap(f"{HOME}{'sitemap' * 30_000}.xmlx").decode(),
    ],
    ids=["attribute without a value", "sitemap again and again"],
)
def test_long_names_take_linear_time(data: str) -> None:
    start = time.process_time()
    urlset.validate(data.encode())
    assert time.process_time() - start < 20  # a guard: quadratic time is minutes


def test_text_before_a_root_within_the_root() -> None:
    for inner in ("<sitemapindex/>", "<x><sitemapindex>lost</sitemapindex></x>"):
        told = [
            one.value
            for one in urlset.validate(f"<urlset {NAMESPACE}>text{inner}</urlset>".encode(), select=["stray-text"])
        ]
        assert told[0] == "text"


def test_findings_beyond_those_that_are_listed_are_counted(tmp_path: Path, run_urlset: Run) -> None:
    rows = "".join(f"<url><loc>{HOME}{n}</loc><lastmod>x</lastmod></url>\n" for n in range(12_345))
    (tmp_path / "s.xml").write_text(f"<urlset {NAMESPACE}>\n{rows}</urlset>")
    checked = run_urlset("validate", "s.xml", cwd=tmp_path)
    assert "… and 12,340 more; --json lists 10,000 of the rule" in checked.stdout.decode()
    assert "12,345 warnings, 1 remark" in (checked.stdout + checked.stderr).decode()
    done = run_urlset("convert", "s.xml", "-o", "s.csv", cwd=tmp_path).stderr.decode()
    assert "… and 12,340 more of invalid-date; --report FILE lists 10,000 of them" in done
