from __future__ import annotations

import gzip
import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from rich.console import Console

import urlset
from urlset import Entry, Ledger, Progress, Source
from urlset.converters import generator, progress
from urlset.converters.cli import show
from urlset.converters.cli.bar import bar, described
from urlset.converters.progress import Meter

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(count: int, first: int = 0) -> bytes:
    urls = "".join(f"<url><loc>https://example.com/{n}</loc></url>\n" for n in range(first, first + count))
    return f'{HEAD}<urlset xmlns="{SITEMAP}">\n{urls}</urlset>\n'.encode()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block that is read is told, whatever the clock says."""
    monkeypatch.setattr(progress, "INTERVAL", 0.0)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big.xml"
    path.write_bytes(sitemap(20_000))
    return path


def convert(src: object, tmp_path: Path, **options: object) -> list[Progress]:
    calls: list[Progress] = []
    urlset.convert(src, tmp_path / "out.txt", progress=calls.append, **options)  # type: ignore[arg-type]
    return calls


# --- what is told


@pytest.mark.usefixtures("eager")
def test_entries_and_bytes_grow_to_all_of_them(big: Path, tmp_path: Path) -> None:
    calls = convert(big, tmp_path)
    size = big.stat().st_size
    assert len(calls) > 5
    assert calls == sorted(calls, key=lambda now: (now.bytes, now.entries))
    assert calls[-1] == Progress(20_000, size, size)
    assert {now.total for now in calls} == {size}


@pytest.mark.usefixtures("eager")
def test_gzip_counts_as_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "big.xml.gz"
    path.write_bytes(gzip.compress(sitemap(20_000)))
    assert convert(path, tmp_path)[-1] == Progress(20_000, path.stat().st_size, path.stat().st_size)


@pytest.mark.usefixtures("eager")
def test_the_repair_lane_starts_over_without_counting_bytes_twice(big: Path, tmp_path: Path) -> None:
    data = big.read_bytes().replace(b"com/19999<", b"com/?a&b<")
    calls = convert(data, tmp_path)
    assert calls[-1] == Progress(20_000, len(data), len(data))
    assert max(now.bytes for now in calls) == len(data)


def test_sizes_of_several_sources_add_up(tmp_path: Path) -> None:
    one, other = sitemap(3), sitemap(4, first=3)
    stream = io.BytesIO(b"before it" + other)
    stream.seek(len(b"before it"))
    size = len(one) + len(other)
    assert convert([one, stream], tmp_path)[-1] == Progress(7, size, size)


def test_rejected_records_count_as_read(tmp_path: Path) -> None:
    assert convert(b"https://example.com/\nnot an address\n", tmp_path, from_="text")[-1].entries == 2


class Pipe(io.RawIOBase):
    """A stream that can be read once."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        return self._data.readinto(buffer)  # type: ignore[arg-type]


def test_nobody_knows_the_size_of_a_pipe_or_an_address(tmp_path: Path) -> None:
    data = sitemap(3)
    assert convert(Pipe(data), tmp_path)[-1] == Progress(3, len(data), None)
    fetched = convert("https://example.com/sitemap.xml", tmp_path, fetch=lambda _: data)
    assert fetched[-1] == Progress(3, len(data), None)
    assert convert([sitemap(1, first=9), "https://example.com/s.xml"], tmp_path, fetch=lambda _: data)[-1].total is None


def test_the_documents_of_a_list_are_read_too_and_their_size_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap(3))
    children = "<sitemap><loc>https://example.com/a.xml</loc></sitemap>"
    index = tmp_path / "index.xml"
    index.write_text(f'{HEAD}<sitemapindex xmlns="{SITEMAP}">{children}</sitemapindex>')
    size = sum((tmp_path / name).stat().st_size for name in ("a.xml", "index.xml"))
    assert convert(index, tmp_path)[-1] == Progress(3, size, None)
    listed = convert(index, tmp_path, follow=False)[-1]
    assert listed == Progress(1, index.stat().st_size, index.stat().st_size)


