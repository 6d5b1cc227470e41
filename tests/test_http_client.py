"""The HTTP client: what it sends to whom, what it keeps, how it waits, and where it never connects to."""

from __future__ import annotations

import json
import socket
import sys
import threading
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner
from urllib3.exceptions import ProtocolError

import urlset
from urlset.converters.cli.app import app
from urlset.converters.sources.fetch import UnreachableError, fetch
from urlset.converters.sources.web import connection, exchange
from urlset.converters.sources.web.ahead import Ahead
from urlset.converters.sources.web.client import Client
from urlset.converters.sources.web.connection import is_public
from urlset.converters.sources.web.exchange import _with_remarks
from urlset.converters.sources.web.fetched import Fetched, content_coding, content_type
from urlset.converters.sources.web.politeness import Turns
from urlset.converters.sources.web.settings import Http
from urlset.formats.vocabulary.errors import OptionError, SourceError, WriteError
from urlset.formats.vocabulary.limits import Limits
from urlset.formats.vocabulary.redact import credentials, redacted, without_credentials

sys.path.insert(0, str(Path(__file__).parent))

from faulty_server import at_first, body, index, redirect, serving, sitemap, status

PAGE = "https://example.com/a"
SOUND = sitemap(PAGE)
SECRET = "s3cr3t"  # noqa: S105 - of nothing


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "BACKOFF", 0.001)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def got(client: Client, address: str) -> bytes:
    with client.get(address).body as found:
        return found.read()


def read(source: Any, **options: Any) -> tuple[list[str], urlset.Ledger]:
    ledger = urlset.Ledger()
    return [entry.loc for entry in urlset.read(source, ledger=ledger, **options)], ledger


# --- what is sent


def test_the_default_fetch() -> None:
    with serving({"/a": body(SOUND)}) as server:
        assert fetch(f"{server.base}/a") == SOUND
        with pytest.raises(OSError, match="HTTP status 404"):
            fetch(f"{server.base}/b")
    assert server.headers[0]["User-Agent"] == f"urlset/{urlset.__version__}"


def test_options_reach_the_server() -> None:
    options: dict[str, Any] = {"user_agent": "cats/1", "headers": {"X-Key": SECRET}}
    with serving({"/a": body(SOUND)}) as server:
        assert read(f"{server.base}/a", **options)[0] == [PAGE]
    assert (server.headers[0]["User-Agent"], server.headers[0]["X-Key"]) == ("cats/1", SECRET)


def test_connections_are_kept() -> None:
    ports = set()

    def answer(exchange: Any) -> None:
        ports.add(exchange.client_address[1])
        exchange.answer(SOUND)

    with serving({"/a": answer, "/b": answer}) as server, Client() as client:
        assert got(client, f"{server.base}/a") == got(client, f"{server.base}/b") == SOUND
    assert len(ports) == 1


def test_headers_and_passwords_stay_with_their_host() -> None:
    """A list and a redirect may name any host; what was given for one is not shown to another."""
    with serving({"/x.xml": body(sitemap(PAGE + "x")), "/y.xml": body(sitemap(PAGE + "y"))}) as other:

        def listing(exchange: Any) -> None:
            exchange.answer(index(f"{other.base}/x.xml", f"{server.base}/away", f"{server.base}/own.xml"))

        routes = {"/index.xml": listing, "/away": redirect(f"{other.base}/y.xml"), "/own.xml": body(SOUND)}
        with serving(routes) as server:
            address = f"{server.base}/index.xml".replace("://", f"://cat:{SECRET}%40@")
            locs, ledger = read(address, headers={"X-Key": SECRET}, jobs=1)
    assert locs == [PAGE + "x", PAGE + "y", PAGE]
    assert [(headers["X-Key"], headers["Authorization"]) for headers in other.headers] == [(None, None)] * 2
    assert [headers.get("Authorization") for headers in server.headers] == ["Basic Y2F0OnMzY3IzdEA="] * 3  # cat:s3cr3t@
    assert {headers.get("X-Key") for headers in server.headers} == {SECRET}
    report = json.dumps(ledger.report())
    assert SECRET not in report
    assert f'"name": "{server.base}/index.xml"' in report


def basic(text: str) -> str:
    return f"Basic {b64encode(text.encode()).decode()}"


