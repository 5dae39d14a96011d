"""Places and regular copper of the boards with lanes: the streets, the start holes and the way to the controller.

The controller and its registers are in the left part of the board, in front of the lanes. On the upper side all lines
run along the board, on the lower side across it. Each lane has two columns: one for its left half, along its switches,
and one for its right half, which passes the left half below the holes. The rows run between two streets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from firmware_host.board.matrix import COLUMNS_PER_REGISTER, EXTRA_ROW, column_count
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.layout import Copper, Placement, Rect, Side
from firmware_host.circuits.netlist import column_net, row_net
from hardware.kicad.copper import (
    COLUMN_WIDTH_MM,
    LINE_PITCH_MM,
    RAIL_WIDTH_MM,
    Drawing,
    draw_cell,
    draw_chain,
    draw_pull_up,
    draw_tap,
)
from hardware.kicad.placement import (
    CONTROLLER_PLACES,
    LOOP,
    RAIL_MM,
    ROW_MM,
    TURN_MM,
    Cell,
    cells,
    frame_of,
    has_pull_up,
    hole_places,
)

CORE_LEFT_MM = 213.0
"""What is right of it on the classic board is the same here, turned by a quarter."""
CORE_MM = 48.5
SWITCH_MM = 31.4
"""The transistors of the columns, each at the beginning of its track."""
LOW_LINE_MM = 2.8
"""From the holes to the track of the column of the right half."""
PASS_MM = 1.9
"""How far above the holes the left column passes the second start hole."""
ROWS_LEFT_MM = 34.0
ROWS_MM = 3.5
"""Where the lines of the rows begin, at the left and below the holes of the lane above them."""
REGISTER_ROWS = (3, 4, 2, 5, 1, 6, 0, 7)
"""The inputs of a row register in the order of their pins."""
TIES_MM = (55.0, 55.9)
"""Where the rails meet the 5 V zone of the lower side."""
ROW_GAPS: Mapping[int, int] = {8: 5, 12: 5, 16: 7}
"""The rows run above this lane, by the number of lanes; the row registers are beside it."""


CAPACITOR_MM: Mapping[int, float] = {8: 6.6, 12: 6.3, 16: 6.6}
"""From a column register to its capacitor, by the number of lanes: clear of what is below it."""


class Lane(Struct, frozen=True):
    """A street: its holes from left to right, and the start holes before it."""

    number: int
    holes: Sequence[Cell]
    starts: Sequence[Cell]

    @property
    def y(self) -> float:
        """The height of the holes."""
        return self.holes[0].y

    @property
    def halves(self) -> tuple[Sequence[Cell], Sequence[Cell]]:
        """The holes of its two columns."""
        middle = len(self.holes) // 2
        return self.holes[:middle], self.holes[middle:]

    def column(self, half: int) -> int:
        """The number of the column of a half."""
        return 2 * self.number + half

    def line_y(self, half: int) -> float:
        """The height at which the column of a half begins at the left."""
        return round(self.y + (LOW_LINE_MM if half else -0.95), 4)


def lanes(plan: BoardPlan) -> Sequence[Lane]:
    """The lanes, from the lowest to the uppermost."""
    every = cells(plan)
    inside = [cell for cell in every if cell.place.row != EXTRA_ROW]
    found = []
    for number in range(column_count(plan) // 2):
        own = sorted((cell for cell in inside if cell.place.column // 2 == number), key=lambda cell: cell.x)
        starts = [cell for cell in every if cell.place.row == EXTRA_ROW and cell.turn == 0 and cell.y == own[0].y]
        found.append(Lane(number, own, starts))
    return found


def game_hole(plan: BoardPlan) -> Cell:
    """The hole in which all tracks end."""
    return next(cell for cell in cells(plan) if cell.turn == 90)


def row_lines(plan: BoardPlan) -> Mapping[str, float]:
    """The height of the line of each row, by net."""
    streets = lanes(plan)
    top = streets[ROW_GAPS[len(streets)] + 1].y + ROWS_MM
    order = [row_net(8 * half + row) for half in range(2) for row in REGISTER_ROWS]
    return {net: round(top + LINE_PITCH_MM * number, 4) for number, net in enumerate(order)}


def core_point(plan: BoardPlan, x: float, y: float) -> tuple[float, float]:
    """A point of the classic board's controller on this board."""
    return round(CORE_MM - y, 4), round(frame_of(plan).height_mm - LOOP.width_mm + x, 4)


