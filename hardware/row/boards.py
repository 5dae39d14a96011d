"""Which row boards a plan needs: boards with six strips, and boards with one strip for the rest of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import dist

from firmware_host.board.components import PlannedStrip
from firmware_host.board.plan import BoardPlan
from hardware.row.netlist import STRIPS_PER_ROW

SIZES = (1, STRIPS_PER_ROW)
"""The numbers of strips of the boards that exist."""


@dataclass(frozen=True, slots=True)
class RowBoard:
    """One circuit board under the plate: its strips in the order of the chain."""

    row: str
    strips: tuple[PlannedStrip, ...]


def row_boards(plan: BoardPlan) -> tuple[RowBoard, ...]:
    """All boards of a plan, in the order of the chain."""
    return tuple(_boards(plan))


def _boards(plan: BoardPlan) -> Iterator[RowBoard]:
    for row, found in groupby(plan.strips, key=lambda strip: strip.row):
        strips = tuple(found)
        single = len(strips) % STRIPS_PER_ROW
        for strip in strips[:single]:
            yield RowBoard(row, (strip,))
        for start in range(single, len(strips), STRIPS_PER_ROW):
            yield RowBoard(row, strips[start : start + STRIPS_PER_ROW])


CABLES_MM = (150, 450)
"""The lengths of cable with plugs at both ends that are used from board to board."""
HUB_CABLE_MM = CABLES_MM[0]
"""The cable from the hub to the first board."""
_BENDS_MM = 40.0
"""What a cable needs besides the straight distance."""


def cable_mm(board: RowBoard, following: RowBoard) -> int:
    """The length of the cable between two boards. Raises ValueError if they are too far apart."""
    out, into = _connector(board.strips[-1], is_out=True), _connector(following.strips[0], is_out=False)
    needed = dist(out, into) + _BENDS_MM
    found = next((length for length in CABLES_MM if length >= needed), None)
    if found is None:
        raise ValueError(f"row {following.row}: expected a cable up to {CABLES_MM[-1]} mm, got {needed:.0f} mm")
    return found


def cables_mm(boards: Sequence[RowBoard]) -> tuple[int, ...]:
    """The lengths of the cables behind each board; the last one has none."""
    return tuple(cable_mm(board, following) for board, following in pairwise(boards))


def _connector(strip: PlannedStrip, *, is_out: bool) -> tuple[float, float]:
    """The end of a strip with the input or output connector."""
    outline, (along_x, along_y) = strip.outline, strip.turn.value
    sign = 1 if is_out else -1
    half_x, half_y = (outline.right_mm - outline.left_mm) / 2, (outline.top_mm - outline.bottom_mm) / 2
    x, y = outline.left_mm + half_x, outline.bottom_mm + half_y
    return x + sign * along_x * half_x, y + sign * along_y * half_y
