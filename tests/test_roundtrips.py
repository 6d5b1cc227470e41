"""From every format that can be read into every one that can be written, and back.

The page on formats has the table of what survives. Run as a script, this module writes that table anew, to be read
before it is committed.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from entry_strategies import entries, patiently
from source_documents import KINDS, SITE, Document, Entries, Kind, by_writer, carried, read_as, written

import urlset
from urlset.formats.vocabulary.entry import FIELDS
from urlset.formats.vocabulary.errors import WriteError

pytestmark = pytest.mark.usefixtures("parquet_read_here")

DATA = Path(__file__).with_name("data")
PAGE = Path(__file__).parents[1] / "docs" / "formats.md"
READABLE = [one for one in urlset.registry() if one.read is not None]
WRITABLE = [one for one in urlset.registry() if one.write is not None]
LOSSLESS = [one.name for one in WRITABLE if one.carries == frozenset(FIELDS)]

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda one: one.name)
every_target = pytest.mark.parametrize("target", WRITABLE, ids=lambda one: one.name)
several = st.lists(entries, min_size=1, max_size=3)


def as_json(found: Entries) -> list[dict[str, Any]]:
    """Entries as values that a failing test can show."""
    return [entry.as_dict() for entry in found]


def read(document: Document, name: str, **options: Any) -> Entries:
    return list(urlset.read(document, from_=read_as(name), follow=False, **options))


class Trip(NamedTuple):
    """A document that was converted: what was read of it, what came out, and what was said of losses."""

    before: Entries
    data: bytes
    said: dict[str | None, int]


def trip(document: Document, kind: Kind, target: str, **options: Any) -> Trip:
    stream = io.BytesIO()
    result = job(document, stream, kind, target, **options)
    lost = [one for one in result.ledger.findings if one.rule == "field-not-carried"]
    said = {one.value: one.count for one in lost}
    assert len(said) == len(lost)
    return Trip(read(document, kind.format, **kind.options), stream.getvalue(), said)


def job(document: Document, place: Path | io.BytesIO, kind: Kind, target: str, **options: Any) -> urlset.Result:
    chosen = {**kind.options, **options}
    return urlset.convert(document, place, from_=kind.format, to=target, follow=False, **chosen)


def lost(found: Entries, target: urlset.Format) -> dict[str, int]:
    """How many of the entries have each field that the target does not carry."""
    present = Counter(name for entry in found for name in entry.as_dict())
    return {name: count for name, count in present.items() if name not in target.carries}


# --- there and back


def test_there_are_documents_of_every_format() -> None:
    assert {kind.format for kind in KINDS} == {one.name for one in READABLE}


@every_kind
@patiently(30)
@given(found=several)
def test_a_document_holds_what_its_format_carries(kind: Kind, found: Entries) -> None:
    with TemporaryDirectory() as folder:
        document = kind.document(found, Path(folder))
        assert as_json(read(document, kind.format, **kind.options)) == as_json(kind.held(found))


@pytest.mark.parametrize("kind", [one for one in KINDS if not one.label], ids=lambda one: one.name)
def test_a_format_carries_what_its_documents_give(kind: Kind, tmp_path: Path) -> None:
    """A urllist with attributes and a feed read as news give more than their formats say."""
    found = read(kind.document(samples(), tmp_path), kind.format, **kind.options)
    assert set(present(found)) == urlset.registry()[kind.format].carries


@every_target
@every_kind
@patiently(8)
@given(found=several)
def test_what_both_carry_survives_there_and_back(kind: Kind, target: urlset.Format, found: Entries) -> None:
    with TemporaryDirectory() as folder:
        there = trip(kind.document(found, Path(folder)), kind, target.name)
    expected = [carried(entry, target.name) for entry in kind.held(found)]
    assert there.said == lost(kind.held(found), target)
    assert as_json(read(there.data, target.name)) == as_json(expected)
    if urlset.registry()[kind.format].write is not None:
        back = trip(there.data, by_writer(target.name), kind.format)
        assert as_json(read(back.data, kind.format)) == as_json([carried(entry, kind.format) for entry in expected])


@every_kind
@patiently(6)
@given(found=several)
def test_a_loss_fails_before_anything_is_written_or_is_ignored(kind: Kind, found: Entries) -> None:
    with TemporaryDirectory() as folder:
        document = kind.document(found, Path(folder))
        for target in WRITABLE:
            fails_if_it_loses(document, kind, target, lost(kind.held(found), target), Path(folder, target.name))
            quiet, loud = (trip(document, kind, target.name, on_loss=word) for word in ("ignore", "warn"))
            assert quiet == loud._replace(said={})


def fails_if_it_loses(
    document: Document, kind: Kind, target: urlset.Format, losses: dict[str, int], folder: Path
) -> None:
    """A file and a stream are as they were if a field would be lost, and else what they are without the option."""
    folder.mkdir()
    path, stream = folder / "out", io.BytesIO()
    path.write_bytes(b"as it was")
    for place in (path, stream):
        if losses:
            with pytest.raises(WriteError) as failed:
                job(document, place, kind, target.name, on_loss="fail")
            assert failed.value.rule == "field-not-carried"
            assert set(re.split(", | ", str(failed.value))) >= losses.keys()
        else:
            job(document, place, kind, target.name, on_loss="fail")
    expected = (b"as it was", b"") if losses else (trip(document, kind, target.name).data,) * 2
    assert (path.read_bytes(), stream.getvalue()) == expected
    assert [one.name for one in folder.iterdir()] == ["out"]


RAW = "2001-02-03T04:05:06Z"
TEXTS = [one for one in KINDS if one.format != "folder" and not urlset.registry()[one.format].binary]
"""Documents in which a date can be put in the place of another."""


@every_target
@pytest.mark.parametrize("kind", TEXTS, ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        pytest.param("2001-02-03T04:05-00:00", "2001-02-03T04:05:00Z", id="minutes-of-no-place"),
        pytest.param("2001-02-03T04:05+02:00", "2001-02-03T04:05:00+02:00", id="minutes"),
        pytest.param("2001-02-03T04:05:06.70-00:00", "2001-02-03T04:05:06.70Z", id="fraction-of-no-place"),
        pytest.param("2001-02-03", "2001-02-03", id="day"),
        pytest.param("2001", "2001", id="year"),
    ],
)
def test_a_date_has_its_precision_and_offset_wherever_it_goes(
    kind: Kind, target: urlset.Format, text: str, printed: str, tmp_path: Path
) -> None:
    """A time has seconds when it is written, which XML Schema demands, and Z for -00:00 (RFC 3339 4.3)."""
    document = kind.document([urlset.Entry(loc=SITE, lastmod=urlset.LastMod(RAW))], tmp_path)
    assert isinstance(document, bytes)
    dated = RAW.encode() in document
    there = trip(document.replace(RAW.encode(), text.encode()), kind, target.name, on_loss="ignore")
    (entry,) = read(there.data, target.name)
    assert entry.as_dict().get("lastmod") == (printed if dated and "lastmod" in target.carries else None)


@pytest.mark.parametrize("target", ["sitemap", "sitemap-index", "text", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("kind", [one for one in KINDS if one.format != "folder"], ids=lambda one: one.name)
def test_an_iri_becomes_its_uri_where_only_uris_may_stand(kind: Kind, target: str, tmp_path: Path) -> None:
    iri, uri = "https://bücher.example/ä?ö=1", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=1"
    there = trip(kind.document([urlset.Entry(loc=iri)], tmp_path), kind, target)
    keeps = target in ("csv", "tsv", "jsonl") and kind.format in ("csv", "jsonl", "parquet", "rss", "atom", "robots")
    assert [entry.loc for entry in read(there.data, target)] == [iri if keeps else uri]


# --- the same again


@every_target
@patiently(25)
@given(found=several)
def test_converting_its_own_output_changes_no_byte(target: urlset.Format, found: Entries) -> None:
    kind = by_writer(target.name)
    data, zipped = (written(found, target.name, gzip=gzipped) for gzipped in (False, True))
    for given_bytes in (data, zipped):
        assert trip(given_bytes, kind, target.name, on_loss="fail").data == data
        assert trip(given_bytes, kind, target.name, on_loss="fail", gzip=True).data == zipped
    assert gzip.decompress(zipped) == data


@pytest.mark.parametrize("target", [one for one in WRITABLE if not one.lists_sources], ids=lambda one: one.name)
@patiently(10)
@given(found=st.lists(entries, min_size=2, max_size=4))
def test_converting_its_own_parts_changes_no_byte(target: urlset.Format, found: Entries) -> None:
    """What the format holds: the index of a text list tells dates of entries that the list itself does not."""
    for gzipped in (False, True):
        options: dict[str, Any] = {"to": target.name, "max_urls": 1, "base_url": SITE, "gzip": gzipped}
        with TemporaryDirectory() as name:
            first, second = Path(name, "first"), Path(name, "second")
            for folder in (first, second):
                folder.mkdir()
            urlset.write([carried(one, target.name) for one in found], first / "sitemap.xml", **options)
            urlset.convert(first / "sitemap.xml", second / "sitemap.xml", on_loss="fail", **options)
            files = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in (first, second)]
        assert files[0] == files[1]
        assert len(files[0]) == len(found) + 1


@pytest.mark.parametrize("kind", [one for one in KINDS if one.format != "sitemap-index"], ids=lambda one: one.name)
def test_an_index_holds_addresses_and_dates_alone(kind: Kind, tmp_path: Path) -> None:
    there = trip(kind.document(samples(), tmp_path), kind, "sitemap-index")
    assert {name for entry in read(there.data, "sitemap-index") for name in entry.as_dict()} <= {"loc", "lastmod"}
    counts = Counter(name for entry in there.before for name in entry.as_dict())
    assert there.said == {name: count for name, count in counts.items() if name not in ("loc", "lastmod")}


# --- all of it, through the command line


def samples() -> Entries:
    """The entries of the rich samples of all formats, which have every field."""
    files = sorted(DATA.glob("*/rich.expected.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").split("\n") if line]
    return [urlset.Entry.model_validate(json.loads(line)) for line in lines]


def test_the_samples_have_every_field() -> None:
    assert {name for entry in samples() for name in entry.as_dict()} == set(FIELDS)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--on-loss", "fail"), id="on-loss"),
        pytest.param(("--on-loss", "fail", "--gzip"), id="gzip"),
        pytest.param(("--on-loss", "fail", "--include", "*", "--filter", "+*", "--encoding", "utf-8"), id="chosen"),
        pytest.param(("--on-loss", "fail", "--assume-zone", "UTC", "--base-url", SITE), id="zone-and-base"),
        pytest.param(("--on-loss", "fail", "--no-follow", "--indexable"), id="indexable"),
        pytest.param(("--on-loss", "fail", "--rewrite", "http://nowhere.example/=https://else.example/"), id="rewrite"),
    ],
)
def test_lossless_formats_carry_everything_through_the_command_line(
    options: tuple[str, ...], run_urlset: Callable[..., Any], tmp_path: Path
) -> None:
    assert LOSSLESS == ["csv", "tsv", "jsonl", "parquet"]
    urlset.write(samples(), tmp_path / "first.jsonl")
    zipped = ".gz" if "--gzip" in options else ""
    way = ("first.jsonl", "table.csv", "table.tsv", "all.parquet", "again.jsonl")
    for number, target in enumerate(way[1:]):
        source = way[number] + (zipped if number else "")
        done = run_urlset("convert", source, "-o", target, *options, cwd=tmp_path)
        assert b"field-not-carried" not in done.stderr
        assert done.returncode == 0, done.stderr.decode()
    again = read((tmp_path / f"again.jsonl{zipped}").read_bytes(), "jsonl")
    assert as_json(again) == as_json([carried(entry, "csv") for entry in samples()])


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("steps", [{"sort": True}, {"dedupe": "first"}, {"dedupe": "last"}, {"dedupe": "newest"}])
def test_steps_keep_every_field(name: str, steps: dict[str, Any]) -> None:
    given = [carried(one.model_copy(update={"loc": f"{SITE}{at:03}"}), name) for at, one in enumerate(samples())]
    assert as_json(read(trip(written(given, name), by_writer(name), name, **steps).data, name)) == as_json(given)


def test_a_rewritten_address_keeps_every_field() -> None:
    given = [one.model_copy(update={"loc": f"{SITE}{at}"}) for at, one in enumerate(samples())]
    rule = f"{SITE}=https://else.example/"
    there = trip(written(given, "jsonl"), by_writer("jsonl"), "jsonl", rewrite=[rule])
    expected = [one.model_copy(update={"loc": f"https://else.example/{at}"}) for at, one in enumerate(given)]
    assert as_json(read(there.data, "jsonl")) == as_json(expected)


# --- the table

HEAD = "| from | gives | " + " | ".join(f"to {one.name}" for one in WRITABLE) + " |"
NEWS = {"news_name": "The Paper", "news_language": "en", "now": "2024-05-07T00:00:00Z"}


def dated(found: Entries) -> Entries:
    return [one.model_copy(update={"lastmod": urlset.LastMod("2024-05-06T07:30:00Z"), "title": "T"}) for one in found]


def rows() -> Iterator[Kind]:
    """Kinds of documents; feeds also as news."""
    for kind in KINDS:
        yield kind
        if kind.format in ("rss", "atom"):
            yield kind._replace(document=of_day(kind), options=NEWS, label=", as news")


def of_day(kind: Kind) -> Callable[[Entries, Path], Document]:
    return lambda found, folder: kind.document(dated(found), folder)


def table() -> str:
    """What is seen to survive of the samples, as a table in Markdown."""
    lines = [HEAD, "|---" * (2 + len(WRITABLE)) + "|", *(row(kind) for kind in rows())]
    return "\n".join(lines) + "\n"


def row(kind: Kind) -> str:
    with TemporaryDirectory() as folder:
        document = kind.document(samples(), Path(folder))
        found = read(document, kind.format, **kind.options)
        cells = [cell(trip(document, kind, target.name), target) for target in WRITABLE]
    return f"| {kind.name} | {listed(present(found))} | {' | '.join(cells)} |"


def cell(there: Trip, target: urlset.Format) -> str:
    """What survives, seen in the output; what is said of the rest must be right."""
    after = read(there.data, target.name)
    assert as_json(after) == as_json([carried(entry, target.name) for entry in there.before])
    given, left = present(there.before), present(after)
    dropped = [name for name in given if name not in left]
    assert sorted(map(str, there.said)) == sorted(dropped)
    if not dropped:
        return "all"
    return f"all but {listed(dropped)}" if len(dropped) < len(left) else f"only {listed(left)}"


def present(found: Entries) -> list[str]:
    names = {name for entry in found for name in entry.as_dict()}
    return [name for name in FIELDS if name in names]


def listed(names: list[str]) -> str:
    missing = [name for name in FIELDS if name not in names]
    if len(missing) < 2:
        return f"all but {missing[0]}" if missing else "everything"
    return ", ".join(names)


def page(text: str) -> str:
    """The page with the table as it is now; it stands there once."""
    pattern = re.compile(rf"^{re.escape(HEAD[:16])}.*\n(?:\|.*\n)*", re.MULTILINE)
    (old,) = pattern.findall(text)
    return text.replace(old, table())


def test_the_page_has_the_table_of_what_survives() -> None:
    print(f"\n{table()}")
    text = PAGE.read_text("utf-8")
    assert page(text) == text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
