"""Draws the symbols of a schematic: a box for a chip or connector, and the usual sign for a part with two pins.

A box has its inputs and supplies on the left and all other pins on the right. Distances are in mm; y points down on a
sheet, and up in a library.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.circuits.circuit import Part, Pin, Role
from hardware.pcb.schematic_items import GRID, field_text, snap
from hardware.pcb.sexpr import Node, Text, row

_WIDTH = 7 * GRID
_LEFT_ROLES = (Role.INPUT, Role.POWER_IN)
_TYPES = {
    Role.POWER_IN: "power_in",
    Role.POWER_OUT: "power_out",
    Role.GROUND: "power_in",
    Role.INPUT: "input",
    Role.OUTPUT: "output",
    Role.OPEN_DRAIN: "open_collector",
    Role.TRI_STATE: "tri_state",
    Role.PASSIVE: "passive",
}
_SIGNS = ("resistor", "capacitor", "electrolytic", "diode", "surge", "polyfuse", "Schottky", "Zener")


def is_two_pin(part: Part) -> bool:
    """Whether the part is drawn as a vertical sign: a resistor, capacitor, diode or fuse."""
    return len(part.kind.pins) == 2 and part.kind.name.split()[0] in _SIGNS


def _box_sides(part: Part) -> tuple[Sequence[Pin], Sequence[Pin]]:
    left = [pin for pin in part.kind.pins if pin.role in _LEFT_ROLES]
    right = [pin for pin in part.kind.pins if pin not in left]
    if part.kind.volts == (0.0, 0.0):
        half = (len(part.kind.pins) + 1) // 2 if len(part.kind.pins) > 10 else 0
        return part.kind.pins[:half], part.kind.pins[half:]
    return left, right


def box_height(part: Part) -> float:
    """The height of the box of a part, in mm."""
    left, right = _box_sides(part)
    return (max(len(left), len(right)) + 1) * GRID


def box_pins(part: Part) -> Iterator[tuple[Pin, float, float, int]]:
    """The ends of the pins, relative to the middle of the upper edge: the pin, x, y down, and its side."""
    left, right = _box_sides(part)
    reach = snap(_WIDTH / 2 + GRID)
    for pins, side in ((left, -1), (right, 1)):
        for n, pin in enumerate(pins, start=1):
            yield pin, side * reach, n * GRID, side


def symbol_name(part: Part) -> str:
    """The name of the symbol of a part in the library."""
    return "cribboard:" + part.kind.name.replace(" ", "_").replace("/", "-")


def library_symbol(part: Part) -> list[Node]:
    """The symbol of a kind of part, drawn from its pins. Library y points up."""
    name = symbol_name(part)
    plain = name.split(":")[1]
    shapes, pins = _sign(part) if is_two_pin(part) else _box_symbol(part)
    hidden: list[Node] = [row("pin_numbers", row("hide", "yes"))] if is_two_pin(part) else []
    return [
        "symbol",
        Text(name),
        *hidden,
        ["pin_names", row("offset", 0.762), *([row("hide", "yes")] if is_two_pin(part) else [])],
        row("exclude_from_sim", "no"),
        row("in_bom", "yes"),
        row("on_board", "yes"),
        field_text("Reference", part.ref.rstrip("0123456789"), 0, 0),
        field_text("Value", part.kind.name, 0, 0),
        field_text("Footprint", "", 0, 0, hide=True),
        ["symbol", Text(f"{plain}_0_1"), *shapes],
        ["symbol", Text(f"{plain}_1_1"), *pins],
        row("embedded_fonts", "no"),
    ]


def _pin(pin: Pin, x: float, y: float, angle: int, length: float, kind: str) -> list[Node]:
    font: list[Node] = ["effects", ["font", row("size", 1.0, 1.0)]]
    return [
        "pin",
        kind,
        "line",
        row("at", x, y, angle),
        row("length", length),
        ["name", Text(pin.name if pin.name != pin.number else ""), font],
        ["number", Text(pin.number), font],
    ]


def _box_symbol(part: Part) -> tuple[list[Node], list[Node]]:
    half = snap(_WIDTH / 2)
    high = box_height(part)
    frame: list[Node] = [
        "rectangle",
        row("start", -half, 0),
        row("end", half, -high),
        ["stroke", row("width", 0.254), row("type", "default")],
        ["fill", row("type", "background")],
    ]
    pins: list[Node] = []
    for pin, x, y, side in box_pins(part):
        kind = "passive" if part.roles or part.kind.hand_fitted or part.kind.is_bare else _TYPES[pin.role]
        pins.append(_pin(pin, x, -y, 0 if side < 0 else 180, GRID, kind))
    return [frame], pins


def _line(*points: tuple[float, float]) -> list[Node]:
    return [
        "polyline",
        ["pts", *(row("xy", x, y) for x, y in points)],
        ["stroke", row("width", 0.254), row("type", "default")],
        ["fill", row("type", "none")],
    ]


def _sign(part: Part) -> tuple[list[Node], list[Node]]:
    first = part.kind.name.split()[0]
    length = 1.27
    if first in ("capacitor", "electrolytic"):
        shapes: list[Node] = [_line((-2.032, 0.762), (2.032, 0.762)), _line((-2.032, -0.762), (2.032, -0.762))]
        length = 3.048
        if first == "electrolytic":
            shapes += [_line((-2.0, 1.8), (-1.0, 1.8)), _line((-1.5, 1.3), (-1.5, 2.3))]
    elif first in ("diode", "surge", "Schottky", "Zener"):
        shapes = [
            _line((-1.27, 1.27), (1.27, 1.27)),
            _line((0, 1.27), (-1.27, -1.27), (1.27, -1.27), (0, 1.27)),
        ]
        length = 2.54
    else:
        shapes = [_line((-1.016, 2.54), (1.016, 2.54), (1.016, -2.54), (-1.016, -2.54), (-1.016, 2.54))]
        if first == "polyfuse":
            shapes.append(_line((0, 2.54), (0, -2.54)))
    one, other = part.kind.pins
    kinds = ["power_out" if pin.role is Role.POWER_OUT else "passive" for pin in (one, other)]
    return shapes, [_pin(one, 0, 3.81, 270, length, kinds[0]), _pin(other, 0, -3.81, 90, length, kinds[1])]


def flag_symbol() -> list[Node]:
    """PWR_FLAG: says to KiCad that a rail is supplied from outside."""
    return [
        "symbol",
        Text("cribboard:PWR_FLAG"),
        row("power"),
        row("pin_numbers", row("hide", "yes")),
        ["pin_names", row("offset", 0), row("hide", "yes")],
        row("exclude_from_sim", "no"),
        row("in_bom", "no"),
        row("on_board", "no"),
        field_text("Reference", "#FLG", 0, 0, hide=True),
        field_text("Value", "PWR_FLAG", 0, 2.54),
        field_text("Footprint", "", 0, 0, hide=True),
        ["symbol", Text("PWR_FLAG_0_0"), _pin(Pin("1", "1", Role.POWER_OUT), 0, 0, 90, 0, "power_out")],
        [
            "symbol",
            Text("PWR_FLAG_0_1"),
            _line((0, 0), (0, 1.27), (-1.016, 1.905), (0, 2.54), (1.016, 1.905), (0, 1.27)),
        ],
        row("embedded_fonts", "no"),
    ]
