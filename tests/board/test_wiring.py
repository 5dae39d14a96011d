"""Strips in any order: the lesson finds each, and the plan that follows reads the board as it is."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.wiring import Heard, WiringLesson
from firmware_host.plans import load_plan, plan_ids


def learn(plan: BoardPlan, order: list[int]) -> WiringLesson:
    """Touch what is asked for, on a board whose strips are in this order."""
    lesson, real = WiringLesson(plan), plan.rewired(order)
    while hole := lesson.asked:
        lesson, heard = lesson.touched(real.at(hole.track or 0, hole.hole).sensor)
        assert heard is Heard.FOUND
    return lesson


@pytest.mark.parametrize("board", plan_ids())
@given(seed=st.integers(0, 10**9))
def test_any_order_is_learnt_with_one_touch_a_strip(board: str, seed: int) -> None:
    plan = load_plan(board)
    order = Random(seed).sample(range(plan.strip_count), plan.strip_count)
    lesson = learn(plan, order)
    assert lesson.order == tuple(order) and len(lesson.found) == plan.strip_count


@given(st.integers(0, 10**9))
def test_a_rewired_plan_reads_and_lights_the_same_wood(seed: int) -> None:
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


def test_a_sweep_along_the_street_finds_all_its_strips() -> None:
    plan = load_plan("classic-61")
    order = [(strip * 7 + 3) % 25 for strip in range(25)]
    real, lesson = plan.rewired(order), WiringLesson(plan)
    assert lesson.asked
    street = [plan.at(0, Hole(number)) for number in range(1, 31)]
    for hole in (lesson.asked, *street):
        lesson, _ = lesson.touched(real.at(hole.track or 0, hole.hole).sensor)
    assert len(lesson.found) == 7


def test_a_strip_that_lies_the_wrong_way_round_is_told() -> None:
    lesson = WiringLesson(load_plan("classic-61"))
    lesson, heard = lesson.touched(8 * 4 + 3 + 4)
    assert heard is Heard.TURNED and not lesson.found
    lesson, heard = lesson.touched(8 * 4 + 3 + 2)
    assert heard is Heard.ELSEWHERE and not lesson.found


def test_a_hole_that_does_not_answer_gives_way_to_the_next() -> None:
    lesson = WiringLesson(load_plan("classic-61"))
    first = lesson.asked
    lesson = lesson.pass_over()
    assert first and lesson.asked and (lesson.asked.strip, lesson.asked.pos) == (first.strip, first.pos + 1)
    lesson, heard = lesson.touched(8 * 9 + 3 + 1)
    assert heard is Heard.FOUND and lesson.found == {first.strip: 9}


def test_the_last_strip_follows_from_all_others() -> None:
    plan = load_plan("classic-61")
    lesson = WiringLesson(plan, {strip: strip for strip in range(24)})
    for _ in range(5):
        lesson = lesson.pass_over()
    assert lesson.asked is None and lesson.order == tuple(range(25))


def test_two_unknown_strips_are_not_guessed() -> None:
    plan = load_plan("classic-61")
    assert WiringLesson(plan, {strip: strip for strip in range(23)}).order is None


def test_an_order_that_names_a_strip_twice_is_no_order() -> None:
    with pytest.raises(ValueError, match="every strip from 0 to 24 once"):
        load_plan("classic-61").rewired([0] * 25)
