"""Decides whether one of the two believed holes is stuck, so that its peg is really elsewhere.

The problem. Both believed holes read, and so does a third hole of the track. There are two explanations:

    a third peg, or a stuck hole elsewhere    both pegs are where they are believed to be; nobody scored. So is it
                                              if a magnet that is no peg is held over the track
    a believed hole is stuck                  its peg has left it unseen and stands in the third hole; somebody scored

One frame cannot distinguish them: pegs are alike, and a stuck hole reads exactly like a hole with a peg. The history
of the readings can, because of three facts about hands:

    hands move pegs and never holes     an extra reading that wanders from hole to hole, as fast as hands are, is a
                                        peg in a hand's motion; since both believed holes kept reading, it left one of
                                        them. What wanders in another way is a magnet (extra_rests.py)
    hands are quick                     what changes within seconds of a report belongs to the move just reported
    most moves are leaps, and short     without better evidence it is the back peg that moves

`StuckHoleDetector` keeps that history, and `find` gives the believed hole that is suspected. The tracker then infers
as if the suspect were empty: its reading is left out, and the move into the third hole appears. Nothing is final: the
suspicion is renewed at every change of the readings, and the suspect becomes a stuck hole only when a move is
reported.

What remains. A magnet that moves as a hand does, with a few taps or after one short rest, and then stays in a hole,
shows exactly what a leap out of a stuck hole shows. So such a move is reported later than others, the display names the
hole that is taken to be stuck, and once nothing but the two old holes reads for `in_hand_s`, the pegs are believed to
be there again, however far that is (`_refuted_suspicion` in track_tracker.py).

The cases where both believed holes read, and unexpected holes too (`_find_with_both_in`, in this order):

    evidence                                                   suspect    reason
    1 an unexpected hole is where the owed points end          back       the rules and the sensors agree on this leap
    2 an unexpected hole is the one the last move emptied,     front      the peg is back where it came from and never
      that move was reported at most return_s ago, and                    made that move: the front hole is stuck
      was not exactly what was owed
    3 an unexpected hole is between the pegs, and a reading    front      no leap ends there: the peg is still on its
      wandered or a move was reported at most counting_s ago              way, and the front hole is stuck
      an unexpected hole is between the pegs, otherwise        none       a third peg
    4 no reading wandered                                      none       a third peg or a stuck hole: wait
    5 a hole is suspected already                              the same   one motion of a hand has one origin
      a move was reported at most correction_s ago             front      the move just reported is being corrected
      otherwise                                                back       a leap

A reading "wandered" if an unexpected hole was left and another one reads now, and a hand may have done that.

Why this order. What is owed comes from the rules and not from the sensors, so it is the strongest evidence. A peg that
is back where it came from disproves a move that was already reported, so the score that is shown is wrong until then.
A hole between the pegs excludes a leap, whoever moved. Only then comes the general rule for readings that wander: it
is right most of the time, but not always.

One more case, where the back hole is empty and the front hole reads: the back peg was set down behind the front peg,
lifted, and set down where again no move ends. People err by a few holes once, not twice. So the front peg is not where
its hole says, and the front hole is the suspect. If the front hole itself is empty, no believed hole is in question
and the history is dropped.

The times are in timing.py: `return_s` bounds how long a peg is fingered, `counting_s` how long a count goes on, and
`correction_s` how long a wrong hole may still be corrected.
"""

from __future__ import annotations

from firmware_host.board.course import NO_HOLES, Hole
from firmware_host.tracking.extra_rests import ExtraRests
from firmware_host.tracking.move_inference import Belief
from firmware_host.tracking.readings import Fault
from firmware_host.tracking.timing import Timing


