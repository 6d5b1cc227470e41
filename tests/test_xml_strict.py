"""The strict lane: order, streaming, namespaces, and what it refuses."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Iterator

import pytest

from urlset.formats import rss
from urlset.formats.xml import strict
from urlset.formats.xml.items import PRUNE_AT, Vocabulary
from urlset.formats.xml.node import full_text, local_name
from urlset.formats.xml.sitemap_names import VOCABULARY as SITEMAP
from urlset.formats.xml.tree import NotWellFormed

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def pieces(document: str, size: int = 1 << 16) -> Iterator[bytes]:
    data = document.encode()
    return (data[start : start + size] for start in range(0, len(data), size))


def names(document: str, vocabulary: Vocabulary, size: int = 1 << 16) -> list[str]:
    """The items by name; those that are no records in brackets."""
    return [
        local_name(item.element) if item.record else f"({local_name(item.element)})"
        for item in strict.items(pieces(document, size), vocabulary)
        if item.element is not None
    ]


@pytest.mark.parametrize("size", [1, 5, 1 << 16])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<urlset><url/><b/><url/></urlset>", ["url", "(b)", "url"]),
        ("<urlset><b/><c/></urlset>", ["(b)", "(c)"]),
        ("<urlset/>", []),
        ("<url><loc>x</loc></url>", ["url"]),
        ("<urlset><URL/><Url/><url/></urlset>", ["URL", "Url", "url"]),
        ("<urlset><uRL/><url/></urlset>", ["uRL", "url"]),
        ("<other><url/><b/></other>", ["url", "(b)"]),
        ("<urlset><b><url/></b></urlset>", ["url", "(b)"]),
        ("<urlset><sitemap/></urlset>", ["sitemap"]),
        ("<urlset><!-- <url/> --><?p <url/> ?><b><![CDATA[<url/>]]></b></urlset>", ["(b)"]),
    ],
)
def test_items_of_a_sitemap(document: str, expected: list[str], size: int) -> None:
    assert names(document, SITEMAP, size) == expected


@pytest.mark.parametrize("size", [1, 5, 1 << 16])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<rss><channel><title/><item/><item/><link/></channel></rss>", ["(title)", "item", "item", "(channel)"]),
        ("<RDF><channel><title/></channel><item/><item/></RDF>", ["(channel)", "item", "item"]),
        ("<rss><item/><channel><item/></channel></rss>", ["item", "item", "(channel)"]),
        ("<rss><channel><item><channel/></item></channel></rss>", ["item", "(channel)"]),
    ],
)
def test_items_of_a_feed(document: str, expected: list[str], size: int) -> None:
    assert names(document, rss.VOCABULARY, size) == expected


def test_a_record_within_a_record_is_read_and_said() -> None:
    document = "<urlset><url><loc>1</loc>\n<url><loc>2</loc></url></url><url/></urlset>"
    items = list(strict.items(pieces(document), SITEMAP))
    assert [[(fault.rule, fault.line) for fault in item.faults] for item in items] == [
        [],
        [("misplaced-element", 2)],
        [],
    ]


@pytest.mark.parametrize("prefix", ["", "s:"])
def test_any_prefix_will_do(prefix: str) -> None:
    declared = f'xmlns{":" + prefix[:-1] if prefix else ""}="{NS}"'
    document = f"<{prefix}urlset {declared}><{prefix}url><{prefix}loc>x</{prefix}loc></{prefix}url></{prefix}urlset>"
    item = next(strict.items(pieces(document), SITEMAP))
    assert item.element is not None
    assert (item.element.tag, item.element[0].tag) == (f"{{{NS}}}url", f"{{{NS}}}loc")


def test_lines_beyond_two_bytes() -> None:
    record = "<url><loc>x</loc></url>"
    document = "<urlset>" + "\n" * 70_000 + f"{record}\n{record}</urlset>"
    lines = [item.element[0].sourceline for item in strict.items(pieces(document), SITEMAP) if item.element is not None]
    assert lines == [70_001, 70_002]


@pytest.mark.parametrize(
    ("document", "records"),
    [
        ("<urlset><url/><url>", 1),
        ("<urlset><url/>&<url/></urlset>", 0),
        ("<urlset><url/></urlset><urlset/>", 0),
        ("<urlset><url/><q:b/></urlset>", 0),
        ("<urlset><url/>&nbsp;</urlset>", 0),
        ("", 0),
        ("junk", 0),
    ],
)
def test_what_is_not_well_formed_is_refused(document: str, records: int) -> None:
    """The objection comes before any record of the same chunk that libxml2 would only half read."""
    given = []
    with pytest.raises(NotWellFormed) as caught:
        given += [item for item in strict.items(pieces(document), SITEMAP) if item.record]
    assert caught.value.line == 1
    assert len(given) <= records


def test_external_entities_are_not_fetched() -> None:
    document = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>a&x;b</loc></url></urlset>'
    item = next(strict.items(pieces(document), SITEMAP))
    assert item.element is not None
    assert full_text(item.element) == "a&x;b"


@pytest.mark.parametrize("filler", ["<url><loc>http://e.com/</loc></url>\n", "<b>x</b>\n"])
def test_memory_does_not_grow_with_the_document(filler: str) -> None:
    def chunks(count: int) -> Iterable[bytes]:
        yield f'<urlset xmlns="{NS}">'.encode()
        block = (filler * 1_000).encode()
        for _ in range(count):
            yield block
        yield b"</urlset>"

    def peak(count: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in strict.items(chunks(count), SITEMAP)) == count * 1_000
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(40) < 2 * peak(10) + 100_000


def test_what_piles_up_is_handed_out_in_batches() -> None:
    """Elements without a record among them do not wait for the end."""
    begin = "<urlset>" + "<b/>" * (2 * PRUNE_AT + 1)

    def chunks() -> Iterator[bytes]:
        yield begin.encode()
        yield b"<never/>" + b" " * 4096
        raise AssertionError("everything was asked for")

    items = strict.items(chunks(), SITEMAP)
    assert [local_name(next(items).element) for _ in range(2 * PRUNE_AT)] == ["b"] * 2 * PRUNE_AT  # type: ignore[arg-type]


def test_a_full_element_under_a_namespace_is_removed_in_linear_time() -> None:
    document = f'<feed xmlns="{NS}"><url><x>{"<b/>" * 100_000}</x></url><url/></feed>'
    assert names(document, SITEMAP) == ["url", "url"]
