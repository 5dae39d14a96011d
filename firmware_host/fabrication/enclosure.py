"""What is inside the case, as boxes: Pi, hub with its plugs, display, button, speaker, piezo; and the space for tools.

Measures are in mm from the lower left corner of the case as seen from above: x to the right, y to the back, z up from
the underside of the floor. The Pi's USB sockets look to the right, its header and the supply jack are towards the back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from firmware_host.circuits.circuit import Part
from firmware_host.circuits.hub_netlist import HUB
from firmware_host.circuits.hub_placement import HUB_LAYOUT
from firmware_host.circuits.layout import Side, to_board
from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.dimensions import Case, load_table

PI_KINDS = ("full", "zero")
"""The sizes of Pi: 3B+, 4 and 5; and Zero 2 W."""


class Block(Struct, frozen=True):
    """A box: name, and edges in x, y and z. `owner` is what it is part of: the blocks of one owner may touch."""

    name: str
    owner: str
    left: float
    front: float
    bottom: float
    right: float
    back: float
    top: float

    def overlaps(self, other: Block, clearance_mm: float = 0.0) -> bool:
        """Whether the blocks overlap, or come closer than the clearance."""
        return (
            self.left < other.right + clearance_mm
            and other.left < self.right + clearance_mm
            and self.front < other.back + clearance_mm
            and other.front < self.back + clearance_mm
            and self.bottom < other.top + clearance_mm
            and other.bottom < self.top + clearance_mm
        )


def pi_floor_mm(case: Case) -> float:
    """Height of the upper face of the Pi."""
    return case.box.floor_mm + case.box.boss_height_mm + case.hub.board_mm


def hub_floor_mm(case: Case) -> float:
    """Height of the upper face of the hub."""
    return pi_floor_mm(case) + case.hub.gap_mm + case.hub.board_mm


def blocks(case: Case, pi: str) -> tuple[Block, ...]:
    """Everything in the case with this kind of Pi (one of PI_KINDS), with all plugs."""
    return (*_pi_blocks(case, pi), *_hub_blocks(case), *_lid_blocks(case), *_sound_blocks(case), _cables(case))


def pi_screws(case: Case, pi: str) -> Sequence[tuple[float, float]]:
    """The screws of the Pi."""
    return [(case.box.hub_x_mm + x, case.box.hub_y_mm + y) for x, y in load_table("case")["pi"][pi]["screws"]]


def hub_screws(case: Case) -> Sequence[tuple[float, float]]:
    """The screws of the hub."""
    return [on_hub(case, screw.x, screw.y) for screw in HUB_LAYOUT.screws]


def driver_blocks(case: Case) -> Iterator[Block]:
    """The space of a screwdriver over each screw of the hub, up to the open top of the case."""
    half = case.hub.driver_mm / 2
    for number, (x, y) in enumerate(hub_screws(case), start=1):
        column = x - half, y - half, hub_floor_mm(case), x + half, y + half, case.box.inside_mm
        yield Block(f"screwdriver {number}", "screwdriver", *column)


def hub_part(part: Part) -> Mapping[str, Any]:
    """The row of `case.toml` for a part that stands on the hub. Raises LookupError if there is none."""
    try:
        found: Mapping[str, Any] = load_table("case")["hub_part"][part.kind.name]
    except KeyError:
        wanted = f'a table [hub_part."{part.kind.name}"] in case.toml'
        raise LookupError(f"{part.ref}: expected {wanted}, got none; add its box and heights") from None
    return found


def high_parts() -> Iterator[Part]:
    """The parts of the hub that are high: those with leads. All others are lower than the leads below it."""
    return (part for part in HUB.parts if part.kind.hand_fitted)


def hub_box(case: Case, part: Part) -> tuple[float, float, float, float]:
    """Left, front, right and back edge of a part on the hub."""
    left, top, right, bottom = hub_part(part)["box"]
    corners = [to_board(HUB_LAYOUT.places[part.ref], x, y) for x in (left, right) for y in (top, bottom)]
    xs, ys = zip(*(on_hub(case, x, y) for x, y in corners), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def jack_axis(case: Case) -> tuple[float, float]:
    """Place in y and height of the axis of the supply jack."""
    jack = next(part for part in HUB.parts if part.ref == "J2")
    _, front, _, back = hub_box(case, jack)
    return (front + back) / 2, hub_floor_mm(case) + case.box.plug_axis_mm


def on_hub(case: Case, x: float, y: float) -> tuple[float, float]:
    """A place on the hub, whose y runs down, in the case."""
    return round(case.box.hub_x_mm + x, 3), round(case.box.hub_y_mm + HUB_LAYOUT.height_mm - y, 3)


def _pi_blocks(case: Case, pi: str) -> Iterator[Block]:
    x0 = case.box.hub_x_mm
    y0 = case.box.hub_y_mm
    z0 = pi_floor_mm(case)
    for name, box in load_table("case")["pi"][pi].items():
        if name not in ("screws", "openings"):
            left, front, right, back, bottom, top = box
            edges = x0 + left, y0 + front, z0 + bottom, x0 + right, y0 + back, z0 + top
            yield Block(f"Pi: {name.replace('_', ' ')}", "Pi", *edges)


def _hub_blocks(case: Case) -> Iterator[Block]:
    """The board with its leads; the socket; each part with its plug and the bend of the cable."""
    floor = hub_floor_mm(case)
    under = hub_floor_mm(case) - case.hub.board_mm
    whole = (0.0, 0.0, HUB_LAYOUT.width_mm, HUB_LAYOUT.height_mm)
    levels = ((whole, under, floor), *((leads, under - case.hub.pins_mm, under) for leads in case.hub.leads))
    for (left, top, right, bottom), low, high in levels:
        (x1, y1) = on_hub(case, left, bottom)
        (x2, y2) = on_hub(case, right, top)
        yield Block("hub: board" if high == floor else "hub: leads", "hub", x1, y1, low, x2, y2, high)
    for part in high_parts():
        left, front, right, back = hub_box(case, part)
        _, plugged_mm, bend_mm = hub_part(part)["heights"]
        bottom = floor
        top = floor + plugged_mm + bend_mm
        if HUB_LAYOUT.places[part.ref].side is Side.BOTTOM:
            bottom = floor - case.hub.board_mm - plugged_mm
            top = floor - case.hub.board_mm
        yield Block(f"hub: {part.ref}", f"hub {part.ref}", left, front, bottom, right, back, top)


def _lid_blocks(case: Case) -> Iterator[Block]:
    """Display with its plug, and button, behind the lid; the slot of the keypad with the bend of its tail."""
    lid = case.bezel
    oled = case.oled
    top = case.box.inside_mm
    layout = bezel_layout(case)
    x = lid.display_x_mm
    y = (layout.glass[1] + layout.glass[3]) / 2
    wide = oled.module_width_mm / 2
    high = oled.module_height_mm / 2
    yield Block("display", "display", x - wide, y - high, top - oled.module_depth_mm, x + wide, y + high, top)
    yield Block("display: plug", "display", x - 6, y + high - 4, top - oled.pins_depth_mm, x + 6, y + high, top)
    (x, y) = layout.button
    half = case.button.nut_mm / 2
    yield Block("button", "button", x - half, y - half, top - case.button.depth_mm, x + half, y + half, top)
    left, front, right, back = layout.tail
    yield Block("keypad: ribbon", "keypad", left, front, top - 6.0, right, back, top)


def _sound_blocks(case: Case) -> Iterator[Block]:
    """Speaker, rim and magnet; piezo."""
    box = case.box
    sound = case.speaker
    lid = case.bezel
    wall = lid.height_mm - box.wall_mm
    middle = speaker_height_mm(case)
    half = sound.rim_mm / 2
    magnet = sound.magnet_mm / 2
    x = sound.x_mm
    top = middle + half
    yield Block("speaker: rim", "speaker", x - half, wall - sound.rim_depth_mm, middle - half, x + half, wall, top)
    rear = wall - sound.depth_mm, middle - magnet, x + magnet, wall - sound.rim_depth_mm, middle + magnet
    yield Block("speaker: magnet", "speaker", x - magnet, *rear)
    half = case.piezo.diameter_mm / 2
    floor = box.floor_mm
    x = case.piezo.x_mm
    y = case.piezo.y_mm
    yield Block("piezo", "piezo", x - half, y - half, floor, x + half, y + half, floor + case.piezo.height_mm)


def _cables(case: Case) -> Block:
    """The way of the cables from the hub's right side to their slot in the wall."""
    box = case.box
    left = case.box.hub_x_mm + HUB_LAYOUT.width_mm + case.box.clearance_mm
    back = box.cable_y_mm + box.cable_width_mm
    right = case.bezel.width_mm - box.wall_mm
    return Block("cables of the rows", "cables", left, box.cable_y_mm, box.cable_z_mm, right, back, box.inside_mm)


def speaker_height_mm(case: Case) -> float:
    """Height of the middle of the speaker; it stands on the floor."""
    return case.box.floor_mm + 0.5 + case.speaker.rim_mm / 2
