"""The matrix of hall switches and the chain of lights of a board on one circuit board."""

from __future__ import annotations

import pytest

from firmware_host.board.course import Hole
from firmware_host.board.matrix import MatrixPlace, column_count, light_order, matrix_places
from firmware_host.config.board_plans import load_plan, plan_ids


@pytest.mark.parametrize("board", plan_ids())
def test_every_hole_has_its_own_place_and_light(board: str) -> None:
    plan = load_plan(board)
    places = matrix_places(plan)
    assert places.keys() == {planned.sensor for planned in plan.holes}
    assert len(set(places.values())) == len(plan.holes)
    assert all(0 <= place.row < 16 and 0 <= place.column < column_count(plan) for place in places.values())
    assert sorted(light_order(plan), key=id) == sorted(plan.holes, key=id)


@pytest.mark.parametrize("board", plan_ids())
def test_a_row_line_crosses_all_streets_at_the_same_two_places(board: str) -> None:
    plan = load_plan(board)
    places = matrix_places(plan)
    for row in range(15):
        across = {round(planned.x_mm, 3) for planned in plan.holes if places[planned.sensor].row == row}
        assert len(across) == 2


@pytest.mark.parametrize(
    ("board", "columns"),
    [
        ("classic-61", 8),
        ("corners-61", 8),
        ("continuous-121-2", 16),
        ("continuous-121-3", 24),
        ("continuous-121-4", 32),
    ],
)
def test_sixteen_rows_and_whole_registers_of_columns_suffice(board: str, columns: int) -> None:
    assert column_count(load_plan(board)) == columns


def test_known_holes_of_the_classic_board() -> None:
    plan = load_plan("classic-61")
    places = matrix_places(plan)
    red = {hole: places[plan.at(0, Hole(hole)).sensor] for hole in (1, 15, 16, 30, 31, 60)}
    assert red[1] == MatrixPlace(0, 0)
    assert red[15] == MatrixPlace(0, 14)
    assert red[16] == MatrixPlace(1, 0)
    assert red[30] == MatrixPlace(1, 14)
    assert red[31] == MatrixPlace(3, 14)
    assert red[60] == MatrixPlace(2, 0)
    assert places[plan.game_holes[0].sensor] == MatrixPlace(2, 15)


def test_the_lights_of_the_classic_board_are_in_the_order_of_its_strips() -> None:
    """So that a strip of lights beside the holes and the circuit board look the same to the program."""
    plan = load_plan("classic-61")
    assert [planned.led for planned in light_order(plan)] == list(range(125))


@pytest.mark.parametrize("board", plan_ids())
def test_lights_snake_through_the_streets(board: str) -> None:
    """After the first holes no step of the chain is longer than from one street to the next."""
    lights = light_order(load_plan(board))
    outside = len(lights) % 30
    steps = zip(lights[outside:], lights[outside + 1 :], strict=False)
    assert max(abs(one.led_x_mm - other.led_x_mm) for one, other in steps) < 20
