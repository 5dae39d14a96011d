"""Regular copper of the board whose players start from opposite corners: what differs from the classic board.

Its game holes are in the band between the second and the third street, and two start holes are at the right, on a part
of the board below the USB plug. What goes there runs between the third and the fourth street.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.board.matrix import EXTRA_ROW
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.layout import Copper, Side
from firmware_host.circuits.netlist import column_net, row_net
from hardware.kicad.copper import (
    COLUMN_WIDTH_MM,
    FAR_PORT_MM,
    PORT_MM,
    RAIL_WIDTH_MM,
    TIE_MM,
    Drawing,
    draw_end_column,
    draw_end_row,
    draw_first_light,
    draw_loop,
    draw_turn,
    left_end,
    line_y,
)
from hardware.kicad.placement import COLUMN_MM, LIGHT_MM, RAIL_MM, TURN_MM, Cell, cells

ROW_Y_MM = 55.4
COLUMN_Y_MM = 56.2
"""The lines of the last row and of the column of the lower start hole, between the third and the fourth street."""
THERE_Y_MM = {True: 59.6, False: 60.2}
BACK_Y_MM = {True: 61.4, False: 60.8}
"""The same of the lights' data (True) and clock on their way to the right and back."""
BEFORE_MM = 356.3
BEHIND_MM = 361.0
"""Where lines to the right start holes pass the chain of lights on the lower side."""


def regular_copper(plan: BoardPlan) -> Copper:
    """All tracks but those of the controller."""
    drawing = Drawing()
    holes = cells(plan)
    left = left_end(holes)
    right = [cell for cell in holes if cell.turn == 90 and cell not in left]
    games = [cell for cell in holes if cell.turn == 0 and cell.place.row == EXTRA_ROW]

    def turn(net: str, one: Cell, other: Cell, aside: float) -> None:
        if one == left[-1]:
            _to_the_games(drawing, net, one, other, aside)
        elif one == games[-1]:
            _to_the_right(drawing, net, one, other, aside)
        elif one == right[-1]:
            _back_to_the_left(drawing, net, one, other, aside)
        elif one.place.column == 5:
            _down_at_the_right(drawing, net, one, other, aside)
        else:
            draw_turn(drawing, net, one, other, aside)

    draw_loop(drawing, plan, turn)
    draw_end_row(drawing, left)
    draw_first_light(drawing, holes[0], 15.6)
    _columns_of_the_left(drawing, left)
    _columns_of_the_games(drawing, games)
    _columns_of_the_right(drawing, holes, right)
    _last_row(drawing, games, right)
    _supply_of_the_games(drawing, holes, games)
    _supply_of_the_right(drawing, holes, right)
    _ports(drawing)
    return drawing.copper()


