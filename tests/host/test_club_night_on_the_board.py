"""A club night at one board: the code is typed on the keys, the players confirm the seat and the result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import CorrectScore, StartGame
from firmware_host.game.events import ClubGame
from firmware_host.game.state import Phase
from firmware_host.host.parts.keypad_session import CONFIRM_AFTER_S
from firmware_host.storage.journal import Journal
from firmware_host.ui.club_night import ClubNight, ClubState, FollowClub
from firmware_host.ui.keys.input_state import Idle
from tests.host.bench import HostBench

START = StartGame(rules_for("six_card"), ("Ann", "Ben"), scores=(0, 5), club_game=ClubGame(1, 3, 2))
NEXT = StartGame(rules_for("six_card"), ("Cat", "Dan"), scores=(0, 0), club_game=ClubGame(1, 4, 2))
SEATED = ClubNight(ClubState.JOINED, 2, START)


@pytest.fixture
def bench() -> HostBench:
    bench = HostBench(Journal.in_memory())
    tell(bench, ClubNight(ClubState.NOT_JOINED))
    return bench


def tell(bench: HostBench, night: ClubNight) -> None:
    bench.host.execute(FollowClub(night))
    bench.wait(0.1)


def enter(bench: HostBench) -> None:
    bench.wait(CONFIRM_AFTER_S + 0.1)
    bench.keys("ENTER")


def open_club_menu(bench: HostBench) -> None:
    bench.hold_fn()
    bench.keys("FN")  # the second page
    lines = [text for text, _ in bench.host.snapshot.oled_page]
    bench.keys(next(line for line in lines if line.endswith("Club night")).split()[0])


def end_game(bench: HostBench) -> None:
    bench.host.execute(CorrectScore(1, 98, "the loser"))
    bench.host.execute(CorrectScore(0, 121, "the end"))
    bench.wait(0.1)


def question(bench: HostBench) -> tuple[str, list[int]]:
    """The first line, and the sides that have confirmed the result."""
    return bench.first_line, [*bench.table.confirmed]


def page(bench: HostBench) -> str:
    return " / ".join(text for text, _ in bench.host.snapshot.oled_page)


def test_without_a_club_the_menu_has_no_club_night() -> None:
    bench = HostBench(Journal.in_memory())
    bench.hold_fn()
    first = page(bench)
    bench.keys("FN")
    assert "Club night" not in first + page(bench)


def test_the_code_is_typed_digit_by_digit_and_confirmed(bench: HostBench) -> None:
    open_club_menu(bench)
    bench.keys("A 2 3")
    assert bench.first_line == "Code: 123_"
    bench.keys("J ENTER")  # no digit, and too few
    assert bench.first_line == "Code: 123_"
    bench.keys("UNDO 4 5 6 10 9")
    assert bench.first_line == "124560? ENTER" or bench.first_line == "124569? ENTER"
    bench.keys("A")  # a seventh changes nothing
    typed = bench.first_line[:6]
    bench.keys("ENTER")
    club = bench.host.snapshot.input_context.club
    assert (club.state, club.code, club.joins) == (ClubState.JOINING, typed, 1)
    assert bench.first_line == "Asking the club"


def test_undo_leaves_the_code_digit_by_digit(bench: HostBench) -> None:
    open_club_menu(bench)
    bench.keys("A UNDO UNDO")
    assert bench.host.snapshot.input_state == Idle()


@pytest.mark.parametrize(
    ("night", "line"),
    [
        (ClubNight(ClubState.WRONG_CODE), "Wrong code"),
        (ClubNight(ClubState.TOO_MANY_CODES), "Wait a minute"),
        (ClubNight(ClubState.NO_ANSWER), "Club does not answer"),
        (ClubNight(ClubState.JOINED, 7), "Joined: table 7"),
        (ClubNight(ClubState.RELEASED), "No table any more"),
        (ClubNight(ClubState.REFUSED, 7, problem="double_go"), "Unknown rule: double go"),
    ],
)
def test_the_display_says_what_the_club_answers(bench: HostBench, night: ClubNight, line: str) -> None:
    tell(bench, night)
    assert bench.host.snapshot.prompt == line
    bench.wait(5)
    assert bench.first_line == "ENTER: new game"


def test_the_seat_is_shown_and_enter_begins_its_game(bench: HostBench) -> None:
    tell(bench, SEATED)
    bench.wait(5)  # the notice has gone
    assert page(bench).split(" / ") == [
        *("Do you sit here?", "Round 3, table 2", "Ann", "Head start 5: Ben"),
        *("six card to 121", "ENTER: yes, UNDO: no"),
    ]
    enter(bench)
    assert (bench.table.names, bench.table.scores, bench.table.club_game) == (("Ann", "Ben"), (0, 5), ClubGame(1, 3, 2))


@pytest.mark.parametrize(("bracket", "title"), [("main", "Play-offs"), ("consolation", "Consolation")])
def test_the_seat_of_a_match_names_its_bracket(bench: HostBench, bracket: str, title: str) -> None:
    tell(bench, replace(SEATED, bracket=bracket))
    bench.wait(5)
    assert f" / {title}, table 2 / Ann / " in page(bench)


def test_a_second_press_of_enter_does_not_take_the_seat(bench: HostBench) -> None:
    tell(bench, SEATED)
    bench.keys("ENTER")
    assert bench.host.snapshot.table is None


def test_players_who_decline_the_seat_find_it_in_the_menu(bench: HostBench) -> None:
    tell(bench, SEATED)
    bench.keys("UNDO")
    bench.wait(5)
    assert bench.first_line == "ENTER: new game"
    tell(bench, SEATED)  # the same seat again
    assert bench.host.snapshot.input_state == Idle()
    open_club_menu(bench)
    enter(bench)
    assert bench.table.names == ("Ann", "Ben")


def test_a_seat_that_is_taken_back_is_shown_no_more(bench: HostBench) -> None:
    tell(bench, SEATED)
    tell(bench, ClubNight(ClubState.JOINED, 2))
    bench.wait(5)
    assert bench.first_line == "ENTER: new game"


def test_a_game_that_is_on_is_not_disturbed(bench: HostBench) -> None:
    bench.host.execute(StartGame(rules_for("six_card"), ("Eve", "Fred")))
    tell(bench, SEATED)
    bench.wait(5)
    assert bench.first_line == "Who deals first?"
    end_game(bench)
    assert bench.first_line == "Do you sit here?"


def test_both_sides_confirm_the_winner_first(bench: HostBench) -> None:
    tell(bench, SEATED)
    enter(bench)
    end_game(bench)
    assert bench.first_line == "Ann: right? ENTER"
    enter(bench)
    assert question(bench) == ("Ben: right? ENTER", [0])
    bench.keys("ENTER")  # a second press of the same player
    assert question(bench) == ("Ben: right? ENTER", [0])
    enter(bench)
    assert question(bench) == ("Result confirmed", [0, 1])
    bench.keys("ENTER")  # no rematch: the club says who plays next
    assert question(bench) == ("Result confirmed", [0, 1])


def test_undo_takes_a_confirmation_back_before_the_end(bench: HostBench) -> None:
    tell(bench, SEATED)
    enter(bench)
    end_game(bench)
    enter(bench)
    bench.keys("UNDO")
    assert bench.table.phase is Phase.OVER and bench.table.confirmed == ()
    bench.keys("UNDO")
    assert bench.table.phase is not Phase.OVER


def test_a_corrected_score_is_confirmed_anew(bench: HostBench) -> None:
    tell(bench, SEATED)
    enter(bench)
    end_game(bench)
    enter(bench)
    bench.host.execute(CorrectScore(1, 99, "one more"))
    bench.wait(0.1)
    assert bench.table.confirmed == () and bench.table.to_confirm == 0


def test_the_next_seat_is_offered_after_the_result_also_unconfirmed(bench: HostBench) -> None:
    tell(bench, SEATED)
    enter(bench)
    end_game(bench)
    tell(bench, ClubNight(ClubState.JOINED, 2, NEXT))
    assert bench.first_line == "Do you sit here?"
    enter(bench)
    assert bench.table.names == ("Cat", "Dan")


def test_after_a_power_cut_the_board_still_asks_for_the_result(bench: HostBench) -> None:
    tell(bench, SEATED)
    enter(bench)
    end_game(bench)
    enter(bench)
    bench.switch_on()
    tell(bench, SEATED)  # the club has not read the result yet: the same game is not begun again
    bench.wait(5)
    assert question(bench) == ("Ben: right? ENTER", [0])


def test_another_game_is_not_confirmed(bench: HostBench) -> None:
    bench.host.execute(StartGame(rules_for("six_card"), ("Ann", "Ben")))
    end_game(bench)
    assert bench.first_line == "Ann wins! ENTER" and bench.table.to_confirm is None
