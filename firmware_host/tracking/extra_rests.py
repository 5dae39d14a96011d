"""Remembers where an extra reading rested on its way, and decides whether a hand moves a peg of the track like that.

A magnet that is no peg wanders over a track as a peg in a hand does: a child plays with a spare peg, or a ring passes.
But hands have habits, and a magnet rarely keeps all of them:

    a hand with a peg of the track                                            a magnet
    taps through holes while it counts, each for less than `settle_s`         may be as quick, but then it goes on
    rests in one wrong hole at most, and corrects that within `fault_s`       rests in several holes, for any time
    carries the peg from hole to hole within `in_hand_s`                      comes again after a minute

What breaks a habit is a third peg, and moves no score. What keeps them all may be either, until it is gone again.
"""

from __future__ import annotations

from firmware_host.board.course import Hole
from firmware_host.tracking.timing import Timing


class ExtraRests:
    """The rests of one extra reading. Times are seconds."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._reads_since_s: dict[Hole, float] = {}
        self._left_at_s = float("-inf")  # when the reading last left a hole
        self.forget()

    def forget(self) -> None:
        """Forgets where the reading rested before, and since when it is where it is."""
        self._rests_s: dict[Hole, float] = {}  # hole that was left -> how long the reading rested in it
        self._reads_since_s.clear()

    @property
    def are_any(self) -> bool:
        """Whether it left a hole in which it had rested for longer than a peg that counts."""
        return bool(self._rests_s)

    def update(self, unexpected: frozenset[Hole], emptied: frozenset[Hole], at_s: float) -> bool:
        """Takes in the unexpected holes that read from `at_s` on, unless they are known to be extra, and the holes that
        stopped reading then. Returns whether another motion begins.
        """
        for hole in emptied & self._reads_since_s.keys():
            rest_s = at_s - self._reads_since_s.pop(hole)
            if rest_s >= self._timing.settle_s:
                self._rests_s[hole] = rest_s
        if emptied:
            self._left_at_s = at_s
        entered = unexpected - self._reads_since_s.keys()
        self._reads_since_s.update(dict.fromkeys(entered, at_s))
        return bool(entered) and at_s - self._left_at_s > self._timing.in_hand_s

    def are_of_hand(self, now: frozenset[Hole]) -> bool:
        """Whether a hand may have rested like that, before it came to the holes that read `now`."""
        rests_s = [rest_s for hole, rest_s in self._rests_s.items() if hole not in now]
        return len(rests_s) <= 1 and all(rest_s < self._timing.fault_s for rest_s in rests_s)
