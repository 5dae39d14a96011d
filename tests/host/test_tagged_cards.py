"""Tagged cards on the card reader: the starter, the play and the show of a deal, without a key press."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from board_drivers.ports import DriverError
from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.events import HandCounted
from firmware_host.game.state import Phase, Table
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import TypingDeal
from firmware_host.ui.pairing_prompt import OpenPairing

PLAN = load_plan("classic-61")


class FakeReader:
    """Returns the queued tags one per call, or raises a queued DriverError."""

    def __init__(self) -> None:
        self.queue: deque[str | DriverError] = deque()

    def tags(self) -> Sequence[str]:
        if not self.queue:
            return ()
        match self.queue.popleft():
            case DriverError() as fault:
                raise fault
            case str(tag):
                return [tag]


class CardBench:
    """A game of two with a card reader on a simulated board. Nobody moves the pegs."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.reader = FakeReader()
        games = (rules_for("six_card", {"muggins_mode": "automatic"}),)
        setup = HostSetup(
            (PLAN,), self._open, lambda board, frame: None, games, ("Ann", "Ben"), card_reader=self.reader
        )
        self.host = Host(setup, Journal.in_memory(), clock=lambda: self.now_s)
        self.host.execute(StartGame(games[0], ("Ann", "Ben"), PLAN.id, dealer=Seat(0)))
        self.step()

    def _open(self, plan: BoardPlan) -> SimulatedBoard:
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def scan(self, cards: str) -> None:
        """Puts tagged cards on the reader one after another: `5C 7H`."""
        self.reader.queue.extend(cards.split())
        while self.reader.queue:
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
        """(seat, cards, points) of every hand counted in the game, oldest first."""
        events = [event for turn in reversed(list(self.host.snapshot.history.turns_back())) for event in turn.events]
        return [
            (each.seat, " ".join(map(str, each.cards)), each.points) for each in events if isinstance(each, HandCounted)
        ]


@pytest.fixture
def bench() -> CardBench:
    return CardBench()


def test_cards_enter_a_whole_deal(bench: CardBench) -> None:
    bench.scan("5C")
    assert bench.is_in(Phase.PLAY)
    bench.scan("7H KS 8H")
    assert bench.table.deal and bench.table.deal.play and bench.table.deal.play.count == 25
    bench.key("FN")
    bench.key("ENTER")
    assert bench.is_in(Phase.SHOW)
    bench.scan("7H 8H 9D 6S KS QS JC 5D 5H 5S TD 2C")
    assert bench.counted == [(1, "7H 8H 9D 6S", 9), (0, "KS QS JC 5D", 18), (0, "5H 5S TD 2C", 14)]
    assert bench.is_in(Phase.GATHER)


def test_card_scanned_twice_is_in_the_hand_once(bench: CardBench) -> None:
    bench.scan("5C")
    bench.key("ENTER")
    bench.scan("5H 5H 5S 5H 5D JC")
    assert bench.counted == [(1, "5H 5S 5D JC", 29)]


def test_card_played_by_rank_gets_its_suit_in_the_show(bench: CardBench) -> None:
    bench.scan("5C")
    bench.key("7")
    bench.key("FN")
    bench.key("ENTER")
    bench.scan("9D 7H 8H 6S")
    assert bench.counted == [(1, "7H 9D 8H 6S", 9)]


def test_suits_of_cards_that_were_typed_are_asked_for_after_a_tagged_card(bench: CardBench) -> None:
    bench.scan("5H")
    bench.key("ENTER")
    for legend in ("5", "10", "Q"):
        bench.key(legend)
    bench.scan("JC")
    assert bench.host.snapshot.prompt == "All one suit? 0: no" and not bench.counted
    bench.key("ENTER")  # the jack tells the suit
    assert bench.counted == [(1, "5C TC QC JC", 21)]


def test_a_tagged_jack_needs_no_question(bench: CardBench) -> None:
    bench.scan("5H")
    bench.key("ENTER")
    for legend in ("5", "10", "Q"):
        bench.key(legend)
    bench.scan("JH")  # no flush of hearts: the five of hearts is the starter
    assert bench.counted == [(1, "5 T Q JH", 18)]


def test_scanned_starter_replaces_half_typed_starter(bench: CardBench) -> None:
    bench.key("5")
    bench.scan("6H")
    assert bench.table.deal and bench.table.deal.starter is parse_card("6H")


def test_refused_card_is_shown_on_the_first_line(bench: CardBench) -> None:
    bench.scan("5C KH QS JS 5S")
    assert bench.table.deal and bench.table.deal.play and bench.table.deal.play.count == 30
    assert bench.host.snapshot.prompt == "That makes more than 31. Play lower or say go."


def test_unknown_tag_is_shown_and_changes_nothing(bench: CardBench) -> None:
    before = bench.table
    bench.scan("04A1B2C3")
    assert "04A1B2C3" in bench.host.snapshot.prompt and bench.table is before


def test_card_is_ignored_when_none_is_expected(bench: CardBench) -> None:
    bench.key("FN")
    bench.scan("5C")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5C"), "FN alone expects no card"
    bench.key("ENTER")
    for _ in range(3):
        bench.key("ENTER")
    assert bench.is_in(Phase.GATHER)
    before = bench.table
    bench.scan("6H")
    assert bench.table is before and not bench.host.snapshot.notice


def test_cards_are_ignored_during_pairing(bench: CardBench) -> None:
    bench.host.pairing.do(OpenPairing())
    bench.step()
    before = bench.table
    bench.scan("5C")
    assert bench.table is before


def test_advice_uses_ranks_of_scanned_cards(bench: CardBench) -> None:
    bench.host._parts.keypad.input_state = TypingDeal(own_crib=True)
    bench.scan("5C 5H 6S 7D 8C KH AS")
    typed = bench.host.snapshot.input_state
    assert isinstance(typed, TypingDeal) and " ".join(map(str, typed.cards)) == "5 5 6 7 8 K"


def test_game_goes_on_without_card_reader(bench: CardBench, caplog: pytest.LogCaptureFixture) -> None:
    bench.reader.queue.append(DriverError("Serial port", "it to stay plugged in", "silence", "Plug it in."))
    with caplog.at_level(logging.WARNING):
        bench.step()
    assert "plugged in" in caplog.text
    bench.key("5")
    bench.key("J")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5S")


def test_tags_are_looked_up_with_card_of(bench: CardBench) -> None:
    card_tags: dict[str, Card] = {"04A1": parse_card("5C")}
    bench.host._context.setup = replace(bench.host.setup, card_of=card_tags.__getitem__)
    bench.scan("04A1")
    assert bench.table.deal and bench.table.deal.starter is parse_card("5C")
