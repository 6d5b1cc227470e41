"""What a conversion can be told, and how it reads for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, TypeAlias, cast

from urlset.converters import steps
from urlset.converters.clock import moment
from urlset.converters.output import Target
from urlset.converters.own_files import own_files
from urlset.converters.progress import OnProgress
from urlset.converters.sources.fetch import Fetch, fetch
from urlset.converters.sources.reading import Documents
from urlset.converters.sources.web.settings import Http
from urlset.formats import registry
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.dates import LastMod, parse_zone
from urlset.formats.vocabulary.entry import Publication
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.format import ReadOptions
from urlset.formats.vocabulary.ledger import Ledger, Reject
from urlset.formats.vocabulary.limits import Limits as ReadLimits
from urlset.formats.vocabulary.news import Paper
from urlset.formats.vocabulary.registry import Registry
from urlset.formats.vocabulary.source import Openable

Sources: TypeAlias = "Openable | Iterable[Openable]"
Rejects = str | os.PathLike[str] | Callable[[Reject], None]


@dataclass(frozen=True)
class Options(Http):
    """Everything that a conversion can be told; the command line has the same names.

    ``max_bytes`` is in bytes, uncompressed. ``rejects`` is a path or a function that takes each Reject.
    ``progress`` is called with a :class:`Progress` at most ten times a second, and once when everything was read.
    ``assume_zone`` is a name such as UTC, +02:00 or Europe/Prague. ``fetch(url) -> bytes`` stands in for HTTP, and
    makes the options of :class:`Http`, which are taken here too, those of its own.

    ``follow``: by default what an index or a robots.txt lists is read; True reads the further pages and archives of
    feeds too, False nothing but the sources.

    A folder lists neither the output with its parts nor ``rejects``, nor ``own_files``, which are others that the
    caller writes, such as a report.

    ``robots_line``: nothing is written unless the addresses of the sitemaps are known, by ``base_url`` or because all
    entries are on one origin; see :attr:`Result.sitemap_addresses`.

    ``news_name`` and ``news_language`` (ISO 639, zh-cn or zh-tw) name the paper of a feed: its items become articles,
    and those published more than 48 hours before ``now`` are left out. ``now`` is W3C Datetime or an aware datetime; by
    default the time of the call.

    ``update`` takes what the output holds already for the first source, and merges as ``dedupe="newest"`` does unless
    ``dedupe`` says otherwise. Without ``base_url`` the parts of a set stay at the address that its index names.
    """

    from_: str | None = None
    to: str | None = None
    base_url: str | None = None
    strict: bool = False
    rejects: Rejects | None = None
    max_urls: int | None = None
    max_bytes: int | None = None
    gzip: bool = False
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    filters: Sequence[str] = ()
    rewrite: Sequence[str] = ()
    dedupe: steps.Dedupe = "none"
    update: bool = False
    sort: bool = False
    follow: bool | None = None
    encoding: str | None = None
    assume_zone: str | None = None
    indexable: bool = False
    xsd: bool = False
    default_file: str = "index.html"
    own_files: Sequence[str | os.PathLike[str]] = ()
    on_loss: steps.OnLoss = "warn"
    robots_line: bool = False
    news_name: str | None = None
    news_language: str | None = None
    now: LastMod | datetime | str | None = None
    fetch: Fetch = fetch
    limits: ReadLimits = field(default_factory=ReadLimits)
    registry: Registry = field(default_factory=registry)
    progress: OnProgress | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("include", "exclude", "filters", "rewrite"):
            if isinstance(getattr(self, name), str):  # one pattern, and no list of letters
                object.__setattr__(self, name, (getattr(self, name),))
        for name in ("max_urls", "max_bytes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                flag = f"--{name.replace('_', '-')}"
                raise OptionError(f"{name} ({flag}) must be at least 1, not {value}", value=str(value))
        if self.base_url is not None and not urls.is_absolute(self.base_url):
            raise OptionError(f"base_url (--base-url) must be an absolute http(s) address, not {self.base_url!r}")
        check_default_file(self.default_file)
        if self.dedupe not in ("none", "first", "last", "newest"):
            raise OptionError(f"dedupe is none, first, last or newest, not {self.dedupe!r}")
        if self.on_loss not in ("warn", "fail", "ignore"):
            raise OptionError(f"on_loss is warn, fail or ignore, not {self.on_loss!r}")
        self.paper()

    def paper(self) -> Paper | None:
        """The paper whose articles the items of feeds are. Raises OptionError for half of one, or another language."""
        name, language = self.news_name, self.news_language
        now = moment(self.now)
        if name is None and language is None:
            return None
        if not name or not name.strip() or language is None:
            raise OptionError("news_name and news_language (--news-name, --news-language) go together")
        from urlset.converters.checks.news import is_language  # with a database that few conversions need

        if not is_language(language):
            message = "news_language (--news-language) is a lower-case code of ISO 639, zh-cn or zh-tw"
            raise OptionError(f"{message}, not {language!r}", value=language)
        return Paper(Publication(name=name.strip(), language=language), now)

    def documents(self, dst: Target | None = None) -> Documents:
        """How the sources are read, if what comes of them is written to ``dst``."""
        zone = parse_zone(self.assume_zone) if self.assume_zone else None
        own = own_files(dst, (self.rejects, *self.own_files))
        reading = ReadOptions(
            self.base_url,
            self.encoding,
            zone,
            self.indexable,
            default_file=self.default_file,
            own=own,
            paper=self.paper(),
        )
        return Documents(self.from_, self.follow, reading, self.limits, self.fetch, self.registry, self, self.progress)

    def steps(self, ledger: Ledger) -> list[steps.Step]:
        """What happens on the way, in this order: include and exclude, filters, rewrite, XSD, dedupe, sort."""
        chosen: list[steps.Step] = []
        if self.include or self.exclude:
            chosen.append(steps.selected(self.include, self.exclude, ledger))
        if self.filters:
            chosen.append(steps.filtered(self.filters, ledger))
        if self.rewrite:
            chosen.append(steps.rewritten(self.rewrite, ledger))
        if self.xsd:
            chosen.append(steps.within_schema(ledger))
        if self.dedupe != "none" or self.update:
            keep = "newest" if self.dedupe == "none" else self.dedupe
            chosen.append(steps.deduplicated(keep, ledger))
        if self.sort:
            chosen.append(steps.in_order)
        return chosen


def check_default_file(name: str) -> None:
    """Raise OptionError unless the default file of folders is a name and no path."""
    if not name or name in (".", "..") or any(mark in name for mark in "/\\\0"):
        message = f"default_file (--default-file) must be the name of a file such as index.html, not {name!r}"
        raise OptionError(message, value=name)


def options_of(options: dict[str, Any]) -> Options:
    """Options by their names. Raises OptionError for a name that there is none of."""
    check_names(options, Options)
    return Options(**options)


def check_names(options: dict[str, Any], kind: type) -> None:
    """Raise OptionError for an option that is no field of this data class."""
    known = [one.name for one in fields(kind)]
    unknown = sorted(options.keys() - set(known))
    if unknown:
        raise OptionError(f"there is no option {unknown[0]!r}; there are {', '.join(known)}", value=unknown[0])


def listed(src: Sources) -> Sequence[Openable]:
    """One source or several, as several; what gives paths one by one, such as ``Path.glob``, is several."""
    if isinstance(src, Iterator) and not hasattr(src, "read"):
        return [*src]
    return src if isinstance(src, list | tuple) else [cast("Openable", src)]
