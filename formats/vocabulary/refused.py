"""What can't be a list of URLs at all, known by its first bytes: archives, pictures, other compressions."""

from __future__ import annotations

from typing import NamedTuple

from urlset.formats.vocabulary.gzip_stream import GZIP_MAGIC

_COMPRESSED, _BINARY = "unsupported-compression", "not-text"

_REFUSED = [  # offset, first bytes, what it is, rule
    (0, GZIP_MAGIC, "gzip within gzip, more than three layers deep", "double-compression"),
    (0, b"PK\x03\x04", "a ZIP archive (.zip, .xlsx, .docx)", _COMPRESSED),
    (0, b"PK\x05\x06", "an empty ZIP archive", _COMPRESSED),
    (257, b"ustar", "a tar archive", _COMPRESSED),
    (4, b"1AY&SY", "bzip2 data", _COMPRESSED),
    (0, b"\xfd7zXZ\0", "xz data", _COMPRESSED),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard data", _COMPRESSED),
    (0, b"\x04\x22\x4d\x18", "LZ4 data", _COMPRESSED),
    (0, b"\x1f\x9d", "data of the old compress program (.Z)", _COMPRESSED),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", _COMPRESSED),
    (0, b"Rar!\x1a\x07", "a RAR archive", _COMPRESSED),
    (0, b"%PDF-", "a PDF document", _BINARY),
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture", _BINARY),
    (0, b"\xff\xd8\xff", "a JPEG picture", _BINARY),
    (0, b"GIF8", "a GIF picture", _BINARY),
    (8, b"WEBP", "a WebP picture", _BINARY),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (.xls, .doc)", _BINARY),
    (0, b"SQLite format 3\0", "an SQLite database", _BINARY),
]
_BEFORE = {4: b"BZh", 8: b"RIFF"}  # what stands at the very start where the tell-tale bytes come later
REFUSED_HEAD = max(offset + len(magic) for offset, magic, _, _ in _REFUSED)
"""Bytes of a document that :func:`refused` looks at."""


class Refused(NamedTuple):
    """What a document is, with a piece of advice, and the rule that it breaks."""

    what: str
    rule: str


def refused(head: bytes) -> Refused | None:
    """What the document with this head is instead of a list; None if it may be one."""
    for offset, magic, what, rule in _REFUSED:
        if head.startswith(magic, offset) and head.startswith(_BEFORE.get(offset, b"")):
            return Refused(what + ("; unpack it first" if rule == _COMPRESSED else ""), rule)
    return None
