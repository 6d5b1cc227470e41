from __future__ import annotations

import ipaddress
import re
import string
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.urls import (
    UnmappableHost,
    UrlParts,
    dedupe_key,
    directory,
    inspect,
    is_absolute,
    map_iri,
    origin,
    resolve,
    split,
    to_uri,
    trim,
)

IRI_TO_URI = [
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://www.exämple.com/ümlat.html", "http://www.xn--exmple-cua.com/%C3%BCmlat.html"),
    ("http://例え.jp/日本語", "http://xn--r8jz45g.jp/%E6%97%A5%E6%9C%AC%E8%AA%9E"),
    (
        "http://пример.испытание/путь?в=да",
        "http://xn--e1afmkfd.xn--80akhbyknj4f/%D0%BF%D1%83%D1%82%D1%8C?%D0%B2=%D0%B4%D0%B0",
    ),
    ("http://παράδειγμα.δοκιμή/", "http://xn--hxajbheg2az3al.xn--jxalpdlp/"),
    ("http://مثال.إختبار/", "http://xn--mgbh0fb.xn--kgbechtv/"),
    ("http://हिन्दी.example/", "http://xn--j2bd4cyah0f.example/"),
    ("http://日本語\u3002\uff4a\uff50/", "http://xn--wgv71a119e.jp/"),
    ("http://βόλος.com/", "http://xn--nxasmm1c.com/"),
    ("http://نامه\u200cای.com/", "http://xn--mgba3gch31f060k.com/"),
    ("http://xn--bcher-kva.example/straße", "http://xn--bcher-kva.example/stra%C3%9Fe"),
    ("http://example.com/caf\u00e9", "http://example.com/caf%C3%A9"),
    ("http://example.com/cafe\u0301", "http://example.com/cafe%CC%81"),
    ("http://example.com/💡?q=é#ü", "http://example.com/%F0%9F%92%A1?q=%C3%A9#%C3%BC"),
    ("http://example.com/a b", "http://example.com/a%20b"),
    ("http://example.com/%e4%b8%ad", "http://example.com/%E4%B8%AD"),
    ("http://example.com/%7euser", "http://example.com/%7Euser"),
    ("http://example.com/100%", "http://example.com/100%25"),
    ("http://example.com/a|b{c}^d`e", "http://example.com/a%7Cb%7Bc%7D%5Ed%60e"),
    ("http://example.com/a?x=[1]", "http://example.com/a?x=%5B1%5D"),
    ("http://example.com/q?a=1&b='2'", "http://example.com/q?a=1&b='2'"),
    (
        "http://example.com/نعناع/بقالة",
        "http://example.com/%D9%86%D8%B9%D9%86%D8%A7%D8%B9/%D8%A8%D9%82%D8%A7%D9%84%D8%A9",
    ),
    ("http://example.com/%D9%86عناع", "http://example.com/%D9%86%D8%B9%D9%86%D8%A7%D8%B9"),
    ("http://example.com/a\\b", "http://example.com/a%5Cb"),
    ('http://example.com/<x>"y"', "http://example.com/%3Cx%3E%22y%22"),
]


@pytest.mark.parametrize(("iri", "uri"), IRI_TO_URI, ids=[str(n) for n in range(1, 28)])
def test_the_mapping_of_an_iri(iri: str, uri: str) -> None:
    assert map_iri(iri) == uri
    already_valid = iri.isascii() and not re.search(r'[ |{}^`\\<>"\[\]]|%$', iri)
    assert to_uri(iri) == (iri if already_valid else uri)


@pytest.mark.parametrize(
    "uri",
    [
        "http://example.com/%e4%b8%ad",
        "HTTP://Example.COM:80/%7euser",
        "http://example.com",
        "http://u:p@example.com:8080/a?b#c",
        "http://[2001:DB8::1]:80/%c3",
        "http://[v7.a:b]/",
        "http://foo_bar.example/",
        "http://ex%41mple.com/",
        "http://example.com/a/../b;c=1?d=/?e#/?f",
        "http://example.com/%FC?q=%fc",
        "mailto:jo@example.com",
        "android-app://com.example/http/x",
    ],
)
def test_a_valid_uri_leaves_byte_for_byte(uri: str) -> None:
    assert to_uri(uri) == uri


