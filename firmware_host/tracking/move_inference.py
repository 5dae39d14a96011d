"""Infers from one frame of a track which move, or which fault, it shows. No time passes here.

What the sensors show, and what they do not. A frame is the set of holes whose switch sees a magnet. It does not say
which of the two pegs stands in a hole, because pegs are alike; it does not say on which lap, because on a lapped board
one hole stands for several scores; and a broken hole may read wrong. So a score is never read off a frame. The *belief*
says where both pegs were after the last reported move, and which scores the rules expect. The *reading* says which
holes are occupied now. The inference is the move that turns one into the other. Which peg is the front one, and on
which lap, follows from the belief alone.

The evidence is what became of the two believed holes, and which unexpected holes (the other holes of the track) read:

    back   front  unexpected  inference
    reads  reads  none        no change
    empty  reads  none        PEG_UNSEEN: the back peg is in a hand, or in a hole that does not read (a)
    reads  empty  none        FRONT_OUT: the same for the front peg (a)
    empty  empty  none        BOTH_OUT
    reads  reads  some        THIRD_PEG: neither peg moved; a third peg, or a stuck hole (see stuck_holes.py)
    empty  reads  some        a leap: the back peg landed ahead of the front peg (b)
    reads  empty  some        a slide: the front peg was moved forward or back, never behind the back peg
    empty  empty  several     both pegs moved: two quick leaps, or both put back elsewhere (c)
    empty  empty  one         a peg came from a hole that does not read (d)

    (a) If both pegs were in since the last move and an unreadable hole is in reach, from 10 holes back to 29 ahead,
        then the move into that hole is inferred too, as an unlikely one.
    (b) If the front peg stands in an unreadable hole, nobody saw which peg left: a leap, or else a slide.
    (c) Only if both pegs were in since the last move. Otherwise OFF_LAP: too little is known.
    (d) If it is the front peg that was lost, all that is certain is that the new peg passed the back peg; of several
        laps the one of the front peg is meant. Otherwise, just after a move, this is its correction: a leap, or else a
        slide. Later it is a leap, counted from the front peg.

Unexpected holes that no move explains are OFF_LAP.

Why the tests stand in this order. Without an unexpected hole nothing has visibly landed, and what is missing may still
be in a hand: at best an unlikely move is inferred. If neither believed hole is empty, no peg has left, and any move
would invent points. Both tests exclude whole classes of moves, so they come first. Only then do the empty holes say
which peg moved. An unreadable hole counts as occupied there, because a peg may stand in it unseen.

Which move, if several unexpected holes read or one hole stands for several scores:

    1 the one that ends where the owed points end   the only evidence that is not from the sensors
    2 a likely one before an unlikely one           at most 29 points, the largest hand
    3 the shortest                                  most moves are short; a hole that got stuck far ahead must not win

Laps. A leap goes to the nearest score ahead of the front peg. A hole at most 10 behind the front peg would then be
most of a lap ahead; that is an error of the hand, no leap, unless those points are owed or end the game. A slide goes
to the nearest score ahead of the back peg, whichever way round. If that is farther than any slide goes and the hole is
the one from which the peg had leapt, the leap was taken back.

Going back. While a price, a penalty or a wrong move leads back, the pegs may stand where no move ends, and be right.
way_back.py says which holes these are; that comes before the table above. A frame that is no part of the way back is
inferred as usual, but a hole behind the pegs is then never read as one that is most of a lap ahead.

A slide is a *likely error* where its lap is ambiguous: it goes on by more than a hand, or back to a hole where, one
lap on, a hand and an error of the hand may end. It is probably corrected soon, and track_tracker.py waits for that.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import NO_HOLES, Course, Hole, TrackPegs
from firmware_host.tracking.readings import Fault
from firmware_host.tracking.way_back import Progress, WayBack

LARGEST_HAND = 29
"""Points. A longer move is unlikely and is believed only after a longer wait."""
LARGEST_ERROR = 10
"""Holes. A hand that errs is off by at most two groups of five."""


class Move(Struct, frozen=True):
    """A move of the believed pegs from `was` to `now`; `is_leap` is False for an adjustment of the front peg.

    `is_unlikely`: longer than a hand, or into a hole that does not read.
    `is_taken_back`: the front peg returned to where it had leapt from.
    `is_likely_error`: a slide whose lap is ambiguous, probably into a wrong hole.
    """

    was: TrackPegs
    now: TrackPegs
    is_leap: bool
    is_unlikely: bool = False
    is_taken_back: bool = False
    is_likely_error: bool = False

    @property
    def score(self) -> int:
        """The score of the front peg after the move."""
        return self.now.front

    @property
    def points(self) -> int:
        """How far the front peg is from where it was; negative for a move back."""
        return self.now.front - self.was.front


class Inference(Struct, frozen=True):
    """What one frame shows: a `move`, a `fault`, both (a move into an unreadable hole), or neither.

    `unexpected`: the trusted holes that read and would hold no peg of the track after `move`.
    """

    move: Move | None = None
    unexpected: frozenset[Hole] = NO_HOLES
    fault: Fault | None = None


class Belief(Struct, frozen=True):
    """What is known of a track apart from the frame.

    `before_leap`: the pegs before the last leap, if that can still be taken back.
    `owed`: points that were scored and not yet moved; negative for points to go back, 0 for none.
    `vacated`: the hole that the last move emptied, unless it was exactly what was owed.
    `unreadable`: holes in which a peg comes and goes without a change of the reading.
    `were_both_in`: both pegs were in their holes at some time since the last move.
    `is_correctable`: the last move is so recent that a wrong hole may still be corrected.
    `is_front_lost`: the front peg left alone and must be in a hole that does not read.
    `way_back`: where the pegs are to go back to, if they are.
    """

    course: Course
    pegs: TrackPegs
    before_leap: TrackPegs | None = None
    owed: int = 0
    vacated: Hole | None = None
    unreadable: frozenset[Hole] = NO_HOLES
    were_both_in: bool = True
    is_correctable: bool = True
    is_front_lost: bool = False
    way_back: WayBack | None = None

    @property
    def holes(self) -> tuple[Hole, Hole]:
        """Where the back and the front peg should be."""
        return self.course.holes_of(self.pegs)

    def is_between(self, hole: Hole) -> bool:
        """Whether the hole lies between the two pegs, on any lap."""
        return any(self.pegs.back < score < self.pegs.front for score in self.course.scores_at(hole))

    def infer(self, trusted: frozenset[Hole]) -> Inference:
        """What the frame shows. `trusted` are the holes that read and are trusted: none of them is unreadable."""
        return self._infer_way_back(self.way_back, trusted) if self.way_back else self._infer_usual(trusted)

    def is_on_way_back(self, trusted: frozenset[Hole]) -> bool:
        """Whether the pegs go back, and the frame shows nothing else."""
        way = self.way_back
        return way is not None and way.progress(trusted, self.unreadable) is not Progress.ELSEWHERE

    def _infer_way_back(self, way: WayBack, trusted: frozenset[Hole]) -> Inference:
        """The pegs go back: on the way there is neither a move nor a fault; elsewhere no move leads a lap forward."""
        ends = self.course.holes_of(way.goal)
        match way.progress(trusted, self.unreadable):
            case Progress.UNDER_WAY:
                return Inference()  # no fault either: nobody has done anything wrong yet
            case Progress.ELSEWHERE:
                usual = self._infer_usual(trusted)
                if usual.move is not None and self._is_apart_from(way, usual.move):
                    return usual
                if usual.fault is Fault.THIRD_PEG:
                    return usual  # both pegs still stand where they are believed to be: nobody goes back
                return Inference(None, trusted.difference(self.holes, ends), Fault.OFF_LAP)
            case progress:
                is_taken_back = way.goal == self.before_leap
                is_unlikely = progress is Progress.UNSURE
                move = Move(self.pegs, way.goal, is_leap=False, is_unlikely=is_unlikely, is_taken_back=is_taken_back)
                return Inference(move, trusted.difference(ends))

    def _is_apart_from(self, way: WayBack, move: Move) -> bool:
        """Whether a move is one that people make while they are to go back: no longer than a hand, and on this lap."""
        if move.is_taken_back:
            return True
        is_too_long = abs(move.points) > LARGEST_HAND
        return not (is_too_long or (move.points > 0 and way.is_behind(self.course.hole_of(move.score))))

    def _infer_usual(self, trusted: frozenset[Hole]) -> Inference:
        unexpected = trusted.difference(self.holes)
        # The order of these tests is explained above: each excludes moves that the next ones would invent.
        if not unexpected:
            return self._infer_nothing_landed(trusted)
        if trusted.issuperset(self.holes):
            return Inference(None, unexpected, Fault.THIRD_PEG)
        best = min(self._moves_to(unexpected, trusted), key=self._rank, default=None)
        if best is None:
            return Inference(None, unexpected, Fault.OFF_LAP)
        return Inference(best, unexpected.difference(self.course.holes_of(best.now)))

    def _moves_to(self, landed: frozenset[Hole], trusted: frozenset[Hole]) -> Iterable[Move]:
        """Every move that may have ended in one of the holes `landed`."""
        occupied = trusted | self.unreadable
        is_back_in, is_front_in = (hole in occupied for hole in self.holes)
        if is_back_in and is_front_in:
            # At least one counts as in only because its hole is unreadable, or this would have been THIRD_PEG.
            is_back_in = self.holes[0] in trusted  # a peg may have left an unreadable hole
            is_front_in = not is_back_in
        if is_front_in:
            # (b): through an unreadable front hole nobody saw which of the two pegs left.
            return filter(None, map(self._leap if self.holes[1] in trusted else self._correction, landed))
        if is_back_in:
            return filter(None, map(self._slide, landed))
        if len(landed) > 1:
            return filter(None, [self._both_moved(landed)]) if self.were_both_in else ()
        # One peg came, and both believed holes are empty: (d), from the most certain explanation to the least.
        if self.is_front_lost:
            return filter(None, map(self._past_back_peg, landed))
        return filter(None, map(self._correction if self.is_correctable else self._leap_ahead, landed))

    def _infer_nothing_landed(self, trusted: frozenset[Hole]) -> Inference:
        """A peg that is out may be in a hand, or in an unreadable hole."""
        out = [hole for hole in self.holes if hole not in trusted | self.unreadable]
        if len(out) != 1:
            return Inference(fault=Fault.BOTH_OUT if out else None)
        fault = Fault.PEG_UNSEEN if out[0] == self.holes[0] else Fault.FRONT_OUT
        if not self.were_both_in:
            return Inference(fault=fault)  # the peg was lost before: it may be anywhere, also in no hole at all
        moves = self._moves_to(self.unreadable.difference(self.holes), trusted)
        # Only within reach of a hand: else one hole that got stuck far away would explain every peg that is lifted.
        unseen = [replace(move, is_unlikely=True) for move in moves if -LARGEST_ERROR <= move.points <= LARGEST_HAND]
        # The fault stays beside the move: until the move has held still for long, the peg is rather in a hand.
        return Inference(min(unseen, key=self._rank, default=None), fault=fault)

    def _leap(self, hole: Hole) -> Move | None:
        """The back peg landed here, unless that looks like an error behind the front peg."""
        move = self._leap_ahead(hole)
        if move is None or move.score in (self._owed_score, self.course.target):
            return move  # the rules expect this score: then it is no error, however close behind it looks
        score_behind = move.score - self.course.lap
        return None if score_behind > 0 and self.pegs.front - score_behind <= LARGEST_ERROR else move

    def _leap_ahead(self, hole: Hole) -> Move | None:
        """A peg landed here, at the owed score or at the nearest score ahead of the front peg."""
        front = self.pegs.front
        scores = [score for score in self.course.scores_at(hole) if score > front]
        if not scores:
            return None
        score = self._owed_score if self._owed_score in scores else scores[0]
        return Move(self.pegs, self.pegs.leapt_to(score), is_leap=True, is_unlikely=score - front > LARGEST_HAND)

    def _slide(self, hole: Hole) -> Move | None:
        """The front peg landed here: back where it had leapt from, or at the nearest score ahead of the back peg."""
        score = self._nearest_score(hole)
        points = 0 if score is None else score - self.pegs.front
        # On a lapped board the hole it came from may also be one that it slides to.
        is_slide = 0 < abs(points) <= (LARGEST_ERROR if self.is_correctable else LARGEST_HAND)
        if self.before_leap and hole == self.course.holes_of(self.before_leap)[0] and not is_slide:
            is_likely_error = self._is_likely_error(self.before_leap.front, hole)
            return Move(self.pegs, self.before_leap, is_leap=False, is_taken_back=True, is_likely_error=is_likely_error)
        if score is None:
            return None
        now = self.pegs.slid_to(score)
        is_likely_error = self._is_likely_error(score, hole)
        is_unlikely = abs(points) > LARGEST_HAND
        return Move(self.pegs, now, is_leap=False, is_unlikely=is_unlikely, is_likely_error=is_likely_error)

    def _is_likely_error(self, score: int, hole: Hole) -> bool:
        """Whether a slide to `score` goes on by more than a hand, or back where a hand and an error end a lap on."""
        front = self.pegs.front
        if score > front:
            return score - front > LARGEST_HAND
        if self.holes[1] in self.unreadable:
            return False  # nobody saw it land in the front hole: it may have been here all along
        return any(0 < ahead - front <= LARGEST_HAND + LARGEST_ERROR for ahead in self.course.scores_at(hole))

    def _correction(self, hole: Hole) -> Move | None:
        """A peg landed here, and nobody saw which one: a leap, or else a slide that corrects the last move."""
        return self._leap(hole) or self._slide(hole)

    def _past_back_peg(self, hole: Hole) -> Move | None:
        """A peg landed here while the front one was lost: all that is certain is that it passed the back one.

        Of several laps it is that of the front peg, which may be far ahead of the back one.
        """
        score = self._nearest_score(hole)
        if score is None:
            return None
        is_leap = score > self.pegs.front
        now = self.pegs.leapt_to(score) if is_leap else self.pegs.slid_to(score)
        return Move(self.pegs, now, is_leap)

    def _both_moved(self, holes: frozenset[Hole]) -> Move | None:
        """Two quick leaps, or both pegs put back elsewhere: the farther one marks the score."""
        scores = sorted(score for hole in holes if (score := self._nearest_score(hole)) is not None)
        if len(scores) < 2:
            return None  # only one of the holes can be the end of a move: that is not two pegs
        now = TrackPegs(back=scores[-2], front=scores[-1])
        # Each leap passes the other peg, so after two of them even the back peg is ahead of the old front.
        have_leapt = now.back > self.pegs.front
        return Move(self.pegs, now, is_leap=have_leapt, is_unlikely=not have_leapt)

    def _nearest_score(self, hole: Hole) -> int | None:
        """The owed score, or the score of this hole nearest to the front peg; always ahead of the back peg."""
        # A front peg is never at or behind the back one: pegs are alike, so that would be the back peg.
        scores = [score for score in self.course.scores_at(hole) if score > self.pegs.back]
        if self._owed_score in scores:
            return self._owed_score
        return min(scores, key=lambda score: abs(score - self.pegs.front), default=None)

    @property
    def _owed_score(self) -> int | None:
        """The score of the front peg once the owed points are moved; None if none are owed."""
        return min(self.pegs.front + self.owed, self.course.target) if self.owed else None

    def _rank(self, move: Move) -> tuple[bool, bool, int]:
        """Lower is more probable."""
        return move.score != self._owed_score, move.is_unlikely, abs(move.points)
