"""The review of a finished game: each discard against the best one, by the points that it costs on average.

Only discards whose cards the board knows can be judged: the dealt cards with their suits, and which of them went to the
crib. That is so for players who hold their cards on a phone. The advice is that of the engine (`strategy`): mean points
of the hand, of the play, and of the crib if the others discard as sensible players do.

| verdict    | points lost on average |
|------------|------------------------|
| BEST       | 0                      |
| GOOD       | less than 0.5          |
| INACCURATE | less than 1.5          |
| MISTAKE    | 1.5 or more            |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache

from msgspec import Struct, field

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.game import events as e
from firmware_host.storage.game_summary import Events, effective_turns
from firmware_host.strategy.discard_judge import EVEN, Discard, judge_discards

GOOD_BELOW = 0.5
INACCURATE_BELOW = 1.5
"""Points lost on average, below which a discard is good, or inaccurate."""


class Verdict(Enum):
    """How good a discard was."""

    BEST = "best"
    GOOD = "good"
    INACCURATE = "inaccurate"
    MISTAKE = "mistake"


class ReviewedDiscard(Struct, frozen=True):
    """One discard, beside the best one from the same cards."""

    deal: int
    """Number of the deal, from 1."""
    seat: Seat
    is_own_crib: bool
    """Whether the crib belongs to the player's side."""
    chosen: Discard
    best: Discard

    @property
    def lost(self) -> float:
        """Points lost on average, from 0."""
        return abs(self.best.total - self.chosen.total)

    @property
    def verdict(self) -> Verdict:
        """By the table above."""
        if not self.lost:
            return Verdict.BEST
        if self.lost < GOOD_BELOW:
            return Verdict.GOOD
        return Verdict.INACCURATE if self.lost < INACCURATE_BELOW else Verdict.MISTAKE


class SeatReview(Struct, frozen=True):
    """All discards of one player that could be judged."""

    discards: int
    best: int
    """How many were the best."""
    lost: float
    """Points lost on average, all discards together."""


class _Cards(Struct):
    """What is known of the cards of the deal that was read last."""

    deal: int = 0
    dealer: Seat | None = None
    dealt: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    discarded: dict[Seat, tuple[Card, ...]] = field(default_factory=dict)
    has_starter: bool = False

    def read(self, event: e.Event) -> None:
        match event:
            case e.DealBegan():
                is_again = not self.has_starter and self.dealer == event.dealer  # after a misdeal
                self.deal = self.deal + (not is_again)
                self.dealer = event.dealer
                self.has_starter = False
                self.dealt = {}
                self.discarded = {}
            case e.HandDealt():
                self.dealt[event.seat] = event.cards
                self.discarded.pop(event.seat, None)
            case e.CardsDiscarded():
                self.discarded[event.seat] = event.cards
            case e.StarterCut():
                self.has_starter = True


def discards_of(turns: Iterable[Events]) -> tuple[ReviewedDiscard, ...]:
    """Every discard of a game that can be judged, in order. The first event is GameStarted.

    None in the auction: there nobody knows whose crib it will be.
    """
    (first, *rest), *later = effective_turns(turns)
    assert isinstance(first, e.GameStarted)
    cards = _Cards()
    found = list[ReviewedDiscard]()
    for events in (rest, *later):
        for event in events:
            cards.read(event)
            if isinstance(event, e.StarterCut) and not first.rules.bidding:
                found += _judged(cards, first.rules)
    return tuple(found)


def shown_deals(turns: Iterable[Events]) -> frozenset[int]:
    """The numbers of the deals whose crib was counted: all their cards were shown."""
    cards = _Cards()
    found = set[int]()
    for turn in effective_turns(turns):
        for event in turn:
            cards.read(event)
            if isinstance(event, e.HandCounted) and event.is_crib:
                found.add(cards.deal)
    return frozenset(found)


def _judged(cards: _Cards, rules: RuleSet) -> Iterator[ReviewedDiscard]:
    assert cards.dealer is not None
    for seat in rules.seats:
        dealt = cards.dealt.get(seat, ())
        discarded = cards.discarded.get(seat, ())
        if len(dealt) != max(rules.dealt) or len(dealt) - len(discarded) != rules.hand_size:
            continue
        if not discarded or any(card.suit is None for card in dealt):
            continue
        is_own = rules.side_of(seat) == rules.side_of(cards.dealer)
        choices = _advice(tuple(sorted(dealt)), rules, is_own)
        chosen = next(each for each in choices if set(each.discarded) == set(discarded))
        yield ReviewedDiscard(cards.deal, seat, is_own, chosen, choices[0])


@lru_cache(maxsize=256)
def _advice(dealt: tuple[Card, ...], rules: RuleSet, is_own: bool) -> tuple[Discard, ...]:
    """The advice for a deal, kept: a review is read more than once."""
    return judge_discards(dealt, rules, own_crib=is_own, scores=EVEN)


def seat_review(discards: Iterable[ReviewedDiscard], seat: Seat) -> SeatReview:
    """The discards of one player, summed up."""
    own = [each for each in discards if each.seat == seat]
    best = sum(each.verdict is Verdict.BEST for each in own)
    return SeatReview(len(own), best, sum(each.lost for each in own))
