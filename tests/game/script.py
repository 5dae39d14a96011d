"""Runs games as text, which are scripts of commands with the expected results: `tests/games/*.game`.

    rules five_card must_play=after_go_optional     variant and options
    seats A B                                       names
    dealer B                                        without this line nobody deals yet
    pegs by hand | by table | by entry              on the board, moved as soon as points are due, or entered
    A plays JH -> A owes 0, B to play               a command -> expectations

Commands: X dealt CARDS, X discards CARDS, starter CARD, X plays CARD, X says go, show (no more cards of the play are
entered), X counts [CARDS], X counts the crib [CARDS], skip hand, X moves N (a leap), X slides N (the front peg),
X removes the front peg, X moves a foreign peg, X enters N, X is corrected to N, X claims N (muggins), X bids N,
X passes, from the stock CARDS, next deal, accept pegs, accept pegs of X, undo, redo.
Expectations: X at N, X owes N, X is shown N (what page, display and lights show of that), X to play, X wins, nobody
wins, X scores NAME, X missed N, X takes N (muggins), X gets N (penalties), X goes back N, X overran N, log: X missed N,
log: nothing missed, count N, phase NAME, nothing, refused: KIND. X is a seat, and stands for its side. Several games
may follow each other in one script; a `scores` line holds for those after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct, field

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import recorded_rules
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.disclosure import is_shown, shown_owed
from firmware_host.game.events import Breach
from firmware_host.game.history import History
from firmware_host.game.state import Table

T = TypeVar("T")


class Script(Struct):
    """A script being run: the game so far, and the result of the last line."""

    settings: dict[str, str] = field(default_factory=dict)
    history: History = field(default_factory=History)
    events: tuple[e.Event, ...] = ()
    refused: str = ""

    @property
    def table(self) -> Table:
        assert self.history.table, "the script has a command before `seats` and `dealer`"
        return self.history.table

    def seat(self, name: str) -> Seat:
        return Seat(self.settings["seats"].split().index(name))

    def run(self, command: c.Command | c.Observation) -> None:
        self.events, self.refused = (), ""
        try:
            decided = self.history.decide(command)
        except Refusal as refusal:
            self.refused = refusal.kind
        else:
            self.events, self.history = decided.events, self.history.after(decided)

    def begin(self) -> None:
        variant, *pairs = self.settings["rules"].split()
        options = dict(pair.split("=") for pair in pairs)
        rules, names = recorded_rules(variant, options), tuple(self.settings["seats"].split())
        by_hand = len(rules.sides) if self.settings["pegs"] == "by hand" else 0
        is_entered = self.settings["pegs"] == "by entry"
        scores = tuple(map(int, self.settings["scores"].split())) if "scores" in self.settings else None
        dealer = self.seat(self.settings["dealer"]) if "dealer" in self.settings else None
        self.run(
            c.StartGame(
                rules, names, sides_on_board=by_hand, points_are_entered=is_entered, dealer=dealer, scores=scores
            )
        )


def leap(script: Script, name: str, points: str) -> c.PegsMoved:
    side = script.table.rules.side_of(script.seat(name))
    pegs = script.table.sides[side].pegs
    return c.PegsMoved(side, pegs.leapt_to(pegs.front + int(points)), is_leap=True)


def slide(script: Script, name: str, points: str) -> c.PegsMoved:
    side = script.table.rules.side_of(script.seat(name))
    pegs = script.table.sides[side].pegs
    return c.PegsMoved(side, pegs.slid_to(pegs.front + int(points)), is_leap=False)


COMMANDS: Sequence[tuple[str, Callable[..., c.Command | c.Observation]]] = (
    (r"(\S+) dealt (.+)", lambda s, name, cards: c.DealHand(s.seat(name), parse_cards(cards))),
    (r"(\S+) discards (.+)", lambda s, name, cards: c.DiscardCards(s.seat(name), parse_cards(cards))),
    (r"starter (\S+)", lambda s, card: c.CutStarter(parse_card(card, rank_only=True))),
    (r"(\S+) plays (\S+)", lambda s, name, card: c.PlayCard(parse_card(card, rank_only=True), s.seat(name))),
    (r"(\S+) says go", lambda s, name: c.SayGo(s.seat(name))),
    (r"show", lambda s: c.EndPlay()),
    (r"skip hand", lambda s: c.SkipHand()),
    (r"(\S+) counts the crib", lambda s, name: c.CountHand(None, s.seat(name), is_crib=True)),
    (
        r"(\S+) counts the crib (.+)",
        lambda s, name, cards: c.CountHand(parse_cards(cards, rank_only=True), s.seat(name), is_crib=True),
    ),
    (r"(\S+) counts", lambda s, name: c.CountHand(None, s.seat(name), is_crib=False)),
    (
        r"(\S+) counts (.+)",
        lambda s, name, cards: c.CountHand(parse_cards(cards, rank_only=True), s.seat(name), is_crib=False),
    ),
    (r"(\S+) moves (\d+)", leap),
    (r"(\S+) slides (-?\d+)", slide),
    (r"(\S+) removes the front peg", lambda s, name: c.RuleBreach(side(s, name), Breach.FRONT_PEG)),
    (
        r"(\S+) moves a peg of (\S+)",
        lambda s, name, owner: c.RuleBreach(side(s, name), Breach.FOREIGN_PEG, side(s, owner)),
    ),
    (r"(\S+) pays for the excess", lambda s, name: c.RuleBreach(side(s, name), Breach.OVERRUN)),
    (r"(\S+) enters (-?\d+)", lambda s, name, points: c.EnterPoints(side(s, name), int(points))),
    (r"(\S+) is corrected to (-?\d+)", lambda s, name, score: c.CorrectScore(side(s, name), int(score), "")),
    (r"(\S+) claims (\d+)", lambda s, name, points: c.ClaimMuggins(side(s, name), int(points))),
    (r"(\S+) bids (\d+)", lambda s, name, points: c.Bid(int(points), s.seat(name))),
    (r"(\S+) passes", lambda s, name: c.Bid(None, s.seat(name))),
    (r"from the stock (.+)", lambda s, cards: c.FillCrib(parse_cards(cards))),
    (r"next deal", lambda s: c.NextDeal()),
    (r"accept pegs", lambda s: c.AcceptPegs()),
    (r"accept pegs of (\S+)", lambda s, name: c.AcceptPegs(side(s, name))),
    (r"undo", lambda s: c.Undo()),
    (r"redo", lambda s: c.Redo()),
)


def side(script: Script, name: str) -> int:
    return script.table.rules.side_of(script.seat(name))


PointsEvent = e.PointsMissed | e.MugginsTaken | e.PenaltyGiven | e.PegsSetBack | e.PegsOverran


def points_in(script: Script, kind: type[PointsEvent], name: str) -> int:
    """The points of all events of this kind for the side of the named seat."""
    return sum(event.points for event in script.events if isinstance(event, kind) and event.side == side(script, name))


def points_in_log(script: Script) -> dict[int, int]:
    """Side -> points that the log says it missed."""
    shown = [event for event in script.events if isinstance(event, e.PointsMissed) and is_shown(event, script.table)]
    return {each.side: sum(event.points for event in shown if event.side == each.side) for each in shown}


def scored(script: Script, name: str) -> list[str]:
    dues = [event for event in script.events if isinstance(event, e.PointsDue) and event.side == side(script, name)]
    return [f"{score.kind.value} {score.points}" for due in dues for score in due.scores]


EXPECTATIONS: Sequence[tuple[str, Callable[..., tuple[object, object]]]] = (
    (r"(\S+) at (\d+)", lambda s, name, n: (s.table.scores[side(s, name)], int(n))),
    (r"(\S+) owes (-?\d+)", lambda s, name, n: (s.table.owed[side(s, name)], int(n))),
    (r"(\S+) is shown (-?\d+)", lambda s, name, n: (shown_owed(s.table, side(s, name)), int(n))),
    (r"log: (\S+) missed (\d+)", lambda s, name, n: (points_in_log(s), {side(s, name): int(n)})),
    (r"log: nothing missed", lambda s: (points_in_log(s), {})),
    (r"(\S+) to play", lambda s, name: (s.table.to_play, s.seat(name))),
    (r"nobody wins", lambda s: (s.table.winner, None)),
    (r"(\S+) wins", lambda s, name: (s.table.winner, side(s, name))),
    (r"(\S+) scores (.+)", lambda s, name, what: (what in scored(s, name) or scored(s, name), True)),
    (r"(\S+) missed (\d+)", lambda s, name, n: (points_in(s, e.PointsMissed, name), int(n))),
    (r"(\S+) takes (\d+)", lambda s, name, n: (points_in(s, e.MugginsTaken, name), int(n))),
    (r"(\S+) gets (\d+)", lambda s, name, n: (points_in(s, e.PenaltyGiven, name), int(n))),
    (r"(\S+) goes back (\d+)", lambda s, name, n: (points_in(s, e.PegsSetBack, name), int(n))),
    (r"(\S+) overran (\d+)", lambda s, name, n: (points_in(s, e.PegsOverran, name), int(n))),
    (r"count (\d+)", lambda s, n: (s.table.deal.play.count, int(n))),
    (r"phase (\w+)", lambda s, name: (s.table.phase.value, name)),
    (r"nothing", lambda s: (s.events, ())),
    (r"refused: (\w+)", lambda s, kind: (s.refused, kind)),
)


def match(text: str, forms: Sequence[tuple[str, T]]) -> tuple[T, tuple[str, ...]]:
    for pattern, meaning in forms:
        if found := re.fullmatch(pattern, text):
            return meaning, found.groups()
    raise ValueError(f"expected one of {[pattern for pattern, _ in forms]}, got {text!r}")


def run_line(script: Script, line: str) -> None:
    """Runs one line, without comment. An empty one does nothing. Raises AssertionError for another result."""
    text, _, expected = (part.strip() for part in line.partition("->"))
    if not text:
        return
    word, _, rest = text.partition(" ")
    if word in {"rules", "seats", "dealer", "pegs", "scores"}:
        script.settings[word] = rest
        script.refused = ""
        if word == "pegs":
            script.begin()
    else:
        command, groups = match(text, COMMANDS)
        script.run(command(script, *groups))
    expectations = [text.strip() for text in expected.split(",")] if expected else []
    assert not script.refused or any(text.startswith("refused") for text in expectations), f"refused: {script.refused}"
    for expectation in expectations:
        check, groups = match(expectation, EXPECTATIONS)
        got, wanted = check(script, *groups)
        assert got == wanted, f"{expectation}: expected {wanted}, got {got}"


def table_after(text: str) -> Table:
    """The table after a script."""
    script = Script()
    for line in text.splitlines():
        run_line(script, line.split("#")[0].strip())
    return script.table
