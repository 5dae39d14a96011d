"""Cards on the reader: the starter, the play and the show of a deal, without a key."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import pytest

from board_drivers.ports import DriverFault
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.host import Host
from firmware_host.house import House
from firmware_host.journal import Journal
from firmware_host.plans import load_plan
from firmware_host.table.entries import TypingDeal
from firmware_host.table.events import HandCounted
from firmware_host.table.orders import StartGame
from firmware_host.table.state import Phase, Table

PLAN = load_plan("classic-61")


class Reader:
    """Tells the tags that were laid on it, or a fault, one thing a look."""

    def __init__(self) -> None:
        self.laid: deque[str | DriverFault] = deque()

    def tags(self) -> Sequence[str]:
        if not self.laid:
            return ()
        match self.laid.popleft():
            case DriverFault() as fault:
                raise fault
            case str(tag):
                return [tag]


class Bench:
    """A game of two on a simulated board, whose points are moved by nobody."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.reader = Reader()
        games = (rules_for("six_card", {"muggins_mode": "automatic"}),)
        house = House((PLAN,), self._open, lambda board, standing: None, games, ("Ann", "Ben"), reader=self.reader)
        self.host = Host(house, Journal.in_memory(), clock=lambda: self.now_s)
        self.host.do(StartGame(games[0], ("Ann", "Ben"), PLAN.id, dealer=Seat(0)))
        self.step()

    def _open(self, plan: BoardPlan) -> SimulatedBoard:
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def lay(self, cards: str) -> None:
        self.reader.laid.extend(cards.split())
        while self.reader.laid:
            self.step()

    def key(self, legend: str) -> None:
        self.board.tap(legend)
        self.step()

    def step(self) -> None:
        self.now_s += 0.02
        self.host.step()

    @property
    def table(self) -> Table:
        table = self.host.snapshot.table
        assert table is not None
        return table

    def is_in(self, phase: Phase) -> bool:
        return self.table.phase is phase

    @property
    def counted(self) -> list[tuple[int, str, int]]:
        events = [event for turn in reversed(list(self.host.snapshot.chronicle.turns_back())) for event in turn.events]
        return [
            (each.seat, " ".join(map(str, each.cards)), each.points) for each in events if isinstance(each, HandCounted)
        ]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_whole_deal_is_told_by_its_cards(bench: Bench) -> None:
    bench.lay("5C")
    assert bench.is_in(Phase.PLAY)
    bench.lay("7H KS 8H")
    assert bench.table.deal and bench.table.deal.play and bench.table.deal.play.count == 25
    bench.key("FN")
    bench.key("ENTER")
    assert bench.is_in(Phase.SHOW)
    bench.lay("7H 8H 9D 6S KS QS JC 5D 5H 5S TD 2C")
    assert bench.counted == [(1, "7H 8H 9D 6S", 9), (0, "KS QS JC 5D", 18), (0, "5H 5S TD 2C", 14)]
    assert bench.is_in(Phase.GATHER)


def test_a_card_laid_twice_is_in_the_hand_once(bench: Bench) -> None:
    bench.lay("5C")
    bench.key("ENTER")
    bench.lay("5H 5H 5S 5H 5D JC")
    assert bench.counted == [(1, "5H 5S 5D JC", 29)]


def test_a_card_that_was_played_by_rank_gets_its_suit_in_the_show(bench: Bench) -> None:
    bench.lay("5C")
    bench.key("7")
    bench.key("FN")
    bench.key("ENTER")
    bench.lay("9D 7H 8H 6S")
    assert bench.counted == [(1, "7H 9D 8H 6S", 9)]


def test_a_starter_half_typed_is_told_by_the_card_itself(bench: Bench) -> None:
    bench.key("5")
    bench.lay("6H")
    assert bench.table.deal and bench.table.deal.starter is parse_card("6H")


def test_a_card_that_the_rules_refuse_is_told_on_the_first_line(bench: Bench) -> None:
    bench.lay("5C KH QS JS 5S")
    assert bench.table.deal and bench.table.deal.play and bench.table.deal.play.count == 30
    assert bench.host.snapshot.prompt == "That card makes more than 31"


def test_an_unknown_tag_is_told_and_changes_nothing(bench: Bench) -> None:
    before = bench.table
    bench.lay("04A1B2C3")
    assert "04A1B2C3" in bench.host.snapshot.prompt and bench.table is before


def test_a_card_means_nothing_where_nothing_is_asked(bench: Bench) -> None:
    bench.key("FN")
    bench.lay("5C")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5C"), "FN alone asks nothing"
    bench.key("ENTER")
    for _ in range(3):
        bench.key("ENTER")
    assert bench.is_in(Phase.GATHER)
    before = bench.table
    bench.lay("6H")
    assert bench.table is before and not bench.host.snapshot.notice


def test_nobody_plays_while_a_phone_waits_at_the_door(bench: Bench) -> None:
    bench.host.porch._open()
    bench.step()
    before = bench.table
    bench.lay("5C")
    assert bench.table is before


def test_advice_takes_the_cards_by_rank(bench: Bench) -> None:
    bench.host._entry = TypingDeal(own_crib=True)
    bench.lay("5C 5H 6S 7D 8C KH AS")
    entry = bench.host.snapshot.entry
    assert isinstance(entry, TypingDeal) and " ".join(map(str, entry.cards)) == "5 5 6 7 8 K"


def test_the_game_goes_on_without_its_reader(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.reader.laid.append(DriverFault("Serial port", "it to stay plugged in", "silence", "Plug it in."))
    with caplog.at_level(logging.WARNING):
        bench.step()
    assert "plugged in" in caplog.text
    bench.key("5")
    bench.key("J")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5S")


def test_tags_are_looked_up_in_the_deck(bench: Bench) -> None:
    taught: dict[str, Card] = {"04A1": parse_card("5C")}
    bench.host.house = replace(bench.host.house, card_of=taught.__getitem__)
    bench.lay("04A1")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5C")
