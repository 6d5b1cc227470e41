"""The configuration of sitemap_gen.py 1.x: one ``site`` with its inputs and filters.

Source: the documentation and ChangeLog of Google's sitemap_gen.py 1.0 to 1.5 (2005 to 2007). As there, an element or
attribute that is unknown stops the job; here all that is wrong is told at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.decode import sniff_encoding
from urlset.formats.vocabulary.errors import LimitError, OptionError, ReadError, UrlsetError
from urlset.formats.vocabulary.format import Head
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.source import Source

MAX_BYTES = 16 << 20
"""Bytes of a configuration that is read: well above any that a person writes."""

NEWS_COLUMNS = ("loc", "changefreq", "priority", "lastmod", "publication_date", "keywords", "stock_tickers")
"""What ``tag_order`` may name."""


class Input(NamedTuple):
    """One input: the name of its element, its line, and its attributes."""

    kind: str
    line: int
    values: Mapping[str, str]


@dataclass(frozen=True)
class Config:
    """What a configuration says.

    ``base_url`` ends in a slash, as sitemap_gen.py makes it. ``filters`` are rules of :func:`steps.filtered`. Paths are
    as they stand in the file; :meth:`path` finds them.
    """

    folder: Path
    base_url: str
    store_into: str
    sitemap_type: str = "web"
    default_encoding: str | None = None
    notifies: bool = True
    inputs: tuple[Input, ...] = ()
    filters: tuple[str, ...] = ()

    def path(self, name: str) -> Path:
        """A path of the configuration; a relative one is meant from the folder that the configuration is in."""
        return self.folder / name


def is_config(path: str | os.PathLike[str]) -> bool:
    """Whether a file is such a configuration: its root is a ``site`` in no namespace. Never raises."""
    try:
        with Source.from_path(path) as source:
            prolog = Head.of(source).prolog
    except UrlsetError:
        return False
    return prolog is not None and (prolog.root, prolog.namespace) == ("site", "")


def read_config(path: str | os.PathLike[str], account: Account) -> Config:
    """The configuration in a file.

    Everything that is wrong with it goes to ``account``, rule ``invalid-setting``. Raises ReadError then; its notes
    (PEP 678) have the list too.
    """
    root = _root(path, account)
    checked = _Checked(account)
    config = checked.config(root, Path(path).parent)
    if checked.faults:
        raise _refusal(checked.faults, account)
    return config


def _root(path: str | os.PathLike[str], account: Account) -> etree._Element:
    data = _bytes(path, account)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        rule = "xml-not-well-formed"
        message = str(error.msg).partition(", line ")[0]
        raise ReadError(message, source=account.name, line=error.lineno, rule=rule) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise ReadError("a configuration has no DOCTYPE", source=account.name, rule="entity-declaration")
    return root


def _bytes(path: str | os.PathLike[str], account: Account) -> bytes:
    data = bytearray()
    with Source.from_path(path) as source, source.open(account.report) as stream:
        while piece := stream.read(MAX_BYTES):
            data += piece
            if len(data) > MAX_BYTES:
                raise LimitError(f"a configuration has no more than {MAX_BYTES:,} bytes", source=account.name)
    return bytes(data)


class _Fault(NamedTuple):
    line: int
    message: str


def _refusal(faults: list[_Fault], account: Account) -> ReadError:
    first = faults[0]
    message = first.message if len(faults) == 1 else f"{len(faults)} settings are wrong, so nothing was done"
    line = first.line if len(faults) == 1 else None
    error = ReadError(message, source=account.name, line=line, rule="invalid-setting")
    for fault in faults:
        error.add_note(f"{account.name}:{fault.line}: {fault.message}")
    return error


# --- values: what is wrong with one, or None

_Check = Callable[[str], str | None]


def _one_of(*words: str) -> _Check:
    return lambda value: None if value in words else f"it is one of {', '.join(words)}"


def _encoding(value: str) -> str | None:
    try:
        sniff_encoding(b"", None, value)
    except OptionError:
        return "there is no such text encoding"
    return None


def _base_url(value: str) -> str | None:
    if not urls.is_absolute(value):
        return "it must be an absolute address such as http://www.example.com/"
    parts = urls.split(value)
    if parts.query is not None or parts.fragment is not None:
        return "it must be the address of a folder, without query and fragment"
    return None


def _store_into(value: str) -> str | None:
    return None if value.lower().endswith((".xml", ".gz")) else "its name must end in .xml or .gz"


def _default_file(value: str) -> str | None:
    bad = value in (".", "..") or "/" in value or "\\" in value
    return "it must be the name of a file and no path" if bad else None


def _tag_order(value: str) -> str | None:
    names = columns(value)
    unknown = [name for name in names if name not in NEWS_COLUMNS]
    if unknown:
        return f"there is no column {unknown[0]!r}; there are {', '.join(NEWS_COLUMNS)}"
    return None if names.count("loc") == 1 else "it must name loc once"


def columns(tag_order: str) -> list[str]:
    """The names of the columns of a list of news."""
    return [name.strip() for name in tag_order.split(",")]


@dataclass(frozen=True)
class _Element:
    """The attributes that an element must have and may have, and how values are checked."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    checks: Mapping[str, _Check] = field(default_factory=dict)