@pytest.mark.parametrize("jobs", [1, 8])
def test_what_a_list_names_changes_no_credentials(jobs: int) -> None:
    """The user's hold for the origin, those of a listed address for itself and its redirects there."""
    plain = [f"/{number}.xml" for number in range(30)]
    routes = {path: body(sitemap(PAGE + path)) for path in [*plain, "/own.xml", "/there.xml", "/accent.xml"]}
    sent: dict[str, set[str | None]] = {}
    with serving({**routes, "/moved.xml": redirect("/there.xml")}) as server:

        def named(path: str, user: str) -> str:
            return f"{server.base}{path}".replace("://", f"://{user}@")

        own = [named("/own.xml", "eve:1"), named("/moved.xml", "eve:2"), named("/accent.xml", "%D0%BA%D0%BE%D1%82:3")]
        own.append(f"http://x:y@{server.base[7:]}/0.xml?again")
        whole = index(*own, *(server.base + path for path in plain))
        server.routes["/index.xml"] = body(whole)
        _, ledger = read(named("/index.xml", f"cat:{SECRET}"), jobs=jobs)
        for path, headers in zip(server.asked, server.headers, strict=True):
            sent.setdefault(path, set()).add(headers["Authorization"])
    assert not ledger.has_errors
    others = {"/own.xml": "eve:1", "/moved.xml": "eve:2", "/there.xml": "eve:2", "/accent.xml": "кот:3"}
    others["/0.xml?again"] = "x:y"
    expected = dict.fromkeys(("/index.xml", *plain), f"cat:{SECRET}") | others
    assert sent == {path: {basic(user)} for path, user in expected.items()}


@pytest.mark.parametrize("jobs", [1, 8])
def test_credentials_of_a_list_stay_with_its_address(jobs: int) -> None:
    with serving({f"/{number}.xml": body(sitemap(f"{PAGE}{number}")) for number in range(9)}) as other:
        listed = [f"{other.base}/{number}.xml" for number in range(9)]
        listed[0] = listed[0].replace("://", "://eve:1@")
        with serving({"/index.xml": body(index(*listed))}) as server:
            read(f"{server.base}/index.xml".replace("://", "://cat:2@"), jobs=jobs)
    sent = dict(zip(other.asked, (headers["Authorization"] for headers in other.headers), strict=True))
    assert sent == {f"/{number}.xml": None for number in range(1, 9)} | {"/0.xml": basic("eve:1")}


def test_each_source_has_its_own_credentials() -> None:
    with serving({"/a": body(SOUND), "/b": body(SOUND), "/c": body(SOUND)}) as server:
        sources = [f"http://{user}{server.base[7:]}/{path}" for user, path in (("a:1@", "a"), ("b:2@", "b"), ("", "c"))]
        read(sources)
    assert [headers["Authorization"] for headers in server.headers] == [basic("a:1"), basic("b:2"), basic("b:2")]


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X Key": SECRET}},
        {"headers": {"Host": SECRET}},
        {"headers": {"X-Key": f"{SECRET}\r\nX-Other: 1"}},
        {"headers": {"X-Key": ""}},
        {"headers": {"X-Key": "кот"}},
        {"user_agent": "a\nb"},
        {"timeout": 0},
        {"timeout": float("inf")},
        {"delay": -1},
        {"jobs": 0},
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        Http(**options)
    assert SECRET not in str(caught.value)


def test_secrets_are_not_in_the_repr() -> None:
    assert SECRET not in repr(urlset.Options(headers={"X-Key": SECRET}))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://cat:dog@example.com/a?b=c@d", "https://***@example.com/a?b=c@d"),
        ("see http://token@example.com:8080 and ftp://a:b@c/", "see http://***@example.com:8080 and ftp://***@c/"),
        ("https://cat:d@g@example.com/", "https://***@example.com/"),
        ("mail cat@example.com, or https://example.com/@cat", "mail cat@example.com, or https://example.com/@cat"),
    ],
)
def test_redacted(text: str, shown: str) -> None:
    assert redacted(text) == shown


@given(st.text(st.sampled_from("ab:@%/?#é "), max_size=12), st.text(st.sampled_from("ab:@/?#"), max_size=12))
def test_no_user_is_left(user: str, rest: str) -> None:
    if not set(user) & set("/?# "):
        assert without_credentials(f"https://{user}@example.com/{rest}") == f"https://example.com/{rest}"
        assert credentials(f"https://{user}@example.com/{rest}") is not None


