"""Drill templates at true size, from above and from below; plate and spacer as drawings for a mill or laser cutter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP, Outline
from firmware_host.fabrication.board_space import board_space, clips, pilot_depth_mm, recess
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.engraving import engraving
from firmware_host.fabrication.pockets import pockets_of
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
    cross_lines,
    format_number,
    rectangle,
    translated,
)

BORDER_MM = 14.0
"""Margin of paper around the plate, for the scale bar and the notes."""
BAR_MM = 100.0
"""Length of the scale bar."""
_CENTRE_MARK_MM = 0.7
_LETTER_MM = 2.2
_LETTER_AWAY_MM = 3.4
_NOTE_MM = 3.0
_CLIPS_NOTE = "The lower side has blind holes for clips, and a recess: see below.pdf, or use the spacer as a template."
_STOP_NOTE = (
    "Use a depth stop: no hole may come through. Blue: screws of the plate, to align this template. Print at 100 %."
)


def drill_template(plan: BoardPlan, case: Case) -> Drawing:
    """The drill template: the plate from above with a paper margin of `BORDER_MM` and a scale bar."""
    width_mm = plan.plate.width_mm + 2 * BORDER_MM
    height_mm = plan.plate.height_mm + 2 * BORDER_MM
    plate_shapes = (*through_cuts(plan, case), *_centre_marks(plan, case), *_names(plan))
    shapes = (
        *(translated(shape, BORDER_MM, BORDER_MM) for shape in plate_shapes),
        *scale_bar((BORDER_MM, 5.0)),
        Text(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 7.0), _note(plan), _NOTE_MM, Anchor.LEFT),
        Text(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 2.5), _CLIPS_NOTE, _NOTE_MM, Anchor.LEFT),
    )
    return Drawing(f"{plan.id}: drill template", width_mm, height_mm, shapes)


def bottom_template(plan: BoardPlan, case: Case) -> Drawing:
    """The template for the lower side: blind holes for the clips' screws, the recess, and the plate screws to align it.

    Raises PlanError if the plate is too thin.
    """
    plate = plan.plate
    pilot = case.pilot

    def mirrored(place: Point) -> Point:
        return plate.width_mm - place[0] + BORDER_MM, place[1] + BORDER_MM

    pilots = list(map(mirrored, clips(plan, case)))
    through = list(map(mirrored, case.screws.places(plate)))
    holes = f"{len(pilots)} blind holes {pilot.hole_mm:g} mm, {pilot_depth_mm(plan, case):g} mm deep"
    note = f"{plan.id}, seen from BELOW: {holes}, for the clips; recess {case.recess.depth_mm:g} mm deep."
    shapes = (
        Rectangle(Layer.OUTLINE, (BORDER_MM, BORDER_MM), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(Circle(Layer.PILOT, place, pilot.hole_mm) for place in pilots),
        *(Circle(Layer.SCREWS, place, case.screws.hole_mm) for place in through),
        *(arm for place in pilots for arm in cross_lines(Layer.PILOT, place, 2 * _CENTRE_MARK_MM)),
        *(arm for place in through for arm in cross_lines(Layer.SCREWS, place, _CENTRE_MARK_MM)),
        *_board_below(plan, case, mirrored),
        *scale_bar((BORDER_MM, 5.0)),
        Text(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 7.0), note, _NOTE_MM, Anchor.LEFT),
        Text(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 2.5), _STOP_NOTE, _NOTE_MM, Anchor.LEFT),
    )
    return Drawing(f"{plan.id}: from below", plate.width_mm + 2 * BORDER_MM, plate.height_mm + 2 * BORDER_MM, shapes)


def plate_cut(plan: BoardPlan, case: Case) -> Drawing:
    """The plate for a machine, from above, with the lower left corner at the origin.

    Holes on the layer PILOT are blind and drilled from below, the box on the layer RECESS is milled from below; what is
    on the layer ENGRAVE is not cut.
    """
    plate = plan.plate
    pilots = (Circle(Layer.PILOT, place, case.pilot.hole_mm) for place in clips(plan, case))
    hollow = (_box(Layer.RECESS, box) for box in recess(plan, case))
    shapes = (*through_cuts(plan, case), *pilots, *hollow, *engraving(plan))
    return Drawing(f"{plan.id}: plate", plate.width_mm, plate.height_mm, shapes)


def spacer_cut(plan: BoardPlan, case: Case, sheet: Layer = Layer.OUTLINE, opening: Layer = Layer.POCKET) -> Drawing:
    """The spacer for a machine, as `plate_cut`. Other values of `sheet` and `opening` give the layers of a picture."""
    plate = plan.plate
    shapes: tuple[Shape, ...] = (
        Rectangle(sheet, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(Polyline(opening, pocket.corners, is_closed=True) for pocket in pockets_of(plan, case)),
        *(Circle(Layer.SCREWS, place, case.screws.hole_mm) for place in case.screws.places(plate)),
        *(Circle(Layer.SCREWS, place, case.clip.hole_mm) for place in clips(plan, case)),
    )
    return Drawing(f"{plan.id}: spacer", plate.width_mm, plate.height_mm, shapes)


def through_cuts(plan: BoardPlan, case: Case) -> Iterator[Shape]:
    """The cuts that go through the plate: outline, peg holes, light holes and screws, from its lower left corner."""
    plate = plan.plate
    yield Rectangle(Layer.OUTLINE, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm)
    for hole in plan.holes:
        yield Circle(Layer.PEG, (hole.x_mm, hole.y_mm), plate.hole_mm)
        yield Circle(Layer.LED, (hole.led_x_mm, hole.led_y_mm), plate.light_mm)
    for place in case.screws.places(plate):
        yield Circle(Layer.SCREWS, place, case.screws.hole_mm)


def scale_bar(place: Point) -> Iterator[Shape]:
    """A scale bar of 100 mm from `place` to the right, with a tick every 10 mm and a label."""
    x_mm, y_mm = place
    yield Polyline(Layer.NOTES, ((x_mm, y_mm), (x_mm + BAR_MM, y_mm)))
    for ten in range(int(BAR_MM) // 10 + 1):
        tick_mm = 3.0 if ten % 5 == 0 else 1.5
        yield Polyline(Layer.NOTES, ((x_mm + 10 * ten, y_mm), (x_mm + 10 * ten, y_mm + tick_mm)))
    label = "this bar must measure 100 mm"
    yield Text(Layer.NOTES, (x_mm + BAR_MM / 2, y_mm - 3.0), label, 2.4)


def _centre_marks(plan: BoardPlan, case: Case) -> Iterator[Shape]:
    for hole in plan.holes:
        yield from cross_lines(Layer.PEG, (hole.x_mm, hole.y_mm), _CENTRE_MARK_MM)
        yield from cross_lines(Layer.LED, (hole.led_x_mm, hole.led_y_mm), _CENTRE_MARK_MM)
    for place in case.screws.places(plan.plate):
        yield from cross_lines(Layer.SCREWS, place, _CENTRE_MARK_MM)


def _box(layer: Layer, box: Outline) -> Shape:
    return rectangle(layer, box.left_mm, box.bottom_mm, box.right_mm, box.top_mm)


def _board_below(plan: BoardPlan, case: Case, transform: Callable[[Point], Point]) -> Iterator[Shape]:
    """The outline of the circuit board, and the recess."""
    space = board_space(plan.id)
    board = [(Layer.NOTES, space.outline)] if space else []
    for layer, box in (*board, *((Layer.RECESS, box) for box in recess(plan, case))):
        corners = (transform((box.right_mm, box.bottom_mm)), transform((box.left_mm, box.top_mm)))
        yield rectangle(layer, *corners[0], *corners[1])


def _names(plan: BoardPlan) -> Iterator[Shape]:
    """Names of the start holes, the game hole, hole 1 and every fifth hole, on the side away from the light."""
    for hole in plan.holes:
        if hole.track is None or hole.hole == 1 or hole.hole in START_HOLES or hole.hole % HOLES_PER_STRIP == 0:
            yield _name(plan, hole)


def _name(plan: BoardPlan, hole: PlannedHole) -> Text:
    share = _LETTER_AWAY_MM / plan.pattern.light_mm
    x_mm = hole.x_mm - (hole.led_x_mm - hole.x_mm) * share
    y_mm = hole.y_mm - (hole.led_y_mm - hole.y_mm) * share - _LETTER_MM * 0.36
    name = "game" if hole.track is None else {-1: "S1", 0: "S2"}.get(hole.hole, str(hole.hole))
    is_across = hole.led_x_mm != hole.x_mm
    anchor = Anchor.LEFT if is_across and hole.led_x_mm < hole.x_mm else Anchor.MIDDLE
    return Text(Layer.NOTES, (x_mm - (1.2 if is_across else 0), y_mm), name, _LETTER_MM, anchor)


def _note(plan: BoardPlan) -> str:
    plate = plan.plate
    sides = (format_number(plate.width_mm, 2), format_number(plate.height_mm, 2), format_number(plate.thickness_mm))
    size = f"{' x '.join(sides)} mm"
    drills = f"{len(plan.holes)} holes {plate.hole_mm:g} mm, {len(plan.holes)} lights {plate.light_mm:g} mm"
    return f"{plan.id}, seen from above: {size}; {drills}. Print at 100 %."
