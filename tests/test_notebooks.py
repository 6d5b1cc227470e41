"""Committed notebooks are as a run from top to bottom leaves them, and the check of their outputs sees what differs."""

from __future__ import annotations

import base64
import importlib.util
import io
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
RUN = ROOT / ".ci" / "run_notebooks.py"


def check() -> Any:
    spec = importlib.util.spec_from_file_location("run_notebooks", RUN)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def book(*outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": list(outputs)}]}


def said(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def showed(**data: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {kind.replace("_", "/"): text for kind, text in data.items()}}


def picture(*heights: float, dpi: int = 50, software: str = "one") -> str:
    from matplotlib.figure import Figure

    figure, file = Figure(figsize=(2, 2), dpi=dpi), io.BytesIO()
    figure.subplots().bar(range(len(heights)), heights)
    figure.savefig(file, format="png", metadata={"Software": software})
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_committed_is_one_whole_run(path: Path) -> None:
    text = path.read_text("utf-8")
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"stream", "display_data", "execute_result"}
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert len(text.encode()) <= check().LARGEST
    assert str(ROOT) not in text and tempfile.gettempdir() not in text


@pytest.mark.parametrize("name", ["README.md", "docs/exploring.md", "docs/migration.md", "docs/formats.md"])
def test_notebooks_that_are_mentioned_are_there(name: str) -> None:
    for found in re.findall(r"notebooks/(\w+\.\w+)", (ROOT / name).read_text("utf-8")):
        assert (ROOT / "notebooks" / found).is_file()


def test_every_notebook_is_mentioned_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [path.name for path in NOTEBOOKS if f"notebooks/{path.name}" not in readme] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([said("a\nb\n")], [said("a\n"), said("b\n")]),
        ([said("a\n")], [said("a warning\n", "stderr"), said("a\n")]),
        ([], [showed(text_plain="")]),
        ([showed(text_plain="<f at 0x7f00aa00>")], [showed(text_plain="<f at 0x7f00bb00>")]),
        ([showed(text_html="<style>x</style><b>1</b>")], [showed(text_html="<b>1</b>")]),
    ],
    ids=["pieces", "warning", "progress", "address", "style"],
)
def test_what_depends_on_the_machine_is_no_difference(old: list[Any], new: list[Any]) -> None:
    assert list(check().differences(book(*old), book(*new))) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([said("8 read\n")], [said("9 read\n")], r"code cell 1 shows something else\n(.*\n)*  -8 read\n  \+9 read"),
        ([], [said("more\n")], r"code cell 1 shows \['stdout'\], not \[\]"),
        ([showed(text_plain="1")], [showed(text_plain="1", text_html="1")], r"shows \['text/html', 'text/plain'\]"),
    ],
)
def test_what_differs_is_told(old: list[Any], new: list[Any], told: str) -> None:
    (line,) = check().differences(book(*old), book(*new))
    assert re.search(told, line)


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (picture(1, 2, 3), False),
        (picture(3, 2, 1), True),
        (picture(1, 2, 2.9), True),
        (picture(1, 2, 3, dpi=60), True),
        (picture(3, 2, 1, software="two"), False),
    ],
    ids=["the same", "other bars", "a lower bar", "another size", "another library"],
)
def test_pictures_are_compared_by_what_they_show(other: str, differs: bool) -> None:
    found = list(check().differences(book(showed(image_png=picture(1, 2, 3))), book(showed(image_png=other))))
    assert bool(found) == differs
