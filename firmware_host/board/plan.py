"""The plan of a board: where every hole is, which sensor reads it and which light is beside it.

Rule: a plan knows holes and tracks, but no cards and no rules. Places are mm from the plate's lower left corner, seen
from above, x to the right and y upward. Sensor and light numbers follow from the order of the strips in the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.components import PlannedHole, PlannedStrip, Plate, Track
from firmware_host.board.course import START_HOLES, Course, Hole
from firmware_host.board.layout import read_layout
from firmware_host.board.plan_reader import PlanError, PlanReader
from firmware_host.board.strip import BITS_PER_STRIP, HOLES_PER_STRIP, StripPattern

__all__ = ["BoardPlan", "NoSuchHole", "PlanError", "PlannedHole", "UnsupportedTarget", "parse_plan"]

_IDENT = r"[a-z0-9]+(-[a-z0-9]+)*"
_COLOUR = "#[0-9a-f]{6}"
_NAME = r"(?!game$)[a-z]+"
_GAME = "game hole"
_START_WORDS = {START_HOLES[0]: "back start", START_HOLES[1]: "start"}


class UnsupportedTarget(LookupError):
    """The board has no course to this target. `supported` lists the targets it has."""

    def __init__(self, board: str, target: int, supported: Sequence[int]) -> None:
        super().__init__(f"{board}: expected a target of {', '.join(map(str, supported))}, got {target}")
        self.board = board
        self.target = target
        self.supported = tuple(supported)


class NoSuchHole(LookupError):
    """The board has no such hole."""


class BoardPlan(Struct, frozen=True, dict=True):
    """A whole board: its plate, strips and holes.

    `track_info` has the name and colour of each track; tracks are numbered from 0. `lap` counts the holes of one round,
    `targets` are the scores that a game can be played to. `lane_mm` is from lane to lane. Strips and holes are in the
    order of the chain.
    """

    id: str
    title: str
    track_info: tuple[Track, ...]
    lap: int
    targets: tuple[int, ...]
    pattern: StripPattern
    lane_mm: float
    plate: Plate
    strips: tuple[PlannedStrip, ...]
    holes: tuple[PlannedHole, ...]
    shares_game_hole: bool = True
    """Whether all tracks end in one game hole; otherwise each has its own."""

    @property
    def tracks(self) -> int:
        """The number of tracks."""
        return len(self.track_info)

    @property
    def game_hole(self) -> Hole:
        """The hole one step after a whole number of laps, which all tracks share unless each has its own."""
        return Hole(self.lap + 1)

    @property
    def game_holes(self) -> tuple[PlannedHole, ...]:
        """The game hole, or that of each track."""
        return tuple(planned for planned in self.holes if planned.hole == self.game_hole)

    @property
    def strip_count(self) -> int:
        """The number of strips, which is the number of shift registers in the sensor chain."""
        return len(self.strips)

    @property
    def sensor_count(self) -> int:
        """The number of holes; each has a sensor."""
        return len(self.holes)

    @property
    def bit_count(self) -> int:
        """The number of bits in one scan of the chain."""
        return len(self.strips) * BITS_PER_STRIP

    @property
    def led_count(self) -> int:
        """The number of lights in the chain, those at undrilled places included."""
        return len(self.strips) * HOLES_PER_STRIP

    @cached_property
    def at_sensor(self) -> Mapping[int, PlannedHole]:
        """Sensor number -> the hole above it."""
        return {planned.sensor: planned for planned in self.holes}

    @cached_property
    def _at(self) -> Mapping[tuple[int, Hole], PlannedHole]:
        return {
            (track, planned.hole): planned
            for planned in self.holes
            for track in (range(self.tracks) if planned.track is None else (planned.track,))
        }

    def at(self, track: int, hole: Hole) -> PlannedHole:
        """The hole of a track; the shared game hole belongs to every track. Raises NoSuchHole."""
        try:
            return self._at[track, hole]
        except KeyError:
            raise NoSuchHole(f"{self.id}: no hole {hole} on track {track}") from None

    def course(self, target: int) -> Course:
        """Which hole stands for which score in a game to `target`. Raises UnsupportedTarget.

        After whole laps the game ends in the game hole, else in the track's own hole of that number.
        """
        if target not in self.targets:
            raise UnsupportedTarget(self.id, target, self.targets)
        last_hole = (target - 1) % self.lap + 1
        ends_after_lap = last_hole == 1
        game_hole = self.game_hole if ends_after_lap else last_hole
        return Course(self.lap, game_hole, target, ends_after_lap and self.shares_game_hole)

    def track_view(self, frame: frozenset[int]) -> tuple[frozenset[Hole], ...]:
        """Converts a frame, the numbers of the sensors that see a magnet, to the occupied holes of each track.

        A peg in the shared game hole appears in every track, because no sensor says whose it is. Sensor numbers without
        a hole are ignored.
        """
        views: tuple[set[Hole], ...] = tuple(set() for _ in self.track_info)
        for planned in map(self.at_sensor.get, frame):
            if planned is not None:
                for view in views if planned.track is None else (views[planned.track],):
                    view.add(planned.hole)
        return tuple(map(frozenset, views))

    def frame_of(self, views: Iterable[Iterable[Hole]]) -> frozenset[int]:
        """The inverse of `track_view`: the frame of these holes, one set a track. Raises NoSuchHole."""
        return frozenset(self.at(track, hole).sensor for track, view in enumerate(views) for hole in view)

    def rewired(self, order: Sequence[int]) -> BoardPlan:
        """The same board with its strips in another order: `order[strip]` is its place in the chain, from 0.

        Raises ValueError unless every place is given once.
        """
        if sorted(order) != list(range(self.strip_count)):
            raise ValueError(
                f"{self.id}: expected every strip from 0 to {self.strip_count - 1} once, got {list(order)}"
            )
        strips = (replace(strip, number=order[strip.number]) for strip in self.strips)
        holes = (hole.on_strip(order[hole.strip]) for hole in self.holes)
        by_number = attrgetter("number")
        by_sensor = attrgetter("sensor")
        return replace(self, strips=tuple(sorted(strips, key=by_number)), holes=tuple(sorted(holes, key=by_sensor)))

    def name_of(self, track: int | None, hole: Hole) -> str:
        """The name of a hole as players see it: `red 37`, `red start`, `red back start` or `game hole`; where each
        track has its own, `red game hole`."""
        if track is None or (hole == self.game_hole and self.shares_game_hole):
            return _GAME
        if hole == self.game_hole:
            return f"{self.track_info[track].name} {_GAME}"
        return f"{self.track_info[track].name} {_START_WORDS.get(hole, hole)}"

    def named(self, name: str) -> PlannedHole:
        """The hole of this name, in any case and spacing: the inverse of `name_of`. Raises NoSuchHole."""
        try:
            return self._by_name[" ".join(name.split()).lower()]
        except KeyError:
            known = f'"{self.track_info[0].name} 37", "{self.track_info[0].name} start" or "{_GAME}"'
            raise NoSuchHole(f"{self.id}: expected a hole such as {known}, got {name!r}") from None

    @cached_property
    def _by_name(self) -> Mapping[str, PlannedHole]:
        return {self.name_of(planned.track, planned.hole): planned for planned in self.holes}


def parse_plan(text: str) -> BoardPlan:
    """Reads the text of a plan file (TOML) and lays its board out. Raises PlanError for the first fault.

    A file that can be read may still describe a board that does not work: see `audit`.
    """
    facts = PlanReader.of_text(text)
    board = facts.matching("id", _IDENT)
    title = facts.text("title")
    track_info = tuple(_read_track(track) for track in facts.tables("tracks"))
    numbers = {info.name: track for track, info in enumerate(track_info)}
    if len(numbers) < len(track_info):
        raise PlanError("tracks", "a different name for each", ", ".join(info.name for info in track_info))
    course = facts.table("course")
    lap = course.integer("lap")
    targets = course.integers("targets")
    shares_game_hole = course.choice("game_holes", ("shared", "own"), "shared") == "shared"
    layout = read_layout(facts, numbers, Hole(lap + 1), shares_game_hole=shares_game_hole)
    course.finish()
    facts.finish()
    return BoardPlan(
        board,
        title,
        track_info,
        lap,
        targets,
        layout.pattern,
        layout.lane_mm,
        layout.plate,
        layout.strips,
        layout.holes,
        shares_game_hole,
    )


def _read_track(facts: PlanReader) -> Track:
    track = Track(facts.matching("name", _NAME), facts.matching("colour", _COLOUR))
    facts.finish()
    return track
