"""The plan of a board: where every hole is, which sensor sees it and which light shines beside it.

Rule: a plan never learns what a card is. Distances are millimetres from the plate's lower left corner, seen from
above, x to the right and y upward. Sensor and light numbers follow from the order of the strips in the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from firmware_host.board.course import START_HOLES, Course, Hole
from firmware_host.board.facts import Facts, PlanError
from firmware_host.board.layout import read_layout
from firmware_host.board.strip import BITS_PER_STRIP, HOLES_PER_STRIP, StripPattern
from firmware_host.board.wood import PlannedHole, PlannedStrip, Plate, Track

__all__ = ["BoardPlan", "NoSuchHole", "PlanError", "PlannedHole", "TargetNotCarried", "parse_plan"]

_IDENT, _COLOUR = r"[a-z0-9]+(-[a-z0-9]+)*", "#[0-9a-f]{6}"
_NAME = r"(?!game$)[a-z]+"
_GAME = "game hole"
_START_WORDS = {START_HOLES[0]: "back start", START_HOLES[1]: "start"}


class TargetNotCarried(LookupError):
    """The board has no course to this target."""

    def __init__(self, board: str, target: int, carried: Sequence[int]) -> None:
        super().__init__(f"{board}: expected a target of {', '.join(map(str, carried))}, got {target}")
        self.board, self.target, self.carried = board, target, tuple(carried)


class NoSuchHole(LookupError):
    """Nothing is drilled there."""


@dataclass(frozen=True)  # no slots: the lookups below are worked out once, on first use
class BoardPlan:
    """A whole board. Holes are in chain order; tracks are numbered from 0."""

    id: str
    title: str
    inlays: tuple[Track, ...]
    lap: int
    targets: tuple[int, ...]
    pattern: StripPattern
    lane_mm: float
    plate: Plate
    strips: tuple[PlannedStrip, ...]
    holes: tuple[PlannedHole, ...]

    @property
    def tracks(self) -> int:
        """How many tracks there are."""
        return len(self.inlays)

    @property
    def game_hole(self) -> Hole:
        """The hole that all tracks share: the next step after a whole number of laps."""
        return Hole(self.lap + 1)

    @property
    def strip_count(self) -> int:
        """Strips in the chain: registers on the sensor side."""
        return len(self.strips)

    @property
    def sensor_count(self) -> int:
        """Holes that have a sensor, which is all of them."""
        return len(self.holes)

    @property
    def bit_count(self) -> int:
        """Bits in one scan of the chain."""
        return len(self.strips) * BITS_PER_STRIP

    @property
    def led_count(self) -> int:
        """Lights in the chain, those under undrilled places included."""
        return len(self.strips) * HOLES_PER_STRIP

    @cached_property
    def at_sensor(self) -> Mapping[int, PlannedHole]:
        """The hole that each sensor sees."""
        return {planned.sensor: planned for planned in self.holes}

    @cached_property
    def _at(self) -> Mapping[tuple[int, Hole], PlannedHole]:
        return {
            (track, planned.hole): planned
            for planned in self.holes
            for track in (range(self.tracks) if planned.track is None else (planned.track,))
        }

    def at(self, track: int, hole: Hole) -> PlannedHole:
        """This hole of this track; every track has the game hole. Raises NoSuchHole."""
        try:
            return self._at[track, hole]
        except KeyError:
            raise NoSuchHole(f"{self.id}: no hole {hole} on track {track}") from None

    def course(self, target: int) -> Course:
        """The way to `target` points. Raises TargetNotCarried.

        After whole laps the game ends in the hole that all share, else in the track's own hole of that number.
        """
        if target not in self.targets:
            raise TargetNotCarried(self.id, target, self.targets)
        last_hole = (target - 1) % self.lap + 1
        return Course(self.lap, self.game_hole if last_hole == 1 else last_hole, target)

    def track_view(self, frame: frozenset[int]) -> tuple[frozenset[Hole], ...]:
        """The occupied holes of each track, from one frame of sensors that see a magnet.

        A peg in the shared game hole shows in every track: the wood cannot tell whose it is. Spare inputs are ignored.
        """
        views: tuple[set[Hole], ...] = tuple(set() for _ in self.inlays)
        for planned in map(self.at_sensor.get, frame):
            if planned is not None:
                for view in views if planned.track is None else (views[planned.track],):
                    view.add(planned.hole)
        return tuple(map(frozenset, views))

    def frame_of(self, views: Iterable[Iterable[Hole]]) -> frozenset[int]:
        """The frame that `track_view` would read as these holes, one set a track. Raises NoSuchHole."""
        return frozenset(self.at(track, hole).sensor for track, view in enumerate(views) for hole in view)

    def rewired(self, order: Sequence[int]) -> BoardPlan:
        """The same wood with its strips elsewhere in the chain: planned strip -> place in the chain, from 0.

        Raises ValueError unless every strip is named once.
        """
        if sorted(order) != list(range(self.strip_count)):
            raise ValueError(
                f"{self.id}: expected every strip from 0 to {self.strip_count - 1} once, got {list(order)}"
            )
        strips = (replace(strip, number=order[strip.number]) for strip in self.strips)
        holes = (hole.on_strip(order[hole.strip]) for hole in self.holes)
        by_number, by_sensor = attrgetter("number"), attrgetter("sensor")
        return replace(self, strips=tuple(sorted(strips, key=by_number)), holes=tuple(sorted(holes, key=by_sensor)))

    def name_of(self, track: int | None, hole: Hole) -> str:
        """`red 37`, `red start` and the `red back start` behind it, or `game hole`."""
        if track is None or hole == self.game_hole:
            return _GAME
        return f"{self.inlays[track].name} {_START_WORDS.get(hole, hole)}"

    def named(self, name: str) -> PlannedHole:
        """The inverse of `name_of`. Raises NoSuchHole."""
        try:
            return self._by_name[" ".join(name.split()).lower()]
        except KeyError:
            known = f'"{self.inlays[0].name} 37", "{self.inlays[0].name} start" or "{_GAME}"'
            raise NoSuchHole(f"{self.id}: expected a hole such as {known}, got {name!r}") from None

    @cached_property
    def _by_name(self) -> Mapping[str, PlannedHole]:
        return {self.name_of(planned.track, planned.hole): planned for planned in self.holes}


def parse_plan(text: str) -> BoardPlan:
    """Read a plan file (TOML) and lay its board out. Raises PlanError, which names the place of the first fault.

    A file that can be read may still describe a bad board: `audit` tells.
    """
    facts = Facts.of_text(text)
    board, title = facts.word("id", _IDENT), facts.text("title")
    inlays = tuple(_read_track(track) for track in facts.tables("tracks"))
    numbers = {inlay.name: track for track, inlay in enumerate(inlays)}
    if len(numbers) < len(inlays):
        raise PlanError("tracks", "a different name for each", ", ".join(inlay.name for inlay in inlays))
    course = facts.table("course")
    lap, targets = course.whole("lap"), course.wholes("targets")
    layout = read_layout(facts, numbers, game_hole=Hole(lap + 1))
    course.finish()
    facts.finish()
    return BoardPlan(
        board,
        title,
        inlays,
        lap,
        targets,
        layout.pattern,
        layout.lane_mm,
        layout.plate,
        layout.strips,
        layout.holes,
    )


def _read_track(facts: Facts) -> Track:
    track = Track(facts.word("name", _NAME), facts.word("colour", _COLOUR))
    facts.finish()
    return track
