"""The same people once more, and who deals then."""

from __future__ import annotations

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.game_entry import next_game
from firmware_host.table.state import Table

ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)


def after(*orders: o.Order | o.Observation, variant: str = "six_card", agreed: str = "loser") -> Table:
    rules = rules_for(variant, {"next_game_dealer": agreed})
    names = ("Ann", "Bob", "Cat", "Dan")[: rules.players]
    start = o.StartGame(rules, names, sides_on_board=len(rules.sides))
    chronicle = Chronicle()
    for order in (start, *orders):
        chronicle = chronicle.after(chronicle.decide(order))
    assert chronicle.table is not None
    return chronicle.table


def leaps_to(side: int, score: int, back: int = 0) -> o.PegsSeen:
    return o.PegsSeen(side, TrackPegs(back, score), is_leap=True)


@pytest.mark.parametrize(("agreed", "dealer"), [("loser", BOB), ("winner", ANN), ("alternate", ANN)])
def test_the_next_game_is_dealt_as_agreed(agreed: str, dealer: Seat) -> None:
    over = after(o.ChooseDealer(BOB), leaps_to(0, 121), agreed=agreed)
    assert next_game(over).dealer == dealer
    assert next_game(over).names == ("Ann", "Bob")


def test_the_deals_between_do_not_change_who_dealt_first() -> None:
    deals = (o.ChooseDealer(BOB), leaps_to(0, 9), o.GatherCards(), leaps_to(1, 9), o.GatherCards(), o.GatherCards())
    over = after(*deals, leaps_to(0, 121, back=9), agreed="alternate")
    assert (over.first_dealer, over.dealer) == (BOB, ANN)
    assert next_game(over).dealer == ANN


def test_a_dealer_named_by_mistake_did_not_deal() -> None:
    assert after(o.ChooseDealer(BOB), o.ChooseDealer(ANN)).first_dealer == ANN


def test_where_nobody_dealt_the_cards_are_cut_or_the_loser_deals() -> None:
    assert next_game(after(leaps_to(0, 121), agreed="alternate")).dealer is None
    assert next_game(after(leaps_to(0, 121))).dealer == BOB


def test_of_three_the_last_one_deals() -> None:
    over = after(o.ChooseDealer(CAT), leaps_to(0, 50), leaps_to(2, 40), leaps_to(1, 121), variant="three_hand")
    assert next_game(over).dealer == CAT


def test_a_game_that_is_not_over_has_no_loser() -> None:
    assert next_game(after(o.ChooseDealer(BOB))).dealer is None