@pytest.mark.parametrize(
    ("iri", "uri"),
    [
        ("http://jö:pä@bücher.example:8080/", "http://j%C3%B6:p%C3%A4@xn--bcher-kva.example:8080/"),
        ("http://a@b@example.com/ü", "http://a%40b@example.com/%C3%BC"),
        ("http://example.com/a#b#c", "http://example.com/a#b%23c"),
        ("http://example.com/\x00\x1f\x7f\x85", "http://example.com/%00%1F%7F%C2%85"),
        ("http://example.com/%zz/%fcü", "http://example.com/%25zz/%FC%C3%BC"),
        ("http://EXAMPLE.com/ü", "http://EXAMPLE.com/%C3%BC"),
        ("http://[2001:DB8::1]/ü", "http://[2001:DB8::1]/%C3%BC"),
        ("http://b%C3%BCcher.ü.example/", "http://xn--bcher-kva.xn--tda.example/"),
        ("/ü?é", "/%C3%BC?%C3%A9"),
        ("https://example.com/100%-cotton", "https://example.com/100%25-cotton"),
        ("https://example.com/a%2Fb/ü", "https://example.com/a%2Fb/%C3%BC"),
        ("https://example.com/q?name=é&tag=c++", "https://example.com/q?name=%C3%A9&tag=c++"),
        ("https://example.com/%25C3%25BC", "https://example.com/%25C3%25BC"),
        ("https://example.com/frag#über", "https://example.com/frag#%C3%BCber"),
    ],
)
def test_the_mapping_part_by_part(iri: str, uri: str) -> None:
    assert to_uri(iri) == uri


UNMAPPABLE = [
    "http://☕.example/",
    "http://foo_bar.bücher.example/",
    "http://-ü.example/",
    "http://א١1.example/",
    "http://a..ü/",
    "http://exa mple.com/ü",
    "http://exa<mple.com/",
    "http://e%zz.com/",
    "http://e%FC.ü.com/",
    "http://％41.com/",
    "http://℀.com/",
    "http://\u00ad/",
    f"http://{'ü' * 300}.example/",
    f"http://{'ü' * 3000}/",
    "http://[::zz]/",
    "http://[::1/ü",
    "http://[fe80::1%25eth0]/",
    "http://example.com:port/",
    "http://example.com:٣/",
]


@pytest.mark.parametrize("iri", UNMAPPABLE)
def test_a_host_that_cannot_be_mapped(iri: str) -> None:
    with pytest.raises(UnmappableHost):
        to_uri(iri)
    assert [(p.rule, p.usable) for p in inspect(iri)] == [("invalid-host", False)]


def test_a_lone_surrogate_cannot_be_mapped() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        to_uri("http://example.com/\ud800")
    assert [(p.rule, p.usable) for p in inspect("http://example.com/\ud800")] == [("invalid-url-character", False)]
    with pytest.raises(UnmappableHost):
        to_uri("http://\ud800.example/")


# RFC 3986 5.4, with the base of its examples.
BASE = "http://a/b/c/d;p?q"
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}


def test_the_examples_are_all_there() -> None:
    assert len(NORMAL) + len(ABNORMAL) == 42


@pytest.mark.parametrize(("reference", "target"), (NORMAL | ABNORMAL).items())
def test_resolution_as_in_rfc_3986(reference: str, target: str) -> None:
    assert resolve(BASE, reference) == target


@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("https://example.com/maps/index.xml", "sitemap-0.xml", "https://example.com/maps/sitemap-0.xml"),
        ("https://example.com/maps/index.xml", "/s/1.xml", "https://example.com/s/1.xml"),
        ("https://example.com/maps/index.xml", "//example.com/2.xml", "https://example.com/2.xml"),
        ("https://example.com/rel/", "4", "https://example.com/rel/4"),
        ("https://example.com", "a", "https://example.com/a"),
        ("https://example.com", "?q", "https://example.com?q"),
        ("https://example.com/a?x#y", "", "https://example.com/a?x"),
        ("https://example.com/a?x", "?", "https://example.com/a?"),
        ("https://bücher.example/ä/", "ö ü?[1]#|", "https://bücher.example/ä/ö ü?[1]#|"),
        ("https://example.com/a/", "%2e%2e/b", "https://example.com/a/%2e%2e/b"),
        ("https://example.com/a/", "b//../c", "https://example.com/a/b/c"),
        ("https://example.com/a/", "see also: b", "https://example.com/a/see also: b"),
        ("tag:example.com,2024:x/y", "z", "tag:example.com,2024:x/z"),
        ("urn:x", "y", "urn:y"),
        ("http://e.com/x", "g:a/../b", "g:/b"),
        ("http://e.com/x", "g:../../b", "g:b"),
        ("http://e.com/x", "g:..", "g:"),
    ],
)
def test_resolution_beyond_the_examples(base: str, reference: str, target: str) -> None:
    assert resolve(base, reference) == target


@pytest.mark.parametrize("base", ["", "/a/b", "//host/x", "www.example.com/x", "1:2"])
def test_a_base_without_scheme_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="no scheme"):
        resolve(base, "x")


