"""The print of a board: its name, what is at each connector, the way of the lights, and the numbers of the holes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from firmware_host.board.matrix import EXTRA_ROW, light_order
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.layout import Label, Side
from firmware_host.circuits.netlist import chain_turns
from hardware.kicad import lanes
from hardware.kicad.placement import CONTROLLER_PLACES, cells, has_lanes
from hardware.kicad.schematic import REVISION

HEIGHT_MM = 1.0
NUMBERED = 5
"""Every fifth hole has its number."""
BEFORE_MM = 2.4
"""From the first light of a street to the arrow before it."""


class Legend(Struct, frozen=True):
    """A text beside a part, as on the classic board: mm from the place of the part to the middle of the text."""

    ref: str
    text: str
    right_mm: float
    down_mm: float
    turn: int = 0


LEGENDS = (
    Legend("J1", "J1 USB-C 5V \N{RIGHTWARDS ARROW}", -5.3, -6.8),
    Legend("J2", "J2 keypad", -8.93, -2.5),
    Legend("J2", "1", 2.3, 0.0),
    Legend("J3", "J3 display", 3.75, -4.6),
    Legend("J3", "1", -3.4, 0.0),
    Legend("J3", "GND", 0.0, 4.3, 90),
    Legend("J3", "5V", 2.5, 4.3, 90),
    Legend("J3", "SCL", 5.0, 4.3, 90),
    Legend("J3", "SDA", 7.5, 4.3, 90),
    Legend("J4", "J4 ISP 5V", 1.3, -2.8),
    Legend("J4", "1", -2.3, 0.0),
    Legend("D900", "D900", -3.2, 3.02),
)
"""The arrow points to the mouth of the USB socket. What is below is read from below."""


def outlined(refs: Iterable[str]) -> Collection[str]:
    """Those of the controller's parts that have an outline: connectors, chips and the surge diode."""
    return {ref for ref in refs if ref[0] in "JU"} | {"D900"}


def labels(plan: BoardPlan) -> Iterator[Label]:
    """All texts but the designators."""
    yield from (_beside_part(plan, legend) for legend in LEGENDS)
    name = f"cribboard {plan.id} {REVISION}"
    yield Label(name, *(lanes.name_place(plan) if has_lanes(plan) else (40.0, 60.0)), Side.TOP, 1.5)
    yield from _arrows(plan)
    yield from _hole_numbers(plan)


def _beside_part(plan: BoardPlan, legend: Legend) -> Label:
    place = CONTROLLER_PLACES[legend.ref]
    x, y = round(place.x + legend.right_mm, 4), round(place.y + legend.down_mm, 4)
    if has_lanes(plan):
        return Label(legend.text, *lanes.core_point(plan, x, y), place.side, HEIGHT_MM, (legend.turn + 270) % 360)
    return Label(legend.text, x, y, place.side, HEIGHT_MM, legend.turn)


def _arrows(plan: BoardPlan) -> Iterator[Label]:
    """The way of the chain of lights, before the first light of each street."""
    first = {1} | {number + 1 for number in chain_turns(light_order(plan))}
    for cell in cells(plan):
        if cell.number in first:
            x, y = cell.light_at(-BEFORE_MM, 0.0)
            yield Label("\N{RIGHTWARDS ARROW}", x, y, Side.TOP, HEIGHT_MM, cell.chain)


def _hole_numbers(plan: BoardPlan) -> Iterator[Label]:
    """The number of every fifth hole of a street, on the side away from its light."""
    for cell, planned in zip(cells(plan), light_order(plan), strict=True):
        if cell.place.row != EXTRA_ROW and planned.hole % NUMBERED == 0:
            yield Label(str(planned.hole), *cell.at(0.0, 2.3), Side.TOP, HEIGHT_MM)
