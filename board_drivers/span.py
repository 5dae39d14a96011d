"""When a trouble is on: from a moment on, for a while, and again every so often."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class Span:
    """From when, for how long, and again every so often: seconds of the board's clock."""

    from_s: float = 0.0
    for_s: float = inf
    every_s: float = inf

    def covers(self, at_s: float) -> bool:
        since_s = at_s - self.from_s
        return since_s >= 0 and since_s % self.every_s < self.for_s
