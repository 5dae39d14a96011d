"""The schematic as a picture: every part a box with its pins, every net by its name, power in colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from hardware.pcb.circuit import GROUND, Circuit, Part, Pin, Role

STEP, BOX, WIRE, GAP, COLUMNS = 5.0, 30.0, 6.0, 8.0, 4
_LABEL = 30.0
_COLUMN = BOX + 2 * (WIRE + _LABEL)
_MARGIN, _HEAD = 10.0, 16.0
_INK, _GROUND_INK, _RAIL_INK, _OPEN_INK = "#1f2a33", "#1b7a3d", "#b3261e", "#8a8a8a"
_LEFT = (Role.HEARS, Role.TAKES)


def schematic(circuit: Circuit) -> str:
    """An SVG, in mm, of the whole circuit: parts with three pins or more as boxes, all others as rungs."""
    boxes = [part for part in circuit.parts if len(part.kind.pins) > 2]
    rungs = [part for part in circuit.parts if len(part.kind.pins) <= 2]
    drawn, height = _stacked(circuit, boxes)
    lines, foot = _ladder(circuit, rungs, height)
    width = COLUMNS * _COLUMN + 2 * _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{foot:g}mm" '
            f'viewBox="0 0 {width:g} {foot:g}" font-family="sans-serif" font-size="3" fill="{_INK}">',
            f'<rect width="{width:g}" height="{foot:g}" fill="#fff"/>',
            f'<text x="{_MARGIN:g}" y="10" font-size="5" font-weight="bold">{escape(circuit.title)}</text>',
            *drawn,
            *lines,
            "</svg>",
            "",
        ]
    )


def _sides(part: Part) -> tuple[Sequence[Pin], Sequence[Pin]]:
    """What it hears and lives on to the left, the rest to the right; connectors have all on one side."""
    left = [pin for pin in part.kind.pins if part.role(pin) in _LEFT]
    right = [pin for pin in part.kind.pins if pin not in left]
    return (left, right) if part.kind.volts != (0.0, 0.0) else ((), part.kind.pins)


def _stacked(circuit: Circuit, parts: Sequence[Part]) -> tuple[list[str], float]:
    """Each box under the shortest column so far."""
    heights = [_HEAD] * COLUMNS
    drawn: list[str] = []
    for part in parts:
        column = heights.index(min(heights))
        left, right = _sides(part)
        tall = (max(len(left), len(right)) + 1) * STEP
        drawn += _box(circuit, part, _MARGIN + column * _COLUMN + WIRE + _LABEL, heights[column] + 4, tall)
        heights[column] += tall + GAP + 4
    return drawn, max(heights)


def _box(circuit: Circuit, part: Part, x: float, y: float, tall: float) -> Iterator[str]:
    value = part.value if part.value != part.kind.name else ""
    heading = " ".join(word for word in (part.ref, part.kind.name, value) if word)
    yield f'<text x="{x:g}" y="{y - 1.5:g}" font-weight="bold">{escape(heading)}</text>'
    yield _frame(x, y, tall, "#fdf6e3")
    left, right = _sides(part)
    for row, pin in enumerate(left, start=1):
        yield from _pin(circuit, part, pin, x, y + row * STEP, -1)
    for row, pin in enumerate(right, start=1):
        yield from _pin(circuit, part, pin, x + BOX, y + row * STEP, 1)


def _pin(circuit: Circuit, part: Part, pin: Pin, x: float, y: float, out: int) -> Iterator[str]:
    net, anchor, inward = part.nets[pin.number], ("end", "", "start")[out + 1], ("start", "", "end")[out + 1]
    ink = _ink(circuit, net)
    name = pin.name if pin.name != pin.number else ""
    yield f'<path d="M{x:g} {y:g}h{out * WIRE:g}" stroke="{ink}" stroke-width=".4"/>'
    yield f'<text x="{x - out * 1.2:g}" y="{y + 1:g}" text-anchor="{inward}">{escape(name)}</text>'
    middle = x + out * WIRE / 2
    yield f'<text x="{middle:g}" y="{y - 0.6:g}" font-size="2" text-anchor="middle">{escape(pin.number)}</text>'
    label = net if net is not None else "not connected"
    yield (
        f'<text x="{x + out * (WIRE + 1):g}" y="{y + 1:g}" text-anchor="{anchor}" fill="{ink}">{escape(label)}</text>'
    )


def _ladder(circuit: Circuit, parts: Sequence[Part], top: float) -> tuple[list[str], float]:
    """Two-ended parts, each a rung between its nets, four to a row."""
    drawn: list[str] = []
    for place, part in enumerate(parts):
        row, column = divmod(place, COLUMNS)
        drawn += _rung(circuit, part, _MARGIN + column * _COLUMN + WIRE + _LABEL, top + 6 + row * 9)
    rows = -(-len(parts) // COLUMNS)
    return drawn, top + 6 + rows * 9 + 4


def _rung(circuit: Circuit, part: Part, x: float, y: float) -> Iterator[str]:
    pins = part.kind.pins
    label = escape(f"{part.ref}  {part.value}")
    yield _frame(x, y - 3, 6, "#eef4fb")
    yield f'<text x="{x + BOX / 2:g}" y="{y + 1:g}" text-anchor="middle">{label}</text>'
    if part.kind.hand_fitted:
        pins = tuple(replace(pin, name=pin.number) for pin in pins)
    yield from _pin(circuit, part, pins[0], x, y, -1)
    if len(pins) > 1:
        yield from _pin(circuit, part, pins[1], x + BOX, y, 1)


def _frame(x: float, y: float, tall: float, fill: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX:g}" height="{tall:g}" fill="{fill}" stroke="{_INK}" stroke-width=".4"/>'
    )


def _ink(circuit: Circuit, net: str | None) -> str:
    if net is None:
        return _OPEN_INK
    if net == GROUND:
        return _GROUND_INK
    return _RAIL_INK if net in circuit.rails else _INK
