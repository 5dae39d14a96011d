"""Tests of the mesh checks in `solid`, with meshes built by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fabrication.solid import Corner, Solid

Quad = tuple[Corner, Corner, Corner, Corner]


def corner(x: int, y: int, z: int) -> Corner:
    return str(x), str(y), str(z)


def block(*, without: frozenset[tuple[int, int]] = frozenset()) -> Solid:
    """A block of 3 x 3 unit cubes; the cubes in `without` are missing and leave through holes."""
    cells = {(x, y) for x in range(3) for y in range(3)} - without
    quads: list[Quad] = []
    for x, y in cells:
        quads.append((corner(x, y, 1), corner(x + 1, y, 1), corner(x + 1, y + 1, 1), corner(x, y + 1, 1)))
        quads.append((corner(x, y, 0), corner(x, y + 1, 0), corner(x + 1, y + 1, 0), corner(x + 1, y, 0)))
        sides = {(0, -1): ((x, y), (x + 1, y)), (1, 0): ((x + 1, y), (x + 1, y + 1))}
        sides |= {(0, 1): ((x + 1, y + 1), (x, y + 1)), (-1, 0): ((x, y + 1), (x, y))}
        for (ahead_x, ahead_y), (one, other) in sides.items():
            if (x + ahead_x, y + ahead_y) not in cells:
                quads.append((corner(*one, 0), corner(*other, 0), corner(*other, 1), corner(*one, 1)))
    return Solid(tuple(half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))))


@pytest.mark.parametrize(("without", "holes"), [(frozenset[tuple[int, int]](), 0), (frozenset({(1, 1)}), 1)])
def test_through_holes_are_counted_and_a_closed_mesh_has_no_open_edges(
    without: frozenset[tuple[int, int]], holes: int
) -> None:
    solid = block(without=without)
    assert (solid.open_edges, solid.through_holes, solid.size_mm) == (0, holes, (3, 3, 1))
    assert solid.volume_mm3 == pytest.approx(9 - holes)


def test_horizontal_faces_are_counted_by_height() -> None:
    assert [block().floors(height) for height in (0, 1, 2)] == [1, 1, 0]
    apart = block(without=frozenset({(1, 0), (1, 1), (1, 2)}))
    assert apart.floors(1) == 2


def test_a_missing_triangle_leaves_three_open_edges() -> None:
    assert Solid(block().triangles[1:]).open_edges == 3


def test_an_stl_file_is_read(tmp_path: Path) -> None:
    lines = [f"vertex {' '.join(point)}" for triangle in block().triangles for point in triangle]
    (tmp_path / "block.stl").write_text("solid block\n" + "\n".join(lines))
    assert Solid.read(tmp_path / "block.stl") == block()
