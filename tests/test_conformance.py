"""What every format of the registry must do; a format without samples fails here.

The samples are in ``data/<format>/``: a document ``NAME.<ext>``, its entries in ``NAME.expected.jsonl``, its
findings in ``NAME.expected.findings`` (``rule:line``; none without that file), and in ``NAME.options.json`` the
options that it is read with. The entries and findings are those of the format's specification.

A folder is a file ``NAME.tree``, from which it is made: on each line the time of a file and its path, or ``->``, where
a link leads, and its path; the path of an empty folder ends in a slash. A Parquet file is a file ``NAME.rows``: on the
first line the types of its columns by name (``nested``: as the values have it), and on each of the others a row.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sys
from atexit import register
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from lxml import etree

sys.path.insert(0, str(Path(__file__).parent))

from source_documents import read_as

import urlset
from urlset.formats.vocabulary.errors import EmptyInventoryError
from urlset.formats.vocabulary.iri import to_uri

DATA = Path(__file__).with_name("data")
NAMES = ("plain", "rich", "odd")
READABLE = [one for one in urlset.registry() if one.read is not None]
WRITABLE = [one for one in urlset.registry() if one.write is not None]
OF_FOLDERS = [one.name for one in READABLE if one.of_folders]
AS_URI = ("sitemap", "sitemap-index", "text")
"""Formats whose addresses are URIs: an IRI is mapped (RFC 3987 3.1)."""

Read = Callable[..., tuple[list[dict[str, Any]], list[str]]]


@cache
def grown(tree: Path) -> Path:
    """The folder that a file describes."""
    made = TemporaryDirectory(prefix="urlset-")
    register(made.cleanup)
    for line in tree.read_text("utf-8").splitlines():
        what, _, name = line.partition(" ")
        target, _, name = name.partition(" ") if what == "->" else ("", "", name)
        path = Path(made.name, tree.stem, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir()
        elif target:
            path.symlink_to(target)
        else:
            path.touch()
            os.utime(path, (0, datetime.fromisoformat(what).timestamp()))
    return Path(made.name, tree.stem)


@cache
def filled(rows: Path) -> Path:
    """The Parquet file that a file describes."""
    import pyarrow as pa
    from pyarrow import parquet

    made = TemporaryDirectory(prefix="urlset-")
    register(made.cleanup)
    first, *others = map(json.loads, rows.read_text("utf-8").splitlines())
    columns = {name: pa.array([row.get(name) for row in others]) for name in first}
    kinds = {name: pa.timestamp("us", "UTC") if kind == "utc" else kind for name, kind in first.items()}
    typed = {name: one if (kind := kinds[name]) == "nested" else one.cast(kind) for name, one in columns.items()}
    path = Path(made.name, f"{rows.stem}.parquet")
    parquet.write_table(pa.table(typed), path)
    return path


class Sample(NamedTuple):
    format: str
    file: Path

    @property
    def id(self) -> str:
        return f"{self.format}/{self.file.name}"

    @property
    def path(self) -> Path:
        make = {".tree": grown, ".rows": filled}.get(self.file.suffix)
        return self.file if make is None else make(self.file)

    def beside(self, suffix: str) -> Path:
        return self.file.with_name(f"{self.file.name.removesuffix(self.file.suffix)}.{suffix}")

    @property
    def entries(self) -> list[dict[str, Any]]:
        lines = self.beside("expected.jsonl").read_text("utf-8").split("\n")
        return [json.loads(line) for line in lines if line]

    @property
    def findings(self) -> list[str]:
        path = self.beside("expected.findings")
        found = path.read_text("utf-8").split() if path.exists() else []
        return sorted(found, key=lambda one: (int(one.rpartition(":")[2]), one))

    @property
    def options(self) -> dict[str, Any]:
        path = self.beside("options.json")
        return json.loads(path.read_text("utf-8")) if path.exists() else {}


def samples_of(name: str) -> list[Sample]:
    helpers = (".expected.jsonl", ".expected.findings", ".options.json")
    return [Sample(name, path) for path in sorted((DATA / name).glob("*")) if not path.name.endswith(helpers)]


SAMPLES = [sample for one in READABLE for sample in samples_of(one.name)]
FILES = [sample for sample in SAMPLES if sample.format not in OF_FOLDERS]
"""All but the folders, which are no documents."""
BINARY = [one.name for one in READABLE if one.binary]
BYTE_WISE = [
    sample
    for sample in FILES
    if sample.format not in BINARY and sample.path.read_bytes()[:2] not in (b"\xff\xfe", b"\xfe\xff")
]
"""All texts but those in UTF-16."""

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)
every_file = pytest.mark.parametrize("sample", FILES, ids=lambda sample: sample.id)
every_bytes = pytest.mark.parametrize("sample", BYTE_WISE, ids=lambda sample: sample.id)
every_writer = pytest.mark.parametrize("target", WRITABLE, ids=lambda one: one.name)


# --- reading


@pytest.mark.parametrize("name", [one.name for one in READABLE])
def test_a_readable_format_has_samples(name: str) -> None:
    assert {sample.file.stem for sample in samples_of(name)} >= set(NAMES)


def test_every_folder_of_samples_is_a_format() -> None:
    folders = {path.name for path in DATA.iterdir() if path.is_dir()} - {"seeds"}
    assert folders == {one.name for one in READABLE}


@every_sample
def test_only_its_own_format_recognises_a_sample(sample: Sample) -> None:
    from urlset.formats.vocabulary.format import Head

    with urlset.Source.of(sample.path) as source:
        head = Head(b"", folder=True) if source.is_folder else Head(source.head())
    assert [one.name for one in READABLE if one.sniff(head)] == [sample.format]


@every_sample
def test_a_sample_is_read_as_expected(sample: Sample, reading: Read) -> None:
    entries, findings = reading(sample.path, **sample.options)
    assert entries == sample.entries
    assert findings == sample.findings


@every_sample
def test_the_format_can_be_named(sample: Sample, reading: Read) -> None:
    assert reading(sample.path, from_=sample.format, **sample.options) == as_file(sample, reading)


@every_file
def test_entries_know_their_lines(sample: Sample) -> None:
    # A file without lines has rows, and what it is made of has one more line.
    text = (sample.file if sample.format in BINARY else sample.path).read_bytes()
    is_wide = sample not in BYTE_WISE and sample.format not in BINARY
    last = len(text.decode("utf-16" if is_wide else "latin-1").splitlines())
    entries = urlset.read(sample.path, follow=False, from_=sample.format, **sample.options)
    lines = [entry.origin.line for entry in entries if entry.origin]
    assert len(lines) == len(sample.entries)
    assert all(line is not None and 1 <= line <= last for line in lines)
    assert lines == sorted(lines, key=lambda line: line or 0)


def as_file(sample: Sample, reading: Read) -> tuple[list[dict[str, Any]], list[str]]:
    """What the sample gives when its file is read as what it is; that this is right is tested above."""
    return reading(sample.path, **sample.options, from_=sample.format)


class Pipe(io.RawIOBase):
    """A stream that gives what it has in small pieces, and can't be rewound."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1, /) -> bytes:
        return self._data.read(min(size, 7) if size >= 0 else -1)


