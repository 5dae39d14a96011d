"""The strip on stripboard is the strip of the netlist: whole, alone, under its holes, and able to be built."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from firmware_host.drafting.stripboard import stripboard_page, words_at
from firmware_host.plans import load_plan, plan_ids
from hardware.pcb.catalogue import HALL
from hardware.pcb.circuit import CircuitError
from hardware.strip.netlist import HOLES, STRIP
from hardware.strip.placement import SCREW_MM, strip_sheet
from hardware.stripboard.proof import faults, joined
from hardware.stripboard.strip import HALL_MM, LIGHT_MM, REGISTER, SCREWS, SENSORS, TO_92, places, strip_wiring
from hardware.stripboard.wiring import GRID_MM, Hole, Wiring, pin_of

WIRING = strip_wiring()
PATTERN = load_plan(plan_ids()[0]).pattern


def test_it_realises_the_netlist_exactly() -> None:
    assert faults(WIRING, STRIP) == []


def test_every_net_of_the_netlist_is_one_piece_of_copper_and_no_two_are_the_same() -> None:
    """Counted once more, without the checker's own words."""
    copper = joined(WIRING)
    groups = [
        {copper[part.ref, pin.number] for part in STRIP.parts for pin in part.kind.pins if part.nets[pin.number] == net}
        for net in STRIP.nets
    ]
    assert [len(group) for group in groups] == [1] * len(STRIP.nets)
    assert len(set().union(*groups)) == len(STRIP.nets)


@pytest.mark.parametrize("cut", sorted(WIRING.cuts), ids=str)
def test_no_cut_is_idle(cut: Hole) -> None:
    """Left out, it joins two nets: each is needed, and the checker sees it."""
    told = faults(replace(WIRING, cuts=WIRING.cuts - {cut}), STRIP)
    assert any(fault.startswith("expected one net on a piece of copper") for fault in told)


@pytest.mark.parametrize("number", range(len(WIRING.wires)))
def test_no_wire_is_idle(number: int) -> None:
    wires = [wire for place, wire in enumerate(WIRING.wires) if place != number]
    told = faults(replace(WIRING, wires=wires), STRIP)
    assert any("that do not touch" in fault or "expected a hole or a wire" in fault for fault in told)


def moved(ref: str, name: str, hole: str) -> Wiring:
    return replace(WIRING, legs={**WIRING.legs, pin_of(STRIP, ref, name): Hole.named(hole)})


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        pytest.param(moved("U1", "VCC", "S4c"), "S4c: expected one leg or wire, got 2", id="two legs in a hole"),
        pytest.param(moved("C1", "1", "S5b"), "S5b: expected no leg where the track is cut", id="a leg in a cut"),
        pytest.param(moved("C1", "1", "S22d"), "S22d: expected a hole of S, R, got none there", id="beside the board"),
        pytest.param(moved("R1", "2", "S1c"), "expected one net on a piece of copper, got", id="on the wrong track"),
        pytest.param(moved("U3", "OUT", "S14b"), "HOLE3: expected one piece of copper, got 2", id="beyond a cut"),
        pytest.param(
            replace(WIRING, legs={pin: hole for pin, hole in WIRING.legs.items() if pin != ("R7", "1")}),
            "R7.1 (1): expected a hole or a wire, got neither",
            id="a leg forgotten",
        ),
        pytest.param(
            replace(WIRING, wires=[*WIRING.wires, (Hole.named("R13e"), Hole.named("R14e"))]), "open U6.7", id="/Q7 tied"
        ),
        pytest.param(
            replace(WIRING, legs={**WIRING.legs, ("U7", "1"): Hole.named("S21b")}),
            "U7.1: expected a pin of strip, got none of this name",
            id="a part too many",
        ),
        pytest.param(
            replace(WIRING, cuts=WIRING.cuts | {Hole.named("R18c")}),
            "R18c: expected a hole to cut",
            id="a cut in the air",
        ),
    ],
)
def test_what_is_wrong_is_told_by_its_hole(broken: Wiring, told: str) -> None:
    assert any(told in fault for fault in faults(broken, STRIP)), faults(broken, STRIP)


