"""The host on a simulated board, stepped by hand: what a person does, and what the board answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from firmware_host.board.course import Hole
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.journal import Journal
from firmware_host.languages import words
from firmware_host.table.entries import Judge, SetManner
from firmware_host.table.lights import HoleSignal, Signal
from firmware_host.table.manner import Manner
from firmware_host.table.orders import Bid, StartGame
from firmware_host.table.state import Phase
from tests.host.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Journal.in_memory())
    yield bench
    bench.host.stop()


def test_power_on_says_what_to_press(bench: Bench) -> None:
    assert bench.first_line == "ENTER: new game"


def test_a_new_game_is_chosen_with_keys_alone(bench: Bench) -> None:
    bench.begin()
    assert (bench.table.rules.variant, bench.table.rules.target, bench.table.board) == ("six_card", 121, "classic-61")
    assert bench.table.phase is Phase.DEAL and bench.table.dealer == 0
    assert bench.first_line == "Ann deals. Starter?"


def test_a_game_may_move_to_another_board(bench: Bench) -> None:
    bench.keys("ENTER ENTER 2 ENTER ENTER 2")
    assert bench.table.board == bench.host.plan.id == "continuous-121-2"
    bench.leap(0, 0, 12)
    assert bench.table.scores == (12, 0)


def test_a_leap_is_pending_at_once_and_settled_when_it_held_still(bench: Bench) -> None:
    bench.begin()
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(bench.house.scan_s)
    assert bench.first_line == "Ben +8?" and bench.table.scores == (0, 0)
    led = bench.host.plan.at(1, Hole(8)).led
    assert any(bench.board.lights.frame[led])
    bench.wait(0.4)
    assert bench.table.scores == (0, 8)


def test_enter_settles_a_pending_leap(bench: Bench) -> None:
    bench.begin()
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(0.04)
    bench.keys("ENTER")
    assert bench.table.scores == (0, 8) and bench.table.phase is Phase.DEAL


def test_putting_the_peg_back_undoes_the_leap(bench: Bench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    bench.leap(0, 9, 0)
    assert bench.table.scores == (0, 0)
    bench.keys("FN UNDO")
    assert bench.table.scores == (9, 0)


def test_undo_by_key_leads_the_peg_back_by_light(bench: Bench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0)
    bench.wait(1.0)
    assert bench.first_line == "Ann: pegs to the"
    bench.leap(0, 9, 0)
    bench.wait(1.0)
    assert bench.table.scores == (0, 0) and bench.first_line == "Ann deals. Starter?"


def test_cards_are_typed_rank_first_and_suits_only_where_they_matter(bench: Bench) -> None:
    bench.begin()
    bench.keys("5 Q")  # the starter: five of hearts
    assert bench.first_line == "Play. ENTER: show"
    bench.keys("ENTER 5 5 5")
    assert bench.first_line == "Ben 5 5 5_"
    bench.keys("J")
    assert bench.first_line == "Jack of ♥? 0: no"
    bench.keys("Q")
    assert bench.table.owed == (0, 29)


def test_a_hand_known_from_the_play_is_counted_with_enter(bench: Bench) -> None:
    bench.begin()
    bench.keys("K J")  # starter: king of spades
    bench.keys("4 4 5 5 6 6 A A")
    assert bench.table.phase is Phase.SHOW
    bench.keys("ENTER 10")  # Ben's hand; all ranks differ, so a flush is asked for, and denied
    assert bench.table.last_count and [card.letter for card in bench.table.last_count.cards] == ["4", "5", "6", "A"]


def test_a_demonstration_is_not_taken_up_again(bench: Bench) -> None:
    bench.host.do(StartGame(rules_for("six_card", {}), ("Bot", "Bat"), dealer=Seat(0), is_demo=True))
    bench.switch_on()
    assert bench.host.snapshot.table is None


def test_the_game_is_where_it_was_after_the_power_comes_back(bench: Bench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    before = bench.table
    bench.switch_on()
    bench.wait(2.0)
    assert bench.table == before and bench.first_line == "Ann deals. Starter?"


def test_a_refusal_is_shown_and_goes_away(bench: Bench) -> None:
    bench.begin()
    bench.keys("UNDO UNDO UNDO")
    bench.keys("FN UNDO FN UNDO FN UNDO")
    assert bench.host.snapshot.prompt == "No turn was taken back"
    bench.wait(4.5)
    assert bench.first_line == "Ann deals. Starter?"


def test_a_game_on_a_board_that_is_not_here_is_left_in_the_journal(bench: Bench) -> None:
    bench.keys("ENTER ENTER 2 ENTER ENTER 2")
    bench.house = replace(bench.house, plans=bench.house.plans[:1])
    bench.switch_on()
    assert bench.host.snapshot.table is None and len(bench.journal.current_game()) > 0


def test_a_referee_who_lights_the_holes_says_no_count(bench: Bench) -> None:
    bench.begin()
    bench.host.do(SetManner(Manner.POLITE))
    bench.keys("K J 7 8")  # a starter, then a fifteen
    assert bench.first_line == "Ben at 15" and "fifteen" not in str(bench.host.snapshot.page)
    assert HoleSignal(0, Hole(2), Signal.TO) in bench.host.snapshot.signals


def test_a_peg_that_moves_leaves_alone_what_is_half_typed(bench: Bench) -> None:
    bench.begin()
    bench.keys("5 Q ENTER 2 3")
    bench.leap(0, 0, 4)
    bench.keys("K")
    assert bench.first_line == "Ben 2 3 K_"


def test_a_front_peg_taken_out_loses_its_score_where_hoyle_rules(bench: Bench) -> None:
    rules = rules_for("six_card", {"front_peg_removed": "becomes_rear"})
    bench.host.do(StartGame(rules, ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.leap(0, 0, 5)
    bench.leap(0, -1, 9)
    bench.lift(0, 9)
    bench.wait(4.0)
    assert bench.table.scores == (5, 0)
    bench.place(0, 4)
    bench.wait(1.0)
    assert bench.table.scores == (5, 0) and not bench.host.snapshot.astray


def test_a_front_peg_taken_out_goes_back_in_a_family(bench: Bench) -> None:
    bench.begin()
    bench.leap(0, 0, 5)
    bench.lift(0, 5)
    bench.wait(4.0)
    assert bench.table.scores == (5, 0) and bench.host.snapshot.astray
    bench.place(0, 5)
    bench.wait(1.0)
    assert bench.table.scores == (5, 0) and not bench.host.snapshot.astray


def test_moving_a_peg_of_the_other_side_gives_it_two_in_tournaments(bench: Bench) -> None:
    bench.host.do(StartGame(rules_for("six_card", {"foreign_peg": "penalty"}), ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.leap(1, 0, 7)
    bench.lift(1, 7)
    bench.place(0, 3)
    bench.wait(4.0)
    assert bench.table.owed == (0, 2)


def test_a_silent_referee_judges_when_asked(bench: Bench) -> None:
    bench.begin()
    bench.host.do(SetManner(Manner.SILENT))
    bench.keys("K J 7 8")
    assert not [shown for shown in bench.host.snapshot.signals if shown.signal is Signal.TO]
    bench.host.do(Judge())
    bench.wait(0.1)
    assert bench.first_line == "Ann: 2 to 2"
    bench.wait(11)
    assert bench.first_line == "Ben at 15"


def test_muggins_is_claimed_with_keys_alone(bench: Bench) -> None:
    bench.host.do(StartGame(rules_for("six_card", {"muggins_mode": "claim"}), ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.keys("K J 7 8 9")  # Ann made fifteen with the eight and did not peg it; Ben goes on with a run
    bench.keys("FN 2 ENTER")
    assert bench.table.owed == (0, 5)


def test_the_crib_is_sold_with_keys_alone(bench: Bench) -> None:
    start = StartGame(rules_for("auction", {}), ("Ann", "Ben"), dealer=Seat(1), scores=(30, 25))
    bench.host.do(start)
    bench.host.do(Bid(3, Seat(0)))
    bench.wait(0.1)
    assert bench.first_line == "Ben bids? (ENTER)"
    bench.keys("5 ENTER 6 ENTER ENTER")
    assert bench.table.deal and bench.table.deal.owner == 0 and bench.table.scores == (24, 25)
    assert bench.first_line == "Ann: 6 back to 24"


def test_advice_is_given_on_the_display(bench: Bench) -> None:
    bench.begin()
    bench.hold_fn()
    bench.keys("6 A 5 5 J Q 2 9")
    lines = [text for text, _ in bench.host.snapshot.page]
    assert "Lay away:" in lines and any(line.startswith(("2 9", "9 2")) for line in lines)


def test_a_game_for_three_is_begun_with_keys_and_moves_the_third_pegs_itself(bench: Bench) -> None:
    bench.keys("ENTER FN")  # the second page of games
    shown = [text for text, _ in bench.host.snapshot.page]
    three = next(text for text in shown if "three hand" in text)
    bench.keys(f"{three[0]} ENTER ENTER ENTER A")
    assert bench.table.rules.variant == "three_hand" and bench.table.sides_on_board == 2


def test_house_rules_are_changed_with_keys(bench: Bench) -> None:
    bench.keys("ENTER ENTER ENTER ENTER 2")
    while not any("muggins mode" in text for text, _ in bench.host.snapshot.page):
        bench.keys("FN")
    line = next(text for text, _ in bench.host.snapshot.page if "muggins mode" in text)
    bench.keys(f"{line[0]} 3 ENTER ENTER A")
    assert bench.table.rules.muggins_mode.value == "claim"


def test_the_display_speaks_the_language_of_the_house(bench: Bench) -> None:
    bench.house = replace(bench.house, words=words("ru"))
    bench.switch_on()
    bench.begin()
    assert bench.first_line == "Сдаёт Ann. Стартовая?"


def test_orders_from_other_threads_are_answered_by_the_host(bench: Bench) -> None:
    bench.host.start()
    try:
        snapshot = bench.host.submit(StartGame(rules_for("five_card", {}), ("Eve", "Max"), "classic-61", dealer=None))
        assert snapshot.table and snapshot.table.names == ("Eve", "Max")
        assert snapshot.table.sides_on_board == 2
    finally:
        bench.host.stop()
