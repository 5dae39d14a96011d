"""The game as the sensors report it: hands that err move pegs, sensors fail, and the tracker has to read them.

People play by the paper rules and peg what is due, so nothing that happens here is an offence. A clock that jumps from
event to event makes it fast: no host, no lights, no journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random

from board_drivers.ports import DriverError, SensorFrame
from board_drivers.simulated_hands import UNTIDY, SimulatedHands
from firmware_host.board.course import START_HOLES, Hole, TrackPegs
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.game import commands as c
from firmware_host.game.events import Event
from firmware_host.game.evidence import Evidence
from firmware_host.game.history import History
from firmware_host.game.known_scores import questioned_sides
from firmware_host.game.state import Table
from firmware_host.host.parts.peg_watcher import GameReading, PegWatcher, observation_of
from firmware_host.tracking.timing import Timing
from tests.paper_rules.host_program import DoesNotFit
from tests.paper_rules.program import COMMANDS, start_of
from tests.paper_rules.script import Line, Setting

LINE_S = (0.2, 2.5)
"""From one thing that people do to the next."""
SETTLE_S = 6.0
"""After this long the board has believed every move that it will believe by itself."""
MOST_TRACKS = 4


def plan_for(setting: Setting, rules: RuleSet) -> BoardPlan:
    """A board for as many sides as have room on one. Raises DoesNotFit."""
    sides = len(rules.sides)
    is_lapped = rules.target == 181 or setting.dealer == 0
    if rules.captain or (rules.target == 181 and sides > 2):
        raise DoesNotFit
    return load_plan("classic-61" if sides == 2 and is_lapped else f"continuous-121-{min(sides, MOST_TRACKS)}")


class FaultySensors:
    """Sensors over `pegs`, some of which fail: `dead` ones see nothing, `forced` ones always something (a stuck switch,
    a magnet). `is_lost`: none can be read."""

    def __init__(self, pegs: SensorFrame) -> None:
        self.pegs = set(pegs)
        self.dead: set[int] = set()
        self.forced: set[int] = set()
        self.is_lost = False
        self._frame: SensorFrame = frozenset(pegs)

    def scan(self) -> SensorFrame:
        """As PegSensors.scan."""
        if self.is_lost:
            raise DriverError("a reading", "none", "Board lost", "check its cable")
        frame = frozenset(self.pegs - self.dead | self.forced)
        if frame != self._frame:
            self._frame = frame
        return self._frame


class SensedProgram:
    """One game on a board whose sensors and hands err. `events`: all events of the game, oldest first."""

    def __init__(self, setting: Setting, random: Random) -> None:
        start = start_of(setting)
        self.plan = plan_for(setting, start.rules)
        start = c.StartGame(
            start.rules,
            start.names,
            self.plan.id,
            min(len(start.rules.sides), self.plan.tracks),
            dealer=start.dealer,
            scores=start.scores,
        )
        self.random = random
        self.now_s = 0.0
        self.events: list[Event] = []
        self.helped = 0
        """How often people had to set a score by hand."""
        self._history = History()
        self._planned: list[tuple[float, int, Callable[[], object]]] = []
        self._number = count()
        self._decide(start)
        self.course = self.plan.course(start.rules.target)
        self.tracks = self.table.sides_on_board
        self.sensors = FaultySensors(self.plan.frame_of(self.course.holes_of(pegs) for pegs in self._seen_pegs))
        self.watcher = PegWatcher(self.plan, self.sensors, self.table, Timing(), 0.0)
        self.hands = [self._hands_of(track) for track in range(self.tracks)]
        self.wait(1.0)

    @property
    def table(self) -> Table:
        """The state of the game."""
        assert self._history.table
        return self._history.table

    @property
    def _seen_pegs(self) -> tuple[TrackPegs, ...]:
        return self.table.pegs[: self.table.sides_on_board]

    @property
    def evidence(self) -> Evidence:
        """As PegIntake.evidence."""
        evidence = self.watcher.evidence(self.now_s)
        return Evidence(evidence.sensed, evidence.sensed) if self.sensors.is_lost else evidence

    def sensor(self, track: int, hole: Hole) -> int:
        """The sensor under a hole."""
        return self.plan.at(track, hole).sensor

    def _hands_of(self, track: int) -> SimulatedHands:
        target = self.course.target
        route = [self.sensor(track, self.course.hole_of(score)) for score in range(target + 1)]
        hands = SimulatedHands(self.random, UNTIDY, route, self.sensor(track, START_HOLES[0]), target)
        pegs = self.table.pegs[track]
        back, front = (self.sensor(track, hole) for hole in self.course.holes_of(pegs))
        hands.set_pegs(pegs.front, back, front)
        return hands

    # Time.

    def plan_action(self, after_s: float, action: Callable[[], object]) -> None:
        """Does this later."""
        heappush(self._planned, (self.now_s + after_s, next(self._number), action))

    def wait(self, seconds: float) -> None:
        """Lets time pass: what was planned happens, and the tracker is asked whenever it wants to be."""
        end_s = self.now_s + seconds
        while True:
            planned_s = self._planned[0][0] if self._planned else inf
            deadline_s = None if self.sensors.is_lost else self.watcher.deadline_s
            self.now_s = max(self.now_s, min(end_s, planned_s, inf if deadline_s is None else deadline_s))
            while self._planned and self._planned[0][0] <= self.now_s:
                heappop(self._planned)[2]()
            self._scan()
            if self.now_s >= end_s:
                return

    def wait_for_hands(self) -> None:
        """Lets everything happen that was planned."""
        while self._planned:
            self.wait(max(0.0, self._planned[0][0] - self.now_s))

    def _scan(self) -> None:
        try:
            _has_changed, moves = self.watcher.scan(self.now_s)
        except DriverError:
            return
        self._take_moves(moves)

    def _take_moves(self, moves: Iterable[GameReading]) -> None:
        for move in moves:
            self._decide(observation_of(move, self.table))
            self.watcher.set_table(self.table, self.now_s)

    # What people do.

    def do(self, line: Line) -> str:
        """Does what the line says. Returns the kind of the refusal, or nothing."""
        self.wait(self.random.uniform(*LINE_S))
        if line[0] in ("leap", "slide", "pegs"):
            self._move(line[0], int(line[1]), [int(word) for word in line[2:]])
            return ""
        try:
            self.command(COMMANDS[line[0]](*line[1:]))
        except Refusal as refusal:
            return refusal.kind
        return ""

    def command(self, command: c.Command) -> None:
        """Raises Refusal."""
        self._decide(command)
        self.watcher.set_table(self.table, self.now_s)

    def _decide(self, command: c.Command | c.Observation) -> None:
        evidence = self.evidence if self.events else Evidence()
        decided = self._history.decide(command, evidence)
        self._history = self._history.after(decided)
        self.events += decided.events

    def _move(self, kind: str, side: int, numbers: list[int]) -> None:
        if side >= self.tracks:
            return  # these points move by themselves
        hands = self.hands[side]
        if kind == "leap":
            for after_s, sensor, is_down in hands.turn(numbers[0]):
                self.wait(after_s)
                (self.sensors.pegs.add if is_down else self.sensors.pegs.discard)(sensor)
                self._scan()
            for after_s, sensor, is_down in hands.touch_seated_pegs():
                self.wait(after_s)
                (self.sensors.pegs.add if is_down else self.sensors.pegs.discard)(sensor)
                self._scan()
            return
        self.put_pegs(side, TrackPegs(numbers[1], numbers[0]))

    def put_pegs(self, side: int, pegs: TrackPegs) -> None:
        """Moves the pegs that stand elsewhere, the front one first."""
        hands = self.hands[side]
        goals = [self.sensor(side, hole) for hole in self.course.holes_of(pegs)]
        wrong = [sensor for sensor in reversed(hands.holes) if sensor not in goals]
        free = [sensor for sensor in reversed(goals) if sensor not in hands.holes]
        for sensor, goal in zip(wrong, free, strict=True):
            self.sensors.pegs.discard(sensor)
            self.wait(0.4)
            self.sensors.pegs.add(goal)
            self.wait(1.5)
        hands.set_pegs(pegs.front, goals[0], goals[1])

    def press_enter(self) -> None:
        """As GameSession.settle_now."""
        before = questioned_sides(self.table)
        self._take_moves(self.watcher.settle_now(self.now_s))
        for side in questioned_sides(self.table) - before:
            self.command(c.AcceptPegs(side))

    def set_score(self, side: int, score: int) -> None:
        """People set a score by hand, and put the pegs where the board lights them."""
        self.helped += 1
        self.command(c.CorrectScore(side, score, "agreed"))
        if side < self.tracks:
            self.put_pegs(side, self.table.pegs[side])
