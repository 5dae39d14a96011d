"""Holes of one track whose reading is no news: stuck, dead, or holding a peg that nobody pegged.

A stuck hole and a third peg look alike until somebody moves. If the further hole goes silent and another one reads,
a hand is moving that peg, and it is one of the two that seem to be in their holes that does not exist.
"""

from __future__ import annotations

from firmware_host.board.course import Course, Hole, TrackPegs

NO_HOLES: frozenset[Hole] = frozenset()


class WornHoles:
    """`stuck` holes read for ever, `dead` ones never. `spare`: one or the other of a third peg and a stuck hole.
    `misplaced`: pegs that stood there when the table changed its mind, so that nothing landed there since."""

    def __init__(self) -> None:
        self.stuck = self.dead = self.spare = self.misplaced = NO_HOLES
        self._wandered = NO_HOLES  # where a third peg stood before it went elsewhere

    @property
    def silent(self) -> frozenset[Hole]:
        """Where a peg may come or go and nothing changes."""
        return self.stuck | self.dead | self.spare

    def live(self, full: frozenset[Hole]) -> frozenset[Hole]:
        """The holes of `full` that tell of a peg."""
        return full - self.stuck - self.dead - self.spare - self.misplaced

    def see(self, full: frozenset[Hole], third: frozenset[Hole]) -> None:
        """A stuck hole that falls silent held a peg, a dead one that reads is well. `third`: strangers till now."""
        self._wandered = (self.stuck | self.spare | third) - full or self._wandered
        self.stuck &= full
        self.spare &= full
        self.misplaced &= full
        self.dead -= full

    def doubted(self, live: frozenset[Hole], course: Course, pegs: TrackPegs, owed: int, is_fresh: bool) -> Hole | None:
        """The hole of ours that reads although its peg seems to have left it. `is_fresh`: it leapt a moment ago."""
        back, front = course.holes_of(pegs)
        strangers = live - {back, front}
        if back not in live or front not in live:
            self._wandered = NO_HOLES
            return None
        if not strangers:
            return None
        if owed > 0 and course.hole_of(pegs.front + owed) in strangers:
            return back
        if self._wandered and self._wandered.isdisjoint(strangers):
            return back
        is_nearer = any(pegs.back < score < pegs.front for hole in strangers for score in course.scores_at(hole))
        return front if is_fresh and is_nearer else None

    def find_stuck(self, holes: frozenset[Hole]) -> tuple[Hole, ...]:
        """A move was told while these read, and whatever was spare: they hold no peg. Says which are new, in order."""
        found = (holes | self.spare) - self.stuck
        self.stuck |= found
        self.spare = self._wandered = NO_HOLES
        return tuple(sorted(found))

    def forget_moves(self, misplaced: frozenset[Hole]) -> None:
        """The table believes in other pegs than these."""
        self._wandered, self.misplaced = NO_HOLES, misplaced
