"""One look at a track: the holes that read, against the pegs believed in. No time passes here.

Rule: pegs are alike. Which is the front one, and on which lap, follows from the belief and never from the picture:

    back out, front in, a new hole ahead      the back peg leapt
    front out, back in, a new hole            the front peg was slid, forward or back, never behind the back peg
    both out, a new hole                      a peg came from a hole that does not read: count from the front peg,
                                              or from the back one if it was the front peg that was lost
    both in, a new hole                       nobody moved: a third peg, or a hole that reads for ever
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from firmware_host.board.course import NO_HOLES, Course, Hole, TrackPegs
from firmware_host.board.readings import Fault

LARGEST_HAND = 29
"""Points; whatever is longer than one hand is believed only after a longer look."""
JUST_BEHIND = 10
"""Holes: by no more is a wrong hole off. On a lapped board a peg this near behind the front peg was set down wrong; it
did not leap most of a lap."""


@dataclass(frozen=True, slots=True)
class Move:
    """How the pegs would stand if the track stayed as it looks.

    `is_slip`: the front peg stands where a slide goes wrong on its way, on this lap or the next; it is likely mended.
    """

    was: TrackPegs
    now: TrackPegs
    is_leap: bool
    is_doubtful: bool = False
    is_taken_back: bool = False
    is_slip: bool = False

    @property
    def score(self) -> int:
        return self.now.front

    @property
    def points(self) -> int:
        return self.now.front - self.was.front


@dataclass(frozen=True, slots=True)
class Glance:
    """`move`: the move this may be. `strangers`: holes that read and hold no peg of the track. `fault`: what is odd."""

    move: Move | None = None
    strangers: frozenset[Hole] = NO_HOLES
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of a track before looking.

    `before`: the pegs ahead of the last leap, if that can be taken back. `owed`: points to be moved, 0 if none are.
    `left`: the hole that the last move emptied. `silent`: holes where a peg comes and goes unseen.
    `was_whole`: both pegs were in since the last move. `is_fresh`: that was so short ago that it may still be mended.
    `is_front_lost`: the peg that made it left alone, and must be in a hole that does not read.
    """

    course: Course
    pegs: TrackPegs
    before: TrackPegs | None = None
    owed: int = 0
    left: Hole | None = None
    silent: frozenset[Hole] = NO_HOLES
    was_whole: bool = True
    is_fresh: bool = True
    is_front_lost: bool = False

    @property
    def holes(self) -> tuple[Hole, Hole]:
        """Where the back and the front peg should be."""
        return self.course.holes_of(self.pegs)

    def is_between(self, hole: Hole) -> bool:
        """Does the hole lie between the two pegs?"""
        return any(self.pegs.back < score < self.pegs.front for score in self.course.scores_at(hole))

    def glance(self, live: frozenset[Hole]) -> Glance:
        """Read the holes `live`, of which none is in `silent`."""
        strangers = live.difference(self.holes)
        if not strangers:
            return self._nothing_landed(live)
        if live.issuperset(self.holes):
            return Glance(None, strangers, Fault.THIRD_PEG)
        best = min(self._moves(strangers, live), key=self._oddness, default=None)
        if best is None:
            return Glance(None, strangers, Fault.OFF_LAP)
        return Glance(best, strangers.difference(self.course.holes_of(best.now)))

    def _moves(self, strangers: frozenset[Hole], live: frozenset[Hole]) -> Iterable[Move]:
        """Whatever may have ended in one of the holes `strangers`."""
        full = live | self.silent
        is_back_in, is_front_in = (hole in full for hole in self.holes)
        if is_back_in and is_front_in:
            is_back_in = self.holes[0] in live  # one of them may have left a silent hole
            is_front_in = not is_back_in
        if is_front_in:
            return filter(None, map(self._leap if self.holes[1] in live else self._mend, strangers))
        if is_back_in:
            return filter(None, map(self._slide, strangers))
        if len(strangers) > 1:
            return filter(None, [self._both_moved(strangers)]) if self.was_whole else ()
        if self.is_front_lost:
            return filter(None, map(self._pass_back, strangers))
        return filter(None, map(self._mend if self.is_fresh else self._leap_unseen, strangers))

    def _nothing_landed(self, live: frozenset[Hole]) -> Glance:
        """A peg that is out may be in a hand, or in a hole that says nothing."""
        out = [hole for hole in self.holes if hole not in live | self.silent]
        if len(out) != 1:
            return Glance(fault=Fault.BOTH_OUT if out else None)
        fault = Fault.PEG_UNSEEN if out[0] == self.holes[0] else Fault.FRONT_OUT
        if not self.was_whole:
            return Glance(fault=fault)
        moves = self._moves(self.silent.difference(self.holes), live)
        hidden = [replace(move, is_doubtful=True) for move in moves if -JUST_BEHIND <= move.points <= LARGEST_HAND]
        return Glance(min(hidden, key=self._oddness, default=None), fault=fault)

    def _leap(self, hole: Hole) -> Move | None:
        """The back peg landed here, unless it looks like an error behind the front peg."""
        move = self._leap_unseen(hole)
        if move is None or move.score in (self._due, self.course.target):
            return move
        behind = move.score - self.course.lap
        return None if behind > 0 and self.pegs.front - behind <= JUST_BEHIND else move

    def _leap_unseen(self, hole: Hole) -> Move | None:
        """A peg landed here, at the nearest score ahead of the front peg."""
        front = self.pegs.front
        scores = [score for score in self.course.scores_at(hole) if score > front]
        if not scores:
            return None
        score = self._due if self._due in scores else scores[0]
        return Move(self.pegs, self.pegs.leapt_to(score), is_leap=True, is_doubtful=score - front > LARGEST_HAND)

    def _slide(self, hole: Hole) -> Move | None:
        """The front peg landed here: whence it had leapt, or at the nearest score in front of the back peg."""
        score = self._nearest_score(hole)
        points = 0 if score is None else score - self.pegs.front
        # On a lapped board the hole it came from may also be one that it slides to.
        is_slide = 0 < abs(points) <= (JUST_BEHIND if self.is_fresh else LARGEST_HAND)
        if self.before and hole == self.course.holes_of(self.before)[0] and not is_slide:
            is_slip = self._is_slip(self.before.front, hole)
            return Move(self.pegs, self.before, is_leap=False, is_taken_back=True, is_slip=is_slip)
        if score is None:
            return None
        now, is_slip = self.pegs.slid_to(score), self._is_slip(score, hole)
        return Move(self.pegs, now, is_leap=False, is_doubtful=abs(points) > LARGEST_HAND, is_slip=is_slip)

    def _is_slip(self, score: int, hole: Hole) -> bool:
        """A slide on by more than a hand, or back into a hole where, a lap on, a hand and an error may end."""
        front = self.pegs.front
        if score > front:
            return score - front > LARGEST_HAND
        if self.holes[1] in self.silent:
            return False  # nobody saw it land there: it may have been here all along
        return any(0 < ahead - front <= LARGEST_HAND + JUST_BEHIND for ahead in self.course.scores_at(hole))

    def _mend(self, hole: Hole) -> Move | None:
        """A peg landed here, just after the other one was not where it should be: ahead, or to mend that move."""
        return self._leap(hole) or self._slide(hole)

    def _pass_back(self, hole: Hole) -> Move | None:
        """A peg landed here while the front one was lost: all that is sure is that it passed the back one."""
        score = next((score for score in self.course.scores_at(hole) if score > self.pegs.back), None)
        if score is None:
            return None
        is_leap = score > self.pegs.front
        now = self.pegs.leapt_to(score) if is_leap else self.pegs.slid_to(score)
        return Move(self.pegs, now, is_leap)

    def _both_moved(self, holes: frozenset[Hole]) -> Move | None:
        """Two quick leaps, or both pegs put back elsewhere: the farther one tells the score."""
        scores = sorted(score for hole in holes if (score := self._nearest_score(hole)) is not None)
        if len(scores) < 2:
            return None
        now = TrackPegs(back=scores[-2], front=scores[-1])
        have_leapt = now.back > self.pegs.front
        return Move(self.pegs, now, is_leap=have_leapt, is_doubtful=not have_leapt)

    def _nearest_score(self, hole: Hole) -> int | None:
        scores = [score for score in self.course.scores_at(hole) if score > self.pegs.back]
        if self._due in scores:
            return self._due
        return min(scores, key=lambda score: abs(score - self.pegs.front), default=None)

    @property
    def _due(self) -> int | None:
        """The score at which nothing is owed any more."""
        return min(self.pegs.front + self.owed, self.course.target) if self.owed else None

    def _oddness(self, move: Move) -> tuple[bool, bool, int]:
        return move.score != self._due, move.is_doubtful, abs(move.points)
