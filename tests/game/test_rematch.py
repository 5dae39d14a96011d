"""The next game of the same players, and its dealer."""

from __future__ import annotations

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.rematch import next_game
from firmware_host.game.state import Table

ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)


def after(*commands: c.Command | c.Observation, variant: str = "six_card", next_game_dealer: str = "loser") -> Table:
    rules = rules_for(variant, {"next_game_dealer": next_game_dealer})
    names = ("Ann", "Bob", "Cat", "Dan")[: rules.players]
    start = c.StartGame(rules, names, sides_on_board=len(rules.sides))
    history = History()
    for command in (start, *commands):
        history = history.after(history.decide(command))
    assert history.table is not None
    return history.table


def leaps_to(side: int, score: int, back: int = 0) -> c.PegsMoved:
    return c.PegsMoved(side, TrackPegs(back, score), is_leap=True)


def leaps_out(side: int, back: int = 0) -> tuple[c.PegsMoved, c.AcceptPegs]:
    """A leap to 121, confirmed because no cards are worth that many points."""
    return leaps_to(side, 121, back), c.AcceptPegs()


@pytest.mark.parametrize(("next_game_dealer", "dealer"), [("loser", BOB), ("winner", ANN), ("alternate", ANN)])
def test_the_option_decides_who_deals_the_next_game(next_game_dealer: str, dealer: Seat) -> None:
    over = after(c.ChooseDealer(BOB), *leaps_out(0), next_game_dealer=next_game_dealer)
    assert next_game(over).dealer == dealer
    assert next_game(over).names == ("Ann", "Bob")


def test_later_deals_do_not_change_the_first_dealer() -> None:
    deals = (c.ChooseDealer(BOB), leaps_to(0, 9), c.NextDeal(), leaps_to(1, 9), c.NextDeal(), c.NextDeal())
    over = after(*deals, *leaps_out(0, back=9), next_game_dealer="alternate")
    assert (over.first_dealer, over.dealer) == (BOB, ANN)
    assert next_game(over).dealer == ANN


def test_a_dealer_chosen_by_mistake_is_not_the_first_dealer() -> None:
    assert after(c.ChooseDealer(BOB), c.ChooseDealer(ANN)).first_dealer == ANN


def test_without_a_first_dealer_the_cards_are_cut_or_the_loser_deals() -> None:
    assert next_game(after(*leaps_out(0), next_game_dealer="alternate")).dealer is None
    assert next_game(after(*leaps_out(0))).dealer == BOB


def test_of_three_players_the_last_one_deals() -> None:
    over = after(c.ChooseDealer(CAT), leaps_to(0, 50), leaps_to(2, 40), *leaps_out(1), variant="three_hand")
    assert next_game(over).dealer == CAT


def test_before_the_end_there_is_no_dealer_of_the_next_game() -> None:
    assert next_game(after(c.ChooseDealer(BOB))).dealer is None
