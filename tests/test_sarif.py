from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

sys.path.insert(0, str(Path(__file__).parent))

import sarif_schema

import urlset
from urlset.converters import sarif
from urlset.formats.catalogue import RULES
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.ledger import Ledger


def ledger(*findings: Finding) -> Ledger:
    book = Ledger()
    for finding in findings:
        book.add(finding)
    return book


def finding(source: str | None = "sitemap.xml", rule: str = "duplicate-loc", **more: Any) -> Finding:
    return Finding(rule, more.pop("severity", "warning"), more.pop("message", "a message"), source, **more)


def run(*findings: Finding, root: Path | None = None) -> dict[str, Any]:
    found: dict[str, Any] = sarif_schema.checked(sarif.sarif_log(ledger(*findings), root))["runs"][0]
    return found


def result(one: Finding, root: Path | None = None) -> dict[str, Any]:
    (found,) = run(one, root=root)["results"]
    assert isinstance(found, dict)
    return found


def place(one: Finding, root: Path | None = None) -> dict[str, Any]:
    found: dict[str, Any] = result(one, root)["locations"][0]["physicalLocation"]
    return found


# --- the log


def test_nothing_found() -> None:
    log = sarif_schema.checked(sarif.sarif_log(Ledger()))
    assert log == {
        "$schema": sarif_schema.SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "urlset", "version": urlset.__version__, "rules": []}},
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
                "columnKind": "unicodeCodePoints",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "results": [],
            }
        ],
    }


def test_a_result() -> None:
    one = finding(
        "folder/sitemap.xml",
        message="listed again",
        line=7,
        column=12,
        value="https://example.com/",
        action="kept",
        count=3,
        field="loc",
    )
    found = result(one)
    assert list(found.pop("partialFingerprints")) == ["ruleSourceValue/v1"]
    assert found == {
        "ruleId": "duplicate-loc",
        "ruleIndex": 0,
        "level": "warning",
        "message": {"text": "listed again"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "folder/sitemap.xml", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 7, "startColumn": 12, "snippet": {"text": "https://example.com/"}},
                }
            }
        ],
        "occurrenceCount": 3,
        "properties": {"value": "https://example.com/", "action": "kept", "field": "loc"},
    }


def test_what_is_unknown_is_absent() -> None:
    found = result(finding())
    assert found["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "sitemap.xml", "uriBaseId": "%SRCROOT%"}
    }
    assert found["properties"] == {"action": "kept"}


@pytest.mark.parametrize(
    ("known", "region"),
    [
        ({"line": 7}, {"startLine": 7}),
        ({"line": 7, "column": 2}, {"startLine": 7, "startColumn": 2}),
        ({"line": 7, "value": "x"}, {"startLine": 7, "snippet": {"text": "x"}}),
        ({"line": 7, "value": ""}, {"startLine": 7}),
        ({"line": 7, "column": 0}, {"startLine": 7}),
        ({"line": 0, "column": 1}, None),
        ({"column": 1, "value": "x"}, None),
    ],
)
def test_region(known: Mapping[str, Any], region: Mapping[str, Any] | None) -> None:
    assert place(finding(**known)).get("region") == region


@pytest.mark.parametrize(("severity", "level"), [("error", "error"), ("warning", "warning"), ("info", "note")])
def test_level_is_that_of_the_finding(severity: str, level: str) -> None:
    assert result(finding(severity=severity))["level"] == level
    assert run(finding(None, severity=severity))["invocations"][0]["toolExecutionNotifications"][0]["level"] == level


def test_rules_that_occur_once_each_in_the_order_of_the_findings() -> None:
    found = run(finding(rule="not-absolute"), finding(rule="duplicate-loc"), finding(rule="not-absolute"))
    assert [rule["id"] for rule in found["tool"]["driver"]["rules"]] == ["not-absolute", "duplicate-loc"]
    assert [one["ruleIndex"] for one in found["results"]] == [0, 1, 0]


def test_order_and_number_are_as_found() -> None:
    many = [finding(line=line % 7 + 1, value=str(line)) for line in range(6000)]
    assert [one["properties"]["value"] for one in run(*many)["results"]] == [str(line) for line in range(6000)]


