"""Jobs that take a folder from one state to another, for which every step is to be struck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import urlset
from urlset.converters.output.workspace import Place, is_workspace, settle

SITE = "https://example.com/"
OLD = "http://www.google.com/schemas/sitemap/0.84"


class Scene(NamedTuple):
    """``before`` makes the old state in a folder, ``job`` the new one; ``place`` is where the job keeps its files."""

    name: str
    before: Callable[[Path], object]
    job: Callable[[Path], object]
    place: Callable[[Path], Place]


def written(number: int, word: str, name: str = "sitemap.xml", **options: object) -> Callable[[Path], object]:
    """Writes entries, two a file unless ``options`` say otherwise."""
    rows: list[dict[str, Any]] = [{"loc": f"{SITE}{word}/{n}", "lastmod": f"2024-05-{n + 1:02}"} for n in range(number)]
    # The last entry asks for a namespace, so that the frame of the last part changes.
    rows[-1] = {"loc": f"{SITE}{word}/last", "images": [{"loc": f"{SITE}1.png"}]}
    entries = [urlset.Entry(**row) for row in rows]
    chosen = {"base_url": SITE, "max_urls": 2, **options}
    return lambda folder: urlset.write(entries, folder / name, **chosen)


def nothing(folder: Path) -> None:
    """No old state."""


def site(folder: Path) -> None:
    """Sitemaps of 2005, in a tree."""
    for path in (folder / "site" / "a.xml", folder / "site" / "sub" / "b.xml"):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f'<urlset xmlns="{OLD}"><url><loc>{SITE}{path.stem}</loc></url></urlset>'
        path.write_text(text, "utf-8")


def site_and_target(folder: Path) -> None:
    """The same, and a target that has a file of that name, and another."""
    site(folder)
    (folder / "out").mkdir()
    (folder / "out" / "a.xml").write_bytes((folder / "site" / "a.xml").read_bytes())
    (folder / "out" / "other.html").write_bytes(b"<html/>")


def _beside(folder: Path) -> Place:
    return Place.beside(folder / "sitemap.xml")


def _within(name: str) -> Callable[[Path], Place]:
    return lambda folder: Place(folder / name, "migration", tree=True)


SCENES = (
    Scene("first set", nothing, written(5, "new"), _beside),
    Scene("longer set", written(4, "old"), written(6, "new"), _beside),
    Scene("shorter set", written(8, "old"), written(4, "new"), _beside),
    Scene("compressed set", written(4, "old"), written(6, "new", gzip=True), _beside),
    Scene("one file for a set", written(6, "old"), written(2, "new"), _beside),
    Scene("one compressed file for a set", written(6, "old"), written(2, "new", gzip=True), _beside),
    Scene("a set for one file", written(2, "old"), written(6, "new"), _beside),
    Scene(
        "a compressed file that grows into a set",
        written(2, "old", gzip=True),
        written(4, "new", gzip=True, update=True),
        _beside,
    ),
    Scene(
        "a plain file that grows into a compressed set",
        written(2, "old"),
        written(4, "new", gzip=True, update=True),
        _beside,
    ),
    Scene("one file for another", written(2, "old"), written(2, "new"), _beside),
    Scene("table", written(2, "old", "t.csv"), written(2, "new", "t.csv", max_urls=None), lambda f: Place(f, "t.csv")),
    Scene("migrate in place", site, lambda f: urlset.migrate(f / "site", in_place=True), _within("site")),
    Scene("migrate into", site_and_target, lambda f: urlset.migrate(f / "site", f / "out"), _within("out")),
    Scene("migrate anew", site, lambda f: urlset.migrate(f / "site", f / "out"), lambda f: Place(f, "out")),
)


def state(folder: Path) -> dict[str, bytes]:
    """All files that somebody can see."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    shown = (path for path in paths if not any(map(is_workspace, path.relative_to(folder).parts)))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in shown}


def left_over(folder: Path) -> list[str]:
    """Workspaces that are still there."""
    return [path.name for path in folder.rglob(".*") if is_workspace(path.name)]


def recover(scene: Scene, folder: Path) -> urlset.Ledger:
    """What the next run does first."""
    ledger = urlset.Ledger()
    settle(scene.place(folder), ledger)
    return ledger