EQUAL = [
    ("HTTP://EXAMPLE.com/", "http://example.com/"),
    ("http://e.com/%c3%a9", "http://e.com/%C3%A9"),
    ("http://e.com/%7Euser", "http://e.com/~user"),
    ("http://e.com/%7euser", "http://e.com/~user"),
    ("http://e.com/?a=%7E%41%2d", "http://e.com/?a=~A-"),
    ("http://e.com/a/./b/../c", "http://e.com/a/c"),
    ("http://e.com/%2e%2e/b", "http://e.com/b"),
    ("http://e.com/a/%2E/b", "http://e.com/a/b"),
    ("http://e.com", "http://e.com/"),
    ("http://e.com?x", "http://e.com/?x"),
    ("http://e.com:80/", "http://e.com/"),
    ("https://e.com:443/", "https://e.com/"),
    ("http://e.com:/", "http://e.com/"),
    ("http://e.com:08080/", "http://e.com:8080/"),
    ("http://e.com:0080/", "http://e.com/"),
    ("http://e.com/é", "http://e.com/%C3%A9"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("http://ex%41mple.com/", "http://example.com/"),
    ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://e.com/a#x", "http://e.com/a"),
    ("http://e.com/a b", "http://e.com/a%20b"),
    ("http://e.com/a\\b", "http://e.com/a%5Cb"),
    ("http://e.com/a|b", "http://e.com/a%7Cb"),
    ("http://e.com/?x=[1]", "http://e.com/?x=%5B1%5D"),
    ("http://e.com/100%", "http://e.com/100%25"),
    ("http://%75ser@e.com/", "http://user@e.com/"),
    ("http://☕.EXAMPLE/", "http://☕.example/"),
]
DIFFERENT = [
    ("http://e.com/", "https://e.com/"),
    ("http://www.e.com/", "http://e.com/"),
    ("http://e.com/a", "http://e.com/a/"),
    ("http://e.com/A", "http://e.com/a"),
    ("http://e.com/index.html", "http://e.com/"),
    ("http://e.com/?a=1&b=2", "http://e.com/?b=2&a=1"),
    ("http://e.com/?a=1&utm_source=x", "http://e.com/?a=1"),
    ("http://e.com/a?", "http://e.com/a"),
    ("http://e.com/?q=a+b", "http://e.com/?q=a%20b"),
    ("http://e.com/a%2Fb", "http://e.com/a/b"),
    ("http://e.com/a%3Fb", "http://e.com/a?b"),
    ("http://e.com/a%23b", "http://e.com/a#b"),
    ("http://e.com/?a%26b", "http://e.com/?a&b"),
    ("http://e.com/?a%3Db", "http://e.com/?a=b"),
    ("http://e.com/%2541", "http://e.com/%41"),
    ("http://e.com/a%2Bb", "http://e.com/a+b"),
    ("http://e.com/a//b", "http://e.com/a/b"),
    ("http://e.com/caf%C3%A9", "http://e.com/cafe%CC%81"),
    ("http://e.com/caf\u00e9", "http://e.com/cafe\u0301"),
    ("http://e.com/a\\b", "http://e.com/a/b"),
    ("http://u@e.com/", "http://e.com/"),
    ("http://e.com./", "http://e.com/"),
    ("http://e.com/a;v=1", "http://e.com/a"),
    ("http://e.com/a;jsessionid=1", "http://e.com/a"),
    ("http://e.com/?sid=1", "http://e.com/?sid=2"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://1.2.3/", "http://1.2.0.3/"),
    ("http://[2001:db8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"),
    ("http://e.com:8080/", "http://e.com/"),
    ("http://e.com:80/", "https://e.com:80/"),
    ("http://e.com/%FC", "http://e.com/%C3%BC"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_what_is_safe_makes_two_locs_one(one: str, other: str) -> None:
    assert dedupe_key(one) == dedupe_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_is_not_safe_keeps_two_locs_apart(one: str, other: str) -> None:
    assert dedupe_key(one) != dedupe_key(other)


@pytest.mark.parametrize(
    "loc",
    [
        "http://e.com/?b=2&a=1",
        "https://e.com/.well-known/x?a=/../b",
        "https://e.com/a.b/c..d/%C3%A9?q=%20#",
        "http://e.com//a/;x",
    ],
)
def test_the_key_of_a_normal_loc_is_the_loc(loc: str) -> None:
    assert dedupe_key(loc) == loc.rstrip("#")


@pytest.mark.parametrize("loc", ["", "URL", "/A/../b#c", "mailto:A@B", "HTTP:///X", "ftp://E.com/"])
def test_what_is_not_absolute_is_its_own_key(loc: str) -> None:
    assert dedupe_key(loc) == loc


RFC_COLUMN = [
    ("http://e.com/a\\b", "http://e.com/a%5Cb"),
    ("http://e.com/a|b", "http://e.com/a%7Cb"),
    ("http://e.com/?x=[1]", "http://e.com/?x=%5B1%5D"),
    ("http://e.com/?b='2'", "http://e.com/?b='2'"),
    ("http://e.com/100%", "http://e.com/100%25"),
    ("http://e.com/%7euser", "http://e.com/%7euser"),
    ("http://127.1/", "http://127.1/"),
    ("http://0x7f.1/", "http://0x7f.1/"),
    ("http://1.2.3/", "http://1.2.3/"),
    ("http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:DB8:0:0:0:0:0:1]/"),
    ("http://ex%41mple.com/", "http://ex%41mple.com/"),
    ("http://e.com:08080/", "http://e.com:08080/"),
    ("http://e.com/%2e%2e/b", "http://e.com/%2e%2e/b"),
]


@pytest.mark.parametrize(("loc", "uri"), RFC_COLUMN)
def test_rfc_3986_where_browsers_differ(loc: str, uri: str) -> None:
    assert to_uri(loc) == uri


CLEAN = [
    "https://example.com/one",
    "http://example.com",
    "http://example.com?a#b",
    "http://EXAMPLE.com:80/",
    "HTTPS://example.com/",
    "http://andre.chiquit.ooo./",
    "http://example.com/a/../b/./c",
    "http://u:p@example.com/",
    "http://xn--bcher-kva.example/",
    "http://bücher.example/straße?q=ü#é",
    "http://例え.jp/日本語",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://1.2.3/",
    "http://0x7f.1/",
    "http://255.255.255.255./",
    "http://[::1]/",
    "http://[v1.x]/",
    "http://e.com:/",
    "http://e.com:65535/",
    "http://e.com:08080/",
    "http://localhost:3000/x",
    "http://ex%41mple.com/",
    "https://example.com/map/@48.1,11.5",
    "https://example.com/q?t=%22x%22",
    "https://example.com/it's",
    "https://example.com/100%25-off",
    "https://example.com/100%25FC",
    "https://example.com/?a=1&b=2",
    "https://example.com/?x=1&amp=3&copy=4&lt=5",
    "https://example.com/?x=1&copy;=4",
    "https://example.com/a;jsessionid=1",
    "https://example.com/%C3%28",
    "https://example.com/👩\u200d👧\ufe0f",
    "https://example.com/نامه\u200cای",
]


@pytest.mark.parametrize("loc", CLEAN)
def test_nothing_is_wrong_with_it(loc: str) -> None:
    assert inspect(loc) == ()


UNUSABLE = [
    ("", "missing-loc"),
    (" \ufeff", "missing-loc"),
    ("URL", "not-a-url"),
    ("see also the shop", "not-a-url"),
    ("See www.example.com for more", "not-a-url"),
    ("# a comment about www.example.com", "not-a-url"),
    ("0", "not-a-url"),
    ("2024-01-01", "not-a-url"),
    ("-", "not-a-url"),
    ("...", "not-a-url"),
    ("URL:", "not-a-url"),
    ("Note: closed today", "not-a-url"),
    ("C:\\sites\\index.html", "not-a-url"),
    ('<a href="https://example.com/">', "not-a-url"),
    ("siehe unten", "not-a-url"),
    ("網址", "not-a-url"),
    ("www.example.com/x", "not-absolute"),
    ("www.example.com/catalog/z", "not-absolute"),
    ("example.com", "not-absolute"),
    ("example.com:8080/x", "not-absolute"),
    ("localhost:3000", "not-absolute"),
    ("bücher.example/x", "not-absolute"),
    ("no-scheme/d", "not-absolute"),
    ("sitemap-0.xml", "not-absolute"),
    ("../x", "not-absolute"),
    ("?id=4", "not-absolute"),
    ("#top", "not-absolute"),
    ("/", "not-absolute"),
    ("/path/only", "not-absolute"),
    ("/catalog/rel", "not-absolute"),
    ("/path with blanks", "not-absolute"),
    ("//example.com/y", "not-absolute"),
    ("http//example.com/", "not-absolute"),
    ("http:///x", "not-absolute"),
    ("http:///e.com/x", "not-absolute"),
    ("http:e.com/x", "not-absolute"),
    ("http:/e.com/x", "not-absolute"),
    ("http:\\\\e.com\\x", "not-absolute"),
    ("http:", "not-absolute"),
    ("http://", "not-absolute"),
    ("https://?q", "not-absolute"),
    ("https://:80/", "not-absolute"),
    ("https://user@/", "not-absolute"),
    ("https://user@:80/", "not-absolute"),
    ("mailto:sales@example.com", "unsupported-scheme"),
    ("javascript:void(0)", "unsupported-scheme"),
    ("javascript: history.back()", "unsupported-scheme"),
    ("ftp://example.com/", "unsupported-scheme"),
    ("file:///etc/hosts", "unsupported-scheme"),
    ("data:text/plain,x", "unsupported-scheme"),
    ("tag:example.com,2024:x", "unsupported-scheme"),
    ("tel:12345", "unsupported-scheme"),
    ("htp://example.com/", "unsupported-scheme"),
    ("http://exa mple.com/", "invalid-host"),
    ("http://see the shop", "invalid-host"),
    ("http://e.com\\x", "invalid-host"),
    ("http://e\n.com/", "invalid-host"),
    ("http://exa%20mple.com/", "invalid-host"),
    ("http://e%25zz.com/", "invalid-host"),
    ("http://%FC.example/", "invalid-host"),
    ("http://e.com:65536/", "invalid-host"),
    ("http://e.com:000000000065536/", "invalid-host"),
    ("http://e.com:80:90/", "invalid-host"),
    ("http://2001:db8::1/", "invalid-host"),
    ("http://[::1]x/", "invalid-host"),
    ("http://[]/", "invalid-host"),
    ("http://256.1.1.1/", "invalid-host"),
    ("http://1.2.3.999./", "invalid-host"),
    ("http://２56.1.1.1/", "invalid-host"),
    ("http://☕.example/", "invalid-host"),
    ("http://.../", "invalid-host"),
]


@pytest.mark.parametrize(("loc", "rule"), UNUSABLE)
def test_a_loc_that_cannot_be_used(loc: str, rule: str) -> None:
    assert [(problem.rule, problem.usable) for problem in inspect(loc)] == [(rule, False)]


REMARKS = [
    ("http://foo_bar.example/", "unusual-host", "'_'"),
    ("http://-a.example/", "unusual-host", "hyphen"),
    ("http://a-.example/", "unusual-host", "hyphen"),
    ("http://a..b/", "unusual-host", "empty"),
    ("http://.a/", "unusual-host", "empty"),
    ("http://a.b../", "unusual-host", "empty"),
    (f"http://{'a' * 64}.example/", "unusual-host", "too long"),
    (f"http://{'a.' * 127}a/", "unusual-host", "too long"),
    ("https://example.com/in side", "invalid-url-character", "U+0020"),
    ('https://example.com/say"hi"', "invalid-url-character", "U+0022"),
    ("https://example.com/a<b>|", "invalid-url-character", "U+003C"),
    ("https://example.com/a>b", "invalid-url-character", "U+003E"),
    ("https://example.com/{id}", "invalid-url-character", "U+007B"),
    ("https://example.com/a}", "invalid-url-character", "U+007D"),
    ("https://example.com/a|b", "invalid-url-character", "U+007C"),
    ("https://example.com/a^b", "invalid-url-character", "U+005E"),
    ("https://example.com/a`b", "invalid-url-character", "U+0060"),
    ("https://example.com/a\\b", "invalid-url-character", "U+005C"),
    ("https://example.com/a\tb", "invalid-url-character", "U+0009"),
    ("https://example.com/a\n/b", "invalid-url-character", "U+000A"),
    ("https://example.com/\x00", "invalid-url-character", "U+0000"),
    ("https://example.com/\x7f", "invalid-url-character", "U+007F"),
    ("https://example.com/\x85", "invalid-url-character", "U+0085"),
    ("https://example.com/?x=[1]", "invalid-url-character", "U+005B"),
    ("https://example.com/x]", "invalid-url-character", "U+005D"),
    ("https://example.com/#a#b", "invalid-url-character", "U+0023"),
    ("https://a@b@example.com/", "invalid-url-character", "U+0040"),
    ("https://a b@example.com/", "invalid-url-character", "U+0020"),
    ("https://example.com/a\u00a0b", "invalid-url-character", "U+00A0"),
    ("https://example.com/a\u3000b", "invalid-url-character", "U+3000"),
    ("https://example.com/a\u2028b", "invalid-url-character", "U+2028"),
    ("https://example.com/a\u202eb", "invalid-url-character", "U+202E"),
    ("https://example.com/a\u2066b", "invalid-url-character", "U+2066"),
    ("https://example.com/a\u200bb", "invalid-url-character", "U+200B"),
    ("https://example.com/a\ufeffb", "invalid-url-character", "U+FEFF"),
    ("https://example.com/\ue000", "invalid-url-character", "U+E000"),
    ("https://example.com/\U00100000", "invalid-url-character", "U+100000"),
    ("https://example.com/\ufdd0", "invalid-url-character", "U+FDD0"),
    ("https://example.com/\uffff", "invalid-url-character", "U+FFFF"),
    ("https://example.com/\U0001ffff", "invalid-url-character", "U+1FFFF"),
    ("https://example.com/\ufffd", "invalid-url-character", "U+FFFD"),
    ("https://example.com/100%", "malformed-percent-escape", "%"),
    ("https://example.com/100%-cotton", "malformed-percent-escape", "%"),
    ("https://example.com/%zz/", "malformed-percent-escape", "%"),
    ("https://example.com/%C", "malformed-percent-escape", "%"),
    ("https://example.com/?a=1&amp;b=2", "double-escaped", "https://example.com/?a=1&b=2"),
    ("https://example.com/?a=1&amp;amp;b=2", "double-escaped", "https://example.com/?a=1&amp;b=2"),
    ("https://example.com/?a&lt;b&gt;c&quot;d&apos;e", "double-escaped", "https://example.com/?a<b>c\"d'e"),
    ("https://example.com/it&#39;s", "double-escaped", "https://example.com/it's"),
    ("https://example.com/it&#x27;s", "double-escaped", "https://example.com/it's"),
    ("https://example.com/B%25C3%25BCcher", "double-escaped", "https://example.com/B%C3%BCcher"),
    ("https://example.com/a%2520b", "double-escaped", "https://example.com/a%20b"),
]


@pytest.mark.parametrize(("loc", "rule", "shown"), REMARKS)
def test_a_loc_with_one_remark(loc: str, rule: str, shown: str) -> None:
    (problem,) = inspect(loc)
    assert (problem.rule, problem.usable) == (rule, True)
    assert shown in problem.message


def test_several_remarks_come_together() -> None:
    rules = [problem.rule for problem in inspect("http://a_b.example/x y%?a&amp;b" + "c" * 2048)]
    assert rules == [
        "unusual-host",
        "invalid-url-character",
        "malformed-percent-escape",
        "double-escaped",
        "loc-too-long",
    ]


@pytest.mark.parametrize("code", ["&#0;", "&#xD800;", "&#1114112;", "&#x110000;"])
def test_a_reference_to_no_character_is_not_decoded(code: str) -> None:
    assert "double-escaped" not in [problem.rule for problem in inspect(f"https://example.com/{code}")]


@pytest.mark.parametrize(("length", "rules"), [(2047, []), (2048, []), (2049, ["loc-too-long"])])
def test_the_length_limit(length: int, rules: list[str]) -> None:
    loc = "https://example.com/".ljust(length, "x")
    assert [problem.rule for problem in inspect(loc)] == rules
    assert [problem.rule for problem in inspect(loc[:-1] + "ü")] == rules


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("HTTP://WWW.Example.COM:80/catalog/y", "http://www.example.com"),
        ("https://example.com:443", "https://example.com"),
        ("https://example.com:80/", "https://example.com:80"),
        ("https://example.com:/?a", "https://example.com"),
        ("https://example.com:08080/", "https://example.com:8080"),
        ("https://u:p@example.com/x", "https://example.com"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example"),
        ("https://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080"),
        ("https://example.com./", "https://example.com."),
        ("ftp://Example.com/", "ftp://example.com"),
        ("http://☕.EXAMPLE:80/", "http://☕.example"),
        ("/x", ""),
        ("//example.com/x", ""),
        ("http:///x", ""),
        ("http://:80/", ""),
        ("mailto:a@b", ""),
    ],
)
def test_origin(loc: str, expected: str) -> None:
    assert origin(loc) == expected


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("http://www.example.com/catalog/sitemap.php?dir=/image/", "http://www.example.com/catalog/"),
        ("http://example.com/index.php?route=feed/imagemap", "http://example.com/"),
        ("HTTP://Example.com:80", "http://example.com/"),
        ("http://example.com/a/b/", "http://example.com/a/b/"),
        ("http://u@example.com/a/../%7Eb/c#d/e", "http://example.com/~b/"),
        ("https://example.com:8443/ä/x", "https://example.com:8443/%C3%A4/"),
        ("/catalog/x", ""),
        ("", ""),
    ],
)
def test_directory(loc: str, expected: str) -> None:
    assert directory(loc) == expected


# R36: a sitemap in /catalog/ on www.example.com.
SCOPE = [
    ("http://www.example.com/catalog/show?item=23", True),
    ("http://www.example.com/catalog/sub/dir/", True),
    ("http://www.example.com/image/show?item=23", False),
    ("http://www.example.com/catalogue/x", False),
    ("http://example.com/catalog/x", False),
    ("https://www.example.com/catalog/x", False),
    ("http://WWW.Example.COM:80/catalog/y", True),
]


@pytest.mark.parametrize(("loc", "inside"), SCOPE, ids=[f"R36-{line}" for line in range(3, 10)])
def test_scope_by_directory(loc: str, inside: bool) -> None:
    sitemap = "http://www.example.com/catalog/sitemap.php?dir=/image/"
    assert directory(loc).startswith(directory(sitemap)) is inside


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("http://e.com", True),
        ("HTTPS://e.com/x", True),
        ("http://u:p@e.com/", True),
        ("http://a@b@e.com", True),
        ("http://[::1]/", True),
        ("http://ü/", True),
        ("ftp://e.com/", False),
        ("//e.com/", False),
        ("http:e.com", False),
        ("http:///x", False),
        ("http://?x", False),
        ("http://:80", False),
        ("http://u@", False),
        ("http://u@/x", False),
        ("http://a@b@/x", False),
        ("", False),
    ],
)
def test_is_absolute(loc: str, expected: bool) -> None:
    assert is_absolute(loc) is expected


