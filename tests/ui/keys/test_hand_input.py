"""Typing a hand: which suits are asked for, and what each key answers."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.ui.keys.input_state import HandQuestion, Idle, InputContext, InputState, KeyResult, TypingHand
from firmware_host.ui.keys.keypad import press, suit_keys


def show(starter: str, *, is_crib: bool = False, variant: str = "six_card") -> InputContext:
    """The show of a game whose dealer is Ann; Ben's hand is next, or Ann's crib."""
    history = History()
    skipped = (c.SkipHand(), c.SkipHand()) if is_crib else ()
    cut = c.CutStarter(parse_card(starter, rank_only=True))
    for command in (c.StartGame(VARIANTS[variant], ("Ann", "Ben"), dealer=Seat(0)), cut, c.EndPlay(), *skipped):
        history = history.after(history.decide(command))
    return InputContext(history.table, False, (), (VARIANTS[variant],), ("Ann", "Ben"))


def after_keys(keys: str, context: InputContext, state: InputState | None = None) -> KeyResult:
    """What the keys lead to; a command ends the input."""
    result = KeyResult(state or Idle())
    for key in keys.split():
        assert result.command is None, f"{result.command} came before {key}"
        result = press(result.input_state, key, context)
    return result


def question(result: KeyResult) -> HandQuestion:
    assert isinstance(result.input_state, TypingHand)
    return result.input_state.question


def cards(result: KeyResult) -> str:
    """The cards of the count that the keys led to."""
    assert isinstance(result.command, c.CountHand) and result.command.cards and result.command.suits_were_asked
    return " ".join(map(str, result.command.cards))


@pytest.mark.parametrize(
    ("keys", "is_crib", "asked"),
    [
        ("2 6 8 K", False, HandQuestion.FLUSH),
        ("2 6 8 K", True, HandQuestion.FLUSH),
        ("2 6 8 5", True, HandQuestion.NOTHING),  # five of one suit need five ranks
        ("2 2 8 K", False, HandQuestion.NOTHING),
        ("2 2 8 J", False, HandQuestion.NOBS),
        ("2 6 8 J", False, HandQuestion.FLUSH),
        ("2 6 8 J 10", False, HandQuestion.NOBS),
    ],
)
def test_suits_are_asked_for_only_where_they_matter(keys: str, is_crib: bool, asked: HandQuestion) -> None:
    result = after_keys(keys, show("5H", is_crib=is_crib))
    assert asked is (HandQuestion.NOTHING if result.command else question(result))


@pytest.mark.parametrize("starter", ["5S", "5H", "5D", "5C"])
def test_enter_says_yes_to_his_nobs_and_never_clubs(starter: str) -> None:
    assert cards(after_keys("5 5 10 J ENTER", show(starter))) == f"5 5 T J{starter[1]}"


def test_a_digit_says_no_to_his_nobs() -> None:
    assert cards(after_keys("5 5 10 J 10", show("5H"))) == "5 5 T J"


def test_a_suit_key_names_the_suit_of_the_jack() -> None:
    assert cards(after_keys("5 5 10 J Q", show("5H"))) == "5 5 T JH"
    assert cards(after_keys("5 5 10 J K", show("5H"))) == "5 5 T JD"


def test_the_suit_of_one_jack_leaves_the_question_about_the_other() -> None:
    result = after_keys("5 5 J J K", show("5H"))
    assert question(result) is HandQuestion.NOBS
    assert cards(after_keys("ENTER", show("5H"), result.input_state)) == "5 5 JD JH"


def test_enter_says_yes_to_a_flush_and_then_the_suit_is_asked_for() -> None:
    result = after_keys("2 6 8 K ENTER", show("5H"))
    assert question(result) is HandQuestion.FLUSH_SUIT
    assert cards(after_keys("ENTER", show("5H"), result.input_state)) == "2C 6C 8C KC"
    assert cards(after_keys("Q", show("5H"), result.input_state)) == "2H 6H 8H KH"
    assert cards(after_keys("10", show("5H"), result.input_state)) == "2 6 8 K"


def test_enter_gives_a_flush_the_suit_that_is_known_of_one_card() -> None:
    tagged = TypingHand(parse_cards("2 6D 8 K", rank_only=True), HandQuestion.FLUSH)
    assert cards(after_keys("ENTER", show("5H"), tagged)) == "2D 6D 8D KD"


def test_a_suit_that_a_known_card_rules_out_is_no_answer() -> None:
    tagged = TypingHand(parse_cards("2 6D 8 K", rank_only=True), HandQuestion.FLUSH)
    assert after_keys("J", show("5H"), tagged) == KeyResult(tagged)


def test_a_hand_of_three_or_of_five_is_asked_about_too() -> None:
    assert question(after_keys("2 6 8", show("5H", variant="five_card"))) is HandQuestion.FLUSH
    assert question(after_keys("2 6 8 K A", show("5H", variant="seven_card"))) is HandQuestion.FLUSH


def test_letters_of_suits_are_keys_only_while_a_suit_is_asked_for() -> None:
    context = show("5H")
    assert suit_keys(Idle()) == {} == suit_keys(TypingHand(()))
    flush = after_keys("2 6 8 K", context).input_state
    assert {suit.value: key for suit, key in suit_keys(flush).items()} == {"S": "J", "H": "Q", "D": "K"}
    which = after_keys("ENTER", context, flush).input_state
    assert {suit.value: key for suit, key in suit_keys(which).items()} == {"S": "J", "H": "Q", "D": "K", "C": "ENTER"}
