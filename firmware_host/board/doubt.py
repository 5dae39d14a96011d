"""Doubt in our own belief: a hole may read for ever, and then the peg we think is in it is the one that moves about.

Rule: a single picture cannot tell a stuck hole from a third peg. What tells is that a hand moves pegs and not holes,
that hands are quick, and that most leaps are short.
"""

from __future__ import annotations

from firmware_host.board.course import NO_HOLES, Hole
from firmware_host.board.glance import Belief, Move
from firmware_host.board.readings import Fault
from firmware_host.board.timing import Timing


class Doubt:
    """What is remembered of strangers: holes of the track that read and should not."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._wandered = NO_HOLES  # where a third peg stood before it went elsewhere
        self._strayed = NO_HOLES  # where the back peg stood, not ahead of the front one, before it went elsewhere

    def forget(self) -> None:
        self._wandered = self._strayed = NO_HOLES

    def learn(self, seen: frozenset[Hole], full: frozenset[Hole], belief: Belief) -> frozenset[Hole]:
        """The holes `seen` give way to `full`. Says which of them are now known to hold none of the two pegs.

        What came while both pegs were in is neither of them. Of several holes where the peg that was out may have
        landed, those that still read when it is lifted again are not where it was.
        """
        strangers = seen.difference(belief.holes)
        pegs_in = len(seen) - len(strangers)
        left = strangers - full
        if pegs_in == 2:
            self.note_wandered(left)
            return strangers & full
        if pegs_in == 1 and left:
            self._strayed = left if belief.glance(seen).fault is Fault.OFF_LAP else NO_HOLES
            return strangers & full
        return NO_HOLES

    def note_wandered(self, left: frozenset[Hole]) -> None:
        self._wandered = left or self._wandered

    def hole(self, live: frozenset[Hole], belief: Belief, told: Move | None, told_ago_s: float) -> Hole | None:
        """The hole of ours that reads although its peg seems to have left it. `told`: the last move that was."""
        back, front = belief.holes
        strangers = live - {back, front}
        if front not in live:
            self.forget()
            return None
        if back not in live:
            self._wandered = NO_HOLES
            return front if self._is_played_behind(strangers, live, belief) else None
        if not strangers:
            return None
        if belief.owed > 0 and belief.course.hole_of(belief.pegs.front + belief.owed) in strangers:
            return back
        if told and self._was_false(told, told_ago_s, strangers, belief):
            return front
        return back if self._is_moving(strangers) and belief.glance(live - {back}).move else None

    def _is_played_behind(self, strangers: frozenset[Hole], live: frozenset[Hole], belief: Belief) -> bool:
        """Nobody errs behind the front peg twice: it is not there."""
        has_moved = bool(strangers) and bool(self._strayed) and strangers.isdisjoint(self._strayed)
        return has_moved and belief.glance(live).move is None

    def _is_moving(self, strangers: frozenset[Hole]) -> bool:
        return bool(self._wandered) and self._wandered.isdisjoint(strangers)

    def _was_false(self, told: Move, told_ago_s: float, strangers: frozenset[Hole], belief: Belief) -> bool:
        """The move told was a hole that got stuck while the peg was in the hand: now the peg lands."""
        if told_ago_s <= self._timing.hand_s and belief.course.holes_of(told.was)[0] in strangers:
            return True
        is_near_in_time = told_ago_s <= self._timing.fresh_s or self._is_moving(strangers)
        return is_near_in_time and any(belief.is_shorter(told, hole) for hole in strangers)