_SITE = _Element(
    ("base_url", "store_into"),
    ("verbose", "default_encoding", "suppress_search_engine_notify", "sitemap_type"),
    {
        "base_url": _base_url,
        "store_into": _store_into,
        "verbose": _one_of("0", "1", "2", "3"),
        "default_encoding": _encoding,
        "sitemap_type": _one_of("web", "mobile", "news"),
    },
)
_CHILDREN = {
    "url": _Element(("href",), ("lastmod", "changefreq", "priority")),
    "urllist": _Element(("path",), ("encoding", "tag_order"), {"encoding": _encoding, "tag_order": _tag_order}),
    "directory": _Element(
        ("path", "url"), ("default_file", "remove_empty_directories"), {"default_file": _default_file}
    ),
    "accesslog": _Element(("path",), ("encoding",), {"encoding": _encoding}),
    "sitemap": _Element(("path",)),
    "filter": _Element(
        ("pattern",),
        ("type", "action"),
        {"type": _one_of("wildcard", "regexp"), "action": _one_of("drop", "pass")},
    ),
}


class _Checked:
    """Takes a configuration apart and notes what is wrong with it."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self.faults: list[_Fault] = []

    def config(self, root: etree._Element, folder: Path) -> Config:
        """What the file says, as far as it makes sense."""
        if root.tag != "site":
            self._fault(root, f"the root of a configuration is site, not {root.tag}", str(root.tag))
            return Config(folder, "", "")
        site = self._attributes(root, _SITE)
        base = site.get("base_url", "").rstrip("/") + "/"
        children = list(self._children(root))
        return Config(
            folder=folder,
            base_url=base,
            store_into=site.get("store_into", ""),
            sitemap_type=site.get("sitemap_type", "web"),
            default_encoding=site.get("default_encoding"),
            notifies=site.get("suppress_search_engine_notify", "0").lower() in ("0", "false", ""),
            inputs=tuple(self._input(*child, base) for child in children if child[0].tag != "filter"),
            filters=tuple(self._filter(*child) for child in children if child[0].tag == "filter"),
        )

    def _children(self, root: etree._Element) -> Iterator[tuple[etree._Element, dict[str, str]]]:
        for child in root.iterchildren("*"):
            known = _CHILDREN.get(str(child.tag))
            if known is None:
                names = ", ".join(_CHILDREN)
                self._fault(child, f"there is no element {child.tag}; a site has {names}", str(child.tag))
                continue
            for inner in child.iterchildren("*"):
                self._fault(inner, f"{child.tag} holds no elements, and here is {inner.tag}", str(inner.tag))
            yield child, self._attributes(child, known)

    def _attributes(self, element: etree._Element, known: _Element) -> dict[str, str]:
        """The attributes that are right, by name."""
        found = {str(name): str(value) for name, value in element.attrib.items()}
        allowed = (*known.required, *known.optional)
        for name in [name for name in found if name not in allowed]:
            message = f"{element.tag} has no attribute {name}; it has {', '.join(allowed)}"
            self._fault(element, message, found.pop(name))
        for name in known.required:
            if not found.get(name, "").strip():
                self._fault(element, f"{element.tag} needs an attribute {name}", found.pop(name, None))
        # An empty attribute is as good as none.
        found = {name: value for name, value in found.items() if value.strip()}
        for name, check in known.checks.items():
            if name in found and (wrong := check(found[name])):
                self._fault(element, f"{name} of {element.tag} is {found[name]!r}; {wrong}", found.pop(name))
        return found

    def _input(self, element: etree._Element, values: dict[str, str], base: str) -> Input:
        if element.tag == "directory" and "url" in values and urls.is_absolute(base):
            address = urls.resolve(base, values["url"]).rstrip("/") + "/"
            if not begins_with(base, address):
                message = f"url of directory is {values['url']!r}; it must lie below the base_url, {base}"
                self._fault(element, message, values["url"])
            values["url"] = address
        return Input(str(element.tag), _line(element), values)

    def _filter(self, element: etree._Element, values: dict[str, str]) -> str:
        """The filter as a rule of :func:`steps.filtered`."""
        pattern = values.get("pattern", "")
        if values.get("type") == "regexp":
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                self._fault(element, f"pattern of filter is no regular expression: {error}", pattern)
            pattern = f"~{pattern}"
        elif pattern.startswith("~"):
            pattern = f"[~]{pattern[1:]}"
        return ("+" if values.get("action") == "pass" else "-") + pattern

    def _fault(self, element: etree._Element, message: str, value: str | None) -> None:
        line = _line(element)
        self.faults.append(_Fault(line, message))
        self._account.find("invalid-setting", message, line=line, value=value)


def _line(element: etree._Element) -> int:
    line = element.sourceline
    return line if isinstance(line, int) else 1


def begins_with(base: str, loc: str) -> bool:
    """Whether an address lies at or below a base that ends in a slash, both normalised as in ``urls.dedupe_key``."""
    plainly = loc.startswith(base) and "/." not in loc and "%2" not in loc
    return plainly or urls.dedupe_key(loc).startswith(urls.dedupe_key(base))
