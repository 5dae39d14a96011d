"""The regular copper of boards with a loop: written by formula, no search.

Columns and rails run along the streets on the upper side, rows across them on the lower side, and the two halves of a
row meet in the band in the middle. Ground is the whole lower side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from firmware_host.board.matrix import EXTRA_ROW, ROWS, light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.circuit import GROUND
from firmware_host.circuits.layout import Copper, Placement, Side, Track, Via
from firmware_host.circuits.netlist import INPUTS_PER_REGISTER, chain_turns, column_net, long_lines, row_net
from hardware.kicad.placement import (
    BETWEEN_MM,
    COLUMN_MM,
    CONTROLLER_PLACES,
    LIGHT_MM,
    RAIL_MM,
    ROW_MM,
    TURN_MM,
    Cell,
    cells,
    has_column_capacitor,
    has_light_capacitor,
    has_pull_up,
)

SIGNAL_MM = 0.2
COLUMN_WIDTH_MM = 0.4
RAIL_WIDTH_MM = 1.0
ZONE_LEFT_MM = 346.4
"""Where the 5 V zone of the lower side begins, at the right end."""
ROWS_TOP_MM = 10.7
BAND_LINES_TOP_MM = 29.5
LINE_PITCH_MM = 0.6
PORT_MM = 177.4
FAR_PORT_MM = 294.0
"""Where the lines along the board are: rows between the first two streets, others in the band. `PORT_MM` and
`FAR_PORT_MM` are their ends in the band: of the columns, and of those that go on to the controller."""
FEEDER_LEFT_MM = 179.4
FEEDER_PITCH_MM = 1.5
TIE_MM = 347.6
"""Where the rails meet the 5 V zone of the lower side."""
LEFT_END_MM = 20.0
"""An end row left of it is that at the left."""
Point = tuple[float, float]


class Drawing(Struct):
    """Tracks and vias as they are drawn."""

    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)

    def line(self, net: str, side: Side, *points: Point, width: float = SIGNAL_MM) -> None:
        """A track through all points."""
        for (x1, y1), (x2, y2) in zip(points, points[1:], strict=False):
            start = (round(x1, 4), round(y1, 4))
            end = (round(x2, 4), round(y2, 4))
            if start != end:
                self.tracks.append(Track(net, side, *start, *end, width))

    def via(self, net: str, x: float, y: float) -> Point:
        """A via; returns its place."""
        self.vias.append(Via(net, round(x, 4), round(y, 4)))
        return x, y

    def copper(self) -> Copper:
        """All of it."""
        return Copper(self.tracks, self.vias)


ROW_LINES = {row_net(row): 14 - row for row in range(15)} | {row_net(EXTRA_ROW): 15}
LINES: Mapping[str, int] = {
    "SUPPLY_SENSE": 0,
    "LIGHT_DATA0": 1,
    "LIGHT_CLOCK0": 2,
    **{column_net(4 - n): 4 + n for n in range(5)},
}
"""The line of each net that runs along the board: rows between the first two streets, others in the band."""


def line_y(net: str) -> float:
    """The height of the line of a net."""
    if net in ROW_LINES:
        return round(ROWS_TOP_MM + LINE_PITCH_MM * ROW_LINES[net], 4)
    return round(BAND_LINES_TOP_MM + LINE_PITCH_MM * LINES[net], 4)


Turn = Callable[[str, Cell, Cell, float], None]
"""Draws a line of the chain round a turn; arguments: net, both cells, -0.707 for data or 0.707."""


def regular_copper(plan: BoardPlan) -> Copper:
    """All tracks of the classic board but those of the controller."""
    drawing = Drawing()
    holes = cells(plan)
    draw_loop(drawing, plan, partial(draw_turn, drawing))
    _end_row(drawing, holes)
    draw_first_light(drawing, holes[0], 4.135)
    draw_to_port(drawing, "LIGHT_DATA0", 17.4)
    draw_to_port(drawing, "LIGHT_CLOCK0", 16.6)
    draw_to_port(drawing, "SUPPLY_SENSE", 18.3)
    return drawing.copper()


def draw_loop(drawing: Drawing, plan: BoardPlan, turn: Turn) -> None:
    """What is alike on all boards with a loop: the streets, the end row at the left, and the ways to the controller."""
    holes = cells(plan)
    for cell in holes:
        draw_cell(drawing, cell)
    draw_chain(drawing, plan, turn)
    _columns(drawing, holes)
    _rails(drawing, holes)
    _rows(drawing, holes)
    _last_light(drawing, holes[-1])
    _registers(drawing)
    _supply(drawing)
    _hall_supply(drawing, holes)


def draw_cell(drawing: Drawing, cell: Cell) -> None:
    """Ground vias, the supply of the light, and capacitors."""
    drawing.line(GROUND, Side.TOP, cell.at(0.94, 0), drawing.via(GROUND, *cell.at(-0.25, 0)), width=0.3)
    ground = drawing.via(GROUND, *cell.light_at(0, -1.9))
    drawing.line(GROUND, Side.TOP, cell.light_at(0, -0.707), ground, width=0.3)
    drawing.line("5V", Side.TOP, cell.light_at(0, 0.707), cell.light_at(0, RAIL_MM), width=0.4)
    if has_light_capacitor(cell):
        ground = drawing.via(GROUND, *cell.light_at(BETWEEN_MM - 0.95, RAIL_MM + 1.26))
        drawing.line(GROUND, Side.TOP, cell.light_at(BETWEEN_MM, RAIL_MM + 1.26), ground, width=0.3)
    if has_column_capacitor(cell):
        ground = drawing.via(GROUND, *cell.at(BETWEEN_MM, 0.95))
        drawing.line(GROUND, Side.TOP, cell.at(BETWEEN_MM, 0), ground, width=0.3)


def draw_chain(drawing: Drawing, plan: BoardPlan, turn: Turn) -> None:
    """Data and clock from light to light, straight between turns."""
    holes = cells(plan)
    turns, long = (numbers(light_order(plan)) for numbers in (chain_turns, long_lines))
    for one, other in zip(holes, holes[1:], strict=False):
        for line, aside in (("DATA", -0.707), ("CLOCK", 0.707)):
            net = f"LIGHT_{line}{one.number}"
            start = one.light_at(0.8, aside)
            if one.number not in turns:
                drawing.line(net, Side.TOP, start, other.light_at(-0.8, aside))
                continue
            if one.number in long:
                drawing.line(f"{net}OUT", Side.TOP, start, one.light_at(TURN_MM - 0.48, aside))
            else:
                drawing.line(net, Side.TOP, start, one.light_at(TURN_MM + 0.48, aside))
            turn(net, one, other, aside)


def draw_turn(drawing: Drawing, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the beginning of a turn to the next street; data is outside where the chain turns right."""
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    if one.turn == 90:
        drawing.line(net, Side.TOP, start, (start[0], end[1]), end)
    elif one.turn == 0:
        x = one.x + (5.2 if aside < 0 else 4.4)
        drawing.line(net, Side.TOP, start, (x, start[1]), (x, end[1]), end)
    else:
        x = other.x - (4.9 if aside < 0 else 5.9)
        high = drawing.via(net, x, start[1])
        low = drawing.via(net, x, end[1])
        drawing.line(net, Side.TOP, start, high)
        drawing.line(net, Side.BOTTOM, high, low)
        drawing.line(net, Side.TOP, low, end)


