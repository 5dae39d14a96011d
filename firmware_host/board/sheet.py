"""The sheet a board is drawn on: from places on the plate to places in the picture, lying or standing.

Rule: the plate measures upward from its lower left corner, a picture downward from its upper left; both in mm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_host.board.wood import Plate

Point = tuple[float, float]


def short(number: float, decimals: int = 2) -> str:
    """A number as a picture file writes it: no more decimals than needed, no trailing noughts, never -0."""
    return f"{round(number, decimals) + 0.0:g}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture of the plate. Standing, its left end is turned to the bottom and all lettering stays upright."""

    plate: Plate
    is_standing: bool = False

    @property
    def width_mm(self) -> float:
        return self.plate.height_mm if self.is_standing else self.plate.width_mm

    @property
    def height_mm(self) -> float:
        return self.plate.width_mm if self.is_standing else self.plate.height_mm

    def at(self, place: Point) -> Point:
        """Where a place on the plate is in the picture."""
        x_mm, y_mm = place
        if self.is_standing:
            return self.plate.height_mm - y_mm, self.plate.width_mm - x_mm
        return x_mm, self.plate.height_mm - y_mm

    def points(self, places: Iterable[Point], decimals: int = 2) -> str:
        """Places as the numbers of a path."""
        return " ".join(short(measure, decimals) for place in places for measure in self.at(place))

    def line(self, *places: Point) -> str:
        """Path text: straight from place to place."""
        return f"M{self.points(places)}"

    def circle(self, place: Point, radius_mm: float, dress: str) -> str:
        """A circle of this CSS class."""
        x_mm, y_mm = self.at(place)
        return f'<circle class="{dress}" cx="{short(x_mm)}" cy="{short(y_mm)}" r="{short(radius_mm)}"/>'
