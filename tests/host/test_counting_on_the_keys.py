"""Counting and the next deal with the sixteen keys: no suit is skipped, and nothing is lost unasked."""

from __future__ import annotations

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.game.state import Phase
from firmware_host.host.parts.keypad_session import CONFIRM_AFTER_S
from firmware_host.storage.journal import Journal
from firmware_host.ui.keys.input_state import SetRefereeMode
from firmware_host.ui.referee_mode import RefereeMode
from firmware_host.ui.texts.messages import turn_message
from tests.host.bench import HostBench

PLAY = "J K 5 6 10 K Q A"
"""Ben leads and plays J 5 10 Q, in two series to 31."""


@pytest.fixture
def bench() -> HostBench:
    return HostBench(Journal.in_memory())


def begin(bench: HostBench, **options: object) -> None:
    bench.host.execute(StartGame(rules_for("six_card", options), ("Ann", "Ben"), dealer=Seat(0)))
    bench.wait(0.1)


def deal_number(bench: HostBench) -> int:
    assert bench.table.deal
    return bench.table.deal.number


def last_message(bench: HostBench) -> str:
    last = bench.host.snapshot.history.last
    assert last
    return turn_message(last)


def show_of_bens_hand(bench: HostBench) -> None:
    begin(bench)
    bench.host.execute(SetRefereeMode(RefereeMode.SILENT))  # no points due in the first line
    bench.keys(f"5 Q {PLAY}")
    assert bench.table.phase is Phase.SHOW


def test_enter_asks_for_flush_and_jack_of_a_hand_known_from_the_play(bench: HostBench) -> None:
    show_of_bens_hand(bench)
    bench.keys("ENTER")
    assert bench.first_line == "All one suit? 0: no"
    bench.keys("10")
    assert bench.first_line == "Jack of ♥? 0: no"
    bench.keys("ENTER")
    last = bench.table.last_count
    assert last and (last.points, last.is_minimum) == (18, False)


def test_a_flush_confirmed_with_enter_asks_for_its_suit(bench: HostBench) -> None:
    show_of_bens_hand(bench)
    bench.keys("ENTER ENTER")
    assert bench.first_line == "Which suit? ♠♥♦♣"
    bench.keys("Q")  # the five of hearts is the starter, so the hand is no flush of hearts
    assert bench.first_line == "Which suit? ♠♥♦♣"
    bench.keys("K")
    last = bench.table.last_count
    assert last and (last.points, last.is_minimum) == (17 + 4, False)


def test_a_starter_of_unknown_suit_makes_the_count_a_minimum(bench: HostBench) -> None:
    begin(bench)
    bench.keys(f"5 10 {PLAY} ENTER 10")
    last = bench.table.last_count
    assert last and (last.points, last.is_minimum) == (17, True)
    assert "At least 17: " in last_message(bench)


def test_a_second_enter_does_not_skip_the_next_deal(bench: HostBench) -> None:
    begin(bench)
    bench.keys("5 Q ENTER ENTER ENTER ENTER")
    assert bench.table.phase is Phase.GATHER
    bench.keys("ENTER ENTER ENTER")
    assert deal_number(bench) == 2 and bench.first_line == "Skip this deal?"
    bench.keys("UNDO")
    assert deal_number(bench) == 2 and bench.first_line == "Starter card?"


def test_a_deal_is_skipped_after_the_question(bench: HostBench) -> None:
    begin(bench)
    bench.keys("ENTER")
    bench.wait(CONFIRM_AFTER_S)
    bench.keys("ENTER")
    assert deal_number(bench) == 2


def test_with_pegs_alone_enter_starts_the_next_deal_at_once(bench: HostBench) -> None:
    begin(bench)
    bench.leap(0, 0, 9)
    bench.keys("ENTER")
    assert deal_number(bench) == 2


@pytest.mark.parametrize("way", ["ENTER", "menu"])
def test_the_next_deal_asks_first_while_points_are_owed(bench: HostBench, way: str) -> None:
    begin(bench)
    bench.keys("J Q ENTER 5 5 5 5 ENTER ENTER")  # Ben's hand: four fives
    assert bench.table.phase is Phase.GATHER and bench.table.sides[1].owed
    if way == "menu":
        bench.hold_fn()
        bench.keys("3")
    else:
        bench.keys("ENTER")
    assert deal_number(bench) == 1 and bench.first_line == f"End? Ben +{bench.table.sides[1].owed}"
    assert "ENTER: yes, UNDO: no" in [line for line, _ in bench.host.snapshot.oled_page]
    bench.wait(CONFIRM_AFTER_S)
    bench.keys("ENTER")
    assert deal_number(bench) == 2


def test_the_question_does_not_name_points_that_may_be_claimed_as_muggins(bench: HostBench) -> None:
    begin(bench, muggins_mode="claim")
    bench.keys("5 Q ENTER ENTER ENTER 6 6 9 9")  # Ann's crib: two pairs and fifteens
    assert bench.table.sides[0].owed and bench.table.phase is Phase.GATHER
    bench.keys("ENTER")
    assert deal_number(bench) == 2


def test_a_skipped_hand_is_in_the_log(bench: HostBench) -> None:
    begin(bench)
    bench.keys("5 Q ENTER ENTER")
    assert last_message(bench) == "Ben’s hand is skipped."
    bench.keys("ENTER ENTER")
    assert last_message(bench) == "Ann’s crib is skipped."


def test_a_new_game_keeps_the_seats_of_phones_by_name_or_frees_them(bench: HostBench) -> None:
    begin(bench)
    registry = bench.host.pairing.registry
    (ann, _), (ben, _) = registry.add_phone("Ann"), registry.add_phone("Ben")
    registry.set_seat(ann.id, Seat(0))
    registry.set_seat(ben.id, Seat(1))
    bench.host.execute(StartGame(rules_for("six_card"), ("Cat", " ANN")))
    assert [phone.seat for phone in registry.phones] == [1, None]
    assert registry.lost_seats == {ben.id: "Ben"}
