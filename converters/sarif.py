"""Findings as a SARIF log, in which code hosts and editors show them where they stand.

Specification: Static Analysis Results Interchange Format 2.1.0 plus errata 01 (OASIS, 2023), from here on "SARIF"; what
GitHub asks for beyond it is kept too ("SARIF support for code scanning").
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from urlset.converters.sources.fetch import is_address
from urlset.formats.catalogue import RULES, Rule
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.iri import to_uri
from urlset.formats.vocabulary.ledger import Ledger

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
"""What the relative addresses of files are relative to: the root of the checked-out files."""
FINGERPRINT = "ruleSourceValue/v1"
"""The partial fingerprint: a hash of rule, source and value, and the number of the result among those that share it."""

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_MARKUP = re.compile(r"[\\`*_\[\]<>&~|#]")
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# RFC 3986 3.3, without the colon: in the first segment of a relative reference it would end a scheme.
_PATH = "/!$&'()*+,;=@"


def sarif_log(ledger: Ledger, root: Path | None = None) -> dict[str, object]:
    """The findings as a SARIF log, ready for ``json.dumps``; lone surrogates are replaced by U+FFFD.

    Files under ``root`` (by default the current folder) are named relative to it. A finding without a source is a
    notification of the run, any other a result, in the order in which they were found.
    """
    rules = list(dict.fromkeys(finding.rule for finding in ledger.findings))
    places = {rule: place for place, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {"name": "urlset", "version": version("urlset"), "rules": [_rule(RULES[rule]) for rule in rules]}
        },
        "invocations": [_invocation(ledger, places)],
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": list(_results(ledger.findings, places, _root(root))),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [_encodable(run)]}


def _root(root: Path | None) -> Path:
    try:
        return Path(os.path.realpath(root or Path.cwd()))
    except FileNotFoundError:  # the current folder is gone, so nothing lies under it
        return Path(os.devnull)


def _rule(rule: Rule) -> dict[str, object]:
    """SARIF 3.49, reportingDescriptor."""
    rows = [f"- {row.id}: {_markdown(row.text)}" for row in rule.rows]
    paragraphs = [_markdown(rule.mend), f"Source: {_markdown(rule.source)}", "\n".join(rows)]
    return {
        "id": rule.id,
        "shortDescription": {"text": _text(rule.meaning)},
        "fullDescription": {"text": _text(f"{rule.meaning} {rule.mend}")},
        "help": {"text": _text(rule.mend), "markdown": "\n\n".join(filter(None, paragraphs))},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [*(row.id for row in rule.rows), rule.source]},
    }


def _invocation(ledger: Ledger, places: Mapping[str, int]) -> dict[str, object]:
    """SARIF 3.20; a notification that is an error means that the run failed (3.20.21)."""
    loose = [finding for finding in ledger.findings if finding.source is None]
    failed = any(account.status == "failed" for account in ledger.accounts)
    return {
        "executionSuccessful": not failed and all(finding.severity != "error" for finding in loose),
        "toolExecutionNotifications": [_notification(finding, places) for finding in loose],
    }


def _notification(finding: Finding, places: Mapping[str, int]) -> dict[str, object]:
    """SARIF 3.58."""
    return {
        "level": _LEVELS[finding.severity],
        "message": _message(finding),
        "associatedRule": {"id": finding.rule, "index": places[finding.rule]},
        "properties": _properties(finding),
    }


def _results(findings: Iterable[Finding], places: Mapping[str, int], root: Path) -> Iterator[dict[str, object]]:
    """SARIF 3.27."""
    artifacts: dict[str, dict[str, str]] = {}
    met: Counter[str] = Counter()
    for finding in findings:
        if finding.source is None:
            continue
        artifact = artifacts.get(finding.source) or artifacts.setdefault(
            finding.source, _artifact(finding.source, root)
        )
        key = _fingerprint(finding, artifact["uri"])
        met[key] += 1
        yield {
            "ruleId": finding.rule,
            "ruleIndex": places[finding.rule],
            "level": _LEVELS[finding.severity],
            "message": _message(finding),
            "locations": [{"physicalLocation": {"artifactLocation": artifact, **_region(finding)}}],
            "occurrenceCount": max(finding.count, 1),
            "partialFingerprints": {FINGERPRINT: f"{key}:{met[key]}"},
            "properties": _properties(finding),
        }


def _region(finding: Finding) -> dict[str, object]:
    """SARIF 3.30; lines and columns count from 1."""
    if finding.line is None or finding.line < 1:
        return {}
    region: dict[str, object] = {"startLine": finding.line}
    if finding.column is not None and finding.column > 0:
        region["startColumn"] = finding.column
    if finding.value:
        region["snippet"] = {"text": finding.value}
    return {"region": region}


def _properties(finding: Finding) -> dict[str, object]:
    known = {"value": finding.value, "action": finding.action, "field": finding.field}
    return {name: value for name, value in known.items() if value is not None}


def _fingerprint(finding: Finding, uri: str) -> str:
    """What stays the same when lines move, or the files lie in another folder (SARIF 3.27.17)."""
    parts = "\0".join((finding.rule, uri, finding.value or ""))
    return sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _message(finding: Finding) -> dict[str, object]:
    return {"text": _text(finding.message.strip() or RULES[finding.rule].meaning)}


def _text(plain: str) -> str:
    """Plain text with nothing in it that is a placeholder (SARIF 3.11.5) or a link (3.11.6)."""
    return _unplaced(plain).replace("](", "] (")


def _markdown(plain: str) -> str:
    """Plain text as GitHub-flavoured Markdown: no markup, no HTML (SARIF 3.11.4)."""
    return _unplaced(_MARKUP.sub(r"\\\g<0>", plain))


def _unplaced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _artifact(name: str, root: Path) -> dict[str, str]:
    """Where a source is: an artifactLocation (SARIF 3.4), its address as RFC 3986 wants it."""
    try:
        return {"uri": to_uri(name)} if is_address(name) else _file(name, root)
    except ValueError:  # no host and no file can have such a name
        return {"uri": _opaque(name)}


def _file(name: str, root: Path) -> dict[str, str]:
    """The place of a file, links followed: code hosts show nothing at a link."""
    if not name or (name.startswith("<") and name.endswith(">")):
        return {"uri": _opaque(name)}
    path = Path(os.path.realpath(name))
    if not path.is_relative_to(root):
        return {"uri": path.as_uri()}
    inside = quote(os.fsencode(path.relative_to(root).as_posix()), safe=_PATH)
    return {"uri": "./" if inside == "." else inside, "uriBaseId": BASE}


def _opaque(name: str) -> str:
    """A relative reference of one segment for a source that is no file: ``stdin`` for ``<stdin>``."""
    text = _LONE_SURROGATES.sub("\ufffd", name.strip("<>"))
    return quote(text, safe="") if text.strip(".") else "unnamed"


def _encodable(value: object) -> object:
    """The same JSON value, its texts such that UTF-8 can hold them."""
    if isinstance(value, str):
        return value if value.isascii() else _LONE_SURROGATES.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _encodable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_encodable(inner) for inner in value]
    return value
