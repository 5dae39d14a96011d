"""Two players who play a whole game on the board, compared after each turn with what the rules alone give.

Cards are entered on a phone, pegs are moved on the modelled board. After each turn the score on the phone, the lights
and the display must be those of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import monotonic, sleep

from board_drivers.sensor_chain import magnets_in
from board_drivers.simulated_hands import Gesture, SimulatedHands, Style
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Phase, Table
from firmware_host.ui.lights.lights import light_frame, signals
from firmware_host.ui.shown import shown_of
from tests.board_drivers.bench_board import BenchBoard
from tests.game.random_player import RandomPlayer
from tests.kernel.inside.display import code_on, shows
from tests.kernel.inside.program import POLL_S, TIMEOUT_S, Program, State

NEW_GAME = (*["ENTER"] * 5, "A")
"""Keys of a new game: six cards, this board, to 121, and Ann deals."""
NAMES, TARGET = ("Ann", "Ben"), 61
HALF_BLINKS_S = (0.0, 0.5)
HOLD_S = 1.2
"""Longer than FN must be held for its pages, and than the time in which a key press does not answer a new question."""
TAPS, ANSWER_S = 5, 10.0


class Players:
    """Both players of the game of `start`, which `program` plays."""

    def __init__(self, program: Program, bench: BenchBoard, plan: BoardPlan, start: c.StartGame, style: Style) -> None:
        self._program, self._bench, self._plan = program, bench, plan
        self._history = History()
        self._apply(start)
        random, self._target = Random(7), start.rules.target
        self._player = RandomPlayer(7)
        self._hands = [self._hands_of(side, random, style) for side in range(2)]
        self.leaps = 0

    @property
    def table(self) -> Table:
        assert self._history.table
        return self._history.table

    def play_to_the_end(self) -> None:
        while self.table.phase is not Phase.OVER:
            command = self._player.next_command(self.table)
            self._apply(command)
            name, body = as_request(command)
            self._program.phone.post(f"/commands/{name}", **body)
            self.move_pegs()

    def move_pegs(self) -> None:
        """Peg all points that are owed."""
        for side in range(2):
            if (owed := self.table.sides[side].owed) > 0 and self.table.winner is None:
                self._leap(side, owed)
                self.check()

    def check(self) -> None:
        """Compare the score on the phone, every light and every pixel with the rules."""
        table = self.table
        state = self._program.wait_for(
            lambda now: (
                [(side["score"], side["owed"]) for side in now["sides"]]
                == list(zip(table.scores, table.owed, strict=True))
            ),
            f"scores {table.scores}, owed {table.owed}",
        )
        wait_until(
            lambda: self._bench.lights.colours in self._frames(), f"lights {self._frames()}", lambda: state["lights"]
        )
        wait_until(lambda: self._display_is_right(), f"the display to show {state['display']}")

    def _display_is_right(self) -> bool:
        state: State = self._program.state()
        return shows(self._bench.oled.pixels(), state["display"])

    def _frames(self) -> list[list[tuple[int, int, int]]]:
        course = self._plan.course(self._target)
        seen = self._plan.track_view(magnets_in([*(register.inputs for register in self._bench.strips.registers), 0]))
        shown = signals(shown_of(self.table), course, seen)
        return [light_frame(shown, self._plan, at_s) for at_s in HALF_BLINKS_S]

    def _apply(self, command: c.Command | c.Observation) -> None:
        self._history = self._history.after(self._history.decide(command))

    def _leap(self, side: int, points: int) -> None:
        for gesture in self._hands[side].turn(points):
            self._gesture(gesture)
        pegs = self.table.sides[side].pegs
        self._apply(c.PegsMoved(side, pegs.leapt_to(self._hands[side].score), is_leap=True))
        self.leaps += 1

    def _gesture(self, gesture: Gesture) -> None:
        sleep(gesture.after_s)
        move = self._bench.strips.place_peg if gesture.is_down else self._bench.strips.lift_peg
        move(gesture.hole)

    def _hands_of(self, side: int, random: Random, style: Style) -> SimulatedHands:
        course = self._plan.course(self._target)
        route = [self._plan.at(side, course.hole_of(score)).sensor for score in range(self._target + 1)]
        return SimulatedHands(random, style, route, self._plan.at(side, START_HOLES[0]).sensor, self._target)


def begin(program: Program, bench: BenchBoard, style: Style) -> Players:
    """Pair Ann's phone and begin a short game in which Ann deals."""
    pair_phone(program, bench, NAMES[0])
    plan, rules = load_plan("classic-61"), rules_for("six_card", {"target": TARGET})
    program.phone.post("/commands/new-game", variant="six_card", target=TARGET, names=NAMES, dealer=0)
    return Players(program, bench, plan, c.StartGame(rules, NAMES, plan.id, plan.tracks, dealer=Seat(0)), style)


