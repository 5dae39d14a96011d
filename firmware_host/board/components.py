"""The parts of a board plan: plate, strips, holes, and the name and colour of each track. Lengths are mm."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import Hole
from firmware_host.board.strip import BITS_PER_STRIP, HOLES_PER_STRIP, Outline, Turn


class Track(Struct, frozen=True):
    """The holes of one side: the name of the track, and its colour as CSS `#rrggbb`."""

    name: str
    colour: str


class Plate(Struct, frozen=True):
    """The drilled plate, in mm.

    `corner_mm` is the radius of its corners, `margin_mm` the wood beyond the outermost hole or light, `hole_mm` and
    `light_mm` are the diameters of the drills for pegs and lights.
    """

    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float
    margin_mm: float
    hole_mm: float
    light_mm: float


class PlannedStrip(Struct, frozen=True):
    """One strip: its number in the chain from 0, its row, the outline of its circuit board, and its turn."""

    number: int
    row: str
    outline: Outline
    turn: Turn

    def place(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Converts a place on the circuit board to a place on the plate, both in mm.

        On the circuit board x runs from the data input and y from the side of the lights; the corner between the two
        is (0, 0).
        """
        box = self.outline
        if self.turn is Turn.UP:
            return round(box.left_mm + y_mm, 3), round(box.bottom_mm + x_mm, 3)
        if self.turn is Turn.LEFT:
            return round(box.right_mm - x_mm, 3), round(box.bottom_mm + y_mm, 3)
        return round(box.left_mm + x_mm, 3), round(box.top_mm - y_mm, 3)


class PlannedHole(Struct, frozen=True):
    """One drilled hole, its sensor and its light.

    `track` counts from 0 and is None for the game hole that all tracks share. `sensor` is the number of its bit in a
    scan of the chain, `led` the number of its light in the chain. The hole is number `pos` (0 to 4) of strip `strip`.
    Places are mm from the plate's lower left corner.
    """

    track: int | None
    hole: Hole
    x_mm: float
    y_mm: float
    sensor: int
    led: int
    led_x_mm: float
    led_y_mm: float
    strip: int
    pos: int

    def on_strip(self, strip: int) -> PlannedHole:
        """The same hole with its strip at another place in the chain: sensor and light numbers follow."""
        away = strip - self.strip
        return replace(
            self, strip=strip, sensor=self.sensor + away * BITS_PER_STRIP, led=self.led + away * HOLES_PER_STRIP
        )
