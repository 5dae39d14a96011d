"""The drill templates of a board in true size, from above and from below, with a bar to check by; and what a machine
cuts: plate and spacer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP
from firmware_host.board.wood import PlannedHole
from firmware_host.drafting.marks import (
    Anchor,
    Drawing,
    Frame,
    Layer,
    Lettering,
    Mark,
    Point,
    Ring,
    Stroke,
    cross,
    moved,
    number,
)
from firmware_host.drafting.pockets import pockets_of
from firmware_host.drafting.strips import SCREW_MM, deep_mm, screws_of
from firmware_host.drafting.truths import Case

BORDER_MM = 14.0
"""Paper round the plate, for the bar and the notes."""
BAR_MM = 100.0
_PRICK_MM = 0.7
_LETTER_MM, _LETTER_AWAY_MM = 2.2, 3.4
_NOTE_MM = 3.0
_STRIPS_NOTE = "The strips' screws are drilled from below, and not through: below.pdf, or the spacer laid on."
_STOP_NOTE = (
    "Drill with a stop: nothing may come through. Blue: the plate's own screws, to lay this by. Print at 100 %."
)


def template(plan: BoardPlan, case: Case) -> Drawing:
    """The plate with a border of paper round it."""
    width_mm, height_mm = plan.plate.width_mm + 2 * BORDER_MM, plan.plate.height_mm + 2 * BORDER_MM
    on_the_plate = (*milled(plan, case), *_pricks(plan, case), *_names(plan))
    marks = (
        *(moved(mark, BORDER_MM, BORDER_MM) for mark in on_the_plate),
        *check_bar((BORDER_MM, 5.0)),
        Lettering(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 7.0), _note(plan), _NOTE_MM, Anchor.LEFT),
        Lettering(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 2.5), _STRIPS_NOTE, _NOTE_MM, Anchor.LEFT),
    )
    return Drawing(f"{plan.id}: drill template", width_mm, height_mm, marks)


def from_below(plan: BoardPlan, case: Case) -> Drawing:
    """The plate lying on its face, with the blind holes for the strips' screws and the plate's screws to lay it by."""
    plate, pilot = plan.plate, case.pilot

    def there(place: Point) -> Point:
        return plate.width_mm - place[0] + BORDER_MM, place[1] + BORDER_MM

    pilots, through = list(map(there, screws_of(plan))), list(map(there, case.screws.places(plate)))
    note = (
        f"{plan.id}, seen from BELOW: {len(pilots)} blind holes {pilot.hole_mm:g} mm, {deep_mm(plan, case):g} mm deep"
    )
    marks = (
        Frame(Layer.OUTLINE, (BORDER_MM, BORDER_MM), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(Ring(Layer.PILOT, place, pilot.hole_mm) for place in pilots),
        *(Ring(Layer.SCREWS, place, case.screws.hole_mm) for place in through),
        *(arm for place in pilots for arm in cross(Layer.PILOT, place, 2 * _PRICK_MM)),
        *(arm for place in through for arm in cross(Layer.SCREWS, place, _PRICK_MM)),
        *_numbers(plan, there),
        *check_bar((BORDER_MM, 5.0)),
        Lettering(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 7.0), f"{note}, for the strips.", _NOTE_MM, Anchor.LEFT),
        Lettering(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 2.5), _STOP_NOTE, _NOTE_MM, Anchor.LEFT),
    )
    return Drawing(f"{plan.id}: from below", plate.width_mm + 2 * BORDER_MM, plate.height_mm + 2 * BORDER_MM, marks)


def milling(plan: BoardPlan, case: Case) -> Drawing:
    """The plate for a machine: its lower left corner at the origin, seen from above, and nothing but what is cut.

    What is on the layer PILOT is cut from the other side, and not through.
    """
    plate, pilots = plan.plate, (Ring(Layer.PILOT, place, case.pilot.hole_mm) for place in screws_of(plan))
    return Drawing(f"{plan.id}: plate", plate.width_mm, plate.height_mm, (*milled(plan, case), *pilots))


def spacer_cut(plan: BoardPlan, case: Case, sheet: Layer = Layer.OUTLINE, opening: Layer = Layer.POCKET) -> Drawing:
    """The spacer for a machine, in the same way; on other layers it is a picture."""
    plate = plan.plate
    marks: tuple[Mark, ...] = (
        Frame(sheet, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(Stroke(opening, pocket.corners, is_closed=True) for pocket in pockets_of(plan, case)),
        *(Ring(Layer.SCREWS, place, case.screws.hole_mm) for place in case.screws.places(plate)),
        *(Ring(Layer.SCREWS, place, SCREW_MM) for place in screws_of(plan)),
    )
    return Drawing(f"{plan.id}: spacer", plate.width_mm, plate.height_mm, marks)


def milled(plan: BoardPlan, case: Case) -> Iterator[Mark]:
    """Outline, holes, lights and screws, all the way through, from the plate's lower left corner."""
    plate = plan.plate
    yield Frame(Layer.OUTLINE, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm)
    for hole in plan.holes:
        yield Ring(Layer.PEG, (hole.x_mm, hole.y_mm), plate.hole_mm)
        yield Ring(Layer.LED, (hole.led_x_mm, hole.led_y_mm), plate.light_mm)
    for place in case.screws.places(plate):
        yield Ring(Layer.SCREWS, place, case.screws.hole_mm)


