"""What the table refuses, and that a refusal says what was expected and what came."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle

ANN, BEN = Seat(0), Seat(1)


def told(*orders: o.Order, rules: str = "six_card") -> Chronicle:
    """A game that Ben deals, after these orders."""
    chronicle = Chronicle()
    for order in (o.StartGame(rules_for(rules, {}), ("Ann", "Ben"), dealer=BEN), *orders):
        chronicle = chronicle.after(chronicle.decide(order))
    return chronicle


def hand(cards: str) -> o.DealHand:
    return o.DealHand(ANN, parse_cards(cards))


FIVE_CUT = o.CutStarter(parse_card("5H"))
IN_PLAY = (hand("KH KD 8C 9C 2D 3D"), o.LayAway(ANN, parse_cards("2D 3D")), FIVE_CUT)


@pytest.mark.parametrize(
    ("before", "order", "kind"),
    [
        pytest.param((), o.Undo(), "nothing_to_undo", id="undo at the beginning"),
        pytest.param((), o.Redo(), "nothing_to_undo", id="redo of nothing"),
        pytest.param((), o.PlayCard(parse_card("5H")), "wrong_phase", id="a card before the starter"),
        pytest.param((), o.CountNext(parse_cards("5H 5S 5D JC")), "wrong_phase", id="a count before the show"),
        pytest.param((), hand("5H 5S 5D JC 9C"), "wrong_number_of_cards", id="five cards dealt of six"),
        pytest.param((), hand("5H 5H 5D JC 9C KS"), "duplicate_card", id="one card twice in a hand"),
        pytest.param((), o.DealHand(Seat(2), parse_cards("5H 5S 5D JC 9C KS")), "not_a_seat", id="a third seat"),
        pytest.param((), o.LayAway(ANN, parse_cards("5H 5S")), "card_not_held", id="laying away an untold hand"),
        pytest.param((hand("5H 5S 5D JC 9C KS"),), FIVE_CUT, "card_seen_elsewhere", id="the starter is held"),
        pytest.param((FIVE_CUT,), FIVE_CUT, "wrong_phase", id="a second starter"),
        pytest.param((FIVE_CUT,), o.PlayCard(parse_card("5H")), "card_seen_elsewhere", id="the starter played"),
        pytest.param((FIVE_CUT,), o.PlayCard(parse_card("7S"), BEN), "out_of_turn", id="the dealer leads"),
        pytest.param((FIVE_CUT,), o.SayGo(ANN), "false_go", id="a go before any card"),
        pytest.param((FIVE_CUT,), o.GatherCards(), "wrong_phase", id="cards gathered in the play"),
        pytest.param(IN_PLAY, o.PlayCard(parse_card("7S"), ANN), "card_not_held", id="a card of no hand"),
        pytest.param(IN_PLAY, o.PlayCard(parse_card("2D"), ANN), "card_not_held", id="a card laid away"),
        pytest.param((*IN_PLAY, o.EndPlay()), o.CountNext(parse_cards("KH KD 8C 7C")), "card_not_held", id="not Ann's"),
        pytest.param((), o.ChooseDealer(Seat(5)), "not_a_seat", id="a dealer from nowhere"),
        pytest.param((), o.CorrectScore(0, 122, "a slip"), "not_a_seat", id="a score past the game hole"),
    ],
)
def test_it_is_refused_by_name(before: tuple[o.Order, ...], order: o.Order, kind: str) -> None:
    chronicle = told(*before)
    with pytest.raises(Refusal) as refused:
        chronicle.decide(order)
    assert refused.value.kind == kind
    assert "expected" in str(refused.value) and "got" in str(refused.value) and "\n" not in str(refused.value)


def test_no_order_but_a_new_game_without_a_game() -> None:
    with pytest.raises(Refusal) as refused:
        Chronicle().decide(FIVE_CUT)
    assert refused.value.kind == "no_game"


def test_a_refused_order_changes_nothing() -> None:
    chronicle = told(*IN_PLAY)
    with pytest.raises(Refusal):
        chronicle.decide(o.PlayCard(parse_card("7S"), ANN))
    assert chronicle == told(*IN_PLAY)


def test_another_dealer_cannot_be_chosen_once_the_pone_has_three_for_it() -> None:
    with pytest.raises(Refusal) as refused:
        told(rules="five_card").decide(o.ChooseDealer(ANN))
    assert refused.value.kind == "wrong_phase"
    assert told().decide(o.ChooseDealer(ANN))


def test_a_misdeal_takes_no_points_away() -> None:
    chronicle = Chronicle()
    start = o.StartGame(rules_for("five_card", {}), ("Ann", "Ben"), is_told=True, dealer=BEN)
    for order in (start, hand("5H 5S 5D JC 9C"), o.Misdeal()):
        chronicle = chronicle.after(chronicle.decide(order))
    assert chronicle.table and chronicle.table.owed == (3, 0)
    assert [due.left for due in chronicle.table.outstanding(0)] == [3]
