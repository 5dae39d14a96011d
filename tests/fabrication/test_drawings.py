"""Drawings at true size: every file format agrees with the plan to a hundredth of a millimetre."""

from __future__ import annotations

import math
import re

import pytest

from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.board_space import board_space, clips
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.dxf import as_dxf
from firmware_host.fabrication.pdf import POINTS_PER_MM, as_pdf, full_page
from firmware_host.fabrication.pockets import pockets_of
from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Polyline, Rectangle, Text, format_number
from firmware_host.fabrication.solids import plate, spacer
from firmware_host.fabrication.svg import as_svg
from firmware_host.fabrication.template import (
    BAR_MM,
    BORDER_MM,
    bottom_template,
    drill_template,
    plate_cut,
    scale_bar,
    spacer_cut,
)
from firmware_host.fabrication.tiles import EDGE_MM, OVERLAP_MM, PAPERS_MM, best_tiling, tile_pages

CASE = load_case()
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]
TOLERANCE_MM = 0.01


def circles_on(drawing: Drawing, layer: Layer) -> list[Circle]:
    return [shape for shape in drawing.shapes if isinstance(shape, Circle) and shape.layer is layer]


@pytest.mark.parametrize("plan", PLANS)
def test_every_hole_light_and_screw_is_on_the_template_at_its_planned_position(plan: BoardPlan) -> None:
    drawn = drill_template(plan, CASE)
    for layer, places in (
        (Layer.PEG, [(hole.x_mm, hole.y_mm) for hole in plan.holes]),
        (Layer.LED, [(hole.led_x_mm, hole.led_y_mm) for hole in plan.holes]),
        (Layer.SCREWS, list(CASE.screws.places(plan.plate))),
    ):
        there = [(ring.centre[0] - BORDER_MM, ring.centre[1] - BORDER_MM) for ring in circles_on(drawn, layer)]
        assert len(there) == len(places)
        assert all(math.dist(*pair) < 1e-9 for pair in zip(there, places, strict=True))


@pytest.mark.parametrize("plan", PLANS)
def test_the_svg_has_true_size_and_positions(plan: BoardPlan) -> None:
    drawn = drill_template(plan, CASE)
    text = as_svg(drawn)
    size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert size and size.group(1, 2) == size.group(3, 4)
    assert abs(float(size[1]) - plan.plate.width_mm - 2 * BORDER_MM) < TOLERANCE_MM
    circles = [
        tuple(map(float, found)) for found in re.findall(r'"PEG" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', text)
    ]
    for (x, y, radius), hole in zip(circles, plan.holes, strict=True):
        assert math.dist((x, drawn.height_mm - y), (hole.x_mm + BORDER_MM, hole.y_mm + BORDER_MM)) < TOLERANCE_MM
        assert radius * 2 == plan.plate.hole_mm


@pytest.mark.parametrize("plan", PLANS)
def test_the_pdf_has_true_size(plan: BoardPlan) -> None:
    drawn = drill_template(plan, CASE)
    box = re.search(rb"MediaBox\[0 0 ([\d.]+) ([\d.]+)\]", as_pdf(drawn, [full_page(drawn)]))
    assert box
    for points, wanted_mm in zip(box.groups(), (drawn.width_mm, drawn.height_mm), strict=True):
        assert abs(float(points) / POINTS_PER_MM - wanted_mm) < TOLERANCE_MM


