"""Marks to feel: key caps with Braille, a peg head for each track, and a raised pin beside each fifth hole.

| part | how to recognise it |
| --- | --- |
| keys of cards | the letter or number in Braille; a number has no number sign, since all of them are numbers |
| UNDO, FN, ENTER | a bar across, a ring, two bars along |
| peg heads | by track: round, triangular, square, round with two grooves |
| fifth holes | a round pin beside the hole |

Braille has dots 2.5 mm apart and cells 6.0 mm apart, as ISO 17049 has them for signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import cos, dist, pi, sin

from board_drivers.ports import KEY_ROWS
from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.shapes import Point
from firmware_host.fabrication.solids import SLAB, program

EVERY_HOLES = 5
"""A mark stands beside every fifth hole, where the board has its thicker lines."""
PIN_HEAD_MM = 2.2
"""Diameter of the part of a pin that is felt."""
PIN_SHAFT_MM = 1.5
WALL_MM = 0.8
"""Least wood between the shaft of a pin and a hole or light, and least distance from its head to a hole."""
DIRECTIONS = 16
"""Directions around a hole in which a place for its pin is looked for."""
REACH_MM = (0.0, 0.5, 1.0, 1.5, 2.0)
"""Distances beyond the nearest place."""

BRAILLE: dict[str, str] = {"A": "1", "2": "12", "3": "14", "4": "145", "5": "15", "6": "124", "7": "1245", "8": "125"}
BRAILLE |= {"9": "24", "J": "245", "Q": "12345", "K": "13"}
"""Legend -> the raised dots of its cell: 1 to 3 down the left column, 4 to 6 down the right one."""
DOTS_OF_TEN = ("1", "245")
DOT_MM = 2.5
CELL_MM = 6.0
BARS = {"UNDO": ((0.0, 0.0, 9.0, 1.6),), "ENTER": ((-2.0, 0.0, 1.6, 9.0), (2.0, 0.0, 1.6, 9.0))}
"""Legend -> bars: middle (x, y), width and height in mm."""
RING = "FN"
CAP_SHARE = 0.8
"""Width and height of a cap, as a share of the field of its key."""

Dots = tuple[Point, ...]


def dots_of(legend: str) -> Dots:
    """The Braille dots of a key, in mm from the middle of its cap; none for a key with another mark."""
    cells = DOTS_OF_TEN if legend == "10" else (BRAILLE[legend],) if legend in BRAILLE else ()
    left_mm = -(len(cells) - 1) * CELL_MM / 2
    return tuple(
        (left_mm + cell * CELL_MM + (DOT_MM / 2 if dot in "456" else -DOT_MM / 2), (1 - (int(dot) - 1) % 3) * DOT_MM)
        for cell, dots in enumerate(cells)
        for dot in dots
    )


def key_caps(case: Case) -> str:
    """The sixteen caps to glue on the keypad, laid out as its keys are."""
    keypad = case.keypad
    pitch = (keypad.width_mm / len(KEY_ROWS[0]), keypad.height_mm / len(KEY_ROWS))
    places = {
        key.legend: ((column + 0.5) * pitch[0], keypad.height_mm - (row + 0.5) * pitch[1])
        for row, keys in enumerate(KEY_ROWS)
        for column, key in enumerate(keys)
    }
    lists: dict[str, Sequence[Sequence[float]]] = {
        "caps": [*places.values()],
        "dots": [_moved(places[legend], dot) for legend in places for dot in dots_of(legend)],
        "bars": [(*_moved(places[legend], bar[:2]), *bar[2:]) for legend, bars in BARS.items() for bar in bars],
        "rings": [places[RING]],
    }
    measures = {
        "width": min(pitch) * CAP_SHARE,
        "height": min(pitch) * CAP_SHARE,
        "corner": 2.0,
        "thickness": 1.6,
        "dot": 1.6,
        "raised": 0.6,
        "ring": 7.0,
    }
    body = """for (at = caps) translate([at[0] - width / 2, at[1] - height / 2]) linear_extrude(thickness)
  slab(width, height, corner);
for (at = dots) translate([at[0], at[1], thickness - 0.1]) cylinder(h = raised + 0.1, d1 = dot, d2 = dot / 2, $fn = 16);
for (at = bars) translate([at[0] - at[2] / 2, at[1] - at[3] / 2, thickness - 0.1]) cube([at[2], at[3], raised + 0.1]);
for (at = rings) translate([at[0], at[1], thickness - 0.1]) linear_extrude(raised + 0.1) difference() {
  circle(d = ring, $fn = 32);
  circle(d = ring - 3, $fn = 32);
}
"""
    comment = "Caps for the keys, with raised marks: print them flat, and glue each in the middle of its key."
    return program(comment, measures, lists, SLAB + body)


def peg_heads(case: Case) -> str:
    """One head for each of four tracks, of the size of `peg_head`. The shape begins above the socket."""
    peg = case.peg
    measures = {
        "bore": peg.tube_mm + peg.fit_mm,
        "socket": peg.socket_mm,
        "head": peg.head_mm,
        "head_height": peg.head_height_mm,
        "flat": 0.36 * peg.head_mm,
        "groove": 1.2,
    }
    body = """module body() rotate_extrude($fn = 48) polygon(concat(
  silhouette, [[0, socket], [bore / 2, socket], [bore / 2, 0]]));
