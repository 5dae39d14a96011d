"""The players: what somebody of a level discards and plays.

The expert plays the best that is known. The weaker ones err as people do. The club player counts points, whatever the
score, and plays against the few hands that come to mind. The beginner thinks of the starter, the crib and the answer
now and then, overlooks points, leads fives, plays into runs, and throws fives into a crib.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from firmware_host.cribbage.cards import RANK_OF, Card
from firmware_host.cribbage.levels import Level as Level
from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import RuleSet
from firmware_host.cribbage.series import playable_cards
from firmware_host.strategy.casual_players import beginners_card, beginners_discard, club_card, club_discard
from firmware_host.strategy.discard_judge import Discard, judge_discards
from firmware_host.strategy.play_judge import HANDS, judge_cards
from firmware_host.strategy.view import PlayerView, RandomSource

FEWEST_HANDS = 12
"""With these a machine still plays a sensible game, however slow it is."""
CARD_LIMIT_S = 0.3
"""A card should take no longer. Here the slowest takes a third of it, on the smallest Pi three times as long."""
RISE = 4
"""Hands that are added after a quick card: many cards are quick because there was little to choose."""


def judged_discards(view: PlayerView) -> tuple[Discard, ...]:
    """Every discard of the player, best first: by the chance to win, or where no table has it by points.

    In the auction nobody knows yet whose crib it will be: both cases count half.
    """
    scores = two_scores(view)
    if view.rules.bidding:
        both = [judge_discards(view.hand, view.rules, own_crib=own, scores=scores) for own in (True, False)]
        discards = _means(*both)
    else:
        discards = judge_discards(view.hand, view.rules, own_crib=view.own_crib, scores=scores)
    sign = -1 if view.rules.lowball else 1
    return tuple(sorted(discards, key=lambda each: (each.win or 0.0, sign * each.points), reverse=True))


def _means(one: Sequence[Discard], other: Sequence[Discard]) -> tuple[Discard, ...]:
    """The same discards with the means of what both judgements say."""
    others = {discard.discarded: discard for discard in other}
    pairs = [(discard, others[discard.discarded]) for discard in one]
    return tuple(
        msgspec.structs.replace(
            first,
            points=(first.points + second.points) / 2,
            total=(first.total + second.total) / 2,
            win=None if first.win is None or second.win is None else (first.win + second.win) / 2,
        )
        for first, second in pairs
    )


def choose_discard(view: PlayerView, level: Level, random: RandomSource) -> tuple[Card, ...]:
    """The cards that a player of this level gives to the crib; none if the seat was dealt no more than it keeps.

    Raises WrongNumberOfCards, DuplicateCard and NotACard for a hand that cannot be dealt.
    """
    if not view.rules.cards_discarded(view.seat, view.dealer):
        return ()
    if level is Level.BEGINNER:
        return beginners_discard(view, random)
    if level is Level.CLUB:
        return club_discard(view)
    return judged_discards(view)[0].discarded


def choose_card(view: PlayerView, level: Level, random: RandomSource, hands: int = HANDS) -> Card | None:
    """The card that a player of this level plays now; None for a go, only where the rules allow it.

    `hands`: how many hands of the others the player imagines at most; fewer for slow machines. Raises what
    `PlayerView.play` raises.
    """
    play = view.play()
    fits = playable_cards(view.hand, play.count)
    if _are_alike(fits, view.rules) and not (fits and play.may_go(view.hand)):
        return fits[0] if fits else None
    if level is Level.BEGINNER:
        return beginners_card(play.cards, fits, view, random)
    if level is Level.CLUB:
        return club_card(view, random, hands)
    return judge_cards(view, random, hands=hands, with_points=False)[0].card


def _are_alike(cards: Sequence[Card], rules: RuleSet) -> bool:
    """Whether it makes no difference which of the cards is played. Suits count only where a flush does."""
    return len(cards) <= 1 or (rules.play_flush is PlayFlush.OFF and len({RANK_OF[card] for card in cards}) == 1)


def worth_of_crib(view: PlayerView) -> float:
    """What a player may pay for the crib in an auction, in points, after the discards: what it makes as the player's
    own. A starter that is known is not looked at. 0 in lowball, where nobody wants points.

    Between two sides the crib that is not bought is lost as well, so it seems worth more: the mean of both cases, half
    a point above. But nobody leaves it to us who has given it good cards, and by the mean the bids win fewer games.
    """
    if view.rules.lowball:
        return 0.0
    judged = judge_discards(view.own_cards, view.rules, own_crib=True)
    return next(each.mean_crib for each in judged if {*each.discarded} == {*view.discarded})


class Depth:
    """How many hands a player imagines at most for a card on this machine. A card that took longer than `limit_s` makes
    the next ones quicker; after quick cards the number rises again. So a slow machine plays nearly as well."""

    def __init__(self, limit_s: float = CARD_LIMIT_S) -> None:
        self._limit_s = limit_s
        self.hands = HANDS
        """From `FEWEST_HANDS` to `HANDS`."""

    def took(self, seconds: float) -> None:
        """Learn how long the engine thought about a card."""
        if seconds > self._limit_s:
            self.hands = max(FEWEST_HANDS, int(self.hands * self._limit_s / seconds))
        else:
            self.hands = min(HANDS, self.hands + RISE)


def two_scores(view: PlayerView) -> tuple[int, int] | None:
    """The scores of the own and the other side; None for more than two sides."""
    if len(view.rules.sides) != 2:
        return None
    return view.scores[view.side], view.scores[1 - view.side]
