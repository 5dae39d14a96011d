"""Drawings of the inside: a cross-section with a peg in its hole, and the parts of a peg."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.fabrication.dimensions import Case, Peg, load_table
from firmware_host.fabrication.magnets import Magnetics
from firmware_host.fabrication.pockets import Pocket, pockets_of
from firmware_host.fabrication.shapes import Anchor, Drawing, Layer, Point, Polyline, Shape, Text, rectangle

SCALE = 5.0
"""Drawn size / true size."""
_LETTER_MM = 3.4
_REACH_MM = 14.0  # shown on each side of the hole, in true size
_LABELS_MM = 74.0


class _Part(NamedTuple):
    """A rectangle in true size; the origin is on the axis of the hole at the upper face of the circuit board."""

    layer: Layer
    left: float
    bottom: float
    right: float
    top: float


def section_drawing(plan: BoardPlan, case: Case, design: Magnetics) -> Drawing:
    """Cross-section through one hole and its light, across the lane."""
    base = case.stack.board_mm + 1.0
    parts = [*_layers(plan, case), *_switch_and_light(plan), *_peg_in(plan, case, design)]
    high = base + case.stack.spacer_mm + case.stack.sheet_mm + plan.plate.thickness_mm + case.peg.neck_mm
    high += case.peg.head_height_mm + 1.0
    width_mm = 2 * _REACH_MM * SCALE + _LABELS_MM

    def scaled(x: float, y: float) -> Point:
        return (x + _REACH_MM) * SCALE, (y + base) * SCALE

    boxes = (rectangle(part.layer, *scaled(part.left, part.bottom), *scaled(part.right, part.top)) for part in parts)
    head_foot = case.stack.spacer_mm + case.stack.sheet_mm + plan.plate.thickness_mm + case.peg.neck_mm
    head = Polyline(Layer.PRINT, tuple(scaled(x, y + head_foot) for x, y in _outline(case.peg)), is_closed=True)
    labels = (
        shape
        for text, x, y in _labels(plan, case, design)
        for shape in _callout(scaled(x, y), (2 * _REACH_MM * SCALE + 6, scaled(0, y)[1]), text)
    )
    return Drawing(f"section, {SCALE:g} : 1", width_mm, high * SCALE, (head, *boxes, *labels))


def peg_parts_drawing(plan: BoardPlan, case: Case, design: Magnetics) -> Drawing:
    """Head, tube and magnet of a peg side by side, with their dimensions."""
    peg = case.peg
    rod = design.rod
    tube_mm = peg.tube_length_mm(plan.plate)
    pieces = (
        (Layer.PRINT, _outline(peg), f"head, bore {peg.tube_mm + peg.fit_mm:g} x {peg.socket_mm:g}"),
        (Layer.METAL, _rectangle(peg.tube_mm, tube_mm), f"tube {peg.tube_mm:g} / {peg.bore_mm:g}, {tube_mm:g} long"),
        (
            Layer.MAGNET,
            _rectangle(rod.diameter_mm, rod.length_mm),
            f"magnet {rod.diameter_mm:g} x {rod.length_mm:g}, south down",
        ),
    )
    shapes: list[Shape] = []
    for column, (layer, line, text) in enumerate(pieces):
        middle = 30.0 + 60.0 * column
        shapes.append(Polyline(layer, tuple((middle + x * SCALE, 12 + y * SCALE) for x, y in line), is_closed=True))
        shapes.append(Text(Layer.NOTES, (middle, 5), text, _LETTER_MM))
    return Drawing(f"parts of a peg, {SCALE:g} : 1", 180.0, 16.0 + tube_mm * SCALE, tuple(shapes))


def _outline(peg: Peg) -> tuple[Point, ...]:
    return (*peg.silhouette, *((-radius, up) for radius, up in reversed(peg.silhouette)))


def _rectangle(width_mm: float, height_mm: float) -> tuple[Point, ...]:
    half = width_mm / 2
    return (-half, 0.0), (half, 0.0), (half, height_mm), (-half, height_mm)


def _layers(plan: BoardPlan, case: Case) -> Iterator[_Part]:
    """Plate with its two holes, sheet, spacer and circuit board."""
    plate = plan.plate
    stack = case.stack
    light = plan.pattern.light_mm
    sheet_low = stack.spacer_mm
    low = sheet_low + stack.sheet_mm
    high = sheet_low + stack.sheet_mm + plate.thickness_mm
    edges = (-_REACH_MM, -plate.hole_mm / 2, plate.hole_mm / 2, light - plate.light_mm / 2, light + plate.light_mm / 2)
    yield _Part(Layer.WOOD, edges[0], low, edges[1], high)
    yield _Part(Layer.WOOD, edges[2], low, edges[3], high)
    yield _Part(Layer.WOOD, edges[4], low, _REACH_MM, high)
    yield _Part(Layer.LIGHT, edges[3], low, edges[4], high)
    yield _Part(Layer.SHEET, -_REACH_MM, sheet_low, _REACH_MM, low)
    inner_low, inner_high = _opening(plan, case)
    yield _Part(Layer.PRINT, -_REACH_MM, 0, inner_low, sheet_low)
    yield _Part(Layer.PRINT, inner_high, 0, _REACH_MM, sheet_low)
    yield _Part(Layer.STRIP, -_REACH_MM, -stack.board_mm, _REACH_MM, 0)


def _opening(plan: BoardPlan, case: Case) -> tuple[float, float]:
    """Edges of the spacer pocket relative to the hole: on the far side of the light (negative) and on its side."""
    strip = next(strip for strip in plan.strips if strip.turn is Turn.RIGHT)
    hole = next(hole for hole in plan.holes if hole.strip == strip.number)
    steps = (step for pocket in pockets_of(plan, case) for step in pocket.boxes)
    centre = Outline(hole.x_mm, hole.y_mm, hole.x_mm, hole.y_mm)
    step = next(step for step in steps if Pocket((step,), False).contains(centre))
    return step.bottom_mm - hole.y_mm, step.top_mm - hole.y_mm


def _switch_and_light(plan: BoardPlan) -> Iterator[_Part]:
    height = load_table("magnets")["switch"]["height_mm"]
    light = plan.pattern.light_mm
    yield _Part(Layer.CHIP, -0.65, 0, 0.65, height)
    yield _Part(Layer.LIGHT, light - 1.0, 0, light + 1.0, 0.9)


def _peg_in(plan: BoardPlan, case: Case, design: Magnetics) -> Iterator[_Part]:
    peg = case.peg
    foot = case.stack.spacer_mm + case.stack.sheet_mm
    top = foot + peg.tube_length_mm(plan.plate)
    half = peg.tube_mm / 2
    bore = peg.bore_mm / 2
    rod = design.rod
    yield _Part(Layer.METAL, -half, foot, -bore, top)
    yield _Part(Layer.METAL, bore, foot, half, top)
    yield _Part(Layer.MAGNET, -rod.diameter_mm / 2, foot, rod.diameter_mm / 2, foot + rod.length_mm)


def _labels(plan: BoardPlan, case: Case, design: Magnetics) -> Iterator[tuple[str, float, float]]:
    """Each label with the point that it names, in true size; from top to bottom."""
    stack = case.stack
    peg = case.peg
    plate = plan.plate
    foot = stack.spacer_mm + stack.sheet_mm
    top = foot + peg.tube_length_mm(plate)
    yield "head of the peg, printed", 1.0, top + 4
    yield f"brass tube {peg.tube_mm:g} / {peg.bore_mm:g} mm", peg.tube_mm / 2 - 0.2, foot + plate.thickness_mm + 2
    yield f"plate {plate.thickness_mm:g} mm, hole {plate.hole_mm:g} mm", 10.0, foot + 9
    yield f"light pipe {plate.light_mm:g} mm", plan.pattern.light_mm, foot + 6
    yield f"magnet, south pole down, gap {design.gap_mm:g} mm", 0.6, foot + 3
    yield f"clear sheet {stack.sheet_mm:g} mm", 12.0, foot - stack.sheet_mm / 2
    yield f"spacer {stack.spacer_mm:g} mm", 12.5, stack.spacer_mm / 2 - 0.2
    yield f"circuit board {stack.board_mm:g} mm, with switch and light", 6.0, -stack.board_mm / 2


def _callout(place: Point, end: Point, text: str) -> Iterator[Shape]:
    yield Polyline(Layer.NOTES, (place, (end[0] - 1, end[1])))
    yield Text(Layer.NOTES, (end[0], end[1] - _LETTER_MM * 0.35), text, _LETTER_MM, Anchor.LEFT)
