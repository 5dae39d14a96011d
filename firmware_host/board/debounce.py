"""Which holes of a track hold a peg, chatter taken out.

A hole is believed full at its first sign and empty once it stayed silent for `fall_s`: a peg that is pressed home
bounces, and lights and pending points should not wait for it to come to rest.
"""

from __future__ import annotations

from firmware_host.board.course import Hole


class Debounce:
    """The holes believed full, after frames seen in order of time."""

    def __init__(self, fall_s: float) -> None:
        self.full: frozenset[Hole] = frozenset()
        self._fall_s = fall_s
        self._empties_at_s: dict[Hole, float] = {}

    @property
    def deadline_s(self) -> float | None:
        return min(self._empties_at_s.values()) if self._empties_at_s else None

    def see(self, lit: frozenset[Hole], at_s: float) -> bool:
        """Take in one frame; `tick` first if a deadline has passed. Says whether `full` changed."""
        for hole in self._empties_at_s.keys() & lit:
            del self._empties_at_s[hole]
        for hole in self.full - lit - self._empties_at_s.keys():
            self._empties_at_s[hole] = at_s + self._fall_s
        if lit <= self.full:
            return False
        self.full |= lit
        return True

    def tick(self, at_s: float) -> bool:
        """Let go of the holes that stayed silent long enough. Says whether `full` changed."""
        silent = [hole for hole, empties_at_s in self._empties_at_s.items() if empties_at_s <= at_s]
        for hole in silent:
            del self._empties_at_s[hole]
        self.full = self.full.difference(silent)
        return bool(silent)
