"""Turns sensor frames into peg moves and faults, for one game on one board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from board_drivers.ports import PegSensors, SensorFrame
from firmware_host.board.course import START_HOLES, Hole, TrackPegs
from firmware_host.board.plan import BoardPlan
from firmware_host.game.commands import Observation, PegsMoved, RuleBreach
from firmware_host.game.evidence import ENTERED, Evidence
from firmware_host.game.state import Phase, Table
from firmware_host.host.parts.offered_rulings import is_about
from firmware_host.tracking.peg_tracker import PegTracker
from firmware_host.tracking.readings import Fault, FaultCleared, PegAdjusted, PegLeapt, Reading, TrackFault
from firmware_host.tracking.timing import Timing
from firmware_host.tracking.weak_holes import WeakHoles
from firmware_host.ui.lights.lights import PendingLeap

GameReading = PegLeapt | PegAdjusted
"""The readings that the game receives. A fault is none: what it means, the players say (`game/rulings.py`)."""

MAX_PEGS_PER_TRACK = 5
"""More occupied holes than this for each track of the board mean a strong magnet nearby. Two pegs, a spare one, a ring
on a finger and a stuck hole make five."""


class PegWatcher:
    """Follows the pegs of one game. Without a game that has pegs it only reports which holes are occupied."""

    def __init__(self, plan: BoardPlan, sensors: PegSensors, table: Table | None, timing: Timing, at_s: float) -> None:
        self._plan = plan
        self._sensors = sensors
        self._tracks = table.sides_on_board if table else 0
        self._sensed = frozenset(range(self._tracks))
        self._frame: SensorFrame | None = None
        self._peg_faults: dict[int, TrackFault] = {}
        self._tracker: PegTracker | None = None
        self._is_over = False
        self._weak_holes = WeakHoles()
        self.unruled_faults: dict[int, TrackFault] = {}
        """Track -> its present fault, if no penalty was given for it."""
        self.is_saturated = False
        """So many holes read at once that there must be a strong magnet nearby: pegs cannot be followed."""
        self.occupied: tuple[frozenset[Hole], ...] = (frozenset(),) * plan.tracks
        """The holes of each track in which the sensors see a peg."""
        self.hole_faults: tuple[TrackFault, ...] = ()
        """Holes found dead, stuck or weak in this game, oldest first. The game goes on around them."""
        if table and self._tracks:
            course = plan.course(table.rules.target)
            self._tracker = PegTracker(course, table.pegs[: self._tracks], timing)
            self.set_table(table, at_s)

    @property
    def deadline_s(self) -> float | None:
        """When to scan again although no peg moves, because a leap will have held still. None: no such time."""
        return self._tracker.deadline_s if self._tracker and not self.is_saturated else None

    @property
    def peg_faults(self) -> tuple[TrackFault, ...]:
        """The present fault of each track that has one."""
        return tuple(self._peg_faults.values())

    def mark_ruled(self, ruling: RuleBreach) -> None:
        """A penalty was given for a peg: none is offered for it again, also not after an undo."""
        faults = self.unruled_faults.items()
        self.unruled_faults = {track: fault for track, fault in faults if not is_about(fault, ruling)}

    def evidence(self, at_s: float) -> Evidence:
        """What is known of the pegs at `at_s`. Under a strong magnet all of them are in doubt."""
        if self._tracker is None:
            return ENTERED
        return Evidence(self._sensed, self._sensed if self.is_saturated else self._tracker.doubtful(at_s))

    @property
    def pending(self) -> tuple[PendingLeap, ...]:
        """Leaps that were seen and have not yet held still."""
        moves = self._tracker.pending if self._tracker else ()
        return tuple(
            PendingLeap(track, move.score, move.points, move.now.back) for track, move in enumerate(moves) if move
        )

    def scan(self, at_s: float) -> tuple[bool, tuple[GameReading, ...]]:
        """Reads the sensors once. Returns whether anything changed, and the settled moves. Raises DriverError."""
        frame = self._sensors.scan()
        if frame is not self._frame:
            self._frame = frame
            self.occupied = self._plan.track_view(frame)
            self.hole_faults += tuple(self._weak_faults(self._weak_holes.update(frame, at_s)))
            self.is_saturated = len(frame) > MAX_PEGS_PER_TRACK * self._plan.tracks
            if self.is_saturated:
                return True, ()
            return True, self._keep_faults(
                self._tracker.update(self.occupied[: self._tracks], at_s) if self._tracker else ()
            )
        if self.is_saturated:
            return False, ()
        if self._tracker and self._tracker.deadline_s is not None and self._tracker.deadline_s <= at_s:
            return True, self._keep_faults(self._tracker.tick(at_s))
        return False, ()

    def _weak_faults(self, sensors: Iterable[int]) -> Iterator[TrackFault]:
        for hole in filter(None, map(self._plan.at_sensor.get, sensors)):
            yield TrackFault(hole.track or 0, Fault.WEAK_HOLE, (hole.hole,))

    def settle_now(self, at_s: float) -> tuple[GameReading, ...]:
        """Accepts the pegs as they are now."""
        return self._keep_faults(self._tracker.settle_now(at_s)) if self._tracker else ()

    def set_table(self, table: Table, at_s: float) -> None:
        """The game changed where the pegs belong. After the turn that ends it, the board may be cleared in any way."""
        was_over = self._is_over
        self._is_over = table.phase is Phase.OVER
        if self._tracker and not (was_over and self._is_over):
            for track, (tracked, expected) in enumerate(zip(self._tracker.pegs, table.pegs, strict=False)):
                if tracked != expected:  # the fault was about pegs that belong elsewhere now
                    self._forget_fault(track)
            self._tracker.set_pegs(table.pegs[: self._tracks], at_s)
            self._tracker.set_owed(table.owed[: self._tracks])
            self._tracker.set_goals_behind([goal_behind(table, side) for side in range(self._tracks)], at_s)

    def _forget_fault(self, track: int) -> None:
        self._peg_faults.pop(track, None)
        self.unruled_faults.pop(track, None)

    def _keep_faults(self, readings: Sequence[Reading]) -> tuple[GameReading, ...]:
        """Keeps the peg and hole faults here, and returns the readings for the game."""
        return tuple(self._game_readings(readings))

    def _game_readings(self, readings: Sequence[Reading]) -> Iterator[GameReading]:
        for reading in readings:
            match reading:
                case TrackFault() if reading.fault.is_hardware:
                    self.hole_faults = (*self.hole_faults, reading)
                case TrackFault():
                    self._peg_faults[reading.track] = reading
                    self.unruled_faults[reading.track] = reading
                case FaultCleared():
                    self._forget_fault(reading.track)
                case _:
                    yield reading


def observation_of(reading: GameReading, table: Table) -> Observation:
    """The reading as the game takes it: with the positions of both pegs of the side."""
    side = reading.track
    pegs = table.sides[reading.track].pegs
    match reading:
        case PegLeapt():
            return PegsMoved(side, pegs.leapt_to(reading.score), is_leap=True)
        case PegAdjusted():
            now = pegs.slid_to(reading.score) if reading.back is None else TrackPegs(reading.back, reading.score)
            return PegsMoved(side, now, is_leap=False, is_taken_back=reading.is_taken_back)


def goal_behind(table: Table, side: int) -> TrackPegs | None:
    """Where the pegs of this side are to go back to; None if they are not."""
    return table.sides[side].goal if table.sides[side].owed < 0 else None


def expected_frame(plan: BoardPlan, table: Table | None) -> SensorFrame:
    """The sensors that see a peg if all pegs are where the game has them; without a game, in the start holes."""
    if table is None:
        return plan.frame_of([START_HOLES] * plan.tracks)
    course = plan.course(table.rules.target)
    return plan.frame_of(course.holes_of(pegs) for pegs in table.pegs[: table.sides_on_board])
