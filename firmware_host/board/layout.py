"""Lays a board out from the measures of its plan file: rows become strips in chain order, strips become holes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from firmware_host.board.components import PlannedHole, PlannedStrip, Plate
from firmware_host.board.course import Hole
from firmware_host.board.plan_reader import PlanError, PlanReader
from firmware_host.board.strip import Outline, Slot, StripPattern, Turn
from firmware_host.board.strip_row import Mark, MarkReader, StripRow

Point = tuple[float, float]
Chain = Sequence[tuple[StripRow, bool]]
"""The rows in the order of the ribbon cable, and whether the strips of each lie the other way round."""


class Layout(Struct, frozen=True):
    """The geometry of a board. Places are mm from the lower left corner of the plate, `lane_mm` from lane to lane."""

    pattern: StripPattern
    lane_mm: float
    plate: Plate
    strips: tuple[PlannedStrip, ...]
    holes: tuple[PlannedHole, ...]


class _PlacedStrip(Struct, frozen=True):
    row: str
    outline: Outline
    turn: Turn
    slots: Sequence[tuple[Slot, Mark | None]]


def read_layout(
    facts: PlanReader, tracks: Mapping[str, int], game_hole: Hole, *, shares_game_hole: bool = True
) -> Layout:
    """Reads the measures, rows and chain of a plan file and places every strip and hole. Raises PlanError.

    `tracks` gives each track's name its number from 0. All tables that are read here are finished, the top one is not.
    """
    pattern, lane_mm = _read_pattern(facts.table("grid"), facts.table("strip"))
    marks = MarkReader(tracks, game_hole, shares_game_hole)
    rows = _read_rows(facts.table("rows"), marks, pattern.pitch_mm, lane_mm)
    chain = _read_chain(facts.table("chain"), rows)
    corner, plate = _plate_around(_place_strips(chain, pattern), facts.table("plate"), facts.table("drill"))
    placed = list(_place_strips([(row.moved(-corner[0], -corner[1]), is_turned) for row, is_turned in chain], pattern))
    strips = tuple(PlannedStrip(number, strip.row, strip.outline, strip.turn) for number, strip in enumerate(placed))
    holes = tuple(_planned_hole(slot, mark) for strip in placed for slot, mark in strip.slots if mark)
    return Layout(pattern, lane_mm, plate, strips, holes)


def _planned_hole(slot: Slot, mark: Mark) -> PlannedHole:
    return PlannedHole(
        track=mark.track,
        hole=mark.hole,
        x_mm=slot.x_mm,
        y_mm=slot.y_mm,
        sensor=slot.sensor,
        led=slot.led,
        led_x_mm=slot.led_x_mm,
        led_y_mm=slot.led_y_mm,
        strip=slot.strip,
        pos=slot.pos,
    )


def _read_pattern(grid: PlanReader, strip: PlanReader) -> tuple[StripPattern, float]:
    pattern = StripPattern(
        pitch_mm=grid.length("pitch_mm"),
        gap_mm=grid.length("gap_mm"),
        light_mm=strip.length("light_mm"),
        below_mm=strip.length("below_mm"),
        above_mm=strip.length("above_mm"),
        slack_mm=strip.length("slack_mm"),
    )
    lane_mm = grid.length("lane_mm")
    grid.finish()
    strip.finish()
    return pattern, lane_mm


def _read_rows(facts: PlanReader, marks: MarkReader, pitch_mm: float, lane_mm: float) -> Mapping[str, StripRow]:
    rows = {}
    for name in facts.keys:
        row = facts.table(name)
        x_mm = row.number("x", 0.0) * pitch_mm
        y_mm = row.number("y") * lane_mm
        places = marks.read(row.text("holes"), row.path("holes"))
        rows[name] = StripRow(name, x_mm, y_mm, row.flag("across", default=False), places)
        row.finish()
    return rows


def _read_chain(facts: PlanReader, rows: Mapping[str, StripRow]) -> Chain:
    order = facts.texts("order")
    mode = facts.choice("mode", ("alternate", "return"))
    facts.finish()
    if sorted(order) != sorted(rows):
        raise PlanError(facts.path("order"), f"every row once ({', '.join(rows)})", ", ".join(order))
    chain = []
    is_turned = False
    for row in map(rows.__getitem__, order):
        chain.append((row, is_turned and not row.is_across))
        is_turned ^= mode == "alternate" and not row.is_across
    return chain


def _place_strips(chain: Chain, pattern: StripPattern) -> Iterator[_PlacedStrip]:
    strips = 0
    for row, is_turned in chain:
        for slots, outline, turn in row.place_strips(pattern, strips, is_turned=is_turned):
            yield _PlacedStrip(row.name, outline, turn, slots)
        strips += row.strips


def _plate_around(placed: Iterable[_PlacedStrip], plate: PlanReader, drill: PlanReader) -> tuple[Point, Plate]:
    """The lower left corner of the plate, and the plate: a margin around every place and light, drilled or not."""
    slots = [slot for strip in placed for slot, _ in strip.slots]
    xs = [x_mm for slot in slots for x_mm in (slot.x_mm, slot.led_x_mm)]
    ys = [y_mm for slot in slots for y_mm in (slot.y_mm, slot.led_y_mm)]
    margin_mm = plate.length("margin_mm")
    wood = Plate(
        width_mm=round(max(xs) - min(xs) + 2 * margin_mm, 3),
        height_mm=round(max(ys) - min(ys) + 2 * margin_mm, 3),
        thickness_mm=plate.length("thickness_mm"),
        corner_mm=plate.length("corner_mm"),
        margin_mm=margin_mm,
        hole_mm=drill.length("hole_mm"),
        light_mm=drill.length("light_mm"),
    )
    plate.finish()
    drill.finish()
    return (min(xs) - margin_mm, min(ys) - margin_mm), wood
