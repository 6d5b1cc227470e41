"""A longer run of the fuzz tests: whole documents are damaged until the time is up, and every promise is checked.

    python tests/fuzz/fuzz.py --seconds 600
    python tests/fuzz/fuzz.py --format rss --engine mutate --seed 7

Exits with 1 if a promise was broken; the inputs are then in a temporary folder that is named.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

MISSING = "atheris is not installed (pip install atheris; Linux and macOS only); going on with --engine mutate"
FORMATS = (
    "access-log", "atom", "csv", "jsonl", "robots", "rss", "sitemap", "sitemap-0.84", "sitemap-index", "text",
)  # fmt: skip
"""Those that can be read; urlset itself must not be imported before it is instrumented."""

SHOWN_EVERY = 10.0
"""Seconds between two lines of progress."""


class Campaign:
    """What was tried and found so far. A fault that was met before is counted and not saved again."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._shown = time.monotonic()
        self._folder: Path | None = None
        self.tried: Counter[str] = Counter()
        self.found: Counter[str] = Counter()

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._end

    def try_one(self, name: str, data: bytes, options: dict[str, Any], check: Callable[[], object]) -> None:
        """Check one input; ``name`` is the format that it is counted under."""
        self.tried[name] += 1
        try:
            check()
        except Exception as error:
            self._note(error, name, data, options)
        if time.monotonic() - self._shown > SHOWN_EVERY:
            self._shown = time.monotonic()
            print(f"{self.tried.total():,} inputs, {len(self.found)} findings", flush=True)

    def _note(self, error: Exception, name: str, data: bytes, options: dict[str, Any]) -> None:
        kind = f"{name}: {_kind(error)}"
        self.found[kind] += 1
        if self.found[kind] > 1:
            return
        self._folder = self._folder or Path(tempfile.mkdtemp(prefix="urlset-fuzz-"))
        stem = f"{self._folder}/{len(self.found):03d}-{name}"
        Path(f"{stem}.bin").write_bytes(data)
        Path(f"{stem}.json").write_text(json.dumps(options), "utf-8")
        Path(f"{stem}.txt").write_text("".join(traceback.format_exception(error)), "utf-8", "backslashreplace")
        print(f"FOUND {kind}\n      {str(error)[:400]!a}\n      {stem}.bin", flush=True)

    def summary(self) -> int:
        """Print what was done; the exit status."""
        for name, number in sorted(self.tried.items()):
            print(f"{name:>16} {number:>9,} inputs")
        for kind, number in self.found.most_common():
            print(f"{number:>9,} × {kind}")
        print(f"{self.tried.total():,} inputs, {len(self.found)} findings")
        return 1 if self.found else 0


def _kind(error: Exception) -> str:
    """What two faults have in common: the promise, or the exception and where it was raised."""
    if promise := getattr(error, "promise", None):
        return f"broken promise: {promise}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.name}"


def one_input(pick: Callable[[int], int], name: str | None, campaign: Campaign) -> None:
    """Make one input as the dice fall, and try it."""
    import damage
    import promises
    import seeds

    known = seeds.of(name)
    seed = known[pick(len(known))]
    if pick(2):
        only = damage.one(pick, seed.data)
        data = only.apply(seed.data)
        campaign.try_one(seed.format, data, seed.options, lambda: damage.check(seed, only))
        return
    data = damage.applied(seed.data, damage.chosen(pick, seed.data, 6))
    options = {**seed.options, **({"from_": seed.format} if pick(2) else {})}
    campaign.try_one(seed.format, data, options, lambda: promises.check(data, options))


def mutate(campaign: Campaign, name: str | None, seed: int) -> None:
    """The engine that is always there: the dice are random, and nothing is learned."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    while not campaign.is_over:
        one_input(dice.randrange, name, campaign)


def guided(campaign: Campaign, name: str | None, seed: int) -> None:
    """The engine that looks for new paths through the code: libFuzzer's bytes are the dice, or the document itself."""
    atheris = import_module("atheris")

    with atheris.instrument_imports(include=["urlset"]):
        import damage  # noqa: F401
        import promises
        import seeds

        # What is loaded on first use is to be instrumented too.
        formats = [name] if name else seeds.formats()

    def target(data: bytes) -> None:
        if campaign.is_over:
            sys.stdout.flush()
            status = campaign.summary()
            sys.stdout.flush()
            os._exit(status)
        if data[:1] < b"\x40":
            raw = data[2:]
            options: dict[str, Any] = {
                "from_": formats[data[1] % len(formats)] if len(data) > 1 else formats[0],
                "follow": False,
            }
            campaign.try_one(options["from_"], raw, options, lambda: promises.check(raw, options))
            return
        provider = atheris.FuzzedDataProvider(data[1:])
        one_input(lambda below: provider.ConsumeIntInRange(0, below - 1), name, campaign)

    atheris.Setup([sys.argv[0], f"-seed={seed + 1}", "-max_len=4096", "-timeout=60", "-verbosity=0"], target)
    atheris.Fuzz()


def main() -> int:
    """Run one engine until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--format", metavar="NAME", choices=FORMATS, help="seeds of this format only (default: all)")
    parser.add_argument("--engine", choices=("auto", "atheris", "mutate"), default="auto")
    parser.add_argument("--seed", type=int, default=0, help="where the dice start (default: 0)")
    chosen = parser.parse_args()
    campaign = Campaign(chosen.seconds)
    if chosen.engine != "mutate":
        try:
            guided(campaign, chosen.format, chosen.seed)
        except ImportError:
            print(MISSING, file=sys.stderr)
            if chosen.engine == "atheris":
                return 2
    mutate(campaign, chosen.format, chosen.seed)
    return campaign.summary()


if __name__ == "__main__":
    sys.exit(main())
