"""Players who err as people do: their mistakes come from what they overlook, not from chance over all cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from firmware_host.cribbage.cards import RANK_OF, SUIT_OF, Card
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.score import ScoreKind
from firmware_host.cribbage.series import scores_for
from firmware_host.strategy.discard_judge import judge_discards
from firmware_host.strategy.play_judge import judge_cards
from firmware_host.strategy.series_tree import node_after
from firmware_host.strategy.view import PlayerView, RandomSource

NOTICES = {
    ScoreKind.FIFTEEN: 0.9,
    ScoreKind.THIRTY_ONE: 0.95,
    ScoreKind.PAIR: 0.95,
    ScoreKind.PAIR_ROYAL: 0.95,
    ScoreKind.DOUBLE_PAIR_ROYAL: 0.95,
    ScoreKind.RUN: 0.7,
    ScoreKind.FLUSH: 0.7,
}
"""How often a beginner sees points of each kind before playing the card."""
CLUB_HANDS = 40
"""Hands of the others that a club player thinks of."""
SEES_STARTERS = 0.6
"""How often a beginner thinks of what the starter may add."""
CARES_FOR_CRIB = 0.8
"""How often a beginner thinks of the points that two cards make in the crib."""
THINKS_AHEAD = 0.6
"""How often a beginner thinks of the answer to a card before playing it."""
OTHERS_CARDS = 3
"""Cards with which a beginner expects an answer."""
DOUBT = 0.6
"""Points by which a beginner may misjudge a hand."""


def club_discard(view: PlayerView) -> tuple[Card, ...]:
    """The best by points, whatever the score."""
    discards = judge_discards(view.hand, view.rules, own_crib=view.own_crib)
    best = min if view.rules.lowball else max
    return best(discards, key=lambda discard: discard.points).discarded


def club_card(view: PlayerView, random: RandomSource, hands: int = CLUB_HANDS) -> Card | None:
    """The card with the most points against the few hands that a player thinks of, whatever the score; None: go.
    `hands`: no more than these."""
    judged = judge_cards(view, random, hands=min(hands, CLUB_HANDS))
    sign = -1 if view.rules.lowball else 1
    return max(judged, key=lambda each: sign * each.points).card


def beginners_discard(view: PlayerView, random: RandomSource) -> tuple[Card, ...]:
    """Keeps the most points that are in the hand already; thinks of the starter and of the crib now and then."""
    dealt = sorted(view.hand)
    size = len(dealt) - view.rules.hand_size
    sign = (1 if view.own_crib else -1) * (random.random() < CARES_FOR_CRIB)
    sees_starters = random.random() < SEES_STARTERS
    aim = -1 if view.rules.lowball else 1

    def worth(discard: tuple[Card, ...]) -> float:
        kept = [card for card in dealt if card not in discard]
        flush = len(kept) if len({SUIT_OF[card] for card in kept}) == 1 else 0
        points: float = rank_points(_ranks(kept))
        if sees_starters:
            points = sum(rank_points((*_ranks(kept), rank)) for rank in range(1, 14)) / 13
        seen = points + flush + sign * rank_points(_ranks(discard))
        return aim * seen + random.random() * DOUBT

    return max(combinations(dealt, size), key=worth)


def beginners_card(series: Sequence[Card], fits: Sequence[Card], view: PlayerView, random: RandomSource) -> Card:
    """The card with the most points that the beginner sees; without any, mostly a high card, and now and then one that
    gives the others little."""
    is_careful = random.random() < THINKS_AHEAD and not view.rules.lowball

    def worth(card: Card) -> float:
        scores = scores_for((*series, card), view.rules)
        noticed = sum(score.points for score in scores if random.random() < NOTICES[score.kind])
        habit = random.random() * 0.5 + 0.04 * card.pips
        if is_careful:
            habit -= node_after([RANK_OF[each] for each in (*series, card)]).reply[OTHERS_CARDS]
        return (-noticed if view.rules.lowball else noticed) + habit

    return max(fits, key=worth)


def _ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted(RANK_OF[card] for card in cards))