@pytest.mark.parametrize(
    ("loc", "parts"),
    [
        (
            "HTTP://u:p@WWW.Example.com:8080/A/b?c=D#E",
            UrlParts("http", "u:p@WWW.Example.com:8080", "www.example.com", 8080, "/A/b", "c=D", "E"),
        ),
        ("http://e.com", UrlParts("http", "e.com", "e.com", None, "", None, None)),
        ("http://e.com/?#", UrlParts("http", "e.com", "e.com", None, "/", "", "")),
        ("http://e.com:/", UrlParts("http", "e.com:", "e.com", None, "/", None, None)),
        ("http://e.com:99999/", UrlParts("http", "e.com:99999", "e.com", None, "/", None, None)),
        ("http://[::1]:80/", UrlParts("http", "[::1]:80", "[::1]", 80, "/", None, None)),
        ("mailto:a@b", UrlParts("mailto", "", "", None, "a@b", None, None)),
        ("//h/x?y", UrlParts("", "h", "h", None, "/x", "y", None)),
        ("a b:c", UrlParts("", "", "", None, "a b:c", None, None)),
    ],
)
def test_split(loc: str, parts: UrlParts) -> None:
    assert split(loc) == parts


WHITE_SPACE = "\t\n\v\f\r \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"  # noqa: E501


