"""The program under test, driven by the lines of a script: its pure game, or the whole host on a simulated board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import recorded_rules
from firmware_host.game import commands as c
from firmware_host.game.events import Breach
from firmware_host.game.history import History
from firmware_host.game.state import Table
from tests.paper_rules.script import Line, Setting


class Program(Protocol):
    """Does what a line says. `table` is the program's own view of the game."""

    @property
    def has_sensors(self) -> bool: ...

    @property
    def table(self) -> Table: ...

    def do(self, line: Line) -> str: ...


def start_of(setting: Setting, board: str = "") -> c.StartGame:
    """The command that starts the game of this setting, with all sides on the board."""
    rules = recorded_rules(setting.system, setting.typed_options)
    names = tuple(f"P{seat}" for seat in rules.seats)
    scores = setting.scores if any(setting.scores) else None
    return c.StartGame(rules, names, board, len(rules.sides), dealer=Seat(setting.dealer), scores=scores)


COMMANDS: dict[str, Callable[..., c.Command]] = {
    "deal": lambda seat, *held: c.DealHand(Seat(int(seat)), parse_cards(" ".join(held))),
    "discard": lambda seat, *away: c.DiscardCards(Seat(int(seat)), parse_cards(" ".join(away))),
    "stock": lambda *stock: c.FillCrib(parse_cards(" ".join(stock))),
    "bid": lambda seat, points: c.Bid(None if points == "pass" else int(points), Seat(int(seat))),
    "starter": lambda starter: c.CutStarter(parse_card(starter)),
    "play": lambda seat, played: c.PlayCard(parse_card(played), Seat(int(seat))),
    "go": lambda seat: c.SayGo(Seat(int(seat))),
    "endplay": lambda: c.EndPlay(),
    "count": lambda *shown: c.CountHand(parse_cards(" ".join(shown)) if shown else None),
    "skip": lambda: c.SkipHand(),
    "misdeal": lambda what: c.Misdeal(is_exposed=what == "exposed"),
    "next": lambda: c.NextDeal(),
    "claim": lambda side, points: c.ClaimMuggins(int(side), int(points)),
    "accept": lambda: c.AcceptPegs(),
    "correct": lambda side, score: c.CorrectScore(int(side), int(score), "agreed"),
    "removed": lambda side: c.RuleBreach(int(side), Breach.FRONT_PEG),
    "foreign": lambda side, owner: c.RuleBreach(int(side), Breach.FOREIGN_PEG, int(owner)),
    "undo": lambda: c.Undo(),
    "redo": lambda: c.Redo(),
}


class PureProgram:
    """The game without a board: moves of pegs are given as the observations that the host would make of them."""

    has_sensors = False

    def __init__(self, setting: Setting) -> None:
        self._history = History()
        self._take(start_of(setting))
        self._leapt_from: dict[int, TrackPegs] = {}

    @property
    def table(self) -> Table:
        """The state of the game."""
        assert self._history.table
        return self._history.table

    def do(self, line: Line) -> str:
        """Does what the line says. Returns the kind of the refusal, or nothing."""
        try:
            self._take(self._observation(line) if line[0] in _OBSERVED else COMMANDS[line[0]](*line[1:]))
        except Refusal as refusal:
            return refusal.kind
        return ""

    def _take(self, command: c.Command | c.Observation) -> None:
        self._history = self._history.after(self._history.decide(command))

    def _observation(self, line: Line) -> c.Observation:
        side, numbers = int(line[1]), [int(word) for word in line[2:]]
        pegs = self.table.sides[side].pegs
        match line[0]:
            case "leap":
                after = pegs.leapt_to(min(pegs.front + numbers[0], self.table.sides[side].target))
                self._leapt_from[side] = pegs
                return c.PegsMoved(side, after, is_leap=True)
            case "slide":
                score = min(pegs.front + numbers[0], self.table.sides[side].target)
                return c.PegsMoved(side, pegs.slid_to(score), is_leap=False)
            case _:
                after = TrackPegs(back=numbers[1], front=numbers[0])
                is_taken_back = after == self._leapt_from.pop(side, None)
                return c.PegsMoved(side, after, is_leap=False, is_taken_back=is_taken_back)


_OBSERVED = ("leap", "slide", "pegs")