def test_every_rule_of_the_catalogue() -> None:
    found = run(*(finding(rule=rule, severity=RULES[rule].severity) for rule in RULES))
    for described, rule in zip(found["tool"]["driver"]["rules"], RULES.values(), strict=True):
        assert described["shortDescription"]["text"] == rule.meaning
        assert described["fullDescription"]["text"].startswith(rule.meaning)
        assert described["help"]["text"] == rule.mend
        assert described["defaultConfiguration"]["level"] == {"info": "note"}.get(rule.severity, rule.severity)
        assert described["properties"]["tags"] == [*(row.id for row in rule.rows), rule.source]
        assert all(row.id in described["help"]["markdown"] for row in rule.rows)


def test_markup_in_a_rule_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = RULES["duplicate-loc"]._replace(meaning="A {0}.", mend="Write <loc> & *not* [x](y).", source="A_B")
    monkeypatch.setattr(sarif, "RULES", {odd.id: odd})
    (described,) = run(finding())["tool"]["driver"]["rules"]
    assert described["shortDescription"]["text"] == "A {{0}}."
    assert described["help"]["text"] == "Write <loc> & *not* [x] (y)."
    markdown = described["help"]["markdown"]
    assert markdown.startswith(r"Write \<loc\> \& \*not\* \[x\](y)." + "\n\nSource: A\\_B")


# --- messages (SARIF 3.11.5, 3.11.6)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("plain", "plain"),
        ("the root is {http://www.sitemaps.org/}loc", "the root is {{http://www.sitemaps.org/}}loc"),
        ("{0} and {{1}}", "{{0}} and {{{{1}}}}"),
        ("[here](https://example.com/)", "[here] (https://example.com/)"),
        (r"[here\](https://example.com/)", r"[here\] (https://example.com/)"),
        ("a[0] and (b)", "a[0] and (b)"),
        (" ", RULES["duplicate-loc"].meaning),
    ],
)
def test_message_holds_no_placeholder_and_no_link(message: str, text: str) -> None:
    assert result(finding(message=message))["message"] == {"text": text}


def test_lone_surrogates_are_replaced() -> None:
    odd = finding("a\ud800.xml", message="\udcff in loc", line=1, value="x\udfffy", field="\ud800")
    found = result(odd)
    assert found["message"] == {"text": "\ufffd in loc"}
    assert found["properties"] == {"value": "x\ufffdy", "action": "kept", "field": "\ufffd"}
    assert found["locations"][0]["physicalLocation"]["region"]["snippet"] == {"text": "x\ufffdy"}


# --- where a source is (SARIF 3.4, 3.10; RFC 3986)


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("sitemap.xml", "sitemap.xml"),
        ("./a/sitemap.xml.gz", "a/sitemap.xml.gz"),
        ("a//b/./c.xml", "a/b/c.xml"),
        ("a/../b.xml", "b.xml"),
        ("my sitemap.xml", "my%20sitemap.xml"),
        ("söhne.xml", "s%C3%B6hne.xml"),
        ("100%.xml", "100%25.xml"),
        ("a?b#c.xml", "a%3Fb%23c.xml"),
        ("[a]^{b}|\"'.xml", "%5Ba%5D%5E%7Bb%7D%7C%22'.xml"),
        ("a:b.xml", "a%3Ab.xml"),
        ("c:d/e.xml", "c%3Ad/e.xml"),
        ("http:x.xml", "http%3Ax.xml"),
        pytest.param("a\\b.xml", "a%5Cb.xml", marks=pytest.mark.skipif(os.name == "nt", reason="a separator there")),
        ("\udcff.xml", "%FF.xml"),
        (".", "./"),
    ],
)
def test_files_under_the_root_are_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, uri: str
) -> None:
    monkeypatch.chdir(tmp_path)
    relative = {"uri": uri, "uriBaseId": "%SRCROOT%"}
    assert place(finding(name))["artifactLocation"] == relative
    if name != ".":
        assert place(finding(str(tmp_path / name)))["artifactLocation"] == relative


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("<stdin>", "stdin"),
        ("<bytes>", "bytes"),
        ("<a/b:c>", "a%2Fb%3Ac"),
        ("", "unnamed"),
        ("<>", "unnamed"),
        ("<..>", "unnamed"),
        ("a\0b", "a%00b"),
        ("a\ud800", "a%EF%BF%BD"),
        ("http://exa mple/a", "http%3A%2F%2Fexa%20mple%2Fa"),
    ],
)
def test_names_that_are_no_path(name: str, uri: str) -> None:
    assert place(finding(name))["artifactLocation"] == {"uri": uri}