def _streets(holes: Sequence[Cell]) -> Iterator[Sequence[Cell]]:
    """The holes of each half of a street, from left to right, in the order of the columns."""
    inside = [cell for cell in holes if cell.place.row != EXTRA_ROW]
    for column in range(1 + max(cell.place.column for cell in inside)):
        yield sorted((cell for cell in inside if cell.place.column == column), key=lambda cell: cell.x)


def feeder_x(column: int) -> float:
    """Where the supply of a column comes down, or up, to the band."""
    return FEEDER_LEFT_MM + FEEDER_PITCH_MM * (column % 4)


def _columns(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """The track of each column and its feeder to the band."""
    for column, half in enumerate(_streets(holes)):
        net = column_net(column)
        y = half[0].at(0, -COLUMN_MM)[1]
        x = feeder_x(column)
        far = (half[0] if column % 2 == 0 else half[-1]).at(-0.94, 0)[0]
        drawing.line(net, Side.TOP, (far, y), (x, y), width=COLUMN_WIDTH_MM)
        end = feeder_end(column)
        drawing.line(net, Side.BOTTOM, drawing.via(net, x, y), (x, end), width=COLUMN_WIDTH_MM)


def feeder_end(column: int) -> float:
    """How far the feeder reaches into the band: past its lines, from above."""
    return 36.2 if column < 4 else 45.4


def _rails(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """The 5 V rails, from the zone at the right end to the left, and on to the end row."""
    for half in _streets(holes):
        y = half[0].at(0, -LIGHT_MM + RAIL_MM)[1]
        if half[0].place.column % 2:
            drawing.line("5V", Side.TOP, (half[0].x, y), (TIE_MM, y), width=RAIL_WIDTH_MM)
            for dx in (0.0, -0.9):
                drawing.via("5V", TIE_MM + dx, y)
        else:
            drawing.line("5V", Side.TOP, (half[0].x, y), (half[-1].x + 15.24, y), width=RAIL_WIDTH_MM)
    ends = left_end(holes)
    street = next(cell for cell in holes if cell.turn == 0 and cell.place.row != EXTRA_ROW)
    x = ends[0].at(0, -LIGHT_MM + RAIL_MM)[0]
    y = street.at(0, -LIGHT_MM + RAIL_MM)[1]
    drawing.line("5V", Side.TOP, (x, ends[0].y + 0.4), (x, y), (street.x, y), width=RAIL_WIDTH_MM)


def _rows(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """Rows 0 to 14: two verticals on the lower side, and the line between them in the band."""
    inside = [cell for cell in holes if cell.place.row != EXTRA_ROW]
    for row in range(EXTRA_ROW):
        net = row_net(row)
        own = [cell for cell in inside if cell.place.row == row]
        y = line_y(net)
        lines = sorted({round(cell.x - ROW_MM, 4) for cell in own})
        for x in lines:
            ys = [draw_tap(drawing, net, cell) for cell in own if round(cell.x - ROW_MM, 4) == x]
            pulled = [cell for cell in own if has_pull_up(cell) and round(cell.x - ROW_MM, 4) == x]
            ys += [draw_pull_up(drawing, net, cell) for cell in pulled]
            drawing.line(net, Side.BOTTOM, (x, min(ys)), (x, max(ys)))
            drawing.via(net, x, y)
        drawing.line(net, Side.TOP, (lines[0], y), (max(lines[-1], register_x(row)), y))


def draw_tap(drawing: Drawing, net: str, cell: Cell) -> float:
    """From the output of a switch to its row line; returns its height."""
    x, y = cell.at(-0.94, 0.95)
    drawing.line(net, Side.TOP, (x, y), drawing.via(net, cell.x - ROW_MM, y))
    return y


def draw_pull_up(drawing: Drawing, net: str, cell: Cell) -> float:
    """From the pull-up of a row to its line; returns its height."""
    y = cell.y - LIGHT_MM + RAIL_MM + 1.22
    x = cell.x - ROW_MM
    drawing.line(net, Side.TOP, (cell.x - 3.4, y), drawing.via(net, x, y))
    return y


def left_end(holes: Sequence[Cell]) -> Sequence[Cell]:
    """The holes of the end row at the left, from the lowest to the uppermost."""
    return [cell for cell in holes if cell.turn == 90 and cell.x < LEFT_END_MM]


def _end_row(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """Row 15 along the end row, and the columns of its switches, each from its own line of the band."""
    ends = left_end(holes)
    draw_end_row(drawing, ends)
    across = {0: 15.2, 1: 14.2, 2: 13.2, 3: 14.2, 4: 15.2}
    for cell in ends:
        net = column_net(cell.place.column)
        line = draw_end_column(drawing, cell, across[cell.place.column], line_y(net))
        drawing.line(net, Side.TOP, line, (PORT_MM, line[1]))


def draw_end_row(drawing: Drawing, ends: Sequence[Cell]) -> None:
    """Row 15 along the end row, its pull-up, and its line to the register."""
    net = row_net(EXTRA_ROW)
    x = ends[0].at(-0.94, 0.95)[0]
    bottom = max(cell.at(-0.94, 0.95)[1] for cell in ends)
    drawing.line(net, Side.TOP, (x, 13.6), (x, bottom))
    drawing.line(net, Side.TOP, (8.2, 13.6), (x, 13.6))
    drawing.line(net, Side.TOP, (x, line_y(net)), (register_x(EXTRA_ROW), line_y(net)))


def draw_end_column(drawing: Drawing, cell: Cell, across: float, line: float) -> Point:
    """From a switch of the end row across to a line along the board; returns the end."""
    net = column_net(cell.place.column)
    _, y = cell.at(-0.94, -0.95)
    start = drawing.via(net, 8.25, y)
    drawing.line(net, Side.TOP, cell.at(-0.94, -0.95), start)
    end = drawing.via(net, across, line)
    drawing.line(net, Side.BOTTOM, start, (across, y), end)
    return end


def draw_first_light(drawing: Drawing, first: Cell, below: float) -> None:
    """The lines of the first light, which come round the end row; `below` is from the first hole to their corner."""
    for net, aside, x, down in (("LIGHT_DATA0", -0.707, 17.4, 0.8), ("LIGHT_CLOCK0", 0.707, 16.6, 0.0)):
        line = drawing.via(net, x, line_y(net))
        end = first.light_at(-0.8, aside)
        y = first.y + below + down
        low = drawing.via(net, end[0], y)
        drawing.line(net, Side.BOTTOM, line, (x, y), low)
        drawing.line(net, Side.TOP, low, end)


def draw_to_port(drawing: Drawing, net: str, x: float) -> None:
    """The line of a net along the band, from `x` to where the controller begins."""
    drawing.line(net, Side.TOP, (x, line_y(net)), (FAR_PORT_MM, line_y(net)))


def _last_light(drawing: Drawing, last: Cell) -> None:
    """The return of the last light to its resistor, and on to the band."""
    start = last.light_at(0.8, -0.707)
    drawing.line("LIGHT_RETURN", Side.TOP, start, (20.88, start[1]))
    net = "SUPPLY_SENSE"
    low = drawing.via(net, 18.3, start[1])
    line = drawing.via(net, 18.3, line_y(net))
    drawing.line(net, Side.TOP, (19.92, start[1]), low)
    drawing.line(net, Side.BOTTOM, low, line)


def _registers(drawing: Drawing) -> None:
    """From the inputs of the row registers to the lines of the rows, below the upper side's lines."""
    for row in range(ROWS):
        net = row_net(row)
        y = _register(row).y
        x = _pin_x(row)
        upper = _is_upper(row)
        pin = drawing.via(net, x, y + (-0.95 if upper else 1.0))
        drawing.line(net, Side.TOP, (x, y + (-2.0 if upper else 2.0)), pin)
        across = register_x(row)
        line = drawing.via(net, across, line_y(net))
        bend = [] if upper else [(across, pin[1])]
        drawing.line(net, Side.BOTTOM, pin, *bend, line)


def register_x(row: int) -> float:
    """Where the way from a row's line to its register goes down."""
    return round(_pin_x(row) + (0.0 if _is_upper(row) else 0.635), 4)


def _register(row: int) -> Placement:
    return CONTROLLER_PLACES[f"U{15 + row // INPUTS_PER_REGISTER}"]


def _is_upper(row: int) -> bool:
    """Whether the pin of a row is on the upper side of its register, which has the first four inputs."""
    return row % INPUTS_PER_REGISTER < INPUTS_PER_REGISTER // 2


def _pin_x(row: int) -> float:
    number = row % INPUTS_PER_REGISTER
    return round(_register(row).x + 1.905 - 1.27 * min(number, 7 - number), 4)


def _supply(drawing: Drawing) -> None:
    """From the fuse to the 5 V zone of the lower side."""
    fuse = CONTROLLER_PLACES["F1"]
    drawing.line("5V", Side.TOP, (fuse.x + 2.1, 44.4), (349.0, 44.4), width=1.4)
    for x in (347.4, 348.2, 349.0):
        drawing.via("5V", x, 44.4)


def _hall_supply(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """From the rail of the third street to the resistor through which the switches are fed."""
    street = next(cell for cell in holes if cell.place.column == 4 and cell.place.row != EXTRA_ROW)
    resistor = CONTROLLER_PLACES["R10"]
    x = 186.0  # right of the feeders
    rail = drawing.via("5V", x, street.y - LIGHT_MM + RAIL_MM)
    top = drawing.via("5V", x, 46.3)
    drawing.line("5V", Side.BOTTOM, rail, top, width=0.5)
    drawing.line("5V", Side.TOP, top, (resistor.x, 46.3), (resistor.x, resistor.y + 0.91), width=0.5)
