"""Compares the failures of the case bank and the corpus with the committed list of known ones.

A failure that is not listed is red; so is a listed one that passes now, since the list only shrinks.
"""

import json
import sys
from pathlib import Path


def failures(results: list[dict[str, object]]) -> set[str]:
    """The names of what failed or broke, in either runner's form of results."""
    return {
        str(one.get("id") or one["file"])
        for one in results
        if (one.get("outcome") or one.get("state")) in ("fail", "error", "failed", "errors")
    }


def main(known_file: str, *result_files: str) -> int:
    """Print what differs; 1 if anything does."""
    lines = Path(known_file).read_text("utf-8").splitlines()
    known = {line.split("#")[0].strip() for line in lines} - {""}
    failed: set[str] = set()
    total = 0
    for name in result_files:
        results = json.loads(Path(name).read_text("utf-8"))
        total += len(results)
        failed |= failures(results)
    new, mended = sorted(failed - known), sorted(known - failed)
    for name in new:
        print(f"fails, and is not in {known_file}: {name}")
    for name in mended:
        print(f"passes now; strike it from {known_file}: {name}")
    print(f"{total} cases and files, {len(failed)} failures, {len(known)} known")
    return 1 if new or mended else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