@pytest.mark.parametrize(
    ("address", "uri"),
    [
        ("https://example.com/sitemap.xml", "https://example.com/sitemap.xml"),
        ("HTTP://Example.com:8080/a%2fb?x=1&y=[2]", "HTTP://Example.com:8080/a%2Fb?x=1&y=%5B2%5D"),
        ("https://example.com/a?b=c%20d#e", "https://example.com/a?b=c%20d#e"),
        ("http://www.example.com/hu/sör.txt", "http://www.example.com/hu/s%C3%B6r.txt"),  # the standard's, 3.10.4
        ("https://[::1]/", "https://[::1]/"),
    ],
)
def test_addresses_stay_but_for_what_no_uri_may_hold(address: str, uri: str) -> None:
    assert place(finding(address))["artifactLocation"] == {"uri": uri}


def test_files_elsewhere_have_a_file_uri(tmp_path: Path) -> None:
    inside, outside = tmp_path / "site", tmp_path / "other site"
    assert place(finding(str(inside / "a.xml")), inside)["artifactLocation"]["uri"] == "a.xml"
    assert place(finding(str(outside / "ä:b.xml")), inside)["artifactLocation"] == {
        "uri": Path(os.path.realpath(tmp_path)).as_uri() + "/other%20site/%C3%A4%3Ab.xml"
    }


def test_a_name_that_begins_like_the_root_is_elsewhere(tmp_path: Path) -> None:
    found = place(finding(str(tmp_path / "site2" / "a.xml")), tmp_path / "site")["artifactLocation"]
    assert found["uri"].startswith("file:///")
    assert "uriBaseId" not in found


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real", target_is_directory=True)
    (tmp_path / "loop").symlink_to("loop")
    assert place(finding(str(tmp_path / "link" / "a.xml")), tmp_path)["artifactLocation"]["uri"] == "real/a.xml"
    assert place(finding(str(tmp_path / "real" / "a.xml")), tmp_path / "link")["artifactLocation"]["uri"] == "a.xml"
    assert place(finding(str(tmp_path / "loop")), tmp_path)["artifactLocation"]["uri"] == "loop"


# --- fingerprints (SARIF 3.27.2, 3.27.17)


def fingerprints(*findings: Finding, root: Path | None = None) -> list[str]:
    return [one["partialFingerprints"][sarif.FINGERPRINT] for one in run(*findings, root=root)["results"]]


def test_a_moved_line_is_the_same_result() -> None:
    before = fingerprints(finding(line=3, column=1, value="x"), finding(line=9, value="y"))
    after = fingerprints(finding(line=4, value="y", message="other words"), finding(line=40, column=8, value="x"))
    assert before == after[::-1]


def test_a_moved_folder_is_the_same_result(tmp_path: Path) -> None:
    here, there = (
        fingerprints(finding(str(tmp_path / name / "a.xml"), value="x"), root=tmp_path / name) for name in "ab"
    )
    assert here == there


def test_rule_source_and_value_tell_results_apart() -> None:
    ones = [
        finding(value="x"),
        finding(value="y"),
        finding(),
        finding("other.xml", value="x"),
        finding(rule="not-absolute", value="x"),
        finding(value="x", line=9),
    ]
    assert len(set(fingerprints(*ones))) == len(ones)


# --- notifications and success


def test_a_finding_without_a_source_is_a_notification() -> None:
    found = run(finding(), finding(None, "base-url-assumed", message="the root of {0} is assumed"))
    assert [one["ruleId"] for one in found["results"]] == ["duplicate-loc"]
    assert found["invocations"] == [
        {
            "executionSuccessful": True,
            "toolExecutionNotifications": [
                {
                    "level": "warning",
                    "message": {"text": "the root of {{0}} is assumed"},
                    "associatedRule": {"id": "base-url-assumed", "index": 1},
                    "properties": {"action": "kept"},
                }
            ],
        }
    ]


def test_a_document_that_failed_is_no_success(tmp_path: Path) -> None:
    book = Ledger()
    (tmp_path / "good.txt").write_text("https://example.com/\n")
    urlset.validate([tmp_path / "good.txt", tmp_path / "gone.xml"], ledger=book)
    found = sarif_schema.checked(sarif.sarif_log(book, tmp_path))["runs"][0]
    assert found["invocations"][0]["executionSuccessful"] is False
    assert found["results"][-1]["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "gone.xml", "uriBaseId": "%SRCROOT%"}}}
    ]


