"""Board plans: where the holes are, which sensor belongs to which hole, and the course of a game."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.board.course import START_HOLES, Course, Hole
from firmware_host.board.plan import BoardPlan, NoSuchHole, UnsupportedTarget
from firmware_host.config.board_plans import load_plan, plan_ids

ChangePlan = Callable[..., BoardPlan]
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize(
    ("board", "tracks", "holes", "strips", "bits", "leds", "width_mm", "height_mm"),
    [
        ("classic-61", 2, 125, 25, 200, 125, 368, 95),
        ("continuous-121-2", 2, 245, 51, 408, 255, 412, 178),
        ("continuous-121-3", 3, 367, 76, 608, 380, 412, 232),
        ("continuous-121-4", 4, 489, 101, 808, 505, 412, 293),
    ],
)
def test_boards_have_their_known_sizes(
    board: str, tracks: int, holes: int, strips: int, bits: int, leds: int, width_mm: int, height_mm: int
) -> None:
    plan = load_plan(board)
    assert (plan.tracks, plan.sensor_count, plan.strip_count) == (tracks, holes, strips)
    assert (plan.bit_count, plan.led_count) == (bits, leds)
    assert (round(plan.plate.width_mm), round(plan.plate.height_mm)) == (width_mm, height_mm)


@pytest.mark.parametrize("plan", PLANS)
def test_sensors_and_lights_follow_from_strip_and_place(plan: BoardPlan) -> None:
    for hole in plan.holes:
        assert hole.sensor == hole.strip * 8 + 3 + hole.pos
        assert hole.led == hole.strip * 5 + hole.pos


@pytest.mark.parametrize("plan", PLANS)
def test_every_track_has_every_hole_once_and_shares_the_game_hole_or_has_its_own(plan: BoardPlan) -> None:
    for track in range(plan.tracks):
        own = sorted(hole.hole for hole in plan.holes if hole.track == track)
        assert own == list(range(-1, plan.lap + 1 if plan.shares_game_hole else plan.lap + 2))
    assert [hole.hole for hole in plan.holes if hole.track is None] == [plan.game_hole] * plan.shares_game_hole


@pytest.mark.parametrize("plan", PLANS)
def test_pegs_stand_a_pitch_apart_and_other_holes_are_twice_as_far_from_a_light_as_its_own(
    plan: BoardPlan,
) -> None:
    places = [(hole.x_mm, hole.y_mm) for hole in plan.holes]
    assert min(math.dist(*pair) for pair in combinations(places, 2)) == pytest.approx(10.16, abs=0.002)
    for hole in plan.holes:
        own, foreign = sorted(math.dist((hole.led_x_mm, hole.led_y_mm), place) for place in places)[:2]
        assert own == pytest.approx(5.08, abs=0.002)
        assert foreign >= 2 * own - 0.002


@pytest.mark.parametrize("plan", PLANS)
def test_neighbouring_scores_are_neighbouring_holes_except_at_group_ends_and_bends(plan: BoardPlan) -> None:
    for track in range(plan.tracks):
        for number in range(1, plan.lap):
            one, other = plan.at(track, Hole(number)), plan.at(track, Hole(number + 1))
            if number % 5:
                assert abs(one.x_mm - other.x_mm) == pytest.approx(10.16, abs=0.002)
                assert one.strip == other.strip
            elif number % 30:
                assert abs(one.x_mm - other.x_mm) == pytest.approx(15.24, abs=0.002)
            else:
                assert one.x_mm == other.x_mm, "a bend leads to the row above or below"


def test_the_classic_chain_alternates_direction() -> None:
    plan = load_plan("classic-61")
    chain = [plan.name_of(hole.track, hole.hole) for hole in plan.holes]
    assert chain[:7] == ["blue start", "blue back start", "game hole", "red back start", "red start", "red 1", "red 2"]
    assert chain[34:36] == ["red 30", "red 31"]
    assert chain[64:66] == ["red 60", "blue 60"]
    assert chain[94:96] == ["blue 31", "blue 30"]
    assert chain[-1] == "blue 1"


def test_a_returning_chain_enters_every_row_on_the_left() -> None:
    plan = load_plan("continuous-121-2")
    rows = {strip.row: strip for strip in reversed(plan.strips)}
    lefts = {first.outline.left_mm for name, first in rows.items() if name.endswith(("-2", "-3", "-4"))}
    assert len(lefts) == 1
    assert all(hole.led_y_mm > hole.y_mm for hole in plan.holes if hole.track is not None)


@pytest.mark.parametrize(
    ("board", "target", "course"),
    [
        ("classic-61", 61, Course(60, 61, 61)),
        ("classic-61", 121, Course(60, 61, 121)),
        ("classic-61", 181, Course(60, 61, 181)),
        ("continuous-121-2", 61, Course(120, 61, 61, shares_game_hole=False)),
        ("continuous-121-4", 121, Course(120, 121, 121)),
    ],
)
def test_a_board_has_a_course_to_each_of_its_targets(board: str, target: int, course: Course) -> None:
    plan = load_plan(board)
    assert plan.course(target) == course
    for track in range(plan.tracks):
        for score in range(target + 1):
            plan.at(track, course.hole_of(score))


def test_a_game_to_61_on_the_long_board_ends_in_a_hole_of_each_track() -> None:
    plan = load_plan("continuous-121-3")
    ends = {plan.at(track, plan.course(61).hole_of(61)).sensor for track in range(3)}
    assert len(ends) == 3


@pytest.mark.parametrize(("board", "target"), [("classic-61", 91), ("continuous-121-2", 181), ("continuous-121-2", 0)])
def test_an_unsupported_target_is_refused_with_the_supported_ones(board: str, target: int) -> None:
    plan = load_plan(board)
    with pytest.raises(UnsupportedTarget) as refused:
        plan.course(target)
    assert (refused.value.board, refused.value.target) == (board, target)
    assert refused.value.supported == plan.targets
    assert all(str(supported) in str(refused.value) for supported in plan.targets)


@given(st.sampled_from([load_plan(board) for board in plan_ids()]), st.data())
def test_track_view_is_the_inverse_of_frame_of(plan: BoardPlan, data: st.DataObject) -> None:
    own = st.integers(-1, plan.lap).map(Hole)
    pegs = tuple(data.draw(st.frozensets(own, max_size=4)) for _ in range(plan.tracks))
    assert plan.track_view(plan.frame_of(pegs)) == pegs


def test_a_peg_in_its_own_game_hole_appears_in_its_track_only() -> None:
    plan = load_plan("corners-61")
    game = frozenset({plan.game_hole})
    assert plan.track_view(plan.frame_of([game, {Hole(3)}])) == (game, frozenset({Hole(3)}))
    assert plan.at(0, plan.game_hole).sensor != plan.at(1, plan.game_hole).sensor
    assert [plan.name_of(track, plan.game_hole) for track in (0, 1)] == ["red game hole", "blue game hole"]
    assert plan.named("blue game hole") == plan.at(1, plan.game_hole)


def test_players_start_from_opposite_corners() -> None:
    plan = load_plan("corners-61")
    for number in (-1, 0, 1, 30):
        one, other = (plan.at(track, Hole(number)) for track in (0, 1))
        middle_mm = plan.plate.width_mm / 2
        assert (one.x_mm < middle_mm) == (other.x_mm > middle_mm)
        assert one.y_mm > other.y_mm
    assert len(plan.holes) == 126


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan.id != "corners-61"])
def test_a_peg_in_the_game_hole_appears_in_every_track(plan: BoardPlan) -> None:
    frame = plan.frame_of([{plan.game_hole}, {Hole(3)}])
    game = frozenset({plan.game_hole})
    assert plan.track_view(frame) == (game, game | {3}, *[game] * (plan.tracks - 2))


def test_spare_inputs_and_undrilled_places_are_ignored(little_board: ChangePlan) -> None:
    plan = little_board()
    spare = frozenset(range(plan.bit_count + 8)) - set(plan.at_sensor)
    assert plan.track_view(spare) == (frozenset(), frozenset())


@pytest.mark.parametrize("plan", PLANS)
def test_names_of_holes_read_back(plan: BoardPlan) -> None:
    names = [plan.name_of(hole.track, hole.hole) for hole in plan.holes]
    assert len(set(names)) == plan.sensor_count
    assert [plan.named(name) for name in names] == list(plan.holes)


def test_holes_have_names_for_players() -> None:
    plan = load_plan("classic-61")
    assert plan.name_of(0, Hole(37)) == "red 37"
    assert plan.name_of(1, START_HOLES[1]) == "blue start"
    assert plan.name_of(None, plan.game_hole) == plan.name_of(1, plan.game_hole) == "game hole"
    assert plan.named("  Red   37 ") == plan.at(0, Hole(37))


@pytest.mark.parametrize("name", ["red 61", "red 0", "red -1", "red", "green 3", "37", "", "start"])
def test_an_unknown_hole_name_is_refused(name: str) -> None:
    with pytest.raises(NoSuchHole, match="red 37"):
        load_plan("classic-61").named(name)


def test_a_hole_that_is_not_drilled_is_refused() -> None:
    with pytest.raises(NoSuchHole, match="no hole 62 on track 1"):
        load_plan("classic-61").at(1, Hole(62))
