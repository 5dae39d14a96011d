"""From a plan file's measures to places on the plate: rows become strips in chain order, strips become holes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.board.course import Hole
from firmware_host.board.facts import Facts, PlanError
from firmware_host.board.row import Mark, Row, parse_marks
from firmware_host.board.strip import Outline, Slot, StripPattern, Turn
from firmware_host.board.wood import PlannedHole, PlannedStrip, Plate

Point = tuple[float, float]
Chain = Sequence[tuple[Row, bool]]
"""The rows as the ribbon visits them, and whether their strips are turned round."""


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
    turn: Turn
    slots: Sequence[tuple[Slot, Mark | None]]


def read_layout(facts: Facts, tracks: Mapping[str, int], game_hole: Hole) -> Layout:
    """Read the measures, rows and chain of a plan file and lay everything out. Raises PlanError."""
    pattern, lane_mm = _read_pattern(facts.table("grid"), facts.table("strip"))
    rows = _read_rows(facts.table("rows"), tracks, game_hole, pattern.pitch_mm, lane_mm)
    chain = _read_chain(facts.table("chain"), rows)
    corner, plate = _plate_around(_laid(chain, pattern), facts.table("plate"), facts.table("drill"))
    laid = list(_laid([(row.moved(-corner[0], -corner[1]), is_turned) for row, is_turned in chain], pattern))
    strips = tuple(PlannedStrip(number, strip.row, strip.outline, strip.turn) for number, strip in enumerate(laid))
    holes = tuple(_planned(slot, mark) for strip in laid for slot, mark in strip.slots if mark)
    return Layout(pattern, lane_mm, plate, strips, holes)


def _planned(slot: Slot, mark: Mark) -> PlannedHole:
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


def _read_chain(facts: Facts, rows: Mapping[str, Row]) -> Chain:
    order, mode = facts.texts("order"), facts.choice("mode", ("alternate", "return"))
    facts.finish()
    if sorted(order) != sorted(rows):
        raise PlanError(facts.path("order"), f"every row once ({', '.join(rows)})", ", ".join(order))
    chain, is_turned = [], False
    for row in map(rows.__getitem__, order):
        chain.append((row, is_turned and not row.is_across))
        is_turned ^= mode == "alternate" and not row.is_across
    return chain


def _laid(chain: Chain, pattern: StripPattern) -> Iterator[_LaidStrip]:
    strips = 0
    for row, is_turned in chain:
        for slots, outline, turn in row.laid(pattern, strips, is_turned=is_turned):
            yield _LaidStrip(row.name, outline, turn, slots)
        strips += row.strips


def _plate_around(laid: Iterable[_LaidStrip], plate: Facts, drill: Facts) -> tuple[Point, Plate]:
    """The plate and its lower left corner: the margin beyond every place and light of the strips, drilled or not."""
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
    return (min(xs) - margin_mm, min(ys) - margin_mm), wood
