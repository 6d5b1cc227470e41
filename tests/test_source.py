from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from urlset.formats.vocabulary import storage as module
from urlset.formats.vocabulary.errors import OptionError, ReadError, SourceError
from urlset.formats.vocabulary.gzip_stream import ByteStream
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.reporting import silent
from urlset.formats.vocabulary.source import Source

LIST = b"".join(b"https://example.com/%d\n" % number for number in range(20_000))


class Pipe(io.RawIOBase):
    """A stream that can't seek and gives what it likes."""

    def __init__(self, data: bytes, most: int = 10_000) -> None:
        self._file = io.BytesIO(data)
        self._most = most
        self.taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._file.read(min(len(buffer), self._most))
        buffer[: len(data)] = data
        self.taken += len(data)
        return len(data)


def everything(source: Source) -> bytes:
    with source.open(silent) as stream:
        return stream.read()


def make(kind: str, data: bytes, folder: Path) -> Source:
    if kind == "path":
        (folder / "list.txt").write_bytes(data)
        return Source.of(folder / "list.txt")
    if kind == "stream":
        return Source.of(io.BytesIO(data))
    if kind == "pipe":
        return Source.of(Pipe(data))
    return Source.of(data)


KINDS = ["path", "bytes", "stream", "pipe"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_opens_again_and_again(kind: str, packed: bool, tmp_path: Path) -> None:
    with make(kind, gzip.compress(LIST) if packed else LIST, tmp_path) as source:
        assert source.compression is None
        assert source.head(100) == LIST[:100]
        assert source.compression == ("gzip" if packed else None)
        assert everything(source) == LIST
        assert source.head() == LIST[:65_536]
        assert source.head(10) == LIST[:10]
        assert everything(source) == LIST


@pytest.mark.parametrize("kind", KINDS)
def test_two_readers_at_once_do_not_disturb_each_other(kind: str, tmp_path: Path) -> None:
    with make(kind, LIST, tmp_path) as source, source.open(silent) as one, source.open(silent) as two:
        first = one.read(70_000) + one.read(70_000)
        assert source.head(5) == LIST[:5]
        assert two.read() == LIST
        assert first + one.read() == LIST


@pytest.mark.parametrize("kind", KINDS)
def test_empty_document(kind: str, tmp_path: Path) -> None:
    with make(kind, b"", tmp_path) as source:
        assert source.head() == b""
        assert everything(source) == b""
        assert source.compression is None


def test_gzip_is_decided_by_the_bytes_and_not_by_the_name(tmp_path: Path) -> None:
    plain, packed = tmp_path / "R128.xml.gz", tmp_path / "R53.xml"
    plain.write_bytes(LIST)
    packed.write_bytes(gzip.compress(LIST))
    assert everything(Source.of(plain)) == everything(Source.of(packed)) == LIST


def test_a_stream_is_read_no_further_than_needed() -> None:
    pipe = Pipe(LIST)
    Source.of(pipe).head(100)
    assert pipe.taken == 10_000


def test_a_long_pipe_is_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPOOL_MEMORY", 1000)
    with Source.of(Pipe(LIST)) as source:
        assert everything(source) == everything(source) == LIST


def test_a_seekable_stream_is_used_from_where_it_stands_and_left_there() -> None:
    file = io.BytesIO(b"skipped" + LIST)
    file.seek(7)
    with Source.of(file) as source:
        assert source.head(20) == LIST[:20]
        assert file.tell() == 7
        assert everything(source) == LIST
        assert file.tell() == 7
    assert not file.closed


def test_a_stream_that_its_owner_closed() -> None:
    file = io.BytesIO(LIST)
    source = Source.of(file)
    file.close()
    with pytest.raises((SourceError, ValueError)):
        source.open(silent)
    source.close()


def test_standard_input_is_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(gzip.compress(LIST)))))
    source = Source.of("-")
    assert source.name == "<stdin>"
    assert everything(source) == everything(source) == LIST


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="standard input"):
        Source.of("-")


