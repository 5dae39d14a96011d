"""Pegs and lights by score: on a lapped board the hole alone does not say the lap."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.board.course import Course, Hole
from tests.web_panel.conftest import Rig
from web_panel.views.pegs import Expected, place_of, position_of

CLASSIC_TO_121 = Course(lap=60, game_hole=61, target=121)
CONTINUOUS_TO_61 = Course(lap=120, game_hole=61, target=61)


@pytest.mark.parametrize(
    ("hole", "near", "score"),
    [(3, 0, 3), (3, 58, 63), (59, 63, 59), (60, 118, 120), (61, 118, 121), (0, 5, 0), (-1, 5, -1)],
)
def test_a_hole_stands_for_the_nearest_score(hole: int, near: int, score: int) -> None:
    assert place_of(CLASSIC_TO_121, Hole(hole), [near]) == score


def test_a_hole_beyond_the_game_hole_has_no_score() -> None:
    assert place_of(CONTINUOUS_TO_61, Hole(61), [55]) == 61
    assert place_of(CONTINUOUS_TO_61, Hole(80), [55]) is None


def test_the_start_holes_have_a_front_and_a_back_peg() -> None:
    assert [position_of(CLASSIC_TO_121, Hole(hole), Expected()) for hole in (-1, 0, 1)] == ["back", "front", ""]
    assert [position_of(CLASSIC_TO_121, Hole(hole), Expected((5,), (0,))) for hole in (-1, 0, 5)] == [
        "back",
        "back",
        "front",
    ]


def places(state: Any, key: str, track: int) -> set[tuple[str, int]]:
    name = "position" if key == "pegs" else "signal"
    return {(each[name], each["score"]) for each in state[key] if each["track"] == track}


def test_pegs_of_the_second_lap_have_their_scores(rig: Rig) -> None:
    rig.begin(scores=[57, 0])
    rig.leap(0, 0, 3)
    assert places(rig.state(), "pegs", 0) == {("back", 57), ("front", 63)}
    assert places(rig.state(), "pegs", 1) == {("back", -1), ("front", 0)}


def test_a_back_peg_more_than_half_a_lap_behind_has_its_own_score(rig: Rig) -> None:
    rig.begin(scores=[10, 0])
    rig.leap(0, 0, 50)
    assert places(rig.state(), "pegs", 0) == {("back", 10), ("front", 50)}


def test_a_light_over_the_end_of_a_lap_has_its_score(rig: Rig) -> None:
    rig.begin(scores=[60, 0])
    rig.command("starter", card="JH")
    assert ("to", 62) in places(rig.state(), "lights", 0)


def test_a_peg_too_far_has_the_score_of_its_hole(rig: Rig) -> None:
    rig.begin(scores=[60, 0])
    rig.command("starter", card="JH")
    rig.leap(0, 0, 3)
    state = rig.state()
    assert ("front", 63) in places(state, "pegs", 0)
    assert {("wrong", 63), ("to", 62)} <= places(state, "lights", 0)


def test_without_a_game_the_pegs_stand_at_the_start(rig: Rig) -> None:
    state = rig.state()
    assert places(state, "pegs", 0) == {("back", -1), ("front", 0)}
    assert (state["board"]["lap"], state["board"]["game_hole"], state["board"]["target"]) == (60, 61, 121)


def test_a_seat_has_its_side(rig: Rig) -> None:
    assert rig.state()["seats"] == []
    seats = rig.begin(variant="four_partners", names=["Ann", "Ben", "Cem", "Dan"])["seats"]
    assert [seat["side"] for seat in seats] == [0, 1, 0, 1]
