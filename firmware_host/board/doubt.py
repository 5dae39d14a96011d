"""Doubt in our own belief: a hole may read for ever, and then the peg we think is in it is the one that moves about.

Rule: a single picture cannot tell a stuck hole from a third peg. What tells is that a hand moves pegs and not holes,
that hands are quick, and that most leaps are short.
"""

from __future__ import annotations

from firmware_host.board.course import NO_HOLES, Hole
from firmware_host.board.glance import Belief
from firmware_host.board.readings import Fault
from firmware_host.board.timing import Timing


class Doubt:
    """What is remembered of strangers: holes of the track that read and should not."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._wandered = NO_HOLES  # where a third peg stood before it went elsewhere
        self._strayed = NO_HOLES  # where the back peg stood, not ahead of the front one, before it went elsewhere
        self._suspect: Hole | None = None  # doubted before, by the same hand

    def forget(self) -> None:
        self._wandered = self._strayed = NO_HOLES
        self._suspect = None

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

    def hole(self, live: frozenset[Hole], belief: Belief, told_ago_s: float) -> Hole | None:
        """The hole of ours that reads although its peg seems to have left it."""
        back, front = belief.holes
        strangers = live - {back, front}
        if front not in live:
            self.forget()
        elif back not in live:
            self._wandered, self._suspect = NO_HOLES, None
            return front if self._is_played_behind(strangers, live, belief) else None
        elif strangers:
            self._suspect = self._of_two(strangers, belief, told_ago_s)
            return self._suspect
        return None

    def _of_two(self, strangers: frozenset[Hole], belief: Belief, told_ago_s: float) -> Hole | None:
        """Both pegs seem to be in, and strangers read."""
        back, front = belief.holes
        if belief.owed > 0 and belief.course.hole_of(belief.pegs.front + belief.owed) in strangers:
            return back
        if belief.left in strangers and told_ago_s <= self._timing.return_s:
            return front  # no peg ever left for there
        is_moving = bool(self._wandered) and self._wandered.isdisjoint(strangers)
        if any(map(belief.is_between, strangers)):
            return front if is_moving or told_ago_s <= self._timing.fresh_s else None
        if not is_moving:
            return None
        return self._suspect or (front if told_ago_s <= self._timing.mend_s else back)

    def _is_played_behind(self, strangers: frozenset[Hole], live: frozenset[Hole], belief: Belief) -> bool:
        """Nobody errs behind the front peg twice: it is not there."""
        has_moved = bool(strangers) and bool(self._strayed) and strangers.isdisjoint(self._strayed)
        return has_moved and belief.glance(live).move is None
