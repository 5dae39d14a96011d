"""Two people who play a whole game on the board, and what the rules alone would make of what they do.

Their cards are told on a phone, their pegs are moved on the wood. After each turn the board must stand where the rules
have it, on the phone, in the lights and on the glass.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import monotonic, sleep

from board_drivers.hands import Gesture, Hands, Style
from board_drivers.sensor_chain import magnets_in
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.plans import load_plan
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.lights import light_frame, signals
from firmware_host.table.state import Phase, Table
from tests.drivers.bench_board import BenchBoard
from tests.kernel.inside.glass import code_on, shows
from tests.kernel.inside.program import LOOK_S, PATIENCE_S, Program, State
from tests.table.random_player import RandomPlayer

NEW_GAME = (*["ENTER"] * 5, "A")
"""On the keys: six cards, this board, to 121, and Ann deals."""
NAMES, TARGET = ("Ann", "Ben"), 61
HALF_BLINKS_S = (0.0, 0.5)
HOLD_S = 1.2
"""Longer than FN is held for its pages, and than a key counts as one that was on its way."""


class People:
    """`program` plays the game of `start`."""

    def __init__(self, program: Program, wood: BenchBoard, plan: BoardPlan, start: o.StartGame, style: Style) -> None:
        self._program, self._wood, self._plan = program, wood, plan
        self._chronicle = Chronicle()
        self._follow(start)
        random, self._target = Random(7), start.rules.target
        self._player = RandomPlayer(7)
        self._hands = [self._hands_of(side, random, style) for side in range(2)]
        self.leaps = 0

    @property
    def table(self) -> Table:
        assert self._chronicle.table
        return self._chronicle.table

    def play_to_the_end(self) -> None:
        while self.table.phase is not Phase.OVER:
            order = self._player.next_order(self.table)
            self._follow(order)
            name, body = on_the_wire(order)
            self._program.phone.post(f"/orders/{name}", **body)
            self.move_pegs()

    def move_pegs(self) -> None:
        """All that is owed."""
        for side in range(2):
            if (owed := self.table.owed[side]) > 0 and self.table.winner is None:
                self._leap(side, owed)
                self.check()

    def check(self) -> None:
        """The score on the phone, every light and every pixel."""
        table = self.table
        state = self._program.wait_for(
            lambda now: (
                [(side["score"], side["owed"]) for side in now["sides"]]
                == list(zip(table.scores, table.owed, strict=True))
            ),
            f"scores {table.scores}, owed {table.owed}",
        )
        until(lambda: self._wood.lights.colours in self._frames(), f"lights {self._frames()}", lambda: state["lights"])
        until(lambda: self._glass_shows(), f"the glass to show {state['display']}")

    def _glass_shows(self) -> bool:
        state: State = self._program.state()
        return shows(self._wood.oled.pixels(), state["display"])

    def _frames(self) -> list[list[tuple[int, int, int]]]:
        course = self._plan.course(self._target)
        seen = self._plan.track_view(magnets_in([*(register.inputs for register in self._wood.strips.registers), 0]))
        shown = signals(self.table, course, seen)
        return [light_frame(shown, self._plan, at_s) for at_s in HALF_BLINKS_S]

    def _follow(self, order: o.Order | o.Observation) -> None:
        self._chronicle = self._chronicle.after(self._chronicle.decide(order))

    def _leap(self, side: int, points: int) -> None:
        for gesture in self._hands[side].turn(points):
            self._gesture(gesture)
        pegs = self.table.pegs[side]
        self._follow(o.PegsSeen(side, pegs.leapt_to(self._hands[side].score), is_leap=True))
        self.leaps += 1

    def _gesture(self, gesture: Gesture) -> None:
        sleep(gesture.after_s)
        move = self._wood.strips.place_peg if gesture.is_down else self._wood.strips.lift_peg
        move(gesture.hole)

    def _hands_of(self, side: int, random: Random, style: Style) -> Hands:
        course = self._plan.course(self._target)
        route = [self._plan.at(side, course.hole_of(score)).sensor for score in range(self._target + 1)]
        return Hands(random, style, route, self._plan.at(side, START_HOLES[0]).sensor, self._target)


def begin(program: Program, wood: BenchBoard, style: Style) -> People:
    """Ann's phone is let in, and begins a short game. Ann deals."""
    let_in(program, wood, NAMES[0])
    plan, rules = load_plan("classic-61"), rules_for("six_card", {"target": TARGET})
    program.phone.post("/orders/new-game", variant="six_card", target=TARGET, names=NAMES, dealer=0)
    return People(program, wood, plan, o.StartGame(rules, NAMES, plan.id, plan.tracks, dealer=Seat(0)), style)


def typed(wood: BenchBoard, *legends: str) -> None:
    for legend in legends:
        wood.press(legend)
        wood.release(legend)


def let_in(program: Program, wood: BenchBoard, name: str) -> None:
    """A phone comes in as on any real board: its camera reads the display, and somebody at the keys says yes."""
    wood.press("FN")
    sleep(HOLD_S)
    wood.release("FN")
    typed(wood, "FN", "5", "ENTER")
    until(lambda: bool(code_on(wood.oled.pixels())), "a code on the glass", lambda: program.state()["display"])
    code = code_on(wood.oled.pixels()).rpartition("/")[2]
    knock = program.phone.post("/pairing/knock", name=name, code=code)["knock"]
    program.wait_for(lambda now: now["prompt"] == f"Let {name} in?", "the board to ask")
    sleep(HOLD_S)
    typed(wood, "ENTER")
    until(lambda: "phone" in program.phone.post("/pairing/pick-up", knock=knock), f"{name} to be let in")
    typed(wood, "7")
    until(lambda: shows(wood.oled.pixels(), program.state()["display"]), "the code to go")


def on_the_wire(order: o.Order) -> tuple[str, dict[str, object]]:
    """The order as a phone gives it."""
    match order:
        case o.DealHand(seat, cards):
            return "deal", {"seat": seat, "cards": list(map(str, cards))}
        case o.LayAway(seat, cards):
            return "lay-away", {"seat": seat, "cards": list(map(str, cards))}
        case o.CutStarter(card):
            return "starter", {"card": str(card)}
        case o.PlayCard(card, seat):
            return "play", {"card": str(card), "seat": seat}
        case o.SayGo(seat):
            return "go", {"seat": seat}
        case o.CountNext():
            return "count", {}
        case o.GatherCards():
            return "next-deal", {}
        case _:
            raise AssertionError(f"nobody here gives the order {order}")


def until(is_so: Callable[[], bool], what: str, told: Callable[[], object] = str) -> None:
    """`told`: what to say of how it is instead."""
    end_s = monotonic() + PATIENCE_S
    while not is_so():
        assert monotonic() < end_s, f"expected {what}, got {told()}"
        sleep(LOOK_S)
