"""Learning how a board is wired: strips may be put into the chain in any order, and a peg tells which is which.

The lesson asks for one hole after the other by name. Whatever strip answers lies under that hole; a peg that is drawn
along a street answers for all its strips in one go. A strip that answers with the wrong place is turned round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP
from firmware_host.board.wood import PlannedHole


class Heard(Enum):
    """What a touch told."""

    FOUND = "found"
    """The strip under the hole that was asked for."""
    KNOWN = "known"
    """A strip that was found before: the peg is on its way."""
    ELSEWHERE = "elsewhere"
    """A strip not yet found, but another place of it: the peg is on its way to the next hole, or past it."""
    TURNED = "turned"
    """The place at its other end: the strip lies the wrong way round, or the wrong hole was touched."""


@dataclass(frozen=True)
class WiringLesson:
    """What is known so far. `found`: planned strip -> its number in the chain, both from 0."""

    plan: BoardPlan
    found: Mapping[int, int] = field(default_factory=dict)
    passed_over: frozenset[int] = frozenset()
    """Sensors of holes that did not answer, as planned."""

    @property
    def asked(self) -> PlannedHole | None:
        """The hole to touch next; None when every strip is found or given up."""
        return next(self._open_holes(), None)

    @property
    def order(self) -> tuple[int, ...] | None:
        """The strip of the chain under each planned strip; None while that is not known of all of them."""
        count = self.plan.strip_count
        if len(self.found) < count - 1:
            return None
        rest = set(range(count)).difference(self.found.values())
        return tuple(self.found[strip] if strip in self.found else rest.pop() for strip in range(count))

    def touched(self, sensor: int) -> tuple[WiringLesson, Heard]:
        """A peg came to this bit of the chain."""
        strip, bit = divmod(sensor, BITS_PER_STRIP)
        pos, asked = bit - FIRST_HOLE_BIT, self.asked
        if asked is None or strip in self.found.values():
            return self, Heard.KNOWN
        if pos == asked.pos:
            return replace(self, found={**self.found, asked.strip: strip}), Heard.FOUND
        return self, Heard.TURNED if pos == HOLES_PER_STRIP - 1 - asked.pos else Heard.ELSEWHERE

    def pass_over(self) -> WiringLesson:
        """The hole that is asked for does not answer: the next one of its strip may."""
        assert self.asked is not None
        return replace(self, passed_over=self.passed_over | {self.asked.sensor})

    def _open_holes(self) -> Iterator[PlannedHole]:
        """In the order of the plan; a whole street is one sweep."""
        if len(self.found) < self.plan.strip_count:
            for hole in self.plan.holes:
                if hole.strip not in self.found and hole.sensor not in self.passed_over:
                    yield hole
