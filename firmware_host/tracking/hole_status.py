"""Holes of one track whose reading is not evidence of a peg of that track: stuck, dead, extra and misplaced holes.

What the sensors show. A switch has one bit, and a broken switch has a bit too: one that is stuck reads as a peg that
never moves, one that is dead reads as an empty hole. In a single frame they look like sound switches. Over time they
differ, because pegs move and broken switches do not: a peg that was seen to land must be in the hole where it landed,
so whatever else reads at that moment is not one of the two pegs.

Each hole that is not to be trusted is in one of four sets:

    set         what it means                         enters when                           leaves when
    stuck       reads, holds no peg of the track      a move is reported while it reads     it stops reading
    dead        may hold a peg, never reads           a peg must have been in it, unseen    it reads
    extra       stuck or a third peg, not yet known   THIRD_PEG is reported, or a peg was   it stops reading, or a
                                                      lifted, and not from here             move makes it stuck
    misplaced   holds a peg that did not land now     the believed position is set from     it stops reading
                                                      outside while it reads

How the rest of the tracker uses them:

    trusted     reads, and is in none of the sets     evidence of a peg: the input of the inference
    unreadable  stuck, dead or extra                  a peg may come here or leave without any change of the reading

Why `extra` and `stuck` are two sets. A third peg and a stuck hole look alike until somebody moves. If a stuck hole is
announced too early, a peg that somebody parked there is called a broken sensor. If it is ignored too late, it is taken
for the end of the next leap. So a hole is extra at once, which takes it out of the inference, and stuck (reported as
broken) at the next move.

Why misplaced holes are not unreadable. They hold real pegs that will leave visibly; no peg can land there unseen.

Every status can be undone by the switch itself: a stuck hole that stops reading held a peg or recovered, and a dead
hole that reads recovered. A wrong guess therefore costs a few turns and not the game.
"""

from __future__ import annotations

from firmware_host.board.course import NO_HOLES, Hole


class HoleStatus:
    """The holes of one track that are `stuck`, `dead`, `extra` or `misplaced`: see the module's description."""

    def __init__(self) -> None:
        self.stuck = self.dead = self.extra = self.misplaced = NO_HOLES

    @property
    def unreadable(self) -> frozenset[Hole]:
        """Holes in which a peg may come or go without a change of the reading."""
        return self.stuck | self.dead | self.extra

    def trusted(self, occupied: frozenset[Hole]) -> frozenset[Hole]:
        """The holes of `occupied` whose reading is evidence of a peg."""
        return occupied - self.stuck - self.dead - self.extra - self.misplaced

    def update(self, occupied: frozenset[Hole]) -> frozenset[Hole]:
        """Drops each status that `occupied` disproves and returns the stuck and extra holes that stopped reading."""
        emptied = (self.stuck | self.extra) - occupied
        self.stuck &= occupied
        self.extra &= occupied
        self.misplaced &= occupied
        self.dead -= occupied
        return emptied

    def mark_stuck(self, holes: frozenset[Hole]) -> tuple[Hole, ...]:
        """Marks `holes` and all extra holes as stuck, after a move that left none of its pegs there.

        Returns those that are newly stuck, lowest first.
        """
        found = (holes | self.extra) - self.stuck
        self.stuck |= found
        self.extra = NO_HOLES
        return tuple(sorted(found))
