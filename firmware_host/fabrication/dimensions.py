"""Dimensions of the mechanical parts: `case.toml` as frozen structs, and access to the other TOML tables."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from board_drivers.hardware_files import hardware_file
from firmware_host.board.components import Plate
from firmware_host.fabrication.shapes import Point


@cache
def load_table(name: str) -> Mapping[str, Any]:
    """The parsed file `hardware/<name>.toml`. Raises FileNotFoundError if there is none."""
    return tomllib.loads(hardware_file(f"{name}.toml").read_text(encoding="utf-8"))


class Screws(Struct, frozen=True):
    """`[screws]`: the M3 screws through the plate."""

    inset_mm: float
    hole_mm: float
    head_mm: float

    def places(self, plate: Plate) -> tuple[Point, ...]:
        """Six positions in mm from the lower left corner of the plate: corners and middles of the long sides."""
        low = self.inset_mm
        high = plate.height_mm - self.inset_mm
        columns = (self.inset_mm, plate.width_mm / 2, plate.width_mm - self.inset_mm)
        return tuple((x_mm, y_mm) for y_mm in (low, high) for x_mm in columns)


class Stack(Struct, frozen=True):
    """`[stack]`: the layers under the plate."""

    sheet_mm: float
    spacer_mm: float
    board_mm: float


class PocketSizes(Struct, frozen=True):
    """`[pocket]`: the openings in the spacer and their clearances."""

    hole_mm: float
    light_mm: float
    end_mm: float
    clearance_mm: float
    above_mm: float
    merge_mm: float
    wall_mm: float


class Clip(Struct, frozen=True):
    """`[clip]`: the printed clips at the edges of the circuit board."""

    tongue_mm: float
    beside_mm: float
    foot_mm: float
    length_mm: float
    over_mm: float
    grip_mm: float
    hole_mm: float
    span_mm: float


class Recess(Struct, frozen=True):
    """`[recess]`: the recess in the lower side of the plate, at the USB plug."""

    depth_mm: float
    plug_mm: float
    wall_mm: float


class Joint(Struct, frozen=True):
    """`[joint]`: how the spacer is divided into pieces."""

    bed_mm: float
    bed_margin_mm: float
    length_mm: float
    head_mm: float
    min_head_mm: float
    neck_share: float
    spacing_mm: float
    fit_mm: float


class Pilot(Struct, frozen=True):
    """`[pilot]`: the blind holes for the wood screws of the clips."""

    hole_mm: float
    depth_mm: float
    screw_mm: float
    min_wood_above_mm: float
    wall_mm: float


class Peg(Struct, frozen=True):
    """`[peg]`: brass tube, magnet seat and printed head."""

    tube_mm: float
    bore_mm: float
    neck_mm: float
    socket_mm: float
    head_mm: float
    head_height_mm: float
    fit_mm: float

    def tube_length_mm(self, plate: Plate) -> float:
        """From the sheet below the plate up into the head."""
        return plate.thickness_mm + self.neck_mm + self.socket_mm

    @property
    def silhouette(self) -> tuple[Point, ...]:
        """Profile of the head from its lower end up, as (radius, height) in mm."""
        shares = ((0.6, 0.0), (0.6, 0.06), (0.5, 0.35), (1.0, 0.8), (0.9, 0.92), (0.5, 1.0), (0.0, 1.0))
        return tuple((radius * self.head_mm / 2, up * self.head_height_mm) for radius, up in shares)


class Keypad(Struct, frozen=True):
    """`[keypad]`: the membrane keypad and its recess. `tail` is its ribbon."""

    width_mm: float
    height_mm: float
    recess_mm: float
    tail_width_mm: float
    tail_height_mm: float


class Oled(Struct, frozen=True):
    """`[oled]`: the window and the screw holes of the display module."""

    glass_width_mm: float
    glass_height_mm: float
    holes_x_mm: float
    holes_y_mm: float
    hole_mm: float
    module_width_mm: float
    module_height_mm: float
    module_depth_mm: float
    pins_depth_mm: float


class Button(Struct, frozen=True):
    """`[button]`: the power button in the lid."""

    x_mm: float
    y_mm: float
    hole_mm: float
    nut_mm: float
    depth_mm: float


class Speaker(Struct, frozen=True):
    """`[speaker]`: the speaker behind the back wall of the case, and its grille."""

    rim_mm: float
    rim_depth_mm: float
    magnet_mm: float
    depth_mm: float
    x_mm: float
    hole_mm: float
    hole_pitch_mm: float


class Piezo(Struct, frozen=True):
    """`[piezo]`: the piezo sounder on the floor of the case."""

    diameter_mm: float
    height_mm: float
    x_mm: float
    y_mm: float


class Amplifier(Struct, frozen=True):
    """`[amplifier]`: the amplifier module on the floor of the case."""

    width_mm: float
    height_mm: float
    depth_mm: float
    x_mm: float
    y_mm: float


class Box(Struct, frozen=True):
    """`[box]`: the case under the lid."""

    wall_mm: float
    floor_mm: float
    inside_mm: float
    corner_mm: float
    pillar_mm: float
    pillar_hole_mm: float
    pillar_deep_mm: float
    pi_x_mm: float
    pi_y_mm: float
    pi_board_mm: float
    boss_mm: float
    boss_height_mm: float
    boss_hole_mm: float
    boss_sink_mm: float
    boss_sink_deep_mm: float
    cable_y_mm: float
    cable_width_mm: float
    cable_z_mm: float
    vent_mm: float
    clearance_mm: float


class Leg(Struct, frozen=True):
    """`[leg]`: the standoffs under the plate and their screws."""

    length_mm: float
    wide_mm: float
    screw_mm: float


class Bezel(Struct, frozen=True):
    """`[bezel]`: the lid of the case, for keypad, display and button."""

    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float
    wall_mm: float
    screw_inset_mm: float
    display_x_mm: float


class Case(Struct, frozen=True):
    """All of `hardware/case.toml`; lengths in mm."""

    screws: Screws
    stack: Stack
    pocket: PocketSizes
    clip: Clip
    recess: Recess
    joint: Joint
    pilot: Pilot
    peg: Peg
    bezel: Bezel
    keypad: Keypad
    oled: Oled
    button: Button
    speaker: Speaker
    piezo: Piezo
    amplifier: Amplifier
    box: Box
    leg: Leg


@cache
def load_case() -> Case:
    """Reads `hardware/case.toml`. Raises TypeError for a missing or an unknown key."""
    tables = load_table("case")
    return Case(
        Screws(**tables["screws"]),
        Stack(**tables["stack"]),
        PocketSizes(**tables["pocket"]),
        Clip(**tables["clip"]),
        Recess(**tables["recess"]),
        Joint(**tables["joint"]),
        Pilot(**tables["pilot"]),
        Peg(**tables["peg"]),
        Bezel(**tables["bezel"]),
        Keypad(**tables["keypad"]),
        Oled(**tables["oled"]),
        Button(**tables["button"]),
        Speaker(**tables["speaker"]),
        Piezo(**tables["piezo"]),
        Amplifier(**tables["amplifier"]),
        Box(**tables["box"]),
        Leg(**tables["leg"]),
    )
