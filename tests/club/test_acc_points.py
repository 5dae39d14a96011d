"""The points that public pages of the ACC and its clubs print."""

from __future__ import annotations

import pytest

from firmware_host.club.standings import Sums
from firmware_host.club_server.acc_points import acc_points, first_of_lower_half
from tests.club.test_papers import night_of


@pytest.mark.parametrize(("game_points", "is_earned"), [(0, False), (11, False), (12, True), (27, True)])
def test_a_card_earns_grass_roots_points_from_12_game_points_on(game_points: int, is_earned: bool) -> None:
    assert acc_points().grass_roots.is_earned_by(Sums(game_points)) == is_earned


@pytest.mark.parametrize(("games", "are_for"), [(6, False), (9, True), (22, False)])
def test_grass_roots_points_are_for_nights_of_nine_games(games: int, are_for: bool) -> None:
    assert acc_points().grass_roots.are_for(night_of("Ann", "Bob", games=games).nights[-1]) == are_for


def test_the_lower_half_of_the_qualifiers_gets_5_master_points_or_3_in_a_consolation() -> None:
    points = acc_points().master_points
    assert (points.lower_half_main, points.lower_half_consolation) == (5, 3)
    assert [first_of_lower_half(qualifiers) for qualifiers in (2, 8, 31, 32)] == [2, 5, 17, 17]


def test_every_table_names_its_page() -> None:
    points = acc_points()
    assert points.grass_roots.source.startswith("tricityvoice.com/")
    assert points.master_points.source.startswith("cribbage.org/")
