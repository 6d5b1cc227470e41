"""Entries to files: one file, or numbered parts and an index, moved into place as one set.

Everything is written aside first; only when all of it is there do the names change, the index last. Whatever ends the
job before that leaves the old set untouched. The same entries give the same bytes: no name and no time stand in a gzip
header.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

from urlset.converters.output.earlier import Earlier, earlier_set, is_index, may_be_part
from urlset.converters.output.fill import Limits
from urlset.converters.output.names import Names, address_of
from urlset.converters.output.parts import Finished, Parts
from urlset.converters.output.sheets import Sheets
from urlset.converters.output.staging import Move, Staging, check_target
from urlset.converters.output.workspace import Place
from urlset.formats.vocabulary import urls
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.findings import Finding
from urlset.formats.vocabulary.format import Format
from urlset.formats.vocabulary.ledger import Ledger, Output

Target = str | os.PathLike[str] | BinaryIO

_READ_BY_ENGINES = ("sitemap", "sitemap-index", "text")
"""What may be named in a robots.txt as a sitemap, of what is written."""
_NAMED = 10
"""Addresses that a message names one by one."""


class _Ready(NamedTuple):
    """Files that wait to be moved, what goes with that, and the addresses of what no other lists."""

    files: list[tuple[Move, Output]]
    stale: list[Path]
    addresses: list[str]


class FileSet:
    """Writes entries to a path: to that file, or, when they outgrow one, to parts beside it and an index in its place.

    ``base_url`` is the address of the folder where the files will live; an index needs it, and so does ``addressed``:
    the addresses of what is written to be submitted go to the ledger. ``index`` is the format of an index; more parts
    than one may list take further ones. ``update``: what the path holds is read again and is among the entries; so
    nothing but what is written stays of it, and without ``base_url`` the parts live where they did. Use as a context
    manager: leaving it without :meth:`commit` removes everything that was written. Raises OptionError if another run is
    writing to the path.
    """

    def __init__(
        self,
        path: Path,
        target: Format,
        index: Format,
        ledger: Ledger,
        *,
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        gzipped: bool = False,
        base_url: str | None = None,
        keep: Iterable[Path] = (),
        addressed: bool = False,
        update: bool = False,
    ) -> None:
        assert target.write is not None  # noqa: S101 - the registry hands out writers
        check_target(path)
        if addressed and target.name not in _READ_BY_ENGINES:
            raise OptionError(f"search engines read no {target.title} as a sitemap", source=str(path))
        self._path = path
        self._target = target
        self._index = index
        self._ledger = ledger
        self._packs_index = path.suffix.lower() == ".gz"
        self._gzipped = gzipped or self._packs_index
        self._names = Names(path, self._gzipped)
        self._base_url = base_url
        self._addressed = addressed
        self._origin = _OneOrigin()
        self._keep = {os.path.realpath(path) for path in keep}
        self._staging = Staging(Place.beside(path), ledger)
        self._update = update
        self._read_again = update and self._names.single != path and os.path.lexists(self._names.single)
        self._folders: list[str] = []
        self._ready: _Ready | None = None
        self._parts = (
            Parts(path, target.write, self._staging, ledger, limits, self._gzipped)
            if target.write.sheet is None
            else Sheets(path, target.write, self._staging, limits, self._gzipped)
        )
        self._sees_origin = base_url is None and (addressed or self._parts.limited)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *details: object) -> None:
        try:
            self._parts.close()
        except OSError:
            # Closing writes the rest, which fails again where writing failed; what failed first is on its way.
            if kind is None:
                raise
        finally:
            self._staging.__exit__(kind, *details)

    @property
    def written(self) -> int:
        """Entries that were written so far."""
        return self._parts.written

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it, OptionError if no file can hold it."""
        self._parts.add(entry)
        if self._sees_origin:
            self._origin.see(entry.loc)

    def add_plain(self, core: Core) -> bool:
        """Write many entries at once, if all of them are plain and fit into the file; else write nothing."""
        if not self._parts.add_plain(core):
            return False
        if self._sees_origin:
            self._origin.see_all(core.locs)
        return True

    def commit(self) -> None:
        """Move everything into place, the first index last, and note the outputs in the ledger."""
        if self._ready is None:
            self.prepare()
        assert self._ready is not None  # noqa: S101 - it is made there
        files, stale, addresses = self._ready
        self._staging.move([move for move, _ in files], stale)
        self._ledger.outputs.extend(output for _, output in files)
        self._ledger.addresses.extend(addresses)
        for path in stale:
            what = "which is in the set now" if path == self._names.single else "a part of an earlier run"
            message = f"{path}, {what}, is removed"
            self._ledger.add(Finding("part-removed", "info", message, value=str(path)))

    def prepare(self) -> None:
        """Write all files to their end and look for what is in the way, so that :meth:`commit` only moves them."""
        parts = self._parts.finish()
        earlier = earlier_set(self._names, self._index)
        if self._update and self._base_url is None:
            self._folders = earlier.folders
            self._base_url = earlier.folders[0] if len(earlier.folders) == 1 else None
        files, tops = self._named(parts)
        addresses = self._addresses(tops)
        finals = {move.final for move, _ in files}
        self._refuse_strangers(finals, earlier)
        for path in finals:
            check_target(path)
        self._ready = _Ready(files, self._stale(finals, earlier), addresses)

    def _named(self, parts: list[Finished]) -> tuple[list[tuple[Move, Output]], list[Path]]:
        """The files in the order in which they are moved, and those of them that no other lists, in theirs."""
        if self._target.lists_sources:
            return self._indexes(parts, self._target, self._gzipped)
        if len(parts) == 1:
            return [self._file(parts[0], self._names.single, self._target, self._gzipped)], [self._names.single]
        names = [self._names.part(number) for number in range(1, len(parts) + 1)]
        files = [self._file(part, name, self._target, self._gzipped) for part, name in zip(parts, names, strict=True)]
        indexes, tops = self._indexes(self._listed(parts, names), self._index, self._packs_index)
        return files + indexes, tops

    def _file(self, part: Finished, final: Path, what: Format, gzipped: bool) -> tuple[Move, Output]:
        return Move(part.path, final), Output(str(final), what.name, part.urls, part.size, gzipped)

    def _listed(self, parts: list[Finished], names: list[Path]) -> list[Finished]:
        """The indexes over parts."""
        writer = self._index.write
        assert writer is not None  # noqa: S101
        base = self._folder()
        indexes = Parts(self._path, writer, self._staging, self._ledger, Limits(), self._packs_index)
        try:
            for name, part in zip(names, parts, strict=True):
                indexes.add(Entry(loc=address_of(base, name.name), lastmod=part.newest))
            return indexes.finish()
        finally:
            indexes.close()

    def _indexes(
        self, indexes: list[Finished], what: Format, gzipped: bool
    ) -> tuple[list[tuple[Move, Output]], list[Path]]:
        """Indexes under their names: no index may list an index, so each of them is to be submitted."""
        names = [self._names.index(number, gzipped) for number in range(1, len(indexes) + 1)]
        files = [self._file(part, name, what, gzipped) for part, name in zip(indexes, names, strict=True)]
        if len(files) > 1:
            self._tell_of_several(names)
        return files[::-1], names

    def _tell_of_several(self, names: list[Path]) -> None:
        known = self._base_url is not None or not self._target.lists_sources
        shown = [address_of(self._folder(), name.name) if known else str(name) for name in names]
        if len(shown) > _NAMED:
            shown[_NAMED - 1 : -1] = ["…"]
        message = f"there are more sitemaps than one index may list, and an index may list no index: {len(names)} are"
        message = f"{message} written, each to be submitted by itself: {', '.join(shown)}"
        self._ledger.add(Finding("too-many-sitemaps", "warning", message, str(self._path), value=shown[0]))

    def _addresses(self, tops: list[Path]) -> list[str]:
        """Where the files that no other lists will live; none where that is not known and not asked for."""
        known = self._base_url is not None and not _has_query(self._base_url)
        if not self._addressed and not (known and self._target.name in _READ_BY_ENGINES):
            return []
        base = self._folder()
        return [urls.to_uri(address_of(base, name.name)) for name in tops]

    def _folder(self) -> str:
        """The address of the folder where the files will live."""
        if self._base_url is not None:
            if _has_query(self._base_url):
                message = "the files need the address of a folder, and this one has a query or fragment"
                raise OptionError(message, value=self._base_url)
            return self._base_url.rstrip("/") + "/"
        if self._folders:
            message = f"the index lists its parts in several folders, {', '.join(self._folders[:_NAMED])}"
            raise OptionError(f"{message}; name the one where they live with --base-url", source=str(self._path))
        origin = self._origin.value
        if origin is None:
            what = "an index needs the address of its parts" if not self._addressed else "the address can't be known"
            raise OptionError(f"{what}, and the entries are on several hosts; name it with --base-url")
        if all(finding.rule != "base-url-assumed" for finding in self._ledger.findings):
            what = "files" if self._addressed else "parts"
            message = f"the {what} are taken to live at {origin}/; name another place with --base-url"
            self._ledger.open(str(self._path)).find("base-url-assumed", message, value=f"{origin}/")
            self._ledger.accounts.pop()
        return f"{origin}/"

    def _refuse_strangers(self, finals: set[Path], earlier: Earlier) -> None:
        """Raise OptionError if a file that nobody named would be replaced, and no earlier set has it.

        Or the plain file beside the compressed one that was read again, by the index of what that has become.
        """
        if self._read_again and self._path in finals and self._is_unread(self._path):
            message = f"it was not read, since {self._names.single.name} is the output, and an index would replace it"
            raise OptionError(f"{message}; move it away, or name it as a source, too", source=str(self._path))
        replaced = is_index(self._path) or is_index(self._names.single)
        further = {self._names.index(number, gz) for number in range(2, len(finals) + 2) for gz in (False, True)}
        for path in sorted(finals - {self._path, self._names.single, *earlier.parts, *earlier.indexes}):
            if not os.path.lexists(path) or (path in further and is_index(path) and replaced):
                continue
            message = f"it is in the way of a part of {self._path.name}, and no earlier run has written it there"
            raise OptionError(f"{message}; choose another name for the output, or remove the file", source=str(path))

    def _stale(self, written: set[Path], earlier: Earlier) -> list[Path]:
        """What is left of an earlier run: its parts and further indexes, and its first one if it would list nothing.

        And the one compressed file, if its entries were read again and are in a set now.
        """
        if self._path not in written and (not earlier.indexes or os.path.realpath(self._path) in self._keep):
            return []  # the index stays, and what it lists with it
        found = self._left([*earlier.indexes, *earlier.parts], written)
        if found and not self._may_remove(found, earlier):
            found = []
        single = self._left([self._names.single] if self._read_again else [], written)
        if single and not may_be_part(single[0]):
            message = f"{single[0].name} is in the set now, and is not removed, since it is a link or no sitemap"
            self._ledger.add(Finding("part-left", "warning", message, str(self._path), value=str(single[0])))
            single = []
        return found + single

    def _is_unread(self, path: Path) -> bool:
        there = os.path.lexists(path) and not is_index(path) and path.stat().st_size > 0
        return there and os.path.realpath(path) not in self._keep

    def _left(self, paths: list[Path], written: set[Path]) -> list[Path]:
        """Those that are there, and neither written nor a source."""
        found = [path for path in paths if path not in written and os.path.lexists(path)]
        return [path for path in found if os.path.realpath(path) not in self._keep]

    def _may_remove(self, found: list[Path], earlier: Earlier) -> bool:
        """Whether the old set is ours; if not, a finding tells why it stays."""
        read = [path for path in earlier.parts if os.path.realpath(path) in self._keep]
        strange = [path for path in found if not may_be_part(path)]
        if not earlier.lives_at(self._base_url, self._origin.value):
            why = "the index lists them at another address than this folder's"
        elif read:
            why = f"{read[0].name} is a source, and this job has not read all parts"
        elif strange:
            why = f"{strange[0].name} is no sitemap"
        else:
            return True
        shown = ", ".join(path.name for path in found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
        message = f"the index that is replaced lists files that are not removed, since {why}: {shown}"
        self._ledger.add(Finding("part-left", "warning", message, str(self._path), value=str(found[0])))
        return False


def _has_query(address: str) -> bool:
    found = urls.split(address)
    return found.query is not None or found.fragment is not None


class _OneOrigin:
    """The origin of all entries seen, as long as it is one."""

    def __init__(self) -> None:
        self.value: str | None = None
        self._prefix = ""
        self._several = False

    def see_all(self, locs: Sequence[str]) -> None:
        if self._several or (self._prefix and all(map(str.startswith, locs, repeat(self._prefix)))):
            return
        for loc in locs:
            self.see(loc)

    def see(self, loc: str) -> None:
        if self._several or (self._prefix and loc.startswith(self._prefix)):
            return
        origin = urls.origin(urls.to_uri(loc))
        if self.value is None:
            self.value = origin
            self._prefix = f"{origin}/"
        elif origin != self.value:
            self.value, self._several = None, True
