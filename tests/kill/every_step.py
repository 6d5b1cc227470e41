"""Strikes a job at every step, each time in a process of its own, and says what was left.

``python every_step.py KIND [SCENE...]`` prints a line of JSON for each strike: the scene, the step, what it was,
and whether the files were the old ones, the new ones or a mixture: just after, after what the next run does first, and
after that run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from faults import KINDS, Faults, Kind
from scenes import SCENES, Scene, left_over, recover, state

from urlset.formats.vocabulary.errors import UrlsetError

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108, PTH112 - a file system that is fast
STRIDE = 12
"""Steps after an error at which the process is killed too."""
_ENDED, _STRUCK = 0, 3


def in_child(work: Callable[..., object], *given: object) -> int:
    """Run it in a process of its own; its status, negative if a signal ended it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work(*given)
            status = _ENDED
        except (KeyboardInterrupt, UrlsetError, OSError):
            status = _STRUCK
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _states(scene: Scene) -> tuple[dict[str, bytes], dict[str, bytes]]:
    with TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        with Faults("none").installed():
            scene.before(folder)
            old = state(folder)
            scene.job(folder)
        return old, state(folder)


def struck(scene: Scene, kind: Kind) -> Iterator[dict[str, Any]]:
    """One line for each step, until the job ends without having been struck."""
    old, new = _states(scene)

    def which(folder: Path) -> str:
        return {True: "old", False: "mixed"}[state(folder) == old] if state(folder) != new else "new"

    for step in count(1):
        with TemporaryDirectory(dir=MEMORY) as name:
            folder, said = Path(name), Path(f"{name}.said")
            with Faults("none").installed():
                scene.before(folder)
            status = in_child(_strike, scene, folder, Faults(kind, step), said)
            what = said.read_text() if said.exists() else "killed"
            said.unlink(missing_ok=True)
            if what == "":
                return
            line = {"scene": scene.name, "step": step, "what": what, "status": status, "after": which(folder)}
            line["left"] = left_over(folder)
            with Faults("none").installed():
                line["recovered"] = [finding.message for finding in recover(scene, folder).findings]
            line["settled"] = which(folder)
            if line["settled"] == "old" or scene.name != "migrate anew":
                in_child(_strike, scene, folder, Faults("none"), said)
                said.unlink()
            yield {**line, "next": which(folder), "left then": left_over(folder)}


def _strike(scene: Scene, folder: Path, faults: Faults, said: Path) -> None:
    try:
        with faults.installed():
            scene.job(folder)
    finally:
        said.write_text(faults.struck)


def struck_twice(scene: Scene) -> Iterator[dict[str, Any]]:
    """Kill what finishes a set (the next run), or takes it back (after an error), at every step of that."""
    old, new = _states(scene)
    for step in count(1):
        with TemporaryDirectory(dir=MEMORY) as name:
            folder, said = Path(name), Path(f"{name}.said")
            with Faults("none").installed():
                scene.before(folder)
            again = Faults("full", step // STRIDE + 1, then=step % STRIDE)
            status = in_child(_strike, scene, folder, again, said)
            what = said.read_text() if said.exists() else "killed"
            said.unlink(missing_ok=True)
            if what == "":
                return
            for second in range(1, 100):
                if in_child(_recover, scene, folder, Faults("kill", second)) == _ENDED:
                    break
            found = state(folder)
            whole = "old" if found == old else "new" if found == new else "mixed"
            yield {"step": again.at, "then": again.then, "status": status, "settled": whole, "left": left_over(folder)}


def _recover(scene: Scene, folder: Path, faults: Faults) -> None:
    with faults.installed():
        recover(scene, folder)


def main(kind: str, *names: str) -> None:
    """Print the lines."""
    for scene in SCENES:
        if not names or scene.name in names:
            found = struck_twice(scene) if kind == "twice" else struck(scene, next(one for one in KINDS if one == kind))
            for line in found:
                sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
