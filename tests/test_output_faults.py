"""Whatever stops a job, at whatever step: the files are the old ones or the new ones, or the next run sees to it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).with_name("kill")))

from moments import rounds

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed")

KILL = Path(__file__).with_name("kill")
FEW = ["shorter set", "one file for another", "table", "migrate in place"]


def lines(kind: str, *scenes: str) -> list[dict[str, Any]]:
    command = [sys.executable, str(KILL / "every_step.py"), kind, *scenes]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_run_that_is_killed_at_any_step_is_settled_by_the_next() -> None:
    found = lines("kill")
    assert {line["status"] for line in found} == {-9}
    assert [line for line in found if line["settled"] not in ("old", "new")] == []
    assert [line for line in found if line["next"] != "new" or line["left then"]] == []
    mixed = [line for line in found if line["after"] == "mixed"]
    assert len({line["scene"] for line in mixed}) > 5
    assert all(line["settled"] == "new" and line["recovered"] for line in mixed)
    # One file, and a new folder, come in one step: there is nothing to settle.
    simple = {line["after"] for line in found if line["scene"] in ("one file for another", "table", "migrate anew")}
    assert simple == {"old", "new"}


@pytest.mark.parametrize("kind", ["full", "interrupt", "after"])
def test_an_error_or_an_interrupt_at_any_step_leaves_the_old_files_or_the_new_ones(kind: str) -> None:
    found = lines(kind, *FEW)
    assert [line for line in found if line["after"] not in ("old", "new")] == []
    assert [line for line in found if line["next"] != "new" or line["left then"]] == []
    assert {line["what"] for line in found} >= {"mkdir", "open", "write", "close", "fsync", "replace", "link", "unlink"}
    # A job that failed says so, and one that says nothing has done its work: tidying up may fail for all that.
    assert all(line["after"] == "new" for line in found if line["status"] == 0)


def test_what_is_killed_while_it_settles_or_takes_back_is_settled_by_the_next() -> None:
    found = lines("twice", "shorter set")
    assert {line["settled"] for line in found} == {"old", "new"}
    assert any(line["status"] == -9 and line["settled"] == "old" for line in found)


def test_killed_at_random_moments() -> None:
    seen = rounds(10, random.Random())  # noqa: S311 - dice, not a secret
    assert seen["mixtures left"] == seen["left over"] == 0
