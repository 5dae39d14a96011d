"""Hall switches, simulated: what a board tells of the magnets that come and go.

A continuous switch chatters while a peg is pressed home. A sampled one looks at its hole now and then, each by its own
clock, so that two holes tell one movement up to a period apart and in either order. A switch can be dead or stuck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple


class Magnet(NamedTuple):
    """A magnet came to a hole, or left it. Also what the switch there tells of it."""

    at_s: float
    hole: int
    is_there: bool


@dataclass(frozen=True, slots=True)
class Halls:
    """The switches of one board. `period_s`: 0 for continuous ones; 0.05 is a usual sampled one.

    `chatters`: share of changes that bounce. `dead` holes never tell; `stuck` ones tell of a magnet for ever, from the
    second given on.
    """

    random: Random
    period_s: float = 0.0
    chatters: float = 0.0
    dead: frozenset[int] = frozenset()
    stuck: Mapping[int, float] = field(default_factory=dict)

    def told(self, magnets: Iterable[Magnet]) -> list[Magnet]:
        """What the switches tell of all these changes, in order of time."""
        heard = sorted(change for change in magnets if change.hole not in self.dead)
        heard = self._sampled(heard) if self.period_s else list(self._bounced(heard))
        free = [change for change in heard if change.at_s < self.stuck.get(change.hole, math.inf)]
        return sorted([*free, *(Magnet(at_s, hole, True) for hole, at_s in self.stuck.items())])

    def _bounced(self, changes: Sequence[Magnet]) -> Iterator[Magnet]:
        next_s: dict[int, float] = {}
        for change in reversed(changes):
            yield from self._bounces(change, next_s.get(change.hole, math.inf))
            next_s[change.hole] = change.at_s

    def _bounces(self, change: Magnet, until_s: float) -> Iterator[Magnet]:
        """The change, and the contact opening and closing again; it is at rest when the next change comes."""
        yield change
        if self.random.random() >= self.chatters:
            return
        at_s = change.at_s
        for _ in range(self.random.randint(1, 3)):
            away_s = at_s + self.random.uniform(0.002, 0.012)
            at_s = away_s + self.random.uniform(0.002, 0.012)
            if at_s < until_s:
                yield Magnet(away_s, change.hole, not change.is_there)
                yield Magnet(at_s, change.hole, change.is_there)

    def _sampled(self, changes: Iterable[Magnet]) -> list[Magnet]:
        """Each change at the next look of its switch; of several before one look, the last."""
        phases_s: dict[int, float] = {}
        looks: dict[tuple[int, float], Magnet] = {}
        for change in changes:
            phase_s = phases_s.setdefault(change.hole, self.random.uniform(0, self.period_s))
            look_s = phase_s + math.ceil((change.at_s - phase_s) / self.period_s) * self.period_s
            looks[change.hole, look_s] = Magnet(look_s, change.hole, change.is_there)
        return list(looks.values())
