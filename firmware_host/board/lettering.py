"""The lettering: numbers beside every fifth hole, the names of the start and game holes, and the skunk lines."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from firmware_host.board.course import START_HOLES
from firmware_host.board.inlay import between, is_bend
from firmware_host.board.plan import BoardPlan
from firmware_host.board.sheet import Point
from firmware_host.board.wood import PlannedHole

_ASIDE = 2.0  # a number stands this many times as far from its hole as the light does,
_ROOM_MM = 4.5  # with this much room around its middle
_BEFORE_MM = 5.0  # a word ends this far before the hole it names
_TITLE_ROOM_MM = 8.0
_OVERHANG_MM = 1.5  # a skunk line goes so far beyond the tracks that it crosses
_GROUP = 5

# The first score at which a loser is safe, and what befalls him short of it: ACC rules for 121,
# Enquire Within upon Everything for 61, and for 181 Dawson's "under half".
SAFE_FROM: Mapping[int, Mapping[int, str]] = MappingProxyType(
    {61: {31: "lurch"}, 121: {91: "skunk", 61: "double skunk"}, 181: {91: "lurch"}}
)


@dataclass(frozen=True, slots=True)
class Word:
    """Something written on the plate: in mm, its middle at `place`, or its end. Turned, it runs upward."""

    text: str
    place: Point
    is_turned: bool = False
    ends_here: bool = False


@dataclass(frozen=True, slots=True)
class SkunkLine:
    """A loser who has not crossed it pays more: from place to place, in mm."""

    name: Word
    ends: tuple[Point, Point]


def title(plan: BoardPlan) -> Word:
    """The name of the board: across the middle where no hole is near, else up the free left end."""
    middle_x_mm, middle_y_mm = plan.plate.width_mm / 2, plan.plate.height_mm / 2
    if all(math.dist(near, (middle_x_mm, middle_y_mm)) >= _TITLE_ROOM_MM for near in _drilled(plan)):
        return Word(plan.title, (middle_x_mm, middle_y_mm))
    start = plan.at(0, START_HOLES[0])
    return Word(plan.title, (start.x_mm - 1.5 * plan.pattern.pitch_mm, middle_y_mm), is_turned=True)


def numbers(plan: BoardPlan) -> Iterator[Word]:
    """The number of every fifth hole, where the wood is free: between parallel lanes one number serves all."""
    for hole in plan.holes:
        if hole.track is not None and hole.hole > 0 and hole.hole % _GROUP == 0 and _is_free(plan, aside(hole)):
            yield Word(str(hole.hole), aside(hole))


def names(plan: BoardPlan) -> Iterator[Word]:
    """Which holes are whose start, and which is the game hole."""
    for track, lane in enumerate(plan.inlays):
        back, front = (plan.at(track, hole) for hole in START_HOLES)
        if _is_across(front):
            (x_mm, _), middle_mm = aside(front), (back.y_mm + front.y_mm) / 2
            yield Word(f"{lane.name} start", (x_mm, middle_mm), is_turned=True)
        else:
            yield Word(f"{lane.name} start", (back.x_mm - _BEFORE_MM, back.y_mm), ends_here=True)
    game = plan.at(0, plan.game_hole)
    yield Word("game", aside(game), is_turned=_is_across(game))


def skunk_lines(plan: BoardPlan, target: int) -> Iterator[SkunkLine]:
    """The lines of a game to `target`. Tracks that bend together share a line. Raises TargetNotCarried.

    Where the rows bend the name is written inside the bend, two holes back; elsewhere beside the last hole before it.
    """
    course = plan.course(target)
    for safe, name in SAFE_FROM.get(target, {}).items():
        shared = defaultdict(list)
        for track in range(plan.tracks):
            last, first = plan.at(track, course.hole_of(safe - 1)), plan.at(track, course.hole_of(safe))
            shared[round(between(plan, last, first)[1], 1)].append((last, first))
        yield from (_skunk_line(plan, name, crossings) for crossings in shared.values())


def aside(hole: PlannedHole) -> Point:
    """Where something may be written about a hole: beyond its light, in mm."""
    return (
        hole.x_mm + _ASIDE * (hole.led_x_mm - hole.x_mm),
        hole.y_mm + _ASIDE * (hole.led_y_mm - hole.y_mm),
    )


def _skunk_line(plan: BoardPlan, name: str, crossings: list[tuple[PlannedHole, PlannedHole]]) -> SkunkLine:
    last, first = crossings[0]
    x_mm, y_mm = between(plan, last, first)
    if not is_bend(last, first):
        half_mm = plan.lane_mm / 2
        return SkunkLine(Word(name, aside(last)), ((x_mm, y_mm - half_mm), (x_mm, y_mm + half_mm)))
    bends_mm = [between(plan, *crossing)[0] - last.x_mm for crossing in crossings]
    outward = math.copysign(1.0, bends_mm[0])
    ends = (
        (last.x_mm + min(bends_mm, key=abs) - _OVERHANG_MM * outward, y_mm),
        (last.x_mm + max(bends_mm, key=abs) + _OVERHANG_MM * outward, y_mm),
    )
    return SkunkLine(Word(name, (last.x_mm - outward * 2 * plan.pattern.pitch_mm, y_mm)), ends)


def _is_across(hole: PlannedHole) -> bool:
    return hole.led_x_mm != hole.x_mm


def _is_free(plan: BoardPlan, place: Point) -> bool:
    return all(math.dist(place, near) >= _ROOM_MM for near in _drilled(plan))


def _drilled(plan: BoardPlan) -> Iterator[Point]:
    return (place for hole in plan.holes for place in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)))
