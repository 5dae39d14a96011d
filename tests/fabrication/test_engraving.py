"""The engraved lines separate the lanes, so that no light is taken for that of another lane."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from firmware_host.board.drawing.drawing import draw
from firmware_host.board.drawing.engraved_lines import lanes
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.dxf import as_dxf
from firmware_host.fabrication.engraving import engraving
from firmware_host.fabrication.shapes import CAP_HEIGHT, Anchor, Layer, Polyline, Text
from firmware_host.fabrication.template import plate_cut

PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]


@pytest.mark.parametrize("plan", PLANS)
def test_each_light_shares_its_field_with_its_own_hole_and_no_other_lane(plan: BoardPlan) -> None:
    found = lanes(plan)
    along = [hole for hole in plan.holes if hole.led_x_mm == hole.x_mm]
    assert sum(len(lane.holes) for lane in found) == len(along)
    for lane in found:
        inside = {hole.sensor for hole in lane.holes}
        for hole in along:
            for place in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)):
                assert lane.contains(place) == (hole.sensor in inside)


@pytest.mark.parametrize("plan", PLANS)
def test_lines_keep_clear_of_holes_and_lights(plan: BoardPlan) -> None:
    for lane in lanes(plan):
        for hole in plan.holes:
            for y_mm in (lane.below_mm, lane.above_mm):
                if lane.left_mm <= hole.x_mm <= lane.right_mm:
                    assert abs(hole.y_mm - y_mm) >= plan.plate.hole_mm / 2 + 1
                    assert abs(hole.led_y_mm - y_mm) >= plan.plate.light_mm / 2 + 0.2


def test_on_the_board_for_four_the_line_is_half_way_between_a_light_and_the_next_lane() -> None:
    lower, upper = lanes(load_plan("continuous-121-4"))[:2]
    light_mm, next_mm = lower.holes[0].led_y_mm, upper.holes[0].y_mm
    assert (light_mm - lower.holes[0].y_mm, next_mm - light_mm) == pytest.approx((5.08, 10.16))
    assert lower.above_mm == upper.below_mm == pytest.approx((light_mm + next_mm) / 2)


@pytest.mark.parametrize("plan", PLANS)
def test_a_line_follows_every_fifth_hole_and_every_name_is_engraved(plan: BoardPlan) -> None:
    shapes = list(engraving(plan))
    crossing = [shape for shape in shapes if isinstance(shape, Polyline) and shape.places[0][0] == shape.places[1][0]]
    for lane in lanes(plan):
        for one, other in pairwise(lane.holes):
            between = (one.x_mm + other.x_mm) / 2
            is_five = min(one.hole, other.hole) > 0 and min(one.hole, other.hole) % 5 == 0
            drawn = any(
                math.isclose(line.places[0][0], between) and line.places[0][1] == lane.below_mm for line in crossing
            )
            assert drawn == is_five, f"{one.track} {one.hole}"
    texts = {shape.text for shape in shapes if isinstance(shape, Text)}
    assert {plan.title, "game", *(f"{track.name} start" for track in plan.track_info)} <= texts
    assert any("skunk" in text for text in texts)


Marks = tuple[set[tuple[tuple[float, float], ...]], set[tuple[str, float, float]]]
"""The lines of a drawing by their points, and its texts with the middle of each (its right end if it ends there)."""


def marks_of_picture(plan: BoardPlan) -> Marks:
    """What board.svg shows of the engraving, in mm from the lower left corner of the plate."""
    high, lines, texts = plan.plate.height_mm, set(), set()
    for element in ElementTree.fromstring(draw(plan, engraved=True)).iter():
        if element.get("class") in ("street", "skunk"):
            for line in element.attrib["d"].split("M")[1:]:
                numbers = [float(number) for number in line.rstrip("z").split()]
                lines.add(tuple((x, round(high - y, 2)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)))
        if element.tag.endswith("text"):
            texts.add((str(element.text), float(element.attrib["x"]), round(high - float(element.attrib["y"]), 2)))
    return lines, texts


def marks_of_dxf(plan: BoardPlan) -> Marks:
    """The layer ENGRAVE of plate.dxf."""
    codes = as_dxf(plate_cut(plan, load_case())).split("\n")
    pairs = list(zip(codes[::2], codes[1::2], strict=False))
    starts = [number for number, (code, _) in enumerate(pairs) if code == "0"]
    entities = [(pairs[start][1], pairs[start + 1 : end]) for start, end in pairwise([*starts, len(pairs)])]
    lines, texts, points = set(), set(), list[tuple[float, float]]()
    for kind, body in entities:
        facts = dict(body)
        if facts.get("8") != Layer.ENGRAVE.value:
            continue
        if kind == "VERTEX":
            points.append((float(facts["10"]), float(facts["20"])))
        elif kind == "SEQEND":
            lines.add(tuple((round(x, 2), round(y, 2)) for x, y in points))
            points = []
        elif kind == "TEXT":
            half, x, y = float(facts["40"]) / 2, float(facts["11"]), float(facts["21"])
            middle = (x - half, y) if facts.get("50") == "90" else (x, y + half)
            texts.add((facts["1"], round(middle[0], 2), round(middle[1], 2)))
    return lines, texts


def is_same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(abs(a - b) <= 0.011 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("plan", PLANS)
def test_the_laser_engraves_what_the_picture_of_the_board_shows(plan: BoardPlan) -> None:
    (drawn, written), (burnt, lettered) = marks_of_picture(plan), marks_of_dxf(plan)
    assert len(drawn) == len(burnt) and len(written) == len(lettered)
    for one, other in zip(sorted(drawn), sorted(burnt), strict=True):
        assert all(is_same(a, b) for a, b in zip(one, other, strict=True)), one
    for (text, *place), (other_text, *other_place) in zip(sorted(written), sorted(lettered), strict=True):
        assert text == other_text and is_same(tuple(place), tuple(other_place)), text


def box_of(text: Text) -> tuple[float, float, float, float]:
    """The box of a text, with letters of 0.6 of the font size."""
    wide, high = 0.6 * text.height_mm * len(text.text), CAP_HEIGHT * text.height_mm
    left = {Anchor.LEFT: 0.0, Anchor.MIDDLE: wide / 2, Anchor.RIGHT: wide}[text.anchor]
    x, y = text.place
    return (x - high, y - left, x, y - left + wide) if text.turn else (x - left, y, x - left + wide, y + high)


@pytest.mark.parametrize("plan", PLANS)
def test_no_text_meets_a_line_or_another_text(plan: BoardPlan) -> None:
    shapes = list(engraving(plan))
    boxes = {shape.text + str(shape.place): box_of(shape) for shape in shapes if isinstance(shape, Text)}
    lines = [shape.places for shape in shapes if isinstance(shape, Polyline)]
    spans = [(*map(min, zip(*line, strict=True)), *map(max, zip(*line, strict=True))) for line in lines]
    for name, box in boxes.items():
        assert not [span for span in spans if overlap(box, span)], name
    for (one, box), (other, other_box) in combinations(boxes.items(), 2):
        assert not overlap(box, other_box), (one, other)


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
