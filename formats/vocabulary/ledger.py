"""The ledger: every record that was read, and what became of it.

    read = written + rejected + filtered + duplicates

Each document that is read has an :class:`Account` in the ledger. A reader reports to its account; the job that runs the
reader counts what it wrote and left out, and calls :meth:`Ledger.check` at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal, TypedDict

from urlset.formats.catalogue import RULES, Severity
from urlset.formats.vocabulary import in_short
from urlset.formats.vocabulary.errors import AccountingError, LimitError, StrictError, UrlsetError
from urlset.formats.vocabulary.findings import FURTHER, LISTED_PER_RULE, MESSAGE_SHOWN, VALUE_SHOWN, Action, Finding
from urlset.formats.vocabulary.redact import redacted

if TYPE_CHECKING:
    from urlset.formats.vocabulary.entry import Entry


@dataclass(slots=True)
class Counts:
    """What became of the records of a job."""

    read: int = 0
    written: int = 0
    rejected: int = 0
    repaired: int = 0
    filtered: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that was left out: where it stood, why, and all of what it said."""

    rule: str
    reason: str
    source: str
    line: int | None
    column: int | None
    field: str
    value: str
    raw: str
    fields: Mapping[str, object]

    def as_dict(self) -> dict[str, object]:
        """The reject as a line of JSON lines: mend its fields and read it again; ``rejected`` is ignored then."""
        why = asdict(self)
        fields = why.pop("fields")
        return {
            "loc": fields.get("loc", self.value if self.field == "loc" else ""),
            **fields,
            "rejected": why,
        }


@dataclass(slots=True)
class Output:
    """One file that was written; ``bytes`` is its size before compression."""

    path: str
    format: str
    urls: int
    bytes: int
    gzip: bool


class ReportDict(TypedDict):
    """The object of ``--report``."""

    counts: dict[str, int]
    sources: list[dict[str, object]]
    outputs: list[dict[str, object]]
    findings: list[dict[str, object]]


