"""Pegs that are out of their holes: in a hand, lost in a hole that does not read, or out because the board is wiped."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.board.course import Hole


class Absence:
    """Which of the two holes of a track lack their peg, since when, and what came of it."""

    def __init__(self, lone_s: float) -> None:
        self._lone_s = lone_s
        self._gone_s: dict[Hole, float] = {}
        self.forget()

    def forget(self) -> None:
        """The pegs are believed elsewhere from now on."""
        self.was_whole = False
        self.was_wiped = False
        self.lost: Hole | None = None
        """The hole of a peg that stayed out while the other one was in, and then both were out."""

    def see(self, missing: Iterable[Hole], at_s: float) -> None:
        if self.are_both_out and not self.is_one_lost and at_s - max(self._gone_s.values()) > self._lone_s:
            self.was_wiped = True
        self._gone_s = {hole: self._gone_s.get(hole, at_s) for hole in missing}
        if not self._gone_s:
            self.was_whole, self.was_wiped, self.lost = True, False, None
        elif self.are_both_out and self.lost is None:
            first, second = sorted(self._gone_s, key=self._gone_s.__getitem__)
            is_lost = self._gone_s[second] - self._gone_s[first] > self._lone_s
            self.lost = first if is_lost else None

    @property
    def are_both_out(self) -> bool:
        return len(self._gone_s) == 2

    @property
    def is_one_lost(self) -> bool:
        """One of the pegs stands in a hole that does not read: it left alone, or was never seen since the last move."""
        return self.lost is not None or not self.was_whole