def _to_the_games(drawing: Drawing, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the left end to the first game hole, through the band."""
    data = aside < 0
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    x, y = (13.1, 13.0) if data else (13.8, 12.2)
    high = drawing.via(net, start[0], y)
    low = drawing.via(net, x, end[1])
    drawing.line(net, Side.TOP, start, high)
    drawing.line(net, Side.BOTTOM, high, (x, y), low)
    drawing.line(net, Side.TOP, low, end)


def _down(drawing: Drawing, net: str, start: tuple[float, float], x: float, y: float) -> tuple[float, float]:
    """From a point to x on the upper side, and on the lower side to y. Returns the point of the second via."""
    high = drawing.via(net, x, start[1])
    low = drawing.via(net, x, y)
    drawing.line(net, Side.TOP, start, high)
    drawing.line(net, Side.BOTTOM, high, low)
    return low


def _to_the_right(drawing: Drawing, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the last game hole to the start holes at the right."""
    data = aside < 0
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    y = THERE_Y_MM[data]
    low = _down(drawing, net, start, 171.7 if data else 171.0, y)
    drawing.line(net, Side.TOP, low, (end[0], y), end)


def _back_to_the_left(drawing: Drawing, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the start holes at the right to the first street."""
    data = aside < 0
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    y = BACK_Y_MM[data]
    low = _down(drawing, net, start, 355.4 if data else 366.5, y)
    far = drawing.via(net, 21.3 if data else 22.0, y)
    near = drawing.via(net, far[0], end[1])
    drawing.line(net, Side.TOP, low, far)
    drawing.line(net, Side.BOTTOM, far, near)
    drawing.line(net, Side.TOP, near, end)


def _down_at_the_right(drawing: Drawing, net: str, one: Cell, other: Cell, aside: float) -> None:
    """From the third street to the fourth, below the lines to the start holes at the right."""
    start = one.light_at(TURN_MM + 0.48, aside)
    end = other.light_at(-0.8, aside)
    low = _down(drawing, net, start, 352.0 if aside < 0 else 351.2, end[1])
    drawing.line(net, Side.TOP, low, end)


def _columns_of_the_left(drawing: Drawing, left: Sequence[Cell]) -> None:
    """Below the game holes, from the ports of the controller."""
    for cell, across, x, y in zip(left, (8.25, 9.3), (175.4, 174.8), (41.4, 40.8), strict=True):
        net = column_net(cell.place.column)
        line = draw_end_column(drawing, cell, across, y)
        drawing.line(net, Side.TOP, line, (x, y), (x, line_y(net)), (PORT_MM, line_y(net)))


def _columns_of_the_games(drawing: Drawing, games: Sequence[Cell]) -> None:
    red, blue = games
    x, y = red.at(-0.94, -COLUMN_MM)
    net = column_net(red.place.column)
    line = line_y(net)
    points = ((174.2, line), (174.2, 40.2), (x - 3.3, 40.2), (x - 3.3, y), (x, y))
    drawing.line(net, Side.TOP, (PORT_MM, line), *points)
    x, y = blue.at(-0.94, -COLUMN_MM)
    net = column_net(blue.place.column)
    line = line_y(net)
    drawing.line(net, Side.TOP, (PORT_MM, line), (173.6, line), (173.6, 36.0), (x, 36.0), (x, y))


def _columns_of_the_right(drawing: Drawing, holes: Sequence[Cell], right: Sequence[Cell]) -> None:
    """One from its port; the other goes on from the end of its street."""
    lower, upper = right
    net = column_net(lower.place.column)
    port = drawing.via(net, 172.6, line_y(net))
    drawing.line(net, Side.TOP, (PORT_MM, port[1]), port)
    low = drawing.via(net, port[0], COLUMN_Y_MM)
    drawing.line(net, Side.BOTTOM, port, low)
    _past_the_chain(drawing, net, low, lower.at(-0.94, -COLUMN_MM))
    net = column_net(upper.place.column)
    last = next(cell for cell in reversed(holes) if cell.place.column == upper.place.column and cell.turn == 0)
    street = max((c for c in holes if c.place.column == last.place.column and c.turn == 0), key=lambda c: c.x)
    _past_the_chain(drawing, net, street.at(-0.94, -COLUMN_MM), upper.at(-0.94, -COLUMN_MM), COLUMN_WIDTH_MM)


def _past_the_chain(
    drawing: Drawing, net: str, start: tuple[float, float], end: tuple[float, float], width: float = 0.2
) -> None:
    """To the right, past the chain of lights on the lower side, and up or down to a switch."""
    before = drawing.via(net, BEFORE_MM, start[1])
    behind = drawing.via(net, BEHIND_MM, start[1])
    drawing.line(net, Side.TOP, start, before, width=width)
    drawing.line(net, Side.BOTTOM, before, behind, width=width)
    drawing.line(net, Side.TOP, behind, (end[0], start[1]), end, width=width)


def _last_row(drawing: Drawing, games: Sequence[Cell], right: Sequence[Cell]) -> None:
    """Row 15 from its line through the game holes to the right start holes."""
    net = row_net(EXTRA_ROW)
    for cell in games:
        x, y = cell.at(-0.94, 0.95)
        tap = drawing.via(net, x - 2.26, y)
        drawing.line(net, Side.TOP, (x, y), tap)
        drawing.line(net, Side.BOTTOM, drawing.via(net, tap[0], line_y(net)), tap)
    low = drawing.via(net, tap[0], ROW_Y_MM)
    drawing.line(net, Side.BOTTOM, tap, low)
    lower, upper = (cell.at(-0.94, 0.95) for cell in right)
    _past_the_chain(drawing, net, low, lower)
    drawing.line(net, Side.TOP, (lower[0], ROW_Y_MM), upper)


def _supply_of_the_games(drawing: Drawing, holes: Sequence[Cell], games: Sequence[Cell]) -> None:
    """Their rail, which the rail of the third street feeds."""
    y = games[0].light_at(0, RAIL_MM)[1]
    drawing.line("5V", Side.TOP, (games[0].x, y), (games[-1].x, y), width=RAIL_WIDTH_MM)
    start = drawing.via("5V", 160.0, y)
    end = drawing.via("5V", 160.0, _third_rail(holes))
    drawing.line("5V", Side.BOTTOM, start, end, width=0.5)


def _third_rail(holes: Sequence[Cell]) -> float:
    """The height of the 5 V rail of the third street."""
    street = next(cell for cell in holes if cell.place.column == 4 and cell.place.row != EXTRA_ROW)
    return street.y - LIGHT_MM + RAIL_MM


def _supply_of_the_right(drawing: Drawing, holes: Sequence[Cell], right: Sequence[Cell]) -> None:
    """Their rail, on from the rail of the third street, below the chain of lights."""
    y = _third_rail(holes)
    x = right[0].light_at(0, RAIL_MM)[0]
    drawing.line("5V", Side.TOP, (x, right[-1].y), (x, right[0].y), width=RAIL_WIDTH_MM)
    start = drawing.via("5V", BEFORE_MM, y)
    end = drawing.via("5V", x, y)
    drawing.line("5V", Side.TOP, (TIE_MM, y), start, width=RAIL_WIDTH_MM)
    drawing.line("5V", Side.BOTTOM, start, end, width=RAIL_WIDTH_MM)


def _ports(drawing: Drawing) -> None:
    """The lines along the band, which pass the lights of the game holes nearer to the second street."""
    for number, (net, x) in enumerate((("SUPPLY_SENSE", 18.3), ("LIGHT_DATA0", 17.4), ("LIGHT_CLOCK0", 16.6))):
        y = line_y(net)
        near = round(29.1 + 0.5 * number, 4)
        begin, end = 139.8 + 0.6 * number, 172.2 - 0.6 * number
        drawing.line(net, Side.TOP, (x, y), (begin, y), (begin, near), (end, near), (end, y), (FAR_PORT_MM, y))
