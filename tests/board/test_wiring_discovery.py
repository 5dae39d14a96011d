"""Strips in any order: the discovery finds each, and the plan rewired by it reads the board correctly."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.wiring_discovery import TouchResult, WiringDiscovery
from firmware_host.config.board_plans import load_plan, plan_ids


def discover(plan: BoardPlan, order: list[int]) -> WiringDiscovery:
    """Touches the requested holes of a board whose strips are in this order."""
    discovery, real = WiringDiscovery(plan), plan.rewired(order)
    while hole := discovery.next_hole:
        discovery, touch = discovery.touched(real.at(hole.track or 0, hole.hole).sensor)
        assert touch is TouchResult.FOUND
    return discovery


@pytest.mark.parametrize("board", plan_ids())
@given(seed=st.integers(0, 10**9))
def test_any_order_is_found_with_one_touch_a_strip(board: str, seed: int) -> None:
    plan = load_plan(board)
    order = Random(seed).sample(range(plan.strip_count), plan.strip_count)
    discovery = discover(plan, order)
    assert discovery.order == tuple(order) and len(discovery.found) == plan.strip_count


@given(st.integers(0, 10**9))
def test_a_rewired_plan_has_the_same_holes_and_lights(seed: int) -> None:
    random, plan = Random(seed), load_plan("classic-61")
    order = random.sample(range(25), 25)
    tracks = [[hole.hole for hole in plan.holes if hole.track == track] for track in (0, 1)]
    views = [frozenset(random.sample(holes, random.randrange(6))) for holes in tracks]
    rewired = plan.rewired(order)
    assert rewired.track_view(rewired.frame_of(views)) == tuple(views)
    for hole in plan.holes:
        moved = rewired.at(hole.track or 0, hole.hole)
        assert (moved.sensor // 8, moved.led // 5) == (order[hole.strip],) * 2
        assert (moved.sensor % 8, moved.led % 5, moved.x_mm, moved.y_mm) == (
            *(hole.sensor % 8, hole.led % 5, hole.x_mm, hole.y_mm),
        )
    assert sorted(hole.sensor for hole in rewired.holes) == [hole.sensor for hole in rewired.holes]


def test_a_peg_drawn_along_a_street_finds_all_its_strips() -> None:
    plan = load_plan("classic-61")
    order = [(strip * 7 + 3) % 25 for strip in range(25)]
    real, discovery = plan.rewired(order), WiringDiscovery(plan)
    assert discovery.next_hole
    street = [plan.at(0, Hole(number)) for number in range(1, 31)]
    for hole in (discovery.next_hole, *street):
        discovery, _ = discovery.touched(real.at(hole.track or 0, hole.hole).sensor)
    assert len(discovery.found) == 7


def test_a_strip_that_lies_the_wrong_way_round_is_reported() -> None:
    discovery = WiringDiscovery(load_plan("classic-61"))
    discovery, touch = discovery.touched(8 * 4 + 3 + 4)
    assert touch is TouchResult.TURNED and not discovery.found
    discovery, touch = discovery.touched(8 * 4 + 3 + 2)
    assert touch is TouchResult.ELSEWHERE and not discovery.found


def test_after_a_skipped_hole_the_next_one_of_the_strip_is_requested() -> None:
    discovery = WiringDiscovery(load_plan("classic-61"))
    first = discovery.next_hole
    discovery = discovery.skip_hole()
    assert (
        first
        and discovery.next_hole
        and (discovery.next_hole.strip, discovery.next_hole.pos) == (first.strip, first.pos + 1)
    )
    discovery, touch = discovery.touched(8 * 9 + 3 + 1)
    assert touch is TouchResult.FOUND and discovery.found == {first.strip: 9}


def test_the_last_strip_follows_from_all_others() -> None:
    plan = load_plan("classic-61")
    discovery = WiringDiscovery(plan, {strip: strip for strip in range(24)})
    for _ in range(5):
        discovery = discovery.skip_hole()
    assert discovery.next_hole is None and discovery.order == tuple(range(25))


def test_there_is_no_order_while_two_strips_are_unknown() -> None:
    plan = load_plan("classic-61")
    assert WiringDiscovery(plan, {strip: strip for strip in range(23)}).order is None


def test_an_order_with_a_strip_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="every strip from 0 to 24 once"):
        load_plan("classic-61").rewired([0] * 25)
