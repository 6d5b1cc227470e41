"""From bytes to text and lines: which encoding, what to do with odd bytes, and physical line numbers.

A byte-order mark and the pattern of the bytes weigh more than a declaration, as in XML 1.0 4.3.3 and appendix
F.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import AnyStr

from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.gzip_stream import Readable
from urlset.formats.vocabulary.reporting import Report

_MARKS = [  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]
_SAMPLE = 4096
_BARE_WIDE = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
# Python calls these encodings too. UTF-7 is left out as browsers do: it hides markup in harmless letters.
_NO_ENCODINGS = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
)
_DECLARATION = re.compile(r"""\s*<\?xml\s[^>]{0,512}?\bencoding\s{0,64}=\s{0,64}["']([^"'<>]{1,64})["']""")

_CP1252_UNDEFINED = frozenset({0x81, 0x8D, 0x8F, 0x90, 0x9D})
_ODD = re.compile("[\udc80-\udcff]")  # what the error handler "surrogateescape" makes of the odd bytes 80 to FF
_WESTERN = {
    chr(0xDC00 + byte): chr(byte) if byte in _CP1252_UNDEFINED else bytes([byte]).decode("cp1252")
    for byte in range(0x80, 0x100)
}


@dataclass(frozen=True)
class Encoding:
    """How the bytes of a document are to be read.

    ``name`` is Python's name of the codec, ``bom`` the number of bytes of a byte-order mark to skip.
    ``certain`` is False where UTF-8 was assumed. ``reason`` says what the choice rests on.
    """

    name: str
    bom: int
    certain: bool
    reason: str


def sniff_encoding(head: bytes, declared: str | None = None, asked: str | None = None) -> Encoding:
    """Decide on an encoding: the one asked for, byte-order mark, pattern of zero bytes, declared, UTF-8.

    ``head`` is the unpacked beginning, ``declared`` the name in the XML declaration, ``asked`` the user's
    choice. A declared name that is unknown, or that the bytes contradict, counts for nothing. Raises
    OptionError if ``asked`` is no known encoding.
    """
    if asked is not None:
        return _asked(head, asked)
    return _by_mark(head) or _by_zeros(head) or _by_declaration(declared) or _ASSUMED


def declared_encoding(head: bytes) -> str | None:
    """Give the encoding that the XML declaration names, as it is written; None if there is none."""
    encoding = sniff_encoding(head)
    text = head[encoding.bom : encoding.bom + _SAMPLE].decode(encoding.name, "replace")
    found = _DECLARATION.match(text)
    return found[1].strip() or None if found else None


def _asked(head: bytes, asked: str) -> Encoding:
    name = codec_of(asked)
    if name is None:
        raise OptionError(f"there is no text encoding {asked!r}", value=asked)
    seen = _by_mark(head) or _by_zeros(head)
    if seen and same_family(name, seen.name):
        return Encoding(seen.name, seen.bom, True, "as told")
    return Encoding(_BARE_WIDE.get(name, name), 0, True, "as told")


def _by_mark(head: bytes) -> Encoding | None:
    for mark, name in _MARKS:
        if head.startswith(mark):
            if name.startswith("utf-16") and _eight_bit(head[2:]):
                return _FALSE_MARK
            return Encoding(name, len(mark), True, "byte-order mark")
    return None


def _eight_bit(rest: bytes) -> bool:
    """Tell whether this can't be UTF-16: its ASCII characters have zero bytes, and no URL lacks those."""
    return bool(rest) and b"\0" not in rest


