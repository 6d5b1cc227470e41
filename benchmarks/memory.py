"""One job at two sizes, each time in a process of its own."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.process import MB, Outcome


class Growth(NamedTuple):
    """What a job took at two sizes."""

    name: str
    small: Outcome
    large: Outcome

    @property
    def per_entry(self) -> float:
        """Bytes that a further entry adds to the peak."""
        return (self.large.peak_mb - self.small.peak_mb) * MB / max(1, self.large.entries - self.small.entries)
