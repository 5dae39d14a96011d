"""Boards that join a night by its code, and who should sit at them."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club import rule_errors as refused
from firmware_host.club.events import Event
from firmware_host.club.evolve import evolve
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.seating import join_board, release_board, seating_of, set_join_code
from firmware_host.club.state import Club
from firmware_host.mqtt_messages.reading import MalformedMessage
from firmware_host.mqtt_messages.seat import read_join

CODE = "123456"


def night_of(players: int) -> Club:
    club = Club()
    for number in range(players):
        club = evolve(club, d.add_member(club, f"Player {number + 1}"))
    club = evolve(club, d.create_night(club, "2026-03-14", NightSettings()))
    for number in range(players):
        club = evolve(club, d.enter_player(club, club.nights[-1], MemberId(number + 1)))
    return evolve(club, set_join_code(club.nights[-1], CODE))


def joined(club: Club, *boards: str) -> Club:
    for board in boards:
        event = join_board(club, board, CODE)
        assert event
        club = evolve(club, event)
    return club


def test_boards_get_the_lowest_free_tables_and_keep_them() -> None:
    club = joined(night_of(4), "b", "a", "c")
    assert club.nights[-1].boards == {"b": 1, "a": 2, "c": 3}
    assert join_board(club, "a", CODE) is None
    club = joined(evolve(club, release_board(club.nights[-1], "a")), "d")
    assert club.nights[-1].boards == {"b": 1, "c": 3, "d": 2}


def test_only_the_latest_code_of_the_latest_night_joins() -> None:
    club = night_of(2)
    with pytest.raises(refused.WrongJoinCode):
        join_board(club, "a", "654321")
    club = evolve(club, set_join_code(club.nights[-1], "000000"))
    with pytest.raises(refused.WrongJoinCode):
        join_board(club, "a", CODE)
    club = evolve(club, d.create_night(club, "2026-03-21", NightSettings(), closes=True))
    for code in ("000000", ""):  # no code yet: not even the empty one joins
        with pytest.raises(refused.WrongJoinCode):
            join_board(club, "a", code)
    with pytest.raises(refused.NoNight):
        join_board(Club(), "a", CODE)


@pytest.mark.parametrize("code", ["", "12345", "1234567", "12345x", "١٢٣٤٥٦"])
def test_a_code_has_six_digits(code: str) -> None:
    with pytest.raises(refused.NotAJoinCode):
        set_join_code(night_of(2).nights[-1], code)


def test_a_table_is_seated_until_its_game_has_scores() -> None:
    club = joined(night_of(4), "a", "b", "c")
    assert seating_of(club.nights[-1], "a").game is None
    club = evolve(club, d.pair_round(club, club.nights[-1]))
    games = club.nights[-1].rounds[0].games
    assert [seating_of(club.nights[-1], board).game for board in "abc"] == [*games, None]
    event: Event = d.report_result(club, club.nights[-1], 1, 1, (121, 90))
    club = evolve(club, event)
    assert seating_of(club.nights[-1], "a").game is None and seating_of(club.nights[-1], "b").game == games[1]


def test_only_a_board_that_has_joined_is_released() -> None:
    with pytest.raises(refused.UnknownBoard):
        release_board(night_of(2).nights[-1], "a")


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b'{"version": 1, "code": 123456}', b"1" * 300, b"\xff"])
def test_malformed_messages_have_no_code(payload: bytes) -> None:
    with pytest.raises(MalformedMessage, match="^join"):
        read_join(payload)
