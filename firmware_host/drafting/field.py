"""The field of a rod magnet, by summing the charge on its two end faces.

A rod magnetised along its length acts as two discs of magnetic charge, one on each end. B = remanence / 4 pi times the
sum of `z / r^3` over the one, less that over the other (Jackson, Classical Electrodynamics, 5.9).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

_RINGS, _SPOKES = 48, 48


@dataclass(frozen=True, slots=True)
class Rod:
    """A magnet: mm, and its remanence in mT."""

    diameter_mm: float
    length_mm: float
    remanence_mt: float

    def along_mt(self, gap_mm: float, aside_mm: float = 0.0) -> float:
        """The part of the field along the rod, so far below its lower face and so far from its axis; in mT.

        That is the direction in which a switch under the hole feels. Negative: the field has turned back.
        """
        radius = self.diameter_mm / 2
        near = _disc(radius, gap_mm, aside_mm)
        far = _disc(radius, gap_mm + self.length_mm, aside_mm)
        return self.remanence_mt / (4 * math.pi) * (near - far)

    def on_axis_mt(self, gap_mm: float) -> float:
        """The same on the axis, from the closed formula: what the sum is checked against."""
        radius, far_mm = self.diameter_mm / 2, gap_mm + self.length_mm
        return self.remanence_mt / 2 * (far_mm / math.hypot(far_mm, radius) - gap_mm / math.hypot(gap_mm, radius))

    def reach_mm(self, level_mt: float) -> float:
        """The widest gap at which a switch on the axis still feels so much."""
        near, far = 0.0, 50.0
        for _ in range(50):
            middle = (near + far) / 2
            near, far = (middle, far) if self.on_axis_mt(middle) > level_mt else (near, middle)
        return near


@cache
def _disc(radius: float, depth: float, aside: float) -> float:
    """The sum of z / r^3 over a disc of charge, seen from `depth` below it and `aside` of its middle.

    Rings of equal area, each cut by spokes: the error at half a diameter's depth is below one in 10 000.
    """
    total = 0.0
    for ring in range(_RINGS):
        out = radius * math.sqrt((ring + 0.5) / _RINGS)
        for spoke in range(_SPOKES):
            angle = math.pi * (spoke + 0.5) / _SPOKES  # half the circle: the other half is its mirror
            across = aside * aside + out * out - 2 * aside * out * math.cos(angle)
            total += depth / (across + depth * depth) ** 1.5
    return total * math.pi * radius * radius / (_RINGS * _SPOKES)