def test_errors_in_a_document_that_was_read_are_a_success(tmp_path: Path) -> None:
    book = Ledger()
    (tmp_path / "bad.txt").write_text("https://example.com/\nnonsense\n")
    urlset.validate(tmp_path / "bad.txt", ledger=book)
    found = sarif_schema.checked(sarif.sarif_log(book, tmp_path))["runs"][0]
    assert found["results"]
    assert found["invocations"][0]["executionSuccessful"] is True


def test_an_error_of_the_run_itself_is_no_success() -> None:
    found = run(finding(None, "empty-inventory", severity="error"))
    assert found["invocations"][0]["executionSuccessful"] is False


# --- any findings at all

anything = st.text(st.characters(exclude_categories=()))
names = st.one_of(
    anything,
    st.sampled_from(["<stdin>", "-", "//a//b", "/etc/../x", "../up.xml", "a/./b", "C:\\x", "http://", "https://[::1"]),
    anything.map("http://{}".format),
    st.lists(st.sampled_from(["..", ".", "a:b", "%", "ü", ""])).map("/".join),
)
findings = st.lists(
    st.builds(
        Finding,
        rule=st.sampled_from(sorted(RULES)),
        severity=st.sampled_from(["error", "warning", "info"]),
        message=anything,
        source=st.none() | names,
        line=st.none() | st.integers(-1, 2**40),
        column=st.none() | st.integers(-1, 2**40),
        value=st.none() | anything | st.sampled_from(["{" * 9000, "[x](" * 9000, "\ud800" * 9000]),
        action=st.sampled_from(["rejected", "repaired", "dropped-value", "kept"]),
        count=st.integers(0, 2**40),
        field=st.none() | anything,
    ),
    max_size=8,
)


@settings(deadline=None)
@given(findings)
def test_any_findings_make_a_valid_log(many: list[Finding]) -> None:
    found = run(*many)
    notes = found["invocations"][0]["toolExecutionNotifications"]
    assert len(found["results"]) == sum(one.source is not None for one in many)
    assert len(notes) == sum(one.source is None for one in many)
    assert [one["ruleId"] for one in found["results"]] == [one.rule for one in many if one.source is not None]


def test_the_same_findings_make_the_same_log() -> None:
    ones = [finding(value="x"), finding(None), finding("<stdin>", line=3)]
    assert sarif.sarif_log(ledger(*ones)) == sarif.sarif_log(ledger(*ones))


# --- the model of the standard refuses what it must


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["version"], "2.0.0"),
        (["runs"], []),
        (["runs", 0, "columnKind"], "bytes"),
        (["runs", 0, "extra"], 1),
        (["runs", 0, "results", 0, "ruleIndex"], 1),
        (["runs", 0, "results", 0, "ruleIndex"], -1),
        (["runs", 0, "results", 0, "ruleId"], "not-absolute"),
        (["runs", 0, "results", 0, "level"], "info"),
        (["runs", 0, "results", 0, "level"], "none"),
        (["runs", 0, "results", 0, "kind"], "pass"),
        (["runs", 0, "results", 0, "message"], {}),
        (["runs", 0, "results", 0, "message", "text"], ""),
        (["runs", 0, "results", 0, "message", "text"], "{0}"),
        (["runs", 0, "results", 0, "message", "text"], "[a](1)"),
        (["runs", 0, "results", 0, "occurrenceCount"], 0),
        (["runs", 0, "results", 0, "properties", "value"], None),
        (["runs", 0, "results", 0, "partialFingerprints"], {"a/b": ""}),
        (["runs", 0, "results", 0, "locations"], []),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"], 0),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"], "1"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startColumn"], 0),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region"], {}),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation"], {}),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], ""),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "a b"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "ä"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "/a"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "a:b"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "a/../b"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "100%"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"], "file:///a"),
        (["runs", 0, "tool", "driver", "rules", 0, "help", "markdown"], "<b>"),
        (["runs", 0, "tool", "driver", "rules", 0, "properties", "tags"], ["a", "a"]),
        (["runs", 0, "tool", "driver", "rules"], []),
        (["runs", 0, "invocations", 0], {"toolExecutionNotifications": []}),
    ],
    ids=lambda part: "-".join(map(str, part[-2:])) if isinstance(part, list) else None,
)
def test_the_model_refuses(path: list[Any], value: object) -> None:
    log = sarif_schema.checked(sarif.sarif_log(ledger(finding(line=1, column=1, value="x"))))
    inner: Any = log
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(ValidationError):
        sarif_schema.checked(log)
