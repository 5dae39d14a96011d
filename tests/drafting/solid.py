"""A printed solid as OpenSCAD leaves it: is it closed, how large is it, and how often is it pierced?"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

Corner = tuple[str, str, str]
_CORNER = re.compile(r"vertex (\S+) (\S+) (\S+)")


@dataclass(frozen=True, slots=True)
class Solid:
    """One closed skin of triangles."""

    triangles: tuple[tuple[Corner, Corner, Corner], ...]

    @classmethod
    def read(cls, file: Path) -> Solid:
        """An STL file in text form."""
        corners: list[Corner] = [(x, y, z) for x, y, z in _CORNER.findall(file.read_text(encoding="ascii"))]
        return cls(tuple(zip(corners[::3], corners[1::3], corners[2::3], strict=True)))

    @property
    def open_edges(self) -> int:
        """Edges that are not walked once in each direction: none, if the skin is watertight."""
        walked = Counter(edge for a, b, c in self.triangles for edge in ((a, b), (b, c), (c, a)))
        return sum(times != walked[other, one] or times != 1 for (one, other), times in walked.items())

    @property
    def through_holes(self) -> int:
        """By Euler's formula: corners - edges + faces = 2 - 2 x holes."""
        corners = {corner for triangle in self.triangles for corner in triangle}
        edges = {frozenset(edge) for a, b, c in self.triangles for edge in ((a, b), (b, c), (c, a))}
        return 1 - (len(corners) - len(edges) + len(self.triangles)) // 2

    def floors(self, height_mm: float) -> int:
        """How many separate level faces lie at this height."""
        level = [set(triangle) for triangle in self.triangles if {float(z) for _, _, z in triangle} == {height_mm}]
        islands: list[set[Corner]] = []
        for corners in level:
            touching = [island for island in islands if island & corners]
            islands = [island for island in islands if not island & corners] + [corners.union(*touching)]
        return len(islands)

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Of the box round it."""
        x, y, z = ([float(corner[axis]) for triangle in self.triangles for corner in triangle] for axis in range(3))
        return max(x) - min(x), max(y) - min(y), max(z) - min(z)
