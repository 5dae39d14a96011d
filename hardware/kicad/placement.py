"""Where the parts of a board are: a cell at each hole, and the controller beside them.

Boards with a loop have two kinds of street: in one the chain of lights runs to the right above the holes, in the other
to the left below them; the second is the first turned by half a circle. The end row is the first turned by a quarter.
Boards with lanes have all lights above their holes, and in every second lane only the light is turned.

Distances are mm from the board's upper left corner, x to the right and y down, seen from the plate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.components import PlannedHole
from firmware_host.board.matrix import (
    COLUMNS_PER_REGISTER,
    EXTRA_ROW,
    MatrixPlace,
    column_count,
    light_order,
    matrix_places,
)
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP
from firmware_host.circuits.layout import Placement, Side, to_board
from firmware_host.circuits.netlist import DAMPERS, LIGHTS_PER_CAPACITOR, long_lines

LIGHT_MM = 5.08
"""From a hole to its light."""
RAIL_MM = 1.9
"""From the lights to the 5 V rail between them and the holes."""
COLUMN_MM = 0.95
"""From the holes to the track of the column, through the first pins of the switches."""
ROW_MM = 2.2
"""From a hole to its row line, always to the left."""
BETWEEN_MM = 5.08
"""From the third hole of a group to the capacitors."""
PULL_UP_MM = 3.4
TURN_MM = 2.4
"""From the last light before a turn to where its lines leave the row, with resistors there if they are long."""


class Frame(Struct, frozen=True):
    """The rectangle of a board on its plate: x of its left and y of its upper edge (the plate's y points up), size."""

    left_mm: float
    top_mm: float
    width_mm: float
    height_mm: float

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """A point of the plate on the board."""
        return round(x_mm - self.left_mm, 4), round(self.top_mm - y_mm, 4)


LOOP = Frame(9.0, 85.0, 353.0, 74.7)
CORNERS_WIDTH_MM = 368.0
BELOW_PLUG_MM = 43.7
"""The board with opposite corners is wider below the USB plug, which may be 12.35 mm high."""
LANES_WIDTH_MM = 390.0
BESIDE_MM = 7.6
"""Board with lanes, beyond the outermost hole at its left and below."""
ABOVE_MM = 5.5
"""Board above the uppermost light, at least."""


def has_lanes(plan: BoardPlan) -> bool:
    """Whether the streets of the board are lanes with all lights above, and the controller is at their left."""
    return column_count(plan) > COLUMNS_PER_REGISTER


def frame_of(plan: BoardPlan) -> Frame:
    """Where the board is on the plate of a plan."""
    if not has_lanes(plan):
        return LOOP if plan.shares_game_hole else replace(LOOP, width_mm=CORNERS_WIDTH_MM)
    highest = max(planned.led_y_mm for planned in plan.holes)
    corner = round(plan.plate.margin_mm - BESIDE_MM, 4)
    height = floor(highest + ABOVE_MM - corner) + 0.9
    return Frame(corner, round(corner + height, 4), LANES_WIDTH_MM, height)


class Cell(Struct, frozen=True):
    """A hole on the board. `turn` is 0 with the light above it, 180 below, 90 at the left.

    `chain` is the turn of the light, which is that in which the chain goes: 0 to the right, 180 to the left, 90 up.
    """

    number: int
    x: float
    y: float
    turn: int
    chain: int
    place: MatrixPlace

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the cell on the board; the light is at (0, -LIGHT_MM)."""
        return to_board(Placement(self.x, self.y, self.turn), x, y)

    def part(self, x: float, y: float, turn: int = 0) -> Placement:
        """A part at a point of the cell."""
        right, down = self.at(x, y)
        return Placement(right, down, (self.turn + turn) % 360)

    def light_at(self, x: float, y: float) -> tuple[float, float]:
        """A point beside the light on the board, x in the direction of the chain."""
        return to_board(self.light_part(0, 0), x, y)

    def light_part(self, x: float, y: float, turn: int = 0) -> Placement:
        """A part at a point beside the light."""
        middle = Placement(*self.at(0, -LIGHT_MM), self.chain)
        right, down = to_board(middle, x, y)
        return Placement(right, down, (self.chain + turn) % 360)


def cells(plan: BoardPlan) -> Sequence[Cell]:
    """The holes in the order of their lights."""
    places = matrix_places(plan)
    frame = frame_of(plan)
    return [_cell(frame, number, planned, places) for number, planned in enumerate(light_order(plan), start=1)]


def _cell(frame: Frame, number: int, planned: PlannedHole, places: Mapping[int, MatrixPlace]) -> Cell:
    turns = {(0, 1): 0, (0, -1): 180, (-1, 0): 90}
    toward = (_sign(planned.led_x_mm - planned.x_mm), _sign(planned.led_y_mm - planned.y_mm))
    turn = turns[toward]
    place = places[planned.sensor]
    backwards = place.row != EXTRA_ROW and place.column // 2 % 2 == 1
    return Cell(number, *frame.at(planned.x_mm, planned.y_mm), turn, 180 if backwards else turn, place)


def _sign(value: float) -> int:
    return 0 if abs(value) < 1 else 1 if value > 0 else -1


def hole_places(plan: BoardPlan) -> Mapping[str, Placement]:
    """The places of all parts that belong to a hole, by reference."""
    found: dict[str, Placement] = {}
    long = long_lines(light_order(plan))
    for cell in cells(plan):
        found |= dict(_cell_places(cell, long=cell.number in long))
    return found


def _cell_places(cell: Cell, *, long: bool) -> Iterator[tuple[str, Placement]]:
    yield f"U{100 + cell.number}", cell.part(0, 0)
    yield f"D{cell.number}", cell.light_part(0, 0, 270)
    if long:
        yield f"R{1000 + cell.number}", cell.light_part(TURN_MM, -0.707)
        yield f"R{2000 + cell.number}", cell.light_part(TURN_MM, 0.707)
    if has_light_capacitor(cell):
        yield f"C{1000 + cell.number}", cell.light_part(BETWEEN_MM, RAIL_MM + 0.78, 270)
    if has_column_capacitor(cell):
        yield f"C{100 + cell.number}", cell.part(BETWEEN_MM, -COLUMN_MM + 0.48, 270)
    if has_pull_up(cell):
        yield f"R{20 + cell.place.row}", cell.part(-PULL_UP_MM, -LIGHT_MM + RAIL_MM + 0.74, 270)


def has_light_capacitor(cell: Cell) -> bool:
    """Whether the capacitor of five lights is behind this one in the chain."""
    return cell.number % LIGHTS_PER_CAPACITOR == LIGHTS_PER_CAPACITOR // 2 + 1


def has_column_capacitor(cell: Cell) -> bool:
    """Whether the capacitor of a group's switches is behind this hole."""
    return cell.place.row != EXTRA_ROW and cell.place.row % HOLES_PER_STRIP == HOLES_PER_STRIP // 2


def has_pull_up(cell: Cell) -> bool:
    """The pull-ups of the rows are beside the right half of the first street."""
    return cell.place.column == 1 and cell.place.row != EXTRA_ROW


CONTROLLER_PLACES: Mapping[str, Placement] = {
    **{f"Q{n + 1}": Placement(182.0 + 4.9 * (n % 4), 40.6 + 3.5 * (n // 4), 180) for n in range(8)},
    **{f"R{40 + n}": Placement(184.4 + 4.9 * (n % 4), 40.6 + 3.5 * (n // 4), 270) for n in range(8)},
    "R10": Placement(178.8, 43.9, 90),
    "U10": Placement(205.9, 42.25, 270),
    "C20": Placement(212.4, 43.6, 90),
    "U15": Placement(226.32, 42.25, 90),
    "C25": Placement(220.0, 41.0, 270),
    "U16": Placement(238.2, 42.25, 90),
    "C26": Placement(232.2, 41.0, 270),
    "R9": Placement(215.0, 43.6, 90),
    **{ref: Placement(round(244.35 + 1.95 * n, 2), 38.4, 270) for n, ref in enumerate(DAMPERS)},
    "C10": Placement(250.2, 38.4, 90),
    "C11": Placement(252.2, 38.4, 90),
    "J2": Placement(268.23, 44.2, 90, Side.BOTTOM),
    "U7": Placement(258.6, 38.6, 90),
    "U8": Placement(270.4, 38.6, 90),
    "R80": Placement(276.2, 44.6, 0),
    "R81": Placement(273.6, 45.4, 0),
    "R82": Placement(276.2, 43.0, 0),
    "R83": Placement(273.6, 42.5, 0),
    "R84": Placement(276.2, 41.4, 0),
    "R85": Placement(273.6, 39.5, 0),
    "R86": Placement(276.2, 37.6, 0),
    "R87": Placement(273.6, 38.5, 0),
    "J3": Placement(283.6, 42.0, 0, Side.BOTTOM),
    "U1": Placement(308.0, 39.4, 270),
    "Y1": Placement(300.4, 34.6, 90),
    "C1": Placement(297.7, 34.6, 90),
    "C2": Placement(302.9, 33.2, 90),
    "C3": Placement(308.6, 33.0, 0),
    "R2": Placement(299.4, 41.8, 180),
    "R3": Placement(299.4, 44.4, 180),
    "C5": Placement(314.8, 43.4, 90),
    "R1": Placement(314.8, 34.4, 90),
    "J4": Placement(318.0, 34.4, 0),
    "U2": Placement(330.6, 37.6, 0),
    "C6": Placement(324.6, 42.6, 90),
    "C7": Placement(326.2, 42.6, 90),
    "C8": Placement(327.8, 42.6, 90),
    "U6": Placement(337.2, 36.6, 0),
    "D900": Placement(333.4, 44.0, 180),
    "F1": Placement(341.0, 43.6, 0),
    "R4": Placement(341.0, 34.2, 90),
    "R5": Placement(341.0, 39.8, 90),
    "R6": Placement(339.2, 33.0, 90),
    "R7": Placement(337.6, 33.0, 90),
    "R8": Placement(20.4, 71.707, 180),
    "R35": Placement(7.7, 13.6, 0),
    "J1": Placement(349.35, 37.4, 90),
}
"""The controller and what belongs to it; R8 is at the last light and R35, the pull-up of the last row, at its line."""


def places(plan: BoardPlan) -> Mapping[str, Placement]:
    """The places of all parts of a board with a loop, by reference."""
    return {**CONTROLLER_PLACES, **hole_places(plan)}
