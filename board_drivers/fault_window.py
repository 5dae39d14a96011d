"""The times at which a simulated fault is active."""

from __future__ import annotations

from math import inf

from msgspec import Struct


class FaultWindow(Struct, frozen=True):
    """Active from `from_s` on for `for_s`, repeated every `every_s`; in seconds of the board's clock."""

    from_s: float = 0.0
    for_s: float = inf
    every_s: float = inf

    def covers(self, at_s: float) -> bool:
        """Whether the fault is active at this time."""
        since_s = at_s - self.from_s
        return since_s >= 0 and since_s % self.every_s < self.for_s
