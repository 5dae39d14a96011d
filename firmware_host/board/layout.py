"""From a plan file's measures to places on the plate: rows become strips in chain order, strips become holes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.board.course import Hole
from firmware_host.board.facts import Facts, PlanError
from firmware_host.board.row import Mark, Row, parse_marks
from firmware_host.board.strip import Outline, Slot, StripPattern
from firmware_host.board.wood import PlannedHole, PlannedStrip, Plate


@dataclass(frozen=True, slots=True)
class Layout:
    """The geometry of a board, in mm from the lower left corner of its plate."""

    pattern: StripPattern
    lane_mm: float
    plate: Plate
    strips: tuple[PlannedStrip, ...]
    holes: tuple[PlannedHole, ...]


@dataclass(frozen=True, slots=True)
class _LaidStrip:
    row: str
    outline: Outline
    slots: Sequence[tuple[Slot, Mark | None]]


def read_layout(facts: Facts, tracks: Mapping[str, int], game_hole: Hole) -> Layout:
    """Read the measures, rows and chain of a plan file and lay everything out. Raises PlanError."""
    pattern, lane_mm = _read_pattern(facts.table("grid"), facts.table("strip"))
    rows = _read_rows(facts.table("rows"), tracks, game_hole, pattern.pitch_mm, lane_mm)
    laid = list(_laid_in_chain_order(facts.table("chain"), rows, pattern))
    corner_x_mm, corner_y_mm, plate = _plate_around(laid, facts.table("plate"), facts.table("drill"))

    def on_plate(x_mm: float, y_mm: float) -> tuple[float, float]:
        return round(x_mm - corner_x_mm, 3), round(y_mm - corner_y_mm, 3)

    def planned(slot: Slot, mark: Mark) -> PlannedHole:
        x_mm, y_mm = on_plate(slot.x_mm, slot.y_mm)
        led_x_mm, led_y_mm = on_plate(slot.led_x_mm, slot.led_y_mm)
        wires = slot.sensor, slot.led
        return PlannedHole(mark.track, mark.hole, x_mm, y_mm, *wires, led_x_mm, led_y_mm, slot.strip, slot.pos)

    strips = tuple(
        PlannedStrip(
            number,
            strip.row,
            Outline(
                *on_plate(strip.outline.left_mm, strip.outline.bottom_mm),
                *on_plate(strip.outline.right_mm, strip.outline.top_mm),
            ),
        )
        for number, strip in enumerate(laid)
    )
    holes = tuple(planned(slot, mark) for strip in laid for slot, mark in strip.slots if mark)
    return Layout(pattern, lane_mm, plate, strips, holes)


def _read_pattern(grid: Facts, strip: Facts) -> tuple[StripPattern, float]:
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


def _read_rows(
    facts: Facts, tracks: Mapping[str, int], game_hole: Hole, pitch_mm: float, lane_mm: float
) -> Mapping[str, Row]:
    rows = {}
    for name in facts.keys:
        row = facts.table(name)
        x_mm, y_mm = row.number("x", 0.0) * pitch_mm, row.number("y") * lane_mm
        marks = parse_marks(row.text("holes"), tracks, game_hole, row.path("holes"))
        rows[name] = Row(name, x_mm, y_mm, row.flag("across"), marks)
        row.finish()
    return rows


def _laid_in_chain_order(facts: Facts, rows: Mapping[str, Row], pattern: StripPattern) -> Iterator[_LaidStrip]:
    order, mode = facts.texts("order"), facts.choice("mode", ("alternate", "return"))
    facts.finish()
    if sorted(order) != sorted(rows):
        raise PlanError(facts.path("order"), f"every row once ({', '.join(rows)})", ", ".join(order))
    lanes = strips = 0
    for row in map(rows.__getitem__, order):
        is_turned = mode == "alternate" and not row.is_across and lanes % 2 == 1
        for slots, outline in row.laid(pattern, strips, is_turned=is_turned):
            yield _LaidStrip(row.name, outline, slots)
        strips += row.strips
        lanes += not row.is_across


def _plate_around(laid: Sequence[_LaidStrip], plate: Facts, drill: Facts) -> tuple[float, float, Plate]:
    """The plate, and where its lower left corner is: its margin beyond every place and light, drilled or not."""
    slots = [slot for strip in laid for slot, _ in strip.slots]
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
    return min(xs) - margin_mm, min(ys) - margin_mm, wood
