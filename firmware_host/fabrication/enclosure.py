"""What is inside the case, as boxes: Pi with its plugs, display, button, amplifier, speaker, piezo.

Measures are in mm from the lower left corner of the case as seen from above: x to the right, y to the back, z up from
the underside of the floor. The Pi's USB sockets look to the right, its header is towards the back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.dimensions import Case, load_table

PI_KINDS = ("full", "zero")
"""The sizes of Pi: 3B+, 4 and 5; and Zero 2 W."""
_CABLES_MM = 24.0
"""How far the cables need their whole height, from the slot into the case."""


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
    return case.box.floor_mm + case.box.boss_height_mm + case.box.pi_board_mm


def blocks(case: Case, pi: str) -> tuple[Block, ...]:
    """Everything in the case with this kind of Pi (one of PI_KINDS), with all plugs."""
    return (*_pi_blocks(case, pi), *_lid_blocks(case), *_sound_blocks(case), _cables(case))


def pi_screws(case: Case, pi: str) -> Sequence[tuple[float, float]]:
    """The screws of the Pi."""
    return [(case.box.pi_x_mm + x, case.box.pi_y_mm + y) for x, y in load_table("case")["pi"][pi]["screws"]]


def _pi_blocks(case: Case, pi: str) -> Iterator[Block]:
    x0 = case.box.pi_x_mm
    y0 = case.box.pi_y_mm
    z0 = pi_floor_mm(case)
    for name, box in load_table("case")["pi"][pi].items():
        if name not in ("screws", "openings"):
            left, front, right, back, bottom, top = box
            edges = x0 + left, y0 + front, z0 + bottom, x0 + right, y0 + back, z0 + top
            yield Block(f"Pi: {name.replace('_', ' ')}", "Pi", *edges)


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
    """Speaker, rim and magnet; piezo; amplifier."""
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
    module = case.amplifier
    left, front = module.x_mm - module.width_mm / 2, module.y_mm - module.height_mm / 2
    right, back = left + module.width_mm, front + module.height_mm
    yield Block("amplifier", "amplifier", left, front, floor, right, back, floor + module.depth_mm)


def _cables(case: Case) -> Block:
    """The way of the cables from the lid and the Pi to their slot in the right wall."""
    box = case.box
    back = box.cable_y_mm + box.cable_width_mm
    right = case.bezel.width_mm - box.wall_mm
    return Block("cables", "cables", right - _CABLES_MM, box.cable_y_mm, box.cable_z_mm, right, back, box.inside_mm)


def speaker_height_mm(case: Case) -> float:
    """Height of the middle of the speaker; it stands on the floor."""
    return case.box.floor_mm + 0.5 + case.speaker.rim_mm / 2
