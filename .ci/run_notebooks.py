"""Runs notebooks from top to bottom; a cell that raises ends it."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

for name in sys.argv[1:]:
    path = Path(name)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    print(f"{name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells ran")
