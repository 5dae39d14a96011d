"""The play that is played out by ranks, against `cribbage/play.py`, for all variants and options."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.cards import PACK, RANK_OF, Card
from firmware_host.cribbage.play import Play
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import VARIANTS, recorded_rules
from firmware_host.strategy.series_tree import node_after
from firmware_host.strategy.simple_player import quick_choice
from firmware_host.strategy.table_search import MOST_CARDS, Table

OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"go_points": "per_pass", "direction": "counterclockwise"},
    {"go_points": "per_card_after_go"},
    {"go_three_plus": "stop"},
    {"lowball": True},
)


def cards_of_next(play: Play, seat: Seat) -> int:
    able = [each for each in play.rules.round_after(seat) if play.left[each] and each not in play.passed]
    return min(MOST_CARDS, play.left[able[0]]) if able and able[0] != seat else 0


def points_by_the_rules(rules: RuleSet, play: Play, hands: list[list[Card]]) -> list[int]:
    """The points of each seat when all play as quick players."""
    points, left = [0] * rules.players, [list(hand) for hand in hands]
    while play.turn is not None:
        seat = play.turn
        ranks = tuple(sorted(RANK_OF[card] for card in left[seat]))
        sign = -1 if rules.lowball else 1
        rank = quick_choice(node_after([RANK_OF[c] for c in play.cards]), ranks, cards_of_next(play, seat), sign)
        if rank:
            card = next(card for card in left[seat] if RANK_OF[card] == rank)
            left[seat].remove(card)
            play, tallies = play.lay(card)
        else:
            play, tallies = play.go()
        for tally in tallies:
            points[tally.seat] += tally.points
    return points


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_points_are_those_of_the_rules(variant: str, options: dict[str, object]) -> None:
    rules, random = recorded_rules(variant, options), Random(variant)
    for number in range(8):
        size = rules.hand_size
        pack = random.sample(PACK, size * rules.players)
        hands = [sorted(pack[seat * size : (seat + 1) * size]) for seat in rules.seats]
        leader = Seat(number % rules.players)
        play = Play.begin(rules, leader, [size] * rules.players)
        ranks = tuple(tuple(RANK_OF[card] for card in hand) for hand in hands)
        first = quick_choice(node_after([]), ranks[leader], cards_of_next(play, leader), -1 if rules.lowball else 1)
        assert Table(rules, play, ranks).play_out(first) == points_by_the_rules(rules, play, hands)
