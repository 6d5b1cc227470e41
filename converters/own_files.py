"""The files that a job itself writes, which are no part of what it reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from urlset.converters.output.names import set_pattern
from urlset.converters.output.workspace import workspace_name
from urlset.converters.sources.remote import is_remote


def own_files(output: object, others: Iterable[object] = ()) -> Mapping[str, re.Pattern[str]]:
    """The names of the files of a job, as a pattern for each resolved path of a folder.

    ``output`` has numbered parts and a folder of temporary files beside it, the ``others`` (a report, rejects) have
    none; all of them have another name while they are written. What is no path (standard output, a stream, a file in a
    store, None) is no file.
    """
    found: dict[str, list[str]] = {}
    for path, pattern in ((output, _output), *((other, _name) for other in others)):
        if isinstance(path, str | os.PathLike) and path != "-" and not is_remote(path):
            file = Path(path)
            found.setdefault(os.path.realpath(file.parent), []).append(pattern(file.name))
    return {folder: re.compile("|".join(patterns), re.DOTALL) for folder, patterns in found.items()}


def _name(name: str) -> str:
    return rf"{re.escape(name)}|\.{re.escape(name)}\..*\.tmp"


def _output(name: str) -> str:
    workspace = rf"{re.escape(workspace_name(name.removesuffix('.gz')))}(?:-[a-z0-9_]+)?"
    return f"{_name(name)}|{set_pattern(name)}|{workspace}"
