"""All pegs of a board: frames of occupied holes in, readings out. Time is an argument, in seconds, and never runs back.

reader = PegReader(course, [TrackPegs()] * 2)
reader.see(frame, at_s)         at each frame that differs from the last one
reader.tick(at_s)               no later than reader.deadline_s; nothing else needs to be called
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from firmware_host.board.course import START_HOLES, Course, Hole, TrackPegs
from firmware_host.board.glance import Move
from firmware_host.board.lane import Lane
from firmware_host.board.readings import Fault, PegsAstray, Reading
from firmware_host.board.timing import Timing

_FIRST_START, _SECOND_START = START_HOLES


class PegReader:
    """The pegs of every track, as believed; each call says what was learnt from it, oldest first."""

    def __init__(self, course: Course, pegs: Sequence[TrackPegs], timing: Timing | None = None) -> None:
        self._course = course
        self._lanes = [Lane(track, course, own, timing or Timing()) for track, own in enumerate(pegs)]
        self._seen: list[frozenset[Hole]] = [frozenset()] * len(pegs)

    @property
    def pegs(self) -> tuple[TrackPegs, ...]:
        return tuple(lane.pegs for lane in self._lanes)

    @property
    def pending(self) -> tuple[Move | None, ...]:
        """Per track the move that will be told if the pegs stay as they are; there from the first frame on."""
        return tuple(lane.glance.move for lane in self._lanes)

    @property
    def deadline_s(self) -> float | None:
        """When to tick next, unless a frame comes first. None: not before a frame comes."""
        deadlines = (lane.deadline_s(self._hurry_s(lane)) for lane in self._lanes)
        return min((due_s for due_s in deadlines if due_s is not None), default=None)

    def see(self, seen: Sequence[frozenset[Hole]], at_s: float) -> list[Reading]:
        """Take in one frame: the occupied holes of each track.

        The one game hole of a board may be in every set; whose peg it holds is decided here.
        """
        readings = self.tick(at_s)
        for track, (lane, lit) in enumerate(zip(self._lanes, self._share_game_hole(seen), strict=True)):
            if lit != self._seen[track]:
                self._seen[track] = lit
                lane.see(_starts_alike(lit), at_s)
        return readings

    def tick(self, at_s: float) -> list[Reading]:
        """Tell everything that fell due up to `at_s`, each at its own time."""
        readings: list[Reading] = []
        while (due_s := self.deadline_s) is not None and due_s <= at_s:
            for lane in self._lanes:
                readings += map(self._name, lane.tick(due_s, self._hurry_s(lane)))
        return readings

    def owe(self, points: Sequence[int]) -> None:
        """What each track has scored and not yet moved: a move by just that is told sooner."""
        for lane, owed in zip(self._lanes, points, strict=True):
            lane.owed = owed

    def settle_now(self, at_s: float) -> list[Reading]:
        """Somebody pressed ENTER: the board is as it was meant."""
        return self.tick(at_s) + [reading for lane in self._lanes for reading in lane.settle_now(at_s)]

    def rest(self, pegs: Sequence[TrackPegs], at_s: float) -> None:
        """Where the table believes the pegs to be, after an undo, a correction, a new game or a power cut."""
        for lane, own in zip(self._lanes, pegs, strict=True):
            lane.rest(own, at_s)

    def _hurry_s(self, lane: Lane) -> float | None:
        """Since when another track has a peg out, if there is a move to hurry."""
        if lane.glance.move is None:
            return None
        lifts = (other.lifted_at_s for other in self._lanes if other is not lane)
        return max((lifted_at_s for lifted_at_s in lifts if lifted_at_s is not None), default=None)

    def _name(self, reading: Reading) -> Reading:
        """A third peg is a foreign one if another track lacks a peg."""
        if not isinstance(reading, PegsAstray) or reading.fault is not Fault.THIRD_PEG:
            return reading
        is_lacking = any(lane.missing for track, lane in enumerate(self._lanes) if track != reading.track)
        return replace(reading, fault=Fault.FOREIGN_LANE) if is_lacking else reading

    def _share_game_hole(self, seen: Sequence[frozenset[Hole]]) -> Sequence[frozenset[Hole]]:
        hole = Hole(self._course.game_hole)
        if len(seen) < 2 or not all(hole in lit for lit in seen):
            return seen
        owner = self._owner_of_game_hole([lit - {hole} for lit in seen])
        return [lit if lane is owner else lit - {hole} for lane, lit in zip(self._lanes, seen, strict=True)]

    def _owner_of_game_hole(self, others: Sequence[frozenset[Hole]]) -> Lane | None:
        """Only a track with at most one peg elsewhere can have one in the game hole."""
        lacking = [lane for lane, lit in zip(self._lanes, others, strict=True) if len(lane.live(lit)) < 2]
        return max(lacking, key=Lane.claim_to_game_hole, default=None)


def _starts_alike(lit: frozenset[Hole]) -> frozenset[Hole]:
    """A single peg in the start holes is always told as being in the forward one."""
    if _FIRST_START in lit and _SECOND_START not in lit:
        return (lit - {_FIRST_START}) | {_SECOND_START}
    return lit
