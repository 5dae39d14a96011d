"""The grain of the plate: lines that run its length, drawn together and apart by one slow swell, as in a real board.

Nothing here is left to chance: the same plate has the same grain on every drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import sin

from firmware_host.board.sheet import Point, Sheet

_SPACING_MM = 2.8
_STEP_MM = 55.0
_SHADES = 3
_GOLDEN = 0.618  # its multiples never fall into step, so neither do the lines


def grain(sheet: Sheet) -> tuple[str, ...]:
    """Path texts, one a shade of grain, from the faintest on."""
    shades: list[list[str]] = [[] for _ in range(_SHADES)]
    for number, line in enumerate(_lines(sheet.plate.width_mm, sheet.plate.height_mm)):
        smooth = [place for bend, after in pairwise(line[1:]) for place in (bend, _middle(bend, after))]
        shades[number * 7 % 11 % _SHADES].append(f"M{sheet.points(line[:1], 1)}Q{sheet.points(smooth, 1)}")
    return tuple("".join(shade) for shade in shades)


def _lines(width_mm: float, height_mm: float) -> Iterator[list[Point]]:
    count = int(height_mm / _SPACING_MM) + 8
    places = int(width_mm / _STEP_MM) + 3
    for number in range(-8, count):
        level_mm = (number + number * _GOLDEN % 1) * _SPACING_MM
        yield [(step * _STEP_MM, level_mm + _swell_mm(step * _STEP_MM, level_mm)) for step in range(places)]


def _swell_mm(x_mm: float, y_mm: float) -> float:
    return 6.0 * sin(x_mm / 97 + y_mm / 61) + 1.8 * sin(x_mm / 41 - y_mm / 23)


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
