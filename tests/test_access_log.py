from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.formats.access_log import ACCESS_LOG, LONGEST_LINE, read, sniff
from urlset.formats.vocabulary.errors import OptionError, StrictError
from urlset.formats.vocabulary.format import Head, ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.source import Source

BASE = "https://example.com/"
CLIENT = "198.51.100.7 - - [02/Jan/2023:03:04:05 +0000]"
FIELDS = "#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status"


def common(request: str, status: str = "200", size: str = "1234", client: str = CLIENT) -> str:
    return f'{client} "{request}" {status} {size}'


def combined(request: str, status: str = "200") -> str:
    return common(request, status) + ' "https://example.org/from" "Agent/1.0 (a; b)"'


def read_log(text: str | bytes, base: str | None = BASE) -> tuple[list[str], Ledger]:
    ledger = Ledger()
    data = text if isinstance(text, bytes) else text.encode()
    options = ReadOptions(base_url=base)
    entries = list(read(Source.from_bytes(data, "web.log"), ledger.open("web.log"), options))
    ledger.counts.written = len(entries)
    ledger.check()
    return [entry.loc for entry in entries], ledger


def locs(text: str | bytes, base: str | None = BASE) -> list[str]:
    return read_log(text, base)[0]


def unparsed(ledger: Ledger) -> list[int | None]:
    return [finding.line for finding in ledger.findings if finding.rule == "unparsed-line"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(common("GET /p HTTP/1.1"), id="common"),
        pytest.param(combined("GET /p HTTP/1.1"), id="combined"),
        pytest.param(combined("GET /p HTTP/1.1") + " 0.012 upstream", id="fields-of-its-own-behind"),
        pytest.param(combined("GET /p HTTP/1.1") + " ", id="final-blank"),
        pytest.param(common("GET /p HTTP/1.1", size="-"), id="no-size"),
        pytest.param(common("GET /p HTTP/1.1", size="0"), id="size-0"),
        pytest.param(common("HEAD /p HTTP/1.1"), id="head"),
        pytest.param(common("GET /p HTTP/2.0"), id="http-2.0"),
        pytest.param(common("GET /p HTTP/2"), id="http-2"),
        pytest.param(common("GET /p"), id="http-0.9"),
        pytest.param(common("GET  /p  HTTP/1.0"), id="two-blanks"),
        pytest.param(common("GET /p HTTP/1.1", client="2001:db8::7 - - [02/Jan/2023:03:04:05 -0700]"), id="ipv6"),
        pytest.param(
            common("GET /p HTTP/1.1", client="2001:db8::7:1 - ann [02/Jan/2023:03:04:05 -0700]"),
            id="ipv6-like-port",
        ),
        pytest.param(common("GET /p HTTP/1.1", client="host.example.net - ann [x]"), id="user"),
        pytest.param(common("GET /p HTTP/1.1", client="host.example.net id.a ann [x]"), id="identity"),
        pytest.param(common("GET /p HTTP/1.1", client="192.0.2.1 - ann b smith [x]"), id="blanks-in-user"),
        pytest.param(common("GET /p HTTP/1.1", client="192.0.2.1:5501 - ann smith [x]"), id="client-port-and-blank"),
        pytest.param(common("GET /p HTTP/1.1", client='192.0.2.1 - "" [x]'), id="empty-user"),
        pytest.param(common("GET /p HTTP/1.1", client="192.0.2.1:5501 - - [x]"), id="client-port"),
        pytest.param(common("GET /p HTTP/1.1", client="unix: - - [x]"), id="unix-socket"),
        pytest.param(common("GET /p HTTP/1.1") + r' "-" "quote \" and backslash \\"', id="R99-quotes-in-agent"),
        pytest.param("\0\0\0" + common("GET /p HTTP/1.1"), id="zero-bytes-of-a-truncated-log"),
        pytest.param("\ufeff" + common("GET /p HTTP/1.1"), id="byte-order-mark"),
    ],
)
def test_common_forms_give_the_page(line: str) -> None:
    found, ledger = read_log(line + "\n")
    assert found == ["https://example.com/p"]
    assert ledger.findings == []


