"""Finds the order in which the strips of a board are wired into the chain.

Strips may be connected in any order. The discovery requests one hole after the other; the strip whose sensor answers
when a peg touches that hole lies under it. A peg that is drawn along a street finds all strips of the street at once.
A strip that answers with the place at its other end lies the wrong way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from firmware_host.board.components import PlannedHole
from firmware_host.board.plan import BoardPlan
from firmware_host.board.strip import BITS_PER_STRIP, FIRST_HOLE_BIT, HOLES_PER_STRIP


class TouchResult(Enum):
    """What one touch of a sensor showed."""

    FOUND = "found"
    """The strip under the requested hole."""
    KNOWN = "known"
    """A strip that was found before: the peg is on its way to the requested hole."""
    ELSEWHERE = "elsewhere"
    """Another place of a strip that is not yet found: the peg is on its way to the requested hole, or past it."""
    TURNED = "turned"
    """The opposite place of a strip that is not yet found: it lies the wrong way round, or a wrong hole was touched."""


class WiringDiscovery(Struct, frozen=True):
    """What is known of the wiring so far. Immutable: each touch returns the next state.

    `found`: planned strip -> its number in the chain, both from 0. `skipped`: planned sensors of holes that did not
    answer.
    """

    plan: BoardPlan
    found: Mapping[int, int] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()

    @property
    def next_hole(self) -> PlannedHole | None:
        """The requested hole; None when every strip is found or skipped."""
        return next(self._open_holes(), None)

    @property
    def order(self) -> tuple[int, ...] | None:
        """The place in the chain of each planned strip, as `BoardPlan.rewired` takes it; None while one is unknown."""
        count = self.plan.strip_count
        if len(self.found) < count - 1:
            return None
        rest = set(range(count)).difference(self.found.values())
        return tuple(self.found[strip] if strip in self.found else rest.pop() for strip in range(count))

    def touched(self, sensor: int) -> tuple[WiringDiscovery, TouchResult]:
        """The state after the sensor with this bit number saw a peg, and what that showed."""
        strip, bit = divmod(sensor, BITS_PER_STRIP)
        pos = bit - FIRST_HOLE_BIT
        next_hole = self.next_hole
        if next_hole is None or strip in self.found.values():
            return self, TouchResult.KNOWN
        if pos == next_hole.pos:
            return replace(self, found={**self.found, next_hole.strip: strip}), TouchResult.FOUND
        return self, TouchResult.TURNED if pos == HOLES_PER_STRIP - 1 - next_hole.pos else TouchResult.ELSEWHERE

    def skip_hole(self) -> WiringDiscovery:
        """The state after the requested hole did not answer: another one of its strip is requested."""
        assert self.next_hole is not None
        return replace(self, skipped=self.skipped | {self.next_hole.sensor})

    def _open_holes(self) -> Iterator[PlannedHole]:
        """In the order of the plan, so that a whole street is one sweep."""
        if len(self.found) < self.plan.strip_count:
            for hole in self.plan.holes:
                if hole.strip not in self.found and hole.sensor not in self.skipped:
                    yield hole
