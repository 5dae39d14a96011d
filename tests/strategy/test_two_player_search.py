"""The search, against plain recursion over `cribbage/play.py`."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.cribbage.cards import PACK, RANK_OF, Card
from firmware_host.cribbage.play import Play, Tally
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.cribbage.variants import rules_for
from firmware_host.strategy.play_judge import play_rules
from firmware_host.strategy.series_tree import node_after
from firmware_host.strategy.simple_player import quick_choice
from firmware_host.strategy.two_player_search import START, Imagined, Moment, Search

ME = Seat(0)
Hand = tuple[Card, ...]


def lead(tallies: tuple[Tally, ...]) -> int:
    return sum(tally.points if tally.seat == ME else -tally.points for tally in tallies)


def best_lead(play: Play, mine: Hand, theirs: Hand) -> int:
    """The most points ahead that a player makes who knows the other hand, against a quick player."""
    if play.turn is None:
        return 0
    if play.turn == ME:
        fits = playable_cards(mine, play.count)
        results = []
        for card in fits:
            after, tallies = play.lay(card)
            results.append(lead(tallies) + best_lead(after, tuple(c for c in mine if c is not card), theirs))
        if fits:
            return max(results)
        after, tallies = play.go()
        return lead(tallies) + best_lead(after, mine, theirs)
    rank = quick_choice(node_after(ranks(play.cards)), ranks(theirs), len(mine))
    if not rank:
        after, tallies = play.go()
        return lead(tallies) + best_lead(after, mine, theirs)
    card = next(card for card in theirs if RANK_OF[card] == rank)
    after, tallies = play.lay(card)
    return lead(tallies) + best_lead(after, mine, tuple(c for c in theirs if c is not card))


def ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(RANK_OF[card] for card in cards)


@pytest.mark.parametrize("variant", ["six_card", "five_card"])
@pytest.mark.parametrize("go_points", ["last_card", "per_pass", "per_card_after_go"])
def test_search_against_a_known_hand_is_exhaustive(variant: str, go_points: str) -> None:
    rules = rules_for(variant, {"go_points": go_points})
    random, size = Random(variant + go_points), rules.hand_size
    for leader in (ME, Seat(1)) * 12:
        pack = random.sample(PACK, 2 * size)
        mine, theirs = tuple(sorted(pack[:size])), tuple(sorted(pack[size:]))
        play = Play.begin(rules, leader, [size, size])
        search, moment = Search(play_rules(rules)), Moment(START, ranks(mine))
        hands: list[Imagined] = [(ranks(theirs), 1.0, 0)]
        if leader == ME:
            found = max(search.worth_of(moment, rank, hands) for rank in set(ranks(mine)))
        else:
            found = search.worth_of_reply(moment, hands)
        assert found == best_lead(play, mine, theirs)


def test_hands_that_answer_alike_cannot_be_told_apart() -> None:
    """Known hands are worth more than unknown ones: the search may not choose a card for each hidden hand."""
    random = Random(7)
    gains = list[float]()
    for _ in range(20):
        pack = random.sample(PACK, 16)
        mine = ranks(tuple(sorted(pack[:4])))
        hands = [ranks(tuple(sorted(pack[start : start + 4]))) for start in (4, 8, 12)]
        moment, search = Moment(START, mine), Search(play_rules(rules_for("six_card")))
        known = sum(max(search.worth_of(moment, rank, [(hand, 1.0, 0)]) for rank in set(mine)) for hand in hands)
        together: list[Imagined] = [(hand, 1.0, number) for number, hand in enumerate(hands)]
        unknown = max(search.worth_of(moment, rank, together) for rank in set(mine))
        gains.append(known - unknown)
    assert min(gains) >= 0 and max(gains) > 0


def test_a_player_who_needs_two_takes_the_fifteen_that_wins() -> None:
    """Ten from eight and nine held: the pair of eights later would be worth more points."""
    moment = Moment(node_after([8]), (7, 8))
    hands: list[Imagined] = [((8, 10), 1.0, 0)]
    search = Search(play_rules(rules_for("six_card")), lambda mine, theirs, hands: 0.0, (2, 99))
    assert search.worth_of(moment, 7, hands) == 1.0
