"""Which pegs of a track are out of their holes: in a hand, lost in a hole that does not read, or out for wiping."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.board.course import Hole


class MissingPegs:
    """Remembers since when each of the two believed holes of a track lacks its peg. Times are seconds.

    `were_both_in`: both pegs were in their holes at some time since the last move.
    `was_wiped`: both pegs were lifted together and stayed out; cleared when both are back.
    `lost`: the hole of a peg that left alone and was still out when the other one left too.
    """

    def __init__(self, together_s: float) -> None:
        self._together_s = together_s
        self._missing_since_s: dict[Hole, float] = {}
        self.forget()

    def forget(self) -> None:
        """Starts anew after a move: the pegs are believed to be elsewhere now."""
        self.were_both_in = False
        self.was_wiped = False
        self.lost: Hole | None = None

    def update(self, missing: Iterable[Hole], at_s: float) -> None:
        """Takes in the believed holes that are empty now."""
        if self.are_both_out and not self.is_one_lost and at_s - max(self._missing_since_s.values()) > self._together_s:
            self.was_wiped = True
        self._missing_since_s = {hole: self._missing_since_s.get(hole, at_s) for hole in missing}
        if not self._missing_since_s:
            self.were_both_in = True
            self.was_wiped = False
            self.lost = None
        elif self.are_both_out and self.lost is None:
            first, second = sorted(self._missing_since_s, key=self._missing_since_s.__getitem__)
            is_lost = self._missing_since_s[second] - self._missing_since_s[first] > self._together_s
            self.lost = first if is_lost else None

    @property
    def is_any_out(self) -> bool:
        """Whether a believed hole is empty."""
        return bool(self._missing_since_s)

    @property
    def are_both_out(self) -> bool:
        """Whether both believed holes are empty."""
        return len(self._missing_since_s) == 2

    @property
    def is_one_lost(self) -> bool:
        """Whether a peg stands in a hole that does not read: it left alone, or was never seen since the last move."""
        return self.lost is not None or not self.were_both_in
