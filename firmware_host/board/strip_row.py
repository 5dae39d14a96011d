"""A row of strips under one straight line of holes, as a plan file describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.course import Hole, parse_hole
from firmware_host.board.plan_reader import PlanError
from firmware_host.board.strip import HOLES_PER_STRIP, Outline, Slot, StripPattern, Turn

_RANGE = re.compile(r"(\d{1,3})(?:\.\.(\d{1,3}))?")


class Mark(Struct, frozen=True):
    """A hole of a row: its track from 0 (None for the shared game hole) and its number on that track."""

    track: int | None
    hole: Hole


class StripRow(Struct, frozen=True):
    """Places from left to right, or from below upward if the row lies across the board.

    (`x_mm`, `y_mm`) is the first place, of a row across the middle. A mark of None is a place without a hole.
    """

    name: str
    x_mm: float
    y_mm: float
    is_across: bool
    marks: tuple[Mark | None, ...]

    @property
    def strips(self) -> int:
        """The number of strips under the row."""
        return len(self.marks) // HOLES_PER_STRIP

    def moved(self, right_mm: float, up_mm: float) -> StripRow:
        """The row moved by this much, in mm."""
        return replace(self, x_mm=self.x_mm + right_mm, y_mm=self.y_mm + up_mm)

    def place_strips(
        self, pattern: StripPattern, first: int, *, is_turned: bool
    ) -> Iterator[tuple[Sequence[tuple[Slot, Mark | None]], Outline, Turn]]:
        """Places the strips in chain order, numbered from `first`: the marked slots of each, its outline and its turn.

        `is_turned`: the chain enters the row on the right, so that its strips lie the other way round.
        """
        turn = Turn.UP if self.is_across else Turn.LEFT if is_turned else Turn.RIGHT
        marks = self.marks[::-1] if is_turned else self.marks
        last = len(marks) - 1
        for start in range(0, len(marks), HOLES_PER_STRIP):
            along_mm = pattern.along_mm(last - start if is_turned else start)
            x_mm, y_mm = (
                (self.x_mm, self.y_mm - pattern.along_mm(last) / 2 + along_mm)
                if self.is_across
                else (self.x_mm + along_mm, self.y_mm)
            )
            slots, outline = pattern.place_strip(first + start // HOLES_PER_STRIP, x_mm, y_mm, turn)
            yield list(zip(slots, marks[start : start + HOLES_PER_STRIP], strict=True)), outline, turn


class MarkReader(Struct, frozen=True):
    """Reads the holes of the rows of a board. `tracks` gives each track's name its number."""

    tracks: Mapping[str, int]
    game_hole: Hole
    shares_game_hole: bool
    """Whether all tracks end in one game hole; otherwise `game` is that of the track named before it."""

    def read(self, text: str, where: str) -> tuple[Mark | None, ...]:
        """Reads the holes of a row, such as `red - - - S1 S2 1..30`. Raises PlanError.

        The name of a track applies to the holes after it, `-` is a place without a hole. `where` is the path of the row
        for error messages.
        """
        marks: list[Mark | None] = []
        track: int | None = None
        for word in text.split():
            if word in self.tracks:
                track = self.tracks[word]
            elif word == "-":
                marks.append(None)
            elif word == "game" and self.shares_game_hole:
                marks.append(Mark(None, self.game_hole))
            elif track is None:
                raise PlanError(where, f"a track ({', '.join(self.tracks)}) before its holes", word)
            elif word == "game":
                marks.append(Mark(track, self.game_hole))
            else:
                marks.extend(Mark(track, hole) for hole in _holes(word, where))
        if not marks or len(marks) % HOLES_PER_STRIP:
            raise PlanError(where, f"whole strips of {HOLES_PER_STRIP} places", f"{len(marks)} places")
        return tuple(marks)


def _holes(word: str, where: str) -> Iterator[Hole]:
    if word in ("S1", "S2"):
        yield parse_hole(word)
        return
    if not (span := _RANGE.fullmatch(word)) or int(span[1]) == 0 or int(span[2] or 1) == 0:
        raise PlanError(where, "S1, S2, game, -, a hole as 7 or holes as 1..30", word)
    first = int(span[1])
    last = int(span[2] or span[1])
    step = 1 if first <= last else -1
    yield from (Hole(number) for number in range(first, last + step, step))
