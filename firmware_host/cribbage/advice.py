"""Advice on the discard: every possible discard, with the exact mean points of the hand and of the crib."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from operator import mul

from msgspec import Struct

from firmware_host.cribbage.cards import JACK, Card, card_of, no_duplicates
from firmware_host.cribbage.crib_odds import CribOdds, Unseen, common_suit, odds_at_random, odds_by_model, unseen_after
from firmware_host.cribbage.discard_model import DiscardModel
from firmware_host.cribbage.discard_tables import DEALER, PONE
from firmware_host.cribbage.options import CribFlush
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.rule_errors import NotACard, WrongNumberOfCards
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet

_PATTERNS_KEPT = 2048
"""Size of the cache: all 1,820 sets of four ranks fit."""


class Discard(Struct, frozen=True):
    """One possible discard. Points are exact means over every starter and every crib; play and heels do not count."""

    discarded: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: Fraction
    """Mean points of the kept cards."""
    crib: Fraction
    """Mean points of the crib, if the other crib cards are any of the unseen ones."""
    crib_sensible: Fraction | None
    """The same, if the opponent discards by the discard model; None where no model fits."""
    total: Fraction
    """Hand plus crib, or hand minus crib if the crib is the other side's. Discards are ranked by it."""
    starters: Mapping[int, int]
    """Points of the hand -> the number of starters that make them."""

    @property
    def least(self) -> int:
        """The fewest points of the hand with any starter."""
        return min(self.starters)

    @property
    def most(self) -> int:
        """The most points of the hand with any starter."""
        return max(self.starters)

    @property
    def chances(self) -> dict[int, Fraction]:
        """Points of the hand, ascending -> their probability."""
        unseen = sum(self.starters.values())
        return {points: Fraction(self.starters[points], unseen) for points in sorted(self.starters)}


def advise(cards: Collection[Card], rules: RuleSet, *, own_crib: bool) -> tuple[Discard, ...]:
    """Every discard from the dealt `cards`, best first: the highest total, or in lowball the lowest.

    `own_crib`: the crib belongs to the player's side. Raises WrongNumberOfCards, DuplicateCard, and NotACard for a card
    whose suit is not known.
    """
    _check_deal(cards, rules)
    dealt = sorted(cards)
    unseen = unseen_after(dealt)
    hidden = CRIB_SIZE - (len(dealt) - rules.hand_size)
    at_random = odds_at_random(unseen, hidden)
    by_model = _odds_by_opponents_model(unseen, rules, own_crib)
    four_flush = rules.crib_flush is CribFlush.FOUR_OK
    discards = []
    for discarded in combinations(dealt, len(dealt) - rules.hand_size):
        kept = tuple(card for card in dealt if card not in discarded)
        starters = _points_by_starters(kept, unseen)
        hand = Fraction(sum(map(mul, starters, starters.values())), starters.total())
        crib = at_random.expected(discarded, four_flush=four_flush)
        crib_sensible = by_model.expected(discarded, four_flush=four_flush) if by_model else None
        total = hand + crib if own_crib else hand - crib
        discards.append(Discard(discarded, kept, hand, crib, crib_sensible, total, starters))
    return tuple(sorted(discards, key=lambda discard: discard.total, reverse=not rules.lowball))


def _odds_by_opponents_model(unseen: Unseen, rules: RuleSet, own_crib: bool) -> CribOdds | None:
    """The crib as the opponent fills it. None for more than two players, for lowball, and for the auction, where the
    owner of the crib is not known yet: the models were trained without these."""
    if rules.players > 2 or rules.lowball or rules.bidding:
        return None
    return odds_by_model(unseen, _opponents_model(rules.dealt[0], own_crib))


@cache
def _opponents_model(dealt: int, own_crib: bool) -> DiscardModel:
    return DiscardModel.read((PONE if own_crib else DEALER)[dealt])


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
    """Points of fifteens, pairs and runs of held ranks with a starter of each rank, ace to king."""
    return bytes(rank_points((*ranks, rank)) for rank in range(1, 14))


def _check_deal(cards: Collection[Card], rules: RuleSet) -> None:
    dealt = max(rules.dealt)
    if len(cards) != dealt:
        where = f"deal of {rules.variant}"
        fix = "give all cards that were dealt"
        raise WrongNumberOfCards(f"{dealt} cards", f"{len(cards)}", where, fix, number=dealt)
    no_duplicates(cards)
    for card in cards:
        if card.suit is None:
            raise NotACard(f"the suit too, such as {card}H", str(card), fix="add S, H, D or C")
