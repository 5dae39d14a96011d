"""Marks to feel: key caps, peg heads and the pins of every fifth hole."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist, hypot

import pytest

from board_drivers.ports import KEY_ROWS
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.tactile import (
    BARS,
    PIN_HEAD_MM,
    PIN_SHAFT_MM,
    RING,
    dots_of,
    key_caps,
    mark_places,
    marks,
    peg_heads,
)

CASE = load_case()
LEGENDS = [key.legend for row in KEY_ROWS for key in row]


def test_no_two_keys_feel_alike() -> None:
    felt = [(tuple(sorted(dots_of(legend))), BARS.get(legend), legend == RING) for legend in LEGENDS]
    assert len(set(felt)) == len(LEGENDS) == 16
    assert all(dots or bars or ring for dots, bars, ring in felt)


def test_dots_stay_on_their_caps_and_apart_from_one_another() -> None:
    half_mm = float(re.findall(r"^width = ([\d.]+);", key_caps(CASE), re.M)[0]) / 2
    for legend in LEGENDS:
        dots = dots_of(legend)
        assert all(max(map(abs, dot)) < half_mm - 1 for dot in dots)
        assert all(dist(one, other) >= 2.49 for one, other in combinations(dots, 2))


def test_caps_lie_on_the_keypad_without_touching() -> None:
    program = key_caps(CASE)
    (caps,) = re.findall(r"^caps = \[(.*)\];", program, re.M)
    places = [tuple(map(float, place.split(", "))) for place in re.findall(r"\[([^\]]+)\]", caps)]
    width = float(re.findall(r"^width = ([\d.]+);", program, re.M)[0])
    assert len(places) == 16
    assert all(
        max(abs(x - other_x), abs(y - other_y)) > width + 2 for (x, y), (other_x, other_y) in combinations(places, 2)
    )
    assert all(width / 2 < x < CASE.keypad.width_mm - width / 2 for x, _ in places)


@pytest.mark.parametrize("plan", [load_plan(board) for board in plan_ids()], ids=plan_ids())
def test_every_fifth_hole_has_a_pin_with_wood_around_it(plan: BoardPlan) -> None:
    places = mark_places(plan)
    fifth_holes = [hole for hole in plan.holes if hole.track is not None and hole.hole > 0 and hole.hole % 5 == 0]
    assert len(places) == len(fifth_holes) > 0
    for place in places:
        walls = [dist(place, (hole.x_mm, hole.y_mm)) - (plan.plate.hole_mm + PIN_SHAFT_MM) / 2 for hole in plan.holes]
        lights = [
            dist(place, (hole.led_x_mm, hole.led_y_mm)) - (plan.plate.light_mm + PIN_HEAD_MM) / 2 for hole in plan.holes
        ]
        assert min(walls) > 1 and min(lights) >= 0
    assert f"[{places[0][0]:g}, {places[0][1]:g}]" in marks(plan, CASE)


def test_a_pin_is_nearer_to_its_own_hole_than_to_any_other() -> None:
    plan = load_plan("continuous-121-4")
    fifth = {(hole.x_mm, hole.y_mm) for hole in plan.holes if hole.hole > 0 and hole.hole % 5 == 0}
    for x, y in mark_places(plan):
        nearest = min(plan.holes, key=lambda hole: hypot(hole.x_mm - x, hole.y_mm - y))
        assert (nearest.x_mm, nearest.y_mm) in fifth


def test_heads_are_of_the_size_of_the_usual_one() -> None:
    program = peg_heads(CASE)
    assert f"head = {CASE.peg.head_mm:g};" in program and f"socket = {CASE.peg.socket_mm:g};" in program
    flat_mm = float(re.findall(r"^flat = ([\d.]+);", program, re.M)[0])
    assert CASE.peg.head_mm / 4 < flat_mm < CASE.peg.head_mm / 2  # cuts the rim of the head, and leaves its neck
