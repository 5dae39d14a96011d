"""The wood grain of the plate: lines along its length that one slow wave brings together and apart.

Nothing is random: the same plate has the same grain in every drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import sin

from firmware_host.board.drawing.projection import Point, Projection

_SPACING_MM = 2.8
_STEP_MM = 55.0
_SHADES = 3
_GOLDEN = 0.618  # multiples of the golden ratio do not repeat, so the distances of the lines do not either


def grain(projection: Projection) -> tuple[str, ...]:
    """The SVG paths of the grain, one a shade, the faintest first."""
    shades: list[list[str]] = [[] for _ in range(_SHADES)]
    for number, line in enumerate(_lines(projection.plate.width_mm, projection.plate.height_mm)):
        smooth = [place for bend, after in pairwise(line[1:]) for place in (bend, _middle(bend, after))]
        shades[number * 7 % 11 % _SHADES].append(f"M{projection.points(line[:1], 1)}Q{projection.points(smooth, 1)}")
    return tuple("".join(shade) for shade in shades)


def _lines(width_mm: float, height_mm: float) -> Iterator[list[Point]]:
    count = int(height_mm / _SPACING_MM) + 8
    places = int(width_mm / _STEP_MM) + 3
    for number in range(-8, count):
        level_mm = (number + number * _GOLDEN % 1) * _SPACING_MM
        yield [(step * _STEP_MM, level_mm + _wave_mm(step * _STEP_MM, level_mm)) for step in range(places)]


def _wave_mm(x_mm: float, y_mm: float) -> float:
    return 6.0 * sin(x_mm / 97 + y_mm / 61) + 1.8 * sin(x_mm / 41 - y_mm / 23)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
