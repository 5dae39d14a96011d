"""The host on a simulated board: what a person does with pegs and keys, and what the board shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import Bid, StartGame
from firmware_host.game.state import Phase
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import CheckScore, SetRefereeMode
from firmware_host.ui.lights.lights import HoleSignal, Signal
from firmware_host.ui.referee_mode import RefereeMode
from tests.host.bench import HostBench


@pytest.fixture
def bench() -> Iterator[HostBench]:
    bench = HostBench(Journal.in_memory())
    yield bench
    bench.host.stop()


def test_display_shows_which_key_starts_a_game(bench: HostBench) -> None:
    assert bench.first_line == "ENTER: new game"


def test_keypad_starts_a_new_game(bench: HostBench) -> None:
    bench.begin()
    assert (bench.table.rules.variant, bench.table.rules.target, bench.table.board) == ("six_card", 121, "classic-61")
    assert bench.table.phase is Phase.DEAL and bench.table.dealer == 0
    assert bench.first_line == "Starter card?"


def test_new_game_can_open_another_board(bench: HostBench) -> None:
    bench.keys("ENTER ENTER 2 ENTER ENTER 2")
    assert bench.table.board == bench.host.plan.id == "continuous-121-2"
    bench.leap(0, 0, 12)
    assert bench.table.scores == (12, 0)


def test_leap_is_pending_at_once_and_settles_later(bench: HostBench) -> None:
    bench.begin()
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(bench.setup.scan_s)
    assert bench.first_line == "Ben +8? ENTER" and bench.table.scores == (0, 0)
    led = bench.host.plan.at(1, Hole(8)).led
    assert any(bench.board.lights.frame[led])
    bench.wait(0.4)
    assert bench.table.scores == (0, 8)


def test_enter_settles_pending_leap(bench: HostBench) -> None:
    bench.begin()
    bench.lift(1, 0)
    bench.place(1, 8)
    bench.wait(0.04)
    bench.keys("ENTER")
    assert bench.table.scores == (0, 8) and bench.table.phase is Phase.DEAL


def test_putting_peg_back_undoes_leap(bench: HostBench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    bench.leap(0, 9, 0)
    assert bench.table.scores == (0, 0)
    bench.keys("FN UNDO")
    assert bench.table.scores == (9, 0)


def test_undo_key_asks_for_peg_to_be_moved_back(bench: HostBench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0)
    bench.wait(1.0)
    assert bench.first_line == "Ann: to the lit holes"
    bench.leap(0, 9, 0)
    bench.wait(1.0)
    assert bench.table.scores == (0, 0) and bench.first_line == "Starter card?"


def test_suit_is_asked_for_only_if_it_matters(bench: HostBench) -> None:
    bench.begin()
    bench.keys("5 Q")  # the starter: five of hearts
    assert bench.first_line == "All played? ENTER"
    bench.keys("ENTER 5 5 5")
    assert bench.first_line == "Ben 5 5 5_"
    bench.keys("J")
    assert bench.first_line == "Jack of ♥? 0: no"
    bench.keys("Q")
    assert bench.table.owed == (0, 29)


def test_enter_counts_hand_known_from_the_play(bench: HostBench) -> None:
    bench.begin()
    bench.keys("K J")  # the starter: king of spades
    bench.keys("4 4 5 5 6 6 A A")
    assert bench.table.phase is Phase.SHOW
    bench.keys("ENTER 10")  # Ben's hand; all ranks differ, so a flush is possible: 10 (0) says no
    assert bench.table.last_count and [card.letter for card in bench.table.last_count.cards] == ["4", "5", "6", "A"]


def test_demo_game_is_not_resumed(bench: HostBench) -> None:
    bench.host.execute(StartGame(rules_for("six_card", {}), ("Bot", "Bat"), dealer=Seat(0), is_demo=True))
    bench.switch_on()
    assert bench.host.snapshot.table is None


def test_power_cut_during_the_demo_resumes_the_game_of_the_players(bench: HostBench) -> None:
    bench.begin()
    own = bench.table
    bench.host.execute(StartGame(rules_for("six_card", {}), ("Bot", "Bat"), dealer=Seat(0), is_demo=True))
    bench.switch_on()
    assert bench.table == own


def test_a_resumed_game_is_stored_until_somebody_goes_on_with_it(bench: HostBench) -> None:
    bench.begin()
    assert not bench.host.snapshot.is_stored
    bench.switch_on()
    assert bench.host.snapshot.is_stored
    bench.leap(0, 0, 9)
    assert not bench.host.snapshot.is_stored


def test_game_resumes_after_power_cut(bench: HostBench) -> None:
    bench.begin()
    bench.leap(0, 0, 9)
    before = bench.table
    bench.switch_on()
    bench.wait(2.0)
    assert bench.table == before and bench.first_line == "Starter card?"


def test_refusal_is_shown_for_a_few_seconds(bench: HostBench) -> None:
    bench.begin()
    bench.keys("UNDO UNDO UNDO")
    bench.keys("FN UNDO FN UNDO FN UNDO")
    assert bench.host.snapshot.prompt == "Nothing to redo."
    bench.wait(4.5)
    assert bench.first_line == "Starter card?"


def test_game_on_unavailable_board_stays_in_journal(bench: HostBench) -> None:
    bench.keys("ENTER ENTER 2 ENTER ENTER 2")
    bench.setup = replace(bench.setup, plans=bench.setup.plans[:1])
    bench.switch_on()
    assert bench.host.snapshot.table is None and len(bench.journal.current_game()) > 0


def test_polite_referee_lights_holes_but_shows_no_points(bench: HostBench) -> None:
    bench.begin()
    bench.host.execute(SetRefereeMode(RefereeMode.POLITE))
    bench.keys("K J 7 8")  # a starter, then a fifteen
    assert bench.first_line == "Ben plays on 15" and "fifteen" not in str(bench.host.snapshot.oled_page)
    assert HoleSignal(0, Hole(2), Signal.TO) in bench.host.snapshot.signals


def test_prompt_of_the_play_names_the_player_and_the_count(bench: HostBench) -> None:
    bench.begin()
    bench.host.execute(SetRefereeMode(RefereeMode.SILENT))  # no points due in the first line
    bench.keys("K J 4 4 5 5 6 6")
    assert bench.first_line == "Ben plays on 30"
    bench.keys("A")  # makes thirty-one
    assert bench.first_line == "Ann leads"


def test_peg_move_keeps_half_typed_hand(bench: HostBench) -> None:
    bench.begin()
    bench.keys("5 Q ENTER 2 3")
    bench.leap(0, 0, 4)
    bench.keys("K")
    assert bench.first_line == "Ben 2 3 K_"


def test_removed_front_peg_becomes_rear_peg_by_that_rule(bench: HostBench) -> None:
    rules = rules_for("six_card", {"front_peg_removed": "becomes_rear"})
    bench.host.execute(StartGame(rules, ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.leap(0, 0, 5)
    bench.leap(0, -1, 9)
    bench.lift(0, 9)
    bench.wait(4.0)
    assert bench.table.scores == (9, 0)
    bench.keys("FN 10")
    assert bench.table.scores == (5, 0)
    bench.place(0, 4)
    bench.wait(1.0)
    assert bench.table.scores == (5, 0) and not bench.host.snapshot.peg_faults


def test_removed_front_peg_goes_back_by_default(bench: HostBench) -> None:
    bench.begin()
    bench.leap(0, 0, 5)
    bench.lift(0, 5)
    bench.wait(4.0)
    assert bench.table.scores == (5, 0) and bench.host.snapshot.peg_faults
    bench.place(0, 5)
    bench.wait(1.0)
    assert bench.table.scores == (5, 0) and not bench.host.snapshot.peg_faults


def test_owner_of_foreign_peg_that_was_moved_gets_two_points_by_that_rule(bench: HostBench) -> None:
    bench.host.execute(StartGame(rules_for("six_card", {"foreign_peg": "penalty"}), ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.leap(1, 0, 7)
    bench.lift(1, 7)
    bench.place(0, 3)
    bench.wait(4.0)
    assert bench.table.owed == (0, 0)
    bench.keys("FN 10 FN 10")
    assert bench.table.owed == (0, 2)


def oled(bench: HostBench) -> list[str]:
    return [text for text, _ in bench.host.snapshot.oled_page]


@pytest.mark.parametrize(("key", "scores", "owed"), [("A", (5, 0), (2, 0)), ("2", (0, 0), (0, 0))])
def test_keys_choose_between_two_penalties_for_one_peg(
    bench: HostBench, key: str, scores: tuple[int, int], owed: tuple[int, int]
) -> None:
    """Ann's front peg stands in Ben's track: she took it out, or Ben moved it."""
    rules = rules_for("six_card", {"foreign_peg": "penalty", "front_peg_removed": "becomes_rear"})
    bench.host.execute(StartGame(rules, ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.leap(0, 0, 5)
    bench.lift(0, 5)
    bench.place(1, 3)
    bench.wait(4.0)
    assert "FN 10: which penalty?" in oled(bench)
    bench.keys("FN 10")
    assert oled(bench) == ["Ann: wrong track", "A 2 to Ann", "2 Ann back to 0"]
    bench.keys(key)
    assert (bench.table.scores, bench.table.owed) == (scores, owed)
    assert not bench.host.snapshot.input_context.rulings


def test_silent_referee_checks_score_on_request(bench: HostBench) -> None:
    bench.begin()
    bench.host.execute(SetRefereeMode(RefereeMode.SILENT))
    bench.keys("K J 7 8")
    assert not [shown for shown in bench.host.snapshot.signals if shown.signal is Signal.TO]
    bench.host.execute(CheckScore())
    bench.wait(0.1)
    assert bench.first_line == "Ann +2 → 2"
    bench.wait(11)
    assert bench.first_line == "Ben plays on 15"


def test_keypad_claims_muggins(bench: HostBench) -> None:
    bench.host.execute(StartGame(rules_for("six_card", {"muggins_mode": "claim"}), ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)
    bench.keys("K J 7 8 9")  # Ann makes fifteen with the eight and does not peg it; Ben makes a run
    bench.keys("FN 2 ENTER")
    assert bench.table.owed == (0, 5)


def test_keypad_auctions_the_crib(bench: HostBench) -> None:
    start = StartGame(rules_for("auction", {}), ("Ann", "Ben"), dealer=Seat(1), scores=(30, 25))
    bench.host.execute(start)
    bench.host.execute(Bid(3, Seat(0)))
    bench.wait(0.1)
    assert bench.first_line == "Ben: your bid?"
    bench.keys("5 ENTER 6 ENTER ENTER")
    assert bench.table.deal and bench.table.deal.owner == 0 and bench.table.scores == (24, 25)
    assert bench.first_line == "Ann: back 6 → 24"


def test_display_shows_discard_advice(bench: HostBench) -> None:
    bench.begin()
    bench.hold_fn()
    bench.keys("6 A 5 5 J Q 2 9")
    lines = [text for text, _ in bench.host.snapshot.oled_page]
    assert "Discard:" in lines and any(line.startswith(("2 9", "9 2")) for line in lines)


def test_keypad_starts_three_hand_game_with_two_sides_on_board(bench: HostBench) -> None:
    bench.keys("ENTER FN")  # the second page of games
    shown = [text for text, _ in bench.host.snapshot.oled_page]
    three = next(text for text in shown if "three hand" in text)
    bench.keys(f"{three[0]} ENTER ENTER ENTER A")
    assert bench.table.rules.variant == "three_hand" and bench.table.sides_on_board == 2


def test_keypad_changes_house_rules(bench: HostBench) -> None:
    bench.keys("ENTER ENTER ENTER ENTER 2")
    while not any("muggins mode" in text for text, _ in bench.host.snapshot.oled_page):
        bench.keys("FN")
    line = next(text for text, _ in bench.host.snapshot.oled_page if "muggins mode" in text)
    bench.keys(f"{line[0]} 3 ENTER ENTER A")
    assert bench.table.rules.muggins_mode.value == "claim"


def test_display_uses_language_of_the_setup(bench: HostBench) -> None:
    bench.setup = replace(bench.setup, translator=translator("ru"))
    bench.switch_on()
    bench.begin()
    assert bench.first_line == "Стартовая карта?"


def test_host_thread_answers_commands_of_other_threads(bench: HostBench) -> None:
    bench.host.start()
    try:
        snapshot = bench.host.submit(StartGame(rules_for("five_card", {}), ("Eve", "Max"), "classic-61", dealer=None))
        assert snapshot.table and snapshot.table.names == ("Eve", "Max")
        assert snapshot.table.sides_on_board == 2
    finally:
        bench.host.stop()
