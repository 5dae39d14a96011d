"""What the driver of a sensing board needs to know about its holes: their places in the matrix, and their names."""

from __future__ import annotations

from collections.abc import Sequence

from board_drivers.matrix_wiring import MatrixWiring
from firmware_host.board.components import PlannedHole
from firmware_host.board.matrix import ROWS, column_count, light_order, matrix_places
from firmware_host.board.plan import BoardPlan


def matrix_wiring(printed: BoardPlan, plan: BoardPlan) -> MatrixWiring | None:
    """The wiring of a sensing board with the holes of `printed`; None if they do not fit into its matrix.

    `plan` has the same holes with the numbers that the host uses; people may have put its strips into another order.
    """
    try:
        places = matrix_places(printed)
    except ValueError:
        return None
    numbers = {(hole.track, hole.hole): hole for hole in plan.holes}
    holes = {places[hole.sensor]: numbers[hole.track, hole.hole] for hole in printed.holes}
    columns = column_count(printed)
    at = sorted(holes)
    return MatrixWiring(
        columns=columns,
        sensors={(place.column, place.row): holes[place].sensor for place in at},
        lights=tuple(numbers[hole.track, hole.hole].led for hole in light_order(printed)),
        column_holes=_names(
            plan, [[holes[place] for place in at if place.column == number] for number in range(columns)]
        ),
        row_holes=_names(plan, [[holes[place] for place in at if place.row == number] for number in range(ROWS)]),
    )


def _names(plan: BoardPlan, lines: Sequence[Sequence[PlannedHole]]) -> Sequence[str]:
    """The holes of each line in words, such as `red 1 to 15, game hole`."""
    return tuple(", ".join(_spans(plan, line)) for line in lines)


def _spans(plan: BoardPlan, line: Sequence[PlannedHole]) -> Sequence[str]:
    """The holes of a line by track; those that follow one another as a span."""
    ordered = sorted(line, key=lambda planned: (planned.track is None, planned.track or 0, planned.hole))
    spans: list[list[PlannedHole]] = []
    for planned in ordered:
        last = spans[-1][-1] if spans else None
        if last and last.track == planned.track and planned.hole == last.hole + 1 and last.hole > 0:
            spans[-1].append(planned)
        else:
            spans.append([planned])
    return [_span(plan, span) for span in spans]


def _span(plan: BoardPlan, span: Sequence[PlannedHole]) -> str:
    first = plan.name_of(span[0].track, span[0].hole)
    return first if len(span) == 1 else f"{first} to {span[-1].hole}"
