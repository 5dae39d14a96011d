"""One hand that a learner counted: the first answer to each part that was asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from firmware_host.coach.kinds import KINDS_OF_PART, PART_OF_KIND, Hand, Kind
from firmware_host.cribbage.show import Part

MAX_LEVEL = len(Part)
"""Levels 1 to 5 ask for the first one to five parts of a count."""
TRIES = 2
"""Answers to one question before the coach shows the solution."""
MAX_ANSWER = 99
"""The highest number of points that is taken as an answer."""


def parts_of_level(level: int) -> tuple[Part, ...]:
    """The parts that a level (1 to `MAX_LEVEL`) asks for, in counting order."""
    return tuple(Part)[:level]


class Attempt(Struct, frozen=True, dict=True):
    """A hand, and the points that were answered first for each part of the level; None: a hint was asked for before
    an answer."""

    hand: Hand
    answers: tuple[int | None, ...]

    @property
    def level(self) -> int:
        """The level at which the hand was asked: 1 to `MAX_LEVEL`."""
        return len(self.answers)

    @property
    def parts(self) -> Sequence[Part]:
        """The parts that were asked."""
        return parts_of_level(self.level)

    @cached_property
    def is_right(self) -> bool:
        """Whether every first answer was right."""
        return self.answers == tuple(map(self.hand.count.points, self.parts))

    @cached_property
    def kinds(self) -> Sequence[Kind]:
        """The kinds in the hand that were asked for."""
        return [kind for part in self.parts for kind in KINDS_OF_PART[part] if kind in self.hand.kinds]

    @cached_property
    def kinds_in_wrong_answers(self) -> Sequence[Kind]:
        """Those of the parts that were not answered right."""
        answers = dict(zip(self.parts, self.answers, strict=True))
        return [kind for kind in self.kinds if answers[part := PART_OF_KIND[kind]] != self.hand.count.points(part)]
