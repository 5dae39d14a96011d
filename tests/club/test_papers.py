"""What the papers of a night show: rows of scorecards, and where everybody sits."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club.evolve import evolve
from firmware_host.club.members import MemberId, NightSettings
from firmware_host.club.papers import blank_rows, card_rows, cards_a_sheet, tables_by_name
from firmware_host.club.state import Club

ANN, BOB, CAT = (MemberId(number) for number in (1, 2, 3))


def night_of(*names: str, games: int = 3) -> Club:
    club = Club()
    for name in names:
        club = evolve(club, d.add_member(club, name))
    club = evolve(club, d.create_night(club, "2026-03-14", NightSettings(games=games)))
    for number in range(len(names)):
        club = evolve(club, d.enter_player(club, club.nights[-1], MemberId(number + 1)))
    return club


def test_a_card_has_a_row_for_each_game_also_for_those_to_come() -> None:
    club = night_of("Ann", "Bob")
    club = evolve(club, d.pair_round(club, club.nights[-1]))
    club = evolve(club, d.correct_result(club.nights[-1], 1, 1, (121, 80), "read aloud"))
    first, second, third = card_rows(club.nights[-1], ANN)
    assert first.line and first.line.opponent == BOB and first.line.game_points == 3
    assert [second.line, third.line] == [None, None] and not (second.is_missed or third.is_missed)


def test_rounds_before_a_late_player_came_are_missed() -> None:
    club = night_of("Ann", "Bob")
    club = evolve(club, d.pair_round(club, club.nights[-1]))
    club = evolve(club, d.add_member(club, "Cat"))
    club = evolve(club, d.enter_player(club, club.nights[-1], CAT))
    assert [row.is_missed for row in card_rows(club.nights[-1], CAT)] == [True, False, False]


def test_a_blank_card_has_the_rows_of_the_night_and_nine_before_there_is_one() -> None:
    assert [row.number for row in blank_rows(None)] == list(range(1, 10))
    assert len(blank_rows(night_of("Ann", games=7).nights[-1])) == 7


@pytest.mark.parametrize(("games", "cards"), [(1, 4), (9, 4), (12, 4), (13, 2), (22, 2), (30, 2), (31, 1), (99, 1)])
def test_cards_of_nine_games_are_four_on_a_sheet_and_long_ones_fewer(games: int, cards: int) -> None:
    assert cards_a_sheet(games) == cards


def test_players_find_their_table_by_name_whatever_its_accents() -> None:
    club = night_of("Zoe", "Émile", "eva")
    assert tables_by_name(club, club.nights[-1]) == ()
    club = evolve(club, d.pair_round(club, club.nights[-1]))
    seats = tables_by_name(club, club.nights[-1])
    assert [name for name, _ in seats] == ["Émile", "eva", "Zoe"]
    assert sorted(table for _, table in seats) == [0, 1, 1]