@pytest.mark.parametrize(
    ("target", "loc"),
    [
        pytest.param("/", "https://example.com/", id="root"),
        pytest.param("/b?x=1&y=2", "https://example.com/b?x=1&y=2", id="query"),
        pytest.param("//a//b", "https://example.com//a//b", id="double-slash-is-a-path"),
        pytest.param("/a/../b", "https://example.com/a/../b", id="dots-stay"),
        pytest.param("http://other.example/x", "http://other.example/x", id="absolute"),
        pytest.param("HTTP://Other.example/x", "HTTP://Other.example/x", id="absolute-upper-case"),
        pytest.param("/a:b", "https://example.com/a:b", id="colon"),
        pytest.param("/caf%C3%A9", "https://example.com/caf%C3%A9", id="percent-escapes-stay"),
        pytest.param(r"/caf\xc3\xa9", "https://example.com/caf%C3%A9", id="apache-bytes"),
        pytest.param(r"/caf\xC3\xA9", "https://example.com/caf%C3%A9", id="nginx-bytes"),
        pytest.param(r"/say\"hi\"", "https://example.com/say%22hi%22", id="apache-quotes"),
        pytest.param(r"/a\x22b", "https://example.com/a%22b", id="nginx-quote"),
        pytest.param(r"/a\\b", "https://example.com/a%5Cb", id="backslash"),
        pytest.param(r"/a\\x41", "https://example.com/a%5Cx41", id="escaped-backslash-first"),
        pytest.param(r"/a\tb\n", "https://example.com/a%09b%0A", id="apache-controls"),
    ],
)
def test_target(target: str, loc: str) -> None:
    assert locs(combined(f"GET {target} HTTP/1.1")) == [loc]


def test_blank_in_a_target_is_kept_and_remarked_on() -> None:
    found, ledger = read_log(combined("GET /sp ace HTTP/1.1"))
    assert found == ["https://example.com/sp ace"]
    assert [finding.rule for finding in ledger.findings] == ["invalid-url-character"]


@pytest.mark.parametrize("status", ["200", "201", "204", "206", "304"])
def test_success_is_an_entry(status: str) -> None:
    assert locs(common("GET /p HTTP/1.1", status)) == ["https://example.com/p"]


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        *[
            pytest.param("GET /p HTTP/1.1", status, id=f"status-{status}")
            for status in (
                "100",
                "301",
                "302",
                "303",
                "307",
                "400",
                "403",
                "404",
                "410",
                "499",
                "500",
                "000",
                "-",
            )
        ],
        *[
            pytest.param(f"{method} /p HTTP/1.1", "200", id=method)
            for method in ("POST", "PUT", "DELETE", "PROPFIND", "OPTIONS", "get", "GETS")
        ],
        pytest.param("OPTIONS * HTTP/1.0", "200", id="R99-asterisk"),
        pytest.param("GET * HTTP/1.0", "200", id="get-asterisk"),
        pytest.param("CONNECT example.com:443 HTTP/1.1", "200", id="authority"),
        pytest.param("GET example.com:443 HTTP/1.1", "200", id="get-authority"),
        pytest.param("GET page.html HTTP/1.1", "200", id="no-slash"),
        pytest.param("GET ftp://example.com/x HTTP/1.1", "200", id="other-scheme"),
        pytest.param("GET - HTTP/1.1", "200", id="dash-target"),
        pytest.param("-", "408", id="R99-no-request"),
        pytest.param("-", "200", id="no-request-and-200"),
        pytest.param("", "200", id="empty-request"),
        pytest.param("GET", "200", id="no-target"),
        pytest.param("GET  HTTP/1.1", "200", id="blank-target"),
        pytest.param(r"\x16\x03\x01\x02", "400", id="R99-tls-bytes"),
    ],
)
def test_everything_else_is_filtered_in_silence(request_line: str, status: str) -> None:
    found, ledger = read_log(combined(request_line, status))
    assert found == []
    assert (ledger.counts.read, ledger.counts.filtered, ledger.findings) == (1, 1, [])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("this is prose", id="prose"),
        pytest.param('"', id="quote"),
        pytest.param("https://example.com/a", id="address"),
        pytest.param(CLIENT + ' "GET /cut', id="cut-in-the-request"),
        pytest.param(CLIENT + ' "GET /cut HTTP/1.1" 200', id="cut-before-the-size"),
        pytest.param(common("GET /p HTTP/1.1", status="20"), id="status-of-two-digits"),
        pytest.param(common("GET /p HTTP/1.1", size="12k"), id="size-with-unit"),
        pytest.param('192.0.2.1 [x] "GET /p HTTP/1.1" 200 1', id="two-fields-short"),
        pytest.param(common('GET /a"b HTTP/1.1'), id="raw-quote"),
    ],
)
def test_a_line_of_no_format_is_rejected(line: str) -> None:
    found, ledger = read_log(f"{common('GET /a HTTP/1.1')}\n{line}\n{common('GET /b HTTP/1.1')}\n")
    assert found == ["https://example.com/a", "https://example.com/b"]
    assert unparsed(ledger) == [2]
    assert (ledger.counts.read, ledger.counts.rejected) == (3, 1)
    assert ledger.findings[0].value == line
    assert ledger.findings[0].severity == "error"


