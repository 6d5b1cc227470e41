"""Folder: the static files of a directory tree, as a web server would send them.

Specification: RFC 3986 3.3 for how a name becomes a segment of a path; the walk is that of Google's sitemap_gen.py
(2005) but for what is said here. A folder has no address, so ``base_url`` gives that of its root.

Every file is an entry, whatever its type. The default file (index.html) is listed as its folder, ``docs/``, and not by
its own name; a folder without one is not listed, since most servers answer 403 or 404 there. Names become
percent-escapes of their UTF-8, or of whatever bytes they are. Links to files are files; a link to a folder counts if
a default file is there, and is not descended into, so cycles end. Hidden names (``.git``, ``.htaccess``) are left out
as filtered, with what is in them, and so is what is no file (a pipe, a device). The files that the job itself writes
are no records.

Order: a folder before what is in it, then by name, byte by byte. The names of one folder and of those round it are held
in memory, never the tree.

Carries: loc, and lastmod: the time when the file was changed, in UTC, in whole seconds. A folder's own time tells when
a file in it was added or removed, which is no page's date, so it is not used.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Entry, Origin, sound
from urlset.formats.vocabulary.errors import OptionError, SourceError
from urlset.formats.vocabulary.format import Format, Head, ReadOptions
from urlset.formats.vocabulary.ledger import Account
from urlset.formats.vocabulary.record import date_of, usable_loc
from urlset.formats.vocabulary.source import Source

_IN_SEGMENT = "-._~!$&'()*+,;=:@"
"""What a segment may hold raw beside letters and digits (RFC 3986 3.3)."""

_LIES_NOWHERE = "it is a link that leads nowhere"


class _Place(NamedTuple):
    """A folder on disk, in bytes since names need not be UTF-8, and its address, which ends in a slash."""

    path: bytes
    address: str


def sniff(head: Head) -> bool:
    """A folder is known by being one."""
    return head.folder


def read(source: Source, account: Account, options: ReadOptions) -> Iterator[Entry]:
    """The entries, one a file.

    Raises OptionError without ``base_url`` or if it is no address of a folder, SourceError if the folder can't be read.
    """
    if source.path is None or not source.is_folder:
        raise SourceError("it is no folder", source=source.name)
    root = _Place(os.fsencode(source.path), _address(options))
    try:
        names = _names(root.path)
    except OSError as error:
        raise SourceError(f"it can't be read: {error.strerror}", source=source.name) from error
    yield from _Walk(account, options, root.path).entries(root, names)


def _address(options: ReadOptions) -> str:
    base = options.base_url
    if base is None:
        message = "a folder does not say where its files live; give the address with --base-url https://example.com/"
        raise OptionError(message, format="folder")
    parts = urls.split(base)
    if not urls.is_absolute(base) or parts.query is not None or parts.fragment is not None:
        message = f"--base-url must be the address of a folder, such as https://example.com/, not {base!r}"
        raise OptionError(message, format="folder", value=base)
    return base.rstrip("/") + "/"


def _names(folder: bytes) -> list[os.DirEntry[bytes]]:
    with os.scandir(folder) as found:
        return sorted(found, key=lambda one: one.name)


def _own(options: ReadOptions, root: bytes) -> dict[bytes, re.Pattern[str]]:
    """The names that the job writes, by folder as the walk calls it."""
    inside = os.path.join(os.path.realpath(root), b"")  # noqa: PTH118 - a path in bytes
    folders = {os.path.join(os.fsencode(folder), b""): names for folder, names in options.own.items()}  # noqa: PTH118
    return {
        os.path.join(root, folder[len(inside) : -1]) if folder != inside else root: names  # noqa: PTH118
        for folder, names in folders.items()
        if folder.startswith(inside)
    }


class _Walk:
    """Goes through one tree and reports to its account."""

    def __init__(self, account: Account, options: ReadOptions, root: bytes) -> None:
        self._account = account
        self._options = options
        self._default = os.fsencode(options.default_file)
        self._own = _own(options, root)

    def entries(self, root: _Place, names: list[os.DirEntry[bytes]]) -> Iterator[Entry]:
        """The entries of the tree. Depth is bounded by the length of a path, so it is no recursion."""
        open_folders = [self._listed(root, names)]
        while open_folders:
            found = next(open_folders[-1], None)
            if found is None:
                open_folders.pop()
            elif isinstance(found, Entry):
                yield found
            else:
                open_folders.append(self._folder(found))

    def _folder(self, place: _Place) -> Iterator[Entry | _Place]:
        try:
            names = _names(place.path)
        except OSError as error:
            self._account.count()
            self._unreadable(place.path, place.address, error.strerror)
        else:
            yield from self._listed(place, names)

    def _listed(self, place: _Place, names: list[os.DirEntry[bytes]]) -> Iterator[Entry | _Place]:
        """What is in one folder: entries, and the folders to go into."""
        own = self._own.get(place.path)
        # The folder itself comes before what is in it.
        for one in sorted(names, key=lambda one: one.name != self._default):
            if own is not None and own.fullmatch(os.fsdecode(one.name)):
                continue
            if one.name.startswith(b"."):
                self._leave_out("hidden-file", "names that begin with a dot are hidden; they are left out", one.path)
                continue
            if (found := self._found(one, place)) is not None:
                yield found

    def _found(self, one: os.DirEntry[bytes], place: _Place) -> Entry | _Place | None:
        address = place.address + quote_from_bytes(one.name, _IN_SEGMENT)
        try:
            if one.is_dir(follow_symlinks=False):
                return _Place(one.path, f"{address}/")
            if one.is_dir():
                return self._linked_folder(one, f"{address}/")
            status = one.stat()
        except OSError as error:
            lost = isinstance(error, FileNotFoundError) and one.is_symlink()
            self._account.count()
            self._unreadable(one.path, address, _LIES_NOWHERE if lost else error.strerror)
            return None
        if not stat.S_ISREG(status.st_mode):
            self._leave_out("not-a-page", "it is neither a file nor a folder; it is left out", one.path)
            return None
        return self._entry(place.address if one.name == self._default else address, status.st_mtime_ns)

    def _linked_folder(self, one: os.DirEntry[bytes], address: str) -> Entry | None:
        try:
            status = os.stat(os.path.join(one.path, self._default))  # noqa: PTH116, PTH118 - a path in bytes
        except FileNotFoundError:
            return None
        return self._entry(address, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None

    def _entry(self, address: str, changed: int) -> Entry | None:
        """An entry; ``changed`` is in nanoseconds since 1970-01-01T00:00:00Z."""
        account, options = self._account, self._options
        account.count()
        loc = usable_loc(account, options, address, None)
        if loc is None:
            return None
        return sound(loc, Origin(account.name), {"lastmod": date_of(account, options, _in_utc(changed), None)})

    def _leave_out(self, rule: str, message: str, path: bytes) -> None:
        self._account.count()
        self._account.filter()
        self._account.find_cause(rule, "left out", message, value=os.fsdecode(path))

    def _unreadable(self, path: bytes, address: str, why: str | None) -> None:
        name = os.fsdecode(path)
        message = f"{name} can't be read: {why}"
        self._account.reject("unreadable-file", message, value=name, fields={"loc": address})


def _in_utc(nanoseconds: int) -> str:
    seconds = nanoseconds // 1_000_000_000
    try:
        at = time.gmtime(seconds)
    except (OverflowError, OSError):  # some file systems hold times that no calendar does
        return f"@{seconds}"
    return f"{at.tm_year:04}-{at.tm_mon:02}-{at.tm_mday:02}T{at.tm_hour:02}:{at.tm_min:02}:{at.tm_sec:02}Z"


FOLDER = Format(
    name="folder",
    title="Static files",
    specification="https://www.rfc-editor.org/rfc/rfc3986#section-3.3",
    suffixes=(),
    media_types=(),
    carries=frozenset({"loc", "lastmod"}),
    sniff=sniff,
    read=read,
    of_folders=True,
)