def _by_zeros(head: bytes) -> Encoding | None:
    """Know UTF-16 and UTF-32 without a mark by the zero bytes of ASCII characters (XML 1.0 appendix F.1)."""
    sample = head[: min(len(head), _SAMPLE) // 4 * 4]
    if not sample or b"\0" not in sample:
        return None
    share = [sample[i::4].count(0) * 4 / len(sample) for i in range(4)]
    patterns = [
        ("utf-32-le", share[3] == 1 and share[2] > 0.5 and share[0] < 0.5),
        ("utf-32-be", share[0] == 1 and share[1] > 0.5 and share[3] < 0.5),
        ("utf-16-le", min(share[1], share[3]) > 0.25 and max(share[0], share[2]) < 0.05),
        ("utf-16-be", min(share[0], share[2]) > 0.25 and max(share[1], share[3]) < 0.05),
    ]
    return next((Encoding(name, 0, True, "pattern of zero bytes") for name, fits in patterns if fits), None)


def _by_declaration(declared: str | None) -> Encoding | None:
    name = codec_of(declared) if declared else None
    if name is None or not _ascii_compatible(name):
        return None
    return Encoding(name, 0, True, "declared")


_ASSUMED = Encoding("utf-8", 0, False, "assumed")
_FALSE_MARK = Encoding("utf-8", 2, False, "a UTF-16 byte-order mark before bytes that are not UTF-16")


def codec_of(name: str) -> str | None:
    """Give Python's name of a text encoding, US-ASCII counted as UTF-8; None if there is no such."""
    try:
        codec = codecs.lookup(name.strip()).name
        b"x".decode(codec, "replace")
    except (LookupError, ValueError):  # unknown, or no codec of text (zlib, rot13), or a NUL in the name
        return None
    if codec.replace("_", "-") in _NO_ENCODINGS:
        return None
    return "utf-8" if codec in ("ascii", "utf-8-sig") else codec


def _ascii_compatible(name: str) -> bool:
    """Tell whether ASCII bytes are ASCII text in it; if not, the declaration could not have been read."""
    return b"<?xml version='1.0'?>".decode(name, "replace") == "<?xml version='1.0'?>"


def same_family(declared: str, actual: str) -> bool:
    """Tell whether a declared codec and the one in use are the same, but for a byte order that the name left open."""
    return declared == actual or (declared in _BARE_WIDE and actual.startswith(declared))


class LineCounter:
    """Counts physical lines in text that comes in chunks. LF, CRLF and CR each end one (XML 1.0 2.11)."""

    def __init__(self) -> None:
        self.line = 1
        self._after_cr = False

    def feed(self, text: str) -> None:
        """Move past ``text``; ``line`` is then the number of the line that the next character is on."""
        if text:
            self.line = self.after(text)
            self._after_cr = text[-1] == "\r"

    def after(self, text: str) -> int:
        """Give the line number after ``text`` and stay where it was."""
        line = self.line + text.count("\n")
        if "\r" in text:
            line += text.count("\r") - text.count("\r\n")
        return line - (self._after_cr and text.startswith("\n"))


class TextReader:
    """The text of a document in chunks, as it is but for the byte-order mark; to be iterated once.

    Bytes that are not UTF-8 are read as Windows-1252 (Latin-1 where that has nothing); in other encodings
    what can't be decoded becomes U+FFFD. Either is reported once, at the end or by ``close``, with the first
    line and the count, as ``encoding-mismatch``. At the beginning ``encoding-not-utf8`` is reported if the
    encoding is another, and ``encoding-mismatch`` if the declared one (``declared``) is not that of the
    bytes.
    """

    def __init__(
        self,
        binary: Readable,
        encoding: Encoding,
        report: Report,
        *,
        declared: str | None = None,
        chunk: int = 65_536,
    ) -> None:
        self._binary = binary
        self._encoding = encoding
        self._report = report
        self._declared = declared
        self._chunk = chunk
        self._decoder = codecs.getincrementaldecoder(encoding.name)("strict")
        self._lines = LineCounter()
        self._odd = 0
        self._first_odd: tuple[int, str] | None = None

    def __iter__(self) -> Iterator[str]:
        report_encoding(self._encoding, self._declared, self._report)
        self._skip(self._encoding.bom)
        while data := self._binary.read(self._chunk):
            if text := self._decode(data, final=False):
                yield text
        if text := self._decode(b"", final=True):
            yield text
        self.close()

    @property
    def cut_off(self) -> bool:
        """Whether more should have followed the last byte: the packed data were damaged or too many."""
        return bool(getattr(self._binary, "cut_off", False))

    def close(self) -> None:
        """Report the odd bytes met so far, once."""
        if self._first_odd is None:
            return
        (line, value), self._first_odd = self._first_odd, None
        self._report("encoding-mismatch", self._odd_text(value), line=line, value=value, count=self._odd)

    def _odd_text(self, value: str) -> str:
        utf8 = self._encoding.name == "utf-8"
        expected = "UTF-8" if utf8 else self._encoding.name
        instead = "as Windows-1252" if utf8 else "as U+FFFD"
        many = "1 place is" if self._odd == 1 else f"{self._odd:,} places are"
        return f"{many} not valid {expected}, the first is {value}; read {instead}"

    def _skip(self, size: int) -> None:
        while size and (data := self._binary.read(size)):
            size -= len(data)

    def _decode(self, data: bytes, final: bool) -> str:
        state = self._decoder.getstate()
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            self._note(error)
            decode = self._as_western if self._encoding.name == "utf-8" else self._as_unknown
            text = decode(data, final, state)
        self._lines.feed(text)
        return text

    def _note(self, error: UnicodeDecodeError) -> None:
        if self._first_odd is None and not self._odd:
            before = error.object[: error.start].decode(self._encoding.name, "replace")
            odd = error.object[error.start : error.start + 1 if self._encoding.name == "utf-8" else error.end]
            self._first_odd = (self._lines.after(before), f"0x{odd[:4].hex().upper()}")

    def _as_western(self, data: bytes, final: bool, state: tuple[bytes, int]) -> str:
        text = self._again(data, final, state, "surrogateescape")
        text, odd = _ODD.subn(lambda found: _WESTERN[found[0]], text)
        self._odd += odd
        return text

    def _as_unknown(self, data: bytes, final: bool, state: tuple[bytes, int]) -> str:
        genuine = self._again(data, final, state, "ignore").count("\ufffd")
        text = self._again(data, final, state, "replace")
        self._odd += text.count("\ufffd") - genuine
        return text

    def _again(self, data: bytes, final: bool, state: tuple[bytes, int], errors: str) -> str:
        self._decoder.setstate(state)
        self._decoder.errors = errors
        try:
            return self._decoder.decode(data, final)
        finally:
            self._decoder.errors = "strict"


def report_encoding(used: Encoding, declared: str | None, report: Report) -> None:
    """Report an encoding that is not UTF-8, or is not the one that the document declares."""
    if used.name != "utf-8":
        message = f"the document is not UTF-8 but {used.name} ({used.reason})"
        report("encoding-not-utf8", message, line=1, value=used.name)
    elif used == _FALSE_MARK:
        report("encoding-mismatch", f"{used.reason}; read as UTF-8", line=1)
    if declared and not same_family(codec_of(declared) or "", used.name):
        unknown = "" if codec_of(declared) else ", which is no known encoding"
        message = f"the document declares {declared!r}{unknown}; read as {used.name} ({used.reason})"
        report("encoding-mismatch", message, line=1, value=declared)


def iter_lines(chunks: Iterable[str], max_line: int, report: Report) -> Iterator[tuple[int, str]]:
    """Give each line with its 1-based number and without its end: LF, CRLF or CR; the last needs none.

    A line of more than ``max_line`` characters is left out, reported as ``resource-limit``, and never held
    whole. So is, reported as ``unexpected-end``, one that ends where the packed data were cut off: the
    beginning of an address is another address.
    """
    number, part = 1, _Part(max_line)
    for chunk in _to_lf(chunks, "\r", "\n"):
        lines = chunk.split("\n")
        rest = lines.pop()
        if lines:
            part.add(lines[0])
            if len(chunk) <= max_line and part.size <= max_line:
                lines[0] = part.take()
                yield from enumerate(lines, number)
            else:
                yield from _fitting(lines, number, part, report)
            number += len(lines)
        if rest:
            part.add(rest)
    if part.size and getattr(chunks, "cut_off", False):
        message = "the data end in the middle of this line; it was left out"
        report("unexpected-end", message, line=number, value=part.take()[:80])
    elif part.size:
        yield from _fitting([""], number, part, report)


class _Part:
    """A line that still grows. What is longer than allowed is counted and not kept."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._texts: list[str] = []

    def add(self, text: str) -> None:
        self.size += len(text)
        if self.size <= self.most:
            self._texts.append(text)
        else:
            self._texts.clear()

    def take(self) -> str:
        text = "".join(self._texts)
        self.size, self._texts = 0, []
        return text


def _fitting(lines: list[str], number: int, part: _Part, report: Report) -> Iterator[tuple[int, str]]:
    """Give the lines that are short enough; ``part`` holds the first of them."""
    sizes = [part.size, *map(len, lines[1:])]
    lines[0] = part.take()
    for line, (size, text) in enumerate(zip(sizes, lines, strict=True), number):
        if size <= part.most:
            yield line, text
        else:
            message = f"the line has {size:,} characters, more than {part.most:,}; it was skipped"
            report("resource-limit", message, line=line)


def normalise_newlines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Turn CRLF and CR into LF (XML 1.0 2.11) in ASCII-compatible bytes; no chunk is empty."""
    return _to_lf(chunks, b"\r", b"\n")


def _to_lf(chunks: Iterable[AnyStr], cr: AnyStr, lf: AnyStr) -> Iterator[AnyStr]:
    after_cr, pair = False, cr + lf
    for chunk in chunks:
        if after_cr and chunk.startswith(lf):
            chunk = chunk[1:]
            after_cr = False
        if not chunk:
            continue
        after_cr = chunk.endswith(cr)
        # Pyright does not tie the three AnyStr together here; mypy does.
        yield chunk.replace(pair, lf).replace(cr, lf) if cr in chunk else chunk  # pyright: ignore[reportArgumentType]
