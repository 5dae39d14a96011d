"""Advice on the discard: every way to lay away, with what hand and crib are worth on average, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from operator import mul

from firmware_host.cribbage.cards import JACK, Card, card_of, no_duplicates
from firmware_host.cribbage.crib_odds import CribOdds, Unseen, common_suit, odds_at_random, odds_by_habit, unseen_after
from firmware_host.cribbage.habit import Habit
from firmware_host.cribbage.habit_tables import DEALER, PONE
from firmware_host.cribbage.options import CribFlush
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.refusals import NotACard, WrongNumberOfCards
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet

_PATTERNS_KEPT = 2048
"""All 1,820 patterns of four ranks fit."""


@dataclass(frozen=True, slots=True)
class Discard:
    """One way to lay away. Points are means over every starter and every crib, exact; no play, no heels."""

    laid_away: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: Fraction
    crib: Fraction
    """If the other crib cards are any of the unseen ones."""
    crib_sensible: Fraction | None
    """If the opponent lays away as a sensible player would; None where that is not known (`_odds_if_sensible`)."""
    total: Fraction
    """Hand and crib, or hand less crib if it is the other side's: by this the discards are ranked."""
    starters: Mapping[int, int]
    """Points of the hand -> the number of starters that make them."""

    @property
    def least(self) -> int:
        return min(self.starters)

    @property
    def most(self) -> int:
        return max(self.starters)

    @property
    def chances(self) -> dict[int, Fraction]:
        """Points of the hand, rising -> how likely they are."""
        unseen = sum(self.starters.values())
        return {points: Fraction(self.starters[points], unseen) for points in sorted(self.starters)}


def advise(cards: Collection[Card], rules: RuleSet, *, own_crib: bool) -> tuple[Discard, ...]:
    """Every discard from `cards` as dealt, best first; where low scores win, the lowest total first.

    `own_crib`: the crib is the player's or the player's side's. Raises WrongNumberOfCards, DuplicateCard, and NotACard
    for a card whose suit is not known.
    """
    _must_be_a_deal(cards, rules)
    dealt = sorted(cards)
    unseen = unseen_after(dealt)
    dark = CRIB_SIZE - (len(dealt) - rules.hand_size)
    at_random = odds_at_random(unseen, dark)
    if_sensible = _odds_if_sensible(unseen, rules, own_crib)
    four_flush = rules.crib_flush is CribFlush.FOUR_OK
    discards = []
    for laid_away in combinations(dealt, len(dealt) - rules.hand_size):
        kept = tuple(card for card in dealt if card not in laid_away)
        starters = _points_by_starters(kept, unseen)
        hand = Fraction(sum(map(mul, starters, starters.values())), starters.total())
        crib = at_random.expected(laid_away, four_flush=four_flush)
        crib_sensible = if_sensible.expected(laid_away, four_flush=four_flush) if if_sensible else None
        total = hand + crib if own_crib else hand - crib
        discards.append(Discard(laid_away, kept, hand, crib, crib_sensible, total, starters))
    return tuple(sorted(discards, key=lambda discard: discard.total, reverse=not rules.lowball))


def _odds_if_sensible(unseen: Unseen, rules: RuleSet, own_crib: bool) -> CribOdds | None:
    """None where several fill the crib, where low scores win, or where nobody knows yet who will own the crib."""
    if rules.players > 2 or rules.lowball or rules.bidding:
        return None
    return odds_by_habit(unseen, _opponents_habit(rules.dealt[0], own_crib))


@cache
def _opponents_habit(dealt: int, own_crib: bool) -> Habit:
    return Habit.read((PONE if own_crib else DEALER)[dealt])


def _points_by_starters(kept: tuple[Card, ...], unseen: Unseen) -> Counter[int]:
    """Points of the kept cards -> the number of starters that make them."""
    worth = _worth_of_ranks(tuple(card.rank for card in kept))
    flush = common_suit(kept)
    starters = Counter[int]()
    for suit, ranks in unseen.items():
        extra = (card_of(JACK, suit) in kept) + (len(kept) + (suit is flush) if flush else 0)
        starters.update(worth[rank - 1] + extra for rank in ranks)
    return starters


@lru_cache(maxsize=_PATTERNS_KEPT)
def _worth_of_ranks(ranks: tuple[int, ...]) -> bytes:
    """Fifteens, pairs and runs of held ranks with a starter of each rank, ace to king."""
    return bytes(rank_points((*ranks, rank)) for rank in range(1, 14))


def _must_be_a_deal(cards: Collection[Card], rules: RuleSet) -> None:
    dealt = max(rules.dealt)
    if len(cards) != dealt:
        where, mend = f"deal of {rules.variant}", "say all that were dealt"
        raise WrongNumberOfCards(f"{dealt} cards", f"{len(cards)}", where, mend, number=dealt)
    no_duplicates(cards)
    for card in cards:
        if card.suit is None:
            raise NotACard(f"the suit too, such as {card}H", str(card), mend="add S, H, D or C")