@pytest.mark.parametrize("character", WHITE_SPACE + "\ufeff\u200b\u200e\u200f", ids=lambda c: f"{ord(c):04X}")
def test_trim_takes_it_from_the_ends_only(character: str) -> None:
    assert trim(f"{character}{character}x{character}y{character}") == f"x{character}y"


@pytest.mark.parametrize("character", "\x00\x1c\x1f\u200c\u200d\u2060.", ids=lambda c: f"{ord(c):04X}")
def test_trim_leaves_everything_else(character: str) -> None:
    assert trim(f" {character} ") == character


# Properties. The check below is a second reading of RFC 3986 and shares nothing with the code.
UNRESERVED = set(string.ascii_letters + string.digits + "-._~")
SUB_DELIMS = set("!$&'()*+,;=")


def _made_of(text: str, allowed: set[str]) -> bool:
    position = 0
    while position < len(text):
        if text[position] == "%":
            pair = text[position + 1 : position + 3]
            if len(pair) != 2 or not set(pair) <= set(string.hexdigits):
                return False
            position += 3
        elif text[position] in allowed:
            position += 1
        else:
            return False
    return True


def _is_http_uri(text: str) -> bool:
    before_fragment, *fragments = text.split("#")
    before_query, _, query = before_fragment.partition("?")
    scheme, colon, rest = before_query.partition(":")
    if scheme.lower() not in ("http", "https") or not colon or not rest.startswith("//"):
        return False
    authority, _, path = rest[2:].partition("/")
    segment = UNRESERVED | SUB_DELIMS | set(":@")
    tail = _made_of(path, segment | {"/"}) and _made_of(query, segment | set("/?"))
    fragment_fits = len(fragments) <= 1 and all(_made_of(fragment, segment | set("/?")) for fragment in fragments)
    return tail and fragment_fits and _is_authority(authority)