def test_passwords_are_in_no_error_and_no_finding(tmp_path: Path, run_urlset: Any) -> None:
    with serving({"/to": redirect(f"http://cat:{SECRET}@127.0.0.1:1/x")}) as server:
        for path in ("missing.xml", "to", ""):
            address = f"http://cat:{SECRET}@127.0.0.1:{server.server_port}/{path}"
            ran = run_urlset("convert", address, "-o", "out.xml", "--report", "r.json", "--header", f"X-A: {SECRET}",
                             "--timeout", "1", cwd=tmp_path, env={"NO_PROXY": "*"})  # fmt: skip
            assert ran.returncode == 2
            said = ran.stdout + ran.stderr + (tmp_path / "r.json").read_bytes()
            assert b"127.0.0.1" in said
            assert SECRET.encode() not in said


def test_passwords_in_lists_are_not_shown() -> None:
    listed = index(f"https://cat:{SECRET}@example.com/a.xml", f"ftp://cat:{SECRET}@example.com/b.xml")
    ledger = urlset.Ledger()
    with pytest.raises(urlset.UrlsetError):
        urlset.convert(listed, "-", to="text", fetch=lambda _: b"")
    list(urlset.read(listed, ledger=ledger, fetch=lambda _: b"<html>"))
    assert SECRET not in json.dumps(ledger.report())


def test_the_options_of_the_command_line(tmp_path: Path) -> None:
    options = ["--timeout", "5", "--user-agent", "cats/1", "--header", f"X-Key: {SECRET}", "--delay", "0.001"]
    options += ["--cache", str(tmp_path / "cache"), "--obey-robots", "--no-follow"]
    with serving({"/a.xml": body(SOUND, ETag='"1"')}) as server:
        for command in ("info", "validate"):
            ran = CliRunner().invoke(app, [command, f"{server.base}/a.xml", *options])
            assert (ran.exit_code, SECRET in ran.output) == (0, False), ran.output
        ran = CliRunner().invoke(app, ["info", f"{server.base}/a.xml", "--public-only"])
        assert isinstance(ran.exception, SystemExit) and ran.exit_code == 2
    assert server.asked == ["/robots.txt", "/a.xml"] * 2
    assert [(one["X-Key"], one["User-Agent"]) for one in server.headers] == [(SECRET, "cats/1")] * 4
    assert [one["If-None-Match"] for one in server.headers if one["If-None-Match"]] == ['"1"']


@pytest.mark.parametrize("header", [SECRET, f": {SECRET}", f"Host: {SECRET}"])
def test_a_header_that_is_none(header: str) -> None:
    ran = CliRunner().invoke(app, ["info", "http://127.0.0.1:1/a", "--header", header])
    assert isinstance(ran.exception, OptionError | SystemExit) and ran.exit_code
    assert SECRET not in f"{ran.exception}{ran.output}"


# --- what is kept


def test_what_is_kept_is_asked_for_again(tmp_path: Path) -> None:
    def does(exchange: Any) -> None:
        if exchange.headers.get("If-None-Match") == '"1"':
            exchange.answer(b"", 304)
        else:
            exchange.answer(SOUND, ETag='"1"', Last_Modified="Mon, 06 May 2024 00:00:00 GMT")

    with serving({"/a": does}) as server:
        for _ in range(3):
            assert read(f"{server.base}/a", cache=tmp_path / "cache")[0] == [PAGE]
    assert [headers.get("If-None-Match") for headers in server.headers] == [None, '"1"', '"1"']
    assert server.headers[1]["If-Modified-Since"] == "Mon, 06 May 2024 00:00:00 GMT"


