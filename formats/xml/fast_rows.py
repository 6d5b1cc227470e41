"""What the fast lanes share: a document in texts, and rows of texts that become entries, many at once."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from urlset.formats.vocabulary.batches import Batch, Batches, counted
from urlset.formats.vocabulary.entry import Core, Entry

if TYPE_CHECKING:
    from urlset.formats.vocabulary.ledger import Account
    from urlset.formats.xml.lanes import Document

Row = TypeVar("Row")

_CONTROLS = bytes({*range(0x20)} - {9, 10, 13})


class Texts:
    """A document in texts of ``block`` characters or more, the last one excepted; the first has ``first`` or more.

    They end before bytes that are no UTF-8 and, if ``checked``, before a character that XML does not know; ``readable``
    is False then.
    """

    def __init__(self, document: Document, block: int, first: int = 0, *, checked: bool = False) -> None:
        self._document = document
        self._block = block
        self._enough = max(block, first)
        self._checked = checked
        self.readable = True

    def __iter__(self) -> Iterator[str]:
        text = ""
        try:
            for piece in self._pieces():
                text += piece
                if len(text) >= self._enough:
                    self._enough = self._block
                    yield text
                    text = ""
        except UnicodeDecodeError:
            self.readable = False
        except Exception:
            yield text
            raise
        yield text

    def _pieces(self) -> Iterator[str]:
        decode = codecs.getincrementaldecoder("utf-8")().decode
        for chunk in self._document.utf8(self._block):
            piece = decode(chunk)
            if self._checked and not _legal(chunk, piece):
                self.readable = False
                return
            yield piece
        decode(b"", final=True)


def _legal(chunk: bytes, piece: str) -> bool:
    return len(chunk.translate(None, _CONTROLS)) == len(chunk) and "\ufffe" not in piece and "\uffff" not in piece


class Rows(ABC, Generic[Row]):
    """Turns rows, which a pattern found one behind the other, into entries.

    ``line`` is the one on which the blanks before the next record begin, ``taken`` the number of records so far;
    ``known`` becomes False at a row that only the other lanes can read, or where they are faster.
    """

    def __init__(self, account: Account, line: int, taken: int) -> None:
        self._account = account
        self.line = line
        self.taken = taken
        self.known = True
        self._close = 0  # records that were looked at closely

    def batches(self, rows: Sequence[Row]) -> Batches:
        """The entries of some rows, all at once; where that fails, of either half."""
        if not rows or not self.known:
            return
        # The first record shows the reader of records what the names are.
        together = self._together(rows) if self.taken else None
        half = len(rows) // 2 if self.taken else 1
        if together is not None:
            self.taken += len(together.locs)
            yield from counted(together, self._account)
        elif len(rows) == 1:
            if entries := [*self._closely(rows[0])]:
                yield Batch(entries)
        else:
            yield from self.batches(rows[:half])
            yield from self.batches(rows[half:])

    def _closely(self, row: Row) -> Iterator[Entry]:
        self._close += 1
        if self._close > 16 + self.taken // 8:
            self.known = False
            return
        yield from self._looked_at(row)

    @abstractmethod
    def _together(self, rows: Sequence[Row]) -> Core | None:
        """The entries of rows of which there is nothing to say; None, and nothing done, if there may be."""

    @abstractmethod
    def _looked_at(self, row: Row) -> Iterator[Entry]:
        """The entries of a row that there may be something to say of, read as the other lanes' elements are."""