def test_a_folder_has_no_bytes(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("a")
    assert convert(tmp_path / "site", tmp_path, base_url="https://example.com/")[-1] == Progress(1, 0, None)


def test_what_is_no_source_is_refused_as_ever(tmp_path: Path) -> None:
    with pytest.raises(urlset.UrlsetError, match="binary stream"):
        convert(io.StringIO("text"), tmp_path)
    with pytest.raises(urlset.UrlsetError, match="no such file"):
        convert(tmp_path / "missing.xml", tmp_path)


@pytest.mark.usefixtures("eager")
def test_reading_checking_and_looking_tell_it_as_well() -> None:
    data, last = sitemap(9), Progress(9, len(sitemap(9)), len(sitemap(9)))
    calls: list[Progress] = []
    assert len(list(urlset.read(data, progress=calls.append))) == 9
    urlset.validate(data, progress=calls.append)
    urlset.info(data, progress=calls.append)
    assert calls.count(last) >= 3


def test_written_entries_are_counted(tmp_path: Path) -> None:
    calls: list[Progress] = []
    entries = (Entry(loc=f"https://example.com/{n}") for n in range(2_500))
    urlset.write(entries, tmp_path / "out.txt", progress=calls.append)
    assert calls[-1] == Progress(2_500, 0, None)


@pytest.mark.usefixtures("eager")
def test_written_entries_are_told_now_and_then(tmp_path: Path) -> None:
    calls: list[Progress] = []
    urlset.write(
        (Entry(loc=f"https://example.com/{n}") for n in range(2_500)), tmp_path / "o.txt", progress=calls.append
    )
    assert [now.entries for now in calls] == [1_000, 2_000, 2_500]


def test_the_job_of_a_generator_tells_of_all_its_inputs(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("https://example.com/1\n")
    (tmp_path / "two.txt").write_text("https://example.com/2\n")
    inputs = '<urllist path="one.txt"/><urllist path="two.txt"/><url href="https://example.com/3"/>'
    site = f'<site base_url="https://example.com/" store_into="{tmp_path}/out.xml">{inputs}</site>'
    (tmp_path / "config.xml").write_text(site)
    calls: list[Progress] = []
    generator.run(tmp_path / "config.xml", progress=calls.append)
    assert calls[-1] == Progress(3, 44, 44)


# --- how often, and what if the caller has enough


def test_calls_are_a_tenth_of_a_second_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 0.05, 0.1, 0.15, 0.19, 0.21])
    monkeypatch.setattr("urlset.converters.progress.time.monotonic", lambda: next(now))
    calls: list[Progress] = []
    meter = Meter(calls.append, Ledger(), [b"12345"])
    told = []
    for _ in range(5):
        meter.tick()
        told.append(len(calls))
    assert told == [0, 1, 1, 1, 2]


@pytest.mark.usefixtures("eager")
def test_an_error_of_the_callers_ends_the_job_and_leaves_nothing(big: Path, tmp_path: Path) -> None:
    def enough(now: Progress) -> None:
        if now.bytes > 200_000:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        urlset.convert(big, tmp_path / "out.txt", progress=enough)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.xml"]


def test_a_source_knows_its_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert Source.from_path(tmp_path / "a").size == 3
    assert Source.from_bytes(b"abcd").size == 4
    assert Source.of(Pipe(b"abc")).size is None
    assert Source.from_path(tmp_path).size is None
    assert Source.from_path(tmp_path / "missing").size is None
    assert Source.from_path("a\0b").size is None
    with (tmp_path / "a").open("rb") as stream:
        stream.seek(1)
        source = Source.of(stream)
        assert (source.size, stream.tell()) == (2, 1)
    with gzip.open(io.BytesIO(gzip.compress(b"abc"))) as packed:
        assert Source.of(packed).size is None


# --- the bar


@pytest.mark.parametrize(
    ("now", "seconds", "text"),
    [
        (Progress(0, 0, None), 0.0, "0 URLs"),
        (Progress(12_345, 3_000_000, 9_000_000), 2.0, "12,345 URLs, 6,172/s, 3.0 of 9.0 MB, 0:04 left"),
        (Progress(100, 3_000_000, 9_000_000), 0.5, "100 URLs, 200/s, 3.0 of 9.0 MB"),
        (Progress(100, 3_000_000, None), 10.0, "100 URLs, 10/s, 3.0 MB"),
        (Progress(100, 0, None), 10.0, "100 URLs, 10/s"),
        (Progress(100, 0, 500), 10.0, "100 URLs, 10/s, 0.0 of 0.0 MB"),
        (Progress(1, 1_000_000, 8_000_000_000), 1.0, "1 URLs, 1/s, 1.0 of 8,000.0 MB, 2:13:19 left"),
        (Progress(9, 900, 800), 3.0, "9 URLs, 3/s, 0.0 of 0.0 MB, all read, writing"),
    ],
)
def test_the_bar_says_how_far_it_is(now: Progress, seconds: float, text: str) -> None:
    assert described(now, seconds) == text