def test_what_changed_replaces_what_is_kept(tmp_path: Path) -> None:
    new = sitemap(PAGE + "new")
    with serving({"/a": at_first(body(SOUND, ETag='"1"'), body(new, ETag='"2"'))}) as server:
        assert read(f"{server.base}/a", cache=tmp_path)[0] == [PAGE]
        assert read(f"{server.base}/a", cache=tmp_path)[0] == [PAGE + "new"]
        assert read(f"{server.base}/a", cache=tmp_path)[0] == [PAGE + "new"]
    assert server.headers[2]["If-None-Match"] == '"2"'
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "headers", [{}, {"ETag": '"1"', "Cache_Control": "private, no-store"}, {"ETag": '"1"', "Vary": "*"}]
)
def test_what_is_not_kept(tmp_path: Path, headers: dict[str, str]) -> None:
    with serving({"/a": body(SOUND, **headers)}) as server:
        read(f"{server.base}/a", cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: b"[]\n",
        lambda data: b"\xff",
        lambda data: bytes(range(256)) * 100,
        lambda data: b"[" * 200_000,
        lambda data: b'{"size":' * 200_000,
        lambda data: b'{"address": "x", "headers": {}, "size": ' + b"9" * 5_000 + b"}\n",
        lambda data: b'{"address": "x", "headers": {}, "size": 0}\n',
        lambda data: data.replace(b'"size"', b'"sise"'),
        lambda data: data.replace(b"/a", b"/b", 1),
        lambda data: data.replace(b'"\\"1\\""', b"[]"),
        lambda data: data.replace(b'"\\"1\\""', b'"1\\r\\nX-Injected: 1"'),
        lambda data: data.replace(b'"ETag"', b'"Date"'),
    ],
)
def test_what_is_kept_in_part_does_not_count(tmp_path: Path, damage: Any) -> None:
    with serving({"/a": body(SOUND, ETag='"1"')}) as server:
        read(f"{server.base}/a", cache=tmp_path)
        (file,) = tmp_path.iterdir()
        whole = file.read_bytes()
        file.write_bytes(damage(whole))
        assert file.read_bytes() != whole
        assert read(f"{server.base}/a", cache=tmp_path)[0] == [PAGE]
    assert "If-None-Match" not in server.headers[1]
    assert file.read_bytes() == whole


def test_a_file_of_the_cache_that_is_a_folder(tmp_path: Path, run_urlset: Any) -> None:
    cache = tmp_path / "cache"
    with serving({"/a": body(SOUND, ETag='"1"')}) as server:
        read(f"{server.base}/a", cache=cache)
        (file,) = cache.iterdir()
        file.unlink()
        file.mkdir()
        ran = run_urlset("convert", f"{server.base}/a", "-o", "out.txt", "--cache", str(cache), cwd=tmp_path)
        assert ran.returncode == 2
        assert f"the cache file {file} (--cache) can't be read".encode() in ran.stderr
        assert not (tmp_path / "out.txt").exists()


def test_a_file_of_the_cache_that_can_not_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refused)
    with serving({"/a": body(SOUND, ETag='"1"')}) as server, pytest.raises(WriteError, match="Permission") as caught:
        read(f"{server.base}/a", cache=tmp_path)
    assert f"the cache file {tmp_path}" in caught.value.message
    assert list(tmp_path.iterdir()) == []


def test_what_one_user_got_is_not_for_another(tmp_path: Path) -> None:
    with serving({"/a": body(SOUND, ETag='"1"')}) as server:
        read(f"{server.base}/a", cache=tmp_path, headers={"X-Key": SECRET})
        read(f"{server.base}/a", cache=tmp_path)
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "If-None-Match" not in server.headers[1]
    assert SECRET.encode() not in kept