def _is_authority(authority: str) -> bool:
    userinfo, _, rest = authority.rpartition("@")
    if rest.startswith("["):
        literal, bracket, port = rest[1:].partition("]")
        ipaddress.IPv6Address(literal)
        host_fits = bool(bracket) and (not port or port[0] == ":")
        port = port[1:]
    else:
        host, _, port = rest.partition(":")
        host_fits = bool(host) and _made_of(host, UNRESERVED | SUB_DELIMS)
    return host_fits and set(port) <= set(string.digits) and _made_of(userinfo, UNRESERVED | SUB_DELIMS | {":"})


HOSTS = st.sampled_from(
    [
        "example.com",
        "EXAMPLE.com",
        "bücher.example",
        "例え.jp",
        "a_b.example",
        "[2001:DB8::1]",
        "x%41.example",
    ]
)
TAILS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.text("%25aF/.?#&;éÉ@: ", max_size=30)
IRIS = st.builds(
    lambda scheme, user, host, port, mark, tail: f"{scheme}://{user}{host}{port}{mark}{tail}",
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["", "u:p@", "ü ß@", "@", "a@b@", "%@"]),
    HOSTS,
    st.sampled_from(["", ":", ":80", ":443", ":08080"]),
    st.sampled_from(["/", "?", "#"]),
    TAILS,
)
ANY_TEXT = (
    st.text(st.characters(), max_size=60)
    | st.text("htps:/?#[]@%25.aA:8 é\u3002☕\ud800&;-_", max_size=40)
    | st.text("htps:/?#[]@%25.aA:8 é\u3002☕\ud800&;-_\uff0f\uff1a", max_size=40).map(lambda text: f"http://{text}")
)


