"""Runs that are killed at random moments.

A round writes a set of many parts with other contents than the last one and kills it (SIGKILL) after a random time.
What lies there is looked at as it is, and again when the next run has settled it. Every other round is killed while
names change, every fifth runs to its end.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

from scenes import Scene, left_over, nothing, recover, state

import urlset
from urlset.converters.output.workspace import Place

SITE = "https://example.com/"
PARTS = 40
WHOLE_EVERY = 5
AIMED = 0.003
"""Seconds after names begin to change in which every other round is killed."""


def write(folder: Path, number: int) -> None:
    """A set of its own for each round: other pages, another number of parts, compressed or not."""
    entries = [urlset.Entry(loc=f"{SITE}{number}/{page}") for page in range(20 * (PARTS + number % 7))]
    urlset.write(entries, folder / "sitemap.xml", base_url=SITE, max_urls=20, gzip=number % 3 == 0)


def expected(number: int) -> dict[str, bytes]:
    """What the set of a round is."""
    with TemporaryDirectory() as name:
        write(Path(name), number)
        return state(Path(name))


def killed(folder: Path, number: int, after: float, aimed: bool) -> bool:
    """Write in another process and kill it after so many seconds; False if it had ended by then.

    ``aimed``: the seconds begin when names begin to change.
    """
    journal = folder / ".sitemap.xml.urlset" / "journal"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            write(folder, number)
            status = 0
        finally:
            os._exit(status)
    alive = time.monotonic() + 30
    while aimed and not journal.exists() and time.monotonic() < alive and not _gone(child):
        pass
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    ending = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ending in (0, -signal.SIGKILL), ending
    return ending != 0


def _gone(child: int) -> bool:
    """Whether a process has ended; it is still to be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def rounds(number: int, dice: random.Random) -> Counter[str]:
    """What was seen in so many rounds, counted; ``mixtures left`` is the one that must not occur."""
    scene = Scene("", nothing, nothing, lambda folder: Place.beside(folder / "sitemap.xml"))
    seen: Counter[str] = Counter()
    with TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        write(folder, 0)
        lasts = time.monotonic() - begun
        old = state(folder)
        for one in range(1, number + 1):
            new = expected(one)
            if one % WHOLE_EVERY == 0:
                begun = time.monotonic()
                write(folder, one)
                lasts = time.monotonic() - begun
                seen["ended"] += 1
                seen["left over"] += len(left_over(folder))
                seen["mixtures left"] += state(folder) != new
                old = new
                continue
            aimed = one % 2 == 0
            if not killed(folder, one, dice.uniform(0, AIMED if aimed else lasts), aimed):
                seen["ended"] += 1
            else:
                seen["killed"] += 1
                seen[f"just after: {_which(folder, old, new)}"] += 1
            told = recover(scene, folder).findings
            seen["finished by the next run"] += len(told)
            which = _which(folder, old, new)
            seen[f"then: {which}"] += 1
            seen["mixtures left"] += which == "mixed"
            old = new if which == "new" else old
    return seen


def _which(folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> str:
    found = state(folder)
    return "old" if found == old else "new" if found == new else "mixed"
