"""Simulates the hall switches of a board: the edges they report when magnets come and go.

A continuous switch bounces while a peg is pressed in. A sampled one measures once a period, each with its own phase, so
two switches report one movement up to a period apart and in either order. A switch can be dead or stuck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec import Struct, field


class MagnetEdge(NamedTuple):
    """A magnet came to a hole or left it, or the hole's switch reports that it did."""

    at_s: float
    hole: int
    is_present: bool


class SimulatedSwitches(Struct, frozen=True):
    """The switches of one track or board.

    `period_s`: 0 for continuous switches; 0.05 is usual for sampled ones. `bounce_share`: share of the edges that
    bounce. `dead`: holes that never report. `stuck`: hole -> the time, in seconds, from which it reports a magnet.
    """

    random: Random
    period_s: float = 0.0
    bounce_share: float = 0.0
    dead: frozenset[int] = frozenset()
    stuck: Mapping[int, float] = field(default_factory=dict)

    def report(self, magnets: Iterable[MagnetEdge]) -> list[MagnetEdge]:
        """The edges that the switches report for these edges of magnets, in order of time."""
        seen = sorted(edge for edge in magnets if edge.hole not in self.dead)
        seen = self._sampled(seen) if self.period_s else list(self._bounced(seen))
        free = [edge for edge in seen if edge.at_s < self.stuck.get(edge.hole, math.inf)]
        return sorted([*free, *(MagnetEdge(at_s, hole, True) for hole, at_s in self.stuck.items())])

    def _bounced(self, edges: Sequence[MagnetEdge]) -> Iterator[MagnetEdge]:
        next_s: dict[int, float] = {}
        for edge in reversed(edges):
            yield from self._bounces(edge, next_s.get(edge.hole, math.inf))
            next_s[edge.hole] = edge.at_s

    def _bounces(self, edge: MagnetEdge, until_s: float) -> Iterator[MagnetEdge]:
        """The edge and its bounces, which end before `until_s`, the next edge of this switch."""
        yield edge
        if self.random.random() >= self.bounce_share:
            return
        at_s = edge.at_s
        for _ in range(self.random.randint(1, 3)):
            away_s = at_s + self.random.uniform(0.002, 0.012)
            at_s = away_s + self.random.uniform(0.002, 0.012)
            if at_s < until_s:
                yield MagnetEdge(away_s, edge.hole, not edge.is_present)
                yield MagnetEdge(at_s, edge.hole, edge.is_present)

    def _sampled(self, edges: Iterable[MagnetEdge]) -> list[MagnetEdge]:
        """Each edge at the next sample of its switch; of several edges before one sample, the last."""
        phases_s: dict[int, float] = {}
        samples: dict[tuple[int, float], MagnetEdge] = {}
        for edge in edges:
            phase_s = phases_s.setdefault(edge.hole, self.random.uniform(0, self.period_s))
            sample_s = phase_s + math.ceil((edge.at_s - phase_s) / self.period_s) * self.period_s
            samples[edge.hole, sample_s] = MagnetEdge(sample_s, edge.hole, edge.is_present)
        return list(samples.values())
