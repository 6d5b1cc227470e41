"""Other libraries that read what urlset reads, each in an environment and a process of its own.

    python -m benchmarks.peers install --into DIR

makes the environments. Each library has one small adapter here, which does the least that its users would do and
prints what ``benchmarks.process`` says. None of them tells what it dropped, and most hold the whole document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process import ROOT

RECORD = "peers.json"
"""The file in an installation that names the command and the version of each peer."""


@dataclass(frozen=True)
class Peer:
    """A library: its name, its package on PyPI or npm, the file of its adapter here, and what it reads."""

    name: str
    package: str
    adapter: str
    formats: frozenset[str]

    @property
    def is_node(self) -> bool:
        """Whether it is JavaScript."""
        return self.adapter.endswith(".mjs")


_SITEMAPS = frozenset({"sitemap"})
_FEEDS = frozenset({"rss", "atom"})

PEERS = (
    Peer("Scrapy", "scrapy", "with_scrapy.py", _SITEMAPS),
    Peer("ultimate-sitemap-parser", "ultimate-sitemap-parser", "with_usp.py", _SITEMAPS | _FEEDS),
    Peer("advertools", "advertools", "with_advertools.py", _SITEMAPS),
    Peer("site-map-parser", "site-map-parser", "with_site_map_parser.py", _SITEMAPS),
    Peer("sitemap.js", "sitemap", "with_sitemap_js.mjs", _SITEMAPS),
    Peer("feedparser", "feedparser", "with_feedparser.py", _FEEDS),
    Peer("fastfeedparser", "fastfeedparser", "with_fastfeedparser.py", _FEEDS),
    Peer("feedparser-rs", "feedparser-rs", "with_feedparser_rs.py", _FEEDS),
)


def installed(folder: Path | None, format_name: str) -> dict[str, tuple[str, ...]]:
    """The commands of the peers in an installation that read a format; a document and a small one follow each."""
    if folder is None:
        return {}
    known: Mapping[str, Mapping[str, object]] = json.loads((folder / RECORD).read_text("utf-8"))
    reading = [peer for peer in PEERS if format_name in peer.formats and peer.name in known]
    return {peer.name: command(peer, folder) for peer in reading}


def command(peer: Peer, folder: Path) -> tuple[str, ...]:
    """How an adapter is started."""
    home = (folder / peer.package).resolve()
    if peer.is_node:
        return ("node", str(ROOT / "benchmarks" / "peers" / peer.adapter), str(home))
    return (str(home / "bin" / "python"), "-m", f"benchmarks.peers.{Path(peer.adapter).stem}")
