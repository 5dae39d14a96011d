"""Simulates how people move pegs, from a seeded random generator.

Players lift late, tap through the holes while they count, put a peg into a wrong hole and correct it, change their
mind, slide the front peg instead of leaping with the back one, jostle seated pegs, and take both pegs out to wipe the
board. Holes are whatever numbers the caller uses: holes of a track, or sensors of a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from msgspec import Struct


class Gesture(NamedTuple):
    """A peg is lifted from a hole or put into it, `after_s` seconds after the previous gesture."""

    after_s: float
    hole: int
    is_down: bool


class Style(Struct, frozen=True):
    """How often a player does what, each as a share (0 to 1) of the turns."""

    taps: float = 0.0
    """Taps the peg into the holes on the way: each one, every other one or every fifth."""
    misplaces: float = 0.0
    """Puts the peg into a wrong hole and corrects it."""
    hesitates: float = 0.0
    """Puts the peg back where it came from, then starts again."""
    slides: float = 0.0
    """Moves the front peg forward instead of leaping with the back peg."""
    jostles: float = 0.0
    """Touches a seated peg after the turn, so that its switch opens for a moment."""
    reseats: float = 0.0
    """Takes a seated peg out after the turn and puts it back."""
    wipes: float = 0.0
    """Takes both pegs out after the turn, to wipe the board, and puts them back."""
    overlaps: float = 0.0
    """The next player starts before this turn is finished."""


TIDY = Style()
EVERYDAY = Style(taps=0.3, misplaces=0.05, slides=0.04, jostles=0.15, wipes=0.02, overlaps=0.1)
UNTIDY = Style(
    taps=0.5, misplaces=0.2, hesitates=0.05, slides=0.08, jostles=0.3, reseats=0.05, wipes=0.06, overlaps=0.25
)

TAP_S = (0.06, 0.22)
TRAVEL_S = (0.2, 0.8)
MISPLACED_S = (0.3, 1.5)
CORRECT_S = (0.18, 0.55)
JOSTLE_S = (0.015, 0.08)
WIPE_S = (1.0, 3.6)
PAUSE_S = (0.9, 1.5)
"""Shortest and longest duration of each kind of gesture."""

MISPLACED_BY = (-5, -2, -1, -1, 1, 1, 2, 10)
"""Distances of a wrong hole from the right one: mostly one hole, or one or two groups of five."""


class SimulatedHands:
    """One player's hands and two pegs.

    `route[score]` is the hole of each score from 0 on. It may go on past `target`, with holes used only by mistake.
    `second_start` is the other start hole, where the back peg begins.
    """

    def __init__(self, random: Random, style: Style, route: Sequence[int], second_start: int, target: int) -> None:
        self.score = 0
        self.style = style
        self._random = random
        self._route = route
        self._target = target
        self._front = route[0]
        self._back = second_start
        self._leapt_from = second_start

    @property
    def holes(self) -> tuple[int, int]:
        """The holes of the back and the front peg after the last gesture returned."""
        return self._back, self._front

    def set_pegs(self, score: int, back: int, front: int) -> None:
        """Continue from this position, after somebody else has moved the pegs."""
        self.score = score
        self._back = back
        self._front = front
        self._leapt_from = back

    def is_visible(self, points: int) -> bool:
        """Whether a move by `points` can be seen: not if it ends, one lap later, in a hole that already has a peg."""
        return self._route[min(self.score + points, self._target)] not in self.holes

    def turn(self, points: int) -> list[Gesture]:
        """The gestures of a move by `points`, from the first lift until the peg is seated.

        The front peg never slides into the hole from which it leapt one lap ago: that would look like an undone leap.
        """
        score = min(self.score + points, self._target)
        is_slide = self.score > 0 and self._happens(self.style.slides) and self._route[score] != self._leapt_from
        origin, resting = (self._front, self._back) if is_slide else (self._back, self._front)
        if not is_slide:
            self._leapt_from = origin
        gestures = [Gesture(0.0, origin, False)]
        if self._happens(self.style.hesitates):
            gestures += self._put_and_lift(origin, self._duration_s(CORRECT_S), self._duration_s(MISPLACED_S))
        travel_s = self._duration_s(TRAVEL_S)
        for hole, rest_s, pause_s in self._stops(score, resting):
            gestures += self._put_and_lift(hole, travel_s, rest_s)
            travel_s = pause_s
        self._front = self._route[score]
        self.score = score
        self._back = resting
        return [*gestures, Gesture(travel_s, self._front, True)]

    def touch_seated_pegs(self) -> list[Gesture]:
        """The gestures after a turn that touch seated pegs, perhaps none; every peg ends where it was."""
        gestures: list[Gesture] = []
        if self._happens(self.style.jostles):
            gestures += self._lift_and_return(self._random.choice(self.holes), JOSTLE_S)
        if self._happens(self.style.reseats):
            gestures += self._lift_and_return(self._random.choice(self.holes), MISPLACED_S)
        if self._happens(self.style.wipes):
            gestures += self._wipe()
        return gestures

    def _stops(self, score: int, resting: int) -> Iterator[tuple[int, float, float]]:
        """Holes into which the peg is put on the way: (hole, seconds in it, seconds to the next)."""
        goal = self._route[score]
        if self._happens(self.style.taps):
            for step in range(self.score + (stride := self._random.choice((1, 1, 1, 2, 5))), score, stride):
                if self._route[step] not in (goal, resting):
                    yield self._route[step], self._duration_s(TAP_S), self._duration_s(TAP_S)
        if self._happens(self.style.misplaces):
            wrong = score + self._random.choice(MISPLACED_BY)
            if 0 < wrong < len(self._route) and self._route[wrong] not in (goal, resting):
                yield self._route[wrong], self._duration_s(MISPLACED_S), self._duration_s(CORRECT_S)

    def _wipe(self) -> list[Gesture]:
        first, second = self._in_random_order()
        out_s = self._duration_s(PAUSE_S)
        next_out_s = self._duration_s((0.08, 0.5))
        lifts = [Gesture(out_s, first, False), Gesture(next_out_s, second, False)]
        first, second = self._in_random_order()
        in_s = self._duration_s(WIPE_S)
        next_in_s = self._duration_s((0.1, 0.6))
        return [*lifts, Gesture(in_s, first, True), Gesture(next_in_s, second, True)]

    def _in_random_order(self) -> tuple[int, int]:
        back, front = self.holes
        return (back, front) if self._happens(0.5) else (front, back)

    def _lift_and_return(self, hole: int, out_s: tuple[float, float]) -> list[Gesture]:
        return [Gesture(self._duration_s(PAUSE_S), hole, False), Gesture(self._duration_s(out_s), hole, True)]

    @staticmethod
    def _put_and_lift(hole: int, after_s: float, rest_s: float) -> list[Gesture]:
        return [Gesture(after_s, hole, True), Gesture(rest_s, hole, False)]

    def _duration_s(self, limits_s: tuple[float, float]) -> float:
        return self._random.uniform(*limits_s)

    def _happens(self, share: float) -> bool:
        return self._random.random() < share
