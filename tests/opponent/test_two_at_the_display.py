"""Two people at one display whose cards the program deals: each sees the own hand, once he asks for it."""

from __future__ import annotations

import pytest

from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game.state import Phase
from firmware_host.ui.keys.input_state import Idle
from firmware_host.ui.texts.messages import with_suit_symbol
from tests.opponent.test_keys import KEYS, SIX, Keypad
from tests.simulation.stepped_host import SteppedHost


class TwoAtKeys(Keypad):
    """Both do what the first line asks for, and look at the display only when it shows their own hand."""

    def key_of(self, card: Card) -> str:
        return KEYS.get(card.letter, card.letter)

    def shows(self, cards: tuple[Card, ...]) -> bool:
        return any(with_suit_symbol(card) in self.display for card in cards)

    def act(self) -> None:
        for side in (0, 1):
            if self.table.owed[side] > 0:
                self.peg(side)
        table = self.table
        deal = table.deal
        if any(table.owed) or deal is None or table.winner is not None:
            return
        seat = next((seat for seat in table.rules.seats if deal.dealt[seat] and not deal.kept[seat]), table.to_play)
        if seat is None or table.phase not in (Phase.DEAL, Phase.PLAY):
            self.press("ENTER")
            return
        own = deal.in_hand(seat) if deal.kept[seat] else deal.dealt[seat]
        other = Seat(1 - seat)
        others = deal.in_hand(other) if deal.kept[other] else deal.dealt[other]
        assert self.host.snapshot.prompt.startswith(table.names[seat])
        assert not self.host.snapshot.own_page, "covered before ENTER"
        self.press("ENTER")
        assert self.shows(own) and not self.shows(tuple(card for card in others if card not in own))
        if table.phase is Phase.DEAL:
            for card in own[:2]:
                self.press(self.key_of(card))
            self.press("ENTER")
        elif deal.play:
            fits = next(card for card in own if card.pips + deal.play.count <= 31)
            self.press(self.key_of(fits))


@pytest.fixture
def pair() -> TwoAtKeys:
    return TwoAtKeys(SteppedHost(load_plan("classic-61")), SIX, (None, None))


def until_a_hand_is_asked_for(pair: TwoAtKeys, phase: Phase) -> None:
    for _ in range(200):
        deal = pair.table.deal
        is_dealt = deal is not None and any(deal.dealt)
        if pair.table.phase is phase and is_dealt and not any(pair.table.owed):
            return
        pair.press("A") if pair.table.phase is Phase.CUT else pair.act()
    raise AssertionError(pair.host.snapshot.prompt)


def test_a_whole_game_is_played_by_two_at_one_display(pair: TwoAtKeys) -> None:
    until_a_hand_is_asked_for(pair, Phase.DEAL)
    pair.play()
    assert max(pair.table.scores) == 61


@pytest.mark.parametrize("phase", [Phase.DEAL, Phase.PLAY])
def test_undo_covers_the_hand_and_wrong_keys_leave_it(pair: TwoAtKeys, phase: Phase) -> None:
    until_a_hand_is_asked_for(pair, phase)
    before = pair.table
    pair.press("ENTER")
    shown = pair.host.snapshot.own_page
    held = {card.letter for hand in (before.deal.dealt if before.deal else ()) for card in hand}
    other = next(letter for letter in "A23456789TJQK" if letter not in held)
    pair.press(KEYS.get(other, other))
    assert pair.host.snapshot.own_page == shown != ()
    pair.press("UNDO")
    assert pair.table == before and not pair.host.snapshot.own_page
    public = " ".join(text for text, _scale in pair.host.snapshot.oled_page)
    assert ": ENTER" in public


def test_the_hand_of_the_next_player_stays_covered_when_a_phone_acts_for_the_first(pair: TwoAtKeys) -> None:
    until_a_hand_is_asked_for(pair, Phase.DEAL)
    deal = pair.table.deal
    assert deal is not None
    for keys in (["ENTER"], ["ENTER", KEYS.get(deal.dealt[0][0].letter, deal.dealt[0][0].letter)]):
        for key in keys:
            pair.press(key)
        assert pair.shows(deal.dealt[0])
        pair.host.submit(c.DiscardCards(Seat(0), deal.dealt[0][:2]))
        pair.host.pass_time(0.1)
        assert not pair.shows(deal.dealt[1]) and not pair.host.snapshot.own_page
        pair.host.submit(c.Undo())
        pair.press("UNDO") if pair.host.snapshot.input_state != Idle() else None


def test_no_hand_is_shown_while_several_are_at_the_board_and_nobody_asked(pair: TwoAtKeys) -> None:
    until_a_hand_is_asked_for(pair, Phase.DEAL)
    deal = pair.table.deal
    assert deal is not None and deal.shown_to == ("", "")
    pair.press("5")
    assert not pair.host.snapshot.own_page and pair.table.deal == deal
