"""urlset: any list of URLs into any other.

    import urlset
    for entry in urlset.read("feed.xml"): ...
    urlset.convert("feed.xml", "sitemap.xml")
    urlset.load("sitemap.xml").to_pandas()

Everything here is loaded when it is first used, so that importing urlset is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.converters.convert import Result, convert, read, write
    from urlset.converters.diff import Change, Diff, Move, diff
    from urlset.converters.explore.inventory import Inventory, load
    from urlset.converters.index import index
    from urlset.converters.info import Info, info
    from urlset.converters.migrate import migrate
    from urlset.converters.options import Options
    from urlset.converters.progress import Progress
    from urlset.converters.sarif import sarif_log
    from urlset.converters.validate import validate
    from urlset.formats import registry
    from urlset.formats.catalogue import RULES
    from urlset.formats.vocabulary.dates import LastMod, Precision
    from urlset.formats.vocabulary.entry import (
        Alternate,
        ContentSegment,
        DataObject,
        Entry,
        Image,
        News,
        Origin,
        PageMap,
        PageMapAttribute,
        Price,
        Publication,
        TvShow,
        Video,
        VideoId,
    )
    from urlset.formats.vocabulary.errors import UrlsetError
    from urlset.formats.vocabulary.findings import Finding
    from urlset.formats.vocabulary.format import Format
    from urlset.formats.vocabulary.ledger import Ledger
    from urlset.formats.vocabulary.limits import Limits
    from urlset.formats.vocabulary.source import Source

    __version__: str

_HOMES = {
    "urlset.converters.convert": ("Result", "convert", "read", "write"),
    "urlset.converters.explore.inventory": ("Inventory", "load"),
    "urlset.converters.diff": ("Change", "Diff", "Move", "diff"),
    "urlset.converters.index": ("index",),
    "urlset.converters.info": ("Info", "info"),
    "urlset.converters.migrate": ("migrate",),
    "urlset.converters.options": ("Options",),
    "urlset.converters.progress": ("Progress",),
    "urlset.converters.sarif": ("sarif_log",),
    "urlset.converters.validate": ("validate",),
    "urlset.formats": ("registry",),
    "urlset.formats.catalogue": ("RULES",),
    "urlset.formats.vocabulary.dates": ("LastMod", "Precision"),
    "urlset.formats.vocabulary.entry": (
        "Alternate",
        "ContentSegment",
        "DataObject",
        "Entry",
        "Image",
        "News",
        "Origin",
        "PageMap",
        "PageMapAttribute",
        "Price",
        "Publication",
        "TvShow",
        "Video",
        "VideoId",
    ),
    "urlset.formats.vocabulary.errors": ("UrlsetError",),
    "urlset.formats.vocabulary.findings": ("Finding",),
    "urlset.formats.vocabulary.format": ("Format",),
    "urlset.formats.vocabulary.ledger": ("Ledger",),
    "urlset.formats.vocabulary.limits": ("Limits",),
    "urlset.formats.vocabulary.source": ("Source",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "RULES",
    "Alternate",
    "Change",
    "ContentSegment",
    "DataObject",
    "Diff",
    "Entry",
    "Finding",
    "Format",
    "Image",
    "Info",
    "Inventory",
    "LastMod",
    "Ledger",
    "Limits",
    "Move",
    "News",
    "Options",
    "Origin",
    "PageMap",
    "PageMapAttribute",
    "Precision",
    "Price",
    "Progress",
    "Publication",
    "Result",
    "Source",
    "TvShow",
    "UrlsetError",
    "Video",
    "VideoId",
    "__version__",
    "convert",
    "diff",
    "index",
    "info",
    "load",
    "migrate",
    "read",
    "registry",
    "sarif_log",
    "validate",
    "write",
]


def __getattr__(name: str) -> object:
    """Load a public name from its home on first use (PEP 562)."""
    if name == "__version__":
        value: object = import_module("importlib.metadata").version("urlset")
    elif name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'urlset' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
