"""Which row boards a plan needs: boards with six strips, and boards with one strip for the rest of a row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from firmware_host.board.components import PlannedStrip
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.row_netlist import STRIPS_PER_ROW

SIZES = (1, STRIPS_PER_ROW)
"""The numbers of strips of the boards that exist."""


class RowBoard(Struct, frozen=True):
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
