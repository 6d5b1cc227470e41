"""The tables of speed and memory, each job in a process of its own; one command makes them and saves the figures.

python -m benchmarks.table --entries 50000,1000000 --rounds 3 --peers DIR --save NAME
python -m benchmarks.table --no-speed --memory 100000,1000000 --save NAME
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import documents, ours, peers, report, saved
from benchmarks.process import run
from benchmarks.rounds import Measured, measure
from benchmarks.saved import Row

REFERENCE = 1.5e-6
"""Seconds in which the reference machine scans an entry of four tags."""
FEED_MOST = 50_000
"""Items of a feed at most: some peers take a second for 3,500."""

SPEED = {
    "read sitemap": ("sitemap", "read"),
    "load sitemap": ("sitemap", "load"),
    "convert sitemap to sitemap": ("sitemap", "convert=out.xml"),
    "convert text to sitemap": ("text", "convert=out.xml"),
    "convert csv to sitemap": ("csv", "convert=out.xml"),
    "validate sitemap": ("sitemap", "validate"),
}
"""Our jobs by name: the format of the document, and what ``benchmarks.ours`` calls the job."""

FRAMES = ("advertools",)
"""Peers that read a sitemap into a table, as ``load`` does; they stand beside it too."""

READERS = ("sitemap", "text", "csv", "rss", "atom", "jsonl")
WRITERS = {"sitemap": "out.xml", "text": "out.txt", "csv": "out.csv", "jsonl": "out.jsonl", "sitemap.gz": "out.xml.gz"}


# --- speed


def speed(folder: Path, entries: int, rounds: int, peer_folder: Path | None, run_: saved.Run) -> None:
    """Our jobs beside the scan of a sitemap with the same entries, and the peers that read sitemaps."""
    scan = (*ours.command("scan"), *documents.pair("sitemap", folder, entries))
    own = {
        name: (*ours.command(job), *documents.pair(format_name, folder, entries))
        for name, (format_name, job) in SPEED.items()
    }
    others = _peer_commands("sitemap", folder, entries, peer_folder)
    found = measure(scan, {**own, **others}, rounds)
    for name in own:
        _keep_speed(name, entries, found[name], run_)
    for name in others:
        for job in ("read sitemap", "load sitemap") if name in FRAMES else ("read sitemap",):
            _keep_peer(job, entries, name, found[name], found[job], run_)


def feeds(folder: Path, entries: int, rounds: int, peer_folder: Path | None, run_: saved.Run) -> None:
    """Reading the same items as RSS, beside the peers that read feeds."""
    scan = (*ours.command("scan"), *documents.pair("rss", folder, entries))
    own = {"read rss": (*ours.command("read"), *documents.pair("rss", folder, entries))}
    others = _peer_commands("rss", folder, entries, peer_folder)
    found = measure(scan, {**own, **others}, rounds)
    _keep_speed("read rss", entries, found["read rss"], run_, four_tags=False)
    for name in others:
        _keep_peer("read rss", entries, name, found[name], found["read rss"], run_)


def _peer_commands(
    format_name: str, folder: Path, entries: int, peer_folder: Path | None
) -> dict[str, tuple[str, ...]]:
    pair = documents.pair(format_name, folder, entries)
    return {name: (*command, *pair) for name, command in peers.installed(peer_folder, format_name).items()}


def _keep_speed(name: str, entries: int, found: Measured, run_: saved.Run, *, four_tags: bool = True) -> None:
    """``four_tags``: the scan was one of the sitemap that the reference machine scans, too."""
    if found.failure:
        raise SystemExit(f"{name}: {found.failure}")
    if found.last.entries != entries:
        raise SystemExit(f"{name}: {found.last.entries} entries instead of {entries}")
    figures = found.figures()
    figures["rate"] = rate = entries / figures["seconds"]
    if four_tags:
        figures["scaled"] = rate * figures["scan"] / entries / REFERENCE
    run_.rows.append(Row("speed", name, entries, figures))


def _keep_peer(job: str, entries: int, name: str, found: Measured, own: Measured, run_: saved.Run) -> None:
    if found.failure:
        run_.left_out.append(f"{name}, {job}, {entries:,} entries: {found.failure}")
        return
    figures = {**found.figures(), "ratio": found.times(own)}
    count = found.last.entries
    remark = "" if count == entries else f"found {count:,}"
    run_.rows.append(Row("peers", job, entries, figures, name, found.last.version, remark))


# --- memory


def memory(sizes: tuple[int, int], workers: int, run_: saved.Run) -> None:
    """The peak of reading, checking and writing every format, at two sizes; ``workers`` jobs at once."""
    for reader in READERS:
        with TemporaryDirectory(prefix="urlset-") as name, ThreadPoolExecutor(workers) as pool:
            pairs = [documents.pair(reader, Path(name), size) for size in sizes]
            run_.rows.extend(pool.map(partial(_growth, sizes=sizes, pairs=pairs), _memory_jobs(reader)))


def _memory_jobs(reader: str) -> Iterator[tuple[str, str]]:
    yield f"read {reader}", "read"
    yield f"validate {reader}", "validate"
    for writer, target in WRITERS.items():
        yield f"convert {reader} to {writer}", f"convert={target}"


def _growth(job: tuple[str, str], sizes: tuple[int, int], pairs: Sequence[tuple[str, str]]) -> Row:
    name, what = job
    sys.stderr.write(f"memory: {name}\n")
    small, large = (run((*ours.command(what), *pair)) for pair in pairs)
    for outcome, size in zip((small, large), sizes, strict=True):
        if outcome.entries != size:
            raise SystemExit(f"{name}: {outcome.entries} entries instead of {size}")
    figures = {
        "small": float(sizes[0]),
        "small_mb": small.peak_mb,
        "large_mb": large.peak_mb,
        "growth": large.peak_mb / small.peak_mb,
    }
    return Row("memory", name, sizes[1], figures)


# --- the command


def _numbers(text: str) -> tuple[int, ...]:
    parts = [part.replace("_", "").strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not one or several numbers from 1 on, such as 50000,100000")
    return tuple(map(int, parts))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__)
    parser.add_argument("--entries", type=_numbers, default=(50_000,), metavar="N,…", help="sizes; 50000")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds of each job; 3")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="what 'benchmarks.peers install' made")
    parser.add_argument("--no-speed", action="store_true", help="memory only")
    parser.add_argument("--memory", type=_numbers, metavar="SMALL,LARGE", help="measure peaks at these sizes too")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="memory jobs at once; 1")
    parser.add_argument("--save", metavar="NAME", help="save the figures under this name")
    parser.add_argument("--into", type=Path, default=saved.FOLDER, metavar="DIR", help="where; benchmarks/saved")
    given = parser.parse_args()
    if given.peers is not None and not (given.peers / peers.RECORD).is_file():
        how = "make it with 'python -m benchmarks.peers install --into DIR'"
        parser.error(f"--peers {given.peers}: there is no {peers.RECORD} in it; {how}")
    if given.memory is not None and len(given.memory) != 2:
        parser.error("--memory takes two sizes, such as 100000,1000000")
    return given


def _parts(given: argparse.Namespace, folder: Path, run_: saved.Run) -> Iterator[Callable[[], None]]:
    """What is measured, from the shortest to the longest."""
    if not given.no_speed:
        for entries in sorted({min(entries, FEED_MOST) for entries in given.entries}):
            yield partial(feeds, folder, entries, given.rounds, given.peers, run_)
        for entries in sorted(given.entries):
            yield partial(speed, folder, entries, given.rounds, given.peers, run_)
    if given.memory is not None:
        yield partial(memory, given.memory, given.workers, run_)


def main() -> None:
    """Measure, save and print."""
    given = _arguments()
    run_ = saved.begin()
    with TemporaryDirectory(prefix="urlset-") as name:
        folder = Path(name)
        for part in _parts(given, folder, run_):
            part()
            if given.save:  # after each, since a long run may be broken off
                saved.save(run_, given.into / f"{given.save}.json")
    sys.stdout.write("\n".join(report.of_run(run_)) + "\n")


if __name__ == "__main__":
    main()
