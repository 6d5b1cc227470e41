"""What urlset promises for every input, whole, damaged or hostile, checked from outside.

``check`` knows nothing of what the input should have been. What was changed in it, and what therefore may be missing,
is the business of ``damage.check``.
"""

from __future__ import annotations

import io
import json
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes, urlsplit

from lxml import etree
from traces import Trace, texts

import urlset
from urlset.converters.convert import run
from urlset.formats.vocabulary.errors import AccountingError, EmptyInventoryError, StrictError

SECONDS = 60.0
"""What one conversion of a document of some kilobytes may take on a busy machine; it needs milliseconds."""

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"

_CHARACTER = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
_URI = re.compile(  # RFC 3986 appendix A, for http and https with a host
    rf"https?://(?:{_CHARACTER}*@)?(?:\[[0-9A-Za-z:.]+\]|{_CHARACTER}+?)(?::[0-9]*)?"
    rf"(?:/{_CHARACTER}*)*(?:\?(?:{_CHARACTER}|[/?])*)?(?:\#(?:{_CHARACTER}|[/?])*)?",
    re.IGNORECASE,
)


class BrokenPromise(AssertionError):  # noqa: N818 - what the house calls it
    """A promise that did not hold; ``promise`` is its short name."""

    def __init__(self, promise: str, message: str) -> None:
        super().__init__(f"{promise}: {message}")
        self.promise = promise


@dataclass(frozen=True)
class Job:
    """One conversion and what came of it."""

    output: bytes
    ledger: urlset.Ledger
    error: urlset.UrlsetError | None
    seconds: float

    @property
    def has_errors(self) -> bool:
        """Whether the job failed or ended with a finding that is an error."""
        return self.error is not None or self.ledger.has_errors

    def locs(self) -> list[str]:
        """The addresses of an output in JSON lines."""
        return [json.loads(line)["loc"] for line in self.output.split(b"\n") if line]


def convert(data: bytes, to: str, options: Mapping[str, Any], *, strict: bool = False) -> Job:
    """Convert in memory; no address is ever fetched. What is no UrlsetError passes through."""
    ledger, output, error = urlset.Ledger(), io.BytesIO(), None
    begin = time.perf_counter()
    try:
        run(data, output, urlset.Options(to=to, strict=strict, fetch=_nowhere, **options), ledger)
    except urlset.UrlsetError as caught:
        error = caught
    return Job(output.getvalue(), ledger, error, time.perf_counter() - begin)


def check(data: bytes, options: Mapping[str, Any]) -> Job:
    """Raise BrokenPromise, or whatever urlset raised that it must not. Gives the lenient conversion to JSON lines."""
    lines, sitemap = convert(data, "jsonl", options), convert(data, "sitemap", options)
    for job, to in ((lines, "jsonl"), (sitemap, "sitemap")):
        strict = convert(data, to, options, strict=True)
        for one in (job, strict):
            _accounted(one)
            _in_time(one)
        _strict_agrees(job, strict)
    _valid(sitemap)
    _same_addresses(lines, sitemap)
    _nothing_invented(data, options, lines)
    return lines


def _nowhere(address: str) -> bytes:
    raise OSError("nothing is fetched here")


def _broken(promise: str, message: str) -> NoReturn:
    raise BrokenPromise(promise, message)


# --- accounts, time, strictness


def _accounted(job: Job) -> None:
    """Every record is accounted for, and an output is whole or absent."""
    if isinstance(job.error, AccountingError):
        _broken("accounted", str(job.error))
    job.ledger.check()
    counts, accounts = job.ledger.counts, job.ledger.accounts
    if job.error is not None:
        if job.output or job.ledger.outputs:
            _broken("whole-or-absent", f"{len(job.output)} bytes were written beside {job.error!r}")
        if not str(job.error) or job.error.exit_code not in (1, 2):
            _broken("error", repr(job.error))
        return
    if counts.read != sum(one.read for one in accounts if not one.listing):
        _broken("accounted", f"{counts} but {[one.as_dict() for one in accounts]}")
    rejecting = sum(one.action == "rejected" for one in job.ledger.findings)
    rejected, failed = sum(one.rejected for one in accounts), sum(one.status == "failed" for one in accounts)
    if not rejected <= rejecting <= rejected + failed:
        _broken("accounted", f"{rejecting} findings reject, {rejected} records and {failed} documents were")


def _in_time(job: Job) -> None:
    if job.seconds > SECONDS:
        _broken("time", f"{job.seconds:.1f} s")


def _strict_agrees(lenient: Job, strict: Job) -> None:
    """Strict stops at a fault that the lenient run names, or does the same where there is none."""
    faults = {one.rule for one in lenient.ledger.findings if _stops(one)}
    if isinstance(strict.error, StrictError):
        if strict.error.rule not in faults and lenient.error is None:
            _broken("strict", f"stops at {strict.error}, of which the lenient run knows nothing: {sorted(faults)}")
    elif strict.error is None:
        if lenient.error is not None or faults or lenient.ledger.counts.repaired or lenient.ledger.counts.rejected:
            _broken("strict", f"passes over {sorted(faults)} {lenient.ledger.counts} {lenient.error!r}")
        if strict.output != lenient.output:
            _broken("strict", "writes something else")
    elif lenient.error is None:
        _broken("strict", f"fails with {strict.error!r}, and the lenient run does not")


