"""The front: where display and keypad sit in their bezel, seen from in front."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.drafting.marks import Drawing, Frame, Layer, Lettering, Mark, Point, Ring, box
from firmware_host.drafting.truths import Case

Opening = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True, slots=True)
class Front:
    """Places of all that is cut into the bezel, in mm from its lower left corner."""

    glass: Opening
    oled_screws: tuple[Point, ...]
    keys: Opening
    tail: Opening
    screws: tuple[Point, ...]

    @property
    def through_holes(self) -> int:
        """Openings that go right through: glass and tail, and the screws."""
        return 2 + len(self.oled_screws) + len(self.screws)


def front(case: Case) -> Front:
    """The keypad at the bottom, the display above it, both in the middle."""
    facts, keypad, oled = case.bezel, case.keypad, case.oled
    middle = facts.width_mm / 2
    keys_bottom = 2 * facts.screw_inset_mm + facts.wall_mm
    keys_top = keys_bottom + keypad.height_mm
    low, high = facts.screw_inset_mm, facts.height_mm - facts.screw_inset_mm
    # The tail leaves the pad at its lower edge; the slot lies inside the recess, so that the pad covers it.
    tail_bottom = keys_bottom + facts.wall_mm / 2
    glass_middle = (keys_top + facts.wall_mm + high) / 2
    return Front(
        glass=_around((middle, glass_middle), oled.glass_width_mm, oled.glass_height_mm),
        oled_screws=tuple(
            (middle + side * oled.holes_x_mm / 2, glass_middle + up * oled.holes_y_mm / 2)
            for side in (-1, 1)
            for up in (-1, 1)
        ),
        keys=(middle - keypad.width_mm / 2, keys_bottom, middle + keypad.width_mm / 2, keys_top),
        tail=_around((middle, tail_bottom + keypad.tail_height_mm / 2), keypad.tail_width_mm, keypad.tail_height_mm),
        screws=tuple((x_mm, y_mm) for x_mm in (low, facts.width_mm - low) for y_mm in (low, high)),
    )


def front_drawing(case: Case) -> Drawing:
    """The bezel with its openings, and what shows in them."""
    facts, openings = case.bezel, front(case)
    frame = Frame(Layer.PRINT, (0, 0), facts.width_mm, facts.height_mm, facts.corner_mm)
    left, bottom, right, top = openings.keys
    marks: tuple[Mark, ...] = (
        frame,
        *(Ring(Layer.SCREWS, place, case.screws.hole_mm) for place in openings.screws),
        *(Ring(Layer.SCREWS, place, case.oled.hole_mm) for place in openings.oled_screws),
        box(Layer.CHIP, *openings.glass),
        box(Layer.SHEET, *openings.keys),
        box(Layer.POCKET, *openings.tail),
        Lettering(Layer.NOTES, ((left + right) / 2, (bottom + top) / 2), "keypad, 4 x 4", 5.0),
        Lettering(Layer.NOTES, ((left + right) / 2, bottom + 6.0), "slot for its ribbon, behind", 2.8),
        Lettering(Layer.NOTES, ((left + right) / 2, openings.glass[1] - 3.4), "display", 2.8),
    )
    return Drawing("bezel", facts.width_mm, facts.height_mm, marks)


def _around(centre: Point, width_mm: float, height_mm: float) -> Opening:
    x_mm, y_mm = centre
    return x_mm - width_mm / 2, y_mm - height_mm / 2, x_mm + width_mm / 2, y_mm + height_mm / 2
