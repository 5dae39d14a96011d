"""A game against the program on the keys and the display alone."""

from __future__ import annotations

import pytest

from board_drivers.simulated import SimulatedBoard
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.state import Phase
from firmware_host.ui.texts.messages import with_suit_symbol
from tests.opponent.person import Person
from tests.simulation.stepped_host import SteppedHost

KEYS = {"T": "10"}
SIX = rules_for("six_card", {"target": 61})


class Keypad(Person):
    """Gives every command by keys, and reads its cards on the display."""

    def press(self, key: str) -> None:
        board = self.host.board
        assert isinstance(board, SimulatedBoard)
        board.press(key)
        self.host.pass_time(0.1)
        board.release(key)
        self.host.pass_time(0.1)

    @property
    def display(self) -> str:
        snapshot = self.host.snapshot
        return " ".join(text for text, _scale in snapshot.own_page or snapshot.oled_page)

    def act(self) -> None:
        table = self.table
        if table.owed[0] and table.is_moved_by_hand(0):
            self.peg(0)
        table = self.table
        deal = table.deal
        if any(table.owed) or deal is None or table.winner is not None:
            return
        if table.can_deal or table.can_turn_starter or table.phase in (Phase.SHOW, Phase.GATHER):
            self.press("ENTER")
        elif table.phase is Phase.DEAL and deal.dealt[0] and not deal.kept[0]:
            assert all(with_suit_symbol(card) in self.display for card in deal.dealt[0])
            for card in deal.dealt[0][:2]:
                self.press(KEYS.get(card.letter, card.letter))
            self.press("ENTER")
        elif table.phase is Phase.PLAY and table.to_play == 0 and deal.play:
            fits = [card for card in deal.in_hand(table.to_play) if card.pips + deal.play.count <= 31]
            self.press(KEYS.get(fits[0].letter, fits[0].letter))


@pytest.fixture
def person() -> Keypad:
    return Keypad(SteppedHost(load_plan("classic-61")), SIX, (None, Level.BEGINNER))


def test_a_whole_game_is_played_by_keys(person: Keypad) -> None:
    person.play()
    assert max(person.table.scores) == 61


def test_the_hand_is_on_the_display_and_nowhere_else(person: Keypad) -> None:
    for _ in range(200):
        deal = person.table.deal
        if deal and deal.dealt[0]:
            break
        person.opponent.act(person.host.snapshot)
        person.host.pass_time(0.1)
        person.act()
    assert deal
    person.host.pass_time(0.1)
    public = " ".join(text for text, _scale in person.host.snapshot.oled_page)
    for card in deal.dealt[0]:
        assert with_suit_symbol(card) in person.display
        assert with_suit_symbol(card) not in public
    for card in deal.dealt[1]:
        assert with_suit_symbol(card) not in person.display
