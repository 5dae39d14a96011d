"""The drill template of a board in true size: holes, lights, screws, the spacer's pockets, and a bar to check by."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP, Outline
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
    box,
    cross,
    moved,
    number,
)
from firmware_host.drafting.truths import Case

BORDER_MM = 14.0
"""Paper round the plate, for the bar and the notes."""
BAR_MM = 100.0
_PRICK_MM = 0.7
_LETTER_MM, _LETTER_AWAY_MM = 2.2, 3.4
_NOTE_MM = 3.0


def template(plan: BoardPlan, case: Case) -> Drawing:
    """The plate with a border of paper round it."""
    width_mm, height_mm = plan.plate.width_mm + 2 * BORDER_MM, plan.plate.height_mm + 2 * BORDER_MM
    on_the_plate = (*milled(plan, case), *_pricks(plan, case), *_names(plan))
    marks = (
        *(moved(mark, BORDER_MM, BORDER_MM) for mark in on_the_plate),
        *check_bar((BORDER_MM, 5.0)),
        Lettering(Layer.NOTES, (BORDER_MM + BAR_MM + 8, 5.0), _note(plan), _NOTE_MM, Anchor.LEFT),
    )
    return Drawing(f"{plan.id}: drill template", width_mm, height_mm, marks)


def milling(plan: BoardPlan, case: Case) -> Drawing:
    """The plate for a machine: its lower left corner at the origin, and nothing but what is cut."""
    plate = plan.plate
    return Drawing(f"{plan.id}: plate", plate.width_mm, plate.height_mm, tuple(milled(plan, case)))


def spacer_cut(plan: BoardPlan, case: Case, sheet: Layer = Layer.OUTLINE, opening: Layer = Layer.POCKET) -> Drawing:
    """The spacer for a machine, in the same way; on other layers it is a picture."""
    plate = plan.plate
    marks: tuple[Mark, ...] = (
        Frame(sheet, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(box(opening, p.left_mm, p.bottom_mm, p.right_mm, p.top_mm) for p in pockets_of(plan, case)),
        *(Ring(Layer.SCREWS, place, case.screws.hole_mm) for place in case.screws.places(plate)),
    )
    return Drawing(f"{plan.id}: spacer", plate.width_mm, plate.height_mm, marks)


def milled(plan: BoardPlan, case: Case) -> Iterator[Mark]:
    """Outline, holes, lights and screws, from the plate's lower left corner."""
    plate = plan.plate
    yield Frame(Layer.OUTLINE, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm)
    for hole in plan.holes:
        yield Ring(Layer.PEG, (hole.x_mm, hole.y_mm), plate.hole_mm)
        yield Ring(Layer.LED, (hole.led_x_mm, hole.led_y_mm), plate.light_mm)
    for place in case.screws.places(plate):
        yield Ring(Layer.SCREWS, place, case.screws.hole_mm)


def pockets_of(plan: BoardPlan, case: Case) -> tuple[Outline, ...]:
    """The openings of the spacer, one over each row of strips."""
    rows: dict[str, list[Outline]] = {}
    for strip in plan.strips:
        rows.setdefault(strip.row, []).append(strip.outline)
    return tuple(_pocket(outlines, case) for outlines in rows.values())


def check_bar(place: Point) -> Iterator[Mark]:
    """A bar of 100 mm from `place` to the right, with a tick each 10."""
    x_mm, y_mm = place
    yield Stroke(Layer.NOTES, ((x_mm, y_mm), (x_mm + BAR_MM, y_mm)))
    for ten in range(int(BAR_MM) // 10 + 1):
        tick_mm = 3.0 if ten % 5 == 0 else 1.5
        yield Stroke(Layer.NOTES, ((x_mm + 10 * ten, y_mm), (x_mm + 10 * ten, y_mm + tick_mm)))
    words = "this bar must measure 100 mm"
    yield Lettering(Layer.NOTES, (x_mm + BAR_MM / 2, y_mm - 3.0), words, 2.4)


def _pocket(strips: list[Outline], case: Case) -> Outline:
    left, right = min(strip.left_mm for strip in strips), max(strip.right_mm for strip in strips)
    bottom, top = min(strip.bottom_mm for strip in strips), max(strip.top_mm for strip in strips)
    rim_mm, beyond_mm = case.pocket.rim_mm, case.pocket.beyond_mm
    if right - left > top - bottom:
        return Outline(left - beyond_mm, bottom + rim_mm, right + beyond_mm, top - rim_mm)
    return Outline(left + rim_mm, bottom - beyond_mm, right - rim_mm, top + beyond_mm)


def _pricks(plan: BoardPlan, case: Case) -> Iterator[Mark]:
    for hole in plan.holes:
        yield from cross(Layer.PEG, (hole.x_mm, hole.y_mm), _PRICK_MM)
        yield from cross(Layer.LED, (hole.led_x_mm, hole.led_y_mm), _PRICK_MM)
    for place in case.screws.places(plan.plate):
        yield from cross(Layer.SCREWS, place, _PRICK_MM)


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
