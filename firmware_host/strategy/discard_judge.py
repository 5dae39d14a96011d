"""What each discard is worth, and the best one first: the hand exactly, the crib, the play, and the chance to win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from operator import mul

import msgspec

from firmware_host.cribbage.cards import JACK, Card, card_of, no_duplicates
from firmware_host.cribbage.options import CribFlush
from firmware_host.cribbage.ranks import rank_points
from firmware_host.cribbage.rule_errors import NotACard, WrongNumberOfCards
from firmware_host.cribbage.rules import CRIB_SIZE, RuleSet
from firmware_host.strategy.crib_odds import (
    CribOdds,
    Unseen,
    common_suit,
    odds_at_random,
    odds_by_choice,
    odds_by_choices_of_one,
    unseen_after,
)
from firmware_host.strategy.deal_chances import DealChances, around, spread_of
from firmware_host.strategy.play_points import expected_play
from firmware_host.strategy.win_chance import chances_for

_PATTERNS_KEPT = 2048
"""Size of the cache: all 1,820 sets of four ranks fit."""


EVEN = (0, 0)
"""The scores at the start of a game, for advice where the scores do not matter."""
DIGITS = 9
"""Places to which sums are rounded, so that discards of equal worth are equal."""

WIN_DIGITS = 4
"""Places of a chance to win: what differs by less is equal, and more points are better then."""


class Discard(msgspec.Struct, frozen=True, kw_only=True):
    """One possible discard, and what it is worth on average."""

    discarded: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: Fraction
    """Mean points of the kept cards, over every starter."""
    crib: Fraction
    """Mean points of the crib, if the other crib cards are any of the unseen ones."""
    crib_sensible: float | None
    """The same, if the others discard as sensible players do, given the cards that are gone; None in lowball."""
    play: float
    """Expected points of the play with the kept cards: own minus the opponents'. 0 for more than two players."""
    points: float
    """Hand, play, and the sensible crib: minus the crib if it is the other side's."""
    total: float
    """What discards are ranked by. Without scores hand and crib, as published tables have them; with scores the chance
    to win, in which the play counts too, expressed in points."""
    win: float | None = None
    """The chance to win the game, 0 to 1; None if the scores are not known."""
    starters: Mapping[int, int]
    """Points of the hand -> the number of starters that make them."""

    @property
    def mean_crib(self) -> float:
        """The mean points of the crib by which the discard is ranked."""
        return float(self.crib) if self.crib_sensible is None else self.crib_sensible

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


def judge_discards(
    cards: Collection[Card], rules: RuleSet, *, own_crib: bool, scores: tuple[int, int] | None = None
) -> tuple[Discard, ...]:
    """Every discard from the dealt `cards`, best first: the highest total, or in lowball the lowest.

    `own_crib`: the crib belongs to the player's side. `scores`: of the own and the other side; then the chance to win
    decides, as far as a table has it. Raises WrongNumberOfCards, DuplicateCard, and NotACard for a card without a suit.
    """
    _check_deal(cards, rules)
    dealt = sorted(cards)
    unseen = unseen_after(dealt)
    hidden = CRIB_SIZE - (len(dealt) - rules.hand_size)
    at_random = odds_at_random(unseen, hidden)
    sensible = _sensible_odds(unseen, rules, own_crib)
    four_flush = rules.crib_flush is CribFlush.FOUR_OK
    discards = []
    for discarded in combinations(dealt, len(dealt) - rules.hand_size):
        kept = tuple(card for card in dealt if card not in discarded)
        starters = _points_by_starters(kept, unseen)
        hand = Fraction(sum(map(mul, starters, starters.values())), starters.total())
        crib = at_random.exact(discarded, four_flush=four_flush)
        crib_sensible = sensible.expected(discarded, four_flush=four_flush) if sensible else None
        play = _play_of(kept, rules, own_crib)
        mean_crib = float(crib) if crib_sensible is None else crib_sensible
        points = round(float(hand) + play + (mean_crib if own_crib else -mean_crib), DIGITS)
        discards.append(
            Discard(
                discarded=discarded,
                kept=kept,
                hand=hand,
                crib=crib,
                crib_sensible=crib_sensible,
                play=play,
                points=points,
                total=round(points - play, DIGITS),
                starters=starters,
            )
        )
    if scores is not None and (chances := chances_for(rules)) and sensible:
        needs = max(1, rules.target - scores[0]), max(1, rules.target - scores[1])
        deal = DealChances(chances, *needs, is_dealer=own_crib, has_partner=rules.players > 2)
        discards = _ranked_by_chance(discards, deal, sensible)
    return tuple(sorted(discards, key=lambda each: (each.total, each.points), reverse=not rules.lowball))


def _ranked_by_chance(discards: Sequence[Discard], deal: DealChances, odds: CribOdds) -> list[Discard]:
    """The same discards with the chance to win, and with totals that follow it."""
    wins = list[float]()
    for discard in discards:
        crib = around(discard.mean_crib) if deal.is_far else odds.spread(discard.discarded, discard.mean_crib)
        win = deal.win(spread_of(discard.starters), crib, discard.play - deal.mean_play)
        wins.append(round(win, WIN_DIGITS))
    best = max(range(len(discards)), key=lambda place: (wins[place], discards[place].points))
    most = discards[best].points
    return [
        msgspec.structs.replace(discard, win=win, total=round(most + (win - wins[best]) / deal.point, DIGITS))
        for discard, win in zip(discards, wins, strict=True)
    ]


def _sensible_odds(unseen: Unseen, rules: RuleSet, own_crib: bool) -> CribOdds | None:
    """The crib as sensible players fill it. None for lowball, where they want the contrary."""
    if rules.lowball:
        return None
    dealt = max(rules.dealt)
    if max(rules.discards) == 2:
        return odds_by_choice(unseen, dealt, own_crib=own_crib)
    return odds_by_choices_of_one(unseen, _owners_among_others(rules, own_crib), rules.from_stock)


def _owners_among_others(rules: RuleSet, own_crib: bool) -> Sequence[bool]:
    """For each other player who discards one card: whether the crib belongs to that player's side. Partners sit on one
    side; where everybody plays alone the owner is one of the others, unless it is the player."""
    others = sum(rules.discards) - 1
    partners = len(rules.sides[0]) - 1
    owners = partners if own_crib else partners + 1
    is_owner_discarding = len(rules.sides) < rules.players or rules.discards[0] > 0
    owners = owners if is_owner_discarding else 0
    return [place < owners for place in range(others)]


def _play_of(kept: tuple[Card, ...], rules: RuleSet, own_crib: bool) -> float:
    if rules.players > 2:
        return 0.0
    return expected_play(tuple(card.rank for card in kept), is_dealer=own_crib)


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