class StuckHoleDetector:
    """Remembers which unexpected holes of one track were left, and finds the believed hole that must be stuck."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._left_by_extra_peg = NO_HOLES  # holes where an extra reading stood before it went elsewhere
        self._left_by_back_peg = NO_HOLES  # holes, not ahead of the front peg, where the back peg stood before
        self._rests = ExtraRests(timing)  # how long it stood where
        self._suspect: Hole | None = None  # suspected before, during the same motion

    @property
    def has_rested(self) -> bool:
        """Whether the reading that wandered rested in a hole for longer than a peg that counts."""
        return self._rests.are_any

    def forget(self) -> None:
        """Drops the history: the pegs are believed to be elsewhere now."""
        self._left_by_back_peg = NO_HOLES
        self._forget_motion()

    def _forget_motion(self) -> None:
        self._left_by_extra_peg = NO_HOLES
        self._rests.forget()
        self._suspect = None

    def learn(self, trusted: frozenset[Hole], occupied: frozenset[Hole], belief: Belief) -> frozenset[Hole]:
        """Learns from a frame that gives way: the holes `trusted` read until now, and `occupied` reads from now on.

        Returns the unexpected holes that are now known to hold neither of the two pegs: what came while both pegs were
        in is neither of them; and of several holes in which the missing peg may have landed, those that still read
        when it is lifted again are not the one.
        """
        unexpected = trusted.difference(belief.holes)
        pegs_in = len(trusted) - len(unexpected)
        left = unexpected - occupied
        if pegs_in == 2:
            self.note_left(left)
            return unexpected & occupied
        if pegs_in == 1 and left:
            # OFF_LAP: no move ends there, so it was set down by mistake. From any other hole a move is being made.
            self._left_by_back_peg = left if belief.infer(trusted).fault is Fault.OFF_LAP else NO_HOLES
            return unexpected & occupied
        return NO_HOLES

    def note_left(self, holes: frozenset[Hole]) -> None:
        """Remembers `holes`, if any, as the last ones that an extra reading left."""
        # Nothing is forgotten for an empty set: a peg in the air is in no hole for some frames.
        self._left_by_extra_peg = holes or self._left_by_extra_peg

    def note_rests(self, unexpected: frozenset[Hole], emptied: frozenset[Hole], at_s: float) -> None:
        """Takes in the unexpected holes that are trusted from `at_s` on, and those that stopped reading then.

        What comes long after the last reading left is another motion, and has left nothing.
        """
        if self._rests.update(unexpected, emptied, at_s):
            self._left_by_extra_peg = NO_HOLES
            self._suspect = None

    def find(self, trusted: frozenset[Hole], belief: Belief, since_move_s: float) -> Hole | None:
        """The believed hole that reads although its peg seems to have left it, or None.

        `trusted` are the holes that read and are trusted, `since_move_s` the seconds since a move was last reported.
        """
        back, front = belief.holes
        unexpected = trusted - {back, front}
        if front not in trusted:
            self.forget()
        elif back not in trusted:
            # The back peg left visibly: whatever wandered before was that peg on its way, and is explained.
            self._forget_motion()
            return front if self._is_second_error(unexpected, trusted, belief) else None
        elif unexpected:
            self._suspect = self._find_with_both_in(unexpected, belief, since_move_s)
            return self._suspect
        return None

    def _find_with_both_in(self, unexpected: frozenset[Hole], belief: Belief, since_move_s: float) -> Hole | None:
        """Both believed holes read, and `unexpected` too: the five tests of the table above."""
        back, front = belief.holes
        if belief.owed > 0 and belief.course.hole_of(belief.pegs.front + belief.owed) in unexpected:  # test 1
            return back
        if belief.vacated in unexpected and since_move_s <= self._timing.return_s:  # test 2
            return front
        is_wandering = bool(self._left_by_extra_peg) and self._left_by_extra_peg.isdisjoint(unexpected)
        is_wandering = is_wandering and self._rests.are_of_hand(unexpected)
        if any(map(belief.is_between, unexpected)):  # test 3
            return front if is_wandering or since_move_s <= self._timing.counting_s else None
        if not is_wandering:  # test 4
            return None
        return self._suspect or (front if since_move_s <= self._timing.correction_s else back)

    def _is_second_error(self, unexpected: frozenset[Hole], trusted: frozenset[Hole], belief: Belief) -> bool:
        """Whether the back peg was set down twice where no move ends, in different holes."""
        was_moved = bool(unexpected) and bool(self._left_by_back_peg) and unexpected.isdisjoint(self._left_by_back_peg)
        return was_moved and belief.infer(trusted).move is None