def test_a_reject_keeps_the_line() -> None:
    rejects: list[Reject] = []
    ledger = Ledger(rejects=rejects.append)
    list(read(Source.from_bytes(b"no log\n"), ledger.open("web.log"), ReadOptions(base_url=BASE)))
    assert [(one.rule, one.line, one.field, one.raw) for one in rejects] == [("unparsed-line", 1, "record", "no log")]


def test_strict_stops_at_a_line_of_no_format() -> None:
    account = Ledger(strict=True).open("web.log")
    with pytest.raises(StrictError):
        list(read(Source.from_bytes(b"no log\n"), account, ReadOptions(base_url=BASE)))


def test_blank_lines_and_directives_are_no_records() -> None:
    text = f"#Software: x\n\n{common('GET /a HTTP/1.1')}\r\n  \n# remark\n{common('GET /a HTTP/1.1')}"
    found, ledger = read_log(text)
    assert found == ["https://example.com/a"] * 2
    assert ledger.counts.read == 2


def test_entries_know_their_line_and_nothing_but_the_address() -> None:
    source = Source.from_bytes(f"\n{common('GET /a HTTP/1.1')}\n".encode(), "web.log")
    (entry,) = read(source, Ledger().open("web.log"), ReadOptions(base_url=BASE))
    assert entry.as_dict() == {"loc": "https://example.com/a"}
    assert (entry.origin.source, entry.origin.line) == ("web.log", 2) if entry.origin else False


@pytest.mark.parametrize(
    ("prefix", "base", "loc"),
    [
        pytest.param("example.net:443 ", "http://example.com", "https://example.net/p", id="R101-port-443"),
        pytest.param("example.net:80 ", BASE, "http://example.net/p", id="port-80"),
        pytest.param("example.net:8443 ", BASE, "https://example.net:8443/p", id="other-port"),
        pytest.param("example.net:8080 ", "http://a.example/", "http://example.net:8080/p", id="other-port-http"),
        pytest.param("example.net ", BASE, "https://example.net/p", id="without-port"),
        pytest.param("example.net:443 ", None, "https://example.net/p", id="no-base"),
        pytest.param("[2001:db8::1]:443 ", BASE, "https://[2001:db8::1]/p", id="ipv6"),
        pytest.param("-:443 ", BASE, "https://example.com/p", id="dash"),
    ],
)
def test_virtual_host_beats_the_base(prefix: str, base: str | None, loc: str) -> None:
    assert locs(prefix + combined("GET /p HTTP/1.1"), base) == [loc]


@pytest.mark.parametrize(
    "client",
    ["2001:db8::1", "client.example", "localhost", "192.0.2.9"],
)
def test_virtual_host_before_any_kind_of_client(client: str) -> None:
    line = common("GET /p HTTP/1.1", client=f"www.example.net:443 {client} - ann [x]")
    assert locs(line) == ["https://www.example.net/p"]


