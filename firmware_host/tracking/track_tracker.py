"""Follows the two pegs of one track over time, and decides when a move or a fault is certain enough to be reported.

What the sensors show, and what they do not. Each hole gives one bit: a magnet is here. The bits do not say which peg
it is (pegs are alike), whose it is, which lap it is on, or whether it will stay. So two things are kept apart: the
*belief* (`pegs`), where the pegs stood after the last reported move, and the *reading* (`occupied`), which holes a peg
shows in now. `move_inference` compares the two and names a move or a fault; it knows no time. But a peg on its way
looks exactly like a peg that has arrived: people count by tapping through holes, rest in wrong holes, and take pegs
out and put them back. Only time separates these, and this module is about time.

Report early, and correct if necessary. A peg rests up to 1.5 s in a wrong hole before it is corrected. To wait for that
would delay every turn. Instead a move is reported after it held still for 0.3 s, and a correction is reported as one
more adjustment. Each report states the move from the last reported position, so the total is right either way. The nine
recorded traces (372 turns) show what a wait costs and buys. In each row the final score of every turn is right:

    settle_s    median latency    moves reported
    0.10        0.08 s            714
    0.20        0.18 s            444
    0.25        0.23 s            393
    0.30        0.28 s            393               the default
    0.60        0.58 s            390
    1.60        1.58 s            373

Below 0.22 s, the longest rest of a counting peg, the holes that are counted through are reported too. Above it a
longer wait hides only wrong holes. A median latency of at most 0.35 s is wanted, which leaves 0.3 s.

The exception: an early report must be correctable. On a lapped board a front peg that slides 28 ahead and errs by 10
stands in the hole where a peg put back by 22 would stand. If that is reported at once, its correction is read on the
wrong lap as well, and no later reading contradicts it. Such a move waits until it is probably corrected.

How long a move must hold still before it is reported (`_hold_s`; the first test that applies decides):

    test                                              wait                     why
    1 it is exactly the points that are owed; back,   0.12 owed_settle_s       rules and sensors agree
      and unlikely                                    1    unlikely_settle_s   no peg was seen to land
    2 both pegs are out, and neither is lost          3    in_hand_s           the board is wiped: where the first peg
                                                                               comes back says little
    3 it is a likely error; or it takes back a        3    in_hand_s           its correction would be misread; the
      move out of a suspected hole                                             peg may be in a hand
    4 it leaves a suspected hole; and after a rest    1    unlikely_settle_s   a magnet is as good an explanation;
      in another hole                                 1.6  fault_s             and as likely to move on again
    5 the board was wiped; or it is an unlikely move  1    unlikely_settle_s   a stuck hole is as good an explanation
      and no peg is lost
    6 another track lifted a peg since                0.2  early_settle_s      players take turns: this one is over
    7 none of these                                   0.3  settle_s

Why this order. What is owed is the only evidence that does not come from the sensors, and it also decides the lap, so
it outranks every reason to wait. The reasons to wait longer follow, the longest wait first. A lift on another track
says that a turn is over, but not which of two explanations is right, so this reason to wait less comes after them. A
lift counts once it lasted `lift_s`, because a jostled peg is no lift. A lost peg, in test 5, makes a long leap likely:
the next peg that is seen is counted from far behind.

What is reported, and when:

    inference                                    report                                   after
    a move                                       PegLeapt or PegAdjusted                  the wait above
    a fault, not yet reported                    TrackFault                               Timing.fault_delay_s
    nothing to report, but a fault was reported  FaultCleared                             0.3 s
    nothing to report                            none                                     -

The wait starts when the inference changes, not at every change of the readings: the same move seen through other noise
keeps its time. Nothing is reported while a hole may be emptying, that is before `Debounce` is certain.

When the readings change, the steps of `_infer` run in this order, each on the result of the one before:

    1 learn from the readings that give way, which holes hold neither peg. Only if they lasted `sensor_skew_s`: two
      sensors show one movement that far apart, and the frame between them never existed on the board
    2 clear the hole statuses that are disproved, and note which believed holes are empty
    3 look for a stuck hole among the two believed ones (stuck_holes.py), and ignore its reading
    4 infer the move; after a reported likely error, first try the slide that corrects it from where that one began
      (on the way back, steps 1 and 3 are left out: way_back.py knows every hole that a peg may stand in). After a move
      out of a suspected hole see first whether the reading is gone that was taken for its peg
    5 if there is no move, name a fault that lasts: misplaced pegs, or a third peg

The statuses come before the inference because it trusts every reading that is left. Lasting faults come after it
because a move is new, and such a fault was there before.
"""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.board.course import NO_HOLES, Course, Hole, TrackPegs
from firmware_host.tracking.debounce import Debounce
from firmware_host.tracking.hole_status import HoleStatus
from firmware_host.tracking.missing_pegs import MissingPegs
from firmware_host.tracking.move_inference import LARGEST_HAND, Belief, Inference, Move
from firmware_host.tracking.readings import Fault, FaultCleared, PegAdjusted, PegLeapt, Reading, TrackFault
from firmware_host.tracking.stuck_holes import StuckHoleDetector
from firmware_host.tracking.timing import Timing
from firmware_host.tracking.way_back import WayBack