def test_a_named_pipe_is_read_twice(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(LIST,))
    writer.start()
    with Source.of(fifo) as source:
        assert source.head(10) == LIST[:10]
        assert everything(source) == everything(source) == LIST
    writer.join()


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (b"x", "<bytes>"),
        (bytearray(b"x"), "<bytes>"),
        (memoryview(b"x"), "<bytes>"),
        (io.BytesIO(b"x"), "<stream>"),
        ("a/list.txt", "a/list.txt"),
        (Path("a/list.txt"), str(Path("a/list.txt"))),
    ],
    ids=["bytes", "bytearray", "memoryview", "stream", "str", "Path"],
)
def test_names(thing: Any, name: str) -> None:
    assert Source.of(thing).name == name
    assert Source.of(thing, "given").name == "given"


def test_an_open_file_is_named_after_its_path(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(LIST)
    with path.open("rb") as file:
        assert Source.of(file).name == str(path)
        assert everything(Source.of(file)) == LIST


def test_attributes() -> None:
    limits = Limits(max_depth=3)
    source = Source.of(b"x", location="https://example.com/a.xml", media_type="text/xml", limits=limits)
    assert (source.location, source.media_type, source.limits) == (
        "https://example.com/a.xml",
        "text/xml",
        limits,
    )
    assert Source.of(source) is source
    assert Source.of("a.txt").path == Path("a.txt")
    assert source.path is None
    assert source.limits.max_depth == 3


@pytest.mark.parametrize("thing", [None, 7, ["https://example.com/"], object()])
def test_what_is_no_source(thing: Any) -> None:
    with pytest.raises(OptionError, match=type(thing).__name__):
        Source.of(thing)


def test_text_streams_are_refused() -> None:
    with pytest.raises(OptionError, match="binary"):
        Source.of(io.StringIO("https://example.com/"))  # type: ignore[arg-type]


def test_streams_that_turn_out_to_give_text_are_refused() -> None:
    class Words:
        def read(self, size: int = -1, /) -> str:
            return "word"

    with pytest.raises(OptionError, match="gives str"):
        Source.of(Words()).open(silent)  # type: ignore[arg-type]


def test_streams_may_give_bytearrays() -> None:
    class Arrays:
        left = iter([bytearray(b"x\n"), memoryview(b"y\n")])

        def read(self, size: int = -1, /) -> Any:
            return next(self.left, b"")

    assert everything(Source.of(Arrays())) == b"x\ny\n"


@pytest.mark.parametrize("error", [None, OSError(5, "Input/output error"), ConnectionResetError("reset by peer")])
def test_a_stream_that_fails_in_the_middle(error: OSError | None) -> None:
    class Failing(Pipe):
        def read(self, size: int = -1, /) -> Any:
            if self.taken < 70_000:
                return super().read(size)
            if error:
                raise error
            return None  # what a stream does that does not wait

    source = Source.of(Failing(LIST), "feed")
    assert source.head(100) == LIST[:100]
    with (
        source.open(silent) as stream,
        pytest.raises(SourceError, match=r"feed: feed can't be read: \w+") as caught,
    ):
        stream.read()
    assert caught.value.source == "feed"
    assert isinstance(caught.value, OSError)


def test_missing_file(tmp_path: Path) -> None:
    source = Source.of(tmp_path / "absent.xml")
    for look in (source.head, lambda: source.open(silent)):
        with pytest.raises(SourceError, match=r"absent\.xml can't be opened: there is no such file"):
            look()


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="it is a folder") as caught:
        Source.of(tmp_path).open(silent)
    assert caught.value.source == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_forbidden_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.xml"
    path.write_bytes(LIST)
    path.chmod(0)
    with pytest.raises(SourceError, match="permission denied"):
        Source.of(path).open(silent)


def test_permission_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbid)
    with pytest.raises(SourceError, match=r"a\.xml can't be opened: permission denied"):
        Source.of("a.xml").open(silent)


def test_impossible_path() -> None:
    with pytest.raises(SourceError, match="can't be opened"):
        Source.of("a\0b").open(silent)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("sitemap.xml", "<urlset/>")
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("sitemap.xml"))
    return file.getvalue()


