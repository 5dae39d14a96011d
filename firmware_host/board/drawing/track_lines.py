"""The track lines: a coloured line that joins the holes of each track in order, and the star at the game hole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import START_HOLES, Hole
from firmware_host.board.drawing.projection import Point, Projection
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import HOLES_PER_STRIP

_BEND_MM = 2.4  # how far a bend between two rows at no distance would go beyond the rows
_NEST = 0.055  # and how much further for each mm between the rows, so that wide bends lie around narrow ones

_STAR_MM = 7.6
_WAIST_MM = 3.4


def track_line(plan: BoardPlan, projection: Projection, track: int) -> str:
    """The SVG path of one track: start holes, lap and game hole, and the bend from lap to lap on a lapped board."""
    first = plan.at(track, Hole(1))
    last = plan.at(track, Hole(plan.lap))
    lap = [plan.at(track, Hole(number)) for number in range(1, plan.lap + 1)]
    holes = [*(plan.at(track, hole) for hole in START_HOLES), *lap, plan.at(track, plan.game_hole)]
    strokes = projection.line(centre_of(holes[0])) + "".join(_strokes(plan, projection, _turning_points(holes)))
    if is_lapped(plan):
        strokes += projection.line(centre_of(last)) + _stroke(plan, projection, last, first)
    return strokes


def star(plan: BoardPlan, projection: Projection) -> tuple[str, str]:
    """The SVG paths of the light and the dark halves of the star around each game hole."""
    light, dark = zip(*(_star_around(hole, projection) for hole in plan.game_holes), strict=True)
    return "".join(light), "".join(dark)


def _star_around(game: PlannedHole, projection: Projection) -> tuple[str, str]:
    x_mm, y_mm = centre_of(game)

    def ray(eighths: float, length_mm: float) -> Point:
        angle = eighths * math.tau / 8
        return x_mm + length_mm * math.cos(angle), y_mm + length_mm * math.sin(angle)

    def halves(side: float) -> str:
        tips = ((point, ray(point, _STAR_MM * (0.7 if point % 2 else 1.0))) for point in range(8))
        return "".join(f"{projection.line((x_mm, y_mm), tip, ray(point + side, _WAIST_MM))}z" for point, tip in tips)

    return halves(0.5), halves(-0.5)


def is_lapped(plan: BoardPlan) -> bool:
    """Whether some target takes more than one round."""
    return max(plan.targets) > plan.game_hole


def centre_of(hole: PlannedHole) -> Point:
    """The centre of a hole, in mm on the plate."""
    return hole.x_mm, hole.y_mm


def between(plan: BoardPlan, one: PlannedHole, other: PlannedHole) -> Point:
    """The middle of the track line from a hole to the next one, on the bend if there is one; in mm on the plate."""
    out_mm = _bend_mm(plan, one, other) if is_bend(one, other) else 0.0
    return (one.x_mm + other.x_mm) / 2 + out_mm, (one.y_mm + other.y_mm) / 2


def _turning_points(holes: Sequence[PlannedHole]) -> Iterator[PlannedHole]:
    """The holes where the track line does more than run straight on."""
    for before, hole, after in zip((None, *holes), holes, (*holes[1:], None), strict=False):
        if not (before and after and before.y_mm == hole.y_mm == after.y_mm):
            yield hole


def _strokes(plan: BoardPlan, projection: Projection, holes: Iterator[PlannedHole]) -> Iterator[str]:
    return (_stroke(plan, projection, one, other) for one, other in pairwise(holes))


def _stroke(plan: BoardPlan, projection: Projection, one: PlannedHole, other: PlannedHole) -> str:
    if one.y_mm == other.y_mm or one.strip == other.strip:
        return f"L{projection.points([centre_of(other)])}"
    return _bend(plan, projection, one, other) if is_bend(one, other) else _s_curve(plan, projection, one, other)


def is_bend(one: PlannedHole, other: PlannedHole) -> bool:
    """Whether the row ends between these holes, and the next row begins right above or below."""
    return one.strip != other.strip and one.x_mm == other.x_mm


def _bend_mm(plan: BoardPlan, one: PlannedHole, other: PlannedHole) -> float:
    """How far the bend goes beyond its two holes; positive to the right."""
    reach_mm = _BEND_MM + _NEST * abs(one.y_mm - other.y_mm)
    return reach_mm if one.x_mm > plan.plate.width_mm / 2 else -reach_mm


def _bend(plan: BoardPlan, projection: Projection, one: PlannedHole, other: PlannedHole) -> str:
    out_mm = _bend_mm(plan, one, other)
    x_mm = one.x_mm
    far_mm = one.x_mm + out_mm
    round_mm = abs(out_mm) if other.y_mm > one.y_mm else -abs(out_mm)
    into = projection.points([(far_mm, one.y_mm), (far_mm, one.y_mm + round_mm)])
    along = projection.points([(far_mm, other.y_mm - round_mm)])
    out_of = projection.points([(far_mm, other.y_mm), (x_mm, other.y_mm)])
    return f"Q{into}L{along}Q{out_of}"


def _s_curve(plan: BoardPlan, projection: Projection, one: PlannedHole, other: PlannedHole) -> str:
    """An S curve that leaves one hole and meets the other along the rows. Over a long way it is as wide as one hole and
    the next, so that it passes between two lights, and runs straight from there."""
    way_mm = other.x_mm - one.x_mm
    if abs(way_mm) > HOLES_PER_STRIP * plan.pattern.pitch_mm:
        way_mm = math.copysign(plan.pattern.pitch_mm, way_mm)
    middle_mm = one.x_mm + way_mm / 2
    end = one.x_mm + way_mm, other.y_mm
    curve = f"C{projection.points([(middle_mm, one.y_mm), (middle_mm, other.y_mm), end])}"
    return curve if end == centre_of(other) else f"{curve}L{projection.points([centre_of(other)])}"