def test_a_cache_that_can_not_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OptionError, match="cache"):
        read("http://127.0.0.1:1/a", cache=tmp_path / "file")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with serving({"/a": body(SOUND, ETag='"1"')}) as server, pytest.raises(WriteError, match="No space left"):
        read(f"{server.base}/a", cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


# --- how it waits


def test_a_delay_lies_between_requests() -> None:
    waits: list[float] = []
    turns = Turns()
    for _ in range(3):
        turns.wait("https://example.com", 10, waits.append)
    turns.wait("https://other.example", 10, waits.append)
    turns.wait("https://example.com", 0, waits.append)
    assert [round(wait) for wait in waits] == [10, 20]


def test_the_delay_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(Client, "sleep", lambda self, seconds, watch: waits.append(seconds))
    with serving({"/a": body(SOUND), "/b": body(SOUND)}) as server:
        read([f"{server.base}/a", f"{server.base}/b"], delay=100)
    assert len(waits) == 1 and 0 < waits[0] <= 100


def test_retry_after_a_date_that_has_passed() -> None:
    then = at_first(status(503, Retry_After="Mon, 06 May 2024 00:00:00 GMT"), body(SOUND))
    with serving({"/a": then}) as server:
        assert read(f"{server.base}/a")[0] == [PAGE]


@pytest.mark.parametrize("value", ["soon", "9" * 5_000, "Mon, 06 May 99999999 00:00:00 GMT", "-5", "²"])
def test_retry_after_nonsense(value: str) -> None:
    with serving({"/a": at_first(status(503, Retry_After=value), body(SOUND))}) as server:
        assert read(f"{server.base}/a")[0] == [PAGE]


def test_the_end_of_a_job_ends_what_is_under_way() -> None:
    begun = threading.Event()

    def does(exchange: Any) -> None:
        begun.set()
        exchange.server.ended.wait(20)

    with serving({"/a": does}) as server:
        client = Client()
        ahead = Ahead(client.get, 2)
        ahead.expect([f"{server.base}/a"])
        assert begun.wait(10)
        client.close()
        ahead.close()  # waits for its threads
        with pytest.raises(SourceError, match="the job has ended"):
            client.get(f"{server.base}/a")


def test_what_was_fetched_ahead_in_vain_is_closed() -> None:
    bodies = []

    class Body:
        def __init__(self) -> None:
            self.closed = threading.Event()
            bodies.append(self)

        def close(self) -> None:
            self.closed.set()

    def get(address: str) -> Fetched:
        if address == "bad":
            raise SourceError("no")
        return Fetched(Body(), address)  # type: ignore[arg-type]

    ahead = Ahead(get, 2)
    ahead.expect(["a", "bad", "a"])
    ahead.forget("none")
    ahead.close()
    assert len(bodies) == 1 and bodies[0].closed.wait(10)
    alone = Ahead(get, 1)
    alone.expect(["a"])
    assert len(bodies) == 1
    with pytest.raises(SourceError):
        alone.get("bad")
    alone.close()


# --- limits of a job


def test_all_documents_of_a_job_have_a_limit() -> None:
    with serving({"/a": body(SOUND), "/b": body(SOUND)}) as server:
        locs, ledger = read([f"{server.base}/a", f"{server.base}/b"], limits=Limits(max_fetched=len(SOUND) + 1))
    assert locs == [PAGE]
    assert [(one.rule, one.source) for one in ledger.findings] == [("size-limit", f"{server.base}/b")]


def test_a_large_body_is_kept_on_disk() -> None:
    large = sitemap(*(f"{PAGE}{number}" for number in range(40_000)))
    assert len(large) > exchange.IN_MEMORY
    with serving({"/a": body(large)}) as server, Client() as client, client.get(f"{server.base}/a").body as found:
        assert found._rolled  # type: ignore[attr-defined]
        assert found.read() == large


def test_a_body_without_a_length_that_breaks_off() -> None:
    """HTTP can't tell; XML can, and says so."""
    with serving({"/a": lambda it: it.raw(b"HTTP/1.1 200 OK\r\n\r\n" + SOUND[:-11])}) as server:
        locs, ledger = read(f"{server.base}/a")
    assert locs == [PAGE]
    assert [(one.rule, one.severity) for one in ledger.findings] == [("unexpected-end", "error")]


@pytest.mark.parametrize(
    "length", ["-5", "+5", "1_0", "0x10", "many", "", "5, 6", "5\r\nContent-Length: 6", "²", "9" * 5_000]
)
def test_lengths_that_are_none(length: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()
    with serving({"/a": lambda it: it.raw(head + SOUND)}) as server:
        with pytest.raises(SourceError, match="is no number of bytes"):
            read(f"{server.base}/a")
        assert len(server.asked) == 4


def test_a_length_that_comes_twice() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d, %d\r\n\r\n" % (len(SOUND), len(SOUND))
    with serving({"/a": lambda it: it.raw(head + SOUND)}) as server:
        assert read(f"{server.base}/a")[0] == [PAGE]


def test_a_length_of_chunks_does_not_count() -> None:
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(SOUND), SOUND)
    head = b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serving({"/a": lambda it: it.raw(head + chunks)}) as server:
        assert read(f"{server.base}/a")[0] == [PAGE]


# --- robots.txt

ROBOTS = b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.01\n"


def test_robots_is_obeyed_on_request() -> None:
    routes = {"/robots.txt": body(ROBOTS), "/private/a": body(SOUND), "/a": body(SOUND), "/r": redirect("/private/a")}
    with serving(routes) as server:
        for path in ("/private/a", "/r"):
            with pytest.raises(SourceError, match="disallows it"):
                read(server.base + path, obey_robots=True)
            assert read(server.base + path)[0] == [PAGE]
        locs, _ = read([f"{server.base}/a", f"{server.base}/a?b"], obey_robots=True)
        assert locs == [PAGE, PAGE]
        assert server.asked[-3:] == ["/robots.txt", "/a", "/a?b"]


@pytest.mark.parametrize(("code", "allowed"), [(404, True), (403, True), (500, False), (503, False), (429, False)])
def test_a_site_without_robots(code: int, allowed: bool) -> None:
    """RFC 9309 2.3.1.3 and 2.3.1.4: what is not there allows all, what does not answer may disallow all."""
    with serving({"/robots.txt": status(code), "/a": body(SOUND)}) as server:
        if allowed:
            assert read(f"{server.base}/a", obey_robots=True)[0] == [PAGE]
        else:
            with pytest.raises(SourceError, match="can't be had"):
                read(f"{server.base}/a", obey_robots=True)


def test_rules_for_us_alone() -> None:
    rules = b"User-agent: *\nDisallow:\n\nUser-agent: urlset\nDisallow: /\n"
    with serving({"/robots.txt": body(rules), "/a": body(SOUND)}) as server:
        with pytest.raises(SourceError, match="disallows it"):
            read(f"{server.base}/a", obey_robots=True)
        assert read(f"{server.base}/a", obey_robots=True, user_agent="cats/1")[0] == [PAGE]


def test_robots_of_a_child() -> None:
    with serving({"/robots.txt": body(ROBOTS), "/a.xml": body(SOUND)}) as server:
        server.routes["/index.xml"] = body(index(f"{server.base}/private/b.xml", f"{server.base}/a.xml"))
        locs, ledger = read(f"{server.base}/index.xml", obey_robots=True)
    assert locs == [PAGE]
    assert [(one.rule, one.line) for one in ledger.findings] == [("child-unavailable", 2)]


# --- where it never connects to


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("127.9.9.9", False),
        ("0.0.0.0", False),  # noqa: S104
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
        ("2001:0:0:0:0:0:80ff:fffe", False),  # Teredo to 127.0.0.1
        ("2001:0:0:0:0:0:a247:2871", True),  # to 93.184.215.142
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::93.184.215.14", True),  # NAT64 (RFC 6052)
        ("64:ff9b::10.0.0.1", False),
        ("64:ff9b:1::7f00:1", False),  # NAT64 of some network's own (RFC 8215)
        ("64:ff9b:1::93.184.215.14", False),
        ("2002:5db8:d70e::1", True),  # 6to4 (RFC 3056) of 93.184.215.14
        ("2002:c0a8:1::1", False),
        ("2002:c058:6301::", False),
        ("::127.0.0.1", False),  # IPv4-compatible (RFC 4291 2.5.5.1)
        ("::93.184.215.14", False),
        ("::ffff:0:127.0.0.1", False),  # IPv4-translated (RFC 2765)
        ("::ffff:0:93.184.215.14", False),
        ("fec0::1", False),  # site-local (RFC 3879)
        ("fdff::1", False),
        ("100::1", False),  # discard-only (RFC 6666)
        ("100:0:0:1::1", False),  # dummy prefix (RFC 9780)
        ("5f00::1", False),  # segment routing (RFC 9602)
        ("4000::1", False),  # nobody's
        ("200::1", False),
        ("2001:db8::1", False),  # documentation (RFC 3849, 9637)
        ("3fff::1", False),
        ("3fff:fff:ffff::1", False),
        ("2001:2::1", False),  # benchmarks (RFC 5180)
        ("2001:10::1", False),  # ORCHID (RFC 4843, 7343)
        ("2001:20::1", False),
        ("2001:1ff::1", False),
        ("2001:200::1", True),
        ("2a00:1450:4001:800::200e", True),
        ("192.0.0.8", False),  # dummy address (RFC 7600)
        ("192.0.0.9", False),
        ("192.0.2.1", False),
        ("198.51.100.1", False),
        ("203.0.113.1", False),
        ("192.88.99.1", False),  # 6to4 relays (RFC 7526)
        ("198.18.0.1", False),
        ("240.0.0.1", False),
        ("239.255.255.250", False),
        ("192.0.1.1", True),
        ("192.88.98.1", True),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "[::ffff:127.0.0.1]"])
