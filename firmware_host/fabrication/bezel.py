"""The bezel, the lid of the case: openings and screws for display, button and keypad, seen from the front."""

from __future__ import annotations

from msgspec import Struct

from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Circle, Drawing, Layer, Point, Rectangle, Shape, Text, rectangle

Opening = tuple[float, float, float, float]
"""Left, bottom, right, top; mm from the lower left corner of the bezel."""


class BezelLayout(Struct, frozen=True):
    """Positions of all cuts in the bezel, in mm from its lower left corner.

    `tail` is the slot for the keypad ribbon.
    """

    glass: Opening
    oled_screws: tuple[Point, ...]
    keys: Opening
    tail: Opening
    screws: tuple[Point, ...]
    button: Point

    @property
    def through_holes(self) -> int:
        """Number of cuts that go right through: display glass, keypad slot, button and all screw holes."""
        return 3 + len(self.oled_screws) + len(self.screws)


def bezel_layout(case: Case) -> BezelLayout:
    """Places the keypad at the bottom, centred, and the display above it. Sizes come from `case.toml`."""
    bezel = case.bezel
    keypad = case.keypad
    oled = case.oled
    centre_mm = bezel.width_mm / 2
    keys_bottom = 2 * bezel.screw_inset_mm + bezel.wall_mm
    keys_top = keys_bottom + keypad.height_mm
    low = bezel.screw_inset_mm
    high = bezel.height_mm - bezel.screw_inset_mm
    # The keypad ribbon leaves at the lower edge. Its slot lies inside the recess, so that the keypad covers it.
    tail_bottom = keys_bottom + bezel.wall_mm / 2
    display = bezel.display_x_mm, (keys_top + bezel.wall_mm + high) / 2
    return BezelLayout(
        glass=_opening(display, oled.glass_width_mm, oled.glass_height_mm),
        oled_screws=tuple(
            (display[0] + side * oled.holes_x_mm / 2, display[1] + up * oled.holes_y_mm / 2)
            for side in (-1, 1)
            for up in (-1, 1)
        ),
        keys=(centre_mm - keypad.width_mm / 2, keys_bottom, centre_mm + keypad.width_mm / 2, keys_top),
        tail=_opening(
            (centre_mm, tail_bottom + keypad.tail_height_mm / 2), keypad.tail_width_mm, keypad.tail_height_mm
        ),
        screws=tuple((x_mm, y_mm) for x_mm in (low, bezel.width_mm - low) for y_mm in (low, high)),
        button=(case.button.x_mm, case.button.y_mm),
    )


def bezel_drawing(case: Case) -> Drawing:
    """The bezel with its openings and labels."""
    bezel = case.bezel
    openings = bezel_layout(case)
    outline = Rectangle(Layer.PRINT, (0, 0), bezel.width_mm, bezel.height_mm, bezel.corner_mm)
    left, bottom, right, top = openings.keys
    shapes: tuple[Shape, ...] = (
        outline,
        *(Circle(Layer.SCREWS, place, case.screws.hole_mm) for place in openings.screws),
        *(Circle(Layer.SCREWS, place, case.oled.hole_mm) for place in openings.oled_screws),
        Circle(Layer.SCREWS, openings.button, case.button.hole_mm),
        rectangle(Layer.CHIP, *openings.glass),
        rectangle(Layer.SHEET, *openings.keys),
        rectangle(Layer.POCKET, *openings.tail),
        Text(Layer.NOTES, ((left + right) / 2, (bottom + top) / 2), "keypad, 4 x 4", 5.0),
        Text(Layer.NOTES, ((left + right) / 2, bottom + 6.0), "slot for the keypad ribbon, behind it", 2.8),
        Text(Layer.NOTES, (bezel.display_x_mm, openings.glass[1] - 7.4), "display", 2.8),
        Text(Layer.NOTES, (openings.button[0], openings.button[1] - 10.0), "power button", 2.8),
    )
    return Drawing("bezel", bezel.width_mm, bezel.height_mm, shapes)


def _opening(centre: Point, width_mm: float, height_mm: float) -> Opening:
    x_mm, y_mm = centre
    return x_mm - width_mm / 2, y_mm - height_mm / 2, x_mm + width_mm / 2, y_mm + height_mm / 2
