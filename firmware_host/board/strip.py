"""The strip: a circuit board under a group of five holes, with five sensors, five lights and one shift register.

Rule: this module knows strips, but no tracks. Places are mm, seen from above, x to the right and y upward.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

HOLES_PER_STRIP = 5
BITS_PER_STRIP = 8
FIRST_HOLE_BIT = 3
"""The byte of a register starts with two constant bits and one spare input; the five holes follow."""


class Turn(Enum):
    """The direction from data input to output: the step (x, y) from each hole to the next."""

    RIGHT = (1, 0)
    UP = (0, 1)
    LEFT = (-1, 0)


class Outline(Struct, frozen=True):
    """The rectangle of a circuit board, in mm."""

    left_mm: float
    bottom_mm: float
    right_mm: float
    top_mm: float

    @property
    def area_cm2(self) -> float:
        """The area, in square centimetres."""
        return (self.right_mm - self.left_mm) * (self.top_mm - self.bottom_mm) / 100

    def overlaps(self, other: Outline) -> bool:
        """Whether two outlines overlap; edges that touch do not."""
        return (
            self.left_mm < other.right_mm
            and other.left_mm < self.right_mm
            and self.bottom_mm < other.top_mm
            and other.bottom_mm < self.top_mm
        )


class Slot(Struct, frozen=True):
    """One of the five places of a strip: where a hole may be drilled, and where its light is, in mm.

    `strip` is the number of the strip in the chain, `pos` the place on it, 0 to 4 from the data input.
    """

    x_mm: float
    y_mm: float
    led_x_mm: float
    led_y_mm: float
    strip: int
    pos: int

    @property
    def sensor(self) -> int:
        """The number of its bit in a scan of the whole chain."""
        return self.strip * BITS_PER_STRIP + FIRST_HOLE_BIT + self.pos

    @property
    def led(self) -> int:
        """The number of its light in the chain; every strip has five lights, drilled or not."""
        return self.strip * HOLES_PER_STRIP + self.pos


class StripPattern(Struct, frozen=True):
    """The measures that all strips of a board share, in mm, with the data input on the left and the lights above.

    `pitch_mm`: from hole to hole. `gap_mm`: what is added between two strips. `light_mm`: from a hole to its light.
    `below_mm` and `above_mm`: from the holes to the edges of the circuit board. `slack_mm`: between two circuit boards.
    """

    pitch_mm: float
    gap_mm: float
    light_mm: float
    below_mm: float
    above_mm: float
    slack_mm: float

    @property
    def reach_mm(self) -> float:
        """From the first hole of a strip to the first hole of the next one in the row, in mm."""
        return HOLES_PER_STRIP * self.pitch_mm + self.gap_mm

    def along_mm(self, place: int) -> float:
        """From the first place of a row to the given one, counted from 0, in mm."""
        group, pos = divmod(place, HOLES_PER_STRIP)
        return group * self.reach_mm + pos * self.pitch_mm

    def place_strip(self, strip: int, x_mm: float, y_mm: float, turn: Turn) -> tuple[Sequence[Slot], Outline]:
        """Places the strip with this number in the chain, its first hole at (x, y).

        Returns its five slots from data input to output, and its outline. Places are rounded to 0.001 mm.
        """
        ahead_x, ahead_y = turn.value

        def at(along_mm: float, aside_mm: float) -> tuple[float, float]:
            return (
                round(x_mm + along_mm * ahead_x - aside_mm * ahead_y, 3),
                round(y_mm + along_mm * ahead_y + aside_mm * ahead_x, 3),
            )

        slots = [
            Slot(*at(pos * self.pitch_mm, 0), *at(pos * self.pitch_mm, self.light_mm), strip, pos)
            for pos in range(HOLES_PER_STRIP)
        ]
        before_mm = (self.pitch_mm + self.gap_mm - self.slack_mm) / 2
        corners = at(-before_mm, -self.below_mm), at(self.reach_mm - self.slack_mm - before_mm, self.above_mm)
        (left, right), (bottom, top) = (sorted(side) for side in zip(*corners, strict=True))
        return slots, Outline(left, bottom, right, top)