def test_absolute_target_beats_the_virtual_host() -> None:
    line = "a.example:443 " + combined("GET http://b.example/p HTTP/1.1")
    assert locs(line) == ["http://b.example/p"]


@pytest.mark.parametrize(
    "base",
    ["https://example.com", "https://example.com/", "https://example.com/shop/", "https://example.com/a/b?c"],
)
def test_a_path_starts_at_the_root_of_the_base(base: str) -> None:
    # RFC 3986 5.2.2: a reference that begins with a slash replaces the whole path.
    assert locs(combined("GET /p HTTP/1.1"), base) == ["https://example.com/p"]


def test_port_of_the_base_stays() -> None:
    assert locs(combined("GET /p HTTP/1.1"), "http://localhost:8000/") == ["http://localhost:8000/p"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        pytest.param(combined("GET /p HTTP/1.1"), "no host", id="path"),
        pytest.param("example.net " + combined("GET /p HTTP/1.1"), "example.net", id="scheme-unknown"),
        pytest.param("example.net:8080 " + combined("GET /p HTTP/1.1"), "example.net:8080", id="port-unknown"),
    ],
)
def test_without_base_the_first_line_that_needs_it_says_so(line: str, word: str) -> None:
    text = f"{combined('POST /x HTTP/1.1')}\n{combined('GET http://a.example/ HTTP/1.1')}\n{line}\n"
    entries = read(Source.from_bytes(text.encode()), Ledger().open("web.log"), ReadOptions())
    assert next(entries).loc == "http://a.example/"
    with pytest.raises(OptionError, match="--base-url") as caught:
        next(entries)
    assert word in str(caught.value)
    assert (caught.value.source, caught.value.line) == ("web.log", 3)


def test_without_base_a_log_without_pages_is_read() -> None:
    assert locs(combined("POST /x HTTP/1.1"), None) == []


def test_base_must_be_absolute() -> None:
    with pytest.raises(OptionError, match="not 'example"):
        read_log(combined("GET /p HTTP/1.1"), "example.com")


