"""The labels of a drawing: numbers beside every fifth hole, names of the start and game holes, and the skunk lines."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean
from types import MappingProxyType

from msgspec import Struct

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import START_HOLES
from firmware_host.board.drawing.projection import Point
from firmware_host.board.drawing.track_lines import between, is_bend
from firmware_host.board.plan import BoardPlan

_ASIDE = 2.0  # a number stands this many times as far from its hole as the light does,
_ROOM_MM = 7.0  # with this much room to all holes and other lights, so that it is nearest to its own
_BEFORE_MM = 5.0  # a name ends this far before its hole
_MOST_LETTERS = 16  # of the names of start and game hole together, where both stand in the middle of their holes
_TITLE_ROOM_MM = 10.0
_OVERHANG_MM = 1.5  # how far a skunk line goes beyond the tracks that it crosses
_GROUP = 5

# Target -> the first score at which a loser is safe -> the name of the loss below it. Sources: ACC rules for 121,
# Enquire Within upon Everything for 61, Dawson's "under half" for 181.
SAFE_FROM: Mapping[int, Mapping[int, str]] = MappingProxyType(
    {61: {31: "lurch"}, 121: {91: "skunk", 61: "double skunk"}, 181: {91: "lurch"}}
)

START = "{track} start"
GAME = "game"
WORDS = (START, GAME, *dict.fromkeys(name for lines in SAFE_FROM.values() for name in lines.values()))
"""The words on a board, beside the names of its tracks. They are translated for the pages."""

Word = Callable[[str], str]
"""Translates one of WORDS or the name of a track."""


class Label(Struct, frozen=True):
    """A text on the plate. `place` (mm) is its middle, or its end if `ends_here`. Turned, it runs upward."""

    text: str
    place: Point
    is_turned: bool = False
    ends_here: bool = False


class SkunkLine(Struct, frozen=True):
    """The line that a loser must have crossed to avoid a skunk; `ends` are places in mm."""

    name: Label
    ends: tuple[Point, Point]


def title(plan: BoardPlan) -> Label:
    """The title of the board: across the middle if no hole is near, else upward at the left end. Where each track has
    its own game hole their lines meet in the middle, and the title stands upward below the start of the first track."""
    middle_x_mm = plan.plate.width_mm / 2
    middle_y_mm = plan.plate.height_mm / 2
    if not plan.shares_game_hole:
        start = plan.at(0, START_HOLES[0])
        return Label(plan.title, (start.x_mm, start.y_mm / 2), is_turned=True)
    if all(math.dist(near, (middle_x_mm, middle_y_mm)) >= _TITLE_ROOM_MM for near in _drilled(plan)):
        return Label(plan.title, (middle_x_mm, middle_y_mm))
    start = plan.at(0, START_HOLES[0])
    return Label(plan.title, (start.x_mm - 1.5 * plan.pattern.pitch_mm, middle_y_mm), is_turned=True)


def numbers(plan: BoardPlan) -> Iterator[Label]:
    """The number of every fifth hole where there is room: parallel lanes share one number between them."""
    for hole in plan.holes:
        if hole.track is not None and hole.hole > 0 and hole.hole % _GROUP == 0 and _is_free(plan, hole):
            yield Label(str(hole.hole), aside(hole))


def names(plan: BoardPlan, word: Word = str) -> Iterator[Label]:
    """The names of the start holes of each track, and of the game hole; where each track has its own, between them."""
    game = plan.at(0, plan.game_hole)
    for track, info in enumerate(plan.track_info):
        text = word(START).format(track=word(info.name))
        back, front = (plan.at(track, hole) for hole in START_HOLES)
        if _is_across(front):
            (x_mm, _) = aside(front)
            middle_mm = (back.y_mm + front.y_mm) / 2
            if len(text) + len(word(GAME)) > _MOST_LETTERS:
                middle_mm = max(back.y_mm, front.y_mm, key=lambda y_mm: abs(y_mm - game.y_mm))
            yield Label(text, (x_mm, middle_mm), is_turned=True)
        else:
            yield Label(text, (back.x_mm - _BEFORE_MM, back.y_mm), ends_here=True)
    if plan.shares_game_hole:
        yield Label(word(GAME), aside(game), is_turned=_is_across(game))
    else:
        xs, ys = zip(*((hole.x_mm, hole.y_mm) for hole in plan.game_holes), strict=True)
        yield Label(word(GAME), (fmean(xs), fmean(ys)))


def skunk_lines(plan: BoardPlan, target: int, word: Word = str) -> Iterator[SkunkLine]:
    """The skunk lines of a game to `target`. Tracks that bend together share a line. Raises UnsupportedTarget.

    At a bend the name is written inside the bend, two holes back; elsewhere beside the last hole before the line.
    """
    course = plan.course(target)
    for safe_score, name in SAFE_FROM.get(target, {}).items():
        shared = defaultdict(list)
        for track in range(plan.tracks):
            last = plan.at(track, course.hole_of(safe_score - 1))
            first = plan.at(track, course.hole_of(safe_score))
            shared[round(between(plan, last, first)[1])].append((last, first))
        yield from (_skunk_line(plan, word(name), crossings) for crossings in shared.values())


def aside(hole: PlannedHole) -> Point:
    """The place for a label of a hole: beyond its light, in mm."""
    return (
        hole.x_mm + _ASIDE * (hole.led_x_mm - hole.x_mm),
        hole.y_mm + _ASIDE * (hole.led_y_mm - hole.y_mm),
    )


def _skunk_line(plan: BoardPlan, name: str, crossings: list[tuple[PlannedHole, PlannedHole]]) -> SkunkLine:
    last, first = crossings[0]
    x_mm, y_mm = between(plan, last, first)
    if not is_bend(last, first):
        half_mm = plan.lane_mm / 2
        return SkunkLine(Label(name, aside(last)), ((x_mm, y_mm - half_mm), (x_mm, y_mm + half_mm)))
    bends_mm = [between(plan, *crossing)[0] - last.x_mm for crossing in crossings]
    outward = math.copysign(1.0, bends_mm[0])
    ends = (
        (last.x_mm + min(bends_mm, key=abs) - _OVERHANG_MM * outward, y_mm),
        (last.x_mm + max(bends_mm, key=abs) + _OVERHANG_MM * outward, y_mm),
    )
    return SkunkLine(Label(name, (last.x_mm - outward * 2 * plan.pattern.pitch_mm, y_mm)), ends)


def _is_across(hole: PlannedHole) -> bool:
    return hole.led_x_mm != hole.x_mm


def _is_free(plan: BoardPlan, hole: PlannedHole) -> bool:
    """Whether the number of this hole would be nearer to its light than to any other hole or light."""
    own = (hole.led_x_mm, hole.led_y_mm)
    place = aside(hole)
    return all(near == own or math.dist(place, near) >= _ROOM_MM for near in _drilled(plan))


def _drilled(plan: BoardPlan) -> Iterator[Point]:
    return (place for hole in plan.holes for place in ((hole.x_mm, hole.y_mm), (hole.led_x_mm, hole.led_y_mm)))