def test_private_hosts_are_refused_on_request(host: str) -> None:
    with serving({"/a": body(SOUND)}) as server:
        with pytest.raises(SourceError, match="public"):
            read(f"http://{host}:{server.server_port}/a", public_only=True)
        assert server.asked == []


def resolved(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names resolve to these addresses, one answer after the other; where was connected to."""
    known, connected = list(answers), []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        found = known.pop(0) if len(known) > 1 else known[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    def create_connection(address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        connected.append(address[0])
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(connection, "create_connection", create_connection)
    return connected


def test_a_name_with_two_answers_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is connected to is the address that was checked: a second answer (DNS rebinding) is never asked for."""
    connected = resolved(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    with Client(Http(public_only=True)) as client:
        with pytest.raises(UnreachableError, match="no connection"):
            client.get("http://rebind.example/")
        assert connected == ["93.184.215.14"]
        with pytest.raises(UnreachableError, match="no public address"):
            client.get("http://rebind.example/")
    assert connected == ["93.184.215.14"]


def test_only_the_public_ones_of_several_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = resolved(monkeypatch, ["10.0.0.1", "93.184.215.14", "127.0.0.1"])
    with Client(Http(public_only=True)) as client, pytest.raises(UnreachableError):
        client.get("https://mixed.example/")
    assert connected == ["93.184.215.14"]


def test_a_redirect_into_a_private_network(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serving({"/a": body(SOUND)}) as inner,
        serving({"/r": redirect(f"http://127.0.0.2:{inner.server_port}/a")}) as outer,
    ):
        monkeypatch.setattr(connection, "is_public", lambda address: address == "127.0.0.1")
        with pytest.raises(UnreachableError, match=r"127\.0\.0\.2 is no public address"):
            read(f"{outer.base}/r", public_only=True)
        outer.routes["/index.xml"] = body(index(f"http://127.0.0.2:{inner.server_port}/a", f"{outer.base}/b"))
        outer.routes["/b"] = body(SOUND)
        locs, ledger = read(f"{outer.base}/index.xml", public_only=True)
        assert (locs, [one.rule for one in ledger.findings]) == ([PAGE], ["child-unavailable"])
    assert inner.asked == []


def test_a_host_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: Any, **__: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    for options in ({}, {"public_only": True}):
        with pytest.raises(UnreachableError, match="no connection"):
            read("http://nobody.invalid/", **options)


def test_a_connection_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: Any, **__: Any) -> None:
        raise TimeoutError("timed out")

    monkeypatch.setattr("urllib3.util.connection.create_connection", slow)
    with pytest.raises(UnreachableError, match=r"in time \(4 attempts\)"):
        read("http://slow.invalid/")


def test_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def proxied(exchange: Any) -> None:
        exchange.answer(SOUND)

    with serving({}) as server:
        server.routes["http://example.invalid/a"] = proxied
        monkeypatch.setenv("http_proxy", server.base.replace("://", f"://cat:{SECRET}@"))
        assert read("http://example.invalid/a")[0] == [PAGE]
        assert server.headers[0]["Proxy-Authorization"].startswith("Basic ")
        monkeypatch.setenv("no_proxy", "example.invalid")
        with pytest.raises(SourceError) as caught:
            read("http://example.invalid/a")
        assert SECRET not in str(caught.value)
        monkeypatch.delenv("no_proxy")
        with pytest.raises(UnreachableError):
            read("http://example.invalid/a", public_only=True)
    assert len(server.asked) == 1


# --- what is said


@pytest.mark.parametrize(
    ("hops", "severity", "says"),
    [
        (["https://a.example/", "https://b.example/"], None, "redirects to https://b.example/"),
        (["http://a.example/", "https://a.example/"], None, "the scheme changes: http → https"),
        (["https://a.example/", "http://a.example/"], "warning", "the scheme changes: https → http"),
        (["https://a.example/", "http://a.example/", "https://b.example/"], "warning", "in 2 steps"),
    ],
)
def test_what_is_said_of_redirects(hops: list[str], severity: str | None, says: str) -> None:
    found = _with_remarks(Fetched(None, hops[-1]), hops)  # type: ignore[arg-type]
    (remark,) = found.remarks
    assert (remark.rule, remark.severity, remark.value) == ("address-redirects", severity, hops[-1])
    assert says in remark.message


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, (None, None)),
        ("text/XML; charset=UTF-8", ("text/xml", "utf-8")),
        ('application/atom+xml;charset="koi8-r"', ("application/atom+xml", "koi8-r")),
        ("nonsense", (None, None)),
        (f"text/xml; charset*{'9' * 5_000}=x", (None, None)),  # a part of a parameter (RFC 2231) of that number
    ],
)
def test_content_type(value: str | None, expected: tuple[str | None, str | None]) -> None:
    assert content_type({} if value is None else {"Content-Type": value}) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("", None), ("identity", None), ("X-GZIP", "gzip"), ("gzip", "gzip"), ("br", "br")]
)
def test_content_coding(value: str, expected: str | None) -> None:
    assert content_coding({"Content-Encoding": value}) == expected


