"""The print of the boards; that nothing is over a pad or beyond the edge, KiCad's design rule check finds out."""

from __future__ import annotations

import pytest

from firmware_host.board.matrix import EXTRA_ROW, light_order, matrix_places
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.layout import BoardLayout, Label, Placement
from firmware_host.circuits.netlist import chain_turns, matrix_circuit
from firmware_host.config.board_plans import load_plan
from hardware.kicad.layouts import BOARDS, layout_of
from hardware.pcb.designators import label_box
from hardware.pcb.houses import HOUSES
from hardware.pcb.outlines import FROM_EDGE_MM, LINE_MM, printed
from hardware.pcb.sexpr import Node, child, floats, row

ARROW = "\N{RIGHTWARDS ARROW}"
PLANS = [load_plan(name) for name in BOARDS]
LAYOUTS = [pytest.param(plan, layout_of(plan), id=plan.id) for plan in PLANS]
USB = "J1"


def printed_near(layout: BoardLayout, ref: str) -> list[Label]:
    """The texts around a connector, on the side of its body."""
    place = layout.places[ref]
    return [
        label
        for label in layout.labels
        if label.side is place.side and abs(label.x - place.x) < 14 and abs(label.y - place.y) < 14
    ]


@pytest.mark.parametrize(("plan", "layout"), LAYOUTS)
def test_every_connector_has_outline_number_first_pin_and_voltage(plan: BoardPlan, layout: BoardLayout) -> None:
    connectors = [part for part in matrix_circuit(plan).parts if part.ref[0] == "J"]
    assert len(connectors) == 4
    for part in connectors:
        texts = [label.text for label in printed_near(layout, part.ref)]
        assert part.ref in layout.outlined
        assert any(text.split()[0] == part.ref for text in texts)
        assert part.ref == USB or "1" in texts
        if {"5V", "VBUS"} & set(part.nets.values()):
            assert any("5V" in text.split() for text in texts), part.ref


@pytest.mark.parametrize(("plan", "layout"), LAYOUTS)
def test_every_text_is_large_enough_for_both_houses_and_within_the_board(plan: BoardPlan, layout: BoardLayout) -> None:
    for label in layout.labels:
        box = label_box(label)
        assert label.height >= max(house.text_height for house in HOUSES)
        assert box.left >= FROM_EDGE_MM, label
        assert box.right <= layout.width_mm - FROM_EDGE_MM, label
        assert box.top >= FROM_EDGE_MM, label
        assert box.bottom <= layout.height_mm - FROM_EDGE_MM, label


@pytest.mark.parametrize(("plan", "layout"), LAYOUTS)
def test_an_arrow_shows_the_way_of_the_lights_in_every_street(plan: BoardPlan, layout: BoardLayout) -> None:
    arrows = [label for label in layout.labels if label.text == ARROW]
    assert len(arrows) == 1 + len(chain_turns(light_order(plan)))
    for arrow in arrows:
        lights = [place for ref, place in layout.places.items() if ref[0] == "D" and ref != "D900"]
        nearest = min(lights, key=lambda light: abs(light.x - arrow.x) + abs(light.y - arrow.y))
        ahead = {0: nearest.x - arrow.x, 180: arrow.x - nearest.x, 90: arrow.y - nearest.y}
        assert ahead[arrow.turn] == pytest.approx(2.4, abs=0.01)


@pytest.mark.parametrize(("plan", "layout"), LAYOUTS)
def test_every_fifth_hole_of_a_street_has_its_number(plan: BoardPlan, layout: BoardLayout) -> None:
    places = matrix_places(plan)
    numbered = [str(hole.hole) for hole in plan.holes if places[hole.sensor].row != EXTRA_ROW and hole.hole % 5 == 0]
    assert sorted(numbered) == sorted(
        label.text for label in layout.labels if label.text.isdigit() and label.text != "1"
    )


def test_an_outline_is_as_thick_as_houses_print_and_ends_at_the_edge() -> None:
    layout = BoardLayout(100.0, 50.0, {}, [], [], [], 0.2)
    thin: list[Node] = ["stroke", row("width", 0.12), row("type", "solid")]
    line: list[Node] = ["fp_line", row("start", 1.0, 2.0), row("end", 1.0, 5.0), thin]
    shape = printed(line, Placement(97.0, 20.0, 90), layout)  # turned by a quarter: down in the footprint is right
    assert floats(child(shape, "start") or []) == [1.0, 2.0]
    assert floats(child(shape, "end") or []) == [1.0, 3.0 - FROM_EDGE_MM]
    assert floats(child(child(shape, "stroke") or [], "width") or []) == [LINE_MM]