@pytest.mark.parametrize(
    ("fields", "row", "loc"),
    [
        pytest.param(
            "date time cs-method cs-uri-stem cs-uri-query sc-status",
            "2023-01-02 03:04:05 GET /p - 200",
            "https://example.com/p",
            id="stem",
        ),
        pytest.param(
            "date time cs-method cs-uri-stem cs-uri-query sc-status",
            "2023-01-02 03:04:05 HEAD /p a=1&b=2 304",
            "https://example.com/p?a=1&b=2",
            id="query",
        ),
        pytest.param("cs-method cs-uri sc-status", "GET /p?q=1 200", "https://example.com/p?q=1", id="uri"),
        pytest.param("cs-uri-stem cs-uri cs-uri-query", "/stem /uri q", "https://example.com/uri", id="uri-beats-stem"),
        pytest.param("cs-uri-stem cs-uri cs-uri-query", "/s - q", "https://example.com/s?q", id="dash-uri"),
        pytest.param("cs-uri", "http://a.example/p", "http://a.example/p", id="absolute-uri"),
        pytest.param("cs-uri-stem", "/p", "https://example.com/p", id="no-method-no-status"),
        pytest.param("CS-URI-STEM SC-STATUS", "/p 200", "https://example.com/p", id="upper-case-names"),
        pytest.param("cs-uri-stem cs-host", "/p www.example.net", "https://www.example.net/p", id="host"),
        pytest.param("cs-uri-stem cs-host", "/p -", "https://example.com/p", id="dash-host"),
        pytest.param("cs-uri-stem cs-host", "/p a.example:80", "http://a.example/p", id="host-port-80"),
        pytest.param("cs-uri-stem cs-host", "/p a.example:81", "https://a.example:81/p", id="host-port-81"),
        pytest.param("cs-uri-stem cs-host s-port", "/p a.example 80", "http://a.example/p", id="port-80"),
        pytest.param("cs-uri-stem cs-host s-port", "/p a.example 81", "https://a.example/p", id="port-81"),
        pytest.param("cs-uri-stem s-port", "/p 80", "https://example.com/p", id="port-without-host"),
        pytest.param("cs-uri-stem cs(Host)", "/p a.example", "https://a.example/p", id="host-header"),
        pytest.param("sc-status cs-uri-stem", "200\t/p", "https://example.com/p", id="tabs"),
        pytest.param("cs(User-Agent) cs-uri-stem", '"Agent 1.0 ""x"" y" /p', "https://example.com/p", id="quoted-cell"),
        pytest.param("cs-uri-stem cs(User-Agent)", '/p a"b', "https://example.com/p", id="quote-inside"),
        pytest.param("cs-uri-stem", "/a+b", "https://example.com/a+b", id="plus-stays"),
        pytest.param("cs-uri-stem", "/caf\u00e9", "https://example.com/caf\u00e9", id="utf-8"),
    ],
)
def test_extended(fields: str, row: str, loc: str) -> None:
    found, ledger = read_log(f"#Version: 1.0\n#Fields: {fields}\n{row}\n")
    assert found == [loc]
    assert ledger.findings == []


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("d t POST /p - 200", id="method"),
        pytest.param("d t GET /p - 404", id="status"),
        pytest.param("d t GET /p - -", id="dash-status"),
        pytest.param("d t GET - - 200", id="dash-stem"),
        pytest.param("d t GET - q=1 200", id="query-alone"),
        pytest.param("d t OPTIONS * - 200", id="asterisk"),
        pytest.param("d\tt\tGET\t/p\t\t", id="empty-status"),
    ],
)
def test_extended_filters(row: str) -> None:
    found, ledger = read_log(f"{FIELDS}\n{row}x\n" if row.endswith("\t") else f"{FIELDS}\n{row}\n")
    assert (found, ledger.counts.filtered, ledger.findings) == ([], 1, [])


def test_extended_columns_may_change_midway() -> None:
    text = (
        "#Fields: cs-method cs-uri-stem sc-status\nGET /a 200\n"
        "#Date: 2023-01-02\nGET /b 200\n"
        "#Fields: sc-status cs-uri-query cs-uri-stem cs-method\n200 q /c GET\nGET /d 200\n"
    )
    found, ledger = read_log(text)
    assert found == ["https://example.com/a", "https://example.com/b", "https://example.com/c?q"]
    assert unparsed(ledger) == [7]
    assert "3 fields" in ledger.findings[0].message
    assert "names 4" in ledger.findings[0].message


def test_extended_before_its_fields_line_is_unparsed() -> None:
    found, ledger = read_log(f"d t GET /a - 200\n{FIELDS}\nd t GET /b - 200\n")
    assert found == ["https://example.com/b"]
    assert unparsed(ledger) == [1]


def test_extended_without_address_columns_has_no_pages() -> None:
    found, ledger = read_log("#Fields: date sc-status\n2023-01-02 200\n")
    assert (found, ledger.counts.filtered) == ([], 1)


def test_extended_names_its_own_host_and_scheme() -> None:
    assert locs("#Fields: cs-host s-port cs-uri-stem\na.example 443 /p\n", None) == ["https://a.example/p"]


def test_duplicates_stay() -> None:
    assert locs(f"{common('GET /a HTTP/1.1')}\n" * 3) == ["https://example.com/a"] * 3


def test_bytes_that_are_not_utf_8() -> None:
    found, ledger = read_log(CLIENT.encode() + b' "GET /caf\xe9 HTTP/1.1" 200 1\n')
    assert found == ["https://example.com/caf\u00e9"]
    assert [finding.rule for finding in ledger.findings] == ["encoding-mismatch"]


def test_the_longest_line() -> None:
    rest = len(common("GET / HTTP/1.1"))
    fits = common(f"GET /{'a' * (LONGEST_LINE - rest)} HTTP/1.1")
    assert len(fits) == LONGEST_LINE
    assert len(locs(fits)) == 1
    assert unparsed(read_log(fits + " ;")[1]) == [1]