@given(IRIS)
def test_the_mapped_iri_is_a_valid_uri(iri: str) -> None:
    uri = to_uri(iri)
    assert uri.isascii()
    assert _is_http_uri(uri)
    assert to_uri(uri) == uri
    assert map_iri(map_iri(iri)) == map_iri(iri)
    assert dedupe_key(uri) == dedupe_key(iri)


@given(IRIS)
def test_a_valid_uri_by_the_second_reading_is_left_alone(iri: str) -> None:
    if _is_http_uri(iri):
        assert to_uri(iri) == iri


@given(ANY_TEXT | IRIS)
@example("http://a::80/")
@example("http://%%34%31/")
@example("http://a@[b/")
@example("http://İ☕/")
def test_the_key_never_raises_and_is_its_own_key(text: str) -> None:
    key = dedupe_key(text)
    assert dedupe_key(key) == key


@given(ANY_TEXT | IRIS)
def test_no_text_is_too_odd(text: str) -> None:
    problems = inspect(text)
    if not any(not problem.usable for problem in problems):
        assert _is_http_uri(to_uri(text))
        assert is_absolute(text)
    else:
        assert len(problems) == 1
    assert origin(text) == origin(text.replace("HTTP", "http"))
    assert directory(text) == "" or is_absolute(text)
    split(text)
    trim(text)


