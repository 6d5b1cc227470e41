"""Runs notebooks from top to bottom where they stand, and holds what they show now against what is committed.

A cell that raises ends it, and so does an output that differs. ``--write`` puts the new outputs into the files instead,
without times and machine names.
"""

from __future__ import annotations

import argparse
import base64
import io
import os
import re
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

LARGEST = 250_000
"""Bytes that a notebook may have."""

_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
_STYLE = re.compile(r"<style.*?</style>\s*", re.DOTALL)
_FAINT, _FEW = 0.2, 10
"""Pixels of two pictures may differ by that much, of 1, and so many by more: edges are smoothed otherwise elsewhere."""


def run(path: Path) -> Any:
    """The notebook with the outputs that it has now. Raises CellExecutionError."""
    import nbformat
    from nbclient import NotebookClient

    # Sets have the same order in every run, also where a cell shows one.
    os.environ["PYTHONHASHSEED"] = "0"
    notebook = nbformat.read(path, as_version=4)
    for cell in _code(notebook):
        cell.outputs, cell.execution_count = [], None
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where, record_timing=False).execute()
    return notebook


def stripped(notebook: Any) -> Any:
    """The notebook without what changes from run to run and from machine to machine."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
    for cell in _code(notebook):
        cell.outputs = _joined([one for one in cell.outputs if not _passing(one)])
        for output in cell.outputs:
            output.pop("transient", None)
            if "metadata" in output:
                output.metadata = {}
    return notebook


def differences(old: Any, new: Any) -> Iterator[str]:
    """Lines that tell in which cells two runs of a notebook differ, and how."""
    for number, (before, after) in enumerate(zip(_code(old), _code(new), strict=True), 1):
        was, now = _shown(before), _shown(after)
        if [kind for kind, _ in was] != [kind for kind, _ in now]:
            yield f"code cell {number} shows {[kind for kind, _ in now]}, not {[kind for kind, _ in was]}"
            continue
        for (kind, one), (_, other) in zip(was, now, strict=True):
            if kind == "image/png":
                if not _alike(one, other):
                    yield f"code cell {number} draws another picture"
            elif one != other:
                lines = unified_diff(one.splitlines(), other.splitlines(), "committed", "now", lineterm="", n=1)
                yield "\n  ".join([f"code cell {number} shows something else", *lines])


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _passing(output: Any) -> bool:
    """Whether an output depends on the machine: warnings, and the line of progress, empty in the end."""
    return output.get("name") == "stderr" or output.get("data") == {"text/plain": ""}


def _joined(outputs: list[Any]) -> list[Any]:
    """The outputs with printed text in one piece, however the kernel happened to send it."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output["output_type"] == joined[-1]["output_type"] == "stream":
            joined[-1]["text"] += output["text"]
        else:
            joined.append(output)
    return joined


def _shown(cell: Any) -> list[tuple[str, str]]:
    """What a cell shows, by kind of content."""
    shown: list[tuple[str, str]] = []
    for output in _joined([dict(one) for one in cell["outputs"] if not _passing(one)]):
        if output["output_type"] == "stream":
            shown.append(("stdout", _settled(output["text"])))
        else:
            shown += sorted((kind, _settled(text)) for kind, text in output["data"].items())
    return shown


def _settled(text: str) -> str:
    return _ADDRESS.sub("0x…", _STYLE.sub("", text))


def _alike(one: str, other: str) -> bool:
    """Whether two pictures show the same. Other versions of matplotlib draw otherwise, and are not held to it."""
    if one == other:
        return True
    from matplotlib import image
    from PIL import Image

    pictures = [base64.b64decode(text) for text in (one, other)]
    drawn = [Image.open(io.BytesIO(data)).info.get("Software") for data in pictures]
    if drawn[0] != drawn[1]:
        return True
    pixels = [image.imread(io.BytesIO(data), "png") for data in pictures]
    if pixels[0].shape != pixels[1].shape:
        return False
    return int((abs(pixels[0] - pixels[1]).max(axis=2) > _FAINT).sum()) <= _FEW


def main() -> int:
    """Run the notebooks that are named; 1 if one differs or is too large."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("notebooks", nargs="+", type=Path)
    arguments.add_argument("--write", action="store_true", help="put the outputs into the notebooks")
    given = arguments.parse_args()
    import nbformat

    faults = 0
    for path in given.notebooks:
        new = run(path)
        if given.write:
            nbformat.write(stripped(new), path)
        found = [] if given.write else list(differences(nbformat.read(path, as_version=4), new))
        if path.stat().st_size > LARGEST:
            found.append(f"{path.stat().st_size:,} bytes, more than {LARGEST:,}")
        for line in found:
            print(f"{path}: {line}")
        print(f"{path}: {len(_code(new))} cells ran, {len(found)} differences")
        faults += len(found)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