def with_crlf(data: bytes) -> bytes:
    return re.sub(rb"\r\n|\r|\n", b"\r\n", data)


def with_cr(data: bytes) -> bytes:
    return re.sub(rb"\r\n|\r|\n", b"\r", data)


def with_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf")


@every_file
@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda data: data, id="bytes"),
        pytest.param(io.BytesIO, id="stream"),
        pytest.param(Pipe, id="pipe"),
        pytest.param(gzip.compress, id="gzip"),
        pytest.param(lambda data: Pipe(gzip.compress(data)), id="gzip-pipe"),
    ],
)
def test_the_kind_of_source_makes_no_difference(sample: Sample, wrap: Callable[[bytes], Any], reading: Read) -> None:
    source = wrap(sample.path.read_bytes())
    assert reading(source, **sample.options, from_=sample.format) == as_file(sample, reading)


@every_file
def test_a_sample_is_read_from_an_open_file_and_the_file_put_back(sample: Sample, reading: Read) -> None:
    with sample.path.open("rb") as file:
        assert reading(file, **sample.options, from_=sample.format) == as_file(sample, reading)
        assert file.tell() == 0


@every_file
def test_a_sample_is_read_from_standard_input(sample: Sample, reading: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Pipe(sample.path.read_bytes())))
    assert reading("-", **sample.options, from_=sample.format) == as_file(sample, reading)


