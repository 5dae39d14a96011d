"""The chance to win after a discard: over the points of the play, the hands and the crib of this deal, in their order.

The order of the show decides close games: the pone's hand counts before the dealer's hand and crib. What the other side
makes, and what either makes in the play, is as in the average deal (`win_tables.SPREADS`); the own hand is exact, the
crib as the ranks of its hidden cards make it. The parts are taken to be independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul

from firmware_host.strategy.win_chance import WinChances

Spread = list[float]
"""The chance of each number of points, from 0."""

HEELS = 2 / 13
"""Mean points for a jack as starter, which the dealer's play includes."""
LEAST_POINT = 0.002
"""No point is worth less, as far as totals show it."""
FAR = 40
"""Where both sides need more, the mean of the crib says enough."""
LONGEST_CRIB = 30
"""More points than a crib has."""


def mean_of(spread: Sequence[float]) -> float:
    """The mean number of points."""
    return sum(points * chance for points, chance in enumerate(spread))


def both(one: Sequence[float], other: Sequence[float]) -> Spread:
    """The spread of the sum of two independent numbers of points."""
    total = [0.0] * (len(one) + len(other) - 1)
    for points, chance in enumerate(one):
        if chance:
            for more, also in enumerate(other, points):
                total[more] += chance * also
    return total


def spread_of(times: Mapping[int, int]) -> Spread:
    """The spread of points that occur so many times."""
    total = sum(times.values())
    return [times.get(points, 0) / total for points in range(max(times) + 1)]


def around(mean: float) -> Spread:
    """The spread of the two whole numbers around a mean, which it has."""
    low = int(mean)
    return [*[0.0] * low, 1 - (mean - low), mean - low]


class DealChances:
    """One question: the needs of both sides before the discard, and who deals. `is_dealer`: the own side."""

    def __init__(
        self, chances: WinChances, own_need: int, their_need: int, *, is_dealer: bool, has_partner: bool = False
    ) -> None:
        excess = max(0, max(own_need, their_need) - chances.size)
        self._need = max(1, own_need - excess)
        self._their_need = max(1, their_need - excess)
        self._rows = chances.by_pone if is_dealer else chances.rows
        self._is_dealer = is_dealer
        spreads = chances.spreads
        own, their = ("dealer", "pone") if is_dealer else ("pone", "dealer")
        own_play = chances.play_spread(own, self._need)
        self._partners_hand = spreads["one hand"] if has_partner else None
        their_play = chances.play_spread(their, self._their_need)
        self._theirs = both(their_play, spreads[f"{their} hand"])
        """Points of the other side until the crib."""
        self._not_by_play = sum(their_play[: self._their_need])
        """The chance that the other side does not win in the play."""
        self._play_without_win = own_play[: self._need]
        self._won_by_play = sum(own_play[self._need :]) * (1 + self._not_by_play) / 2
        self._not_by_show = sum(self._theirs[: self._their_need])
        lead = mean_of(spreads["dealer play"]) - mean_of(spreads["pone play"]) - HEELS
        self.mean_play = lead if is_dealer else -lead
        """Points of the play beyond those of the other side, with an average hand."""
        own_slope, their_slope = chances.slopes(self._need, self._their_need, is_dealer=not is_dealer)
        self.point = max(LEAST_POINT, (own_slope + their_slope) / 2)
        """What a point adds to the chance to win, about."""
        self._later: dict[tuple[int, int], float] = {}
        self._by_crib: dict[int, list[float]] = {}
        """The chance in the next deal by own points and points of the other side's crib."""

    @property
    def is_far(self) -> bool:
        """Whether the mean of the crib says enough."""
        return min(self._need, self._their_need) > FAR

    def win(self, hand: Spread, crib: Spread, play_gain: float) -> float:
        """The chance to win with this hand and crib. `play_gain`: points of the play beyond an average hand's."""
        if self._partners_hand:
            hand = both(hand, self._partners_hand)
        points, none = (both(hand, crib), [1.0]) if self._is_dealer else (hand, crib)
        before = self._won_by_play
        later = both(self._play_without_win, points)
        after = [self._after(total, none) for total in range(len(later) + 1)]
        chance: float = before + sum(map(mul, later, after))
        gain: float = before + sum(map(mul, later, after[1:])) - chance
        return min(1.0, max(0.0, chance + play_gain * gain))

    def _after(self, points: int, crib: Spread) -> float:
        """The chance when the own side made so many points by its show; the pone's crib is the other side's."""
        if points >= self._need:
            return self._not_by_show if self._is_dealer else self._not_by_play
        if self._is_dealer:
            return self._next_deal(points, 0)
        if self.is_far:
            return sum(chance * self._next_deal(points, made) for made, chance in enumerate(crib) if chance)
        cribs = self._by_crib.get(points)
        if cribs is None:
            longest = min(LONGEST_CRIB, self._their_need)
            cribs = self._by_crib[points] = [self._next_deal(points, made) for made in range(longest)]
        return float(sum(map(mul, crib, cribs)))

    def _next_deal(self, points: int, crib: int) -> float:
        """The chance in the next deal, after these points of the own side, and of the crib for the other side."""
        known = self._later.get((points, crib))
        if known is None:
            row = self._rows[self._need - points - 1]
            known = sum(map(mul, self._theirs, row[self._their_need - crib - 1 :: -1]))
            known = self._later[points, crib] = self._not_by_show - known if self._is_dealer else known
        return known
