"""The part of SARIF 2.1.0 that urlset writes, as strict models: nothing unknown, nothing null, nothing out of range.

Numbers are the sections of "Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01" (OASIS,
2023). What GitHub asks for beyond the standard says so.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

SchemaUri = Literal["https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"]
(SCHEMA,) = get_args(SchemaUri)
LARGEST = 2**63 - 1

_PCHAR = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
_NO_COLON = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})"
_AFTER = rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)"
_USER = r"(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@)?"
ABSOLUTE = re.compile(rf"[A-Za-z][A-Za-z0-9+.\-]*://{_USER}{_HOST}(?::[0-9]*)?(?:/{_PCHAR}*)*{_AFTER}")
RELATIVE = re.compile(rf"{_NO_COLON}+(?:/{_PCHAR}*)*{_AFTER}")
PLACEHOLDER = re.compile(r"(?<!\{)(?:\{\{)*\{(?!\{)|(?<!\})(?:\}\})*\}(?!\})")
HTML = re.compile(r"(?<!\\)<[A-Za-z/!?]")


def _uri_reference(text: str) -> str:
    """RFC 3986 4.1; of relative references only relative paths, and no ``..`` in them (3.4.3, 3.10.2)."""
    assert ABSOLUTE.fullmatch(text) or RELATIVE.fullmatch(text), f"no URI reference: {text!r}"
    assert ".." not in text.split("?")[0].split("/") or ABSOLUTE.fullmatch(text), f"points upwards: {text!r}"
    return text


def _message_string(text: str) -> str:
    """Without arguments no placeholder (3.11.5), and no link (3.11.6), since nothing is linked to."""
    assert PLACEHOLDER.search(text) is None, f"a placeholder without an argument: {text!r}"
    assert "](" not in text, f"a link: {text!r}"
    return text


def _markdown(text: str) -> str:
    """No HTML (3.11.4.2)."""
    assert PLACEHOLDER.search(text) is None, f"a placeholder without an argument: {text!r}"
    assert HTML.search(text) is None, f"HTML in a formatted message: {text!r}"
    return text


def _distinct(items: list[str]) -> list[str]:
    """3.7.3."""
    assert len(set(items)) == len(items), f"not unique: {items}"
    return items


Text = Annotated[str, StringConstraints(min_length=1)]  # GitHub: no required property is empty
MessageString = Annotated[Text, AfterValidator(_message_string)]
Description = Annotated[Text, StringConstraints(max_length=1024), AfterValidator(_message_string)]  # GitHub
Markdown = Annotated[Text, AfterValidator(_markdown)]
UriReference = Annotated[Text, AfterValidator(_uri_reference)]
Level = Literal["none", "note", "warning", "error"]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Index = Annotated[int, Field(ge=0, le=LARGEST)]
RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
# 3.5.4.2, versioned hierarchical string
PartName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]+(/v[0-9]+)?$")]
Tags = Annotated[list[Text], Field(max_length=20), AfterValidator(_distinct)]  # GitHub: 20 tags


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def no_nulls(cls, data: Any) -> Any:
        assert None not in data.values(), f"null in {cls.__name__}"
        return data


class Message(Model):
    """3.11."""

    text: MessageString


class ShortMessage(Model):
    """3.12, multiformatMessageString."""

    text: Description


class Help(Model):
    """3.12, multiformatMessageString."""

    text: MessageString
    markdown: Markdown


class ReportingConfiguration(Model):
    """3.50."""

    level: Level


class RuleProperties(Model):
    """3.8."""

    tags: Tags


class ReportingDescriptor(Model):
    """3.49."""

    id: RuleId
    shortDescription: ShortMessage  # noqa: N815 - the standard's name, here and below
    fullDescription: ShortMessage  # noqa: N815
    help: Help
    defaultConfiguration: ReportingConfiguration  # noqa: N815
    properties: RuleProperties


class ToolComponent(Model):
    """3.19."""

    name: Literal["urlset"]
    version: Text
    rules: list[ReportingDescriptor]


class Tool(Model):
    """3.18."""

    driver: ToolComponent


class FindingProperties(Model):
    """3.8."""

    action: Literal["rejected", "repaired", "dropped-value", "kept"]
    value: str | None = None
    field: str | None = None


class ReportingDescriptorReference(Model):
    """3.52."""

    id: RuleId
    index: Index


class Notification(Model):
    """3.58."""

    level: Level
    message: Message
    associatedRule: ReportingDescriptorReference  # noqa: N815
    properties: FindingProperties


class Invocation(Model):
    """3.20."""

    executionSuccessful: bool  # noqa: N815
    toolExecutionNotifications: list[Notification]  # noqa: N815

    @model_validator(mode="after")
    def errors_are_failures(self) -> Self:
        """3.20.21."""
        levels = [notification.level for notification in self.toolExecutionNotifications]
        assert "error" not in levels or not self.executionSuccessful
        return self


class ArtifactContent(Model):
    """3.3."""

    text: Text


class Region(Model):
    """3.30."""

    startLine: Count  # noqa: N815
    startColumn: Count | None = None  # noqa: N815
    snippet: ArtifactContent | None = None


class ArtifactLocation(Model):
    """3.4."""

    uri: UriReference
    uriBaseId: Literal["%SRCROOT%"] | None = None  # noqa: N815

    @model_validator(mode="after")
    def only_what_is_relative_has_a_base(self) -> Self:
        """3.4.4."""
        assert self.uriBaseId is None or RELATIVE.fullmatch(self.uri)
        return self


class PhysicalLocation(Model):
    """3.29."""

    artifactLocation: ArtifactLocation  # noqa: N815
    region: Region | None = None


class Location(Model):
    """3.28."""

    physicalLocation: PhysicalLocation  # noqa: N815


class Result(Model):
    """3.27."""

    ruleId: RuleId  # noqa: N815
    ruleIndex: Index  # noqa: N815
    kind: Literal["notApplicable", "pass", "fail", "review", "open", "informational"] = "fail"
    level: Level
    message: Message
    locations: Annotated[list[Location], Field(min_length=1, max_length=1)]  # 3.27.12; GitHub: at least one
    occurrenceCount: Count  # noqa: N815
    partialFingerprints: Annotated[dict[PartName, Text], Field(min_length=1)]  # noqa: N815
    properties: FindingProperties

    @model_validator(mode="after")
    def only_a_failure_has_a_level(self) -> Self:
        """3.27.9, 3.27.10."""
        assert (self.kind == "fail") == (self.level != "none")
        return self


class Run(Model):
    """3.14."""

    tool: Tool
    invocations: Annotated[list[Invocation], Field(min_length=1)]
    columnKind: Literal["utf16CodeUnits", "unicodeCodePoints"]  # noqa: N815
    newlineSequences: Annotated[list[Text], Field(min_length=1), AfterValidator(_distinct)]  # noqa: N815
    results: list[Result]

    @model_validator(mode="after")
    def rules_are_found(self) -> Self:
        """3.27.6, 3.52.5: an index leads to the rule of that id; and rules are listed once, and only if they occur."""
        rules = [rule.id for rule in self.tool.driver.rules]
        notes = [note.associatedRule for one in self.invocations for note in one.toolExecutionNotifications]
        named = [(note.id, note.index) for note in notes] + [(one.ruleId, one.ruleIndex) for one in self.results]
        assert all(index < len(rules) and rules[index] == rule for rule, index in named)
        assert sorted(set(rules)) == sorted(rules)
        assert {rule for rule, _ in named} == set(rules)
        return self

    @model_validator(mode="after")
    def results_are_told_apart(self) -> Self:
        """3.27.2: what is logically distinct has another fingerprint."""
        prints = [tuple(sorted(one.partialFingerprints.items())) for one in self.results]
        assert len(set(prints)) == len(prints)
        return self


class Log(Model):
    """3.13, sarifLog."""

    schema_: Annotated[SchemaUri, Field(alias="$schema")]
    version: Literal["2.1.0"]
    runs: Annotated[list[Run], Field(min_length=1, max_length=20)]  # GitHub: 20 runs


def checked(log: dict[str, object]) -> dict[str, Any]:
    """The log as a consumer reads it: written as UTF-8, read again, and held against the standard."""
    written = json.dumps(log, ensure_ascii=False, allow_nan=False).encode("utf-8")
    assert json.dumps(log).encode("utf-8")
    Log.model_validate_json(written)
    read: dict[str, Any] = json.loads(written)
    return read
