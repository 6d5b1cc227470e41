"""Documents that are damaged in every way: the promises of ``fuzz/promises.py`` hold for each of them.

``URLSET_FUZZ=50 pytest tests/test_fuzz.py`` tries fifty times as many examples; ``fuzz/fuzz.py`` runs as long as it is
told to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).with_name("fuzz")))

import damage
import promises
import seeds
import traces

MORE = int(os.environ.get("URLSET_FUZZ", "1"))
SEEDS = seeds.of()

every_format = pytest.mark.parametrize("name", seeds.formats())
every_seed = pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
every_fragment = pytest.mark.parametrize("fragment", damage.FRAGMENTS, ids=ascii)


def examples(number: int) -> Callable[[Any], Any]:
    """So many of them; the promise about time has its own clock."""
    healthy = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=number * MORE, deadline=None, suppress_health_check=healthy)


def dice(draw: st.DrawFn) -> damage.Pick:
    return lambda below: draw(st.integers(0, below - 1))


@st.composite
def one_damage(draw: st.DrawFn, name: str) -> tuple[seeds.Seed, damage.Damage]:
    seed = draw(st.sampled_from(seeds.of(name)))
    return seed, damage.one(dice(draw), seed.data)


@st.composite
def damaged(draw: st.DrawFn, name: str) -> tuple[bytes, dict[str, Any]]:
    seed = draw(st.sampled_from(seeds.of(name)))
    data = damage.applied(seed.data, damage.chosen(dice(draw), seed.data))
    return data, {**seed.options, **draw(st.sampled_from([{}, {"from_": name}]))}


@every_seed
def test_a_whole_document_keeps_the_promises(seed: seeds.Seed) -> None:
    job = promises.check(seed.data, seed.options)
    assert job.locs() == seed.locs
    assert len(seed.locs) >= 1


@every_format
@examples(15)
@given(data=st.data())
def test_one_damage(name: str, data: st.DataObject) -> None:
    damage.check(*data.draw(one_damage(name)))


@every_format
@examples(15)
@given(data=st.data())
def test_several_damages(name: str, data: st.DataObject) -> None:
    promises.check(*data.draw(damaged(name)))


@every_fragment
@examples(4)
@given(data=st.data())
def test_a_fragment_costs_no_other_record(fragment: bytes, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(SEEDS))
    damage.check(seed, damage.Insert(data.draw(st.integers(0, len(seed.data))), fragment))


@every_seed
@examples(2)
@given(data=st.data())
def test_a_cut_shortens_no_address(seed: seeds.Seed, data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(seed.records))
    damage.check(seed, damage.Cut(data.draw(st.integers(record.start, record.end))))


@every_seed
@examples(2)
@given(data=st.data())
def test_packed_data_that_are_cut_shorten_no_address(seed: seeds.Seed, data: st.DataObject) -> None:
    packed = damage.Pack().apply(seed.data)
    damage.check(seed, damage.CutPacked(data.draw(st.integers(0, len(packed) - 1))))


@every_format
@examples(6)
@given(data=st.binary(max_size=300))
def test_any_bytes(name: str, data: bytes) -> None:
    promises.check(data, {"from_": name, "follow": False})


@examples(20)
@given(data=st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_text(data: bytes) -> None:
    promises.check(data, {"base_url": "https://example.com/"})


# --- the checker itself: it must see what it is there to see


@pytest.mark.parametrize(
    ("text", "loc"),
    [
        pytest.param("<loc>http://a/?b&amp;c</loc>", "http://a/?b&c", id="reference"),
        pytest.param("<loc>http://a/&#252;&#xFC;&uuml;</loc>", "http://a/üüü", id="characters"),
        pytest.param("http://a/<![CDATA[?b&amp;c]]>", "http://a/?b&amp;c", id="cdata"),
        pytest.param("http://a/<!-- x -->b<?y?>c", "http://a/bc", id="comment"),
        pytest.param(r'"http:\/\/a\/\u00fc\ud83d\ude00"', "http://a/ü\U0001f600", id="json"),
        pytest.param('"http://a/""b"""', 'http://a/"b"', id="csv"),
        pytest.param(r"http://a/\x22\"", "http://a/%22%22", id="log"),
        pytest.param("http://a/\r\nb", "http://a/\nb", id="line-end"),
    ],
)
def test_the_checker_follows_escapes(text: str, loc: str) -> None:
    assert traces.Trace(text).find(loc) is not None


@pytest.mark.parametrize(
    ("text", "loc"),
    [
        pytest.param("<loc>http://a/?b&amp;c</loc>", "http://a/?b=c", id="changed"),
        pytest.param("<loc>http://a/b</loc><loc>/c</loc>", "http://a/b/c", id="joined"),
        pytest.param("<loc>http://a/</x>b</loc>", "http://a/b", id="joined-over-a-tag"),
        pytest.param("http://a/&unknown;", "http://a/", id="shortened-is-for-damage-check"),
    ],
)
def test_the_checker_sees_what_is_made_up(text: str, loc: str) -> None:
    found = traces.Trace(text).find(loc)
    assert found is None or text[found[1]] == "&"


def test_the_checker_sees_a_shortened_address() -> None:
    seed = seeds.of("text")[0]
    only = damage.Insert(seed.records[2].start, b"x")
    with pytest.raises(promises.BrokenPromise, match="shortened"):
        damage.nothing_shortened(seed, only, [loc[:-3] for loc in seed.locs[1:]])


def test_an_end_tag_of_another_record_breaks_an_address_up() -> None:
    """It closes nothing, also where a record was cut off by the next one before."""
    data = (
        b'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><sitemap>'
        b"<loc>https://example.com/a.xml</loc></sitemap><sitemap><loc>https://example.com/</url>b.xml</loc></sitemap>"
        b"</sitemapindex>"
    )
    job = promises.check(data, {"follow": False})
    assert job.locs() == ["https://example.com/a.xml"]


def test_no_piece_of_a_broken_attribute_is_an_address() -> None:
    data = (
        b'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.com/x/">'
        b'<entry><link href=.."../e"/></entry><entry><link href=https://example.com/c/></entry></feed>'
    )
    assert promises.check(data, {}).locs() == ["https://example.com/c/"]
