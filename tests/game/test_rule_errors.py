"""Every refusal has its kind, and says what was expected and what came."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History

ANN, BEN = Seat(0), Seat(1)


def game_after(*commands: c.Command, rules: str = "six_card") -> History:
    """A game that Ben deals, after these commands."""
    history = History()
    for command in (c.StartGame(rules_for(rules, {}), ("Ann", "Ben"), dealer=BEN), *commands):
        history = history.after(history.decide(command))
    return history


def hand(cards: str) -> c.DealHand:
    return c.DealHand(ANN, parse_cards(cards))


FIVE_CUT = c.CutStarter(parse_card("5H"))
IN_PLAY = (hand("KH KD 8C 9C 2D 3D"), c.DiscardCards(ANN, parse_cards("2D 3D")), FIVE_CUT)


@pytest.mark.parametrize(
    ("before", "command", "kind"),
    [
        pytest.param((), c.Undo(), "nothing_to_undo", id="undo at the beginning"),
        pytest.param((), c.Redo(), "nothing_to_undo", id="redo of nothing"),
        pytest.param((), c.PlayCard(parse_card("5H")), "wrong_phase", id="a card before the starter"),
        pytest.param((), c.CountHand(parse_cards("5H 5S 5D JC")), "wrong_phase", id="a count before the show"),
        pytest.param((), hand("5H 5S 5D JC 9C"), "wrong_number_of_cards", id="five cards dealt of six"),
        pytest.param((), hand("5H 5H 5D JC 9C KS"), "duplicate_card", id="one card twice in a hand"),
        pytest.param((), c.DealHand(Seat(2), parse_cards("5H 5S 5D JC 9C KS")), "not_a_seat", id="a third seat"),
        pytest.param((), c.DiscardCards(ANN, parse_cards("5H 5S")), "card_not_held", id="a discard of an unknown hand"),
        pytest.param((hand("5H 5S 5D JC 9C KS"),), FIVE_CUT, "card_seen_elsewhere", id="the starter is held"),
        pytest.param((FIVE_CUT,), FIVE_CUT, "wrong_phase", id="a second starter"),
        pytest.param((FIVE_CUT,), c.PlayCard(parse_card("5H")), "card_seen_elsewhere", id="the starter played"),
        pytest.param((FIVE_CUT,), c.PlayCard(parse_card("7S"), BEN), "out_of_turn", id="the dealer leads"),
        pytest.param((FIVE_CUT,), c.SayGo(ANN), "false_go", id="a go before any card"),
        pytest.param((FIVE_CUT,), c.NextDeal(), "wrong_phase", id="cards gathered in the play"),
        pytest.param(IN_PLAY, c.PlayCard(parse_card("7S"), ANN), "card_not_held", id="a card of no hand"),
        pytest.param(IN_PLAY, c.PlayCard(parse_card("2D"), ANN), "card_not_held", id="a discarded card"),
        pytest.param((*IN_PLAY, c.EndPlay()), c.CountHand(parse_cards("KH KD 8C 7C")), "card_not_held", id="not Ann's"),
        pytest.param((), c.ChooseDealer(Seat(5)), "not_a_seat", id="a dealer from nowhere"),
        pytest.param((), c.CorrectScore(0, 122, "a slip"), "not_a_seat", id="a score past the game hole"),
    ],
)
def test_refusal_has_its_kind(before: tuple[c.Command, ...], command: c.Command, kind: str) -> None:
    history = game_after(*before)
    with pytest.raises(Refusal) as refused:
        history.decide(command)
    assert refused.value.kind == kind
    assert "expected" in str(refused.value) and "got" in str(refused.value) and "\n" not in str(refused.value)


def test_without_a_game_only_a_new_game_is_accepted() -> None:
    with pytest.raises(Refusal) as refused:
        History().decide(FIVE_CUT)
    assert refused.value.kind == "no_game"


def test_a_refused_command_changes_nothing() -> None:
    history = game_after(*IN_PLAY)
    with pytest.raises(Refusal):
        history.decide(c.PlayCard(parse_card("7S"), ANN))
    assert history == game_after(*IN_PLAY)


def test_the_dealer_is_final_once_the_pone_has_three_points() -> None:
    with pytest.raises(Refusal) as refused:
        game_after(rules="five_card").decide(c.ChooseDealer(ANN))
    assert refused.value.kind == "wrong_phase"
    assert game_after().decide(c.ChooseDealer(ANN)).events


def test_a_misdeal_leaves_the_points_due() -> None:
    history = History()
    start = c.StartGame(rules_for("five_card", {}), ("Ann", "Ben"), points_are_entered=True, dealer=BEN)
    for command in (start, hand("5H 5S 5D JC 9C"), c.Misdeal()):
        history = history.after(history.decide(command))
    assert history.table and history.table.owed == (3, 0)
    assert [due.left for due in history.table.sides[0].outstanding] == [3]
