"""The picture of growth: seconds and peak memory against entries, both axes by powers of ten."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.saved import Row


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write an SVG; the same rows give the same bytes. Raises SystemExit without matplotlib."""
    try:
        matplotlib = import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise SystemExit("drawing needs matplotlib: pip install -e '.[bench]'") from error
    matplotlib.use("svg")
    settings = {"svg.fonttype": "none", "svg.hashsalt": "urlset", "font.family": "sans-serif"}
    with matplotlib.rc_context(settings):
        figure, (left, right) = import_module("matplotlib.pyplot").subplots(
            1, 2, figsize=(9, 3.6), layout="constrained"
        )
        for job in dict.fromkeys(row.job for row in rows):
            points = sorted((row for row in rows if row.job == job), key=lambda row: row.entries)
            sizes = [row.entries for row in points]
            left.plot(sizes, [row.figures["seconds"] for row in points], marker="o", label=job)
            right.plot(sizes, [row.figures["peak_mb"] for row in points], marker="o", label=job)
        _label(left, "seconds of the processor", is_log=True)
        _label(right, "peak of memory, MB", is_log=False)
        left.legend()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _label(axes: Any, what: str, *, is_log: bool) -> None:
    axes.set_xscale("log")
    if is_log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel("entries of a sitemap")
    axes.set_ylabel(what)
    axes.grid(visible=True, alpha=0.3)