def test_the_pdf_cross_reference_table_has_the_offset_of_each_object() -> None:
    drawn = drill_template(load_plan("classic-61"), CASE)
    written = as_pdf(drawn, tile_pages(drawn, "a4"))
    table = written[int(written.split()[-2]) :]
    starts = [int(line.split()[0]) for line in table.splitlines()[3:] if line.endswith(b" n ")]
    assert len(starts) == 5 + 2 * best_tiling(drawn, "a4").tiles
    for index, start in enumerate(starts, start=1):
        assert written[start:].startswith(b"%d 0 obj" % index)


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("plan", PLANS)
def test_tiles_cover_the_whole_drawing_and_overlap(plan: BoardPlan, paper: str) -> None:
    drawn = drill_template(plan, CASE)
    pages = tile_pages(drawn, paper)
    for page in pages:
        left, bottom, right, top = page.window
        assert sorted((page.width_mm, page.height_mm)) == sorted(PAPERS_MM[paper])
        assert page.place[0] + right - left <= page.width_mm - EDGE_MM + 1e-9
        assert page.place[1] + top - bottom <= page.height_mm - EDGE_MM + 1e-9
    for axis, size_mm in ((0, drawn.width_mm), (1, drawn.height_mm)):
        spans = sorted({(page.window[axis], page.window[axis + 2]) for page in pages})
        assert spans[0][0] == 0 and spans[-1][1] >= size_mm
        assert all(
            abs(before[1] - after[0] - OVERLAP_MM) < 1e-9 for before, after in zip(spans, spans[1:], strict=False)
        )


@pytest.mark.parametrize("plan", PLANS)
def test_each_tile_has_a_number_a_scale_bar_and_crosses_shared_with_a_neighbour(plan: BoardPlan) -> None:
    pages = tile_pages(drill_template(plan, CASE), "a4")
    crosses = []
    for number_, page in enumerate(pages, start=1):
        texts = [shape.text for shape in page.own if isinstance(shape, Text)]
        assert any(f"tile {number_} of {len(pages)}" in text for text in texts)
        assert any("100 mm" in text for text in texts)
        on_drawing = (page.window[0] - page.place[0], page.window[1] - page.place[1])
        arms = [shape.places for shape in page.own if isinstance(shape, Polyline) and len(shape.places) == 2]
        crosses.append(
            {
                (round((one[0] + other[0]) / 2 + on_drawing[0], 3), round(one[1] + on_drawing[1], 3))
                for one, other in arms
                if one[1] == other[1] and abs(other[0] - one[0] - 8.0) < 1e-6
            }
        )
    assert all(any(mine & theirs for theirs in crosses if theirs is not mine) for mine in crosses)


def test_the_scale_bar_is_100_mm_long() -> None:
    bar = next(shape for shape in scale_bar((3.0, 4.0)) if isinstance(shape, Polyline))
    assert math.dist(*bar.places) == BAR_MM == 100.0


@pytest.mark.parametrize("plan", PLANS)
def test_the_dxf_has_layers_and_every_hole(plan: BoardPlan) -> None:
    codes = as_dxf(plate_cut(plan, CASE)).splitlines()
    pairs = list(zip(codes[::2], codes[1::2], strict=True))
    circles = [pairs[at + 1][1] for at, pair in enumerate(pairs) if pair == ("0", "CIRCLE")]
    assert circles.count("PEG") == circles.count("LED") == len(plan.holes)
    assert circles.count("SCREWS") == len(CASE.screws.places(plan.plate))
    assert circles.count("PILOT") == len(clips(plan, CASE))
    layers = {pairs[at + 1][1] for at, pair in enumerate(pairs) if pair == ("0", "LAYER")}
    assert layers == {"PEG", "LED", "OUTLINE", "SCREWS", "PILOT", "RECESS", "ENGRAVE"}
    assert ("9", "$INSUNITS") in pairs and pairs[pairs.index(("9", "$INSUNITS")) + 1] == ("70", "4"), "millimetres"


@pytest.mark.parametrize("plan", PLANS)
def test_the_spacer_has_one_pocket_per_row_and_more_for_the_controller(plan: BoardPlan) -> None:
    pockets = [shape for shape in spacer_cut(plan, CASE).shapes if shape.layer is Layer.POCKET]
    assert len(pockets) > len({strip.row for strip in plan.strips})