def test_a_location_in_raw_utf8() -> None:
    def does(exchange: Any) -> None:
        exchange.raw("HTTP/1.1 301 Moved\r\nLocation: /é b\r\nContent-Length: 0\r\n\r\n".encode())

    with serving({"/a": does, "/%C3%A9%20b": body(SOUND)}) as server:
        locs, ledger = read(f"{server.base}/a")
    assert locs == [PAGE]
    assert [one.value for one in ledger.findings] == [f"{server.base}/%C3%A9%20b"]


def test_relative_links_are_relative_to_where_redirects_led() -> None:
    feed = b'<rss version="2.0"><channel><item><link>x</link></item></channel></rss>'
    with serving({"/feed": redirect("/there/feed"), "/there/feed": body(feed)}) as server:
        assert read(f"{server.base}/feed")[0] == [f"{server.base}/there/x"]


@pytest.mark.parametrize(
    "address", ["http://exa mple/", "http://[::1/", "http://a..b/", "http://" + "a" * 300 + ".example/"]
)
def test_hosts_that_can_not_be(address: str) -> None:
    with pytest.raises(SourceError):
        read(address)


NO_ADDRESSES = ["http://[::1/", "//[", "http://[foo]/x", "http://ex℀mple.com/", "http://a@[/", "http://h]/"]
NO_ADDRESSES += ["http://127.0.0.1:99999999/", f"http://127.0.0.1:{'9' * 5_000}/", "http://127.0.0.1:x/", "http://"]


