"""Kills runs at random moments, and sees to it that the set is the old one or the new one.

    python tests/kill/kill.py --rounds 200

Prints what was seen, counted (see moments.py). Exits with 1 if a mixture was left.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from moments import rounds


def main() -> int:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description="Kill runs at random moments.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seen = rounds(chosen.rounds, random.Random(chosen.seed))  # noqa: S311 - dice, not a secret
    for what, count in sorted(seen.items()):
        sys.stdout.write(f"{count:5} {what}\n")
    return 1 if seen["mixtures left"] else 0


if __name__ == "__main__":
    sys.exit(main())