def type_keys(bench: BenchBoard, *legends: str) -> None:
    for legend in legends:
        bench.press(legend)
        bench.release(legend)


def open_menu(program: Program, bench: BenchBoard) -> None:
    """Hold FN until the menu opens, however slow the guest is."""
    before = program.state()["display"]
    bench.press("FN")
    wait_until(lambda: program.state()["display"] != before, "the menu", lambda: program.state()["display"])
    bench.release("FN")


def answer(program: Program, bench: BenchBoard, legend: str) -> None:
    """Press a key when the question on the display is old enough to be answered, and wait for what comes next.

    A slow guest may scan so rarely that a tapped FN was held. Then the menu opens again, and FN is tapped once more.
    """
    before = program.state()["display"]
    for _ in range(TAPS):
        sleep(HOLD_S)
        type_keys(bench, legend)
        end_s = monotonic() + ANSWER_S
        while monotonic() < end_s:
            if program.state()["display"] != before:
                return
            sleep(POLL_S)
    raise AssertionError(f"expected an answer to {legend}, got {before}")


def pair_phone(program: Program, bench: BenchBoard, name: str) -> None:
    """Pair a phone as on a real board: its camera reads the QR code on the display, and the ENTER key accepts it."""
    open_menu(program, bench)
    answer(program, bench, "FN")  # its second page
    answer(program, bench, "5")
    sleep(HOLD_S)
    type_keys(bench, "ENTER")
    wait_until(lambda: bool(code_on(bench.oled.pixels())), "a code on the display", lambda: program.state()["display"])
    code = code_on(bench.oled.pixels()).rpartition("/")[2]
    requested = program.phone.post("/pairing/request", name=name, code=code)
    secret, question = requested["secret"], f"Add {name} {requested['number']}? ENTER"
    program.wait_for(lambda now: now["prompt"] == question, "the board to ask")
    sleep(HOLD_S)
    type_keys(bench, "ENTER")
    wait_until(lambda: "phone" in program.phone.post("/pairing/token", secret=secret), f"{name}'s phone to be paired")
    type_keys(bench, "7")
    wait_until(lambda: shows(bench.oled.pixels(), program.state()["display"]), "the code to go")


def as_request(command: c.Command) -> tuple[str, dict[str, object]]:
    """The command as a phone sends it: its name in the path, and the body."""
    match command:
        case c.DealHand(seat, cards):
            return "deal", {"seat": seat, "cards": list(map(str, cards))}
        case c.DiscardCards(seat, cards):
            return "discard", {"seat": seat, "cards": list(map(str, cards))}
        case c.CutStarter(card):
            return "starter", {"card": str(card)}
        case c.PlayCard(card, seat):
            return "play", {"card": str(card), "seat": seat}
        case c.SayGo(seat):
            return "go", {"seat": seat}
        case c.CountHand():
            return "count", {}
        case c.NextDeal(deal):
            return "next-deal", {"deal": deal}
        case _:
            raise AssertionError(f"the players never send {command}")


def wait_until(is_so: Callable[[], bool], what: str, found: Callable[[], object] = str) -> None:
    """Wait until `is_so` returns True. `what` was expected; `found` gives what to report in its place."""
    end_s = monotonic() + TIMEOUT_S
    while not is_so():
        assert monotonic() < end_s, f"expected {what}, got {found()}"
        sleep(POLL_S)
