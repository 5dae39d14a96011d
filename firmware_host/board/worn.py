"""Holes of one track whose reading is no news: stuck, dead, or holding a peg that nobody pegged.

A stuck hole and a third peg look alike until somebody moves; until then either is called spare.
"""

from __future__ import annotations

from firmware_host.board.course import NO_HOLES, Hole


class WornHoles:
    """`stuck` holes read for ever, `dead` ones never, `spare` ones are stuck or hold a third peg.
    `misplaced`: what read when the table changed its mind, so that no peg landed there since."""

    def __init__(self) -> None:
        self.stuck = self.dead = self.spare = self.misplaced = NO_HOLES

    @property
    def silent(self) -> frozenset[Hole]:
        """Where a peg may come or go and nothing changes."""
        return self.stuck | self.dead | self.spare

    def live(self, full: frozenset[Hole]) -> frozenset[Hole]:
        """The holes of `full` that tell of a peg."""
        return full - self.stuck - self.dead - self.spare - self.misplaced

    def see(self, full: frozenset[Hole]) -> frozenset[Hole]:
        """A stuck hole that falls silent held a peg, a dead one that reads is well. Says which fell silent."""
        fallen = (self.stuck | self.spare) - full
        self.stuck &= full
        self.spare &= full
        self.misplaced &= full
        self.dead -= full
        return fallen

    def find_stuck(self, holes: frozenset[Hole]) -> tuple[Hole, ...]:
        """A move was told while these read, and whatever was spare: they hold no peg. Says which are new, in order."""
        found = (holes | self.spare) - self.stuck
        self.stuck |= found
        self.spare = NO_HOLES
        return tuple(sorted(found))
