"""The charset that a server names, held against what the document says of itself."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from urlset.formats.vocabulary.decode import codec_of, declared_encoding, same_family, sniff_encoding

# What is not UTF-8 is read as these anyway, and UTF-8 is recognised where a server says so of all its files.
_WESTERN = frozenset({"cp1252", "iso8859-1"})


class Heard(NamedTuple):
    """What a charset is good for: an encoding to read in, or None; and what contradicts it, or None."""

    encoding: str | None
    contradiction: str | None


def heard(head: bytes, charset: str) -> Heard:
    """Weigh the charset of a Content-Type against the unpacked head of its document.

    A byte-order mark, the pattern of the bytes and a declaration weigh more: RFC 7303 3.2 puts the charset before the
    declaration, but servers give one to all their files. It counts where the document says nothing of itself.
    """
    named, own = codec_of(charset), sniff_encoding(head, declared_encoding(head))
    if named is None:
        return Heard(None, f"the Content-Type names the charset {charset!r}, which is no known encoding")
    if own.certain:
        if same_family(named, own.name):
            return Heard(None, None)
        return Heard(
            None, f"the Content-Type names the charset {charset}, and the document is {own.name} ({own.reason})"
        )
    if named == "utf-8" or head.isascii():
        return Heard(None if named == "utf-8" or named in _WESTERN else named, None)
    if _is_utf8(head):
        return Heard(None, f"the Content-Type names the charset {charset}, and the bytes are those of UTF-8")
    return Heard(None if named in _WESTERN else named, None)


def _is_utf8(head: bytes) -> bool:
    """Whether the bytes are UTF-8; a head may end within a character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True
