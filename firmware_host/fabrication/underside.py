"""Drawing of a board from below: circuit board, clips, legs, and the connectors that a person plugs something into."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Outline
from firmware_host.fabrication.board_space import BoardSpace, board_space, clip_places, clips, recess
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Rectangle, Shape, Text, rectangle

CONNECTORS = {"J1": "J1 USB", "J2": "J2 keypad", "J3": "J3 display"}
_LETTER_MM = 3.6
_NOTE = "from below. Green: circuit board; grey: clips; blue: screws and legs; violet: recess for the USB plug."


def underside_drawing(plan: BoardPlan, case: Case) -> Drawing:
    """The board from below, mirrored left to right."""
    plate = plan.plate
    space = board_space(plan.id)
    shapes: tuple[Shape, ...] = (
        Rectangle(Layer.WOOD, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(_mirrored(Layer.RECESS, box, plan) for box in recess(plan, case)),
        *(_board(space, plan) if space else ()),
        *(_mirrored(Layer.PRINT, clip.box, plan) for clip in clip_places(plan, case)),
        *(Circle(Layer.SCREWS, (plate.width_mm - x, y), case.clip.hole_mm) for x, y in clips(plan, case)),
        *(Circle(Layer.SCREWS, (plate.width_mm - x, y), case.leg.wide_mm) for x, y in case.screws.places(plate)),
        Text(Layer.NOTES, (plate.width_mm / 2, 1.0), f"{plan.id} {_NOTE}", 3.0),
    )
    return Drawing(f"{plan.id} from below", plate.width_mm, plate.height_mm, shapes)


def _board(space: BoardSpace, plan: BoardPlan) -> Iterator[Shape]:
    yield _mirrored(Layer.STRIP, space.outline, plan)
    yield from (_mirrored(Layer.WOOD, cutout, plan) for cutout in space.cutouts)
    for part in space.parts:
        if name := CONNECTORS.get(part.ref):
            box = _mirrored(Layer.PART, part.box, plan)
            yield box
            middle = plan.plate.width_mm - (part.box.left_mm + part.box.right_mm) / 2
            yield Text(Layer.NOTES, (middle, part.box.top_mm + 1.4), name, _LETTER_MM)


def _mirrored(layer: Layer, box: Outline, plan: BoardPlan) -> Shape:
    wide = plan.plate.width_mm
    return rectangle(layer, wide - box.right_mm, box.bottom_mm, wide - box.left_mm, box.top_mm)
