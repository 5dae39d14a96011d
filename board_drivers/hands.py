"""People's hands, simulated: how pegs are really moved.

They lift late, tap through the holes while counting, set a peg down wrong and mend it, think again, slide the front
peg instead of leaping, jostle seated pegs, and take both pegs out to wipe the board. All of it follows from a seed.
Holes are whatever numbers the caller gives: holes of a track, or sensors of a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Gesture(NamedTuple):
    """A peg leaves a hole, or enters it, `after_s` seconds after the gesture before."""

    after_s: float
    hole: int
    is_down: bool


@dataclass(frozen=True, slots=True)
class Style:
    """How often a hand does what, as shares of its turns."""

    counts: float = 0.0
    """Taps through the holes on the way, each one, every other one or every fifth."""
    errs: float = 0.0
    """Sets the peg in a wrong hole and mends it."""
    hesitates: float = 0.0
    """Puts the peg back where it came from before it starts again."""
    slides: float = 0.0
    """Moves the front peg on instead of leaping with the back one."""
    jostles: float = 0.0
    """Touches a seated peg some time after the turn."""
    fingers: float = 0.0
    """Takes a seated peg out after the turn and puts it back."""
    wipes: float = 0.0
    """Takes both pegs out after the turn and puts them back."""
    at_once: float = 0.0
    """Another player starts before this one is done."""


TIDY = Style()
EVERYDAY = Style(counts=0.3, errs=0.05, slides=0.04, jostles=0.15, wipes=0.02, at_once=0.1)
UNTIDY = Style(counts=0.5, errs=0.2, hesitates=0.05, slides=0.08, jostles=0.3, fingers=0.05, wipes=0.06, at_once=0.25)

TAP_S = (0.06, 0.22)
TRAVEL_S = (0.2, 0.8)
WRONG_S = (0.3, 1.5)
MEND_S = (0.18, 0.55)
JOSTLE_S = (0.015, 0.08)
WIPE_S = (1.0, 3.6)
BREATH_S = (0.9, 1.5)

ERRORS = (-5, -2, -1, -1, 1, 1, 2, 10)
"""By how many holes a wrong hole is off: by one mostly, by a group of five, by two groups."""


class Hands:
    """The hands of one player, and the two pegs they move.

    `route[score]` is the hole of each score from 0 on; it may go on past the last score, into which hands only err.
    `second_start` is the other start hole.
    """

    def __init__(self, random: Random, style: Style, route: Sequence[int], second_start: int, target: int) -> None:
        self.score = 0
        self.style = style
        self._random, self._route, self._target = random, route, target
        self._front, self._back = route[0], second_start
        self._leapt_from = second_start

    @property
    def holes(self) -> tuple[int, int]:
        """Where the pegs stand after the last gesture given out: back, front."""
        return self._back, self._front

    def stand(self, score: int, back: int, front: int) -> None:
        """Go on from here: the pegs were put into these holes by somebody else."""
        self.score, self._back, self._front, self._leapt_from = score, back, front, back

    def can_be_seen(self, points: int) -> bool:
        """False if the move would end in a hole that has a peg, a lap ago: then nobody sees that it was made."""
        return self._route[min(self.score + points, self._target)] not in self.holes

    def turn(self, points: int) -> list[Gesture]:
        """Move a peg so that the front one is `points` further on, from the first lift to the seat.

        The front peg never slides on into the hole from which it leapt a lap ago: that looks like a leap taken back.
        """
        score = min(self.score + points, self._target)
        is_slide = self.score > 0 and self._does(self.style.slides) and self._route[score] != self._leapt_from
        origin, resting = (self._front, self._back) if is_slide else (self._back, self._front)
        if not is_slide:
            self._leapt_from = origin
        gestures = [Gesture(0.0, origin, False)]
        if self._does(self.style.hesitates):
            gestures += self._visit(origin, self._draw(MEND_S), self._draw(WRONG_S))
        travel_s = self._draw(TRAVEL_S)
        for hole, rest_s, pause_s in self._stops(score, resting):
            gestures += self._visit(hole, travel_s, rest_s)
            travel_s = pause_s
        self._front, self.score = self._route[score], score
        self._back = resting
        return [*gestures, Gesture(travel_s, self._front, True)]

    def fidget(self) -> list[Gesture]:
        """What the hands do to seated pegs after a turn, if anything; everything ends where it was."""
        gestures: list[Gesture] = []
        if self._does(self.style.jostles):
            gestures += self._out_and_back(self._random.choice(self.holes), JOSTLE_S)
        if self._does(self.style.fingers):
            gestures += self._out_and_back(self._random.choice(self.holes), WRONG_S)
        if self._does(self.style.wipes):
            gestures += self._wipe()
        return gestures

    def _stops(self, score: int, resting: int) -> Iterator[tuple[int, float, float]]:
        """Holes on the way in which the peg is set down: the hole, how long for, and how long till the next."""
        goal = self._route[score]
        if self._does(self.style.counts):
            for step in range(self.score + (stride := self._random.choice((1, 1, 1, 2, 5))), score, stride):
                if self._route[step] not in (goal, resting):
                    yield self._route[step], self._draw(TAP_S), self._draw(TAP_S)
        if self._does(self.style.errs):
            wrong = score + self._random.choice(ERRORS)
            if 0 < wrong < len(self._route) and self._route[wrong] not in (goal, resting):
                yield self._route[wrong], self._draw(WRONG_S), self._draw(MEND_S)

    def _wipe(self) -> list[Gesture]:
        first, second = self._shuffled()
        out = [Gesture(self._draw(BREATH_S), first, False), Gesture(self._draw((0.08, 0.5)), second, False)]
        first, second = self._shuffled()
        return [*out, Gesture(self._draw(WIPE_S), first, True), Gesture(self._draw((0.1, 0.6)), second, True)]

    def _shuffled(self) -> tuple[int, int]:
        back, front = self.holes
        return (back, front) if self._does(0.5) else (front, back)

    def _out_and_back(self, hole: int, out_s: tuple[float, float]) -> list[Gesture]:
        return [Gesture(self._draw(BREATH_S), hole, False), Gesture(self._draw(out_s), hole, True)]

    @staticmethod
    def _visit(hole: int, after_s: float, rest_s: float) -> list[Gesture]:
        return [Gesture(after_s, hole, True), Gesture(rest_s, hole, False)]

    def _draw(self, span: tuple[float, float]) -> float:
        return self._random.uniform(*span)

    def _does(self, share: float) -> bool:
        return self._random.random() < share