@every_bytes
@pytest.mark.parametrize("change", [with_mark, with_crlf, with_cr, lambda data: with_mark(with_crlf(data))])
def test_marks_and_line_ends_make_no_difference(
    sample: Sample, change: Callable[[bytes], bytes], reading: Read
) -> None:
    data = change(sample.path.read_bytes())
    assert reading(data, **sample.options, from_=sample.format) == as_file(sample, reading)


@every_bytes
def test_a_missing_last_line_end_makes_no_difference(sample: Sample, reading: Read) -> None:
    data = sample.path.read_bytes().rstrip(b"\r\n")
    assert reading(data, **sample.options, from_=sample.format) == as_file(sample, reading)


@pytest.mark.parametrize("name", [one.name for one in READABLE])
def test_strict_reading_stops_at_the_odd_sample_and_takes_the_plain_one(name: str, reading: Read) -> None:
    by_name = {sample.file.stem: sample for sample in samples_of(name)}
    plain, odd = by_name["plain"], by_name["odd"]
    assert reading(plain.path, strict=True, **plain.options)[0] == plain.entries
    with pytest.raises(urlset.UrlsetError) as stopped:
        reading(odd.path, strict=True, from_=name, **odd.options)
    assert (stopped.value.line is None) == (name in OF_FOLDERS)
    assert f"{stopped.value.rule}:{stopped.value.line or 0}" in odd.findings


# --- writing

FULL = [urlset.Entry.model_validate(entry) for sample in SAMPLES for entry in sample.entries]
"""The entries of all samples of all formats."""


def carried(entry: urlset.Entry, target: urlset.Format) -> dict[str, Any]:
    """What is left of an entry in a format."""
    kept = {name: value for name, value in entry.as_dict().items() if name in target.carries}
    if target.name in AS_URI:
        kept["loc"] = to_uri(kept["loc"])
    return kept


def written(entries: list[urlset.Entry], target: urlset.Format, path: Path, **options: Any) -> bytes:
    urlset.write(entries, path, to=target.name, **options)
    (found,) = path.parent.iterdir()
    return found.read_bytes()


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[Path]:
    def make() -> Iterator[Path]:
        for number in range(100):
            folder = tmp_path / str(number)
            folder.mkdir()
            yield folder

    yield make()  # type: ignore[misc]


@every_writer
def test_a_format_recognises_what_it_writes(target: urlset.Format, tmp_path: Path) -> None:
    ledger = urlset.Ledger()
    data = written(FULL, target, tmp_path / "out")
    assert len(list(urlset.read(data, ledger=ledger, follow=False))) == len(FULL)
    assert [account.format for account in ledger.accounts] == [read_as(target.name)]


@every_writer
def test_writing_then_reading_gives_what_the_format_carries(
    target: urlset.Format, tmp_path: Path, reading: Read
) -> None:
    entries, findings = reading(written(FULL, target, tmp_path / "out"), from_=read_as(target.name))
    assert entries == [carried(entry, target) for entry in FULL]
    assert {finding.partition(":")[0] for finding in findings} <= REMARKS


REMARKS = {"date-implausible", "deprecated-element", "double-escaped", "invalid-url-character"}
"""What the samples hold on purpose; it is kept as it is."""


@every_writer
def test_output_is_byte_stable(target: urlset.Format, folders: Iterator[Path]) -> None:
    first = written(FULL, target, next(folders) / "out")
    assert written(list(FULL), target, next(folders) / "another-name") == first
    again = list(urlset.read(first, from_=read_as(target.name), follow=False))
    assert written(again, target, next(folders) / "out") == first


@every_writer
def test_gzip_output_is_byte_stable_and_names_nothing(target: urlset.Format, folders: Iterator[Path]) -> None:
    first = written(FULL, target, next(folders) / "out", gzip=True)
    assert written(FULL, target, next(folders) / "another-name", gzip=True) == first
    assert first[:4] == b"\x1f\x8b\x08\x00"  # no name, no comment (RFC 1952 2.3)
    assert first[4:8] == bytes(4)  # no time
    assert gzip.decompress(first) == written(FULL, target, next(folders) / "out")