def moved(location: str) -> Any:
    return lambda it: it.raw(f"HTTP/1.1 301 Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode())


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_redirects_to_what_is_no_address(address: str) -> None:
    with serving({"/a": moved(address)}) as server:
        with pytest.raises(SourceError) as caught:
            read(f"{server.base}/a")
        assert caught.value.source == f"{server.base}/a"
        server.routes |= {"/index.xml": body(index(f"{server.base}/a", f"{server.base}/b")), "/b": body(SOUND)}
        locs, ledger = read(f"{server.base}/index.xml")
    assert (locs, [one.rule for one in ledger.findings]) == ([PAGE], ["child-unavailable"])


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_documents_that_name_what_is_no_address(address: str, tmp_path: Path) -> None:
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="{address}"/></feed>'
    lists = {"/index.xml": index(address), "/robots.txt": f"Sitemap: {address}\n".encode(), "/feed": feed.encode()}
    with serving({path: body(data) for path, data in lists.items()}) as server:
        for number, (path, data) in enumerate(lists.items()):
            for source in (server.base + path, tmp_path / f"{number}{path[1:]}"):
                if isinstance(source, Path):
                    source.write_bytes(data)
                locs, _ = read(source, follow=True)
                assert locs == []


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_given_addresses_that_are_none(address: str) -> None:
    if address.startswith("http"):
        for options in ({}, {"fetch": lambda _: b""}):
            with pytest.raises(urlset.UrlsetError):
                read(address, **options)


def test_a_certificate_that_nobody_vouches_for() -> None:
    with serving({}) as server, pytest.raises(SourceError, match="can't be fetched"):
        read(f"https://127.0.0.1:{server.server_port}/a")


def test_other_errors_of_the_library() -> None:
    with Client() as client:
        way = exchange.Exchange(client, "https://example.com/", None)  # type: ignore[arg-type]
        error = way._explained(ProtocolError("odd"))
        assert "odd" in str(error)