class Screen(io.StringIO):
    """A terminal that keeps what it was sent."""

    def isatty(self) -> bool:
        return True


def test_the_bar_shows_what_it_was_told_last(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Screen()
    monkeypatch.setattr(show, "stderr", Console(file=terminal, force_terminal=True, width=100, _environ={}))
    with bar(None, quiet=False) as on_progress:
        assert on_progress is not None
        on_progress(Progress(5, 1_000_000, 2_000_000))
    assert re.search(r"5 URLs, [0-9,]+/s, 1.0 of 2.0 MB", terminal.getvalue())
    with bar(None, quiet=True) as on_progress:
        assert on_progress is None
    monkeypatch.setattr(show, "stderr", Console(file=io.StringIO(), force_terminal=True))
    with bar(True, quiet=False) as on_progress:
        assert on_progress is None


def on_terminal(folder: Path, *arguments: str, stdout_too: bool = False, env: Mapping[str, str] = {}) -> str:
    """Standard error of the command line, as a terminal gets it."""
    master, slave = pty.openpty()
    surroundings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, "-m", "urlset", *arguments]
    stdout = slave if stdout_too else subprocess.DEVNULL
    environment = {**surroundings, "TERM": "xterm", "COLUMNS": "120", "PYTHONUTF8": "1", **env}
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=slave, stdout=stdout, stderr=slave):
        os.close(slave)
        text = b"".join(_blocks(master))
    os.close(master)
    return text.decode()


def _blocks(master: int) -> Iterator[bytes]:
    """What comes until the last process lets go of the terminal, which Linux tells by EIO and others by nothing."""
    while True:
        try:
            block = os.read(master, 65_536)
        except OSError:
            return
        if not block:
            return
        yield block


def screen(text: str) -> list[str]:
    """The lines that are left on a terminal that was sent ``text``."""
    lines, row = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
        if part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part.endswith("A") and part.startswith("\x1b"):
            row -= int(part[2:-1] or 1)
        elif part.endswith("K") and part.startswith("\x1b"):
            lines[row] = ""
        elif not part.startswith("\x1b") and part != "\r":
            lines[row] += part
    return [line for line in lines if line]


BAR = re.compile(r"URLs, [0-9,]+/s")


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end(big: Path, tmp_path: Path) -> None:
    text = on_terminal(tmp_path, "convert", str(big), "-o", "out.txt")
    size = f"{big.stat().st_size / 1e6:.1f}"
    assert re.search(rf"20,000 URLs, [0-9,]+/s, {size} of {size} MB", text)
    assert screen(text) == ["20,000 read, 20,000 written → out.txt"]


@pytest.mark.parametrize("command", ["info", "validate"])
def test_looking_and_checking_have_one_too(samples: Path, command: str) -> None:
    text = on_terminal(samples, command, "blog.rss", stdout_too=True)
    assert BAR.search(text)
    assert not any(BAR.search(line) for line in screen(text))


@pytest.mark.parametrize(
    ("options", "env"),
    [
        (["--no-progress"], {}),
        (["--quiet"], {}),
        (["--quiet", "--progress"], {}),
        (["--progress"], {"TERM": "dumb"}),
    ],
)
def test_no_bar_where_none_is_wanted_or_possible(samples: Path, options: list[str], env: dict[str, str]) -> None:
    text = on_terminal(samples, "convert", "blog.rss", "-o", "out.txt", *options, env=env)
    assert not BAR.search(text)
    assert "\x1b[" not in re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert (text == "") == ("--quiet" in options)


def test_entries_that_scroll_by_have_the_terminal_to_themselves(samples: Path) -> None:
    assert not BAR.search(on_terminal(samples, "convert", "blog.rss", "-o", "-", "--to", "text", stdout_too=True))


@pytest.mark.parametrize("options", [[], ["--progress"]])
@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": "1", "TERM": "xterm"}])
def test_a_pipe_gets_no_bar(samples: Path, run_urlset: Run, options: list[str], env: dict[str, str]) -> None:
    done = run_urlset("convert", "blog.rss", "-o", "-", "--to", "text", *options, cwd=samples, env=env)
    assert done.returncode == 0
    assert b"URLs" not in done.stderr
    assert b"\x1b[?25l" not in done.stderr
