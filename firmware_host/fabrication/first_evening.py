"""Picture of the first evening: the hub, the demo board, display, keypad and supply, and what connects them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.hub_placement import HUB_LAYOUT
from firmware_host.circuits.row_placement import row_layout
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.enclosure import high_parts, hub_box
from firmware_host.fabrication.shapes import (
    Anchor,
    Circle,
    Drawing,
    Layer,
    Point,
    Polyline,
    Rectangle,
    Shape,
    Text,
    rectangle,
)

_WIDE_MM = 240.0
_HIGH_MM = 142.0
_HUB_AT: Point = (52.0, 30.0)
_ROW_AT: Point = (158.0, 92.0)
_LETTER_MM = 3.0
USED_PARTS = ("J2", "J3", "J4", "J5", "J9", "J13", "F1", "F2", "F3", "C2")
"""The parts of the hub that the first evening needs, beside J1 on its lower side."""


def first_evening_drawing(demo: BoardPlan, case: Case) -> Drawing:
    """Hub and demo board from above, at the same scale."""
    places = _hub_places(case)
    shapes: list[Shape] = [
        Rectangle(Layer.STRIP, _HUB_AT, HUB_LAYOUT.width_mm, HUB_LAYOUT.height_mm, 1.5),
        *(shape for ref, box in places.items() for shape in _part(ref, box)),
        Text(Layer.NOTES, (_HUB_AT[0] + 32.5, _HUB_AT[1] + 30.0), "hub, on the Pi", 4.0),
        *_demo_board(demo),
        *_things(),
        *_wires(demo, places),
    ]
    return Drawing("the first evening", _WIDE_MM, _HIGH_MM, tuple(shapes))


def _hub_places(case: Case) -> Mapping[str, tuple[float, float, float, float]]:
    """The box of each high part on the upper side, on the drawing."""
    right = _HUB_AT[0] - case.box.hub_x_mm
    up = _HUB_AT[1] - case.box.hub_y_mm
    found = {part.ref: hub_box(case, part) for part in high_parts() if part.ref != "J1"}
    return {ref: (box[0] + right, box[1] + up, box[2] + right, box[3] + up) for ref, box in found.items()}


def _part(ref: str, box: tuple[float, float, float, float]) -> Iterator[Shape]:
    is_used = ref in USED_PARTS
    yield rectangle(Layer.GLOW if is_used else Layer.PART, *box)
    if not is_used:
        return
    is_narrow = box[2] - box[0] < 5.0
    is_low = box[3] - box[1] < 5.0
    x = box[0] - 3.5 if is_narrow else (box[0] + box[2]) / 2
    y = box[3] + 1.0 if is_low else (box[1] + box[3]) / 2 - 1.0
    yield Text(Layer.NOTES, (x, y), ref, 2.6)


def _demo_board(demo: BoardPlan) -> Iterator[Shape]:
    layout = row_layout(demo.pattern, 1)
    (x, y) = _ROW_AT
    yield Rectangle(Layer.STRIP, _ROW_AT, layout.width_mm, layout.height_mm, 0.5)
    yield from (Circle(Layer.SCREWS, (x + screw.x, y + screw.y), screw.drill) for screw in layout.screws)
    for ref, name in (("J1", "J1 IN"), ("J3", "J3"), ("J2", "J2 OUT")):
        at = _on_row(demo, ref)
        yield Circle(Layer.GLOW, at, 3.4)
        yield Text(Layer.NOTES, (at[0], y - 4.5), name, 2.6)
    yield Text(Layer.NOTES, (x, y + layout.height_mm + 2.0), "demo board, from above", _LETTER_MM, Anchor.LEFT)


def _on_row(demo: BoardPlan, ref: str) -> Point:
    layout = row_layout(demo.pattern, 1)
    place = layout.places[ref]
    middle = 4.375 if ref in ("J1", "J2") else 1.25
    return _ROW_AT[0] + place.x, _ROW_AT[1] + layout.height_mm - place.y - middle


def _things() -> Iterator[Shape]:
    for text, left, bottom, right, top in (
        ("supply 5.1 V", 4.0, 108.0, 34.0, 124.0),
        ("display", 4.0, 62.0, 34.0, 86.0),
        ("keypad", 158.0, 24.0, 196.0, 62.0),
    ):
        yield rectangle(Layer.SHEET, left, bottom, right, top)
        yield Text(Layer.NOTES, ((left + right) / 2, (bottom + top) / 2 - 1.0), text, _LETTER_MM)
    notes = (
        "Yellow: solder these. J1, on the lower side of the hub, plugs onto the Pi; J3 of the hub gets its shunt.",
        "Cable: pin 1 to pin 1. Leads: join the two wires of pin 1, 5 V on both boards, and the two of pin 2, ground.",
    )
    for line, text in enumerate(notes):
        yield Text(Layer.NOTES, (4.0, 10.0 - 5.0 * line), text, _LETTER_MM, Anchor.LEFT)


def _wires(demo: BoardPlan, places: Mapping[str, tuple[float, float, float, float]]) -> Iterator[Shape]:
    def edge(ref: str, side: int) -> Point:
        box = places[ref]
        return box[side], (box[1] + box[3]) / 2

    rows, lights, keys = (edge(ref, 2) for ref in ("J4", "J5", "J13"))
    display, jack = (edge(ref, 0) for ref in ("J9", "J2"))
    data_in = _on_row(demo, "J1")
    power_in = _on_row(demo, "J3")
    yield Polyline(Layer.WIRE, (rows, (140.0, rows[1]), (140.0, data_in[1]), data_in))
    yield Text(Layer.NOTES, (141.0, rows[1] + 3.0), "cable with eight wires", _LETTER_MM, Anchor.LEFT)
    over = _ROW_AT[1] + 24.0
    yield Polyline(Layer.WIRE, (lights, (132.0, lights[1]), (132.0, over), (power_in[0], over), power_in))
    for x in (148.0, 154.0):
        yield rectangle(Layer.PRINT, x, over - 2.0, x + 4.0, over + 2.0)
    yield Text(Layer.NOTES, (151.0, over + 4.0), "two leads, joined by two lever connectors", _LETTER_MM, Anchor.LEFT)
    yield Polyline(Layer.WIRE, (keys, (158.0, keys[1])))
    yield Text(Layer.NOTES, (120.0, keys[1] - 5.0), "its own ribbon", _LETTER_MM, Anchor.LEFT)
    yield Polyline(Layer.WIRE, (display, (40.0, display[1]), (40.0, 74.0), (34.0, 74.0)))
    yield Text(Layer.NOTES, (36.0, 57.0), "lead with", _LETTER_MM, Anchor.RIGHT)
    yield Text(Layer.NOTES, (36.0, 53.0), "four sockets", _LETTER_MM, Anchor.RIGHT)
    yield Polyline(Layer.WIRE, (jack, (34.0, jack[1])))
