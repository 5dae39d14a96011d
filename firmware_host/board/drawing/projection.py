"""Converts places on the plate to places in the picture, in landscape or portrait.

Rule: on the plate y runs upward from the lower left corner, in the picture downward from the upper left; both in mm.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from firmware_host.board.components import Plate

Point = tuple[float, float]


def svg_number(number: float, decimals: int = 2) -> str:
    """Formats a number for SVG: no more decimals than needed, no trailing zeros, never -0."""
    return f"{round(number, decimals) + 0.0:g}"


class Projection(Struct, frozen=True):
    """The projection of one plate. If `is_standing`, its left end is at the bottom and labels stay upright."""

    plate: Plate
    is_standing: bool = False

    @property
    def width_mm(self) -> float:
        """The width of the picture."""
        return self.plate.height_mm if self.is_standing else self.plate.width_mm

    @property
    def height_mm(self) -> float:
        """The height of the picture."""
        return self.plate.width_mm if self.is_standing else self.plate.height_mm

    def at(self, place: Point) -> Point:
        """The place in the picture of a place on the plate, both in mm."""
        x_mm, y_mm = place
        if self.is_standing:
            return self.plate.height_mm - y_mm, self.plate.width_mm - x_mm
        return x_mm, self.plate.height_mm - y_mm

    def points(self, places: Iterable[Point], decimals: int = 2) -> str:
        """Places on the plate as the numbers of an SVG path."""
        return " ".join(svg_number(measure, decimals) for place in places for measure in self.at(place))

    def line(self, *places: Point) -> str:
        """The SVG path of straight lines from place to place."""
        return f"M{self.points(places)}"

    def circle(self, place: Point, radius_mm: float, css_class: str) -> str:
        """An SVG circle with this CSS class."""
        x_mm, y_mm = self.at(place)
        return (
            f'<circle class="{css_class}" cx="{svg_number(x_mm)}" cy="{svg_number(y_mm)}" r="{svg_number(radius_mm)}"/>'
        )
