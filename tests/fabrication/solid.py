"""Reads STL files from OpenSCAD and measures them: open edges, size, number of through holes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from msgspec import Struct

Corner = tuple[str, str, str]
_CORNER = re.compile(r"vertex (\S+) (\S+) (\S+)")


class Solid(Struct, frozen=True):
    """A triangle mesh."""

    triangles: tuple[tuple[Corner, Corner, Corner], ...]

    @classmethod
    def read(cls, file: Path) -> Solid:
        """Reads an ASCII STL file."""
        corners: list[Corner] = [(x, y, z) for x, y, z in _CORNER.findall(file.read_text(encoding="ascii"))]
        return cls(tuple(zip(corners[::3], corners[1::3], corners[2::3], strict=True)))

    @property
    def open_edges(self) -> int:
        """Number of edges that are not used exactly once in each direction; 0 for a watertight mesh."""
        used = Counter(edge for a, b, c in self.triangles for edge in ((a, b), (b, c), (c, a)))
        return sum(times != used[end, start] or times != 1 for (start, end), times in used.items())

    @property
    def through_holes(self) -> int:
        """Number of through holes, by Euler's formula: vertices - edges + faces = 2 - 2 x holes."""
        corners = {corner for triangle in self.triangles for corner in triangle}
        edges = {frozenset(edge) for a, b, c in self.triangles for edge in ((a, b), (b, c), (c, a))}
        return 1 - (len(corners) - len(edges) + len(self.triangles)) // 2

    def floors(self, height_mm: float) -> int:
        """Number of separate horizontal faces at this height."""
        level = [set(triangle) for triangle in self.triangles if {float(z) for _, _, z in triangle} == {height_mm}]
        regions: list[set[Corner]] = []
        for corners in level:
            touching = [region for region in regions if region & corners]
            regions = [region for region in regions if not region & corners] + [corners.union(*touching)]
        return len(regions)

    @property
    def volume_mm3(self) -> float:
        """Volume of a watertight mesh: the sum of the tetrahedra from the origin to each triangle."""
        total = 0.0
        for a, b, c in (tuple(tuple(map(float, corner)) for corner in triangle) for triangle in self.triangles):
            total += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
            total += a[2] * (b[0] * c[1] - b[1] * c[0])
        return total / 6

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Size of the bounding box."""
        x, y, z = ([float(corner[axis]) for triangle in self.triangles for corner in triangle] for axis in range(3))
        return max(x) - min(x), max(y) - min(y), max(z) - min(z)
