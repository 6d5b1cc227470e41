"""The file of ``--rejects``: records that were left out, as JSON lines to mend and read again."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from urlset.formats.jsonl import json_line
from urlset.formats.vocabulary.errors import OptionError
from urlset.formats.vocabulary.ledger import Reject


def reject_file(path: str | os.PathLike[str], stack: ExitStack) -> Callable[[Reject], None]:
    """Takes rejects into a file that gets its name when the job ends: the name may be a source's."""
    final = Path(path)
    temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    try:
        file: IO[str] = temporary.open("w", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"the rejects can't be written: {error.strerror}", source=os.fspath(path)) from error

    written = False

    def take(reject: Reject) -> None:
        nonlocal written
        written = True
        file.write(json_line(reject.as_dict()))

    def end(kind: object, *_: object) -> None:
        file.close()
        # A job that could do nothing leaves an earlier file as it was, unless it has rejects to tell of.
        if kind is None or written:
            temporary.replace(final)
        else:
            temporary.unlink()

    stack.push(end)
    return take
