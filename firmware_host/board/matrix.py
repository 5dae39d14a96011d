"""Where each hole is in the sensor matrix and the light chain of a board on one circuit board (revision C).

A column of the matrix supplies up to 16 hall switches, one column at a time; a row is a line that all switches of one
row pull low. A *street* is a row of the plan with thirty holes in groups of five. Its left half is one column and its
right half the next, so that every row line crosses each street at the same two places. The few holes outside streets
share the last row, each in a column of its own.

Lights have their own order: the chain snakes through the streets, so that no line runs back the whole board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP

ROWS = 16
"""Row lines of every board: two shift registers of eight inputs."""
COLUMNS_PER_REGISTER = 8
HALF_STREET = ROWS - 1
EXTRA_ROW = ROWS - 1
"""The row of the holes outside streets."""


class MatrixPlace(Struct, frozen=True, order=True):
    """The place of a hall switch: column (its supply) and row (its output), both from 0."""

    column: int
    row: int


def matrix_places(plan: BoardPlan) -> Mapping[int, MatrixPlace]:
    """Sensor number -> place in the matrix. Raises ValueError if the plan does not fit into 16 rows."""
    streets = _streets(plan)
    places = {
        planned.sensor: MatrixPlace(2 * street + at // HALF_STREET, at % HALF_STREET)
        for street, holes in enumerate(streets)
        for at, planned in enumerate(holes)
    }
    others = _others(plan)
    if len(others) > 2 * len(streets):
        raise ValueError(f"{plan.id}: expected at most {2 * len(streets)} holes outside streets, got {len(others)}")
    return places | {planned.sensor: MatrixPlace(column, EXTRA_ROW) for column, planned in enumerate(others)}


def column_count(plan: BoardPlan) -> int:
    """The number of columns that shift registers drive, a multiple of 8."""
    used = 1 + max(place.column for place in matrix_places(plan).values())
    return -(-used // COLUMNS_PER_REGISTER) * COLUMNS_PER_REGISTER


def light_order(plan: BoardPlan) -> Sequence[PlannedHole]:
    """The holes in the order of their lights: those outside streets, then each street, every second one backwards."""
    streets = (holes if street % 2 == 0 else tuple(reversed(holes)) for street, holes in enumerate(_streets(plan)))
    return (*_others(plan), *(planned for holes in streets for planned in holes))


def _streets(plan: BoardPlan) -> Sequence[Sequence[PlannedHole]]:
    """The thirty holes of each street from left to right, streets in the order of the chain."""
    rows: dict[str, list[PlannedHole]] = {}
    full = _full_strips(plan)
    for planned in plan.holes:
        if planned.strip in full:
            rows.setdefault(plan.strips[planned.strip].row, []).append(planned)
    streets = (sorted(holes, key=lambda planned: planned.x_mm) for holes in rows.values())
    return tuple(tuple(holes) for holes in streets if len(holes) == 2 * HALF_STREET)


def _others(plan: BoardPlan) -> Sequence[PlannedHole]:
    """The holes outside streets, in the order of the chain."""
    in_streets = {planned.sensor for holes in _streets(plan) for planned in holes}
    return tuple(planned for planned in plan.holes if planned.sensor not in in_streets)


def _full_strips(plan: BoardPlan) -> frozenset[int]:
    """The strips without an undrilled place."""
    counts = Counter(planned.strip for planned in plan.holes)
    return frozenset(strip for strip, count in counts.items() if count == HOLES_PER_STRIP)