@given(ANY_TEXT | IRIS)
def test_the_quick_ways_agree_with_the_long_ones(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        quick = inspect(text), dedupe_key(text), origin(text)
        never = re.compile(r"(?!)")
        for name in ("_PLAIN", "_CANONICAL", "PLAIN_ORIGIN"):
            patch.setattr(urls, name, never)
        assert (inspect(text), dedupe_key(text), origin(text)) == quick


@given(st.text("./ab", max_size=20))
def test_dot_segments_go_as_the_specification_says(path: str) -> None:
    # RFC 3986 5.2.4, its two buffers and its steps A to E to the letter.
    source, output = f"/{path}", ""
    while source:
        if source.startswith("/./"):
            source = source[2:]
        elif source == "/.":
            source = "/"
        elif source.startswith("/../"):
            source, output = source[3:], output[: max(output.rfind("/"), 0)]
        elif source == "/..":
            source, output = "/", output[: max(output.rfind("/"), 0)]
        else:
            end = source.find("/", 1)
            end = len(source) if end < 0 else end
            source, output = source[end:], output + source[:end]
    assert resolve("http://e.com/x", f"http://h/{path}") == f"http://h{output}"


LARGE = 1_000_000
HOSTILE = [
    "a" * LARGE,
    "." * LARGE,
    "http://" + "a" * LARGE,
    "http://" + "a." * (LARGE // 2),
    "http://" + "-" * LARGE,
    "http://" + "@" * LARGE + "/",
    "http://" + "a@" * (LARGE // 2) + "[",
    "http://" + ":" * LARGE,
    "http://" + "[" * LARGE,
    "http://[" + ":" * LARGE + "]/",
    "http://" + "1." * (LARGE // 2) + "/",
    "http://" + "ü" * LARGE + "/",
    "http://" + "%41" * (LARGE // 3) + "/",
    "http://" + "%C3%BC" * (LARGE // 6) + "/",
    "http://e.com:" + "0" * LARGE + "80/",
    "http://e.com:" + "9" * LARGE + "/",
    "http://e.com/" + "../" * (LARGE // 3),
    "http://e.com/" + "/." * (LARGE // 2),
    "http://e.com/" + "a/" * (LARGE // 2) + "../" * (LARGE // 3),
    "http://e.com/" + "%" * LARGE,
    "http://e.com/" + "%25" * (LARGE // 3) + " ",
    "http://e.com/" + "%25C3" * (LARGE // 5),
    "http://e.com/" + "&amp;" * (LARGE // 5),
    "http://e.com/" + "&#" * (LARGE // 2),
    "http://e.com/" + "&#1" + "1" * LARGE,
    "http://e.com/" + "é" * LARGE,
    "http://e.com/" + "a%41" * (LARGE // 4) + "\x00",
    "http://e.com/" + "#" * LARGE,
    "a:" * (LARGE // 2),
    " " * LARGE + "x" + " " * LARGE,
]


@pytest.mark.untraced
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_megabyte_ends_fast(text: str) -> None:
    def mapped(loc: str) -> str:
        try:
            return to_uri(loc)
        except UnmappableHost:
            return ""

    jobs: list[Callable[[str], object]] = [
        inspect,
        dedupe_key,
        origin,
        directory,
        is_absolute,
        split,
        trim,
        mapped,
    ]
    started = time.perf_counter()
    for job in jobs:
        job(text)
    resolve("http://e.com/a/b", text)
    resolve("http://e.com/" + text, "../x")
    assert time.perf_counter() - started < 120  # linear work takes a second or two; quadratic work takes hours


def test_idna_is_loaded_only_when_needed() -> None:
    code = (
        "import sys; from urlset.formats.vocabulary import urls; urls.inspect('http://e.com/é'); "
        "urls.to_uri('http://e.com/é'); assert 'idna' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
