"""Drawings of the strips: one strip from above, and the chain of a whole board from below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from firmware_host.board.components import PlannedStrip
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP, Outline, Turn
from firmware_host.circuits.cables import connector
from firmware_host.circuits.row_boards import RowBoard, row_boards
from firmware_host.circuits.row_placement import SCREW_MM, row_layout
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import (
    Anchor,
    Circle,
    Drawing,
    Layer,
    Point,
    Polyline,
    Rectangle,
    Shape,
    Text,
    rectangle,
)

_LETTER_MM = 3.6
_ARROW_MM = 3.0
_SCALE = 2.5
_CHAIN_NOTE = "Strip 1 is next to the hub. Green: row boards; yellow: IN; black: OUT; orange: cables."


def chain_drawing(plan: BoardPlan, case: Case) -> Drawing:
    """The board from below: the row boards with their strips, numbered from 1, and the cables from OUT to IN."""
    plate = plan.plate
    boards = row_boards(plan)

    def mirrored(place: Point) -> Point:
        return plate.width_mm - place[0], place[1]

    ends = [tuple(mirrored(connector(plan, board, ref)) for ref in ("J1", "J2")) for board in boards]
    cables = [(start, end) for (_, start), (end, _) in pairwise(ends)]
    labels = (
        shape for strip in plan.strips for shape in _label(mirrored(_label_place(strip.outline)), str(strip.number + 1))
    )
    shapes: tuple[Shape, ...] = (
        Rectangle(Layer.WOOD, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(_strip(_joined(board), plate.width_mm) for board in boards),
        *(line for board in boards for line in _divisions(board, mirrored)),
        *(Polyline(Layer.WIRE, cable) for cable in cables),
        *(arrow for start, end in cables for arrow in _arrow(start, end)),
        *(Circle(Layer.METAL, place, 2.4) for place, _ in ends),
        *(Circle(Layer.CHIP, place, 2.4) for _, place in ends),
        *(Circle(Layer.SCREWS, mirrored(place), case.screws.hole_mm) for place in case.screws.places(plate)),
        *labels,
        Text(Layer.NOTES, (plate.width_mm / 2, 1.4), f"{plan.id} from below. {_CHAIN_NOTE}", 3.0),
    )
    return Drawing(f"{plan.id}: the chain from below", plate.width_mm, plate.height_mm, shapes)


def strip_drawing(plan: BoardPlan) -> Drawing:
    """One strip from above: its five holes, lights and screws, and the byte that it sends."""
    slots, outline = plan.pattern.place_strip(0, -2 * plan.pattern.pitch_mm, 0.0, Turn.RIGHT)
    wide = (outline.right_mm - outline.left_mm) * _SCALE
    high = (outline.top_mm - outline.bottom_mm) * _SCALE
    left = 24.0
    low = 24.0

    def scaled(x_mm: float, y_mm: float) -> Point:
        return left + (x_mm - outline.left_mm) * _SCALE, low + (y_mm - outline.bottom_mm) * _SCALE

    slot_shapes = (shape for slot in slots for shape in _slot_shapes(slot.pos, scaled(slot.x_mm, slot.y_mm)))
    screws = (Circle(Layer.SCREWS, scaled(x, y), SCREW_MM * _SCALE) for x, y in _screws(plan, outline))
    lights = (Circle(Layer.LIGHT, scaled(slot.led_x_mm, slot.led_y_mm), 2.0 * _SCALE) for slot in slots)
    middle = low + high / 2
    ends = (("from the Pi", left - 2, Anchor.RIGHT), ("to the next", left + wide + 2, Anchor.LEFT))
    spare = ["1", "0", "1"][:FIRST_HOLE_BIT]
    names = [f"h{pos}" for pos in range(1, BITS_PER_STRIP - FIRST_HOLE_BIT + 1)]
    byte = f"byte of the strip, first bit first: {' '.join((*spare, *names))}; 0 means a magnet"
    shapes = (
        Rectangle(Layer.STRIP, (left, low), wide, high, 1.5),
        *slot_shapes,
        *lights,
        *screws,
        *(Text(Layer.NOTES, (x, middle - 1.2), text, _LETTER_MM, anchor) for text, x, anchor in ends),
        Text(Layer.NOTES, (left + wide / 2, low - 7), byte, _LETTER_MM),
        Text(
            Layer.NOTES,
            (left + wide / 2, low - 13),
            "circle: hole and the switch under it; yellow: its light; blue: screw",
            3.0,
        ),
    )
    return Drawing(f"a strip from above, {_SCALE:g} : 1", wide + 2 * left, low + high + 6, shapes)


def _screws(plan: BoardPlan, outline: Outline) -> Iterator[Point]:
    lying = PlannedStrip(0, "", outline, Turn.RIGHT)
    return (lying.place(screw.x, screw.y) for screw in row_layout(plan.pattern, 1).screws)


def _joined(board: RowBoard) -> Outline:
    """The outline of a row board."""
    boxes = [strip.outline for strip in board.strips]
    return Outline(
        min(box.left_mm for box in boxes),
        min(box.bottom_mm for box in boxes),
        max(box.right_mm for box in boxes),
        max(box.top_mm for box in boxes),
    )


def _divisions(board: RowBoard, mirrored: Callable[[Point], Point]) -> Iterator[Polyline]:
    """Thin lines between the strips of a board; a board that stands has one strip."""
    whole = _joined(board)
    for x_mm in sorted({strip.outline.left_mm for strip in board.strips} - {whole.left_mm}):
        yield Polyline(Layer.NOTES, (mirrored((x_mm, whole.bottom_mm)), mirrored((x_mm, whole.top_mm))))


def _strip(outline: Outline, width_mm: float) -> Shape:
    return rectangle(
        Layer.STRIP, width_mm - outline.right_mm, outline.bottom_mm, width_mm - outline.left_mm, outline.top_mm
    )


def _centre(outline: Outline) -> Point:
    return (outline.left_mm + outline.right_mm) / 2, (outline.bottom_mm + outline.top_mm) / 2


def _label_place(outline: Outline) -> Point:
    """Beside the drawn ribbon, along the strip."""
    x_mm, y_mm = _centre(outline)
    is_upright = outline.top_mm - outline.bottom_mm > outline.right_mm - outline.left_mm
    return (x_mm, y_mm + 7.0) if is_upright else (x_mm - 7.0, y_mm)


def _label(place: Point, text: str) -> Iterator[Shape]:
    """Text on a filled rectangle, because wires are drawn under it."""
    half = 0.3 * _LETTER_MM * len(text) + 0.8
    x, y = place
    yield rectangle(Layer.SHEET, x - half, y + 0.9, x + half, y + 5.0)
    yield Text(Layer.NOTES, (x, y + 1.7), text, _LETTER_MM)


def _arrow(start: Point, end: Point) -> Iterator[Shape]:
    """An arrowhead in the middle of the line, which shows the direction of the chain."""
    x = (start[0] + end[0]) / 2
    y = (start[1] + end[1]) / 2
    far = max(1e-9, ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5)
    ahead_x = (end[0] - start[0]) / far
    ahead_y = (end[1] - start[1]) / far
    back_x = x - _ARROW_MM * ahead_x
    back_y = y - _ARROW_MM * ahead_y
    side = _ARROW_MM / 2
    wings = (back_x - side * ahead_y, back_y + side * ahead_x), (back_x + side * ahead_y, back_y - side * ahead_x)
    yield Polyline(Layer.WIRE, (wings[0], (x, y), wings[1]))


def _slot_shapes(pos: int, place: Point) -> Iterator[Shape]:
    assert pos < HOLES_PER_STRIP
    yield Circle(Layer.SHEET, place, 3.2 * _SCALE)
    yield Text(Layer.NOTES, (place[0], place[1] - 1.2), f"h{pos + 1}", _LETTER_MM)
