"""Would this board work? Every way in which a plan can be wrong, and every place where it is.

Rule: an audit tells all faults at once, never just the first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import Slot
from firmware_host.board.wood import PlannedHole, Plate

LIGHT_CLEARANCE_MM = 7.6
"""A light nearer than this to somebody else's hole could be taken for that hole's."""

EDGE_WOOD_MM = 3.0
"""Wood that must remain between a drilled hole and the edge of the plate."""

WALL_MM = 1.0
"""Wood that must remain between a hole and its own light."""

FRAME_LIMIT_BYTES = 4096
"""What Linux carries in one SPI transfer unless told otherwise; a frame for the chain of lights stays under it."""

_SLIP_MM = 0.01  # places are rounded to the micrometre; no drill can tell so little

Point = tuple[float, float]


class FaultKind(Enum):
    """What is wrong; the value is what the maker is told."""

    PLACE_SHARED = "two holes in one place"
    SENSOR_SHARED = "two holes on one sensor"
    LED_SHARED = "two holes with one light"
    SENSOR_ASTRAY = "not the sensor that the strip has there"
    LED_ASTRAY = "not the light that the strip has there"
    STRIP_MISCOUNTED = "the chain does not visit every strip once"
    HOLE_MISSING = "the course needs this hole"
    HOLE_REPEATED = "drilled more than once"
    HOLE_FOREIGN = "no course comes here"
    HOLES_TOO_NEAR = "pegs would touch"
    LIGHT_TOO_NEAR = "the light is too near to the hole"
    STRIPS_OVERLAP = "two strips in one place"
    OFF_THE_WOOD = "too near the edge of the plate"
    FRAME_TOO_LONG = "more lights than one transfer carries"


@dataclass(frozen=True, slots=True)
class PlanFault:
    """One fault: its kind, what it is about (`red 37`, `strip 4`), and the evidence."""

    kind: FaultKind
    where: tuple[str, ...]
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.kind.value} ({', '.join(self.where)}): expected {self.expected}, got {self.got}"


def audit(plan: BoardPlan) -> tuple[PlanFault, ...]:
    """Every fault of the plan; nothing at all for a sound board."""
    return (
        *_shared(plan, FaultKind.PLACE_SHARED, lambda hole: (hole.x_mm, hole.y_mm)),
        *_shared(plan, FaultKind.SENSOR_SHARED, lambda hole: hole.sensor),
        *_shared(plan, FaultKind.LED_SHARED, lambda hole: hole.led),
        *_wires_astray(plan),
        *_strips_miscounted(plan),
        *_courses_broken(plan),
        *_holes_too_near(plan),
        *_lights_too_near(plan),
        *_strips_overlapping(plan),
        *_holes_off_the_wood(plan),
        *_strips_off_the_wood(plan),
        *_frame_too_long(plan),
    )


def light_frame_bytes(leds: int) -> int:
    """Bytes of one frame for the chain of lights: a start word, a word a light, a reset word, and the closing clock.

    SK9822 shows its colours only after the reset word; a light delays its data by half a clock, 16 lights by a byte.
    """
    return 4 + 4 * leds + 4 + math.ceil(leds / 16)


def _shared(plan: BoardPlan, kind: FaultKind, trait: Callable[[PlannedHole], Hashable]) -> Iterator[PlanFault]:
    sharers: dict[Hashable, list[str]] = defaultdict(list)
    for hole in plan.holes:
        sharers[trait(hole)].append(_name(plan, hole))
    for shared, names in sharers.items():
        if len(names) > 1:
            yield PlanFault(kind, tuple(names), "one for each", f"{shared} for all")


def _wires_astray(plan: BoardPlan) -> Iterator[PlanFault]:
    for hole in plan.holes:
        slot = Slot(hole.x_mm, hole.y_mm, hole.led_x_mm, hole.led_y_mm, hole.strip, hole.pos)
        where = (_name(plan, hole),)
        if hole.sensor != slot.sensor:
            yield PlanFault(FaultKind.SENSOR_ASTRAY, where, f"bit {slot.sensor}", f"bit {hole.sensor}")
        if hole.led != slot.led:
            yield PlanFault(FaultKind.LED_ASTRAY, where, f"light {slot.led}", f"light {hole.led}")


def _strips_miscounted(plan: BoardPlan) -> Iterator[PlanFault]:
    visits = Counter(strip.number for strip in plan.strips)
    needed = {*range(plan.strip_count), *(hole.strip for hole in plan.holes)}
    for number in sorted(needed | set(visits)):
        wanted = int(number in needed)
        if visits[number] != wanted:
            where, got = (f"strip {number}",), f"{visits[number]}"
            yield PlanFault(FaultKind.STRIP_MISCOUNTED, where, f"{wanted} in the chain", got)


def _courses_broken(plan: BoardPlan) -> Iterator[PlanFault]:
    drilled = Counter((hole.track, hole.hole) for hole in plan.holes)
    own = (*START_HOLES, *(Hole(number) for number in range(1, plan.lap + 1)))
    needed = [*((track, hole) for track in range(plan.tracks) for hole in own), (None, plan.game_hole)]
    for track, hole in needed:
        if (times := drilled.pop((track, hole), 0)) != 1:
            kind = FaultKind.HOLE_REPEATED if times else FaultKind.HOLE_MISSING
            yield PlanFault(kind, (plan.name_of(track, hole),), "one hole", f"{times}")
    for track, hole in drilled:
        where = (plan.name_of(track, hole),)
        yield PlanFault(FaultKind.HOLE_FOREIGN, where, f"holes 1 to {plan.lap} and one game hole", f"hole {hole}")


def _holes_too_near(plan: BoardPlan) -> Iterator[PlanFault]:
    pitch_mm, places = plan.pattern.pitch_mm, _places(plan)
    for one, other, apart_mm in _nearer_than(pitch_mm, places, places):
        if one < other and apart_mm > 0:  # two holes in the very same place are told of elsewhere
            where = (_name(plan, plan.holes[one]), _name(plan, plan.holes[other]))
            yield PlanFault(FaultKind.HOLES_TOO_NEAR, where, f"{pitch_mm:g} mm or more", f"{apart_mm:.2f} mm")


def _lights_too_near(plan: BoardPlan) -> Iterator[PlanFault]:
    wall_mm = (plan.plate.hole_mm + plan.plate.light_mm) / 2 + WALL_MM
    lights = [(hole.led_x_mm, hole.led_y_mm) for hole in plan.holes]
    for light, hole, apart_mm in _nearer_than(max(LIGHT_CLEARANCE_MM, wall_mm), lights, _places(plan)):
        clearance_mm = wall_mm if light == hole else LIGHT_CLEARANCE_MM
        if apart_mm < clearance_mm - _SLIP_MM:
            where = (_name(plan, plan.holes[light]), _name(plan, plan.holes[hole]))
            yield PlanFault(FaultKind.LIGHT_TOO_NEAR, where, f"{clearance_mm:g} mm or more", f"{apart_mm:.2f} mm")


def _strips_overlapping(plan: BoardPlan) -> Iterator[PlanFault]:
    for one, other in combinations(plan.strips, 2):
        if one.outline.overlaps(other.outline):
            where = (f"strip {one.number}", f"strip {other.number}")
            yield PlanFault(FaultKind.STRIPS_OVERLAP, where, "room for each", f"{one.row} on {other.row}")


def _holes_off_the_wood(plan: BoardPlan) -> Iterator[PlanFault]:
    for hole in plan.holes:
        drilled = ((hole.x_mm, hole.y_mm), plan.plate.hole_mm), ((hole.led_x_mm, hole.led_y_mm), plan.plate.light_mm)
        rest_mm = min(_from_edge_mm(plan.plate, place) - drill_mm / 2 for place, drill_mm in drilled)
        if rest_mm < EDGE_WOOD_MM - _SLIP_MM:
            where, expected = (_name(plan, hole),), f"{EDGE_WOOD_MM:g} mm of wood or more"
            yield PlanFault(FaultKind.OFF_THE_WOOD, where, expected, f"{rest_mm:.2f} mm")


def _strips_off_the_wood(plan: BoardPlan) -> Iterator[PlanFault]:
    for strip in plan.strips:
        box = strip.outline
        corners = (box.left_mm, box.bottom_mm), (box.right_mm, box.top_mm)
        inside_mm = min(_from_edge_mm(plan.plate, corner) for corner in corners)
        if inside_mm < 0:
            where = (f"strip {strip.number}",)
            yield PlanFault(FaultKind.OFF_THE_WOOD, where, "a strip under the plate", f"{-inside_mm:.2f} mm outside")


def _frame_too_long(plan: BoardPlan) -> Iterator[PlanFault]:
    if (length := light_frame_bytes(plan.led_count)) >= FRAME_LIMIT_BYTES:
        where = (f"{plan.led_count} lights",)
        yield PlanFault(FaultKind.FRAME_TOO_LONG, where, f"under {FRAME_LIMIT_BYTES} bytes", f"{length}")


def _name(plan: BoardPlan, hole: PlannedHole) -> str:
    return plan.name_of(hole.track, hole.hole)


def _places(plan: BoardPlan) -> list[Point]:
    return [(hole.x_mm, hole.y_mm) for hole in plan.holes]


def _from_edge_mm(plate: Plate, place: Point) -> float:
    x_mm, y_mm = place
    return min(x_mm, y_mm, plate.width_mm - x_mm, plate.height_mm - y_mm)


def _nearer_than(reach_mm: float, some: Sequence[Point], others: Sequence[Point]) -> Iterator[tuple[int, int, float]]:
    """Pairs (index, index, mm apart) nearer than `reach_mm`. Only neighbouring cells of that size are looked at."""
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, (x_mm, y_mm) in enumerate(others):
        cells[int(x_mm // reach_mm), int(y_mm // reach_mm)].append(index)
    for index, place in enumerate(some):
        column, row = int(place[0] // reach_mm), int(place[1] // reach_mm)
        near = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        for other in (found for cell in near for found in cells.get(cell, ())):
            apart_mm = math.dist(place, others[other])
            if apart_mm < reach_mm - _SLIP_MM:
                yield index, other, apart_mm