def check_bar(place: Point) -> Iterator[Mark]:
    """A bar of 100 mm from `place` to the right, with a tick each 10."""
    x_mm, y_mm = place
    yield Stroke(Layer.NOTES, ((x_mm, y_mm), (x_mm + BAR_MM, y_mm)))
    for ten in range(int(BAR_MM) // 10 + 1):
        tick_mm = 3.0 if ten % 5 == 0 else 1.5
        yield Stroke(Layer.NOTES, ((x_mm + 10 * ten, y_mm), (x_mm + 10 * ten, y_mm + tick_mm)))
    words = "this bar must measure 100 mm"
    yield Lettering(Layer.NOTES, (x_mm + BAR_MM / 2, y_mm - 3.0), words, 2.4)


def _pricks(plan: BoardPlan, case: Case) -> Iterator[Mark]:
    for hole in plan.holes:
        yield from cross(Layer.PEG, (hole.x_mm, hole.y_mm), _PRICK_MM)
        yield from cross(Layer.LED, (hole.led_x_mm, hole.led_y_mm), _PRICK_MM)
    for place in case.screws.places(plan.plate):
        yield from cross(Layer.SCREWS, place, _PRICK_MM)


def _numbers(plan: BoardPlan, there: Callable[[Point], Point]) -> Iterator[Lettering]:
    """Each strip's number in its middle."""
    for strip in plan.strips:
        box = strip.outline
        x_mm, y_mm = there(((box.left_mm + box.right_mm) / 2, (box.bottom_mm + box.top_mm) / 2))
        yield Lettering(Layer.NOTES, (x_mm, y_mm - _LETTER_MM * 0.36), str(strip.number + 1), _LETTER_MM)


def _names(plan: BoardPlan) -> Iterator[Mark]:
    """Beside each start hole, the game hole, the first, and every fifth: on the side where its light is not."""
    for hole in plan.holes:
        if hole.track is None or hole.hole == 1 or hole.hole in START_HOLES or hole.hole % HOLES_PER_STRIP == 0:
            yield _name(plan, hole)


def _name(plan: BoardPlan, hole: PlannedHole) -> Lettering:
    share = _LETTER_AWAY_MM / plan.pattern.light_mm
    x_mm = hole.x_mm - (hole.led_x_mm - hole.x_mm) * share
    y_mm = hole.y_mm - (hole.led_y_mm - hole.y_mm) * share - _LETTER_MM * 0.36
    words = "game" if hole.track is None else {-1: "S1", 0: "S2"}.get(hole.hole, str(hole.hole))
    is_across = hole.led_x_mm != hole.x_mm
    anchor = Anchor.LEFT if is_across and hole.led_x_mm < hole.x_mm else Anchor.MIDDLE
    return Lettering(Layer.NOTES, (x_mm - (1.2 if is_across else 0), y_mm), words, _LETTER_MM, anchor)


def _note(plan: BoardPlan) -> str:
    plate = plan.plate
    size = f"{number(plate.width_mm, 2)} x {number(plate.height_mm, 2)} x {number(plate.thickness_mm)} mm"
    drills = f"{len(plan.holes)} holes {plate.hole_mm:g} mm, {len(plan.holes)} lights {plate.light_mm:g} mm"
    return f"{plan.id}, seen from above: {size}; {drills}. Print at 100 %."
