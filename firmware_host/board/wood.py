"""What a board is made of: plate, strips, holes and the inlay of each track. All in mm."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.board.course import Hole
from firmware_host.board.strip import BITS_PER_STRIP, HOLES_PER_STRIP, Outline, Turn


@dataclass(frozen=True, slots=True)
class Track:
    """One side's way round the board: its name, and the colour of its inlay (CSS)."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Plate:
    """The piece of wood, and the drills for it, in mm; `margin_mm` is the wood beyond the outermost hole or light."""

    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float
    margin_mm: float
    hole_mm: float
    light_mm: float


@dataclass(frozen=True, slots=True)
class PlannedStrip:
    """One strip: its number in the chain, the row it lies under, the place of its circuit board, and how that lies."""

    number: int
    row: str
    outline: Outline
    turn: Turn

    def place(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """A place of the circuit board on the plate; on the circuit board x runs from its input and y from its lights,
        in mm from the corner between the two."""
        box = self.outline
        if self.turn is Turn.UP:
            return round(box.left_mm + y_mm, 3), round(box.bottom_mm + x_mm, 3)
        if self.turn is Turn.LEFT:
            return round(box.right_mm - x_mm, 3), round(box.bottom_mm + y_mm, 3)
        return round(box.left_mm + x_mm, 3), round(box.top_mm - y_mm, 3)


@dataclass(frozen=True, slots=True)
class PlannedHole:
    """One hole. `track` is None for the game hole that all share; `sensor` is a bit of the chain, `led` a light's
    number in the chain; the hole is place `pos` (0 to 4) of strip `strip`."""

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
        """The same hole over another strip of the chain."""
        away = strip - self.strip
        return replace(
            self, strip=strip, sensor=self.sensor + away * BITS_PER_STRIP, led=self.led + away * HOLES_PER_STRIP
        )
