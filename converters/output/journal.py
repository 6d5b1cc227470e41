"""The journal of a change of names: several renames that are carried out as one, or taken back as one.

No system renames several files in one step. So all that is to happen is written down and synced first. From then on a
run that was killed can be finished by the next one; and a run that meets an error turns the journal over, which means
that it is to be taken back, and takes it back. Every step can be repeated: what is done already is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from urlset.converters.output.durability import second_name, sync_file, sync_folders

JOURNAL = "journal"
UNDO = "undo"


class Step(NamedTuple):
    """One change: ``made`` becomes ``final``; None: ``final`` is removed.

    ``kept`` is a second name of the file that was there, for the way back; None if there was none. ``backup`` is one
    that stays.
    """

    made: Path | None
    final: Path
    kept: Path | None
    backup: Path | None = None

    def forward(self, room: Path) -> None:
        """Make the change, unless it is made; ``room`` is for copies on their way."""
        if not os.path.lexists(self.final if self.made is None else self.made):
            return
        for other in (self.kept, self.backup):
            if other is not None and os.path.lexists(self.final):
                second_name(self.final, other, room)
        if self.made is None:
            self.final.unlink()
        else:
            self.made.replace(self.final)

    def back(self) -> None:
        """Take the change back, as far as it was made."""
        if self.kept is not None:
            if os.path.lexists(self.kept):
                self.kept.replace(self.final)
        elif self.made is not None and not os.path.lexists(self.made):
            self.final.unlink(missing_ok=True)
        if self.backup is not None:
            self.backup.unlink(missing_ok=True)


class Journal:
    """The steps of one run. ``room`` is its workspace; paths are written down as they are below ``root``."""

    def __init__(self, room: Path, root: Path, steps: Sequence[Step]) -> None:
        self._room = room
        self._root = root
        self._steps = steps

    def carry_out(self) -> None:
        """All of it, or nothing: an error takes back what was done, and is raised."""
        try:
            self._write()
            self.forward()
        except BaseException:
            if self._turned():
                self.back()
            raise

    def forward(self) -> None:
        """Carry out what is left to be done."""
        for step in self._steps:
            step.forward(self._room)
        self._close(JOURNAL)

    def back(self) -> None:
        """Take back what was done, the last step first."""
        for step in reversed(self._steps):
            step.back()
        self._close(UNDO)

    def _write(self) -> None:
        new = self._room / f"{JOURNAL}.new"
        steps = [[None if path is None else self._below(path) for path in step] for step in self._steps]
        new.write_text(json.dumps(steps), "ascii")
        sync_file(new)
        sync_folders([self._room])
        new.replace(self._room / JOURNAL)
        sync_folders([self._room, self._root])

    def _turned(self) -> bool:
        """Turn the journal over; False if there is none: nothing was done yet, or all of it."""
        try:
            (self._room / JOURNAL).replace(self._room / UNDO)
        except FileNotFoundError:
            return False
        sync_folders([self._room])
        return True

    def _close(self, name: str) -> None:
        sync_folders(step.final.parent for step in self._steps)
        (self._room / name).unlink()

    def _below(self, path: Path) -> str:
        return path.absolute().relative_to(self._root).as_posix()
