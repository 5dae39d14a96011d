"""Pictures of the strips: one from above with its places, and all of a board from below, as they are wired."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP, Outline, Turn
from firmware_host.board.wood import PlannedStrip
from firmware_host.drafting.links import buffered
from firmware_host.drafting.marks import Anchor, Drawing, Frame, Layer, Lettering, Mark, Point, Ring, Stroke, box
from firmware_host.drafting.truths import Case
from hardware.strip.placement import SCREW_MM, strip_sheet

_LETTER_MM = 3.6
_ARROW_MM = 3.0
_SCALE = 2.5


def chain(plan: BoardPlan, case: Case) -> Drawing:
    """The board lying on its face: strips by number, and the way the ribbon takes from the Pi to the last."""
    plate = plan.plate

    def below(place: Point) -> Point:
        return plate.width_mm - place[0], place[1]

    fresh = buffered(plan)
    middles = [below(_middle(strip.outline)) for strip in plan.strips]
    marks: tuple[Mark, ...] = (
        Frame(Layer.WOOD, (0, 0), plate.width_mm, plate.height_mm, plate.corner_mm),
        *(_strip(strip.outline, plate.width_mm) for strip in plan.strips),
        Stroke(Layer.WIRE, tuple(middles)),
        *(arrow for one, other in pairwise(middles) for arrow in _arrow(one, other)),
        *(Ring(Layer.SCREWS, below(place), case.screws.hole_mm) for place in case.screws.places(plate)),
        *(mark for strip in plan.strips for mark in _tag(below(_aside(strip.outline)), _name(strip.number, fresh))),
        Lettering(Layer.NOTES, (plate.width_mm / 2, 1.4), f"{plan.id} from below: strip 1 is next to the Pi", 3.0),
    )
    return Drawing(f"{plan.id}: the chain from below", plate.width_mm, plate.height_mm, marks)


def strip(plan: BoardPlan) -> Drawing:
    """One strip from above: its places, and the byte that it sends."""
    slots, outline = plan.pattern.laid(0, -2 * plan.pattern.pitch_mm, 0.0, Turn.RIGHT)
    wide, high = (outline.right_mm - outline.left_mm) * _SCALE, (outline.top_mm - outline.bottom_mm) * _SCALE
    left, low = 24.0, 24.0

    def there(x_mm: float, y_mm: float) -> Point:
        return left + (x_mm - outline.left_mm) * _SCALE, low + (y_mm - outline.bottom_mm) * _SCALE

    places = (mark for slot in slots for mark in _place(slot.pos, there(slot.x_mm, slot.y_mm)))
    screws = (Ring(Layer.SCREWS, there(x, y), SCREW_MM * _SCALE) for x, y in _screws(plan, outline))
    lights = (Ring(Layer.LIGHT, there(slot.led_x_mm, slot.led_y_mm), 2.0 * _SCALE) for slot in slots)
    middle = low + high / 2
    ends = (("from the Pi", left - 2, Anchor.RIGHT), ("to the next", left + wide + 2, Anchor.LEFT))
    spare = ["1", "0", "AUX"][:FIRST_HOLE_BIT]
    names = [f"h{pos}" for pos in range(1, BITS_PER_STRIP - FIRST_HOLE_BIT + 1)]
    byte = f"its byte, first bit first: {' '.join((*spare, *names))}; 0 is a magnet"
    marks = (
        Frame(Layer.STRIP, (left, low), wide, high, 1.5),
        *places,
        *lights,
        *screws,
        *(Lettering(Layer.NOTES, (x, middle - 1.2), words, _LETTER_MM, anchor) for words, x, anchor in ends),
        Lettering(Layer.NOTES, (left + wide / 2, low - 7), byte, _LETTER_MM),
        Lettering(
            Layer.NOTES,
            (left + wide / 2, low - 13),
            "round: a hole and the switch under it; yellow: its light; blue: a screw",
            3.0,
        ),
    )
    return Drawing(f"a strip from above, {_SCALE:g} : 1", wide + 2 * left, low + high + 6, marks)


def _screws(plan: BoardPlan, outline: Outline) -> Iterator[Point]:
    lying = PlannedStrip(0, "", outline, Turn.RIGHT)
    return (lying.place(screw.x, screw.y) for screw in strip_sheet(plan.pattern).screws)


def _strip(outline: Outline, width_mm: float) -> Mark:
    return box(Layer.STRIP, width_mm - outline.right_mm, outline.bottom_mm, width_mm - outline.left_mm, outline.top_mm)


def _middle(outline: Outline) -> Point:
    return (outline.left_mm + outline.right_mm) / 2, (outline.bottom_mm + outline.top_mm) / 2


def _aside(outline: Outline) -> Point:
    """Out of the ribbon's way, along the strip."""
    x_mm, y_mm = _middle(outline)
    is_upright = outline.top_mm - outline.bottom_mm > outline.right_mm - outline.left_mm
    return (x_mm, y_mm + 7.0) if is_upright else (x_mm - 7.0, y_mm)


def _name(strip_number: int, fresh: tuple[int, ...]) -> str:
    return f"{strip_number + 1}{' buffer' * (strip_number in fresh)}"


def _tag(place: Point, words: str) -> Iterator[Mark]:
    """On a label, for wires run under it."""
    half = 0.3 * _LETTER_MM * len(words) + 0.8
    x, y = place
    yield box(Layer.SHEET, x - half, y + 0.9, x + half, y + 5.0)
    yield Lettering(Layer.NOTES, (x, y + 1.7), words, _LETTER_MM)


def _arrow(one: Point, other: Point) -> Iterator[Mark]:
    """A head half-way, which tells the direction."""
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    far = max(1e-9, ((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2) ** 0.5)
    ahead_x, ahead_y = (other[0] - one[0]) / far, (other[1] - one[1]) / far
    back_x, back_y = x - _ARROW_MM * ahead_x, y - _ARROW_MM * ahead_y
    side = _ARROW_MM / 2
    wings = (back_x - side * ahead_y, back_y + side * ahead_x), (back_x + side * ahead_y, back_y - side * ahead_x)
    yield Stroke(Layer.WIRE, (wings[0], (x, y), wings[1]))


def _place(pos: int, place: Point) -> Iterator[Mark]:
    assert pos < HOLES_PER_STRIP
    yield Ring(Layer.SHEET, place, 3.2 * _SCALE)
    yield Lettering(Layer.NOTES, (place[0], place[1] - 1.2), f"h{pos + 1}", _LETTER_MM)