@pytest.mark.parametrize("plan", PLANS)
def test_plate_screws_have_clearance_to_circuit_board_holes_and_edges(plan: BoardPlan) -> None:
    head = CASE.screws.head_mm / 2
    for x, y in CASE.screws.places(plan.plate):
        assert head <= x <= plan.plate.width_mm - head and head <= y <= plan.plate.height_mm - head
        for hole in plan.holes:
            assert math.dist((x, y), (hole.x_mm, hole.y_mm)) > head + plan.plate.hole_mm / 2
            assert math.dist((x, y), (hole.led_x_mm, hole.led_y_mm)) > head + plan.plate.light_mm / 2
        space = board_space(plan.id)
        assert space
        leg = CASE.leg.wide_mm / math.sqrt(3)
        for box, away in ((space.outline, leg), *((box, leg) for p in pockets_of(plan, CASE) for box in p.boxes)):
            nearest = min(max(x, box.left_mm), box.right_mm), min(max(y, box.bottom_mm), box.top_mm)
            assert math.dist((x, y), nearest) > away


@pytest.mark.parametrize("plan", PLANS)
def test_the_bottom_template_is_the_mirrored_plate(plan: BoardPlan) -> None:
    drawn = bottom_template(plan, CASE)
    for layer, places in ((Layer.PILOT, clips(plan, CASE)), (Layer.SCREWS, CASE.screws.places(plan.plate))):
        there = [(drawn.width_mm - ring.centre[0], ring.centre[1]) for ring in circles_on(drawn, layer)]
        wanted = [(x + BORDER_MM, y + BORDER_MM) for x, y in places]
        assert all(math.dist(*pair) < 1e-9 for pair in zip(there, wanted, strict=True))
    assert {ring.diameter_mm for ring in circles_on(plate_cut(plan, CASE), Layer.PILOT)} == {CASE.pilot.hole_mm}
    assert [ring.centre for ring in circles_on(plate_cut(plan, CASE), Layer.PILOT)] == list(clips(plan, CASE))
    screws = circles_on(spacer_cut(plan, CASE), Layer.SCREWS)
    assert [ring.centre for ring in screws if ring.diameter_mm == CASE.clip.hole_mm] == list(clips(plan, CASE))
    assert [shape for shape in drawn.shapes if shape.layer is Layer.RECESS]


@pytest.mark.parametrize("plan", PLANS)
def test_openscad_programs_have_the_dimensions_of_the_plan(plan: BoardPlan) -> None:
    wood = plate(plan, CASE)
    assert f"width = {format_number(plan.plate.width_mm)};" in wood and f"hole = {plan.plate.hole_mm:g};" in wood
    screws, pilots = len(CASE.screws.places(plan.plate)), len(clips(plan, CASE))
    assert re.search(r"^recess = \[(\[([\d.]+, ){3}[\d.]+\](, )?){2}\];$", wood, re.MULTILINE)
    assert len(re.findall(r"\[[\d.]+, [\d.]+\]", wood)) == 2 * len(plan.holes) + screws + pilots
    corners = sum(len(pocket.corners) for pocket in pockets_of(plan, CASE))
    assert len(re.findall(r"\[[\d.]+, [\d.]+\]", spacer(plan, CASE))) == corners + screws + pilots


def test_bezel_openings_leave_a_wall_between_them() -> None:
    openings, bezel = bezel_layout(CASE), CASE.bezel
    assert openings.glass[1] - openings.keys[3] >= bezel.wall_mm
    assert openings.keys[1] >= bezel.wall_mm and openings.keys[0] >= bezel.wall_mm
    assert openings.glass[3] <= bezel.height_mm - bezel.wall_mm
    for x, y in (*openings.screws, *openings.oled_screws):
        for left, bottom, right, top in (openings.glass, openings.keys):
            assert not (left < x < right and bottom < y < top)


def test_numbers_are_formatted_without_trailing_digits() -> None:
    assert [format_number(value) for value in (3.0, -0.0, 0.1 + 0.2, 1e-9, 95.31)] == ["3", "0", "0.3", "0", "95.31"]


def test_special_characters_are_escaped_in_every_format() -> None:
    text = 'A < B & "C" (d) \\ é ♠'
    drawn = Drawing("t & (t)", 10, 10, (Text(Layer.NOTES, (1, 1), text, 2), Rectangle(Layer.NOTES, (0, 0), 9, 9, 1)))
    assert "A &lt; B &amp;" in as_svg(drawn)
    assert b"\\(d\\)" in as_pdf(drawn, [full_page(drawn)])
    assert as_dxf(drawn).isascii()