@pytest.mark.parametrize("name", ["S", "4c", "s4c", "S4", "S4C", ""])
def test_what_is_no_hole_is_refused(name: str) -> None:
    with pytest.raises(CircuitError, match="expected a hole such as S4c"):
        Hole.named(name)


def test_what_is_no_pin_is_refused() -> None:
    with pytest.raises(CircuitError, match="U1: expected a pin of VCC, OUT, GND, got VDD"):
        pin_of(STRIP, "U1", "VDD")


def test_every_switch_lies_under_its_hole_with_its_legs_in_the_next_column() -> None:
    sheet, at = strip_sheet(PATTERN), places(PATTERN)
    for n in HOLES:
        switch, legs = sheet.places[f"U{n}"], [WIRING.legs[pin_of(STRIP, f"U{n}", name)] for name in TO_92]
        xs, ys = zip(*(at[leg] for leg in legs), strict=True)
        assert xs == pytest.approx([switch.x + GRID_MM] * 3)
        assert ys == pytest.approx([switch.y + step * GRID_MM for step in (1, 0, -1)])  # from below: VCC, GND, OUT
        assert GRID_MM - HALL_MM[1] / 2 > 0.8  # room for the bend
        light = sheet.places[f"D{n}"]
        assert at[Hole("S", legs[0].column - 1, 1)] == pytest.approx((light.x, light.y))


def test_the_register_stands_as_a_dip_16_does() -> None:
    legs = [WIRING.legs["U6", str(leg)] for leg in range(1, 17)]
    assert [leg.column for leg in legs] == [*range(7, 15), *range(14, 6, -1)]
    assert {leg.row for leg in legs[:8]} == {4} and {leg.row for leg in legs[8:]} == {1}  # 3 x 2.54 apart


def test_small_parts_have_the_pitch_they_are_sold_with() -> None:
    for part in STRIP.parts:
        if part.ref[0] in "RC":
            one, other = (WIRING.legs[part.ref, number] for number in "12")
            apart = abs(one.column - other.column) + abs(one.row - other.row)
            assert one.piece == other.piece and (one.column == other.column or one.row == other.row)
            assert apart in ((1, 2) if part.ref[0] == "C" else (1, 2)), (
                part.ref
            )  # 2.54 and 5.08; upright resistors 2.54


def test_both_pieces_fit_under_a_strip_and_the_screws_fit_the_holes() -> None:
    sheet, at = strip_sheet(PATTERN), places(PATTERN)
    for piece in (SENSORS, REGISTER):
        wide, high = ((count - 1 + 2 * piece.edge) * GRID_MM for count in (piece.columns, piece.rows))
        assert wide <= PATTERN.reach_mm + 1e-9 and high <= 12.7 + 1e-9
    assert [at[hole] for hole in SCREWS] == [pytest.approx((screw.x, screw.y)) for screw in sheet.screws]
    assert set(SCREWS) <= WIRING.cuts and SCREW_MM > 1.9  # wider than a track, so it cuts it
    assert LIGHT_MM / 2 < GRID_MM  # the wires of a light go straight down beside it


def test_strips_by_hand_keep_apart_as_the_plans_lay_them() -> None:
    """Piece S reaches a step of the grid beyond its outer holes, less the saw: within the lane and within the reach."""
    at, sheet = places(PATTERN), strip_sheet(PATTERN)
    xs, ys = zip(*at.values(), strict=True)
    saw = PATTERN.slack_mm / 2
    assert min(xs) - GRID_MM + saw >= -1e-6 and max(xs) + GRID_MM - saw <= sheet.width_mm + 1e-6
    for board in plan_ids():
        plan = load_plan(board)
        assert max(ys) - min(ys) + 2 * GRID_MM - 2 * saw <= plan.lane_mm - plan.pattern.slack_mm + 1e-6


def test_the_page_lists_every_leg_cut_and_wire() -> None:
    page = stripboard_page()
    for hole in (*WIRING.legs.values(), *WIRING.cuts):
        assert re.search(rf"\b{hole}\b", page), hole
    assert len(re.findall(r"^\|[ \d]*\| (?:[SR]\d+[a-e])? ?\|.*\|$", page, re.M)) >= len(WIRING.leads())
    assert all(word for word in words_at(WIRING).values())
    assert {pin.name for pin in HALL.pins} == set(TO_92)