def places(plan: BoardPlan) -> Mapping[str, Placement]:
    """The places of all parts, by reference."""
    return {**hole_places(plan), **dict(_core_places(plan)), **dict(_column_places(plan)), **dict(_other_places(plan))}


def _core_places(plan: BoardPlan) -> Iterator[tuple[str, Placement]]:
    for ref, place in CONTROLLER_PLACES.items():
        if place.x >= CORE_LEFT_MM:
            yield ref, Placement(*core_point(plan, place.x, place.y), (place.turn + 270) % 360, place.side)


def _column_places(plan: BoardPlan) -> Iterator[tuple[str, Placement]]:
    """The transistor of each column with its resistor, and the register of four lanes beside them."""
    streets = lanes(plan)
    for lane in streets:
        for half in range(2):
            column = lane.column(half)
            y = lane.line_y(half)
            yield f"Q{column + 1}", Placement(SWITCH_MM, y)
            yield f"R{40 + column}", Placement(SWITCH_MM - 2.6, y, 90)
    each = COLUMNS_PER_REGISTER // 2
    first, *_, last = row_lines(plan).values()
    for number in range(len(streets) // each):
        some = streets[each * number : each * (number + 1)]
        y = round(sum(lane.y for lane in some) / each, 1)
        if first - 6 < y < last + 10:  # the rows need the way to their registers
            y = round(last + 10, 1)
        yield f"U{10 + number}", Placement(24.0, y, 180)
        yield f"C{20 + number}", Placement(21.4, round(y + CAPACITOR_MM[len(streets)], 4), 0)


def _other_places(plan: BoardPlan) -> Iterator[tuple[str, Placement]]:
    height = frame_of(plan).height_mm
    last = cells(plan)[-1]
    extra = 2 * (column_count(plan) // COLUMNS_PER_REGISTER - 1)
    first = height - 84.0
    yield from ((f"C{12 + n}", Placement(23.0, round(first + 3.0 * n, 4))) for n in range(extra))
    yield "R10", Placement(26.6, round(lanes(plan)[1].y + 8.0, 4), 90)
    yield "R8", Placement(33.0, last.light_at(0.8, -0.707)[1], 180)
    yield "R35", Placement(30.4, round(row_lines(plan)[row_net(EXTRA_ROW)] - 2.0, 4), 90)


def regular_copper(plan: BoardPlan) -> Copper:
    """All tracks but those of the controller."""
    drawing = Drawing()
    holes = cells(plan)
    for cell in holes:
        draw_cell(drawing, cell)
    streets = lanes(plan)
    game = game_hole(plan)
    crossed = next((lane for lane in streets if lane.y == game.y), None)
    turn = partial(_turn, drawing, game, 3.5 if crossed else 0.0)
    draw_chain(drawing, plan, turn)
    for lane in streets:
        _columns(drawing, lane, round_game=lane is crossed)
        _rails(drawing, lane)
    _game(drawing, streets, game, row_lines(plan))
    _rows(drawing, streets, game, row_lines(plan))
    _ends_of_the_chain(drawing, holes)
    _supply(drawing, plan)
    return drawing.copper()


def _turn(drawing: Drawing, game: Cell, rise: float, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the beginning of a turn to the next light; from the game hole at first upwards, `rise` more than else."""
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    data = aside < 0
    if one == game:
        x, y = (60.1, start[1] - rise - 1.2) if data else (59.4, start[1] - rise - 0.5)
        _across(drawing, net, start, (start[0], y), (x, y), end)
    elif one.place.row == EXTRA_ROW:
        x, y = (one.x + 3.2, one.y - 8.2) if data else (one.x + 4.0, one.y - 9.0)
        if other == game:
            low = (end[0], end[1] + 0.8)
            drawing.line(net, Side.TOP, low, end)
            _across(drawing, net, start, (x, start[1]), (x, y), (end[0], y), low)
        else:
            _across(drawing, net, start, (x, start[1]), (x, y), (34.2 if data else 34.9, y), end)
    elif one.chain == 0:
        x = one.x + (4.4 if data else 5.2)
        drawing.line(net, Side.TOP, start, (x, start[1]), (x, end[1]), end)
    else:
        _across(drawing, net, start, (other.x - (5.9 if data else 4.9), start[1]), end)


def _across(drawing: Drawing, net: str, *points: tuple[float, float]) -> None:
    """Along the upper side to the last but one point, across the board on the lower side, and on to the last."""
    *before, end = points
    x = before[-1][0]
    drawing.line(net, Side.TOP, *before)
    high = drawing.via(net, *before[-1])
    low = drawing.via(net, x, end[1])
    drawing.line(net, Side.BOTTOM, high, low)
    if x != end[0]:
        drawing.line(net, Side.TOP, low, end)


def _columns(drawing: Drawing, lane: Lane, *, round_game: bool) -> None:
    """The tracks of the two columns, from their transistors at the left; one may have to go round the game hole."""
    left, right = lane.halves
    y, low = lane.line_y(0), lane.line_y(1)
    points = [(SWITCH_MM + 0.94, y)]
    if round_game:
        net = column_net(lane.column(0))
        high = drawing.via(net, 52.6, round(lane.y - 8.8, 4))
        drawing.line(net, Side.TOP, *points, (36.0, y), (36.0, high[1]), high, width=COLUMN_WIDTH_MM)
        points = [drawing.via(net, high[0], y)]
        drawing.line(net, Side.BOTTOM, high, points[0], width=COLUMN_WIDTH_MM)
    if lane.starts:
        second = lane.starts[1].x
        passing = round(lane.y - PASS_MM, 4)
        points += [(second - 4.4, y), (second - 4.4, passing), (second + 3.0, passing), (second + 3.0, y)]
        net = column_net(lane.column(1))
        drawing.line(net, Side.TOP, (second - 0.94, y), (second - 3.4, y), (second - 3.4, low), width=0.3)
    drawing.line(column_net(lane.column(0)), Side.TOP, *points, (left[-1].x - 0.94, y), width=COLUMN_WIDTH_MM)
    up = right[0].x - 4.0
    points = [(SWITCH_MM + 0.94, low), (up, low), (up, y), (right[-1].x - 0.94, y)]
    drawing.line(column_net(lane.column(1)), Side.TOP, *points, width=COLUMN_WIDTH_MM)


def _rails(drawing: Drawing, lane: Lane) -> None:
    """The 5 V rails of a lane and of the start holes before it, to the zone between them."""
    rails: dict[float, list[float]] = {}
    for cell in (*lane.holes, *lane.starts):
        rails.setdefault(cell.light_at(0, RAIL_MM)[1], list(TIES_MM)).append(cell.x)
    for y, xs in rails.items():
        drawing.line("5V", Side.TOP, (min(xs), y), (max(xs), y), width=RAIL_WIDTH_MM)
        _tie(drawing, y)


def _tie(drawing: Drawing, y: float) -> None:
    for x in TIES_MM:
        drawing.via("5V", x, y)


def _game(drawing: Drawing, streets: Sequence[Lane], game: Cell, lines: Mapping[str, float]) -> None:
    """The column, row and supply of the game hole; its column is that of the first lane without start holes."""
    x, y = game.light_at(0, RAIL_MM)
    high = round(y - 2.5, 4)
    drawing.line("5V", Side.TOP, (x, y), (x, high), (TIES_MM[-1], high), width=0.6)
    _tie(drawing, high)
    lane = next(lane for lane in streets if lane.column(0) == game.place.column)
    x, y = game.at(-0.94, -0.95)
    net = column_net(game.place.column)
    start = drawing.via(net, x, lane.line_y(0))
    end = drawing.via(net, x, round(game.y + 2.0, 4))
    drawing.line(net, Side.BOTTOM, start, end)
    drawing.line(net, Side.TOP, end, (x, y))
    x, y = game.at(-0.94, 0.95)
    net = row_net(EXTRA_ROW)
    start = drawing.via(net, x, round(game.y + 2.0, 4))
    drawing.line(net, Side.TOP, (x, y), start)
    drawing.line(net, Side.BOTTOM, start, drawing.via(net, x, lines[net]))


def _rows(drawing: Drawing, streets: Sequence[Lane], game: Cell, lines: Mapping[str, float]) -> None:
    """A vertical through the holes of each row on the lower side, and the line that joins them."""
    every = [cell for lane in streets for cell in (*lane.holes, *lane.starts)]
    for net, y in lines.items():
        own = [cell for cell in every if row_net(cell.place.row) == net]
        xs = sorted({round(cell.x - ROW_MM, 4) for cell in own})
        for x in xs:
            some = [cell for cell in own if round(cell.x - ROW_MM, 4) == x]
            ys = [draw_tap(drawing, net, cell) for cell in some]
            ys += [draw_pull_up(drawing, net, cell) for cell in some if has_pull_up(cell)]
            drawing.line(net, Side.BOTTOM, (x, min(*ys, y)), (x, max(*ys, y)))
            drawing.via(net, x, y)
        if net == row_net(EXTRA_ROW):
            xs.append(game.at(-0.94, 0.95)[0])
        drawing.line(net, Side.TOP, (ROWS_LEFT_MM, y), (max(xs), y))


def _ends_of_the_chain(drawing: Drawing, holes: Sequence[Cell]) -> None:
    """The beginning of the lines to the first light, and the return of the last."""
    for net, aside in (("LIGHT_DATA0", -0.707), ("LIGHT_CLOCK0", 0.707)):
        x, y = holes[0].light_at(-0.8, aside)
        drawing.line(net, Side.TOP, (ROWS_LEFT_MM, y), (x, y))
    x, y = holes[-1].light_at(0.8, -0.707)
    drawing.line("LIGHT_RETURN", Side.TOP, (33.48, y), (x, y))


def _supply(drawing: Drawing, plan: BoardPlan) -> None:
    """From the fuse to the 5 V zone of the lower side."""
    fuse = CONTROLLER_PLACES["F1"]
    points = (core_point(plan, x, 44.4) for x in (fuse.x + 2.1, 349.0))
    drawing.line("5V", Side.TOP, *points, width=1.4)
    for x in (347.4, 348.2, 349.0):
        drawing.via("5V", *core_point(plan, x, 44.4))


def supply_zones(plan: BoardPlan) -> Sequence[Rect]:
    """The 5 V zone of the lower side: from the fuse along the lower edge, and up before the lanes."""
    height = frame_of(plan).height_mm
    return Rect(0.6, height - 6.6, 56.8, height - 0.6), Rect(53.5, 3.0, 56.8, height - 0.6)


def controller_zone(plan: BoardPlan) -> Rect:
    """Ground on the upper side, around the controller."""
    return Rect(0.6, 0.6, 35.0, frame_of(plan).height_mm - 0.6)


def name_place(plan: BoardPlan) -> tuple[float, float]:
    """Where the name of the board is printed: between two lanes."""
    return 90.0, round(lanes(plan)[0].y - 10.4, 4)
