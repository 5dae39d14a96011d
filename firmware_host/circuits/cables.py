"""The cables between the circuit boards: which of the lengths that are sold each one needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import dist

from firmware_host.board.plan import BoardPlan, PlanError
from firmware_host.circuits.row_boards import RowBoard, row_boards
from firmware_host.circuits.row_placement import row_layout

CABLES_MM = (150, 450)
"""The lengths of cable with plugs at both ends that are used; the model of the clock line reaches to the longest."""
BENDS_MM = 40.0
"""What the two bends need beyond the distance of the plugs."""
_PLUG_MIDDLE_MM = 4.375  # from pin 1 of a plug with eight pins to its middle


def cables_mm(plan: BoardPlan) -> Sequence[int]:
    """The lengths of the cables behind each board; the last one has none. Raises PlanError if two are too far apart."""
    return tuple(map(_shortest, gaps_mm(plan)))


def hub_cable_mm(plan: BoardPlan) -> int:
    """The length of the cable from the hub, which lies beside the demo board and beside the plate of the others."""
    return CABLES_MM[-1] if plan.strip_count > 1 else CABLES_MM[0]


def cable_counts(plan: BoardPlan) -> Mapping[int, int]:
    """How many cables of each length in mm a board needs, with the one from the hub."""
    wanted = [hub_cable_mm(plan), *cables_mm(plan)]
    return {length: wanted.count(length) for length in CABLES_MM}


def gaps_mm(plan: BoardPlan) -> Iterator[float]:
    """The distance from OUT of each board to IN of the next one."""
    for one, other in pairwise(row_boards(plan)):
        yield dist(connector(plan, one, "J2"), connector(plan, other, "J1"))


def connector(plan: BoardPlan, board: RowBoard, ref: str) -> tuple[float, float]:
    """The middle of J1 (IN) or J2 (OUT) of a board, on the plate."""
    reach_mm = plan.pattern.reach_mm
    last = len(board.strips) - 1
    place = row_layout(plan.pattern, len(board.strips)).places[ref]
    cell = min(last, int(place.x // reach_mm))
    return board.strips[cell].place(place.x - cell * reach_mm, place.y + _PLUG_MIDDLE_MM)


def _shortest(gap_mm: float) -> int:
    for length in CABLES_MM:
        if length >= gap_mm + BENDS_MM:
            return length
    raise PlanError("chain.order", f"boards that a cable of {CABLES_MM[-1]} mm joins", f"{gap_mm:.0f} mm")
