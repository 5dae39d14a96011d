"""The board asks for the count of a hand instead of telling it: by ear, by keys, and on the display."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import card_of, parse_card, parse_cards
from firmware_host.cribbage.show import Part
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import CountHand
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.count_questions import count_prompt, parts_of, with_suits
from firmware_host.ui.keys.input_state import AskingCount, CountAttempt
from tests.speech.listening_bench import ListeningBench

COLUMNS = 21


@pytest.fixture
def bench() -> Iterator[ListeningBench]:
    bench = ListeningBench(Journal.in_memory())
    bench.setup = replace(bench.setup, asks_counts=True)
    bench.switch_on()
    yield bench
    bench.host.stop()


def type_a_hand(bench: ListeningBench) -> None:
    """5 5 6 7 with a four: two fifteens of 4 5 6, a pair, and two runs of four."""
    bench.begin()
    bench.keys("4 K ENTER")  # the play is not followed
    bench.new()
    bench.keys("5 5 6 7")


def test_each_part_is_asked_for_and_then_the_hand_is_counted(bench: ListeningBench) -> None:
    type_a_hand(bench)
    assert bench.new()[-1] == "How many points for fifteens?"
    bench.keys("4")
    assert bench.new() == ["four. ENTER confirms."]
    bench.keys("ENTER")
    assert bench.new() == ["Right. How many points for pairs?"]
    bench.keys("2 ENTER")
    assert bench.new()[-1] == "Right. How many points for runs, without the pairs?"
    assert bench.table.to_count == (1, False)
    bench.keys("8 ENTER")
    said = bench.new()[-1]
    assert "Fifteen two, fifteen four" in said and bench.table.sides[1].owed == 14


def test_a_second_wrong_answer_is_told_with_its_cards(bench: ListeningBench) -> None:
    type_a_hand(bench)
    bench.keys("2 ENTER")
    assert bench.new()[-1] == "There is more to find. How many points for fifteens?"
    assert bench.first_line == "Fifteens>: _"
    bench.keys("8 ENTER")
    assert bench.new()[-1] == (
        "Fifteens: four. a four, a five, a six. a four, a five, a six. How many points for pairs?"
    )


def test_hints_say_how_many_and_then_the_cards(bench: ListeningBench) -> None:
    type_a_hand(bench)
    bench.new()
    bench.keys("FN")
    assert bench.new() == ["To find: two. How many points for fifteens?"]
    bench.keys("FN")
    assert bench.new() == ["To find: two. a four, a five, a six. How many points for fifteens?"]


def test_the_first_answers_are_kept_for_the_player(bench: ListeningBench) -> None:
    kept = list[CountAttempt]()
    bench.host._context.setup = replace(bench.host.setup, on_count=kept.append)
    type_a_hand(bench)
    bench.keys("2 ENTER 4 ENTER FN 2 ENTER 7 ENTER")
    assert not kept
    bench.keys("8 ENTER")
    (counted,) = kept
    assert counted.name == bench.table.names[1]
    assert (counted.points, counted.answers) == ((4, 2, 8), (2, None, 7))
    assert [card.rank for card in counted.cards] == [5, 5, 6, 7, 4]


@pytest.mark.parametrize("text", ["5 5 5 5 J", "5H 5 5 5S J", "6 7 8 9 TH", "AH 2 3D 4S 5C"])
def test_unknown_suits_become_those_of_different_cards(text: str) -> None:
    cards = [parse_card(card, rank_only=True) for card in text.split()]
    suited = tuple(with_suits(cards))
    assert len({*suited}) == len(cards) and all(card.suit for card in suited)
    assert all(card.rank == old.rank and old.suit in (None, card.suit) for card, old in zip(suited, cards, strict=True))


def test_undo_goes_back_to_the_cards(bench: ListeningBench) -> None:
    type_a_hand(bench)
    bench.keys("UNDO 8")
    bench.new()
    bench.keys("4 ENTER FN")
    assert bench.new()[-1] == "Right. To find: one. How many points for pairs?"


def test_a_number_is_needed(bench: ListeningBench) -> None:
    type_a_hand(bench)
    bench.new()
    bench.keys("ENTER K")
    assert bench.new() == [] and isinstance(bench.host.snapshot.input_state, AskingCount)


@pytest.mark.parametrize("mode", ["claim", "automatic"])
def test_with_muggins_nothing_is_asked(bench: ListeningBench, mode: str) -> None:
    bench.setup = replace(bench.setup, games=(rules_for("six_card", {"muggins_mode": mode}),))
    bench.switch_on()
    type_a_hand(bench)
    assert not isinstance(bench.host.snapshot.input_state, AskingCount) and bench.table.to_count != (1, False)


def test_the_menu_turns_it_on_and_off(bench: ListeningBench) -> None:
    bench.hold_fn()
    bench.keys("FN 3")
    assert bench.new()[-1].endswith("Four: Tell the count.")
    bench.keys("4")
    assert not bench.host.snapshot.input_context.asks_counts


def test_a_hand_whose_suits_are_known_is_asked_in_full() -> None:
    known = tuple(parse_cards("5H 5S 5D JC"))
    ranks = tuple(card_of(card.rank) for card in known)
    assert [*parts_of(AskingCount(CountHand(known), known))] == [*Part]
    assert Part.NOBS not in parts_of(AskingCount(CountHand(ranks), ranks))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_fits_the_display(language: str) -> None:
    cards = tuple(parse_cards("5H 5S 5D JC"))
    for number in range(len(Part)):
        asking = AskingCount(CountHand(cards), cards, number, typed=29, verdict="low")
        assert len(count_prompt(asking, translator(language))) <= COLUMNS
