"""The way of two pegs back to where they belong: its steps, and the readings that show it half done.

What makes a move back different. A peg that scores moves forward, one peg, past the other one. A price (auction), a
penalty or a move that was not due leads back:

    back by n, with t = front - n    the front peg    the back peg
    t is above 0                     t                where it is if that is behind t, else t - 1, directly behind
    t is 0 or below                  the start        the start

So both pegs may have to move, and between the two moves they stand where no score ends. Read as usual, such a frame is
a wrong hole; on a lapped board it is even a leap of nearly a whole lap forward, and would be booked as one. So the
inference must know the goal: the game gives it (`Table.goal`), because the rules decide it and no reading can.

The theory. Pegs are alike. A frame shows a set of holes, and it does not matter which peg stands in which of them. Let
O be the two holes where the pegs stood, and N the two where they belong:

    O - N   the holes to leave, one or two
    N - O   the holes to fill, as many
    O & N   a hole that keeps its peg; if both pegs move, none

People move one peg after the other, either one first, into either hole first, or they lift both. Every frame on the
way therefore shows a part of O | N, with at most one peg for each of two. The converse is the rule: as long as a frame
shows nothing outside O | N, it is on the way, and neither a score nor a fault. No order is prescribed; the lights only
propose one.

The cases, for pegs at (front, back) that go back by n. All are the same sets, and none has code of its own:

    case                                     O         N          steps
    1 t = front - n is ahead of the back     62 50     54 50      62 to 54
    2 t is the hole of the back peg          62 54     54 53      62 to 53: a peg is in 54 already
    3 t is behind the back peg               62 57     54 53      62 to 54, 57 to 53
    4 t - 1 is the hole of the back peg      62 53     54 53      62 to 54, as case 1
    5 to the start                           9 4       S1 S2      9 to S2, 4 to S1
    6 the back peg is at the start           9 S2      S1 S2      9 to S1
    7 across the lap border, lap of 60       2 57      54 53      2 to 54, 57 to 53 (scores 62 and 57 as in case 3)
    8 a move for nothing is taken back       70 62     62 50      70 to 50: where it came from
    9 back by a whole lap                    40 39     40 39      none: other scores, the same holes

The two start holes are equal. The tracker takes one peg in them to be in S2, so a way into the start ends with S1. The
lights look where the peg really is (`START_HOLES` in board/course.py).

What a frame shows, in this order:

    frame                                                       progress
    1 every hole of N reads, and no other                       DONE
    2 every hole of N reads, and others                         UNSURE
    3 a hole outside O | N reads                                ELSEWHERE: the usual inference decides
    4 every hole of N reads or is unreadable, none to leave     UNSURE
      reads
    5 anything else                                             UNDER_WAY, or not begun

Why this order. Two pegs fill N, so no other hole can hold one: what reads there is slow or stuck, and the goal is
believed after a longer wait. That also settles case 9, where nothing is left to do. Otherwise a peg outside O | N is no
part of this way, whatever else is right. Test 4 comes last because nobody saw the peg land.

What does not depend on the way. ELSEWHERE is read as usual, with one limit: on a lapped board a hole shortly behind the
pegs is also most of a lap ahead. While the pegs are to go back, a peg there has gone back to a wrong hole
(`is_behind`). A leap forward, which pays other points first, and a slide that falls short are read as ever.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from firmware_host.board.course import START_HOLES, Course, Hole, TrackPegs

FARTHEST_ERROR = 10
"""Holes. A peg that goes back too far is off by at most two groups of five."""


class Progress(Enum):
    """How far the pegs are on their way back."""

    UNDER_WAY = "under way"
    """Not done, and nothing is wrong; perhaps not begun."""
    DONE = "done"
    UNSURE = "unsure"
    """Done by all that can be read: a hole that should be empty reads, or one that should hold a peg cannot be read."""
    ELSEWHERE = "elsewhere"
    """A peg stands in a hole that is no part of the way."""


class Step(Struct, frozen=True):
    """Move a peg from `origin` to `end`; `origin` None: from the hand that holds it."""

    origin: Hole | None
    end: Hole


class WayBack(Struct, frozen=True):
    """The way of the pegs of one track from `pegs` to `goal`, which is behind: the front peg marks a lower score."""

    course: Course
    pegs: TrackPegs
    goal: TrackPegs

    @property
    def to_leave(self) -> tuple[Hole, ...]:
        """The holes that lose their peg, that of the front peg first."""
        ends = self.course.holes_of(self.goal)
        return tuple(hole for hole in reversed(self.course.holes_of(self.pegs)) if hole not in ends)

    @property
    def to_fill(self) -> tuple[Hole, ...]:
        """The holes that get a peg, that of the front peg first."""
        origins = self.course.holes_of(self.pegs)
        return tuple(hole for hole in reversed(self.course.holes_of(self.goal)) if hole not in origins)

    def next_step(self, occupied: frozenset[Hole]) -> Step | None:
        """The next move, with the pegs in the holes `occupied`; None if there is none to make.

        The start holes are meant as they are: of two equal ones, the step ends in the one that is free.
        """
        is_swapped = START_HOLES[0] in occupied and START_HOLES[1] not in occupied
        seen = frozenset(map(_other_start_hole, occupied)) if is_swapped else occupied
        ends = [hole for hole in self.to_fill if hole not in seen]
        if not ends:
            return None
        origin = next((hole for hole in self.to_leave if hole in seen), None)
        end = ends[0]
        if is_swapped:
            origin = None if origin is None else _other_start_hole(origin)
            end = _other_start_hole(end)
        return Step(origin, end)

    def progress(self, trusted: frozenset[Hole], unreadable: frozenset[Hole]) -> Progress:
        """What the frame shows. `trusted` are the holes that read and are trusted, and none of them is unreadable."""
        origins, ends = (frozenset(self.course.holes_of(pegs)) for pegs in (self.pegs, self.goal))
        if trusted >= ends:
            return Progress.DONE if trusted == ends else Progress.UNSURE
        if not trusted <= origins | ends:
            return Progress.ELSEWHERE
        is_unseen = trusted | unreadable >= ends and trusted.isdisjoint(self.to_leave)
        return Progress.UNSURE if is_unseen else Progress.UNDER_WAY

    def unread(self, trusted: frozenset[Hole]) -> Hole | None:
        """The only hole of the goal that does not read, once every hole to leave is empty; its peg may be in it."""
        missing = [hole for hole in self.course.holes_of(self.goal) if hole not in trusted]
        return missing[0] if len(missing) == 1 and trusted.isdisjoint(self.to_leave) else None

    def is_behind(self, hole: Hole) -> bool:
        """Whether a peg that goes back may have landed in this hole by mistake."""
        lowest = self.goal.front - FARTHEST_ERROR
        return any(lowest <= score <= self.pegs.front for score in self.course.scores_at(hole))


def _other_start_hole(hole: Hole) -> Hole:
    first, second = START_HOLES
    return {first: second, second: first}.get(hole, hole)