@every_writer
@pytest.mark.parametrize("gzipped", [False, True])
def test_nothing_to_write_writes_nothing(target: urlset.Format, gzipped: bool, tmp_path: Path) -> None:
    with pytest.raises(EmptyInventoryError):
        urlset.write([], tmp_path / "out", to=target.name, gzip=gzipped)
    assert list(tmp_path.iterdir()) == []


@every_writer
def test_an_open_file_gets_the_same_bytes(target: urlset.Format, tmp_path: Path) -> None:
    stream = io.BytesIO()
    urlset.write(FULL, stream, to=target.name)
    assert stream.getvalue() == written(FULL, target, tmp_path / "out")


@every_writer
def test_lost_fields_are_named_and_counted(target: urlset.Format) -> None:
    result = urlset.write(FULL, io.BytesIO(), to=target.name)
    named = {one.value: one.count for one in result.ledger.findings if one.rule == "field-not-carried"}
    fields = set().union(*(entry.as_dict() for entry in FULL)) - target.carries
    assert named == {name: sum(name in entry.as_dict() for entry in FULL) for name in fields}


# --- XML

CORE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"
ORDER = {
    f"{CORE}url": [f"{CORE}{name}" for name in ("loc", "lastmod", "changefreq", "priority")],
    f"{CORE}sitemap": [f"{CORE}{name}" for name in ("loc", "lastmod")],
    f"{IMAGE}image": [f"{IMAGE}{name}" for name in ("loc", "caption", "geo_location", "title", "license")],
    f"{VIDEO}video": [
        f"{VIDEO}{name}"
        for name in (
            "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date",
            "rating", "content_segment_loc", "view_count", "publication_date", "tag", "category", "family_friendly",
            "restriction", "gallery_loc", "price", "requires_subscription", "uploader", "tvshow", "platform", "live",
            "id",
        )
    ],
    f"{NEWS}news": [
        f"{NEWS}{name}"
        for name in ("publication", "access", "genres", "publication_date", "title", "keywords", "stock_tickers")
    ],
    f"{NEWS}publication": [f"{NEWS}{name}" for name in ("name", "language")],
}  # fmt: skip
"""The sequences of sitemap.xsd and siteindex.xsd 0.9 and of Google's image, video and news schemas."""


def elements(target: urlset.Format, folder: Path) -> Iterator[etree._Element]:
    data = written(FULL, target, folder / "out")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    yield from etree.fromstring(data, parser).iter("*")


XML_WRITERS = [one for one in WRITABLE if one.name.startswith("sitemap")]
every_xml_writer = pytest.mark.parametrize("target", XML_WRITERS, ids=lambda one: one.name)


@every_xml_writer
def test_xml_is_in_the_documented_namespace_and_declares_utf8(target: urlset.Format, tmp_path: Path) -> None:
    data = written(FULL, target, tmp_path / "out")
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    root = etree.fromstring(data)
    assert root.tag in (f"{CORE}urlset", f"{CORE}sitemapindex")


@every_xml_writer
def test_children_stand_in_the_order_of_the_schemas(target: urlset.Format, tmp_path: Path) -> None:
    for element in elements(target, tmp_path):
        if (order := ORDER.get(str(element.tag))) is not None:
            places = [order.index(child.tag) if child.tag in order else len(order) for child in element]
            assert places == sorted(places), etree.tostring(element)


@every_xml_writer
def test_foreign_elements_follow_the_core_ones(target: urlset.Format, tmp_path: Path) -> None:
    for element in elements(target, tmp_path):
        if element.tag in (f"{CORE}url", f"{CORE}sitemap"):
            core = [str(child.tag).startswith(CORE) for child in element]
            assert core == sorted(core, reverse=True)


def test_only_the_namespaces_in_use_are_declared(tmp_path: Path) -> None:
    urlset.write([urlset.Entry(loc="https://www.example.com/")], tmp_path / "out.xml")
    assert etree.parse(tmp_path / "out.xml").getroot().nsmap == {None: CORE[1:-1]}
