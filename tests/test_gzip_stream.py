from __future__ import annotations

import gzip
import io
import random
import tracemalloc
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from urlset.formats.vocabulary.errors import StrictError
from urlset.formats.vocabulary.gzip_stream import ByteStream, inflate
from urlset.formats.vocabulary.limits import Limits

LIST = b"".join(b"https://example.com/%d\n" % number for number in range(2000))
NOISE = random.Random(7).randbytes(300_000)  # noqa: S311 - does not shrink, so packed offsets follow the plain ones


class Findings(list[tuple[str, str]]):
    """Keeps rule and message of each finding."""

    def __call__(self, rule: str, message: str, **_: Any) -> None:
        self.append((rule, message))

    @property
    def rules(self) -> list[str]:
        return [rule for rule, _ in self]


class Trickle:
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._file = io.BytesIO(data)
        self._size = size

    def read(self, size: int = -1, /) -> bytes:
        return self._file.read(self._size if size < 0 else min(self._size, size))


def unpack(data: bytes, limits: Limits | None = None, step: int = 1 << 20) -> tuple[bytes, Findings]:
    findings = Findings()
    plain = inflate(Trickle(data, step), limits or Limits(), findings).read()
    return plain, findings


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize("step", [1, 2, 3, 5, 7, 1 << 20])
@pytest.mark.parametrize(
    ("data", "plain", "rules"),
    [
        pytest.param(packed(b"one\n"), b"one\n", [], id="one member"),
        pytest.param(packed(b""), b"", [], id="empty member"),
        pytest.param(packed(b"one\n") + packed(b"two\n"), b"one\ntwo\n", [], id="R125 two members"),
        pytest.param(packed(b"") * 3 + packed(b"x"), b"x", [], id="empty members first"),
        pytest.param(packed(b"one\n") + bytes(1024), b"one\n", [], id="zero padding"),
        pytest.param(packed(b"a") + bytes(9) + packed(b"b"), b"ab", [], id="padding between members"),
        pytest.param(packed(b"one\n") + b"log line", b"one\n", ["trailing-data"], id="R126 trailing text"),
        pytest.param(packed(b"one\n") + b"\0\0x", b"one\n", ["trailing-data"], id="padding, then text"),
        pytest.param(packed(b"one\n") + b"\x1f", b"one\n", ["trailing-data"], id="half a magic"),
        pytest.param(packed(b"a") + packed(b"b")[:9], b"a", ["compression-truncated"], id="second cut in header"),
        pytest.param(packed(b"a") + b"\x1f\x8b\x09\0", b"a", ["compression-error"], id="second with bad header"),
        pytest.param(packed(b"one\n")[:-1], b"one\n", ["compression-truncated"], id="length cut"),
        pytest.param(packed(b"one\n")[:-8], b"one\n", ["compression-truncated"], id="no trailer"),
        pytest.param(b"\x1f\x8b", b"", ["compression-truncated"], id="only the magic"),
        pytest.param(b"\x1f\x8b\x08broken data", b"", ["compression-error"], id="broken header"),
        pytest.param(b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xbe\xef", b"", ["compression-error"], id="bad block type"),
        pytest.param(b"\x1f\x8b\x07" + packed(b"one\n")[3:], b"", ["compression-error"], id="unknown method"),
        pytest.param(packed(packed(b"one\n")), b"one\n", ["double-compression"], id="twice"),
        pytest.param(packed(packed(packed(b"1"))), b"1", ["double-compression"] * 2, id="three times"),
    ],
)
def test_members_and_faults(data: bytes, plain: bytes, rules: list[str], step: int) -> None:
    got, findings = unpack(data, step=step)
    assert got == plain
    assert findings.rules == rules


def test_header_fields_are_skipped() -> None:
    raw = zlib.compressobj(wbits=-15)
    body = raw.compress(b"one\n") + raw.flush()
    head = b"\x1f\x8b\x08\x1c" + bytes(6) + b"\x03\0abc" + b"name.xml\0" + b"comment\0"
    tail = zlib.crc32(b"one\n").to_bytes(4, "little") + (4).to_bytes(4, "little")
    assert unpack(head + body + tail) == (b"one\n", [])


def test_fourth_layer_is_handed_over_packed() -> None:
    inner = packed(b"one\n")
    plain, findings = unpack(packed(packed(packed(inner))))
    assert plain == inner
    assert findings.rules == ["double-compression"] * 2


@pytest.mark.parametrize("step", [7, 1 << 20])
@pytest.mark.parametrize(("place", "part"), [(-8, "CRC-32"), (-4, "length")])
def test_wrong_trailer_is_told_after_everything_was_delivered(place: int, part: str, step: int) -> None:
    data = bytearray(packed(LIST))
    data[place] ^= 1
    plain, findings = unpack(bytes(data), step=step)
    assert plain == LIST
    assert findings.rules == ["compression-error"]
    assert part in findings[0][1]


def test_flipped_byte_in_the_text_is_found_by_the_crc() -> None:
    stored = bytearray(gzip.compress(LIST, compresslevel=0))
    stored[len(stored) // 2] ^= 1
    plain, findings = unpack(bytes(stored))
    assert len(plain) == len(LIST)
    assert findings.rules == ["compression-error"]


@pytest.mark.parametrize("step", [7, 1000, 1 << 20])
@pytest.mark.parametrize("level", [0, 6])
def test_damaged_block_delivers_what_comes_before(level: int, step: int) -> None:
    good = zlib.compressobj(level, wbits=31)
    before = good.compress(NOISE) + good.flush(zlib.Z_FULL_FLUSH)
    plain, findings = unpack(before + b"\x07" * 5000, step=step)
    assert plain == NOISE
    assert findings.rules == ["compression-error"]
    assert f"at byte {len(before):,}," in findings[0][1]


@pytest.mark.parametrize("step", [11, 1 << 20])
def test_truncated_delivers_what_there_is(step: int) -> None:
    data = packed(NOISE)
    plain, findings = unpack(data[:200_000], step=step)
    assert NOISE.startswith(plain)
    assert len(plain) > 190_000
    assert findings.rules == ["compression-truncated"]
    assert "byte 200,000 " in findings[0][1]


@given(st.binary(max_size=300), st.integers(0, 400), st.integers(1, 7))
def test_cut_anywhere_gives_a_prefix_and_never_silence(data: bytes, cut: int, step: int) -> None:
    whole = packed(data)
    plain, findings = unpack(whole[: min(cut, len(whole))] if cut > 1 else whole, step=step)
    assert data.startswith(plain)
    assert bool(findings) == (1 < cut < len(whole))


@given(st.binary(min_size=1, max_size=200), st.integers(0), st.integers(1, 255))
def test_a_flipped_byte_is_told_unless_it_changes_nothing(data: bytes, place: int, mask: int) -> None:
    whole = bytearray(packed(data))
    at = 10 + place % (len(whole) - 10)
    whole[at] ^= mask
    plain, findings = unpack(bytes(whole))
    assert findings or (plain == data and at < len(whole) - 8)  # the bits after the last block mean nothing


@given(st.lists(st.binary(max_size=100), min_size=1, max_size=5), st.integers(1, 50))
def test_members_are_joined(parts: list[bytes], size: int) -> None:
    assume(not b"".join(parts).startswith(b"\x1f\x8b"))
    stream = inflate(io.BytesIO(b"".join(map(packed, parts))), Limits(), Findings())
    read = []
    while data := stream.read(size):
        assert len(data) <= size
        read.append(data)
    assert b"".join(read) == b"".join(parts)
    assert stream.count == len(b"".join(parts))


@pytest.mark.parametrize(("most", "rules"), [(999, ["size-limit"]), (1000, []), (1001, [])])
def test_inflated_size_at_the_edge(most: int, rules: list[str]) -> None:
    plain, findings = unpack(packed(b"x" * 1000), Limits(max_inflated=most))
    assert plain == b"x" * min(most, 1000)
    assert findings.rules == rules


def test_inflated_size_counts_all_members() -> None:
    plain, findings = unpack(packed(b"x" * 600) * 2, Limits(max_inflated=1000))
    assert plain == b"x" * 1000
    assert findings.rules == ["size-limit"]


@pytest.mark.parametrize(("ratio_from", "rules"), [(100_000, []), (99_999, ["size-limit"])])
def test_ratio_is_asked_for_above_a_size_only(ratio_from: int, rules: list[str]) -> None:
    _, findings = unpack(packed(bytes(100_000)), Limits(max_ratio=10, ratio_from=ratio_from))
    assert findings.rules == rules


def test_a_large_repetitive_list_passes_the_default_limits() -> None:
    url = b"  <url><loc>https://example.com/products/item.html?id=%07d</loc></url>\n"
    engine = zlib.compressobj(9, wbits=31)
    pieces = [engine.compress(b"".join(url % i for i in range(at, at + 10_000))) for at in range(0, 1_000_000, 10_000)]
    findings = Findings()
    stream = inflate(io.BytesIO(b"".join(pieces) + engine.flush()), Limits(), findings)
    assert sum(map(len, stream.chunks())) == 1_000_000 * len(url % 0)
    assert findings == []


class Bomb:
    """Gzip data made while they are read: blanks without end."""

    def __init__(self) -> None:
        self._blocks = self._make()
        self._rest = b""

    def _make(self) -> Iterator[bytes]:
        engine = zlib.compressobj(9, wbits=31)
        while True:
            yield engine.compress((b" " * 1023 + b"\n") * 1024)

    def read(self, size: int = -1, /) -> bytes:
        while not self._rest:
            self._rest = next(self._blocks)
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(Limits(max_inflated=100_000_000), id="R136 size"),
        pytest.param(Limits(max_ratio=100, ratio_from=10_000_000), id="R136 ratio"),
    ],
)
def test_bomb_stops_in_flat_memory(limits: Limits) -> None:
    findings = Findings()
    stream = inflate(Bomb(), limits, findings)
    tracemalloc.start()
    try:
        total = sum(map(len, stream.chunks()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 10_000_000 <= total <= 100_000_000
    assert findings.rules == ["size-limit"]
    assert peak < 8_000_000


def test_bomb_inside_gzip_is_bounded_by_the_outer_bytes() -> None:
    data = packed(packed(bytes(50_000_000)))
    plain, findings = unpack(data, Limits(ratio_from=1_000_000))
    assert len(plain) < 2_000_000
    assert findings.rules == ["double-compression", "size-limit"]


def test_an_exception_of_the_report_passes_and_the_stream_is_at_its_end() -> None:
    def refuse(rule: str, message: str, **_: Any) -> None:
        raise StrictError(message, rule=rule)

    stream = inflate(io.BytesIO(packed(b"one\n")[:-3]), Limits(), refuse)
    assert stream.read(4) == b"one\n"
    with pytest.raises(StrictError):
        stream.read(1)
    assert stream.read(1) == b""


def test_peek_leaves_the_bytes_to_be_read() -> None:
    stream = ByteStream(Trickle(b"abcdef", 2))
    assert stream.peek(3) == b"abc"
    assert stream.count == 0
    assert stream.read(2) == b"ab"
    assert stream.peek(99) == b"cdef"
    assert stream.read() == b"cdef"
    assert stream.read(0) == stream.read(5) == b""
    assert stream.count == 6


def test_close_calls_back_once() -> None:
    calls = []
    with inflate(io.BytesIO(packed(packed(b"x"))), Limits(), Findings(), on_close=lambda: calls.append(1)) as stream:
        assert stream.read() == b"x"
    stream.close()
    assert calls == [1]
