"""The chance to win at the end of the play: over the hands that are counted, the crib, and the deals that follow."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_host.strategy.two_player_search import Imagined
from firmware_host.strategy.win_chance import WinChances


class Show(msgspec.Struct, frozen=True):
    """What is known of the show of two players, during the play."""

    own_hand: int
    """Points of the own hand."""
    their_hands: tuple[int, ...]
    """Points of the other hand, by the number of the imagined hand."""
    crib: tuple[float, ...]
    """The chance of each number of points of the crib."""
    own_crib: bool
    is_owner_first: bool
    """The owner of the crib counts hand and crib first, as in the auction; else the pone's hand comes first."""
    deals_next: bool
    """Whether the own side deals next."""


class ShowChances:
    """One question: what both sides need before the play goes on, and the show after it."""

    def __init__(self, chances: WinChances, needs: tuple[int, int], show: Show) -> None:
        self._need, self._their_need = needs
        self._show = show
        self._crib = [(points, chance) for points, chance in enumerate(show.crib) if chance]
        self._next_deal = chances.of_dealer if show.deals_next else chances.of_pone
        self._known: dict[tuple[int, int, int], float] = {}

    def judge(self, mine: int, theirs: int, hands: Sequence[Imagined]) -> float:
        """The chance to win after these points of the play, summed over the imagined hands by their weights."""
        known = self._known
        shows = self._show.their_hands
        total = 0.0
        for _, weight, number in hands:
            key = mine, theirs, shows[number]
            chance = known.get(key)
            if chance is None:
                chance = known[key] = self.after(*key)
            total += weight * chance
        return total

    def after(self, mine: int, theirs: int, their_hand: int) -> float:
        """The chance to win after these points of the play, if the other hand is worth so much."""
        show = self._show
        own = self._need - mine
        other = self._their_need - theirs
        own_at_end = own - show.own_hand
        other_at_end = other - their_hand
        if show.is_owner_first:
            return self._owner_first(own_at_end, other_at_end)
        # The hand of whoever has no crib comes first.
        if show.own_crib and other_at_end <= 0:
            return 0.0
        if own_at_end <= 0:
            return 1.0
        if other_at_end <= 0:
            return 0.0
        if show.own_crib:
            return sum(chance * self._next_deal(own_at_end - points, other_at_end) for points, chance in self._crib)
        return sum(chance * self._next_deal(own_at_end, other_at_end - points) for points, chance in self._crib)

    def _owner_first(self, own: int, other: int) -> float:
        """Hand and crib of the owner, then the other hand; the needs are those after both hands."""
        chance = 0.0
        for points, share in self._crib:
            if self._show.own_crib:
                won = 1.0 if own - points <= 0 else 0.0 if other <= 0 else self._next_deal(own - points, other)
            else:
                won = 0.0 if other - points <= 0 else 1.0 if own <= 0 else self._next_deal(own, other - points)
            chance += share * won
        return chance