module cut_to(sides) intersection() {
  body();
  union() {
    cylinder(h = socket + 1, d = 2 * head);
    rotate(180 / sides) cylinder(h = head_height + 1, r = flat / cos(180 / sides), $fn = sides);
  }
}
module grooved() difference() {
  body();
  for (share = [0.68, 0.84]) translate([0, 0, share * head_height]) rotate_extrude($fn = 48)
    translate([head / 2, 0]) circle(d = groove, $fn = 12);
}
body();
translate([2 * head, 0]) cut_to(3);
translate([4 * head, 0]) cut_to(4);
translate([6 * head, 0]) grooved();
"""
    comment = "Heads of pegs to tell by touch, for tracks 1 to 4 from the left: round, triangular, square, grooved."
    return program(comment, measures, {"silhouette": peg.silhouette}, body)


def mark_places(plan: BoardPlan) -> tuple[Point, ...]:
    """Where the pins of every fifth hole are, in mm from the lower left corner; a hole without room has none."""
    found = list[Point]()
    for hole in plan.holes:
        if hole.track is not None and hole.hole > 0 and hole.hole % EVERY_HOLES == 0:
            free = (place for place in _candidates(plan, hole) if _is_free(plan, place, found))
            found += islice(free, 1)
    return tuple(found)


def _candidates(plan: BoardPlan, hole: PlannedHole) -> Iterator[Point]:
    nearest_mm = (plan.plate.hole_mm + PIN_HEAD_MM) / 2 + WALL_MM
    for beyond_mm in REACH_MM:
        for step in range(DIRECTIONS):
            angle = 2 * pi * step / DIRECTIONS
            radius_mm = nearest_mm + beyond_mm
            yield round(hole.x_mm + radius_mm * cos(angle), 2), round(hole.y_mm + radius_mm * sin(angle), 2)


def _is_free(plan: BoardPlan, place: Point, others: list[Point]) -> bool:
    wood = plan.plate
    holes_mm = (wood.hole_mm + PIN_HEAD_MM) / 2 + WALL_MM - 0.01
    lights_mm = (wood.light_mm + PIN_HEAD_MM) / 2
    return (
        all(dist(place, (hole.x_mm, hole.y_mm)) >= holes_mm for hole in plan.holes)
        and all(dist(place, (hole.led_x_mm, hole.led_y_mm)) >= lights_mm for hole in plan.holes)
        and all(dist(place, other) >= PIN_HEAD_MM + WALL_MM for other in others)
    )


def marks(plan: BoardPlan, case: Case) -> str:
    """The pins of the fifth holes, and a sheet of the plate's size with their holes, to drill through."""
    wood = plan.plate
    places = mark_places(plan)
    measures = {
        "width": wood.width_mm,
        "height": wood.height_mm,
        "corner": wood.corner_mm,
        "sheet": 1.0,
        "screw": case.screws.hole_mm,
        "shaft": PIN_SHAFT_MM,
        "pin_head": PIN_HEAD_MM,
        "raised": 0.8,
        "deep": 4.0,
    }
    lists = {"marks": places, "screws": case.screws.places(wood)}
    body = """part = "pins"; // or "template": a sheet that the screws of the plate hold, with a hole for each pin
module pin() {
  cylinder(h = raised, d1 = pin_head, d2 = 0.7 * pin_head, $fn = 24);
  mirror([0, 0, 1]) cylinder(h = deep, d = shaft - 0.1, $fn = 16);
}
if (part == "pins") for (n = [0 : len(marks) - 1]) translate([5 * (n % 12), 5 * floor(n / 12), 0]) pin();
if (part == "template") linear_extrude(sheet) difference() {
  slab(width, height, corner);
  for (at = marks) translate(at) circle(d = shaft, $fn = 16);
  for (at = screws) translate(at) circle(d = screw, $fn = 32);
}
"""
    comment = f"Pins to feel beside every fifth hole of {plan.id}, and the template to drill their holes 4 mm deep."
    return program(comment, measures, lists, SLAB + body)


def _moved(place: Point, by: tuple[float, ...]) -> Point:
    return place[0] + by[0], place[1] + by[1]
