"""Entries to files that are more than a row of pieces (Parquet): one file, or one after another of so many entries."""

from __future__ import annotations

from pathlib import Path

from urlset.converters.output.compression import GzipOrPlain
from urlset.converters.output.fill import Limits
from urlset.converters.output.parts import Finished
from urlset.converters.output.staging import Staging
from urlset.formats.vocabulary.dates import LastMod
from urlset.formats.vocabulary.entry import Core, Entry
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.format import Sheet, Writer


class Sheets:
    """Writes entries to temporary files beside ``path``, as :class:`Parts` does, for a format that writes sheets.

    Raises OptionError for a limit of bytes: how many a sheet takes shows when it is written.
    """

    def __init__(self, path: Path, writer: Writer, staging: Staging, limits: Limits, gzipped: bool) -> None:
        assert writer.sheet is not None  # noqa: S101 - the caller asked
        check_limits(limits)
        self._path = path
        self._open_sheet = writer.sheet
        self._staging = staging
        self._max_urls = limits.or_those_of(writer).max_urls
        self._gzipped = gzipped
        self._stream: GzipOrPlain | None = None
        self._sheet: Sheet | None = None
        self._urls = 0
        self._newest: LastMod | None = None
        self._finished: list[Finished] = []
        self.written = 0

    @property
    def limited(self) -> bool:
        """Whether there may be more than one."""
        return self._max_urls is not None

    def add(self, entry: Entry) -> None:
        """Write an entry. Raises ValueError if the format can't express it."""
        if self._max_urls is not None and self._urls >= self._max_urls:
            self._finish_sheet()
        self._opened().add(entry)
        self._count(1)
        if entry.lastmod is not None and (self._newest is None or entry.lastmod > self._newest):
            self._newest = entry.lastmod

    def add_plain(self, core: Core) -> bool:
        """Write many entries at once, if all of them are plain and fit into the file; else write nothing."""
        number = len(core.locs)
        if self._max_urls is not None and self._urls + number > self._max_urls:
            return False
        if not self._opened().add_plain(core):
            return False
        self._count(number)
        self._newest = core.lastmods.newest(self._newest)
        return True

    def _opened(self) -> Sheet:
        if self._sheet is None:
            path, raw = self._staging.create(self._path)
            self._stream = GzipOrPlain(path, raw, self._gzipped)
            self._sheet = self._open_sheet(self._stream.file)
        return self._sheet

    def _count(self, number: int) -> None:
        self._urls += number
        self.written += number

    def finish(self) -> list[Finished]:
        """The files, in order; one without entries if there were none."""
        if not self._finished:
            self._opened()
        self._finish_sheet()
        return self._finished

    def close(self) -> None:
        """Close what is open."""
        if self._sheet is not None:
            self._sheet.discard()
        if self._stream is not None:
            self._stream.close()

    def _finish_sheet(self) -> None:
        if self._sheet is None or self._stream is None:
            return
        self._sheet.close()
        size = self._stream.file.tell()
        self._stream.close()
        self._finished.append(Finished(self._stream.path, self._urls, size, self._newest))
        self._sheet, self._stream, self._urls, self._newest = None, None, 0, None


def check_limits(limits: Limits) -> None:
    """Raise OptionError for a limit of bytes."""
    if limits.max_bytes is not None:
        message = "the size of such a file is not known before it is written; limit its entries with --max-urls instead"
        raise OptionError(message, value=str(limits.max_bytes))
