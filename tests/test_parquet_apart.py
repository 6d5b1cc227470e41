"""Damaged Parquet files, and the process of its own that reads them: no file takes this process with it."""

from __future__ import annotations

import gzip
import io
import json
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import urlset
from urlset.formats.arrow import apart, worker
from urlset.formats.arrow.worker import BROKEN, TOO_MUCH, Bounds
from urlset.formats.vocabulary.errors import LimitError, ReadError, SourceError, UrlsetError
from urlset.formats.vocabulary.limits import MIB, Limits

SITE = "https://example.com/"
BOUNDS = Bounds(1000, 1024 * MIB, 1000, 64 * MIB)


def ours(count: int = 3) -> bytes:
    stream = io.BytesIO()
    entries = [urlset.Entry(loc=f"{SITE}{at}", title=f"page {at}", priority=0.5) for at in range(count)]
    urlset.write(entries, stream, to="parquet")
    return stream.getvalue()


def table(columns: dict[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def replaced(data: bytes, old: bytes, new: bytes) -> bytes:
    assert data.count(old) == 1
    assert len(old) == len(new)
    return data.replace(old, new)


# Of the footer (compact protocol of Thrift): the type of a column, whether it is optional, and its name.
COLUMN = b"\x15\x0c\x25\x02\x18\x0achangefreq"
REQUIRED = replaced(ours(), COLUMN, b"\x15\x0c\x25\x00\x18\x0achangefreq")
NUMBERS = replaced(ours(), COLUMN, b"\x15\x04\x25\x02\x18\x0achangefreq")


def not_the_magic(data: bytes) -> bytes:
    return data[:-4] + b"PAR2"


def footer_too_long(data: bytes) -> bytes:
    return data[:-8] + (2**31 - 1).to_bytes(4, "little") + b"PAR1"


@pytest.mark.parametrize(
    "data",
    [
        # pyarrow 26 ends its process for these two, since its wrapper of the metadata lets an exception through.
        pytest.param(REQUIRED, id="optional column said to be required"),
        pytest.param(NUMBERS, id="texts said to be numbers"),
        pytest.param(not_the_magic(ours()), id="magic"),
        pytest.param(footer_too_long(ours()), id="footer longer than the file"),
        pytest.param(ours()[:-12] + ours()[-8:], id="footer cut"),
    ],
)
def test_a_damaged_file_is_an_error_with_its_name(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    path.write_bytes(data)
    ledger = urlset.Ledger()
    with pytest.raises(ReadError, match=r"it is no sound Parquet file: .") as caught:
        list(urlset.read(path, ledger=ledger))
    assert caught.value.source == str(path)
    assert [(one.rule, one.source) for one in ledger.findings] == [("document-refused", str(path))]


JOBS: dict[str, Callable[[Any], object]] = {
    "read": lambda src: list(urlset.read(src)),
    "convert": lambda src: urlset.convert(src, io.BytesIO(), to="text"),
    "load": urlset.load,
    "validate": urlset.validate,
    "info": urlset.info,
    "diff": lambda src: urlset.diff(src, ours()),
    "diff, the other side": lambda src: urlset.diff(ours(), src),
}


@pytest.mark.parametrize("name", JOBS)
def test_no_job_ends_with_the_process(name: str) -> None:
    with pytest.raises(ReadError, match="no sound Parquet file"):
        JOBS[name](REQUIRED)


@pytest.mark.parametrize("given", ["open file", "stream", "gzip"])
def test_nor_does_any_kind_of_source(given: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    path.write_bytes(REQUIRED)

    class Stream(io.RawIOBase):
        def __init__(self) -> None:
            self._data = io.BytesIO(REQUIRED)

        def read(self, size: int = -1) -> bytes:
            return self._data.read(size)

    with path.open("rb") as file:
        source: Any = {"open file": file, "stream": Stream(), "gzip": gzip.compress(REQUIRED)}[given]
        with pytest.raises(ReadError, match="no sound Parquet file"):
            list(urlset.read(source))


def test_standard_input_that_is_damaged_is_exit_code_2() -> None:
    command = [sys.executable, "-m", "urlset", "convert", "-", "-o", "-", "--to", "text"]
    done = subprocess.run(command, input=REQUIRED, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"it is no sound Parquet file" in done.stderr
    assert b"Traceback" not in done.stderr


def damaged(seed: int, data: bytes) -> bytes:
    """One to three bytes of the footer, or of anything, changed; or some cut out or put in."""
    chance, changed = random.Random(seed), bytearray(data)  # noqa: S311
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(footer if chance.random() < 0.7 else 4, len(changed))
        kind = chance.randrange(4)
        if kind == 0:
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            changed[at] = chance.choice((0, 127, 128, 255))
        elif kind == 2:
            del changed[at : at + chance.randrange(1, 6)]
        else:
            changed[at:at] = chance.randbytes(chance.randrange(1, 6))
    return bytes(changed)


@pytest.mark.parametrize("seed", range(24))
def test_damage_of_any_kind_is_read_or_refused(seed: int) -> None:
    try:
        list(urlset.read(damaged(seed, ours())))
    except UrlsetError as error:
        assert error.source == "<bytes>"


def test_a_changed_byte_of_the_data_is_found() -> None:
    data = bytearray(ours(2000))
    at = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0).data_page_offset + 500
    data[at] ^= 1
    with pytest.raises(ReadError, match="CRC"):
        list(urlset.read(bytes(data)))


def zigzag(number: int) -> bytes:
    """A number as Thrift writes it."""
    number, out = number << 1, bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def claiming(size: int) -> bytes:
    """A file of some kilobytes whose one page claims to have so many bytes once it is unpacked."""
    locs = [f"{SITE}{number * 7919}" for number in range(3000)]
    data = table({"loc": locs}, compression="zstd", use_dictionary=False, write_statistics=False)
    column = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0)
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    page, footer = data[4:start], data[start:-8]
    # The header of a page begins with its kind (0), and how many bytes it has.
    end = next(at for at in range(3, 8) if page[at] < 128) + 1
    assert (page[0], page[2]) == (0x15, 0x15)
    longer = len(zigzag(size)) - (end - 3)
    for total in (column.total_compressed_size, column.total_uncompressed_size):
        footer = footer.replace(b"\x16" + zigzag(total), b"\x16" + zigzag(total + longer))
    return b"PAR1" + page[:3] + zigzag(size) + page[end:] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such limit")
def test_a_page_that_claims_two_gigabytes_does_not_get_them() -> None:
    data = claiming(2**31 - 1)
    assert len(data) < 10_000
    with pytest.raises(LimitError, match="more memory") as caught:
        list(urlset.read(data))
    assert caught.value.rule == "resource-limit"


def test_a_group_may_not_claim_more_than_the_file_can_hold() -> None:
    data = table({"loc": [SITE], "title": ["x" * MIB]}, compression="zstd")
    assert len(list(urlset.read(data))) == 1
    with pytest.raises(LimitError, match=r"a group of rows has 1,0\d\d,\d\d\d bytes, and 1,000 are allowed"):
        list(urlset.read(data, limits=Limits(max_ratio=1, ratio_from=1000, max_inflated=64 * MIB)))


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "fails.py"
    path.write_text(f"import os, signal, sys, time\n{text}\n")
    return str(path)


LOUD = "sys.stderr.write(\"terminate called after throwing 'X'\\n  what():  levels differ\\n\"); sys.stderr.flush()"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (f"{LOUD}; os.abort()", ReadError, "pyarrow broke off with SIGABRT: levels differ"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", ReadError, "pyarrow broke off with SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", LimitError, "more than 120 seconds of computing"),
        ("raise RuntimeError('some reason')", ReadError, "RuntimeError: some reason"),
        ("sys.exit(7)", ReadError, "reading it ended with status 7"),
        ("pass", ReadError, "no sound Parquet file"),
        ("os.write(1, bytes(100_000))", ReadError, "no sound Parquet file"),
        (f"sys.stderr.write('x' * 200_000 + '\\nmuch\\n'); sys.exit({TOO_MUCH})", LimitError, "much"),
    ],
)
def test_however_the_process_ends_it_is_an_error(
    text: str, kind: type[UrlsetError], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "__file__", script(tmp_path, text))
    with pytest.raises(kind, match=message) as caught:
        list(urlset.read(ours()))
    assert type(caught.value) is kind
    assert caught.value.source == "<bytes>"


def test_what_was_read_before_the_end_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"""
sys.path[:] = {sys.path!r}
import pyarrow as pa
from pyarrow import ipc
out = open(1, "wb")
writer = ipc.new_stream(out, pa.schema([("loc", pa.string())]))
writer.write_batch(pa.record_batch({{"loc": ["{SITE}"]}}))
out.flush()
os.abort()
"""
    monkeypatch.setattr(worker, "__file__", script(tmp_path, text))
    entries = urlset.read(ours())
    assert next(entries).loc == SITE
    with pytest.raises(ReadError, match="SIGABRT"):
        next(entries)


def test_a_stream_that_ends_without_its_end_is_none_whatever_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""
sys.path[:] = {sys.path!r}
import pyarrow as pa
from pyarrow import ipc
with open(1, "wb") as out, ipc.new_stream(out, pa.schema([("loc", pa.string())])) as writer:
    writer.write_batch(pa.record_batch({{"loc": ["{SITE}"]}}))
"""
    monkeypatch.setattr(worker, "__file__", script(tmp_path, text))
    entries = urlset.read(ours())
    assert next(entries).loc == SITE
    with pytest.raises(ReadError, match="broke off"):
        next(entries)


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="no such signal")
def test_it_is_known_where_children_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert len([*urlset.read(ours())]) == 3
        with pytest.raises(ReadError, match="no sound Parquet file"):
            list(urlset.read(not_the_magic(ours())))
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    found: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            found.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    yield found
    assert all(one.returncode is not None for one in found)


def test_the_process_ends_with_a_reader_that_stops(started: list[subprocess.Popen[bytes]]) -> None:
    entries = urlset.read(ours(20_000))
    next(entries)
    assert [one.returncode for one in started] == [None]
    entries.close()  # type: ignore[attr-defined]
    assert started[0].returncode is not None


def test_it_ends_by_itself_after_the_last_row(started: list[subprocess.Popen[bytes]]) -> None:
    assert len(list(urlset.read(ours()))) == 3
    assert [one.returncode for one in started] == [0]


def test_where_no_process_starts_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(SourceError, match="no process could be started to read it"):
        list(urlset.read(ours()))


@pytest.mark.parametrize(("name", "value"), [("executable", ""), ("frozen", True), ("platform", "emscripten")])
def test_without_processes_the_file_is_read_in_this_one(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    monkeypatch.setattr(sys, name, value, raising=False)
    assert [entry.title for entry in urlset.read(ours(2))] == ["page 0", "page 1"]
    with pytest.raises(ReadError, match="no sound Parquet file"):
        list(urlset.read(not_the_magic(ours())))
    with pytest.raises(LimitError, match="a group of rows has"):
        list(urlset.read(ours(), limits=Limits(max_inflated=20)))
    assert started == []


def test_columns_of_every_type_come_through() -> None:
    words = pa.array(["a", "b"]).dictionary_encode()
    data = table(
        {
            "loc": pa.array([f"{SITE}a", f"{SITE}b"], pa.large_string()),
            "title": words,
            "lists": pa.ListArray.from_arrays([0, 1, 2], words),
            "structures": pa.StructArray.from_arrays([words], ["x"]),
            "decimals": [None, Decimal("1.50")],
            "bytes": [b"\xff", None],
            "halves": pa.array([1.5, 2.5], pa.float32()).cast(pa.float16()),
            "nothing": pa.nulls(2),
            "maps": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int32())),
            "durations": pa.array([1, None], pa.duration("ms")),
            "fixed": pa.array([[1, 2], None], pa.list_(pa.int32(), 2)),
        }
    )
    assert [(entry.loc, entry.title) for entry in urlset.read(data)] == [(f"{SITE}a", "a"), (f"{SITE}b", "b")]


# The functions of the other process, whose lines are not counted there.


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    monkeypatch.setattr(worker, "_bound", lambda what, number: found.append((what, number)))
    return found


def test_the_batches_are_a_stream_of_arrow(bounded: list[tuple[str, int]]) -> None:
    out = io.BytesIO()
    assert worker.send(io.BytesIO(ours(2500)), out, BOUNDS) == 0
    with pa.ipc.open_stream(out.getvalue()) as reader:
        assert [batch.num_rows for batch in reader] == [1000, 1000, 500, 0]  # the last one says that it is the last
    assert {what for what, _ in bounded} == {"RLIMIT_CORE", "RLIMIT_CPU", "RLIMIT_DATA"}
    memory = [number for what, number in bounded if what == "RLIMIT_DATA"]
    assert memory[0] == worker.MEMORY < memory[1] < worker.MEMORY + 3 * MIB


@pytest.mark.parametrize(
    ("raised", "status", "said"),
    [
        (worker.TooMuchError("so much"), TOO_MUCH, "so much\n"),
        (MemoryError("malloc"), TOO_MUCH, "it asks for more memory than its size explains\n"),
        (OSError("first line\nsecond"), BROKEN, "first line\n"),
        (KeyError(), BROKEN, "KeyError\n"),
    ],
)
def test_what_is_wrong_is_one_line(
    raised: Exception, status: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise raised

    monkeypatch.setattr(worker, "_send", fails)
    assert worker.send(io.BytesIO(), io.BytesIO(), BOUNDS) == status
    assert capsys.readouterr().err == said


def test_the_worker_says_what_it_ends_with(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    path.write_bytes(ours()[:-4])
    command = [sys.executable, worker.__file__, json.dumps(sys.path), json.dumps(BOUNDS)]
    with path.open("rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (BROKEN, b"")
    assert b"magic" in done.stderr


def test_limits_of_the_system_are_lowered_and_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    found: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (0, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda limit, pair: found.append((limit, pair)))
    worker._bound("RLIMIT_DATA", 10)
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (0, 5))
    worker._bound("RLIMIT_DATA", 10)
    assert [pair for _, pair in found] == [(10, resource.RLIM_INFINITY), (5, 5)]
    monkeypatch.setitem(sys.modules, "resource", None)
    worker._bound("RLIMIT_DATA", 10)
    assert len(found) == 2


def test_what_python_cannot_express_is_an_error_too() -> None:
    with pytest.raises(ReadError, match="no sound Parquet file: too large"), apart.explained("a.parquet"):
        raise OverflowError("too large")
