"""Debounces the sensors of one track.

A hole counts as occupied from the first frame that shows a peg, and as empty after it read empty for `fall_s`. The two
edges differ on purpose: a peg that is pressed home bounces, and lights and pending points should not wait until it has
come to rest.
"""

from __future__ import annotations

from firmware_host.board.course import Hole


class Debounce:
    """The debounced holes of one track. Frames and ticks come in order of time, in seconds."""

    def __init__(self, fall_s: float) -> None:
        self.occupied: frozenset[Hole] = frozenset()
        self._fall_s = fall_s
        self._empties_at_s: dict[Hole, float] = {}

    @property
    def deadline_s(self) -> float | None:
        """When the next hole will count as empty, or None if no hole is emptying."""
        return min(self._empties_at_s.values()) if self._empties_at_s else None

    def update(self, frame: frozenset[Hole], at_s: float) -> bool:
        """Takes in one frame and returns whether `occupied` changed. Call `tick` first if a deadline has passed."""
        for hole in self._empties_at_s.keys() & frame:
            del self._empties_at_s[hole]
        # A hole that is emptying already keeps its time: frames come at every change anywhere on the track.
        for hole in self.occupied - frame - self._empties_at_s.keys():
            self._empties_at_s[hole] = at_s + self._fall_s
        if frame <= self.occupied:
            return False
        self.occupied |= frame
        return True

    def tick(self, at_s: float) -> bool:
        """Drops the holes that read empty for `fall_s` and returns whether `occupied` changed."""
        emptied = [hole for hole, empties_at_s in self._empties_at_s.items() if empties_at_s <= at_s]
        for hole in emptied:
            del self._empties_at_s[hole]
        self.occupied = self.occupied.difference(emptied)
        return bool(emptied)
