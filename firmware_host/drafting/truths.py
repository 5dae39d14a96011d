"""The truth about making, as data: tables of TOML beside the plans of the boards, read into frozen dataclasses."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from firmware_host.board.wood import Plate
from firmware_host.drafting.marks import Point


@cache
def told(name: str) -> Mapping[str, Any]:
    """`hardware/<name>.toml`."""
    return tomllib.loads(files("hardware").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Screws:
    inset_mm: float
    hole_mm: float
    head_mm: float

    def places(self, plate: Plate) -> tuple[Point, ...]:
        """In each corner, and half-way along the two long sides."""
        low, high = self.inset_mm, plate.height_mm - self.inset_mm
        columns = (self.inset_mm, plate.width_mm / 2, plate.width_mm - self.inset_mm)
        return tuple((x_mm, y_mm) for y_mm in (low, high) for x_mm in columns)


@dataclass(frozen=True, slots=True)
class Stack:
    sheet_mm: float
    sheets_by_hand: int
    spacer_mm: float
    board_mm: float


@dataclass(frozen=True, slots=True)
class Pocket:
    rim_mm: float
    clear_mm: float
    beyond_mm: float
    post_mm: float
    wall_mm: float


@dataclass(frozen=True, slots=True)
class Pilot:
    hole_mm: float
    deep_mm: float
    screw_mm: float
    roof_mm: float
    wall_mm: float


@dataclass(frozen=True, slots=True)
class Peg:
    tube_mm: float
    bore_mm: float
    neck_mm: float
    socket_mm: float
    head_mm: float
    head_height_mm: float
    fit_mm: float

    def tube_length_mm(self, plate: Plate) -> float:
        """Through the plate down to the sheet, and up into the head."""
        return plate.thickness_mm + self.neck_mm + self.socket_mm

    @property
    def silhouette(self) -> tuple[Point, ...]:
        """The head's outer line from the foot up, as radius and height: a waist for the fingers, a round top."""
        shares = ((0.6, 0.0), (0.6, 0.06), (0.5, 0.35), (1.0, 0.8), (0.9, 0.92), (0.5, 1.0), (0.0, 1.0))
        return tuple((round_ * self.head_mm / 2, up * self.head_height_mm) for round_, up in shares)


@dataclass(frozen=True, slots=True)
class Keypad:
    width_mm: float
    height_mm: float
    recess_mm: float
    tail_width_mm: float
    tail_height_mm: float


@dataclass(frozen=True, slots=True)
class Oled:
    glass_width_mm: float
    glass_height_mm: float
    holes_x_mm: float
    holes_y_mm: float
    hole_mm: float


@dataclass(frozen=True, slots=True)
class Bezel:
    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float
    wall_mm: float
    screw_inset_mm: float


@dataclass(frozen=True, slots=True)
class Case:
    """`hardware/case.toml`."""

    screws: Screws
    stack: Stack
    pocket: Pocket
    pilot: Pilot
    peg: Peg
    bezel: Bezel
    keypad: Keypad
    oled: Oled


@cache
def the_case() -> Case:
    facts = told("case")
    return Case(
        Screws(**facts["screws"]),
        Stack(**facts["stack"]),
        Pocket(**facts["pocket"]),
        Pilot(**facts["pilot"]),
        Peg(**facts["peg"]),
        Bezel(**facts["bezel"]),
        Keypad(**facts["keypad"]),
        Oled(**facts["oled"]),
    )
