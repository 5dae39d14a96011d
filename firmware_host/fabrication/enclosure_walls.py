"""The case around the parts: walls with their openings, pillars of the lid, posts of the Pi, slot of the speaker."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from firmware_host.fabrication.bezel import bezel_layout
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.enclosure import Block, pi_floor_mm, pi_screws, speaker_height_mm

_RIB_MM = 2.4
_VENTS = 7


class Post(Struct, frozen=True):
    """An upright cylinder; a boss of the Pi or a pillar of the lid."""

    x: float
    y: float
    bottom: float
    top: float


def openings(case: Case, pi: str) -> Iterator[Block]:
    """The openings in the walls. Their names are those of the walls; they reach through the wall and beyond."""
    box = case.box
    lid = case.bezel
    x0 = box.pi_x_mm
    y0 = box.pi_y_mm
    z0 = pi_floor_mm(case)
    right = lid.width_mm - box.wall_mm
    found = load_table("case")["pi"][pi]["openings"]
    for front, back, bottom, top in found["left"]:
        yield Block("left", "case", -1, y0 + front, z0 + bottom, box.wall_mm + 1, y0 + back, z0 + top)
    for front, back, bottom, top in found["right"]:
        yield Block("right", "case", right - 1, y0 + front, z0 + bottom, lid.width_mm + 1, y0 + back, z0 + top)
    for left, other, bottom, top in found["front"]:
        yield Block("front", "case", x0 + left, -1, z0 + bottom, x0 + other, box.wall_mm + 1, z0 + top)
    beside = box.cable_y_mm, box.cable_z_mm, lid.width_mm + 1, box.cable_y_mm + box.cable_width_mm, box.inside_mm + 1
    yield Block("right", "case", right - 1, *beside)


def vents(case: Case) -> Iterator[Block]:
    """Slots in the floor under the Pi, between its posts."""
    box = case.box
    left = box.pi_x_mm + 12.0
    right = box.pi_x_mm + 54.0
    for number in range(_VENTS):
        y = box.pi_y_mm + 8.0 + 6.5 * number
        yield Block("vent", "case", left, y, -1, right, y + box.vent_mm, box.floor_mm + 1)


def pillars(case: Case) -> Iterator[Post]:
    """The pillars for the screws of the lid."""
    return (Post(x, y, case.box.floor_mm, case.box.inside_mm) for x, y in bezel_layout(case).screws)


def bosses(case: Case, pi: str) -> Iterator[Post]:
    """The posts under the screws of the Pi."""
    floor = case.box.floor_mm
    return (Post(x, y, floor, floor + case.box.boss_height_mm) for x, y in pi_screws(case, pi))


def speaker_slot(case: Case) -> Iterator[Block]:
    """Guides beside the speaker and lips over its rim, on both sides; the rim slides in from above."""
    sound = case.speaker
    box = case.box
    wall = case.bezel.height_mm - box.wall_mm
    half = sound.rim_mm / 2 + 0.3
    lip = wall - sound.rim_depth_mm - _RIB_MM
    floor = box.floor_mm
    top = speaker_height_mm(case)
    for side in (-1, 1):
        outer = sound.x_mm + side * (half + _RIB_MM)
        inner = sound.x_mm + side * half
        left, right = sorted((outer, inner))
        yield Block("guide", "case", left, lip, floor, right, wall, top)
        left, right = sorted((outer, sound.x_mm + side * (sound.magnet_mm / 2 + 1.0)))
        yield Block("lip", "case", left, lip, floor, right, lip + _RIB_MM, top)


def grille(case: Case) -> Iterator[tuple[float, float]]:
    """The holes of the grille, in x and z, in a hexagonal pattern over the cone."""
    sound = case.speaker
    middle = speaker_height_mm(case)
    pitch = sound.hole_pitch_mm
    reach = sound.rim_mm / 2 - 5.0
    for row in range(-8, 9):
        for column in range(-8, 9):
            x = pitch * (column + row % 2 / 2)
            z = pitch * row * math.sqrt(3) / 2
            if math.hypot(x, z) <= reach:
                yield round(sound.x_mm + x, 3), round(middle + z, 3)


def solid_blocks(case: Case, pi: str) -> Iterator[Block]:
    """What a part must not meet inside the walls: posts as boxes, the slot of the speaker, and the lid's pillars."""
    box = case.box
    kinds = (("pillar", pillars(case), box.pillar_mm), ("boss", bosses(case, pi), box.boss_mm))
    for kind, posts, wide in kinds:
        half = wide / 2
        for post in posts:
            edges = post.x - half, post.y - half, post.bottom, post.x + half, post.y + half, post.top
            yield Block(kind, "case", *edges)
    yield from speaker_slot(case)
