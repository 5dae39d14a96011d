"""Players to compare the engine with: a greedy one, one by Schell's table, and the advice of version 0.2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from firmware_host.cribbage.cards import PACK, Card
from firmware_host.cribbage.series import playable_cards, points_for
from firmware_host.cribbage.totals import show_total
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.engine import Level, choose_card, choose_discard
from firmware_host.strategy.view import PlayerView
from tests.strategy.published_tables import SCHELL, of_pair


def mean_hand(kept: Sequence[Card], dealt: Sequence[Card]) -> float:
    """Mean points of the kept cards over all starters."""
    starters = [card for card in PACK if card not in dealt]
    return sum(show_total(kept, starter) for starter in starters) / len(starters)


Way = tuple[tuple[Card, ...], tuple[Card, ...]]
"""A discard, and the cards kept."""


def ways_of(view: PlayerView) -> list[Way]:
    """Every discard with the cards kept."""
    dealt = sorted(view.hand)
    discards = combinations(dealt, len(dealt) - view.rules.hand_size)
    return [(discard, tuple(card for card in dealt if card not in discard)) for discard in discards]


class Greedy:
    """Discards by the hand alone; plays for the most points now, then the highest card."""

    def discard(self, view: PlayerView) -> Sequence[Card]:
        return max(ways_of(view), key=lambda way: mean_hand(way[1], view.hand))[0]

    def card(self, view: PlayerView) -> Card | None:
        play = view.play()
        fits = playable_cards(view.hand, play.count)
        return max(fits, key=lambda card: (points_for((*play.cards, card)), card.pips, card), default=None)


class SchellAhead:
    """Discards by the exact hand and Schell's table; plays the card with the most points less the mean best reply."""

    def discard(self, view: PlayerView) -> Sequence[Card]:
        sign, table = (1, SCHELL["own"]) if view.own_crib else (-1, SCHELL["theirs"])

        def worth(way: Way) -> float:
            return mean_hand(way[1], view.hand) + sign * of_pair(table, way[0][0].rank, way[0][1].rank)

        return max(ways_of(view), key=worth)[0]

    def card(self, view: PlayerView) -> Card | None:
        play = view.play()
        series = tuple(play.cards)
        seen = set(view.seen)
        unseen = [card for card in PACK if card not in seen]
        theirs = sum(play.left) - len(view.hand)

        def worth(card: Card) -> tuple[float, int]:
            after = (*series, card)
            count = play.count + card.pips
            return points_for(after) - best_reply(after, count, unseen, theirs), card.pips

        return max(playable_cards(view.hand, play.count), key=worth, default=None)


def best_reply(series: tuple[Card, ...], count: int, unseen: Sequence[Card], cards: int) -> float:
    """The mean of the best reply of somebody who holds so many of the unseen cards; -1 for a go."""
    if not cards or count == 31:
        return 0.0
    points = sorted(
        (points_for((*series, card)) if count + card.pips <= 31 else -1 for card in unseen), reverse=True
    )  # fmt: skip
    mean, none_before, total = 0.0, 1.0, len(points)
    for better, each in enumerate(points, 1):
        none = 1.0
        for place in range(cards):
            none *= max(0, total - better - place) / (total - place)
        mean += each * (none_before - none)
        none_before = none
    return mean


class Engine:
    """The engine at one level."""

    def __init__(self, level: Level, seed: int = 1) -> None:
        self.level = level
        self.random = Random(seed)

    def discard(self, view: PlayerView) -> Sequence[Card]:
        return choose_discard(view, self.level, self.random)

    def card(self, view: PlayerView) -> Card | None:
        return choose_card(view, self.level, self.random)


class Expert(Engine):
    """The engine at its best."""

    def __init__(self) -> None:
        super().__init__(Level.EXPERT)


class OldAdvice(Expert):
    """Discards as the advice of version 0.2 did, against an opponent who discards at random; plays as the engine."""

    def discard(self, view: PlayerView) -> Sequence[Card]:
        discards = judge_discards(view.hand, view.rules, own_crib=view.own_crib)
        sign = 1 if view.own_crib else -1
        return max(discards, key=lambda discard: discard.hand + sign * discard.crib).discarded


class SchellDiscards(Expert):
    """Discards by Schell's table; plays as the engine."""

    discard = SchellAhead.discard


class SchellAheadWithEngineDiscards(Expert):
    """Discards as the engine, plays one card ahead."""

    card = SchellAhead.card
