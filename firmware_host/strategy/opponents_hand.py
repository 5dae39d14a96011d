"""The hands that the opponent of a two-player game may hold, each with its weight.

The weight of a hand is the number of deals from which a sensible player keeps it, counted with the cards that are gone.
Hands in which a card would not have been played, as far as a quick player chooses, weigh less; hands that could have
answered a go do not fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.cribbage.cards import RANK_OF, Card
from firmware_host.cribbage.options import MustPlay
from firmware_host.cribbage.play import Play
from firmware_host.strategy.hidden_deals import Kind, hand_weights, rank_sets, ways_of
from firmware_host.strategy.series_tree import FULL, PIPS, Node
from firmware_host.strategy.simple_player import Hand, hand_without, quick_choice
from firmware_host.strategy.two_player_search import START, Imagined
from firmware_host.strategy.view import PlayerView

Step = tuple[Node, int, int]
"""A decision of the opponent: the node, the rank played or 0 for go, and the number of cards of the other player."""

SURPRISE = 0.3
"""The weight of a hand for each card that a quick player would not have played from it."""


def imagined_hands(view: PlayerView, most: int) -> list[Imagined]:
    """At most so many hands, each with its weight and its number from 0. All that fit, if they are few enough; else a
    sample that takes each with the chance of its weight. Weights sum to 1."""
    rules = view.rules
    other = next(seat for seat in rules.seats if seat != view.seat)
    kind = Kind(max(rules.dealt), max(rules.discards), not view.own_crib)
    steps = _steps_of(view, other)
    found = list[tuple[Hand, float]]()
    played = sorted(rank for _, rank, _ in steps if rank)
    may_pass = rules.must_play is MustPlay.AFTER_GO_OPTIONAL
    for hand, weight in zip(rank_sets(view.rules.hand_size), hand_weights(kind, unseen_ranks(view)), strict=True):
        if weight:
            left = _left_after(hand, played)
            if left is not None:
                factor = _fit(hand, steps, may_pass)
                if factor:
                    found.append((left, weight * factor))
    return sample(_merged(found or _any_hands(view, steps, may_pass)), most)


def _any_hands(view: PlayerView, steps: Sequence[Step], may_pass: bool) -> list[tuple[Hand, float]]:
    """Hands of any unseen cards, for an opponent who keeps what no sensible player keeps."""
    unseen = unseen_ranks(view)
    played = [rank for _, rank, _ in steps if rank]
    for rank in played:
        unseen[rank] -= 1
    hands = [(hand, ways_of(hand, unseen)) for hand in rank_sets(view.rules.hand_size - len(played))]
    could = [(hand, float(ways)) for hand, ways in hands if ways]
    fits = [each for each in could if _fit(tuple(sorted((*each[0], *played))), steps, may_pass)]
    return fits or could  # none fits after a false go


def unseen_ranks(view: PlayerView) -> list[int]:
    """The number of cards of each rank that the opponent may have been dealt; index 0 is unused."""
    unseen = [0, *[4] * 13]
    for card in view.own_cards:
        unseen[RANK_OF[card]] -= 1
    if view.starter is not None:
        unseen[RANK_OF[view.starter]] -= 1
    return unseen


def full_hand(left: Hand, played: Sequence[Card]) -> Hand:
    """The ranks of a hand with what was played of it, sorted."""
    return tuple(sorted((*left, *(RANK_OF[card] for card in played))))


def _left_after(hand: Hand, played: Sequence[int]) -> Hand | None:
    """The hand without what was played; None if it does not hold all of it."""
    for rank in played:
        if rank not in hand:
            return None
        hand = hand_without(hand, rank)
    return hand


def _steps_of(view: PlayerView, other: int) -> list[Step]:
    node = START
    steps = list[Step]()
    left = len(view.hand) + len(view.played_by(view.seat))
    play = Play.begin(view.rules, view.leader, [view.rules.hand_size] * 2)
    for seat, card in view.acts:
        rank = 0 if card is None else RANK_OF[card]
        if seat == other:
            steps.append((node, rank, left))
        elif rank:
            left -= 1
        play = play.follow_go() if card is None else play.follow(card)
        if not play.series:
            node = START
        elif rank:
            node = node.after(rank)
    return steps


def _fit(hand: Hand, steps: Sequence[Step], may_pass: bool) -> float:
    """How well the hand explains the steps: 1 if a quick player takes them all, 0 if they are impossible."""
    factor = 1.0
    for node, rank, others_cards in steps:
        if rank:
            if len(hand) > 1 and quick_choice(node, hand, others_cards) != rank:
                factor *= SURPRISE
            hand = hand_without(hand, rank)
        elif not may_pass and hand and PIPS[hand[0]] <= FULL - node.count:
            return 0.0
    return factor


def _merged(found: Sequence[tuple[Hand, float]]) -> list[tuple[Hand, float]]:
    total: dict[Hand, float] = {}
    for hand, weight in found:
        total[hand] = total.get(hand, 0.0) + weight
    return sorted(total.items())


def sample(found: Sequence[tuple[Hand, float]], most: int) -> list[Imagined]:
    """At most so many of these hands, by their weights; all of them if they are few enough. Weights sum to 1."""
    total = sum(weight for _, weight in found)
    if len(found) <= most:
        return [(hand, weight / total, number) for number, (hand, weight) in enumerate(found)]
    # Every `step` of the weight takes one hand: heavy hands are taken as often as they should, light ones now and then.
    step = total / most
    taken: dict[Hand, float] = {}
    mark = step / 2
    before = 0.0
    for hand, weight in found:
        before += weight
        while mark < before:
            taken[hand] = taken.get(hand, 0.0) + 1 / most
            mark += step
    return [(hand, weight, number) for number, (hand, weight) in enumerate(taken.items())]