class Account:
    """What the ledger knows of one document; readers report to it.

    ``name`` is the path or address, ``parent`` the document that listed this one, ``version`` a feed's, ``columns`` a
    table's headers with the field that each one fills.
    """

    def __init__(self, ledger: Ledger, name: str, parent: str | None = None) -> None:
        self.ledger = ledger
        self.name = name
        self.parent = parent
        # What the document that listed this one says of it.
        self.listed: Entry | None = None
        self.format: str | None = None
        self.version: str | None = None
        self.columns: list[tuple[str, str | None]] | None = None
        self.status: Literal["ok", "failed"] = "ok"
        # A list of documents whose entries are followed: they are no records of the job.
        self.listing = False
        self.read = 0
        self.rejected = 0
        self._repaired_at = 0
        self._causes: dict[tuple[str, str], Finding] = {}

    @property
    def strict(self) -> bool:
        """Whether nothing may be repaired or skipped."""
        return self.ledger.strict

    def count(self, number: int = 1) -> None:
        """One more record was met, or so many more."""
        self.read += number
        if not self.listing:
            self.ledger.counts.read += number

    def filter(self) -> None:
        """The current record is left out because it was asked for, or is no page."""
        self.ledger.counts.filtered += 1

    def find(
        self,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        action: Action = "kept",
        severity: Severity | None = None,
        count: int = 1,
        field: str | None = None,
    ) -> Finding:
        """Report a finding. Raises StrictError under ``strict`` if it is an error, a repair or a broken format."""
        known = RULES[rule]
        level = severity or known.severity
        stops = self.strict and (
            level == "error"
            or known.breaks_format
            or action in ("repaired", "rejected")
            or (action == "dropped-value" and level == "warning")
        )
        shown = value if value is None else value[:VALUE_SHOWN]
        if len(message) > MESSAGE_SHOWN:
            message = f"{message[:MESSAGE_SHOWN]}…"
        finding = Finding(
            rule, "error" if stops else level, message, self.name, line, column, shown, action, count, field
        )
        self.ledger.add(finding)
        if stops:
            raise StrictError(
                message,
                source=self.name,
                format=self.format,
                line=line,
                column=column,
                value=shown,
                rule=rule,
            )
        if action == "repaired":
            self._count_repair()
        return finding

    def report(
        self,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        count: int = 1,
    ) -> None:
        """:meth:`find` in the narrow form that the lower layers call."""
        self.find(rule, message, line=line, column=column, value=value, count=count)

    def find_cause(
        self,
        rule: str,
        cause: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        value: str | None = None,
        severity: Severity | None = None,
        action: Action = "kept",
    ) -> None:
        """Report a cause that is the document's once, where it is first met, and count the other times."""
        known = self._causes.get((rule, cause))
        if known is not None:
            known.count += 1
            return
        found = self.find(rule, message, line=line, column=column, value=value, severity=severity, action=action)
        # Causes by the hundred thousand (a host for each image) are counted as any findings are.
        if len(self._causes) < LISTED_PER_RULE:
            self._causes[rule, cause] = found

    def reject(
        self,
        rule: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        field: str = "loc",
        value: str = "",
        raw: str = "",
        fields: Mapping[str, object] | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Leave the current record out, with the reason; ``fields`` are its raw values by Entry field.

        That is an error whatever the rule, for the record could not be used as it stands.
        """
        self.rejected += 1
        self.ledger.counts.rejected += not self.listing
        self.find(
            rule,
            message,
            line=line,
            column=column,
            value=value,
            action="rejected",
            severity=severity or "error",
            field=field,
        )
        if self.ledger.rejects is not None:
            self.ledger.rejects(
                Reject(rule, message, self.name, line, column, field, value, raw or value, dict(fields or {}))
            )

    def fail(self, error: UrlsetError) -> None:
        """The document could not be read (further): note it as failed, with a finding unless there is one already."""
        self.status = "failed"
        if isinstance(error, StrictError):
            return
        default = "resource-limit" if isinstance(error, LimitError) else "document-refused"
        rule = RULES.get(error.rule or default, RULES[default])
        self.ledger.add(
            Finding(rule.id, "error", error.message, self.name, error.line, error.column, error.value, "rejected")
        )

    def as_dict(self) -> dict[str, object]:
        """The document as the report's ``sources`` holds it."""
        return {
            "name": self.name,
            "format": self.format,
            "version": self.version,
            "read": self.read,
            "rejected": self.rejected,
            "columns": None if self.columns is None else dict(self.columns),
            "parent": self.parent,
            "status": self.status,
        }

    def _count_repair(self) -> None:
        # Several repairs in one record count once; a repair before the first record is the document's.
        if self.read and self._repaired_at != self.read and not self.listing:
            self._repaired_at = self.read
            self.ledger.counts.repaired += 1


@dataclass
class Ledger:
    """The findings and counts of one job."""

    strict: bool = False
    rejects: Callable[[Reject], None] | None = None
    counts: Counts = field(default_factory=Counts)
    accounts: list[Account] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    """Where the sitemaps among the outputs that no other lists will live, as far as it is known."""
    reported: Callable[[str], bool] = lambda rule: True
    _listed: Counter[str] = field(default_factory=Counter, repr=False)
    _overflow: dict[tuple[str, str, str | None], Finding] = field(default_factory=dict, repr=False)
    _errors: int = 0

    def open(self, name: str, parent: str | None = None, listed: Entry | None = None) -> Account:
        """A new account for one document; ``listed`` is what its parent says of it."""
        account = Account(self, name, parent)
        account.listed = listed
        self.accounts.append(account)
        return account

    def add(self, finding: Finding) -> None:
        """Take a finding of a rule that is reported; beyond LISTED_PER_RULE of one rule they are only counted."""
        if not self.reported(finding.rule):
            return
        finding.message = redacted(finding.message)
        finding.value = redacted(finding.value) if finding.value else finding.value
        self._errors += finding.severity == "error"
        self._listed[finding.rule] += 1
        if self._listed[finding.rule] <= LISTED_PER_RULE:
            self.findings.append(finding)
        else:
            self._overflowing(finding).count += finding.count

    def _overflowing(self, finding: Finding) -> Finding:
        key = finding.rule, finding.severity, finding.source
        more = self._overflow.get(key)
        if more is None:
            more = Finding(finding.rule, finding.severity, FURTHER, finding.source, action=finding.action, count=0)
            self._overflow[key] = more
            self.findings.append(more)
        return more

    @property
    def has_errors(self) -> bool:
        """Whether a record was rejected or a finding is an error."""
        return bool(self.counts.rejected or self._errors)

    def check(self) -> None:
        """Raise AccountingError unless read = written + rejected + filtered + duplicates.

        A document that could not be read further may have had a record in hand, which nobody saw: it was not read.
        """
        c = self.counts
        rest = c.written + c.rejected + c.filtered + c.duplicates
        if 0 < c.read - rest <= sum(account.status == "failed" for account in self.accounts):
            c.read = rest
        if c.read != rest:
            raise AccountingError(f"{c.read} records were read, but {rest} are accounted for: {c}")

    def abandon(self) -> None:
        """The job ended before anything was written: count only what it did finish."""
        c = self.counts
        c.written = 0
        c.read = c.rejected + c.filtered + c.duplicates
        self.outputs.clear()

    def report(self) -> ReportDict:
        """The object of ``--report``."""
        return {
            "counts": asdict(self.counts),
            "sources": [account.as_dict() for account in self.accounts],
            "outputs": [asdict(output) for output in self.outputs],
            "findings": [finding.as_dict() for finding in self.findings],
        }

    def in_short(self) -> str:
        """What the job did, in one line."""
        return in_short.job(asdict(self.counts), [output.path for output in self.outputs], self.findings)

    def __repr__(self) -> str:
        return f"<Ledger: {self.in_short()}>"
