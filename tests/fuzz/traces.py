"""Where in the input an address may come from: its bytes as texts, and each text with its escapes undone.

None of urlset's own code takes part: it is what is checked.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#[xX]([0-9A-Fa-f]{1,8})|#([0-9]{1,9})|([A-Za-z][A-Za-z0-9]{0,63}));")
_CODE_UNIT = re.compile(r"\\u([0-9A-Fa-f]{4})(?:\\u([Dd][C-Fc-f][0-9A-Fa-f]{2}))?")
_LOG_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")
_IN_JSON = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_IN_LOG = {'"': "%22", "\\": "%5C", "b": "%08", "f": "%0C", "n": "%0A", "r": "%0D", "t": "%09", "v": "%0B"}


class Trace:
    """A text, and how the formats undo its escapes: each step says what it gives and where it goes on.

    The steps are all those of any format. That lets a little too much pass, but nothing that is shortened, joined from
    two places, or made up.
    """

    def __init__(self, text: str) -> None:
        self.text = _folded(text)

    def find(self, wanted: str, start: int = 0) -> tuple[int, int] | None:
        """The first place that gives ``wanted``, as start and end; None if there is none."""
        wanted = _folded(wanted)
        if (place := self.text.find(wanted, start)) >= 0:
            return place, place + len(wanted)
        for match in re.compile(rf"[&\\{re.escape(wanted[:1])}]").finditer(self.text, start):
            if (end := self._walk(wanted, match.start())) is not None:
                return match.start(), end
        return None

    def _walk(self, wanted: str, start: int) -> int | None:
        open_, seen = [(start, 0)], {(start, 0)}
        while open_:
            at, done = open_.pop()
            if done == len(wanted):
                return at
            for given, after in self._steps(at):
                state = after, done + len(given)
                if state not in seen and wanted.startswith(given, done):
                    seen.add(state)
                    open_.append(state)
        return None

    def _steps(self, at: int) -> Iterator[tuple[str, int]]:
        character = self.text[at : at + 1]
        if not character:
            return
        yield character, at + 1
        if character == "&":
            yield from self._reference(at)
        elif character == "\\":
            yield from self._escape(at)
        elif character == '"' and self.text.startswith('""', at):
            yield '"', at + 2
        elif character in "<]":
            yield from self._invisible(at)

    def _reference(self, at: int) -> Iterator[tuple[str, int]]:
        if match := _REFERENCE.match(self.text, at):
            hexadecimal, decimal, name = match.groups()
            code = int(hexadecimal, 16) if hexadecimal else int(decimal) if decimal else -1
            given = html5.get(f"{name};") if name else chr(code) if code < 0x110000 else None
            if given:
                yield _folded(given), match.end()

    def _escape(self, at: int) -> Iterator[tuple[str, int]]:
        following = self.text[at + 1 : at + 2]
        for table in (_IN_JSON, _IN_LOG):
            if following in table:
                yield _folded(table[following]), at + 2
        if match := _LOG_ESCAPE.match(self.text, at):
            yield f"%{match[1].upper()}", match.end()
        if match := _CODE_UNIT.match(self.text, at):
            if match[2]:
                yield json.loads(f'"{match[0]}"'), match.end()
            yield _folded(chr(int(match[1], 16))), at + 6

    def _invisible(self, at: int) -> Iterator[tuple[str, int]]:
        """CDATA marks, comments and instructions: text goes on behind them (XML 1.0 2.5 to 2.7)."""
        for mark in ("<![CDATA[", "]]>"):
            if self.text.startswith(mark, at):
                yield "", at + len(mark)
        for opening, closing in (("<!--", "-->"), ("<?", "?>")):
            end = self.text.find(closing, at) if self.text.startswith(opening, at) else -1
            if end >= 0:
                yield "", end + len(closing)


def _folded(text: str) -> str:
    """Line ends as LF, and then all white space of XML as a blank, as attributes have it."""
    return re.sub("[\r\n\t]", " ", text.replace("\r\n", "\n"))


# --- from bytes to texts, without urlset's help


def texts(data: bytes, asked: str | None = None) -> Iterator[str]:
    """Whatever the bytes may say: packed or not, in every encoding that comes into question."""
    for payload in _payloads(data):
        names = [asked, _declared(payload)]
        if b"\0" in payload or payload[:2] in (b"\xff\xfe", b"\xfe\xff"):
            names += ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
        yield _utf8_or_western(payload)
        for name in filter(None, names):
            try:
                yield payload.decode(name, "replace")
            except LookupError:
                continue


def _payloads(data: bytes) -> Iterator[bytes]:
    yield data
    for _ in range(3):
        if not data.startswith(b"\x1f\x8b"):
            return
        data = _inflated(data)
        yield data


def _inflated(data: bytes) -> bytes:
    """All members, as far as they go."""
    parts = []
    while data.startswith(b"\x1f\x8b"):
        engine = zlib.decompressobj(31)
        try:
            parts.append(engine.copy().decompress(data))
            engine.decompress(data)
        except zlib.error:
            return b"".join([*parts, _until_fault(data)])
        data = engine.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _until_fault(data: bytes) -> bytes:
    engine, parts = zlib.decompressobj(31), []
    for at in range(len(data)):
        try:
            parts.append(engine.decompress(data[at : at + 1]))
        except zlib.error:
            break
    return b"".join(parts)


def _utf8_or_western(data: bytes) -> str:
    text = data.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda odd: _western(ord(odd[0]) - 0xDC00), text)


def _western(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def _declared(data: bytes) -> str | None:
    match = re.search(rb"""encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]*)["']""", data[:400])
    return match[1].decode() if match else None
