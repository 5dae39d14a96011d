"""Results that boards send: which game they belong to, and what they never change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.club import decide as d
from firmware_host.club import events as e
from firmware_host.club.board_results import (
    MOST_UNMATCHED,
    BoardResult,
    board_result,
    receive_result,
    waits_for_joining,
)
from firmware_host.club.evolve import evolve
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.rule_errors import TooManyUnmatched
from firmware_host.club.seating import join_board, set_join_code
from firmware_host.club.state import Club
from firmware_host.mqtt_messages.result import read_result
from tests.league.messages import message

ANN, BOB = MemberId(1), MemberId(2)
DAY = "2026-03-14"
RESULT = BoardResult("table-3", "ab12", 1, True, f"{DAY}T19:30:00+00:00", ("Ann", "Bob"), (121, 95))


@pytest.fixture
def club() -> Club:
    """Ann and Bob play each other in both rounds."""
    club = Club()
    for name in ("Ann", "Bob"):
        club = evolve(club, d.add_member(club, name))
    club = evolve(club, d.create_night(club, DAY, NightSettings(games=2)))
    for member in (ANN, BOB):
        club = evolve(club, d.enter_player(club, club.nights[0], member))
    for _ in range(2):
        club = evolve(club, d.pair_round(club, club.nights[0]))
    return club


def after(club: Club, *results: BoardResult) -> Club:
    for result in results:
        event = receive_result(club, result)
        assert isinstance(event, e.ResultReceived)
        club = evolve(club, event)
    return club


def game(club: Club, number: int = 1) -> Game:
    found = club.nights[0].rounds[number - 1].game_at(1)
    assert found
    return found


def why(club: Club, result: BoardResult) -> e.Unmatched:
    event = receive_result(club, result)
    assert isinstance(event, e.ResultUnmatched) and event.names == result.names and event.scores == result.scores
    later = evolve(club, event)
    assert later.nights[0].rounds == club.nights[0].rounds and receive_result(later, result) is None
    return event.why


def confirmed(club: Club, number: int = 1) -> Club:
    for member in (ANN, BOB):
        club = evolve(club, d.confirm_result(club, club.nights[0], number, 1, member))
    return club


def at_table(club: Club) -> Club:
    """With the board that sends the results at table 1."""
    club = evolve(club, set_join_code(club.nights[0], "123456"))
    joined = join_board(club, RESULT.board, "123456")
    assert joined
    return evolve(club, joined)


def events_of(club: Club, result: BoardResult) -> tuple[Club, list[e.Event]]:
    """All events of one message, and the club after them."""
    events = list[e.Event]()
    while event := receive_result(club, result):
        events.append(event)
        club = evolve(club, event)
    return club, events


BOTH = replace(RESULT, revision=3, confirmed=(0, 1), club_game=(1, 1, 1))


def test_players_confirm_one_after_the_other_on_the_board(club: Club) -> None:
    club, _ = events_of(at_table(club), replace(BOTH, revision=1, confirmed=()))
    club, events = events_of(club, replace(BOTH, revision=2, confirmed=(0,)))
    assert events == [e.ResultConfirmed(1, 1, 1, ANN, "table-3", "ab12", 2)] and not game(club).is_official
    club, events = events_of(club, BOTH)
    assert events == [e.ResultConfirmed(1, 1, 1, BOB, "table-3", "ab12", 3)] and game(club).is_official
    assert events_of(club, BOTH)[1] == []  # sent again


def test_one_message_with_both_confirmations_is_enough(club: Club) -> None:
    club, events = events_of(at_table(club), BOTH)
    assert [type(event) for event in events] == [e.ResultReceived, e.ResultConfirmed, e.ResultConfirmed]
    assert game(club).is_official


def test_a_power_cut_between_its_events_loses_no_confirmation(club: Club) -> None:
    club = at_table(club)
    for _ in range(2):
        event = receive_result(club, BOTH)
        assert event
        club = evolve(club, event)
    assert [type(event) for event in events_of(club, BOTH)[1]] == [e.ResultConfirmed]


def test_a_confirmation_that_is_taken_back_makes_both_confirm_again(club: Club) -> None:
    club, _ = events_of(at_table(club), BOTH)
    club, events = events_of(club, replace(BOTH, revision=4, confirmed=(0,)))
    assert [type(event) for event in events] == [e.ResultReceived, e.ResultConfirmed]
    assert game(club).confirmed_by == {ANN}
    assert events_of(club, BOTH)[1] == []  # the older message, late


def test_an_undone_end_takes_the_confirmations_with_it(club: Club) -> None:
    club, _ = events_of(at_table(club), BOTH)
    club, _ = events_of(club, replace(BOTH, revision=6, is_final=False, scores=(119, 95), confirmed=()))
    assert game(club).scores == () and not game(club).confirmed_by


def test_a_score_corrected_on_the_board_is_confirmed_anew(club: Club) -> None:
    club, _ = events_of(at_table(club), BOTH)
    club, _ = events_of(club, replace(BOTH, revision=4, scores=(121, 96), confirmed=()))
    assert sorted(game(club).scores) == [96, 121] and not game(club).is_official


def test_somebody_who_confirmed_at_the_computer_need_not_do_it_again(club: Club) -> None:
    club, _ = events_of(at_table(club), replace(BOTH, revision=1, confirmed=()))
    club = evolve(club, d.confirm_result(club, club.nights[0], 1, 1, BOB))
    club, _ = events_of(club, replace(BOTH, revision=2, confirmed=(0,)))
    assert game(club).is_official


def test_the_organisers_correction_wins_over_confirmations(club: Club) -> None:
    club, _ = events_of(at_table(club), replace(BOTH, revision=1, confirmed=()))
    club = evolve(club, d.correct_result(club.nights[0], 1, 1, (90, 121), "exchanged"))
    club, _ = events_of(club, BOTH)
    assert game(club).scores == (90, 121) and game(club).reason == "exchanged" and not game(club).confirmed_by


def test_a_board_that_is_not_at_the_table_confirms_for_nobody(club: Club) -> None:
    club, events = events_of(club, replace(BOTH, club_game=None))
    assert [type(event) for event in events] == [e.ResultReceived]
    assert not game(club).confirmed_by


def test_the_seat_names_the_game_where_two_meet_twice(club: Club) -> None:
    later = replace(BOTH, club_game=(1, 2, 1))
    club, _ = events_of(at_table(club), later)
    assert game(club, 2).is_official and not game(club, 1).scores


def test_a_game_of_another_night_belongs_to_no_game_of_this_one(club: Club) -> None:
    assert why(at_table(club), replace(BOTH, club_game=(7, 1, 1), revision=1)) is e.Unmatched.NO_GAME


@pytest.mark.parametrize(("names", "scores"), [(("Ann", "Bob"), (121, 95)), (("BOB ", "ann"), (95, 121))])
def test_a_result_goes_to_the_game_of_its_players(club: Club, names: tuple[str, str], scores: tuple[int, int]) -> None:
    before = game(club).players
    found = game(after(club, replace(RESULT, names=names, scores=scores)))
    assert dict(zip(before, found.scores, strict=True)) == {ANN: 121, BOB: 95}
    assert not found.is_official


def test_both_players_confirm_it(club: Club) -> None:
    club = confirmed(after(club, RESULT))
    assert game(club).is_official and not club.nights[0].is_over


def test_the_next_game_of_the_two_is_their_next_round(club: Club) -> None:
    club = confirmed(after(club, RESULT))
    club = after(club, replace(RESULT, id="cd34", scores=(80, 121)))
    assert game(club, 1).is_official and game(club, 2).scores and not game(club, 2).is_official


def test_a_message_that_comes_again_or_late_changes_nothing(club: Club) -> None:
    club = after(club, RESULT)
    assert receive_result(club, RESULT) is None
    later = after(club, replace(RESULT, revision=3, scores=(121, 60)))
    assert receive_result(later, replace(RESULT, revision=2, is_final=False)) is None


def test_an_undone_end_withdraws_the_result_and_its_confirmations(club: Club) -> None:
    club = after(confirmed(after(club, RESULT)), replace(RESULT, revision=2, is_final=False))
    assert game(club).scores == () and not game(club).confirmed_by
    club = after(club, replace(RESULT, revision=3, scores=(118, 121)))
    assert sorted(game(club).scores) == [118, 121] and not game(club).is_official


def test_what_the_organiser_corrected_stays(club: Club) -> None:
    club = after(club, RESULT)
    club = evolve(club, d.correct_result(club.nights[0], 1, 1, (121, 100), "wrong board"))
    assert receive_result(club, replace(RESULT, revision=2, is_final=False)) is None
    assert why(club, replace(RESULT, revision=3)) is e.Unmatched.COUNTS_ALREADY


def test_a_result_that_belongs_to_no_game_is_kept_for_the_organiser(club: Club) -> None:
    assert why(club, replace(RESULT, names=("Ann", "Zoe"))) is e.Unmatched.NO_GAME
    assert why(club, replace(RESULT, names=("Ann", "Bob", "Cat"), scores=(121, 9, 9))) is e.Unmatched.NO_GAME
    assert why(club, replace(RESULT, scores=(61, 40))) is e.Unmatched.NO_RESULT
    full = confirmed(after(confirmed(after(club, RESULT)), replace(RESULT, id="cd34")), 2)
    assert why(full, replace(RESULT, id="ef56")) is e.Unmatched.COUNTS_ALREADY


def test_a_game_that_was_never_received_is_not_withdrawn(club: Club) -> None:
    assert receive_result(club, replace(RESULT, is_final=False)) is None
    assert receive_result(Club(), RESULT) is None


def test_a_renamed_member_is_found_by_the_game_of_the_first_message(club: Club) -> None:
    club = after(club, RESULT)
    club = evolve(club, d.change_member(club, ANN, name="Anne"))
    assert receive_result(club, replace(RESULT, revision=2, is_final=False)) is not None
    assert why(club, replace(RESULT, revision=3)) is e.Unmatched.NO_GAME


def test_what_the_club_needs_is_taken_from_the_message() -> None:
    sides = [{"players": ["Ann"], "score": 121}, {"players": [" Bob  Lee", "Cat"], "score": 95}]
    sent = message(board="table-3", sides=sides, club_game={"night": 1, "round": 2, "table": 3}, confirmed=[1])
    result = board_result("table-3", read_result("table-3", sent.payload))
    assert (result.names, result.scores) == (("Ann", "Bob Lee, Cat"), (121, 95))
    assert (result.club_game, result.confirmed, result.id) == ((1, 2, 3), (1,), sent.body["id"])


def test_a_board_cannot_touch_the_result_of_another_one(club: Club) -> None:
    club, foreign = confirmed(after(club, RESULT)), replace(RESULT, board="table-9", revision=2)
    assert receive_result(club, replace(foreign, is_final=False)) is None
    assert game(club).is_official
    waiting = after(club, replace(RESULT, id="cd34", board="table-4"))
    assert why(waiting, replace(foreign, scores=(60, 121))) is e.Unmatched.OTHER_BOARD
    assert why(waiting, replace(foreign, id="zz", scores=(60, 121))) is e.Unmatched.OTHER_BOARD


def test_a_board_that_has_joined_reports_its_own_table_alone(club: Club) -> None:
    night = replace(club.nights[0], boards={"table-3": 1, "table-4": 2})
    club = replace(club, nights=(night,))
    assert why(club, replace(RESULT, board="table-4")) is e.Unmatched.OTHER_BOARD
    assert why(club, replace(RESULT, board="table-9")) is e.Unmatched.OTHER_BOARD
    assert game(after(club, RESULT)).scores


def test_only_boards_that_have_joined_take_a_table_where_there_is_a_code(club: Club) -> None:
    """A board that invents a result of an open table would else keep out the one that is played there."""
    club = evolve(club, set_join_code(club.nights[0], "123456"))
    stranger = replace(RESULT, board="table-9")
    assert waits_for_joining(club, stranger)
    joined = evolve(club, join_board(club, "table-3", "123456") or pytest.fail("it did not join"))
    assert waits_for_joining(joined, stranger) and not waits_for_joining(joined, RESULT)
    assert game(after(joined, RESULT)).scores
    assert not waits_for_joining(joined, replace(stranger, names=("Cat", "Dan")))  # the organiser hears of it at once


def test_of_each_board_only_so_many_results_without_a_game_are_kept(club: Club) -> None:
    for number in range(MOST_UNMATCHED):
        event = receive_result(club, replace(RESULT, names=("Cat", "Dan"), id=f"{number}"))
        assert isinstance(event, e.ResultUnmatched)
        club = evolve(club, event)
    with pytest.raises(TooManyUnmatched):
        receive_result(club, replace(RESULT, names=("Cat", "Dan"), id="one more"))
    assert isinstance(
        receive_result(club, replace(RESULT, names=("Cat", "Dan"), id="0", revision=2)), e.ResultUnmatched
    )
    assert isinstance(receive_result(club, replace(RESULT, names=("Cat", "Dan"), board="table-9")), e.ResultUnmatched)
    assert game(after(club, RESULT)).scores


def test_an_undone_end_can_be_played_again_on_another_board(club: Club) -> None:
    club = after(club, RESULT, replace(RESULT, revision=2, is_final=False))
    assert game(after(club, replace(RESULT, board="table-9", id="zz"))).scores
