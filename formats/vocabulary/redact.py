"""Credentials in addresses are never shown: not in findings, errors, reports or names."""

from __future__ import annotations

import re
from urllib.parse import unquote

# Up to the last @ before the path, as a password may hold one that nobody escaped.
_USERINFO = re.compile(r"(?<=://)[^/?#\s]*@")


def redacted(text: str) -> str:
    """A text in which ``***`` stands for the user and password of each address."""
    return _USERINFO.sub("***@", text) if "@" in text and "://" in text else text


def without_credentials(address: str) -> str:
    """An address without its user and password."""
    return _USERINFO.sub("", address, count=1)


def credentials(address: str) -> str | None:
    """The user and password of an address as ``user:password``, unescaped; None if it has none."""
    found = _USERINFO.search(address)
    return unquote(found[0][:-1]) if found else None