def _stops(finding: urlset.Finding) -> bool:
    rule = urlset.RULES[finding.rule]
    lost = finding.action == "dropped-value" and finding.severity == "warning"
    return finding.severity == "error" or rule.breaks_format or lost or finding.action in ("repaired", "rejected")


# --- the written sitemap


def _valid(job: Job) -> None:
    """The sitemap is well-formed, one loc in each url, and each of them a URI in ASCII."""
    if job.error is not None:
        return
    locs = sitemap_locs(job.output)
    for loc in locs:
        if not _URI.fullmatch(loc):
            _broken("valid", f"{loc!r} is no URI")
    if len(locs) != job.ledger.counts.written:
        _broken("valid", f"{len(locs)} addresses, {job.ledger.counts}")


def sitemap_locs(data: bytes) -> list[str]:
    """The addresses of a sitemap, which must be well-formed."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    except etree.XMLSyntaxError as error:
        _broken("well-formed", str(error))
    if root.tag != f"{NS}urlset" or any(len(url.findall(f"{NS}loc")) != 1 for url in root):
        _broken("valid", f"no urlset whose records have one loc each: {root.tag}")
    return [url.findtext(f"{NS}loc") or "" for url in root]


def _same_addresses(lines: Job, sitemap: Job) -> None:
    """The sitemap has the addresses that the JSON lines have, in their order, less those without a URI."""
    if sitemap.error is not None or lines.error is not None:
        if lines.error is None and not isinstance(sitemap.error, EmptyInventoryError):
            _broken("targets", f"a sitemap can't be written: {sitemap.error!r}")
        return
    unused = iter(lines.locs())
    for uri in sitemap_locs(sitemap.output):
        if not any(_same(uri, loc) for loc in unused):
            _broken("targets", f"{uri!r} is in the sitemap, and not, or not there, among the lines")
    left_out = lines.ledger.counts.written - sitemap.ledger.counts.written
    if left_out != sitemap.ledger.counts.rejected - lines.ledger.counts.rejected:
        _broken("targets", f"lines: {lines.ledger.counts}, sitemap: {sitemap.ledger.counts}")


def _same(uri: str, iri: str) -> bool:
    """Whether the two are one address, their escapes undone; of a host that is not ASCII only that it is one."""
    if uri == iri:
        return True
    parts = [re.match(r"([^:]*://)([^/?#]*)(.*)", one, re.DOTALL) for one in (uri, iri)]
    if parts[0] is None or parts[1] is None:
        return False
    ours, theirs = (one.groups() for one in parts if one is not None)
    same_host = not theirs[1].isascii() or "%" in theirs[1] or "@" in theirs[1] or ours[1] == theirs[1]
    return ours[0] == theirs[0] and same_host and unquote_to_bytes(ours[2]) == unquote_to_bytes(theirs[2])


# --- nothing is invented


def _nothing_invented(data: bytes, options: Mapping[str, Any], job: Job) -> None:
    """Every address stems from one contiguous piece of the input; one that was resolved is named in a finding."""
    locs = job.locs() if job.error is None else []
    if not locs:
        return
    resolved = resolved_from(job)
    formats = {one.format for one in job.ledger.accounts}
    traces = list(map(Trace, texts(data, options.get("encoding"))))
    for loc in Counter(locs):
        if any(trace.find(loc) for trace in traces):
            continue
        if loc in resolved and any(_resolved(loc, resolved[loc], trace) for trace in traces):
            continue
        if "access-log" in formats and any(_logged(loc, options, trace) for trace in traces):
            continue
        _broken("invented", f"{loc!r} is no piece of the input")


def resolved_from(job: Job) -> dict[str, str]:
    """The addresses that were relative, each with what stood in the input, as the findings have it."""
    found = {}
    for one in job.ledger.findings:
        if one.rule == "not-absolute" and one.action == "repaired":
            found[one.message.partition(" it is ")[2]] = one.value or ""
    return found


def _resolved(loc: str, reference: str, trace: Trace) -> bool:
    reference = reference.strip().strip("\ufeff\u200b\u200e\u200f")
    if reference and trace.find(reference) is None:
        return False
    kept = re.sub(r"\A/*(?:\.{1,2}(?:/|(?=[?#])|\Z))*", "", reference)
    return loc.endswith(kept) or "/." in kept


def _logged(loc: str, options: Mapping[str, Any], trace: Trace) -> bool:
    """A log has scheme, host and target in different places."""
    scheme, _, rest = loc.partition("://")
    authority, slash, target = rest.partition("/")
    host = authority.rpartition(":")[0] or authority
    base = urlsplit(options.get("base_url") or "")
    known_host = authority == base.netloc or trace.find(authority) is not None or trace.find(host) is not None
    whole = slash + target
    # Stem and query are two fields of an extended log, and a stem may hold a question mark of its own.
    cuts = [(whole[:place], whole[place + 1 :]) for place, sign in enumerate(whole) if sign == "?"]
    found = [all(trace.find(one) is not None for one in pieces) for pieces in ((whole,), *cuts)]
    known_target = any(found)
    return scheme in ("http", "https") and known_host and known_target
