"""What the voice says at a table: what is new, once; and what it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.game.commands import CountHand, CutStarter, DealHand, DiscardCards, EndPlay
from firmware_host.storage.journal import Journal
from firmware_host.ui.texts.cadence import NUMBERS
from firmware_host.ui.wizard_commands import CloseWizard, GoToStep, OpenWizard, Step
from tests.speech.listening_bench import ListeningBench


@pytest.fixture
def bench() -> Iterator[ListeningBench]:
    bench = ListeningBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def test_a_game_is_begun_by_ear(bench: ListeningBench) -> None:
    assert bench.new() == ["No game is on. ENTER: new game."]
    bench.keys("ENTER")
    assert bench.new()[0].startswith("Which game? Ace: six card. Two: five card.")
    bench.keys("ENTER")
    assert bench.new() == ["Which board? Ace: classic sixty-one. Two: continuous one hundred and twenty-one two."]
    bench.keys("ENTER")
    assert bench.new()[0].startswith("Play to how many? Ace: one hundred and twenty-one.")
    bench.keys("ENTER")
    assert bench.new() == ["Start? Ace: Start. Two: House rules. Three: Against the board."]
    bench.keys("ENTER")
    assert bench.new() == [
        "New game, target one hundred and twenty-one: Ann, Ben. Who deals first? Ace: Ann. Two: Ben."
    ]
    bench.keys("A")
    assert bench.new() == ["Ann deals. Starter card?"]


def test_a_card_its_points_and_its_peg_are_said_once(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER")
    assert bench.new()[-2:] == [
        "The starter is a two. Which suit? Spades: J. Hearts: Q. Diamonds: K. Clubs: ENTER. Not known: ten.",
        "The starter is the two of clubs. Ben leads.",
    ]
    bench.keys("10")
    assert bench.new() == ["Ben: a ten. Ten. Ann to play."]
    bench.keys("5")
    assert bench.new() == ["Ann: a five. Fifteen for two, Ann. Ann, peg two, to two."]
    bench.leap(0, -1, 2)
    assert bench.new() == ["Ann moves two, to two. Ben to play."]
    bench.wait(30)
    assert bench.said == []


def test_a_refused_key_is_said_and_the_prompt_is_not_repeated(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10 10 10")
    bench.new()
    bench.keys("K")
    assert bench.new() == ["That makes more than thirty-one. Play lower or say go."]
    bench.wait(6)
    assert bench.new() == []


def test_undo_is_said_with_what_the_game_waits_for_again(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10")
    bench.new()
    bench.keys("UNDO")
    assert bench.new() == ["Undone. Ben leads."]


def test_a_key_press_silences_what_is_being_said(bench: ListeningBench) -> None:
    bench.said.clear()
    bench.keys("5")  # means nothing without a game
    assert bench.said == [""]


def test_the_latest_turn_is_repeated_and_pegs_are_asked_for(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10 5")
    bench.leap(0, -1, 2)
    bench.new()
    bench.keys("FN")
    bench.keys("J")
    assert bench.new() == ["Ann moves two, to two. Ben to play."]
    bench.keys("FN")
    bench.keys("Q")
    assert bench.new() == ["Ann: front peg two, back peg zero. Ben: zero. Two behind."]
    bench.keys("FN")
    bench.said.clear()
    bench.keys("K")
    assert bench.said == [""]


def test_a_wrong_peg_is_guided_home(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10 5")
    bench.leap(0, -1, 2)
    bench.new()
    bench.lift(0, 2)
    bench.lift(0, 0)
    bench.wait(10)
    assert bench.new()[-1] == "Both pegs are out: Ann. Pegs belong in: the start, two."


def test_after_a_power_cut_the_voice_says_where_the_game_stands(bench: ListeningBench) -> None:
    bench.begin()
    bench.keys("2 ENTER 10 5")
    bench.leap(0, -1, 2)
    bench.new()
    bench.switch_on()
    assert bench.new() == ["The game goes on. Ann: front peg two, back peg zero. Ben: zero. Two behind. Ben to play."]


def test_the_voice_is_turned_off_and_on_by_keys(bench: ListeningBench) -> None:
    bench.begin()
    bench.hold_fn()
    bench.keys("FN 6")
    bench.new()
    bench.keys("A")
    assert bench.new() == ["The voice is off. FN and J turn it on."]
    bench.keys("UNDO 2 ENTER")
    assert bench.said == []
    bench.keys("FN J")
    assert bench.new() == ["The game goes on. Ann: zero. Ben: zero. Ben leads."]


def test_terse_speech_leaves_out_what_the_players_did_themselves(bench: ListeningBench) -> None:
    bench.begin()
    bench.hold_fn()
    bench.keys("FN 6 6 UNDO 2 ENTER")
    bench.new()
    bench.keys("10 5")
    assert bench.new() == ["Ten. Ann to play.", "Fifteen for two, Ann. Ann, peg two, to two."]


def test_the_name_of_a_key_is_said_while_fn_is_down(bench: ListeningBench) -> None:
    bench.new()
    bench.board.press("FN")
    bench.wait(0.1)
    for key in ("7", "UNDO", "ENTER"):
        bench.keys(key)
    bench.board.release("FN")
    bench.wait(0.1)
    assert bench.new() == ["a seven.", "UNDO.", "ENTER."]
    assert bench.host.snapshot.history.last is None


def test_the_pairing_code_is_said_letter_by_letter_and_whoever_asks_to_join(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN 5 A")
    code = bench.host.snapshot.pairing_state.code
    assert code and bench.new()[-1] == f"A phone can be added. Its code: {', '.join(code)}."
    bench.host.pairing.request_pairing("Eve", code)
    bench.wait(0.1)
    first, second = (NUMBERS[int(digit)] for digit in bench.host.snapshot.pairing_state.number)
    assert bench.new() == [f"Eve asks to join. Number: {first}, {second}. ENTER: yes. UNDO: no."]


def test_the_set_up_is_said_as_the_display_shows_it(bench: ListeningBench) -> None:
    bench.new()
    bench.host.execute(OpenWizard())
    bench.wait(0.1)
    assert bench.new()[0].startswith(
        "Set-up one of ten. Open in a browser: The address is on the display. Hold FN: later."
    )
    bench.host.execute(GoToStep(Step.SENSORS))
    bench.wait(0.1)
    assert bench.new() == ["Put a peg in red, back start hole."]
    bench.host.execute(GoToStep(Step.PHONE))
    bench.wait(0.1)
    code = ", ".join(bench.host.snapshot.pairing_state.code)
    assert bench.new()[-1].endswith(f"Hold FN: later. A phone can be added. Its code: {code}.")
    bench.host.execute(CloseWizard())
    bench.wait(0.1)
    assert bench.new() == ["No game is on. ENTER: new game."]


def test_two_equal_cards_are_told_when_both_hands_were_shown(bench: ListeningBench) -> None:
    bench.begin()
    hand = parse_cards("AH 3D 5S 7C 9H JD")
    for seat in (Seat(0), Seat(1)):
        bench.host.execute(DealHand(seat, hand, is_blind=True))
        bench.host.execute(DiscardCards(seat, hand[4:]))
    bench.host.execute(CutStarter(parse_card("KS")))
    bench.host.execute(EndPlay())
    for _ in range(2):
        bench.wait(0.1)
        assert "same card" not in " ".join(bench.new())
        bench.host.execute(CountHand())
    bench.wait(0.1)
    assert "Two hands have the same card." in " ".join(bench.new())
