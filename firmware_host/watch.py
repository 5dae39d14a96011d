"""The host's eyes: the sensors of one board, the reader of pegs, and what is odd about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from board_drivers.ports import PegSensors, SensorFrame
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.flicker import Flicker
from firmware_host.board.pegs import PegReader
from firmware_host.board.plan import BoardPlan
from firmware_host.board.readings import Fault, PegAdjusted, PegLeapt, PegsAstray, PegsRestored, Reading
from firmware_host.board.timing import Timing
from firmware_host.table.lights import Leap
from firmware_host.table.orders import ForeignPegMoved, FrontPegRemoved, Observation, PegsSeen
from firmware_host.table.state import Phase, Table

Noted = PegLeapt | PegAdjusted | PegsAstray
"""What the table should hear of: moves, and odd pegs that a rule speaks of."""

MOST_HOLES = 5
"""Holes that may read in a track: two pegs, a spare one, a finger ring, a stuck hole."""

RULED = (Fault.FRONT_OUT, Fault.FOREIGN_LANE)


class PegWatch:
    """Follows the pegs of one game. Where no game needs its pegs read, it only looks which holes are full."""

    def __init__(self, plan: BoardPlan, sensors: PegSensors, table: Table | None, timing: Timing, at_s: float) -> None:
        self._plan, self._sensors = plan, sensors
        self._tracks = table.sides_on_board if table else 0
        self._frame: frozenset[int] | None = None
        self._astray: dict[int, PegsAstray] = {}
        self._reader: PegReader | None = None
        self._flicker = Flicker()
        self.is_blinded = False
        """So many holes read at once that there must be a strange magnet: what the pegs do is not to be known."""
        self.seen: tuple[frozenset[Hole], ...] = (frozenset(),) * plan.tracks
        self.worn: tuple[PegsAstray, ...] = ()
        """Holes found dead, stuck or weak in this game, the latest last; the game goes on around them."""
        if table and self._tracks:
            course = plan.course(table.rules.target)
            self._reader = PegReader(course, table.pegs[: self._tracks], timing)
            self.believe(table, at_s)

    @property
    def deadline_s(self) -> float | None:
        """When to look again although no peg moves: a leap will have held still."""
        return self._reader.deadline_s if self._reader and not self.is_blinded else None

    @property
    def astray(self) -> tuple[PegsAstray, ...]:
        return tuple(self._astray.values())

    @property
    def pending(self) -> tuple[Leap, ...]:
        moves = self._reader.pending if self._reader else ()
        return tuple(Leap(track, move.score, move.points) for track, move in enumerate(moves) if move)

    def look(self, at_s: float) -> tuple[bool, tuple[Noted, ...]]:
        """One scan: whether there is anything new to see, and the moves that are settled. Raises DriverFault."""
        frame = self._sensors.scan()
        if frame is not self._frame:
            self._frame = frame
            self.seen = self._plan.track_view(frame)
            self.worn += tuple(self._weak(self._flicker.see(frame, at_s)))
            self.is_blinded = len(frame) > MOST_HOLES * self._plan.tracks
            if self.is_blinded:
                return True, ()
            return True, self._heed(self._reader.see(self.seen[: self._tracks], at_s) if self._reader else ())
        if self.is_blinded:
            return False, ()
        if self._reader and self._reader.deadline_s is not None and self._reader.deadline_s <= at_s:
            return True, self._heed(self._reader.tick(at_s))
        return False, ()

    def _weak(self, sensors: Iterable[int]) -> Iterator[PegsAstray]:
        for hole in filter(None, map(self._plan.at_sensor.get, sensors)):
            yield PegsAstray(hole.track or 0, Fault.WEAK_HOLE, (hole.hole,))

    def settle_now(self, at_s: float) -> tuple[Noted, ...]:
        return self._heed(self._reader.settle_now(at_s)) if self._reader else ()

    def believe(self, table: Table, at_s: float) -> None:
        """The table's belief changed. After the game people clear the board as they like."""
        if self._reader and table.phase is not Phase.OVER:
            for track, (read, believed) in enumerate(zip(self._reader.pegs, table.pegs, strict=False)):
                if read != believed:  # what was odd about the old belief is forgotten with it
                    self._astray.pop(track, None)
            self._reader.rest(table.pegs[: self._tracks], at_s)
            self._reader.owe(table.owed[: self._tracks])

    def _heed(self, readings: Sequence[Reading]) -> tuple[Noted, ...]:
        """Keep what is odd, hand on what the table should hear of."""
        return tuple(self._noted(readings))

    def _noted(self, readings: Sequence[Reading]) -> Iterator[Noted]:
        for reading in readings:
            match reading:
                case PegsAstray() if reading.fault.is_wear:
                    self.worn = (*self.worn, reading)
                case PegsAstray():
                    self._astray[reading.track] = reading
                    if reading.fault in RULED:
                        yield reading
                case PegsRestored():
                    self._astray.pop(reading.track, None)
                case _:
                    yield reading


def observed(noted: Noted, table: Table) -> Observation:
    """What the reader saw, as the table takes it."""
    side, pegs = noted.track, table.pegs[noted.track]
    match noted:
        case PegLeapt():
            return PegsSeen(side, pegs.leapt_to(noted.score), is_leap=True)
        case PegAdjusted():
            return PegsSeen(side, pegs.slid_to(noted.score), is_leap=False, is_taken_back=noted.is_taken_back)
        case PegsAstray(fault=Fault.FRONT_OUT):
            return FrontPegRemoved(side)
        case PegsAstray():
            return ForeignPegMoved(side)


def believed_frame(plan: BoardPlan, table: Table | None) -> SensorFrame:
    """The sensors that see a peg if all stand where the table believes them; without a game, in the start holes."""
    if table is None:
        return plan.frame_of([START_HOLES] * plan.tracks)
    course = plan.course(table.rules.target)
    return plan.frame_of(course.holes_of(pegs) for pegs in table.pegs[: table.sides_on_board])
