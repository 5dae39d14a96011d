"""Pictures of the inside: the layers under the plate with a peg in its hole, and the peg taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline, Turn
from firmware_host.drafting.magnets import Magnetics
from firmware_host.drafting.marks import Anchor, Drawing, Layer, Lettering, Mark, Point, Stroke, box
from firmware_host.drafting.pockets import Pocket, pockets_of
from firmware_host.drafting.truths import Case, Peg, told

SCALE = 5.0
"""Five times as large as life."""
_LETTER_MM = 3.4
_REACH_MM = 14.0  # how much of the board is shown to each side of the hole, in life
_WORDS_MM = 74.0


class _Part(NamedTuple):
    """A box in life, from the axis of the hole and the upper face of the circuit board."""

    layer: Layer
    left: float
    bottom: float
    right: float
    top: float


def section(plan: BoardPlan, case: Case, design: Magnetics) -> Drawing:
    """A cut through one hole and its light, along a line across the lane."""
    base = case.stack.board_mm + 1.0
    parts = [*_layers(plan, case), *_switch_and_light(plan), *_peg_in(plan, case, design)]
    high = base + case.stack.spacer_mm + case.stack.sheet_mm + plan.plate.thickness_mm + case.peg.neck_mm
    high += case.peg.head_height_mm + 1.0
    width_mm = 2 * _REACH_MM * SCALE + _WORDS_MM

    def there(x: float, y: float) -> Point:
        return (x + _REACH_MM) * SCALE, (y + base) * SCALE

    boxes = (box(part.layer, *there(part.left, part.bottom), *there(part.right, part.top)) for part in parts)
    head_foot = case.stack.spacer_mm + case.stack.sheet_mm + plan.plate.thickness_mm + case.peg.neck_mm
    head = Stroke(Layer.PRINT, tuple(there(x, y + head_foot) for x, y in _around(case.peg)), is_closed=True)
    words = (
        mark
        for text, x, y in _words(plan, case, design)
        for mark in _pointer(there(x, y), (2 * _REACH_MM * SCALE + 6, there(0, y)[1]), text)
    )
    return Drawing(f"section, {SCALE:g} : 1", width_mm, high * SCALE, (head, *boxes, *words))


def peg_apart(plan: BoardPlan, case: Case, design: Magnetics) -> Drawing:
    """Head, tube and magnet, side by side, with their measures."""
    peg, rod = case.peg, design.rod
    tube_mm = peg.tube_length_mm(plan.plate)
    pieces = (
        (Layer.PRINT, _around(peg), f"head, bored {peg.tube_mm + peg.fit_mm:g} x {peg.socket_mm:g}"),
        (Layer.METAL, _upright(peg.tube_mm, tube_mm), f"tube {peg.tube_mm:g} / {peg.bore_mm:g}, {tube_mm:g} long"),
        (Layer.MAGNET, _upright(rod.diameter_mm, rod.length_mm), f"magnet {rod.diameter_mm:g} x {rod.length_mm:g}"),
    )
    marks: list[Mark] = []
    for column, (layer, line, words) in enumerate(pieces):
        middle = 30.0 + 60.0 * column
        marks.append(Stroke(layer, tuple((middle + x * SCALE, 12 + y * SCALE) for x, y in line), is_closed=True))
        marks.append(Lettering(Layer.NOTES, (middle, 5), words, _LETTER_MM))
    return Drawing(f"a peg taken apart, {SCALE:g} : 1", 180.0, 16.0 + tube_mm * SCALE, tuple(marks))


def _around(peg: Peg) -> tuple[Point, ...]:
    return (*peg.silhouette, *((-radius, up) for radius, up in reversed(peg.silhouette)))


def _upright(width_mm: float, height_mm: float) -> tuple[Point, ...]:
    half = width_mm / 2
    return (-half, 0.0), (half, 0.0), (half, height_mm), (-half, height_mm)


def _layers(plan: BoardPlan, case: Case) -> Iterator[_Part]:
    """Wood with its two holes, sheet, what shows of the spacer, and the circuit board."""
    plate, stack = plan.plate, case.stack
    light, sheet_low = plan.pattern.light_mm, stack.spacer_mm
    low, high = sheet_low + stack.sheet_mm, sheet_low + stack.sheet_mm + plate.thickness_mm
    edges = (-_REACH_MM, -plate.hole_mm / 2, plate.hole_mm / 2, light - plate.light_mm / 2, light + plate.light_mm / 2)
    yield _Part(Layer.WOOD, edges[0], low, edges[1], high)
    yield _Part(Layer.WOOD, edges[2], low, edges[3], high)
    yield _Part(Layer.WOOD, edges[4], low, _REACH_MM, high)
    yield _Part(Layer.LIGHT, edges[3], low, edges[4], high)
    yield _Part(Layer.SHEET, -_REACH_MM, sheet_low, _REACH_MM, low)
    inner_low, inner_high = _opening(plan, case)
    yield _Part(Layer.PRINT, -_REACH_MM, 0, inner_low, sheet_low)
    yield _Part(Layer.PRINT, inner_high, 0, _REACH_MM, sheet_low)
    yield _Part(Layer.STRIP, -plan.pattern.below_mm, -stack.board_mm, plan.pattern.above_mm, 0)


def _opening(plan: BoardPlan, case: Case) -> tuple[float, float]:
    """How far the spacer is open to both sides of a hole, away from its light and towards it."""
    strip = next(strip for strip in plan.strips if strip.turn is Turn.RIGHT)
    hole = next(hole for hole in plan.holes if hole.strip == strip.number)
    steps = (box for pocket in pockets_of(plan, case) for box in pocket.boxes)
    around = Outline(hole.x_mm, hole.y_mm, hole.x_mm, hole.y_mm)
    step = next(step for step in steps if Pocket((step,), False).holds(around))
    return step.bottom_mm - hole.y_mm, step.top_mm - hole.y_mm


def _switch_and_light(plan: BoardPlan) -> Iterator[_Part]:
    height, light = told("magnets")["switch"]["height_mm"], plan.pattern.light_mm
    yield _Part(Layer.CHIP, -0.65, 0, 0.65, height)
    yield _Part(Layer.LIGHT, light - 1.0, 0, light + 1.0, 0.9)


def _peg_in(plan: BoardPlan, case: Case, design: Magnetics) -> Iterator[_Part]:
    peg, foot = case.peg, case.stack.spacer_mm + case.stack.sheet_mm
    top = foot + peg.tube_length_mm(plan.plate)
    half, bore, rod = peg.tube_mm / 2, peg.bore_mm / 2, design.rod
    yield _Part(Layer.METAL, -half, foot, -bore, top)
    yield _Part(Layer.METAL, bore, foot, half, top)
    yield _Part(Layer.MAGNET, -rod.diameter_mm / 2, foot, rod.diameter_mm / 2, foot + rod.length_mm)


def _words(plan: BoardPlan, case: Case, design: Magnetics) -> Iterator[tuple[str, float, float]]:
    """A text, and the place in life that it speaks of; from above."""
    stack, peg, plate = case.stack, case.peg, plan.plate
    foot = stack.spacer_mm + stack.sheet_mm
    top = foot + peg.tube_length_mm(plate)
    yield "head of the peg, printed", 1.0, top + 4
    yield f"brass tube {peg.tube_mm:g} / {peg.bore_mm:g} mm", peg.tube_mm / 2 - 0.2, foot + plate.thickness_mm + 2
    yield f"plate {plate.thickness_mm:g} mm, hole {plate.hole_mm:g} mm", 10.0, foot + 9
    yield f"light pipe {plate.light_mm:g} mm", plan.pattern.light_mm, foot + 6
    yield f"magnet, {design.gap_mm:g} mm above the element", 0.6, foot + 3
    yield f"clear sheet {stack.sheet_mm:g} mm", 12.0, foot - stack.sheet_mm / 2
    yield f"spacer {stack.spacer_mm:g} mm", 12.5, stack.spacer_mm / 2 - 0.2
    yield f"strip {stack.board_mm:g} mm, with switch and light", 6.0, -stack.board_mm / 2


def _pointer(place: Point, end: Point, text: str) -> Iterator[Mark]:
    yield Stroke(Layer.NOTES, (place, (end[0] - 1, end[1])))
    yield Lettering(Layer.NOTES, (end[0], end[1] - _LETTER_MM * 0.35), text, _LETTER_MM, Anchor.LEFT)
