"""A document that was fetched whole, and what its server said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO, NamedTuple

from urlset.formats.catalogue import Severity


class Remark(NamedTuple):
    """What the way to a document was like: a finding of the document, once there is somebody to report it to."""

    rule: str
    message: str
    value: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True)
class Fetched:
    """A whole body as it was sent, from its first byte; who gets it closes ``body``.

    ``location`` is the address after redirects, without credentials. ``media_type``, ``charset`` and ``coding`` (of
    Content-Encoding, lower case) are what the server said.
    """

    body: IO[bytes]
    location: str
    media_type: str | None = None
    charset: str | None = None
    coding: str | None = None
    remarks: tuple[Remark, ...] = ()


def content_type(headers: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The media type and the charset of a Content-Type header, lower case (RFC 9110 8.3.1)."""
    message = Message()
    value = headers.get("Content-Type")
    if not value:
        return None, None
    try:
        message["Content-Type"] = value
        media_type = message.get_content_type() if "/" in value.partition(";")[0] else None
        return media_type, message.get_content_charset()
    except (ValueError, TypeError):  # parameters that email can't put together (RFC 2231), so it says nothing
        return None, None


def content_coding(headers: Mapping[str, str]) -> str | None:
    """The Content-Encoding header, lower case; None for identity."""
    value = (headers.get("Content-Encoding") or "").strip().lower()
    return {"": None, "identity": None, "x-gzip": "gzip"}.get(value, value)
