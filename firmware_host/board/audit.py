"""Checks whether a board would work: every way in which a plan can be wrong, and every place where it is.

Rule: an audit reports all faults at once, never just the first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import Enum
from itertools import combinations

from msgspec import Struct

from firmware_host.board.components import PlannedHole, Plate
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Slot

LIGHT_CLEARANCE_MM = 7.6
"""A light closer than this to another hole could be taken for the light of that hole."""

EDGE_WOOD_MM = 3.0
"""Wood that must remain between a drilled hole and the edge of the plate."""

WALL_MM = 1.0
"""Wood that must remain between a hole and its own light."""

FRAME_LIMIT_BYTES = 4096
"""The default limit of one SPI transfer on Linux (spidev `bufsiz`); a frame for the lights must be shorter."""

_ROUNDING_MM = 0.01  # places are rounded to 0.001 mm; no drill is that accurate

Point = tuple[float, float]


class FaultKind(Enum):
    """What is wrong. The value is the text of the fault."""

    SHARED_PLACE = "two holes in one place"
    SHARED_SENSOR = "two holes on one sensor"
    SHARED_LED = "two holes with one light"
    WRONG_SENSOR = "wrong sensor number for its place on the strip"
    WRONG_LED = "wrong light number for its place on the strip"
    STRIP_COUNT = "strip not exactly once in the chain"
    MISSING_HOLE = "missing hole"
    REPEATED_HOLE = "hole drilled more than once"
    UNKNOWN_HOLE = "hole outside the course"
    HOLES_TOO_CLOSE = "holes too close together"
    LED_TOO_CLOSE = "light too close to a hole"
    OVERLAPPING_STRIPS = "overlapping strips"
    OFF_PLATE = "too near the edge of the plate"
    LED_FRAME_TOO_LONG = "more lights than one SPI transfer carries"


class PlanFault(Struct, frozen=True):
    """One fault: its kind, the holes or strips in question (`red 37`, `strip 4`), and the evidence."""

    kind: FaultKind
    where: tuple[str, ...]
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.kind.value} ({', '.join(self.where)}): expected {self.expected}, got {self.got}"


def audit(plan: BoardPlan) -> tuple[PlanFault, ...]:
    """All faults of the plan; empty for a board that works."""
    return (
        *_shared(plan, FaultKind.SHARED_PLACE, lambda hole: (hole.x_mm, hole.y_mm)),
        *_shared(plan, FaultKind.SHARED_SENSOR, lambda hole: hole.sensor),
        *_shared(plan, FaultKind.SHARED_LED, lambda hole: hole.led),
        *_wrong_wiring(plan),
        *_wrong_strip_counts(plan),
        *_wrong_courses(plan),
        *_holes_too_close(plan),
        *_leds_too_close(plan),
        *_overlapping_strips(plan),
        *_holes_off_plate(plan),
        *_strips_off_plate(plan),
        *_led_frame_too_long(plan),
    )


def light_frame_bytes(leds: int) -> int:
    """The bytes of one frame for a chain of APA102 or SK9822 lights.

    It has a start word, a word a light, a reset word and end clocks. An SK9822 shows its colours only after the reset
    word. Each light delays its data by half a clock, so 16 lights take one byte of end clocks (datasheets).
    """
    return 4 + 4 * leds + 4 + math.ceil(leds / 16)


def _shared(plan: BoardPlan, kind: FaultKind, attribute: Callable[[PlannedHole], Hashable]) -> Iterator[PlanFault]:
    names_by_value: dict[Hashable, list[str]] = defaultdict(list)
    for hole in plan.holes:
        names_by_value[attribute(hole)].append(_name(plan, hole))
    for value, names in names_by_value.items():
        if len(names) > 1:
            yield PlanFault(kind, tuple(names), "one for each", f"{value} for all")


def _wrong_wiring(plan: BoardPlan) -> Iterator[PlanFault]:
    for hole in plan.holes:
        slot = Slot(hole.x_mm, hole.y_mm, hole.led_x_mm, hole.led_y_mm, hole.strip, hole.pos)
        where = (_name(plan, hole),)
        if hole.sensor != slot.sensor:
            yield PlanFault(FaultKind.WRONG_SENSOR, where, f"bit {slot.sensor}", f"bit {hole.sensor}")
        if hole.led != slot.led:
            yield PlanFault(FaultKind.WRONG_LED, where, f"light {slot.led}", f"light {hole.led}")


def _wrong_strip_counts(plan: BoardPlan) -> Iterator[PlanFault]:
    visits = Counter(strip.number for strip in plan.strips)
    needed = {*range(plan.strip_count), *(hole.strip for hole in plan.holes)}
    for number in sorted(needed | set(visits)):
        expected = int(number in needed)
        if visits[number] != expected:
            where = (f"strip {number}",)
            got = f"{visits[number]}"
            yield PlanFault(FaultKind.STRIP_COUNT, where, f"{expected} in the chain", got)


def _wrong_courses(plan: BoardPlan) -> Iterator[PlanFault]:
    drilled = Counter((hole.track, hole.hole) for hole in plan.holes)
    own = (*START_HOLES, *(Hole(number) for number in range(1, plan.lap + 1)))
    ends = [None] if plan.shares_game_hole else list(range(plan.tracks))
    needed = [
        *((track, hole) for track in range(plan.tracks) for hole in own),
        *((track, plan.game_hole) for track in ends),
    ]
    for track, hole in needed:
        if (times := drilled.pop((track, hole), 0)) != 1:
            kind = FaultKind.REPEATED_HOLE if times else FaultKind.MISSING_HOLE
            yield PlanFault(kind, (plan.name_of(track, hole),), "one hole", f"{times}")
    ends_text = "one game hole" if plan.shares_game_hole else "a game hole each"
    expected = f"holes 1 to {plan.lap} and {ends_text}"
    for track, hole in drilled:
        where = (plan.name_of(track, hole),)
        yield PlanFault(
            FaultKind.UNKNOWN_HOLE,
            where,
            expected,
            f"hole {hole}",
        )


def _holes_too_close(plan: BoardPlan) -> Iterator[PlanFault]:
    pitch_mm = plan.pattern.pitch_mm
    places = _places(plan)
    for one, other, apart_mm in _pairs_closer_than(pitch_mm, places, places):
        if one < other and apart_mm > 0:  # holes in the very same place are SHARED_PLACE
            where = (_name(plan, plan.holes[one]), _name(plan, plan.holes[other]))
            yield PlanFault(FaultKind.HOLES_TOO_CLOSE, where, f"{pitch_mm:g} mm or more", f"{apart_mm:.2f} mm")


def _leds_too_close(plan: BoardPlan) -> Iterator[PlanFault]:
    wall_mm = (plan.plate.hole_mm + plan.plate.light_mm) / 2 + WALL_MM
    lights = [(hole.led_x_mm, hole.led_y_mm) for hole in plan.holes]
    for light, hole, apart_mm in _pairs_closer_than(max(LIGHT_CLEARANCE_MM, wall_mm), lights, _places(plan)):
        clearance_mm = wall_mm if light == hole else LIGHT_CLEARANCE_MM
        if apart_mm < clearance_mm - _ROUNDING_MM:
            where = (_name(plan, plan.holes[light]), _name(plan, plan.holes[hole]))
            yield PlanFault(FaultKind.LED_TOO_CLOSE, where, f"{clearance_mm:g} mm or more", f"{apart_mm:.2f} mm")


def _overlapping_strips(plan: BoardPlan) -> Iterator[PlanFault]:
    for one, other in combinations(plan.strips, 2):
        if one.outline.overlaps(other.outline):
            where = (f"strip {one.number}", f"strip {other.number}")
            yield PlanFault(FaultKind.OVERLAPPING_STRIPS, where, "room for each", f"{one.row} on {other.row}")


def _holes_off_plate(plan: BoardPlan) -> Iterator[PlanFault]:
    for hole in plan.holes:
        drilled = ((hole.x_mm, hole.y_mm), plan.plate.hole_mm), ((hole.led_x_mm, hole.led_y_mm), plan.plate.light_mm)
        rest_mm = min(_from_edge_mm(plan.plate, place) - drill_mm / 2 for place, drill_mm in drilled)
        if rest_mm < EDGE_WOOD_MM - _ROUNDING_MM:
            where = (_name(plan, hole),)
            expected = f"{EDGE_WOOD_MM:g} mm of wood or more"
            yield PlanFault(FaultKind.OFF_PLATE, where, expected, f"{rest_mm:.2f} mm")


def _strips_off_plate(plan: BoardPlan) -> Iterator[PlanFault]:
    for strip in plan.strips:
        box = strip.outline
        corners = (box.left_mm, box.bottom_mm), (box.right_mm, box.top_mm)
        inside_mm = min(_from_edge_mm(plan.plate, corner) for corner in corners)
        if inside_mm < 0:
            where = (f"strip {strip.number}",)
            yield PlanFault(FaultKind.OFF_PLATE, where, "a strip under the plate", f"{-inside_mm:.2f} mm outside")


def _led_frame_too_long(plan: BoardPlan) -> Iterator[PlanFault]:
    if (length := light_frame_bytes(plan.led_count)) >= FRAME_LIMIT_BYTES:
        where = (f"{plan.led_count} lights",)
        yield PlanFault(FaultKind.LED_FRAME_TOO_LONG, where, f"under {FRAME_LIMIT_BYTES} bytes", f"{length}")


def _name(plan: BoardPlan, hole: PlannedHole) -> str:
    return plan.name_of(hole.track, hole.hole)


def _places(plan: BoardPlan) -> list[Point]:
    return [(hole.x_mm, hole.y_mm) for hole in plan.holes]


def _from_edge_mm(plate: Plate, place: Point) -> float:
    x_mm, y_mm = place
    return min(x_mm, y_mm, plate.width_mm - x_mm, plate.height_mm - y_mm)


def _pairs_closer_than(
    reach_mm: float, some: Sequence[Point], others: Sequence[Point]
) -> Iterator[tuple[int, int, float]]:
    """Pairs (index, index, mm apart) closer than `reach_mm`, found in a grid of cells of that size."""
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (x_mm, y_mm) in enumerate(others):
        cells[int(x_mm // reach_mm), int(y_mm // reach_mm)].append(index)
    for index, place in enumerate(some):
        column = int(place[0] // reach_mm)
        row = int(place[1] // reach_mm)
        near = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        for other in (found for cell in near for found in cells.get(cell, ())):
            apart_mm = math.dist(place, others[other])
            if apart_mm < reach_mm - _ROUNDING_MM:
                yield index, other, apart_mm
