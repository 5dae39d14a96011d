"""Tracks all pegs of a board: sensor frames in, moves and faults out. Time is an argument: seconds, never running back.

tracker = PegTracker(course, [AT_START] * 2)
tracker.update(frame, at_s)     at each frame that differs from the last one
tracker.tick(at_s)              no later than tracker.deadline_s; nothing else needs to be called

The pipeline, from a frame to a reading. All but the first step run for each track on its own:

    frame        the holes that see a magnet, one set a track     here: a peg in the shared game hole is given to one
      |                                                           track; the two start holes count as one
    debounce     contact chatter is removed                       debounce.Debounce
      |
    hole status  stuck, dead, extra and misplaced holes are       hole_status.HoleStatus, stuck_holes.StuckHoleDetector,
      |          taken out; which pegs are missing, since when    missing_pegs.MissingPegs
    inference    the move or fault that turns the believed        move_inference.Belief.infer
      |          position into these holes; knows no time
    settle       the inference must hold still for some time      track_tracker.TrackTracker, timing.Timing
      |          before it is reported, and becomes the belief
    readings     PegLeapt, PegAdjusted, TrackFault, FaultCleared  readings

What has not settled yet is in `pending`, so that lights and display can show a move from its first frame on.
weak_holes.WeakHoles is beside this pipeline: it looks at the raw frames for sensors that are about to fail.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from firmware_host.board.course import START_HOLES, Course, Hole, TrackPegs
from firmware_host.tracking.move_inference import Move
from firmware_host.tracking.readings import Fault, Reading, TrackFault
from firmware_host.tracking.timing import Timing
from firmware_host.tracking.track_tracker import TrackTracker

_FIRST_START, _SECOND_START = START_HOLES


class PegTracker:
    """The pegs of every track, from the believed positions `pegs` on. Each call returns new readings, oldest first."""

    def __init__(self, course: Course, pegs: Sequence[TrackPegs], timing: Timing | None = None) -> None:
        self._course = course
        self._trackers = [TrackTracker(track, course, own, timing or Timing()) for track, own in enumerate(pegs)]
        self._frame: list[frozenset[Hole]] = [frozenset()] * len(pegs)

    @property
    def pegs(self) -> tuple[TrackPegs, ...]:
        """Where the pegs of each track are believed to be: after the last reported move."""
        return tuple(tracker.pegs for tracker in self._trackers)

    @property
    def pending(self) -> tuple[Move | None, ...]:
        """The move of each track that will be reported if the pegs stay as they are, from its first frame on."""
        return tuple(tracker.inference.move for tracker in self._trackers)

    def doubtful(self, at_s: float) -> frozenset[int]:
        """The tracks whose pegs do not all stand, seen and at rest, where they are believed to be, or came there so
        lately that the move may still be corrected."""
        return frozenset([track for track, tracker in enumerate(self._trackers) if tracker.is_doubtful_at(at_s)])

    @property
    def deadline_s(self) -> float | None:
        """When to tick next, unless a frame comes first. None: nothing is due before a frame comes."""
        deadlines = (tracker.deadline_s(self._other_lift_s(tracker)) for tracker in self._trackers)
        return min((due_s for due_s in deadlines if due_s is not None), default=None)

    def update(self, frame: Sequence[frozenset[Hole]], at_s: float) -> list[Reading]:
        """Takes in one frame: the occupied holes of each track.

        If the tracks share the game hole, it may be in every set; this decides whose peg it holds.
        """
        readings = self.tick(at_s)  # what was due before this frame must not be judged by it
        for track, (tracker, occupied) in enumerate(zip(self._trackers, self._share_game_hole(frame), strict=True)):
            if occupied != self._frame[track]:
                self._frame[track] = occupied
                tracker.update(_with_one_start_hole(occupied), at_s)
        return readings

    def tick(self, at_s: float) -> list[Reading]:
        """Reports everything that fell due up to `at_s`, each at its own time."""
        readings: list[Reading] = []
        while (due_s := self.deadline_s) is not None and due_s <= at_s:
            for tracker in self._trackers:
                readings += map(self._with_foreign_peg, tracker.tick(due_s, self._other_lift_s(tracker)))
        return readings

    def set_owed(self, points: Sequence[int]) -> None:
        """Sets the points that each track has scored and not yet moved: a move by exactly these settles sooner."""
        for tracker, owed in zip(self._trackers, points, strict=True):
            tracker.owed = owed

    def set_goals_behind(self, goals: Sequence[TrackPegs | None], at_s: float) -> None:
        """Sets where the pegs of each track are to go back to, after a price, a penalty or a wrong move, or None."""
        for tracker, goal in zip(self._trackers, goals, strict=True):
            tracker.set_goal_behind(goal, at_s)

    def settle_now(self, at_s: float) -> list[Reading]:
        """Reports all pending moves at once: a player pressed ENTER, so the board is as it was meant."""
        return self.tick(at_s) + [reading for tracker in self._trackers for reading in tracker.settle_now(at_s)]

    def set_pegs(self, pegs: Sequence[TrackPegs], at_s: float) -> None:
        """Sets where the pegs are believed to be, after an undo, a correction, a new game or a restart."""
        for tracker, own in zip(self._trackers, pegs, strict=True):
            tracker.set_pegs(own, at_s)

    def _other_lift_s(self, tracker: TrackTracker) -> float | None:
        """Since when another track has a peg out; asked only if this one has a move to settle."""
        if tracker.inference.move is None:
            return None
        # The latest lift: an earlier one may be from before the move, and would hide that another turn has begun since.
        lifts = (other.lifted_at_s for other in self._trackers if other is not tracker)
        return max((lifted_at_s for lifted_at_s in lifts if lifted_at_s is not None), default=None)

    def _with_foreign_peg(self, reading: Reading) -> Reading:
        """A third peg comes from another track if one lacks a peg."""
        if not isinstance(reading, TrackFault) or reading.fault is not Fault.THIRD_PEG:
            return reading
        lacking = tuple(
            track for track, tracker in enumerate(self._trackers) if track != reading.track and tracker.missing
        )
        return replace(reading, fault=Fault.FOREIGN_LANE, lacking=lacking) if lacking else reading

    def _share_game_hole(self, frame: Sequence[frozenset[Hole]]) -> Sequence[frozenset[Hole]]:
        hole = Hole(self._course.game_hole)
        if not self._course.shares_game_hole or len(frame) < 2 or not all(hole in occupied for occupied in frame):
            return frame
        owner = self._owner_of_game_hole([occupied - {hole} for occupied in frame])
        return [
            occupied if tracker is owner else occupied - {hole}
            for tracker, occupied in zip(self._trackers, frame, strict=True)
        ]

    def _owner_of_game_hole(self, elsewhere: Sequence[frozenset[Hole]]) -> TrackTracker | None:
        """Only a track with at most one peg elsewhere can have one in the game hole."""
        lacking = [
            tracker
            for tracker, occupied in zip(self._trackers, elsewhere, strict=True)
            if len(tracker.trusted(occupied)) < 2
        ]
        # The game hole has one switch for all tracks. Read for each of them, one winning peg would win for everybody.
        return max(lacking, key=TrackTracker.game_hole_priority, default=None)


def _with_one_start_hole(occupied: frozenset[Hole]) -> frozenset[Hole]:
    """A single peg in the start holes counts as being in the forward one."""
    if _FIRST_START in occupied and _SECOND_START not in occupied:
        return (occupied - {_FIRST_START}) | {_SECOND_START}
    return occupied
