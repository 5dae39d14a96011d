"""One track over time: a move is told once it held still, an odd board once it stayed odd.

Early and mended beats late: a peg that rests in a wrong hole is told, and its mend is told as one more adjustment.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.board.absence import Absence
from firmware_host.board.course import NO_HOLES, Course, Hole, TrackPegs
from firmware_host.board.debounce import Debounce
from firmware_host.board.doubt import Doubt
from firmware_host.board.glance import LARGEST_HAND, Belief, Glance, Move
from firmware_host.board.readings import Fault, PegAdjusted, PegLeapt, PegsAstray, PegsRestored, Reading
from firmware_host.board.timing import Timing
from firmware_host.board.worn import WornHoles

_OUT = (Fault.BOTH_OUT, Fault.FRONT_OUT, Fault.PEG_UNSEEN)


class Lane:
    """The pegs of one track. `see` frames and `tick` at `deadline_s`, both in order of time.

    `pegs` are those believed in, `glance` is what it looks like now, `owed` the points still to be moved.
    `lifted_at_s`: since when a peg is out and none has landed.
    """

    def __init__(self, track: int, course: Course, pegs: TrackPegs, timing: Timing) -> None:
        self.pegs = pegs
        self.owed = 0
        self.glance = Glance()
        self.lifted_at_s: float | None = None
        self._track, self._course, self._timing = track, course, timing
        self._debounce = Debounce(timing.fall_s)
        self._worn = WornHoles()
        self._doubt = Doubt(timing)
        self._absence = Absence(timing.lone_s)
        self._before: TrackPegs | None = None  # how the pegs stood before the last leap
        self._slipped: TrackPegs | None = None  # and before the last move, if that was a slip
        self._left: Hole | None = None  # the hole that the last move emptied
        self._live = NO_HOLES  # what told of a peg at the last look
        self._doubted: Hole | None = None
        self._told: Fault | None = None
        self._told_s = self._changed_s = float("-inf")  # when a move was told, and when the last look was
        self._since_s = float("-inf")  # since when it looks like this

    @property
    def full(self) -> frozenset[Hole]:
        """The holes that read, chatter taken out."""
        return self._debounce.full

    @property
    def missing(self) -> tuple[Hole, ...]:
        """The holes that lack their peg, lowest first."""
        full = self.full | self._worn.silent
        return tuple(hole for hole in sorted(self._course.holes_of(self.pegs)) if hole not in full)

    def live(self, lit: frozenset[Hole]) -> frozenset[Hole]:
        """The holes of `lit` whose reading can be believed."""
        return self._worn.live(lit)

    def claim_to_game_hole(self) -> tuple[bool, bool, bool, int]:
        """The larger, the likelier that a peg in the game hole is ours: won, about to win, just lifted, near."""
        target, front = self._course.target, self.pegs.front
        would_win = self.owed > 0 and front + self.owed >= target
        return front >= target, would_win, self._told is not Fault.PEG_UNSEEN, front

    def see(self, lit: frozenset[Hole], at_s: float) -> None:
        if self._debounce.see(lit, at_s):
            self._look(at_s)

    def deadline_s(self, hurried_from_s: float | None) -> float | None:
        """When to tick next. `hurried_from_s`: since when another track has a peg out."""
        if self._debounce.deadline_s is not None:
            return self._debounce.deadline_s  # a hole may be emptying: nothing is told before that is sure
        return self._due_s(hurried_from_s)

    def tick(self, at_s: float, hurried_from_s: float | None) -> list[Reading]:
        """Tell what is due."""
        if self._debounce.tick(at_s):
            self._look(at_s)
        due_s = self.deadline_s(hurried_from_s)
        return self._tell(at_s) if due_s is not None and due_s <= at_s else []

    def settle_now(self, at_s: float) -> list[Reading]:
        """Somebody says that the track is as it was meant.

        A missing peg then stands, unread, where it is owed. And a peg may have gone one whole lap.
        """
        if self.glance.move:
            return self._settle(self.glance.move, at_s)
        hole = self._course.hole_of(self.pegs.front + self.owed)
        comes_round = self.glance == Glance() and hole == self._course.holes_of(self.pegs)[0]
        if self.owed <= 0 or not (comes_round or self.glance.fault is Fault.PEG_UNSEEN):
            return []
        move = Move(self.pegs, self.pegs.leapt_to(min(self.pegs.front + self.owed, self._course.target)), is_leap=True)
        if comes_round:
            return self._settle(move, at_s)
        self._worn.dead |= {hole}
        return [*self._settle(move, at_s), PegsAstray(self._track, Fault.DEAD_HOLE, (hole,))]

    def rest(self, pegs: TrackPegs, at_s: float) -> None:
        """The table believes in other pegs. What stands elsewhere did not land there, it waits to be moved."""
        if pegs == self.pegs:
            return
        self.pegs, self._before, self._slipped, self._left, self._told = pegs, None, None, None, None
        self._doubt.forget()
        self._absence.forget()
        self._live = NO_HOLES
        self._worn.misplaced = self._worn.live(self.full).difference(self._course.holes_of(pegs))
        self._look(at_s)

    # Looking: what may this be?

    def _look(self, at_s: float) -> None:
        if at_s - self._changed_s >= self._timing.sensor_s and self._doubted is None:
            self._worn.spare |= self._doubt.learn(self._live, self.full, self._belief(at_s))
        self._doubt.note_wandered(self._worn.see(self.full))
        self._absence.see(self.missing, at_s)
        self._live, belief = self._worn.live(self.full), self._belief(at_s)
        self._doubted = self._doubt.hole(self._live, belief, at_s - self._told_s)
        live = self._live - {self._doubted}
        self._note(self._with_lasting_fault(self._slip_mended(live, belief) or belief.glance(live)), at_s)
        self._changed_s = at_s

    def _belief(self, at_s: float) -> Belief:
        return Belief(
            course=self._course,
            pegs=self.pegs,
            before=self._before,
            owed=self.owed,
            left=self._left,
            silent=self._worn.silent,
            was_whole=self._absence.was_whole,
            is_fresh=at_s - self._told_s <= self._timing.mend_s,
            is_front_lost=self._absence.lost == self._course.hole_of(self.pegs.front),
        )

    def _slip_mended(self, live: frozenset[Hole], belief: Belief) -> Glance | None:
        """A slip was told for what it looked like; if it was an error, its mend goes on from where the slip began."""
        if self._slipped is None or len(live) != 2 or self._course.holes_of(self._slipped)[0] not in live:
            return None
        move = replace(belief, pegs=self._slipped, before=None, owed=0).glance(live).move
        if move is None or move.is_leap or not 0 < move.points <= LARGEST_HAND:
            return None
        return Glance(replace(move, was=self.pegs))

    def _with_lasting_fault(self, glance: Glance) -> Glance:
        if glance.move is None and self._worn.misplaced:
            return replace(glance, fault=Fault.MISPLACED)
        if glance == Glance() and self._worn.spare:
            return replace(glance, fault=Fault.THIRD_PEG)
        return glance

    def _note(self, glance: Glance, at_s: float) -> None:
        is_same_move = glance.move is not None and glance.move == self.glance.move
        if glance != self.glance and not is_same_move:
            self._since_s = at_s
        self.glance = glance
        if glance.fault not in _OUT:
            self.lifted_at_s = None
        elif self.lifted_at_s is None:
            self.lifted_at_s = at_s

    # Waiting: when is it believed?

    def _due_s(self, hurried_from_s: float | None) -> float | None:
        if self.glance.move:
            return self._since_s + self._hold_s(self.glance.move, hurried_from_s)
        if self.glance.fault is self._told:
            return None
        return self._since_s + self._timing.patience_s(self.glance.fault)

    def _hold_s(self, move: Move, hurried_from_s: float | None) -> float:
        timing = self._timing
        if self.owed and move.points == self.owed:
            return timing.owed_s
        if self._absence.are_both_out and not self._absence.is_one_lost:
            return timing.hand_s  # where the first of two is put back means little
        if self._is_slip(move):
            return timing.hand_s  # told at once on the wrong lap, its mend would be read on the wrong lap too
        if self._absence.was_wiped or (move.is_doubtful and not self._absence.is_one_lost):
            return timing.doubt_s
        if hurried_from_s is None or hurried_from_s <= self._since_s:
            return timing.settle_s
        lifted_s = hurried_from_s + timing.lift_s - self._since_s
        return min(timing.settle_s, max(timing.hurry_s, lifted_s))

    def _is_slip(self, move: Move) -> bool:
        """A hand slips with a peg; a hole that reads on was left by none."""
        return move.is_slip and self._doubted is None

    # Telling

    def _tell(self, at_s: float) -> list[Reading]:
        if self.glance.move:
            return self._settle(self.glance.move, at_s)
        if self.glance.fault is None:
            self._told = None
            return [PegsRestored(self._track)]
        return [self._astray(self.glance.fault, at_s)]

    def _settle(self, move: Move, at_s: float) -> list[Reading]:
        readings: list[Reading] = [PegsRestored(self._track)] if self._told else []
        self._told, self._told_s = None, at_s
        readings.append(self._take(move))
        readings += self._find_dead(move)
        seen_through = self.glance.strangers if self._doubted is None else self.glance.strangers | {self._doubted}
        if stuck := self._worn.find_stuck(seen_through):
            readings.append(PegsAstray(self._track, Fault.STUCK_HOLE, stuck))
        self._doubt.forget()
        self._absence.forget()
        self._live = NO_HOLES
        self._look(at_s)
        return readings

    def _take(self, move: Move) -> PegLeapt | PegAdjusted:
        back, front = self._course.holes_of(move.was)
        self.pegs, self._left = move.now, back if move.is_leap else front
        self._slipped = move.was if self._is_slip(move) else None
        if move.is_leap:
            self._before = move.was
            return PegLeapt(self._track, move.score, move.points)
        self._before = None if move.is_taken_back else self._before
        return PegAdjusted(self._track, move.score, move.points, move.is_taken_back)

    def _find_dead(self, move: Move) -> list[Reading]:
        """A peg long gone, the other one lifted, and one landed: the peg long gone stands in between, unread."""
        between = range(move.was.front + 1, move.now.front)
        if not (move.is_leap and self._absence.are_both_out and self._absence.lost is not None and between):
            return []
        holes = tuple(sorted(map(self._course.hole_of, between)))
        if len(holes) == 1:
            self._worn.dead |= set(holes)
        self._told = Fault.PEG_UNSEEN
        return [PegsAstray(self._track, Fault.DEAD_HOLE, holes)]

    def _astray(self, fault: Fault, at_s: float) -> PegsAstray:
        self._told = fault
        strangers = self.glance.strangers
        if fault is Fault.THIRD_PEG:
            self._worn.spare |= strangers
        holes = self._worn.misplaced if fault is Fault.MISPLACED else strangers
        self._look(at_s)
        return PegsAstray(self._track, fault, tuple(sorted(holes)), self.missing)