KNOWN = [
    pytest.param(zipped(), "ZIP", "unsupported-compression", id="zip"),
    pytest.param(b"PK\x05\x06" + bytes(18), "ZIP", "unsupported-compression", id="empty zip"),
    pytest.param(tarred(), "tar", "unsupported-compression", id="tar"),
    pytest.param(bz2.compress(LIST), "bzip2", "unsupported-compression", id="bzip2"),
    pytest.param(lzma.compress(LIST), "xz", "unsupported-compression", id="xz"),
    pytest.param(b"\x28\xb5\x2f\xfd\x04\0", "Zstandard", "unsupported-compression", id="zstd"),
    pytest.param(b"7z\xbc\xaf\x27\x1c\0\x04", "7z", "unsupported-compression", id="7z"),
    pytest.param(b"Rar!\x1a\x07\x01\0", "RAR", "unsupported-compression", id="rar"),
    pytest.param(b"%PDF-1.7\n", "PDF", "not-text", id="pdf"),
    pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG", "not-text", id="png"),
    pytest.param(b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG", "not-text", id="jpeg"),
    pytest.param(b"GIF89a\x01\0", "GIF", "not-text", id="gif"),
    pytest.param(b"RIFF\x24\0\0\0WEBPVP8 ", "WebP", "not-text", id="webp"),
    pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office", "not-text", id="xls"),
]


@pytest.mark.parametrize(("data", "what", "rule"), KNOWN)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "in gzip"])
def test_known_kinds_are_refused_by_name(data: bytes, what: str, rule: str, packed: bool) -> None:
    source = Source.of(gzip.compress(data) if packed else data, "given.xml")
    with pytest.raises(ReadError, match=what) as caught:
        source.open(silent)
    assert caught.value.rule == rule
    assert caught.value.source == "given.xml"
    assert source.head() == data


@pytest.mark.parametrize(
    "data",
    [b"BZh is no magic\n", b"PK\n", b"ustar\n", b"\xff\xfeh\0", b"7z\n", b"RIFF and more WEBP\n", b"PAR1"],
)
def test_text_that_looks_like_a_known_kind_is_read(data: bytes) -> None:
    assert everything(Source.of(data)) == data


def test_four_layers_of_gzip_are_refused() -> None:
    data = LIST
    for _ in range(4):
        data = gzip.compress(data)
    with pytest.raises(ReadError) as caught:
        Source.of(data).open(silent)
    assert caught.value.rule == "double-compression"


def test_faults_in_a_gzip_head_are_left_for_open() -> None:
    rules: list[str] = []

    def note(rule: str, message: str, **_: Any) -> None:
        rules.append(rule)

    source = Source.of(gzip.compress(b"one\n")[:-2])
    assert source.head() == b"one\n"
    assert source.open(note).read() == b"one\n"
    assert rules == ["compression-truncated"]


def test_limits_of_the_source_hold() -> None:
    rules: list[str] = []

    def note(rule: str, message: str, **_: Any) -> None:
        rules.append(rule)

    data = gzip.compress(bytes(100_000))
    assert len(Source.of(data, limits=Limits(max_inflated=5000)).open(note).read()) == 5000
    assert rules == ["size-limit"]


def test_input_that_is_not_packed_has_no_limit() -> None:
    assert everything(Source.of(LIST, limits=Limits(max_inflated=5))) == LIST


@pytest.mark.parametrize("value", [0, -1, 1.5, None, "10"])
def test_limits_are_positive_integers(value: Any) -> None:
    with pytest.raises(OptionError, match="max_depth"):
        Limits(max_depth=value)


def test_a_refused_document_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    close = ByteStream.close

    def note(stream: ByteStream) -> None:
        closed.append(stream)
        close(stream)

    monkeypatch.setattr(ByteStream, "close", note)
    (tmp_path / "a.zip").write_bytes(zipped())
    with pytest.raises(ReadError):
        Source.of(tmp_path / "a.zip").open(silent)
    assert closed


def test_repr_has_the_name() -> None:
    assert repr(Source.of(b"", "a.xml")) == "Source('a.xml')"
