"""Gzip unpacked as a stream, with limits, and with everything delivered that comes before a fault.

The standard library's reader raises at a fault and loses the block that it was in. Here the bytes before the
fault are delivered, then the fault is reported, then the stream ends. Format: RFC 1952; deflate: RFC 1951.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from urlset.formats.vocabulary.reporting import Report

if TYPE_CHECKING:
    from urlset.formats.vocabulary.limits import Limits

GZIP_MAGIC = b"\x1f\x8b"
"""The first two bytes of a gzip member (RFC 1952 2.3.1). No text in any encoding begins with them."""

BLOCK = 65_536
"""Bytes asked for in one read of the underlying stream."""

MAX_LAYERS = 3
"""Gzip within gzip is unpacked this often at most."""

_OUTPUT = 4 * BLOCK
_GZIP = zlib.MAX_WBITS + 16
_TOO_SHORT = "the gzip data end at byte {0:,} without their trailer; what could be unpacked was read"
_FAULTS = {
    "incorrect data check": "the CRC-32 of the unpacked bytes is not the stored one",
    "incorrect length check": "the length of the unpacked bytes is not the stored one",
    "incorrect header check": "the gzip header is damaged",
    "header crc mismatch": "the checksum of the gzip header is wrong",
    "unknown compression method": "the gzip header names an unknown compression method",
    "unknown header flags set": "the gzip header has reserved flags set (RFC 1952 2.3.1)",
}


class Readable(Protocol):
    """Anything that gives bytes: the one method of a binary file that is used."""

    def read(self, size: int = -1, /) -> bytes:
        """Give up to ``size`` bytes, and none only at the end."""
        ...


class ByteStream:
    """Bytes read forwards, in blocks.

    ``read`` gives what is at hand: at most ``size`` bytes, perhaps fewer, and none only at the end. ``count``
    is the number of bytes delivered so far, ``cut_off`` whether more should have followed the last of them. A
    subclass overrides ``_fetch``.
    """

    def __init__(self, raw: Readable, on_close: Callable[[], None] | None = None) -> None:
        self.count = 0
        self.cut_off = False
        self.nested = False
        self._raw = raw
        self._on_close = on_close
        self._block = b""
        self._at = 0

    def read(self, size: int = -1, /) -> bytes:
        """Give up to ``size`` bytes; everything that is left if ``size`` is negative."""
        if size < 0:
            return b"".join(self.chunks())
        if size == 0 or not self._filled():
            return b""
        data = self._block[self._at : self._at + size]
        self._at += len(data)
        self.count += len(data)
        return data

    def peek(self, size: int) -> bytes:
        """Give the next ``size`` bytes, fewer only at the end, and leave them to be read."""
        parts = [self._block[self._at :]]
        have = len(parts[0])
        while have < size and (block := self._fetch()):
            parts.append(block)
            have += len(block)
        self._block, self._at = b"".join(parts), 0
        return self._block[:size]

    def chunks(self) -> Iterator[bytes]:
        """Give the rest in blocks, none of them empty."""
        while data := self.read(_OUTPUT):
            yield data

    def close(self) -> None:
        """Let go of what is underneath. A second call does nothing."""
        if self._on_close:
            on_close, self._on_close = self._on_close, None
            on_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _filled(self) -> bool:
        if self._at >= len(self._block):
            self._block, self._at = self._fetch(), 0
        return bool(self._block)

    def _fetch(self) -> bytes:
        return self._raw.read(BLOCK)


def inflate(
    raw: Readable, limits: Limits, report: Report, *, expected: int = 1, on_close: Callable[[], None] | None = None
) -> ByteStream:
    """Give the unpacked bytes of gzip data: all members, and gzip within gzip (at most three layers).

    Faults end the stream after the last good byte and are reported then, with offsets in bytes of the packed
    data: ``compression-truncated``, ``compression-error``, ``size-limit`` (``limits.max_inflated``,
    ``limits.max_ratio``), ``trailing-data`` (zero padding deserves no message). Gzip within gzip is reported
    as ``double-compression`` beyond the layers that are ``expected``; a fourth layer is handed over packed, and
    ``nested`` says whether there was more than one. ``on_close`` is called when the stream is closed.
    """
    origin = ByteStream(raw)
    stream: ByteStream = _Inflated(origin, origin, limits, report, on_close)
    for layers in range(1, MAX_LAYERS):
        if stream.peek(2) != GZIP_MAGIC:
            break
        if layers >= expected:
            report("double-compression", f"inside the gzip data there are gzip data again (layer {layers + 1})")
        stream = _Inflated(stream, origin, limits, report, on_close)
        stream.nested = True
    return stream


class _Inflated(ByteStream):
    """One layer of gzip, unpacked. ``origin`` counts the bytes of the outermost layer, for the ratio."""

    def __init__(
        self,
        raw: ByteStream,
        origin: ByteStream,
        limits: Limits,
        report: Report,
        on_close: Callable[[], None] | None,
    ) -> None:
        super().__init__(raw, on_close)
        self._packed = raw
        self._origin = origin
        self._limits = limits
        self._report = report
        self._engine: zlib._Decompress | None = zlib.decompressobj(_GZIP)
        self._input = b""
        self._held = False  # the engine stopped for want of room and may have output left without any input
        self._done = False
        self._fault: tuple[str, str] | None = None
        self._produced = 0

    def _fetch(self) -> bytes:
        while not self._done:
            if block := self._step():
                return self._bounded(block)
        if self._fault:
            (rule, message), self._fault = self._fault, None
            self._report(rule, message)
        return b""

    def _step(self) -> bytes:
        if not self._input and not self._held:
            self._input = self._packed.read(BLOCK)
        if self._engine is None:
            return self._between()
        if not self._input and not self._held:
            self.cut_off = True
            return self._end("compression-truncated", _TOO_SHORT.format(self._offset()))
        return self._inflate(self._engine)

    def _inflate(self, engine: zlib._Decompress) -> bytes:
        room = max(1, min(_OUTPUT, self._limits.max_inflated - self._produced + 1))
        # An error loses the output of its call, so the state before it is kept: 40 KB for 256 KB of output.
        before = engine.copy()
        try:
            block = engine.decompress(self._input, room)
        except zlib.error as error:
            block, good = _salvage(before, self._input)
            self._end("compression-error", _fault_text(error, self._offset() + good))
            # A wrong checksum stands behind the last byte.
            self.cut_off = not _reason(error).endswith(("data check", "length check"))
            return block
        self._held = len(block) == room and not engine.eof
        self._input = engine.unconsumed_tail
        if engine.eof:
            self._engine, self._input = None, engine.unused_data
        return block

    def _between(self) -> bytes:
        """Look for another member after the end of one (RFC 1952 2.2)."""
        if not self._input:
            return self._end()
        self._input = self._input.lstrip(b"\0")
        if len(self._input) == 1:
            self._input += self._packed.read(BLOCK)
        if self._input.startswith(GZIP_MAGIC):
            self._engine = zlib.decompressobj(_GZIP)
        elif self._input:
            where = f"bytes follow the end of the gzip data, from byte {self._offset():,}; they are ignored"
            self._end("trailing-data", where)
        return b""

    def _bounded(self, block: bytes) -> bytes:
        self._produced += len(block)
        most, packed = self._limits.max_inflated, self._origin.count
        if self._produced > most:
            self.cut_off = True
            kept = len(block) - (self._produced - most)
            self._end("size-limit", f"unpacked there are more than {most:,} bytes; the rest was not read")
            return block[:kept] or self._fetch()
        if self._produced > max(self._limits.ratio_from, self._limits.max_ratio * packed):
            self.cut_off = True
            self._end("size-limit", self._ratio_text(packed))
        return block

    def _ratio_text(self, packed: int) -> str:
        ratio = f"more than {self._limits.max_ratio:,} to 1"
        return f"{packed:,} packed bytes gave {self._produced:,}, {ratio}; the rest was not read"

    def _offset(self) -> int:
        return self._packed.count - len(self._input)

    def _end(self, rule: str | None = None, message: str = "") -> bytes:
        self._done = True
        if rule:
            self._fault = (rule, message)
        return b""


def _salvage(engine: zlib._Decompress, data: bytes) -> tuple[bytes, int]:
    """Give what comes before the fault in ``data``, and how many of its bytes are good, by halving the step.

    The output needs no bound of its own: the call that failed had one and did not reach it.
    """
    parts = []
    at, step = 0, len(data)
    while step and at < len(data):
        attempt = engine.copy()
        try:
            parts.append(attempt.decompress(data[at : at + step]))
        except zlib.error:
            step //= 2
            continue
        engine, at = attempt, at + step
    return b"".join(parts), at


def _reason(error: zlib.error) -> str:
    return str(error).rpartition(": ")[2]


def _fault_text(error: zlib.error, offset: int) -> str:
    reason = _reason(error)
    what = _FAULTS.get(reason, f"the deflate stream is damaged ({reason})")
    return f"{what}; the fault is at byte {offset:,}, nothing after it was read"
