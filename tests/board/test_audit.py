"""A plan that is broken in one way has exactly that fault, with its place; the boards of this project have none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.board.audit import FaultKind, audit, light_frame_bytes
from firmware_host.board.components import PlannedHole
from firmware_host.board.course import Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline
from firmware_host.config.board_plans import load_plan, plan_ids

ChangePlan = Callable[..., BoardPlan]
CLASSIC = load_plan("classic-61")
PLANS = [load_plan(board) for board in plan_ids()]


def kinds(plan: BoardPlan) -> set[FaultKind]:
    return {fault.kind for fault in audit(plan)}


def named_in(plan: BoardPlan) -> set[str]:
    return {name for fault in audit(plan) for name in fault.where}


def with_hole(plan: BoardPlan, hole: PlannedHole, changed: PlannedHole | None) -> BoardPlan:
    """The plan with one hole changed, or taken out."""
    changes = {hole: (changed,) if changed else ()}
    return replace(plan, holes=tuple(new for old in plan.holes for new in changes.get(old, (old,))))


@pytest.mark.parametrize("plan", [pytest.param(plan, id=plan.id) for plan in PLANS])
def test_boards_of_this_project_have_no_fault(plan: BoardPlan) -> None:
    assert audit(plan) == ()


@pytest.mark.parametrize(("leds", "length"), [(125, 516), (255, 1044), (380, 1552), (505, 2060)])
def test_a_frame_for_the_lights_has_the_length_of_the_datasheet(leds: int, length: int) -> None:
    assert light_frame_bytes(leds) == length


plans = st.sampled_from(PLANS)
sampled = settings(max_examples=20)  # an audit of a large board takes some milliseconds


@sampled
@given(plans, st.data())
def test_a_hole_on_the_sensor_of_another_one_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.holes), min_size=2, max_size=2, unique=True))
    broken = with_hole(plan, one, replace(one, sensor=other.sensor))
    assert kinds(broken) == {FaultKind.SHARED_SENSOR, FaultKind.WRONG_SENSOR}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole) for hole in (one, other)}


@sampled
@given(plans, st.data())
def test_a_hole_with_the_light_of_another_one_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.holes), min_size=2, max_size=2, unique=True))
    broken = with_hole(plan, one, replace(one, led=other.led))
    assert kinds(broken) == {FaultKind.SHARED_LED, FaultKind.WRONG_LED}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole) for hole in (one, other)}


@sampled
@given(plans, st.data())
def test_a_hole_wired_to_nothing_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(plan.holes))
    assert kinds(with_hole(plan, hole, replace(hole, sensor=8 * plan.strip_count + 3))) == {FaultKind.WRONG_SENSOR}
    assert kinds(with_hole(plan, hole, replace(hole, led=5 * plan.strip_count))) == {FaultKind.WRONG_LED}


@sampled
@given(plans, st.data())
def test_a_hole_that_is_missing_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(plan.holes))
    broken = with_hole(plan, hole, None)
    assert kinds(broken) == {FaultKind.MISSING_HOLE}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole)}


@sampled
@given(plans, st.data())
def test_a_score_drilled_twice_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from([hole for hole in plan.holes if hole.track is not None]))
    number = data.draw(st.integers(-1, plan.lap).filter(lambda number: number != hole.hole))
    faults = {fault.kind: fault.where for fault in audit(with_hole(plan, hole, replace(hole, hole=Hole(number))))}
    assert faults == {
        FaultKind.MISSING_HOLE: (plan.name_of(hole.track, hole.hole),),
        FaultKind.REPEATED_HOLE: (plan.name_of(hole.track, Hole(number)),),
    }


def test_a_hole_beyond_the_course_is_found() -> None:
    hole = CLASSIC.named("red 60")
    faults = {fault.kind: fault.where for fault in audit(with_hole(CLASSIC, hole, replace(hole, hole=Hole(62))))}
    assert faults == {FaultKind.MISSING_HOLE: ("red 60",), FaultKind.UNKNOWN_HOLE: ("red 62",)}


@sampled
@given(plans, st.data())
def test_holes_too_near_are_found(plan: BoardPlan, data: st.DataObject) -> None:
    neighbours = [
        (one, other) for one, other in zip(plan.holes, plan.holes[1:], strict=False) if other.pos == one.pos + 1
    ]
    one, other = data.draw(st.sampled_from([pair for pair in neighbours if pair[0].strip == pair[1].strip]))
    part = data.draw(st.floats(0.01, 0.3))
    nearer = replace(
        one, x_mm=one.x_mm + part * (other.x_mm - one.x_mm), y_mm=one.y_mm + part * (other.y_mm - one.y_mm)
    )
    broken = with_hole(plan, one, nearer)
    assert kinds(broken) == {FaultKind.HOLES_TOO_CLOSE}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole) for hole in (one, other)}


@sampled
@given(plans, st.data())
def test_two_holes_in_one_place_are_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.holes), min_size=2, max_size=2, unique=True))
    broken = with_hole(plan, one, replace(one, x_mm=other.x_mm, y_mm=other.y_mm))
    assert kinds(broken) == {FaultKind.SHARED_PLACE, FaultKind.LED_TOO_CLOSE}
    shared = next(fault for fault in audit(broken) if fault.kind is FaultKind.SHARED_PLACE)
    assert set(shared.where) == {plan.name_of(hole.track, hole.hole) for hole in (one, other)}


@sampled
@given(plans, st.data())
def test_a_light_beside_the_hole_of_another_one_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.holes), min_size=2, max_size=2, unique=True))
    broken = with_hole(plan, one, replace(one, led_x_mm=other.x_mm, led_y_mm=other.y_mm + 1.0))
    assert kinds(broken) == {FaultKind.LED_TOO_CLOSE}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole) for hole in (one, other)}


def test_a_light_drilled_into_its_own_hole_is_found(classic_board: ChangePlan) -> None:
    faults = audit(classic_board(("light_mm = 5.08", "light_mm = 3.0")))
    assert {fault.kind for fault in faults} == {FaultKind.LED_TOO_CLOSE}
    assert len(faults) == CLASSIC.sensor_count


@sampled
@given(plans, st.data())
def test_strips_in_one_place_are_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.strips), min_size=2, max_size=2, unique=True))
    moved = tuple(replace(strip, outline=other.outline) if strip is one else strip for strip in plan.strips)
    broken = replace(plan, strips=moved)
    assert kinds(broken) == {FaultKind.OVERLAPPING_STRIPS}
    assert named_in(broken) == {f"strip {one.number}", f"strip {other.number}"}


def test_strips_that_only_touch_do_not_overlap() -> None:
    assert not Outline(0, 0, 10, 5).overlaps(Outline(10, 0, 20, 5))
    assert Outline(0, 0, 10, 5).overlaps(Outline(9.9, 4.9, 20, 9))


@sampled
@given(plans, st.data())
def test_a_strip_visited_twice_or_never_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    one, other = data.draw(st.lists(st.sampled_from(plan.strips), min_size=2, max_size=2, unique=True))
    renumbered = tuple(replace(strip, number=other.number) if strip is one else strip for strip in plan.strips)
    faults = audit(replace(plan, strips=renumbered))
    assert {fault.kind for fault in faults} == {FaultKind.STRIP_COUNT}
    assert {fault.where[0]: fault.got for fault in faults} == {
        f"strip {one.number}": "0",
        f"strip {other.number}": "2",
    }


def test_holes_on_a_missing_strip_are_found() -> None:
    faults = audit(replace(CLASSIC, strips=CLASSIC.strips[:-1]))
    assert [(fault.kind, fault.where) for fault in faults] == [(FaultKind.STRIP_COUNT, ("strip 24",))]


@sampled
@given(plans, st.data())
def test_a_hole_off_the_plate_is_found(plan: BoardPlan, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(plan.holes))
    beyond = data.draw(st.floats(-50, 4.5))
    at_edge = data.draw(st.sampled_from([(beyond, 2.0), (plan.plate.width_mm - beyond, plan.plate.height_mm - 2.0)]))
    broken = with_hole(plan, hole, replace(hole, x_mm=at_edge[0], y_mm=at_edge[1]))
    assert kinds(broken) == {FaultKind.OFF_PLATE}
    assert named_in(broken) == {plan.name_of(hole.track, hole.hole)}


def test_strips_that_stick_out_from_under_the_plate_are_found(classic_board: ChangePlan) -> None:
    faults = audit(classic_board(("margin_mm = 14.0", "margin_mm = 6.0")))
    assert {fault.kind for fault in faults} == {FaultKind.OFF_PLATE}
    assert {fault.where[0].split()[0] for fault in faults} == {"strip"}


def test_rows_too_near_make_strips_overlap_and_pegs_touch(classic_board: ChangePlan) -> None:
    assert kinds(classic_board(("y = 3.5", "y = 4.0"))) == {FaultKind.OVERLAPPING_STRIPS, FaultKind.HOLES_TOO_CLOSE}


def test_lanes_too_near_make_strips_overlap_and_lights_ambiguous(little_board: ChangePlan) -> None:
    assert kinds(little_board(("y = 1.0", "y = 0.9"))) == {FaultKind.OVERLAPPING_STRIPS, FaultKind.LED_TOO_CLOSE}


def test_more_lights_than_one_transfer_carries_are_found(little_board: ChangePlan) -> None:
    long_row = f'spare = {{ y = 4.0, holes = "{"- " * 1000}" }}\nend ='
    faults = audit(little_board(("end =", long_row), ('"end"]', '"end", "spare"]')))
    assert [fault.kind for fault in faults] == [FaultKind.LED_FRAME_TOO_LONG]


def test_all_faults_are_found_and_not_only_the_first() -> None:
    hole = CLASSIC.named("red 5")
    broken = with_hole(CLASSIC, hole, replace(hole, sensor=0, led=999, x_mm=-5.0))
    broken = with_hole(broken, broken.named("blue 7"), None)
    found = {(fault.kind, fault.where) for fault in audit(broken)}
    assert found == {
        (FaultKind.WRONG_SENSOR, ("red 5",)),
        (FaultKind.WRONG_LED, ("red 5",)),
        (FaultKind.OFF_PLATE, ("red 5",)),
        (FaultKind.MISSING_HOLE, ("blue 7",)),
    }


def test_the_text_of_a_fault_has_kind_place_expected_and_got() -> None:
    hole = CLASSIC.named("red 5")
    (fault,) = audit(with_hole(CLASSIC, hole, replace(hole, led=999)))
    assert (
        str(fault) == f"wrong light number for its place on the strip (red 5): expected light {hole.led}, got light 999"
    )
