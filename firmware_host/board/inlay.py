"""The inlay: a fine coloured line that leads each track from hole to hole, round the bends and home."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.sheet import Point, Sheet
from firmware_host.board.wood import PlannedHole

_BEND_MM = 2.4  # how far a bend of no width would leave the row
_NEST = 0.065  # and how much further for its width: wide bends lie around narrow ones

_STAR_MM, _WAIST_MM = 7.6, 3.4


def inlay(plan: BoardPlan, sheet: Sheet, track: int) -> str:
    """Path text of one track: start holes, lap and game hole, and the bend that joins lap to lap if there is one."""
    first, last = plan.at(track, Hole(1)), plan.at(track, Hole(plan.lap))
    lap = [plan.at(track, Hole(number)) for number in range(1, plan.lap + 1)]
    way = [*(plan.at(track, hole) for hole in START_HOLES), *lap, plan.at(track, plan.game_hole)]
    strokes = sheet.line(place_of(way[0])) + "".join(_strokes(plan, sheet, _turning_points(way)))
    if is_lapped(plan):
        strokes += sheet.line(place_of(last)) + _stroke(plan, sheet, last, first)
    return strokes


def star(plan: BoardPlan, sheet: Sheet) -> tuple[str, str]:
    """Path texts of the light and the dark veneer of the star about the game hole."""
    x_mm, y_mm = place_of(plan.at(0, plan.game_hole))

    def ray(eighths: float, length_mm: float) -> Point:
        angle = eighths * math.tau / 8
        return x_mm + length_mm * math.cos(angle), y_mm + length_mm * math.sin(angle)

    def halves(side: float) -> str:
        tips = ((point, ray(point, _STAR_MM * (0.7 if point % 2 else 1.0))) for point in range(8))
        return "".join(f"{sheet.line((x_mm, y_mm), tip, ray(point + side, _WAIST_MM))}z" for point, tip in tips)

    return halves(0.5), halves(-0.5)


def is_lapped(plan: BoardPlan) -> bool:
    """Whether some game goes more than once round."""
    return max(plan.targets) > plan.game_hole


def place_of(hole: PlannedHole) -> Point:
    """The middle of a hole, in mm on the plate."""
    return hole.x_mm, hole.y_mm


def between(plan: BoardPlan, one: PlannedHole, other: PlannedHole) -> Point:
    """Half-way along the inlay from a hole to the next one: on the bend, if there is one."""
    out_mm = _bend_mm(plan, one, other) if is_bend(one, other) else 0.0
    return (one.x_mm + other.x_mm) / 2 + out_mm, (one.y_mm + other.y_mm) / 2


def _turning_points(way: Sequence[PlannedHole]) -> Iterator[PlannedHole]:
    """The holes where the inlay does more than run straight on."""
    for before, hole, after in zip((None, *way), way, (*way[1:], None), strict=False):
        if not (before and after and before.y_mm == hole.y_mm == after.y_mm):
            yield hole


def _strokes(plan: BoardPlan, sheet: Sheet, way: Iterator[PlannedHole]) -> Iterator[str]:
    return (_stroke(plan, sheet, one, other) for one, other in pairwise(way))


def _stroke(plan: BoardPlan, sheet: Sheet, one: PlannedHole, other: PlannedHole) -> str:
    if one.y_mm == other.y_mm or one.strip == other.strip:
        return f"L{sheet.points([place_of(other)])}"
    return _bend(plan, sheet, one, other) if is_bend(one, other) else _glide(sheet, one, other)


def is_bend(one: PlannedHole, other: PlannedHole) -> bool:
    """The row ends here, and the next one begins right above or below."""
    return one.strip != other.strip and one.x_mm == other.x_mm


def _bend_mm(plan: BoardPlan, one: PlannedHole, other: PlannedHole) -> float:
    """How far the bend goes beyond its two holes, to the right."""
    reach_mm = _BEND_MM + _NEST * abs(one.y_mm - other.y_mm)
    return reach_mm if one.x_mm > plan.plate.width_mm / 2 else -reach_mm


def _bend(plan: BoardPlan, sheet: Sheet, one: PlannedHole, other: PlannedHole) -> str:
    out_mm = _bend_mm(plan, one, other)
    x_mm, far_mm = one.x_mm, one.x_mm + out_mm
    round_mm = abs(out_mm) if other.y_mm > one.y_mm else -abs(out_mm)
    into = sheet.points([(far_mm, one.y_mm), (far_mm, one.y_mm + round_mm)])
    along = sheet.points([(far_mm, other.y_mm - round_mm)])
    out_of = sheet.points([(far_mm, other.y_mm), (x_mm, other.y_mm)])
    return f"Q{into}L{along}Q{out_of}"


def _glide(sheet: Sheet, one: PlannedHole, other: PlannedHole) -> str:
    """An easy curve that leaves one hole and meets the other along the rows."""
    middle_mm = (one.x_mm + other.x_mm) / 2
    return f"C{sheet.points([(middle_mm, one.y_mm), (middle_mm, other.y_mm), place_of(other)])}"