NOTHING = Inference()
_OUT = (Fault.BOTH_OUT, Fault.FRONT_OUT, Fault.PEG_UNSEEN)


class TrackTracker:
    """The pegs of one track. Call `update` for frames and `tick` at `deadline_s`, both in order of time, in seconds.

    `pegs`: where the pegs are believed to be.
    `owed`: points that were scored and not yet moved.
    `inference`: what the current readings show.
    `lifted_at_s`: since when a peg is out and none has landed, or None.
    """

    def __init__(self, track: int, course: Course, pegs: TrackPegs, timing: Timing) -> None:
        self.pegs = pegs
        self.owed = 0
        self.inference = Inference()
        self.lifted_at_s: float | None = None
        self._is_doubtful = True
        self._is_taken_back = False  # the last move took a leap back: the peg may be leaping still
        self._may_stand_unseen = False  # a reading came and went: perhaps a peg on its way into a hole that is dead
        self._track = track
        self._course = course
        self._timing = timing
        self._debounce = Debounce(timing.fall_s)
        self._hole_status = HoleStatus()
        self._stuck_holes = StuckHoleDetector(timing)
        self._missing_pegs = MissingPegs(timing.together_s)
        self._goal_behind: TrackPegs | None = None  # where the pegs are to go back to
        self._before_leap: TrackPegs | None = None
        self._before_likely_error: TrackPegs | None = None  # set if the last move was a likely error
        self._before_suspicion: TrackPegs | None = None  # set if the last moves left suspected holes
        self._vacated: Hole | None = None  # the hole that the last move emptied
        self._occupied_before = self._trusted = NO_HOLES  # the readings of the last inference, and the trusted ones
        self._suspect: Hole | None = None  # a believed hole that is probably stuck
        self._reported_fault: Fault | None = None
        self._moved_at_s = self._inferred_at_s = float("-inf")  # the last reported move, the last inference
        self._inferred_since_s = float("-inf")  # since when the inference is this one

    @property
    def occupied(self) -> frozenset[Hole]:
        """The holes that read, debounced."""
        return self._debounce.occupied

    @property
    def missing(self) -> tuple[Hole, ...]:
        """The believed holes that lack their peg, lowest first."""
        occupied = self.occupied | self._hole_status.unreadable
        return tuple(hole for hole in sorted(self._course.holes_of(self.pegs)) if hole not in occupied)

    def is_doubtful_at(self, at_s: float) -> bool:
        """Whether the readings show, or showed since the last move, anything else than both pegs at rest in their
        believed holes, the last leap was taken back and may be made again (`Timing.return_s`), or the peg may rest in a
        wrong hole still (`Timing.fault_s`)."""
        rest_s = self._timing.return_s if self._is_taken_back else self._timing.fault_s
        is_emptying = self._debounce.deadline_s is not None  # perhaps: before that is certain nothing is inferred
        return is_emptying or self._is_doubtful or self._may_stand_unseen or at_s - self._moved_at_s <= rest_s

    def trusted(self, frame: frozenset[Hole]) -> frozenset[Hole]:
        """The holes of `frame` whose reading is evidence of a peg."""
        return self._hole_status.trusted(frame)

    def game_hole_priority(self) -> tuple[bool, bool, bool, int]:
        """The larger, the more probable that a peg in the shared game hole is ours.

        In this order: it won, it is owed the winning points, its missing peg is not a known fault, it is nearest.
        """
        target = self._course.target
        front = self.pegs.front
        would_win = self.owed > 0 and front + self.owed >= target
        return front >= target, would_win, self._reported_fault is not Fault.PEG_UNSEEN, front

    def update(self, frame: frozenset[Hole], at_s: float) -> None:
        """Takes in the holes that read at `at_s`."""
        if self._debounce.update(frame, at_s):
            self._infer(at_s)

    def deadline_s(self, other_lift_s: float | None) -> float | None:
        """When to tick next, or None. `other_lift_s`: since when another track has a peg out, or None."""
        if self._debounce.deadline_s is not None:
            return self._debounce.deadline_s  # a hole may be emptying: nothing is reported before that is certain
        return self._report_due_s(other_lift_s)

    def tick(self, at_s: float, other_lift_s: float | None) -> list[Reading]:
        """Reports what is due at `at_s`."""
        if self._debounce.tick(at_s):
            self._infer(at_s)
        # Asked again after the inference: the hole that has just emptied may have begun a move, whose wait starts now.
        due_s = self.deadline_s(other_lift_s)
        return self._report(at_s) if due_s is not None and due_s <= at_s else []

    def settle_now(self, at_s: float) -> list[Reading]:
        """Reports the move at once: a player confirmed that the track is as it was meant.

        Without a move, a missing peg is taken to stand where the owed points end, in a hole that does not read. If that
        is the hole where the back peg already stands, it went round one whole lap.
        """
        if self.inference.move:
            return self._settle(self.inference.move, at_s)
        if way := self._way_back:
            hole = way.unread(self._trusted)
            return [] if hole is None else self._settle_unread(Move(self.pegs, way.goal, is_leap=False), hole, at_s)
        hole = self._course.hole_of(self.pegs.front + self.owed)
        is_whole_lap = self.inference == Inference() and hole == self._course.holes_of(self.pegs)[0]
        if self.owed <= 0 or not (is_whole_lap or self.inference.fault is Fault.PEG_UNSEEN):
            return []
        move = Move(self.pegs, self.pegs.leapt_to(min(self.pegs.front + self.owed, self._course.target)), is_leap=True)
        if is_whole_lap:
            return self._settle(move, at_s)
        return self._settle_unread(move, hole, at_s)

    def _settle_unread(self, move: Move, hole: Hole, at_s: float) -> list[Reading]:
        """Reports a move of a peg into a hole that does not read."""
        self._hole_status.dead |= {hole}
        return [*self._settle(move, at_s), TrackFault(self._track, Fault.DEAD_HOLE, (hole,))]

    def set_goal_behind(self, goal: TrackPegs | None, at_s: float) -> None:
        """Sets where both pegs are to go back to, for a price, a penalty or a wrong move; None: nowhere."""
        if goal != self._goal_behind:
            self._goal_behind = goal
            self._infer(at_s)

    @property
    def _way_back(self) -> WayBack | None:
        """The way that the pegs still have to go back."""
        goal = self._goal_behind
        return WayBack(self._course, self.pegs, goal) if goal and goal.front < self.pegs.front else None

    def set_pegs(self, pegs: TrackPegs, at_s: float) -> None:
        """Sets where the pegs are believed to be. Pegs that stand elsewhere did not leap: they are misplaced."""
        if pegs == self.pegs:
            return  # the game repeats each reported move: what the readings showed since then must survive that
        self.pegs = pegs
        self._before_leap = None
        self._before_likely_error = None
        self._before_suspicion = None
        self._vacated = None
        self._reported_fault = None
        self._stuck_holes.forget()
        self._missing_pegs.forget()
        self._may_stand_unseen = False
        self._trusted = NO_HOLES
        misplaced = self._hole_status.trusted(self.occupied).difference(self._course.holes_of(pegs))
        self._hole_status.misplaced = misplaced
        self._infer(at_s)

    # What do the readings show?

    def _infer(self, at_s: float) -> None:
        # Learned first, while `_trusted` still has the readings that give way. Not under a suspicion, which explains
        # them already, nor on the way back, where pegs leave holes in which they were never expected.
        is_way_back = self._belief(at_s).is_on_way_back(self._hole_status.trusted(self.occupied))
        if at_s - self._inferred_at_s >= self._timing.sensor_skew_s and self._suspect is None and not is_way_back:
            self._hole_status.extra |= self._stuck_holes.learn(self._trusted, self.occupied, self._belief(at_s))
        # A stuck or extra hole that stops reading had a peg in it after all: one more hole that a hand has left.
        emptied = self._hole_status.update(self.occupied)
        self._note_rests(at_s)
        self._stuck_holes.note_left(emptied)
        # After the statuses: an unreadable hole may have its peg, and counts as filled.
        was_out = self._missing_pegs.is_any_out
        self._missing_pegs.update(self.missing, at_s)
        if was_out and not self._missing_pegs.is_any_out:
            self._may_stand_unseen = False  # the peg that was out is back
        elif self._trusted.difference(self.occupied, self._course.holes_of(self.pegs)):
            self._may_stand_unseen = True
        self._trusted = self._hole_status.trusted(self.occupied)
        belief = self._belief(at_s)
        if belief.is_on_way_back(self._trusted):
            self._stuck_holes.forget()  # a peg that goes back leaves holes as a wandering extra reading does
            self._suspect = None
            inference = belief.infer(self._trusted)
        else:
            self._suspect = self._stuck_holes.find(self._trusted, belief, at_s - self._moved_at_s)
            trusted = self._trusted - {self._suspect}
            inference = self._correction_of_likely_error(trusted, belief) or belief.infer(trusted)
        self._set_inference(self._refuted_suspicion() or self._with_lasting_fault(inference), at_s)
        self._is_doubtful = self.inference != NOTHING or bool(self.missing)
        self._inferred_at_s = at_s

    def _note_rests(self, at_s: float) -> None:
        """Says which readings are of neither peg, and which of those are over."""
        believed = self._course.holes_of(self.pegs)
        unexpected = self._hole_status.trusted(self.occupied).difference(believed)
        emptied = self._occupied_before - self.occupied
        self._stuck_holes.note_rests(unexpected, emptied.difference(believed), at_s)
        self._occupied_before = self.occupied

    def _belief(self, at_s: float) -> Belief:
        return Belief(
            course=self._course,
            pegs=self.pegs,
            before_leap=self._before_leap,
            owed=self.owed,
            vacated=self._vacated,
            unreadable=self._hole_status.unreadable,
            were_both_in=self._missing_pegs.were_both_in,
            is_correctable=at_s - self._moved_at_s <= self._timing.correction_s,
            is_front_lost=self._missing_pegs.lost == self._course.hole_of(self.pegs.front),
            way_back=self._way_back,
        )

    def _refuted_suspicion(self) -> Inference | None:
        """After a move out of a suspected hole: back to the pegs before it, if nothing but their holes reads now.

        The other reading was a magnet that is gone, or its peg is in a hand and will land again.
        """
        before = self._before_suspicion
        if before is None or not self._read_alone(before):
            return None
        is_taken_back = before.front < self.pegs.front
        return Inference(Move(self.pegs, before, is_leap=False, is_taken_back=is_taken_back), fault=Fault.FRONT_OUT)

    def _read_alone(self, pegs: TrackPegs) -> bool:
        """Whether the holes of these pegs read, and no other hole does that is trusted."""
        holes = self._course.holes_of(pegs)
        return self.occupied.issuperset(holes) and self._trusted.issubset(holes)

    def _correction_of_likely_error(self, trusted: frozenset[Hole], belief: Belief) -> Inference | None:
        """After a likely error was reported: the slide that goes on from where that one began, if there is one."""
        origin = self._before_likely_error
        if origin is None or len(trusted) != 2 or self._course.holes_of(origin)[0] not in trusted:
            return None
        # Owed points count from where the pegs are now, not from `origin`. To take a leap back corrects no slide.
        move = replace(belief, pegs=origin, before_leap=None, owed=0).infer(trusted).move
        if move is None or move.is_leap or not 0 < move.points <= LARGEST_HAND:
            return None
        # Reported from where the pegs were last reported to be, as every move: the sum of the reports stays right.
        return Inference(replace(move, was=self.pegs))

    def _with_lasting_fault(self, inference: Inference) -> Inference:
        # Misplaced pegs explain whatever fault the inference names: they stand in holes that it knows nothing of.
        if inference.move is None and self._hole_status.misplaced:
            return replace(inference, fault=Fault.MISPLACED)
        if inference == Inference() and self._hole_status.extra:
            return replace(inference, fault=Fault.THIRD_PEG)
        return inference

    def _set_inference(self, inference: Inference, at_s: float) -> None:
        # The same move seen through other noise, such as a hole that flickers elsewhere, keeps the time it has held.
        is_same_move = inference.move is not None and inference.move == self.inference.move
        if inference != self.inference and not is_same_move:
            self._inferred_since_s = at_s
        self.inference = inference
        if inference.fault not in _OUT:
            self.lifted_at_s = None
        elif self.lifted_at_s is None:
            self.lifted_at_s = at_s

    # When is it certain enough?

    def _report_due_s(self, other_lift_s: float | None) -> float | None:
        if self.inference.move:
            return self._inferred_since_s + self._hold_s(self.inference.move, other_lift_s)
        if self.inference.fault is self._reported_fault:
            return None
        return self._inferred_since_s + self._timing.fault_delay_s(self.inference.fault)

    def _hold_s(self, move: Move, other_lift_s: float | None) -> float:
        """How long the move must hold still: the table in the module's description."""
        timing = self._timing
        if self.owed and move.points == self.owed:  # test 1
            is_unsure = move.points < 0 and move.is_unlikely
            return timing.unlikely_settle_s if is_unsure else timing.owed_settle_s
        if self._missing_pegs.are_both_out and not self._missing_pegs.is_one_lost:  # test 2
            return timing.in_hand_s
        if self._is_likely_error(move) or move.now == self._before_suspicion:  # test 3
            return timing.in_hand_s
        if self._suspect is not None:  # test 4
            return timing.fault_s if self._stuck_holes.has_rested else timing.unlikely_settle_s
        if self._missing_pegs.was_wiped or (move.is_unlikely and not self._missing_pegs.is_one_lost):  # test 5
            return timing.unlikely_settle_s
        # Tests 6 and 7. A lift from before this move says nothing of it: that was the turn of somebody else.
        if other_lift_s is None or other_lift_s <= self._inferred_since_s:
            return timing.settle_s
        lifted_s = other_lift_s + timing.lift_s - self._inferred_since_s
        return min(timing.settle_s, max(timing.early_settle_s, lifted_s))

    def _is_likely_error(self, move: Move) -> bool:
        """With a suspected stuck hole it is no error of a hand: no peg came from that hole."""
        return move.is_likely_error and self._suspect is None

    # Reporting

    def _report(self, at_s: float) -> list[Reading]:
        if self.inference.move:
            return self._settle(self.inference.move, at_s)
        if self.inference.fault is None:
            self._reported_fault = None
            return [FaultCleared(self._track)]
        return [self._report_fault(self.inference.fault, at_s)]

    def _settle(self, move: Move, at_s: float) -> list[Reading]:
        readings: list[Reading] = [FaultCleared(self._track)] if self._reported_fault else []
        self._reported_fault = None
        self._moved_at_s = at_s
        was_owed = move.points == self.owed
        if self.owed > 0:  # or the same points would explain the next reading as well, until the game says what is left
            self.owed = max(0, self.owed - move.points)
        readings.append(self._apply(move))
        self._note_suspicion(move)
        if was_owed:
            self._vacated = None  # rules and sensors agree on this move: a peg in that hole is no proof against it
        readings += self._find_dead(move)  # before the history of the missing pegs is dropped below
        # A move is the proof that `HoleStatus` waits for: what still reads and holds neither peg now is stuck.
        without_peg = self.inference.unexpected
        if self._suspect is not None:
            without_peg |= {self._suspect}
        if stuck := self._hole_status.mark_stuck(without_peg):
            readings.append(TrackFault(self._track, Fault.STUCK_HOLE, stuck))
        self._stuck_holes.forget()
        self._missing_pegs.forget()
        self._trusted = NO_HOLES  # the readings so far were this move: nothing is to be learned from how they go on
        self._infer(at_s)  # the rest of the frame may be the beginning of the next move
        self._may_stand_unseen = move.is_unlikely and not was_owed  # nobody saw a peg land there
        return readings

    def _note_suspicion(self, move: Move) -> None:
        """Remembers where the pegs were before the first of the moves that left suspected holes."""
        if move.now == self._before_suspicion:
            self._hole_status.stuck = self._hole_status.stuck.difference(self._course.holes_of(move.now))
            self._before_suspicion = None
            self._vacated = None  # no peg came from that hole, so none is back in it
        elif self._suspect is not None:
            self._before_suspicion = self._before_suspicion or move.was
        elif move.is_leap:
            self._before_suspicion = None

    def _apply(self, move: Move) -> PegLeapt | PegAdjusted:
        back, front = self._course.holes_of(move.was)
        self._is_taken_back = move.is_taken_back
        slid = self.pegs.slid_to(move.score)
        self.pegs = move.now
        self._vacated = back if move.is_leap else front
        self._before_likely_error = move.was if self._is_likely_error(move) else None
        if move.is_leap:
            self._before_leap = move.was
            return PegLeapt(self._track, move.score, move.points)
        # A slide corrects the last leap, which may still be taken back afterwards. One that was taken back may not.
        if move.is_taken_back or move.now == self._goal_behind:
            self._before_leap = None
        moved_back = None if move.now == slid else move.now.back
        return PegAdjusted(self._track, move.score, move.points, move.is_taken_back, moved_back)

    def _find_dead(self, move: Move) -> list[Reading]:
        """One peg was lost, then the other one left, and a peg landed: the lost peg stands in between, unread."""
        between = range(move.was.front + 1, move.now.front)
        if not (move.is_leap and self._missing_pegs.are_both_out and self._missing_pegs.lost is not None and between):
            return []
        holes = tuple(sorted(map(self._course.hole_of, between)))
        # Of several holes all but one are sound: to distrust them would cost more than the dead one does.
        if len(holes) == 1:
            self._hole_status.dead |= set(holes)
        self._reported_fault = Fault.PEG_UNSEEN
        return [TrackFault(self._track, Fault.DEAD_HOLE, holes)]

    def _report_fault(self, fault: Fault, at_s: float) -> TrackFault:
        self._reported_fault = fault
        unexpected = self.inference.unexpected
        if fault is Fault.THIRD_PEG:
            self._hole_status.extra |= unexpected
        holes = self._hole_status.misplaced if fault is Fault.MISPLACED else unexpected
        missing = self.missing
        way = self._way_back
        if fault is Fault.OFF_LAP and way and (step := way.next_step(self._trusted)):
            missing = (step.end,)  # people are told where the next peg belongs, not where it was believed to be
        self._infer(at_s)  # without the holes that are extra from now on
        return TrackFault(self._track, fault, tuple(sorted(holes)), missing)
