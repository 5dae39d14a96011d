"""Whole games as text: each `*.game` here is a script of orders, and of what must follow from each.

    rules five_card must_play=after_go_optional     the RuleSet
    seats A B                                       names; B deals
    dealer B
    pegs by hand | by table                         who moves the pegs (by table: the moment they are due)
    A plays JH -> A owes 0, B to play               an order -> expectations

Orders: X dealt CARDS, X lays away CARDS, starter CARD, X plays CARD, X says go, show (nobody types the play), X counts
[CARDS], X counts the crib [CARDS], X counts alone, X moves N (a leap), X slides N (the front peg), next deal,
it stands, undo, redo.
Expectations: X at N, X owes N, X to play, X wins, X scores NAME, X missed N, X takes N, count N, phase NAME, nothing,
refused: KIND.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import events as e
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.state import Table

T = TypeVar("T")
GAMES = sorted(Path(__file__).parent.glob("*.game"))


@dataclass
class Script:
    """One text game being read: what stands so far, and what the last line led to."""

    settings: dict[str, str] = field(default_factory=dict)
    chronicle: Chronicle = field(default_factory=Chronicle)
    events: tuple[e.Event, ...] = ()
    refused: str = ""

    @property
    def table(self) -> Table:
        assert self.chronicle.table, "the script gives an order before `seats` and `dealer`"
        return self.chronicle.table

    def seat(self, name: str) -> Seat:
        return Seat(self.settings["seats"].split().index(name))

    def give(self, order: o.Order | o.Observation) -> None:
        self.events, self.refused = (), ""
        try:
            self.events = self.chronicle.decide(order)
        except Refusal as refusal:
            self.refused = refusal.kind
        self.chronicle = self.chronicle.after(self.events)

    def begin(self) -> None:
        variant, *pairs = self.settings["rules"].split()
        options = dict(pair.split("=") for pair in pairs)
        rules, names = rules_for(variant, options), tuple(self.settings["seats"].split())
        by_hand = len(rules.sides) if self.settings["pegs"] == "by hand" else 0
        scores = tuple(map(int, self.settings["scores"].split())) if "scores" in self.settings else None
        dealer = self.seat(self.settings["dealer"])
        self.give(o.StartGame(rules, names, sides_on_board=by_hand, dealer=dealer, scores=scores))


def leap(script: Script, name: str, points: str) -> o.PegsSeen:
    side = script.table.rules.side_of(script.seat(name))
    pegs = script.table.pegs[side]
    return o.PegsSeen(side, pegs.leapt_to(pegs.front + int(points)), is_leap=True)


def slide(script: Script, name: str, points: str) -> o.PegsSeen:
    side = script.table.rules.side_of(script.seat(name))
    pegs = script.table.pegs[side]
    return o.PegsSeen(side, pegs.slid_to(pegs.front + int(points)), is_leap=False)


ORDERS: Sequence[tuple[str, Callable[..., o.Order | o.Observation]]] = (
    (r"(\S+) dealt (.+)", lambda s, name, cards: o.DealHand(s.seat(name), parse_cards(cards))),
    (r"(\S+) lays away (.+)", lambda s, name, cards: o.LayAway(s.seat(name), parse_cards(cards))),
    (r"starter (\S+)", lambda s, card: o.CutStarter(parse_card(card, rank_only=True))),
    (r"(\S+) plays (\S+)", lambda s, name, card: o.PlayCard(parse_card(card, rank_only=True), s.seat(name))),
    (r"(\S+) says go", lambda s, name: o.SayGo(s.seat(name))),
    (r"show", lambda s: o.EndPlay()),
    (r"(\S+) counts alone", lambda s, name: o.SkipCount()),
    (r"(\S+) counts the crib", lambda s, name: o.CountNext(None, s.seat(name), is_crib=True)),
    (
        r"(\S+) counts the crib (.+)",
        lambda s, name, cards: o.CountNext(parse_cards(cards, rank_only=True), s.seat(name), is_crib=True),
    ),
    (r"(\S+) counts", lambda s, name: o.CountNext(None, s.seat(name), is_crib=False)),
    (
        r"(\S+) counts (.+)",
        lambda s, name, cards: o.CountNext(parse_cards(cards, rank_only=True), s.seat(name), is_crib=False),
    ),
    (r"(\S+) moves (\d+)", leap),
    (r"(\S+) slides (-?\d+)", slide),
    (r"next deal", lambda s: o.GatherCards()),
    (r"it stands", lambda s: o.LetItStand()),
    (r"undo", lambda s: o.Undo()),
    (r"redo", lambda s: o.Redo()),
)


def side(script: Script, name: str) -> int:
    return script.table.rules.side_of(script.seat(name))


def points_in(script: Script, kind: type[e.PointsMissed] | type[e.MugginsTaken], name: str) -> int:
    """The points of the events of this kind that concern the named seat's side."""
    return sum(event.points for event in script.events if isinstance(event, kind) and event.side == side(script, name))


def scored(script: Script, name: str) -> list[str]:
    dues = [event for event in script.events if isinstance(event, e.PointsDue) and event.side == side(script, name)]
    return [f"{score.kind.value} {score.points}" for due in dues for score in due.scores]


EXPECTATIONS: Sequence[tuple[str, Callable[..., tuple[object, object]]]] = (
    (r"(\S+) at (\d+)", lambda s, name, n: (s.table.scores[side(s, name)], int(n))),
    (r"(\S+) owes (-?\d+)", lambda s, name, n: (s.table.owed[side(s, name)], int(n))),
    (r"(\S+) to play", lambda s, name: (s.table.to_play, s.seat(name))),
    (r"(\S+) wins", lambda s, name: (s.table.winner, side(s, name))),
    (r"(\S+) scores (.+)", lambda s, name, what: (what in scored(s, name) or scored(s, name), True)),
    (r"(\S+) missed (\d+)", lambda s, name, n: (points_in(s, e.PointsMissed, name), int(n))),
    (r"(\S+) takes (\d+)", lambda s, name, n: (points_in(s, e.MugginsTaken, name), int(n))),
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
    said, _, expected = (part.strip() for part in line.partition("->"))
    word, _, rest = said.partition(" ")
    if word in {"rules", "seats", "dealer", "pegs", "scores"}:
        script.settings[word] = rest
        if word == "pegs":
            script.begin()
    else:
        order, groups = match(said, ORDERS)
        script.give(order(script, *groups))
    expectations = [text.strip() for text in expected.split(",")] if expected else []
    assert not script.refused or any(text.startswith("refused") for text in expectations), f"refused: {script.refused}"
    for text in expectations:
        check, groups = match(text, EXPECTATIONS)
        got, wanted = check(script, *groups)
        assert got == wanted, text


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in GAMES])
def test_game_goes_as_written(path: Path) -> None:
    script = Script()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        said = line.split("#")[0].strip()
        if said:
            try:
                run_line(script, said)
            except (AssertionError, ValueError) as wrong:
                pytest.fail(f"{path.name}, line {number}: {line}\n{wrong}")