HOSTILE = [
    pytest.param('\\" "', id="R142-quotes-and-blanks"),
    pytest.param("\\", id="backslashes"),
    pytest.param("\\x41", id="escapes"),
    pytest.param('"', id="quotes"),
    pytest.param(" ", id="blanks"),
    pytest.param("a ", id="tokens"),
    pytest.param(" - ", id="dashes"),
    pytest.param("[", id="brackets"),
    pytest.param("] [", id="brackets-and-blanks"),
    pytest.param("a:1 ", id="ports"),
    pytest.param('"" "', id="doubled-quotes"),
    pytest.param('"a', id="open-quotes"),
]


@pytest.mark.untraced
@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize(
    "before",
    ["", CLIENT[:12], CLIENT + ' "GET /', "#Fields: cs-uri cs-method\n"],
    ids=["start", "client", "request", "w3c"],
)
def test_a_hostile_line_costs_one_pass(unit: str, before: str) -> None:
    lines = (before + unit * (65_000 // len(unit)) + "\n") * 20
    begin = time.process_time()
    _, ledger = read_log(lines)
    assert time.process_time() - begin < 40  # a guard: one pass takes a second, backtracking takes hours
    assert ledger.counts.written == 0 or unit == "\\x41"


def test_a_megabyte_on_one_line_is_left_out() -> None:
    long = CLIENT + r' "GET /\" "' + "x" * 1_000_000
    found, ledger = read_log("\n".join([common("GET /a HTTP/1.1"), long, common("GET /b HTTP/1.1")]))
    assert found == ["https://example.com/a", "https://example.com/b"]
    assert unparsed(ledger) == [2]


@given(st.lists(st.text(alphabet='aG/ET -"\\[]:.12#\t\r\n\u00e9', max_size=40), max_size=8))
def test_every_line_is_accounted_for(lines: list[str]) -> None:
    read_log("\n".join(lines))


@given(st.binary(max_size=200))
def test_any_bytes_behind_a_fields_line(data: bytes) -> None:
    read_log(FIELDS.encode() + b"\n" + data)


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='"\\'), max_size=60))
def test_a_target_goes_through_unchanged(rest: str) -> None:
    assert locs(common(f"GET /{rest} HTTP/1.1")) == [f"https://example.com/{rest}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(common("GET /a HTTP/1.1") + "\n", True, id="common"),
        pytest.param("a.example:443 " + combined("GET /a HTTP/1.1") + "\n", True, id="virtual-host"),
        pytest.param(f"#Software: x\n#Version: 1.0\n{FIELDS}\n", True, id="extended-without-rows"),
        pytest.param(f"{combined('-', '408')}\nnonsense\n{combined('GET / HTTP/1.1')}\n", True, id="mostly"),
        pytest.param(f"{combined('-', '408')}\nnonsense\nnonsense\n", False, id="mostly-not"),
        pytest.param(common("GET /a HTTP/1.1") + ' "-" "<script>"\n', True, id="markup-in-an-agent"),
        pytest.param("", False, id="empty"),
        pytest.param("https://example.com/a\nhttps://example.com/b\n", False, id="text-list"),
        pytest.param("#Fields: url, lastmod\nhttps://example.com/a\n", False, id="comment-of-a-text-list"),
        pytest.param("url,lastmod\nhttps://example.com/a,2024-01-01\n", False, id="csv"),
        pytest.param('{"loc": "https://example.com/a"}\n', False, id="json-lines"),
        pytest.param("User-agent: *\nDisallow: /a\n", False, id="robots"),
        pytest.param("<urlset><url><loc>https://example.com/</loc></url></urlset>", False, id="xml"),
    ],
)
def test_sniff(text: str, expected: bool) -> None:
    assert sniff(Head(text.encode(), "x")) is expected


def test_descriptor() -> None:
    assert (ACCESS_LOG.name, ACCESS_LOG.carries) == ("access-log", frozenset({"loc"}))
    assert ACCESS_LOG.write is None
    assert not ACCESS_LOG.lists_sources
